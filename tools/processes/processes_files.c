/* Files for Open MPI's mpirun: how many processes on each host, and where each rank runs; and time over l as CSV. */
#include "output.h"
#include "processes.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A processor, and the host that it belongs to. */
typedef struct place {
    char name[INLAY_PROCESSOR_NAME]; /* where it is made of its type's */
    const char *host;
    int64_t processor;
    int64_t processes;
    int64_t core;  /* its number among the processors of its host */
    int64_t first; /* the first processor of its host */
    int64_t slots; /* processes of the host, where this is its first processor */
    bool shared;   /* the host has several of the processors */
} place;

typedef struct placed {
    const inlay_process_result *of;
    place *place; /* of each processor */
    int32_t *ranks;
} placed;

static int by_host(const void *a, const void *b)
{
    const place *one = *(const place *const *)a, *other = *(const place *const *)b;
    int order = strcmp(one->host, other->host);
    return order != 0 ? order : (one->processor > other->processor) - (one->processor < other->processor);
}

/* ---- Processors and their hosts ---- */

static void fill(const inlay_process_result *of, place *p)
{
    int64_t processor = 0;
    for (size_t q = 0; q < of->asked.problem.rows; q++) {
        const inlay_process_share *share = &of->best->share[q];
        for (int64_t i = 0; i < of->asked.problem.row[q].count; i++, processor++) {
            place *at = &p[processor];
            at->processor = processor;
            at->host = inlay_processor_name(&of->asked.problem, processor, at->name);
            at->processes = share->each + (i < share->extra);
        }
    }
}

/* Processors with one name are the cores of one host, in their order. */
static bool join(const inlay_process_result *of, place *p)
{
    size_t count = (size_t)of->processors;
    place **order = malloc(count * sizeof *order);
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = &p[i];
    }
    qsort((void *)order, count, sizeof *order, by_host);
    for (size_t i = 0, begin = 0; i < count; i++) {
        begin = i > 0 && strcmp(order[i]->host, order[begin]->host) == 0 ? begin : i;
        order[i]->core = (int64_t)(i - begin);
        order[i]->first = order[begin]->processor;
        order[i]->shared = i > begin;
        order[begin]->shared = order[begin]->shared || i > begin;
        order[begin]->slots += order[i]->processes;
    }
    free((void *)order);
    return true;
}

/* What such a file cannot hold: names with blanks, with its signs, and with what is no printable character. */
static bool can_stand(const char *host)
{
    const char *c = host;
    while (*c != '\0' && (unsigned char)*c > ' ' && *c != 0x7F && strchr("#=,;\"'", *c) == NULL) {
        c++;
    }
    return c > host && *c == '\0';
}

/* The first used processor whose host cannot stand there; NULL where there is none. */
static const place *unfit(const inlay_process_result *of, const place *p)
{
    for (int64_t i = 0; i < of->processors; i++) {
        if (p[i].processes > 0 && !can_stand(p[i].host)) {
            return &p[i];
        }
    }
    return NULL;
}

/* Exit status. */
static int place_all(const cli_answer *a, placed *all)
{
    const inlay_process_result *of = a->of;
    *all = (placed){.of = of, .place = calloc((size_t)of->processors, sizeof *all->place)};
    if (all->place == NULL) {
        return report_no_memory();
    }
    fill(of, all->place);
    if (!join(of, all->place)) {
        return report_no_memory();
    }
    const place *wrong = unfit(of, all->place);
    if (wrong != NULL) {
        say(stderr,
            "%s: the host '%-s' cannot stand in a file for mpirun; expected a name without blanks and without # = , ; "
            "or quotes\n",
            processes_name(a->call), wrong->host);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static void placed_clear(placed *all)
{
    free(all->place);
    free(all->ranks);
}

/* ---- Hostfile ---- */

static void put_hosts(FILE *to, const void *of)
{
    const placed *all = of;
    for (int64_t i = 0; i < all->of->processors; i++) {
        const place *p = &all->place[i];
        if (p->first == i && p->slots > 0) {
            say(to, "%s slots=%" PRId64 "\n", p->host, p->slots);
        }
    }
}

int processes_write_hostfile(const cli_answer *a, const char *path)
{
    placed all;
    int end = place_all(a, &all);
    if (end == EXIT_DONE) {
        output_print(path, put_hosts, &all);
    }
    placed_clear(&all);
    return end;
}

/* ---- Rankfile ---- */

/* The processor of each of the best answer's processes, by rank; NULL without memory. */
static int32_t *processes_ranks(const inlay_process_result *of)
{
    const inlay_process_grid *shape = of->grids != NULL ? inlay_process_grids_at(of->grids, 0) : NULL;
    size_t total = (size_t)of->best->total, rank = 0;
    int32_t *ranks = malloc(total * sizeof *ranks);
    if (ranks == NULL || shape != NULL) {
        return ranks != NULL ? memcpy(ranks, shape->processor, total * sizeof *ranks) : NULL;
    }
    int32_t processor = 0;
    for (size_t q = 0; q < of->asked.problem.rows; q++) {
        const inlay_process_share *share = &of->best->share[q];
        for (int64_t i = 0; i < of->asked.problem.row[q].count; i++, processor++) {
            for (int64_t k = share->each + (i < share->extra); k > 0; k--) {
                ranks[rank++] = processor;
            }
        }
    }
    return ranks;
}

/* A core where the host has several of the processors; else all cores of all its sockets. */
static void put_ranks(FILE *to, const void *of)
{
    const placed *all = of;
    for (int64_t rank = 0; rank < all->of->best->total; rank++) {
        const place *p = &all->place[all->ranks[rank]];
        say(to, "rank %" PRId64 "=%s slot=", rank, p->host);
        if (p->shared) {
            say(to, "%" PRId64 "\n", p->core);
        } else {
            say(to, "S*\n");
        }
    }
}

int processes_write_rankfile(const cli_answer *a, const char *path)
{
    placed all;
    int end = place_all(a, &all);
    if (end == EXIT_DONE) {
        all.ranks = processes_ranks(a->of);
        end = all.ranks != NULL ? EXIT_DONE : report_no_memory();
    }
    if (end == EXIT_DONE) {
        output_print(path, put_ranks, &all);
    }
    placed_clear(&all);
    return end;
}
