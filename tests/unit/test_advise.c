/*
 * Advice against a slow one: every number of every machine mapped by inlay_map() alone, prices and energies added up here,
 * and the rule of docs/advise.md written out. Choice, front, least budget and deadline are the same.
 */
#include "drawn.h"
#include "random_app.h"
#include "unit.h"
#include "base/plain.h"

#include <stdarg.h>
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CASES = DRAWN_ADVISE, TYPES = 3, MACHINES = 2, OFFERS = TYPES + MACHINES, MOST = 4000, TEXT = 2000 };

static const inlay_advise_by objectives[] = {INLAY_ADVISE_USUAL,  INLAY_ADVISE_TIME,       INLAY_ADVISE_PRICE,
                                             INLAY_ADVISE_ENERGY, INLAY_ADVISE_EFFICIENCY, INLAY_ADVISE_KNEE};
enum { OBJECTIVES = sizeof objectives / sizeof *objectives, LIMITS = 4 };

/* ---- The question ---- */

/* A type as it stands in the catalogue, by which the slow one reckons. */
typedef struct slow_type {
    int cores, least, most;
    double price, per, billing, start_up, power;
} slow_type;

typedef struct question {
    int seed, apps;
    inlay_app *app[2];
    inlay_machine *machine[MACHINES];
    inlay_catalogue *catalogue;
    slow_type type[TYPES];
    double machine_price[MACHINES], machine_power[MACHINES];
    inlay_advise_input input[2 + OFFERS];
    inlay_advise_options options;
} question;

static const char *const path = "build/unit-advise.csv";

/* As a table has numbers, whatever the locale. */
static void __attribute__((format(printf, 2, 3))) say(FILE *file, const char *format, ...)
{
    char text[TEXT];
    va_list values;
    va_start(values, format);
    (void)plain_vprint(text, sizeof text, format, values);
    va_end(values);
    fputs(text, file);
}

static void write_catalogue(uint64_t *state, question *ask)
{
    static const double billings[] = {0, 1, 60, 3600}, pers[] = {3600, 60, 1};
    static const char *const per_names[] = {"1h", "min", "1s"};
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "# a comment\ncores,type,speed,price,per,billing,start_up,count_min,count_max,network_bandwidth,"
                  "network_latency,power,memory,time_error\r\n");
    for (int i = 0; i < TYPES; i++) {
        int per = (int)random_below(state, 3), billing = (int)random_below(state, 4);
        slow_type *t = &ask->type[i];
        t->cores = 1 + (int)random_below(state, 3);
        t->least = 1 + (int)random_below(state, 2);
        t->most = t->least + (int)random_below(state, 5);
        t->per = pers[per];
        t->price = (double)(1 + random_below(state, 40)) / 8 * t->per / 3600;
        t->billing = billings[billing];
        t->start_up = random_once_in(state, 2) ? 0 : (double)(1 + random_below(state, 30));
        t->power = (double)(50 + random_below(state, 300));
        say(file, "%d,type%d,%d,%.17g,%s,", t->cores, i, 1 + (int)random_below(state, 3), t->price, per_names[per]);
        if (t->billing > 0) {
            say(file, "%gs", t->billing);
        }
        say(file, ",%gs,%d,%d,%d00kB/s,%dms,%gW,64KiB,%s\r\n", t->start_up, t->least, t->most,
            1 + (int)random_below(state, 9), (int)random_below(state, 20), t->power,
            random_once_in(state, 2) ? "0.1" : "");
    }
    fclose(file);
}

