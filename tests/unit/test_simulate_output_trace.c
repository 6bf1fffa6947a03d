/* Recorded simulations in Chrome's trace format, read by jansson and held against the rules of Perfetto. */
#include "drawn.h"
#include "recorded.h"
#include "unit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_SIMULATE_TRACE };

enum { PROCESSORS = 1, MESSAGES = 2, PATH = 3, NAME = 200 };

/** An event as the file has it; ts and dur are 0 where its phase has none. */
typedef struct event {
    char phase;
    const char *name;
    int64_t process, thread, id;
    double ts, dur;
    double value; /* of a counter */
} event;

typedef struct trace {
    const recorded *of;
    char *text;
    json_t *json;
    event *events;
    size_t count, phases[128];
} trace;

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    ck_assert_msg(json_is_number(value), "no %s", key);
    return json_number_value(value);
}

static int64_t integer_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    ck_assert_msg(json_is_integer(value), "no %s", key);
    return json_integer_value(value);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    ck_assert_msg(text != NULL, "no %s", key);
    return text;
}

/** An event with all that its phase has to have. */
static event read_event(const json_t *object)
{
    const char *phase = text_of(object, "ph");
    ck_assert(strlen(phase) == 1 && strchr("XMCstfbe", *phase) != NULL);
    event e = {.phase = *phase, .name = text_of(object, "name")};
    e.process = integer_of(object, "pid");
    e.thread = integer_of(object, "tid");
    if (*phase != 'M') {
        e.ts = number_of(object, "ts");
    }
    if (*phase == 'X') {
        e.dur = number_of(object, "dur");
    }
    if (strchr("stfbe", *phase) != NULL) {
        ck_assert_str_eq(text_of(object, "cat"), "message");
        e.id = integer_of(object, "id");
    }
    if (*phase == 'C') {
        e.value = number_of(json_object_get(object, "args"), "messages");
    }
    ck_assert(e.ts >= 0 && e.dur >= 0 && e.value >= 0);
    return e;
}

static trace trace_of(const recorded *of)
{
    json_error_t error;
    trace t = {.of = of, .text = recorded_write(of, inlay_simulation_write_trace)};
    t.json = json_loads(t.text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(t.json != NULL, "line %d: %s", error.line, error.text);
    const json_t *events = json_object_get(t.json, "traceEvents");
    t.events = calloc(json_array_size(events), sizeof *t.events);
    ck_assert(json_is_array(events) && t.events != NULL);
    for (; t.count < json_array_size(events); t.count++) {
        t.events[t.count] = read_event(json_array_get(events, t.count));
        t.phases[(unsigned char)t.events[t.count].phase]++;
    }
    return t;
}

static void trace_clear(trace *t)
{
    free(t->events);
    json_decref(t->json);
    free(t->text);
}

static double end_of(const event *slice)
{
    return slice->ts + slice->dur;
}

/** Every process and thread of a slice has exactly one name. */
static void check_names(const trace *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const event *slice = &t->events[i];
        int processes = 0, threads = 0;
        for (size_t k = 0; k < t->count && slice->phase == 'X'; k++) {
            const event *other = &t->events[k];
            bool same = other->phase == 'M' && other->process == slice->process;
            processes += same && strcmp(other->name, "process_name") == 0;
            threads += same && other->thread == slice->thread && strcmp(other->name, "thread_name") == 0;
        }
        ck_assert(slice->phase != 'X' || (processes == 1 && threads == 1));
    }
}

/** Two slices of one thread do not overlap, or Perfetto could not show them. */
static void check_apart(const trace *t)
{
    static const double rounding = 1e-15; /* of sums of the decimals that were read, relative */
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = i + 1; k < t->count && t->events[i].phase == 'X'; k++) {
            const event *a = &t->events[i], *b = &t->events[k];
            if (b->phase == 'X' && a->thread == b->thread) {
                double slack = rounding * (end_of(a) + end_of(b));
                ck_assert(end_of(a) <= b->ts + slack || end_of(b) <= a->ts + slack);
            }
        }
    }
}

/** The only event of a phase with that id. */
static const event *find_id(const trace *t, char phase, size_t id)
{
    const event *found = NULL;
    for (size_t i = 0; i < t->count; i++) {
        if (t->events[i].phase == phase && t->events[i].id == (int64_t)id) {
            ck_assert_msg(found == NULL, "two %c of %zu", phase, id);
            found = &t->events[i];
        }
    }
    ck_assert_msg(found != NULL, "no %c of %zu", phase, id);
    return found;
}

