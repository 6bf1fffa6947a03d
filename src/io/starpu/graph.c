/*
 * StarPU's graph of a run, as starpu_bound_print_dot() writes it: a line `"t3" [label="3: codelet"]` a task, the last first, and
 * `"t1" -> "t3"` a dependence. What tasks take is that of their codelets' models.
 */
#include "base/diag.h"
#include "base/file.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/splitmix.h"
#include "base/text.h"
#include "io/starpu/starpu.h"
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60 };

typedef struct task {
    int64_t number; /* StarPU's */
    int32_t codelet;
    long line;
} task;

typedef struct dependence {
    int64_t from, to;
    long line;
} dependence;

typedef struct graph {
    const char *source;
    task *task;
    size_t tasks, task_room;
    dependence *dependence;
    size_t dependences, dependence_room;
    starpu_codelet *codelet;
    size_t codelets, codelet_room;
    int64_t tags;
    inlay_diag *diag;
} graph;

static void graph_clear(graph *g)
{
    for (size_t c = 0; c < g->codelets; c++) {
        free(g->codelet[c].name);
    }
    free(g->codelet);
    free(g->task);
    free(g->dependence);
}

/* ---- Lines ---- */

static int fail(const graph *g, long line, const char *text)
{
    return diag_fail_at(
        g->diag, INLAY_BAD_INPUT, g->source, line,
        "'%.*s' is no line of a graph of StarPU's; expected \"tN\" [label=\"N: CODELET\"] or \"tM\" -> \"tN\"", SHOWN,
        text);
}

/* Takes `"tN"` or `"tagN"` from the front; -1 where it is none. */
static int64_t take_node(char **at, bool *tag)
{
    char *text = *at;
    *tag = strncmp(text, "\"tag", 4) == 0;
    text += *tag ? 4 : 2;
    if (strncmp(*at, "\"t", 2) != 0 || !plain_digit(*text)) {
        return -1;
    }
    char *end;
    long long number = strtoll(text, &end, 10);
    if (*end != '"' || number > INT64_MAX / 2) {
        return -1;
    }
    *at = end + 1 + strspn(end + 1, " ");
    return number;
}

static int32_t find_codelet(graph *g, const char *name)
{
    for (size_t c = 0; c < g->codelets; c++) {
        if (strcmp(g->codelet[c].name, name) == 0) {
            return (int32_t)c;
        }
    }
    char *copy = memory_string(name);
    if (copy == NULL || !memory_grow((void **)&g->codelet, &g->codelet_room, g->codelets + 1, sizeof *g->codelet)) {
        free(copy);
        return -1;
    }
    g->codelet[g->codelets] = (starpu_codelet){.name = copy};
    return (int32_t)g->codelets++;
}

/* `[label="N: CODELET"]`, of the task with that number. */
static int read_task(graph *g, long line, int64_t number, char *text)
{
    static const char label[] = "[label=\"";
    char *end = strrchr(text, '"'), *name = strstr(text, ": ");
    if (strncmp(text, label, sizeof label - 1) != 0 || end == NULL || strcmp(end, "\"]") != 0 || name == NULL ||
        name + 2 > end) {
        return fail(g, line, text);
    }
    *end = '\0';
    int32_t codelet = find_codelet(g, name + 2);
    if (codelet < 0 || !memory_grow((void **)&g->task, &g->task_room, g->tasks + 1, sizeof *g->task)) {
        return diag_no_memory(g->diag);
    }
    g->task[g->tasks++] = (task){number, codelet, line};
    return INLAY_OK;
}

static int read_line(graph *g, long line, char *text)
{
    char *at = text;
    bool tag, other_tag;
    int64_t number = take_node(&at, &tag), other;
    if (number < 0) {
        return fail(g, line, text);
    }
    if (strncmp(at, "->", 2) != 0) {
        return tag ? (g->tags++, INLAY_OK) : read_task(g, line, number, at);
    }
    at += 2 + strspn(at + 2, " ");
    other = take_node(&at, &other_tag);
    if (other < 0 || *at != '\0') {
        return fail(g, line, text);
    }
    if (tag || other_tag) {
        g->tags++;
        return INLAY_OK;
    }
    if (!memory_grow((void **)&g->dependence, &g->dependence_room, g->dependences + 1, sizeof *g->dependence)) {
        return diag_no_memory(g->diag);
    }
    g->dependence[g->dependences++] = (dependence){number, other, line};
    return INLAY_OK;
}

