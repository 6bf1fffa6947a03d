/* The mapping problem. */
#include "mapping/problem.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void problem_clear(problem *p)
{
    timing_clear(&p->timing);
    interconnect_clear(&p->network);
    free(p->work);
    free(p->memory);
    free(p->home);
    free(p->begin);
    free(p->neighbour);
    free(p->traffic);
    free(p->first_slot);
    free(p->last_slot);
    free(p->conflict);
    *p = (problem){0};
}

int64_t problem_link_traffic(const problem *p, int64_t l)
{
    return interconnect_traffic(&p->network, p->app->out_messages[l], p->app->out_bytes[l]);
}

static int check_options(const problem *p, inlay_diag *diag)
{
    const inlay_options *o = &p->options;
    inlay_id most = inlay_machine_processors(p->machine);
    if (o->processors < 0 || o->processors > most) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d processors are asked for; expected 1 to %d, as many as %s has",
                         o->processors, most, inlay_machine_text(p->machine));
    }
    if (o->start == INLAY_START_STREAM && !inlay_app_has_blocking(p->app)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "modules can stream only where blocking times are given; '%s' gives none (--start finish)",
                         inlay_app_name(p->app));
    }
    if (!(o->tick_seconds >= 0) || !isfinite(o->tick_seconds)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the length of a tick is not a time; expected more than 0 s");
    }
    return INLAY_OK;
}

/* ---- Data blocks ---- */

/* The heaviest single user: most messages, then most bytes, then the smaller number. */
static inlay_id heaviest_user(const inlay_app *app, inlay_id block)
{
    int64_t best = -1;
    for (int64_t u = app->use_begin[block]; u < app->use_begin[block + 1]; u++) {
        bool heavier = best < 0 || app->use_messages[u] > app->use_messages[best] ||
                       (app->use_messages[u] == app->use_messages[best] && app->use_bytes[u] > app->use_bytes[best]);
        best = heavier ? u : best;
    }
    return best < 0 ? -1 : app->use_module[best];
}

static int find_homes(problem *p, inlay_diag *diag)
{
    int64_t bytes = 0;
    p->home = memory_array((size_t)p->app->blocks, sizeof *p->home);
    if (p->home == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        if (__builtin_add_overflow(bytes, p->app->block_size[d], &bytes)) {
            return diag_fail(diag, INLAY_OVERFLOW, "the data blocks pass 2^63 bytes");
        }
        p->home[d] = heaviest_user(p->app, d);
        if (p->home[d] < 0) {
            diag_warn(diag, "data block '%s' is used by no module; it is kept with module '%s'",
                      inlay_app_block_name(p->app, d), inlay_app_module_name(p->app, 0));
            p->home[d] = 0;
        }
    }
    return INLAY_OK;
}

/* ---- Work and memory ---- */

static int fill_work(problem *p, inlay_diag *diag)
{
    const inlay_app *app = p->app;
    bool from_file = app->blocking != NULL;
    p->work_has_blocking =
        p->options.blocking == INLAY_BLOCKING_YES || (p->options.blocking == INLAY_BLOCKING_AUTO && from_file);
    p->blocking_derived = p->work_has_blocking && !from_file;
    p->work = memory_array((size_t)p->modules, sizeof *p->work);
    if (p->work == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_time b = !p->work_has_blocking ? 0 : from_file ? app->blocking[i] : p->timing.b[i];
        p->work[i] = p->timing.m[i] + b;
        p->total_time += p->timing.m[i];
    }
    for (inlay_id d = 0; d < app->blocks; d++) {
        p->work[p->home[d]] += app->block_time[d];
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        if (__builtin_add_overflow(p->total_work, p->work[i], &p->total_work)) {
            return diag_fail(
                diag, INLAY_OVERFLOW,
                "the work of all modules, blocking times counted, passes 2^63 grains; --blocking no leaves "
                "them out");
        }
    }
    return INLAY_OK;
}

