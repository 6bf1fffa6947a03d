/*
 * Results as JSON: two-space indentation, members in the order written, numbers exact or the shortest that read back.
 *
 * A result is one object. What all results have comes first (`inlay`, `command`, `seed`, `warnings`), then what the
 * caller's function adds with the functions of this chapter. A C program so gets the bytes that the command line prints.
 */
#ifndef INLAY_RESULT_H
#define INLAY_RESULT_H

#include <inlay/advise.h>
#include <inlay/capture.h>
#include <inlay/check.h>
#include <inlay/compare.h>
#include <inlay/csource.h>
#include <inlay/dataflow.h>
#include <inlay/decompose.h>
#include <inlay/delay.h>
#include <inlay/explain.h>
#include <inlay/measured.h>
#include <inlay/pareto.h>
#include <inlay/raw.h>
#include <inlay/speedup.h>
#include <inlay/processes.h>
#include <inlay/select.h>
#include <inlay/stochastic.h>
#include <inlay/study_summary.h>
#include <inlay/sweep.h>
#include <inlay/synth.h>
#include <inlay/task_placement.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Members: `key` is NULL inside an array ---- */

typedef struct inlay_json inlay_json;

INLAY_API void inlay_json_object(inlay_json *json, const char *key);
INLAY_API void inlay_json_object_end(inlay_json *json);
INLAY_API void inlay_json_array(inlay_json *json, const char *key);
INLAY_API void inlay_json_array_end(inlay_json *json);

/** The same on one line, with all that is in them. */
INLAY_API void inlay_json_flat_object(inlay_json *json, const char *key);
INLAY_API void inlay_json_flat_array(inlay_json *json, const char *key);

INLAY_API void inlay_json_string(inlay_json *json, const char *key, const char *value); /**< NULL gives null */
INLAY_API void inlay_json_integer(inlay_json *json, const char *key, int64_t value);
INLAY_API void inlay_json_count(inlay_json *json, const char *key, int64_t value);        /**< below 0 gives null */
INLAY_API void inlay_json_number(inlay_json *json, const char *key, double value);        /**< not finite gives null */
INLAY_API void inlay_json_literal(inlay_json *json, const char *key, const char *digits); /**< a number as exact text */
INLAY_API void inlay_json_bool(inlay_json *json, const char *key, bool value);
INLAY_API void inlay_json_null(inlay_json *json, const char *key);

/**
 * Several at once, as `"host %s cores %i busy %g of { least %d most %ld } runs [ %g %g ] note null"` has them: words are
 * keys, and brackets may begin in one call and end in another. `%s` is a string, `%-s` a number as exact text (both NULL,
 * the latter also empty: null), `%d` or `%u` a whole number of any length and `%i` one that is null below 0, `%g` a number, `%hhd`
 * a bool.
 */
