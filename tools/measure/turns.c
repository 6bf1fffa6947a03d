/* What several ranks do at once. */
#include "turns.h"

/*
 * Seconds of a step of `times`, on the rank that took longest. They follow each other without a barrier, which some
 * ranks leave later than others by more than a latency.
 */
static double turn(const messages *m, int64_t size, int times, turn_step *step, MPI_Comm group)
{
    double longest = 0;
    MPI_Barrier(group);
    double begun = MPI_Wtime();
    for (int i = 0; i < times; i++) {
        step(m, size, group);
    }
    double own = (MPI_Wtime() - begun) / times;
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, group);
    return longest;
}

static void time_sizes(const cluster *all, const messages *m, turn_step *step, MPI_Comm group)
{
    enum { WARM_UP = 2 };
    for (int s = 0; s < m->sizes; s++) {
        double one = turn(m, m->size[s], 1, step, group); /* the same on all */
        one = times_enough(one) > 1 ? turn(m, m->size[s], WARM_UP, step, group) : one;
        int times = times_enough(one);
        for (int i = 0; i < all->repeats; i++) {
            m->seconds[s * all->repeats + i] = turn(m, m->size[s], times, step, group);
        }
    }
}

/* `first` is the rank that is first of those that took part. */
static void bring_home(const cluster *all, const messages *m, int first)
{
    enum { RESULTS = 3 /* tag */ };
    int values = m->sizes * all->repeats;
    if (first != 0 && all->rank == first) {
        MPI_Send(m->seconds, values, MPI_DOUBLE, 0, RESULTS, MPI_COMM_WORLD);
    } else if (first != 0 && all->rank == 0) {
        MPI_Recv(m->seconds, values, MPI_DOUBLE, first, RESULTS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void turns_measure(const cluster *all, const messages *m, turn_step *step, int place)
{
    MPI_Comm group;
    int own = place == 0 ? all->rank : -1, first = 0;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, place >= 0 ? 0 : MPI_UNDEFINED, place, &group);
    cluster_rest();
    if (place >= 0) {
        time_sizes(all, m, step, group);
        MPI_Comm_free(&group);
    }
    cluster_rest();
    bring_home(all, m, first);
}
