/* Prices between clusters, and envelopes of the cheapest chains and trees. */
#include "select/general_ways.h"
#include "base/memory.h"
#include "select/join.h"
#include <stdlib.h>
#include <string.h>

/* ---- Prices ---- */

static general_price price_of(const inlay_metasystem *metasystem, int32_t from, int32_t to)
{
    inlay_metasystem_route way = inlay_metasystem_way(metasystem, from, to);
    return (general_price){way.latency, way.per_byte + way.coercion};
}

static bool same(general_price a, general_price b)
{
    return a.latency == b.latency && a.per_byte == b.per_byte;
}

/* Whether all prices are that of the first two clusters that can be used, which becomes ways->price. */
static bool all_same(const inlay_metasystem *metasystem, general_ways *ways)
{
    bool first = true;
    for (int32_t i = 0; i < (int32_t)metasystem->clusters; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (ways->place[i] < 0 || ways->place[j] < 0) {
                continue;
            }
            general_price price = price_of(metasystem, i, j);
            ways->price = first ? price : ways->price;
            first = false;
            if (!same(price, ways->price)) {
                return false;
            }
        }
    }
    return true;
}

static void fill(const inlay_metasystem *metasystem, general_ways *ways)
{
    for (int32_t i = 0; i < (int32_t)metasystem->clusters; i++) {
        for (int32_t j = 0; j <= i; j++) {
            if (ways->place[i] >= 0 && ways->place[j] >= 0) {
                size_t a = (size_t)ways->place[i];
                size_t b = (size_t)ways->place[j];
                general_price price = price_of(metasystem, i, j);
                ways->between[a * (size_t)ways->clusters + b] = price;
                ways->between[b * (size_t)ways->clusters + a] = price;
            }
        }
    }
}

bool general_ways_make(const inlay_metasystem *metasystem, const int32_t *most, general_ways *ways)
{
    *ways = (general_ways){0};
    ways->place = memory_array(metasystem->clusters, sizeof *ways->place);
    if (ways->place == NULL) {
        return false;
    }
    for (size_t i = 0; i < metasystem->clusters; i++) {
        ways->place[i] = most[i] > 0 ? ways->clusters++ : -1;
    }
    ways->uniform = all_same(metasystem, ways);
    if (!ways->uniform) {
        size_t n = (size_t)ways->clusters;
        ways->between = memory_array(n, n * sizeof *ways->between);
        if (ways->between == NULL) {
            return false;
        }
        fill(metasystem, ways);
    }
    return true;
}

void general_ways_clear(general_ways *ways)
{
    free(ways->place);
    free(ways->between);
    *ways = (general_ways){0};
}

static general_price between(const general_ways *ways, int32_t a, int32_t b)
{
    return ways->between[(size_t)a * (size_t)ways->clusters + (size_t)b];
}

general_price general_way(const general_ways *ways, int32_t from, int32_t to)
{
    return ways->uniform ? ways->price : between(ways, ways->place[from], ways->place[to]);
}

/* ---- Joining ---- */

enum {
    ALL_SETS = 16,      /* up to so many clusters every set has a slot */
    SOME_SETS = 1 << 12 /* slots where there are more */
};

bool general_join_make(const general_ways *ways, bool chain, double least_bytes, double most_bytes, general_join *join)
{
    *join = (general_join){.ways = ways, .chain = chain, .least_bytes = least_bytes, .most_bytes = most_bytes};
    if (ways->uniform) {
        return true;
    }
    size_t n = (size_t)ways->clusters;
    join->words = n / 64 + 1;
    join->slots = n <= ALL_SETS ? (size_t)1 << n : SOME_SETS;
    join->set = pool_zeroed(&join->arrays, (join->slots + 1) * join->words, sizeof *join->set);
    join->envelope = pool_zeroed(&join->arrays, join->slots + 1, sizeof *join->envelope);
    join->member = pool_array(&join->arrays, n, sizeof *join->member);
    join->order = pool_array(&join->arrays, n, sizeof *join->order);
    join->cost = pool_array(&join->arrays, n, n * sizeof *join->cost);
    join->room = pool_array(&join->arrays, 1, spmd_join_room(ways->clusters));
    return !join->arrays.failed;
}

