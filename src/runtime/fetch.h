/* How a core fetches the inputs of the module that it took, one message after another. */
#ifndef RUNTIME_FETCH_H
#define RUNTIME_FETCH_H

#include "runtime/run.h"

/** The next input that is not there is asked for; false where all are, or are on their way. */
bool fetch_next(runtime_run *r, inlay_id core, double now);

/** A message has come, or a transfer of it: likewise, whether one more is under way. */
bool fetch_came(runtime_run *r, inlay_id core, double now);

/** The next message over links asks for the next link of its way. */
void fetch_over_links(runtime_run *r);

#endif
