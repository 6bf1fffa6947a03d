/*
 * The best of what there is: each method that runs here, then partitions made of theirs. Where one rank has room for the whole
 * graph each gets it, and partitions bear children there (kway_evolve.h), on each rank others; from time to time the best of
 * all becomes known to all. Nothing that was found is lost: the answer is never worse than that of any method that was run.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/splitmix.h"
#include "irregular/exchange/collective.h"
#include "irregular/partition/kway_evolve.h"
#include "irregular/partition/partitioner.h"
#include "irregular/partition/spectral_coarsen.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ARCS =
        32000000,    /* of a graph that each rank gets whole: about half a gigabyte, with its coarser ones a whole */
    LARGE = 3000000, /* arcs of a graph of which no more than the best partition is improved */
    ARC_STEPS = 1400000, /* arcs of all children together, where nothing else is asked for */
    MOST_STEPS = 40,
    SHARED = 4 /* children of a rank from one sharing to the next */
};

typedef struct candidate {
    const char *name;
    partition_run *run;
    bool one_rank;
} candidate;

static const candidate candidates[] = {
    /* the fastest first */
    {"ptscotch", partition_ptscotch, false},
    {"metis", partition_metis, true},
    {"rsb", partition_rsb, false},
};

typedef struct search {
    const inlay_graph *graph;
    const partition_job *job;
    double since;       /* when it began */
    memory_pool arrays; /* owns those below */
    int32_t *made;      /* [rows] the last */
    int32_t *kept;      /* [rows] the best */
    int64_t *load;      /* [(weights + 1) x parts] and how many vertices each has */
    int64_t *limit;     /* [parts x weights] */
    double *scale;      /* [weights] */
    kway_worth worth;   /* of `kept` */
    bool found;

    /* Where the graph is small enough, on each rank: */
    spectral_level *level, *gathered; /* the same where there is one rank */
    int *rows;                        /* [2 x ranks] how many each rank has, and where its first stands */
    kway_graph whole;
    kway_goal goal;
    kway_population population;
    int32_t *all; /* [vertices] a part of each */
    inlay_diag *diag;
} search;

static void search_clear(search *s)
{
    kway_population_clear(&s->population);
    if (s->gathered != s->level) {
        spectral_level_free(s->gathered);
    }
    spectral_level_free(s->level);
    pool_clear(&s->arrays);
}

static bool search_room(search *s)
{
    size_t parts = (size_t)s->job->parts, ranks = (size_t)collective_ranks(s->graph->comm);
    size_t weights = (size_t)s->job->weights;
    s->made = pool_zeroed(&s->arrays, (size_t)s->graph->rows, sizeof *s->made);
    s->kept = pool_zeroed(&s->arrays, (size_t)s->graph->rows, sizeof *s->kept);
    s->load = pool_zeroed(&s->arrays, (weights + 1) * parts, sizeof *s->load);
    s->limit = pool_zeroed(&s->arrays, parts * weights, sizeof *s->limit);
    s->scale = pool_zeroed(&s->arrays, weights, sizeof *s->scale);
    s->rows = pool_zeroed(&s->arrays, 2 * ranks, sizeof *s->rows);
    return !s->arrays.failed;
}

/* ---- The whole graph ---- */

static bool is_small(const search *s)
{
    return s->graph->arcs <= MOST_ARCS && s->graph->vertices <= INT32_MAX;
}

/* What the parts may weigh, of all weights. */
static void set_goal(search *s)
{
    int32_t weights = s->job->weights;
    for (int32_t w = 0; w < weights; w++) {
        s->scale[w] = partition_weight(s->job, w)->scale;
        for (int32_t p = 0; p < s->job->parts; p++) {
            s->limit[(ptrdiff_t)p * weights + w] = partition_target(partition_weight(s->job, w), p);
        }
    }
    s->goal = (kway_goal){s->job->parts, s->limit, weights > 1 ? s->scale : NULL};
}

/* Of several loads all; of one it is there already. */
static int gather_loads(search *s)
{
    MPI_Comm comm = s->graph->comm;
    int32_t weights = s->job->weights;
    s->whole.weights = weights;
    if (weights == 1) {
        return INLAY_OK;
    }
    s->whole.load = pool_array(&s->arrays, (size_t)s->graph->vertices, (size_t)weights * sizeof *s->whole.load);
    int64_t *mine = memory_array((size_t)s->graph->rows, (size_t)weights * sizeof *mine);
    bool room = !s->arrays.failed && mine != NULL;
    int status = collective_agree(comm, room ? INLAY_OK : diag_no_memory(s->diag), s->diag);
    if (status == INLAY_OK && room) {
        MPI_Datatype row;
        for (int64_t i = 0; i < (int64_t)s->graph->rows * weights; i++) {
            mine[i] = s->graph->load == NULL ? 1 : s->graph->load[i];
        }
        MPI_Type_contiguous(weights, MPI_INT64_T, &row);
        MPI_Type_commit(&row);
        MPI_Allgatherv(mine, s->graph->rows, row, s->whole.load, s->rows, s->rows + s->level->ranks, row, comm);
        MPI_Type_free(&row);
    }
    free(mine);
    return status;
}

