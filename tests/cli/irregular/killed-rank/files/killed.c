/* Three ranks exchange ghosts without end, until one is killed. */
#include <inlay/irregular.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { ELEMENTS = 3000, BEFORE = 1000 };

int main(int count, char **arguments)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_table *table;
    inlay_halo *halo;
    int64_t far[2];
    int32_t local[2];
    double value[ELEMENTS] = {0};
    int rank;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    inlay_table_block(MPI_COMM_WORLD, ELEMENTS, &table, diag);
    for (int i = 0; i < 2; i++) {
        far[i] = ELEMENTS / 3 * ((rank + 1 + i) % 3);
    }
    inlay_halo_make(table, far, 2, local, &halo, diag);
    for (long step = 0;; step++) {
        if (rank == 1 && step == BEFORE) {
            puts("rank 1 ends");
            fflush(stdout);
            kill(getpid(), SIGKILL);
        }
        if (inlay_halo_gather(halo, value, 1, diag) != INLAY_OK) {
            puts(inlay_diag_message(diag));
            return 1;
        }
    }
}
