/*
 * The simulation study of J. B. Weissman and A. S. Grimshaw (section 3.2, tables 2 and 3): how near to the optimum the
 * heuristic comes on random metasystems and programs. The generator is the one that the printed tables imply.
 */
#ifndef INLAY_SELECT_STUDY_H
#define INLAY_SELECT_STUDY_H

#include <inlay/select.h>

/** One row of tables 2 and 3. Percentages of the runs that are within 5 % and within 10 % of the optimum. */
typedef struct inlay_study_cell {
    inlay_pattern pattern;
    bool mixed;            /**< table 3: buses and meshes; table 2 has buses alone */
    bool routers;          /**< (b); (a) has no router and no coercion cost */
    double paper[2][2];    /**< as printed: [0] with ordering, [1] without; [0] within 5 %, [1] within 10 % */
    double h2[2][2];       /**< what H2 gives here */
    double h3[2];          /**< H3, with ordering */
    double exact[2];       /**< INLAY_SELECT_EXACT; against exhaustive search on the runs checked */
    int64_t runs, checked; /**< all; those that exhaustive search was made for */
    int64_t unequal;       /**< of the checked ones those where the exact method was not the best. 0 */
} inlay_study_cell;

enum { INLAY_STUDY_CELLS = 12 };

typedef struct inlay_study_options {
    int32_t metasystems;  /**< a cell; 0: 2000 */
    int32_t instances;    /**< programs a metasystem; 0: 36 */
    int64_t exhaustive;   /**< runs of each cell that are checked by exhaustive search, the first ones; 0: 2000 */
    inlay_select_map map; /**< of H2 and H3; the optimum they are held against is that of the real map */
    uint64_t seed;
    int threads; /**< 0: all cores. The result does not depend on it */
} inlay_study_options;

/** The cells in the order of the tables: 2a, 2b, 3a, 3b; in each ring, line, tree. `options` NULL: zeroes. */
INLAY_API int inlay_select_study(const inlay_study_options *options, inlay_study_cell cell[INLAY_STUDY_CELLS],
                                 inlay_diag *diag);

/** Root mean square distance of the 48 percentages of H2 to those printed, in points. */
INLAY_API double inlay_study_distance(const inlay_study_cell cell[INLAY_STUDY_CELLS]);

#endif
