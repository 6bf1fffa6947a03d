/* A mapping as the checker's simulator wants it, and what it draws: the engine's random numbers, in its own order. */
#include "slow_run.h"

#include "simulate/random.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>

/** One that has asked for a link. */
typedef struct asking {
    inlay_id link;
    double asked, begin;
} asking;

typedef struct watcher {
    slow_run *run;
    const inlay_simulation_options *options;
    random_streams random;
    asking *asking;
    size_t askings;
} watcher;

static double draw_factor(void *own)
{
    watcher *w = own;
    const inlay_spread *spread = &w->options->transfer_time;
    return spread_is_random(spread) ? spread_draw(spread, &w->random, STREAM_TRANSFERS) : 1;
}

static inlay_id draw_memory(void *own, inlay_id memories)
{
    return random_id(&((watcher *)own)->random, STREAM_MEMORIES, memories);
}

static void note_module(void *own, inlay_id module, double start, double end)
{
    slow_run *run = ((watcher *)own)->run;
    run->start[module] = start;
    run->end[module] = end;
}

static void note_item(void *own, const check_sent *item)
{
    slow_run *run = ((watcher *)own)->run;
    ck_assert_int_lt(item->number, SLOW_RUN_ITEMS);
    run->item[item->number] = *item;
    run->items++;
}

/* Those who asked before and are served later than now wait, and who asks now. */
static void note_passage(void *own, inlay_id link, double asked, double begin, double end)
{
    watcher *w = own;
    slow_link *l = &w->run->link[link];
    ck_assert_int_lt(link, SLOW_RUN_LINKS);
    int64_t waiting = begin > asked;
    for (size_t i = 0; i < w->askings; i++)
        waiting += w->asking[i].link == link && w->asking[i].begin > asked;
    w->asking = realloc(w->asking, (w->askings + 1) * sizeof *w->asking);
    w->asking[w->askings++] = (asking){link, asked, begin};
    l->busy += end - begin;
    l->waited += begin - asked;
    l->requests++;
    if (begin > asked && waiting > l->largest) l->largest = waiting;
}

static check_program program_of(const inlay_mapping *mapping, const inlay_simulation_options *options)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    const inlay_app *app = inlay_mapping_app(mapping);
    inlay_id modules = inlay_app_modules(app), blocks = inlay_app_blocks(app), listed = 0;
    inlay_id *processor = calloc((size_t)sum->clusters, sizeof *processor),
             *home = calloc((size_t)blocks + 1, sizeof *home);
    inlay_id *begin = calloc((size_t)sum->clusters + 1, sizeof *begin),
             *memory = calloc((size_t)blocks + 1, sizeof *memory);
    inlay_id *rank_of = calloc((size_t)modules, sizeof *rank_of), *module = NULL;
    for (inlay_id c = 0; c < sum->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        module = realloc(module, ((size_t)listed + (size_t)info.modules) * sizeof *module);
        for (inlay_id k = 0; k < info.modules; k++)
            module[listed++] = info.module[k];
        processor[c] = info.processor;
        begin[c + 1] = listed;
    }
    for (inlay_id i = 0; i < modules; i++)
        rank_of[i] = inlay_mapping_cluster_of(mapping, i);
    for (inlay_id d = 0; d < blocks; d++) {
        home[d] = inlay_mapping_home(mapping, d);
        memory[d] = inlay_mapping_memory_of(mapping, d);
    }
    return (check_program){.app = app,
                           .machine = inlay_mapping_machine(mapping),
                           .tick_seconds = sum->options.tick_seconds,
                           .processors = sum->clusters,
                           .processor = processor,
                           .begin = begin,
                           .module = module,
                           .rank_of = rank_of,
                           .home = home,
                           .memory = memory,
                           .streamed = sum->streamed,
                           .copies_each = sum->options.copies == INLAY_COPIES_EACH,
                           .no_overlap = options->no_overlap,
                           .contention = options->contention};
}

static void clear_program(check_program *p)
{
    free((void *)p->processor);
    free((void *)p->begin);
    free((void *)p->module);
    free((void *)p->rank_of);
    free((void *)p->home);
    free((void *)p->memory);
}

static void simulate(const inlay_mapping *mapping, const inlay_simulation_options *options, bool screen, slow_run *run)
{
    watcher w = {.run = run, .options = options};
    check_program program = program_of(mapping, options);
    const check_watch watch = {&w, draw_factor, draw_memory, note_module, note_item, note_passage};
    program.screen = screen;
    *run = (slow_run){0};
    ck_assert_int_le(inlay_app_modules(program.app), SLOW_RUN_MODULES);
    ck_assert(random_make(&w.random));
    random_seed(&w.random, options->seed, 0);
    ck_assert_int_eq(check_simulate(&program, &watch, &run->elapsed), INLAY_OK);
    random_clear(&w.random);
    free(w.asking);
    clear_program(&program);
}

void slow_simulate(const inlay_mapping *mapping, const inlay_simulation_options *options, slow_run *run)
{
    simulate(mapping, options, false, run);
}

void slow_screen(const inlay_mapping *mapping, inlay_contention contention, slow_run *run)
{
    simulate(mapping, &(inlay_simulation_options){.contention = contention}, true, run);
}

void expect_like_slow(const inlay_simulation *fast, const slow_run *slow)
{
    size_t count;
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(fast));
    const inlay_simulated_message *m = inlay_simulation_messages(fast, &count);
    double grain = pow(10, inlay_app_decimals(app));
    ck_assert_double_eq(inlay_simulation_result(fast)->makespan, slow->elapsed);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        ck_assert_double_eq(inlay_simulation_start(fast, i), slow->start[i] / grain);
        ck_assert_double_eq(inlay_simulation_end(fast, i), slow->end[i] / grain);
    }
    ck_assert_uint_eq(count, (size_t)slow->items);
    for (size_t i = 0; i < count; i++) {
        const check_sent *like = &slow->item[i];
        ck_assert(m[i].link == like->link && m[i].datum == like->datum);
        ck_assert_double_eq(m[i].due, like->due / grain);
        ck_assert_double_eq(m[i].request, like->request / grain);
        ck_assert_double_eq(m[i].begin, like->begin / grain);
        ck_assert_double_eq(m[i].sent, like->sent / grain);
        ck_assert_double_eq(m[i].arrival, like->arrival / grain);
    }
}
