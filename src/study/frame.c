/* Time frames that are found for a point: by a mapping without one, or by a sweep. */
#include "study/frame.h"
#include "base/diag.h"
#include "base/plain.h"
#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

enum { ROOM = 64 };

static int set_frame(const char *text, inlay_options *options, inlay_diag *diag)
{
    options->has_time_frame = true;
    return inlay_duration_parse(text, &options->time_frame) == INLAY_OK
               ? INLAY_OK
               : diag_fail(diag, INLAY_OVERFLOW, "T = %s; expected a time that can be counted", text);
}

/* So many times the T that holds where none is given, in billionths. */
static int find_times(double times, const inlay_app *app, const inlay_machine *machine, inlay_options *options,
                      inlay_diag *diag)
{
    inlay_mapping *mapping = NULL;
    inlay_options without = *options;
    without.method = without.method != NULL ? without.method : inlay_method_named("houstis");
    without.max_events = 1; /* nobody asks how long it takes */
    int status = inlay_map(app, machine, &without, &mapping, diag);
    if (status == INLAY_OK) {
        char text[ROOM];
        (void)plain_print(text, ROOM, "%.9f", times * inlay_mapping_summary(mapping)->time_frame);
        status = set_frame(text, options, diag);
    }
    inlay_mapping_free(mapping);
    return status;
}

/* Of those that need no reduction, and do not saturate the network, the first of the shortest with the fewest clusters. */
static const inlay_sweep_row *fewest_of(const inlay_sweep_result *sweep)
{
    const inlay_sweep_row *found = NULL;
    inlay_id most = inlay_sweep_summary_of(sweep)->processors;
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        if (row->clusters <= most && !isnan(row->cost.estimate) && !isnan(row->elapsed) &&
            (found == NULL || row->clusters < found->clusters ||
             (row->clusters == found->clusters && row->elapsed < found->elapsed))) {
            found = row;
        }
    }
    return found;
}

/* Its text; NULL where there is none. */
static const char *frame_of(study_frame which, const inlay_sweep_result *sweep, char text[INLAY_TIME_TEXT])
{
    const inlay_sweep_summary *sum = inlay_sweep_summary_of(sweep);
    const inlay_sweep_point *point = which == STUDY_FRAME_FIT   ? &sum->t_fit
                                     : which == STUDY_FRAME_PAR ? &sum->t_par
                                                                : &sum->best;
    const inlay_sweep_row *row = which == STUDY_FRAME_FEWEST ? fewest_of(sweep) : NULL;
    if (which == STUDY_FRAME_FEWEST) {
        return row != NULL ? inlay_sweep_time_text(sweep, row->time_frame, text) : NULL;
    }
    return point->exists ? strcpy(text, point->text) : NULL;
}

static int find_swept(study_frame which, const inlay_app *app, const inlay_machine *machine, inlay_options *options,
                      inlay_diag *diag)
{
    static const char *const sought[] = {[STUDY_FRAME_FIT] = "T_FIT: at no T all fits on the processors",
                                         [STUDY_FRAME_PAR] = "T_PAR: at no T all fits and all can be active at once",
                                         [STUDY_FRAME_FEWEST] = "such T: at none there are few enough clusters",
                                         [STUDY_FRAME_BEST] = "such T: at none there are few enough clusters"};
    inlay_sweep_result *sweep = NULL;
    inlay_sweep_options asked = {.mapping = *options, .threads = 1};
    if (which == STUDY_FRAME_FIT || which == STUDY_FRAME_PAR) {
        asked.mapping.max_events = 1; /* nobody asks how long they take */
    }
    int status = inlay_sweep(app, machine, &asked, &sweep, diag);
    if (status == INLAY_OK) {
        char text[INLAY_TIME_TEXT];
        const char *found = frame_of(which, sweep, text);
        status =
            found == NULL ? diag_fail(diag, INLAY_NO_ANSWER, "no %s", sought[which]) : set_frame(found, options, diag);
    }
    inlay_sweep_free(sweep);
    return status;
}

int frame_find(const study_variant *of, const inlay_app *app, const inlay_machine *machine, inlay_options *options,
               inlay_diag *diag)
{
    return of->frame == STUDY_FRAME_SAID    ? INLAY_OK
           : of->frame == STUDY_FRAME_TIMES ? find_times(of->times, app, machine, options, diag)
                                            : find_swept(of->frame, app, machine, options, diag);
}
