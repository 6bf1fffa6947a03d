/* Trees and fork-join graphs: what recursion and parallel loops look like. */
#include "graph/generate.h"

/* Modules that know nothing of their kernel: so much work in each, so many bytes on each link. */
#define WORK_RANGE                                                                                                     \
    {                                                                                                                  \
        1, 1000, INT32_MAX                                                                                             \
    }
#define BYTES_RANGE                                                                                                    \
    {                                                                                                                  \
        1, 1000, INT32_MAX                                                                                             \
    }

static const task_type node_types[] = {{"t", NULL}};

/* Nodes of a tree: 1 + degree + ... + degree^(levels - 1). */
static double nodes(const inlay_generator_options *o)
{
    if (o->sizes[INLAY_SIZE_DEGREE] == 1) {
        return (double)o->sizes[INLAY_SIZE_LEVELS];
    }
    double sum = 0;
    double level = 1;
    for (int64_t l = 0; l < o->sizes[INLAY_SIZE_LEVELS] && sum <= INT32_MAX; l++) {
        sum += level;
        level *= (double)o->sizes[INLAY_SIZE_DEGREE];
    }
    return sum;
}

static graph_counts count_tree(const inlay_generator_options *o)
{
    return (graph_counts){nodes(o), nodes(o) - 1};
}

/* Numbered level by level from the root: the children of node v are degree v + 1 .. degree v + degree. */
static void draw_out_tree(sketch *s, const inlay_generator_options *o)
{
    int64_t degree = o->sizes[INLAY_SIZE_DEGREE];
    for (inlay_id v = 0; v < s->module_room && !s->failed; v++) {
        sketch_module(s, 0, (double)o->sizes[INLAY_SIZE_WORK], (task_index){1, {v}});
        if (v > 0) {
            sketch_link(s, (inlay_id)((v - 1) / degree), o->sizes[INLAY_SIZE_BYTES]);
        }
    }
}

/* The same tree counted backwards, so that the root is last. */
static void draw_in_tree(sketch *s, const inlay_generator_options *o)
{
    int64_t degree = o->sizes[INLAY_SIZE_DEGREE];
    inlay_id last = s->module_room - 1;
    for (inlay_id v = 0; v <= last && !s->failed; v++) {
        sketch_module(s, 0, (double)o->sizes[INLAY_SIZE_WORK], (task_index){1, {v}});
        int64_t first_child = degree * (last - v) + 1;
        for (int64_t child = first_child + degree - 1; child >= first_child && first_child <= last; child--) {
            sketch_link(s, (inlay_id)(last - child), o->sizes[INLAY_SIZE_BYTES]);
        }
    }
}

const generator out_tree_generator = {
    .offer = {.name = "out-tree",
              .summary = "a tree from its root to its leaves; degree 1 is a chain, two levels are a star",
              .modules = "1 + degree + ... + degree^(levels - 1)",
              .links = "modules - 1",
              .sizes = {[INLAY_SIZE_LEVELS] = {1, 5, INT32_MAX},
                        [INLAY_SIZE_DEGREE] = {1, 2, INT32_MAX},
                        [INLAY_SIZE_WORK] = WORK_RANGE,
                        [INLAY_SIZE_BYTES] = BYTES_RANGE},
              .density = -1},
    .types = node_types,
    .type_count = 1,
    .count = count_tree,
    .draw = draw_out_tree,
};

const generator in_tree_generator = {
    .offer = {.name = "in-tree",
              .summary = "a tree from its leaves to its root, as in a reduction",
              .modules = "1 + degree + ... + degree^(levels - 1)",
              .links = "modules - 1",
              .sizes = {[INLAY_SIZE_LEVELS] = {1, 5, INT32_MAX},
                        [INLAY_SIZE_DEGREE] = {1, 2, INT32_MAX},
                        [INLAY_SIZE_WORK] = WORK_RANGE,
                        [INLAY_SIZE_BYTES] = BYTES_RANGE},
              .density = -1},
    .types = node_types,
    .type_count = 1,
    .count = count_tree,
    .draw = draw_in_tree,
};

/* ---- Fork-join ---- */

enum { HUB, BRANCH };
static const task_type fork_join_types[] = {{"hub_", "hub"}, {"branch_", "branch"}};

static graph_counts count_fork_join(const inlay_generator_options *o)
{
    double steps = (double)o->sizes[INLAY_SIZE_STEPS];
    double width = (double)o->sizes[INLAY_SIZE_WIDTH];
    return (graph_counts){steps * (width + 1) + 1, 2 * steps * width};
}

/* Hub, branches, hub, branches, ..., hub. */
static void draw_fork_join(sketch *s, const inlay_generator_options *o)
{
    int64_t width = o->sizes[INLAY_SIZE_WIDTH];
    int64_t bytes = o->sizes[INLAY_SIZE_BYTES];
    double work = (double)o->sizes[INLAY_SIZE_WORK];
    inlay_id hub = sketch_module(s, HUB, work, (task_index){1, {0}});
    for (int64_t step = 0; step < o->sizes[INLAY_SIZE_STEPS] && !s->failed; step++) {
        for (int64_t i = 0; i < width; i++) {
            sketch_module(s, BRANCH, work, (task_index){2, {step, i}});
            sketch_link(s, hub, bytes);
        }
        inlay_id join = sketch_module(s, HUB, work, (task_index){1, {step + 1}});
        for (int64_t i = 0; i < width; i++) {
            sketch_link(s, hub + 1 + (inlay_id)i, bytes);
        }
        hub = join;
    }
}

const generator fork_join_generator = {
    .offer = {.name = "fork-join",
              .summary = "steps of parallel branches between hubs",
              .modules = "steps (width + 1) + 1",
              .links = "2 steps width",
              .sizes = {[INLAY_SIZE_STEPS] = {1, 1, INT32_MAX},
                        [INLAY_SIZE_WIDTH] = {1, 8, INT32_MAX},
                        [INLAY_SIZE_WORK] = WORK_RANGE,
                        [INLAY_SIZE_BYTES] = BYTES_RANGE},
              .density = -1},
    .types = fork_join_types,
    .type_count = sizeof fork_join_types / sizeof *fork_join_types,
    .count = count_fork_join,
    .draw = draw_fork_join,
};
