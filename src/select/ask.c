/* All that a question of selection asks for: the method's answer, what is beside it, and where tasks run. */
#include "select/wish.h"
#include "base/diag.h"
#include "base/memory.h"
#include <inlay/select.h>
#include <inlay/units.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What was found, and all that it points to. */
typedef struct found {
    inlay_select_result told;
    inlay_selection *best, *front, *several, *reference, *single, *given, *curve;
    inlay_task_placement *placement;
    const inlay_configuration **next;
} found;

static const inlay_domain *domain_of(const found *of)
{
    return inlay_domain_of(of->told.asked.program);
}

/* ---- Configurations ---- */

static int select_by(const found *of, inlay_select_method method, int32_t best, inlay_selection **selection,
                     inlay_diag *diag)
{
    const inlay_select_question *asked = &of->told.asked;
    inlay_select_options options = asked->options;
    options.method = method;
    options.best = best;
    return inlay_select(domain_of(of), asked->metasystem, &asked->terms, &options, selection, diag);
}

/* Asked for several at once, all methods but the exact one give them with the best. */
static const inlay_selection *all_found(const found *of)
{
    return of->several != NULL ? of->several : of->best;
}

static int list_next(found *of)
{
    inlay_select_result *told = &of->told;
    const inlay_configuration *c;
    size_t most = (size_t)told->asked.options.best, bytes = told->asked.metasystem->clusters * sizeof *c->processors;
    of->next = memory_array(most, sizeof *of->next);
    told->next = of->next;
    for (size_t n = 0; of->next != NULL && told->next_count < most; n++) {
        c = inlay_selection_at(all_found(of), n);
        if (c == NULL) {
            break;
        }
        if (c->t_comp < INLAY_SELECT_UNFIT && memcmp(c->processors, told->chosen->processors, bytes) != 0) {
            of->next[told->next_count++] = c;
        }
    }
    return of->next != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

/* What a heuristic's answer is beside the exact method's, where that takes the question. */
static void find_reference(found *of)
{
    inlay_select_result *told = &of->told;
    inlay_select_method method = told->asked.options.method;
    if (method == INLAY_SELECT_EXACT || method == INLAY_SELECT_EXHAUSTIVE ||
        select_by(of, INLAY_SELECT_EXACT, 1, &of->reference, NULL) != INLAY_OK) {
        return;
    }
    told->exact = inlay_selection_at(of->reference, 0);
    told->exact_is_optimal = inlay_selection_optimal(of->reference);
    told->lower_bound = inlay_selection_lower_bound(of->reference);
    told->optimal = told->exact_is_optimal && told->chosen->t_cycle <= told->exact->t_cycle * (1 + 1e-12);
}

/*
 * The exact method is fastest where it is asked for one; what it then says of several may prove less. Of several it gives
 * the one with the fewest processors where cycles are equally long: so many are asked for, however many are to be shown.
 */
static int find_best(found *of, inlay_diag *diag)
{
    enum { ASKED = 16 };
    inlay_select_result *told = &of->told;
    inlay_select_method method = told->asked.options.method;
    int32_t several = told->asked.options.best < ASKED ? ASKED : told->asked.options.best + 1;
    int status = select_by(of, method, method == INLAY_SELECT_EXACT ? 1 : several, &of->best, diag);
    if (status == INLAY_OK && method == INLAY_SELECT_EXACT) {
        status = select_by(of, method, several, &of->several, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    const inlay_configuration *first = inlay_selection_at(all_found(of), 0);
    told->chosen = inlay_selection_at(of->best, 0);
    if (first->t_cycle <= told->chosen->t_cycle) {
        told->chosen = first;
    }
    if (told->chosen->t_comp >= INLAY_SELECT_UNFIT) {
        return diag_fail(diag, INLAY_NO_ANSWER, "the units do not fit all processors together");
    }
    told->lower_bound = inlay_selection_lower_bound(of->best);
    told->optimal = inlay_selection_optimal(of->best);
    told->looked_at = inlay_selection_looked_at(of->best);
    find_reference(of);
    return list_next(of);
}

/* ---- What is wished ---- */

static wish_terms terms_of(const inlay_metasystem *m)
{
    wish_terms terms = {.unit = m->time_unit, .currency = m->currency};
    for (size_t i = 0; i < m->clusters; i++) {
        terms.priced = terms.priced || m->cluster[i].price > 0;
        terms.powered = terms.powered || m->cluster[i].power > 0;
    }
    return terms;
}

static int choose(found *of, const wish_terms *terms, inlay_diag *diag)
{
    size_t count = inlay_selection_count(of->front), choice = 0;
    wish_point *point = memory_array(count, sizeof *point);
    if (point == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const inlay_configuration *c = inlay_selection_at(of->front, i);
        point[i] = (wish_point){c->t_elapsed, c->price, c->energy, c->total};
    }
    int status = wish_choose(&of->told.asked.wish, terms, point, count, &choice, diag);
    of->told.chosen = inlay_selection_at(of->front, choice);
    free(point);
    return status;
}

static int find_wished(found *of, inlay_diag *diag)
{
    inlay_select_result *told = &of->told;
    const inlay_select_question *asked = &told->asked;
    const wish_terms terms = terms_of(asked->metasystem);
    inlay_advise_by by = inlay_wish_by(&asked->wish);
    inlay_select_beside beside = by == INLAY_ADVISE_ENERGY       ? INLAY_SELECT_ENERGY
                                 : by == INLAY_ADVISE_EFFICIENCY ? INLAY_SELECT_EFFICIENCY
                                                                 : INLAY_SELECT_NOTHING;
    int status = wish_check(&asked->wish, &terms, diag);
    status = status == INLAY_OK ? inlay_select_front(domain_of(of), asked->metasystem, &asked->terms, &asked->options,
                                                     beside, &of->front, diag)
                                : status;
    status = status == INLAY_OK ? choose(of, &terms, diag) : status;
    if (status == INLAY_OK) {
        told->front = of->front;
        told->optimal = inlay_selection_optimal(of->front);
        told->looked_at = inlay_selection_looked_at(of->front);
    }
    return status;
}

/* Where another method takes the question, that is the remedy. */
static int refuse(const found *of, int status, inlay_diag *diag)
{
    inlay_select_method method = of->told.asked.options.method;
    bool falls = status == INLAY_BAD_ARGUMENT && method == INLAY_SELECT_EXACT;
    bool many = status == INLAY_NO_ANSWER && method == INLAY_SELECT_EXHAUSTIVE;
    inlay_select_method other = falls ? INLAY_SELECT_H3 : INLAY_SELECT_EXACT;
    inlay_selection *answer = NULL;
    if ((falls || many) && select_by(of, other, 1, &answer, NULL) == INLAY_OK) {
        diag_remedy(diag, "--method", "%s", inlay_select_method_name(other));
    }
    inlay_selection_free(answer);
    return status;
}

/* One processor is the first point of every curve, and the only one for which it need not search. */
static int find_others(found *of, inlay_diag *diag)
{
    const inlay_select_options shortest_search = {.limit = 1};
    inlay_select_result *told = &of->told;
    const inlay_select_question *asked = &told->asked;
    int status =
        inlay_select_curve(domain_of(of), asked->metasystem, &asked->terms, &shortest_search, 2, &of->single, diag);
    if (status == INLAY_OK && asked->points > 0) {
        status =
            inlay_select_curve(domain_of(of), asked->metasystem, &asked->terms, NULL, asked->points, &of->curve, diag);
    }
    if (status == INLAY_OK && asked->given != NULL) {
        status = inlay_select_evaluate(domain_of(of), asked->metasystem, &asked->terms, asked->given, &of->given, diag);
    }
    told->single = of->single != NULL ? inlay_selection_at(of->single, 0) : NULL;
    told->single = told->single != NULL && told->single->t_comp < INLAY_SELECT_UNFIT ? told->single : NULL;
    told->given = of->given != NULL ? inlay_selection_at(of->given, 0) : NULL;
    if (status == INLAY_OK && told->given != NULL && told->given->t_comp >= INLAY_SELECT_UNFIT) {
        return diag_fail(diag, INLAY_NO_ANSWER, "the units do not fit the configuration that is given");
    }
    told->curve = of->curve;
    return status;
}

/* ---- The run, communication and placement ---- */

static void find_cycles(found *of)
{
    const inlay_domain *domain = domain_of(of);
    inlay_select_result *told = &of->told;
    double from = inlay_unit_seconds(domain->time_unit), to = inlay_unit_seconds(told->asked.metasystem->time_unit);
    told->cycles = 1;
    if (domain->cycles != NULL) {
        (void)domain->cycles(domain->context, told->chosen->total, &told->cycles, &told->startup, NULL);
    }
    told->startup *= from > 0 && to > 0 ? from / to : 1;
}

/* The pattern of the dominant communication, and its largest message. */
static int find_message(found *of, inlay_diag *diag)
{
    const inlay_domain *domain = domain_of(of);
    inlay_select_result *told = &of->told;
    int32_t phase = told->phases.communication;
    inlay_complexity message = {0};
    int status = domain->pattern(domain->context, phase, &told->pattern, diag);
    status = status == INLAY_OK ? domain->bytes(domain->context, told->chosen->total, phase, &message, diag) : status;
    for (size_t i = 0; status == INLAY_OK && i < told->asked.metasystem->clusters; i++) {
        const inlay_select_share *share = &told->chosen->share[i];
        if (told->chosen->processors[i] > 0) {
            told->bytes = fmax(told->bytes, message.fixed + message.per_unit * (share->share + (share->extra > 0)));
        }
    }
    return status;
}

static int find_placement(found *of, inlay_diag *diag)
{
    inlay_select_result *told = &of->told;
    if (told->phases.communication < 0) {
        return INLAY_OK;
    }
    int status = find_message(of, diag);
    if (status == INLAY_OK) {
        status = inlay_task_placement_make(told->asked.metasystem, told->pattern, told->chosen->processors, told->bytes,
                                           told->chosen->time, &of->placement, diag);
    }
    told->placement = of->placement;
    return status;
}

/* ---- All of it ---- */

static int find_all(found *of, inlay_diag *diag)
{
    inlay_select_result *told = &of->told;
    int status = inlay_select_dominant(domain_of(of), told->asked.metasystem, &told->phases, diag);
    if (status == INLAY_OK && told->asked.wish.wanted) {
        status = find_wished(of, diag);
        if (status != INLAY_OK) {
            return status;
        }
    } else if (status == INLAY_OK) {
        status = find_best(of, diag);
    }
    if (status != INLAY_OK) {
        return refuse(of, status, diag);
    }
    find_cycles(of);
    status = find_placement(of, diag);
    return status == INLAY_OK ? find_others(of, diag) : status;
}

int inlay_select_ask(const inlay_select_question *question, inlay_select_result **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    found *of = memory_zeroed(1, sizeof *of);
    if (of == NULL) {
        return diag_no_memory(diag);
    }
    const char *program = inlay_domain_of(question->program)->name, *metasystem = question->metasystem->name;
    of->told.asked = *question;
    of->told.asked.program_name = program != NULL ? program : question->program_name;
    of->told.asked.metasystem_name = metasystem != NULL ? metasystem : question->metasystem_name;
    int status = find_all(of, diag);
    if (status == INLAY_OK) {
        *result = &of->told;
    } else {
        inlay_select_result_free(&of->told);
    }
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

void inlay_select_result_free(inlay_select_result *result)
{
    found *of = (found *)result; /* its first member */
    if (of == NULL) {
        return;
    }
    inlay_task_placement_free(of->placement);
    inlay_selection_free(of->curve);
    inlay_selection_free(of->given);
    inlay_selection_free(of->single);
    inlay_selection_free(of->reference);
    inlay_selection_free(of->front);
    inlay_selection_free(of->several);
    inlay_selection_free(of->best);
    free(of->next);
    free(of);
}
