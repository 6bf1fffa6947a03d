/* Random graphs: series-parallel, layered, and with links anywhere. */
#include "base/memory.h"
#include "graph/generate.h"

#define WORK_RANGE                                                                                                     \
    {                                                                                                                  \
        1, 1000, INT32_MAX                                                                                             \
    }
#define BYTES_RANGE                                                                                                    \
    {                                                                                                                  \
        1, 1000, INT32_MAX                                                                                             \
    }

static const task_type types[] = {{"t", NULL}};

static void add_module(sketch *s, const inlay_generator_options *o)
{
    sketch_module(s, 0, (double)o->sizes[INLAY_SIZE_WORK], (task_index){1, {s->modules}});
}

/* ---- Erdos-Renyi: every pair i < j is linked with the same probability ---- */

static graph_counts count_erdos_renyi(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_MODULES];
    return (graph_counts){n, o->density * n * (n - 1) / 2};
}

static void draw_erdos_renyi(sketch *s, const inlay_generator_options *o)
{
    miss_powers miss = draw_powers(o->density);
    for (int64_t j = 0; j < o->sizes[INLAY_SIZE_MODULES] && !s->failed; j++) {
        add_module(s, o);
        for (int64_t i = draw_misses(s->stream, &miss); i < j; i += 1 + draw_misses(s->stream, &miss)) {
            sketch_link(s, (inlay_id)i, o->sizes[INLAY_SIZE_BYTES]);
        }
    }
}

const generator erdos_renyi_generator = {
    .offer = {.name = "erdos-renyi",
              .summary = "every pair of modules is linked with probability density; density 0 are independent modules",
              .modules = "modules",
              .links = "density modules (modules - 1) / 2",
              .sizes = {[INLAY_SIZE_MODULES] = {1, 100, INT32_MAX},
                        [INLAY_SIZE_WORK] = WORK_RANGE,
                        [INLAY_SIZE_BYTES] = BYTES_RANGE},
              .density = 0.05,
              .drawn = true},
    .types = types,
    .type_count = 1,
    .count = count_erdos_renyi,
    .draw = draw_erdos_renyi,
};

/* ---- Layered: every module has one input, and others, from the layer before ---- */

static const char *layered_expects(const inlay_generator_options *o)
{
    return o->sizes[INLAY_SIZE_DEGREE] <= o->sizes[INLAY_SIZE_WIDTH] ? NULL : "a degree up to the width";
}

static graph_counts count_layered(const inlay_generator_options *o)
{
    double width = (double)o->sizes[INLAY_SIZE_WIDTH];
    double levels = (double)o->sizes[INLAY_SIZE_LEVELS];
    return (graph_counts){levels * width, (levels - 1) * width * (double)o->sizes[INLAY_SIZE_DEGREE]};
}

/* One input is drawn; each of the others of the layer that begins with `layer` comes with the probability of a hit. */
static void draw_inputs(sketch *s, inlay_id layer, int64_t width, const miss_powers *miss, int64_t bytes)
{
    int64_t sure = draw_below(s->stream, width);
    bool linked = false;
    for (int64_t i = draw_misses(s->stream, miss); i < width - 1; i += 1 + draw_misses(s->stream, miss)) {
        if (i >= sure && !linked) {
            sketch_link(s, layer + (inlay_id)sure, bytes);
            linked = true;
        }
        sketch_link(s, layer + (inlay_id)(i + (i >= sure)), bytes);
    }
    if (!linked) {
        sketch_link(s, layer + (inlay_id)sure, bytes);
    }
}

static void draw_layered(sketch *s, const inlay_generator_options *o)
{
    int64_t width = o->sizes[INLAY_SIZE_WIDTH];
    double others = width > 1 ? (double)(width - 1) : 1;
    miss_powers miss = draw_powers((double)(o->sizes[INLAY_SIZE_DEGREE] - 1) / others);
    for (int64_t level = 0; level < o->sizes[INLAY_SIZE_LEVELS] && !s->failed; level++) {
        inlay_id before = s->modules - (inlay_id)width;
        for (int64_t i = 0; i < width; i++) {
            add_module(s, o);
            if (level > 0) {
                draw_inputs(s, before, width, &miss, o->sizes[INLAY_SIZE_BYTES]);
            }
        }
    }
}

const generator layered_generator = {
    .offer = {.name = "layered",
              .summary = "layers of width modules, each with degree inputs on average from the layer before",
              .modules = "levels width",
              .links = "(levels - 1) width degree",
              .sizes = {[INLAY_SIZE_LEVELS] = {1, 10, INT32_MAX},
                        [INLAY_SIZE_WIDTH] = {1, 10, INT32_MAX},
                        [INLAY_SIZE_DEGREE] = {1, 2, INT32_MAX},
                        [INLAY_SIZE_WORK] = WORK_RANGE,
                        [INLAY_SIZE_BYTES] = BYTES_RANGE},
              .density = -1,
              .drawn = true},
    .types = types,
    .type_count = 1,
    .expects = layered_expects,
    .count = count_layered,
    .draw = draw_layered,
};

