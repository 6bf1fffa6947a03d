/*
 * The table of machine formats: one row each. A new format is a file of its own and a row in machine_formats.c.
 *
 * Readers and writers work on text in memory. A reader names `source` in its messages, and takes attributes of the whole
 * machine besides, as they stand behind a file's name (`cluster.dot,model=mm1`); these replace the file's own. All of
 * them leave their output untouched when they fail.
 */
#ifndef IO_MACHINE_FORMATS_H
#define IO_MACHINE_FORMATS_H

#include "base/hash.h"
#include "base/text.h"
#include <inlay/machine.h>

/** What a format holds besides what all machines have; select, processes and decompose read it as it stands. */
typedef enum machine_kind {
    MACHINE_ALONE,       /**< nothing */
    MACHINE_METASYSTEM,  /**< clusters with their communication functions */
    MACHINE_PERFORMANCE, /**< speeds as functions of processes and data */
    MACHINE_SPEEDS       /**< speeds in Mflop/s */
} machine_kind;

typedef struct machine_format {
    const char *name;
    const char *extensions; /**< separated by single blanks, the usual one first */
    const char *summary;
    machine_kind kind;
    bool beside; /**< an application stands in the same file, which it is where either would do */
    bool (*looks_like)(const char *data, size_t size); /**< a quick look at the content: no full check */
    int (*from)(const char *data, size_t size, const char *source, const inlay_attribute *attributes, size_t count,
                inlay_machine **machine, inlay_diag *diag);
    /** NULL where the format is only read. */
    int (*to)(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag);
} machine_format;

/** The row whose content, or extension, this looks like; NULL: none. Of `size` characters of the path. */
const machine_format *machine_format_by_content(const char *data, size_t size);
const machine_format *machine_format_by_extension(const char *path, size_t size);

/** The row of a kind; of MACHINE_ALONE that of DOT. */
const machine_format *machine_format_of(machine_kind kind);

/* Metasystems, tables of speeds and performance functions as machines. */
bool metasystem_looks_like(const char *data, size_t size);
int metasystem_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                            size_t count, inlay_machine **machine, inlay_diag *diag);
int metasystem_machine_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag);
bool perf_looks_like(const char *data, size_t size);
int perf_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                      size_t count, inlay_machine **machine, inlay_diag *diag);
bool speeds_look_like(const char *data, size_t size);
int speeds_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                        size_t count, inlay_machine **machine, inlay_diag *diag);

/* The network of an instance of DAGBench. */
bool dagbench_machine_looks_like(const char *data, size_t size);
int dagbench_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                          size_t count, inlay_machine **machine, inlay_diag *diag);

/* DSLab's systems, YAML. */
bool dslab_system_looks_like(const char *data, size_t size);
int dslab_system_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                      size_t count, inlay_machine **machine, inlay_diag *diag);

/* hwloc's descriptions of computers, XML; INLAY_BAD_ARGUMENT where Inlay was built without libhwloc. */
bool hwloc_looks_like(const char *data, size_t size);
int hwloc_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag);

/* Clusters of Slurm: slurm.conf, and what sinfo prints. */
bool slurm_looks_like(const char *data, size_t size);
int slurm_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag);
bool sinfo_looks_like(const char *data, size_t size);
int sinfo_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag);

/* StarPU's measurements of a computer: NAME.config, and NAME.bandwidth, NAME.latency and NAME.platform.v4.xml beside it. */
bool starpu_config_looks_like(const char *data, size_t size);
int starpu_config_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag);

/* Scotch's target architectures. */
bool tgt_looks_like(const char *data, size_t size);
int tgt_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes, size_t count,
                     inlay_machine **machine, inlay_diag *diag);
int tgt_machine_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag);

/* S-LAM, PREESM's architectures. */
bool slam_looks_like(const char *data, size_t size);
int slam_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                      size_t count, inlay_machine **machine, inlay_diag *diag);

/* ---- Explicit machines that a reader writes down in DOT, for the reader of DOT ---- */

/** What goes with such a machine besides its nodes. */
typedef struct explicit_parts {
    const char *name;
    const char *source;
    const inlay_attribute *attributes; /**< of the whole machine, or of all cables */
    size_t count;
    bool directed; /**< edges are links, from their tail to their head */
} explicit_parts;

/**
 * Makes the machine whose nodes and edges `write` appends. The attributes `capacity`, `link_latency` and `duplex` are
 * those of all cables. INLAY_BAD_INPUT where one of them cannot be.
 */
int explicit_machine(const explicit_parts *parts, int (*write)(const void *of, text_buffer *to, inlay_diag *diag),
                     const void *of, inlay_machine **machine, inlay_diag *diag);

/** One of some hosts around a switch; 0 and NULL: not said. */
typedef struct star_host {
    const char *name; /**< NULL: p and its number. One that others have gets a number behind it */
    const char *type;
    double speed;
    int64_t cores;
} star_host;

typedef struct star {
    const star_host *host;
    size_t hosts;
    const char *attributes; /**< of the graph, as DOT has them; NULL: none */
} star;

/** The hosts, a switch, and a cable from each to that: for explicit_machine(). */
int star_write(const void *of, text_buffer *to, inlay_diag *diag);

/** A name that is not in the map yet: the wanted one, or with a number behind it. The caller frees; NULL: no memory. */
char *machine_new_name(name_map *names, const char *wanted);

#endif
