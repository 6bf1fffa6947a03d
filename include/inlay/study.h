/*
 * Studies: applications x machines x processors x methods x options x seeds, a row of results each.
 *
 * A study is a JSON file (docs/study.md). Its points are numbered from 0, applications outermost and seeds innermost, and a
 * point is found by its number alone: a study of a million points takes no more memory than one of ten. A row is one line
 * of JSON, the same whoever works it out and when.
 *
 * inlay_study_run() does a whole study on all cores. What distributes points otherwise uses its parts: inlay_study_begin()
 * looks for rows that are there; inlay_study_next() hands out points, those that take longest first; a worker turns points
 * into rows; inlay_study_keep() writes rows to a journal beside the output, whole lines at a time; inlay_study_finish() puts
 * them in order. A run that ends at any moment leaves its journal, and the next one goes on behind it.
 *
 * A study must outlive its runs and workers.
 */
#ifndef INLAY_STUDY_H
#define INLAY_STUDY_H

#include <inlay/app.h>

typedef struct inlay_study inlay_study;

/* ---- The file ---- */

/**
 * Read a study. Files that it names are relative to its folder.
 * @param settings  `KEY=VALUE`, each in place of what the file says: "methods=heft,etf", "seeds=1..100", "options.effort=10"
 * INLAY_BAD_INPUT where something in it cannot be, INLAY_OVERFLOW where it has more than 2^31 - 1 points.
 */
INLAY_API int inlay_study_read(const char *path, const char *const *settings, size_t count, inlay_study **study,
                               inlay_diag *diag);
INLAY_API void inlay_study_free(inlay_study *study);

/** The file that rows go to, as the study says; NULL: it does not. */
INLAY_API const char *inlay_study_output(const inlay_study *study);
INLAY_API const char *inlay_study_csv(const inlay_study *study); /**< likewise, as CSV */

/** SHA-256 of all that it says, whatever file it stands in; not of the files that it names. Two with one have the same points. */
INLAY_API const char *inlay_study_digest(const inlay_study *study);

INLAY_API int64_t inlay_study_points(const inlay_study *study);

/** How many there are of each, whose product is the number of points. */
typedef struct inlay_study_counts {
    int64_t applications, machines, processors, methods, options, seeds;
} inlay_study_counts;

INLAY_API inlay_study_counts inlay_study_counts_of(const inlay_study *study);

/** A point. The texts are the study's. */
typedef struct inlay_study_point {
    int64_t point;
    const char *application; /**< a path as the study has it, or the words of a generator */
    const char *group;       /**< of the application; NULL: it is in none */
    const char *machine;
    inlay_id processors; /**< 0: as many as the machine has */
    const char *method;  /**< NULL: as inlay_map() chooses */
    const char *options; /**< those that are crossed, "reduce=h1 time-frame=2x"; NULL: there are none */
    int64_t seed;
} inlay_study_point;

/** @param point  0 .. points - 1 */
INLAY_API inlay_study_point inlay_study_point_at(const inlay_study *study, int64_t point);

/* ---- A whole study ---- */

/** How far a run is. */
typedef struct inlay_study_progress {
    int64_t points; /**< of this run: of its part */
    int64_t done;   /**< of these */
    int64_t before; /**< of those done, rows that were there when it began */
    double share;   /**< of the work that this run had to do, by estimated sizes: 0 .. 1 */
} inlay_study_progress;

/** Zero-initialise, then set what is wanted. */
typedef struct inlay_study_options {
    const char *output; /**< JSON lines; its journal is OUTPUT.journal. NULL: as the study says */
    const char *csv;    /**< the same rows as CSV; NULL: as the study says, which may be nowhere */
    int part,
        parts;    /**< part 1 .. parts: every parts-th point alone, into OUTPUT.PART-of-PARTS, for another run to take
                          up; 0: all, with the rows of parts that are there */
    bool restart; /**< forget what is there, also where it is of another study */
    inlay_id threads; /**< 0: one a core */

    /** Told after rows were kept, one call at a time; NULL: nobody. */
    void (*progress)(void *context, const inlay_study_progress *progress);
    void *context;
} inlay_study_options;

/** What came of it. */
typedef struct inlay_study_result {
    inlay_study_progress progress;
    int64_t failed;       /**< rows with an error */
    int64_t first_failed; /**< the least number of such a point; -1: none */

} inlay_study_result;

/**
 * Work out all points that have no row yet, then write all rows in the order of points; that file appears whole. Failed
 * points are rows with an `error`. Warns of applications and machines that cannot be read.
 * INLAY_BAD_INPUT where a journal is of another study, or of none; INLAY_SYSTEM where another run is writing it.
 */
INLAY_API int inlay_study_run(const inlay_study *study, const inlay_study_options *options, inlay_study_result *result,
                              inlay_diag *diag);

/* ---- Its parts. All but begin, finish and end may be called by several threads at once ---- */

typedef struct inlay_study_running inlay_study_running;

/** Read applications and machines once to know their sizes, and take up the rows that are there. */
INLAY_API int inlay_study_begin(const inlay_study *study, const inlay_study_options *options,
                                inlay_study_running **running, inlay_diag *diag);

enum { INLAY_STUDY_BATCH = 256 };

/**
 * The next points, those first that take longest, fewer at a time the less is left for each of those who work.
 * @return how many; 0 where all have been handed out
 */
INLAY_API size_t inlay_study_next(inlay_study_running *running, inlay_id shared_by, int64_t point[INLAY_STUDY_BATCH]);

/** Write rows, whole lines, to the journal. INLAY_BAD_ARGUMENT for what are no rows, and rows that are there. */
INLAY_API int inlay_study_keep(inlay_study_running *running, const char *rows, size_t size, inlay_diag *diag);

INLAY_API inlay_study_progress inlay_study_progress_of(inlay_study_running *running);

/** Write the output. Where points are missing, nothing is written, and `result` tells how many are there. */
INLAY_API int inlay_study_finish(inlay_study_running *running, inlay_study_result *result, inlay_diag *diag);

/** Free it; what was kept stays. NULL is allowed. */
INLAY_API void inlay_study_end(inlay_study_running *running);

/* ---- Rows ---- */

/** Works out points, for one thread. What it reads is shared with the other workers of the study. */
typedef struct inlay_study_worker inlay_study_worker;

INLAY_API inlay_study_worker *inlay_study_worker_new(const inlay_study *study); /**< NULL when out of memory */
INLAY_API void inlay_study_worker_free(inlay_study_worker *worker);

/** Add the row of a point to the worker's rows. INLAY_NO_MEMORY where there is none even for the row. */
INLAY_API int inlay_study_work(inlay_study_worker *worker, int64_t point);

/** The rows since the last call of inlay_study_rows_clear(): lines, "" where there are none. */
INLAY_API const char *inlay_study_rows(const inlay_study_worker *worker, size_t *size);
INLAY_API void inlay_study_rows_clear(inlay_study_worker *worker);

#endif
