/*
 * A recorded simulation in the trace event format of Chrome, as JSON: Perfetto and chrome://tracing show it.
 *
 *   process 1  processors      a thread a processor, a slice a module
 *   process 2  messages        a thread a sending processor, a slice from the request of a message to its end in the
 *                              network; a counter of the messages that wait for their first service
 *   process 3  critical path   a slice a piece
 *
 * A flow leads from the module that sends to the message, and on to the module that waits for it. Slices of one thread
 * never overlap: times are rounded before lengths are taken, and where messages of one processor go at the same time
 * (without contention) they are asynchronous events. The format: "Trace Event Format", Google.
 */
#include "base/diag.h"
#include "base/text.h"
#include "io/trace/trace.h"
#include <inlay/inlay.h>
#include <math.h>

enum { PROCESSORS = 1, MESSAGES = 2, PATH = 3 };

/* Perfetto counts in nanoseconds; three more places keep what other readers can show. */
enum { MOST_PLACES = 6 };

typedef struct trace {
    const inlay_simulation *simulation;
    const inlay_mapping *mapping;
    const inlay_app *app;
    line_writer *w;
    const inlay_simulated_message *messages;
    size_t message_count;
    double microseconds; /* in one unit of the application */
    double factor;       /* stamps in one unit: 10^places stamps are a microsecond */
    int places;
    int64_t clusters;
    text_buffer name, quoted;
    bool begun;    /* the first event is written */
    bool together; /* messages of one processor overlap */
} trace;

/* ---- Times ---- */

/* A tick without a length counts as a microsecond. */
static double microseconds_of(const inlay_mapping *mapping)
{
    double tick = inlay_mapping_summary(mapping)->options.tick_seconds;
    double seconds = inlay_unit_seconds(inlay_app_unit(inlay_mapping_app(mapping)));
    return seconds > 0 ? seconds * 1e6 : (tick > 0 ? tick * 1e6 : 1);
}

/* The more places the better, up to where a double would not hold the last stamp. */
static void choose_places(trace *t)
{
    static const double exact = 9007199254740992; /* 2^53 */
    double end = inlay_simulation_recorded_makespan(t->simulation) * t->microseconds;
    t->places = MOST_PLACES;
    while (t->places > 0 && end * pow(10, t->places) >= exact) {
        t->places--;
    }
    t->factor = t->microseconds * pow(10, t->places);
}

static int64_t stamp(const trace *t, double time)
{
    return llround(time * t->factor);
}

/* ---- Events ---- */