void general_join_clear(general_join *join)
{
    pool_clear(&join->arrays);
    *join = (general_join){0};
}

static void add(general_price *sum, general_price price)
{
    sum->latency += price.latency;
    sum->per_byte += price.per_byte;
}

/* The price of what is cheapest for messages of so many bytes. */
static general_price solve(const general_join *join, int32_t count, double bytes)
{
    general_price sum = {0};
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < count; j++) {
            join->cost[(size_t)i * (size_t)count + (size_t)j] =
                general_price_of(between(join->ways, join->member[i], join->member[j]), bytes);
        }
    }
    if (join->chain) {
        (void)spmd_join_chain(count, join->cost, join->room, join->order);
    } else {
        (void)spmd_join_tree(count, join->cost, 0, join->room, join->order);
    }
    for (int32_t i = 1; i < count; i++) {
        int32_t a = join->chain ? join->order[i - 1] : i;
        int32_t b = join->order[i];
        add(&sum, between(join->ways, join->member[a], join->member[b]));
    }
    return sum;
}

/* Puts lines between line[at] and the next one as long as some are cheaper where those two meet. */
static void refine(const general_join *join, int32_t count, int32_t at, general_envelope *e)
{
    while (at + 1 < e->lines) {
        general_price a = e->line[at];
        general_price b = e->line[at + 1];
        double bytes = a.per_byte > b.per_byte ? (b.latency - a.latency) / (a.per_byte - b.per_byte) : -1;
        general_price lower = bytes > join->least_bytes && bytes < join->most_bytes ? solve(join, count, bytes) : a;
        double meet = general_price_of(a, bytes);
        if (!(general_price_of(lower, bytes) < meet * (1 - 1e-14))) {
            at++;
            continue;
        }
        if (e->lines == GENERAL_LINES) {
            e->lines = -1;
            return;
        }
        memmove(e->line + at + 2, e->line + at + 1, (size_t)(e->lines - at - 1) * sizeof *e->line);
        e->line[at + 1] = lower;
        e->lines++;
    }
}

static void find_envelope(const general_join *join, int32_t count, general_envelope *e)
{
    e->line[0] = solve(join, count, join->least_bytes);
    e->line[1] = solve(join, count, join->most_bytes);
    e->lines = same(e->line[0], e->line[1]) ? 1 : 2;
    refine(join, count, 0, e);
}

/* The slot of the set, with its envelope. */
static const general_envelope *look_up(const general_join *join, int32_t count)
{
    uint64_t *wanted = join->set + join->slots * join->words;
    uint64_t hash = 0;
    memset(wanted, 0, join->words * sizeof *wanted);
    for (int32_t i = 0; i < count; i++) {
        wanted[join->member[i] / 64] |= UINT64_C(1) << (join->member[i] % 64);
    }
    for (size_t n = 0; n < join->words; n++) {
        hash = (hash ^ wanted[n]) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio spreads bits */
        hash ^= hash >> 32;
    }
    size_t slot = join->ways->clusters <= ALL_SETS ? (size_t)wanted[0] : (size_t)hash & (join->slots - 1);
    general_envelope *e = &join->envelope[slot];
    uint64_t *kept = join->set + slot * join->words;
    if (e->lines == 0 || memcmp(kept, wanted, join->words * sizeof *kept) != 0) {
        memcpy(kept, wanted, join->words * sizeof *kept);
        find_envelope(join, count, e);
    }
    return e;
}

double general_join_cost(general_join *join, const int32_t *cluster, int32_t count, double bytes)
{
    if (count < 2) {
        return 0;
    }
    if (join->ways->uniform) {
        return general_price_of(join->ways->price, bytes) * (count - 1);
    }
    for (int32_t i = 0; i < count; i++) {
        join->member[i] = join->ways->place[cluster[i]];
    }
    const general_envelope *e = look_up(join, count);
    if (e->lines < 0) {
        return general_price_of(solve(join, count, bytes), bytes);
    }
    double least = general_price_of(e->line[0], bytes);
    for (int32_t n = 1; n < e->lines; n++) {
        double cost = general_price_of(e->line[n], bytes);
        least = cost < least ? cost : least;
    }
    return least;
}
