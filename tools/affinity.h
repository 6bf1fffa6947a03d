/* The processors that this program may run on, and all that it starts. */
#ifndef TOOLS_AFFINITY_H
#define TOOLS_AFFINITY_H

/**
 * Take those that it was started with. A library of OpenMP that igraph brings along binds the program to one processor while it is
 * loaded, where OMP_PROC_BIND says so, and a program of the user's would inherit that.
 */
void affinity_restore(void);

#endif
