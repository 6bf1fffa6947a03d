/* The event engine: times that were calculated by hand, and rules that every run keeps. */
#include "golden.h"
#include "simulate_subject.h"
#include "sound_run.h"
#include "unit.h"

/** One question: a graph, where its modules are, a machine, and what comes out. */
typedef struct hand_case {
    const char *what;
    const small_app *graph;
    int processor[8];
    const char *machine;
    bool no_overlap;
    int start[8], makespan;
} hand_case;

static const small_app pair = {2, 1, {3, 4}, {{0, 1, 1}}, false, {0}};
static const small_app chain = {3, 2, {3, 4, 5}, {{0, 1, 1}, {1, 2, 2}}, false, {0}};
/* a sends to b and c, which send to d */
static const small_app fork = {4, 4, {2, 5, 7, 1}, {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}}, false, {0}};
/* a and b send to c and d at one time */
static const small_app senders = {4, 2, {4, 4, 1, 1}, {{0, 2, 3}, {1, 3, 3}}, false, {0}};
/* a sends to b, then computes on as c */
static const small_app sender = {3, 1, {2, 3, 4}, {{0, 1, 4}}, false, {0}};
/* a sends one message to b and one to c, each on a processor of its own */
static const small_app two_links = {3, 2, {1, 1, 1}, {{0, 1, 1}, {0, 2, 1}}, false, {0}};

/* a sends one message to c, which b keeps waiting on the same processor; b sends none */
static const small_app kept = {3, 1, {2, 20, 3}, {{0, 2, 1}}, false, {0}};

static const small_app large = {2, 1, {10, 5}, {{0, 1, 1}}, false, {0}};

/* a streams to b after 4 ticks, to c after 4 too, to d after 6 */
static const small_app stream = {4, 3, {10, 10, 1, 1}, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}}, true, {0, 4, 4, 6}};
/* b waits for longer than a takes: it may start when a ends */
static const small_app late = {2, 1, {3, 1}, {{0, 1, 1}}, true, {0, 9}};

