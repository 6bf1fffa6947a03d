/* Mappings that are checked, timed and tallied, as the tables of `quality` show them. */
#ifndef BENCH_JUDGED_H
#define BENCH_JUDGED_H

#include <inlay/inlay.h>

enum { JUDGED_TEXT = 400 };

typedef struct judge {
    char app[JUDGED_TEXT], mapping[JUDGED_TEXT]; /**< files of this process */
    inlay_effort effort;
    bool each;   /**< print every case */
    char *text;  /**< of graphs and machines that are written */
    size_t room; /**< of it */
} judge;

/** What was found, that nothing is shorter than `least` by any bound, and how long it took. */
typedef struct judged_answer {
    double elapsed, least, seconds;
    inlay_id processors; /**< used */
} judged_answer;

/** From the environment: INLAY_EFFORT, INLAY_EACH, TMPDIR. */
void judged_begin(judge *q);
void judged_end(judge *q);

/** A machine string, or text of DOT that begins with `graph`. */
int judged_machine(const char *text, inlay_machine **machine);

/**
 * Map what stands in q->app, and look at it by the independent checker.
 * @param options  with the effort of `q` in place of theirs
 * @return INLAY_OK; or a status: what is wrong has been printed, unless the method refuses the problem (INLAY_BAD_ARGUMENT)
 */
int judged_map(const judge *q, const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
               judged_answer *found);

/* ---- Beside optima ---- */

typedef struct judged_tally {
    int cases, optimal, proven, wrong; /**< wrong: a lower bound above the optimum */
    double ratios, worst, seconds, slowest;
} judged_tally;

void judged_count(judged_tally *t, const judged_answer *a, double optimum);
void judged_add(judged_tally *all, const judged_tally *t);
void judged_head(const char *title);
void judged_print(const char *name, const judged_tally *t);

/** The next random number below a limit; the same everywhere. */
int judged_below(uint64_t *state, int limit);

#endif
