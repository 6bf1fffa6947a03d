/* Grid decompositions counted cell by cell. */
#include "slow_grid.h"

#include <check.h>
#include <string.h>

void slow_grid_owners(const inlay_decomposition *d, int32_t owner[SLOW_CELLS])
{
    const inlay_decomposition_summary *s = inlay_decomposition_summary_of(d);
    int strangers = 0; /* asserted once: each assertion writes to a file */
    for (int64_t r = 0; r < s->rows; r++)
        for (int64_t c = 0; c < s->columns; c++) {
            int32_t i = inlay_decomposition_owner(d, r, c);
            strangers += i < 0 || i >= s->processors;
            owner[r * s->columns + c] = i;
        }
    ck_assert_int_eq(strangers, 0);
}

/* The neighbour of a row (or column), or -1 over the edge of a bounded grid. */
static int64_t beside(int64_t at, int64_t offset, int64_t length, bool bounded)
{
    int64_t there = at + offset;
    if (bounded) return there >= 0 && there < length ? there : -1;
    while (there < 0)
        there += length;
    while (there >= length)
        there -= length;
    return there;
}

void slow_grid_count(const inlay_grid_problem *problem, const int32_t *owner, const inlay_grid_offset *offset,
                     size_t directions, slow_grid_messages *messages)
{
    ck_assert_uint_le(directions, SLOW_DIRECTIONS);
    memset(messages, 0, sizeof *messages);
    for (size_t k = 0; k < directions; k++)
        for (int64_t r = 0; r < problem->rows; r++)
            for (int64_t c = 0; c < problem->columns; c++) {
                int64_t row = beside(r, offset[k].down, problem->rows, problem->bounded);
                int64_t column = beside(c, offset[k].across, problem->columns, problem->bounded);
                if (row < 0 || column < 0) continue;
                int32_t from = owner[r * problem->columns + c];
                int32_t to = owner[row * problem->columns + column];
                messages->cells[k][from][to] += from != to;
            }
}

slow_grid_cost slow_grid_cost_of(const inlay_grid_problem *problem, const inlay_grid_network *network,
                                 const slow_grid_messages *messages, size_t directions)
{
    slow_grid_cost sum = {0};
    for (size_t k = 0; k < directions; k++) {
        double most = 0, busiest = 0, received[SLOW_PROCESSORS] = {0};
        for (int i = 0; i < problem->processors; i++) {
            double count = 0, sent = 0;
            for (int j = 0; j < problem->processors; j++) {
                double bytes = (double)(messages->cells[k][i][j] * problem->item);
                double framed = bytes;
                for (double left = bytes; network->payload > 0 && left > 0; left -= (double)network->payload)
                    framed += (double)network->frame;
                count += bytes > 0;
                sent += framed;
                received[j] += framed;
                sum.bytes += bytes;
                sum.framed += framed;
            }
            sum.messages += count;
            if (count > most) most = count;
            if (sent > busiest) busiest = sent;
        }
        for (int j = 0; j < problem->processors; j++)
            if (received[j] > busiest) busiest = received[j];
        sum.latency_units += most;
        sum.carried += busiest;
    }
    if (network->wiring != INLAY_GRID_SWITCH) sum.carried = sum.framed;
    return sum;
}

size_t slow_grid_directions(inlay_grid_communication communication, inlay_grid_offset offset[SLOW_DIRECTIONS])
{
    static const struct {
        inlay_grid_communication communication;
        const char *directions;
    } patterns[] = {{INLAY_GRID_SYSTOLIC, "E"},       {INLAY_GRID_WAVEFRONT, "E S"},
                    {INLAY_GRID_STENCIL3, "N S"},     {INLAY_GRID_STENCIL3_ACROSS, "E W"},
                    {INLAY_GRID_STENCIL5, "N S E W"}, {INLAY_GRID_STENCIL9, "N S E W NE NW SE SW"}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (patterns[i].communication != communication) continue;
        offset[0] = (inlay_grid_offset){0};
        for (const char *c = patterns[i].directions; *c != '\0'; c++) {
            if (*c == ' ') offset[++count] = (inlay_grid_offset){0};
            if (*c == 'N') offset[count].down = -1;
            if (*c == 'S') offset[count].down = 1;
            if (*c == 'E') offset[count].across = 1;
            if (*c == 'W') offset[count].across = -1;
        }
        count++;
    }
    return count;
}