static int fill_memory(problem *p, inlay_diag *diag)
{
    const inlay_app *app = p->app;
    bool blocks = inlay_machine_memory_kind(p->machine) == INLAY_MEMORY_DISTRIBUTED && app->blocks > 0;
    p->memory_limit = inlay_machine_processor_memory(p->machine);
    if (app->memory == NULL && !blocks) {
        return INLAY_OK;
    }
    p->memory = memory_zeroed((size_t)p->modules, sizeof *p->memory);
    if (p->memory == NULL) {
        return diag_no_memory(diag);
    }
    int64_t total = 0;
    bool fits = true;
    for (inlay_id i = 0; i < p->modules; i++) {
        p->memory[i] = inlay_app_memory(app, i);
        fits &= !__builtin_add_overflow(total, p->memory[i], &total);
    }
    for (inlay_id d = 0; blocks && d < app->blocks; d++) {
        fits &= !__builtin_add_overflow(total, app->block_size[d], &total);
        if (fits) {
            p->memory[p->home[d]] += app->block_size[d];
        }
    }
    return fits ? INLAY_OK : diag_fail(diag, INLAY_OVERFLOW, "the memory of all modules passes 2^63 bytes");
}

/* ---- Traffic ---- */

typedef void (*pair_sink)(problem *p, inlay_id a, inlay_id b, int64_t traffic);

static void count_pair(problem *p, inlay_id a, inlay_id b, int64_t traffic)
{
    (void)traffic;
    p->begin[a + 1]++;
    p->begin[b + 1]++;
}

/* Rows fill from begin[] on, which ends up one row ahead. */
static void put_pair(problem *p, inlay_id a, inlay_id b, int64_t traffic)
{
    p->neighbour[p->begin[a]] = b;
    p->traffic[p->begin[a]++] = traffic;
    p->neighbour[p->begin[b]] = a;
    p->traffic[p->begin[b]++] = traffic;
}

/* Every communicating pair, links first, then uses of blocks from another module than their home. */
static void each_pair(problem *p, pair_sink sink)
{
    const inlay_app *app = p->app;
    for (inlay_id i = 0; i < p->modules; i++) {
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            int64_t c = problem_link_traffic(p, l);
            if (c > 0) {
                sink(p, i, app->out_to[l], c);
            }
        }
    }
    for (inlay_id d = 0; d < app->blocks; d++) {
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1]; u++) {
            int64_t c = interconnect_traffic(&p->network, app->use_messages[u], app->use_bytes[u]);
            if (c > 0 && app->use_module[u] != p->home[d]) {
                sink(p, p->home[d], app->use_module[u], c);
            }
        }
    }
}

static void shift_rows_back(problem *p)
{
    memmove(p->begin + 1, p->begin, (size_t)p->modules * sizeof *p->begin);
    p->begin[0] = 0;
}

/* Transposing a symmetric matrix sorts every row; equal neighbours then meet and are added. */
static int sort_and_merge_rows(problem *p, inlay_diag *diag)
{
    size_t entries = (size_t)p->begin[p->modules];
    int64_t *next = memory_array((size_t)p->modules, sizeof *next);
    inlay_id *neighbour = memory_array(entries, sizeof *neighbour);
    int64_t *traffic = memory_array(entries, sizeof *traffic);
    if (next == NULL || neighbour == NULL || traffic == NULL) {
        free(next);
        free(neighbour);
        free(traffic);
        return diag_no_memory(diag);
    }
    memcpy(next, p->begin, (size_t)p->modules * sizeof *next);
    for (inlay_id i = 0; i < p->modules; i++) {
        for (int64_t e = p->begin[i]; e < p->begin[i + 1]; e++) {
            int64_t at = next[p->neighbour[e]]++;
            neighbour[at] = i;
            traffic[at] = p->traffic[e];
        }
    }
    int64_t kept = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        int64_t from = p->begin[i], to = p->begin[i + 1];
        p->begin[i] = kept;
        for (int64_t e = from; e < to; e++) {
            if (kept > p->begin[i] && p->neighbour[kept - 1] == neighbour[e]) {
                p->traffic[kept - 1] += traffic[e];
            } else {
                p->neighbour[kept] = neighbour[e];
                p->traffic[kept++] = traffic[e];
            }
        }
    }
    p->begin[p->modules] = kept;
    free(next);
    free(neighbour);
    free(traffic);
    return INLAY_OK;
}

