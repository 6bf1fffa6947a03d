/* Figures over parts, of their quotient graph. */
#include <inlay/irregular_result.h>
#include <stddef.h>

static void include(inlay_extent *s, int64_t value, bool first)
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

int64_t inlay_quotient_ghosts(const inlay_quotient *quotient, int32_t part)
{
    int64_t ghosts = 0;
    for (int32_t k = quotient->start[part]; k < quotient->start[part + 1]; k++) {
        ghosts += quotient->ghosts[find(quotient, quotient->part[k], part)];
    }
    return ghosts;
}

inlay_gathering inlay_quotient_gathering(const inlay_quotient *quotient)
{
    inlay_gathering all = {0};
    for (int32_t p = 0; p < quotient->parts; p++) {
        include(&all.messages, quotient->start[p + 1] - quotient->start[p], p == 0);
        include(&all.ghosts, inlay_quotient_ghosts(quotient, p), p == 0);
    }
    all.messages.mean /= quotient->parts;
    all.ghosts.mean /= quotient->parts;
    return all;
}

inlay_part_loads inlay_quotient_loads(const inlay_quotient *quotient, const double *target, int32_t weight)
{
    const int64_t *load = quotient->load + weight;
    inlay_part_loads found = {load[0], load[0], inlay_quotient_imbalance(quotient, target, weight)};
    for (int32_t p = 1; p < quotient->parts; p++) {
        int64_t own = load[(ptrdiff_t)p * quotient->weights];
        found.smallest = own < found.smallest ? own : found.smallest;
        found.largest = own > found.largest ? own : found.largest;
    }
    return found;
}

int32_t inlay_quotient_worst_weight(const inlay_quotient *quotient, const double *target)
{
    int32_t worst = 0;
    double most = -1;
    for (int32_t w = 0; w < quotient->weights; w++) {
        double now = inlay_quotient_imbalance(quotient, target, w);
        worst = now > most ? w : worst;
        most = now > most ? now : most;
    }
    return worst;
}
