/* Questions as networks, and the fastest processors of a network within a time of communication. */
#include "select/networks.h"
#include "select/general.h"
#include <math.h>
#include <string.h>

/* ---- Which questions ---- */

/* R between networks is one price, and nothing is paid within them; the price for messages of the question's length. */
static bool one_price(const select_general *g, double *router)
{
    const general_question *question = g->question;
    const general_communication *c = question->communication;
    bool first = true;
    *router = 0;
    if (question->communications == 0) {
        return true;
    }
    if (question->ways.uniform && g->alone) {
        *router = c->messages[0] * general_price_of(question->ways.price, c->fixed[0]);
        return true;
    }
    for (int32_t i = 0; i < question->clusters; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (question->most[i] == 0 || question->most[j] == 0) {
                continue;
            }
            double price = c->messages[0] * general_price_of(general_way(&question->ways, i, j), c->fixed[0]);
            if (g->group[i] == g->group[j] ? price > 0 : !first && price != *router) {
                return false;
            }
            if (g->group[i] != g->group[j]) {
                *router = price;
                first = false;
            }
        }
    }
    return true;
}

bool select_networks_take(const select_model *model)
{
    double router = 0;
    if (model->curve != NULL || model->router != INLAY_SELECT_SUM ||
        (model->map != INLAY_SELECT_INTEGER && model->map != INLAY_SELECT_REAL)) {
        return false;
    }
    if (model->general == NULL) {
        return true;
    }
    const general_question *question = model->general->question;
    return question->rows == 1 && question->computations == 1 && question->computation[0].per_unit[0] > 0 &&
           question->communications <= 1 &&
           (question->communications == 0 || !general_is_collective(&question->communication[0])) &&
           !model->general->bytes_vary && one_price(model->general, &router);
}

/* ---- Making ---- */

static select_member plain_member(const select_model *model, int32_t i)
{
    return (select_member){.cluster = i,
                           .most = model->most[i],
                           .growth = model->growth[i],
                           .offset = model->offset[i],
                           .slope = model->slope[i],
                           .start = model->fixed_time[i],
                           .unit = model->unit_time[i]};
}

static select_member general_member(const general_question *question, int32_t i)
{
    const general_computation *work = &question->computation[0];
    select_member made = {.cluster = i, .most = question->most[i], .growth = INLAY_GROWTH_CONSTANT};
    made.start = work->fixed[0] * work->time[i];
    made.unit = work->per_unit[0] * work->time[i];
    if (question->communications > 0) {
        const general_communication *c = &question->communication[0];
        const inlay_communication *t = &question->metasystem->cluster[i].communication[c->pattern];
        made.growth = t->growth;
        made.offset = t->c1 + c->fixed[0] * t->c3;
        made.slope = t->c2 + c->fixed[0] * t->c4;
    }
    return made;
}

static void set_question(select_networks *n)
{
    const select_model *model = n->model;
    n->pattern = model->topology;
    n->overlap = model->overlap;
    n->router = model->router_cost;
    if (model->general != NULL) {
        const general_question *question = model->general->question;
        bool any = question->communications > 0;
        n->pattern = any ? question->communication[0].pattern : INLAY_PATTERN_LINE;
        n->overlap = any && question->communication[0].overlap == 0;
        (void)one_price(model->general, &n->router);
    }
    n->units = (double)model->units;
    n->whole = model->map != INLAY_SELECT_REAL;
    n->plain = !n->whole && !model->fixed;
}

/* The members, network by network. */
static void gather(select_networks *n)
{
    const select_model *model = n->model;
    const select_general *g = model->general;
    for (int32_t group = 0; group < (g != NULL ? g->groups : model->clusters); group++) {
        int32_t all = 0;
        n->first[n->groups] = n->members;
        for (int32_t i = g != NULL ? 0 : group; i < (g != NULL ? model->clusters : group + 1); i++) {
            if (model->most[i] > 0 && (g == NULL || g->group[i] == group)) {
                n->member[n->members++] = g != NULL ? general_member(g->question, i) : plain_member(model, i);
                all += model->most[i];
            }
        }
        n->all[n->groups] = all;
        n->groups += all > 0;
    }
    n->first[n->groups] = n->members;
    n->router = n->groups > 1 ? n->router : 0; /* paid by nobody: it must not even round */
}

