/* The metasystem of the ranks. See site.h. */
#include "site.h"
#include "wires.h"

#include <inlay/domain.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Ranks and clusters ---- */

/* Ranks of one host one after another, hosts in the order of their first ranks; cluster[i] is a host. Their number. */
static int by_hosts(const char *hosts, int ranks, stencil_site *site)
{
    int clusters = 0, taken = 0;
    for (int r = 0; r < ranks && clusters < CLUSTERS; r++) {
        const char *name = hosts + (size_t)r * HOST_NAME;
        int known = 0;
        while (known < clusters && strcmp(site->name[known], name) != 0) {
            known++;
        }
        if (known < clusters) {
            continue;
        }
        site->first[clusters] = taken;
        for (int s = r; s < ranks; s++) {
            if (strcmp(name, hosts + (size_t)s * HOST_NAME) == 0) {
                site->rank[taken++] = s;
            }
        }
        site->cluster[clusters].total = taken - site->first[clusters];
        memcpy(site->name[clusters++], name, HOST_NAME);
    }
    return clusters;
}

/* Two halves of one host's ranks, in one network. */
static int halves(int ranks, stencil_site *site)
{
    int clusters = ranks > 1 ? 2 : 1;
    strcpy(site->name[0], "fast");
    strcpy(site->name[1], "slow");
    site->first[1] = (ranks + 1) / 2;
    site->cluster[0].total = (ranks + 1) / 2;
    site->cluster[1].total = ranks / 2;
    site->network = (inlay_metasystem_network){.name = "host", .parent = -1};
    site->metasystem.networks = 1;
    site->metasystem.network = &site->network;
    return clusters;
}

/* 100,50,25,... or what --rates says, the last one again where there are more clusters. */
static int set_rates(const stencil_job *job, stencil_site *site, inlay_diag *diag)
{
    const char *text = job->rates;
    double rate = 200;
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        char *end = NULL;
        rate = text == NULL ? rate / 2 : *text == '\0' ? rate : strtod(text, &end);
        if (!(rate > 0 && isfinite(rate)) || (end != NULL && *end != ',' && *end != '\0')) {
            return inlay_domain_refuse(diag, "--rates %s is wrong; expected numbers above 0 with commas between",
                                       job->rates);
        }
        text = end == NULL ? text : *end == ',' ? end + 1 : end;
        site->cluster[i].rate = rate;
    }
    return INLAY_OK;
}

/* A metasystem of the ranks as they are. */
static int make_up(const stencil_job *job, const char *hosts, int ranks, stencil_site *site, inlay_diag *diag)
{
    int clusters = by_hosts(hosts, ranks, site);
    if (clusters == 1) {
        clusters = halves(ranks, site);
    }
    for (int i = 0; i < clusters; i++) {
        site->cluster[i].name = site->name[i];
        site->cluster[i].available = site->cluster[i].total;
    }
    site->metasystem.time_unit = INLAY_UNIT_US;
    site->metasystem.clusters = (size_t)clusters;
    return set_rates(job, site, diag);
}

/* The file's metasystem; its processors are the ranks in the order of hosts. */
static int take_file(const stencil_job *job, const char *hosts, int ranks, stencil_site *site, inlay_diag *diag)
{
    int needed = 0, status = inlay_metasystem_read(job->path, &site->file, diag);
    if (status != INLAY_OK) {
        return status;
    }
    by_hosts(hosts, ranks, site);
    if (site->file->clusters > CLUSTERS) {
        return inlay_domain_refuse(diag, "%s: %zu clusters; expected at most %d", job->path, site->file->clusters,
                                   CLUSTERS);
    }
    site->metasystem = *site->file;
    for (size_t i = 0; i < site->file->clusters; i++) {
        const inlay_metasystem_cluster *cluster = &site->file->cluster[i];
        site->cluster[i] = *cluster;
        site->first[i] = needed;
        needed += cluster->total;
        if (!(cluster->rate > 0)) {
            return inlay_domain_refuse(diag, "%s: cluster %s has no rate; expected one", job->path, cluster->name);
        }
    }
    if (needed > ranks) {
        return inlay_domain_refuse(diag, "%s: there are %d processors; expected at most as many as ranks, %d",
                                   job->path, needed, ranks);
    }
    return INLAY_OK;
}

int site_make(const stencil_job *job, const char *hosts, int ranks, stencil_site **made, inlay_diag *diag)
{
    if (ranks > TASKS) {
        return inlay_domain_refuse(diag, "%d ranks; expected at most %d", ranks, TASKS);
    }
    stencil_site *site = calloc(1, sizeof *site);
    if (site == NULL) {
        inlay_domain_refuse(diag, "there is no memory");
        return INLAY_NO_MEMORY;
    }
    int status = job->path != NULL ? take_file(job, hosts, ranks, site, diag) : make_up(job, hosts, ranks, site, diag);
    if (status != INLAY_OK) {
        site_free(site);
        return status;
    }
    site->metasystem.cluster = site->cluster;
    site->unit = inlay_unit_seconds(site->metasystem.time_unit);
    site->unit = site->unit > 0 ? site->unit : 1e-6; /* a tick */
    *made = site;
    return INLAY_OK;
}