static const hand_case hand_cases[] = {
    {"one module", &(const small_app){1, 0, {7}, {{0}}, false, {0}}, {0}, "bus:4", false, {0}, 7},
    {"two on one processor, unrelated",
     &(const small_app){2, 0, {3, 4}, {{0}}, false, {0}},
     {0, 0},
     "bus:4",
     false,
     {4, 0},
     7},
    {"two on one processor, linked", &pair, {0, 0}, "bus:4", false, {0, 3}, 7},
    {"two on two processors, unrelated",
     &(const small_app){2, 0, {3, 4}, {{0}}, false, {0}},
     {0, 1},
     "bus:4",
     false,
     {0, 0},
     4},
    {"two on two processors, linked", &pair, {0, 1}, "bus:4", false, {0, 4}, 8},
    {"a slow bus", &pair, {0, 1}, "bus:4,capacity=0.25msg/tick", false, {0, 7}, 11},
    {"a chain on one processor", &chain, {0, 0, 0}, "bus:4", false, {0, 3, 7}, 12},
    {"a chain on three: 3, message, 4, two messages, 5", &chain, {0, 1, 2}, "bus:4", false, {0, 4, 10}, 15},
    {"a chain with latency: 1 a message", &chain, {0, 1, 2}, "bus:4,latency=1tick", false, {0, 5, 13}, 18},
    {"two transfers a message", &chain, {0, 1, 2}, "bus:4,transfers=2", false, {0, 5, 13}, 18},
    {"one transfer and a half", &chain, {0, 1, 2}, "bus:4,transfers=1.5,capacity=0.5msg/tick", false, {0, 6, 16}, 21},
    /* a ends at 2; b's message is through at 3, c's at 4; b ends at 8, c at 11; d's inputs at 9 and 12 */
    {"fork and join on four", &fork, {0, 1, 2, 3}, "bus:4", false, {0, 3, 4, 12}, 13},
    /* c stays with a: 2..9; b 3..8, its message is there at 9; d 9..10 */
    {"fork and join on two", &fork, {0, 1, 0, 0}, "bus:4", false, {0, 3, 2, 9}, 10},
    /* both ask at 4: a's first message 4..5, b's 5..6, a's 6..7, ... a is through at 9, b at 10 */
    {"two equal senders take turns on a bus", &senders, {0, 1, 2, 3}, "bus:4", false, {0, 0, 9, 10}, 11},
    {"and two buses serve both at once",
     &senders,
     {0, 1, 2, 3},
     "multibus:4,memories=1,buses=1",
     false,
     {0, 0, 9, 10},
     11},
    /* write 4..5 a, 5..6 b, then the second transfer of each: a 6..7, b 7..8, and so on twice more */
    {"two senders with two transfers", &senders, {0, 1, 2, 3}, "bus:4,transfers=2", false, {0, 0, 15, 16}, 17},
    /* a 0..10, o_send until 12, the transfer until 112, o_recv until 115 */
    {"overheads before and behind",
     &large,
     {0, 1},
     "bus:4,capacity=0.01msg/tick,o_send=2,o_recv=3",
     false,
     {0, 115},
     120},
    /* a 0..10, a message of no bytes until 110, 2 on the way */
    {"latency by size",
     &large,
     {0, 1},
     "bus:4,capacity=0.01msg/tick,latency_by_size=0:2:0.1/64:5",
     false,
     {0, 112},
     117},
    {"not within a processor", &large, {0, 0}, "bus:4,capacity=0.01msg/tick,o_send=2,o_recv=3", false, {0, 10}, 15},
    {"nor within a host", &large, {0, 1}, "star:2,cores=2,capacity=0.01msg/tick,o_send=2,o_recv=3", false, {0, 10}, 15},
    {"nor of messages that are free", &large, {0, 1}, "bus:4,contention=free,o_send=2,o_recv=3", false, {0, 10}, 15},
    /* a 0..1, sends to b until 3 and to c until 5; the bus 3..4 and 5..6 */
    {"one o_send after another", &two_links, {0, 1, 2}, "bus:4,o_send=2", false, {0, 4, 6}, 7},
    /* a 0..2, sends four messages until 10; c has to wait; b gets the last at 14 */
    {"a processor computes when it has sent", &sender, {0, 1, 0}, "bus:4,o_send=2", false, {0, 14, 10}, 17},
    /* a 0..10 sends in the midst of it, 4..5, 5..6 and 6..7, and pays until 16 */
    {"what streams is paid behind", &stream, {0, 1, 2, 3}, "bus:4,o_send=2,o_recv=1", false, {0, 6, 7, 8}, 16},
    /* a 0..2, b 0..20; the message to c leaves when c has come, at 20, and not at 2 */
    {"receivers are early", &kept, {0, 1, 1}, "bus:4,rendezvous=early", false, {0, 0, 20}, 23},
    {"receivers are late", &kept, {0, 1, 1}, "bus:4,rendezvous=late", false, {0, 0, 21}, 24},
    {"and where nobody meets", &kept, {0, 1, 1}, "bus:4,rendezvous=late,contention=none", false, {0, 0, 21}, 24},
    {"but not of messages that are free",
     &kept,
     {0, 1, 1},
     "bus:4,rendezvous=late,contention=free",
     false,
     {0, 0, 20},
     23},
    {"nor of short ones", &kept, {0, 1, 1}, "bus:4,rendezvous=late,eager_limit=1", false, {0, 0, 20}, 23},
    {"nor within a host", &kept, {0, 1, 1}, "star:1,cores=2,rendezvous=late", false, {0, 0, 20}, 23},
    {"and over links", &kept, {0, 1, 1}, "star:2,capacity=1msg/tick,rendezvous=late", false, {0, 0, 22}, 25},
    {"computing goes on while messages are sent", &sender, {0, 1, 0}, "bus:4", false, {0, 6, 2}, 9},
    {"and without overlap it waits for them", &sender, {0, 1, 0}, "bus:4", true, {0, 6, 6}, 10},
    {"until they have arrived", &sender, {0, 1, 0}, "bus:4,latency=1tick", true, {0, 10, 10}, 14},
    {"but latency occupies nobody else", &sender, {0, 1, 0}, "bus:4,latency=1tick", false, {0, 10, 2}, 13},
    {"one message after the other", &two_links, {0, 1, 2}, "bus:4", false, {0, 2, 3}, 4},
    {"the second goes while the first is in flight",
     &two_links,
     {0, 1, 2},
     "bus:4,latency=10tick",
     false,
     {0, 12, 13},
     14},
    {"streams: two at 4, one at 6", &stream, {0, 1, 2, 3}, "bus:4", false, {0, 5, 6, 7}, 15},
    {"streams on one processor", &stream, {0, 0, 0, 0}, "bus:4", false, {0, 10, 20, 21}, 22},
    {"streams without overlap leave at the end", &stream, {0, 1, 2, 3}, "bus:4", true, {0, 11, 12, 13}, 21},
    {"a stream never leaves behind its module's end", &late, {0, 1}, "bus:4", false, {0, 4}, 5},
    /* two stages of 2, a tick each, four packets: 1 + 1 + 3 */
    {"an omega network", &pair, {0, 3}, "omega:4,packets=4", false, {0, 8}, 12},
    {"transit beside cycle", &pair, {0, 3}, "omega:4,packets=4,transit=2tick,cycle=3tick", false, {0, 16}, 20},
    {"from processor to processor", &pair, {0, 3}, "omega-pe:4,packets=4", false, {0, 8}, 12},
    {"in one switch", &pair, {2, 3}, "omega-pe:4,packets=4", false, {0, 7}, 11},
    /* 0 -> 1 and 2 -> 3 share no output: both leave through their first switches, three messages of 1 */
    {"two senders in two switches", &senders, {0, 2, 1, 3}, "omega-pe:4", false, {0, 0, 7, 7}, 8},
    /* from 0 and 1 to 2 and 3: the first stage leads both to the outputs of their digits, 0 and 1 */
    {"two senders through one switch, apart", &senders, {0, 1, 2, 3}, "omega-pe:4", false, {0, 0, 10, 10}, 11},
};

