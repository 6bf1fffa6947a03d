/*
 * Simulated times, by the checker's own simulator. What goes to a common memory that nobody names is drawn as
 * docs/simulation.md has it: it is the seed's.
 */
#include "check/check.h"
#include "base/diag.h"
#include "check/simulator.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memories at random ---- */

/* The finaliser of SplitMix64. */
static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Stream 2 of the first replication. */
static void set_seed(gsl_rng *generator, uint64_t seed)
{
    enum { MEMORIES = 2 };
    gsl_rng_set(generator, (unsigned long)(mix(mix(mix(seed)) ^ MEMORIES) & 0xffffffff) | 1);
}

static inlay_id draw_memory(void *own, inlay_id memories)
{
    return (inlay_id)gsl_rng_uniform_int(own, (unsigned long)memories);
}

/* ---- One run ---- */

/* Modules, and transfers or, over links, links that messages pass. Of screens items, or links that cost little each. */
static int64_t steps_of(const check *k, bool screen)
{
    bool links = inlay_machine_has_links(k->machine);
    double each = ceil(inlay_machine_transfers(k->machine));
    if (links) each = k->traffic > 0 ? (double)k->weighted / (double)k->traffic : 0;
    double steps = k->modules + (double)k->messages * fmax(each, 1) * (screen ? 0.05 : 1);
    if (screen && !links) steps = k->modules + (double)inlay_app_links(k->app);
    return steps < 1e18 ? (int64_t)steps : INT64_MAX;
}

static bool is_too_large(check *k, bool screen)
{
    static const int64_t most = 5000000; /* some seconds */
    int64_t steps = steps_of(k, screen);
    if (k->not_simulated || steps <= most) return k->not_simulated;
    k->not_simulated = true;
    diag_warn(k->diag,
              "%s: simulated times are not recomputed: that would take about %" PRId64 " steps, and up to %" PRId64
              " are made",
              k->path, steps, most);
    return true;
}

/* `processor` and `begin` have room for all clusters and one more. */
static int simulate(check *k, bool screen, inlay_id *processor, inlay_id *begin, gsl_rng *generator, double *elapsed)
{
    for (inlay_id c = 0; c < k->clusters; c++) {
        processor[c] = k->cluster[c].processor;
        begin[c + 1] = k->cluster[c].end;
    }
    const check_program program = {.app = k->app,
                                   .machine = k->machine,
                                   .tick_seconds = k->tick_seconds,
                                   .processors = k->clusters,
                                   .processor = processor,
                                   .begin = begin,
                                   .module = k->listed,
                                   .rank_of = k->cluster_of,
                                   .home = k->home,
                                   .memory = k->memory_of,
                                   .streamed = k->streamed,
                                   .copies_each = k->copies_each,
                                   .screen = screen};
    const check_watch watch = {.own = generator, .memory = draw_memory};
    set_seed(generator, screen ? 0 : (uint64_t)json_integer_value(json_object_get(k->root, "seed")));
    return check_simulate(&program, &watch, elapsed);
}

int check_elapsed(check *k, bool screen, double *elapsed)
{
    size_t n = (size_t)k->clusters + 1;
    *elapsed = NAN;
    if (is_too_large(k, screen)) return INLAY_OK;
    inlay_id *processor = calloc(n, sizeof *processor), *begin = calloc(n, sizeof *begin);
    gsl_rng generator = {gsl_rng_mt19937,
                         malloc(gsl_rng_mt19937->size)}; /* by hand: gsl_rng_alloc() ends the program */
    int status = processor && begin && generator.state ? simulate(k, screen, processor, begin, &generator, elapsed)
                                                       : INLAY_NO_MEMORY;
    if (status != INLAY_OK) *elapsed = NAN;
    free(processor);
    free(begin);
    free(generator.state);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

/* ---- Comparing ---- */

static bool is_screen(check *k)
{
    const json_t *is = check_field(k, NULL, k->root, "elapsed_is", CHECK_STRING);
    const char *word = is ? json_string_value(is) : "screen";
    bool screen = strcmp(word, "screen") == 0;
    if (!screen && strcmp(word, "simulated") != 0)
        check_find(k, "elapsed_is '%.100s' is neither simulated nor screen", word);
    return screen;
}

int check_simulated(check *k, const char *where, const json_t *object, const char *name)
{
    double elapsed;
    if (!check_field(k, where, object, name, CHECK_NUMBER)) return INLAY_OK;
    bool screen = is_screen(k);
    if (screen && object != k->root) { /* what that one is, is not said */
        check_believed(k, 1);
        return INLAY_OK;
    }
    int status = check_elapsed(k, screen, &elapsed);
    if (status == INLAY_OK && !k->not_simulated) check_number(k, where, object, name, elapsed);
    return status;
}

int check_screen(check *k)
{
    double screen = k->elapsed;
    int status = is_screen(k) ? INLAY_OK : check_elapsed(k, true, &screen);
    if (status == INLAY_OK && !k->not_simulated)
        check_number(k, "makespan", json_object_get(k->root, "makespan"), "screen", screen);
    return status;
}
