/* What the two programs share: options, the mesh, clocks, the figures of the paper's tables, and the comparison with a
 * serial run. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <inlay/irregular.h>
#include <stdbool.h>

/* What the paper's tables time; the computation is that of one step. */
enum { GRAPH, MAPPER, ITERATIONS, LOCALIZE, REMAP, COMPUTATION, PHASES };

typedef struct program {
    const char *file; /* of the mesh; NULL: it is made */
    inlay_mesh_kind kind;
    int size[3];
    uint64_t seed;
    MPI_Comm comm;
    int rank, ranks;
    inlay_diag *diag;
    inlay_mesh *mesh;
    const char *method; /* partitioner; NULL: the library's own choice */
    inlay_iteration_rule rule;
    const char *numbers; /* "rcm" or "hilbert": how ranks number what they own; NULL: as the mesh does */
    int steps;
    bool compare; /* with the serial run, on rank 0 */
    bool csv;     /* print the figures alone */
    bool differs; /* from the serial run, by more than rounding */
    double clock;
    double seconds[PHASES];
    int64_t ghosts, messages; /* that a gather moves, of all ranks */
} program;

/* Reads the options, and reads or makes the mesh. Ends the program where that cannot be. `name` is the program's own. */
void program_begin(program *p, int count, char **arguments, const char *name, int steps);
/* Prints the figures and ends MPI; returns the status of the program. */
int program_end(program *p, const char *name);

/* Ends the program on all ranks with one line, where a collective call failed: they all got the same status. */
void must(program *p, int status);
/* The same for a local call: only this rank knows of it, so that it ends the others. */
void must_here(program *p, int status);
void *room(program *p, int64_t count, size_t bytes);

/* The seconds since the clock was last read, of the slowest rank. Collective. */
double lap(program *p);

/* Notes what a gather of this halo moves. Collective. */
void count_ghosts(program *p, const inlay_halo *halo);

/* The whole mesh, for the serial run on rank 0: the only place where a rank holds it all. */
void serial_mesh(program *p, inlay_mesh **mesh);

/* RDG_partitioner: the parts of the loop's graph, and the table of the new owners, with local numbers as are asked for. */
inlay_table *partition(program *p, const inlay_graph *graph);

/* Brings `value`, `width` numbers for each own element of `table`, to rank 0, which has `serial`, and says there whether
 * they are equal but for rounding. */
void compare(program *p, const char *name, const inlay_table *table, const double *value, const double *serial,
             int width);

#endif
