/*
 * Cores that share the bandwidth of their host's memory. A module that moves M bytes in the time m that it takes alone asks
 * for M / m, at most what one core can. While those of a host ask for more than it has, it is shared max-min fairly, and
 * who gets the share s of a demand d goes on at the rate s / d.
 *
 * Each user has a clock of its own: it shows the time at which its module joined and goes on at its rate. Where nobody is
 * slowed down it shows the time itself, to the last bit.
 */
#ifndef SIMULATE_BANDWIDTH_H
#define SIMULATE_BANDWIDTH_H

#include <inlay/app.h>

typedef struct bandwidth_user {
    inlay_id board;
    double demand; /**< bytes a unit of time */
    double rate;
    double from_time, from_work; /**< when the rate last changed, and what the clock showed then */
} bandwidth_user;

/** Who is told that the rate of a user has changed. */
typedef void bandwidth_changed(void *context, inlay_id user);

typedef struct bandwidth {
    double capacity, core; /**< of a board, and at most of a user; core 0: unlimited */
    inlay_id users, boards;
    bandwidth_user *user;
    inlay_id *begin;  /**< of every board and one more: its part of `member` */
    inlay_id *count;  /**< of every board: users that move bytes now ... */
    inlay_id *member; /**< ... and who they are */
    bool *shared;     /**< of every board: its users are slowed down */
    bandwidth_changed *changed;
    void *context;
} bandwidth;

/** False when out of memory. */
bool bandwidth_make(inlay_id users, inlay_id boards, double capacity, double core, bandwidth *b);
void bandwidth_clear(bandwidth *b);

/** Nobody moves anything; user[].board is the caller's to set before, below `boards`, and `users` to lessen. */
void bandwidth_reset(bandwidth *b);

/** A module starts that moves so many bytes in `alone`, on so many cores; it has to leave. Its clock shows `now`. */
void bandwidth_join(bandwidth *b, inlay_id user, double bytes, double alone, inlay_id cores, double now);
void bandwidth_leave(bandwidth *b, inlay_id user, double now);

/** What its clock shows. */
double bandwidth_work(const bandwidth *b, inlay_id user, double now);

/** When that will be `work`, if nobody joins or leaves. */
double bandwidth_time(const bandwidth *b, inlay_id user, double work);

/** Now it is: to the last bit, as bandwidth_time() has said. */
void bandwidth_reached(bandwidth *b, inlay_id user, double work, double now);

#endif
