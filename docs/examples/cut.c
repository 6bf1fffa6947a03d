/* cut ROWS COLUMNS SPEED...: the best way to cut a grid for these processors, and who has the cell in its middle. */
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static void print(const inlay_grid_problem *problem, const inlay_grid_row *best)
{
    printf("%s: %.3g s a step\n", inlay_grid_method_name(best->method), best->cost.seconds);
    for (int32_t i = 0; i < problem->processors; i++) {
        inlay_grid_block block;
        if (inlay_decomposition_block(best->decomposition, i, &block)) {
            printf("processor %d: rows %lld to %lld, columns %lld to %lld\n", (int)i, (long long)block.top,
                   (long long)block.bottom - 1, (long long)block.left, (long long)block.right - 1);
        }
    }
    printf("the cell in the middle is processor %d's\n",
           (int)inlay_decomposition_owner(best->decomposition, problem->rows / 2, problem->columns / 2));
}

int main(int argc, char **argv)
{
    double speed[MOST];
    inlay_diag *diag = inlay_diag_new();
    if (diag == NULL || argc < 4 || argc > MOST + 3) {
        fprintf(stderr, "usage: cut ROWS COLUMNS SPEED...\n");
        inlay_diag_free(diag);
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        speed[i - 3] = strtod(argv[i], NULL) * 1e6;
    }
    const inlay_grid_problem problem = {.rows = strtoll(argv[1], NULL, 10),
                                        .columns = strtoll(argv[2], NULL, 10),
                                        .item = 8,
                                        .processors = argc - 3,
                                        .speed = speed};
    const inlay_grid_network network = {.latency = 50e-6, .per_byte = 8e-9, .payload = 1460, .frame = 58};
    const inlay_grid_phase step = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 10};
    const inlay_grid_rank_options rectangles = {.methods = 1U << INLAY_GRID_ROW | 1U << INLAY_GRID_FBRD |
                                                           1U << INLAY_GRID_PHD};
    inlay_grid_ranking *ranking = NULL;
    int status = inlay_grid_rank(&problem, &network, &step, 1, &rectangles, &ranking, diag);
    if (status == INLAY_OK) {
        print(&problem, inlay_grid_ranking_row(ranking, 0));
    } else {
        fprintf(stderr, "%s\n", inlay_diag_message(diag));
    }
    inlay_grid_ranking_free(ranking);
    inlay_diag_free(diag);
    return inlay_exit_status(status);
}
