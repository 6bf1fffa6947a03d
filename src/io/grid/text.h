/*
 * Texts that describe grids, their machines and owners: lines of a file, numbers in them. Public declarations are in
 * inlay/decompose.h.
 */
#ifndef IO_GRID_TEXT_H
#define IO_GRID_TEXT_H

#include "base/hash.h"
#include "base/input.h"
#include <inlay/decompose.h>
#include <inlay/machine.h>

/* ---- Numbers: grid_text.c ---- */

/** A finite number from 0 on. */
bool grid_text_number(const char *text, double *number);

/** A size from 1 byte on: "8", "8B", "1KiB". */
bool grid_text_bytes(const char *text, int64_t *bytes);

/** A whole number in digits, with a sign where one may stand; gives what stands behind it, or NULL. */
const char *grid_text_whole(const char *text, bool is_signed, int64_t *number);

/* ---- Lines: grid_text.c ---- */

/** A file whose lines are taken one by one. */
typedef struct grid_lines {
    const char *source; /**< as messages name it */
    const char *kind;   /**< "the text of a grid": what lines should be */
    long line;          /**< of the text that was taken last, from 1 on */
    input *in;          /**< the caller's */
    inlay_diag *diag;
} grid_lines;

/** Opens a file; one that does not exist is refused, as what `expected` says was not found. Closed by input_close(). */
int grid_lines_open(const char *path, const char *expected, grid_lines *lines, inlay_diag *diag);

/** How messages name a file: "standard input" for "-". */
const char *grid_source(const char *path);

/** Calls `take` for each line without its comment and the blanks around it, where something is left of it. */
int grid_lines_take(grid_lines *lines, int (*take)(void *context, char *text), void *context);

/** INLAY_BAD_INPUT, `FILE:LINE: text` for the line that was taken last. */
int grid_lines_refuse(const grid_lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Phases: grid_phase.c ---- */

/** What a phase points to; freed with grid_phase_clear(). */
typedef struct grid_phase_parts {
    char *name; /**< NULL: none */
    inlay_grid_offset *offset;
} grid_phase_parts;

/** Why a text is refused: "...; expected ...". */
enum { GRID_WHY = 320 };

/** A phase as inlay_grid_program_add() takes it. INLAY_BAD_ARGUMENT: `why` tells what is wrong. */
int grid_phase_parse(const char *text, double work, inlay_grid_phase *phase, grid_phase_parts *parts,
                     char why[GRID_WHY]);

void grid_phase_clear(grid_phase_parts *parts);

/* ---- Machines: grid_list.c ---- */

/** Processors that are added one by one. */
typedef struct grid_list {
    const char *source; /**< as messages name it */
    inlay_diag *diag;
    double mflops; /**< of a processor of speed 1; 0: what the machine's file says, else 1 */
    double *speed;
    char **name;
    int32_t *host;   /**< of a machine's processors: the first of those of the host; NULL: each has its own */
    int64_t *memory; /**< of these, bytes, -1 where nobody says */
    size_t processors, speed_capacity, name_capacity;
    name_map names; /**< of a table: each stands once */
    bool named;     /**< some have names */
    bool networked, speed_assumed;
    inlay_grid_network network;
    inlay_grid_wiring mean;
    inlay_grid_routes routes;
    inlay_grid_ways *ways; /**< owned; NULL: all pairs are alike, or too many */
} grid_list;

/** `speed` in operations per second; `name` NULL: none. `line` 0: not in a file. */
int grid_list_add(grid_list *list, long line, double speed, const char *name);

/** Whether a text looks like a list of speeds. */
bool grid_list_is_list(const char *text);

/** A list, where `source` is one, or the text of a table. */
int grid_table_read(const char *data, size_t size, const char *source, inlay_grid_machines **machines,
                    inlay_diag *diag);

/* ---- Machines and metasystems as other commands have them: grid_machine.c ---- */

/** Adds all of a machine, and its network where that is known. INLAY_BAD_INPUT where two hosts have no route. */
int grid_list_add_machine(grid_list *list, const inlay_machine *machine);

/**
 * The ways between the hosts of a machine with links in bytes and seconds, each `more` longer in latency; NULL where there are more
 * than INLAY_GRID_HOSTS of them or INLAY_GRID_WAYS processors. INLAY_BAD_INPUT: two hosts have no route.
 */
int grid_ways_make(const inlay_machine *machine, double more, inlay_grid_ways **ways, inlay_diag *diag);
void grid_ways_free(inlay_grid_ways *ways);

/** The processors of a metasystem that are available. */
int grid_list_add_metasystem_text(grid_list *list, const char *data, size_t size);

#endif
