/*
 * Data blocks on all five machines: where each lives and stands, what its uses and its time count, memory limits that no
 * mapping passes, every packing that there is, and answers that name the block that finds no room.
 */
#include "random_app.h"
#include "map_by_houstis.h"
#include "slow_blocks.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

enum { MODULES = BLOCK_MODULES, BLOCKS = BLOCK_BLOCKS, MEMORIES = 4 };

/* ---- Where there is no answer ---- */

static bool names_a_block(const block_question *q)
{
    char name[40];
    for (int d = 0; d < q->g.blocks; d++) {
        snprintf(name, sizeof name, "data block 'd%d'", d);
        if (strstr(inlay_diag_message(q->diag), name) != NULL) return true;
    }
    return false;
}

/* Whether the same graph has an answer where its blocks take no room: then they are what fails. */
static bool answers_without_sizes(const block_question *q)
{
    block_graph light = q->g;
    memset(light.size, 0, sizeof light.size);
    inlay_app *app = block_app(&light);
    inlay_mapping *mapping = NULL;
    int status = map_by_houstis(app, q->machine, NULL, &mapping, NULL);
    inlay_mapping_free(mapping);
    inlay_app_free(app);
    return status == INLAY_OK;
}

/* What the answer offers in place of the machine works. */
static void check_remedy(const block_question *q)
{
    const char *option = inlay_diag_remedy_option(q->diag);
    ck_assert_msg(option != NULL && strcmp(option, "MACHINE") == 0, "%s: %s, and no machine is offered", q->what,
                  inlay_diag_message(q->diag));
    const char *value = inlay_diag_remedy_value(q->diag);
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    ck_assert_msg(inlay_machine_parse(value, &machine, NULL) == INLAY_OK, "%s: %s is no machine", q->what, value);
    int status = map_by_houstis(q->app, machine, NULL, &mapping, NULL);
    ck_assert_msg(status == INLAY_OK, "%s: %s, but %s does not do either", q->what, inlay_diag_message(q->diag), value);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
}

static void check_refusal(const block_question *q)
{
    ck_assert_ptr_null(strchr(inlay_diag_message(q->diag), '\n'));
    if (!answers_without_sizes(q)) return;
    ck_assert_msg(names_a_block(q), "%s: %s", q->what, inlay_diag_message(q->diag));
    check_remedy(q);
}

/* ---- All five machines ---- */

/* Machine strings with %lld where the limit stands; into how many memories the blocks go, and what else goes there. */
static const struct {
    const char *format;
    int shares;
    int64_t besides;
} tight[] = {
    {"bus:16,capacity=1000msg/tick,processor_memory=%lld", 3, 300},
    {"bus:3,capacity=1000msg/tick,processor_memory=%lld", 3, 600},
    {"bus:16,memory=common,capacity=1000msg/tick,common_memory=%lld", 1, 0},
    {"bus:4,memory=common,capacity=1000msg/tick,processor_memory=900,common_memory=%lld", 1, 0},
    {"multibus:16,memories=3,buses=2,capacity=1000msg/tick,common_memory=%lld", 3, 0},
    {"multibus:4,memories=4,buses=4,capacity=1000msg/tick,processor_memory=900,common_memory=%lld", 4, 0},
    {"omega:16,switch=4,cycle=0.001tick,common_memory=%lld", 6, 0},
    {"omega:2,cycle=0.001tick,common_memory=%lld", 2, 0},
    {"omega-pe:16,cycle=0.001tick,processor_memory=%lld", 3, 300},
    {"omega-pe:4,cycle=0.001tick,processor_memory=%lld", 3, 500},
};

/* A limit from much too little to enough, most often nearly enough. */
static int64_t tight_limit(uint64_t *state, const block_graph *g, int shares, int64_t besides)
{
    int64_t total = 0;
    for (int d = 0; d < g->blocks; d++)
        total += g->size[d];
    return 1 + besides + total / shares + random_below(state, 8) * 50 - random_below(state, 3) * (total / shares / 4);
}

START_TEST(limits_hold_everywhere)
{
    static block_question q;
    int answered = 0;
    int refused = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t state = seed * 1000003 + (uint64_t)_i;
        char string[200];
        q.g = random_block_graph(&state);
        snprintf(string, sizeof string, tight[_i].format,
                 (long long)tight_limit(&state, &q.g, tight[_i].shares, tight[_i].besides));
        block_ask(&q, string, seed);
        if (q.mapping != NULL) {
            answered++;
            block_check_mapping(&q);
        } else {
            refused++;
            check_refusal(&q);
        }
        block_clear(&q);
    }
    ck_assert_int_gt(answered, 50);
    ck_assert_int_gt(refused, 10);
}
END_TEST