void site_free(stencil_site *site)
{
    if (site != NULL) {
        inlay_metasystem_free(site->file);
        free(site);
    }
}

double site_row_time(const stencil_job *job, const stencil_site *site, int cluster)
{
    return 5.0 * job->size / site->cluster[cluster].rate * site->unit;
}

/* Time of all processors alike, for which one number of operations stands: that of a processor of mean rate. */
double site_handling(const stencil_job *job, const stencil_site *site, int processors)
{
    double rate = 0;
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        rate += site->cluster[i].rate / (double)site->metasystem.clusters;
    }
    return rate * function_time(&site->handling, processors, (double)sizeof(double) * job->size);
}

/* ---- Communication ---- */

/* Between exchanges ranks work as long as they would with all processors, within bounds that measuring can bear. */
static double usual_pause(const stencil_job *job, const stencil_site *site)
{
    double rows = 0; /* a second, of all processors */
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        rows += site->cluster[i].available / site_row_time(job, site, (int)i);
    }
    return fmin(fmax(job->size / rows, 20e-6), 5e-3);
}

static bool one_network(const stencil_site *site, size_t a, size_t b)
{
    return a == b || (site->metasystem.networks > 0 && site->cluster[a].network == site->cluster[b].network);
}

/* The ranks of all clusters in the network of cluster i. Their number. */
static int network_ranks(const stencil_site *site, size_t i, int rank[TASKS])
{
    int ranks = 0;
    for (size_t j = 0; j < site->metasystem.clusters; j++) {
        for (int p = 0; one_network(site, i, j) && p < site->cluster[j].total; p++) {
            if (site->cluster[j].usable != NULL ? site->cluster[j].usable[p] : p < site->cluster[j].available) {
                rank[ranks++] = site->rank[site->first[j] + p];
            }
        }
    }
    return ranks;
}

/* The ranks of all networks, one network after another. Their number. */
static int all_ranks(const stencil_site *site, int rank[TASKS])
{
    int ranks = 0;
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++) {
            seen = seen || one_network(site, i, j);
        }
        ranks += seen ? 0 : network_ranks(site, i, rank + ranks);
    }
    return ranks;
}

/* The largest T of a network for rows of so many points. */
static double within_networks(void *context, int points)
{
    const stencil_site *site = context;
    double most = 0;
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        int rank[TASKS], p = network_ranks(site, i, rank);
        if (p > 0) {
            most = fmax(most, function_time(&site->cluster[i].communication[INLAY_PATTERN_LINE], p,
                                            (double)sizeof(double) * points));
        }
    }
    return most;
}

/* The function of the clusters in the network of cluster i. */
static void measure_network(const stencil_job *job, stencil_site *site, size_t i)
{
    int rank[TASKS];
    stencil_line line = {.ranks = network_ranks(site, i, rank), .rank = rank, .pause = usual_pause(job, site)};
    inlay_communication function = {0};
    double residual = fit_line(&line, job->size, site->unit, &function);
    for (size_t j = i; j < site->metasystem.clusters; j++) {
        if (one_network(site, i, j) && (job->measure || !site->cluster[j].communication[INLAY_PATTERN_LINE].given)) {
            site->cluster[j].communication[INLAY_PATTERN_LINE] = function;
            site->residual[j] = residual;
        }
    }
}

/* The line through all networks, and what it takes beyond each of them alone. */
static void measure_routers(const stencil_job *job, stencil_site *site, int networks)
{
    int rank[TASKS];
    stencil_line line = {.ranks = all_ranks(site, rank), .rank = rank, .pause = usual_pause(job, site)};
    fit_router(&line, job->size, site->unit, networks - 1, within_networks, site, &site->metasystem.router_latency,
               &site->metasystem.router_per_byte);
}

static void measure_handling(const stencil_job *job, stencil_site *site)
{
    int rank[TASKS];
    double messages = within_networks(site, job->size) + site->metasystem.router_latency +
                      site->metasystem.router_per_byte * (double)sizeof(double) * job->size;
    stencil_line line = {.ranks = all_ranks(site, rank), .rank = rank, .overlap = true};
    line.pause = fmax(usual_pause(job, site), 3 * messages * site->unit);
    fit_line(&line, job->size, site->unit, &site->handling);
}

int site_measure(const stencil_job *job, stencil_site *site, inlay_diag *diag)
{
    int networks = 0;
    bool measured = false;
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        site->residual[i] = -1;
    }
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        size_t like = 0;
        while (!one_network(site, like, i)) {
            like++;
        }
        networks += like == i;
        if (site->residual[i] < 0 && (job->measure || !site->cluster[i].communication[INLAY_PATTERN_LINE].given)) {
            measure_network(job, site, i);
            measured = true;
        }
    }
    if (networks > 1 && measured) {
        measure_routers(job, site, networks);
    }
    if (job->overlap) {
        measure_handling(job, site);
    }
    return inlay_metasystem_check(&site->metasystem, diag);
}
