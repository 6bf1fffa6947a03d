/* What else runs on the hosts that are measured. */
#include "cluster.h"
#include <stdio.h>
#include <time.h>

/* Ticks of all processors that something ran in, and that passed, since the system started; false where it does not tell. */
static bool read_ticks(double *busy, double *all)
{
    enum { COLUMNS = 8, IDLE = 3, WAITING = 4 }; /* user nice system idle iowait irq softirq steal */
    unsigned long long ticks[COLUMNS];
    FILE *stat = fopen("/proc/stat", "r");
    int read = stat == NULL ? 0
                            : fscanf(stat, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1],
                                     &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]);
    if (stat != NULL) {
        (void)fclose(stat);
    }
    *busy = *all = 0;
    for (int i = 0; i < COLUMNS && read == COLUMNS; i++) {
        *all += (double)ticks[i];
        *busy += i == IDLE || i == WAITING ? 0 : (double)ticks[i];
    }
    return read == COLUMNS;
}

double cluster_others(void)
{
    const struct timespec while_asleep = {.tv_nsec = 400000000};
    double busy[2], all[2], own = -1, most = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    bool told = read_ticks(&busy[0], &all[0]);
    (void)nanosleep(&while_asleep, NULL);
    if (told && read_ticks(&busy[1], &all[1]) && all[1] > all[0]) {
        own = (busy[1] - busy[0]) / (all[1] - all[0]);
    }
    MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}