static void open_question(question *ask, int seed)
{
    uint64_t state = (uint64_t)seed * 7919 + 3;
    inlay_diag *diag = inlay_diag_new();
    *ask = (question){.seed = seed, .apps = 1 + (seed % 3 == 0)};
    ask->options.mapping.effort.evaluations = seed % 8 == 0 ? 0 : -1; /* most without local search, which takes long */
    size_t n = 0;
    for (int a = 0; a < ask->apps; a++) {
        char text[TEXT];
        int modules = 2 + (int)random_below(&state, 9);
        size_t at = (size_t)snprintf(text, TEXT, "digraph g { graph [time_unit=s];");
        for (int i = 0; i < modules; i++) {
            at += (size_t)snprintf(text + at, TEXT - at, " m%d [time=%d];", i, 1 + (int)random_below(&state, 90));
            for (int j = 0; j < i; j++) {
                if (random_once_in(&state, 4)) {
                    at += (size_t)snprintf(text + at, TEXT - at, " m%d -> m%d [bytes=%d];", j, i,
                                           (int)random_below(&state, 900000));
                }
            }
        }
        snprintf(text + at, TEXT - at, " }");
        ck_assert_msg(inlay_app_read_memory(text, strlen(text), "g.dot", "dot", &ask->app[a], diag) == INLAY_OK, "%s",
                      inlay_diag_message(diag));
        ask->input[n++] = (inlay_advise_input){ask->app[a], NULL, NULL, "g", "g.dot"};
    }
    write_catalogue(&state, ask);
    ck_assert_msg(inlay_catalogue_read(path, &ask->catalogue, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_uint_eq(inlay_catalogue_types(ask->catalogue), TYPES);
    for (size_t i = 0; i < TYPES; i++) {
        const inlay_machine_type *type = inlay_catalogue_type(ask->catalogue, i);
        ask->input[n++] = (inlay_advise_input){NULL, NULL, type, type->name, path};
    }
    for (int i = 0; i < MACHINES; i++) {
        char text[200];
        ask->machine_price[i] = (double)(1 + random_below(&state, 40)) / 8;
        ask->machine_power[i] = (double)(50 + random_below(&state, 300));
        plain_print(text, sizeof text,
                    i == 0 ? "bus:%d,capacity=%dMB/s,price=%g,power=%g" : "mesh:2x%d,capacity=%dMB/s,price=%g,power=%g",
                    2 + (int)random_below(&state, 3), 1 + (int)random_below(&state, 5), ask->machine_price[i],
                    ask->machine_power[i]);
        ck_assert_int_eq(inlay_machine_parse(text, &ask->machine[i], NULL), INLAY_OK);
        const char *name = i == 0 ? "bus" : "mesh";
        ask->input[n++] = (inlay_advise_input){NULL, ask->machine[i], NULL, name, name};
    }
    inlay_diag_free(diag);
}

static void close_question(question *ask)
{
    for (int a = 0; a < ask->apps; a++) {
        inlay_app_free(ask->app[a]);
    }
    for (int i = 0; i < MACHINES; i++) {
        inlay_machine_free(ask->machine[i]);
    }
    inlay_catalogue_free(ask->catalogue);
    remove(path);
}

/* ---- The slow advice ---- */

typedef struct slow_point {
    int offer, count, second; /* second: hosts of the next type of a mixture */
    double time, price, energy, efficiency;
} slow_point;

typedef struct slow_advice {
    slow_point point[MOST];
    int points;
} slow_advice;

/* Hosts are paid for step by step. */
static double slow_price(const slow_type *t, int hosts, double seconds)
{
    double paid = seconds;
    if (t->billing > 0) {
        double steps = 0;
        while (steps * t->billing < seconds * (1 - 1e-12)) {
            steps++;
        }
        paid = steps * t->billing;
    }
    return hosts * t->price * (paid / t->per);
}

static bool slow_run(const question *ask, const inlay_machine *machine, inlay_id processors, slow_point *p,
                     double *busy, double *used)
{
    *busy = *used = 0;
    for (int a = 0; a < ask->apps; a++) {
        inlay_options options = ask->options.mapping;
        inlay_mapping *mapping = NULL;
        options.processors = processors;
        if (inlay_map(ask->app[a], machine, &options, &mapping, NULL) != INLAY_OK) {
            return false;
        }
        const inlay_summary *sum = inlay_mapping_summary(mapping);
        for (inlay_id c = 0; c < sum->clusters; c++) {
            *busy += inlay_mapping_cluster(mapping, c).busy;
        }
        *used += sum->clusters * sum->elapsed;
        p->time += sum->elapsed;
        inlay_mapping_free(mapping);
    }
    return true;
}

static void slow_add(slow_advice *to, const slow_point *p)
{
    ck_assert_int_lt(to->points, MOST);
    to->point[to->points++] = *p;
}

static void slow_add_types(const question *ask, slow_advice *to, int first, int hosts, int second, int more)
{
    const inlay_type_count part[] = {{inlay_catalogue_type(ask->catalogue, (size_t)first), hosts},
                                     {second < 0 ? NULL : inlay_catalogue_type(ask->catalogue, (size_t)second), more}};
    const slow_type *a = &ask->type[first], *b = second < 0 ? NULL : &ask->type[second];
    inlay_machine *machine = NULL;
    slow_point p = {.offer = first, .count = hosts, .second = more};
    double busy, used;
    ck_assert_int_eq(inlay_types_machine(part, second < 0 ? 1 : 2, &machine, NULL), INLAY_OK);
    int cores = hosts * a->cores + (b != NULL ? more * b->cores : 0);
    ck_assert_int_eq(inlay_machine_processors(machine), cores);
    if (slow_run(ask, machine, 0, &p, &busy, &used)) {
        double run = p.time;
        p.time += b != NULL && b->start_up > a->start_up ? b->start_up : a->start_up;
        p.price = slow_price(a, hosts, p.time) + (b != NULL ? slow_price(b, more, p.time) : 0);
        p.energy = p.time * (hosts * a->power + (b != NULL ? more * b->power : 0));
        p.efficiency = busy / (cores * run);
        slow_add(to, &p);
    }
    inlay_machine_free(machine);
}

static void slow_advise(const question *ask, slow_advice *to)
{
    int modules = 0;
    to->points = 0;
    for (int a = 0; a < ask->apps; a++) {
        int own = inlay_app_modules(ask->app[a]);
        modules = own > modules ? own : modules;
    }
    for (int t = 0; t < TYPES; t++) {
        for (int n = ask->type[t].least; n <= ask->type[t].most && n <= modules; n++) {
            slow_add_types(ask, to, t, n, -1, 0);
        }
    }
    for (int m = 0; m < MACHINES; m++) {
        for (int n = 1; n <= inlay_machine_processors(ask->machine[m]) && n <= modules; n++) {
            slow_point p = {.offer = TYPES + m, .count = n};
            double busy, used;
            if (slow_run(ask, ask->machine[m], n, &p, &busy, &used)) {
                p.price = used / 3600 * ask->machine_price[m];
                p.energy = used * ask->machine_power[m];
                p.efficiency = busy / used;
                slow_add(to, &p);
            }
        }
    }
}

static bool slow_meets(const question *ask, const slow_point *p)
{
    return (!ask->options.has_deadline || p->time <= ask->options.deadline) &&
           (!ask->options.has_budget || p->price <= ask->options.budget);
}

static double slow_objective(const question *ask, const slow_point *p)
{
    inlay_advise_by by = ask->options.by;
    if (by == INLAY_ADVISE_USUAL) {
        by = ask->options.has_deadline ? INLAY_ADVISE_PRICE
             : ask->options.has_budget ? INLAY_ADVISE_TIME
                                       : INLAY_ADVISE_KNEE;
    }
    return by == INLAY_ADVISE_TIME         ? p->time
           : by == INLAY_ADVISE_PRICE      ? p->price
           : by == INLAY_ADVISE_ENERGY     ? p->energy
           : by == INLAY_ADVISE_EFFICIENCY ? -p->efficiency
                                           : p->price * p->time;
}

/* Sums are rounded in another order here: what is nearer than that is equal. */
static int slow_order(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)) ? 0 : a < b ? -1 : 1;
}

