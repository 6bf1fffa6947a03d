/* What the modules of a mapping take and send. */
#include "job.h"
#include <stdlib.h>
#include <string.h>

void simgrid_job_clear(job *j)
{
    free(j->host);
    free(j->seconds);
    free(j->begin);
    free(j->message);
    free(j->waiting);
    free(j->awaited);
    *j = (job){0};
}

/* ---- What messages are ---- */

/* How the machine counts, and how long its time is. */
typedef struct job_scale {
    const inlay_app *app;
    const inlay_machine *machine;
    double seconds; /* in a unit of the application */
    double latency; /* of the machine, in seconds */
    bool bytes;     /* the capacity counts bytes */
    int64_t size;   /* bytes of a message, where it does not; 0: 1, and links are not cut into pieces */
    bool streamed;
    bool once;     /* data have names, and go once to each keeper */
    bool hosts;    /* who keeps copies: hosts, else clusters */
    int64_t *kept; /* of each keeper: the copy of the datum at hand, counted over all, or an earlier one */
} job_scale;

/* Messages of a link: pieces of the machine's size, where it counts messages. */
static int64_t pieces(const job_scale *s, int64_t messages, int64_t bytes)
{
    return !s->bytes && s->size > 0 && bytes > 0 ? bytes / s->size + (bytes % s->size != 0) : messages;
}

static double platform_bytes(const job_scale *s, int64_t messages, int64_t bytes)
{
    return s->bytes ? (double)bytes : (double)messages * (double)(s->size > 0 ? s->size : 1);
}

static void describe(const job *j, const job_scale *s, int64_t messages, int64_t bytes, simgrid_message *m)
{
    m->messages = pieces(s, messages, bytes);
    m->bytes = platform_bytes(s, m->messages, bytes);
    m->travels = m->messages > 0 && j->host[m->from] != j->host[m->to];
    m->delay = (double)(m->messages - m->travels) * s->latency;
}

/* ---- Links and reads ---- */

/* When a link is due, from the start of its producer; below 0: at its end. In seconds on a processor of that speed. */
static double link_lag(const job_scale *s, inlay_id from, inlay_id to, unsigned flags, double speed)
{
    if (!s->streamed || (flags & INLAY_LINK_TRAFFIC_ONLY) != 0) {
        return -1;
    }
    inlay_time wait = inlay_app_blocking(s->app, to) - inlay_app_blocking(s->app, from);
    return wait > 0 ? inlay_app_in_units(s->app, wait) * s->seconds / speed : 0;
}

/* A module waits for a message; the first time they are only counted. */
static void wait_for(job *j, simgrid_message *m, inlay_id module)
{
    m->first_waiting = m->waiting == 0 ? j->all_waiting : m->first_waiting;
    m->waiting++;
    if (j->waiting != NULL) {
        j->waiting[j->all_waiting] = module;
        j->awaited[module]++;
    }
    j->all_waiting++;
}

static double lag_of(const job *j, const job_scale *s, inlay_id from, inlay_id to, unsigned flags)
{
    inlay_id processor = inlay_mapping_cluster(j->mapping, inlay_mapping_cluster_of(j->mapping, from)).processor;
    double lag = link_lag(s, from, to, flags, inlay_machine_processor(s->machine, processor).speed);
    return lag >= j->seconds[from] ? -1 : lag;
}

static inlay_id keeper(const job *j, const job_scale *s, inlay_id cluster)
{
    return s->hosts ? j->host[cluster] : cluster;
}

/* The k-th link of a module, where its ends are on different processors: what is not data, where data are kept. */
static bool take_link(job *j, const job_scale *s, inlay_id module, const inlay_links *out, int64_t k,
                      simgrid_message *m)
{
    inlay_id to = out->module[k];
    bool waits = (out->flags[k] & INLAY_LINK_TRAFFIC_ONLY) == 0;
    *m = (simgrid_message){.from = inlay_mapping_cluster_of(j->mapping, module),
                           .to = inlay_mapping_cluster_of(j->mapping, to)};
    if (m->from == m->to) {
        return false;
    }
    bool own = s->once && waits && keeper(j, s, m->from) != keeper(j, s, m->to);
    int64_t messages = own ? out->own_messages[k] : out->messages[k];
    describe(j, s, messages < 0 ? 0 : messages, own ? out->own_bytes[k] : out->bytes[k], m);
    m->lag = lag_of(j, s, module, to, out->flags[k]);
    if (waits) {
        wait_for(j, m, to);
    }
    return waits || m->messages > 0;
}

/* A use of a block that lives with another processor. */
static bool take_read(const job *j, const job_scale *s, inlay_id block, const inlay_links *uses, int64_t k,
                      simgrid_message *m)
{
    *m = (simgrid_message){.from = inlay_mapping_home(j->mapping, block),
                           .to = inlay_mapping_cluster_of(j->mapping, uses->module[k])};
    if (m->from == m->to) {
        return false;
    }
    describe(j, s, uses->messages[k], uses->bytes[k], m);
    return m->messages > 0;
}

/* Puts a message where the module's next one stands; the first time they are only counted. */
static void put_message(job *j, inlay_id module, const simgrid_message *m)
{
    if (j->message == NULL) {
        j->begin[module + 1]++;
        return;
    }
    j->message[j->begin[module]++] = *m;
    j->transfers += m->messages;
}

