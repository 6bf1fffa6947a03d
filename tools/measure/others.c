/* What else runs on the hosts that are measured. */
#include "cluster.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Ticks of all processors that something ran in, and that passed, since the system started; false where it does not tell. */
static bool read_ticks(double *busy, double *all)
{
    enum { COLUMNS = 8, IDLE = 3, WAITING = 4 }; /* user nice system idle iowait irq softirq steal */
    char line[256] = "";
    FILE *stat = fopen("/proc/stat", "r");
    bool told = stat != NULL && fgets(line, sizeof line, stat) != NULL && strncmp(line, "cpu ", strlen("cpu ")) == 0;
    if (stat != NULL) {
        (void)fclose(stat);
    }
    char *at = line + (told ? strlen("cpu ") : 0);
    *busy = *all = 0;
    for (int i = 0; i < COLUMNS && told; i++) {
        double ticks = (double)strtoull(at, &at, 10);
        *all += ticks;
        *busy += i == IDLE || i == WAITING ? 0 : ticks;
    }
    return told;
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
