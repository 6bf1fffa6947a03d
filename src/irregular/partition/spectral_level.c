/* Making a level from rows: local numbers, ghosts, and how their values are shared. */
#include "irregular/partition/spectral_level.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "irregular/element_map.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>
#include <string.h>

void spectral_level_free(spectral_level *level)
{
    if (level == NULL) {
        return;
    }
    if (level->neighbours != MPI_COMM_NULL) {
        MPI_Comm_free(&level->neighbours);
    }
    free(level->first);
    free(level->start);
    free(level->column);
    free(level->weight);
    free(level->load);
    free(level->mass);
    free(level->number);
    free(level->origin);
    free(level->degree);
    free(level->leader);
    free(level->coarse);
    free(level->counts);
    free(level->send);
    free(level->buffer);
    free(level);
}

int spectral_owner(const spectral_level *level, int64_t number)
{
    return (int)sorted_row(level->first, level->ranks, number);
}

/* ---- Ghosts: numbered in the order of their discovery ---- */

typedef struct ghost_table {
    element_map map; /* from numbers to places */
    int64_t *number; /* [used] */
    size_t room, used;
} ghost_table;

static void table_clear(ghost_table *table)
{
    element_map_clear(&table->map);
    free(table->number);
}

/* The place of a number, -1 when out of memory. */
static int32_t table_place(ghost_table *table, int64_t number)
{
    if (!element_map_reserve(&table->map, table->used + 1)) {
        return -1;
    }
    element_slot *slot = element_map_find(&table->map, number);
    if (slot->mark == 0) {
        if (!memory_grow((void **)&table->number, &table->room, table->used + 1, sizeof *table->number)) {
            return -1;
        }
        element_map_fill(&table->map, slot, number, (int32_t)table->used);
        table->number[table->used++] = number;
    }
    return slot->mark - 1;
}

/* ---- Rows in their places ---- */

/* Counts and places the arcs of all rows of one number, not yet joined. Loads, masses and origins are done with it. */
static void place_rows(spectral_level *level, const spectral_rows *rows, int64_t *from)
{
    int64_t first = level->first[level->rank];
    for (int64_t i = 0; i < rows->rows; i++) {
        const spectral_row *row = &rows->row[i];
        int64_t at = row->row - first;
        level->load[at] += row->load;
        level->mass[at] += row->mass;
        level->origin[at] = row->origin;
        level->start[at + 1] += row->arcs;
    }
    for (int32_t i = 0; i < level->rows; i++) {
        from[i] = level->start[i];
        level->start[i + 1] += level->start[i];
    }
}

/* Columns with local numbers, where ghosts have `rows` plus their place in the table. */
static bool localise(spectral_level *level, const spectral_rows *rows, int64_t *from, ghost_table *table)
{
    int64_t first = level->first[level->rank], arc = 0;
    for (int64_t i = 0; i < rows->rows; i++) {
        int64_t *to = &from[rows->row[i].row - first];
        for (int64_t end = arc + rows->row[i].arcs; arc < end; arc++) {
            int64_t column = rows->arc[arc].column - first;
            if (column < 0 || column >= level->rows) {
                int32_t place = table_place(table, rows->arc[arc].column);
                if (place < 0) {
                    return false;
                }
                column = (int64_t)level->rows + place;
            }
            level->column[*to] = (int32_t)column;
            level->weight[(*to)++] = rows->arc[arc].weight;
        }
    }
    return true;
}

/* Adds equal arcs up and drops loops. seen[rows + ghosts] becomes a scratch of where each column of the row was put. */
static void join_arcs(spectral_level *level, int64_t *seen)
{
    int64_t to = 0, from = 0;
    for (int32_t i = 0; i < level->rows; i++) {
        int64_t begin = to;
        for (int64_t end = level->start[i + 1]; from < end; from++) {
            int32_t column = level->column[from];
            if (column == i) {
                continue;
            }
            if (seen[column] > begin && seen[column] <= to) {
                level->weight[seen[column] - 1] += level->weight[from];
                continue;
            }
            level->column[to] = column;
            level->weight[to] = level->weight[from];
            seen[column] = ++to;
        }
        level->start[i + 1] = to;
        double degree = 0;
        for (int64_t a = begin; a < to; a++) {
            degree += (double)level->weight[a];
        }
        level->degree[i] = degree;
    }
}

/* Gives back what the joined arcs left over. */
static void shrink(spectral_level *level)
{
    size_t arcs = (size_t)level->start[level->rows] + 1;
    void *column = realloc(level->column, arcs * sizeof *level->column);
    if (column != NULL) {
        level->column = column;
    }
    void *weight = realloc(level->weight, arcs * sizeof *level->weight);
    if (weight != NULL) {
        level->weight = weight;
    }
}

