/*
 * A running program becomes an application graph: what recorders inside it wrote down, put together.
 *
 *     inlay_capture *capture = NULL;
 *     int status = inlay_capture_read(folder, NULL, &capture, diag);
 *     inlay_app_write(inlay_capture_app(capture), "app.tg", NULL, diag);
 *
 * `inlay capture` starts a program with a recorder in it, which writes logs to a folder; these functions read them. A
 * module is a stretch of a task that nothing interrupts: from its beginning, or from where it created a task or waited, to
 * the next such place or its end. Its kind is the place in the source code that made it. Times are seconds.
 *
 * Of a command that starts processes, a module is a program that one of them ran, or a part of it between processes that it started
 * and waited for; its time is processor time, and its kind the program's name.
 */
#ifndef INLAY_CAPTURE_H
#define INLAY_CAPTURE_H

#include <inlay/mapping.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What of an MPI program is one module. */
typedef enum inlay_coalesce {
    INLAY_COALESCE_NOTHING, /**< what a rank calculates between two messages */
    INLAY_COALESCE_PLACES,  /**< all of that in a rank that ends at the same place in the source code */
    INLAY_COALESCE_RANKS    /**< a rank */
} inlay_coalesce;

/** How logs are read. Zero-initialise, then set what is wanted. */
typedef struct inlay_capture_options {
    const char *name;     /**< of the application; NULL: the program's */
    const char *recorder; /**< whose logs, as in the facts; NULL: of the first that there are any of */

    /**
     * A task whose creator had run for less than this since its last creation or wait may start earlier by up to
     * as much, and no module is made for that stretch alone. Of processes the same between those that one starts and waits
     * for; each program has a module. Seconds; below 0: a tenth of the mean time of a task, or of a program.
     */
    double grain;

    inlay_coalesce coalesce;
    bool keep;          /**< MPI: modules stay on the processor that has their rank's number */
    bool tasks_only;    /**< what threads do between tasks is left out where it stands before or after all tasks */
    int64_t data_bytes; /**< size of what a depend clause names; 0: unknown, and links carry nothing */
    /**
     * Applications captured from smaller runs of the program: tasks take the times that these let expect of their kinds, on
     * the mean a power of how many there are, fitted over all of them. For a run whose tasks were not run. None: as recorded.
     */
    const inlay_app *const *like;
    size_t like_count;
} inlay_capture_options;

typedef struct inlay_capture inlay_capture;

/** What was found. */
typedef struct inlay_capture_facts {
    const char *recorder; /**< "openmp", "mpi" or "processes" */
    double elapsed;       /**< of the program from its start (MPI: the first record) to the last record, in seconds */
    double busy;          /**< sum over all modules, in seconds */
    int64_t places;       /**< threads or ranks; processes without others below them, at most at once */
    int64_t tasks;        /**< explicit ones; processes */
    int64_t items;        /**< of depend clauses; files that one process wrote and another read behind it */
    int64_t dependences;  /**< pairs of tasks, or of modules, that these order */
    int64_t messages;     /**< between ranks, as the library sent them */
    int64_t collective;   /**< of these, by collective operations */
    double bytes;         /**< in all messages */

    /**
     * What a run-time scheduler takes before each module (inlay_scheduled_options), on the mean: tasks' times from when each
     * could begin on an idle thread to when it did, over the modules. In seconds; 0 of processes.
     */
    double task_overhead;
    bool ended; /**< the program came to its end; false: captured as far as it ran */
} inlay_capture_facts;

/** Modules of one kind; times in seconds. */
typedef struct inlay_capture_kind {
    const char *name; /**< the capture's */
    int64_t modules;
    double mean, deviation; /**< the standard deviation, of all modules there are */
    double least, most;
} inlay_capture_kind;

/** Read the logs of one run. INLAY_NO_ANSWER where no program wrote any, INLAY_BAD_INPUT where one is damaged. */
INLAY_API int inlay_capture_read(const char *folder, const inlay_capture_options *options, inlay_capture **capture,
                                 inlay_diag *diag);
INLAY_API void inlay_capture_free(inlay_capture *capture);

INLAY_API const inlay_app *inlay_capture_app(const inlay_capture *capture); /**< the capture's */
INLAY_API inlay_capture_facts inlay_capture_told(const inlay_capture *capture);

/** By falling sum of their times. */
INLAY_API size_t inlay_capture_kinds(const inlay_capture *capture);
INLAY_API inlay_capture_kind inlay_capture_kind_at(const inlay_capture *capture, size_t i);

/* ---- A mapping applied to the program: `inlay apply` ---- */

/**
 * Write for the program, whose tasks were captured, on which thread each is to run and in which order: of a module that is the
 * first part of a task what the mapping says, for those parts follow. Threads are the mapping's processors. `tasks` takes their count.
 * INLAY_NO_ANSWER where no module is a captured task's.
 */
INLAY_API int inlay_plan_write(const inlay_mapping *mapping, const char *path, int64_t *tasks, inlay_diag *diag);

/**
 * Whether an application is an MPI program whose ranks were each made one module (`inlay capture --mpi --coalesce ranks`): module r is
 * rank r.
 */
INLAY_API bool inlay_app_is_ranks(const inlay_app *app);

/**
 * What an MPI program takes with each rank on the processor given, in seconds, simulated: `segments` is the program as it was captured
 * with its placement kept, where every module is pinned to the number of its rank.
 * INLAY_BAD_INPUT where a module has no rank, or one of `ranks` or more.
 */
INLAY_API int inlay_ranks_time(const inlay_app *segments, const inlay_machine *machine, const inlay_id *processor_of,
                               inlay_id ranks, double *seconds, inlay_diag *diag);

/** Times of runs, in seconds. */
typedef struct inlay_run_times {
    double median, least, most;
} inlay_run_times;

/** What became of a plan, and what it gained. */
typedef struct inlay_applied {
    const char *application, *machine;
    bool ranks; /**< an MPI program, placed by a rankfile */
    int64_t threads;
    int64_t runs; /**< of each kind, in turn */
    inlay_run_times plain, applied;
    const char *scheduler;  /**< most like that of the program's library: "fifo" of gcc's, else "stealing"; NULL: MPI */
    double simulated_plain; /**< under it; of an MPI program, with ranks in order */
    double simulated_applied; /**< by the mapping; both in seconds */
    int64_t tasks;            /**< of the mapping; or ranks */
    int64_t planned;          /**< of the last run: tasks that were of the plan */
    int64_t as_placed; /**< of these, those that ran on the thread that it says; others when that one had other work */
    int64_t beyond;    /**< tasks that the plan does not have */
    int64_t given_up;  /**< from this task on, from 1, the plan was not followed any more; 0: to the end */
    const char *why;   /**< then; NULL: to the end */
} inlay_applied;

/** What the program left of a plan, into the last members and `scheduler`. INLAY_BAD_INPUT where it left nothing: it created no task. */
INLAY_API int inlay_plan_report(const char *path, inlay_applied *applied, inlay_diag *diag);

#endif