static bool slow_better(const question *ask, const slow_point *p, const slow_point *q)
{
    int order = slow_order(slow_objective(ask, p), slow_objective(ask, q));
    order = order != 0 ? order : slow_order(p->time, q->time);
    order = order != 0 ? order : slow_order(p->price, q->price);
    order = order != 0 ? order
                       : (p->count + p->second > q->count + q->second) - (p->count + p->second < q->count + q->second);
    return order < 0;
}

static const slow_point *slow_choice(const question *ask, const slow_advice *of)
{
    const slow_point *choice = NULL;
    for (int i = 0; i < of->points; i++) {
        if (slow_meets(ask, &of->point[i]) && (choice == NULL || slow_better(ask, &of->point[i], choice))) {
            choice = &of->point[i];
        }
    }
    return choice;
}

/* ---- Both ---- */

static void same_point(const question *ask, const inlay_advise_point *p, const slow_point *q)
{
    ck_assert_msg((int)p->offer == q->offer && p->count[0] == q->count && p->count[1] == q->second,
                  "seed %d: %d of offer %d, expected %d of %d", ask->seed, p->count[0], (int)p->offer, q->count,
                  q->offer);
    ck_assert_double_eq_tol(p->time, q->time, 1e-9 * q->time);
    ck_assert_double_eq_tol(p->price, q->price, 1e-9 * q->price);
    ck_assert_double_eq_tol(p->energy, q->energy, 1e-9 * q->energy);
    ck_assert_double_eq_tol(p->efficiency, q->efficiency, 1e-9);
}

