/* Lists and tables of speeds as machines. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/formats.h"
#include "io/grid/text.h"
#include "io/machine_formats.h"
#include "io/views/view.h"
#include <inlay/views.h>
#include <stdlib.h>
#include <string.h>

/* ---- Their looks ---- */

/* A heading, a list of speeds, or a name and a speed. */
static bool is_row(char *row)
{
    char *comma = strrchr(row, ',');
    double speed;
    if (strcmp(row, "name,speed") == 0 || grid_list_is_list(row)) {
        return true;
    }
    const char *number = comma == NULL ? NULL : comma + 1 + strspn(comma + 1, " \t");
    const char *times = number == NULL ? NULL : strchr(number, 'x');
    return number != NULL && comma > row && grid_text_number(times != NULL ? times + 1 : number, &speed);
}

typedef struct look {
    bool (*fits)(char *row);
    int rows; /* to look at */
    bool good;
} look;

static int look_at(void *context, char *row)
{
    look *at = context;
    at->good = at->fits(row);
    return --at->rows > 0 && at->good ? INLAY_OK : INLAY_NO_ANSWER;
}

bool first_rows_fit(const char *data, size_t size, int rows, bool (*fits)(char *row))
{
    look at = {.fits = fits, .rows = rows};
    input *in = NULL;
    if (input_open_memory(data, size, &in, NULL) == INLAY_OK) {
        grid_lines lines = {.source = "", .kind = "", .in = in};
        (void)grid_lines_take(&lines, look_at, &at);
    }
    input_close(in);
    return at.good;
}

/* Two tell: files of numbers of another kind have blanks between them. */
bool speeds_look_like(const char *data, size_t size)
{
    return first_rows_fit(data, size, 2, is_row);
}

/* ---- The machine ---- */

/* The name of a processor, with a number from 0 behind it where its neighbours have the same. */
static char *name_of(const inlay_grid_machines *of, int32_t i, int32_t *number)
{
    const char *name = of->name == NULL ? NULL : of->name[i];
    const char *before = name == NULL || i == 0 ? NULL : of->name[i - 1];
    const char *behind = name == NULL || i + 1 == of->processors ? NULL : of->name[i + 1];
    bool first = before == NULL || strcmp(before, name) != 0;
    *number = first ? 0 : *number + 1;
    if (name == NULL || (first && (behind == NULL || strcmp(behind, name) != 0))) {
        return name == NULL ? NULL : memory_string(name);
    }
    text_buffer numbered = {0};
    text_addf(&numbered, "%s%d", name, (int)*number);
    return numbered.data;
}

/* Some bytes can stand for any number of processors, each of which becomes a host with cables. */
enum { MOST_HOSTS = 1 << 16 };

static int make(const inlay_grid_machines *of, const explicit_parts *parts, inlay_machine **machine, inlay_diag *diag)
{
    if (of->processors > MOST_HOSTS) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, parts->source, 0,
                            "%d processors with speeds of their own; expected at most %d in a machine", of->processors,
                            MOST_HOSTS);
    }
    static const char mega[] = "  graph [arithmetic_time=\"1us\"];\n";
    size_t count = (size_t)of->processors;
    star_host *host = memory_zeroed(count, sizeof *host);
    int status = host == NULL ? diag_no_memory(diag) : INLAY_OK;
    int32_t number = 0;
    for (int32_t i = 0; i < of->processors && status == INLAY_OK; i++) {
        host[i] = (star_host){.name = name_of(of, i, &number), .speed = of->speed[i] / 1e6};
        bool lost = of->name != NULL && of->name[i] != NULL && host[i].name == NULL;
        status = lost ? diag_no_memory(diag) : INLAY_OK;
    }
    if (status == INLAY_OK) {
        status = explicit_machine(parts, star_write, &(star){.host = host, .hosts = count, .attributes = mega}, machine,
                                  diag);
    }
    for (size_t i = 0; host != NULL && i < count; i++) {
        free((char *)host[i].name);
    }
    free(host);
    return status;
}

int inlay_grid_machine(const inlay_grid_machines *machines, const char *source, inlay_machine **machine,
                       inlay_diag *diag)
{
    DIAG_CALL(diag);
    return make(machines, &(explicit_parts){.name = "speeds", .source = source}, machine, diag);
}

int speeds_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                        size_t count, inlay_machine **machine, inlay_diag *diag)
{
    inlay_grid_machines *machines = NULL;
    char *name = grid_list_is_list(source) ? memory_string(source) : format_graph_name(source);
    int status = name == NULL ? diag_no_memory(diag) : grid_table_read(data, size, source, &machines, diag);
    if (status == INLAY_OK) {
        status = make(machines, &(explicit_parts){name, source, attributes, count, false}, machine, diag);
    }
    inlay_grid_machines_free(machines);
    free(name);
    return status;
}
