/* Values of a Matrix Market file: they are no part of the mesh, but a file with wrong ones is damaged. */
#ifndef IRREGULAR_MESH_MATRIX_VALUES_H
#define IRREGULAR_MESH_MATRIX_VALUES_H

#include "irregular/mesh/text.h"

/** In the order of the words of the banner. */
typedef enum matrix_kind { MATRIX_REAL, MATRIX_INTEGER, MATRIX_PATTERN, MATRIX_COMPLEX } matrix_kind;

typedef struct matrix_values {
    matrix_kind kind;
    int64_t least; /**< of whole numbers */
    uint64_t most;
    const char *type; /**< that the file names; NULL: none */
} matrix_values;

matrix_values matrix_values_of(matrix_kind kind);

/** Bounds them by the type that comes next. */
int matrix_values_limit(const mesh_text *text, mesh_cursor *cursor, matrix_values *values, inlay_diag *diag);

/** What is left of an entry's line: as many numbers as its kind has, within bounds. */
int matrix_values_check(const mesh_text *text, mesh_cursor *cursor, const matrix_values *values, inlay_diag *diag);

#endif
