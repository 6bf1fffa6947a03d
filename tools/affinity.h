/* The processors that this program may run on, and all that it starts. */
#ifndef TOOLS_AFFINITY_H
#define TOOLS_AFFINITY_H

/**
 * Take those that it was started with: every main() does. While libraries are loaded there is one alone, so that OpenBLAS,
 * which igraph brings along where it is the system's BLAS, makes no threads: they would hang where memory is limited. A
 * library of OpenMP too binds the program to one processor where OMP_PROC_BIND says so, and a program of the user's would
 * inherit that.
 */
void affinity_restore(void);

#endif