/* Ghosts in the order of their owners: place[i] is the new place of the i-th discovered. wanted[r] come from rank r. */
static void order_ghosts(spectral_level *level, const ghost_table *table, int64_t *wanted, int32_t *place,
                         int64_t *next)
{
    for (size_t i = 0; i < table->used; i++) {
        wanted[spectral_owner(level, table->number[i])]++;
    }
    next[0] = 0;
    for (int r = 0; r + 1 < level->ranks; r++) {
        next[r + 1] = next[r] + wanted[r];
    }
    for (size_t i = 0; i < table->used; i++) {
        place[i] = (int32_t)next[spectral_owner(level, table->number[i])]++;
        level->number[level->rows + place[i]] = table->number[i];
    }
    int64_t arcs = level->start[level->rows];
    for (int64_t a = 0; a < arcs; a++) {
        if (level->column[a] >= level->rows) {
            level->column[a] = level->rows + place[level->column[a] - level->rows];
        }
    }
}

/* Arrays whose size the rows alone tell. */
static bool own_arrays(spectral_level *level, int64_t arcs)
{
    size_t rows = (size_t)level->rows;
    level->start = memory_zeroed(rows + 1, sizeof *level->start);
    level->load = memory_zeroed(rows, sizeof *level->load);
    level->mass = memory_zeroed(rows, sizeof *level->mass);
    level->origin = memory_zeroed(rows, sizeof *level->origin);
    level->degree = memory_array(rows, sizeof *level->degree);
    level->column = memory_array((size_t)arcs, sizeof *level->column);
    level->weight = memory_array((size_t)arcs, sizeof *level->weight);
    return level->start != NULL && level->load != NULL && level->mass != NULL && level->origin != NULL &&
           level->degree != NULL && level->column != NULL && level->weight != NULL;
}

/* The same for ghosts. */
static bool ghost_arrays(spectral_level *level, size_t ghosts)
{
    size_t all = (size_t)level->rows + ghosts;
    level->ghosts = (int32_t)ghosts;
    level->number = memory_array(all, sizeof *level->number);
    size_t loads = (size_t)level->rows, masses = loads;
    return level->number != NULL && memory_grow((void **)&level->load, &loads, all, sizeof *level->load) &&
           memory_grow((void **)&level->mass, &masses, all, sizeof *level->mass);
}

static int arrange_ghosts(spectral_level *level, const ghost_table *table, int64_t *wanted, inlay_diag *diag)
{
    size_t all = (size_t)level->rows + table->used;
    if (table->used > (size_t)(INT32_MAX - level->rows)) {
        return diag_fail(diag, INLAY_OVERFLOW, "a rank has 2^31 vertices with those it touches; use more ranks");
    }
    int64_t *seen = memory_zeroed(all, sizeof *seen);
    int32_t *place = memory_array(table->used, sizeof *place);
    int64_t *next = memory_array((size_t)level->ranks, sizeof *next);
    bool room = seen != NULL && place != NULL && next != NULL && ghost_arrays(level, table->used);
    if (room) {
        for (int32_t i = 0; i < level->rows; i++) {
            level->number[i] = level->first[level->rank] + i;
        }
        join_arcs(level, seen);
        shrink(level);
        order_ghosts(level, table, wanted, place, next);
    }
    free(seen);
    free(place);
    free(next);
    return room ? INLAY_OK : diag_no_memory(diag);
}

/* The local part; wanted[r] are the ghosts that rank r owns. */
static int arrange(spectral_level *level, const spectral_rows *rows, int64_t *wanted, inlay_diag *diag)
{
    int64_t *from = memory_array((size_t)level->rows, sizeof *from);
    ghost_table table = {0};
    int status = from != NULL && own_arrays(level, rows->arcs) ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        place_rows(level, rows, from);
        status = localise(level, rows, from, &table) ? INLAY_OK : diag_no_memory(diag);
    }
    free(from);
    status = status == INLAY_OK ? arrange_ghosts(level, &table, wanted, diag) : status;
    table_clear(&table);
    return status;
}

/* ---- Sharing ---- */

/* Ranks with a count, which `ranks` names, and their counts and starts. */
static int list_ranks(const int64_t *start, int ranks, int *rank, int *count, int *place)
{
    int n = 0;
    for (int r = 0; r < ranks; r++) {
        if (start[r + 1] > start[r]) {
            rank[n] = r;
            count[n] = (int)(start[r + 1] - start[r]);
            place[n++] = (int)start[r];
        }
    }
    return n;
}