static void begin_event(trace *t, const char *phase, int process, int64_t thread)
{
    line_text(t->w, t->begun ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    line_text(t->w, phase);
    line_text(t->w, "\",\"pid\":");
    line_number(t->w, process, ',');
    line_text(t->w, "\"tid\":");
    line_number(t->w, thread, ',');
    t->begun = true;
}

static void put_stamp(const trace *t, const char *key, int64_t value, char behind)
{
    line_text(t->w, key);
    trace_fixed(t->w, value, t->places, behind);
}

static void put_span(const trace *t, double from, double to)
{
    int64_t begin = stamp(t, from);
    put_stamp(t, "\"ts\":", begin, ',');
    put_stamp(t, "\"dur\":", stamp(t, to) - begin, ',');
    line_text(t->w, "\"name\":");
}

/* A name of a process or a thread, and its place among the others. */
static void put_metadata(trace *t, const char *kind, int process, int64_t thread, int64_t place)
{
    begin_event(t, "M", process, thread);
    line_text(t->w, "\"name\":\"");
    line_text(t->w, kind);
    line_text(t->w, "_name\",\"args\":{\"name\":");
    trace_quoted(t->w, &t->quoted, text_content(&t->name));
    line_text(t->w, "}}");
    begin_event(t, "M", process, thread);
    line_text(t->w, "\"name\":\"");
    line_text(t->w, kind);
    line_text(t->w, "_sort_index\",\"args\":{\"sort_index\":");
    line_number(t->w, place, '}');
    line_text(t->w, "}");
}

static void name_process(trace *t, int process, const char *name)
{
    t->name.size = 0;
    text_add(&t->name, name);
    put_metadata(t, "process", process, 0, process);
}

/* Threads have numbers of their own in the whole file, from 1: 0 means the idle thread to some readers. */
static int64_t processor_thread(inlay_id cluster)
{
    return (int64_t)cluster + 1;
}

static int64_t message_thread(const trace *t, inlay_id sender)
{
    return t->clusters + sender + 1;
}

static int64_t path_thread(const trace *t)
{
    return 2 * t->clusters + 1;
}

static void name_thread(trace *t, const char *words, int process, int64_t thread, int64_t number)
{
    t->name.size = 0;
    text_add(&t->name, words);
    if (number >= 0) {
        text_addf(&t->name, " %lld", (long long)number);
    }
    put_metadata(t, "thread", process, thread, number >= 0 ? number : 0);
}

static void put_names(trace *t)
{
    name_process(t, PROCESSORS, "processors");
    name_process(t, MESSAGES, "messages");
    name_process(t, PATH, "critical path");
    for (inlay_id c = 0; c < t->clusters; c++) {
        inlay_id processor = trace_processor(t->simulation, c);
        name_thread(t, "processor", PROCESSORS, processor_thread(c), processor);
        name_thread(t, "from processor", MESSAGES, message_thread(t, c), processor);
    }
    name_thread(t, "critical path", PATH, path_thread(t), -1);
}

/* ---- What happens ---- */

static void put_modules(trace *t)
{
    for (inlay_id i = 0; i < inlay_app_modules(t->app); i++) {
        begin_event(t, "X", PROCESSORS, processor_thread(inlay_mapping_cluster_of(t->mapping, i)));
        put_span(t, inlay_simulation_start(t->simulation, i), inlay_simulation_end(t->simulation, i));
        trace_quoted(t->w, &t->quoted, inlay_app_module_name(t->app, i));
        line_text(t->w, "}");
    }
}

static void put_message_name(trace *t, const inlay_simulated_message *message)
{
    trace_message_name(&t->name, t->app, message);
    trace_quoted(t->w, &t->quoted, text_content(&t->name));
}

static void put_message_facts(trace *t, const inlay_simulated_message *message)
{
    put_message_name(t, message);
    line_text(t->w, ",\"args\":{\"to processor\":");
    line_number(t->w, trace_processor(t->simulation, message->receiver), ',');
    line_text(t->w, "\"messages\":");
    line_number(t->w, message->messages, ',');
    if (message->memory >= 0) {
        line_text(t->w, "\"memory\":");
        line_number(t->w, message->memory, ',');
    }
    put_stamp(t, "\"due\":", stamp(t, message->due), ',');
    put_stamp(t, "\"begin\":", stamp(t, message->begin), ',');
    put_stamp(t, "\"arrival\":", stamp(t, message->arrival), '}');
    line_text(t->w, "}");
}

static void begin_asynchronous(trace *t, const char *phase, size_t id, double time)
{
    begin_event(t, phase, MESSAGES, message_thread(t, t->messages[id].sender));
    line_text(t->w, "\"cat\":\"message\",\"id\":");
    line_number(t->w, (int64_t)id, ',');
    put_stamp(t, "\"ts\":", stamp(t, time), ',');
    line_text(t->w, "\"name\":");
}

static void put_message(trace *t, size_t id)
{
    const inlay_simulated_message *message = &t->messages[id];
    if (!t->together) {
        begin_event(t, "X", MESSAGES, message_thread(t, message->sender));
        put_span(t, message->request, message->sent);
        put_message_facts(t, message);
        return;
    }
    begin_asynchronous(t, "b", id, message->request);
    put_message_facts(t, message);
    begin_asynchronous(t, "e", id, message->sent);
    put_message_name(t, message);
    line_text(t->w, "}");
}

static void put_flow_end(trace *t, const char *phase, int process, int64_t thread, double time, size_t id)
{
    begin_event(t, phase, process, thread);
    line_text(t->w, "\"cat\":\"message\",\"name\":\"message\",\"id\":");
    line_number(t->w, (int64_t)id, ',');
    put_stamp(t, "\"ts\":", stamp(t, time), ',');
    line_text(t->w, "\"bp\":\"e\"}");
}

/*
 * From inside the sending module (its very end is outside of its slice) through the slice of the message to the start of
 * the module that waits for it.
 */
static void put_flow(trace *t, size_t id)
{
    const inlay_simulated_message *message = &t->messages[id];
    double start = inlay_simulation_start(t->simulation, message->from);
    put_flow_end(t, "s", PROCESSORS, processor_thread(message->sender), start + (message->due - start) / 2, id);
    if (!t->together) {
        put_flow_end(t, "t", MESSAGES, message_thread(t, message->sender), message->request, id);
    }
    put_flow_end(t, "f", PROCESSORS, processor_thread(message->receiver),
                 inlay_simulation_start(t->simulation, message->to), id);
}

static void put_messages(trace *t)
{
    for (size_t i = 0; i < t->message_count; i++) {
        put_message(t, i);
        if (t->messages[i].awaited) {
            put_flow(t, i);
        }
    }
}

/* One that is served at once changes nothing. */
static bool put_queue(trace *t)
{
    trace_walk walk;
    trace_event event;
    int64_t waiting = 0;
    trace_walk_open(&walk, t->simulation);
    while (trace_walk_next(&walk, &event)) {
        bool of_message = event.kind == TRACE_REQUEST || event.kind == TRACE_BEGIN;
        if (of_message && t->messages[event.index].begin > t->messages[event.index].request) {
            waiting += event.kind == TRACE_REQUEST ? 1 : -1;
            begin_event(t, "C", MESSAGES, message_thread(t, 0));
            put_stamp(t, "\"ts\":", stamp(t, event.time), ',');
            line_text(t->w, "\"name\":\"waiting\",\"args\":{\"messages\":");
            line_number(t->w, waiting, '}');
            line_text(t->w, "}");
        }
    }
    bool whole = !walk.failed;
    trace_walk_close(&walk);
    return whole;
}

static void put_path(trace *t)
{
    size_t count;
    const inlay_step *steps = inlay_simulation_path(t->simulation, &count);
    for (size_t i = 0; i < count; i++) {
        begin_event(t, "X", PATH, path_thread(t));
        put_span(t, steps[i].from, steps[i].to);
        if (steps[i].module >= 0) {
            trace_quoted(t->w, &t->quoted, inlay_app_module_name(t->app, steps[i].module));
        } else {
            put_message_name(t, &t->messages[steps[i].message]);
        }
        line_text(t->w, ",\"args\":{\"is\":\"");
        line_text(t->w, inlay_step_name(steps[i].kind));
        line_text(t->w, "\"}}");
    }
}

/* ---- The whole ---- */

static void put_origin(trace *t)
{
    line_text(t->w, "\n],\n\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"inlay\":\"");
    line_text(t->w, inlay_version());
    line_text(t->w, "\",\"application\":");
    trace_quoted(t->w, &t->quoted, inlay_app_name(t->app));
    line_text(t->w, ",\"machine\":");
    trace_quoted(t->w, &t->quoted, inlay_machine_text(inlay_mapping_machine(t->mapping)));
    line_text(t->w, ",\"time_unit\":\"");
    line_text(t->w, inlay_unit_name(inlay_app_unit(t->app)));
    line_text(t->w, "\",\"microseconds_per_unit\":\"");
    trace_number(t->w, t->microseconds, '"');
    line_text(t->w, "}}\n");
}

static bool put_trace(const inlay_simulation *simulation, line_writer *w)
{
    trace t = {.simulation = simulation, .mapping = inlay_simulation_mapping(simulation), .w = w};
    t.app = inlay_mapping_app(t.mapping);
    t.clusters = inlay_mapping_summary(t.mapping)->clusters;
    t.microseconds = microseconds_of(t.mapping);
    t.messages = inlay_simulation_messages(simulation, &t.message_count);
    t.together = inlay_simulation_chosen(simulation)->contention == INLAY_CONTENTION_NONE;
    choose_places(&t);
    line_text(w, "{\"traceEvents\":[");
    put_names(&t);
    put_modules(&t);
    put_messages(&t);
    bool whole = put_queue(&t);
    put_path(&t);
    put_origin(&t);
    whole = whole && !t.name.failed && !t.quoted.failed;
    text_clear(&t.name);
    text_clear(&t.quoted);
    return whole;
}

int inlay_simulation_write_trace(const inlay_simulation *simulation, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const double largest = 9e18; /* what 64 bits count, nearly */
    double end = inlay_simulation_recorded_makespan(simulation) * microseconds_of(inlay_simulation_mapping(simulation));
    if (end > largest) {
        return diag_fail(diag, INLAY_OVERFLOW, "a trace of %g microseconds; expected at most %g", end, largest);
    }
    return trace_write(simulation, put_trace, path, diag);
}