static bool is_beaten(const slow_advice *of, const slow_point *p)
{
    for (int i = 0; i < of->points; i++) {
        int time = slow_order(of->point[i].time, p->time), price = slow_order(of->point[i].price, p->price);
        if (time <= 0 && price <= 0 && time + price < 0) {
            return true;
        }
    }
    return false;
}

/* Every point is the slow one's, and every point that nothing beats is on the front, but for equal ones. */
static void same_front(const question *ask, const inlay_advice *advice, const slow_advice *slow)
{
    for (size_t i = 0; i < inlay_advice_points(advice); i++) {
        const inlay_advise_point *p = inlay_advice_point(advice, i);
        const slow_point *same = NULL;
        for (int k = 0; k < slow->points && same == NULL; k++) {
            const slow_point *q = &slow->point[k];
            same = q->offer == (int)p->offer && q->count == p->count[0] && q->second == p->count[1] ? q : NULL;
        }
        ck_assert_ptr_nonnull(same);
        same_point(ask, p, same);
        ck_assert(!p->front || !is_beaten(slow, same));
    }
    for (int k = 0; k < slow->points; k++) {
        bool found = is_beaten(slow, &slow->point[k]);
        for (size_t i = 0; i < inlay_advice_points(advice) && !found; i++) {
            const inlay_advise_point *p = inlay_advice_point(advice, i);
            found = p->front && slow_order(p->time, slow->point[k].time) == 0 &&
                    slow_order(p->price, slow->point[k].price) == 0;
        }
        ck_assert_msg(found, "seed %d: %d of offer %d is not on the front", ask->seed, slow->point[k].count,
                      slow->point[k].offer);
    }
}

/* Deadline and budget between those that the slow one found, and such that nothing meets them. */
static void set_limits(question *ask, const slow_advice *slow, int limits)
{
    const slow_point *p = &slow->point[ask->seed % slow->points];
    ask->options.has_deadline = (limits & 1) != 0;
    ask->options.has_budget = (limits & 2) != 0;
    ask->options.deadline = p->time * 1.01;
    ask->options.budget = p->price * (ask->seed % 4 == 3 ? 0.001 : 1.01);
}

static void same_least(const question *ask, const inlay_advice *advice, const slow_advice *slow)
{
    const inlay_advise_summary *s = inlay_advice_summary(advice);
    double budget = NAN, deadline = NAN;
    for (int k = 0; k < slow->points; k++) {
        const slow_point *p = &slow->point[k];
        budget = !ask->options.has_deadline || p->time <= ask->options.deadline ? fmin(budget, p->price) : budget;
        deadline = !ask->options.has_budget || p->price <= ask->options.budget ? fmin(deadline, p->time) : deadline;
    }
    ck_assert(isnan(budget) ? isnan(s->least_budget) : fabs(s->least_budget - budget) <= 1e-9 * budget);
    ck_assert(isnan(deadline) ? isnan(s->least_deadline) : fabs(s->least_deadline - deadline) <= 1e-9 * deadline);
}

