/*
 * What messages take of the processors that send and receive them, and what is left of them then.
 *
 * A receiver that comes late is kept by what its processor does: it copies the message, or has MPI's other way for long
 * messages begin when it asks. Between cores of one host that is its own work. Between hosts it may be the network's:
 * where it is kept for much longer than the sender was, the message, or what of it the system did not take in before, has
 * waited for it. Its processor then works as long as the sender's.
 */
#include "measure/analysis.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* The median of all pairs of a class, at one size; `room` has a place for each. */
static double median_of(const inlay_raw *r, inlay_pair_class class, int size, bool sends, double *room)
{
    size_t count = 0;
    for (int i = 0; i < r->pairs; i++) {
        const inlay_raw_pair *pair = &r->pair[i];
        if (pair->pair_class == class) {
            room[count++] = inlay_figure_of(&(sends ? pair->send : pair->receive)[size]).median;
        }
    }
    return gsl_stats_median(room, 1, count);
}

static void find_overheads(const inlay_machine_fit *a, inlay_pair_class class, double *room, inlay_overhead_figures *o)
{
    const double longer = 3;
    const inlay_raw *r = a->of;
    o->waits = r->sizes;
    for (int s = 0; s < r->sizes; s++) {
        o->send[s] = median_of(r, class, s, true, room);
        o->receive[s] = median_of(r, class, s, false, room);
        if (class == INLAY_PAIR_NETWORK && o->receive[s] > longer * o->send[s] && s < o->waits) {
            o->waits = s;
        }
        o->receive[s] = s >= o->waits ? o->send[s] : o->receive[s];
    }
}

/* All of a message is more than its processors' part. */
static int fit_rest(inlay_machine_fit *a, inlay_pair_class class)
{
    const double least = 0.05;
    const inlay_raw *r = a->of;
    size_t count = (size_t)a->fit[class].pairs * (size_t)r->sizes;
    if (count == 0) {
        return INLAY_OK;
    }
    double *room = malloc(5 * count * sizeof *room);
    if (room == NULL) {
        return INLAY_NO_MEMORY;
    }
    inlay_fit_points points = {room, room + count, room + 2 * count, count, room + 4 * count};
    analysis_points(r, class, &points);
    for (size_t i = 0; i < count; i++) {
        double alone = points.seconds[i];
        room[4 * count + i] = alone;
        double kept = a->overheads.send[i % (size_t)r->sizes] + a->overheads.receive[i % (size_t)r->sizes];
        points.seconds[i] = fmax(alone - kept, least * alone);
    }
    inlay_message_fit rest;
    int status = inlay_fit_messages(&points, r->size, r->sizes, &rest);
    if (status == INLAY_OK) {
        rest.pairs = a->fit[class].pairs;
        rest.pair_spread = a->fit[class].pair_spread;
        a->rest[class] = rest;
    }
    free(room);
    return status;
}

int analysis_find_overheads(inlay_machine_fit *a)
{
    const inlay_raw *r = a->of;
    if (r->pairs == 0 || r->pair[0].send == NULL) {
        return INLAY_OK;
    }
    inlay_overhead_figures *o = &a->overheads;
    o->send = calloc((size_t)r->sizes, sizeof *o->send);
    o->receive = calloc((size_t)r->sizes, sizeof *o->receive);
    double *room = malloc((size_t)r->pairs * sizeof *room);
    int status = o->send == NULL || o->receive == NULL || room == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        find_overheads(a, a->pair_class, room, o);
    }
    for (int c = 0; c < INLAY_PAIR_CLASSES && status == INLAY_OK; c++) {
        status = fit_rest(a, (inlay_pair_class)c);
    }
    free(room);
    return status;
}