/* With a processor for every module, modules and blocks find room wherever each module does with its own blocks. */
START_TEST(distributed_memory_is_enough)
{
    static block_question q;
    int refused = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t state = seed + 77;
        char string[200];
        q.g = random_block_graph(&state);
        int64_t needed[MODULES] = {0};
        int64_t largest = 1;
        for (int i = 0; i < q.g.modules; i++) {
            q.g.pin[i] = -1;
            needed[i] += q.g.memory[i];
        }
        for (int d = 0; d < q.g.blocks; d++)
            needed[heaviest_user(&q.g, d)] += q.g.size[d];
        for (int i = 0; i < q.g.modules; i++)
            largest = needed[i] > largest ? needed[i] : largest;
        int64_t limit = largest - (random_once_in(&state, 3) && largest > 1);
        snprintf(string, sizeof string, "%s,processor_memory=%lld",
                 seed % 2 ? "bus:16,capacity=1000msg/tick" : "omega-pe:16,cycle=0.001tick", (long long)limit);
        block_ask(&q, string, seed);
        ck_assert_msg((q.mapping != NULL) == (limit >= largest), "%s: %s", q.what, inlay_diag_message(q.diag));
        if (q.mapping != NULL) {
            block_check_mapping(&q);
        } else {
            refused++;
            check_refusal(&q);
        }
        block_clear(&q);
    }
    ck_assert_int_gt(refused, 50);
}
END_TEST

/* ---- Every packing is found ---- */

static const char *const packers[] = {
    "bus:4,memory=common,capacity=1000msg/tick,common_memory=%lld",
    "multibus:4,memories=2,buses=1,capacity=1000msg/tick,common_memory=%lld",
    "multibus:4,memories=3,buses=2,capacity=1000msg/tick,common_memory=%lld",
    "multibus:8,memories=4,buses=3,capacity=1000msg/tick,common_memory=%lld",
    "omega:2,cycle=0.001tick,common_memory=%lld",
    "omega:4,cycle=0.001tick,common_memory=%lld",
};

/* Memories of 60 bytes cut into pieces, so that the blocks fill them to the last byte. */
static void cut_memories(uint64_t *state, block_graph *g, int memories, int64_t limit)
{
    int pieces[MEMORIES];
    int block = 0;
    g->blocks = memories + (int)random_below(state, BLOCKS - memories + 1);
    for (int m = 0; m < memories; m++)
        pieces[m] = 1;
    for (int extra = memories; extra < g->blocks; extra++)
        pieces[random_below(state, memories)]++;
    for (int m = 0; m < memories; m++) {
        int64_t left = limit;
        for (int piece = 1; piece < pieces[m]; piece++) {
            int64_t size = left > 1 ? 1 + random_below(state, left - 1) : 0;
            g->size[block++] = size;
            left -= size;
        }
        g->size[block++] = left;
    }
    for (int d = g->blocks - 1; d > 0; d--) {
        int other = (int)random_below(state, d + 1);
        int64_t size = g->size[d];
        g->size[d] = g->size[other];
        g->size[other] = size;
    }
}

static void check_packing(block_question *q, uint64_t seed, int64_t limit)
{
    char string[200];
    snprintf(string, sizeof string, packers[seed % ROWS(packers)], (long long)limit);
    block_ask(q, string, seed);
    bool exists = packing_exists(&q->g, inlay_machine_memories(q->machine), limit);
    ck_assert_msg((q->mapping != NULL) == exists, "%s: a packing %s, but %s", q->what,
                  exists ? "exists" : "does not exist",
                  q->mapping != NULL ? "one is given" : inlay_diag_message(q->diag));
    if (exists)
        block_check_mapping(q);
    else
        check_refusal(q);
    block_clear(q);
}

