/* Traffic between the clusters, and what else adds up. */
#include "check/check.h"

#include <stdlib.h>

int64_t check_times(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* Where the machine has a message size and counts messages, a link has as many as its bytes need. */
int64_t check_messages(const check *k, int64_t messages, int64_t bytes)
{
    int64_t size = inlay_machine_message_size(k->machine);
    if (k->network.in_bytes || size <= 0 || bytes <= 0) return messages;
    return bytes / size + (bytes % size != 0);
}

int64_t check_traffic(const check *k, int64_t messages, int64_t bytes)
{
    return k->network.in_bytes ? bytes : check_messages(k, messages, bytes);
}

/* ---- Copies of data ---- */

bool check_copies(const check *k)
{
    return inlay_app_data(k->app) > 0 && !k->copies_each;
}

inlay_id check_keeper(const check *k, const inlay_id *processor, inlay_id cluster)
{
    if (!inlay_machine_has_links(k->machine)) return cluster;
    return inlay_machine_host(k->machine, processor ? processor[cluster] : k->cluster[cluster].processor);
}

void check_own(const check *k, const inlay_links *out, int64_t l, bool stays, int64_t *messages, int64_t *bytes)
{
    bool all = stays || !check_copies(k) || (out->flags[l] & INLAY_LINK_TRAFFIC_ONLY);
    *messages = all ? out->messages[l] : out->own_messages[l] < 0 ? 0 : out->own_messages[l];
    *bytes = all ? out->bytes[l] : out->own_bytes[l];
}

static int compare_holders(const void *a, const void *b)
{
    const check_holder *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

inlay_id check_holders(const check *k, const inlay_id *processor, inlay_id d)
{
    inlay_datum datum = inlay_app_datum(k->app, d);
    inlay_id from = k->cluster_of[datum.producer], count = 0;
    bool links = inlay_machine_has_links(k->machine);
    k->holder[0].cluster = from;
    k->kept[check_keeper(k, processor, from)] = d;
    for (int64_t j = 0; j < datum.consumers; j++) {
        inlay_id cluster = k->cluster_of[datum.consumer[j]], keeper = check_keeper(k, processor, cluster);
        inlay_id there = processor ? processor[cluster] : k->cluster[cluster].processor;
        if (k->kept[keeper] == d) continue;
        k->kept[keeper] = d;
        k->holder[++count] = (check_holder){links ? keeper : there, cluster, datum.consumer[j]};
    }
    for (inlay_id h = 0; h <= count; h++)
        k->kept[check_keeper(k, processor, k->holder[h].cluster)] = -1;
    if (inlay_machine_broadcasts_in_trees(k->machine))
        qsort(k->holder + 1, (size_t)count, sizeof *k->holder, compare_holders);
    return count;
}

inlay_id check_giver(const check *k, inlay_id h)
{
    inlay_id bit = 1;
    if (!inlay_machine_broadcasts_in_trees(k->machine)) return 0;
    while (bit <= h / 2)
        bit *= 2;
    return h - bit;
}

static void each_copy(const check *k, const inlay_id *processor, check_sink sink, void *context)
{
    for (inlay_id d = 0; d < inlay_app_data(k->app); d++) {
        inlay_datum datum = inlay_app_datum(k->app, d);
        inlay_id holders = check_holders(k, processor, d);
        for (inlay_id h = 1; h <= holders; h++)
            sink(context, &(check_crossing){k->holder[check_giver(k, h)].cluster, k->holder[h].cluster, datum.messages,
                                            datum.bytes, h > 1});
    }
}

void check_each_crossing(const check *k, const inlay_id *processor, check_sink sink, void *context)
{
    for (inlay_id i = 0; i < k->modules; i++) {
        inlay_links out = inlay_app_out(k->app, i);
        check_crossing crossing = {.from = k->cluster_of[i]};
        inlay_id keeper = check_keeper(k, processor, crossing.from);
        for (int64_t l = 0; l < out.count; l++) {
            crossing.to = k->cluster_of[out.module[l]];
            if (crossing.to == crossing.from) continue;
            check_own(k, &out, l, check_keeper(k, processor, crossing.to) == keeper, &crossing.messages,
                      &crossing.bytes);
            sink(context, &crossing);
        }
    }
    if (check_copies(k)) each_copy(k, processor, sink, context);
    for (inlay_id d = 0; d < k->blocks; d++) {
        inlay_links uses = inlay_app_uses(k->app, d);
        inlay_id from = k->home[d];
        for (int64_t l = 0; l < uses.count && from >= 0; l++)
            if (k->cluster_of[uses.module[l]] != from)
                sink(context,
                     &(check_crossing){from, k->cluster_of[uses.module[l]], uses.messages[l], uses.bytes[l], false});
    }
}

double check_demand(const check *k)
{
    double transfers = inlay_machine_transfers(k->machine);
    bool once = transfers >= 2 && !inlay_machine_has_links(k->machine) && !inlay_machine_has_distance(k->machine);
    return (double)k->weighted - (once ? (double)k->spared / transfers : 0);
}

/* ---- Sum of c_ij d_kl ---- */

typedef struct layout_sum {
    const check *k;
    const inlay_id *processor; /* of every cluster */
    int64_t sum;
} layout_sum;

static void add_weighted(void *context, const check_crossing *of)
{
    layout_sum *s = context;
    int distance = inlay_machine_distance(s->k->machine, s->processor[of->from], s->processor[of->to]);
    s->sum = check_add(s->sum, check_times(check_traffic(s->k, of->messages, of->bytes), distance));
}

int64_t check_weighted(const check *k, const inlay_id *processor)
{
    layout_sum s = {k, processor, 0};
    check_each_crossing(k, processor, add_weighted, &s);
    return s.sum;
}

/* ---- The clusters and the whole ---- */

static void add_sent(void *context, const check_crossing *of)
{
    check *k = context;
    check_cluster *cluster = &k->cluster[of->from];
    int64_t sent = check_messages(k, of->messages, of->bytes), traffic = check_traffic(k, of->messages, of->bytes);
    int distance = inlay_machine_distance(k->machine, cluster->processor, k->cluster[of->to].processor);
    int64_t weighted = check_times(traffic, distance);

    cluster->messages_out = check_add(cluster->messages_out, sent);
    cluster->traffic_out = check_add(cluster->traffic_out, traffic);
    cluster->weighted_out = check_add(cluster->weighted_out, weighted);
    k->messages = check_add(k->messages, sent);
    k->traffic = check_add(k->traffic, traffic);
    k->weighted = check_add(k->weighted, weighted);
    k->spared = check_add(k->spared, of->again ? traffic : 0);
}

/* Blocks fill the memory of their home's processor where memory is distributed; check_memories() sees to the others. */
void check_sums(check *k)
{
    bool distributed = inlay_machine_memory_kind(k->machine) == INLAY_MEMORY_DISTRIBUTED;
    check_each_crossing(k, NULL, add_sent, k);
    for (inlay_id i = 0; i < k->modules; i++) {
        check_cluster *cluster = &k->cluster[k->cluster_of[i]];
        cluster->work = check_add(cluster->work, check_add(k->time[i], k->work_ready[i]));
        cluster->busy = check_add(cluster->busy, k->time[i]);
        cluster->memory = check_add(cluster->memory, inlay_app_memory(k->app, i));
    }
    for (inlay_id c = 0; c < k->clusters; c++)
        for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++) {
            inlay_id guest = k->listed[at];
            if (k->cluster_of[guest] == c) continue;
            k->cluster[c].work = check_add(k->cluster[c].work, k->time[guest]);
            k->cluster[c].busy = check_add(k->cluster[c].busy, k->time[guest]);
        }
    for (inlay_id d = 0; d < k->blocks; d++) {
        if (k->home[d] < 0) continue;
        check_cluster *cluster = &k->cluster[k->home[d]];
        cluster->work = check_add(cluster->work, inlay_app_block_time(k->app, d));
        if (distributed) cluster->memory = check_add(cluster->memory, inlay_app_block_size(k->app, d));
    }
}
