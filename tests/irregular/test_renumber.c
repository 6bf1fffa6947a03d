/*
 * Local numbers: orders are orders, a search from their end goes breadth first, bandwidths are what they should be, Hilbert's
 * curve goes from neighbour to neighbour, and programs compute the same with them.
 */
#include "harness.h"
#include "whole_graph.h"
#include <inlay/irregular.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The row of this rank with that number; -1: another's. */
static int32_t row_of(const whole *w, int64_t global)
{
    for (int32_t i = 0; i < w->share.rows; i++) {
        int64_t number = w->share.global == NULL ? w->share.first + i : w->share.global[i];
        if (number == global) {
            return i;
        }
    }
    return -1;
}

static int64_t global_of(const whole *w, int32_t row)
{
    return w->share.global == NULL ? w->share.first + row : w->share.global[row];
}

static bool joined(const whole *w, const int32_t *group, int32_t a, int32_t b)
{
    return w->weight[global_of(w, a)][global_of(w, b)] > 0 && (group == NULL || group[a] == group[b]);
}

static bool check_order(harness *h, int32_t rows, const int32_t *order, const int32_t *group)
{
    bool seen[WHOLE_MOST] = {false};
    for (int32_t k = 0; k < rows; k++) {
        if (!check(h, order[k] >= 0 && order[k] < rows && !seen[order[k]])) {
            return false;
        }
        seen[order[k]] = true;
        check(h, group == NULL || k == 0 || group[order[k - 1]] <= group[order[k]]);
    }
    return true;
}

/* Backwards, and piece by piece, the first neighbour of each vertex never comes before that of the one before; and siblings
   come by their number of neighbours. */
static void check_breadth_first(harness *h, const whole *w, const int32_t *order, const int32_t *group)
{
    int32_t rows = w->share.rows, place[WHOLE_MOST], degree[WHOLE_MOST] = {0};
    for (int32_t k = 0; k < rows; k++) {
        place[order[k]] = k;
        for (int32_t j = 0; j < rows; j++) {
            degree[k] += j != k && joined(w, group, k, j);
        }
    }
    for (int32_t end = rows; end > 0;) { /* the piece that ends here began its search here */
        int32_t before = end - 1, k = end - 2;
        for (; k >= 0; k--) {
            int32_t parent = -1;
            for (int32_t j = 0; j < rows; j++) {
                bool earlier = joined(w, group, order[k], j) && place[j] > k && place[j] < end;
                parent = earlier && place[j] > parent ? place[j] : parent;
            }
            if (parent < 0) {
                break;
            }
            check(h, parent <= before);
            check(h, parent != before || k == end - 2 || degree[order[k]] >= degree[order[k + 1]]);
            before = parent;
        }
        for (int32_t i = k + 1; i < end; i++) { /* nobody of the rest is joined with the piece */
            for (int32_t j = 0; j <= k; j++) {
                check(h, !joined(w, group, order[i], order[j]));
            }
        }
        end = k + 1;
    }
}

static void check_figures(harness *h, const whole *w, const int32_t *order, const int32_t *group)
{
    int32_t place[WHOLE_MOST];
    int64_t edges = 0, sum = 0, most = 0;
    for (int32_t k = 0; k < w->share.rows; k++) {
        place[order == NULL ? k : order[k]] = k;
    }
    for (int32_t i = 0; i < w->share.rows; i++) {
        for (int32_t j = 0; j < i; j++) {
            int64_t distance = labs((long)(place[i] - place[j]));
            if (joined(w, group, i, j)) {
                edges++;
                sum += distance;
                most = distance > most ? distance : most;
            }
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &edges, 1, MPI_INT64_T, MPI_SUM, h->comm);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, h->comm);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, h->comm);
    inlay_numbering_figures f = {-1, -1, -1};
    if (check_ok(h, inlay_numbering_evaluate(&w->share, order, group, &f, h->diag))) {
        check(h, f.edges == edges && f.bandwidth == most);
        check(h, fabs(f.mean_distance - (edges > 0 ? (double)sum / (double)edges : 0)) < 1e-9);
    }
}

