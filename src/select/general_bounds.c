/* Making what bounds of a general model need, once; T_i that fall are refused. */
#include "select/general_bounds.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

/* ---- T_i that fall ---- */

static int refuse_falling(const select_model *model, const general_communication *c, int32_t i, double bytes,
                          inlay_diag *diag)
{
    const select_general *g = model->general;
    char room[SELECT_NAME];
    double one = general_time(g, c, i, 1, bytes);
    int from = one < 0 ? 0 : 1;
    return general_fail(g->question, GENERAL_COMMUNICATION, c->phase, INLAY_BAD_ARGUMENT, diag,
                        "in %s falls from %g for p = %d to %g for p = %d (messages of %g bytes); expected times "
                        "that do not fall: the exact method needs that, exhaustive and h1 to h3 do not",
                        select_called(model, i, room), from == 0 ? 0 : one, from,
                        from == 0 ? one : general_time(g, c, i, 2, bytes), from + 1, bytes);
}

/* T_i is linear in the bytes of a message and in f(p): its ends decide. */
static int check_rising(const select_model *model, const general_communication *c, int32_t i, double bytes,
                        inlay_diag *diag)
{
    const select_general *g = model->general;
    double one = general_time(g, c, i, 1, bytes);
    if (one < 0 || (g->available[g->group[i]] > 1 && general_time(g, c, i, 2, bytes) < one)) {
        return refuse_falling(model, c, i, bytes, diag);
    }
    return INLAY_OK;
}

static int check_all_rising(const select_model *model, inlay_diag *diag)
{
    const general_question *question = model->general->question;
    int status = INLAY_OK;
    for (int32_t n = 0; n < question->communications; n++) {
        const general_communication *c = &question->communication[n];
        double least = INFINITY;
        for (int32_t row = 0; row < question->rows; row++) {
            least = fmin(least, c->fixed[row]);
        }
        for (int32_t i = 0; status == INLAY_OK && i < model->clusters; i++) {
            if (model->most[i] > 0) {
                status = check_rising(model, c, i, least, diag);
            }
            if (status == INLAY_OK && model->most[i] > 0) {
                status = check_rising(model, c, i, general_most_bytes(question, c), diag);
            }
        }
    }
    return status;
}

/* ---- Ranges ---- */

/* `sign` -1: of the negative numbers, whose least is the most. */
bool general_range_make(general_range *range, const double *amount, int32_t rows, int sign)
{
    double *tree = range->tree = memory_array(2 * (size_t)rows, sizeof *tree);
    if (tree == NULL) {
        return false;
    }
    tree[0] = 0;
    for (int32_t n = 0; n < rows; n++) {
        tree[rows + n] = sign * amount[n];
    }
    for (size_t n = (size_t)rows - 1; n > 0; n--) {
        tree[n] = fmin(tree[2 * n], tree[2 * n + 1]);
    }
    return true;
}

/* Weights of the computations in the map, by rows. */
static bool make_weights(const general_question *question, general_bounds *b)
{
    size_t rows = (size_t)question->rows;
    size_t phases = (size_t)question->computations;
    double *amount = memory_array(2 * rows, phases * sizeof *amount);
    bool made = amount != NULL;
    for (int32_t row = 0; made && row < question->rows; row++) {
        general_weights weights;
        general_weigh(question, row, &weights);
        for (size_t n = 0; n < phases; n++) {
            amount[2 * n * rows + (size_t)row] = weights.per_unit[n];
            amount[(2 * n + 1) * rows + (size_t)row] = weights.fixed[n];
        }
    }
    for (size_t n = 0; made && n < phases; n++) {
        const double *weight = amount + 2 * n * rows;
        made = general_range_make(&b->weight[n], weight, b->rows, 1) &&
               general_range_make(&b->negative_weight[n], weight, b->rows, -1) &&
               general_range_make(&b->start[n], weight + rows, b->rows, 1) &&
               general_range_make(&b->negative_start[n], weight + rows, b->rows, -1);
    }
    free(amount);
    return made;
}

static bool make_ranges(const select_general *g, general_bounds *b)
{
    const general_question *question = g->question;
    bool made = true;
    b->rows = question->rows;
    for (int32_t n = 0; made && n < question->computations; n++) {
        const general_computation *c = &question->computation[n];
        made = general_range_make(&b->per_unit[n], c->per_unit, b->rows, 1) &&
               general_range_make(&b->fixed[n], c->fixed, b->rows, 1);
    }
    for (int32_t n = 0; made && n < question->communications; n++) {
        const general_communication *c = &question->communication[n];
        b->most_bytes[n] = general_most_bytes(question, c);
        made = general_range_make(&b->bytes_per_unit[n], c->per_unit, b->rows, 1) &&
               general_range_make(&b->bytes[n], c->fixed, b->rows, 1) &&
               general_range_make(&b->messages[n], c->messages, b->rows, 1);
    }
    for (int32_t n = 0; made && n < question->communications; n++) {
        made = !general_is_collective(&question->communication[n]) || general_collective_bounds(g, b, n);
    }
    return made && (!g->shares_vary || make_weights(question, b));
}

