/*
 * The run. Every processor is an actor, and every message is carried by a courier: an actor that waits until the message
 * is due, sends it from host to host and tells who waits for it. A courier that is done carries the next message that
 * somebody has, so that there are never more of them than messages under way; and SimGrid knows no activity before it
 * begins, for it is slow where many wait.
 *
 * All actors run in turn on one thread: what they share needs no locks. An actor that suspends itself goes to sleep after
 * all actors that can run have had their turn, and in the order of turns; so it is woken up by whoever comes later.
 */
#include "run.h"
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct run run;

/* The actor of one processor. */
typedef struct worker {
    run *run;
    sg_actor_t actor;
    sg_host_t host;
    inlay_id cluster;
    bool asleep;
} worker;

/* The actor that carries messages, one after the other. */
typedef struct courier {
    run *run;
    sg_actor_t actor;
    const simgrid_message *message;
    struct courier *next;  /* of those that are free */
    struct courier *older; /* of all */
} courier;

struct run {
    const job *job;
    worker *worker;
    int32_t *awaited; /* of each module, messages that are not there yet */
    courier *free, *all;
    int64_t open;     /* processors that have modules left, and messages that are not there */
    sg_actor_t watch; /* SimGrid ends with it */
    bool watching;
    bool no_memory;
    run_result *result;
};

/* ---- Ends ---- */

static void close_one(run *r)
{
    if (--r->open == 0) {
        r->result->makespan = simgrid_get_clock();
        if (r->watching) {
            sg_actor_resume(r->watch);
        }
    }
}

static void watch_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    run *r = sg_actor_self_get_data();
    if (r->open > 0) {
        r->watching = true;
        sg_actor_suspend(sg_actor_self());
    }
}

/* ---- Messages ---- */

static void deliver(run *r, const simgrid_message *m)
{
    r->result->processor[m->to].received += m->messages;
    for (int64_t k = m->first_waiting; k < m->first_waiting + m->waiting; k++) {
        inlay_id module = r->job->waiting[k];
        worker *w = &r->worker[inlay_mapping_cluster_of(r->job->mapping, module)];
        if (--r->awaited[module] == 0 && w->asleep) {
            w->asleep = false;
            sg_actor_resume(w->actor);
        }
    }
    close_one(r);
}

static void carry(const courier *c)
{
    const simgrid_message *m = c->message;
    const worker *team = c->run->worker;
    if (m->lag > 0) {
        sg_actor_sleep_for(m->lag);
    }
    if (m->travels) {
        sg_host_sendto(team[m->from].host, team[m->to].host, m->bytes);
    }
    if (m->delay > 0) {
        sg_actor_sleep_for(m->delay);
    }
    deliver(c->run, m);
}

/* Carries until SimGrid ends, which kills it. */
static void courier_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    courier *c = sg_actor_self_get_data();
    for (;;) {
        carry(c);
        c->next = c->run->free;
        c->run->free = c;
        sg_actor_suspend(c->actor);
    }
}

/* A new courier sets out with a message. */
static bool hire(run *r, const simgrid_message *m)
{
    courier *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return false;
    }
    *c = (courier){.run = r, .message = m, .older = r->all};
    r->all = c;
    c->actor = sg_actor_init("courier", r->worker[m->from].host);
    sg_actor_set_data(c->actor, c);
    sg_actor_daemonize(c->actor);
    sg_actor_start_(c->actor, courier_main, 0, NULL);
    return true;
}

static void send_message(run *r, const simgrid_message *m)
{
    r->result->processor[m->from].sent += m->messages;
    r->open++;
    courier *c = r->free;
    if (!m->travels && m->lag <= 0 && m->delay <= 0) {
        deliver(r, m);
    } else if (c != NULL) {
        r->free = c->next;
        c->message = m;
        sg_actor_resume(c->actor);
    } else if (!hire(r, m)) {
        r->no_memory = true; /* the run goes to its end, which nobody will see */
        deliver(r, m);
    }
}

/* Those of a module that are due from its start on, or those that are due at its end. */
static void send_messages(run *r, inlay_id module, bool at_end)
{
    const job *j = r->job;
    for (int64_t k = j->begin[module]; k < j->begin[module + 1]; k++) {
        if ((j->message[k].lag < 0) == at_end) {
            send_message(r, &j->message[k]);
        }
    }
}

/* ---- Modules ---- */

static void run_module(worker *w, inlay_id module)
{
    run *r = w->run;
    double seconds = r->job->seconds[module];
    while (r->awaited[module] > 0) {
        w->asleep = true;
        sg_actor_suspend(w->actor);
    }
    double start = simgrid_get_clock();
    send_messages(r, module, false);
    if (seconds > 0) {
        sg_actor_execute(seconds * sg_host_get_speed(w->host));
    }
    r->result->processor[w->cluster].busy += simgrid_get_clock() - start;
    send_messages(r, module, true);
}

static void worker_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    worker *w = sg_actor_self_get_data();
    inlay_cluster_info info = inlay_mapping_cluster(w->run->job->mapping, w->cluster);
    for (inlay_id k = 0; k < info.modules; k++) {
        run_module(w, info.module[k]);
    }
    w->run->result->last_module = fmax(w->run->result->last_module, simgrid_get_clock());
    close_one(w->run);
}

