/*
 * Inlay: lays an application graph G(A) into a machine graph G(M).
 *
 * Include this header for everything, or the chapters one by one:
 *
 *   status.h    how a call reports what happened: status codes, diagnostics, warnings
 *   outputs.h   files that appear together
 *   units.h     exact decimal numbers, time units, quantities with units
 *   app.h       the application graph G(A): modules, links, data blocks
 *   sdf.h       synchronous and cyclo-static dataflow: repetitions, the least period, firings as an application
 *   stochastic.h  applications before their paths are known: AND-EOR graphs, reduced to an application
 *   generate.h  applications that are computed: factorisations, grids, trees, random graphs, workflows
 *   machine.h   the machine graph G(M): processors, memory, network
 *   network.h   queueing delay of the interconnects: mathematics only
 *   delay.h     the delay function of a machine, in its own units
 *   mapping.h   who runs what, where, in which order, at what cost: map, evaluate, reduce
 *   bounds.h    below which elapsed time no mapping can come
 *   sweep.h     what every time frame makes of it
 *   pareto.h    elapsed time against processors
 *   advise.h    which machine to rent, and how much of it
 *   catalogue.h types of machines that can be rented
 *   compare.h   applications on machines, ranked
 *   study_summary.h  rows of a study summed up: tables by group, and who wins
 *   check.h     the independent checker of a mapping
 *   simulate.h  the mapped application run event by event: elapsed time, queues, critical path
 *   scheduler.h  run-time schedulers: applications without a placement, as OpenMP and StarPU run their tasks
 *   speedup.h   elapsed time against cores, under one of them
 *   dataflow.h  dataflow programs: wired in C, profiled to G(A), run mapped with the messages of a machine
 *   metasystem.h  networks of unlike clusters
 *   views.h     one machine as metasystem, as platform of processes, as what grids are cut for; and back
 *   domain.h    what a data-parallel (SPMD) program tells about itself: callbacks, program files
 *   select.h    which processors of unlike clusters such a program should use, and how much data each gets
 *   select_plain.h  the same in plain numbers
 *   task_placement.h  which of its tasks runs on which processor
 *   decompose.h  how a grid is cut into pieces for unlike processors, and what each way of cutting costs
 *   processes.h  how many processes each of some unlike processors should run
 *   dense.h      which process grid and block size for LU, Cholesky and the product of matrices
 *   explain.h   what limits a mapping, and which change helps most
 *   shares.h    how much of divided data unlike processors shall have, and which part lies where
 *   raw.h       what `inlay measure` measured, and the machine that comes of it
 *   synth.h     compressed synthetic code: a small program that uses the same resources
 *   io.h        reading and writing graphs, machines, placements and mappings
 *   render.h    pictures: DOT and SVG
 *   result.h    results as JSON
 *
 * Three nouns carry everything: inlay_app, inlay_machine, inlay_mapping. All three are immutable once made;
 * a function takes finished nouns and gives a new one. Distinct objects may be used from distinct threads, except
 * where a comment names a library below that keeps state of its own (Graphviz).
 *
 * Ownership: whoever receives an object through an output parameter frees it with the function of its type
 * (inlay_app_free, ...). A pointer that a function returns belongs to the object it was asked of and lives as long.
 */
#ifndef INLAY_INLAY_H
#define INLAY_INLAY_H

#include <inlay/advise.h>
#include <inlay/app.h>
#include <inlay/balance.h>
#include <inlay/bounds.h>
#include <inlay/capture.h>
#include <inlay/catalogue.h>
#include <inlay/check.h>
#include <inlay/compare.h>
#include <inlay/csource.h>
#include <inlay/curves.h>
#include <inlay/dataflow.h>
#include <inlay/decompose.h>
#include <inlay/delay.h>
#include <inlay/dense.h>
#include <inlay/domain.h>
#include <inlay/explain.h>
#include <inlay/generate.h>
#include <inlay/io.h>
#include <inlay/machine.h>
#include <inlay/mapping.h>
#include <inlay/measure.h>
#include <inlay/measured.h>
#include <inlay/metasystem.h>
#include <inlay/network.h>
#include <inlay/outputs.h>
#include <inlay/pareto.h>
#include <inlay/processes.h>
#include <inlay/raw.h>
#include <inlay/render.h>
#include <inlay/scheduler.h>
#include <inlay/report.h>
#include <inlay/result.h>
#include <inlay/sdf.h>
#include <inlay/shares.h>
#include <inlay/select.h>
#include <inlay/select_plain.h>
#include <inlay/simulate.h>
#include <inlay/speedup.h>
#include <inlay/status.h>
#include <inlay/stochastic.h>
#include <inlay/study.h>
#include <inlay/study_summary.h>
#include <inlay/sweep.h>
#include <inlay/synth.h>
#include <inlay/task_placement.h>
#include <inlay/units.h>
#include <inlay/views.h>
#include <inlay/wish.h>

/** The version that this header belongs to; inlay_version() tells the version of the library in use. */
#define INLAY_VERSION "0.1.0"

INLAY_API const char *inlay_version(void);

/** A part of the library that needs a package of its own, and is in where that was there when Inlay was built. */
typedef struct inlay_extra {
    const char *name;
    const char *purpose; /**< in a few words */
    const char *package; /**< its name in Debian */
    bool is_in;
} inlay_extra;

INLAY_API size_t inlay_extras(void);
INLAY_API inlay_extra inlay_extra_at(size_t i);

#endif
