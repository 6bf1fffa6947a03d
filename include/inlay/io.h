/*
 * Reading and writing: one format a file behind a table for applications and one for machines.
 *
 * The format of an input is told by its content, then by its extension; a name overrides both. Input compressed with
 * gzip is unpacked on the way, output is compressed where its name ends in .gz. "-" is standard input or output.
 * An output file appears whole or not at all.
 */
#ifndef INLAY_IO_H
#define INLAY_IO_H

#include <inlay/mapping.h>
#include <inlay/simulate.h>

/* ---- Formats ---- */

typedef struct inlay_format {
    const char *name;       /**< "dot", "wfformat", "stg", "json", "tg", "metis", ... */
    const char *extensions; /**< separated by spaces, the first is the usual one; "": none */
    const char *summary;
    bool reads, writes;
} inlay_format;

INLAY_API size_t inlay_formats(void);
INLAY_API inlay_format inlay_format_at(size_t i);

/** Whether a file's name has one of the format's extensions, perhaps with .gz behind it. */
INLAY_API bool inlay_format_fits(inlay_format format, const char *path);

/* ---- Results of a program's own ---- */

/** Write bytes to a file as the functions below do: "-", .gz, whole or not at all. */
INLAY_API int inlay_bytes_write(const char *path, const void *bytes, size_t size, inlay_diag *diag);

/* ---- Applications ---- */

/**
 * Read an application.
 * @param format  a format's name, or NULL to tell by content and extension
 */
INLAY_API int inlay_app_read(const char *path, const char *format, inlay_app **app, inlay_diag *diag);

/** How a file is read that can be read in more than one way. Zero-initialise, then set what is wanted. */
typedef struct inlay_reading {
    const char *format; /**< a format's name; NULL: told by content and extension */
    const char *graph;  /**< of several graphs in the file: its name, or its number from 1 */
    int32_t iterations; /**< of a dataflow graph: how many are unfolded; 0: one */

    /** What the file calls attributes of ours: {"time", "wcet"}; a DOT file in any dialect. */
    const inlay_attribute *attributes;
    size_t attribute_count;

    bool
        file_links; /**< a file that one task writes and another reads makes a link, not only what the list of links says */
    bool file_blocks; /**< files that no task writes, or none reads, become data blocks */

    /**
     * In place of blocks: such files are data that go from a module `storage` of time 0 to the tasks that read them, and
     * from those that write them to a module `stored`. Both are pinned to a processor: the machine's storage, whose link
     * is its bandwidth.
     */
    bool file_storage;
    inlay_id storage; /**< that processor */
} inlay_reading;

/** INLAY_BAD_ARGUMENT also where the file's format has no use for what `how` asks. @param how  NULL: nothing */
INLAY_API int inlay_app_read_as(const char *path, const inlay_reading *how, inlay_app **app, inlay_diag *diag);

/** The same from memory; `source` stands for the file in messages. */
INLAY_API int inlay_app_read_memory_as(const char *data, size_t size, const char *source, const inlay_reading *how,
                                       inlay_app **app, inlay_diag *diag);
INLAY_API int inlay_app_read_memory(const char *data, size_t size, const char *source, const char *format,
                                    inlay_app **app, inlay_diag *diag);

/** Which of the sizes at which a codelet of StarPU's was measured its tasks have; a graph does not tell. */
typedef enum inlay_starpu_size {
    INLAY_STARPU_MOST_OFTEN, /**< that which was measured most often */
    INLAY_STARPU_LARGEST,
    INLAY_STARPU_SMALLEST
} inlay_starpu_size;

typedef struct inlay_starpu_models {
    const char
        *folder; /**< StarPU's of what it measured, as ~/.starpu/sampling, or the one with the files of the codelets */
    const char *computer; /**< as StarPU names it; NULL: the only one of which a codelet has a model */
    inlay_starpu_size size;
    bool spread; /**< tasks of a codelet share out its times as they were spread, normally, not its mean alone */
    const char *codelets; /**< "KIND=CODELET,...": codelets of kinds of modules, for inlay_app_time_starpu(); or NULL */
} inlay_starpu_models;

/**
 * A StarPU program's graph, which its starpu_bound_print_dot() wrote, with the times of its codelets' models: a module a task, its
 * kind the codelet, times by type (cpu, cuda, opencl, mic, max_fpga, mpi_ms, tcpip_ms, hip); where a codelet was not measured on a type that others were, it
 * may not run there. Links carry nothing: the graph does not tell sizes of data. Another application gets times as
 * inlay_app_time_starpu() gives them.
 */
INLAY_API int inlay_app_read_starpu(const char *path, const inlay_starpu_models *models, inlay_app **app,
                                    inlay_diag *diag);

/**
 * An application with the times of StarPU's codelets: `codelets` tells that of each kind of modules. Kinds that it leaves out have
 * Cholesky's and LU's in single precision (POTRF: chol_model_potrf, GETRF: starpu_slu_lu_model_getrf, ...), else the codelet of
 * their own name. The size is the bytes of all data that a module reads and writes, those that it changes in place once; where that
 * was not measured it is `size`, and a warning says so. INLAY_BAD_INPUT where a kind has no measured codelet.
 */
INLAY_API int inlay_app_time_starpu(const inlay_app *app, const inlay_starpu_models *models, inlay_app **result,
                                    inlay_diag *diag);

/** Write an application. @param format  NULL: by the extension of `path`, else dot. */
INLAY_API int inlay_app_write(const inlay_app *app, const char *path, const char *format, inlay_diag *diag);

/* ---- Machines ---- */

INLAY_API size_t inlay_machine_formats(void); /**< "simgrid", "tgt", "metasystem", ..., "dot" */
INLAY_API inlay_format inlay_machine_format_at(size_t i);