static void random_graphs(harness *h)
{
    uint64_t state = 17;
    for (int round = 0; round < 16; round++) {
        int32_t n = (int32_t)harness_draw(&state, 120) + 1, groups = (int32_t)harness_draw(&state, 4) + 1;
        int32_t order[WHOLE_MOST], group[WHOLE_MOST];
        whole *w = whole_random(&state, n, round % 6, 1, false);
        harness_case(h, "reverse Cuthill-McKee of %d vertices, graph %d", (int)n, round);
        if (round % 3 == 0) {
            whole_share_blocks(h, w);
        } else {
            whole_share_at_random(h, w, &state);
        }
        for (int32_t g = 0; g < n; g++) {
            int32_t row = row_of(w, g), drawn = (int32_t)harness_draw(&state, (uint64_t)groups);
            if (row >= 0) {
                group[row] = drawn;
            }
        }
        inlay_renumber_options o = {.how = INLAY_NUMBERING_GROUPS, .group = group};
        if (check_ok(h, inlay_renumber(&w->share, &o, order, h->diag)) && check_order(h, w->share.rows, order, group)) {
            for (int32_t k = 1; k < w->share.rows; k++) {
                check(h, group[order[k - 1]] < group[order[k]] || order[k - 1] < order[k]);
            }
        }
        o = (inlay_renumber_options){.how = INLAY_NUMBERING_RCM, .group = round % 2 == 0 ? NULL : group};
        if (check_ok(h, inlay_renumber(&w->share, &o, order, h->diag)) &&
            check_order(h, w->share.rows, order, o.group)) {
            check_breadth_first(h, w, order, o.group);
            check_figures(h, w, order, NULL);
            check_figures(h, w, order, group);
            check_figures(h, w, NULL, o.group);
        }
        whole_free(w);
    }
}

/* Grids, whose least bandwidth is that of their shorter side; numbered at random, and on each rank some of it. */
static void known_bandwidths(harness *h)
{
    static const struct {
        int32_t nx, ny;
        int64_t most;
    } grids[] = {{60, 1, 1}, {40, 3, 4}, {20, 7, 7}, {12, 12, 12}};
    uint64_t state = 9;
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        whole *w = whole_grid(grids[g].nx, grids[g].ny, 1, 0);
        int32_t order[WHOLE_MOST];
        inlay_numbering_figures before, after;
        whole_share_at_random(h, w, &state);
        harness_case(h, "the bandwidth of a grid of %d x %d", (int)grids[g].nx, (int)grids[g].ny);
        inlay_renumber_options o = {.how = INLAY_NUMBERING_RCM};
        check_ok(h, inlay_renumber(&w->share, &o, order, h->diag));
        check_ok(h, inlay_numbering_evaluate(&w->share, NULL, NULL, &before, h->diag));
        check_ok(h, inlay_numbering_evaluate(&w->share, order, NULL, &after, h->diag));
        check(h, after.bandwidth <= grids[g].most && after.bandwidth <= before.bandwidth);
        check(h, after.edges == before.edges && after.mean_distance <= before.mean_distance);
        whole_free(w);
    }
}

/* On a full grid of 2^k points a side each point of the curve is next to the one before. */
static void hilbert(harness *h)
{
    uint64_t state = 4;
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
        int side = dimensions == 1 ? 256 : dimensions == 2 ? 16 : 4;
        int32_t n = 1, shuffled[WHOLE_MOST], order[WHOLE_MOST];
        for (int d = 0; d < dimensions; d++) {
            n *= side;
        }
        for (int32_t i = 0; i < n; i++) {
            int32_t j = (int32_t)harness_draw(&state, (uint64_t)i + 1);
            shuffled[i] = shuffled[j];
            shuffled[j] = i;
        }
        whole *w = whole_empty(n);
        double *place = malloc((size_t)n * 3 * sizeof *place + 1);
        whole_share_blocks(h, w);
        int32_t rows = h->ranks == 1 ? w->share.rows : 0; /* whole on one rank; on several what ranks have */
        for (int32_t i = 0; i < w->share.rows; i++) {
            for (int d = 0, left = shuffled[w->share.first + i]; d < dimensions; d++, left /= side) {
                place[dimensions * i + d] = -3 + 0.25 * (left % side);
            }
        }
        harness_case(h, "Hilbert's curve in %d dimensions", dimensions);
        inlay_renumber_options o = {.how = INLAY_NUMBERING_HILBERT, .dimensions = dimensions, .coordinate = place};
        check_ok(h, inlay_renumber(&w->share, &o, order, h->diag));
        check_order(h, w->share.rows, order, NULL);
        for (int32_t k = 1; k < rows; k++) {
            double way = 0;
            for (int d = 0; d < dimensions; d++) {
                way += fabs(place[dimensions * order[k] + d] - place[dimensions * order[k - 1] + d]);
            }
            check(h, fabs(way - 0.25) < 1e-12);
        }
        free(place);
        whole_free(w);
    }
}

