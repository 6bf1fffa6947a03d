/* Messages over links: which flows there are, the links that each passes, and how long every link works for them. */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>

void check_links_clear(check_links *links)
{
    free(links->flow);
    free(links->route);
    free(links->alone);
    free(links->works);
}

/* ---- Flows ---- */

static void count_crossing(void *context, const check_crossing *of)
{
    (void)of;
    ++*(size_t *)context;
}

static void add_crossing(void *context, const check_crossing *of)
{
    check *k = context;
    int64_t traffic = check_traffic(k, of->messages, of->bytes);
    if (traffic == 0 && check_messages(k, of->messages, of->bytes) == 0) return;
    k->links.flow[k->links.flows++] = (check_flow){.from = of->from, .to = of->to, .traffic = traffic};
}

static int compare_flows(const void *a, const void *b)
{
    const check_flow *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* What goes from one cluster to another is one flow. */
static int gather_flows(check *k)
{
    check_links *links = &k->links;
    size_t crossings = 0, kept = 0;
    check_each_crossing(k, NULL, count_crossing, &crossings);
    links->flow = malloc((crossings + 1) * sizeof *links->flow);
    if (!links->flow) return INLAY_NO_MEMORY;
    check_each_crossing(k, NULL, add_crossing, k);
    qsort(links->flow, links->flows, sizeof *links->flow, compare_flows);
    for (size_t i = 0; i < links->flows; i++)
        if (kept > 0 && compare_flows(&links->flow[kept - 1], &links->flow[i]) == 0)
            links->flow[kept - 1].traffic = check_add(links->flow[kept - 1].traffic, links->flow[i].traffic);
        else
            links->flow[kept++] = links->flow[i];
    links->flows = kept;
    return INLAY_OK;
}

const check_flow *check_flow_of(const check *k, inlay_id from, inlay_id to)
{
    check_flow wanted = {.from = from, .to = to};
    return bsearch(&wanted, k->links.flow, k->links.flows, sizeof wanted, compare_flows);
}

/* ---- Routes ---- */

/* Behind the routes that are there already. */
static int append_route(check *k, inlay_id from, inlay_id to, size_t *used, size_t *room)
{
    check_links *links = &k->links;
    for (;;) {
        size_t left = *room - *used;
        inlay_id few = left < INT32_MAX ? (inlay_id)left : INT32_MAX;
        inlay_id length = inlay_machine_route(k->machine, from, to, links->route + *used, few);
        if (length < 0) return INLAY_NO_MEMORY;
        if ((size_t)length <= left) {
            *used += (size_t)length;
            return INLAY_OK;
        }
        size_t wanted = 2 * *room + (size_t)length;
        inlay_id *larger = realloc(links->route, wanted * sizeof *larger);
        if (!larger) return INLAY_NO_MEMORY;
        links->route = larger;
        *room = wanted;
    }
}

static int find_routes(check *k)
{
    check_links *links = &k->links;
    size_t used = 0, room = 64;
    links->route = malloc(room * sizeof *links->route);
    int status = links->route ? INLAY_OK : INLAY_NO_MEMORY;
    for (size_t f = 0; f < links->flows && status == INLAY_OK; f++) {
        check_flow *flow = &links->flow[f];
        flow->first = used;
        status = append_route(k, k->cluster[flow->from].processor, k->cluster[flow->to].processor, &used, &room);
        flow->end = used;
    }
    return status;
}

/* ---- Links ---- */

static void load_links(check *k)
{
    check_links *links = &k->links;
    for (size_t f = 0; f < links->flows; f++) {
        check_flow *flow = &links->flow[f];
        for (size_t at = flow->first; at < flow->end; at++) {
            inlay_id link = links->route[at];
            links->works[link] += (long double)flow->traffic * links->alone[link];
            flow->latency += (long double)inlay_machine_link_at(k->machine, link).latency * k->network.link_latency;
        }
    }
    for (inlay_id l = 0; l < inlay_machine_links(k->machine); l++)
        if (!inlay_machine_link_at(k->machine, l).parallel) links->busiest = fmaxl(links->busiest, links->works[l]);
}

int check_links_load(check *k)
{
    check_links *links = &k->links;
    size_t count = (size_t)inlay_machine_links(k->machine) + 1;
    links->alone = calloc(count, sizeof *links->alone);
    links->works = calloc(count, sizeof *links->works);
    int status = links->alone && links->works ? gather_flows(k) : INLAY_NO_MEMORY;
    if (status == INLAY_OK) status = find_routes(k);
    if (status != INLAY_OK) return status;
    links->narrowest = 0;
    for (inlay_id l = 0; l < inlay_machine_links(k->machine) && !k->network.free; l++) {
        links->alone[l] = k->network.link_time / inlay_machine_link_at(k->machine, l).capacity;
        links->narrowest = fmaxl(links->narrowest, links->alone[l]);
    }
    load_links(k);
    return INLAY_OK;
}

/* ---- Within a time frame ---- */

long double check_link_delay(const check *k, long double u)
{
    long double wait = u / (1 - u);
    return 1 + (inlay_machine_exponential(k->machine) ? wait : wait / 2);
}

/* One unit of a flow's traffic, over its links. */
static long double flow_tau(const check *k, const check_flow *flow, long double frame)
{
    const check_links *links = &k->links;
    long double served = 0, slowest = 0, waits = 0;
    for (size_t at = flow->first; at < flow->end; at++) {
        inlay_id link = links->route[at];
        long double alone = links->alone[link];
        bool parallel = inlay_machine_link_at(k->machine, link).parallel;
        served += alone;
        slowest = fmaxl(slowest, alone);
        if (!parallel) waits += alone * (check_link_delay(k, links->works[link] / frame) - 1);
    }
    return (inlay_machine_cut_through(k->machine) ? slowest : served) + waits;
}

void check_links_at(check *k, long double frame)
{
    for (size_t f = 0; f < k->links.flows; f++)
        k->links.flow[f].tau = flow_tau(k, &k->links.flow[f], frame);
}

double check_links_tau(const check *k)
{
    long double time = 0, carried = 0;
    for (size_t f = 0; f < k->links.flows; f++) {
        const check_flow *flow = &k->links.flow[f];
        time += (long double)flow->traffic * flow->tau;
        carried += (long double)flow->traffic * (long double)(flow->end - flow->first);
    }
    return (double)(carried > 0 ? time / carried : k->links.narrowest);
}

/* ---- The time frame that equals its own estimate ---- */

/* E(T) - T, which falls as T grows: every delay does. */
static int excess(check *k, long double frame, long double *by)
{
    check_path longest = {0, 0};
    check_links_at(k, frame);
    int status = check_estimate(k, 0, &longest);
    *by = (long double)longest.length - frame;
    return status;
}

static int bisect(check *k, long double low, double *root)
{
    long double high = low, by = 1;
    int status = INLAY_OK;
    while (status == INLAY_OK && by > 0) {
        high *= 2;
        status = excess(k, high, &by);
    }
    while (status == INLAY_OK && high - low > 1e-13L * high) {
        long double middle = low + (high - low) / 2;
        status = excess(k, middle, &by);
        if (by > 0)
            low = middle;
        else
            high = middle;
    }
    *root = (double)high;
    return status;
}

int check_links_fixed_point(check *k, double *fixed_point, bool *doubtful)
{
    long double least = k->links.busiest, by = 0;
    *doubtful = false;
    *fixed_point = k->estimate;
    if (!(least > 0)) return INLAY_OK;

    int status = excess(k, least * (1 + 1e-12L), &by);
    *fixed_point = NAN;
    if (status == INLAY_OK && by > 0)
        status = bisect(k, least, fixed_point);
    else
        *doubtful = by > -1e-9L * least;
    *doubtful = *doubtful || *fixed_point - (double)least <= 1e-9 * (double)least;
    check_links_at(k, k->saturated ? INFINITY : (long double)k->time_frame);
    return status;
}