/** Whether a slice of that name on a flow's thread holds it; one without length holds its own time. */
static bool lies_in(const trace *t, const event *flow, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < t->count && !found; i++) {
        const event *slice = &t->events[i];
        bool same = slice->phase == 'X' && slice->process == flow->process && slice->thread == flow->thread;
        bool holds = flow->ts >= slice->ts && (flow->ts < end_of(slice) || (slice->dur == 0 && flow->ts == slice->ts));
        found = same && holds && strcmp(slice->name, name) == 0;
    }
    return found;
}

static void message_name(const recorded *of, const inlay_simulated_message *m, char name[NAME])
{
    snprintf(name, NAME, "%s -> %s",
             m->from >= 0 ? inlay_app_module_name(of->app, m->from) : inlay_app_block_name(of->app, m->block),
             inlay_app_module_name(of->app, m->to));
}

/** Whether messages of one processor may overlap, so that they are no slices. */
static bool is_asynchronous(const trace *t)
{
    return inlay_simulation_chosen(t->of->simulation)->contention == INLAY_CONTENTION_NONE;
}

/** A flow for every message that a module waits for, from slice to slice, in the order of time. */
static void check_flows(const trace *t)
{
    bool slices = !is_asynchronous(t);
    size_t count, awaited = 0;
    const inlay_simulated_message *messages = inlay_simulation_messages(t->of->simulation, &count);
    char name[NAME];
    for (size_t i = 0; i < count; i++) {
        if (!messages[i].awaited) {
            continue;
        }
        const event *begin = find_id(t, 's', i), *end = find_id(t, 'f', i);
        const event *step = slices ? find_id(t, 't', i) : begin;
        awaited++;
        message_name(t->of, &messages[i], name);
        ck_assert(begin->ts <= step->ts && step->ts <= end->ts);
        ck_assert(lies_in(t, begin, inlay_app_module_name(t->of->app, messages[i].from)));
        ck_assert(!slices || lies_in(t, step, name));
        ck_assert(lies_in(t, end, inlay_app_module_name(t->of->app, messages[i].to)));
    }
    ck_assert_uint_eq(t->phases['s'], awaited);
    ck_assert_uint_eq(t->phases['t'], slices ? awaited : 0);
    ck_assert_uint_eq(t->phases['f'], awaited);
}

static double microseconds(const trace *t)
{
    double seconds = inlay_unit_seconds(inlay_app_unit(t->of->app));
    return seconds > 0 ? seconds * 1e6 : 1;
}

/** Stamps in a microsecond: six decimals, fewer where a double could not hold the last of them. */
static double stamps(const trace *t)
{
    double power = 1e6;
    while (power > 1 && inlay_simulation_recorded_makespan(t->of->simulation) * microseconds(t) * power >= 0x1p53) {
        power /= 10;
    }
    return power;
}

/** A slice of a process that has this name and these ends. */
static void expect_slice(const trace *t, int process, const char *name, double from, double to)
{
    double one = microseconds(t), stamp = 1 / stamps(t);
    bool found = false;
    for (size_t i = 0; i < t->count && !found; i++) {
        const event *slice = &t->events[i];
        found = slice->phase == 'X' && slice->process == process && fabs(slice->ts - from * one) <= stamp &&
                fabs(end_of(slice) - to * one) <= 2 * stamp && strcmp(slice->name, name) == 0;
    }
    ck_assert_msg(found, "no slice of %s from %g to %g in process %d", name, from, to, process);
}

/** The slice of a message, or its begin and its end. */
static void expect_message(const trace *t, const inlay_simulated_message *message, size_t id)
{
    char name[NAME];
    message_name(t->of, message, name);
    if (!is_asynchronous(t)) {
        expect_slice(t, MESSAGES, name, message->request, message->sent);
        return;
    }
    const event *begin = find_id(t, 'b', id), *end = find_id(t, 'e', id);
    ck_assert_str_eq(begin->name, name);
    ck_assert_str_eq(end->name, name);
    ck_assert_double_eq_tol(begin->ts, message->request * microseconds(t), 1 / stamps(t));
    ck_assert_double_eq_tol(end->ts, message->sent * microseconds(t), 1 / stamps(t));
}