/* Owners stay, offsets follow the order, and an array that is moved lies so. */
static void tables(harness *h)
{
    uint64_t state = 3;
    for (int round = 0; round < 6; round++) {
        int32_t n = (int32_t)harness_draw(&state, 90) + 1, order[WHOLE_MOST];
        whole *w = whole_random(&state, n, 3, 1, false);
        inlay_table *from = NULL, *to = NULL;
        inlay_schedule *schedule = NULL;
        int64_t old[WHOLE_MOST], moved[WHOLE_MOST];
        harness_case(h, "a table of %d elements in a new order", (int)n);
        whole_share_at_random(h, w, &state);
        inlay_renumber_options o = {.how = INLAY_NUMBERING_RCM};
        check_ok(h, inlay_table_owned(h->comm, n, w->share.global, w->share.rows, &from, h->diag));
        check_ok(h, inlay_renumber(&w->share, &o, order, h->diag));
        if (check_ok(h, inlay_table_ordered(from, order, &to, h->diag)) &&
            check_ok(h, inlay_remap(from, to, &schedule, h->diag))) {
            for (int32_t i = 0; i < w->share.rows; i++) {
                old[i] = 1000 + w->share.global[i];
            }
            check_ok(h, inlay_schedule_move(schedule, old, moved, sizeof *old, h->diag));
            for (int32_t k = 0; k < w->share.rows; k++) {
                check(h, moved[k] == old[order[k]]);
            }
        }
        inlay_schedule_free(schedule);
        inlay_table_free(from);
        inlay_table_free(to);
        whole_free(w);
    }
}

/* Graph, groups and places go to the owners of any table, and get an order there as they would have by hand. */
static void elsewhere(harness *h)
{
    uint64_t state = 29;
    for (int round = 0; round < 8; round++) {
        int32_t n = (int32_t)harness_draw(&state, 90) + 1, group[WHOLE_MOST], part[WHOLE_MOST];
        double place[2 * WHOLE_MOST];
        whole *w = whole_random(&state, n, 4, 1, false);
        inlay_table *from = NULL, *owners = NULL, *ordered = NULL;
        inlay_numbering_figures figures[2];
        harness_case(h, "%d elements in a new order at their owners", (int)n);
        whole_share_at_random(h, w, &state);
        for (int32_t i = 0; i < n; i++) {
            part[i] = (int32_t)harness_draw(&state, (uint64_t)h->ranks);
        }
        for (int32_t i = 0; i < w->share.rows; i++) {
            int32_t g = (int32_t)w->share.global[i];
            group[i] = g % 3;
            place[2 * i] = g * 7 % 11;
            place[2 * i + 1] = g * 5 % 13;
            w->share_part[i] = part[g];
        }
        inlay_renumber_options o = {.how = (inlay_numbering)(round % 3),
                                    .group = round % 4 < 2 ? group : NULL,
                                    .dimensions = 2,
                                    .coordinate = place};
        check_ok(h, inlay_table_owned(h->comm, n, w->share.global, w->share.rows, &from, h->diag));
        check_ok(h, inlay_table_of_parts(from, w->share_part, &owners, h->diag));
        if (check_ok(h, inlay_table_renumber(&w->share, owners, &o, &ordered, figures, h->diag))) {
            int64_t old[WHOLE_MOST], new[WHOLE_MOST];
            int32_t rows = inlay_table_local(owners), order[WHOLE_MOST], found[WHOLE_MOST];
            check(h, rows == inlay_table_local(ordered));
            inlay_table_globals(owners, old);
            inlay_table_globals(ordered, new);
            /* by hand: the rows of the whole graph that this rank owns */
            int64_t start[WHOLE_MOST + 1] = {0}, *column = malloc(sizeof *column * (size_t)n * (size_t)n + 1);
            for (int32_t i = 0; i < rows; i++) {
                start[i + 1] = start[i];
                group[i] = (int32_t)(old[i] % 3);
                place[2 * i] = (double)(old[i] * 7 % 11);
                place[2 * i + 1] = (double)(old[i] * 5 % 13);
                for (int32_t j = 0; j < n; j++) {
                    if (w->weight[old[i]][j] > 0) {
                        column[start[i + 1]++] = j;
                    }
                }
            }
            inlay_graph own = {
                .comm = h->comm, .vertices = n, .rows = rows, .global = old, .start = start, .column = column};
            inlay_numbering_figures f;
            check_ok(h, inlay_renumber(&own, &o, order, h->diag));
            for (int32_t k = 0; k < rows; k++) {
                found[k] = order[k];
                check(h, new[k] == old[order[k]]);
            }
            check_ok(h, inlay_numbering_evaluate(&own, found, o.group, &f, h->diag));
            check(h, f.bandwidth == figures[1].bandwidth && f.edges == figures[1].edges);
            check_ok(h, inlay_numbering_evaluate(&own, NULL, o.group, &f, h->diag));
            check(h, f.bandwidth == figures[0].bandwidth && f.mean_distance == figures[0].mean_distance);
            free(column);
        }
        inlay_table_free(from);
        inlay_table_free(owners);
        inlay_table_free(ordered);
        whole_free(w);
    }
}

