/* The slow reference for layouts. */
#include "slow_layout.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTERS = LAYOUT_CLUSTERS };

/* ---- Traffic ---- */

static bool counts_bytes(const inlay_machine *machine)
{
    inlay_rate rate;
    return inlay_machine_capacity(machine, &rate) && rate.kind == INLAY_RATE_BYTES;
}

int64_t slow_link_messages(const inlay_machine *machine, int64_t messages, int64_t bytes)
{
    int64_t size = inlay_machine_message_size(machine);
    if (counts_bytes(machine) || size == 0 || bytes == 0) return messages;
    return bytes / size + (bytes % size != 0);
}

int64_t slow_link_traffic(const inlay_machine *machine, int64_t messages, int64_t bytes)
{
    return counts_bytes(machine) ? bytes : slow_link_messages(machine, messages, bytes);
}

static void add_links(slow_layout *layout, inlay_id from, inlay_links links, const inlay_mapping *mapping)
{
    for (int64_t l = 0; l < links.count; l++) {
        inlay_id to = inlay_mapping_cluster_of(mapping, links.module[l]);
        if (to == from) continue;
        layout->traffic[from][to] += slow_link_traffic(layout->machine, links.messages[l], links.bytes[l]);
        layout->messages[from][to] += slow_link_messages(layout->machine, links.messages[l], links.bytes[l]);
    }
}

void slow_layout_read(const inlay_mapping *mapping, slow_layout *layout)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    memset(layout, 0, sizeof *layout);
    layout->machine = inlay_mapping_machine(mapping);
    layout->processors = inlay_machine_processors(layout->machine);
    layout->clusters = inlay_mapping_summary(mapping)->clusters;
    ck_assert_int_le(layout->clusters, CLUSTERS);
    for (int c = 0; c < layout->clusters; c++)
        layout->processor[c] = inlay_mapping_cluster(mapping, c).processor;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_id cluster = inlay_mapping_cluster_of(mapping, i);
        layout->pinned[cluster] |= inlay_app_pin(app, i) >= 0;
        add_links(layout, cluster, inlay_app_out(app, i), mapping);
    }
    for (inlay_id d = 0; d < inlay_app_blocks(app); d++)
        add_links(layout, inlay_mapping_home(mapping, d), inlay_app_uses(app, d), mapping);
}

/* ---- Layouts ---- */

int64_t slow_layout_sum(const slow_layout *layout, const inlay_id *processor)
{
    int64_t sum = 0;
    for (int i = 0; i < layout->clusters; i++)
        for (int j = 0; j < layout->clusters; j++)
            sum += layout->traffic[i][j] * inlay_machine_distance(layout->machine, processor[i], processor[j]);
    return sum;
}

static bool taken(const slow_layout *layout, const inlay_id *processor, inlay_id number)
{
    for (int c = 0; c < layout->clusters; c++)
        if (processor[c] == number) return true;
    return false;
}

void slow_layout_in_order(const slow_layout *layout, inlay_id *processor)
{
    for (int c = 0; c < layout->clusters; c++)
        processor[c] = layout->pinned[c] ? layout->processor[c] : -1;
    for (int c = 0; c < layout->clusters; c++)
        for (inlay_id p = 0; processor[c] < 0; p++)
            if (!taken(layout, processor, p)) processor[c] = p;
}

int64_t slow_layout_after_exchange(const slow_layout *layout)
{
    inlay_id processor[CLUSTERS];
    memcpy(processor, layout->processor, sizeof processor);
    int64_t least = slow_layout_sum(layout, processor);
    for (int a = 0; a < layout->clusters; a++) {
        if (layout->pinned[a]) continue;
        inlay_id own = processor[a];
        for (inlay_id p = 0; p < layout->processors; p++) {
            int b = 0;
            while (b < layout->clusters && processor[b] != p)
                b++;
            bool free_processor = b == layout->clusters;
            if (b == a || (!free_processor && layout->pinned[b])) continue;
            processor[a] = p;
            if (!free_processor) processor[b] = own;
            int64_t sum = slow_layout_sum(layout, processor);
            least = sum < least ? sum : least;
            processor[a] = own;
            if (!free_processor) processor[b] = p;
        }
    }
    return least;
}

