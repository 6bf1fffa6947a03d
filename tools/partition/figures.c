/* Figures over ranks and over parts. */
#include "partition.h"
#include <stddef.h>

spread spread_of_ranks(MPI_Comm comm, int64_t value)
{
    spread s = {0};
    int64_t sum = 0;
    int ranks;
    MPI_Comm_size(comm, &ranks);
    MPI_Allreduce(&value, &s.least, 1, MPI_INT64_T, MPI_MIN, comm);
    MPI_Allreduce(&value, &s.most, 1, MPI_INT64_T, MPI_MAX, comm);
    MPI_Allreduce(&value, &sum, 1, MPI_INT64_T, MPI_SUM, comm);
    s.mean = (double)sum / ranks;
    return s;
}

static void include(spread *s, int64_t value, bool first)
{
    s->least = first || value < s->least ? value : s->least;
    s->most = first || value > s->most ? value : s->most;
    s->mean += (double)value;
}

/* Where part p stands in the row of its neighbour q: rows are sorted, and each neighbour has the other. */
static int32_t find(const inlay_quotient *quotient, int32_t q, int32_t p)
{
    int32_t from = quotient->start[q], to = quotient->start[q + 1];
    while (to - from > 1) {
        int32_t middle = from + (to - from) / 2;
        if (quotient->part[middle] <= p) {
            from = middle;
        } else {
            to = middle;
        }
    }
    return from;
}

int64_t ghosts_of_part(const inlay_quotient *quotient, int32_t part)
{
    int64_t ghosts = 0;
    for (int32_t k = quotient->start[part]; k < quotient->start[part + 1]; k++) {
        ghosts += quotient->ghosts[find(quotient, quotient->part[k], part)];
    }
    return ghosts;
}

gathering gathering_of_parts(const inlay_quotient *quotient)
{
    gathering all = {0};
    for (int32_t p = 0; p < quotient->parts; p++) {
        include(&all.messages, quotient->start[p + 1] - quotient->start[p], p == 0);
        include(&all.ghosts, ghosts_of_part(quotient, p), p == 0);
    }
    all.messages.mean /= quotient->parts;
    all.ghosts.mean /= quotient->parts;
    return all;
}

part_loads partition_loads(const partitioned *of, int32_t weight)
{
    const inlay_quotient *q = of->quotient;
    const int64_t *load = q->load + weight;
    part_loads found = {load[0], load[0], inlay_quotient_imbalance(q, of->target, weight)};
    for (int32_t p = 1; p < q->parts; p++) {
        int64_t own = load[(ptrdiff_t)p * q->weights];
        found.smallest = own < found.smallest ? own : found.smallest;
        found.largest = own > found.largest ? own : found.largest;
    }
    return found;
}

int32_t partition_worst_weight(const partitioned *of)
{
    int32_t worst = 0;
    double most = -1;
    for (int32_t w = 0; w < of->quotient->weights; w++) {
        double now = inlay_quotient_imbalance(of->quotient, of->target, w);
        worst = now > most ? w : worst;
        most = now > most ? now : most;
    }
    return worst;
}
