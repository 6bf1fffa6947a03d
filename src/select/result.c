/* The result of a selection: its best configurations, unfolded. */
#include "base/diag.h"
#include "base/memory.h"
#include "select/result.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct inlay_selection {
    inlay_configuration *configuration;
    size_t count;
    int32_t *processors; /* one row a configuration */
    inlay_select_share *share;
    double *time;
    double lower_bound;
    bool proven;
    int64_t looked_at;
};

/* ---- Result ---- */

void inlay_selection_free(inlay_selection *selection)
{
    if (selection != NULL) {
        free(selection->configuration);
        free(selection->processors);
        free(selection->share);
        free(selection->time);
        free(selection);
    }
}

static inlay_select_share share_of(const select_model *model, const int32_t *processors, int32_t i)
{
    const select_map *s = &model->scratch;
    if (model->map == INLAY_SELECT_REAL) {
        return (inlay_select_share){.share = s->share[i]};
    }
    bool all = s->extra[i] == processors[i];
    return (inlay_select_share){(double)(s->whole[i] + all), all ? 0 : s->extra[i]};
}

/* Where times have a length, and something has a price, or power. */
static void find_price(const general_question *question, inlay_configuration *c)
{
    double price = 0, power = 0, seconds = question != NULL ? inlay_unit_seconds(question->metasystem->time_unit) : 0;
    bool priced = false, powered = false;
    for (int32_t i = 0; question != NULL && i < question->clusters; i++) {
        const inlay_metasystem_cluster *cluster = &question->metasystem->cluster[i];
        priced = priced || cluster->price > 0;
        powered = powered || cluster->power > 0;
        price += c->processors[i] * cluster->price;
        power += c->processors[i] * cluster->power;
    }
    c->price = priced && seconds > 0 ? price * (c->t_elapsed * seconds / 3600) : NAN;
    c->energy = powered && seconds > 0 ? power * (c->t_elapsed * seconds) : NAN;
}

static void unfold(const select_model *model, const general_question *question, const int32_t *processors,
                   inlay_select_share *share, double *time, inlay_configuration *c)
{
    *c = (inlay_configuration){.processors = processors, .share = share, .time = time, .units = model->units};
    c->t_comm = select_communication(model, processors);
    c->t_cycle = select_cycle(model, processors);
    c->t_comp = select_partition(model, processors);
    const double *general = model->general != NULL ? general_cluster_times(model, processors) : NULL;
    for (int32_t n = 0; model->general != NULL && n < model->general->question->communications; n++) {
        const collective *of = general_algorithm(model, n, processors);
        bool counts = model->general->question->communication[n].phase == question->dominant.communication;
        c->algorithm = counts && of != NULL ? of->name : c->algorithm;
    }
    const bool alone = select_total(model, processors) == 1;
    for (int32_t i = 0; i < model->clusters; i++) {
        share[i] = (inlay_select_share){0};
        time[i] = 0;
        if (processors[i] > 0) {
            share[i] = share_of(model, processors, i);
            time[i] = general != NULL ? general[i] : alone ? 0 : model->time[i][processors[i]];
            c->clusters++;
            c->total += processors[i];
        }
    }
    c->t_elapsed = question != NULL ? general_elapsed(question, c->total, c->t_cycle) : c->t_cycle;
    find_price(question, c);
}

static inlay_selection *make_room(size_t count, size_t clusters)
{
    inlay_selection *made = memory_zeroed(1, sizeof *made);
    if (made == NULL || !(made->configuration = memory_array(count, sizeof *made->configuration)) ||
        !(made->processors = memory_array(count * clusters, sizeof *made->processors)) ||
        !(made->share = memory_array(count * clusters, sizeof *made->share)) ||
        !(made->time = memory_array(count * clusters, sizeof *made->time))) {
        inlay_selection_free(made);
        return NULL;
    }
    made->count = count;
    return made;
}

int select_result(const select_model *model, const general_question *question, const select_best *best,
                  inlay_selection **selection, inlay_diag *diag)
{
    size_t m = (size_t)model->clusters;
    size_t count = (size_t)best->kept;
    inlay_selection *made = make_room(count, m);
    if (made == NULL) {
        return diag_no_memory(diag);
    }
    made->lower_bound = best->lower_bound;
    made->proven = best->proven;
    made->looked_at = best->looked_at;
    memcpy(made->processors, best->processors, count * m * sizeof *made->processors);
    for (size_t n = 0; n < count; n++) {
        unfold(model, question, made->processors + n * m, made->share + n * m, made->time + n * m,
               &made->configuration[n]);
        if (!isfinite(made->configuration[n].t_elapsed)) {
            inlay_selection_free(made);
            return diag_fail(diag, INLAY_OVERFLOW, "the time of all cycles together is too large for a number");
        }
    }
    *selection = made;
    return INLAY_OK;
}

size_t inlay_selection_count(const inlay_selection *selection)
{
    return selection->count;
}

const inlay_configuration *inlay_selection_at(const inlay_selection *selection, size_t i)
{
    return i < selection->count ? &selection->configuration[i] : NULL;
}

double inlay_selection_lower_bound(const inlay_selection *selection)
{
    return selection->lower_bound;
}

bool inlay_selection_optimal(const inlay_selection *selection)
{
    return selection->proven;
}

int64_t inlay_selection_looked_at(const inlay_selection *selection)
{
    return selection->looked_at;
}
