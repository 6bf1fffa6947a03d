/*
 * What the files of a machine's picture share: hosts and switches at their places, links between them coloured by how
 * long they work, the clusters in the boxes of their hosts.
 *
 * Places are counted in cells, x to the right and y down; a cell is a box and the gap behind it.
 */
#ifndef RENDER_MACHINE_H
#define RENDER_MACHINE_H

#include "machine/machine.h"
#include "render/chart_parts.h"
#include "render/render.h"

enum {
    MACHINE_HOSTS = 4096,       /* of more the picture is refused */
    MACHINE_GRAPH_HOSTS = 1024, /* the same where Graphviz has to find the places */
    MACHINE_GRAPH_NODES = 4096, /* with its switches and joints */
    MACHINE_NAME = 40           /* most characters of a name */
};

/** How much a box shows: cluster, work and utilisation; the cluster; its colour alone. */
typedef enum machine_detail { MACHINE_FULL, MACHINE_COMPACT, MACHINE_DOTS } machine_detail;

/** A line without a link of its own: to or from the joint that stands for a link whose ends are not known. */
typedef struct machine_line {
    inlay_id from, to; /**< places */
} machine_line;

/** Where everything stands. */
typedef struct machine_places {
    chart_place_xy *at;  /**< of every node, then of every joint; owned */
    inlay_id count;      /**< of them */
    inlay_id *joint;     /**< by link: the place that stands for it, or -1; owned, NULL where there is none */
    machine_line *lines; /**< owned */
    size_t line_count;
    inlay_id hub; /**< place of the end of links that have but one; -1 where there is none */
    bool bows;    /**< lines along a row or column bow around what stands between their ends */
} machine_places;

void machine_places_clear(machine_places *places);

/** Places by family; those of other machines by Graphviz, machine_graph_find(). */
int machine_places_find(const inlay_mapping *mapping, machine_places *places, inlay_diag *diag);
int machine_graph_find(const inlay_mapping *mapping, machine_places *places, inlay_diag *diag);

typedef struct machine_picture {
    const inlay_mapping *mapping;
    const inlay_app *app;
    const inlay_machine *machine;
    const inlay_summary *summary;
    machine_places places;
    machine_detail detail;
    double pitch_x, pitch_y; /**< pixels of a cell */
    double box_x, box_y;     /**< of a host's box */
    double width, height, left, top;
    inlay_link_load *loads; /**< of the links that carry something; owned */
    size_t load_count;
    int64_t *load_at;        /**< by link: its place among the loads, -1 where it carries nothing; owned */
    double u_end;            /**< utilisation that has the darkest colour */
    double least, largest;   /**< capacities of the links */
    inlay_id *first_cluster; /**< by host, -1 where idle; owned */
    inlay_id *next_cluster;  /**< by cluster: the next on its host, -1 behind the last; owned */
    text_buffer svg;
} machine_picture;

chart_place_xy machine_pixel(const machine_picture *on, inlay_id place);

enum { MACHINE_COLOUR = 8 };

/** "#FEE391" ... : of a link at that share of the scale, and of a processor; 0 to 1. */
char *machine_link_colour(double share, char colour[MACHINE_COLOUR]);
char *machine_host_colour(double share, char colour[MACHINE_COLOUR]);

#define MACHINE_IDLE      "#E6E6E6" /* a link with nothing to carry */
#define MACHINE_IDLE_HOST "#D6D6D6" /* a host or a joint with nothing to do */
#define MACHINE_OVER      "#D55E00" /* the border of a processor whose utilisation is above 100 % */

/** The links; false when out of memory. */
bool machine_draw_links(machine_picture *on);

/** Hosts, switches and joints. */
void machine_draw_nodes(machine_picture *on);

/** Width of a link's stroke, by its capacity. */
double machine_link_width(const machine_picture *on, inlay_id link);

/** Adds "p1-p0: u 0.03008, 4 messages in 2 flows, D 1.016". */
void machine_link_words(const machine_picture *on, text_buffer *to, const inlay_link_load *load);

#endif
