/* Cores that share the bandwidth of their host's memory. */
#include "simulate/bandwidth.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bandwidth_clear(bandwidth *b)
{
    free(b->user);
    free(b->begin);
    free(b->count);
    free(b->member);
    free(b->shared);
    *b = (bandwidth){0};
}

bool bandwidth_make(inlay_id users, inlay_id boards, double capacity, double core, bandwidth *b)
{
    *b = (bandwidth){.capacity = capacity, .core = core, .users = users, .boards = boards};
    b->user = memory_zeroed((size_t)users, sizeof *b->user);
    b->begin = memory_zeroed((size_t)boards + 1, sizeof *b->begin);
    b->count = memory_zeroed((size_t)boards, sizeof *b->count);
    b->member = memory_array((size_t)users, sizeof *b->member);
    b->shared = memory_zeroed((size_t)boards, sizeof *b->shared);
    if (b->user == NULL || b->begin == NULL || b->count == NULL || b->member == NULL || b->shared == NULL) {
        bandwidth_clear(b);
        return false;
    }
    return true;
}

void bandwidth_reset(bandwidth *b)
{
    memset(b->begin, 0, ((size_t)b->boards + 1) * sizeof *b->begin);
    for (inlay_id u = 0; u < b->users; u++) {
        inlay_id board = b->user[u].board;
        b->user[u] = (bandwidth_user){.board = board};
        b->begin[board + 1]++;
    }
    for (inlay_id h = 0; h < b->boards; h++) {
        b->begin[h + 1] += b->begin[h];
        b->count[h] = 0;
        b->shared[h] = false;
    }
}

double bandwidth_work(const bandwidth *b, inlay_id user, double now)
{
    const bandwidth_user *u = &b->user[user];
    return u->rate == 1 && u->from_time == u->from_work ? now : u->from_work + (now - u->from_time) * u->rate;
}

double bandwidth_time(const bandwidth *b, inlay_id user, double work)
{
    const bandwidth_user *u = &b->user[user];
    double time = u->rate == 1 && u->from_time == u->from_work ? work : u->from_time + (work - u->from_work) / u->rate;
    return time > u->from_time ? time : u->from_time; /* not earlier, by rounding */
}

void bandwidth_reached(bandwidth *b, inlay_id user, double work, double now)
{
    b->user[user].from_work = work;
    b->user[user].from_time = now;
}

static void set_rate(bandwidth *b, inlay_id user, double rate, double now)
{
    bandwidth_user *u = &b->user[user];
    if (u->rate == rate) {
        return;
    }
    bandwidth_reached(b, user, bandwidth_work(b, user, now), now);
    u->rate = rate;
    b->changed(b->context, user);
}

/*
 * The level up to which demands are met, so that they take the capacity together: those below it wholly, in rounds, until
 * none of the others is.
 */
static double fair_level(const bandwidth *b, const inlay_id *member, inlay_id count)
{
    double level = b->capacity / (double)count;
    for (inlay_id met = 0, before = -1; met != before;) {
        double left = b->capacity;
        before = met;
        met = 0;
        for (inlay_id m = 0; m < count; m++) {
            bool small = b->user[member[m]].demand <= level;
            left -= small ? b->user[member[m]].demand : 0;
            met += small;
        }
        level = met < count ? left / (double)(count - met) : level;
    }
    return level;
}

static void share(bandwidth *b, inlay_id board, double now)
{
    const inlay_id *member = b->member + b->begin[board];
    inlay_id count = b->count[board];
    double asked = 0;
    for (inlay_id m = 0; m < count; m++) {
        asked += b->user[member[m]].demand;
    }
    bool shared = asked > b->capacity;
    if (!shared && !b->shared[board]) {
        return;
    }
    b->shared[board] = shared;
    double level = shared ? fair_level(b, member, count) : INFINITY;
    for (inlay_id m = 0; m < count; m++) {
        double demand = b->user[member[m]].demand;
        set_rate(b, member[m], demand > level ? level / demand : 1, now);
    }
}

void bandwidth_join(bandwidth *b, inlay_id user, double bytes, double alone, inlay_id cores, double now)
{
    bandwidth_user *u = &b->user[user];
    double most = b->core > 0 ? b->core * (double)cores : INFINITY, demand = alone > 0 ? bytes / alone : 0;
    *u = (bandwidth_user){u->board, demand < most ? demand : most, 1, now, now};
    if (u->demand > 0) {
        b->member[b->begin[u->board] + b->count[u->board]++] = user;
        share(b, u->board, now);
    }
}

void bandwidth_leave(bandwidth *b, inlay_id user, double now)
{
    bandwidth_user *u = &b->user[user];
    if (u->demand > 0) {
        inlay_id *member = b->member + b->begin[u->board], at = 0;
        while (member[at] != user) {
            at++;
        }
        b->count[u->board]--;
        memmove(member + at, member + at + 1, (size_t)(b->count[u->board] - at) * sizeof *member);
        bandwidth_reached(b, user, bandwidth_work(b, user, now), now);
        u->demand = 0;
        u->rate = 1;
        share(b, u->board, now);
    }
}