/* ---- The engine ---- */

char *simgrid_version(char text[SIMGRID_VERSION_TEXT])
{
    int major, minor, patch;
    sg_version_get(&major, &minor, &patch);
    (void)snprintf(text, SIMGRID_VERSION_TEXT, patch > 0 ? "%d.%d.%d" : "%d.%d", major, minor, patch);
    return text;
}

/*
 * Actors have stacks without guards between them, of which a system has a limited number. The address sanitizer, which
 * would see an overflow, knows the stacks of threads alone.
 */
#ifdef __SANITIZE_ADDRESS__
#define STACKS "--cfg=contexts/factory:thread"
#else
#define STACKS "--cfg=contexts/guard-size:0"
#endif

const char *simgrid_model(const inlay_machine *machine)
{
    const inlay_sharing *sharing = inlay_machine_sharing(machine);
    return sharing != NULL && strcmp(sharing->name, "lv08") == 0 ? "LV08" : "CM02";
}

/*
 * CM02 is the model in which a message takes its links' latencies and its size over its share of the narrowest link;
 * without the two options it would also count acknowledgements and TCP's window, as LV08, SimGrid's default, does. Stacks
 * are small, for there may be many couriers.
 */
static void start_engine(const char *name, double seconds)
{
    enum { PRECISION_TEXT = 64 };
    bool own = strcmp(name, "LV08") == 0;
    char precision[PRECISION_TEXT];
    (void)snprintf(precision, sizeof precision, "--cfg=surf/precision:%g", seconds > 0 ? seconds * 1e-12 : 1e-12);
    char model[PRECISION_TEXT];
    (void)snprintf(model, sizeof model, "--cfg=network/model:%s", name);
    char program[] = "inlay-simgrid", cross[] = "--cfg=network/crosstraffic:0", window[] = "--cfg=network/TCP-gamma:0",
         all_cross[] = "--cfg=network/crosstraffic:1", own_window[] = "--cfg=network/TCP-gamma:4194304",
         size[] = "--cfg=contexts/stack-size:64", stacks[] = STACKS, log[] = "--log=root.thresh:error";
    char *words[] = {program, model, own ? all_cross : cross, own ? own_window : window, size, stacks, precision,
                     log,     NULL};
    int count = sizeof words / sizeof *words - 1;
    simgrid_init(&count, words);
}

static int make_workers(run *r, char missing[INLAY_MACHINE_NAME])
{
    const inlay_machine *machine = inlay_mapping_machine(r->job->mapping);
    for (inlay_id c = 0; c < r->job->clusters; c++) {
        (void)platform_host(machine, r->job->host[c], missing);
        r->worker[c] = (worker){.run = r, .cluster = c, .host = sg_host_by_name(missing)};
        if (r->worker[c].host == NULL) {
            return INLAY_BAD_INPUT;
        }
    }
    return INLAY_OK;
}

static sg_actor_t start_actor(const char *name, sg_host_t host, xbt_main_func_t code, void *data)
{
    sg_actor_t actor = sg_actor_init(name, host);
    sg_actor_set_data(actor, data);
    sg_actor_start_(actor, code, 0, NULL);
    return actor;
}

double simgrid_processor_time(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void run_all(run *r)
{
    r->open = r->job->clusters;
    r->watch = start_actor("watch", r->worker[0].host, watch_main, r);
    for (inlay_id c = 0; c < r->job->clusters; c++) {
        r->worker[c].actor = start_actor("processor", r->worker[c].host, worker_main, &r->worker[c]);
    }
    double start = simgrid_processor_time();
    simgrid_run();
    r->result->processor_seconds = simgrid_processor_time() - start;
}

static void clear(run *r)
{
    while (r->all != NULL) {
        courier *c = r->all;
        r->all = c->older;
        free(c);
    }
    free(r->worker);
    free(r->awaited);
}

int simgrid_run_job(const job *j, folder *where, double seconds, run_result *result, char missing[INLAY_MACHINE_NAME])
{
    run_result filled = {.processor = calloc((size_t)j->clusters + 1, sizeof *filled.processor)};
    run r = {.job = j,
             .result = &filled,
             .worker = calloc((size_t)j->clusters + 1, sizeof *r.worker),
             .awaited = calloc((size_t)j->modules + 1, sizeof *r.awaited)};
    int status = INLAY_NO_MEMORY;
    if (filled.processor != NULL && r.worker != NULL && r.awaited != NULL) {
        for (inlay_id i = 0; i < j->modules; i++) {
            r.awaited[i] = j->awaited[i];
        }
        start_engine(simgrid_model(inlay_mapping_machine(j->mapping)), seconds);
        char path[PATH_MAX];
        simgrid_load_platform(folder_file(where, PLATFORM_FILE, path));
        folder_remove(where);
        status = make_workers(&r, missing);
    }
    if (status == INLAY_OK) {
        run_all(&r);
        status = r.no_memory ? INLAY_NO_MEMORY : INLAY_OK;
    }
    clear(&r);
    if (status != INLAY_OK) {
        free(filled.processor);
        return status;
    }
    *result = filled;
    return INLAY_OK;
}
