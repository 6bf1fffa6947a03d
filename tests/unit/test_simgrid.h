/* What the tests of platform files share. */
#ifndef TEST_SIMGRID_H
#define TEST_SIMGRID_H

#include <inlay/inlay.h>

/** The machine of a platform's text; `outer` elements and the version are put around it. */
inlay_machine *simgrid_subject(const char *zones);

/** The same for a whole document, with the diagnostics that it brings. */
inlay_machine *simgrid_subject_from(const char *document, inlay_diag *diag);

/** Links of the route between two hosts, by their names with blanks between. */
void simgrid_expect_route(const inlay_machine *machine, const char *from, const char *to, const char *links);

/** Seconds of the links on a route. */
void simgrid_expect_latency(const inlay_machine *machine, const char *from, const char *to, double seconds);

void simgrid_expect_counts(const inlay_machine *machine, inlay_id hosts, inlay_id processors, inlay_id routers,
                           inlay_id links);

/** A processor of a host, by the host's name. */
inlay_id simgrid_processor_of(const inlay_machine *machine, const char *host);

/** A link by its name. */
inlay_machine_link simgrid_link_of(const inlay_machine *machine, const char *name);

#endif
