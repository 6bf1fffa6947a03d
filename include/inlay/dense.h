/*
 * Dense linear algebra on a grid of processes: which p x q grid and which block size for LU factorisation, Cholesky
 * factorisation or the product of square matrices, as ScaLAPACK has them.
 *
 *     double speed[] = {2e9, 2e9, 2e9, 1e9};
 *     inlay_dense_block block[] = {{.size = 32}, {.size = 64}};
 *     inlay_dense_question question = {.kernel = INLAY_DENSE_LU, .order = 8000, .processors = 4, .speed = speed,
 *                                      .latency = 1e-5, .per_byte = 1e-9, .blocks = 2, .block = block};
 *     inlay_dense_result *result = NULL;
 *     int status = inlay_dense_ask(&question, &result, diag);      // result->row[0] is the best
 *
 * The matrix has N rows and columns in R = ceil(N / nb) block rows and columns. Process (i, j) has the blocks whose row
 * belongs to process row i and whose column belongs to process column j: block b to b mod p and b mod q (cyclic), or dealt
 * by weights (below). A step k has the blocks k of width w; M_i and N_j are the rows and columns of a process behind them,
 * all of its rows and columns for the product. A phase lasts as long as its slowest process; no phases overlap (no look-
 * ahead). s is a process's speed, u and f its shares `update` and `panel`, and B(n, b) = ceil(log2 n) (lambda + tau b) a
 * broadcast of b bytes among n, which is all that there is to know about communication: on one network that carries a
 * message at a time, ceil(log2 n) lambda + (n - 1) g tau b where g of them go on beside each other.
 *
 *     phase         lu                                           cholesky                      matmul
 *     panel         (w^2 M_i + [w x w: 2/3 w^3 - w^2/2 - w/6])   w^3/3 + w^2/2 + w/6           -
 *                   / s f, on process column k                   / s f, on one process
 *     solve         w (w - 1) N_j / s u, on process row k        w^2 M_i / s u, on column k    -
 *     update        2 w M_i N_j / s u                            w (M_i N_j + nb min(M_i, N_j)) 2 w M_i N_j / s u
 *                                                                / s u
 *     along rows    B(q, 8 w (M_i + [w]))                        B(q, 8 w M_i)                 B(q, 8 w M_i)
 *     along columns B(p, 8 w N_j)                                B(p, 8 w w) + B(p, 8 w N_j)   B(p, 8 w N_j)
 *     exchange      w (2 B(p, 16) + B(p, 4 w) + lambda           -                             -
 *     (p > 1)       + 8 tau max local columns)
 *
 * The terms in brackets are those of the process row that has block k. The time is the sum over the steps. Where there are
 * too many of them, some stand for their neighbours (`exact` is false then).
 *
 * Unlike processors stand in the grid by falling speed, row by row. Weights r_i and c_j have r_i c_j <= s_ij, none of them
 * can grow alone (O. Beaumont, V. Boudet, F. Rastello, Y. Robert, "Matrix multiplication on heterogeneous platforms", 2001);
 * block rows are dealt by r, from the last to the first, each to the process row for which blocks / r is least with it, so
 * that what is left of the matrix is always dealt by weight. From max(1024, 16 p) blocks on the order repeats itself.
 *
 * Errors: INLAY_BAD_ARGUMENT where the question says something that cannot be; INLAY_OVERFLOW where the best time is no number;
 * INLAY_NO_ANSWER where no grid has so many processes and a block for each. Ownership: what is passed in is the caller's, and has to live as long as
 * the result.
 */
#ifndef INLAY_DENSE_H
#define INLAY_DENSE_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum inlay_dense_kernel { INLAY_DENSE_LU, INLAY_DENSE_CHOLESKY, INLAY_DENSE_MATMUL } inlay_dense_kernel;

/** "lu", "cholesky", "matmul"; NULL for others. */
INLAY_API const char *inlay_dense_kernel_name(inlay_dense_kernel kernel);

enum {
    INLAY_DENSE_PROCESSORS = 1 << 24, /**< most of them */
    INLAY_DENSE_UNLIKE = 4096,        /**< most where their speeds differ */
    INLAY_DENSE_BLOCKS = 64           /**< most sizes of blocks */
};

/** A size of blocks to look at, and what share of a processor's speed the two kinds of work reach with it. */
typedef struct inlay_dense_block {
    int64_t size;         /**< 1 to 2^40 */
    double update, panel; /**< above 0; 0: 1 */
} inlay_dense_block;

typedef struct inlay_dense_question {
    inlay_dense_kernel kernel;
    int64_t order; /**< N, 1 to 2^40 */
    int32_t processors;
    const double *speed;      /**< operations a second, of each */
    double latency, per_byte; /**< lambda and tau, in seconds */
    bool single;              /**< one network carries a message at a time */
    const inlay_dense_block *block;
    size_t blocks;
    int32_t from, to; /**< processes; 0: 1, and as many as processors */
    int32_t shape[2]; /**< this grid alone; 0: all, where there are more than 256 processes (64 unlike ones) those of
                           to, to/2, to/4, ... processes or nearly so */
} inlay_dense_question;

/** What a grid with a block size comes to. Its four times sum to `time`. */
typedef struct inlay_dense_row {
    int32_t shape[2]; /**< p, q */
    int64_t block;
    bool weighted; /**< blocks are dealt by weights; else cyclic */
    bool exact;    /**< every step was counted */
    double time;   /**< seconds */
    double panel;  /**< of it, factorisation of panels and solves */
    double update;
    double broadcast;
    double exchange;   /**< pivots and rows that change places */
    double rate;       /**< operations of the kernel (2/3 N^3, N^3/3, 2 N^3) over the time; 0 where that is 0 */
    double efficiency; /**< rate over the sum of the speeds of its processors */
} inlay_dense_row;

typedef struct inlay_dense_result {
    inlay_dense_question asked;
    double operations;
    size_t rows;
    const inlay_dense_row
        *row; /**< best first; of equal times fewer processes, then fewer process rows, larger blocks, cyclic */
    const int32_t *processor; /**< all processors by falling speed: rank i q + j of a grid is process (i, j) */
    const double *weight;     /**< of the best row where it is weighted: r of each process row, then c; else NULL */
} inlay_dense_result;

/** The grids are ranked by at most 256 steps each (of unlike processors by 16 at least), the first 64 then by at most
    65536 (64 at least). */
INLAY_API int inlay_dense_ask(const inlay_dense_question *question, inlay_dense_result **result, inlay_diag *diag);
INLAY_API void inlay_dense_result_free(inlay_dense_result *result);

/** Blocks of each process row (axis 0) or column (1) of a row of the result; `count` has room for p or q of them. */
INLAY_API int inlay_dense_shares(const inlay_dense_result *result, size_t row, int axis, int64_t *count);

#endif
