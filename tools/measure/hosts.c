/* Who is on which host. */
#include "cluster.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef INLAY_HWLOC
#include <hwloc.h>
#endif

int cluster_agree(int status)
{
    int worst = INLAY_OK;
    MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return worst;
}

void cluster_rest(void)
{
    const struct timespec nap = {.tv_nsec = 500000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    while (!done) {
        (void)nanosleep(&nap, NULL);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* Bytes of this computer; 0 where it does not tell. */
static double own_memory(void)
{
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return bytes > 0 ? bytes : 0;
#else
    return 0;
#endif
}

/* Processors of this computer, hyperthreads counted; 0 where it does not tell. */
static int own_cores(void)
{
#ifdef _SC_NPROCESSORS_ONLN
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 && cores < INT_MAX ? (int)cores : 0;
#else
    return 0;
#endif
}

/* Nodes of memory of this computer, each with processors that are near it; 0 where nobody tells. */
static int own_numa_nodes(void)
{
#ifdef INLAY_HWLOC
    hwloc_topology_t computer;
    if (hwloc_topology_init(&computer) != 0) {
        return 0;
    }
    int nodes = hwloc_topology_load(computer) == 0 ? hwloc_get_nbobjs_by_type(computer, HWLOC_OBJ_NUMANODE) : 0;
    hwloc_topology_destroy(computer);
    return nodes > 0 ? nodes : 0;
#else
    return 0;
#endif
}

/* The lowest rank that shares memory with this one. */
static int own_first(int rank)
{
    MPI_Comm computer;
    int first = rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &computer);
    MPI_Bcast(&first, 1, MPI_INT, 0, computer);
    MPI_Comm_free(&computer);
    return first;
}

/* What every rank tells of its host; by rank. */
typedef struct told {
    char *names;
    double *memories;
    int *cores, *numa;
} told;

/* Hosts are numbered by their lowest ranks. `host_of` has that rank of each rank, and gets the host. */
static void number_hosts(cluster *all, const told *by_rank)
{
    for (int r = 0; r < all->ranks; r++) {
        int first = all->host_of[r];
        int host = first == r ? all->hosts++ : all->host_of[first];
        all->host_of[r] = host;
        all->count[host]++;
        if (first == r) {
            all->first[host] = r;
            all->memory[host] = by_rank->memories[r];
            all->cores[host] = by_rank->cores[r];
            all->numa[host] = by_rank->numa[r];
            memcpy(all->name + (size_t)host * MPI_MAX_PROCESSOR_NAME,
                   by_rank->names + (size_t)r * MPI_MAX_PROCESSOR_NAME, MPI_MAX_PROCESSOR_NAME);
        }
    }
}

static int allocate(cluster *all)
{
    size_t ranks = (size_t)all->ranks;
    all->host_of = calloc(ranks, sizeof *all->host_of);
    all->first = calloc(ranks, sizeof *all->first);
    all->count = calloc(ranks, sizeof *all->count);
    all->name = calloc(ranks, MPI_MAX_PROCESSOR_NAME);
    all->memory = calloc(ranks, sizeof *all->memory);
    all->cores = calloc(ranks, sizeof *all->cores);
    all->numa = calloc(ranks, sizeof *all->numa);
    bool good = all->host_of != NULL && all->first != NULL && all->count != NULL && all->name != NULL &&
                all->memory != NULL && all->cores != NULL && all->numa != NULL;
    return good ? INLAY_OK : INLAY_NO_MEMORY;
}

int cluster_find(cluster *all)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0, cores = own_cores(), numa = own_numa_nodes();
    MPI_Comm_rank(MPI_COMM_WORLD, &all->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all->ranks);
    MPI_Get_processor_name(name, &length);
    int first = own_first(all->rank);
    double memory = own_memory();
    size_t ranks = (size_t)all->ranks;
    told by_rank = {calloc(ranks, sizeof name), calloc(ranks, sizeof *by_rank.memories),
                    calloc(ranks, sizeof *by_rank.cores), calloc(ranks, sizeof *by_rank.numa)};
    bool good = by_rank.names != NULL && by_rank.memories != NULL && by_rank.cores != NULL && by_rank.numa != NULL;
    int status = cluster_agree(good ? allocate(all) : INLAY_NO_MEMORY);
    if (good && status == INLAY_OK) {
        MPI_Allgather(&first, 1, MPI_INT, all->host_of, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(name, sizeof name, MPI_CHAR, by_rank.names, sizeof name, MPI_CHAR, MPI_COMM_WORLD);
        MPI_Allgather(&memory, 1, MPI_DOUBLE, by_rank.memories, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Allgather(&cores, 1, MPI_INT, by_rank.cores, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&numa, 1, MPI_INT, by_rank.numa, 1, MPI_INT, MPI_COMM_WORLD);
        number_hosts(all, &by_rank);
    }
    free(by_rank.names);
    free(by_rank.memories);
    free(by_rank.cores);
    free(by_rank.numa);
    return status;
}

void cluster_clear(cluster *all)
{
    free(all->host_of);
    free(all->first);
    free(all->count);
    free(all->name);
    free(all->memory);
    free(all->cores);
    free(all->numa);
    *all = (cluster){0};
}

static const char *name_of(const cluster *all, int host)
{
    return all->name + (size_t)host * MPI_MAX_PROCESSOR_NAME;
}

/* Printable ASCII alone, so that it is a text of JSON whatever the system says. */
static void make_plain(const char *name, char plain[MPI_MAX_PROCESSOR_NAME])
{
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < MPI_MAX_PROCESSOR_NAME; i++) {
        plain[i] = name[i];
        if (name[i] <= ' ' || name[i] > '~') {
            plain[i] = '?';
        }
    }
    plain[i] = '\0';
}

json_t *cluster_name(const cluster *all, int host)
{
    char plain[MPI_MAX_PROCESSOR_NAME];
    int same = 0;
    make_plain(name_of(all, host), plain);
    for (int h = 0; h < all->hosts; h++) {
        char other[MPI_MAX_PROCESSOR_NAME];
        make_plain(name_of(all, h), other);
        same += strcmp(plain, other) == 0;
    }
    return same > 1 || plain[0] == '\0' ? json_sprintf("%s.%d", plain, host) : json_string(plain);
}
