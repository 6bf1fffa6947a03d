/*
 * A command's processes, followed by ptrace: what each of them starts, waits for and opens goes to a log, whose form
 * src/capture/processes_log.h tells.
 */
#ifndef TOOLS_CAPTURE_TRACE_PROCESSES_H
#define TOOLS_CAPTURE_TRACE_PROCESSES_H

#include "process.h"

/** Whether processes can be followed here; errno tells why not. */
bool trace_processes_can(void);

/** `begin` of a process_follower; `of` is the path of the folder of logs. */
void trace_processes_begin(void *of);

#endif