bool select_networks_make(const select_model *model, select_networks *n)
{
    size_t m = (size_t)model->clusters;
    *n = (select_networks){.model = model};
    n->first = pool_array(&n->arrays, m + 1, sizeof *n->first);
    n->all = pool_array(&n->arrays, m, sizeof *n->all);
    n->member = pool_array(&n->arrays, m, sizeof *n->member);
    n->cap = pool_array(&n->arrays, m, sizeof *n->cap);
    n->weight = pool_array(&n->arrays, m, sizeof *n->weight);
    n->order = pool_array(&n->arrays, m, sizeof *n->order);
    n->chosen = pool_array(&n->arrays, m, sizeof *n->chosen);
    if (n->arrays.failed) {
        return false;
    }
    set_question(n);
    gather(n);
    return true;
}

void select_networks_clear(select_networks *n)
{
    pool_clear(&n->arrays);
    *n = (select_networks){0};
}

/* ---- Times ---- */

double select_member_time(const select_member *member, int32_t together)
{
    return member->offset + member->slope * select_grown(member->growth, together);
}

int32_t select_member_within(const select_member *member, int32_t most, double time)
{
    double grown = (time - member->offset) / member->slope;
    double guess = member->growth == INLAY_GROWTH_LINEAR ? grown
                   : member->growth == INLAY_GROWTH_LOG2 ? exp2(fmin(grown, 64))
                                                         : 0;
    if (member->growth == INLAY_GROWTH_CONSTANT || !(member->slope > 0)) {
        return select_member_time(member, 1) <= time ? most : 0;
    }
    int32_t p = guess < most ? (int32_t)fmax(0, guess) : most;
    while (p < most && select_member_time(member, p + 1) <= time) {
        p++;
    }
    while (p > 0 && select_member_time(member, p) > time) {
        p--;
    }
    return p;
}

/* ---- Speeds ---- */

/* Rounding must not lose a unit that is done just then. */
void select_networks_weigh(select_networks *n, double time)
{
    for (int32_t k = 0; k < n->members; k++) {
        double units = (time * (1 + 1e-13) - n->member[k].start) / n->member[k].unit;
        n->weight[k] = n->whole ? floor(units * (1 + 1e-13)) : units;
    }
}

void select_networks_speeds(select_networks *n)
{
    for (int32_t k = 0; k < n->members; k++) {
        n->weight[k] = 1 / n->member[k].unit;
    }
}

static void put_by_cap(const select_networks *n, int32_t k, int32_t count)
{
    int32_t at = count;
    for (; at > 0 && n->cap[n->order[at - 1]] < n->cap[k]; at--) {
        n->order[at] = n->order[at - 1];
    }
    n->order[at] = k;
}

void select_networks_choose(const select_networks *n, int32_t member, int32_t count)
{
    int32_t at = count;
    for (; at > 0 && n->weight[n->chosen[at - 1]] < n->weight[member]; at--) {
        n->chosen[at] = n->chosen[at - 1];
    }
    n->chosen[at] = member;
}

double select_networks_do(const select_networks *n, int32_t count, int32_t processors, int32_t *taken)
{
    double sum = 0;
    for (int32_t at = 0; at < count; at++) {
        const int32_t k = n->chosen[at];
        int32_t more = n->member[k].most < processors ? n->member[k].most : processors;
        sum += n->weight[k] * more;
        processors -= more;
        if (taken != NULL) {
            taken[n->member[k].cluster] = more;
        }
    }
    return sum;
}

/*
 * The members that may be in use are those whose cap is no less than the processors together: with the one of the least
 * cap given, as many as that.
 */
double select_networks_fill(const select_networks *n, int32_t group, int32_t *processors)
{
    int32_t count = 0, best = -1;
    double most = 0;
    for (int32_t k = n->first[group]; k < n->first[group + 1]; k++) {
        if (processors != NULL) {
            processors[n->member[k].cluster] = 0;
        }
        if (n->cap[k] > 0 && n->weight[k] > 0) {
            put_by_cap(n, k, count++);
        }
    }
    for (int32_t at = 0; at < count; at++) {
        select_networks_choose(n, n->order[at], at);
        if (at + 1 < count && n->cap[n->order[at + 1]] == n->cap[n->order[at]]) {
            continue;
        }
        double sum = select_networks_do(n, at + 1, n->cap[n->order[at]], NULL);
        if (sum > most) {
            most = sum;
            best = at;
        }
    }
    if (processors != NULL && best >= 0) {
        for (int32_t at = 0; at <= best; at++) {
            select_networks_choose(n, n->order[at], at);
        }
        (void)select_networks_do(n, best + 1, n->cap[n->order[best]], processors);
    }
    return most;
}
