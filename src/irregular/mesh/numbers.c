/* Numbers for each vertex: a line each, in their order; from the pieces of the file to the block distribution. */
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
    int32_t columns; /* numbers of a line */
    bool as_first;   /* for the first line has so many */
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
        for (int32_t c = 0; c < of->columns && status == INLAY_OK; c++) {
            status = mesh_take_number(text, &cursor, of->what, of->least, of->most, &value[i * of->columns + c], diag);
        }
        bool more = status == INLAY_OK && !mesh_cursor_done(&cursor);
        if (more && of->as_first) {
            status = diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor.line,
                                  "there are more numbers than on the first line; expected %d", (int)of->columns);
        } else if (more) {
            status = mesh_take_end(text, &cursor, "one number a line", diag);
        }
    }
    return status;
}

/* How many numbers the first line has, on all ranks. */
static int count_columns(const mesh_text *text, int32_t most, int32_t *columns, inlay_diag *diag)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor;
    int64_t first = INT64_MAX, words = 0;
    if (mesh_walk_next(&walk, &cursor)) {
        first = cursor.line;
        words = mesh_cursor_words(cursor);
    }
    int64_t least = collective_least(text->comm, first);
    words = collective_most(text->comm, first == least ? words : 0);
    *columns = words < 1 ? 1 : words > most ? most : (int32_t)words;
    return words <= most ? INLAY_OK
                         : diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)least,
                                        "the line has %lld numbers; expected 1 to %d", (long long)words, (int)most);
}

/* Line i of the file is vertex i. */
static int send_lines(MPI_Comm comm, int64_t vertices, const int64_t *line, int64_t rows, size_t size, int64_t *value,
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
    status = status == INLAY_OK ? inlay_schedule_move(schedule, line, value, size, diag) : status;
    inlay_schedule_free(schedule);
    inlay_table_free(from);
    inlay_table_free(to);
    free(number);
    return status;
}

/* The lines of a file that was read, to where their vertices are. */
static int take_lines(const mesh_text *text, const range *of, int64_t vertices, int64_t *value, inlay_diag *diag)
{
    int64_t rows = mesh_text_rows(text);
    size_t size = (size_t)of->columns * sizeof *value;
    int64_t *line = memory_array((size_t)rows, size);
    int status = collective_agree(text->comm, read_lines(text, of, rows, line, diag), diag);
    status = status == INLAY_OK ? send_lines(text->comm, vertices, line, rows, size, value, diag) : status;
    free(line);
    return status;
}

static int open_lines(MPI_Comm comm, const char *path, const char *name, int64_t vertices, mesh_text *text,
                      inlay_diag *diag)
{
    int status = mesh_text_read(comm, path, name, text, diag);
    text->comments = "#%";
    return status == INLAY_OK ? check_count(text, mesh_text_rows(text), vertices, diag) : status;
}

int inlay_mesh_read_numbers(MPI_Comm comm, const char *path, const char *name, int64_t vertices, const char *what,
                            int64_t least, int64_t most, int64_t *value, inlay_diag *diag)
{
    DIAG_CALL(diag);
    mesh_text text = {0};
    const range of = {what, least, most, 1, false};
    int status = open_lines(comm, path, name, vertices, &text, diag);
    status = status == INLAY_OK ? take_lines(&text, &of, vertices, value, diag) : status;
    mesh_text_clear(&text);
    return status;
}

int inlay_mesh_read_weights(const char *path, const char *name, inlay_graph *graph, inlay_diag *diag)
{
    DIAG_CALL(diag);
    mesh_text text = {0};
    range of = {"a weight", 0, INT64_MAX / 4 / (graph->vertices + 1), 1, true};
    int64_t *load = NULL;
    int status = open_lines(graph->comm, path, name, graph->vertices, &text, diag);
    status = status == INLAY_OK ? count_columns(&text, INLAY_MOST_WEIGHTS, &of.columns, diag) : status;
    if (status == INLAY_OK) {
        load = memory_array((size_t)graph->rows, (size_t)of.columns * sizeof *load);
        status = collective_agree(graph->comm, load == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    }
    status = status == INLAY_OK ? take_lines(&text, &of, graph->vertices, load, diag) : status;
    mesh_text_clear(&text);
    if (status != INLAY_OK) {
        free(load);
        return status;
    }
    free(graph->load);
    graph->load = load;
    graph->weights = of.columns;
    return INLAY_OK;
}