/* The copies of a datum, one for each keeper of consumers that is not its producer's. */
static void take_datum(job *j, job_scale *s, inlay_id number)
{
    inlay_datum d = inlay_app_datum(s->app, number);
    inlay_id from = inlay_mapping_cluster_of(j->mapping, d.producer);
    s->kept[keeper(j, s, from)] = number;
    for (int64_t k = 0; k < d.consumers; k++) {
        simgrid_message m = {.from = from, .to = inlay_mapping_cluster_of(j->mapping, d.consumer[k])};
        inlay_id here = keeper(j, s, m.to);
        if (s->kept[here] == number) {
            continue;
        }
        s->kept[here] = number;
        describe(j, s, d.messages, d.bytes, &m);
        m.lag = -1;
        for (int64_t other = k; other < d.consumers; other++) {
            if (keeper(j, s, inlay_mapping_cluster_of(j->mapping, d.consumer[other])) == here) {
                double lag = lag_of(j, s, d.producer, d.consumer[other], 0);
                m.lag = m.waiting == 0 || (lag >= 0 && (m.lag < 0 || lag < m.lag)) ? lag : m.lag;
                wait_for(j, &m, d.consumer[other]);
            }
        }
        put_message(j, d.producer, &m);
    }
}

static void each_message(job *j, job_scale *s)
{
    simgrid_message m;
    j->all_waiting = 0;
    for (inlay_id d = 0; d < inlay_app_blocks(s->app); d++) {
        inlay_links uses = inlay_app_uses(s->app, d);
        for (int64_t k = 0; k < uses.count; k++) {
            if (take_read(j, s, d, &uses, k, &m)) {
                put_message(j, uses.module[k], &m);
            }
        }
    }
    for (inlay_id i = 0; i < j->modules; i++) {
        inlay_links out = inlay_app_out(s->app, i);
        for (int64_t k = 0; k < out.count; k++) {
            if (take_link(j, s, i, &out, k, &m)) {
                put_message(j, i, &m);
            }
        }
    }
    for (inlay_id k = 0; k < j->clusters + inlay_machine_processors(s->machine); k++) {
        s->kept[k] = -1;
    }
    for (inlay_id d = 0; s->once && d < inlay_app_data(s->app); d++) {
        take_datum(j, s, d);
    }
}

static int take_messages(job *j, job_scale *s)
{
    s->kept = calloc((size_t)j->clusters + (size_t)inlay_machine_processors(s->machine), sizeof *s->kept);
    if (s->kept == NULL) {
        return INLAY_NO_MEMORY;
    }
    each_message(j, s);
    for (inlay_id i = 0; i < j->modules; i++) {
        j->begin[i + 1] += j->begin[i];
    }
    j->message = calloc((size_t)j->begin[j->modules] + 1, sizeof *j->message);
    j->waiting = calloc((size_t)j->all_waiting + 1, sizeof *j->waiting);
    if (j->message == NULL || j->waiting == NULL) {
        return INLAY_NO_MEMORY;
    }
    each_message(j, s);
    memmove(j->begin + 1, j->begin, (size_t)j->modules * sizeof *j->begin); /* each stands at the next one's begin */
    j->begin[0] = 0;
    return INLAY_OK;
}

/* ---- Modules ---- */

/* Number of a processor's type among the application's; -1 where it gives no times for it. */
static int find_type(const inlay_app *app, const char *name)
{
    int found = -1;
    for (int t = 0; name != NULL && t < inlay_app_types(app); t++) {
        found = strcmp(inlay_app_type_name(app, t), name) == 0 ? t : found;
    }
    return found;
}

static void take_modules(job *j, const job_scale *s)
{
    for (inlay_id c = 0; c < j->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(j->mapping, c);
        inlay_processor what = inlay_machine_processor(s->machine, info.processor);
        int type = find_type(s->app, what.type);
        j->host[c] = inlay_machine_host(s->machine, info.processor);
        for (inlay_id k = 0; k < info.modules; k++) {
            inlay_id module = info.module[k];
            inlay_time own = type < 0 ? -1 : inlay_app_type_time(s->app, type, module);
            inlay_time time = own < 0 ? inlay_app_time(s->app, module) : own;
            j->seconds[module] = inlay_app_in_units(s->app, time) * s->seconds / what.speed;
        }
    }
}

int simgrid_job_make(const inlay_mapping *mapping, const inlay_machine *machine, double seconds, job *result)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    job_scale s = {.app = app,
                   .machine = machine,
                   .seconds = seconds,
                   .latency = summary->latency * seconds,
                   .bytes = summary->traffic_in_bytes,
                   .size = inlay_machine_message_size(inlay_mapping_machine(mapping)),
                   .streamed = summary->streamed,
                   .once = inlay_app_data(app) > 0 && summary->options.copies == INLAY_COPIES_ONCE,
                   .hosts = inlay_machine_has_links(machine)};
    job j = {.mapping = mapping, .clusters = summary->clusters, .modules = inlay_app_modules(app)};
    j.host = calloc((size_t)j.clusters + 1, sizeof *j.host);
    j.seconds = calloc((size_t)j.modules + 1, sizeof *j.seconds);
    j.begin = calloc((size_t)j.modules + 1, sizeof *j.begin);
    j.awaited = calloc((size_t)j.modules + 1, sizeof *j.awaited);
    int status = INLAY_NO_MEMORY;
    if (j.host != NULL && j.seconds != NULL && j.begin != NULL && j.awaited != NULL) {
        take_modules(&j, &s);
        status = take_messages(&j, &s);
        free(s.kept);
    }
    if (status != INLAY_OK) {
        simgrid_job_clear(&j);
        return status;
    }
    *result = j;
    return INLAY_OK;
}
