/* Graphs with data blocks in plain tables, and what holds of every mapping of them. */
#include "slow_blocks.h"
#include "map_by_houstis.h"

#include "random_app.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { MODULES = BLOCK_MODULES, BLOCKS = BLOCK_BLOCKS, MEMORIES = 16 };

/* ---- Graphs ---- */

inlay_app *block_app(const block_graph *g)
{
    inlay_app_builder *builder = inlay_app_builder_new("blocks", INLAY_UNIT_TICK);
    inlay_app *app = NULL;
    char name[16];
    for (int i = 0; i < g->modules; i++) {
        snprintf(name, sizeof name, "m%d", i);
        inlay_module module = {.name = name,
                               .time = {{g->time[i], 0}, INLAY_UNIT_NONE},
                               .memory = g->memory[i],
                               .pinned = g->pin[i] >= 0,
                               .pin = g->pin[i]};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (int i = 0; i < g->modules; i++)
        for (int j = 0; j < g->modules; j++)
            if (g->link[i][j] > 0)
                ck_assert_int_eq(inlay_app_add_link(builder, i, j, g->link[i][j], 0, 0, NULL), INLAY_OK);
    for (int d = 0; d < g->blocks; d++) {
        snprintf(name, sizeof name, "d%d", d);
        inlay_duration time = {{g->block_time[d], 0}, INLAY_UNIT_NONE};
        ck_assert_int_eq(inlay_app_add_block(builder, name, g->size[d], time, NULL), INLAY_OK);
        for (int i = 0; i < g->modules; i++)
            if (g->use[d][i] > 0) ck_assert_int_eq(inlay_app_add_use(builder, d, i, g->use[d][i], 0, NULL), INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

void random_uses(uint64_t *state, block_graph *g)
{
    for (int d = 0; d < g->blocks; d++) {
        int first = (int)random_below(state, g->modules);
        for (int i = 0; i < g->modules; i++)
            if (i == first || random_once_in(state, 4)) g->use[d][i] = 1 + (int)random_below(state, 4);
    }
}

block_graph random_block_graph(uint64_t *state)
{
    block_graph g = {.modules = 1 + (int)random_below(state, MODULES), .blocks = 1 + (int)random_below(state, BLOCKS)};
    bool pins = random_once_in(state, 5);
    for (int i = 0; i < g.modules; i++) {
        g.time[i] = 1 + random_below(state, 20);
        g.memory[i] = random_below(state, 4) * 100;
        g.pin[i] = pins && random_once_in(state, 4) ? (int)random_below(state, 4) : -1;
        for (int j = i + 1; j < g.modules; j++)
            if (random_once_in(state, 3)) g.link[i][j] = 1 + (int)random_below(state, 5);
    }
    for (int d = 0; d < g.blocks; d++) {
        g.size[d] = random_once_in(state, 6) ? 0 : 50 + random_below(state, 12) * 50;
        g.block_time[d] = random_below(state, 4);
    }
    random_uses(state, &g);
    return g;
}

/* The module that uses a block most: most messages, then the smaller number. */
int heaviest_user(const block_graph *g, int block)
{
    int best = -1;
    for (int i = 0; i < g->modules; i++)
        if (g->use[block][i] > 0 && (best < 0 || g->use[block][i] > g->use[block][best])) best = i;
    return best;
}

/* ---- Packings ---- */

/* Whether blocks `at` and on fit into what room is left, each way tried. */
static bool packs(const block_graph *g, int at, int memories, int64_t *room)
{
    if (at == g->blocks) return true;
    for (int m = 0; m < memories; m++) {
        if (room[m] < g->size[at]) continue;
        room[m] -= g->size[at];
        bool rest = packs(g, at + 1, memories, room);
        room[m] += g->size[at];
        if (rest) return true;
    }
    return false;
}

bool packing_exists(const block_graph *g, int memories, int64_t limit)
{
    int64_t room[MEMORIES];
    for (int m = 0; m < memories; m++)
        room[m] = limit;
    return packs(g, 0, memories, room);
}

/* ---- Asking ---- */

void block_ask(block_question *q, const char *string, uint64_t seed)
{
    snprintf(q->what, sizeof q->what, "seed %llu on %s", (unsigned long long)seed, string);
    q->app = block_app(&q->g);
    q->mapping = NULL;
    q->machine = NULL;
    q->diag = inlay_diag_new();
    ck_assert_msg(inlay_machine_parse(string, &q->machine, NULL) == INLAY_OK, "%s", string);
    int status = map_by_houstis(q->app, q->machine, NULL, &q->mapping, q->diag);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "%s: %s", q->what, inlay_diag_message(q->diag));
    ck_assert_int_eq(status == INLAY_OK, q->mapping != NULL);
}

void block_clear(block_question *q)
{
    inlay_mapping_free(q->mapping);
    inlay_machine_free(q->machine);
    inlay_app_free(q->app);
    inlay_diag_free(q->diag);
}

/* ---- What holds of every mapping ---- */

/* The work of every cluster: the times of its modules, and once that of each block that lives there; T bounds it. */
static void check_work(const block_question *q)
{
    const inlay_summary *summary = inlay_mapping_summary(q->mapping);
    bool bound = summary->time_frame_given || summary->reduced_from < 0;
    int64_t total = 0;
    int listed = 0;
    for (int c = 0; c < summary->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(q->mapping, c);
        int64_t work = 0;
        int64_t busy = 0;
        for (inlay_id at = 0; at < info.modules; at++)
            busy += q->g.time[info.module[at]];
        for (inlay_id at = 0; at < info.blocks; at++) {
            ck_assert_int_eq(inlay_mapping_home(q->mapping, info.block[at]), c);
            ck_assert(at == 0 || info.block[at - 1] < info.block[at]);
            work += q->g.block_time[info.block[at]];
        }
        ck_assert_msg(info.work == (double)(busy + work) && info.busy == (double)busy, "%s: work %g, busy %g", q->what,
                      info.work, info.busy);
        ck_assert_msg(!bound || info.work <= summary->time_frame, "%s: work %g passes T, %g", q->what, info.work,
                      summary->time_frame);
        total += busy + work;
        listed += info.blocks;
    }
    for (int i = 0; i < q->g.modules; i++)
        total -= q->g.time[i];
    for (int d = 0; d < q->g.blocks; d++)
        total -= q->g.block_time[d];
    ck_assert_int_eq(total, 0);
    ck_assert_int_eq(listed, q->g.blocks);
}

/* Messages between a block and modules elsewhere, if the block lived with cluster `home`. */
static int64_t messages_away(const block_question *q, int block, inlay_id home)
{
    int64_t sum = 0;
    for (int i = 0; i < q->g.modules; i++)
        sum += inlay_mapping_cluster_of(q->mapping, i) != home ? q->g.use[block][i] : 0;
    return sum;
}

/* Uses are traffic exactly where the user is elsewhere; a block moves from its heaviest user only for less of it. */
static void check_uses(const block_question *q)
{
    int64_t traffic = 0;
    for (int i = 0; i < q->g.modules; i++)
        for (int j = 0; j < q->g.modules; j++)
            if (inlay_mapping_cluster_of(q->mapping, i) != inlay_mapping_cluster_of(q->mapping, j))
                traffic += q->g.link[i][j];
    for (int d = 0; d < q->g.blocks; d++) {
        inlay_id home = inlay_mapping_home(q->mapping, d);
        inlay_id first = inlay_mapping_cluster_of(q->mapping, heaviest_user(&q->g, d));
        int64_t away = messages_away(q, d, home);
        traffic += away;
        ck_assert_msg(home == first || away < messages_away(q, d, first), "%s: block d%d moved for nothing", q->what,
                      d);
    }
    ck_assert_msg(inlay_mapping_summary(q->mapping)->traffic == traffic, "%s: traffic %lld, said to be %lld", q->what,
                  (long long)traffic, (long long)inlay_mapping_summary(q->mapping)->traffic);
    ck_assert_int_eq(inlay_mapping_summary(q->mapping)->messages, traffic);
}

static void check_processor_memory(const block_question *q)
{
    bool distributed = inlay_machine_memory_kind(q->machine) == INLAY_MEMORY_DISTRIBUTED;
    int64_t limit = inlay_machine_processor_memory(q->machine);
    for (int c = 0; c < inlay_mapping_summary(q->mapping)->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(q->mapping, c);
        int64_t used = 0;
        for (int i = 0; i < q->g.modules; i++)
            used += inlay_mapping_cluster_of(q->mapping, i) == c ? q->g.memory[i] : 0;
        for (int d = 0; d < q->g.blocks && distributed; d++)
            used += inlay_mapping_home(q->mapping, d) == c ? q->g.size[d] : 0;
        ck_assert_msg(limit < 0 || used <= limit, "%s: processor %d holds %lld bytes", q->what, (int)info.processor,
                      (long long)used);
        ck_assert_int_eq(info.memory, used);
    }
}

static int preferred_memory(const block_question *q, int block)
{
    inlay_id home = inlay_mapping_home(q->mapping, block);
    return inlay_mapping_cluster(q->mapping, home).processor % inlay_machine_memories(q->machine);
}

/* No memory over its limit; and a block stands away from the memory that it prefers only where it does not fit there. */
static void check_common_memories(const block_question *q)
{
    inlay_id memories = inlay_machine_memories(q->machine);
    int64_t limit = inlay_machine_common_memory(q->machine);
    int64_t used[MEMORIES] = {0};
    int64_t total = 0;
    for (int d = 0; d < q->g.blocks; d++) {
        inlay_id memory = inlay_mapping_memory_of(q->mapping, d);
        ck_assert(memories == 0 ? memory == -1 : memory >= 0 && memory < memories);
        if (memories > 0) used[memory] += q->g.size[d];
        total += q->g.size[d];
    }
    ck_assert_int_eq(inlay_mapping_summary(q->mapping)->common_blocks, memories > 0 ? q->g.blocks : 0);
    ck_assert_int_eq(inlay_mapping_summary(q->mapping)->common_memory, memories > 0 ? total : 0);
    for (int m = 0; m < memories; m++)
        ck_assert_msg(limit < 0 || used[m] <= limit, "%s: memory %d holds %lld bytes", q->what, m, (long long)used[m]);
    for (int d = 0; d < q->g.blocks && memories > 0; d++) {
        int wanted = preferred_memory(q, d);
        ck_assert_msg(inlay_mapping_memory_of(q->mapping, d) == wanted ||
                          (limit >= 0 && used[wanted] > limit - q->g.size[d]),
                      "%s: block d%d stands in memory %d, and would fit into %d", q->what, d,
                      (int)inlay_mapping_memory_of(q->mapping, d), wanted);
    }
}

/* Where all blocks fit into the memories that they prefer, they are all there. */
static void check_preferences(const block_question *q)
{
    int64_t limit = inlay_machine_common_memory(q->machine);
    int64_t used[MEMORIES] = {0};
    bool fits = true;
    if (inlay_machine_memories(q->machine) == 0) return;
    for (int d = 0; d < q->g.blocks; d++) {
        used[preferred_memory(q, d)] += q->g.size[d];
        fits &= limit < 0 || used[preferred_memory(q, d)] <= limit;
    }
    for (int d = 0; d < q->g.blocks && fits; d++)
        ck_assert_int_eq(inlay_mapping_memory_of(q->mapping, d), preferred_memory(q, d));
}

void block_check_mapping(const block_question *q)
{
    check_work(q);
    check_uses(q);
    check_processor_memory(q);
    check_common_memories(q);
    check_preferences(q);
}
