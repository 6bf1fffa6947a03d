/*
 * Types of processors on which modules may not run: every method keeps to them or says that it does not, both objectives of
 * best do; what breaks them is refused; files keep them; the checker finds them broken.
 */
#include "check_subject.h"
#include "random_app.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = 40, MOST = 9, TYPES = 3, TEXT = 2000 };

static const char *const types[TYPES] = {"cpu", "gpu", "dsp"};
static const char machine_text[] = "graph m { graph [network=links]; edge [capacity=\"2msg/tick\"];"
                                   " a [type=cpu]; b [type=gpu, memory=\"9KiB\"]; c [type=dsp, speed=2]; d [type=cpu];"
                                   " e [type=gpu]; a -- b -- c -- d -- e; }";
static const int type_at[] = {0, 1, 2, 0, 1};

typedef struct drawn {
    bool never[MOST][TYPES];
    char text[TEXT];
    int modules;
} drawn;

/* Modules in layers; each may run somewhere. */
static void draw(uint64_t *state, drawn *d)
{
    size_t taken = (size_t)snprintf(d->text, TEXT, "digraph g { graph [time_unit=tick];");
    d->modules = 2 + (int)random_below(state, MOST - 1);
    for (int i = 0; i < d->modules; i++) {
        int runs = (int)random_below(state, TYPES);
        taken += (size_t)snprintf(d->text + taken, TEXT - taken, " m%d [time=%d", i, 1 + (int)random_below(state, 9));
        for (int t = 0; t < TYPES; t++) {
            d->never[i][t] = t != runs && random_once_in(state, 2);
            if (d->never[i][t])
                taken += (size_t)snprintf(d->text + taken, TEXT - taken, ", \"time.%s\"=none", types[t]);
            else if (random_once_in(state, 3))
                taken += (size_t)snprintf(d->text + taken, TEXT - taken, ", \"time.%s\"=%d", types[t],
                                          1 + (int)random_below(state, 9));
        }
        taken +=
            (size_t)snprintf(d->text + taken, TEXT - taken, random_once_in(state, 3) ? ", memory=\"2KiB\"];" : "];");
        if (i > 0 && !random_once_in(state, 4))
            taken += (size_t)snprintf(d->text + taken, TEXT - taken, " m%d -> m%d [messages=%d];",
                                      (int)random_below(state, i), i, 1 + (int)random_below(state, 5));
    }
    snprintf(d->text + taken, TEXT - taken, " }");
}

static inlay_machine *machine_of_text(void)
{
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_read_memory(machine_text, strlen(machine_text), "m.dot", "dot", &machine, NULL),
                     INLAY_OK);
    return machine;
}

static bool keeps(const drawn *d, const inlay_mapping *mapping)
{
    for (int i = 0; i < d->modules; i++) {
        inlay_id at = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
        if (d->never[i][type_at[at]]) return false;
    }
    return true;
}

static bool forbids_any(const drawn *d)
{
    for (int i = 0; i < d->modules; i++)
        for (int t = 0; t < TYPES; t++)
            if (d->never[i][t]) return true;
    return false;
}

/* A mapping in subject_mapping(), as a user has it; false where there is none. */
static bool map_on(const inlay_app *app, const char *path, const inlay_options *options, const inlay_id *placement)
{
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_machine_read(path, &machine, NULL), INLAY_OK);
    int status = placement ? inlay_evaluate(app, machine, placement, options, &mapping, NULL)
                           : inlay_map(app, machine, options, &mapping, NULL);
    if (status == INLAY_OK) {
        const inlay_origin origin = {placement ? "evaluate" : "map", subject_app(), NULL, options->seed, NULL};
        ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
    }
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return status == INLAY_OK;
}

