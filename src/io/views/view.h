/* What views look at: which processors are alike, and what a message takes on its route, where nothing else is under way. */
#ifndef IO_VIEWS_VIEW_H
#define IO_VIEWS_VIEW_H

#include <inlay/machine.h>

/** Whether the first rows of a table, without comments, are as they should. A row may be changed. */
bool first_rows_fit(const char *data, size_t size, int rows, bool (*fits)(char *row));

/** Whether two are of one type and speed. */
bool processors_alike(const inlay_processor *a, const inlay_processor *b);

/** Latency and time per byte, or per message, in the unit of the machine's links. */
typedef struct price {
    double latency, per_byte;
} price;

/** `links` has room for the longest route so far. Zero-initialise but for the machine. */
typedef struct price_meter {
    const inlay_machine *machine;
    inlay_id *links;
    size_t room;
} price_meter;

/** The price between processors of two hosts. INLAY_BAD_INPUT: there is no route. Nothing is said. */
int price_find(price_meter *meter, inlay_id from, inlay_id to, price *of);
void price_meter_clear(price_meter *meter);

/** Whether two are the same: sums of the same in another order. */
bool price_same(price a, price b);

/** Warn of what a machine says of messages that no view counts. */
void view_warn(const inlay_machine *machine, inlay_diag *diag);

/** Whether all messages meet on one link: it is on the way from every processor to the next one. */
bool machine_is_shared_medium(const inlay_machine *machine);

#endif
