/*
 * A slow, plain reference for layouts: who sends how much to whom, what that costs on given processors, the best that
 * can be done on a small machine, and whether a mapping's figures obey the rules. From the public headers alone.
 */
#ifndef UNIT_SLOW_LAYOUT_H
#define UNIT_SLOW_LAYOUT_H

#include <inlay/mapping.h>

enum { LAYOUT_CLUSTERS = 64 };

/** Clusters, where they stand, and what goes between them. */
typedef struct slow_layout {
    const inlay_machine *machine;
    int clusters;
    inlay_id processors;                 /**< of the machine */
    inlay_id processor[LAYOUT_CLUSTERS]; /**< of every cluster */
    bool pinned[LAYOUT_CLUSTERS];
    int64_t traffic[LAYOUT_CLUSTERS][LAYOUT_CLUSTERS];  /**< [from][to], links and uses of data blocks */
    int64_t messages[LAYOUT_CLUSTERS][LAYOUT_CLUSTERS]; /**< the same in messages */
} slow_layout;

/** Read a mapping: every link of the application and every use of a block, one by one. */
void slow_layout_read(const inlay_mapping *mapping, slow_layout *layout);

/** Messages of a link on that machine, and its traffic in what the machine's capacity counts. */
int64_t slow_link_messages(const inlay_machine *machine, int64_t messages, int64_t bytes);
int64_t slow_link_traffic(const inlay_machine *machine, int64_t messages, int64_t bytes);

/** Sum of traffic times distance with the clusters on those processors. */
int64_t slow_layout_sum(const slow_layout *layout, const inlay_id *processor);

/** Pinned clusters where they are, the others in order on the processors that are left. */
void slow_layout_in_order(const slow_layout *layout, inlay_id *processor);

/**
 * The least sum after one exchange of two clusters that are not pinned, or of one with a free processor; the sum as it
 * is where nothing lowers it.
 */
int64_t slow_layout_after_exchange(const slow_layout *layout);

/** The least sum of all layouts that keep the pins, each tried. */
int64_t slow_layout_optimum(const slow_layout *layout);

/**
 * Check a mapping on an omega-pe machine against the rules: traffic and flows, u, tau, utilisations, and that every
 * module starts at the latest of what it has to wait for. Aborts the test with `what` where something does not hold.
 * @param cycle  of the machine, in the application's unit
 */
void slow_layout_check_figures(const inlay_mapping *mapping, double cycle, const char *what);

#endif