/* The level knows one load. */
static int gather_graph(search *s)
{
    MPI_Comm comm = s->graph->comm;
    inlay_graph simple = *s->graph;
    simple.load = s->job->weights > 1 ? NULL : simple.load;
    int status = spectral_level_of(&simple, &s->level, s->diag);
    if (status == INLAY_OK) {
        bool alone = s->level->ranks == 1;
        status = alone ? INLAY_OK : spectral_gather(s->level, MPI_COMM_SELF, &s->gathered, s->diag);
        s->gathered = alone ? s->level : s->gathered;
    }
    if (status != INLAY_OK) {
        return status;
    }
    s->all = pool_array(&s->arrays, (size_t)s->graph->vertices, sizeof *s->all);
    status = collective_agree(comm, s->arrays.failed ? diag_no_memory(s->diag) : INLAY_OK, s->diag);
    for (int r = 0; r < s->level->ranks; r++) {
        s->rows[r] = (int)(s->level->first[r + 1] - s->level->first[r]);
        s->rows[s->level->ranks + r] = (int)s->level->first[r];
    }
    const spectral_level *g = s->gathered;
    s->whole = (kway_graph){.vertices = g->rows, g->start, g->column, g->weight, g->load};
    status = status == INLAY_OK ? gather_loads(s) : status;
    uint64_t seed = splitmix_hash(s->job->seed + (uint64_t)s->level->rank);
    s->population = (kway_population){.graph = &s->whole, .goal = &s->goal, .seed = seed};
    return status;
}

/* Of made[] on each rank the parts of all vertices: all[]. */
static void gather_parts(search *s)
{
    MPI_Allgatherv(s->made, s->graph->rows, MPI_INT32_T, s->all, s->rows, s->rows + s->level->ranks, MPI_INT32_T,
                   s->graph->comm);
}

/* Whether a share of the time that is allowed is left. The same on all ranks: rank 0 has the clock. */
static bool has_time(const search *s, double share)
{
    int more = MPI_Wtime() - s->since < share * s->job->seconds;
    MPI_Bcast(&more, 1, MPI_INT, 0, s->graph->comm);
    return more != 0;
}

/* ---- What was found ---- */

static int weigh(const search *s, kway_worth *worth)
{
    inlay_partition_figures figures;
    int32_t parts = s->job->parts;
    int status = inlay_partition_evaluate(s->graph, s->made, parts, &figures, s->diag);
    partition_weigh(s->graph, s->made, parts, s->load + parts, s->load);
    *worth = (kway_worth){kway_excess(&s->goal, s->job->weights, s->load + parts),
                          status == INLAY_OK ? figures.edge_cut : 0};
    return status;
}

/* made[] becomes kept[] where it is better. */
static int consider(search *s)
{
    kway_worth worth;
    int status = weigh(s, &worth);
    if (status == INLAY_OK && (!s->found || kway_better(worth, s->worth))) {
        int32_t *worse = s->kept;
        s->kept = s->made;
        s->made = worse;
        s->worth = worth;
        s->found = true;
    }
    return status;
}

/* Whether partitions are improved as they come; else the best of them alone. */
static bool improves_each(const search *s)
{
    return s->graph->arcs <= LARGE;
}

/* made[] becomes a member on each rank. */
static int take_in(search *s)
{
    gather_parts(s);
    return collective_agree(s->graph->comm, kway_population_add(&s->population, s->all, s->diag), s->diag);
}

/* Those that cannot be run, or find nothing, are passed over, and what they warn of too: it is of no answer yet. */
static int try_candidate(search *s, const candidate *c)
{
    partition_job job = *s->job;
    job.method = c->name;
    if (partition_run_checked(c->run, s->graph, &job, s->made, NULL) != INLAY_OK) {
        return INLAY_OK;
    }
    int status = INLAY_OK;
    if (s->level != NULL && improves_each(s)) {
        status = take_in(s);
    }
    return status == INLAY_OK ? consider(s) : status;
}

/* All of them; where the time is limited, as many as can begin in the first part of it. */
static int try_candidates(search *s)
{
    const double share = 0.3;
    int status = INLAY_OK, ranks = collective_ranks(s->graph->comm);
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && status == INLAY_OK; i++) {
        bool can = ranks == 1 || !candidates[i].one_rank;
        if (can && (s->job->seconds <= 0 || i == 0 || has_time(s, share))) {
            status = try_candidate(s, &candidates[i]);
        }
    }
    if (status == INLAY_OK && !s->found) { /* for what it has to say */
        status = partition_run_checked(partition_ptscotch, s->graph, s->job, s->made, s->diag);
        status = status == INLAY_OK ? consider(s) : status;
    }
    return status;
}

