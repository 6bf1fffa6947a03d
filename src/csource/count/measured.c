/* What a run counted. */
#include "csource/count/measure.h"
#include "base/diag.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Counts ---- */

typedef struct run_record {
    run_counts all;
    run_counts *root; /* while each function was active */
    uint64_t *numbers;
} run_record;

static void record_clear(run_record *r)
{
    free(r->root);
    free(r->numbers);
}

/* The file of the counters: those of all places, then for each function its calls and those while it was active. */
static int record_read(const inlay_counting *m, const char *path, run_record *r, inlay_diag *diag)
{
    size_t places = (size_t)m->places, numbers = places + m->roots * (places + 1);
    FILE *from = fopen(path, "rb");
    *r = (run_record){.root = calloc(m->roots + 1, sizeof *r->root), .numbers = calloc(numbers, sizeof *r->numbers)};
    bool memory = r->root != NULL && r->numbers != NULL;
    bool whole = memory && from != NULL && fread(r->numbers, sizeof *r->numbers, numbers, from) == numbers;
    if (from != NULL) {
        (void)fclose(from);
    }
    if (!whole) {
        return memory ? diag_fail(diag, INLAY_NO_ANSWER,
                                  "the program left no counts; expected it to end by exit() or a "
                                  "return from main()")
                      : INLAY_NO_MEMORY;
    }
    r->all.place = r->numbers;
    for (size_t i = 0; i < m->roots; i++) {
        uint64_t *at = r->numbers + places + i * (places + 1);
        r->root[i] = (run_counts){at[0], at + 1};
    }
    return INLAY_OK;
}

static bool add_product(int64_t *sum, uint64_t times, int64_t each)
{
    int64_t product;
    return times <= INT64_MAX && !__builtin_mul_overflow((int64_t)times, each, &product) &&
           !__builtin_add_overflow(*sum, product, sum);
}

/* ---- What is told ---- */

typedef struct telling {
    inlay_counting *m;
    memory_pool memory;
    inlay_source_remark *problem;
    size_t problems, room;
    inlay_diag *diag;
    const run_counts *all;
    bool beyond; /* of all functions the counts are not known */
} telling;

static const char *copy(telling *t, const char *text)
{
    size_t size = text != NULL ? strlen(text) + 1 : 0;
    char *to = text != NULL ? pool_array(&t->memory, size, 1) : NULL;
    return to != NULL ? memcpy(to, text, size) : NULL;
}