/**
 * A machine from one of
 *     a string (`bus:17,memory=common`), or a list of speeds (`6,4,4`),
 *     a file of any machine format, told by its content, then by its extension; `-` is standard input,
 *     `host`: this computer, where Inlay is built with hwloc.
 * Behind a file's name and behind `host` attributes of the whole machine may stand (`cluster.dot,model=mm1`), which
 * replace those of the file. What exists as a file is that file.
 */
INLAY_API int inlay_machine_read(const char *text_or_path, inlay_machine **machine, inlay_diag *diag);

INLAY_API bool inlay_reads_host(void); /**< whether `host` can be read: Inlay was built with hwloc */

/**
 * An application or a machine, whichever the text or the file is; the other stays as it was. The file is opened once: it
 * may be a pipe. @param format  of an application; NULL to tell by content and extension
 */
INLAY_API int inlay_app_or_machine_read(const char *text_or_path, const char *format, inlay_app **app,
                                        inlay_machine **machine, inlay_diag *diag);

/** The text of a machine's file; `source` stands for the file in messages. @param format  NULL: told by the content */
INLAY_API int inlay_machine_read_memory(const char *data, size_t size, const char *source, const char *format,
                                        inlay_machine **machine, inlay_diag *diag);

/** The same with attributes besides, as they may stand behind a file's name; they replace the file's own. */
INLAY_API int inlay_machine_read_with(const char *data, size_t size, const char *source, const char *format,
                                      const inlay_attribute *attributes, size_t count, inlay_machine **machine,
                                      inlay_diag *diag);

/** Write a machine, in the format that the extension of `path` tells, else as DOT. */
INLAY_API int inlay_machine_write(const inlay_machine *machine, const char *path, inlay_diag *diag);

/**
 * Write a machine in a format.
 * @param format        NULL: by the extension of `path`, else dot
 * @param tick_seconds  length of a tick in seconds for formats that know seconds alone; 0: none
 */
INLAY_API int inlay_machine_write_as(const inlay_machine *machine, const char *path, const char *format,
                                     double tick_seconds, inlay_diag *diag);

/* ---- Placements: what `evaluate` takes ---- */

/**
 * Processor of every module from a mapping.json, a JSON list of the modules of each processor or {"module": processor,
 * ...}, a CSV (`module,processor`), a part file (one number a line), a mapping of Scotch's (vertex and processor) or an
 * Open MPI rankfile (rank i is module i), told apart by content. Lists give the order of execution too, and so does a CSV
 * with a third column, `order` or `start`.
 * @param machine   whose hosts a rankfile may name: a slot is then a core of the host. NULL, or a file that names none of
 *                  them: each pair of host and slot is a processor, numbered as they appear
 * @param schedule  filled in, with `order` NULL where the file has none; cleared by the caller
 */
INLAY_API int inlay_task_schedule_read(const char *path, const inlay_app *app, const inlay_machine *machine,
                                       inlay_task_schedule *schedule, inlay_diag *diag);

INLAY_API size_t inlay_placement_formats(void); /**< "csv", "scotch", "part", "rankfile", "slurm", ... */
INLAY_API inlay_format inlay_placement_format_at(size_t i);

/**
 * Write where the modules of a mapping run. Numbers count from 0.
 * @param format  NULL: by the extension of `path`, else csv
 */
INLAY_API int inlay_placement_write(const inlay_mapping *mapping, const char *path, const char *format,
                                    inlay_diag *diag);

/* ---- Mappings ---- */

/** Where a result came from; goes into mapping.json so that it can be found again. */
typedef struct inlay_origin {
    const char *command;  /**< "map", "evaluate" */
    const char *app_path; /**< as given; its SHA-256 is taken when the mapping is written */
    const char *app_format;
    uint64_t seed;
    const inlay_mapping *in_order; /**< inlay_mapping_in_order(), for layout.before; NULL: none */
} inlay_origin;

/**
 * Write mapping.json: every figure, the clusters in execution order, application and machine, and the warnings that diag
 * has: those of inlay_map() where that was its last call.
 */
INLAY_API int inlay_mapping_write(const inlay_mapping *mapping, const inlay_origin *origin, const char *path,
                                  inlay_diag *diag);

/** A mapping.json read back with the application and the machine that it names; all three are the caller's. */
typedef struct inlay_loaded {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
} inlay_loaded;

/**
 * Read a mapping.json. An application whose bytes changed since is refused, unless `app_path` names one.
 */
INLAY_API int inlay_mapping_read(const char *path, const char *app_path, inlay_loaded *loaded, inlay_diag *diag);
INLAY_API void inlay_loaded_clear(inlay_loaded *loaded);

/* ---- Recorded simulations, written piece by piece; INLAY_BAD_ARGUMENT where nothing was recorded ---- */

/** CSV with a line a module: `module,processor,start,end`, times in the application's unit. */
INLAY_API int inlay_simulation_write_modules(const inlay_simulation *simulation, const char *path, inlay_diag *diag);

/** CSV with a line for all messages of a link, and for those of a use: the fields of inlay_simulated_message. */
INLAY_API int inlay_simulation_write_messages(const inlay_simulation *simulation, const char *path, inlay_diag *diag);

/**
 * Chrome's trace event format, JSON, for Perfetto and chrome://tracing: modules by processor, messages by sender with
 * flows from module to module, how many messages wait, the critical path. A tick without a length counts as 1 us.
 */
INLAY_API int inlay_simulation_write_trace(const inlay_simulation *simulation, const char *path, inlay_diag *diag);

/** Paje's format, for ViTE: modules as states, messages as links, how many of them wait. */
INLAY_API int inlay_simulation_write_paje(const inlay_simulation *simulation, const char *path, inlay_diag *diag);

#endif