/* ---- Children ---- */

/* The best of all ranks, into all[]; with `keep` it becomes a member on each. There are members. */
static int share_best(search *s, bool keep)
{
    MPI_Comm comm = s->graph->comm;
    kway_population *p = &s->population;
    int ranks = s->level->ranks, rank = s->level->rank, winner = 0, best = kway_population_best(p);
    int64_t mine[2] = {p->worth[best].excess, p->worth[best].cut}, *all = memory_array(2 * (size_t)ranks, sizeof *all);
    int status = collective_agree(comm, all == NULL ? diag_no_memory(s->diag) : INLAY_OK, s->diag);
    if (status != INLAY_OK) {
        free(all);
        return status;
    }
    MPI_Allgather(mine, 2, MPI_INT64_T, all, 2, MPI_INT64_T, comm);
    for (ptrdiff_t r = 1; r < ranks; r++) {
        ptrdiff_t w = winner;
        winner = kway_better((kway_worth){all[2 * r], all[2 * r + 1]}, (kway_worth){all[2 * w], all[2 * w + 1]})
                     ? (int)r
                     : winner;
    }
    bool news = all[2 * (ptrdiff_t)winner] != mine[0] || all[2 * (ptrdiff_t)winner + 1] != mine[1];
    free(all);
    if (rank == winner) {
        memcpy(s->all, p->part[best], (size_t)s->whole.vertices * sizeof *s->all);
    }
    MPI_Bcast(s->all, s->whole.vertices, MPI_INT32_T, winner, comm);
    status = keep && news ? kway_population_add(p, s->all, s->diag) : INLAY_OK;
    return collective_agree(comm, status, s->diag);
}

/* Steps of all ranks together; a time counts instead where it is asked for. */
static int64_t steps_of(const search *s)
{
    int64_t asked = s->job->effort, arcs = s->graph->arcs > 0 ? s->graph->arcs : 1, doublings = 0;
    for (int64_t parts = 1; parts < s->job->parts; parts *= 2) {
        doublings++;
    }
    int64_t each = ARC_STEPS / arcs < MOST_STEPS ? ARC_STEPS / arcs : MOST_STEPS;
    return asked > 0 ? asked : asked < 0 ? 0 : doublings * each;
}

static bool goes_on(const search *s, int64_t turn)
{
    return s->job->seconds > 0 ? has_time(s, 1) : turn * s->level->ranks < steps_of(s);
}

/* A few more of their own kind before there are children. */
static int beginners(const search *s)
{
    enum { FEW = 3, EACH = 12, MOST = 8 };
    int64_t count = s->job->seconds > 0 ? MOST : FEW + steps_of(s) / EACH;
    return (int)(count < MOST ? count : MOST);
}

static int bear_children(search *s)
{
    int status = INLAY_OK, begin = beginners(s);
    for (int64_t turn = 0; status == INLAY_OK && goes_on(s, turn); turn++) {
        status = collective_agree(s->graph->comm, kway_population_step(&s->population, begin, s->diag), s->diag);
        if (status == INLAY_OK && s->level->ranks > 1 && turn % SHARED == SHARED - 1) {
            status = share_best(s, true);
        }
    }
    return status == INLAY_OK && s->population.members > 0 ? share_best(s, false) : status;
}

static int bear_and_consider(search *s)
{
    int status = INLAY_OK;
    if (!improves_each(s) && (s->job->seconds <= 0 || has_time(s, 1))) {
        if (s->graph->rows > 0) {
            memcpy(s->made, s->kept, (size_t)s->graph->rows * sizeof *s->made);
        }
        status = take_in(s);
    }
    status = status == INLAY_OK ? bear_children(s) : status;
    if (status != INLAY_OK || s->population.members == 0) {
        return status;
    }
    if (s->graph->rows > 0) {
        memcpy(s->made, s->all + s->rows[s->level->ranks + s->level->rank], (size_t)s->graph->rows * sizeof *s->made);
    }
    bool holds = partition_repair(s->graph, s->job, s->made, NULL) == INLAY_OK &&
                 partition_verify(s->graph, s->job, s->made, NULL) == INLAY_OK;
    return holds ? consider(s) : INLAY_OK;
}

/* ---- All of it ---- */

int partition_best(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    search s = {.graph = graph, .job = job, .since = MPI_Wtime(), .diag = diag};
    bool room = search_room(&s);
    int status = collective_agree(graph->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK && room) {
        set_goal(&s);
    }
    status = status == INLAY_OK && is_small(&s) ? gather_graph(&s) : status;
    status = status == INLAY_OK ? try_candidates(&s) : status;
    status = status == INLAY_OK && s.level != NULL ? bear_and_consider(&s) : status;
    if (status == INLAY_OK && graph->rows > 0 && room) {
        memcpy(part, s.kept, (size_t)graph->rows * sizeof *part);
    }
    search_clear(&s);
    return status;
}
