/* What `inlay info` tells of machines. */
#ifndef TOOLS_INFO_H
#define TOOLS_INFO_H

#include <inlay/machine.h>

/** The table of a machine. */
void facts_print(const inlay_machine_facts *facts);

#endif
