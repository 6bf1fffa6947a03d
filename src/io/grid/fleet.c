/* Processors to decompose grids for: a list of speeds, a table of them, or what else names processors. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/grid/text.h"
#include <errno.h>
#include <inlay/io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double mega = 1e6;

/* What the caller sees, and what that points to. */
typedef struct owned_machines {
    inlay_grid_machines shown; /* first: a pointer to it is one to all */
    grid_fleet fleet;
} owned_machines;

void grid_fleet_clear(grid_fleet *fleet)
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

int grid_fleet_add_speeds(grid_fleet *fleet, long line, const char *text, const char *name)
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

int grid_fleet_add_list(grid_fleet *fleet, long line, char *list)
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

static int add_operand(grid_fleet *fleet, const char *list)
{
    char *copy = memory_string(list);
    if (copy == NULL) {
        return diag_no_memory(fleet->diag);
    }
    int status = grid_fleet_add_list(fleet, 0, copy);
    free(copy);
    return status;
}

/* ---- Tables ---- */

typedef struct table {
    grid_lines lines;
    grid_fleet *fleet;
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
        return grid_fleet_add_list(t->fleet, t->lines.line, row);
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

/* ---- What it is ---- */

typedef enum file_kind { KIND_TABLE, KIND_MACHINE, KIND_METASYSTEM } file_kind;

/* Graphs have braces, other formats of machines begin with brackets of some kind. */
static int find_kind(input *in, file_kind *kind, inlay_diag *diag)
{
    enum { LOOK = 8192 };
    char text[LOOK + 1];
    const char *data = NULL;
    size_t size = 0;
    int status = input_peek(in, LOOK, &data, &size, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size = size < LOOK ? size : LOOK;
    memcpy(text, data, size);
    text[size] = '\0';
    const char *first = text + strspn(text, " \t\r\n");
    bool is_text = strlen(text) == size;
    *kind = KIND_MACHINE;
    if (is_text && strstr(text, "kind=metasystem") != NULL) {
        *kind = KIND_METASYSTEM;
    } else if (is_text && strchr(text, '{') == NULL && *first != '<' && *first != '(') {
        *kind = KIND_TABLE;
    }
    return INLAY_OK;
}

static int add_graph(grid_fleet *fleet, input *in, file_kind kind)
{
    file_content content = {0};
    int status = input_rest(in, &content, fleet->diag);
    if (status == INLAY_OK) {
        status = kind == KIND_METASYSTEM ? grid_fleet_add_metasystem_text(fleet, content.data, content.size)
                                         : grid_fleet_add_machine_text(fleet, content.data, content.size);
    }
    file_content_clear(&content);
    return status;
}

static int add_file(grid_fleet *fleet, const char *path)
{
    table t = {.lines.kind = "speeds, or NAME,SPEED", .fleet = fleet};
    file_kind kind = KIND_TABLE;
    int status = grid_lines_open(path, "", &t.lines, fleet->diag);
    if (status == INLAY_OK) {
        status = find_kind(t.lines.in, &kind, fleet->diag);
    }
    if (status == INLAY_OK && kind == KIND_TABLE) {
        status = grid_lines_take(&t.lines, take_row, &t);
    } else if (status == INLAY_OK) {
        status = add_graph(fleet, t.lines.in, kind);
    }
    input_close(t.lines.in);
    return status;
}

static int add_all(grid_fleet *fleet, const char *text_or_path)
{
    if (strcmp(text_or_path, "-") == 0 || access(text_or_path, F_OK) == 0) {
        return add_file(fleet, text_or_path);
    }
    const char *missing = plain_error(errno);
    if (grid_fleet_is_list(text_or_path)) {
        return add_operand(fleet, text_or_path);
    }
    if (inlay_is_machine(text_or_path)) { /* a string, or a file with attributes behind its name */
        return grid_fleet_add_machine(fleet, text_or_path);
    }
    return diag_fail_at(fleet->diag, INLAY_BAD_INPUT, text_or_path, 0,
                        "%s; expected speeds such as 6,4,4, a table of them, a machine or a metasystem", missing);
}

/* Where no processor has a name there are none at all. */
static void show(owned_machines *owned)
{
    grid_fleet *fleet = &owned->fleet;
    owned->shown = (inlay_grid_machines){.processors = (int32_t)fleet->processors,
                                         .speed = fleet->speed,
                                         .name = fleet->named ? (const char *const *)fleet->name : NULL,
                                         .networked = fleet->networked,
                                         .network = fleet->network,
                                         .speed_assumed = fleet->speed_assumed,
                                         .routes = fleet->routes};
}

int inlay_grid_machines_read(const char *text_or_path, double mflops, inlay_grid_machines **machines, inlay_diag *diag)
{
    DIAG_CALL(diag);
    owned_machines *owned = memory_zeroed(1, sizeof *owned);
    if (owned == NULL) {
        return diag_no_memory(diag);
    }
    owned->fleet = (grid_fleet){.source = grid_source(text_or_path), .diag = diag, .mflops = mflops};
    int status = add_all(&owned->fleet, text_or_path);
    if (status == INLAY_OK && owned->fleet.processors == 0) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, owned->fleet.source, 0,
                              "there are no processors; expected at least one");
    }
    show(owned);
    if (status == INLAY_OK) {
        *machines = &owned->shown;
    } else {
        inlay_grid_machines_free(&owned->shown);
    }
    return status;
}
