/* The steps of a program with an irregular loop, one after the other: each is a function of the library, and timed. */
#include "partition.h"
#include <stdlib.h>
#include <string.h>

const char *const partition_phase_words[INLAY_PHASES] = {
    "read or make the mesh",
    "runtime data graph from the edges",
    "partition the vertices",
    "translation table of the new owners",
    "partition the edges, and move them",
    "move an array to the new owners",
    "ghosts, and schedules to gather them",
};

void partitioned_clear(partitioned *of)
{
    inlay_quotient_free(of->result.quotient);
    free(of->part);
    free(of->number);
    free(of->coordinate);
    free(of->ends);
    free(of->result.target);
    free(of->result.processor);
    inlay_machine_free(of->machine);
    *of = (partitioned){0};
}

/* ---- Time ---- */

/* All ranks begin together, so that none waits for another within a step. */
static double begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static void end(partitioned *of, inlay_partition_phase phase, double since)
{
    double own = MPI_Wtime() - since;
    MPI_Allreduce(&own, &of->result.seconds[phase], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

/* ---- The mesh and its graph ---- */

const char *partition_name(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Where a pipe was copied, the copy is read. */
static int read_mesh(const partitioned *of, inlay_mesh **mesh, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    const char *copy = values->copy[COPY_MESH], *places = values->copy[COPY_COORDINATES];
    const inlay_mesh_options options = {.format = values->format,
                                        .name = of->result.mesh,
                                        .coordinates = places != NULL ? places : values->coordinates,
                                        .coordinates_name = partition_name(values->coordinates)};
    return inlay_mesh_read_with(MPI_COMM_WORLD, copy != NULL ? copy : of->call->operands[0], &options, mesh, diag);
}

static int get_mesh(partitioned *of, inlay_mesh **mesh, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    partition_sizes sizes;
    if (values->generate == NULL) {
        return read_mesh(of, mesh, diag);
    }
    (void)partition_sizes_read(values, &sizes); /* its usage was checked */
    inlay_mesh_kind kind = sizes.dimensions == 2 ? INLAY_MESH_TRIANGLES : INLAY_MESH_TETRAHEDRA;
    return inlay_mesh_generate(MPI_COMM_WORLD, kind, sizes.size[0], sizes.size[1], sizes.size[2], values->common.seed,
                               mesh, diag);
}

int partition_worst(int status)
{
    MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return status;
}

/* The ends of this rank's edges, as two arrays of the program's would have them. */
typedef struct end_arrays {
    int64_t *one, *other;
} end_arrays;

static int split_ends(const partitioned *of, end_arrays *ends)
{
    ends->one = malloc((size_t)of->edge_count * sizeof *ends->one + 1);
    ends->other = malloc((size_t)of->edge_count * sizeof *ends->other + 1);
    int status = ends->one != NULL && ends->other != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (int32_t i = 0; i < of->edge_count && status == INLAY_OK; i++) {
        ends->one[i] = of->ends[2 * (ptrdiff_t)i];
        ends->other[i] = of->ends[2 * (ptrdiff_t)i + 1];
    }
    return partition_worst(status);
}

static int local_graph(const partitioned *of, const end_arrays *ends, inlay_rdg **rdg, inlay_diag *diag)
{
    int status = inlay_rdg_new(of->result.vertices, of->edge_count, rdg, diag);
    status = status == INLAY_OK ? inlay_rdg_add_pairs(*rdg, ends->one, ends->other, of->edge_count, diag) : status;
    return partition_worst(status);
}

static int edges_to_graph(partitioned *of, const inlay_table *blocks, inlay_graph **graph, inlay_diag *diag)
{
    inlay_rdg *rdg = NULL;
    end_arrays ends = {NULL, NULL};
    int status = split_ends(of, &ends);
    double since = begin();
    status = status == INLAY_OK ? local_graph(of, &ends, &rdg, diag) : status;
    status = status == INLAY_OK ? inlay_rdg_generate(rdg, blocks, graph, diag) : status;
    end(of, INLAY_PHASE_GRAPH, since);
    inlay_rdg_free(rdg);
    free(ends.one);
    free(ends.other);
    return status;
}

/* From the edges, as the loop would tell them; weights and loads are the file's. */
static int make_graph(partitioned *of, inlay_mesh *mesh, const inlay_table *blocks, inlay_graph **graph,
                      inlay_diag *diag)
{
    int status = edges_to_graph(of, blocks, graph, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_graph *from = mesh->graph, *to = *graph;
    if (from->weight != NULL) { /* their arcs stand in the same order */
        free(to->weight);
        to->weight = from->weight;
        from->weight = NULL;
    }
    to->load = from->load;
    to->weights = from->weights;
    from->load = NULL;
    to->size = from->size;
    from->size = NULL;
    of->sized = partition_worst(to->size == NULL) == 0;
    return INLAY_OK;
}

/* ---- Partition ---- */

/* The quotient graph; where parts get places on a machine by it, of the parts as they are numbered then. */
static int place_parts(partitioned *of, const inlay_graph *graph, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    int status = inlay_quotient_make(graph, of->part, of->result.parts, &of->result.quotient, diag);
    if (status == INLAY_OK && of->result.processor != NULL && values->from == NULL) { /* else they have their places */
        status = partition_lay_out(of, diag);
        inlay_quotient_free(of->result.quotient);
        of->result.quotient = NULL;
        status = status == INLAY_OK ? inlay_quotient_make(graph, of->part, of->result.parts, &of->result.quotient, diag)
                                    : status;
    }
    return status;
}

/* Whole vertices may not be divided as evenly as was asked for: that is said, and with --strict it is no answer. */
static int judge_imbalance(partitioned *of)
{
    const partition_values *values = of->call->values;
    int weight = of->rank == 0 ? inlay_quotient_worst_weight(of->result.quotient, of->result.target) : 0;
    double found = of->rank == 0 ? inlay_quotient_loads(of->result.quotient, of->result.target, weight).imbalance : 0,
           asked = partition_imbalance(values);
    char which[32] = "";
    MPI_Bcast(&weight, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&found, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (of->result.figures.weights > 1) {
        (void)snprintf(which, sizeof which, "weight %d: ", weight + 1);
    }
    /* the default is nobody's wish, but of several weights nothing else bounds it */
    bool wanted = values->imbalance != NULL || values->strict || of->result.figures.weights > 1;
    if (!wanted || found <= asked * (1 + 1e-9)) {
        return INLAY_OK;
    }
    (void)snprintf(of->violation, sizeof of->violation,
                   "%sthe heaviest part is %.3g %% above its share; --imbalance allows %.3g %%", which, 100 * found,
                   100 * asked);
    of->refusal = values->strict ? of->violation : NULL;
    return values->strict ? INLAY_NO_ANSWER : INLAY_OK;
}

static int divide(partitioned *of, const inlay_graph *graph, inlay_diag *diag)
{
    of->part = malloc((size_t)graph->rows * sizeof *of->part + 1);
    int status = partition_worst(of->part != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    if (status != INLAY_OK) {
        return status;
    }
    double since = begin();
    int kept = complaints_hold();
    status = partition_divide(of, graph, diag);
    complaints_release(kept);
    end(of, INLAY_PHASE_PARTITION, since);
    status = status == INLAY_OK ? place_parts(of, graph, diag) : status;
    status = status == INLAY_OK ? inlay_partition_evaluate(graph, of->part, of->result.parts, &of->result.figures, diag)
                                : status;
    status = status == INLAY_OK ? judge_imbalance(of) : status;
    if (status == INLAY_OK && of->rank == 0) {
        of->result.vertices_of = inlay_quotient_gathering(of->result.quotient);
    }
    return status;
}

bool partition_is_by_rank(const partitioned *of)
{
    return of->result.parts == of->result.ranks;
}

/* ---- The loop over the edges ---- */

/* Collective. */
static inlay_extent spread_of_ranks(MPI_Comm comm, int64_t value)
{
    inlay_extent s = {0};
    int64_t sum = 0;
    int ranks;
    MPI_Comm_size(comm, &ranks);
    MPI_Allreduce(&value, &s.least, 1, MPI_INT64_T, MPI_MIN, comm);
    MPI_Allreduce(&value, &s.most, 1, MPI_INT64_T, MPI_MAX, comm);
    MPI_Allreduce(&value, &sum, 1, MPI_INT64_T, MPI_SUM, comm);
    s.mean = (double)sum / ranks;
    return s;
}

static int place_iterations(partitioned *of, const inlay_table *owners, int64_t first, inlay_iterations **iterations,
                            inlay_diag *diag)
{
    static const inlay_iteration_rule rules[] = {INLAY_ITERATION_MAX_OWNER, INLAY_ITERATION_OWNER,
                                                 INLAY_ITERATION_BALANCED};
    const partition_values *values = of->call->values;
    inlay_rig rig = {.iterations = of->edge_count, .first = first, .touched = 2, .element = of->ends};
    inlay_ripa *ripa = NULL;
    double since = begin();
    int status = inlay_ripa_make(owners, &rig, &ripa, diag);
    if (status == INLAY_OK) {
        status = inlay_iterations_make(owners, &rig, ripa, rules[values->rule], partition_imbalance(values), iterations,
                                       diag);
    }
    inlay_ripa_free(ripa);
    end(of, INLAY_PHASE_ITERATIONS, since);
    if (status == INLAY_OK) {
        of->result.iterations = spread_of_ranks(MPI_COMM_WORLD, (*iterations)->count);
        of->result.local = (*iterations)->local;
        of->result.elements = (*iterations)->elements;
    }
    return status;
}

static int move_data(partitioned *of, const inlay_table *blocks, const inlay_table *owners, inlay_diag *diag)
{
    inlay_schedule *schedule = NULL;
    double *from = calloc((size_t)inlay_table_local(blocks) + 1, sizeof *from);
    double *to = calloc((size_t)inlay_table_local(owners) + 1, sizeof *to);
    int status = partition_worst(from != NULL && to != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    double since = begin();
    status = status == INLAY_OK ? inlay_remap(blocks, owners, &schedule, diag) : status;
    status = status == INLAY_OK ? inlay_schedule_move(schedule, from, to, sizeof *from, diag) : status;
    end(of, INLAY_PHASE_REMAP, since);
    inlay_schedule_free(schedule);
    free(from);
    free(to);
    return status;
}

static int localize(partitioned *of, const inlay_table *owners, const inlay_iterations *iterations, inlay_diag *diag)
{
    inlay_halo *halo = NULL;
    int64_t count = iterations->start[iterations->count];
    int32_t *local = malloc((size_t)count * sizeof *local + 1);
    int status = partition_worst(local != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    double since = begin();
    status = status == INLAY_OK ? inlay_halo_make(owners, iterations->element, count, local, &halo, diag) : status;
    end(of, INLAY_PHASE_LOCALIZE, since);
    free(local);
    if (status == INLAY_OK) {
        inlay_halo_figures figures = inlay_halo_figures_of(halo);
        of->result.loop = (inlay_gathering){spread_of_ranks(MPI_COMM_WORLD, figures.ghosts),
                                            spread_of_ranks(MPI_COMM_WORLD, figures.neighbours_in)};
    }
    inlay_halo_free(halo);
    return status;
}

static int place_loop(partitioned *of, const inlay_table *blocks, const inlay_table *owners, int64_t first,
                      inlay_diag *diag)
{
    inlay_iterations *iterations = NULL;
    int status = place_iterations(of, owners, first, &iterations, diag);
    status = status == INLAY_OK ? move_data(of, blocks, owners, diag) : status;
    status = status == INLAY_OK ? localize(of, owners, iterations, diag) : status;
    inlay_iterations_free(iterations);
    return status;
}

/* ---- All of it ---- */

static int own_vertices(partitioned *of, const inlay_graph *graph, const inlay_table *blocks, inlay_table **owners,
                        inlay_diag *diag)
{
    double since = begin();
    int status = partition_make_owners(of, graph, blocks, owners, diag);
    end(of, INLAY_PHASE_TABLE, since);
    return status;
}

/* Told before the work is done. */
static int check_places(partitioned *of)
{
    const partition_values *values = of->call->values;
    if (values->renumber == RENUMBER_HILBERT && of->dimensions == 0) {
        of->refusal = "--renumber hilbert: the mesh has no coordinates; expected some for each vertex: --coordinates";
        return INLAY_BAD_ARGUMENT;
    }
    return INLAY_OK;
}

static int check_picture(partitioned *of)
{
    const partition_values *values = of->call->values;
    if (!partition_draws(values) || partition_can_draw(of)) {
        return INLAY_OK;
    }
    bool flat = of->dimensions == 2;
    of->refusal = flat ? "a picture of so many vertices would show nothing; expected at most 20000"
                  : of->dimensions == 0
                      ? "a picture: the mesh has no coordinates; expected two for each vertex: --coordinates"
                      : "a picture: the mesh does not lie in a plane; expected two coordinates for each vertex";
    return flat ? INLAY_NO_ANSWER : INLAY_BAD_ARGUMENT;
}

/* What of the mesh is needed from here on; its graph comes again from the edges. */
static int take_mesh(partitioned *of, inlay_mesh *mesh, int64_t *first, inlay_diag *diag)
{
    of->result.vertices = mesh->graph->vertices;
    of->result.edges = mesh->graph->arcs / 2;
    of->dimensions = mesh->dimensions;
    of->coordinate = mesh->coordinate;
    mesh->coordinate = NULL;
    (void)snprintf(of->format, sizeof of->format, "%s", mesh->format);
    int status = check_places(of);
    status = status == INLAY_OK ? check_picture(of) : status;
    return status != INLAY_OK ? status : inlay_mesh_edges(mesh, &of->ends, &of->edge_count, first, diag);
}

static int take_weights(partitioned *of, inlay_graph *graph, inlay_diag *diag)
{
    of->rows = graph->rows;
    return partition_take_weights(of, graph, diag);
}

int partition_run_all(partitioned *of, inlay_diag *diag)
{
    inlay_mesh *mesh = NULL;
    inlay_table *blocks = NULL, *owners = NULL;
    inlay_graph *graph = NULL;
    int64_t first = 0;
    double since = begin();
    int status = get_mesh(of, &mesh, diag);
    end(of, INLAY_PHASE_READ, since);
    status = status == INLAY_OK ? take_mesh(of, mesh, &first, diag) : status;
    status = status == INLAY_OK ? inlay_table_block(MPI_COMM_WORLD, of->result.vertices, &blocks, diag) : status;
    status = status == INLAY_OK ? make_graph(of, mesh, blocks, &graph, diag) : status;
    inlay_mesh_free(mesh);
    status = status == INLAY_OK ? take_weights(of, graph, diag) : status;
    status = status == INLAY_OK ? divide(of, graph, diag) : status;
    status = status == INLAY_OK ? own_vertices(of, graph, blocks, &owners, diag) : status;
    inlay_graph_free(graph);
    status = status == INLAY_OK ? place_loop(of, blocks, owners, first, diag) : status;
    inlay_table_free(owners);
    inlay_table_free(blocks);
    return status;
}
