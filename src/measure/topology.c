/* What --topology comes to. */
#include "base/diag.h"
#include "measure/analysis.h"
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Clusters ---- */

/* Whether a rank is on a host of the cluster. */
static bool has_rank(const inlay_raw *r, const inlay_raw_cluster *cluster, int rank)
{
    bool found = false;
    for (int i = 0; i < cluster->hosts; i++) {
        found = found || cluster->host[i] == r->host_of[rank];
    }
    return found;
}

/* `room` has a place for each rank. */
static inlay_figure arithmetic_of(const inlay_machine_fit *a, const inlay_raw_cluster *cluster, double *room)
{
    int count = 0;
    double spread = 0;
    for (int r = 0; r < a->of->ranks; r++) {
        if (has_rank(a->of, cluster, r)) {
            room[count++] = a->rank[r].arithmetic_alone.median;
            spread = fmax(spread, a->rank[r].arithmetic_alone.spread);
        }
    }
    return (inlay_figure){gsl_stats_median(room, 1, (size_t)count), spread};
}

/* What joins the processors, as the ring of their class has found out: hosts, or the cores of one. */
static inlay_interconnect interconnect_of(const inlay_machine_fit *a, const inlay_raw_cluster *cluster)
{
    const inlay_ring_fit *ring = &a->ring[cluster->hosts > 1 ? INLAY_PAIR_NETWORK : INLAY_PAIR_CORE];
    return ring->ranks > 0 && ring->kind != INLAY_MEDIUM_BUS ? INLAY_INTERCONNECT_SWITCH : INLAY_INTERCONNECT_BUS;
}

/* ---- Patterns ---- */

static void add_points(const inlay_raw *r, const inlay_raw_cycle *cycle, inlay_pattern_fit *pattern)
{
    pattern->counts++;
    for (int s = 0; s < r->sizes; s++) {
        inlay_figure of = inlay_figure_of(&cycle->seconds[s]);
        pattern->point[pattern->points++] =
            (inlay_growth_point){cycle->processors, (double)r->size[s], of.median, of.spread};
    }
}

static bool is_of(const inlay_raw_cycle *cycle, int cluster, int pattern)
{
    return cycle->cluster == cluster && (int)cycle->pattern == pattern;
}

static int fit_pattern(const inlay_raw *r, int cluster, int number, inlay_pattern_fit *pattern)
{
    size_t cycles = 0;
    for (int i = 0; i < r->topology.cycles; i++) {
        cycles += is_of(&r->topology.cycle[i], cluster, number);
    }
    if (cycles == 0) {
        return INLAY_OK;
    }
    size_t points = cycles * (size_t)r->sizes;
    pattern->point = calloc(points, sizeof *pattern->point);
    double *spread = malloc(points * sizeof *spread);
    int status = pattern->point != NULL && spread != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (int i = 0; i < r->topology.cycles && status == INLAY_OK; i++) {
        if (is_of(&r->topology.cycle[i], cluster, number)) {
            add_points(r, &r->topology.cycle[i], pattern);
        }
    }
    status = status == INLAY_OK ? inlay_fit_growths(pattern) : status;
    for (size_t i = 0; i < points && status == INLAY_OK; i++) {
        spread[i] = pattern->point[i].spread;
    }
    pattern->spread = status == INLAY_OK ? gsl_stats_median(spread, 1, points) : 0;
    free(spread);
    return status;
}

/* ---- Warnings ---- */

static void warn_of_pattern(const inlay_cluster_fit *cluster, const char *name, const inlay_pattern_fit *pattern,
                            inlay_diag *diag)
{
    const double doubtful = 0.25;
    const inlay_growth_fit *fit = &pattern->fit[pattern->chosen];
    if (fit->residual > doubtful) {
        diag_warn(diag,
                  "cycles of %s in %s do not grow as c1 + c2 f(p) + b (c3 + c4 f(p)): the best fit is off by "
                  "%.0f %% (root mean square), at most %.0f %%",
                  name, cluster->name, 100 * fit->residual, 100 * fit->largest);
    }
}

/* How much a cluster's processors tell of growth. */
static void warn_of_counts(const inlay_cluster_fit *cluster, inlay_diag *diag)
{
    if (cluster->of->ranks < 2) {
        diag_warn(diag, "%s has one processor, between which and itself nothing is measured: its cycles cost nothing",
                  cluster->name);
    } else if (cluster->of->ranks == 2) {
        diag_warn(diag,
                  "%s has 2 ranks: how cycles grow is not known, and they are taken for constant; more ranks "
                  "are needed",
                  cluster->name);
    } else if (cluster->of->ranks == 3) {
        diag_warn(diag, "%s has 3 ranks: log and linear growth are not told apart; more ranks are needed",
                  cluster->name);
    }
}

static void warn_of_cores(const inlay_raw *r, inlay_diag *diag)
{
    for (int h = 0; h < r->hosts; h++) {
        const inlay_raw_host *host = &r->host[h];
        if (host->cores > 0 && host->ranks > host->cores) {
            diag_warn(diag,
                      "the %d ranks on %s shared %" PRId64 " core%s: its cycles waited for ranks that did not run",
                      host->ranks, host->name, host->cores, host->cores == 1 ? "" : "s");
        }
    }
}

static void warn_of_fits(const inlay_metasystem_fit *t, inlay_diag *diag)
{
    warn_of_cores(t->of->of, diag);
    for (int c = 0; c < t->clusters; c++) {
        warn_of_counts(&t->cluster[c], diag);
        for (int p = 0; p < INLAY_PATTERNS; p++) {
            if (t->cluster[c].pattern[p].points > 0) {
                warn_of_pattern(&t->cluster[c], inlay_pattern_name((inlay_pattern)p), &t->cluster[c].pattern[p], diag);
            }
        }
    }
}

/* ---- The whole ---- */

static int make_cluster(const inlay_machine_fit *a, int number, const bool wanted[INLAY_PATTERNS], double *room,
                        inlay_cluster_fit *cluster)
{
    const inlay_raw *r = a->of;
    int status = INLAY_OK;
    cluster->of = &r->topology.cluster[number];
    cluster->name = r->host[cluster->of->host[0]].name;
    cluster->arithmetic = arithmetic_of(a, cluster->of, room);
    cluster->rate = 1 / cluster->arithmetic.median;
    cluster->interconnect = interconnect_of(a, cluster->of);
    for (int p = 0; p < INLAY_PATTERNS && status == INLAY_OK; p++) {
        status = wanted[p] ? fit_pattern(r, number, p, &cluster->pattern[p]) : INLAY_OK;
    }
    return status;
}

int topology_make(const inlay_machine_fit *a, const bool wanted[INLAY_PATTERNS], inlay_metasystem_fit *t,
                  inlay_diag *diag)
{
    const inlay_raw *r = a->of;
    double *room = malloc((size_t)r->ranks * sizeof *room);
    t->of = a;
    t->cluster = calloc((size_t)r->topology.clusters, sizeof *t->cluster);
    memcpy(t->wanted, wanted, sizeof t->wanted);
    int status = room != NULL && t->cluster != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    t->clusters = t->cluster != NULL ? r->topology.clusters : 0;
    for (int c = 0; c < t->clusters && status == INLAY_OK; c++) {
        status = make_cluster(a, c, wanted, room, &t->cluster[c]);
    }
    free(room);
    if (status == INLAY_OK) {
        warn_of_fits(t, diag);
    }
    return status;
}