/* ---- Series-parallel: a link grows into two in a row, or gets a second way beside it ---- */

static graph_counts count_series_parallel(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_MODULES];
    return (graph_counts){n, 1 + (n - 2) * (1 + o->density)};
}

typedef struct ends {
    inlay_id from, to;
} ends;

/* A graph that grows between module 0, its source, and module 1, its sink. */
typedef struct growth {
    memory_pool arrays; /**< owns them */
    inlay_id modules;
    inlay_id *behind; /* a topological order as a list: the module behind each one, -1 behind the last */
    inlay_id *number; /* place in that order */
    size_t links;
    ends *link;
    ends *sorted; /* by target, then by origin; numbers are places */
    size_t *begin;
} growth;

static bool growth_open(growth *g, inlay_id modules)
{
    size_t n = (size_t)modules;
    *g = (growth){.modules = modules};
    g->behind = pool_array(&g->arrays, n, sizeof *g->behind);
    g->number = pool_array(&g->arrays, n, sizeof *g->number);
    g->link = pool_array(&g->arrays, 2 * n, sizeof *g->link);
    g->sorted = pool_array(&g->arrays, 2 * n, sizeof *g->sorted);
    g->begin = pool_array(&g->arrays, n + 1, sizeof *g->begin);
    return g->behind && g->number && g->link && g->sorted && g->begin;
}

/* One module more, on a link that is drawn or on a way beside it. */
static void grow(growth *g, inlay_id module, const gsl_rng *stream, double density)
{
    ends *link = &g->link[draw_below(stream, (int64_t)g->links)];
    bool beside = draw_unit(stream) < density;
    inlay_id from = link->from;
    g->link[g->links++] = (ends){module, link->to};
    if (beside) {
        g->link[g->links++] = (ends){from, module};
    } else {
        link->to = module;
    }
    g->behind[module] = g->behind[from];
    g->behind[from] = module;
}

static void number_modules(growth *g)
{
    inlay_id place = 0;
    for (inlay_id v = 0; v >= 0; v = g->behind[v]) {
        g->number[v] = place++;
    }
    for (size_t l = 0; l < g->links; l++) {
        g->link[l] = (ends){g->number[g->link[l].from], g->number[g->link[l].to]};
    }
}

/* A stable counting pass from one array into the other, by origin or by target. */
static void sort_pass(growth *g, const ends *links, ends *sorted, bool by_target)
{
    for (inlay_id i = 0; i <= g->modules; i++) {
        g->begin[i] = 0;
    }
    for (size_t l = 0; l < g->links; l++) {
        g->begin[(by_target ? links[l].to : links[l].from) + 1]++;
    }
    for (inlay_id i = 0; i < g->modules; i++) {
        g->begin[i + 1] += g->begin[i];
    }
    for (size_t l = 0; l < g->links; l++) {
        sorted[g->begin[by_target ? links[l].to : links[l].from]++] = links[l];
    }
}

static void draw_series_parallel(sketch *s, const inlay_generator_options *o)
{
    growth g;
    if (!growth_open(&g, s->module_room)) {
        pool_clear(&g.arrays);
        s->failed = true;
        return;
    }
    g.link[g.links++] = (ends){0, 1};
    g.behind[0] = 1;
    g.behind[1] = -1;
    for (inlay_id module = 2; module < g.modules; module++) {
        grow(&g, module, s->stream, o->density);
    }
    number_modules(&g);
    sort_pass(&g, g.link, g.sorted, false);
    sort_pass(&g, g.sorted, g.link, true);
    size_t l = 0;
    for (inlay_id module = 0; module < g.modules && !s->failed; module++) {
        add_module(s, o);
        for (; l < g.links && g.link[l].to == module; l++) {
            sketch_link(s, g.link[l].from, o->sizes[INLAY_SIZE_BYTES]);
        }
    }
    pool_clear(&g.arrays);
}

const generator series_parallel_generator = {
    .offer = {.name = "series-parallel",
              .summary =
                  "grown from one link: a link that is drawn becomes two in a row, or with probability density gets "
                  "a second way beside it",
              .modules = "modules",
              .links = "1 + (modules - 2) (1 + density)",
              .sizes = {[INLAY_SIZE_MODULES] = {2, 100, INT32_MAX},
                        [INLAY_SIZE_WORK] = WORK_RANGE,
                        [INLAY_SIZE_BYTES] = BYTES_RANGE},
              .density = 0.5,
              .drawn = true},
    .types = types,
    .type_count = 1,
    .count = count_series_parallel,
    .draw = draw_series_parallel,
};
