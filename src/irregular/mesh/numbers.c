/* A number for each vertex: a line each, in their order; from the pieces of the file to the block distribution. */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/mesh/text.h"
#include <inlay/irregular_exchange.h>
#include <inlay/irregular_mesh.h>
#include <stdlib.h>

typedef struct range {
    const char *what;
    int64_t least, most;
} range;

static int check_count(const mesh_text *text, int64_t rows, int64_t vertices, inlay_diag *diag)
{
    int64_t all = collective_sum(text->comm, rows), last = mesh_text_last(text);
    return all == vertices
               ? INLAY_OK
               : diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)last,
                              "the file ends behind %lld lines of numbers; expected %lld, one for each vertex",
                              (long long)all, (long long)vertices);
}

/* The numbers of this rank's lines. */
static int read_lines(const mesh_text *text, const range *of, int64_t rows, int64_t *value, inlay_diag *diag)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor;
    int status = value == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (int64_t i = 0; i < rows && status == INLAY_OK && mesh_walk_next(&walk, &cursor); i++) {
        status = mesh_take_number(text, &cursor, of->what, of->least, of->most, &value[i], diag);
        status = status == INLAY_OK ? mesh_take_end(text, &cursor, "one number a line", diag) : status;
    }
    return status;
}

/* Line i of the file is vertex i. */
static int send_lines(MPI_Comm comm, int64_t vertices, const int64_t *line, int64_t rows, int64_t *value,
                      inlay_diag *diag)
{
    int64_t first = collective_before(comm, rows), *number = memory_array((size_t)rows, sizeof *number);
    inlay_table *from = NULL, *to = NULL;
    inlay_schedule *schedule = NULL;
    for (int64_t i = 0; i < rows && number != NULL; i++) {
        number[i] = first + i;
    }
    int status = collective_agree(comm, number == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? inlay_table_owned(comm, vertices, number, (int32_t)rows, &from, diag) : status;
    status = status == INLAY_OK ? inlay_table_block(comm, vertices, &to, diag) : status;
    status = status == INLAY_OK ? inlay_remap(from, to, &schedule, diag) : status;
    status = status == INLAY_OK ? inlay_schedule_move(schedule, line, value, sizeof *value, diag) : status;
    inlay_schedule_free(schedule);
    inlay_table_free(from);
    inlay_table_free(to);
    free(number);
    return status;
}

int inlay_mesh_read_numbers(MPI_Comm comm, const char *path, const char *name, int64_t vertices, const char *what,
                            int64_t least, int64_t most, int64_t *value, inlay_diag *diag)
{
    DIAG_CALL(diag);
    mesh_text text = {0};
    const range of = {what, least, most};
    int64_t *line = NULL, rows = 0;
    int status = mesh_text_read(comm, path, name, &text, diag);
    text.comments = "#%";
    if (status == INLAY_OK) {
        rows = mesh_text_rows(&text);
        status = check_count(&text, rows, vertices, diag);
    }
    if (status == INLAY_OK) {
        line = memory_array((size_t)rows, sizeof *line);
        status = collective_agree(comm, read_lines(&text, &of, rows, line, diag), diag);
    }
    status = status == INLAY_OK ? send_lines(comm, vertices, line, rows, value, diag) : status;
    free(line);
    mesh_text_clear(&text);
    return status;
}