static int add_problem(telling *t, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static int add_problem(telling *t, const char *file, unsigned line, const char *format, ...)
{
    text_buffer text = {0};
    va_list values;
    va_start(values, format);
    text_vaddf(&text, format, values);
    va_end(values);
    inlay_source_remark said = {.line = line, .text = copy(t, text_content(&text)), .file = copy(t, file)};
    bool failed = text.failed || t->memory.failed || said.text == NULL || said.file == NULL;
    text_clear(&text);
    for (size_t i = 0; !failed && i < t->problems; i++) {
        const inlay_source_remark *p = &t->problem[i];
        if (p->line == said.line && strcmp(p->text, said.text) == 0 && strcmp(p->file, said.file) == 0) return INLAY_OK;
    }
    if (failed || !memory_grow((void **)&t->problem, &t->room, t->problems + 1, sizeof *t->problem)) {
        return INLAY_NO_MEMORY;
    }
    t->problem[t->problems++] = said;
    return INLAY_OK;
}

/* What makes two flows of one, or leaves functions without their end. */
static bool is_beyond(const char *name)
{
    static const char *const names[] = {"fork",        "vfork",      "_Fork",       "clone",        "pthread_create",
                                        "longjmp",     "_longjmp",   "siglongjmp",  "thrd_create",  "GOMP_parallel",
                                        "swapcontext", "setcontext", "makecontext", "__longjmp_chk"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        found = strcmp(names[i], name) == 0;
    }
    return found;
}

/* Whether some place of the run, whoever was active, leads to where counts are not known. */
static bool went_beyond(const inlay_counting *m, const run_counts *all)
{
    bool beyond = false;
    for (size_t i = 0; i < m->files && !beyond; i++) {
        const plan *p = &m->file[i].plan;
        for (int k = 0; k < p->happenings && !beyond; k++) {
            const happening *h = &p->happening[k];
            beyond = h->kind == HAPPENS_CALL && is_beyond(h->name) && all->place != NULL &&
                     all->place[p->first + h->place] > 0;
        }
    }
    return beyond;
}

/* Whether what happened can be counted. */
static int judge(telling *t, size_t file, const happening *h, bool *counts)
{
    const char *path = h->file != NULL ? h->file : t->m->file[file].path;
    int status = INLAY_OK;
    if (h->kind == HAPPENS_STRANGE) {
        status = add_problem(t, path, h->line, "%s is not counted; expected plain C in its place", h->name);
    } else if (h->kind == HAPPENS_POINTER) {
        status = add_problem(t, path, h->line,
                             "what is called through a pointer here is not counted; expected functions of the files "
                             "that are named");
    } else if (is_beyond(h->name)) {
        status =
            add_problem(t, path, h->line,
                        "%s() was called, behind which counts are not known; expected one process, one thread, and "
                        "functions that return",
                        h->name);
    } else if (!h->system && !measured_find(t->m, file, h->name)) {
        status = add_problem(t, path, h->line,
                             "what %s() does is not known; expected its file too, or --call %s=ARITHMETIC:FUNCTIONS",
                             h->name, h->name);
    } else {
        return INLAY_OK;
    }
    *counts = false;
    return status;
}

static int judge_all(telling *t, const run_counts *run, bool *counts)
{
    int status = INLAY_OK;
    *counts = !t->beyond;
    for (size_t i = 0; i < t->m->files; i++) {
        const plan *p = &t->m->file[i].plan;
        for (int k = 0; k < p->happenings && status == INLAY_OK; k++) {
            const happening *h = &p->happening[k];
            bool beyond = h->kind == HAPPENS_CALL && is_beyond(h->name);
            const uint64_t *times = (beyond ? t->all : run)->place;
            bool happened = times != NULL && times[p->first + h->place] > 0;
            status = happened ? judge(t, i, h, counts) : INLAY_OK;
        }
    }
    return status;
}

/* Functions of the system count nothing, which is said. */
static void warn_of_system(telling *t, const run_counts *run)
{
    enum { MOST = 100 };
    const char *name[MOST];
    uint64_t calls[MOST];
    int names = 0;
    text_buffer text = {0};
    for (size_t i = 0; i < t->m->files; i++) {
        const plan *p = &t->m->file[i].plan;
        for (int k = 0; k < p->happenings; k++) {
            const happening *h = &p->happening[k];
            uint64_t times = run->place[p->first + h->place];
            int at = 0;
            if (h->kind != HAPPENS_CALL || !h->system || times == 0 || is_beyond(h->name)) {
                continue;
            }
            while (at < names && strcmp(name[at], h->name) != 0) {
                at++;
            }
            if (at == names && names < MOST) {
                name[names] = h->name;
                calls[names++] = 0;
            }
            calls[at < MOST ? at : MOST - 1] += times;
        }
    }
    for (int i = 0; i < names; i++) {
        text_addf(&text, "%s%s() %" PRIu64, i > 0 ? ", " : "", name[i], calls[i]);
    }
    if (names > 0 && !text.failed) {
        diag_warn(
            t->diag,
            "what the system's functions do is not counted (calls: %s); --call NAME=ARITHMETIC:FUNCTIONS tells it",
            text_content(&text));
    }
    text_clear(&text);
}

/* ---- One function ---- */

/* What is done at the places of each row; false where something does not fit. */
static bool sum_places(const measured_file *file, const run_counts *run, inlay_counted_body *sum)
{
    bool fits = true;
    for (int i = 1; i < file->plan.places; i++) {
        uint64_t come = run->place[file->plan.first + i];
        const tally *each = &file->planned.tally[i];
        inlay_counted_body *b = &sum[file->plan.owner[i]];
        fits = fits && add_product(&b->arithmetic, come, each->arithmetic) &&
               add_product(&b->functions, come, each->functions) && add_product(&b->bytes, come, each->bytes);
    }
    return fits;
}

/* All rows of a file that were come to. False where something does not fit, or memory is out. */
static bool tell_rows(telling *t, const measured_file *file, const run_counts *run, inlay_counted_body *body,
                      inlay_counted_function *f)
{
    const program *p = &file->program;
    inlay_counted_body *sum = pool_zeroed(&t->memory, (size_t)p->rows + 1, sizeof *sum);
    bool fits = sum != NULL && sum_places(file, run, sum);
    for (int r = 0; r < p->rows && fits; r++) {
        const c_function *of = &p->function[p->row[r].function];
        inlay_counted_body *b = &sum[r];
        b->times = file->plan.times[r] > 0 ? (int64_t)run->place[file->plan.first + file->plan.times[r]] : 0;
        if (b->times == 0 && b->arithmetic == 0 && b->functions == 0 && b->bytes == 0) {
            continue;
        }
        b->function = copy(t, of->name);
        b->line = p->row[r].line;
        b->nest = p->row[r].nest;
        b->file = copy(t, of->header != NULL ? of->header : file->path);
        body[f->bodies++] = *b;
        fits = !__builtin_add_overflow(f->arithmetic, b->arithmetic, &f->arithmetic) &&
               !__builtin_add_overflow(f->functions, b->functions, &f->functions) &&
               !__builtin_add_overflow(f->bytes, b->bytes, &f->bytes);
    }
    return fits;
}

static int tell_measured(telling *t, const measured_root *root, const run_counts *run, inlay_counted_function *f)
{
    size_t rows = 0;
    for (size_t i = 0; i < t->m->files; i++) {
        rows += (size_t)t->m->file[i].program.rows;
    }
    inlay_counted_body *body = pool_array(&t->memory, rows + 1, sizeof *body);
    bool fits = body != NULL;
    for (size_t i = 0; fits && i < t->m->files; i++) {
        fits = tell_rows(t, &t->m->file[i], run, body, f);
    }
    f->body = body;
    f->kind = INLAY_COUNT_MEASURED;
    if (t->memory.failed || fits) {
        return t->memory.failed ? INLAY_NO_MEMORY : INLAY_OK;
    }
    return diag_fail_at(t->diag, INLAY_BAD_INPUT, t->m->file[root->file].path, (long)f->line,
                        "the operations of %s() do not fit 64 bits; expected fewer than 2^63", f->name);
}

/* ---- Without the run ---- */

/* What is known of one call, where all of it is; false where not. */
static int count_alone(inlay_counting *m, const measured_root *root, counted *out, bool *exact)
{
    program *p = &m->file[root->file].program;
    counter c;
    int status = counter_open(&c, p, &m->given);
    *exact = false;
    if (status == INLAY_OK) {
        status = count_function(&c, root->function, out);
        *exact = status == INLAY_OK && out->bounded && !c.limited;
    }
    counter_close(&c);
    return status == INLAY_OVERFLOW ? INLAY_OK : status;
}

static int tell_alone(telling *t, const measured_root *root, const counted *of, inlay_counted_function *f)
{
    const measured_file *file = &t->m->file[root->file];
    const program *p = &file->program;
    inlay_counted_body *body = pool_array(&t->memory, (size_t)p->rows + 1, sizeof *body);
    for (int i = 0; body != NULL && i < p->rows; i++) {
        const tally *own = &of->row[i];
        const c_function *in = &p->function[p->row[i].function];
        if (own->reached) {
            body[f->bodies++] = (inlay_counted_body){.function = copy(t, in->name),
                                                     .line = p->row[i].line,
                                                     .nest = p->row[i].nest,
                                                     .times = own->times,
                                                     .arithmetic = own->arithmetic,
                                                     .functions = own->functions,
                                                     .bytes = own->bytes,
                                                     .file = copy(t, in->header != NULL ? in->header : file->path)};
        }
    }
    f->body = body;
    f->arithmetic = of->arithmetic;
    f->functions = of->functions;
    f->bytes = of->bytes;
    f->kind = INLAY_COUNT_EXACT;
    f->bounded = true;
    return t->memory.failed ? INLAY_NO_MEMORY : INLAY_OK;
}

static bool is_so_many(int64_t each, uint64_t times, int64_t sum)
{
    int64_t product = 0;
    return add_product(&product, times, each) && product == sum;
}

/* A count that was read must be what the run did, or it is of other values. */
static void compare(telling *t, const measured_root *root, const counted *alone, inlay_counted_function *f)
{
    uint64_t calls = (uint64_t)f->calls;
    if (is_so_many(alone->arithmetic, calls, f->arithmetic) && is_so_many(alone->functions, calls, f->functions) &&
        is_so_many(alone->bytes, calls, f->bytes)) {
        f->kind = INLAY_COUNT_EXACT;
        return;
    }
    diag_warn(t->diag,
              "%s:%" PRId64 ": without the run %s() counts %" PRId64 " arithmetic operations and %" PRId64
              " function evaluations a call: what -D, --trip or --call tell is not what the run does; the run counts",
              t->m->file[root->file].path, f->line, f->name, alone->arithmetic, alone->functions);
}

static int tell_function(telling *t, const measured_root *root, const run_counts *run, inlay_counted_function *f)
{
    measured_file *file = &t->m->file[root->file];
    const c_function *of = &file->program.function[root->function];
    const char *path = of->header != NULL ? of->header : file->path;
    counted alone = {0};
    bool exact = false, counts = false;
    *f = (inlay_counted_function){.name = copy(t, of->name), .line = of->line, .bounded = true};
    int status = count_alone(t->m, root, &alone, &exact);
    if (status != INLAY_OK) {
        return status;
    }
    if (run->entered == 0 && exact) {
        return tell_alone(t, root, &alone, f);
    }
    f->calls = (int64_t)run->entered;
    status = judge_all(t, run, &counts);
    status = status == INLAY_OK ? tell_measured(t, root, run, f) : status;
    f->bounded = counts && run->entered > 0;
    if (status == INLAY_OK && run->entered == 0) {
        return add_problem(
            t, path, of->line,
            "%s() is not called in this run, and its count is not known without; expected arguments with "
            "which it is called",
            of->name);
    }
    if (status == INLAY_OK && exact && counts) {
        compare(t, root, &alone, f);
    }
    return status;
}

/* ---- All of them ---- */

static int tell_all(telling *t, const run_record *r, inlay_compression **compression)
{
    inlay_counting *m = t->m;
    inlay_counted_function *f = pool_array(&t->memory, m->roots, sizeof *f);
    bool bounded = true;
    int status = f == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    t->all = &r->all;
    t->beyond = went_beyond(m, &r->all);
    for (size_t i = 0; i < m->roots && status == INLAY_OK; i++) {
        status = tell_function(t, &m->root[i], &r->root[i], &f[i]);
        bounded = bounded && f[i].bounded;
    }
    inlay_source_remark *problem = pool_array(&t->memory, t->problems, sizeof *problem);
    const char *path = copy(t, m->file[0].path);
    owned *o = calloc(1, sizeof *o);
    if (status != INLAY_OK || t->memory.failed || o == NULL) {
        free(o);
        return status != INLAY_OK ? status : INLAY_NO_MEMORY;
    }
    if (t->problems > 0) {
        memcpy(problem, t->problem, t->problems * sizeof *problem);
    }
    warn_of_system(t, &r->all);
    o->told = (inlay_compression){.file = path,
                                  .function = f,
                                  .functions = m->roots,
                                  .problem = problem,
                                  .problems = t->problems,
                                  .bounded = bounded,
                                  .run = true};
    o->memory = t->memory;
    t->memory = (memory_pool){0};
    *compression = &o->told;
    return INLAY_OK;
}

int inlay_counting_read(inlay_counting *counting, const char *counts, inlay_compression **compression, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    telling t = {.m = counting, .diag = diag};
    run_record record;
    int status = record_read(counting, counts, &record, diag);
    status = status == INLAY_OK ? tell_all(&t, &record, compression) : status;
    record_clear(&record);
    pool_clear(&t.memory);
    free(t.problem);
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}