static void check_refused(harness *h, const whole *w, const inlay_renumber_options *o, const char *text)
{
    int32_t order[WHOLE_MOST];
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_renumber(&w->share, o, order, diag), INLAY_BAD_ARGUMENT, text, diag);
    inlay_diag_free(diag);
}

static void hostile(harness *h)
{
    whole *w = whole_grid(6, 5, 1, 0);
    int32_t order[WHOLE_MOST], group[WHOLE_MOST] = {0};
    double place[2 * WHOLE_MOST] = {0};
    inlay_numbering_figures f;
    inlay_table *to = NULL, *from = NULL;
    inlay_diag *diag = inlay_diag_new(), *other = inlay_diag_new();
    whole_share_blocks(h, w);
    harness_case(h, "orders and options that cannot be");
    inlay_renumber_options o = {.how = INLAY_NUMBERING_HILBERT};
    check_refused(h, w, &o, "needs 1 to 3 coordinates");
    o.dimensions = 2;
    check_refused(h, w, &o, "needs 1 to 3 coordinates");
    o.coordinate = place;
    place[1] = NAN;
    check_refused(h, w, &o, "row 0 has a coordinate that is no number");
    o.how = (inlay_numbering)7;
    check_refused(h, w, &o, "no numbering 7");
    o = (inlay_renumber_options){.group = group};
    group[0] = -1;
    check_refused(h, w, &o, "row 0 is in group -1");
    memset(order, 0, sizeof order);
    check_fails(h, inlay_numbering_evaluate(&w->share, order, NULL, &f, diag), INLAY_BAD_ARGUMENT,
                "row 0 comes at place 1", diag);
    check_ok(h, inlay_table_block(h->comm, w->n, &from, h->diag));
    check_fails(h, inlay_table_ordered(from, order, &to, other), INLAY_BAD_ARGUMENT, "row 0 comes at place 1", other);
    check(h, to == NULL);
    inlay_table_free(from);
    inlay_diag_free(diag);
    inlay_diag_free(other);
    whole_free(w);
}

/* Points in one place, and so far apart that their distance is no number. */
static void strange_places(harness *h)
{
    whole *w = whole_empty(9);
    int32_t order[WHOLE_MOST];
    double place[WHOLE_MOST];
    whole_share_blocks(h, w);
    harness_case(h, "Hilbert's curve through strange places");
    for (int way = 0; way < 2; way++) {
        for (int32_t i = 0; i < w->share.rows; i++) {
            place[i] = way == 0 ? 5 : (w->share.first + i) % 2 == 0 ? 1.7e308 : -1.7e308;
        }
        inlay_renumber_options o = {.how = INLAY_NUMBERING_HILBERT, .dimensions = 1, .coordinate = place};
        check_ok(h, inlay_renumber(&w->share, &o, order, h->diag));
        if (check_order(h, w->share.rows, order, NULL)) {
            for (int32_t k = 1; k < w->share.rows; k++) {
                check(h, place[order[k - 1]] <= place[order[k]]);
                check(h, place[order[k - 1]] < place[order[k]] || order[k - 1] < order[k]);
            }
        }
    }
    whole_free(w);
}

void suite_renumber(harness *h);

void suite_renumber(harness *h)
{
    random_graphs(h);
    known_bandwidths(h);
    hilbert(h);
    strange_places(h);
    tables(h);
    elsewhere(h);
    hostile(h);
}
