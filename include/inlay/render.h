/*
 * Pictures of a mapping: one box a processor, the traffic on the links.
 *
 * Above `max_modules` modules (default 300) boxes stand for clusters, without their modules; above `max_clusters`
 * clusters (default 300) the picture is refused and the message names the override. Graphviz draws and keeps state of
 * its own: no two pictures at the same time in two threads.
 */
#ifndef INLAY_RENDER_H
#define INLAY_RENDER_H

#include <inlay/mapping.h>

typedef struct inlay_picture {
    inlay_id max_modules;  /**< 0: 300 */
    inlay_id max_clusters; /**< 0: 300 */
} inlay_picture;

INLAY_API int inlay_mapping_draw_dot(const inlay_mapping *mapping, const inlay_picture *picture, const char *path,
                                     inlay_diag *diag);
INLAY_API int inlay_mapping_draw_svg(const inlay_mapping *mapping, const inlay_picture *picture, const char *path,
                                     inlay_diag *diag);

#endif
