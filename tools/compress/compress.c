/*
 * inlay-compress: `inlay compress` starts it with its own words. It counts the arithmetic and the mathematical functions
 * of C functions and writes short loops that do as many.
 */
#include "affinity.h"
#include "answer.h"
#include "commands.h"
#include "compress_values.h"
#include "output.h"
#include "report.h"
#include "run.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <string.h>
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

static int print_rows(const inlay_counted_function *f, bool traffic, bool files)
{
    static const char *const headings[] = {"function|line|nest^3|times|arithmetic^1|functions^2",
                                           "function|line|nest^3|times|arithmetic^1|functions^2|bytes",
                                           "file|function|line|nest^3|times|arithmetic^1|functions^2",
                                           "file|function|line|nest^3|times|arithmetic^1|functions^2|bytes"};
    table rows = {.left = {true, files}};
    table_headings(&rows, headings[2 * files + traffic]);
    for (const inlay_counted_body *b = f->body; b < f->body + f->bodies; b++) {
        if (files) {
            table_cell(&rows, "%s", b->file);
        }
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

/* In how many calls it was, and whether it is known without the run. */
static void print_origin(const inlay_counted_function *f, bool traffic)
{
    say(stdout, f->kind == INLAY_COUNT_EXACT ? " (exact)" : " (measured)");
    if (f->calls == 0) {
        say(stdout, " in a call; the run has none");
    } else if (f->calls == 1) {
        say(stdout, " in 1 call");
    } else {
        double calls = (double)f->calls;
        say(stdout, " in %" PRId64 " calls: %#.7g and %#.7g a call", f->calls, (double)f->arithmetic / calls,
            (double)f->functions / calls);
        if (traffic) {
            say(stdout, ", %#.7g bytes", (double)f->bytes / calls);
        }
    }
}

/* Whether lines of more than one file are told. */
static bool has_files(const inlay_compression *c)
{
    bool several = false;
    for (size_t i = 0; i < c->functions && c->run && !several; i++) {
        const inlay_counted_function *f = &c->function[i];
        for (const inlay_counted_body *b = f->body; b < f->body + f->bodies && !several; b++) {
            several = strcmp(b->file, c->file) != 0;
        }
    }
    return several;
}

/* Of a run, functions without a bound are left out: they have been named. */
static int print_table(const inlay_compression *c, bool traffic)
{
    int status = INLAY_OK;
    bool files = has_files(c), printed = false;
    for (size_t i = 0; i < c->functions && status == INLAY_OK; i++) {
        const inlay_counted_function *f = &c->function[i];
        if (!f->bounded) {
            continue;
        }
        say(stdout, printed ? "\n" : "");
        printed = true;
        status = print_rows(f, traffic, files);
        say(stdout, "\n%s() does ", f->name);
        print_count(f->arithmetic, "arithmetic operation");
        say(stdout, traffic ? ", " : " and ");
        print_count(f->functions, "function evaluation");
        if (traffic) {
            say(stdout, ", and touches ");
            print_count(f->bytes, "byte");
        }
        if (c->run) {
            print_origin(f, traffic);
        }
        say(stdout, "\n");
        print_module(f, traffic);
    }
    return status;
}

/* ---- Giving out ---- */

static void say_remarks(const inlay_compression *c, const inlay_source_remark *remark, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        say(stderr, "%s%-s:%" PRId64 ": %-s\n", word, remark[i].file != NULL ? remark[i].file : c->file, remark[i].line,
            remark[i].text);
    }
}

/* Without all bounds there is no table: its sums would be wrong. What a run did not count leaves the rest alone. */
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
    } else if ((c->bounded || c->run) && !(values->common.quiet && values->output != NULL) &&
               !output_is_standard(values->output)) {
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

/* Of a run; where it is only read, they are the upper bounds, with which its result is given out. */
static void say_warnings(const invocation *call, const inlay_diag *diag)
{
    for (size_t i = 0; i < inlay_diag_warnings(diag) && !call->common->quiet; i++) {
        say(stderr, "inlay: warning: %-s\n", inlay_diag_warning(diag, i));
    }
}

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
    if (values->run != NULL) {
        int end = compress_by_run(call, &options, &c, diag);
        if (c != NULL) {
            say_warnings(call, diag);
            end = deliver(call, c, diag);
        }
        inlay_compression_free(c);
        return end;
    }
    int status = inlay_compress(call->operands[0], &options, &c, diag);
    if (status == INLAY_BAD_ARGUMENT) {
        return report_usage(call->command, "--%s", inlay_diag_message(diag));
    }
    int end = status == INLAY_OK ? deliver(call, c, diag) : report_end(call, status, diag);
    inlay_compression_free(c);
    return end;
}

static int check_without_run(const invocation *call)
{
    const compress_values *values = call->values;
    const struct {
        const char *name;
        bool given;
    } options[] = {{"--build", values->build != NULL},
                   {"--input", values->input != NULL},
                   {"--time-limit", values->time_limit > 0},
                   {"--compiler", values->compiler != NULL}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (options[i].given) {
            return report_usage(&compress_command, "%s is for a run; expected it with --run", options[i].name);
        }
    }
    return call->operand_count == 1
               ? EXIT_DONE
               : report_usage(&compress_command, "%d files; expected one, or --run for a program of several",
                              call->operand_count);
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
    if (output_check_folders(&values->output, 1) != EXIT_DONE) {
        return EXIT_SYSTEM;
    }
    if (values->run == NULL) {
        int end = check_without_run(call);
        if (end != EXIT_DONE) {
            return end;
        }
    }
    inlay_diag *diag = output_diag();
    int end = diag != NULL ? count_and_deliver(call, diag) : report_no_memory();
    inlay_diag_free(diag);
    return end;
}

int main(int argc, char **argv)
{
    affinity_restore();
    return finish_output(command_start(&compress_command, compress_run, argc, argv, 0));
}
