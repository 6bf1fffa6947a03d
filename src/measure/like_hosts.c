/* Which hosts are taken for alike. */
#include <inlay/raw.h>

static const double alike = 0.05; /* times of processors that are taken for equal */

/* The host without a cluster that is fastest; -1 where all have one. */
static int fastest_left(const double *seconds, int hosts, const int *cluster_of)
{
    int best = -1;
    for (int h = 0; h < hosts; h++) {
        best = cluster_of[h] < 0 && (best < 0 || seconds[h] < seconds[best]) ? h : best;
    }
    return best;
}

/* Clusters get numbers in the order of their first hosts. */
static void number_again(int hosts, int *cluster_of)
{
    int numbered = 0;
    for (int h = 0; h < hosts; h++) {
        int own = cluster_of[h];
        for (int other = h; other < hosts && own > numbered; other++) {
            cluster_of[other] = cluster_of[other] == own        ? numbered
                                : cluster_of[other] == numbered ? own
                                                                : cluster_of[other];
        }
        numbered += own >= numbered;
    }
}

int inlay_raw_like_hosts(const double *seconds, int hosts, int *cluster_of)
{
    int clusters = 0;
    for (int h = 0; h < hosts; h++) {
        cluster_of[h] = -1;
    }
    for (int fast = fastest_left(seconds, hosts, cluster_of); fast >= 0;
         fast = fastest_left(seconds, hosts, cluster_of)) {
        for (int h = 0; h < hosts; h++) {
            if (cluster_of[h] < 0 && seconds[h] <= (1 + alike) * seconds[fast]) {
                cluster_of[h] = clusters;
            }
        }
        clusters++;
    }
    number_again(hosts, cluster_of);
    return clusters;
}
