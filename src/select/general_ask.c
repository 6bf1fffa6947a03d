/* A question, asked and checked: processors, phases, times, and amounts for each number of processors. */
#include "base/diag.h"
#include "base/memory.h"
#include "select/general.h"
#include <math.h>
#include <stdlib.h>

/* ---- Units of time ---- */

/* Powers of ten in a second. */
static int exponent_of(inlay_unit unit)
{
    switch (unit) {
    case INLAY_UNIT_MS: return 3;
    case INLAY_UNIT_US: return 6;
    case INLAY_UNIT_NS: return 9;
    default: return 0;
    }
}

/* A time of the domain in the metasystem's unit. Powers of ten up to 10^9 are exact, and so is what they divide. */
static double converted(const general_question *question, double time)
{
    inlay_unit from = question->domain->time_unit;
    inlay_unit to = question->metasystem->time_unit;
    if (from == to || from == INLAY_UNIT_NONE || to == INLAY_UNIT_NONE) {
        return time;
    }
    int steps = exponent_of(to) - exponent_of(from);
    return steps < 0 ? time / pow(10, -steps) : time * pow(10, steps);
}

static int check_unit(const general_question *question, inlay_diag *diag)
{
    inlay_unit program = question->domain->time_unit;
    inlay_unit machine = question->metasystem->time_unit;
    if ((unsigned)program > INLAY_UNIT_TICK) {
        return general_fail(question, GENERAL_PROGRAM, 0, INLAY_BAD_ARGUMENT, diag,
                            "time unit %d is unknown; expected 0 to %d", (int)program, INLAY_UNIT_TICK);
    }
    bool known = program != INLAY_UNIT_NONE && machine != INLAY_UNIT_NONE;
    if (known && (program == INLAY_UNIT_TICK) != (machine == INLAY_UNIT_TICK)) {
        return general_fail(question, GENERAL_PROGRAM, 0, INLAY_BAD_ARGUMENT, diag,
                            "times are in %s, but in %s on the metasystem; expected ticks on both sides or on none",
                            inlay_unit_name(program), inlay_unit_name(machine));
    }
    return INLAY_OK;
}

/* ---- Processors ---- */

static const char *metasystem_name(const general_question *question)
{
    return question->metasystem->name != NULL ? question->metasystem->name : "the metasystem";
}

static int count_processors(general_question *question, inlay_diag *diag)
{
    const inlay_metasystem *metasystem = question->metasystem;
    int64_t available = 0;
    if (metasystem->clusters > INLAY_SELECT_CLUSTERS) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has %zu clusters; expected 1 to %d", metasystem_name(question),
                         metasystem->clusters, INLAY_SELECT_CLUSTERS);
    }
    for (size_t i = 0; i < metasystem->clusters; i++) {
        available += metasystem->cluster[i].available;
    }
    if (available < 1 || available > INLAY_SELECT_PROCESSORS) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s has %lld available processors in all clusters together; expected 1 to %d",
                         metasystem_name(question), (long long)available, INLAY_SELECT_PROCESSORS);
    }
    question->clusters = (int32_t)metasystem->clusters;
    question->available = (int32_t)available;
    return INLAY_OK;
}

/* Of the communications in force that a cluster has no function for, the first; NULL: none. */
static const general_communication *not_given(const general_question *question, int32_t cluster)
{
    for (int32_t n = 0; n < question->communications; n++) {
        const general_communication *c = &question->communication[n];
        const inlay_communication *t = question->metasystem->cluster[cluster].communication;
        const inlay_communication *ring = &t[INLAY_PATTERN_RING];
        /* an algorithm is made of steps of a ring */
        bool given = general_is_collective(c)
                         ? ring->given && ring->growth == INLAY_GROWTH_LINEAR && ring->c2 >= 0 && ring->c4 >= 0
                         : t[c->pattern].given;
        if (!given) {
            return c;
        }
    }
    return NULL;
}

const char *general_lacks(const general_question *question, int32_t cluster)
{
    const general_communication *missing = not_given(question, cluster);
    return missing != NULL ? inlay_pattern_name(missing->pattern) : NULL;
}