/* Place cluster number `next` and those after it in every way; `sum` is that of those before it. */
static void place_rest(const slow_layout *layout, int next, inlay_id *processor, int64_t sum, int64_t *least)
{
    if (sum >= *least) return; /* what is still to come is not negative */
    if (next == layout->clusters) {
        *least = sum;
        return;
    }
    inlay_id pin = layout->pinned[next] ? layout->processor[next] : -1;
    for (inlay_id p = 0; p < layout->processors; p++) {
        bool possible = pin < 0 || pin == p;
        int64_t more = 0;
        for (int c = 0; c < next; c++) {
            possible &= processor[c] != p;
            more += (layout->traffic[c][next] + layout->traffic[next][c]) *
                    inlay_machine_distance(layout->machine, processor[c], p);
        }
        processor[next] = p;
        if (possible) place_rest(layout, next + 1, processor, sum + more, least);
    }
}

int64_t slow_layout_optimum(const slow_layout *layout)
{
    inlay_id processor[CLUSTERS];
    int64_t least = INT64_MAX;
    place_rest(layout, 0, processor, 0, &least);
    return least;
}

/* ---- Figures ---- */

/* What rounding of u leaves of 1 - u, and so of the waiting. */
static double blur_at(double u)
{
    return 1e-9 + 1e-15 / (1 - u);
}

#define CLOSE(got, want, what, name)                                                                                   \
    ck_assert_msg(fabs((got) - (want)) <= blur * fabs(want), "%s: %s is %.15g, expected %.15g", what, name,            \
                  (double)(got), (double)(want))

/* The library's flows are the traffic that was found, and its sums over them. */
static void check_traffic(const inlay_mapping *mapping, const slow_layout *layout, const char *what)
{
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    inlay_flow *flows = NULL;
    size_t count = 0;
    int64_t traffic = 0;
    int64_t messages = 0;
    int64_t weighted = 0;
    int pairs = 0;
    ck_assert_int_eq(inlay_mapping_flows(mapping, &flows, &count, NULL), INLAY_OK);
    for (size_t f = 0; f < count; f++) {
        ck_assert(flows[f].from != flows[f].to);
        ck_assert_int_eq(flows[f].traffic, layout->traffic[flows[f].from][flows[f].to]);
        ck_assert_int_eq(flows[f].messages, layout->messages[flows[f].from][flows[f].to]);
        weighted += flows[f].traffic * inlay_machine_distance(layout->machine, layout->processor[flows[f].from],
                                                              layout->processor[flows[f].to]);
        pairs += flows[f].traffic > 0;
    }
    for (int i = 0; i < layout->clusters; i++)
        for (int j = 0; j < layout->clusters; j++) {
            traffic += layout->traffic[i][j];
            messages += layout->messages[i][j];
            pairs -= layout->traffic[i][j] > 0;
        }
    ck_assert_msg(pairs == 0, "%s: flows are missing or twice there", what);
    ck_assert_msg(summary->weighted_traffic == weighted && weighted == slow_layout_sum(layout, layout->processor),
                  "%s: weighted traffic %lld, flows make %lld", what, (long long)summary->weighted_traffic,
                  (long long)weighted);
    ck_assert_int_eq(summary->traffic, traffic);
    ck_assert_int_eq(summary->messages, messages);
    free(flows);
}

/* How long after its start a module's messages to `to` leave. */
static double lag(const inlay_mapping *mapping, inlay_id from, inlay_id to)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    inlay_time m = inlay_app_time(app, from);
    inlay_time wait = inlay_app_blocking(app, to) - inlay_app_blocking(app, from);
    if (inlay_mapping_summary(mapping)->streamed) m = wait < 0 ? 0 : wait < m ? wait : m;
    return inlay_app_in_units(app, m);
}

