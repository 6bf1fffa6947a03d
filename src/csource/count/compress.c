/* Counting the functions of a file that are asked for. */
#include "base/diag.h"
#include "csource/count/compress.h"
#include "csource/count/count.h"
#include "csource/words.h"
#include <stdlib.h>
#include <string.h>

/* ---- What the user tells ---- */

int given_options(const inlay_compress_options *options, given *g, inlay_diag *diag)
{
    const struct {
        const char *option;
        const inlay_texts *texts;
        const char *expected;
        given_kind kind;
        given_list *list;
    } lists[] = {
        {"define", &options->definitions, "NAME=VALUE, such as n=100", GIVEN_DEFINITION, &g->definitions},
        {"trip", &options->trips, "LINE=N, such as 12=100", GIVEN_TRIPS, &g->trips},
        {"call", &options->calls, "NAME=ARITHMETIC:FUNCTIONS, such as norm=20:1", GIVEN_CALLS, &g->calls},
    };
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == INLAY_OK; i++) {
        const char *wrong = "";
        int length = 0;
        for (size_t k = 0; k < lists[i].texts->count && status == INLAY_OK; k++) {
            status = given_read(lists[i].texts->text[k], lists[i].kind, lists[i].list, &wrong, &length);
        }
        if (status == INLAY_BAD_ARGUMENT) {
            return diag_fail(diag, status, "%s %.*s: expected %s", lists[i].option, length, wrong, lists[i].expected);
        }
    }
    return status;
}

void given_forget(given *g)
{
    given_clear(&g->definitions);
    given_clear(&g->trips);
    given_clear(&g->calls);
}

/* Trips of a line without a loop would change nothing. */
static int check_trips(const program *p, const given *g, inlay_diag *diag)
{
    for (int i = 0; i < g->trips.count; i++) {
        unsigned long line = strtoul(g->trips.entry[i].name, NULL, 10);
        bool found = false;
        for (int r = 0; r < p->rows && !found; r++) {
            found = p->row[r].nest > 0 && p->row[r].line == line;
        }
        if (!found) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "trip %s: there is no loop on this line of %s; expected the line on which a loop begins",
                             g->trips.entry[i].name, p->path);
        }
    }
    return INLAY_OK;
}

/* ---- Which functions ---- */

/* The functions that are counted, in their order. */
typedef struct chosen {
    counter *counter;
    counted *at; /* the program's */
    size_t count;
} chosen;

static int count_one(chosen *out, int number, inlay_diag *diag)
{
    counter *c = out->counter;
    int status = count_function(c, number, &out->at[out->count]);
    out->count += status == INLAY_OK;
    if (status == INLAY_OVERFLOW) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, c->program->path, (long)c->overflow,
                            "the operations of %s() do not fit 64 bits; expected fewer than 2^63",
                            c->program->function[number].name);
    }
    return status;
}

int program_find(const program *p, const char *name, size_t length)
{
    for (int i = 0; i < p->functions; i++) {
        if (strlen(p->function[i].name) == length && strncmp(p->function[i].name, name, length) == 0) return i;
    }
    return -1;
}

static int count_named(chosen *out, const char *names, inlay_diag *diag)
{
    const program *p = out->counter->program;
    int status = INLAY_OK;
    while (names != NULL && status == INLAY_OK) {
        size_t length = strcspn(names, ",");
        int number = program_find(p, names, length);
        if (number < 0) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, p->path, 0,
                                "there is no function '%.*s'; expected one that the file defines", (int)length, names);
        }
        status = out->count < (size_t)p->functions ? count_one(out, number, diag) : INLAY_OK;
        names = names[length] == ',' ? names + length + 1 : NULL;
    }
    return status;
}

/* Those that no other one calls; all of them where each is called. */
static int count_uncalled(chosen *out, inlay_diag *diag)
{
    const program *p = out->counter->program;
    bool all = true;
    for (int i = 0; i < p->functions; i++) {
        all = all && p->function[i].called;
    }
    if (p->functions == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, p->path, 0, "the file defines no function; expected one at least");
    }
    int status = INLAY_OK;
    for (int i = 0; i < p->functions && status == INLAY_OK; i++) {
        status = all || !p->function[i].called ? count_one(out, i, diag) : INLAY_OK;
    }
    return status;
}

static int count_chosen(const inlay_texts *names, chosen *out, inlay_diag *diag)
{
    program *p = out->counter->program;
    out->at = pool_zeroed(&p->memory, (size_t)p->functions + 1, sizeof *out->at);
    if (out->at == NULL) {
        return INLAY_NO_MEMORY;
    }
    int status = names->count == 0 ? count_uncalled(out, diag) : INLAY_OK;
    for (size_t i = 0; i < names->count && status == INLAY_OK; i++) {
        status = count_named(out, names->text[i], diag);
    }
    return status;
}