/* There are processors, so that some cluster lacks a function. */
static int refuse_all(const general_question *question, const general_communication *missing, inlay_diag *diag)
{
    char what[GENERAL_NAME];
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "no cluster of %s with available processors has a communication function for the pattern %s of "
                     "%s%s; expected one that has%s",
                     metasystem_name(question), inlay_pattern_name(missing->pattern),
                     general_communication_name(question->domain, missing->phase, what),
                     question->communications > 1 ? " and for those of all others" : "",
                     general_is_collective(missing) ? " a ring with f=linear" : "");
}

static int find_usable(general_question *question, inlay_diag *diag)
{
    const general_communication *missing = NULL;
    bool any = false;
    question->most = memory_zeroed((size_t)question->clusters, sizeof *question->most);
    if (question->most == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < question->clusters; i++) {
        int32_t available = question->metasystem->cluster[i].available;
        const general_communication *lacks = not_given(question, i);
        if (available > 0 && lacks != NULL) {
            missing = missing == NULL ? lacks : missing;
        } else {
            question->most[i] = available;
            any = any || available > 0;
        }
    }
    return any || missing == NULL ? INLAY_OK : refuse_all(question, missing, diag);
}

/* ---- Phases in force ---- */

static bool make_computation(const general_question *question, const general_phases *phases, int32_t phase,
                             general_computation *c)
{
    c->phase = phase;
    c->part = (double)phases->units[phase] / (double)question->units;
    return (c->per_unit = memory_array((size_t)question->rows, sizeof *c->per_unit)) != NULL &&
           (c->fixed = memory_array((size_t)question->rows, sizeof *c->fixed)) != NULL &&
           (c->time = memory_zeroed((size_t)question->clusters, sizeof *c->time)) != NULL &&
           (c->speed = memory_zeroed((size_t)question->clusters, sizeof *c->speed)) != NULL;
}

static bool make_communication(const general_question *question, const general_phases *phases, int32_t phase,
                               general_communication *c)
{
    c->phase = phase;
    c->pattern = phases->pattern[phase];
    c->overlap = phases->overlap[phase];
    c->algorithm = phases->algorithm[phase];
    c->sizes = phases->sizes[phase];
    if (!question->terms.all_phases) {
        c->overlap = question->dominant.overlap ? 0 : -1;
    }
    return (c->per_unit = memory_array((size_t)question->rows, sizeof *c->per_unit)) != NULL &&
           (c->fixed = memory_array((size_t)question->rows, sizeof *c->fixed)) != NULL &&
           (c->messages = memory_array((size_t)question->rows, sizeof *c->messages)) != NULL;
}

/* All phases, or those that dominate. */
static bool choose_phases(general_question *question, const general_phases *phases)
{
    bool all = question->terms.all_phases;
    int32_t computations = all ? question->domain->computations : 1;
    int32_t communications = all ? question->domain->communications : question->dominant.communication >= 0;
    question->computation = memory_zeroed((size_t)computations, sizeof *question->computation);
    question->communication = memory_zeroed((size_t)communications, sizeof *question->communication);
    if (question->computation == NULL || question->communication == NULL) {
        return false;
    }
    question->computations = computations;
    question->communications = communications;
    question->main = all ? question->dominant.computation : 0;
    bool made = true;
    for (int32_t n = 0; made && n < computations; n++) {
        int32_t phase = all ? n : question->dominant.computation;
        made = make_computation(question, phases, phase, &question->computation[n]);
    }
    for (int32_t n = 0; made && n < communications; n++) {
        int32_t phase = all ? n : question->dominant.communication;
        made = make_communication(question, phases, phase, &question->communication[n]);
    }
    return made;
}

/* ---- Times of an instruction ---- */