/** Every module, every message and every piece of the critical path is there, and nothing else. */
static void check_slices(const trace *t)
{
    const inlay_simulation *simulation = t->of->simulation;
    inlay_id modules = inlay_app_modules(t->of->app);
    size_t count, step_count;
    const inlay_simulated_message *messages = inlay_simulation_messages(simulation, &count);
    const inlay_step *steps = inlay_simulation_path(simulation, &step_count);
    char name[NAME];
    for (inlay_id i = 0; i < modules; i++) {
        expect_slice(t, PROCESSORS, inlay_app_module_name(t->of->app, i), inlay_simulation_start(simulation, i),
                     inlay_simulation_end(simulation, i));
    }
    for (size_t i = 0; i < count; i++) {
        expect_message(t, &messages[i], i);
    }
    for (size_t i = 0; i < step_count; i++) {
        if (steps[i].module >= 0) {
            snprintf(name, sizeof name, "%s", inlay_app_module_name(t->of->app, steps[i].module));
        } else {
            message_name(t->of, &messages[steps[i].message], name);
        }
        expect_slice(t, PATH, name, steps[i].from, steps[i].to);
    }
    size_t pairs = is_asynchronous(t) ? count : 0;
    ck_assert_uint_eq(t->phases['X'], (size_t)modules + count + step_count - pairs);
    ck_assert_uint_eq(t->phases['b'], pairs);
    ck_assert_uint_eq(t->phases['e'], pairs);
}

/** How many messages wait, counted anew at each time at which the counter stands; gives how often it does. */
static size_t check_counter(const trace *t)
{
    size_t count, checked = 0;
    const inlay_simulated_message *messages = inlay_simulation_messages(t->of->simulation, &count);
    double power = stamps(t), factor = microseconds(t) * power, last = 0;
    for (size_t i = 0; i < t->count; i++) {
        const event *e = &t->events[i];
        if (e->phase != 'C' || (i + 1 < t->count && e[1].phase == 'C' && e[1].ts == e->ts)) {
            continue; /* of one time the last one holds */
        }
        ck_assert_double_ge(e->ts, last);
        last = e->ts;
        size_t waiting = 0;
        for (size_t m = 0; m < count; m++) {
            waiting += round(messages[m].request * factor) / power <= e->ts &&
                       e->ts < round(messages[m].begin * factor) / power;
        }
        ck_assert_double_eq(e->value, (double)waiting);
        checked++;
    }
    return checked;
}

START_TEST(traces_keep_perfettos_rules)
{
    size_t flows = 0, pairs = 0, counters = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        recorded of = record_random(seed);
        trace t = trace_of(&of);
        check_names(&t);
        check_apart(&t);
        check_slices(&t);
        check_flows(&t);
        counters += check_counter(&t);
        flows += t.phases['t'];
        pairs += t.phases['b'];
        trace_clear(&t);
        recorded_clear(&of);
    }
    ck_assert_msg(flows > 500 && pairs > 100 && counters > 200, "%zu %zu %zu", flows, pairs, counters);
}
END_TEST

START_TEST(traces_count_in_microseconds)
{
    static const struct {
        const char *unit, *end;
    } units[] = {
        {"s", "\"dur\":2500000,"}, {"ms", "\"dur\":2500,"}, {"ns", "\"dur\":0.0025,"}, {"tick", "\"dur\":2.5,"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char app[100];
        snprintf(app, sizeof app, "digraph { graph [time_unit=%s]; \"a \\\"b\\\"\" [time=2.5]; }", units[i].unit);
        recorded of = record(app, "bus:2", NULL);
        trace t = trace_of(&of);
        ck_assert_msg(strstr(t.text, units[i].end) != NULL, "%s", t.text);
        trace_clear(&t);
        recorded_clear(&of);
    }
}
END_TEST

Suite *suite_simulate_output_trace(void)
{
    Suite *suite = suite_create("simulate_output_trace");
    TCase *traces = tcase_create("traces");
    tcase_add_test(traces, traces_keep_perfettos_rules);
    tcase_add_test(traces, traces_count_in_microseconds);
    suite_add_tcase(suite, traces);
    return suite;
}
