#include "program.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char usage[] = "usage: mpirun -n RANKS %s [options]\n"
                            "  --mesh FILE             METIS, Scotch, Matrix Market or a list of edges\n"
                            "  --triangles NX,NY       a square of triangles (60,60)\n"
                            "  --tetrahedra NX,NY,NZ   a cube of tetrahedra\n"
                            "  --ordered               the made mesh is numbered row by row; else at random\n"
                            "  --method NAME           partitioner (ptscotch)\n"
                            "  --rule NAME             of iterations: owner, max-owner or balanced (max-owner)\n"
                            "  --numbers NAME          on each rank: rcm or hilbert (as in the mesh)\n"
                            "  --steps N               (%d)\n"
                            "  --check                 compare with the serial program, which rank 0 runs\n"
                            "  --csv                   print the figures alone, as comma-separated values\n";

static void stop(program *p, int status)
{
    inlay_diag_free(p->diag);
    MPI_Finalize();
    exit(status);
}

void must(program *p, int status)
{
    if (status != INLAY_OK) {
        if (p->rank == 0) {
            fprintf(stderr, "%s\n", inlay_diag_message(p->diag));
        }
        stop(p, inlay_exit_status(status));
    }
}

void must_here(program *p, int status)
{
    if (status != INLAY_OK) {
        fprintf(stderr, "rank %d: %s\n", p->rank, inlay_diag_message(p->diag));
        MPI_Abort(p->comm, inlay_exit_status(status));
    }
}

void *room(program *p, int64_t count, size_t bytes)
{
    void *made = calloc(count > 0 ? (size_t)count : 1, bytes);
    if (made == NULL) {
        fprintf(stderr, "rank %d: out of memory\n", p->rank);
        MPI_Abort(p->comm, 3);
    }
    return made;
}

double lap(program *p)
{
    MPI_Barrier(p->comm);
    double now = MPI_Wtime(), passed = now - p->clock;
    MPI_Allreduce(MPI_IN_PLACE, &passed, 1, MPI_DOUBLE, MPI_MAX, p->comm);
    p->clock = MPI_Wtime();
    return passed;
}

/* ---- Options and the mesh ---- */

static bool numbers(const char *text, int count, int *value)
{
    for (int i = 0; i < count; i++) {
        char *end;
        long n = strtol(text, &end, 10);
        if (end == text || n < 1 || n > 1 << 20 || *end != (i + 1 < count ? ',' : '\0')) {
            return false;
        }
        value[i] = (int)n;
        text = end + 1;
    }
    return true;
}

static bool read_rule(const char *text, inlay_iteration_rule *rule)
{
    static const char *const names[] = {"owner", "max-owner", "balanced"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *rule = (inlay_iteration_rule)i;
            return true;
        }
    }
    return false;
}

static bool read_option(program *p, int option)
{
    switch (option) {
    case 'm': p->file = optarg; return true;
    case '2': p->kind = INLAY_MESH_TRIANGLES; return numbers(optarg, 2, p->size);
    case '3': p->kind = INLAY_MESH_TETRAHEDRA; return numbers(optarg, 3, p->size);
    case 'o': p->seed = 0; return true;
    case 'p': p->method = optarg; return true;
    case 'r': return read_rule(optarg, &p->rule);
    case 'n': p->numbers = optarg; return strcmp(optarg, "rcm") == 0 || strcmp(optarg, "hilbert") == 0;
    case 's': return numbers(optarg, 1, &p->steps);
    case 'c': p->compare = true; return true;
    case 'v': p->csv = true; return true;
    default: return false;
    }
}

static bool read_options(program *p, int count, char **arguments)
{
    static const struct option known[] = {
        {"mesh", required_argument, NULL, 'm'},
        {"triangles", required_argument, NULL, '2'},
        {"tetrahedra", required_argument, NULL, '3'},
        {"ordered", no_argument, NULL, 'o'},
        {"method", required_argument, NULL, 'p'},
        {"rule", required_argument, NULL, 'r'},
        {"numbers", required_argument, NULL, 'n'},
        {"steps", required_argument, NULL, 's'},
        {"check", no_argument, NULL, 'c'},
        {"csv", no_argument, NULL, 'v'},
        {NULL, 0, NULL, 0},
    };
    opterr = 0;
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        if (!read_option(p, option)) {
            return false;
        }
    }
    return optind == count;
}

static void get_mesh(program *p, MPI_Comm comm, inlay_mesh **mesh)
{
    must(p, p->file != NULL
                ? inlay_mesh_read(comm, p->file, NULL, mesh, p->diag)
                : inlay_mesh_generate(comm, p->kind, p->size[0], p->size[1], p->size[2], p->seed, mesh, p->diag));
}

void serial_mesh(program *p, inlay_mesh **mesh)
{
    get_mesh(p, MPI_COMM_SELF, mesh);
}

void program_begin(program *p, int count, char **arguments, const char *name, int steps)
{
    MPI_Init(&count, &arguments);
    *p = (program){.kind = INLAY_MESH_TRIANGLES,
                   .size = {60, 60, 1},
                   .seed = 1,
                   .comm = MPI_COMM_WORLD,
                   .rule = INLAY_ITERATION_MAX_OWNER,
                   .steps = steps,
                   .diag = inlay_diag_new()};
    MPI_Comm_rank(p->comm, &p->rank);
    MPI_Comm_size(p->comm, &p->ranks);
    if (!read_options(p, count, arguments)) {
        if (p->rank == 0) {
            fprintf(stderr, usage, name, steps);
        }
        stop(p, 2);
    }
    get_mesh(p, p->comm, &p->mesh);
    if (p->rank == 0 && !p->csv) {
        printf("%s: %lld vertices, %lld edges, %d rank%s\n", name, (long long)p->mesh->graph->vertices,
               (long long)p->mesh->graph->arcs / 2, p->ranks, p->ranks == 1 ? "" : "s");
    }
    lap(p);
}

