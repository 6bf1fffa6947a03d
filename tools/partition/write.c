/* Files of inlay-partition: the parts of the vertices, figures of each part, and the parts as an application. */
#include "partition.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stddef.h>

/* ---- The part of each vertex ---- */

enum { PIECE = 1 << 16 /* vertices of a message */ };

/* A column of the vertices of a rank: parts, or numbers where there are no parts. */
typedef struct column {
    const int32_t *part;
    const int64_t *number;
} column;

static void take_piece(const column *from, int32_t at, int count, int64_t *piece)
{
    for (int i = 0; i < count; i++) {
        piece[i] = from->part != NULL ? from->part[at + i] : from->number[at + i];
    }
}

static int piece_at(int64_t rows, int64_t at)
{
    return rows - at < PIECE ? (int)(rows - at) : PIECE;
}

static void put_piece(inlay_file *file, const int64_t *piece, int count)
{
    enum { LINE = 24 };
    static char text[PIECE * LINE];
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        size += (size_t)snprintf(text + size, LINE, "%" PRId64 "\n", piece[i]);
    }
    inlay_file_put(file, text, size);
}

static void send_column(const partitioned *of, const column *from, int64_t *piece)
{
    int64_t rows = of->rows;
    MPI_Send(&rows, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
    for (int32_t at = 0; at < of->rows; at += piece_at(of->rows, at)) {
        int count = piece_at(of->rows, at);
        take_piece(from, at, count, piece);
        MPI_Send(piece, count, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
    }
}

/* Where there is no file, the ranks send all the same. */
static int collect_column(const partitioned *of, const column *from, int64_t *piece, const char *path, inlay_diag *diag)
{
    inlay_file *file = NULL;
    int status = inlay_file_open(path, &file, diag);
    for (int32_t at = 0; at < of->rows && file != NULL; at += piece_at(of->rows, at)) {
        take_piece(from, at, piece_at(of->rows, at), piece);
        put_piece(file, piece, piece_at(of->rows, at));
    }
    for (int r = 1; r < of->result.ranks; r++) {
        int64_t rows = 0;
        MPI_Recv(&rows, 1, MPI_INT64_T, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int64_t at = 0; at < rows; at += piece_at(rows, at)) {
            MPI_Recv(piece, piece_at(rows, at), MPI_INT64_T, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (file != NULL) {
                put_piece(file, piece, piece_at(rows, at));
            }
        }
    }
    return file != NULL ? inlay_file_close(file, diag) : status;
}

static int write_column(const partitioned *of, const column *from, const char *path, inlay_diag *diag)
{
    static int64_t piece[PIECE];
    if (of->rank == 0) {
        return collect_column(of, from, piece, path, diag);
    }
    send_column(of, from, piece);
    return INLAY_OK;
}

int partition_write_parts(const partitioned *of, const char *path, inlay_diag *diag)
{
    const column parts = {of->part, NULL};
    return write_column(of, &parts, path, diag);
}

int partition_write_numbers(const partitioned *of, const char *path, inlay_diag *diag)
{
    const column numbers = {NULL, of->number};
    return write_column(of, &numbers, path, diag);
}

/* ---- Figures of each part ---- */

static int64_t first_load(const inlay_quotient *q, int32_t part)
{
    return q->load[(ptrdiff_t)part * q->weights];
}

void partition_put_csv(FILE *to, const void *context)
{
    const partitioned *of = context;
    const inlay_quotient *q = of->result.quotient;
    say(to, "part,load,neighbours,ghosts,sends,cut%s", of->result.processor != NULL ? ",processor" : "");
    for (int32_t w = 1; w < q->weights; w++) {
        say(to, ",load%" PRId32, w + 1);
    }
    say(to, "\n");
    for (int32_t p = 0; p < q->parts; p++) {
        int64_t sends = 0, cut = 0;
        for (int32_t k = q->start[p]; k < q->start[p + 1]; k++) {
            sends += q->ghosts[k];
            cut += q->weight[k];
        }
        say(to, "%" PRId32 ",%" PRId64 ",%" PRId32 ",%" PRId64 ",%" PRId64 ",%" PRId64, p, first_load(q, p),
            q->start[p + 1] - q->start[p], inlay_quotient_ghosts(q, p), sends, cut);
        if (of->result.processor != NULL) {
            say(to, ",%" PRId32, of->result.processor[p]);
        }
        for (int32_t w = 1; w < q->weights; w++) {
            say(to, ",%" PRId64, q->load[(ptrdiff_t)p * q->weights + w]);
        }
        say(to, "\n");
    }
}

/* ---- The parts as an application ---- */

static int add_part(inlay_app_builder *builder, const inlay_quotient *q, int32_t part, inlay_diag *diag)
{
    char name[24];
    inlay_module module = {.name = name, .time = {{first_load(q, part), 0}, INLAY_UNIT_NONE}};
    (void)snprintf(name, sizeof name, "part%" PRId32, part);
    return inlay_app_add_module(builder, &module, diag);
}

static int add_links(inlay_app_builder *builder, const inlay_quotient *q, int32_t part, int64_t item, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (int32_t k = q->start[part]; k < q->start[part + 1] && status == INLAY_OK; k++) {
        if (q->ghosts[k] > INT64_MAX / item) {
            return INLAY_OVERFLOW;
        }
        status = inlay_app_add_link(builder, part, q->part[k], 1, q->ghosts[k] * item, INLAY_LINK_TRAFFIC_ONLY, diag);
    }
    return status;
}

/* Every part sends each neighbour one message a gather; nobody waits for another, so that links are traffic alone. */
static int build_graph(const partitioned *of, inlay_app **app, inlay_diag *diag)
{
    static const inlay_unit units[] = {INLAY_UNIT_TICK, INLAY_UNIT_S, INLAY_UNIT_MS, INLAY_UNIT_US, INLAY_UNIT_NS};
    const partition_values *values = of->call->values;
    const inlay_quotient *q = of->result.quotient;
    inlay_app_builder *builder = inlay_app_builder_new("parts", units[values->time_unit]);
    int status = builder != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (int32_t p = 0; p < q->parts && status == INLAY_OK; p++) {
        status = add_part(builder, q, p, diag);
    }
    for (int32_t p = 0; p < q->parts && status == INLAY_OK; p++) {
        status = add_links(builder, q, p, partition_item(values), diag);
    }
    status = status == INLAY_OK ? inlay_app_build(builder, app, diag) : status;
    inlay_app_builder_free(builder);
    return status;
}

int partition_write_graph(const partitioned *of, const char *path, inlay_diag *diag)
{
    inlay_app *app = NULL;
    int status = build_graph(of, &app, diag);
    status = status == INLAY_OK ? inlay_app_write(app, path, NULL, diag) : status;
    inlay_app_free(app);
    return status;
}