/* Traffic as the machine counts it may be larger than the file's messages: its sum must stay inside 64 bits too. */
static int check_traffic_sum(const problem *p, inlay_diag *diag)
{
    int64_t total = 0;
    for (int64_t l = 0; l < p->app->links; l++) {
        if (__builtin_add_overflow(total, problem_link_traffic(p, l), &total)) {
            return diag_fail(diag, INLAY_OVERFLOW, "the traffic of all links passes 2^63");
        }
    }
    for (int64_t u = 0; u < p->app->use_begin[p->app->blocks]; u++) {
        int64_t c = interconnect_traffic(&p->network, p->app->use_messages[u], p->app->use_bytes[u]);
        if (__builtin_add_overflow(total, c, &total)) {
            return diag_fail(diag, INLAY_OVERFLOW, "the traffic of all uses passes 2^63");
        }
    }
    /* weighted with distance 2 it has to stay inside, too */
    return total > INT64_MAX / 2 && inlay_machine_has_distance(p->machine)
               ? diag_fail(diag, INLAY_OVERFLOW, "the traffic of all links and uses passes 2^62")
               : INLAY_OK;
}

static int fill_traffic(problem *p, inlay_diag *diag)
{
    int status = check_traffic_sum(p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    p->begin = memory_zeroed((size_t)p->modules + 1, sizeof *p->begin);
    if (p->begin == NULL) {
        return diag_no_memory(diag);
    }
    each_pair(p, count_pair);
    for (inlay_id i = 0; i < p->modules; i++) {
        p->begin[i + 1] += p->begin[i];
    }
    size_t entries = (size_t)p->begin[p->modules];
    p->neighbour = memory_array(entries, sizeof *p->neighbour);
    p->traffic = memory_array(entries, sizeof *p->traffic);
    if (p->neighbour == NULL || p->traffic == NULL) {
        return diag_no_memory(diag);
    }
    each_pair(p, put_pair);
    shift_rows_back(p);
    return sort_and_merge_rows(p, diag);
}

/* ---- The whole ---- */

int problem_make(const inlay_app *app, const inlay_machine *machine, const inlay_options *options, problem *result,
                 inlay_diag *diag)
{
    static const inlay_options defaults = {0};
    if (app == NULL || machine == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a mapping needs an application and a machine");
    }
    problem p = {.app = app, .machine = machine, .options = options == NULL ? defaults : *options};
    p.modules = app->modules;
    p.processors = p.options.processors > 0 ? p.options.processors : inlay_machine_processors(machine);
    int status = check_options(&p, diag);
    if (status == INLAY_OK) {
        network_unit unit = {inlay_app_unit(app), p.options.tick_seconds, inlay_app_name(app)};
        status = interconnect_make(machine, &unit, &p.network, diag);
    }
    if (status == INLAY_OK) {
        bool streamed = app->blocking != NULL && p.options.start != INLAY_START_FINISH;
        status = timing_make(app, inlay_machine_processor_type(machine), streamed, &p.timing, diag);
    }
    if (status == INLAY_OK) {
        status = find_homes(&p, diag);
    }
    if (status == INLAY_OK) {
        status = fill_work(&p, diag);
    }
    if (status == INLAY_OK) {
        status = fill_memory(&p, diag);
    }
    if (status == INLAY_OK) {
        status = fill_traffic(&p, diag);
    }
    if (status == INLAY_OK) {
        status = problem_find_slots(&p, diag);
    }
    if (status != INLAY_OK) {
        problem_clear(&p);
        return status;
    }
    *result = p;
    return INLAY_OK;
}
