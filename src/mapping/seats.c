/* Who holds which processors. */
#include "mapping/seats.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

void seats_clear(seats *s)
{
    free(s->begin);
    free(s->processor);
    *s = (seats){0};
}

static int refuse_count(const problem *p, inlay_id module, int64_t met, inlay_diag *diag)
{
    const char *name = inlay_app_module_name(p->app, module);
    inlay_id cores = problem_cores(p, module);
    if (cores == 1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "module '%s' has %s processor; expected every module once", name,
                         met == 0 ? "no" : "more than one");
    }
    diag_remedy(diag, "--ignore-cores", "%s", "");
    return diag_fail(diag, INLAY_BAD_ARGUMENT, "module '%s' holds %d cores at once and stands on %lld; expected %d",
                     name, cores, (long long)met, cores);
}

/* Entries by module, into `s`; `met` has room for a count a module. */
static int sort_entries(const problem *p, const inlay_task_schedule *schedule, int64_t *met, seats *s, inlay_diag *diag)
{
    inlay_id processors = inlay_machine_processors(p->machine);
    for (int64_t e = 0; e < schedule->entries; e++) {
        inlay_id i = schedule->module[e], at = schedule->processor[e];
        if (i < 0 || i >= p->modules) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "a schedule has module %d; expected 0 to %d", i, p->modules - 1);
        }
        if (at >= 0 && at < processors && !problem_runs_on(p, i, at)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "module '%s' is on processor %d; expected one of a type on which it may run",
                             inlay_app_module_name(p->app, i), at);
        }
        if (at < 0 || at >= processors) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "module '%s' is on processor %d; expected 0 to %d, as %s has",
                             inlay_app_module_name(p->app, i), at, processors - 1, inlay_machine_text(p->machine));
        }
        if (met[i] == problem_cores(p, i)) {
            return refuse_count(p, i, met[i] + 1, diag);
        }
        int64_t place = s->begin[i] + met[i]++;
        for (; place > s->begin[i] && s->processor[place - 1] > at; place--) {
            s->processor[place] = s->processor[place - 1];
        }
        s->processor[place] = at;
    }
    return INLAY_OK;
}

static int check_host(const problem *p, inlay_id module, const seats *s, inlay_diag *diag)
{
    for (int64_t k = s->begin[module] + 1; k < s->begin[module + 1]; k++) {
        inlay_id before = s->processor[k - 1], at = s->processor[k];
        if (before == at) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "module '%s' holds processor %d twice; expected different ones",
                             inlay_app_module_name(p->app, module), at);
        }
        if (problem_host(p, before) != problem_host(p, at)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "module '%s' holds processors %d and %d, of different hosts; expected those of one",
                             inlay_app_module_name(p->app, module), before, at);
        }
    }
    return INLAY_OK;
}

int seats_make(const problem *p, const inlay_task_schedule *schedule, seats *result, inlay_diag *diag)
{
    size_t n = (size_t)p->modules;
    seats s = {.begin = memory_array(n + 1, sizeof *s.begin)};
    int64_t *met = memory_zeroed(n, sizeof *met);
    int64_t entries = 0;
    for (size_t i = 0; s.begin != NULL && i <= n; i++) {
        s.begin[i] = entries;
        entries += i < n ? problem_cores(p, (inlay_id)i) : 0;
    }
    s.processor = s.begin == NULL ? NULL : memory_array((size_t)s.begin[n], sizeof *s.processor);
    int status = s.processor == NULL || met == NULL ? diag_no_memory(diag) : sort_entries(p, schedule, met, &s, diag);
    for (inlay_id i = 0; status == INLAY_OK && i < p->modules; i++) {
        status = met[i] < problem_cores(p, i) ? refuse_count(p, i, met[i], diag) : check_host(p, i, &s, diag);
    }
    free(met);
    if (status != INLAY_OK) {
        seats_clear(&s);
        return status;
    }
    *result = s;
    return INLAY_OK;
}

/* Clusters of the processors, as they are met. */
typedef struct numbering {
    id_map number;
    inlay_id *processor; /* of every cluster */
    inlay_id clusters;
} numbering;

