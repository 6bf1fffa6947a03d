/*
 * Pictures: of applications (modules at once over time), of a mapping (one box a processor, the traffic on the links), of its machine, of delay functions, of
 * estimates, of a sweep, of a front, of a selection, of numbers of processes, of a simulation, of runs beside their
 * predictions, of grid decompositions, of costs over sizes, and of meshes in parts.
 *
 * Of a mapping: above `max_modules` modules (default 60) boxes stand for clusters, without their modules; above
 * `max_clusters` clusters (default 300) the picture is refused and the message names the override. Graphviz draws them
 * and keeps state of its own: no two of them at the same time in two threads.
 */
#ifndef INLAY_RENDER_H
#define INLAY_RENDER_H

#include <inlay/advise.h>
#include <inlay/compare.h>
#include <inlay/decompose.h>
#include <inlay/delay.h>
#include <inlay/mapping.h>
#include <inlay/measured.h>
#include <inlay/pareto.h>
#include <inlay/processes.h>
#include <inlay/select.h>
#include <inlay/simulate.h>
#include <inlay/speedup.h>
#include <inlay/study_summary.h>
#include <inlay/sweep.h>

typedef struct inlay_picture {
    inlay_id max_modules;  /**< 0: 60 */
    inlay_id max_clusters; /**< 0: 300 */
} inlay_picture;

INLAY_API int inlay_mapping_draw_dot(const inlay_mapping *mapping, const inlay_picture *picture, const char *path,
                                     inlay_diag *diag);
INLAY_API int inlay_mapping_draw_svg(const inlay_mapping *mapping, const inlay_picture *picture, const char *path,
                                     inlay_diag *diag);

/* ---- Applications ---- */

/** Parallelism profiles (inlay_app_parallelism()) of 1 to 42 applications with one unit of time, as one SVG picture. */
INLAY_API int inlay_parallelism_draw_svg(const inlay_app *const *apps, size_t count, const char *path,
                                         inlay_diag *diag);

/* ---- Machines ---- */

/**
 * The mapping's machine as one SVG picture: its hosts where the family has them (a mesh as a grid, a ring as a circle, a
 * tree level by level, other machines where Graphviz puts them), the clusters in their boxes, and its links coloured by
 * their utilisation, the wider the larger their capacity. Of many hosts the boxes show numbers, of more their colours.
 * INLAY_BAD_ARGUMENT for a machine without links, INLAY_NO_ANSWER for one of more than 4096 hosts, or 1024 hosts where
 * Graphviz has to find the places: no two of these at the same time in two threads.
 */
INLAY_API int inlay_mapping_draw_machine_svg(const inlay_mapping *mapping, const char *path, inlay_diag *diag);

/* ---- Delay functions ---- */

/** An operating point: a dot on the curve of its machine, with its u and tau in words. */
typedef struct inlay_delay_mark {
    size_t machine;          /**< which of the machines drawn */
    inlay_delay_point point; /**< of its delay function */
    const char *label;       /**< stands before the words; NULL: the words alone */
} inlay_delay_mark;

typedef struct inlay_delay_picture {
    const inlay_delay_mark *marks;
    size_t mark_count;
} inlay_delay_picture;

/**
 * The delay functions of machines as one SVG picture: tau over the load u / u_limit. tau is in one unit where all
 * machines count traffic in the same thing and their units of time convert, else it is divided by its value on the
 * idle network; the axis says which. Where the error of a formula is known, a pale band shows where the truth lies.
 * @param picture  NULL: no operating points
 * INLAY_BAD_ARGUMENT for no machine, for more than can be told apart (42), and for marks of a machine that is not drawn
 * or with numbers that are not finite.
 */
INLAY_API int inlay_delay_draw_svg(const inlay_delay *const *delays, size_t count, const inlay_delay_picture *picture,
                                   const char *path, inlay_diag *diag);

/* ---- Elapsed times ---- */

/** One elapsed time, cut into what it is made of, or the reason why there is none. */
typedef struct inlay_bar {
    const char *group;                      /**< the title of its group: an application */
    bool begins_group;                      /**< else it stands in that of the bar before */
    const char *name;                       /**< what stands before it: a machine */
    const char *unit;                       /**< of its group's times, a word: "ticks" */
    bool answered;                          /**< else there is no time */
    double critical_path, compute, network; /**< as in inlay_bottleneck */
    const char *words;                      /**< what stands behind it, or in its place */
    double low, high;                       /**< nine of ten runs end between these; high 0: not known */
} inlay_bar;

/**
 * Elapsed times as horizontal bars, one SVG picture; every group has an axis of its own. Long texts are cut.
 * INLAY_BAD_ARGUMENT for no bar or more than 300, and for numbers that are negative or not finite.
 */
INLAY_API int inlay_bars_draw_svg(const inlay_bar *bars, size_t count, const char *path, inlay_diag *diag);

/** The rows of a comparison as such bars. */
INLAY_API int inlay_comparison_draw_svg(const inlay_comparison *comparison, const char *path, inlay_diag *diag);

/* ---- Sweeps ---- */

