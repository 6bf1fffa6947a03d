/* Bounds of sums: pieces of lower hulls by rising density. */
#include "select/box.h"
#include <math.h>

void select_hull_add(select_hull *hull, int32_t cluster, int32_t from, int32_t to, double rise)
{
    select_piece *pieces = hull->bounder->piece;
    double speed = hull->rate[cluster] * (to - from);
    select_piece piece = {rise / speed, speed, cluster, from, to};
    int32_t at = hull->pieces++;
    for (; at > 0 && pieces[at - 1].density > piece.density; at--) {
        pieces[at] = pieces[at - 1];
    }
    pieces[at] = piece;
}

void select_hull_open(select_hull *hull, int32_t cluster, int32_t most, double one, double all)
{
    if (most > 1 && one * most < all) {
        select_hull_add(hull, cluster, 0, 1, one);
        select_hull_add(hull, cluster, 1, most, all - one);
    } else {
        select_hull_add(hull, cluster, 0, most, all);
    }
}

/* The last piece is taken in part: there the box is split. */
static void set_split(const select_hull *hull, const select_piece *p, double part, select_box *box)
{
    double reached = p->from + part / hull->rate[p->cluster];
    int32_t down = (int32_t)fmin(fmax(floor(reached), p->from), p->to - 1);
    box->cluster = p->cluster;
    box->at = p->from == 0 ? 0 : down;
    hull->bounder->guess[p->cluster] = p->from == 0 || reached - down >= 0.5 ? down + 1 : down;
}

double select_hull_fill(const select_hull *hull, select_box *box)
{
    const select_bounder *b = hull->bounder;
    const double work = hull->work;
    double speed = hull->speed;
    double communication = hull->communication;
    for (int32_t n = 0; n < hull->pieces; n++) {
        const select_piece *p = &b->piece[n];
        if ((speed + p->speed) * (speed + p->speed) * p->density <= work) {
            speed += p->speed;
            communication += p->speed * p->density;
            b->guess[p->cluster] = p->to;
            continue;
        }
        double part = sqrt(work / p->density) - speed;
        if (part > 0) {
            set_split(hull, p, part, box);
            return communication + part * p->density + work / (speed + part);
        }
        break;
    }
    return communication + work / speed;
}

double select_hull_fill_overlapped(const select_hull *hull, select_box *box)
{
    const select_bounder *b = hull->bounder;
    const double work = hull->work;
    double speed = hull->speed;
    double communication = hull->communication;
    for (int32_t n = 0; n < hull->pieces && communication * speed < work; n++) {
        const select_piece *p = &b->piece[n];
        double after = communication + p->speed * p->density;
        if (after * (speed + p->speed) <= work) {
            speed += p->speed;
            communication = after;
            b->guess[p->cluster] = p->to;
            continue;
        }
        /* (communication + d x) (speed + x) = work */
        double half = (communication + p->density * speed) / 2;
        double rest = work - communication * speed;
        double part = rest / (half + sqrt(half * half + p->density * rest));
        set_split(hull, p, part, box);
        return communication + p->density * part;
    }
    return fmax(communication, work / speed);
}