INLAY_API void inlay_json_put(inlay_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A number as JSON has it; "null" where it is not finite. Returns `text`. */
enum { INLAY_NUMBER_TEXT = 32 };
INLAY_API char *inlay_number_text(double value, char text[INLAY_NUMBER_TEXT]);

/* ---- Results ---- */

/** What all results tell. */
typedef struct inlay_result_context {
    const char *command;
    uint64_t seed;
    const inlay_diag *said; /**< its warnings are the result's; NULL: none */
    const char *file;       /**< what was asked about, as the user named it: a mapping's; NULL: null */
} inlay_result_context;

/** Adds the members of a result. A status of the library. */
typedef int inlay_result_members(inlay_json *json, const void *of);

/** Write a result to a path; "-" is standard output, and a name that ends in .gz is packed. */
INLAY_API int inlay_result_write(const inlay_result_context *context, inlay_result_members *members, const void *of,
                                 const char *path, inlay_diag *diag);

/* ---- What the commands print with --json; a mapping's is inlay_mapping_write() ---- */

INLAY_API int inlay_sweep_write_json(const inlay_sweep_result *sweep, const inlay_result_context *context,
                                     const char *path, inlay_diag *diag);
INLAY_API int inlay_comparison_write_json(const inlay_comparison *comparison, const inlay_result_context *context,
                                          const char *path, inlay_diag *diag);
/** @param scale  the factors of times as the user wrote them; NULL: null */
INLAY_API int inlay_simulation_write_json(const inlay_simulation *simulation, const char *scale,
                                          const inlay_result_context *context, const char *path, inlay_diag *diag);
INLAY_API int inlay_engine_run_write_json(const inlay_engine_run *run, const inlay_result_context *context,
                                          const char *path, inlay_diag *diag);
INLAY_API int inlay_scheduled_write_json(const inlay_scheduled *run, const inlay_result_context *context,
                                         const char *path, inlay_diag *diag);
INLAY_API int inlay_speedup_write_json(const inlay_speedup_result *speedup, const inlay_result_context *context,
                                       const char *path, inlay_diag *diag);
INLAY_API int inlay_capture_write_json(const inlay_capture *capture, const inlay_result_context *context,
                                       const char *path, inlay_diag *diag);
INLAY_API int inlay_applied_write_json(const inlay_applied *applied, const inlay_result_context *context,
                                       const char *path, inlay_diag *diag);
INLAY_API int inlay_pareto_write_json(const inlay_pareto_result *front, const inlay_result_context *context,
                                      const char *path, inlay_diag *diag);
INLAY_API int inlay_advice_write_json(const inlay_advice *advice, const inlay_result_context *context, const char *path,
                                      inlay_diag *diag);
INLAY_API int inlay_findings_write_json(const inlay_findings *findings, const inlay_result_context *context,
                                        const char *path, inlay_diag *diag);

INLAY_API int inlay_profiled_write_json(const inlay_profiled *profiled, const inlay_result_context *context,
                                        const char *path, inlay_diag *diag);
INLAY_API int inlay_delay_study_write_json(const inlay_delay_study *study, const inlay_result_context *context,
                                           const char *path, inlay_diag *diag);

/** What is told of applications beside the rest; zero-initialise, then set what is wanted. */
typedef struct inlay_app_facts {
    inlay_id processors; /**< that work is divided by */
    double bandwidth;    /**< of inlay_app_ccr() */
    bool parallelism;    /**< the profile of inlay_app_parallelism() */
} inlay_app_facts;

INLAY_API int inlay_apps_write_json(const inlay_app *const *apps, size_t count, const inlay_app_facts *facts,
                                    const inlay_result_context *context, const char *path, inlay_diag *diag);
INLAY_API int inlay_machines_write_json(const inlay_machine *const *machines, size_t count,
                                        const inlay_result_context *context, const char *path, inlay_diag *diag);

/** @param app  what the graph became with the options */
INLAY_API int inlay_stochastic_write_json(const inlay_stochastic *graph, const inlay_stochastic_options *options,
                                          const inlay_app *app, const inlay_result_context *context, const char *path,
                                          inlay_diag *diag);

/** @param output  the program's file, of so many bytes; -1 where that is not known */
INLAY_API int inlay_synth_write_json(const inlay_synth *synth, const char *output, int64_t bytes,
                                     const inlay_result_context *context, const char *path, inlay_diag *diag);
INLAY_API int inlay_process_result_write_json(const inlay_process_result *result, const inlay_result_context *context,
                                              const char *path, inlay_diag *diag);
INLAY_API int inlay_explained_write_json(const inlay_explained *explained, const inlay_result_context *context,
                                         const char *path, inlay_diag *diag);
INLAY_API int inlay_grid_result_write_json(const inlay_grid_result *result, const inlay_result_context *context,
                                           const char *path, inlay_diag *diag);

INLAY_API int inlay_compression_write_json(const inlay_compression *compression, const inlay_result_context *context,
                                           const char *path, inlay_diag *diag);

/** What `inlay measure` prints. */
INLAY_API int inlay_fitted_write_json(const inlay_fitted *fitted, const inlay_result_context *context, const char *path,
                                      inlay_diag *diag);
INLAY_API int inlay_measured_run_write_json(const inlay_measured_run *run, const inlay_result_context *context,
                                            const char *path, inlay_diag *diag);
INLAY_API int inlay_study_summary_write_json(const inlay_study_summary *summary, const inlay_result_context *context,
                                             const char *path, inlay_diag *diag);
INLAY_API int inlay_runs_write_json(const inlay_runs *runs, const inlay_result_context *context, const char *path,
                                    inlay_diag *diag);
INLAY_API int inlay_select_result_write_json(const inlay_select_result *result, const inlay_result_context *context,
                                             const char *path, inlay_diag *diag);

/* ---- What they write with --csv: a line a row behind one of names; what there is not is an empty field ---- */

INLAY_API int inlay_sweep_write_csv(const inlay_sweep_result *sweep, const char *path, inlay_diag *diag);
INLAY_API int inlay_comparison_write_csv(const inlay_comparison *comparison, const char *path, inlay_diag *diag);
INLAY_API int inlay_capture_write_csv(const inlay_capture *capture, const char *path, inlay_diag *diag);
INLAY_API int inlay_study_summary_write_csv(const inlay_study_summary *summary, const char *path, inlay_diag *diag);
INLAY_API int inlay_speedup_write_csv(const inlay_speedup_result *speedup, const char *path, inlay_diag *diag);

/** A line a module of the first replication: name, processor, when it was ready, taken, started and ended. */
INLAY_API int inlay_scheduled_write_modules(const inlay_scheduled *run, const char *path, inlay_diag *diag);
INLAY_API int inlay_advice_write_csv(const inlay_advice *advice, const char *path, inlay_diag *diag);
INLAY_API int inlay_pareto_write_csv(const inlay_pareto_result *front, const char *path, inlay_diag *diag);

/** Time over the number of processes. @param unit  of the times */
INLAY_API int inlay_process_points_write_csv(const inlay_process_point *point, size_t count, inlay_unit unit,
                                             const char *path, inlay_diag *diag);

/** A curve of inlay_select_curve(). */
INLAY_API int inlay_selection_write_csv(const inlay_selection *curve, const inlay_metasystem *metasystem,
                                        const char *path, inlay_diag *diag);

INLAY_API int inlay_profiled_write_csv(const inlay_profiled *profiled, const char *path, inlay_diag *diag);
INLAY_API int inlay_delay_study_write_csv(const inlay_delay_study *study, const char *path, inlay_diag *diag);
INLAY_API int inlay_runs_write_csv(const inlay_runs *runs, const char *path, inlay_diag *diag);
INLAY_API int inlay_grid_ranking_write_csv(const inlay_grid_ranking *ranking, const char *path, inlay_diag *diag);

#endif