/* ---- What is told ---- */

static inlay_source_remark *tell_remarks(memory_pool *memory, const remark_list *remarks)
{
    inlay_source_remark *at = pool_array(memory, (size_t)remarks->count, sizeof *at);
    for (int i = 0; at != NULL && i < remarks->count; i++) {
        at[i] = (inlay_source_remark){.line = remarks->at[i].line, .text = remarks->at[i].text};
    }
    return at;
}

static void tell_function(program *p, const counted *of, inlay_counted_function *f)
{
    const c_function *named = &p->function[of->function];
    inlay_counted_body *body = pool_array(&p->memory, (size_t)p->rows, sizeof *body);
    *f = (inlay_counted_function){.name = named->name,
                                  .line = named->line,
                                  .bounded = of->bounded,
                                  .arithmetic = of->arithmetic,
                                  .functions = of->functions,
                                  .bytes = of->bytes,
                                  .body = body};
    for (int i = 0; body != NULL && i < p->rows; i++) {
        const tally *t = &of->row[i];
        if (t->reached) {
            body[f->bodies++] = (inlay_counted_body){.function = p->function[p->row[i].function].name,
                                                     .line = p->row[i].line,
                                                     .nest = p->row[i].nest,
                                                     .unbounded = t->unbounded,
                                                     .times = t->times,
                                                     .arithmetic = t->arithmetic,
                                                     .functions = t->functions,
                                                     .bytes = t->bytes};
        }
    }
}

/* Takes over the program's memory. */
static int tell(const chosen *out, inlay_compression **compression, inlay_diag *diag)
{
    program *p = out->counter->program;
    const counter *c = out->counter;
    owned *o = calloc(1, sizeof *o);
    inlay_counted_function *f = pool_array(&p->memory, out->count, sizeof *f);
    const char *path = program_copy(p, p->path);
    bool bounded = true;
    for (size_t i = 0; f != NULL && i < out->count; i++) {
        tell_function(p, &out->at[i], &f[i]);
        bounded = bounded && f[i].bounded;
    }
    const inlay_source_remark *limit = tell_remarks(&p->memory, &c->limits);
    const inlay_source_remark *problem = tell_remarks(&p->memory, &c->problems);
    if (o == NULL || p->memory.failed) {
        free(o);
        return INLAY_NO_MEMORY;
    }
    for (int i = 0; i < c->limits.count; i++) {
        diag_warn(diag, "%s:%u: %s", path, c->limits.at[i].line, c->limits.at[i].text);
    }
    o->told = (inlay_compression){.file = path,
                                  .function = f,
                                  .functions = out->count,
                                  .limit = limit,
                                  .limits = (size_t)c->limits.count,
                                  .problem = problem,
                                  .problems = (size_t)c->problems.count,
                                  .bounded = bounded};
    o->memory = p->memory;
    p->memory = (memory_pool){0};
    *compression = &o->told;
    return INLAY_OK;
}

void inlay_compression_free(inlay_compression *compression)
{
    owned *o = (owned *)compression; /* its first member */
    if (o != NULL) {
        pool_clear(&o->memory);
        free(o);
    }
}

/* ---- The whole ---- */

static int count_program(const inlay_compress_options *options, program *p, const given *g,
                         inlay_compression **compression, inlay_diag *diag)
{
    counter c;
    chosen out = {.counter = &c};
    int status = counter_open(&c, p, g);
    status = status == INLAY_OK ? check_trips(p, g, diag) : status;
    status = status == INLAY_OK ? count_chosen(&options->functions, &out, diag) : status;
    status = status == INLAY_OK ? tell(&out, compression, diag) : status;
    counter_close(&c);
    return status;
}

int inlay_compress(const char *path, const inlay_compress_options *options, inlay_compression **compression,
                   inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_compress_options none = {0};
    options = options != NULL ? options : &none;
    given g = {0};
    program p = {0};
    source from = {0};
    const reading how = {.include = options->include, .lists = true, .definitions = &g.definitions};
    int status = given_options(options, &g, diag);
    status = status == INLAY_OK ? source_read_program(path, &how, &from, &p, diag) : status;
    status = status == INLAY_OK ? count_program(options, &p, &g, compression, diag) : status;
    source_clear(&from);
    program_clear(&p);
    given_forget(&g);
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}
