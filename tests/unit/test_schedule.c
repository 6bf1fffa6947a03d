/* The order of execution: hand-computed cases, random ones against a slow look for cycles, the rules, and files. */
#include "schedules.h"
#include "check_subject.h"
#include "random_app.h"
#include "unit.h"
#include <inlay/inlay.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, SEEDS = 300 };

/* ---- Hand-computed ---- */

/** The case's application: times in ticks, links of so many bytes. */
static inlay_app *app_of_case(const json_t *of)
{
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("case", INLAY_UNIT_TICK);
    const char *name;
    const json_t *time, *link;
    size_t i;
    json_object_foreach((json_t *)json_object_get(of, "modules"), name, time)
    {
        inlay_module module = {.name = name, .time = {{json_integer_value(time), 0}, INLAY_UNIT_TICK}};
        module.cores = (int32_t)json_integer_value(json_object_get(json_object_get(of, "cores"), name));
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    json_array_foreach(json_object_get(of, "links"), i, link)
    {
        int64_t end[2];
        for (size_t e = 0; e < 2; e++) {
            int64_t at = 0;
            json_object_foreach((json_t *)json_object_get(of, "modules"), name, time)
            {
                if (strcmp(name, json_string_value(json_array_get(link, e))) == 0) end[e] = at;
                at++;
            }
        }
        ck_assert_int_eq(inlay_app_add_link(builder, (inlay_id)end[0], (inlay_id)end[1], 1,
                                            json_integer_value(json_array_get(link, 2)), 0, NULL),
                         INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

/** Modules as the lists have them, of every processor. */
static void read_lists(const inlay_app *app, const json_t *lists, inlay_task_schedule *schedule)
{
    size_t p, k;
    const json_t *list, *name;
    json_array_foreach(lists, p, list)
    {
        json_array_foreach(list, k, name)
        {
            schedule->module[schedule->entries] = inlay_app_find_module(app, json_string_value(name));
            schedule->processor[schedule->entries++] = (inlay_id)p;
        }
    }
    ck_assert_int_ge(schedule->entries, inlay_app_modules(app));
}

/** The golden's cycle, from whichever module it begins, is the one of the message. */
static void expect_cycle(const char *message, const char *golden)
{
    char told[64] = "", twice[128] = "";
    for (const char *c = strchr(message, '\''); c != NULL && *c != '\0'; c++)
        if (*c != '\'') strncat(told, c, 1);
    const char *begin = golden + strlen("cycle ");
    size_t once = strlen(begin) - strlen(strrchr(begin, ' '));
    snprintf(twice, sizeof twice, "%.*s %s", (int)once, begin, begin);
    ck_assert_msg(strstr(twice, told) != NULL && strlen(told) == strlen(begin), "'%s' is not '%s'", told, begin);
}

/** Times that processors are held, and their sum, where the golden has them. */
static void compare_busy(const inlay_mapping *mapping, const json_t *one)
{
    const inlay_summary *s = inlay_mapping_summary(mapping);
    const json_t *busy = json_object_get(one, "busy");
    double sum = 0;
    for (inlay_id c = 0; busy != NULL && c < s->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        ck_assert_double_eq(info.busy, json_number_value(json_array_get(busy, (size_t)info.processor)));
        sum += info.busy;
    }
    if (busy != NULL) {
        ck_assert_double_eq(sum, json_number_value(json_object_get(one, "core_time")));
        ck_assert_double_eq(s->speedup * s->elapsed, sum);
    }
}

START_TEST(goldens)
{
    json_t *golden = unit_golden("schedule");
    const json_t *one;
    size_t i;
    int asked = 0;
    json_array_foreach(json_object_get(golden, "cases"), i, one)
    {
        if (json_is_string(json_object_get(one, "links")) || json_object_get(one, "modules_s"))
            continue; /* data, speed */
        inlay_app *app = app_of_case(one);
        inlay_machine *machine = NULL;
        inlay_mapping *mapping = NULL;
        inlay_diag *diag = inlay_diag_new();
        inlay_id module[MOST], processor[MOST];
        inlay_task_schedule schedule = {0, module, processor, true, NULL};
        read_lists(app, json_object_get(one, "lists"), &schedule);
        const char *hosts = json_object_get(one, "cores_of_host") != NULL ? "bus:4,capacity=1B/tick,memory=common"
                                                                          : "bus:4,capacity=1B/tick";
        ck_assert_int_eq(inlay_machine_parse(hosts, &machine, NULL), INLAY_OK);
        int status = inlay_evaluate_schedule(app, machine, &schedule, NULL, &mapping, diag);
        const char *refused = json_string_value(json_object_get(one, "refused"));
        ck_assert_int_eq(status, refused != NULL ? INLAY_BAD_ARGUMENT : INLAY_OK);
        if (refused != NULL) {
            expect_cycle(inlay_diag_message(diag), refused);
        } else {
            inlay_simulation *simulation = NULL;
            const char *name;
            const json_t *start;
            ck_assert_int_eq(inlay_simulate(mapping, &(inlay_simulation_options){.record = true}, &simulation, diag),
                             INLAY_OK);
            ck_assert_double_eq(inlay_simulation_result(simulation)->makespan,
                                json_number_value(json_object_get(one, "elapsed")));
            ck_assert_double_eq(inlay_mapping_summary(mapping)->estimate,
                                json_number_value(json_object_get(one, "elapsed")));
            json_object_foreach((json_t *)json_object_get(one, "starts"), name, start)
            {
                inlay_id at = inlay_app_find_module(app, name);
                ck_assert_double_eq(inlay_simulation_start(simulation, at), json_number_value(start));
                ck_assert_double_eq(inlay_mapping_start(mapping, at), json_number_value(start));
            }
            compare_busy(mapping, one);
            inlay_simulation_free(simulation);
        }
        asked++;
        inlay_diag_free(diag);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_ge(asked, 6);
    json_decref(golden);
}
END_TEST

/* ---- Random orders ---- */

/** A random question: an application, a bus, and where its modules are. */
typedef struct question {
    uint64_t state;
    inlay_app *app;
    inlay_machine *machine;
    inlay_id modules, processor_of[MOST];
} question;

static void ask(question *q, int seed)
{
    random_times times;
    q->state = (uint64_t)seed;
    q->modules = 2 + (inlay_id)random_below(&q->state, MOST - 1);
    q->app = random_app(&q->state, q->modules,
                        (unsigned)random_next(&q->state) & ~(unsigned)RANDOM_PINS & RANDOM_EVERYTHING, &times);
    ck_assert_int_eq(inlay_machine_parse("bus:4", &q->machine, NULL), INLAY_OK);
    for (inlay_id i = 0; i < q->modules; i++)
        q->processor_of[i] = (inlay_id)random_below(&q->state, 4);
}

static void end(question *q)
{
    inlay_machine_free(q->machine);
    inlay_app_free(q->app);
}

/** Whether every module can be taken at last: those at the front of their lists whose predecessors are taken. */
static bool can_run(const question *q, const inlay_id *order)
{
    bool taken[MOST] = {false};
    for (inlay_id round = 0; round < q->modules; round++) {
        for (inlay_id k = 0; k < q->modules; k++) {
            bool free_to_run = !taken[order[k]];
            for (inlay_id j = 0; j < k; j++)
                free_to_run &= taken[order[j]] || q->processor_of[order[j]] != q->processor_of[order[k]];
            for (inlay_id i = 0; i < q->modules; i++) {
                inlay_links out = inlay_app_out(q->app, i);
                for (int64_t l = 0; l < out.count; l++)
                    free_to_run &= taken[i] || out.module[l] != order[k] || (out.flags[l] & INLAY_LINK_TRAFFIC_ONLY);
            }
            taken[order[k]] |= free_to_run;
        }
    }
    for (inlay_id i = 0; i < q->modules; i++)
        if (!taken[i]) return false;
    return true;
}

/** Almost one that can be run. */
static void draw_order(question *q, inlay_id *order)
{
    random_topological(&q->state, q->app, order);
    for (int64_t swaps = random_below(&q->state, 4); swaps > 0; swaps--) {
        inlay_id a = (inlay_id)random_below(&q->state, q->modules), b = (inlay_id)random_below(&q->state, q->modules);
        inlay_id kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
}

START_TEST(orders_run_or_are_refused)
{
    int ran = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        question q;
        inlay_id order[MOST], at[MOST] = {0};
        inlay_mapping *mapping = NULL;
        ask(&q, seed);
        draw_order(&q, order);
        inlay_id entry[MOST];
        const inlay_task_schedule schedule = ordered_schedule(q.modules, q.processor_of, order, entry);
        int status = inlay_evaluate_schedule(q.app, q.machine, &schedule, NULL, &mapping, NULL);
        ck_assert_msg(status == (can_run(&q, order) ? INLAY_OK : INLAY_BAD_ARGUMENT), "seed %d: %s", seed,
                      inlay_status_text(status));
        for (inlay_id k = 0; status == INLAY_OK && k < q.modules; k++) {
            inlay_id c = inlay_mapping_cluster_of(mapping, order[k]);
            ck_assert_int_eq(inlay_mapping_cluster(mapping, c).module[at[c]++], order[k]);
        }
        ran += status == INLAY_OK;
        inlay_mapping_free(mapping);
        end(&q);
    }
    ck_assert(ran > SEEDS / 4 && ran < SEEDS * 3 / 4);
}
END_TEST

/** The longest sum of times to an exit, where messages are free and modules wait for the end of others. */
static int64_t way_to_exit(const inlay_app *app, inlay_id i)
{
    int64_t most = 0;
    inlay_links out = inlay_app_out(app, i);
    for (int64_t l = 0; l < out.count; l++) {
        int64_t way = out.flags[l] & INLAY_LINK_TRAFFIC_ONLY ? 0 : way_to_exit(app, out.module[l]);
        most = way > most ? way : most;
    }
    return inlay_app_time(app, i) + most;
}

START_TEST(bottom_levels_fall)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        question q;
        inlay_id order[MOST];
        inlay_mapping *mapping = NULL;
        const inlay_options options = {.order = INLAY_ORDER_BOTTOM_LEVEL, .start = INLAY_START_FINISH};
        ask(&q, seed);
        random_topological(&q.state, q.app, order);
        inlay_id entry[MOST];
        const inlay_task_schedule schedule =
            ordered_schedule(q.modules, q.processor_of, order, entry); /* which the rule overrides */
        ck_assert_int_eq(inlay_evaluate_schedule(q.app, q.machine, &schedule, &options, &mapping, NULL), INLAY_OK);
        ck_assert(!inlay_mapping_summary(mapping)->order_given);
        for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
            inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
            for (inlay_id k = 1; k < info.modules; k++)
                ck_assert_int_ge(way_to_exit(q.app, info.module[k - 1]), way_to_exit(q.app, info.module[k]));
        }
        inlay_mapping_free(mapping);
        end(&q);
    }
}
END_TEST

/* ---- Files ---- */

/** Exchanges two modules of a list in the file; false where no list has two. */
static bool exchange(question *q)
{
    json_t *root = subject_load();
    const json_t *clusters = json_object_get(root, "clusters");
    json_t *list = json_object_get(
        json_array_get(clusters, (size_t)random_below(&q->state, (int64_t)json_array_size(clusters))), "modules");
    bool two = json_array_size(list) > 1;
    if (two) {
        size_t at = (size_t)random_below(&q->state, (int64_t)json_array_size(list) - 1);
        json_t *first = json_incref(json_array_get(list, at));
        json_array_set(list, at, json_array_get(list, at + 1));
        json_array_set_new(list, at + 1, first);
    }
    subject_save(root);
    return two;
}

/** Whether the mapping in the file, read back, has the same lists, the same estimate and simulated time. */
static void read_back(const inlay_mapping *mapping)
{
    inlay_loaded loaded = {0};
    const inlay_summary *before = inlay_mapping_summary(mapping);
    ck_assert_int_eq(inlay_mapping_read(subject_mapping(), NULL, &loaded, NULL), INLAY_OK);
    const inlay_summary *now = inlay_mapping_summary(loaded.mapping);
    ck_assert_double_eq(now->estimate, before->estimate);
    for (inlay_id c = 0; c < before->clusters; c++) {
        inlay_cluster_info x = inlay_mapping_cluster(mapping, c), y = inlay_mapping_cluster(loaded.mapping, c);
        ck_assert_int_eq(x.modules, y.modules);
        ck_assert_mem_eq(x.module, y.module, (size_t)x.modules * sizeof *x.module);
    }
    inlay_loaded_clear(&loaded);
}

START_TEST(files_keep_the_order)
{
    int altered = 0, found = 0;
    for (int seed = 1; seed <= SEEDS / 3; seed++) {
        question q;
        inlay_app *app = NULL;
        inlay_id order[MOST];
        inlay_mapping *mapping = NULL;
        ask(&q, seed);
        ck_assert_int_eq(inlay_app_write(q.app, subject_app(), "dot", NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_read(subject_app(), NULL, &app, NULL), INLAY_OK);
        random_topological(&q.state, q.app, order); /* modules are numbered as before */
        inlay_id entry[MOST];
        const inlay_task_schedule schedule = ordered_schedule(q.modules, q.processor_of, order, entry);
        const inlay_origin origin = {.command = "evaluate", .app_path = subject_app()};
        ck_assert_int_eq(inlay_evaluate_schedule(app, q.machine, &schedule, NULL, &mapping, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
        subject_findings(NULL, true, "as it was written");
        read_back(mapping);
        double estimate = inlay_mapping_summary(mapping)->estimate;
        if (exchange(&q)) {
            inlay_loaded loaded = {0};
            int status = inlay_mapping_read(subject_mapping(), NULL, &loaded, NULL);
            bool same = status == INLAY_OK &&
                        fabs(inlay_mapping_summary(loaded.mapping)->estimate - estimate) <= 1e-12 * estimate;
            size_t findings = subject_findings(NULL, false, "with two modules exchanged");
            ck_assert_msg(findings > 0 || same, "seed %d: nothing is found, status %d", seed, status);
            altered++;
            found += findings > 0;
            inlay_loaded_clear(&loaded);
        }
        inlay_mapping_free(mapping);
        inlay_app_free(app);
        end(&q);
    }
    ck_assert(altered > SEEDS / 6 && found > altered / 4);
}
END_TEST

Suite *suite_schedule(void)
{
    Suite *suite = suite_create("schedule");
    TCase *orders = tcase_create("orders"), *files = tcase_create("files");
    tcase_add_checked_fixture(files, subject_set_up, subject_tear_down);
    tcase_add_test(orders, goldens);
    tcase_add_test(orders, orders_run_or_are_refused);
    tcase_add_test(orders, bottom_levels_fall);
    tcase_add_test(files, files_keep_the_order);
    suite_add_tcase(suite, orders);
    suite_add_tcase(suite, files);
    return suite;
}