/* Every module starts at the latest arrival, or when its processor is free, whichever is later. */
static void check_starts(const inlay_mapping *mapping, const slow_layout *layout, double tau, const char *what)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    double *wanted = calloc((size_t)inlay_app_modules(app) + 1, sizeof *wanted);
    double end = 0;
    double blur = blur_at(inlay_mapping_summary(mapping)->u);
    ck_assert_ptr_nonnull(wanted);
    for (int c = 0; c < layout->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        for (inlay_id at = 1; at < info.modules; at++) {
            inlay_id before = info.module[at - 1];
            wanted[info.module[at]] =
                inlay_mapping_start(mapping, before) + inlay_app_in_units(app, inlay_app_time(app, before));
        }
    }
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        inlay_id from = layout->processor[inlay_mapping_cluster_of(mapping, i)];
        end = fmax(end, inlay_mapping_start(mapping, i) + inlay_app_in_units(app, inlay_app_time(app, i)));
        for (int64_t l = 0; l < out.count; l++) {
            if (out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) continue;
            inlay_id j = out.module[l];
            inlay_id to = layout->processor[inlay_mapping_cluster_of(mapping, j)];
            double arrival = inlay_mapping_start(mapping, i) + lag(mapping, i, j);
            if (from != to)
                arrival += (double)slow_link_traffic(layout->machine, out.messages[l], out.bytes[l]) * tau *
                               inlay_machine_distance(layout->machine, from, to) +
                           (double)slow_link_messages(layout->machine, out.messages[l], out.bytes[l]) *
                               inlay_mapping_summary(mapping)->latency;
            wanted[j] = fmax(wanted[j], arrival);
        }
    }
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        CLOSE(inlay_mapping_start(mapping, i), wanted[i], what, inlay_app_module_name(app, i));
    CLOSE(inlay_mapping_summary(mapping)->estimate, end, what, "estimate");
    free(wanted);
}

/* Work by hand: the sum of m, of b where it counts, and of the time of the blocks that live there. */
static void check_clusters(const inlay_mapping *mapping, const slow_layout *layout, double tau, const char *what)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    double blur = blur_at(summary->u);
    bool fits = true;
    for (int c = 0; c < layout->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        int64_t out = 0;
        int64_t weighted = 0;
        inlay_time work = 0;
        for (int other = 0; other < layout->clusters; other++) {
            out += layout->traffic[c][other];
            weighted += layout->traffic[c][other] *
                        inlay_machine_distance(layout->machine, layout->processor[c], layout->processor[other]);
        }
        for (inlay_id at = 0; at < info.modules; at++)
            work += inlay_app_time(app, info.module[at]) +
                    (summary->work_has_blocking ? inlay_app_blocking(app, info.module[at]) : 0);
        for (inlay_id at = 0; at < info.blocks; at++)
            work += inlay_app_block_time(app, info.block[at]);
        ck_assert_int_eq(info.traffic_out, out);
        ck_assert_int_eq(info.weighted_traffic_out, weighted);
        ck_assert_double_eq(info.work, inlay_app_in_units(app, work));
        double used = (inlay_app_in_units(app, work) + tau * (double)weighted) / summary->time_frame;
        CLOSE(info.utilisation, used, what, "utilisation");
        fits &= info.utilisation <= 1;
    }
    ck_assert_int_eq(summary->fits_with_delay, fits);
}

void slow_layout_check_figures(const inlay_mapping *mapping, double cycle, const char *what)
{
    static slow_layout layout;
    slow_layout_read(mapping, &layout);
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    check_traffic(mapping, &layout, what);

    double k = layout.processors;
    double n = inlay_machine_switch(layout.machine);
    double packets = inlay_machine_packets(layout.machine);
    double transfers = inlay_machine_transfers(layout.machine);
    int stages = 0;
    for (double reached = 1; reached < k; reached *= n)
        stages++;
    double u = transfers * packets * (double)summary->weighted_traffic * cycle / (k * summary->time_frame);
    double waiting = packets * stages * (1 - 1 / n) * u / (2 * (1 - u));
    double tau = transfers * cycle * (stages + packets - 1 + waiting);
    double blur = blur_at(u);
    CLOSE(summary->u, u, what, "u");
    CLOSE(summary->u_limit, 1., what, "limit of u");
    CLOSE(summary->load, u, what, "load");
    CLOSE(summary->rho, u / packets, what, "rho");
    CLOSE(summary->delay, waiting, what, "D");
    CLOSE(summary->tau, tau, what, "tau");
    check_clusters(mapping, &layout, tau, what);
    check_starts(mapping, &layout, tau, what);
}
