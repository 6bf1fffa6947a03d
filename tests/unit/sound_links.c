/* What must hold of every run over links. */
#include "sound_links.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static void expect_whole_path(const inlay_simulation *run)
{
    size_t count;
    const inlay_step *step = inlay_simulation_path(run, &count);
    double at = 0;
    for (size_t i = 0; i < count; i++) {
        ck_assert_double_eq(step[i].from, at);
        ck_assert_double_lt(step[i].from, step[i].to);
        ck_assert_int_ne(step[i].kind, INLAY_STEP_WAIT); /* nobody waits with the processor */
        at = step[i].to;
    }
    ck_assert_double_eq(at, inlay_simulation_recorded_makespan(run));
}

/* A message counts until it has been sent; without overlap its processor waits for it to arrive. */
static double message_end(const inlay_simulation *run, const inlay_simulated_message *m)
{
    return inlay_simulation_chosen(run)->no_overlap ? m->arrival : m->sent;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether a cluster communicates at a time: it computes nothing, and has a message that is due and not there. */
static bool communicates_at(const inlay_simulation *run, inlay_id c, double time)
{
    size_t count;
    bool found = false;
    inlay_cluster_info info = inlay_mapping_cluster(inlay_simulation_mapping(run), c);
    const inlay_simulated_message *m = inlay_simulation_messages(run, &count);
    for (inlay_id k = 0; k < info.modules; k++)
        if (inlay_simulation_start(run, info.module[k]) < time && time < inlay_simulation_end(run, info.module[k]))
            return false;
    for (size_t i = 0; i < count; i++)
        found |= m[i].sender == c && m[i].request < time && time < message_end(run, &m[i]);
    return found;
}

/* Between any two times at which something happens it does one thing. */
static double communicating_time(const inlay_simulation *run, inlay_id c)
{
    size_t count, used = 0;
    inlay_cluster_info info = inlay_mapping_cluster(inlay_simulation_mapping(run), c);
    const inlay_simulated_message *m = inlay_simulation_messages(run, &count);
    double sum = 0, *time = calloc(2 * (count + (size_t)info.modules), sizeof *time);
    for (inlay_id k = 0; k < info.modules; k++) {
        time[used++] = inlay_simulation_start(run, info.module[k]);
        time[used++] = inlay_simulation_end(run, info.module[k]);
    }
    for (size_t i = 0; i < count; i++) {
        if (m[i].sender != c) continue;
        time[used++] = m[i].request;
        time[used++] = message_end(run, &m[i]);
    }
    qsort(time, used, sizeof *time, compare_times);
    for (size_t i = 1; i < used; i++)
        if (communicates_at(run, c, (time[i - 1] + time[i]) / 2)) sum += time[i] - time[i - 1];
    free(time);
    return sum;
}

/* When the processor of a module comes to it: the one before it has ended, and sent. */
static double comes_to(const inlay_simulation *run, inlay_id module)
{
    const inlay_mapping *mapping = inlay_simulation_mapping(run);
    inlay_cluster_info info = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, module));
    double time = 0;
    for (inlay_id k = 0; info.module[k] != module; k++)
        time = inlay_simulation_end(run, info.module[k]);
    return time;
}

static inlay_id host_of(const inlay_mapping *mapping, inlay_id cluster)
{
    return inlay_machine_host(inlay_mapping_machine(mapping), inlay_mapping_cluster(mapping, cluster).processor);
}

/* When the first of those that wait for a message has come; the message does not wait for that where it is short. */
static double first_comes(const inlay_simulation *run, const inlay_simulated_message *m)
{
    const inlay_mapping *mapping = inlay_simulation_mapping(run);
    if (m->datum < 0) return comes_to(run, m->to);
    inlay_datum d = inlay_app_datum(inlay_mapping_app(mapping), m->datum);
    double first = INFINITY;
    for (int64_t k = 0; k < d.consumers; k++) {
        inlay_id there = inlay_mapping_cluster_of(mapping, d.consumer[k]);
        if (host_of(mapping, there) == host_of(mapping, m->receiver)) first = fmin(first, comes_to(run, d.consumer[k]));
    }
    return first;
}

/* Nobody waits with its sender; all wait for their receivers, or those that are long. */
static void expect_request(const inlay_simulation *run, const inlay_simulated_message *m, double digits)
{
    const inlay_mapping *mapping = inlay_simulation_mapping(run);
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    bool awaited = m->awaited && host_of(mapping, m->sender) != host_of(mapping, m->receiver);
    int64_t above = inlay_machine_rendezvous_above(machine);
    bool sends = inlay_machine_send_overhead(machine)->count > 0; /* behind a module's end */
    bool all = above < 0 && awaited && !(m->datum >= 0 && inlay_machine_broadcasts_in_trees(machine));
    double meet = above < INT64_MAX && awaited ? fmax(m->due, first_comes(run, m)) : m->due;
    if (!sends && all) ck_assert_double_eq_tol(m->request, meet, digits);
    if (!sends && !all) ck_assert(m->request == m->due || fabs(m->request - meet) <= digits);
    if (sends) ck_assert_double_le(m->due, m->request);
    if (above == INT64_MAX) ck_assert_double_eq(m->request, m->due);
}

/* Shares of time add up, queues are no longer than they may be, messages are in order. */
static void expect_sound(const inlay_simulation *run)
{
    double makespan = inlay_simulation_result(run)->makespan, digits = 1e-9 * fmax(1, makespan);
    size_t count;
    const inlay_machine *machine = inlay_mapping_machine(inlay_simulation_mapping(run));
    const inlay_simulated_message *m = inlay_simulation_messages(run, &count);
    for (inlay_id c = 0; c < inlay_mapping_summary(inlay_simulation_mapping(run))->clusters; c++) {
        inlay_simulated_processor p = inlay_simulation_processor(run, c);
        ck_assert_double_eq_tol(p.busy + p.communicating + p.blocked + p.idle, makespan, digits);
        if (inlay_machine_send_overhead(machine)->count == 0 && inlay_machine_receive_overhead(machine)->count == 0)
            ck_assert_double_eq_tol(p.communicating, communicating_time(run, c), digits);
        ck_assert_double_ge(fmin(fmin(p.busy, p.communicating), fmin(p.blocked, p.idle)), -digits);
    }
    for (size_t i = 0; i < count; i++) {
        expect_request(run, &m[i], digits);
        ck_assert(m[i].request <= m[i].begin && m[i].begin <= m[i].sent);
        ck_assert(m[i].sent <= m[i].arrival && m[i].arrival <= makespan);
        ck_assert_double_le(m[i].service, m[i].sent - m[i].request + digits);
        ck_assert(i == 0 || m[i - 1].request <= m[i].request);
    }
    for (size_t i = 0; i < inlay_simulation_resources(run); i++) {
        inlay_resource r = inlay_simulation_resource(run, i);
        ck_assert_double_le(r.mean_queue, (double)r.largest_queue + digits);
    }
    expect_whole_path(run);
}

inlay_simulation *links_simulated(const inlay_mapping *mapping, inlay_simulation_options options)
{
    inlay_simulation *run = NULL;
    options.record = true;
    ck_assert_int_eq(inlay_simulate(mapping, &options, &run, NULL), INLAY_OK);
    expect_sound(run);
    return run;
}
