/* Parts of what `inlay info` tells. */
#ifndef TOOLS_INFO_H
#define TOOLS_INFO_H

#include <inlay/machine.h>

/** How many modules run at once over time, as bars. A status of the library. */
int parallelism_print(const inlay_app *app, inlay_diag *diag);

/** The table of a machine. */
void facts_print(const inlay_machine_facts *facts);

#endif
