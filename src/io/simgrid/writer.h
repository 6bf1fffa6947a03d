/* Writing platform files: what the parts of the writer share. */
#ifndef IO_SIMGRID_WRITER_H
#define IO_SIMGRID_WRITER_H

#include "base/diag.h"
#include "io/xml.h"
#include "machine/machine.h"

/** Where a platform file is written from: names and quantities in SimGrid's units. */
typedef struct simgrid_picture {
    const inlay_machine *machine;
    const topology *topology; /**< NULL for a bus */
    inlay_id hosts, nodes, links;
    char **node_name; /**< owned, as are the next: hosts first */
    char **link_name;
    inlay_id *first_processor; /**< of every host, and behind the last one */
    double capacity_scale;     /**< bytes a second for a capacity of 1 */
    double seconds;            /**< of a unit of time */
    double message_latency;    /**< seconds that every message takes besides; a link of its own */
    text_buffer *to;
    inlay_diag *diag;
} simgrid_picture;

/** Ways to tell the routes of a topology. */
typedef enum simgrid_way_kind {
    SIMGRID_STAR_ZONE, /**< every host has a link up and one down */
    SIMGRID_TREE_ZONE, /**< there is one way alone between any two nodes */
    SIMGRID_FULL_ZONE  /**< a route for every pair */
} simgrid_way_kind;

/** The shortest way that keeps all routes; INLAY_BAD_ARGUMENT where there is none of a size that can be. */
int simgrid_choose_way(const simgrid_picture *p, simgrid_way_kind *kind);

/** The routes of that kind; hosts, routers and links were written. */
int simgrid_write_routes(const simgrid_picture *p, simgrid_way_kind kind);

#endif
