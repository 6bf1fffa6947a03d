/* Files of inlay-partition: the parts of the vertices, figures of each part, and the parts as an application. */
#include "output.h"
#include "partition.h"
#include "report.h"
#include <errno.h>
#include <inlay/inlay.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- The part of each vertex ---- */

/* Written beside the file, under a name that it changes at the end, so that it appears whole or not at all. */
typedef struct part_file {
    const char *path;
    char beside[PATH_MAX]; /* "": written to directly */
    gzFile to;             /* plain where the name does not end in .gz */
    int why;               /* errno of what failed; 0: nothing */
} part_file;

/* A device or a pipe is written to: a file that takes its name would replace it. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static void part_file_open(part_file *file, const char *path)
{
    size_t length = strlen(path);
    bool packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
    *file = (part_file){.path = path};
    errno = 0;
    if (output_is_standard(path)) {
        file->to = gzdopen(dup(STDOUT_FILENO), "wbT");
    } else if (is_special(path)) {
        file->to = gzopen(path, packed ? "wb" : "wbT");
    } else if (snprintf(file->beside, PATH_MAX, "%s.%ld.part", path, (long)getpid()) < PATH_MAX) {
        file->to = gzopen(file->beside, packed ? "wb" : "wbT");
    } else {
        errno = ENAMETOOLONG;
    }
    file->why = file->to != NULL ? 0 : errno != 0 ? errno : ENOMEM;
}

static void part_file_put(part_file *file, const int32_t *part, int count)
{
    for (int i = 0; i < count && file->why == 0; i++) {
        file->why = gzprintf(file->to, "%" PRId32 "\n", part[i]) > 0 ? 0 : errno != 0 ? errno : EIO;
    }
}

/* Returns an exit status, and has said what went wrong. */
static int part_file_close(part_file *file)
{
    if (file->to != NULL && gzclose(file->to) != Z_OK && file->why == 0) {
        file->why = errno != 0 ? errno : EIO;
    }
    if (file->why == 0 && file->beside[0] != '\0' && rename(file->beside, file->path) != 0) {
        file->why = errno;
    }
    if (file->why == 0) {
        return EXIT_DONE;
    }
    if (file->beside[0] != '\0') {
        (void)unlink(file->beside);
    }
    say_safely(stderr, file->path);
    say(stderr, ": cannot be written (%s)\n", strerror(file->why));
    return EXIT_SYSTEM;
}

enum { PIECE = 1 << 16 /* vertices of a message */ };

static void send_parts(const partitioned *of)
{
    int64_t rows = of->rows;
    MPI_Send(&rows, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
    for (int32_t at = 0; at < of->rows; at += PIECE) {
        int count = of->rows - at < PIECE ? of->rows - at : PIECE;
        MPI_Send(of->part + at, count, MPI_INT32_T, 0, 0, MPI_COMM_WORLD);
    }
}

static int collect_parts(const partitioned *of, const char *path)
{
    static int32_t piece[PIECE];
    part_file file;
    part_file_open(&file, path);
    part_file_put(&file, of->part, of->rows);
    for (int r = 1; r < of->ranks; r++) {
        int64_t rows = 0;
        MPI_Recv(&rows, 1, MPI_INT64_T, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int64_t at = 0; at < rows; at += PIECE) {
            int count = rows - at < PIECE ? (int)(rows - at) : PIECE;
            MPI_Recv(piece, count, MPI_INT32_T, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            part_file_put(&file, piece, count);
        }
    }
    return part_file_close(&file);
}

int partition_write_parts(const partitioned *of, const char *path)
{
    int end = EXIT_DONE;
    if (of->rank == 0) {
        end = collect_parts(of, path);
    } else {
        send_parts(of);
    }
    MPI_Bcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return end;
}

/* ---- Figures of each part ---- */

int partition_write_csv(const partitioned *of, const char *path)
{
    const inlay_quotient *q = of->quotient;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL) {
        return report_no_memory();
    }
    say(file, "part,load,neighbours,ghosts,sends,cut\n");
    for (int32_t p = 0; p < q->parts; p++) {
        int64_t sends = 0, cut = 0;
        for (int32_t k = q->start[p]; k < q->start[p + 1]; k++) {
            sends += q->ghosts[k];
            cut += q->weight[k];
        }
        say(file, "%" PRId32 ",%" PRId64 ",%" PRId32 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", p, q->load[p],
            q->start[p + 1] - q->start[p], ghosts_of_part(q, p), sends, cut);
    }
    int end = fclose(file) == 0 ? output_write(path, text, size) : report_no_memory();
    free(text);
    return end;
}

/* ---- The parts as an application ---- */

static int add_part(inlay_app_builder *builder, const inlay_quotient *q, int32_t part, inlay_diag *diag)
{
    char name[24];
    inlay_module module = {.name = name, .time = {{q->load[part], 0}, INLAY_UNIT_NONE}};
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
    const inlay_quotient *q = of->quotient;
    inlay_app_builder *builder = inlay_app_builder_new("parts", units[values->time_unit]);
    int status = builder != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (int32_t p = 0; p < q->parts && status == INLAY_OK; p++) {
        status = add_part(builder, q, p, diag);
    }
    for (int32_t p = 0; p < q->parts && status == INLAY_OK; p++) {
        status = add_links(builder, q, p, partition_item(values), diag);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(builder, app, diag);
    }
    inlay_app_builder_free(builder);
    return status;
}

int partition_write_graph(const partitioned *of, const char *path, inlay_diag *diag)
{
    inlay_app *app = NULL;
    int status = build_graph(of, &app, diag);
    if (status == INLAY_OK) {
        status = inlay_app_write(app, path, NULL, diag);
    }
    inlay_app_free(app);
    return status;
}
