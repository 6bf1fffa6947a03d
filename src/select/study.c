/* The generator of the simulation study. */
#include "select/study.h"

/* The next number of a stream (splitmix64: G. Steele, D. Lea and C. Flood, OOPSLA 2014). */
static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* States that are a few steps apart would give streams that are the same but for their begin: hence the mixing. */
uint64_t study_stream(uint64_t seed, uint64_t number)
{
    uint64_t state = next(&seed) ^ number * UINT64_C(0xd1342543de82ef95);
    return next(&state);
}

/* 1 .. most; `most` below 2^32. */
static int64_t whole(uint64_t *state, int64_t most)
{
    return 1 + (int64_t)(((next(state) >> 32) * (uint64_t)most) >> 32);
}

static double real(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(next(state) >> 11) * 0x1p-53);
}

/* Latencies up to 1000 usec, up to 6.4 + 11.9 p usec a byte. */
static inlay_select_cluster draw_cluster(uint64_t *state, const study_cell *cell)
{
    inlay_select_cluster c = {.processors = (int32_t)whole(state, STUDY_PROCESSORS)};
    c.rate = (double)whole(state, STUDY_RATE);
    bool mesh = cell->mixed && next(state) >> 63 != 0;
    double u = real(state, 0.01, 1);
    c.c2 = 1000 * u;
    c.c3 = 6.4 * u;
    c.c4 = 11.9 * u;
    if (mesh && cell->topology == INLAY_PATTERN_TREE) {
        c.growth = INLAY_GROWTH_LOG2;
    } else if (mesh && cell->topology == INLAY_PATTERN_LINE) {
        /* neighbours on the line are neighbours on the mesh: next to no dependence on p (footnote 4) */
        c.c1 = c.c2;
        c.c2 *= 0.01;
        c.c4 *= 0.01;
    }
    return c;
}

void study_draw_metasystem(uint64_t *state, const study_cell *cell, study_metasystem *made)
{
    *made = (study_metasystem){.clusters = (int32_t)whole(state, STUDY_CLUSTERS)};
    for (int32_t i = 0; i < made->clusters; i++) {
        made->cluster[i] = draw_cluster(state, cell);
    }
    if (cell->routers) {
        double v = real(state, 0, 1);
        made->router_latency = 1000 * v;
        made->router_per_byte = 6.4 * v;
    }
}

inlay_select_problem study_draw_program(uint64_t *state, const study_cell *cell, const study_metasystem *metasystem,
                                        int64_t instance)
{
    static const int64_t units[] = {1, 100, 500, 1000, 5000, 10000};
    inlay_select_problem program = {.clusters = (size_t)metasystem->clusters,
                                    .cluster = metasystem->cluster,
                                    .units = units[instance % 6],
                                    .topology = cell->topology,
                                    .router_latency = metasystem->router_latency,
                                    .router_per_byte = metasystem->router_per_byte};
    program.unit_work = (double)whole(state, STUDY_INSTRUCTIONS);
    program.bytes = (double)whole(state, program.units);
    return program;
}
