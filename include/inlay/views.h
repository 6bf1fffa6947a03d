/*
 * One machine, as each command sees it.
 *
 * Everything that inlay_machine_read() reads is an inlay_machine: hosts with their cores, speeds, types and memory, links
 * and routes, price and power. Four things say some of that in words of their own, and may say more:
 *
 *   inlay_metasystem         clusters of like processors and what communication in each pattern takes    (select)
 *   inlay_process_platform   speeds as functions of the processes and the data on a processor             (processes)
 *   inlay_grid_machines      speeds in operations per second, and one network between all processors      (decompose)
 *   a list of speeds         speeds alone
 *
 * The functions here lead from each to the machine and back. Counts, speeds, types and routes stay what they are. What one
 * side does not know is taken from what it does know, and the diagnostic gets a warning that says so, once for each thing;
 * or, where nothing follows, the attribute that is missing is named with INLAY_BAD_INPUT. docs/machine-files.md has both.
 *
 * inlay_machine_read(), inlay_metasystem_read(), inlay_process_platform_read() and inlay_grid_machines_read() take the same
 * argument, tell by its content what it is, and go these ways where it is something else.
 *
 * Ownership: what comes out is the caller's, and points to nothing of what went in.
 */
#ifndef INLAY_VIEWS_H
#define INLAY_VIEWS_H

#include <inlay/decompose.h>
#include <inlay/machine.h>
#include <inlay/metasystem.h>
#include <inlay/processes.h>

/* ---- Metasystems ---- */

/**
 * A machine of links. Each processor that may be used is a host, of its cluster's type (its name where it has none). The
 * speed is 1 on the fastest cluster, whose `rate` is 1 / arithmetic_time. The messages of a cluster share a link (on a bus;
 * elsewhere they do not meet on it), which takes half of what the first function of ring, tree and 1-D says for two
 * processors. A message to another cluster takes the link of its sender's cluster and then what inlay_metasystem_way() says.
 * @param source  what messages name
 */
INLAY_API int inlay_metasystem_machine(const inlay_metasystem *metasystem, const char *source, inlay_machine **machine,
                                       inlay_diag *diag);

/**
 * Clusters c0, c1, ... of processors of one type and speed that are equally near to each other, with a route between any
 * two; a family is one cluster. Communication functions follow from the latency l and the time per byte t of a message:
 *
 *               1-D                    ring         tree
 *   one medium  2 (p - 1) (l + t b)    p (l + t b)  2 (p - 1) (l + t b)
 *   links       2 (l + t b)            p (l + t b)  2 log2 p (l + t b)
 *
 * Without a capacity in bytes there are none, without arithmetic_time no rates. A machine that was read from a metasystem
 * gives that.
 */
INLAY_API int inlay_machine_metasystem(const inlay_machine *machine, inlay_metasystem **metasystem, inlay_diag *diag);

/* ---- Processes ---- */

/**
 * Hosts around a switch. Speeds are those of one process, with its even share of the data where the platform says how much
 * there are (else with the least that was measured), and 1 on the fastest.
 */
INLAY_API int inlay_process_platform_machine(const inlay_process_platform *platform, const char *source,
                                             inlay_machine **machine, inlay_diag *diag);

/**
 * A row for each type and speed, its cores as processors of constant speed: idle ones do not slow the others. Times are in
 * ticks, what a unit of data takes on a processor of speed 1.
 */
INLAY_API int inlay_machine_process_platform(const inlay_machine *machine, inlay_process_platform **platform,
                                             inlay_diag *diag);

/* ---- Grids ---- */

/** Hosts around a switch; speed 1 is 1 Mflop/s. The network is not taken. */
INLAY_API int inlay_grid_machine(const inlay_grid_machines *machines, const char *source, inlay_machine **machine,
                                 inlay_diag *diag);

/** All processors, and the network where that is known. @param mflops  as inlay_grid_machines_read() takes it */
INLAY_API int inlay_machine_grid(const inlay_machine *machine, double mflops, inlay_grid_machines **machines,
                                 inlay_diag *diag);

#endif
