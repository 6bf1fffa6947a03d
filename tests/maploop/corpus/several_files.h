#ifndef SEVERAL_FILES_H
#define SEVERAL_FILES_H
#include <stdio.h>
#include <stdlib.h>

typedef struct grid { int side, points; double *x, *y; } grid;

grid grid_make(int side);
int grid_neighbours(const grid *g, int v, int *list);
void grid_log(const grid *g, int step);
void grid_free(grid *g);
double relax(grid *g);
#endif
