/* Processors to decompose grids for: a list of speeds, a table of them, or what else names processors. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/grid/text.h"
#include "io/machine_argument.h"
#include <inlay/views.h>
#include <stdlib.h>
#include <string.h>

static const double mega = 1e6;

/* What the caller sees, and what that points to. */
typedef struct owned_machines {
    inlay_grid_machines shown; /* first: a pointer to it is one to all */
    grid_fleet fleet;
} owned_machines;

static void grid_fleet_clear(grid_fleet *fleet)
{
    for (size_t i = 0; i < fleet->processors; i++) {
        free(fleet->name[i]);
    }
    free(fleet->name);
    free(fleet->speed);
    name_map_clear(&fleet->names);
    *fleet = (grid_fleet){0};
}

void inlay_grid_machines_free(inlay_grid_machines *machines)
{
    owned_machines *owned = (owned_machines *)machines;
    if (owned != NULL) {
        grid_fleet_clear(&owned->fleet);
        free(owned);
    }
}

/* ---- Processors one by one ---- */

int grid_fleet_add(grid_fleet *fleet, long line, double speed, const char *name)
{
    if (fleet->processors == INLAY_GRID_PROCESSORS) {
        return diag_fail_at(fleet->diag, INLAY_BAD_INPUT, fleet->source, line,
                            "there are more than %d processors; expected no more", INLAY_GRID_PROCESSORS);
    }
    char *copy = name != NULL ? memory_string(name) : NULL;
    size_t needed = fleet->processors + 1;
    if ((name != NULL && copy == NULL) ||
        !memory_grow((void **)&fleet->speed, &fleet->speed_capacity, needed, sizeof *fleet->speed) ||
        !memory_grow((void **)&fleet->name, &fleet->name_capacity, needed, sizeof *fleet->name)) {
        free(copy);
        return diag_no_memory(fleet->diag);
    }
    fleet->name[fleet->processors] = copy;
    fleet->speed[fleet->processors++] = speed;
    fleet->named = fleet->named || name != NULL;
    return INLAY_OK;
}

/* ---- Lists ---- */

/* "6" or "8x3.5": a speed above 0, and how many processors have it. */
static bool read_speed(const char *text, double *speed, int64_t *count)
{
    const char *times = strchr(text, 'x');
    *count = 1;
    if (times != NULL && (grid_text_whole(text, false, count) != times || *count < 1)) {
        return false;
    }
    return grid_text_number(times != NULL ? times + 1 : text, speed) && *speed > 0;
}

/* One of these, all of that name. */
static int grid_fleet_add_speeds(grid_fleet *fleet, long line, const char *text, const char *name)
{
    double speed;
    int64_t count;
    if (!read_speed(text, &speed, &count)) {
        return diag_fail_at(fleet->diag, INLAY_BAD_INPUT, fleet->source, line,
                            "bad speed '%.40s'; expected a number above 0, or 8x3 for 8 of speed 3", text);
    }
    double mflops = fleet->mflops > 0 ? fleet->mflops : 1;
    int status = INLAY_OK;
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        status = grid_fleet_add(fleet, line, speed * mflops * mega, name);
    }
    return status;
}

/* Speeds in units of `mflops`, separated by commas, each alone or as "8x3.5". The text is changed. */
static int grid_fleet_add_list(grid_fleet *fleet, long line, char *list)
{
    int status = INLAY_OK;
    for (char *at = list; at != NULL && status == INLAY_OK;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        status = grid_fleet_add_speeds(fleet, line, at, NULL);
        at = comma != NULL ? comma + 1 : NULL;
    }
    return status;
}

bool grid_fleet_is_list(const char *text)
{
    static const char symbols[] = "0123456789.,x+-eE";
    return text[strspn(text, symbols)] == '\0' && strpbrk(text, "0123456789") != NULL;
}

/* ---- Tables ---- */

typedef struct table {
    grid_lines lines;
    grid_fleet *fleet;
    bool is_list; /* an operand, which has no lines */
} table;

/* Ends a text before the blanks behind it. */
static void trim_end(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        text[--length] = '\0';
    }
}

/* A heading, "name,speed", a name and its speed, or speeds alone. */
static int take_row(void *context, char *row)
{
    table *t = context;
    char *comma = strrchr(row, ',');
    if (t->fleet->processors == 0 && strcmp(row, "name,speed") == 0) {
        return INLAY_OK;
    }
    if (grid_fleet_is_list(row)) {
        return grid_fleet_add_list(t->fleet, t->is_list ? 0 : t->lines.line, row);
    }
    if (comma == NULL || comma == row) {
        return grid_lines_refuse(&t->lines, "bad line '%.40s'; expected a speed above 0, or NAME,SPEED", row);
    }
    *comma = '\0';
    trim_end(row);
    if (name_map_get(&t->fleet->names, row) >= 0) {
        return grid_lines_refuse(&t->lines, "the processor '%.40s' comes twice; expected every name once", row);
    }
    size_t first = t->fleet->processors;
    int status = grid_fleet_add_speeds(t->fleet, t->lines.line, comma + 1 + strspn(comma + 1, " \t"), row);
    if (status == INLAY_OK && !name_map_put(&t->fleet->names, t->fleet->name[first], (int32_t)first)) {
        status = diag_no_memory(t->fleet->diag);
    }
    return status;
}