/**
 * A sweep as one SVG picture of three charts below each other, all over T: clusters with the time frames that stand out;
 * the estimates of the elapsed time; the mean delay. Where all fits, messages included, the ground is shaded. Of more
 * rows than can be told apart only some are drawn.
 */
INLAY_API int inlay_sweep_draw_svg(const inlay_sweep_result *sweep, const char *path, inlay_diag *diag);

/* ---- Fronts ---- */

/**
 * Elapsed time against processors as one SVG picture: the front as steps, its knee and its end marked, the mappings that
 * use all processors and gain nothing by it as single points (of many only some), and the lower bound dashed.
 */
INLAY_API int inlay_pareto_draw_svg(const inlay_pareto_result *result, const char *path, inlay_diag *diag);

/**
 * The front of an advice as one SVG picture: time against price (processors, where nothing has a price), as steps, with the
 * intervals of its points as bars, the other candidates as dots, and the choice and the deadline marked. INLAY_NO_ANSWER
 * where nothing was mapped, or has a price.
 */
INLAY_API int inlay_advice_draw_svg(const inlay_advice *advice, const char *path, inlay_diag *diag);

/**
 * Elapsed time against cores under a run-time scheduler: pale where 90 % of the replications lie, the lower bound dashed.
 */
INLAY_API int inlay_speedup_draw_svg(const inlay_speedup_result *result, const char *path, inlay_diag *diag);

/* ---- Studies ---- */

typedef enum inlay_study_plot {
    INLAY_STUDY_AUTO,  /**< lines where values stand against a column, else boxes */
    INLAY_STUDY_BOXES, /**< a box a group: quartiles, median, mean, whiskers to the outer quantiles, least and most */
    INLAY_STUDY_LINES, /**< a line of medians a group, up to three of them in bands from the first quantile to the last */
    INLAY_STUDY_PROFILE /**< of each competitor the share of cases in which its ratio to the best is at most so much */
} inlay_study_plot;

/**
 * Rows of a study as one SVG picture. Scales of positive values are logarithmic where they reach over more than two
 * decades. INLAY_BAD_ARGUMENT for lines without `against`, a profile where nothing competes, and for more boxes (200) or
 * lines (42) than can be told apart.
 */
INLAY_API int inlay_study_summary_draw_svg(const inlay_study_summary *summary, inlay_study_plot plot, const char *path,
                                           inlay_diag *diag);

/* ---- Selections ---- */

typedef struct inlay_selection_picture {
    const char *title;
    const char *unit;                  /**< of all times, a word: "us" */
    const inlay_configuration *chosen; /**< marked, whether it is one of the curve's or not; NULL: none */
    const char *label;                 /**< of the mark */
} inlay_selection_picture;

/**
 * The best cycle of each number of processors, as inlay_select_curve() gives it, as one SVG picture of bars: T_comp and
 * T_comm stand on each other where T_c is their sum everywhere, else beside each other, the larger one outlined. Bars
 * above eight times the shortest cycle are cut. INLAY_BAD_ARGUMENT for more than 400 numbers of processors, and for
 * times that are not above 0 or not finite.
 */
INLAY_API int inlay_selection_draw_svg(const inlay_selection *curve, const inlay_selection_picture *picture,
                                       const char *path, inlay_diag *diag);

/** Draws the front of a result that has one: time against price, or where nothing has a price processors. */
INLAY_API int inlay_selection_draw_front(const inlay_select_result *result, const char *path, inlay_diag *diag);

/* ---- Numbers of processes ---- */

typedef struct inlay_process_picture {
    const char *title;
    const char *unit;                  /**< of all times, a word: "s" */
    const inlay_process_point *points; /**< by rising total */
    size_t count;
    inlay_process_point chosen; /**< marked, whether it is one of the points or not */
    const char *label;          /**< of the mark */
    double hoho, hohe;          /**< times of the two strategies */
} inlay_process_picture;

/**
 * Time over the number of processes, as inlay_processes_curve() gives it, as one SVG picture: the line is broken where
 * no placement is fast enough; HoHo and HoHe are lines across. INLAY_BAD_ARGUMENT for times that are not above 0 or not
 * finite, other than NaN of a point, and for totals that do not rise.
 */
INLAY_API int inlay_processes_draw_svg(const inlay_process_picture *picture, const char *path, inlay_diag *diag);

/* ---- Simulations ---- */

/**
 * The recorded run as a Gantt chart in SVG: a row a processor (of more than 400 processors several share one), a box a
 * module, the critical path marked, messages as lines where there are at most 400. Modules narrower than a pixel become
 * bars, whose shade is the share of the time that they are busy. INLAY_BAD_ARGUMENT where nothing was recorded.
 */
INLAY_API int inlay_simulation_draw_svg(const inlay_simulation *simulation, const char *path, inlay_diag *diag);

/** The first run under a run-time scheduler likewise, without messages and path; grey is what a processor waits for inputs. */
INLAY_API int inlay_scheduled_draw_svg(const inlay_scheduled *run, const char *path, inlay_diag *diag);

/* ---- Runs beside their predictions ---- */

