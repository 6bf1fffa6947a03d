/* All configurations, one after the other. */
#include "base/diag.h"
#include "select/best.h"
#include "select/front.h"
#include <string.h>

/* The next configuration with the last cluster turning fastest; false after the last one. */
static bool turn(const select_model *model, int32_t *processors)
{
    for (int32_t i = model->clusters - 1; i >= 0; i--) {
        if (processors[i] < model->most[i]) {
            processors[i]++;
            return true;
        }
        processors[i] = 0;
    }
    return false;
}

int select_exhaustive(const select_model *model, int64_t limit, int32_t *processors, select_front *front,
                      select_best *best, inlay_diag *diag)
{
    double configurations = 1;
    for (int32_t i = 0; i < model->clusters; i++) {
        configurations *= model->most[i] + 1.0;
    }
    if (configurations - 1 > (double)limit) {
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "there are %.6g configurations; the limit of the exhaustive method is %lld: the exact method "
                         "needs no such limit",
                         configurations - 1, (long long)limit);
    }
    memset(processors, 0, (size_t)model->clusters * sizeof *processors);
    while (turn(model, processors)) {
        if (front != NULL) {
            select_front_offer(front, processors);
        } else {
            select_best_offer(best, processors, select_cycle(model, processors));
        }
        best->looked_at++;
    }
    best->lower_bound = front != NULL ? 0 : best->cost[0];
    best->proven = true;
    return INLAY_OK;
}