START_TEST(test_by_hand)
{
    const hand_case *hand = &hand_cases[_i];
    small_case at = small_place(hand->graph, hand->processor, hand->machine);
    inlay_simulation *run = simulated(at.mapping, &(inlay_simulation_options){.no_overlap = hand->no_overlap});
    for (int i = 0; i < hand->graph->modules; i++)
        ck_assert_msg(inlay_simulation_start(run, i) == hand->start[i], "%s: module %d starts at %g, not %d",
                      hand->what, i, inlay_simulation_start(run, i), hand->start[i]);
    ck_assert_msg(inlay_simulation_result(run)->makespan == hand->makespan, "%s: %g, not %d", hand->what,
                  inlay_simulation_result(run)->makespan, hand->makespan);
    inlay_simulation_free(run);
    small_clear(&at);
}
END_TEST

/* ---- Reads of data blocks ---- */

/* y, on another processor than the block, reads it when it starts: 0..4. Its link to z goes behind that, 4..8. */
START_TEST(test_read)
{
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("reads", INLAY_UNIT_TICK);
    static const char *const names[] = {"x", "y", "z"};
    static const inlay_id processor[] = {0, 1, 2};
    for (int i = 0; i < 3; i++) {
        inlay_module module = {.name = names[i], .time = {{1 + i, 0}, INLAY_UNIT_TICK}};
        inlay_app_add_module(builder, &module, NULL);
    }
    inlay_app_add_link(builder, 1, 2, 1, 0, 0, NULL);
    inlay_app_add_block(builder, "d", 100, (inlay_duration){{0, 0}, INLAY_UNIT_TICK}, NULL);
    inlay_app_add_use(builder, 0, 0, 2, 0, NULL);
    inlay_app_add_use(builder, 0, 1, 1, 0, NULL);
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    inlay_machine *machine = golden_machine("bus:4,capacity=0.25msg/tick");
    inlay_mapping *mapping = placed(app, machine, processor, NULL);
    for (int no_overlap = 0; no_overlap < 2; no_overlap++) {
        size_t count;
        inlay_simulation *run = simulated(mapping, &(inlay_simulation_options){.no_overlap = no_overlap});
        const inlay_simulated_message *m = inlay_simulation_messages(run, &count);
        double due = no_overlap ? 2 : 0;
        ck_assert_uint_eq(count, 2);
        ck_assert(m[0].block == 0 && m[0].from == -1 && m[0].to == 1 && m[0].sender == 1 && m[0].receiver == 0);
        ck_assert(m[0].due == due && m[0].request == due && m[0].arrival == due + 4 && !m[0].awaited);
        ck_assert(m[1].link == 0 && m[1].due == 2 && m[1].request == due + 4 && m[1].arrival == due + 8);
        ck_assert_double_eq(inlay_simulation_result(run)->makespan, due + 8 + 3);
        inlay_simulation_free(run);
    }
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- The paper's graph ---- */

static double cholesky_on(const char *machine_text, inlay_start start, const inlay_id *processor,
                          inlay_simulation_options options)
{
    inlay_app *app = cholesky4(INLAY_UNIT_TICK);
    inlay_machine *machine = golden_machine(machine_text);
    inlay_mapping *mapping = placed(app, machine, processor, &(inlay_options){.start = start});
    double makespan = simulated_makespan(mapping, &options);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    return makespan;
}

START_TEST(test_cholesky4)
{
    static const inlay_id alone[CHOLESKY] = {0};
    inlay_id apart[CHOLESKY];
    for (int i = 0; i < CHOLESKY; i++)
        apart[i] = i;
    inlay_simulation_options options = {.contention = INLAY_CONTENTION_FREE};
    ck_assert_double_eq(cholesky_on("bus:16", INLAY_START_STREAM, apart, options), 133);
    ck_assert_double_eq(cholesky_on("bus:16", INLAY_START_FINISH, apart, options), 244);
    for (int contention = INLAY_CONTENTION_QUEUES; contention <= INLAY_CONTENTION_FREE; contention++) {
        options.contention = (inlay_contention)contention;
        ck_assert_double_eq(cholesky_on("bus:16,latency=3tick", INLAY_START_STREAM, alone, options), 503);
        ck_assert_double_eq(cholesky_on("multibus:16,memories=8,buses=4", INLAY_START_FINISH, alone, options), 503);
        ck_assert_double_eq(cholesky_on("omega:16", INLAY_START_FINISH, alone, options), 503);
    }
}
END_TEST

Suite *suite_simulate(void)
{
    Suite *suite = suite_create("simulate");
    TCase *tests = tcase_create("simulate");
    tcase_add_loop_test(tests, test_by_hand, 0, (int)(sizeof hand_cases / sizeof *hand_cases));
    tcase_add_test(tests, test_read);
    tcase_add_test(tests, test_cholesky4);
    suite_add_tcase(suite, tests);
    return suite;
}