static void write_machine(const char *path)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(machine_text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(methods_keep_to_them)
{
    int answers = 0, refusals = 0;
    char path[200];
    snprintf(path, sizeof path, "%s.machine.dot", subject_app());
    write_machine(path);
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed * 13;
        drawn d;
        draw(&state, &d);
        inlay_app *app = subject_read(d.text);
        inlay_machine *machine = machine_of_text();
        for (size_t i = 0; i <= inlay_methods(); i++) { /* the last is best once more, with the other objective */
            inlay_options options = {.method = inlay_method_at(i), .effort.evaluations = 60};
            if (!options.method) {
                options.method = inlay_method_named("best");
                options.objective = INLAY_OBJECTIVE_PERIOD;
            }
            inlay_mapping *mapping = NULL;
            int status = inlay_map(app, machine, &options, &mapping, NULL);
            bool takes = options.method->types || !forbids_any(&d);
            ck_assert_msg(takes || status == INLAY_BAD_ARGUMENT, "seed %d: %s", seed, options.method->name);
            refusals += !takes;
            if (status == INLAY_OK) {
                answers++;
                ck_assert_msg(keeps(&d, mapping), "seed %d: %s\n%s", seed, options.method->name, d.text);
                if (options.method->types && map_on(app, path, &options, NULL))
                    subject_findings(NULL, true, options.method->name);
            }
            inlay_mapping_free(mapping);
        }
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(answers, 10 * SEEDS);
    ck_assert_int_gt(refusals, SEEDS);
}
END_TEST

static const char pair[] = "digraph g { graph [time_unit=tick]; a [time=4]; b [time=5, \"time.gpu\"=none]; a -> b; }";

static void expect(const char *app_text, const char *machine, const inlay_id *placement, int wanted,
                   const char *message)
{
    inlay_app *app = subject_read(app_text);
    inlay_machine *on = NULL;
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(strchr(machine, '{')
                         ? inlay_machine_read_memory(machine, strlen(machine), "m.dot", "dot", &on, diag)
                         : inlay_machine_parse(machine, &on, diag),
                     INLAY_OK);
    const inlay_options options = {0};
    int status = placement ? inlay_evaluate(app, on, placement, &options, &mapping, diag)
                           : inlay_map(app, on, &options, &mapping, diag);
    ck_assert_int_eq(status, wanted);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    inlay_mapping_free(mapping);
    inlay_machine_free(on);
    inlay_app_free(app);
    inlay_diag_free(diag);
}

START_TEST(refusals)
{
    expect(pair, "bus:2,type=gpu", NULL, INLAY_NO_ANSWER,
           "module 'b' may not run on any type of processor that bus:2,memory=distributed,type=gpu has");
    expect("digraph g { graph [time_unit=tick]; b [time=5, pin=1, \"time.gpu\"=none]; }", machine_text, NULL,
           INLAY_NO_ANSWER, "module 'b' is pinned to processor 1, which is of a type on which it may not run");
    expect(pair, machine_text, (inlay_id[]){0, 1}, INLAY_BAD_ARGUMENT,
           "module 'b' is on processor 1; expected one of a type on which it may run");
}
END_TEST

START_TEST(files_keep_them)
{
    static const char *const formats[] = {"dot", "json", "tg"};
    inlay_app *app = subject_read(pair);
    for (int f = 0; f < 3; f++) {
        inlay_app *back = NULL;
        ck_assert_int_eq(inlay_app_write(app, subject_mapping(), formats[f], NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_read(subject_mapping(), formats[f], &back, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_types(back), 1);
        ck_assert_int_eq(inlay_app_type_time(back, 0, 0), -1);
        ck_assert_int_eq(inlay_app_type_time(back, 0, 1), INLAY_NEVER);
        inlay_app_free(back);
    }
    inlay_app_free(app);
}
END_TEST

START_TEST(the_checker_finds_them_broken)
{
    char path[200];
    snprintf(path, sizeof path, "%s.machine.dot", subject_app());
    write_machine(path);
    inlay_app *app = subject_read("digraph g { graph [time_unit=tick]; a [time=4]; b [time=5]; a -> b; }");
    ck_assert(map_on(app, path, &(inlay_options){0}, (inlay_id[]){0, 1}));
    subject_findings(NULL, true, "allowed");
    inlay_app_free(subject_read(pair)); /* the same application, but for that; and another hash */
    json_t *root = subject_load();
    subject_alter(root, &(alteration){"application.sha256", "null"});
    subject_save(root);
    ck_assert_uint_gt(subject_findings(NULL, false, "broken"), 0);
    inlay_app_free(app);
}
END_TEST

Suite *suite_types(void)
{
    Suite *suite = suite_create("types");
    TCase *tests = tcase_create("types");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_test(tests, methods_keep_to_them);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, files_keep_them);
    tcase_add_test(tests, the_checker_finds_them_broken);
    suite_add_tcase(suite, tests);
    return suite;
}