static int read_lines(graph *g, char *text)
{
    int status = INLAY_OK;
    bool begun = false, ended = false;
    long line = 0;
    while (*text != '\0' && status == INLAY_OK) {
        char *end = text + strcspn(text, "\n"), *next = *end == '\0' ? end : end + 1;
        *end = '\0';
        line++;
        text = plain_trim(text, PLAIN_SPACES);
        if (!begun) {
            begun = strstr(text, "digraph bounddeps") != NULL;
            status = begun || *text == '\0' ? INLAY_OK : fail(g, line, text);
        } else if (strcmp(text, "}") == 0) {
            ended = true;
        } else if (*text != '\0') {
            status = ended ? fail(g, line, text) : read_line(g, line, text);
        }
        text = next;
    }
    if (status == INLAY_OK && (!ended || g->tasks == 0)) {
        status = diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, line,
                              "the graph %s; expected what starpu_bound_print_dot() writes",
                              ended ? "has no task" : "breaks off");
    }
    return status;
}

static int by_number(const void *a, const void *b)
{
    const task *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* ---- The application ---- */

/* In us, to a thousandth of a ns. */
static inlay_duration time_of(double seconds)
{
    enum { SCALE = 6 };
    return (inlay_duration){{(int64_t)llround(seconds * 1e6 * 1e6), SCALE}, INLAY_UNIT_US};
}

/* `by` so many deviations longer than the mean, but never below 0. */
static double spread_time(const starpu_codelet *codelet, int type, double by)
{
    return fmax(0, codelet->seconds[type] + by * codelet->deviation[type]);
}

/* Of which types any codelet was measured. */
static void find_types(const graph *g, bool type[STARPU_TYPES])
{
    for (int t = 0; t < STARPU_TYPES; t++) {
        type[t] = false;
        for (size_t c = 0; c < g->codelets; c++) {
            type[t] = type[t] || starpu_is_measured(&g->codelet[c], t);
        }
    }
}

/*
 * Deviations from the mean for every task, in standard ones, where times are to be spread: those of a codelet that has n tasks are
 * the normal distribution's at (k + 1/2) / n, in any order. Zeros elsewhere. NULL when out of memory.
 */
static double *find_spread(const graph *g, bool spread)
{
    double *of = memory_zeroed(g->tasks, sizeof *of);
    size_t *own = memory_array(g->tasks, sizeof *own);
    uint64_t state = 0;
    for (size_t c = 0; spread && of != NULL && own != NULL && c < g->codelets; c++) {
        inlay_id count = 0;
        for (size_t i = 0; i < g->tasks; i++) {
            if ((size_t)g->task[i].codelet == c) {
                own[count++] = i;
            }
        }
        for (inlay_id k = 0; k < count; k++) {
            inlay_id other = k + splitmix_below(&state, count - k);
            size_t chosen = own[other];
            own[other] = own[k];
            of[chosen] = gsl_cdf_ugaussian_Pinv((k + 0.5) / count);
        }
    }
    bool fine = own != NULL;
    free(own);
    free(fine ? NULL : of);
    return fine ? of : NULL;
}

/* Its time is that on the first type that it has; on the others it has its own, or may not run. */
static int add_task(const graph *g, inlay_app_builder *to, inlay_id module, const bool type[STARPU_TYPES], double by)
{
    const task *own = &g->task[module];
    const starpu_codelet *codelet = &g->codelet[own->codelet];
    char number[24];
    text_buffer name = {0};
    double seconds = 0;
    for (int t = STARPU_TYPES; t-- > 0;) {
        seconds = starpu_is_measured(codelet, t) ? spread_time(codelet, t, by) : seconds;
    }
    (void)plain_print(number, sizeof number, ".%" PRId64, own->number);
    text_addf(&name, "%s%s", codelet->name, number);
    const inlay_module made = {.name = text_content(&name), .time = time_of(seconds), .kind = codelet->name};
    int status = name.failed ? diag_no_memory(g->diag) : inlay_app_add_module(to, &made, g->diag);
    text_clear(&name);
    for (int t = 0; status == INLAY_OK && codelet->measured > 0 && t < STARPU_TYPES; t++) {
        if (type[t]) {
            status = starpu_is_measured(codelet, t)
                         ? inlay_app_add_type_time(to, module, starpu_types[t], time_of(spread_time(codelet, t, by)),
                                                   g->diag)
                         : inlay_app_forbid_type(to, module, starpu_types[t], g->diag);
        }
    }
    return status;
}

static inlay_id find_task(const graph *g, int64_t number)
{
    const task key = {.number = number};
    const task *found = bsearch(&key, g->task, g->tasks, sizeof key, by_number);
    return found == NULL ? -1 : (inlay_id)(found - g->task);
}

static int add_dependence(const graph *g, inlay_app_builder *to, const dependence *d)
{
    inlay_id from = find_task(g, d->from), until = find_task(g, d->to);
    if (from < 0 || until < 0) {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, d->line, "there is no task t%" PRId64,
                            from < 0 ? d->from : d->to);
    }
    return inlay_app_add_link(to, from, until, 0, 0, 0, g->diag);
}