/* ---- The cheapest ways ---- */

static void take_cheaper(general_price *least, general_price price)
{
    least->latency = fmin(least->latency, price.latency);
    least->per_byte = fmin(least->per_byte, price.per_byte);
}

static void make_free_where_none(general_price *least)
{
    if (least->latency == INFINITY) {
        *least = (general_price){0};
    }
}

/* Latency and time per byte may be those of different ways. */
static void find_cheapest(const select_model *model, const select_general *g, general_bounds *b)
{
    for (int32_t i = 0; i < model->clusters; i++) {
        b->nearby[i] = b->out[i] = (general_price){INFINITY, INFINITY};
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        for (int32_t j = 0; j < model->clusters; j++) {
            if (i == j || model->most[i] == 0 || model->most[j] == 0) {
                continue;
            }
            general_price price = general_way(&g->question->ways, i, j);
            take_cheaper(&b->nearby[i], price);
            if (g->group[i] != g->group[j]) {
                take_cheaper(&b->out[g->group[i]], price);
            }
        }
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        make_free_where_none(&b->nearby[i]);
        make_free_where_none(&b->out[i]);
    }
}

static bool may_fall(const select_model *model, const general_communication *c)
{
    for (int32_t i = 0; !general_is_collective(c) && i < model->clusters; i++) {
        const inlay_communication *t = &model->general->question->metasystem->cluster[i].communication[c->pattern];
        if (model->most[i] > 0 && (t->c3 < 0 || t->c4 < 0)) {
            return true;
        }
    }
    return false;
}

/* ---- All of it ---- */

static bool make_room(const select_model *model, const select_general *g, general_bounds *b)
{
    size_t m = (size_t)model->clusters;
    size_t all = (size_t)g->question->communications * (size_t)g->groups;
    b->out = pool_array(&b->arrays, m, sizeof *b->out);
    b->nearby = pool_array(&b->arrays, m, sizeof *b->nearby);
    b->unit_time = pool_array(&b->arrays, m, sizeof *b->unit_time);
    b->fixed_time = pool_array(&b->arrays, m, sizeof *b->fixed_time);
    b->speed = pool_array(&b->arrays, m, sizeof *b->speed);
    b->share = pool_zeroed(&b->arrays, m, sizeof *b->share);
    b->least = pool_array(&b->arrays, m, sizeof *b->least);
    b->most = pool_array(&b->arrays, m, sizeof *b->most);
    b->possible = pool_array(&b->arrays, m, sizeof *b->possible);
    b->group_time = pool_array(&b->arrays, all, sizeof *b->group_time);
    b->group_lead = pool_array(&b->arrays, all, sizeof *b->group_lead);
    return !b->arrays.failed;
}

/* What T_i, summed over the communications, never falls below with p processors in the cluster itself. */
static void fill_times(select_model *model)
{
    const select_general *g = model->general;
    double *times = model->times;
    for (int32_t i = 0; i < model->clusters; i++) {
        model->time[i] = times;
        times[0] = 0;
        for (int32_t p = 1; p <= model->most[i]; p++) {
            times[p] = 0;
            for (int32_t n = 0; n < g->question->communications; n++) {
                times[p] += general_floor_time(g, n, i, p);
            }
        }
        times += model->most[i] + 1;
    }
}

/* The whole space as a box gives the least message of each cluster. */
static bool make_times(select_model *model)
{
    int32_t *none = memory_zeroed((size_t)model->clusters, sizeof *none);
    if (none != NULL) {
        general_floor_set(model, none, model->most);
        fill_times(model);
    }
    free(none);
    return none != NULL;
}

int general_make_exact(select_model *model, inlay_diag *diag)
{
    select_general *g = model->general;
    int status = check_all_rising(model, diag);
    if (status != INLAY_OK) {
        return status;
    }
    general_bounds *b = g->bounds = memory_zeroed(1, sizeof *b);
    if (b == NULL || !make_room(model, g, b) || !make_ranges(g, b)) {
        return diag_no_memory(diag);
    }
    for (int32_t n = 0; n < g->question->communications; n++) {
        b->groups[n].time = b->group_time + (size_t)n * (size_t)g->groups;
        b->groups[n].lead = b->group_lead + (size_t)n * (size_t)g->groups;
        b->falling[n] = may_fall(model, &g->question->communication[n]);
    }
    find_cheapest(model, g, b);
    return make_times(model) ? INLAY_OK : diag_no_memory(diag);
}

void general_bounds_clear(general_bounds *b)
{
    for (int n = 0; n < INLAY_DOMAIN_PHASES; n++) {
        general_range *const ranges[] = {
            &b->per_unit[n], &b->fixed[n], &b->bytes_per_unit[n],  &b->bytes[n],          &b->messages[n],
            &b->weight[n],   &b->start[n], &b->negative_weight[n], &b->negative_start[n], &b->collective[n]};
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            free(ranges[r]->tree);
        }
    }
    pool_clear(&b->arrays);
    free(b);
}
