/* What messages take of the processors that send and receive them. */
#include "check/check.h"

#include <stdlib.h>

/* Of one message; times that do not compare were found when the machine was read. */
static double of_size(const check *k, const inlay_pieces *pieces, double size)
{
    int at = pieces->count - 1;
    while (at > 0 && (double)pieces->piece[at].size > size)
        at--;
    return check_app_units(k, pieces->piece[at].time) + size * check_app_units(k, pieces->piece[at].per_byte);
}

static double of_all(const check *k, const inlay_pieces *pieces, int64_t stated, int64_t bytes)
{
    int64_t messages = check_messages(k, stated, bytes);
    if (messages == 0 && k->network.in_bytes && bytes > 0) messages = 1;
    if (pieces->count == 0 || messages == 0) return 0;
    return (double)messages * of_size(k, pieces, (double)bytes / (double)messages);
}

double check_overhead(const check *k, const inlay_pieces *pieces, const check_crossing *of)
{
    bool stays = check_keeper(k, NULL, of->from) == check_keeper(k, NULL, of->to);
    return stays ? 0 : of_all(k, pieces, of->messages, of->bytes);
}

double check_latency_by_size(const check *k, int64_t messages, int64_t bytes)
{
    return of_all(k, inlay_machine_latency_by_size(k->machine), messages, bytes);
}

static int compare(const void *a, const void *b)
{
    const check_charge *x = a, *y = b;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->datum > y->datum) - (x->datum < y->datum);
}

double check_charge_all(check_charge *charge, size_t count)
{
    double behind = 0, early = 0;
    if (count > 0) qsort(charge, count, sizeof *charge, compare);
    for (size_t i = 0; i < count; i++) {
        if (charge[i].early) early += charge[i].sends;
        if (!charge[i].early) behind += charge[i].sends;
        charge[i].after = charge[i].early ? 0 : behind;
    }
    return behind + early;
}

double check_charged(const check_charge *charge, size_t count, inlay_id to, inlay_id datum)
{
    const check_charge *found =
        count == 0 ? NULL : bsearch(&(check_charge){.to = to, .datum = datum}, charge, count, sizeof *charge, compare);
    return found ? found->after : 0;
}