/* A topology of the ranks that exchange something, and its counts. The exchange goes from ghosts to their owners. */
static int make_topology(spectral_level *level, const exchange *asked, inlay_diag *diag)
{
    size_t ranks = (size_t)level->ranks;
    int *scratch = memory_array(6 * ranks, sizeof *scratch);
    level->counts = memory_array(4 * ranks, sizeof *level->counts);
    bool room = scratch != NULL && level->counts != NULL;
    int status = collective_agree(level->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        int *source = scratch, *target = scratch + 3 * ranks;
        level->sources = list_ranks(asked->to, level->ranks, source, source + ranks, source + 2 * ranks);
        level->targets = list_ranks(asked->from, level->ranks, target, target + ranks, target + 2 * ranks);
        size_t in = (size_t)level->sources, out = (size_t)level->targets;
        memcpy(level->counts, source + ranks, in * sizeof(int));
        memcpy(level->counts + in, source + 2 * ranks, in * sizeof(int));
        memcpy(level->counts + 2 * in, target + ranks, out * sizeof(int));
        memcpy(level->counts + 2 * in + out, target + 2 * ranks, out * sizeof(int));
        int code = MPI_Dist_graph_create_adjacent(level->comm, level->sources, source, source + ranks, level->targets,
                                                  target, target + ranks, MPI_INFO_NULL, 0, &level->neighbours);
        status = collective_agree(level->comm, collective_mpi(code, diag), diag);
    }
    free(scratch);
    return status;
}

/* Tells the owners of ghosts which rows are wanted. */
static int ask_owners(spectral_level *level, const exchange *asked, inlay_diag *diag)
{
    int64_t *wanted = memory_array((size_t)asked->receives, sizeof *wanted);
    level->sends = (int32_t)asked->receives;
    level->send = memory_array((size_t)asked->receives, sizeof *level->send);
    level->buffer = memory_array((size_t)asked->receives, sizeof *level->buffer);
    bool room = wanted != NULL && level->send != NULL && level->buffer != NULL;
    int status = collective_agree(level->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        status = exchange_run(asked, level->number + level->rows, wanted, sizeof *wanted, diag);
        for (int32_t i = 0; i < level->sends && status == INLAY_OK; i++) {
            level->send[i] = (int32_t)(wanted[i] - level->first[level->rank]);
        }
        status = collective_agree(level->comm, status, diag);
    }
    free(wanted);
    return status;
}

static int connect(spectral_level *level, const int64_t *wanted, inlay_diag *diag)
{
    if (level->ranks == 1) {
        return INLAY_OK;
    }
    exchange *asked = NULL;
    int status = exchange_make(level->comm, wanted, &asked, diag);
    status = status == INLAY_OK ? ask_owners(level, asked, diag) : status;
    status = status == INLAY_OK ? make_topology(level, asked, diag) : status;
    exchange_free(asked);
    if (status == INLAY_OK) {
        spectral_share(level, level->load, sizeof *level->load);
        spectral_share(level, level->mass, sizeof *level->mass);
    }
    return status;
}

void spectral_share(const spectral_level *level, void *array, size_t bytes)
{
    if (level->ranks == 1) {
        return;
    }
    MPI_Datatype type = bytes == 1 ? MPI_UINT8_T : MPI_INT64_T;
    if (bytes == 1) {
        const uint8_t *value = array;
        uint8_t *packed = (uint8_t *)level->buffer;
        for (int32_t i = 0; i < level->sends; i++) {
            packed[i] = value[level->send[i]];
        }
    } else {
        const int64_t *value = array;
        for (int32_t i = 0; i < level->sends; i++) {
            memcpy(&level->buffer[i], &value[level->send[i]], sizeof *value);
        }
    }
    const int *in = level->counts, *out = in + (ptrdiff_t)2 * level->sources;
    MPI_Neighbor_alltoallv(level->buffer, out, out + level->targets, type, (char *)array + (size_t)level->rows * bytes,
                           in, in + level->sources, type, level->neighbours);
}

int spectral_level_make(MPI_Comm comm, const int64_t *first, const spectral_rows *rows, spectral_level **level,
                        inlay_diag *diag)
{
    int ranks = collective_ranks(comm);
    spectral_level *made = memory_zeroed(1, sizeof *made);
    int64_t *wanted = memory_zeroed((size_t)ranks, sizeof *wanted);
    int64_t *blocks = memory_array((size_t)ranks + 1, sizeof *blocks);
    int status = made != NULL && wanted != NULL && blocks != NULL ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        memcpy(blocks, first, ((size_t)ranks + 1) * sizeof *blocks);
        *made = (spectral_level){.comm = comm,
                                 .neighbours = MPI_COMM_NULL,
                                 .rank = collective_rank(comm),
                                 .ranks = ranks,
                                 .vertices = first[ranks],
                                 .first = blocks};
        made->rows = (int32_t)(first[made->rank + 1] - first[made->rank]);
        status = arrange(made, rows, wanted, diag);
    } else {
        free(blocks);
        free(made); /* whose communicator is not yet none */
        made = NULL;
    }
    status = collective_agree(comm, status, diag);
    status = status == INLAY_OK ? connect(made, wanted, diag) : status;
    free(wanted);
    if (status != INLAY_OK) {
        spectral_level_free(made);
        return status;
    }
    *level = made;
    return INLAY_OK;
}