static int ask_time(const general_question *question, general_computation *c, int32_t cluster, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    const inlay_metasystem_cluster *machine = &question->metasystem->cluster[cluster];
    double time = 0;
    if (domain->arch_cost != NULL) {
        int status = domain->arch_cost(domain->context, c->phase, machine, &time, diag);
        if (status != INLAY_OK) {
            return general_refused(question, status, "arch_cost", diag);
        }
    }
    if (!(time >= 0) || !isfinite(time)) {
        return general_fail(question, GENERAL_COMPUTATION, c->phase, INLAY_BAD_ARGUMENT, diag,
                            "takes %g for an instruction on cluster %s; expected a number above 0, or 0 for its rate",
                            time, machine->name);
    }
    if (time == 0 && machine->rate == 0) {
        return general_fail(question, GENERAL_COMPUTATION, c->phase, INLAY_BAD_ARGUMENT, diag,
                            "has no arch_cost on cluster %s, which has no rate; expected one of the two",
                            machine->name);
    }
    c->time[cluster] = time > 0 ? converted(question, time) : 1 / machine->rate;
    c->speed[cluster] = time > 0 ? 1 / c->time[cluster] : machine->rate;
    if (!(c->time[cluster] > 0) || !isfinite(c->time[cluster]) || !isfinite(c->speed[cluster])) {
        return general_fail(question, GENERAL_COMPUTATION, c->phase, INLAY_OVERFLOW, diag,
                            "takes too long or too short a time for an instruction on cluster %s", machine->name);
    }
    return INLAY_OK;
}

static int ask_times(const general_question *question, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (int32_t n = 0; n < question->computations; n++) {
        for (int32_t i = 0; status == INLAY_OK && i < question->clusters; i++) {
            if (question->most[i] > 0) {
                status = ask_time(question, &question->computation[n], i, diag);
            }
        }
    }
    return status;
}

/* ---- Amounts ---- */

static int ask_messages(const general_question *question, int32_t processors, general_communication *c, double *k,
                        inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    *k = 1;
    if (domain->messages == NULL) {
        return INLAY_OK;
    }
    int status = domain->messages(domain->context, processors, c->phase, k, diag);
    if (status != INLAY_OK) {
        return general_refused(question, status, "messages", diag);
    }
    if (!(*k > 0) || !isfinite(*k)) {
        return general_fail(question, GENERAL_COMMUNICATION, c->phase, INLAY_BAD_ARGUMENT, diag,
                            "has %g messages between clusters with %d processors; expected a number above 0", *k,
                            (int)processors);
    }
    return INLAY_OK;
}

static int ask_cycles(const general_question *question, int32_t processors, double *cycles, double *startup,
                      inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    *cycles = 1;
    *startup = 0;
    if (domain->cycles == NULL) {
        return INLAY_OK;
    }
    int status = domain->cycles(domain->context, processors, cycles, startup, diag);
    if (status != INLAY_OK) {
        return general_refused(question, status, "cycles", diag);
    }
    if (!(*cycles > 0) || !isfinite(*cycles) || !(*startup >= 0) || !isfinite(*startup)) {
        return general_fail(question, GENERAL_PROGRAM, 0, INLAY_BAD_ARGUMENT, diag,
                            "%g cycles and %g before them with %d processors; expected numbers above 0 and not below 0",
                            *cycles, *startup, (int)processors);
    }
    *startup = converted(question, *startup);
    return INLAY_OK;
}

static int ask_row(const general_question *question, int32_t row, int32_t processors, inlay_diag *diag)
{
    int status = ask_cycles(question, processors, &question->cycles[row], &question->startup[row], diag);
    for (int32_t n = 0; status == INLAY_OK && n < question->computations; n++) {
        general_computation *c = &question->computation[n];
        inlay_complexity work;
        status = general_ask_work(question, processors, c->phase, &work, diag);
        c->per_unit[row] = work.per_unit * c->part;
        c->fixed[row] = work.fixed;
    }
    for (int32_t n = 0; status == INLAY_OK && n < question->communications; n++) {
        general_communication *c = &question->communication[n];
        inlay_complexity bytes;
        status = general_ask_bytes(question, processors, c->phase, &bytes, diag);
        c->per_unit[row] = bytes.per_unit;
        c->fixed[row] = bytes.fixed;
        status = status == INLAY_OK ? ask_messages(question, processors, c, &c->messages[row], diag) : status;
    }
    return status;
}

static bool constant(const double *amount, int32_t rows)
{
    for (int32_t n = 1; n < rows; n++) {
        if (amount[n] != amount[0]) {
            return false;
        }
    }
    return true;
}

