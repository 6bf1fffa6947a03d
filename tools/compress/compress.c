/*
 * inlay-compress: `inlay compress` starts it with its own words. It counts the arithmetic and the mathematical functions
 * of C functions and writes short loops that do as many.
 */
#include "answer.h"
#include "commands.h"
#include "compress_values.h"
#include "output.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <strings.h>

/* ---- The table ---- */

/* How often the body of a row does so many: a whole number, or a mean. */
static void add_share(table *rows, int64_t sum, int64_t times)
{
    if (times == 0 || sum % times == 0) {
        table_cell(rows, "%" PRId64, times == 0 ? 0 : sum / times);
    } else {
        table_cell(rows, "%.3f", (double)sum / (double)times);
    }
}

static int print_rows(const inlay_counted_function *f, bool traffic)
{
    table rows = {.left = {true}};
    table_headings(&rows, traffic ? "function|line|nest|times|arithmetic|functions|bytes"
                                  : "function|line|nest|times|arithmetic|functions");
    for (const inlay_counted_body *b = f->body; b < f->body + f->bodies; b++) {
        table_cell(&rows, "%s", b->function);
        table_cell(&rows, "%" PRId64, b->line);
        table_cell(&rows, b->nest > 0 ? "%d" : "-", b->nest);
        table_cell(&rows, "%" PRId64, b->times);
        add_share(&rows, b->arithmetic, b->times);
        add_share(&rows, b->functions, b->times);
        if (traffic) {
            add_share(&rows, b->bytes, b->times);
        }
    }
    return table_print(&rows, stdout);
}

/* A name in DOT, whose own words need quotes in any case of letters. */
static const char *quotes_of(const char *name)
{
    static const char *const words[] = {"strict", "graph", "digraph", "subgraph", "node", "edge"};
    const char *quotes = "";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        quotes = strcasecmp(words[i], name) == 0 ? "\"" : quotes;
    }
    return quotes;
}

/* "1 operation", "2 operations". */
static void print_count(int64_t count, const char *one)
{
    say(stdout, "%" PRId64 " %s%s", count, one, count == 1 ? "" : "s");
}

/* The function as a module. */
static void print_module(const inlay_counted_function *f, bool traffic)
{
    say(stdout, "%s%s%s [arithmetic=%" PRId64 ", functions=%" PRId64, quotes_of(f->name), f->name, quotes_of(f->name),
        f->arithmetic, f->functions);
    if (traffic) {
        say(stdout, ", traffic_memory=%" PRId64, f->bytes);
    }
    say(stdout, "];\n");
}

static int print_table(const inlay_compression *c, bool traffic)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < c->functions && status == INLAY_OK; i++) {
        const inlay_counted_function *f = &c->function[i];
        status = print_rows(f, traffic);
        say(stdout, "\n%s() does ", f->name);
        print_count(f->arithmetic, "arithmetic operation");
        say(stdout, traffic ? ", " : " and ");
        print_count(f->functions, "function evaluation");
        if (traffic) {
            say(stdout, ", and touches ");
            print_count(f->bytes, "byte");
        }
        say(stdout, "\n");
        print_module(f, traffic);
        say(stdout, i + 1 < c->functions ? "\n" : "");
    }
    return status;
}

/* ---- Giving out ---- */

static void say_remarks(const inlay_compression *c, const inlay_source_remark *remark, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        say(stderr, "%s%-s:%" PRId64 ": %-s\n", word, c->file, remark[i].line, remark[i].text);
    }
}

/* Without all bounds there is no table: its sums would be wrong. */
static int deliver(const invocation *call, const inlay_compression *c, inlay_diag *diag)
{
    const compress_values *values = call->values;
    const inlay_result_context context = result_context(call, diag);
    int status = INLAY_OK;
    if (!call->common->quiet) {
        say_remarks(c, c->limit, c->limits, "inlay: warning: ");
    }
    say_remarks(c, c->problem, c->problems, "");
    if (values->common.json) {
        (void)output_told(inlay_compression_write_json(c, &context, "-", diag), diag);
    } else if (c->bounded && !(values->common.quiet && values->output != NULL) && !output_is_standard(values->output)) {
        status = print_table(c, values->traffic);
    }
    if (status != INLAY_OK) {
        return report_no_memory();
    }
    if (c->bounded && values->output != NULL) {
        (void)output_told(inlay_compression_write_program(c, values->output, diag), diag);
    }
    return c->bounded ? EXIT_DONE : EXIT_NO;
}

/* ---- The program ---- */

static inlay_texts texts(const text_list *list)
{
    return (inlay_texts){list->text, list->count};
}

static int count_and_deliver(const invocation *call, inlay_diag *diag)
{
    const compress_values *values = call->values;
    const inlay_compress_options options = {texts(&values->function), texts(&values->definitions),
                                            texts(&values->trips), texts(&values->calls), texts(&values->include)};
    inlay_compression *c = NULL;
    int status = inlay_compress(call->operands[0], &options, &c, diag);
    if (status == INLAY_BAD_ARGUMENT) {
        return report_usage(call->command, "--%s", inlay_diag_message(diag));
    }
    int end = status == INLAY_OK ? deliver(call, c, diag) : report_end(call, status, diag);
    inlay_compression_free(c);
    return end;
}

static int compress_run(const invocation *call)
{
    const compress_values *values = call->values;
    if (output_collision(call, &values->output, 1) != NULL) {
        return report_usage(&compress_command, "-o %s: is the input", values->output);
    }
    if (values->common.json && output_is_standard(values->output)) {
        return report_usage(&compress_command, "--json and -o - both go to standard output");
    }
    inlay_diag *diag = output_diag();
    int end = diag != NULL ? count_and_deliver(call, diag) : report_no_memory();
    inlay_diag_free(diag);
    return end;
}

int main(int argc, char **argv)
{
    return finish_output(command_start(&compress_command, compress_run, argc, argv, 0));
}