/* Modules are pinned, so that the blocks prefer several memories. */
START_TEST(packings_are_found)
{
    static block_question q;
    static const int memories[] = {1, 2, 3, 4, 2, 4};
    for (uint64_t seed = 0; seed < 1200; seed++) {
        uint64_t state = seed * 31 + 5;
        q.g = (block_graph){.modules = 1 + (int)random_below(&state, 4)};
        for (int i = 0; i < q.g.modules; i++) {
            q.g.time[i] = 10;
            q.g.pin[i] = (int)random_below(&state, seed % ROWS(packers) == 4 ? 2 : 4);
        }
        cut_memories(&state, &q.g, memories[seed % ROWS(packers)], 60);
        random_uses(&state, &q.g);
        check_packing(&q, seed, 60 - (seed % 5 == 4)); /* in turn, one byte too little: none */
        /* a little room, and a block that is small enough for it */
        q.g.size[random_below(&state, q.g.blocks)] = random_below(&state, 4);
        check_packing(&q, seed, 60 + random_below(&state, 2));
        q.g.size[random_below(&state, q.g.blocks)] = random_below(&state, 60);
        check_packing(&q, seed, 48 + random_below(&state, 12));
    }
}
END_TEST

/* ---- By hand ---- */

/* Two modules of 10 ticks and a block of 100 bytes and 3 ticks that the second uses most. */
static const block_graph pair_of_modules = {.modules = 2,
                                            .blocks = 1,
                                            .time = {10, 10},
                                            .memory = {30, 40},
                                            .size = {100},
                                            .block_time = {3},
                                            .use = {{2, 5}},
                                            .pin = {-1, -1}};

static const char *const families[] = {"bus:4,capacity=1000msg/tick", "bus:4,memory=common,capacity=1000msg/tick",
                                       "multibus:4,memories=3,buses=2,capacity=1000msg/tick",
                                       "omega:4,cycle=0.0001tick", "omega-pe:4,cycle=0.0001tick"};

