/* Shares by curves of time over size: the least time by which all units are done, and who does how many by then. */
#include "base/diag.h"
#include "select/model.h"
#include <inlay/select.h>
#include <math.h>
#include <string.h>

int select_model_take_curves(select_model *model, const inlay_curve *curve, inlay_diag *diag)
{
    size_t points = 0;
    char room[SELECT_NAME];
    if (model->general != NULL || model->map != INLAY_SELECT_INTEGER) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "curves go with whole units, the dominant phases and clusters with networks of their own; "
                         "expected no other terms");
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        if (model->most[i] == 0) {
            continue;
        }
        int status = inlay_curve_check(&curve[i], diag);
        if (status != INLAY_OK) {
            return status;
        }
        if (!inlay_curve_rises(&curve[i])) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "the curve of %s falls; expected times that rise with the size",
                             select_called(model, i, room));
        }
        points = curve[i].points > points ? curve[i].points : points;
    }
    model->span = pool_array(&model->arrays, points + 2, sizeof *model->span);
    model->curve = curve;
    return model->span != NULL ? INLAY_OK : diag_no_memory(diag);
}

/* Units that all processors are done with by a time, into `whole` those of one. */
static select_wide done_by(const select_model *model, const int32_t *processors, double time)
{
    select_wide done = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            size_t spans = curve_within(&model->curve[i], time, model->units, model->span);
            model->scratch.whole[i] = model->span[spans - 1].high;
            done += (select_wide)(uint64_t)model->scratch.whole[i] * (select_wide)(uint32_t)processors[i];
        }
    }
    return done;
}

/* The double before one above 0. */
static double before(double time)
{
    return nextafter(time, 0);
}

static double least_time(const select_model *model, const int32_t *processors)
{
    double most = 0;
    uint64_t low = 0, high = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            most = fmax(most, inlay_curve_time(&model->curve[i], curve_limit(&model->curve[i], model->units)));
        }
    }
    if (done_by(model, processors, most) < (select_wide)(uint64_t)model->units) {
        return INLAY_SELECT_UNFIT;
    }
    memcpy(&high, &most, sizeof high); /* doubles above 0 are in the order of their bits */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        double time = 0;
        memcpy(&time, &middle, sizeof time);
        *(done_by(model, processors, time) >= (select_wide)(uint64_t)model->units ? &high : &low) = middle;
    }
    memcpy(&most, &high, sizeof most);
    return most;
}

/* What is not done by the time before goes to those that do more in the last moment, cluster after cluster. */
double select_curve_time(const select_model *model, const int32_t *processors)
{
    const select_map *s = &model->scratch;
    double time = least_time(model, processors);
    int64_t left = time < INLAY_SELECT_UNFIT ? model->units - (int64_t)done_by(model, processors, before(time)) : 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        s->extra[i] = 0;
        if (processors[i] > 0 && left > 0) {
            size_t spans = curve_within(&model->curve[i], time, model->units, model->span);
            select_wide more = (select_wide)(uint64_t)(model->span[spans - 1].high - s->whole[i]) *
                               (select_wide)(uint32_t)processors[i];
            int64_t given = more < (select_wide)(uint64_t)left ? (int64_t)more : left;
            s->whole[i] += given / processors[i];
            s->extra[i] = (int32_t)(given % processors[i]);
            left -= given;
        }
    }
    return time;
}