/* Lines of names and speeds, or of speeds alone; or a list from the command line. */
static int grid_fleet_add_table(grid_fleet *fleet, input *in, bool is_list)
{
    table t = {.lines = {.source = fleet->source, .kind = "speeds, or NAME,SPEED", .in = in, .diag = fleet->diag},
               .fleet = fleet,
               .is_list = is_list};
    return grid_lines_take(&t.lines, take_row, &t);
}

/* ---- What it is ---- */

static int add_metasystem(grid_fleet *fleet, machine_argument *a)
{
    file_content content = {0};
    int status = input_rest(a->in, &content, fleet->diag);
    status = status == INLAY_OK ? grid_fleet_add_metasystem_text(fleet, content.data, content.size) : status;
    file_content_clear(&content);
    return status;
}

static int add_machine(grid_fleet *fleet, machine_argument *a)
{
    inlay_machine *machine = NULL;
    int status = machine_argument_read(a, &machine, fleet->diag);
    status = status == INLAY_OK ? grid_fleet_add_machine(fleet, machine) : status;
    inlay_machine_free(machine);
    return status;
}

/* Lists, tables and metasystems have speeds of their own; what stands behind the name of another goes with a machine. */
static int add_all(grid_fleet *fleet, machine_argument *a)
{
    machine_kind kind = a->format != NULL && a->count == 0 ? a->format->kind : MACHINE_ALONE;
    return kind == MACHINE_SPEEDS       ? grid_fleet_add_table(fleet, a->in, a->is_list)
           : kind == MACHINE_METASYSTEM ? add_metasystem(fleet, a)
                                        : add_machine(fleet, a);
}

static owned_machines *begin(const char *source, double mflops, inlay_diag *diag)
{
    owned_machines *owned = memory_zeroed(1, sizeof *owned);
    if (owned == NULL) {
        (void)diag_no_memory(diag);
        return NULL;
    }
    owned->fleet = (grid_fleet){.source = source, .diag = diag, .mflops = mflops};
    return owned;
}

/* Where no processor has a name there are none at all. */
static int finish(owned_machines *owned, int status, inlay_grid_machines **machines)
{
    grid_fleet *fleet = &owned->fleet;
    if (status == INLAY_OK && fleet->processors == 0) {
        status = diag_fail_at(fleet->diag, INLAY_BAD_INPUT, fleet->source, 0,
                              "there are no processors; expected at least one");
    }
    if (status != INLAY_OK) {
        inlay_grid_machines_free(&owned->shown);
        return status;
    }
    owned->shown = (inlay_grid_machines){.processors = (int32_t)fleet->processors,
                                         .speed = fleet->speed,
                                         .name = fleet->named ? (const char *const *)fleet->name : NULL,
                                         .networked = fleet->networked,
                                         .network = fleet->network,
                                         .speed_assumed = fleet->speed_assumed,
                                         .routes = fleet->routes};
    *machines = &owned->shown;
    return INLAY_OK;
}

int grid_table_read(const char *data, size_t size, const char *source, inlay_grid_machines **machines, inlay_diag *diag)
{
    input *in = NULL;
    owned_machines *owned = begin(source, 0, diag);
    if (owned == NULL) {
        return INLAY_NO_MEMORY;
    }
    int status = input_open_memory(data, size, &in, diag);
    status = status == INLAY_OK ? grid_fleet_add_table(&owned->fleet, in, grid_fleet_is_list(source)) : status;
    input_close(in);
    return finish(owned, status, machines);
}

int inlay_machine_grid(const inlay_machine *machine, double mflops, inlay_grid_machines **machines, inlay_diag *diag)
{
    DIAG_CALL(diag);
    owned_machines *owned = begin(inlay_machine_text(machine), mflops, diag);
    return owned == NULL ? INLAY_NO_MEMORY : finish(owned, grid_fleet_add_machine(&owned->fleet, machine), machines);
}

int inlay_grid_machines_read(const char *text_or_path, double mflops, inlay_grid_machines **machines, inlay_diag *diag)
{
    DIAG_CALL(diag);
    machine_argument a;
    int status = machine_argument_open(text_or_path, MACHINE_SPEEDS, &a, diag);
    owned_machines *owned = begin(a.source, mflops, diag);
    if (owned == NULL) {
        status = INLAY_NO_MEMORY;
    } else {
        status = finish(owned, status == INLAY_OK ? add_all(&owned->fleet, &a) : status, machines);
    }
    machine_argument_close(&a);
    return status;
}