/* -1 when out of memory. */
static inlay_id number_of(numbering *n, inlay_id processor)
{
    int64_t found = id_map_get(&n->number, processor, -1);
    if (found < 0) {
        found = n->clusters;
        if (id_map_add(&n->number, processor, found) < 0) {
            return -1;
        }
        n->processor[n->clusters++] = processor;
    }
    return (inlay_id)found;
}

static bool number_clusters(const problem *p, const seats *s, numbering *n, inlay_id *cluster_of)
{
    bool room = true;
    for (inlay_id i = 0; room && i < p->modules; i++) {
        cluster_of[i] = number_of(n, s->processor[s->begin[i]]);
        room = cluster_of[i] >= 0;
    }
    for (inlay_id i = 0; room && p->cores != NULL && i < p->modules; i++) {
        for (int64_t k = s->begin[i] + 1; room && k < s->begin[i + 1]; k++) {
            room = number_of(n, s->processor[k]) >= 0;
        }
    }
    return room;
}

/* The clusters beside its own of every module of several cores. */
static int list_guests(const problem *p, const seats *s, numbering *n, placement *place)
{
    if (p->cores == NULL) {
        return INLAY_OK;
    }
    size_t modules = (size_t)p->modules;
    place->guest_begin = memory_array(modules + 1, sizeof *place->guest_begin);
    place->guest = memory_array((size_t)(s->begin[modules] - p->modules), sizeof *place->guest);
    if (place->guest_begin == NULL || place->guest == NULL) {
        return INLAY_NO_MEMORY;
    }
    int64_t count = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        place->guest_begin[i] = count;
        for (int64_t k = s->begin[i] + 1; k < s->begin[i + 1]; k++) {
            place->guest[count++] = number_of(n, s->processor[k]);
        }
    }
    place->guest_begin[modules] = count;
    return INLAY_OK;
}

static int list_order(const inlay_task_schedule *schedule, numbering *n, placement *place)
{
    if (!schedule->ordered) {
        return INLAY_OK;
    }
    order_lists *lists = &place->lists;
    lists->clusters = n->clusters;
    lists->begin = memory_zeroed((size_t)n->clusters + 2, sizeof *lists->begin);
    lists->module = memory_array((size_t)schedule->entries, sizeof *lists->module);
    if (lists->begin == NULL || lists->module == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (int64_t e = 0; e < schedule->entries; e++) {
        lists->begin[number_of(n, schedule->processor[e]) + 2]++;
    }
    for (inlay_id c = 0; c < n->clusters; c++) {
        lists->begin[c + 2] += lists->begin[c + 1];
    }
    for (int64_t e = 0; e < schedule->entries; e++) { /* rows fill from one ahead, and end where they belong */
        lists->module[lists->begin[number_of(n, schedule->processor[e]) + 1]++] = schedule->module[e];
    }
    return INLAY_OK;
}

static int refuse_many(const problem *p, inlay_id clusters, inlay_diag *diag)
{
    diag_remedy(diag, "--processors", "%d", clusters);
    return diag_fail(diag, INLAY_NO_ANSWER, "the placement uses %d processors but %d are allowed", clusters,
                     p->processors);
}

int seats_place(const problem *p, const seats *s, const inlay_task_schedule *schedule, const char *method,
                placement *place, inlay_diag *diag)
{
    numbering n = {0};
    inlay_id *cluster_of = memory_array((size_t)p->modules, sizeof *cluster_of);
    n.processor = memory_array((size_t)inlay_machine_processors(p->machine), sizeof *n.processor);
    bool room = cluster_of != NULL && n.processor != NULL && number_clusters(p, s, &n, cluster_of);
    int status = !room                        ? diag_no_memory(diag)
                 : n.clusters > p->processors ? refuse_many(p, n.clusters, diag)
                                              : placement_make(p, method, cluster_of, n.clusters, place, diag);
    if (status == INLAY_OK) {
        memcpy(place->processor, n.processor, (size_t)n.clusters * sizeof *n.processor);
        status = list_guests(p, s, &n, place) == INLAY_OK && list_order(schedule, &n, place) == INLAY_OK
                     ? INLAY_OK
                     : diag_no_memory(diag);
    }
    free(cluster_of);
    free(n.processor);
    id_map_clear(&n.number);
    return status;
}
