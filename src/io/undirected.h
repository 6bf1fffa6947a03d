/*
 * An application as partitioners see it: an undirected graph whose edges carry the traffic between two modules, both
 * directions and all their links together. Pairs without traffic have no edge.
 */
#ifndef IO_UNDIRECTED_H
#define IO_UNDIRECTED_H

#include "io/line_writer.h"
#include <inlay/app.h>

typedef enum edge_weight { WEIGHT_MESSAGES, WEIGHT_BYTES } edge_weight;

typedef struct neighbour {
    inlay_id module;
    int64_t weight; /**< more than 0 */
} neighbour;

/** How one partitioner writes a graph. */
typedef struct partitioner_form {
    const char *name;
    void (*head)(line_writer *w, inlay_id vertices, int64_t edges);
    /** @param weight  the module's time @param row  its neighbours in rising order */
    void (*vertex)(line_writer *w, int64_t weight, const neighbour *row, int64_t count);
} partitioner_form;

/**
 * Write an application. Partitioners add weights in 32 bits: times, and traffic, whose sum would not fit are scaled
 * down by one factor, but what is more than 0 not to 0. Warns of that and of what is left out; INLAY_OVERFLOW where there
 * are too many edges.
 */
int undirected_write(const inlay_app *app, edge_weight weight, const partitioner_form *form, inlay_file *to,
                     inlay_diag *diag);

#endif
