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
    grid_list list;
} owned_machines;

static void grid_list_clear(grid_list *list)
{
    for (size_t i = 0; i < list->processors; i++) {
        free(list->name[i]);
    }
    free(list->name);
    free(list->speed);
    free(list->host);
    free(list->memory);
    grid_ways_free(list->ways);
    name_map_clear(&list->names);
    *list = (grid_list){0};
}

void inlay_grid_machines_free(inlay_grid_machines *machines)
{
    owned_machines *owned = (owned_machines *)machines;
    if (owned != NULL) {
        grid_list_clear(&owned->list);
        free(owned);
    }
}

/* ---- Processors one by one ---- */

int grid_list_add(grid_list *list, long line, double speed, const char *name)
{
    if (list->processors == INLAY_GRID_PROCESSORS) {
        return diag_fail_at(list->diag, INLAY_BAD_INPUT, list->source, line,
                            "there are more than %d processors; expected no more", INLAY_GRID_PROCESSORS);
    }
    char *copy = name != NULL ? memory_string(name) : NULL;
    size_t needed = list->processors + 1;
    if ((name != NULL && copy == NULL) ||
        !memory_grow((void **)&list->speed, &list->speed_capacity, needed, sizeof *list->speed) ||
        !memory_grow((void **)&list->name, &list->name_capacity, needed, sizeof *list->name)) {
        free(copy);
        return diag_no_memory(list->diag);
    }
    list->name[list->processors] = copy;
    list->speed[list->processors++] = speed;
    list->named = list->named || name != NULL;
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
static int grid_list_add_speeds(grid_list *list, long line, const char *text, const char *name)
{
    double speed;
    int64_t count;
    if (!read_speed(text, &speed, &count)) {
        return diag_fail_at(list->diag, INLAY_BAD_INPUT, list->source, line,
                            "bad speed '%.40s'; expected a number above 0, or 8x3 for 8 of speed 3", text);
    }
    double mflops = list->mflops > 0 ? list->mflops : 1;
    int status = INLAY_OK;
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        status = grid_list_add(list, line, speed * mflops * mega, name);
    }
    return status;
}

/* Speeds in units of `mflops`, separated by commas, each alone or as "8x3.5". The text is changed. */
static int grid_list_add_list(grid_list *to, long line, char *list)
{
    int status = INLAY_OK;
    for (char *at = list; at != NULL && status == INLAY_OK;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        status = grid_list_add_speeds(to, line, at, NULL);
        at = comma != NULL ? comma + 1 : NULL;
    }
    return status;
}

bool grid_list_is_list(const char *text)
{
    static const char symbols[] = "0123456789.,x+-eE";
    return text[strspn(text, symbols)] == '\0' && strpbrk(text, "0123456789") != NULL;
}

/* ---- Tables ---- */

typedef struct table {
    grid_lines lines;
    grid_list *list;
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
    if (t->list->processors == 0 && strcmp(row, "name,speed") == 0) {
        return INLAY_OK;
    }
    if (grid_list_is_list(row)) {
        return grid_list_add_list(t->list, t->is_list ? 0 : t->lines.line, row);
    }
    if (comma == NULL || comma == row) {
        return grid_lines_refuse(&t->lines, "bad line '%.40s'; expected a speed above 0, or NAME,SPEED", row);
    }
    *comma = '\0';
    trim_end(row);
    if (name_map_get(&t->list->names, row) >= 0) {
        return grid_lines_refuse(&t->lines, "the processor '%.40s' comes twice; expected every name once", row);
    }
    size_t first = t->list->processors;
    int status = grid_list_add_speeds(t->list, t->lines.line, comma + 1 + strspn(comma + 1, " \t"), row);
    if (status == INLAY_OK && !name_map_put(&t->list->names, t->list->name[first], (int32_t)first)) {
        status = diag_no_memory(t->list->diag);
    }
    return status;
}

/* Lines of names and speeds, or of speeds alone; or a list from the command line. */
static int grid_list_add_table(grid_list *list, input *in, bool is_list)
{
    table t = {.lines = {.source = list->source, .kind = "speeds, or NAME,SPEED", .in = in, .diag = list->diag},
               .list = list,
               .is_list = is_list};
    return grid_lines_take(&t.lines, take_row, &t);
}

/* ---- What it is ---- */

static int add_metasystem(grid_list *list, machine_argument *a)
{
    file_content content = {0};
    int status = input_rest(a->in, &content, list->diag);
    status = status == INLAY_OK ? grid_list_add_metasystem_text(list, content.data, content.size) : status;
    file_content_clear(&content);
    return status;
}

static int add_machine(grid_list *list, machine_argument *a)
{
    inlay_machine *machine = NULL;
    int status = machine_argument_read(a, &machine, list->diag);
    status = status == INLAY_OK ? grid_list_add_machine(list, machine) : status;
    inlay_machine_free(machine);
    return status;
}

/* Lists, tables and metasystems have speeds of their own; what stands behind the name of another goes with a machine. */
static int add_all(grid_list *list, machine_argument *a)
{
    machine_kind kind = a->format != NULL && a->count == 0 ? a->format->kind : MACHINE_ALONE;
    return kind == MACHINE_SPEEDS       ? grid_list_add_table(list, a->in, a->is_list)
           : kind == MACHINE_METASYSTEM ? add_metasystem(list, a)
                                        : add_machine(list, a);
}

static owned_machines *begin(const char *source, double mflops, inlay_diag *diag)
{
    owned_machines *owned = memory_zeroed(1, sizeof *owned);
    if (owned == NULL) {
        (void)diag_no_memory(diag);
        return NULL;
    }
    owned->list = (grid_list){.source = source, .diag = diag, .mflops = mflops};
    return owned;
}

/* Where no processor has a name there are none at all. */
static int finish(owned_machines *owned, int status, inlay_grid_machines **machines)
{
    grid_list *list = &owned->list;
    if (status == INLAY_OK && list->processors == 0) {
        status = diag_fail_at(list->diag, INLAY_BAD_INPUT, list->source, 0,
                              "there are no processors; expected at least one");
    }
    if (status != INLAY_OK) {
        inlay_grid_machines_free(&owned->shown);
        return status;
    }
    owned->shown = (inlay_grid_machines){.processors = (int32_t)list->processors,
                                         .speed = list->speed,
                                         .name = list->named ? (const char *const *)list->name : NULL,
                                         .host = list->host,
                                         .memory = list->memory,
                                         .networked = list->networked,
                                         .network = list->network,
                                         .mean = list->mean,
                                         .speed_assumed = list->speed_assumed,
                                         .routes = list->routes};
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
    status = status == INLAY_OK ? grid_list_add_table(&owned->list, in, grid_list_is_list(source)) : status;
    input_close(in);
    return finish(owned, status, machines);
}

int inlay_machine_grid(const inlay_machine *machine, double mflops, inlay_grid_machines **machines, inlay_diag *diag)
{
    DIAG_CALL(diag);
    owned_machines *owned = begin(inlay_machine_text(machine), mflops, diag);
    return owned == NULL ? INLAY_NO_MEMORY : finish(owned, grid_list_add_machine(&owned->list, machine), machines);
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
        status = finish(owned, status == INLAY_OK ? add_all(&owned->list, &a) : status, machines);
    }
    machine_argument_close(&a);
    return status;
}
