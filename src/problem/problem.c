/* The mapping problem. */
#include "problem/problem.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "machine/machine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void problem_clear(problem *p)
{
    if (p->work != p->timing.m) {
        free(p->work);
    }
    timing_clear(&p->timing);
    interconnect_clear(&p->network);
    kinds_clear(&p->kinds);
    free(p->memory);
    free(p->home);
    free(p->begin);
    free(p->neighbour);
    free(p->traffic);
    free(p->first_slot);
    if (p->last_slot != p->first_slot) {
        free(p->last_slot);
    }
    free(p->conflict);
    *p = (problem){0};
}

bool problem_copies(const problem *p)
{
    return p->app->data > 0 && p->options.copies == INLAY_COPIES_ONCE;
}

int64_t problem_link_traffic(const problem *p, int64_t l)
{
    return interconnect_traffic(&p->network, p->app->out_messages[l], p->app->out_bytes[l]);
}

double problem_lag_on(const problem *p, inlay_id from, inlay_id to, inlay_id processor)
{
    if (!p->timing.streamed) {
        return problem_time_on(p, from, processor);
    }
    const processor_kind *k = kinds_of(&p->kinds, processor);
    inlay_time time = kind_time(p->app, k, from), wait = p->timing.b[to] - p->timing.b[from];
    wait = wait < 0 ? 0 : wait < time ? wait : time;
    return inlay_app_in_units(p->app, wait) / k->speed;
}

/* What is not processing (blocking, a block's time) takes the same where the module is slower: at the fastest speed. */
double problem_work_on_kind(const problem *p, inlay_id module, const processor_kind *k)
{
    double rest = inlay_app_in_units(p->app, p->work[module] - p->timing.m[module]);
    return inlay_app_in_units(p->app, kind_time(p->app, k, module)) / k->speed + rest / p->kinds.speed;
}

