/* Which entries wait for their receivers. */
#include "layout/rendezvous.h"
#include "base/memory.h"
#include <stdlib.h>

void rendezvous_clear(rendezvous *r)
{
    free(r->waits);
    free(r->begin);
    free(r->entry);
    *r = (rendezvous){0};
}

static bool waits(const sendings *s, const interconnect *n, const inlay_id *processor, inlay_id own, inlay_id there,
                  int64_t entry)
{
    sent_entry of = sent_at(s, entry);
    bool awaited = !(s->app->out_flags[of.link] & INLAY_LINK_TRAFFIC_ONLY);
    bool in_tree = s->pass != NULL && of.copy != NULL;
    return awaited && !in_tree && interconnect_leaves_host(n, processor[own], processor[there]) &&
           interconnect_waits(n, of.messages, of.bytes);
}

/* Adds up how many wait for every module, in begin[module + 1], or enters them at begin[module]. */
static void each_waiting(const sendings *s, rendezvous *r, bool enter)
{
    int64_t own;
    for (int64_t e = 0; e < s->entries; e++) {
        sent_links links = r->waits[e] ? rendezvous_links(s, e, &own) : (sent_links){NULL, 0};
        for (int64_t k = 0; k < links.count; k++) {
            inlay_id module = s->app->out_to[links.link[k]];
            if (enter) {
                r->entry[r->begin[module]++] = e;
            } else {
                r->begin[module + 1]++;
            }
        }
    }
}

int rendezvous_make(const sendings *s, const interconnect *network, const inlay_id *cluster_of,
                    const inlay_id *processor, rendezvous *result)
{
    inlay_id modules = s->app->modules;
    *result = (rendezvous){0};
    if (network->rendezvous_above == INT64_MAX) {
        return INLAY_OK;
    }
    rendezvous r = {.waits = memory_zeroed((size_t)s->entries, sizeof *r.waits),
                    .begin = memory_zeroed((size_t)modules + 1, sizeof *r.begin)};
    if (r.waits == NULL || r.begin == NULL) {
        rendezvous_clear(&r);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < modules; i++) {
        for (int64_t e = s->begin[i]; e < s->begin[i + 1]; e++) {
            r.waits[e] = waits(s, network, processor, cluster_of[i], cluster_of[sent_to(s, e)], e);
        }
    }
    each_waiting(s, &r, false);
    for (inlay_id i = 0; i < modules; i++) {
        r.begin[i + 1] += r.begin[i];
    }
    r.entry = memory_array((size_t)r.begin[modules], sizeof *r.entry);
    if (r.entry == NULL) {
        rendezvous_clear(&r);
        return INLAY_NO_MEMORY;
    }
    each_waiting(s, &r, true);
    for (inlay_id i = modules; i > 0; i--) {
        r.begin[i] = r.begin[i - 1];
    }
    r.begin[0] = 0;
    *result = r;
    return INLAY_OK;
}