/* What is told as a remedy works. */
static void remedy_works(question *ask, const inlay_advice *advice)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_advise_options options = ask->options;
    inlay_advice *again = NULL;
    const char *option;
    ck_assert_int_eq(inlay_advice_outcome(advice, diag), INLAY_NO_ANSWER);
    ck_assert_str_eq(inlay_diag_message(diag), inlay_advice_sentence(advice));
    ck_assert_uint_gt(inlay_diag_remedies(diag), 0);
    for (size_t i = 0; (option = inlay_diag_remedy_option_at(diag, i)) != NULL; i++) {
        const char *value = inlay_diag_remedy_value_at(diag, i);
        if (strcmp(option, "--deadline") == 0) {
            ck_assert_int_eq(inlay_seconds_parse(value, &options.deadline), INLAY_OK);
        } else {
            inlay_decimal budget;
            ck_assert_str_eq(option, "--budget");
            ck_assert_int_eq(inlay_decimal_parse(value, &budget), INLAY_OK);
            options.budget = inlay_decimal_double(budget);
        }
    }
    ck_assert_int_eq(inlay_advise(ask->input, (size_t)ask->apps + OFFERS, &options, &again, diag), INLAY_OK);
    ck_assert_msg(inlay_advice_summary(again)->choice != SIZE_MAX, "seed %d: %s", ask->seed,
                  inlay_advice_sentence(again));
    inlay_advice_free(again);
    inlay_diag_free(diag);
}

START_TEST(choice_is_that_of_trying_every_number)
{
    static slow_advice slow;
    question ask;
    int chosen = 0, refused = 0;
    open_question(&ask, _i);
    slow_advise(&ask, &slow);
    ck_assert_int_gt(slow.points, 0);
    /* a third of them each, others from seed to seed */
    for (int k = _i % 3; k < OBJECTIVES * LIMITS; k += 3) {
        inlay_advice *advice = NULL;
        inlay_diag *diag = inlay_diag_new();
        ask.options.by = objectives[k % OBJECTIVES];
        set_limits(&ask, &slow, k / OBJECTIVES);
        int status = inlay_advise(ask.input, (size_t)ask.apps + OFFERS, &ask.options, &advice, diag);
        ck_assert_msg(status == INLAY_OK, "seed %d: %s", _i, inlay_diag_message(diag));
        const slow_point *choice = slow_choice(&ask, &slow);
        size_t mine = inlay_advice_summary(advice)->choice;
        ck_assert_msg((choice == NULL) == (mine == SIZE_MAX), "seed %d, objective %d", _i, k);
        if (choice != NULL) {
            same_point(&ask, inlay_advice_point(advice, mine), choice);
            chosen++;
        } else {
            remedy_works(&ask, advice);
            refused++;
        }
        same_front(&ask, advice, &slow);
        same_least(&ask, advice, &slow);
        inlay_advice_free(advice);
        inlay_diag_free(diag);
    }
    ck_assert_int_gt(chosen, 0);
    ck_assert(_i % 4 != 3 || refused > 0);
    close_question(&ask);
}
END_TEST

START_TEST(mixtures_are_candidates_too)
{
    static slow_advice slow;
    question ask;
    size_t pair = OFFERS;
    open_question(&ask, _i);
    inlay_advice *advice = NULL;
    int modules = inlay_app_modules(ask.app[0]), offer = OFFERS;
    modules = ask.apps > 1 && inlay_app_modules(ask.app[1]) > modules ? inlay_app_modules(ask.app[1]) : modules;
    slow_advise(&ask, &slow);
    for (int a = 0; a < TYPES; a++) {
        for (int b = a + 1; b < TYPES; b++, offer++) {
            int first = slow.points;
            for (int n = ask.type[a].least; n <= ask.type[a].most; n++) {
                for (int m = ask.type[b].least; m <= ask.type[b].most && n + m <= modules; m++) {
                    slow_add_types(&ask, &slow, a, n, b, m);
                }
            }
            for (int i = first; i < slow.points; i++) {
                slow.point[i].offer = offer;
            }
        }
    }
    ask.options.mixtures = true;
    ask.options.by = INLAY_ADVISE_PRICE;
    set_limits(&ask, &slow, 1);
    ck_assert_int_eq(inlay_advise(ask.input, (size_t)ask.apps + OFFERS, &ask.options, &advice, NULL), INLAY_OK);
    ck_assert_uint_eq(inlay_advice_offers(advice), OFFERS + TYPES * (TYPES - 1) / 2);
    ck_assert_ptr_nonnull(inlay_advice_offer(advice, pair)->part[1]);
    same_point(&ask, inlay_advice_point(advice, inlay_advice_summary(advice)->choice), slow_choice(&ask, &slow));
    same_front(&ask, advice, &slow);
    inlay_advice_free(advice);
    close_question(&ask);
}
END_TEST