static int build(const graph *g, const char *name, bool spread, inlay_app **app)
{
    bool type[STARPU_TYPES];
    double *by = find_spread(g, spread);
    inlay_app_builder *to = inlay_app_builder_new(name, INLAY_UNIT_US);
    int status = to == NULL || by == NULL ? diag_no_memory(g->diag) : INLAY_OK;
    find_types(g, type);
    for (size_t i = 0; status == INLAY_OK && i < g->tasks; i++) {
        if (i > 0 && g->task[i].number == g->task[i - 1].number) {
            status = diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, g->task[i].line,
                                  "task t%" PRId64 " is there twice", g->task[i].number);
        } else {
            status = add_task(g, to, (inlay_id)i, type, by[i]);
        }
    }
    for (size_t i = 0; status == INLAY_OK && i < g->dependences; i++) {
        status = add_dependence(g, to, &g->dependence[i]);
    }
    status = status == INLAY_OK ? inlay_app_build(to, app, g->diag) : status;
    inlay_app_builder_free(to);
    free(by);
    return status;
}

/* ---- Models ---- */

static void warn_of_sizes(const graph *g, const inlay_starpu_models *models)
{
    static const char *const taken[] = {"the one measured most often", "the largest", "the smallest"};
    int64_t several = 0;
    const char *which = "";
    for (size_t c = 0; c < g->codelets; c++) {
        if (g->codelet[c].sizes > 1) {
            which = several++ == 0 ? g->codelet[c].name : which;
        }
    }
    if (several > 0) {
        diag_warn(g->diag,
                  "%" PRId64 " codelet%s measured at several sizes ('%s'), and the graph does not tell which its tasks "
                  "have: %s is taken",
                  several, several == 1 ? " was" : "s were", which, taken[models->size]);
    }
}

static void warn_of_rest(const graph *g, const starpu_folder *folder)
{
    int64_t without = 0;
    const char *which = "";
    for (size_t i = 0; i < g->tasks; i++) {
        const starpu_codelet *codelet = &g->codelet[g->task[i].codelet];
        if (codelet->measured == 0) {
            which = without++ == 0 ? codelet->name : which;
        }
    }
    if (without > 0) {
        diag_warn(g->diag, "%" PRId64 " tasks take no time: their codelets have no measured model ('%s')", without,
                  which);
    }
    if (folder->combinations > 0) {
        diag_warn(g->diag, "%" PRId64 " measured combinations of several devices or cores are left out",
                  folder->combinations);
    }
    if (g->tags > 0) {
        diag_warn(g->diag, "%" PRId64 " lines of tags are left out: the graph does not say which tasks have them",
                  g->tags);
    }
}

static int read_models(graph *g, const inlay_starpu_models *models)
{
    starpu_folder folder = {.asked = NULL};
    int64_t measured = 0;
    int status = starpu_folder_find(models, &folder, g->diag);
    for (size_t c = 0; status == INLAY_OK && c < g->codelets; c++) {
        status = starpu_model_read(&folder, &g->codelet[c], g->diag);
        measured += g->codelet[c].measured;
    }
    if (status == INLAY_OK && measured == 0) {
        status = diag_fail(
            g->diag, INLAY_BAD_INPUT,
            "%s: no codelet of the graph has a measured model here ('%s'); expected one run of the program with "
            "STARPU_CALIBRATE=1",
            folder.path, g->codelet[0].name);
    }
    if (status == INLAY_OK) {
        warn_of_sizes(g, models);
        warn_of_rest(g, &folder);
    }
    starpu_folder_clear(&folder);
    return status;
}

/* An application of another format, which gets times. The content is cleared. */
static int read_other(file_content *content, const char *path, const inlay_starpu_models *models, inlay_app **app,
                      inlay_diag *diag)
{
    inlay_app *read = NULL;
    int status = inlay_app_read_memory(content->data, content->size, path, NULL, &read, diag);
    file_content_clear(content);
    status = status == INLAY_OK ? inlay_app_time_starpu(read, models, app, diag) : status;
    inlay_app_free(read);
    return status;
}

int inlay_app_read_starpu(const char *path, const inlay_starpu_models *models, inlay_app **app, inlay_diag *diag)
{
    DIAG_CALL(diag);
    graph g = {.source = path, .diag = diag};
    file_content content;
    int status = file_read(path, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (content.data[strspn(content.data, PLAIN_SPACES)] != '\0' && strstr(content.data, "digraph bounddeps") == NULL) {
        return read_other(&content, path, models, app, diag);
    }
    status = read_lines(&g, content.data);
    file_content_clear(&content);
    if (status == INLAY_OK && g.task != NULL) {
        qsort(g.task, g.tasks, sizeof *g.task, by_number);
        status = read_models(&g, models);
    }
    if (status == INLAY_OK) {
        char name[64];
        const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
        size_t length = strcspn(file, ".");
        (void)plain_print(name, sizeof name, "%.*s", length > 0 ? (int)(length < 63 ? length : 63) : 6,
                          length > 0 ? file : "starpu");
        status = build(&g, name, models->spread, app);
    }
    graph_clear(&g);
    return status;
}
