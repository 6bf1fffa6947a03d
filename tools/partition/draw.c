/* The picture of inlay-partition: what lies on all ranks comes to the first one, since the mesh is small. */
#include "partition.h"
#include "raster.h"
#include <inlay/render.h>
#include <inttypes.h>
#include <stdlib.h>

bool partition_draws(const partition_values *values)
{
    return values->svg != NULL || values->common.png != NULL || values->common.pdf != NULL;
}

bool partition_can_draw(const partitioned *of)
{
    return of->dimensions == 2 && of->result.vertices <= INLAY_MESH_DRAWN;
}

/* `count` items of `type` of each rank, one rank's behind the other's, on rank 0; NULL without memory there. */
static void *gather(const partitioned *of, const void *own, int count, MPI_Datatype type, int64_t *all)
{
    int bytes = 0, *counts = calloc((size_t)of->result.ranks, 2 * sizeof *counts);
    void *items = NULL;
    bool room = counts != NULL;
    MPI_Type_size(type, &bytes);
    MPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    if (room && counts != NULL) {
        int *starts = counts + of->result.ranks;
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        *all = counts[0];
        for (int r = 1; r < of->result.ranks; r++) {
            starts[r] = starts[r - 1] + counts[r - 1];
            *all += counts[r];
        }
        items = of->rank == 0 ? malloc((size_t)*all * (size_t)bytes + 1) : NULL;
        room = of->rank != 0 || items != NULL;
        MPI_Bcast(&room, 1, MPI_C_BOOL, 0, MPI_COMM_WORLD);
        if (room) {
            MPI_Gatherv(own, count, type, items, counts, starts, type, 0, MPI_COMM_WORLD);
        }
    }
    free(counts);
    return items;
}

static int write_picture(const cli_answer *a, const char *path)
{
    return inlay_mesh_draw_svg(a->of, path, a->diag);
}

static int write_all(const invocation *call, const inlay_mesh_picture *picture, inlay_diag *diag)
{
    static const cli_output svg = {.name = "--svg", .write = write_picture};
    const partition_values *values = call->values;
    const cli_answer a = {call, picture, diag};
    int status = values->svg != NULL ? write_picture(&a, values->svg) : INLAY_OK;
    if (status == INLAY_OK && values->common.png != NULL) {
        status = raster_write(&svg, &a, "png", values->common.png);
    }
    if (status == INLAY_OK && values->common.pdf != NULL) {
        status = raster_write(&svg, &a, "pdf", values->common.pdf);
    }
    return status;
}

int partition_draw(const partitioned *of, inlay_diag *diag)
{
    int64_t places = 0, rows = 0, ends = 0;
    char title[160];
    double *place = gather(of, of->coordinate, 2 * of->rows, MPI_DOUBLE, &places);
    int32_t *part = gather(of, of->part, of->rows, MPI_INT32_T, &rows);
    int64_t *end = gather(of, of->ends, 2 * of->edge_count, MPI_INT64_T, &ends);
    int status = INLAY_OK;
    (void)snprintf(title, sizeof title, "%s in %" PRId32 " parts (%s): edge cut %" PRId64 ", imbalance %.1f %%",
                   of->result.mesh, of->result.parts, of->result.method, of->result.figures.edge_cut,
                   100 * of->result.figures.imbalance);
    if (of->rank == 0 && (place == NULL || part == NULL || end == NULL)) {
        status = INLAY_NO_MEMORY;
    } else if (of->rank == 0) {
        inlay_mesh_picture picture = {title, (int32_t)rows, of->result.parts, place, part, ends / 2, end};
        status = write_all(of->call, &picture, diag);
    }
    free(place);
    free(part);
    free(end);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}