/** A prediction and the runs that it is of. */
typedef struct inlay_measured {
    const char *name;   /**< what it is of, shown by viewers when they are asked; NULL: nothing */
    size_t machine;     /**< which of the picture's */
    double predicted;   /**< elapsed time */
    const double *runs; /**< elapsed time of each, as it was measured */
    size_t run_count;
} inlay_measured;

typedef struct inlay_measured_machine {
    const char *name;  /**< in the legend; a long one is broken behind commas */
    const char *words; /**< a line below it; NULL: none */
} inlay_measured_machine;

typedef struct inlay_measured_picture {
    const char *title;
    const char *predicted; /**< at its axis: "simulated elapsed time" */
    const char *unit;      /**< of all times, a word: "s" */
    const inlay_measured_machine *machines;
    size_t machine_count;
} inlay_measured_picture;

/**
 * Predicted against measured elapsed time, a dot a run, as one SVG picture: a square with logarithmic axes of one scale,
 * the diagonal on which predictions are true, lines 10 % above and below it, and a colour and shape for each machine.
 * INLAY_BAD_ARGUMENT for no row or machine, for more machines than can be told apart (42), for a row without runs or of
 * a machine that is not there, and for times that are not above 0 or not finite.
 */
INLAY_API int inlay_measured_draw_svg(const inlay_measured *rows, size_t count, const inlay_measured_picture *picture,
                                      const char *path, inlay_diag *diag);

/**
 * What was read of runs as such a picture, in seconds, or in ticks where all of them are: INLAY_BAD_ARGUMENT where some are.
 * @param prediction  INLAY_BY_ESTIMATE or INLAY_BY_SIMULATION
 */
INLAY_API int inlay_runs_draw_svg(const inlay_runs *runs, int prediction, const char *path, inlay_diag *diag);

/* ---- Grid decompositions ---- */

typedef struct inlay_decomposition_picture {
    const char *title;
    const char *const *name;           /**< of each processor; NULL: their numbers. Elements may be NULL likewise */
    const double *speed;               /**< of each processor; NULL: not shown */
    const char *speed_unit;            /**< a word behind them: "Mflop/s" */
    const inlay_grid_pattern *pattern; /**< whose messages are drawn as lines; NULL: none */
} inlay_decomposition_picture;

/**
 * Who owns which cells of a grid as one SVG picture: a colour a processor, its name, speed and share, and a line between
 * two processors that send each other messages, the wider the more bytes. Pieces that are no rectangles are looked at in
 * 160 x 160 places at most; of scattered and interleaved cells a corner is drawn. Lines are left out above 400 pairs of processors, and where the cells of a processor lie
 * apart; labels where there is no room. INLAY_BAD_ARGUMENT for more than 10000 processors with cells.
 */
INLAY_API int inlay_decomposition_draw_svg(const inlay_decomposition *decomposition,
                                           const inlay_decomposition_picture *picture, const char *path,
                                           inlay_diag *diag);

typedef struct inlay_crossover_curve {
    const char *name;
    const double *cost; /**< at each size; NAN: none */
} inlay_crossover_curve;

/** A size at which a curve becomes the lowest: a dot with words. */
typedef struct inlay_crossover_mark {
    double size;
    size_t curve;
    const char *words;
} inlay_crossover_mark;

typedef struct inlay_crossover_picture {
    const char *title;
    const char *size_words, *cost_words; /**< at the axes: "rows of the grid" */
    const char *mark_words;              /**< what marks mean */
    const double *size;                  /**< rising, above 0 */
    size_t sizes;
    const inlay_crossover_curve *curve;
    size_t curves;
    const inlay_crossover_mark *mark;
    size_t marks;
} inlay_crossover_picture;

/**
 * Costs over the size of a problem as one SVG picture of two charts below each other: the costs with logarithmic axes,
 * and as multiples of the least one, up to 1.6, with the marks. INLAY_BAD_ARGUMENT for no size, curve or cost above 0, for
 * more than 10000 sizes, 42 curves or 200 marks, and for sizes that do not rise.
 */
INLAY_API int inlay_crossover_draw_svg(const inlay_crossover_picture *picture, const char *path, inlay_diag *diag);

/* ---- Meshes ---- */

typedef struct inlay_mesh_picture {
    const char *title;
    int32_t vertices, parts;
    const double *place; /**< [2 x vertices]: x to the right, y up */
    const int32_t *part; /**< [vertices], 0 .. parts - 1 */
    int64_t edges;
    const int64_t *ends; /**< [2 x edges]: numbers of vertices */
} inlay_mesh_picture;

enum { INLAY_MESH_DRAWN = 20000 /**< vertices at most */ };

/**
 * A mesh divided into parts as one SVG picture: vertices and edges in the colour of their part, edges between parts dark.
 * Parts that are neighbours differ in colour, as far as there are colours. INLAY_NO_ANSWER for more than
 * INLAY_MESH_DRAWN vertices, INLAY_BAD_ARGUMENT for none, for places that are not finite, and for numbers out of range.
 */
INLAY_API int inlay_mesh_draw_svg(const inlay_mesh_picture *picture, const char *path, inlay_diag *diag);

#endif