/* ---- Figures ---- */

void count_ghosts(program *p, const inlay_halo *halo)
{
    inlay_halo_figures mine = inlay_halo_figures_of(halo);
    int64_t all[2] = {mine.ghosts, mine.neighbours_in};
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT64_T, MPI_SUM, p->comm);
    p->ghosts = all[0];
    p->messages = all[1];
}

/* The most memory that a rank has had in use, in 10^6 bytes. */
static double peak_memory(program *p)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double megabytes = (double)used.ru_maxrss * 1024e-6; /* Linux counts KiB */
    MPI_Allreduce(MPI_IN_PLACE, &megabytes, 1, MPI_DOUBLE, MPI_MAX, p->comm);
    return megabytes;
}

static void print_csv(const program *p, const char *name, double megabytes)
{
    printf(
        "program,vertices,edges,ranks,graph,mapper,iterations,localize,remap,computation,ghosts,messages,megabytes\n");
    printf("%s,%lld,%lld,%d", name, (long long)p->mesh->graph->vertices, (long long)p->mesh->graph->arcs / 2, p->ranks);
    for (int i = 0; i < PHASES; i++) {
        printf(",%.6f", p->seconds[i]);
    }
    printf(",%lld,%lld,%.0f\n", (long long)p->ghosts, (long long)p->messages, megabytes);
}

static void print_figures(const program *p, const char *name, double megabytes)
{
    static const char *const phase[PHASES] = {"graph generation", "mapper", "iteration partitioner",
                                              "localize",         "remap",  "computation per iteration"};
    for (int i = 0; i < PHASES; i++) {
        if (i == ITERATIONS && p->seconds[i] == 0) {
            continue; /* a loop over rows, which are computed where they are */
        }
        printf("%s: %-26s %10.6f s\n", name, phase[i], p->seconds[i]);
    }
    printf("%s: a gather moves %lld ghosts in %lld messages\n", name, (long long)p->ghosts, (long long)p->messages);
    printf("%s: %.0f MB of memory on the rank with most\n", name, megabytes);
}

int program_end(program *p, const char *name)
{
    double megabytes = peak_memory(p);
    if (p->rank == 0) {
        (p->csv ? print_csv : print_figures)(p, name, megabytes);
    }
    inlay_mesh_free(p->mesh);
    inlay_diag_free(p->diag);
    MPI_Finalize();
    return p->differs ? 1 : 0;
}

/* ---- The mapper ---- */

/* The same owners, whose elements are near in memory where they are near in the mesh. */
static inlay_table *renumber(program *p, const inlay_graph *graph, inlay_table *table)
{
    inlay_renumber_options wanted = {.how =
                                         strcmp(p->numbers, "rcm") == 0 ? INLAY_NUMBERING_RCM : INLAY_NUMBERING_HILBERT,
                                     .dimensions = p->mesh->dimensions,
                                     .coordinate = p->mesh->coordinate};
    inlay_table *ordered;
    must(p, inlay_table_renumber(graph, table, &wanted, &ordered, NULL, p->diag));
    inlay_table_free(table);
    return ordered;
}

inlay_table *partition(program *p, const inlay_graph *graph)
{
    inlay_partition_options wanted = {.method = p->method,
                                      .parts = p->ranks,
                                      .empty = true,
                                      .dimensions = p->mesh->dimensions,
                                      .coordinate = p->mesh->coordinate};
    int32_t *part = room(p, graph->rows, sizeof *part);
    inlay_table *block, *table;
    must(p, inlay_partition(graph, &wanted, part, p->diag));
    must(p, inlay_table_block(p->comm, graph->vertices, &block, p->diag));
    must(p, inlay_table_of_parts(block, part, &table, p->diag));
    inlay_table_free(block);
    free(part);
    return p->numbers != NULL ? renumber(p, graph, table) : table;
}

/* ---- Against the serial run ---- */

/* Sums of distributed programs differ from those of serial ones in their order. */
static const double rounding = 1e-10;

/* The arrays of all ranks on rank 0, by global number. */
static double *bring_home(program *p, const inlay_table *table, const double *value, int width)
{
    int64_t n = p->rank == 0 ? inlay_table_elements(table) : 0;
    int64_t *all = room(p, n, sizeof *all);
    double *home = room(p, n * width, sizeof *home);
    inlay_table *first;
    inlay_schedule *schedule;
    for (int64_t g = 0; g < n; g++) {
        all[g] = g;
    }
    must(p, inlay_table_owned(p->comm, inlay_table_elements(table), all, (int32_t)n, &first, p->diag));
    must(p, inlay_remap(table, first, &schedule, p->diag));
    must(p, inlay_schedule_move(schedule, value, home, (size_t)width * sizeof *home, p->diag));
    inlay_schedule_free(schedule);
    inlay_table_free(first);
    free(all);
    return home;
}

void compare(program *p, const char *name, const inlay_table *table, const double *value, const double *serial,
             int width)
{
    double *home = bring_home(p, table, value, width), largest = 0, apart = 0;
    for (int64_t i = 0; p->rank == 0 && i < inlay_table_elements(table) * width; i++) {
        largest = fmax(largest, fabs(serial[i]));
        apart = fmax(apart, fabs(serial[i] - home[i]));
    }
    p->differs = !(apart <= rounding * largest);
    if (p->rank == 0) {
        printf("%s: after %d steps %s the serial program\n", name, p->steps, p->differs ? "NOT as" : "as");
    }
    free(home);
}
