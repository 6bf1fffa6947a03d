/* The table and the JSON of what was counted. */
#include "compress.h"
#include "allowed.h"
#include "answer.h"
#include "output.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>
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

static void add_row(table *rows, const compression *c, const counted *of, int number)
{
    const body_row *body = &c->program->row[number];
    const tally *t = &of->row[number];
    table_cell(rows, "%s", c->program->function[body->function].name);
    table_cell(rows, "%u", body->line);
    if (body->nest > 0) {
        table_cell(rows, "%d", body->nest);
    } else {
        table_cell(rows, "-");
    }
    table_cell(rows, "%" PRId64, t->times);
    add_share(rows, t->arithmetic, t->times);
    add_share(rows, t->functions, t->times);
}

static int print_rows(const compression *c, const counted *of)
{
    table rows = {.left = {true}};
    table_headings(&rows, "function|line|nest|times|arithmetic|functions");
    for (int i = 0; i < c->program->rows; i++) {
        if (of->row[i].reached) {
            add_row(&rows, c, of, i);
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

int compression_print_table(const compression *c)
{
    int status = INLAY_OK;
    for (int i = 0; i < c->count && status == INLAY_OK; i++) {
        const counted *of = &c->at[i];
        const char *name = c->program->function[of->function].name;
        status = print_rows(c, of);
        say(stdout, "\n%s() does ", name);
        print_count(of->arithmetic, "arithmetic operation");
        say(stdout, " and ");
        print_count(of->functions, "function evaluation");
        say(stdout, "\n%s%s%s [arithmetic=%" PRId64 ", functions=%" PRId64 "];\n%s", quotes_of(name), name,
            quotes_of(name), of->arithmetic, of->functions, i + 1 < c->count ? "\n" : "");
    }
    return status;
}

/* ---- JSON ---- */

static void put_remarks(inlay_json *out, const char *key, const remark_list *remarks)
{
    inlay_json_array(out, key);
    for (int i = 0; i < remarks->count; i++) {
        inlay_json_put(out, "{ line %d text %s }", remarks->at[i].line, remarks->at[i].text);
    }
    inlay_json_array_end(out);
}

static void put_row(inlay_json *out, const compression *c, const counted *of, int number)
{
    const body_row *body = &c->program->row[number];
    const tally *t = &of->row[number];
    double times = t->times > 0 ? (double)t->times : 1;
    inlay_json_put(out, "{ function %s line %d nest %d times %" PRIi64 " arithmetic %g functions %g }",
                   c->program->function[body->function].name, body->line, body->nest, t->unbounded ? -1 : t->times,
                   (double)t->arithmetic / times, (double)t->functions / times);
}

static void put_function(inlay_json *out, const compression *c, const counted *of)
{
    inlay_json_put(out, "{ name %s line %d arithmetic %" PRIi64 " functions %" PRIi64 " bodies [",
                   c->program->function[of->function].name, c->program->function[of->function].line,
                   of->bounded ? of->arithmetic : -1, of->bounded ? of->functions : -1);
    for (int i = 0; i < c->program->rows; i++) {
        if (of->row[i].reached) {
            put_row(out, c, of, i);
        }
    }
    inlay_json_put(out, "] }");
}

static int put_members(inlay_json *out, const void *of)
{
    const compression *c = of;
    inlay_json_string(out, "file", c->path);
    put_remarks(out, "upper_bounds", c->limits);
    put_remarks(out, "unbounded", c->problems);
    inlay_json_array(out, "modules");
    for (int i = 0; i < c->count; i++) {
        put_function(out, c, &c->at[i]);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int compression_print_json(const invocation *call, const compression *c)
{
    inlay_diag *diag = new_diag();
    for (int i = 0; i < c->limits->count; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s:%u: %s", c->path, c->limits->at[i].line, c->limits->at[i].text);
        inlay_diag_add_warning(diag, text);
    }
    int status = diag == NULL ? INLAY_NO_MEMORY : result_write(call, put_members, c, "-", diag);
    (void)output_told(status, diag);
    inlay_diag_free(diag);
    return status;
}
