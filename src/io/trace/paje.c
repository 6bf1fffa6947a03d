/*
 * A recorded simulation in Paje's trace format, which ViTE shows: a container a processor with the modules as its
 * states, a link a message from its request to its arrival, and a variable that counts the messages that wait for their
 * first service. Times are in the application's unit, in rising order.
 *
 * The format: B. de Oliveira Stein, J. Chassin de Kergommeaux, G. Mounie, "Paje trace file format". The field names are
 * those that ViTE reads.
 */
#include "base/diag.h"
#include "io/trace/trace.h"
#include <inlay/io.h>

/* The numbers of the definitions below. */
enum {
    DEFINE_CONTAINER,
    DEFINE_STATE,
    DEFINE_LINK,
    DEFINE_VARIABLE,
    DEFINE_VALUE,
    CREATE,
    DESTROY,
    SET_STATE,
    SET_VARIABLE,
    START_LINK,
    END_LINK
};

static const char definitions[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineLinkType 2\n% Alias string\n% Type string\n% StartContainerType string\n"
    "% EndContainerType string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineVariableType 3\n% Alias string\n% Type string\n% Name string\n% Color color\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 4\n% Alias string\n% Type string\n% Name string\n% Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 5\n% Time date\n% Alias string\n% Type string\n% Container string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDestroyContainer 6\n% Time date\n% Name string\n% Type string\n%EndEventDef\n"
    "%EventDef PajeSetState 7\n% Time date\n% Type string\n% Container string\n% Value string\n% Module string\n"
    "%EndEventDef\n"
    "%EventDef PajeSetVariable 8\n% Time date\n% Type string\n% Container string\n% Value double\n%EndEventDef\n"
    "%EventDef PajeStartLink 9\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "% StartContainer string\n% Key string\n%EndEventDef\n"
    "%EventDef PajeEndLink 10\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "% EndContainer string\n% Key string\n%EndEventDef\n";

/* Types: M machine, P processor, S what it does, N messages, W how many wait. Values: c compute, w wait, m message. */
static const char types[] = "0 M 0 machine\n0 P M processor\n1 S P state\n2 N M P P message\n"
                            "3 W M waiting \"0.90 0.62 0.00\"\n4 c S compute \"0.00 0.45 0.70\"\n"
                            "4 w S wait \"0.92 0.92 0.92\"\n4 m N message \"0.42 0.42 0.42\"\n";

typedef struct paje {
    const inlay_simulation *simulation;
    const inlay_mapping *mapping;
    const inlay_app *app;
    line_writer *w;
    const inlay_simulated_message *messages;
    int64_t waiting;
} paje;

/* In quotes; the format has no escapes. */
static void put_name(line_writer *w, const char *text)
{
    line_text(w, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        bool control = (unsigned char)*c < ' ' || *c == 127;
        line_bytes(w, control ? "?" : (*c == '"' ? "'" : c), 1);
    }
    line_text(w, "\"");
}

/* The head of every event, up to its time. */
static void put_head(const paje *p, int event, double time)
{
    line_number(p->w, event, ' ');
    trace_number(p->w, time, ' ');
}

static void put_container(const paje *p, inlay_id cluster, char behind)
{
    line_text(p->w, "p");
    line_number(p->w, cluster, behind);
}

/* ---- Containers ---- */

static void put_state(const paje *p, double time, inlay_id cluster, const char *value, const char *module)
{
    put_head(p, SET_STATE, time);
    line_text(p->w, "S ");
    put_container(p, cluster, ' ');
    line_text(p->w, value);
    line_text(p->w, " ");
    put_name(p->w, module);
    line_text(p->w, "\n");
}

static void create_containers(const paje *p)
{
    put_head(p, CREATE, 0);
    line_text(p->w, "m M 0 ");
    put_name(p->w, inlay_machine_text(inlay_mapping_machine(p->mapping)));
    line_text(p->w, "\n");
    for (inlay_id c = 0; c < inlay_mapping_summary(p->mapping)->clusters; c++) {
        put_head(p, CREATE, 0);
        put_container(p, c, ' ');
        line_text(p->w, "P m \"processor ");
        line_number(p->w, trace_processor(p->simulation, c), '"');
        line_text(p->w, "\n");
        put_state(p, 0, c, "w", "");
    }
}

static void destroy_containers(const paje *p)
{
    double end = inlay_simulation_recorded_makespan(p->simulation);
    for (inlay_id c = 0; c < inlay_mapping_summary(p->mapping)->clusters; c++) {
        put_head(p, DESTROY, end);
        put_container(p, c, ' ');
        line_text(p->w, "P\n");
    }
    put_head(p, DESTROY, end);
    line_text(p->w, "m M\n");
}

/* ---- Events ---- */

/* The two ends of a link are found by its key. */
static void put_link(const paje *p, const trace_event *event)
{
    const inlay_simulated_message *message = &p->messages[event->index];
    bool starts = event->kind == TRACE_REQUEST;
    put_head(p, starts ? START_LINK : END_LINK, event->time);
    line_text(p->w, "N m m ");
    put_container(p, starts ? message->sender : message->receiver, ' ');
    line_number(p->w, event->index, '\n');
}

/* One that is served at once changes nothing. */
static void put_waiting(paje *p, const trace_event *event)
{
    const inlay_simulated_message *message = &p->messages[event->index];
    if (message->begin > message->request) {
        p->waiting += event->kind == TRACE_REQUEST ? 1 : -1;
        put_head(p, SET_VARIABLE, event->time);
        line_text(p->w, "W m ");
        line_number(p->w, p->waiting, '\n');
    }
}

/* Whether the next module of its processor starts as this one ends. */
static bool is_followed(const paje *p, const trace_walk *walk, const trace_event *end)
{
    inlay_id cluster = inlay_mapping_cluster_of(p->mapping, (inlay_id)end->index);
    inlay_id last = inlay_mapping_cluster(p->mapping, cluster).module[walk->taken[cluster] - 1];
    return last != end->index && !(inlay_simulation_start(p->simulation, last) > end->time);
}

static void put_event(paje *p, const trace_walk *walk, const trace_event *event)
{
    inlay_id module = (inlay_id)event->index; /* of START and END */
    switch (event->kind) {
    case TRACE_START:
        put_state(p, event->time, inlay_mapping_cluster_of(p->mapping, module), "c",
                  inlay_app_module_name(p->app, module));
        break;
    case TRACE_END:
        if (!is_followed(p, walk, event)) {
            put_state(p, event->time, inlay_mapping_cluster_of(p->mapping, module), "w", "");
        }
        break;
    case TRACE_REQUEST:
        put_link(p, event);
        put_waiting(p, event);
        break;
    case TRACE_BEGIN: put_waiting(p, event); break;
    case TRACE_ARRIVAL: put_link(p, event); break;
    }
}

/* ---- The whole ---- */

static bool put_paje(const inlay_simulation *simulation, line_writer *w)
{
    paje p = {.simulation = simulation, .mapping = inlay_simulation_mapping(simulation), .w = w};
    trace_walk walk;
    trace_event event;
    size_t count;
    p.app = inlay_mapping_app(p.mapping);
    p.messages = inlay_simulation_messages(simulation, &count);
    line_text(w, definitions);
    line_text(w, types);
    create_containers(&p);
    trace_walk_open(&walk, simulation);
    while (trace_walk_next(&walk, &event)) {
        put_event(&p, &walk, &event);
    }
    destroy_containers(&p);
    bool whole = !walk.failed;
    trace_walk_close(&walk);
    return whole;
}

int inlay_simulation_write_paje(const inlay_simulation *simulation, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return trace_write(simulation, put_paje, path, diag);
}
