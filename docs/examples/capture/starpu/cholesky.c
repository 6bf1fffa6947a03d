/*
 * Tiled Cholesky factorisation by StarPU: its graph and the models of its codelets are what `inlay convert --models` reads.
 *
 *     cc -O2 cholesky.c -o cholesky $(pkg-config --cflags --libs starpu-1.3) -lm
 *     STARPU_CALIBRATE=1 ./cholesky 12 128 cholesky.dot
 *     inlay convert cholesky.dot --models ~/.starpu/sampling -o cholesky.tg
 *
 * TILES by TILES tiles of SIZE by SIZE numbers; the lower half is factored. Prints the seconds that the tasks took.
 */
#include <math.h>
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

static double *tile_of(void *buffer)
{
    return (double *)STARPU_MATRIX_GET_PTR(buffer);
}

static void factor(void *buffers[], void *arguments)
{
    int n = (int)STARPU_MATRIX_GET_NX(buffers[0]);
    double *a = tile_of(buffers[0]);
    (void)arguments;
    for (int k = 0; k < n; k++) {
        a[k * n + k] = sqrt(a[k * n + k]);
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j <= i; j++) {
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            }
        }
    }
}

/* b := b L^-T, of the factor L in the first tile. */
static void solve(void *buffers[], void *arguments)
{
    int n = (int)STARPU_MATRIX_GET_NX(buffers[0]);
    double *a = tile_of(buffers[0]), *b = tile_of(buffers[1]);
    (void)arguments;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double sum = b[i * n + k];
            for (int j = 0; j < k; j++) {
                sum -= b[i * n + j] * a[k * n + j];
            }
            b[i * n + k] = sum / a[k * n + k];
        }
    }
}

/* c := c - a b^T. */
static void update(void *buffers[], void *arguments)
{
    int n = (int)STARPU_MATRIX_GET_NX(buffers[0]);
    double *a = tile_of(buffers[0]), *b = tile_of(buffers[1]), *c = tile_of(buffers[2]);
    (void)arguments;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[j * n + k];
            }
            c[i * n + j] -= sum;
        }
    }
}

static struct starpu_perfmodel models[] = {{.type = STARPU_HISTORY_BASED, .symbol = "factor"},
                                           {.type = STARPU_HISTORY_BASED, .symbol = "solve"},
                                           {.type = STARPU_HISTORY_BASED, .symbol = "update"}};
static struct starpu_codelet factoring = {
    .cpu_funcs = {factor}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &models[0], .name = "factor"};
static struct starpu_codelet solving = {
    .cpu_funcs = {solve}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .model = &models[1], .name = "solve"};
static struct starpu_codelet updating = {.cpu_funcs = {update},
                                         .nbuffers = 3,
                                         .modes = {STARPU_R, STARPU_R, STARPU_RW},
                                         .model = &models[2],
                                         .name = "update"};

static void submit(int tiles, starpu_data_handle_t *a)
{
    for (int k = 0; k < tiles; k++) {
        starpu_task_insert(&factoring, STARPU_RW, a[k * tiles + k], 0);
        for (int i = k + 1; i < tiles; i++) {
            starpu_task_insert(&solving, STARPU_R, a[k * tiles + k], STARPU_RW, a[i * tiles + k], 0);
        }
        for (int i = k + 1; i < tiles; i++) {
            for (int j = k + 1; j <= i; j++) {
                starpu_task_insert(&updating, STARPU_R, a[i * tiles + k], STARPU_R, a[j * tiles + k], STARPU_RW,
                                   a[i * tiles + j], 0);
            }
        }
    }
}

static double *new_tile(int n, int i, int j)
{
    double *tile = malloc((size_t)n * (size_t)n * sizeof *tile);
    for (int k = 0; tile != NULL && k < n * n; k++) {
        tile[k] = i == j && k % (n + 1) == 0 ? 4.0 * n * (i + 1) : 1.0 / (1 + (k * 7 + i + j) % 13);
    }
    return tile;
}

int main(int argc, char **argv)
{
    int tiles = argc > 1 ? atoi(argv[1]) : 12, n = argc > 2 ? atoi(argv[2]) : 128;
    starpu_data_handle_t *a = calloc((size_t)tiles * (size_t)tiles, sizeof *a);
    FILE *graph = fopen(argc > 3 ? argv[3] : "cholesky.dot", "w");
    if (tiles < 1 || n < 1 || a == NULL || graph == NULL || starpu_init(NULL) != 0) {
        return EXIT_FAILURE;
    }
    for (int i = 0; i < tiles; i++) {
        for (int j = 0; j <= i; j++) {
            starpu_matrix_data_register(&a[i * tiles + j], STARPU_MAIN_RAM, (uintptr_t)new_tile(n, i, j), (uint32_t)n,
                                        (uint32_t)n, (uint32_t)n, sizeof(double));
        }
    }
    starpu_bound_start(1, 0);
    double begin = starpu_timing_now();
    submit(tiles, a);
    starpu_task_wait_for_all();
    printf("%.6f\n", 1e-6 * (starpu_timing_now() - begin));
    starpu_bound_stop();
    starpu_bound_print_dot(graph);
    for (int i = 0; i < tiles * tiles; i++) {
        if (a[i] != NULL) {
            starpu_data_unregister(a[i]);
        }
    }
    starpu_shutdown();
    return fclose(graph) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