/* ---- By hand ---- */

/* Two modules of an hour beside each other. */
static inlay_advice *advice_of(const char *catalogue, const inlay_advise_options *options, inlay_app **app,
                               inlay_catalogue **types)
{
    static const char text[] = "digraph g { graph [time_unit=s]; a [time=3600]; b [time=3600]; }";
    inlay_advise_input input[8] = {{0}};
    inlay_advice *advice = NULL;
    inlay_diag *diag = inlay_diag_new();
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(catalogue, file);
    fclose(file);
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "g.dot", "dot", app, NULL), INLAY_OK);
    ck_assert_msg(inlay_catalogue_read(path, types, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    size_t count = inlay_catalogue_types(*types);
    input[0] = (inlay_advise_input){*app, NULL, NULL, "g", "g.dot"};
    for (size_t i = 0; i < count; i++) {
        const inlay_machine_type *type = inlay_catalogue_type(*types, i);
        input[i + 1] = (inlay_advise_input){NULL, NULL, type, type->name, path};
    }
    ck_assert_msg(inlay_advise(input, count + 1, options, &advice, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    remove(path);
    inlay_diag_free(diag);
    return advice;
}

static void expect_sentence(const char *catalogue, const inlay_advise_options *options, const char *sentence,
                            const char *doubt)
{
    inlay_app *app = NULL;
    inlay_catalogue *types = NULL;
    inlay_advice *advice = advice_of(catalogue, options, &app, &types);
    ck_assert_str_eq(inlay_advice_sentence(advice), sentence);
    if (doubt == NULL) {
        ck_assert_ptr_null(inlay_advice_doubt(advice));
    } else {
        ck_assert_ptr_nonnull(inlay_advice_doubt(advice));
        ck_assert_msg(strstr(inlay_advice_doubt(advice), doubt) != NULL, "%s", inlay_advice_doubt(advice));
    }
    inlay_advice_free(advice);
    inlay_catalogue_free(types);
    inlay_app_free(app);
}

START_TEST(sentences)
{
    static const char types[] = "type,cores,price,count_max,billing,start_up,currency,network_bandwidth\n"
                                "one,1,0.5,2,1h,6min,EUR,1GB/s\n";
    const char *doubt = "how sure this is cannot be told";
    inlay_advise_options o = {.has_deadline = true, .deadline = 7200};
    expect_sentence(
        types, &o,
        "2 of one at 1.00 EUR/h: 66 min with 6 min of start-up, 2.00 EUR; the deadline of 2 h is met with 54 "
        "min to spare; 1 would miss it",
        doubt);
    o = (inlay_advise_options){.has_budget = true, .budget = 1.5};
    expect_sentence(
        types, &o,
        "1 of one at 0.50 EUR/h: 2.1 h with 6 min of start-up, 1.50 EUR; of the budget of 1.50 EUR 0.00 EUR "
        "is left",
        doubt);
    o = (inlay_advise_options){.has_deadline = true, .deadline = 3600};
    expect_sentence(
        types, &o,
        "nothing meets the deadline of 1 h; the fastest is 2 of one: 66 min with 6 min of start-up, 2.00 EUR", NULL);
    o = (inlay_advise_options){.has_budget = true, .budget = 0.25};
    expect_sentence(types, &o,
                    "nothing is within the budget of 0.25 EUR; the cheapest is 1 of one: 2.1 h with 6 min of start-up, "
                    "1.50 EUR",
                    NULL);
    o = (inlay_advise_options){.has_deadline = true, .deadline = 7200, .has_budget = true, .budget = 1.75};
    expect_sentence(
        types, &o,
        "nothing meets the deadline of 2 h within the budget of 1.75 EUR; the deadline takes a budget of 2.00 "
        "EUR, and the budget a deadline of 2.1 h",
        NULL);
}
END_TEST

/* A rival whose interval reaches what the choice's does, and one that is sure; deadlines within the interval. */
START_TEST(what_cannot_be_told)
{
    inlay_app *app = NULL;
    inlay_catalogue *types = NULL;
    inlay_advise_options o = {.by = INLAY_ADVISE_TIME};
    inlay_advice *advice = advice_of(
        "type,cores,speed,price,time_error\nsure,2,1.0,1,\nwide,2,1.05,1,0.1\nslow,2,0.2,1,\n", &o, &app, &types);
    const inlay_advise_summary *s = inlay_advice_summary(advice);
    const inlay_advise_point *choice = inlay_advice_point(advice, s->choice);
    ck_assert_uint_eq(choice->offer, 1);
    ck_assert(choice->low < choice->time && choice->time < choice->high && choice->high > 3600);
    ck_assert_uint_eq(s->rivals, 1);
    ck_assert_ptr_nonnull(strstr(inlay_advice_doubt(advice), "1 of sure"));
    ck_assert_ptr_null(strstr(inlay_advice_doubt(advice), "slow"));
    ck_assert_int_eq(inlay_advice_offer(advice, 2)->verdict, INLAY_VERDICT_BEATEN); /* without having been mapped */
    ck_assert_uint_eq(inlay_advice_offer(advice, 2)->mapped, 0);
    double high = choice->high;
    inlay_advice_free(advice);
    inlay_app_free(app);
    inlay_catalogue_free(types);

    o = (inlay_advise_options){.has_deadline = true, .deadline = high - 1};
    advice = advice_of("type,cores,speed,price,time_error\nwide,2,1.05,1,0.1\n", &o, &app, &types);
    ck_assert(inlay_advice_summary(advice)->may_be_missed);
    ck_assert_ptr_nonnull(strstr(inlay_advice_sentence(advice), "but may be missed"));
    inlay_advice_free(advice);
    inlay_app_free(app);
    inlay_catalogue_free(types);

    o.deadline = high + 1;
    advice = advice_of("type,cores,speed,price,time_error\nwide,2,1.05,1,0.1\n", &o, &app, &types);
    ck_assert(!inlay_advice_summary(advice)->may_be_missed);
    ck_assert_ptr_null(strstr(inlay_advice_sentence(advice), "but may be missed"));
    ck_assert_ptr_null(inlay_advice_doubt(advice));
    inlay_advice_free(advice);
    inlay_app_free(app);
    inlay_catalogue_free(types);
}
END_TEST

START_TEST(verdicts)
{
    static const char catalogue[] = "type,cores,speed,memory,price,count_min,count_max,network_bandwidth\n"
                                    "good,1,1,,1,1,2,1GB/s\n"
                                    "slow,1,0.1,,0.05,1,2,1GB/s\n"
                                    "dear,2,1,,9,1,1,1GB/s\n"
                                    "free,2,1,,,1,1,1GB/s\n"
                                    "bulk,1,1,,1,4,8,1GB/s\n";
    static const inlay_advise_verdict expected[] = {INLAY_VERDICT_CHOICE, INLAY_VERDICT_DEADLINE, INLAY_VERDICT_BUDGET,
                                                    INLAY_VERDICT_NO_PRICE, INLAY_VERDICT_NO_COUNT};
    inlay_app *app = NULL;
    inlay_catalogue *types = NULL;
    inlay_advise_options o = {.has_deadline = true, .deadline = 7100, .has_budget = true, .budget = 3, .to = 3};
    o.from = 1;
    inlay_advice *advice = advice_of(catalogue, &o, &app, &types);
    for (size_t i = 0; i < inlay_advice_offers(advice); i++) {
        const inlay_advise_offer *offer = inlay_advice_offer(advice, i);
        ck_assert_msg(offer->verdict == expected[i] || (i > 0 && offer->verdict == INLAY_VERDICT_BEATEN), "%s: %s",
                      offer->part[0]->name, inlay_advise_verdict_name(offer->verdict));
        ck_assert((*offer->why == '\0') == (offer->verdict == INLAY_VERDICT_CHOICE));
    }
    ck_assert_int_eq(inlay_advice_offer(advice, 0)->verdict, INLAY_VERDICT_CHOICE);
    ck_assert_int_eq(inlay_advice_offer(advice, 1)->verdict, INLAY_VERDICT_DEADLINE);
    ck_assert_int_eq(inlay_advice_offer(advice, 4)->verdict, INLAY_VERDICT_NO_COUNT);
    inlay_advice_free(advice);
    inlay_app_free(app);
    inlay_catalogue_free(types);
}
END_TEST

START_TEST(times_of_people)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"1h", 3600}, {"90min", 5400}, {"1.5 h", 5400}, {"2d", 172800},
                {"3 s", 3},   {"20us", 2e-5},  {"0min", 0}};
    static const char *const bad[] = {"", "h", "5", "1 tick", "-1h", "nan", "1h2", "inf min", "1e400h", "min", "1 hh"};
    double seconds = -1;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_int_eq(inlay_seconds_parse(good[i].text, &seconds), INLAY_OK);
        ck_assert_double_eq_tol(seconds, good[i].seconds, 1e-12 * (1 + good[i].seconds));
    }
    seconds = -1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(inlay_seconds_parse(bad[i], &seconds) == INLAY_BAD_INPUT, "'%s' is %g", bad[i], seconds);
    }
    ck_assert_double_eq(seconds, -1);
    double length;
    ck_assert_str_eq(inlay_seconds_unit(3600, &length), "h");
    ck_assert_str_eq(inlay_seconds_unit(3601, &length), "min");
    ck_assert_double_eq(length, 60);
    ck_assert_str_eq(inlay_seconds_unit(90, &length), "s");
    ck_assert_str_eq(inlay_seconds_unit(0, &length), "s");
    ck_assert_str_eq(inlay_seconds_unit(0.5, &length), "ms");
    ck_assert_str_eq(inlay_seconds_unit(1.5, &length), "s");
    ck_assert_str_eq(inlay_seconds_unit(1e-9, &length), "us");
    ck_assert_str_eq(inlay_seconds_unit(172800, &length), "d");
}
END_TEST

