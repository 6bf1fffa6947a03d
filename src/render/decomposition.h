/* What the files of the picture of a grid decomposition share. */
#ifndef RENDER_DECOMPOSITION_H
#define RENDER_DECOMPOSITION_H

#include "render/chart_parts.h"
#include <inlay/render.h>

/** The cells of a processor: where they are in the grid, and in the picture. */
typedef struct decomposition_piece {
    int64_t cells;
    inlay_grid_block block;
    chart_place_xy middle;
    double width, height; /**< pixels that a label may take */
    double area;          /**< square pixels, of pieces that are no rectangles */
} decomposition_piece;

/** What two processors send each other in a step. */
typedef struct decomposition_line {
    int32_t from, to; /**< the smaller number first */
    int64_t bytes;
} decomposition_line;

typedef struct decomposition_drawing {
    const inlay_decomposition *decomposition;
    const inlay_decomposition_picture *of;
    const inlay_decomposition_summary *summary;
    text_buffer svg;
    int64_t rows, columns;      /**< that are drawn, from the first ones on */
    double width, height;       /**< of them, pixels */
    decomposition_piece *piece; /**< by processor; owned, as the next two */
    int32_t *rank;              /**< by processor: its place by falling speed */
    decomposition_line *line;   /**< first messages, then pairs of processors */
    size_t pairs, capacity;
    size_t drawn;  /**< lines that are not around the torus */
    int64_t most;  /**< bytes of a pair */
    bool too_many; /**< pairs of processors, so that there are no lines */
    bool around;   /**< some line goes around the torus alone */
    bool looked;   /**< not every cell was looked at */
    bool apart;    /**< the cells of a processor lie apart */
    bool key;      /**< the next line of the legend has a sample in front of it */
    bool failed;   /**< no memory for the lines */
    double bottom; /**< of what is drawn */
} decomposition_drawing;

/** Finds what is sent between pairs of processors. */
int decomposition_find_lines(decomposition_drawing *on, inlay_diag *diag);

void decomposition_draw_lines(decomposition_drawing *on);

/** Of a line between neighbours in the picture, or one that goes around the torus alone. */
const char *decomposition_line_style(bool around);

#endif
