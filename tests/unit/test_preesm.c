/* PREESM's graphs in graphs: which firings a run has, what interfaces hand on, and parameters by several names. */
#include "unit.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/inlay-preesm-XXXXXX";

static void make_folder(void)
{
    strcpy(folder, "/tmp/inlay-preesm-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void write_graph(const char *name, const char *body)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s.pi", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(
        file,
        "<graphml><key attr.name=\"parameters\" for=\"graph\" id=\"parameters\"/><graph><data key=\"name\">%s</data>"
        "%s</graph></graphml>",
        name, body);
    fclose(file);
}

static void remove_folder(void)
{
    static const char *const names[] = {"top", "inner"};
    char path[64];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s.pi", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

#define TOP                                                                                                            \
    "<node id='p' kind='param' expr='2*k'/><node id='k' kind='param' expr='3'/>"                                       \
    "<node id='a' kind='actor'><port kind='output' name='o' expr='p*4'/></node>"                                       \
    "<node id='h' kind='actor'><data key='graph_desc'>project/inner.pi</data>"                                         \
    "<port kind='cfg_input' name='n'/><port kind='input' name='x' expr='n'/>"                                          \
    "<port kind='output' name='y' expr='n/2'/></node>"                                                                 \
    "<node id='z' kind='actor'><port kind='input' name='i' expr='4*n'/><port kind='cfg_input' name='n'/></node>"       \
    "<edge kind='fifo' source='a' sourceport='o' target='h' targetport='x' type='t'/>"                                 \
    "<edge kind='fifo' source='h' sourceport='y' target='z' targetport='i' type='t'/>"                                 \
    "<edge kind='dependency' source='p' target='h' targetport='n'/>"                                                   \
    "<edge kind='dependency' source='k' target='z' targetport='n'/>"

/* Ports of the inner actor: so many tokens in and out. */
#define INNER(in, out)                                                                                                 \
    "<node id='n' kind='cfg_in_iface'/><node id='x' kind='src'><port kind='output' name='x' expr='n'/></node>"         \
    "<node id='y' kind='snk'><port kind='input' name='y' expr='n/2'/></node>"                                          \
    "<node id='f' kind='actor'><port kind='input' name='i' expr='" in "'/><port kind='output' name='o' expr='" out     \
    "'/></node>"                                                                                                       \
    "<edge kind='fifo' source='x' sourceport='x' target='f' targetport='i' type='t'/>"                                 \
    "<edge kind='fifo' source='f' sourceport='o' target='y' targetport='y' type='t'/>"

static int64_t firings_of(const inlay_sdf *sdf, const char *name)
{
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
        if (strcmp(inlay_sdf_actor_name(sdf, a), name) == 0) {
            return inlay_sdf_repetitions(sdf, a);
        }
    }
    return 0;
}

static int read_top(inlay_app **app, inlay_diag *diag)
{
    char path[64];
    snprintf(path, sizeof path, "%s/top.pi", folder);
    return inlay_app_read(path, NULL, app, diag);
}

/* a puts 24 tokens, h takes 6 and puts 3 a firing, z takes 12: 1, 4 and 1 firings. */
START_TEST(runs_of_a_graph)
{
    static const struct {
        const char *inner;
        int64_t firings; /* of f in a run of h */
        int64_t in, out; /* tokens that the interfaces put and take inside */
    } cases[] = {
        {INNER("2", "1"), 3, 6, 3},   /* both sides agree */
        {INNER("6", "3"), 1, 6, 3},   /* once */
        {INNER("3", "3"), 2, 6, 6},   /* two rounds fill the output twice: the last tokens count */
        {INNER("6", "1"), 3, 18, 3},  /* three firings, each takes all of the input again */
        {INNER("12", "3"), 1, 12, 3}, /* one firing takes the input twice over */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_app *app = NULL;
        inlay_diag *diag = inlay_diag_new();
        write_graph("top", TOP);
        write_graph("inner", cases[i].inner);
        ck_assert_msg(read_top(&app, diag) == INLAY_OK, "%zu: %s", i, inlay_diag_message(diag));
        const inlay_sdf *sdf = inlay_app_sdf(app);
        ck_assert_int_eq(firings_of(sdf, "top/a"), 1);
        ck_assert_int_eq(firings_of(sdf, "top/z"), 1);
        ck_assert_int_eq(firings_of(sdf, "top/h/x"), 4);
        ck_assert_int_eq(firings_of(sdf, "top/h/y"), 4);
        ck_assert_int_eq(firings_of(sdf, "top/h/f"), 4 * cases[i].firings);
        ck_assert_int_eq(inlay_sdf_actors(sdf), 5);
        ck_assert_int_eq(inlay_sdf_channels(sdf), 4);
        for (int64_t c = 0; c < 4; c++) {
            inlay_sdf_channel channel = inlay_sdf_channel_at(sdf, c);
            const char *from = inlay_sdf_actor_name(sdf, channel.from), *to = inlay_sdf_actor_name(sdf, channel.to);
            if (strcmp(from, "top/h/x") == 0) {
                ck_assert_int_eq(*channel.produced, cases[i].in);
            }
            if (strcmp(to, "top/h/y") == 0) {
                ck_assert_int_eq(*channel.consumed, cases[i].out);
            }
        }
        inlay_app_free(app);
        inlay_diag_free(diag);
    }
}
END_TEST

START_TEST(interfaces_that_do_not_fit)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    char message[512];
    write_graph("top", TOP);
    write_graph("inner", INNER("4", "3"));
    ck_assert_int_eq(read_top(&app, diag), INLAY_BAD_INPUT);
    snprintf(message, sizeof message,
             "%s/inner.pi:1: interface 'x' has 6 tokens, of which a run of the graph takes 8; expected a multiple",
             folder);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    inlay_diag_free(diag);
}
END_TEST

/* Every scenario of the data: pins are processors of the architecture that it names. */
START_TEST(real_scenarios)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    char path[512];
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    snprintf(path, sizeof path, "%s/preesm/org.ietr.preesm.stabilization/Scenarios/4coreX86.scenario", unit_data());
    ck_assert_int_eq(inlay_app_read(path, NULL, &app, NULL), INLAY_OK);
    snprintf(path, sizeof path, "%s/preesm/org.ietr.preesm.stabilization/Archi/4CoreX86.slam", unit_data());
    ck_assert_int_eq(inlay_machine_read(path, &machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_hosts(machine), 4);
    inlay_id read = inlay_app_find_module(app, "top/ReadYUV"), written = inlay_app_find_module(app, "top/WriteYUV");
    inlay_id motion = inlay_app_find_module(app, "top/Stabilization/AccumulateMotion");
    ck_assert_int_eq(inlay_app_pin(app, read), 0);
    ck_assert_int_eq(inlay_app_pin(app, written), -1);
    ck_assert_int_eq(inlay_app_pin(app, motion), 1);
    ck_assert_double_eq(inlay_app_in_units(app, inlay_app_time(app, read)), 52);
    ck_assert_double_eq(inlay_app_in_units(app, inlay_app_time(app, motion)), 100);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_preesm(void)
{
    Suite *suite = suite_create("preesm");
    TCase *tests = tcase_create("preesm");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, runs_of_a_graph);
    tcase_add_test(tests, interfaces_that_do_not_fit);
    tcase_add_test(tests, real_scenarios);
    suite_add_tcase(suite, tests);
    return suite;
}