START_TEST(wrong_questions)
{
    static const inlay_advise_options wrong[] = {{.has_deadline = true},
                                                 {.has_deadline = true, .deadline = NAN},
                                                 {.has_budget = true, .budget = -1},
                                                 {.from = 3, .to = 2},
                                                 {.by = (inlay_advise_by)9},
                                                 {.by = INLAY_ADVISE_ENERGY},
                                                 {.has_budget = true, .budget = 1},
                                                 {.by = INLAY_ADVISE_PRICE}};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_advice *advice = NULL;
    ck_assert_int_eq(inlay_app_read("graphs/workflow.json", NULL, &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse("bus:4,capacity=1GB/s", &machine, NULL), INLAY_OK);
    const inlay_advise_input inputs[] = {{app, NULL, NULL, "w", "w"}, {NULL, machine, NULL, "bus:4", "bus:4"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        inlay_diag *diag = inlay_diag_new();
        ck_assert_msg(inlay_advise(inputs, 2, &wrong[i], &advice, diag) == INLAY_BAD_ARGUMENT, "%zu", i);
        ck_assert_str_ne(inlay_diag_message(diag), "");
        ck_assert_ptr_null(advice);
        inlay_diag_free(diag);
    }
    ck_assert_int_eq(inlay_advise(inputs, 1, NULL, &advice, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_advise(inputs + 1, 1, NULL, &advice, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_advise(inputs, 2, NULL, &advice, NULL), INLAY_OK);
    ck_assert(!inlay_advice_summary(advice)->priced);
    inlay_advice_free(advice);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_advise(void)
{
    Suite *suite = suite_create("advise");
    TCase *tests = tcase_create("advise");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, choice_is_that_of_trying_every_number, 0, CASES);
    tcase_add_loop_test(tests, mixtures_are_candidates_too, 0, 6);
    tcase_add_test(tests, sentences);
    tcase_add_test(tests, what_cannot_be_told);
    tcase_add_test(tests, verdicts);
    tcase_add_test(tests, times_of_people);
    tcase_add_test(tests, wrong_questions);
    suite_add_tcase(suite, tests);
    return suite;
}
