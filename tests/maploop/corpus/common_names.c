/* Names that headers of the system or of MPI have too: link, index, time, clock, rank, comm, count, read, y1, access. */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int index, rank; double time; } link;

static int size = 60, count;
static double y1[60], read[60];

static double access(const link *l, const double *value) { return value[l->index] * l->time; }

static int index(int i, int j) { return (i * 7 + j) % size; }

int main(void)
{
    link *links = malloc(3 * size * sizeof *links);
    double time = 0, clock = 1, *comm = calloc(size, sizeof *comm);
    for (int rank = 0; rank < size; rank++) y1[rank] = rank % 5;
    for (int e = 0; e < 3 * size; e++) links[e] = (link){index(e, 1), e % size, 0.5 + e % 2};
#pragma inlay maploop
    for (int e = 0; e < 3 * size; e++) {
        comm[links[e].rank] += access(&links[e], y1);
        time += links[e].time;
        count++;
    }
#pragma inlay maploop
    for (int value = 0; value < size; value++) {
        read[value] = comm[index(value, 2)] * clock;
    }
    for (int i = 0; i < size; i++) clock += read[i] * i;
    printf("%d %.10e %.10e\n", count, time, clock);
    free(links);
    free(comm);
    return 0;
}
