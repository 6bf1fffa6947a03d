/* The file of hosts of `inlay measure --hosts`: a name a line, with slots=N for several processes. */
#ifndef TOOLS_MEASURE_HOSTS_H
#define TOOLS_MEASURE_HOSTS_H

#include "folder.h"
#include <stdint.h>

/**
 * Read a file of hosts, and write it for the launcher, with slots on every line: without them launchers put as many
 * processes on a host as it has cores.
 * @param where  gets the launcher's file
 * @param ranks  the slots of all hosts
 * @return an exit status, and has said what is wrong
 */
int hosts_prepare(const char *path, const folder *where, int32_t *ranks);

/** The launcher's file, which hosts_prepare() writes. Returns `path`. */
char *hosts_launcher_file(const folder *where, char path[PATH_MAX]);

#endif
