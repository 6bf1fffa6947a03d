/* Phases of a program on a grid, in words: "stencil5,flops=10,weight=20,name=relaxation". */
#include "base/memory.h"
#include "io/grid/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void grid_phase_clear(grid_phase_parts *parts)
{
    free(parts->name);
    free(parts->offset);
    *parts = (grid_phase_parts){0};
}

/* ---- Patterns ---- */

static int refuse_pattern(const char *text, char why[GRID_WHY])
{
    (void)snprintf(
        why, GRID_WHY,
        "bad pattern '%.40s'; expected none, stencil3, stencil3-across, stencil5, stencil9, stencil7, stencil19, "
        "stencil27, systolic, wavefront, broadcast, multicast:RECEIVERS, reduction, random or "
        "offsets:DOWN,ACROSS;...",
        text);
    return INLAY_BAD_ARGUMENT;
}

/* "1,0;0,-1" */
static int read_offsets(const char *text, const char *whole, inlay_grid_pattern *pattern, grid_phase_parts *parts,
                        char why[GRID_WHY])
{
    size_t count = 0;
    parts->offset = memory_array(INLAY_GRID_DIRECTIONS, sizeof *parts->offset);
    if (parts->offset == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (const char *at = text; at != NULL;) {
        inlay_grid_offset one = {0};
        at = count < INLAY_GRID_DIRECTIONS ? grid_text_whole(at, true, &one.down) : NULL;
        at = at != NULL && *at == ',' ? grid_text_whole(at + 1, true, &one.across) : NULL;
        if (at != NULL && *at == ',') { /* three numbers: the first one is through */
            one.through = one.down;
            one.down = one.across;
            at = grid_text_whole(at + 1, true, &one.across);
        }
        if (at == NULL || (*at != ';' && *at != '\0')) {
            return refuse_pattern(whole, why);
        }
        if (one.down == 0 && one.across == 0 && one.through == 0) {
            (void)snprintf(why, GRID_WHY, "offset 0,0 of '%.40s' is a cell to itself; expected other cells", whole);
            return INLAY_BAD_ARGUMENT;
        }
        for (size_t i = 0; i < count; i++) {
            if (parts->offset[i].down == one.down && parts->offset[i].across == one.across &&
                parts->offset[i].through == one.through) {
                (void)snprintf(why, GRID_WHY, "an offset of '%.40s' comes twice; expected each once", whole);
                return INLAY_BAD_ARGUMENT;
            }
        }
        parts->offset[count++] = one;
        at = *at == ';' ? at + 1 : NULL;
    }
    pattern->offset = parts->offset;
    pattern->offsets = count;
    return INLAY_OK;
}

/* The number of a processor behind the colon of broadcast and reduction, or of receivers behind that of multicast. */
static bool read_suffix(const char *text, inlay_grid_pattern *pattern)
{
    int64_t number = 0;
    const char *end = grid_text_whole(text, false, &number);
    if (end == NULL || *end != '\0' || number > INLAY_GRID_PROCESSORS) {
        return false;
    }
    if (pattern->communication == INLAY_GRID_MULTICAST) {
        pattern->receivers = (int32_t)number;
        return true;
    }
    pattern->root = (int32_t)number;
    return pattern->communication == INLAY_GRID_BROADCAST || pattern->communication == INLAY_GRID_REDUCTION;
}

static int read_pattern(const char *text, inlay_grid_pattern *pattern, grid_phase_parts *parts, char why[GRID_WHY])
{
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    const char *name;
    int i = 0;
    while ((name = inlay_grid_communication_name((inlay_grid_communication)i)) != NULL &&
           (strlen(name) != length || strncmp(name, text, length) != 0)) {
        i++;
    }
    pattern->communication = (inlay_grid_communication)i;
    bool needs_suffix = name != NULL && (i == INLAY_GRID_OFFSETS || i == INLAY_GRID_MULTICAST);
    if (name == NULL || (needs_suffix && colon == NULL)) {
        return refuse_pattern(text, why);
    }
    if (i == INLAY_GRID_OFFSETS) {
        return read_offsets(colon + 1, text, pattern, parts, why);
    }
    return colon == NULL || read_suffix(colon + 1, pattern) ? INLAY_OK : refuse_pattern(text, why);
}

/* ---- Phases ---- */

/* Ends the text at the next comma before a letter, which begins a field; NULL: there is none. */
static char *cut_field(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        if (*c == ',' && ((c[1] >= 'a' && c[1] <= 'z') || c[1] == '\0')) {
            *c = '\0';
            return c + 1;
        }
    }
    return NULL;
}

static int take_name(inlay_grid_phase *phase, grid_phase_parts *parts, const char *text)
{
    char *copy = memory_string(text);
    if (copy == NULL) {
        return INLAY_NO_MEMORY;
    }
    free(parts->name);
    parts->name = copy;
    phase->name = copy;
    return INLAY_OK;
}

/* "flops=10" */
static int take_field(inlay_grid_phase *phase, grid_phase_parts *parts, const char *field, char why[GRID_WHY])
{
    if (strncmp(field, "flops=", 6) == 0 && grid_text_number(field + 6, &phase->work)) {
        return INLAY_OK;
    }
    if (strncmp(field, "weight=", 7) == 0 && grid_text_number(field + 7, &phase->weight) && phase->weight > 0) {
        return INLAY_OK;
    }
    if (strncmp(field, "item=", 5) == 0 && grid_text_bytes(field + 5, &phase->item)) {
        return INLAY_OK;
    }
    if (strncmp(field, "name=", 5) == 0 && field[5] != '\0') {
        return take_name(phase, parts, field + 5);
    }
    (void)snprintf(
        why, GRID_WHY,
        "bad field '%.40s' of a phase; expected flops=NUMBER, weight=NUMBER above 0, item=BYTES or name=NAME", field);
    return INLAY_BAD_ARGUMENT;
}

int grid_phase_parse(const char *text, double work, inlay_grid_phase *phase, grid_phase_parts *parts,
                     char why[GRID_WHY])
{
    inlay_grid_phase made = {.work = work, .weight = 1};
    grid_phase_parts has = {0};
    char *copy = memory_string(text);
    if (copy == NULL) {
        return INLAY_NO_MEMORY;
    }
    char *next = cut_field(copy);
    int status = read_pattern(copy, &made.pattern, &has, why);
    while (status == INLAY_OK && next != NULL) {
        char *field = next;
        next = cut_field(field);
        status = take_field(&made, &has, field, why);
    }
    free(copy);
    if (status != INLAY_OK) {
        grid_phase_clear(&has);
        return status;
    }
    *phase = made;
    *parts = has;
    return INLAY_OK;
}