double problem_work_on(const problem *p, inlay_id module, inlay_id processor)
{
    return problem_work_on_kind(p, module, kinds_of(&p->kinds, processor));
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
    if (o->layout == INLAY_LAYOUT_SCOTCH && !inlay_machine_has_links(p->machine)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "Scotch lays out on machines with links; %s has none",
                         inlay_machine_text(p->machine));
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

/* A time on so many cores; false where the sum passes 2^63. */
static bool add_held(inlay_time *sum, inlay_time time, inlay_id cores)
{
    return !__builtin_mul_overflow(time, cores, &time) && !__builtin_add_overflow(*sum, time, sum);
}

static int fill_work(problem *p, inlay_diag *diag)
{
    const inlay_app *app = p->app;
    bool from_file = app->blocking != NULL;
    p->work_has_blocking =
        p->options.blocking == INLAY_BLOCKING_YES || (p->options.blocking == INLAY_BLOCKING_AUTO && from_file);
    p->blocking_derived = p->work_has_blocking && !from_file;
    bool more_than_m = p->work_has_blocking || app->blocks > 0;
    p->work = more_than_m ? memory_array((size_t)p->modules, sizeof *p->work) : p->timing.m;
    if (p->work == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        if (!add_held(&p->total_time, p->timing.m[i], problem_cores(p, i))) {
            return diag_fail(diag, INLAY_OVERFLOW, "the times of all modules, over all their cores, pass 2^63 grains");
        }
    }
    for (inlay_id i = 0; more_than_m && i < p->modules; i++) {
        inlay_time b = !p->work_has_blocking ? 0 : from_file ? app->blocking[i] : p->timing.b[i];
        p->work[i] = p->timing.m[i] + b;
    }
    for (inlay_id d = 0; d < app->blocks; d++) {
        p->work[p->home[d]] += app->block_time[d];
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        if (!add_held(&p->total_work, p->work[i], 1) ||
            !add_held(&p->total_work, p->timing.m[i], problem_cores(p, i) - 1)) {
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
    p->memory_limit = 0;
    for (int i = 0; i < p->kinds.count; i++) {
        int64_t size = p->kinds.kind[i].memory;
        p->memory_limit = size < 0 || p->memory_limit < 0 ? -1 : size > p->memory_limit ? size : p->memory_limit;
    }
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
static void put(problem *p, inlay_id a, inlay_id b, int64_t traffic)
{
    p->neighbour[p->begin[a]] = b;
    p->traffic[p->begin[a]++] = traffic;
}

static void put_second(problem *p, inlay_id a, inlay_id b, int64_t traffic)
{
    put(p, b, a, traffic);
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

/* Where the ascending run that begins at `from` ends. */
static int64_t end_of_run(const inlay_id *neighbour, int64_t from, int64_t end)
{
    while (from + 1 < end && neighbour[from] <= neighbour[from + 1]) {
        from++;
    }
    return from + 1;
}

/* Room for the longest row. */
typedef struct scratch {
    inlay_id *neighbour;
    int64_t *traffic;
} scratch;

/* Two ascending runs of a row, [from, middle) and [middle, end), become one. */
static void merge_runs(problem *p, int64_t from, int64_t middle, int64_t end, scratch *s)
{
    int64_t left = middle - from;
    memcpy(s->neighbour, p->neighbour + from, (size_t)left * sizeof *s->neighbour);
    memcpy(s->traffic, p->traffic + from, (size_t)left * sizeof *s->traffic);
    for (int64_t i = 0, j = middle, to = from; i < left; to++) {
        bool right = j < end && p->neighbour[j] < s->neighbour[i];
        p->neighbour[to] = right ? p->neighbour[j] : s->neighbour[i];
        p->traffic[to] = right ? p->traffic[j++] : s->traffic[i++];
    }
}

/* Most rows are ascending as they were put: those before a module, then those behind it. Others are a few runs. */
static void sort_row(problem *p, int64_t from, int64_t end, scratch *s)
{
    for (;;) {
        int64_t start = from;
        while (start < end) {
            int64_t middle = end_of_run(p->neighbour, start, end);
            if (middle == end) {
                break;
            }
            int64_t last = end_of_run(p->neighbour, middle, end);
            merge_runs(p, start, middle, last, s);
            start = last;
        }
        if (end_of_run(p->neighbour, from, end) >= end) {
            return;
        }
    }
}

/* Equal neighbours of a sorted row are added; rows close up behind `kept`. */
static int64_t merge_equal(problem *p, int64_t from, int64_t end, int64_t kept)
{
    int64_t start = kept;
    for (int64_t e = from; e < end; e++) {
        if (kept > start && p->neighbour[kept - 1] == p->neighbour[e]) {
            p->traffic[kept - 1] += p->traffic[e];
        } else {
            p->neighbour[kept] = p->neighbour[e];
            p->traffic[kept++] = p->traffic[e];
        }
    }
    return kept;
}

static int sort_and_merge_rows(problem *p, inlay_diag *diag)
{
    int64_t longest = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        int64_t length = p->begin[i + 1] - p->begin[i];
        longest = length > longest ? length : longest;
    }
    scratch s = {memory_array((size_t)longest, sizeof *s.neighbour), memory_array((size_t)longest, sizeof *s.traffic)};
    bool fine = s.neighbour != NULL && s.traffic != NULL;
    int64_t kept = 0, from = 0;
    for (inlay_id i = 0; fine && i < p->modules; i++) {
        int64_t end = p->begin[i + 1];
        sort_row(p, from, end, &s);
        p->begin[i] = kept;
        kept = merge_equal(p, from, end, kept);
        from = end;
    }
    p->begin[p->modules] = kept;
    free(s.neighbour);
    free(s.traffic);
    return fine ? INLAY_OK : diag_no_memory(diag);
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
    /* weighted with distance it has to stay inside, too */
    int bits = inlay_machine_has_links(p->machine) ? 16 : 1;
    return total > INT64_MAX >> bits && inlay_machine_has_distance(p->machine)
               ? diag_fail(diag, INLAY_OVERFLOW, "the traffic of all links and uses passes 2^%d", 63 - bits)
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
    /* sources come in rising order, and so do the targets of one source: two runs a row */
    each_pair(p, put_second);
    each_pair(p, put);
    memmove(p->begin + 1, p->begin, (size_t)p->modules * sizeof *p->begin);
    p->begin[0] = 0;
    return sort_and_merge_rows(p, diag);
}

/* ---- The whole ---- */

static int fill_timing(problem *p, bool streamed, inlay_diag *diag)
{
    inlay_time *best = kinds_best(p->app, &p->kinds);
    int status = best == NULL ? diag_no_memory(diag) : timing_make(p->app, best, streamed, &p->timing, diag);
    free(best);
    return status;
}

/* ---- Cores ---- */

/* Processors that share a memory are cores of one host; elsewhere the machine says. */
inlay_id problem_host(const problem *p, inlay_id processor)
{
    bool links = inlay_machine_has_links(p->machine);
    bool common = inlay_machine_memory_kind(p->machine) == INLAY_MEMORY_COMMON;
    return common && !links ? 0 : inlay_machine_host(p->machine, processor);
}

static bool forbids(const problem *p)
{
    for (int k = 0; k < p->kinds.count; k++) {
        for (inlay_id i = 0; p->kinds.kind[k].time != NULL && i < p->modules; i++) {
            if (!kind_runs(&p->kinds.kind[k], i)) {
                return true;
            }
        }
    }
    return false;
}

bool problem_has_seat(const problem *p, inlay_id module, inlay_id processor)
{
    inlay_id last = processor + problem_cores(p, module) - 1; /* processors of a host follow each other */
    return last < p->processors && (last == processor || problem_host(p, last) == problem_host(p, processor));
}

int problem_refuse_cores(const problem *p, const char *who, inlay_diag *diag)
{
    return p->cores == NULL
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT,
                           "%s takes no account of modules of several cores; expected --ignore-cores", who);
}

static inlay_id widest_host(const problem *p)
{
    inlay_id widest = 0, host = -1, cores = 0;
    for (inlay_id k = 0; k < inlay_machine_processors(p->machine); k++) { /* those of a host follow each other */
        cores = problem_host(p, k) == host ? cores + 1 : 1;
        host = problem_host(p, k);
        widest = cores > widest ? cores : widest;
    }
    return widest;
}

/* Whoever holds several cores needs a host that has as many. */
static int find_cores(problem *p, inlay_diag *diag)
{
    inlay_id several = 0, most = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id cores = inlay_app_cores(p->app, i);
        several += cores > 1;
        most = cores > inlay_app_cores(p->app, most) ? i : most;
    }
    if (several == 0) {
        return INLAY_OK;
    }
    inlay_id needed = inlay_app_cores(p->app, most);
    if (p->options.ignore_cores) {
        diag_warn(diag, "%d of %d modules ask for several cores, up to %d: each counts as holding one processor",
                  several, p->modules, needed);
        return INLAY_OK;
    }
    p->cores = p->app->cores;
    inlay_id widest = widest_host(p);
    if (needed <= widest) {
        return INLAY_OK;
    }
    diag_remedy(diag, "--ignore-cores", "%s", "");
    return diag_fail(diag, INLAY_NO_ANSWER, "module '%s' holds %d cores of one host at once; the largest of %s has %d",
                     inlay_app_module_name(p->app, most), needed, inlay_machine_text(p->machine), widest);
}

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
    machine_warn_of_speeds(machine, diag);
    if (status == INLAY_OK) {
        status = find_cores(&p, diag);
    }
    if (status == INLAY_OK) {
        network_unit unit = {inlay_app_unit(app), p.options.tick_seconds, inlay_app_name(app)};
        status = interconnect_make(machine, &unit, &p.network, diag);
    }
    if (status == INLAY_OK) {
        status = kinds_make(app, machine, &p.kinds, diag);
    }
    p.forbids = status == INLAY_OK && forbids(&p);
    if (status == INLAY_OK) {
        bool streamed = app->blocking != NULL && p.options.start != INLAY_START_FINISH;
        status = fill_timing(&p, streamed, diag);
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