/* Modules on processors p and q: 2 messages and nothing else cross where they differ. */
START_TEST(uses_of_two_modules)
{
    inlay_app *app = block_app(&pair_of_modules);
    for (int i = 0; i < 16 * ROWS(families); i++) {
        inlay_id on[2] = {i % 4, i / 4 % 4};
        inlay_machine *machine = NULL;
        inlay_mapping *mapping = NULL;
        ck_assert_int_eq(inlay_machine_parse(families[i / 16], &machine, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_evaluate(app, machine, on, NULL, &mapping, NULL), INLAY_OK);
        const inlay_summary *summary = inlay_mapping_summary(mapping);
        inlay_id home = inlay_mapping_home(mapping, 0);
        bool apart = on[0] != on[1];
        ck_assert_int_eq(inlay_mapping_cluster(mapping, home).processor, on[1]);
        ck_assert_int_eq(summary->traffic, apart ? 2 : 0);
        ck_assert_int_eq(summary->messages, apart ? 2 : 0);
        ck_assert_int_eq(summary->weighted_traffic, apart ? 2 * inlay_machine_distance(machine, on[0], on[1]) : 0);
        ck_assert_double_eq(inlay_mapping_cluster(mapping, home).work, apart ? 13 : 23);
        ck_assert_int_eq(inlay_mapping_cluster(mapping, home).messages_out, apart ? 2 : 0);
        inlay_id memories = inlay_machine_memories(machine);
        ck_assert_int_eq(inlay_mapping_memory_of(mapping, 0), memories == 0 ? -1 : on[1] % memories);
        ck_assert_int_eq(inlay_mapping_cluster(mapping, home).memory,
                         40 + (apart ? 0 : 30) + (memories == 0 ? 100 : 0));
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
    }
    inlay_app_free(app);
}
END_TEST

static const struct {
    const char *string, *message;
} by_hand[] = {
    {"bus:4,processor_memory=139",
     "data block 'd0' (100 bytes) and module 'm1', with what must be with them, need 140 bytes of memory but a "
     "processor of bus:4,memory=distributed,processor_memory=139 has 139"},
    {"omega-pe:4,processor_memory=139",
     "data block 'd0' (100 bytes) and module 'm1', with what must be with them, need 140 bytes of memory but a "
     "processor of omega-pe:4,switch=2,packets=1,processor_memory=139 has 139"},
    {"bus:4,memory=common,common_memory=99",
     "data block 'd0' (100 bytes) finds no room: all data blocks need 100 bytes, and "
     "bus:4,memory=common,common_memory=99 has 1 common memory of 99"},
    {"multibus:4,memories=3,buses=2,common_memory=99",
     "data block 'd0' (100 bytes) finds no room: all data blocks need 100 bytes, and "
     "multibus:4,memories=3,buses=2,model=paper,common_memory=99 has 3 common memories of 99"},
    {"omega:4,common_memory=99", "data block 'd0' (100 bytes) finds no room: all data blocks need 100 bytes, and "
                                 "omega:4,switch=2,packets=1,common_memory=99 has 4 common memories of 99"},
};

START_TEST(refused_by_hand)
{
    static block_question q;
    q.g = pair_of_modules;
    block_ask(&q, by_hand[_i].string, 0);
    ck_assert_ptr_null(q.mapping);
    ck_assert_str_eq(inlay_diag_message(q.diag), by_hand[_i].message);
    check_remedy(&q);
    block_clear(&q);
}
END_TEST

/* A user's own placement is costed all the same, with a warning; and without one where everything fits. */
START_TEST(own_placement_is_warned_of)
{
    static const char *const strings[] = {"bus:4,processor_memory=%d", "omega-pe:4,processor_memory=%d",
                                          "bus:4,memory=common,common_memory=%d",
                                          "multibus:4,memories=3,buses=2,common_memory=%d", "omega:4,common_memory=%d"};
    inlay_app *app = block_app(&pair_of_modules);
    static const inlay_id apart[] = {0, 3};
    for (int i = 0; i < 2 * ROWS(strings); i++) {
        char string[100];
        inlay_machine *machine = NULL;
        inlay_mapping *mapping = NULL;
        inlay_diag *diag = inlay_diag_new();
        int enough = i / 2 < 2 ? 140 : 100;
        snprintf(string, sizeof string, strings[i / 2], enough - i % 2);
        ck_assert_int_eq(inlay_machine_parse(string, &machine, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_evaluate(app, machine, apart, NULL, &mapping, diag), INLAY_OK);
        ck_assert_uint_eq(inlay_diag_warnings(diag), (size_t)(i % 2));
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_diag_free(diag);
    }
    inlay_app_free(app);
}
END_TEST

/*
 * b uses each of two blocks most of all modules, a1 and a2 together more. They move there at the end, each for 2 ticks
 * of work: 12 and 2 and 2 need 16, so within 14 the second stays.
 */
static const block_graph movers = {.modules = 3,
                                   .blocks = 2,
                                   .time = {6, 6, 10},
                                   .size = {10, 10},
                                   .block_time = {2, 2},
                                   .use = {{2, 2, 3}, {2, 2, 3}},
                                   .link = {{0, 50}},
                                   .pin = {-1, -1, -1}};

START_TEST(blocks_move_within_the_time_frame)
{
    inlay_app *app = block_app(&movers);
    for (int i = 0; i < 2 * ROWS(families); i++) {
        inlay_machine *machine = NULL;
        inlay_mapping *mapping = NULL;
        inlay_options options = {.has_time_frame = true, .time_frame = {{14 + 2 * (i % 2), 0}, INLAY_UNIT_TICK}};
        ck_assert_int_eq(inlay_machine_parse(families[i / 2], &machine, NULL), INLAY_OK);
        ck_assert_int_eq(map_by_houstis(app, machine, &options, &mapping, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_mapping_summary(mapping)->clusters, 2);
        inlay_id a = inlay_mapping_cluster_of(mapping, 0);
        inlay_id b = inlay_mapping_cluster_of(mapping, 2);
        ck_assert(a != b && inlay_mapping_cluster_of(mapping, 1) == a);
        ck_assert_int_eq(inlay_mapping_home(mapping, 0), a);
        ck_assert_int_eq(inlay_mapping_home(mapping, 1), i % 2 ? a : b);
        ck_assert_double_eq(inlay_mapping_cluster(mapping, a).work, i % 2 ? 16 : 14);
        ck_assert_double_eq(inlay_mapping_cluster(mapping, b).work, i % 2 ? 10 : 12);
        ck_assert_int_eq(inlay_mapping_summary(mapping)->traffic, i % 2 ? 6 : 7);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
    }
    inlay_app_free(app);
}
END_TEST

Suite *suite_blocks(void)
{
    Suite *suite = suite_create("blocks");
    TCase *limits = tcase_create("limits");
    tcase_add_loop_test(limits, limits_hold_everywhere, 0, ROWS(tight));
    tcase_add_test(limits, distributed_memory_is_enough);
    tcase_add_test(limits, packings_are_found);
    suite_add_tcase(suite, limits);
    TCase *hand = tcase_create("by hand");
    tcase_add_test(hand, uses_of_two_modules);
    tcase_add_test(hand, blocks_move_within_the_time_frame);
    tcase_add_loop_test(hand, refused_by_hand, 0, ROWS(by_hand));
    tcase_add_test(hand, own_placement_is_warned_of);
    suite_add_tcase(suite, hand);
    return suite;
}