static bool all_rows_equal(const general_question *question)
{
    bool equal = true;
    for (int32_t n = 0; equal && n < question->computations; n++) {
        const general_computation *c = &question->computation[n];
        equal = constant(c->per_unit, question->rows) && constant(c->fixed, question->rows);
    }
    for (int32_t n = 0; equal && n < question->communications; n++) {
        const general_communication *c = &question->communication[n];
        equal = constant(c->per_unit, question->rows) && constant(c->fixed, question->rows) &&
                constant(c->messages, question->rows);
    }
    return equal;
}

static int ask_amounts(general_question *question, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (int32_t row = 0; status == INLAY_OK && row < question->rows; row++) {
        status = ask_row(question, row, question->rows > 1 ? row + 1 : question->available, diag);
    }
    /* one row is enough where all say the same */
    question->cycle_rows = question->rows;
    if (status == INLAY_OK && constant(question->cycles, question->rows) &&
        constant(question->startup, question->rows)) {
        question->cycle_rows = 1;
    }
    if (status == INLAY_OK && all_rows_equal(question)) {
        question->rows = 1;
    }
    return status;
}

/* ---- The question ---- */

static int check_terms(const inlay_select_terms *terms, inlay_diag *diag)
{
    if ((unsigned)terms->map > INLAY_SELECT_REMAINDER || (unsigned)terms->router > INLAY_SELECT_CHAIN) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "map %d or router %d is unknown; expected 0-3, 0-1", (int)terms->map,
                         (int)terms->router);
    }
    return INLAY_OK;
}

static int ask_in_force(const general_phases *phases, general_question *question, inlay_diag *diag)
{
    question->rows = question->domain->by_processors ? question->available : 1;
    question->cycles = memory_array((size_t)question->rows, sizeof *question->cycles);
    question->startup = memory_array((size_t)question->rows, sizeof *question->startup);
    if (question->cycles == NULL || question->startup == NULL || !choose_phases(question, phases)) {
        return diag_no_memory(diag);
    }
    int status = find_usable(question, diag);
    status = status == INLAY_OK ? ask_times(question, diag) : status;
    status = status == INLAY_OK ? ask_amounts(question, diag) : status;
    if (status == INLAY_OK && !general_ways_make(question->metasystem, question->most, &question->ways)) {
        status = diag_no_memory(diag);
    }
    return status;
}

/* The part that says what dominates. */
static int ask_phases(const inlay_domain *domain, const inlay_metasystem *metasystem, general_phases *phases,
                      general_question *question, inlay_diag *diag)
{
    *question = (general_question){.domain = domain, .metasystem = metasystem};
    int status = inlay_metasystem_check(metasystem, diag);
    status = status == INLAY_OK ? count_processors(question, diag) : status;
    status = status == INLAY_OK ? check_unit(question, diag) : status;
    status = status == INLAY_OK ? general_ask_phases(question, phases, diag) : status;
    return status == INLAY_OK ? general_ask_dominant(phases, question, diag) : status;
}

int general_ask(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                general_question *question, inlay_diag *diag)
{
    static const inlay_select_terms none = {0};
    general_phases phases;
    int status = ask_phases(domain, metasystem, &phases, question, diag);
    question->terms = terms == NULL ? none : *terms;
    status = status == INLAY_OK ? check_terms(&question->terms, diag) : status;
    return status == INLAY_OK ? ask_in_force(&phases, question, diag) : status;
}

void general_clear(general_question *question)
{
    for (int32_t n = 0; question->computation != NULL && n < question->computations; n++) {
        free(question->computation[n].per_unit);
        free(question->computation[n].fixed);
        free(question->computation[n].time);
        free(question->computation[n].speed);
    }
    for (int32_t n = 0; question->communication != NULL && n < question->communications; n++) {
        free(question->communication[n].per_unit);
        free(question->communication[n].fixed);
        free(question->communication[n].messages);
    }
    free(question->computation);
    free(question->communication);
    free(question->cycles);
    free(question->startup);
    free(question->most);
    general_ways_clear(&question->ways);
    *question = (general_question){0};
}

int inlay_select_dominant(const inlay_domain *domain, const inlay_metasystem *metasystem, inlay_select_phases *phases,
                          inlay_diag *diag)
{
    DIAG_CALL(diag);
    general_question question;
    general_phases asked;
    int status = ask_phases(domain, metasystem, &asked, &question, diag);
    if (status == INLAY_OK) {
        *phases = question.dominant;
    }
    return status;
}
