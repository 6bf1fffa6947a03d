/*
 * Placements: the processor of every module, as other tools and people write it down. A form is a row of the table in
 * placement.c; what several of them share is here.
 *
 * How many processors there are is the machine's business: to a reader they are integers from 0.
 */
#ifndef IO_PLACEMENT_H
#define IO_PLACEMENT_H

#include "io/line_writer.h"
#include "io/spans.h"
#include <inlay/io.h>

/** A placement on its way in. */
typedef struct placement_file {
    const inlay_app *app;
    const inlay_machine *machine; /**< whose hosts a file may name; NULL: none */
    const char *source;
    inlay_diag *diag;
    inlay_task_schedule schedule;
    size_t room, keys_room; /**< for its entries, and for their keys */
    inlay_id *held;         /**< processors of every module so far */
    int columns;            /**< of a CSV whose first line names them, else 0 */
    double *key;            /**< by entry: what orders it; NULL: nothing of the kind */
    bool timed;             /**< the keys are planned starts */
} placement_file;

int placement_assign(placement_file *p, long line, inlay_id module, inlay_id processor);
int placement_assign_by_name(placement_file *p, long line, const char *name, inlay_id processor);

/** That every module has a processor. @param line  where one that is missing should have stood */
int placement_check_complete(placement_file *p, long line);

/** What lines of comments begin with. */
#define PLACEMENT_COMMENTS "#%"

int placement_refuse_processor(placement_file *p, long line, span found);

/* ---- Hosts ---- */

/** The processors of every host, by number. */
typedef struct host_seats {
    inlay_id hosts;
    inlay_id *begin;     /**< where those of a host begin; hosts + 1 */
    inlay_id *processor; /**< of all hosts */
    inlay_id *core;      /**< of every processor: its number on its host */
} host_seats;

int host_seats_make(const inlay_machine *machine, host_seats *seats, inlay_diag *diag);
void host_seats_clear(host_seats *seats);

inlay_id host_of(const inlay_machine *machine, inlay_id processor);

/** Its own name; false where it has none: `name` is then "+nHOST", as Open MPI counts the hosts that it is given. */
bool host_name(const inlay_machine *machine, inlay_id host, char name[INLAY_MACHINE_NAME]);

/* ---- Forms ---- */

/** Each tells by the first two lines, the second empty where there is but one; reads all; writes all. */
typedef struct placement_form {
    inlay_format about; /**< reads and writes are told by what follows */
    bool (*looks_like)(span first, span second);
    int (*read)(placement_file *p, const char *data, size_t size);                /**< NULL: it is only written */
    int (*write)(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag); /**< NULL: it is only read */
} placement_form;

bool placement_json_looks(span first, span second);
int placement_json_read(placement_file *p, const char *data, size_t size);

bool placement_csv_looks(span first, span second);
int placement_csv_read(placement_file *p, const char *data, size_t size);
int placement_csv_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag);

bool placement_part_looks(span first, span second);
int placement_part_read(placement_file *p, const char *data, size_t size);
int placement_part_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag);

bool placement_map_looks(span first, span second);
int placement_map_read(placement_file *p, const char *data, size_t size);
int placement_map_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag);

bool placement_ranks_look(span first, span second);
int placement_ranks_read(placement_file *p, const char *data, size_t size);
int placement_ranks_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag);
int placement_slurm_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag);
int placement_program_ranks_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag);
int placement_program_slurm_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag);

#endif
