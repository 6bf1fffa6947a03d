/* Traffic between the clusters, and what else adds up. */
#include "check/check.h"

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

void check_each_crossing(const check *k, check_sink sink, void *context)
{
    for (inlay_id i = 0; i < k->modules; i++) {
        inlay_links out = inlay_app_out(k->app, i);
        inlay_id from = k->cluster_of[i];
        for (int64_t l = 0; l < out.count; l++)
            if (k->cluster_of[out.module[l]] != from)
                sink(context, from, k->cluster_of[out.module[l]], out.messages[l], out.bytes[l]);
    }
    for (inlay_id d = 0; d < k->blocks; d++) {
        inlay_links uses = inlay_app_uses(k->app, d);
        inlay_id from = k->home[d];
        for (int64_t l = 0; l < uses.count && from >= 0; l++)
            if (k->cluster_of[uses.module[l]] != from)
                sink(context, from, k->cluster_of[uses.module[l]], uses.messages[l], uses.bytes[l]);
    }
}

/* ---- Sum of c_ij d_kl ---- */

typedef struct layout_sum {
    const check *k;
    const inlay_id *processor; /* of every cluster */
    int64_t sum;
} layout_sum;

static void add_weighted(void *context, inlay_id from, inlay_id to, int64_t messages, int64_t bytes)
{
    layout_sum *s = context;
    int distance = inlay_machine_distance(s->k->machine, s->processor[from], s->processor[to]);
    s->sum = check_add(s->sum, check_times(check_traffic(s->k, messages, bytes), distance));
}

int64_t check_weighted(const check *k, const inlay_id *processor)
{
    layout_sum s = {k, processor, 0};
    check_each_crossing(k, add_weighted, &s);
    return s.sum;
}

/* ---- The clusters and the whole ---- */

static void add_sent(void *context, inlay_id from, inlay_id to, int64_t messages, int64_t bytes)
{
    check *k = context;
    check_cluster *cluster = &k->cluster[from];
    int64_t sent = check_messages(k, messages, bytes), traffic = check_traffic(k, messages, bytes);
    int distance = inlay_machine_distance(k->machine, cluster->processor, k->cluster[to].processor);
    int64_t weighted = check_times(traffic, distance);

    cluster->messages_out = check_add(cluster->messages_out, sent);
    cluster->traffic_out = check_add(cluster->traffic_out, traffic);
    cluster->weighted_out = check_add(cluster->weighted_out, weighted);
    k->messages = check_add(k->messages, sent);
    k->traffic = check_add(k->traffic, traffic);
    k->weighted = check_add(k->weighted, weighted);
}

/* Blocks fill the memory of their home's processor where memory is distributed; check_memories() sees to the others. */
void check_sums(check *k)
{
    bool distributed = inlay_machine_memory_kind(k->machine) == INLAY_MEMORY_DISTRIBUTED;
    check_each_crossing(k, add_sent, k);
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
