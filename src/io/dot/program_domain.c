/* What a program file tells inlay_select(): its expressions evaluated, and checked where their lines are known. */
#include "base/decimal.h"
#include "base/diag.h"
#include "io/dot/program.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Amounts ---- */

/* What an amount must be. */
typedef enum bound { NOT_NEGATIVE, POSITIVE, WHOLE } bound;

static const double most_units = 0x1p53;

/* Whole but for the rounding of the few operations that lead to it. */
static bool is_whole(double x)
{
    return fabs(x - round(x)) <= 4 * DBL_EPSILON * fabs(x);
}

static bool holds(bound wanted, double x)
{
    switch (wanted) {
    case NOT_NEGATIVE: return x >= 0;
    case POSITIVE: return x > 0;
    default: return x >= 1 && x <= most_units && is_whole(x);
    }
}

static int refuse(const inlay_domain_file *file, const program_amount *amount, const char *kind, const char *name,
                  const char *wrong, inlay_diag *diag)
{
    diag_fail_at(diag, INLAY_BAD_INPUT, file->source, amount->line, "%s%s%s%s%s%s %s", amount->attribute,
                 *kind == '\0' ? "" : " of ", kind, *kind == '\0' ? "" : " '", name, *kind == '\0' ? ":" : "':", wrong);
    return INLAY_BAD_INPUT;
}

/*
 * The value of an amount, or `missing` where it is not given.
 * @param kind, name  whose it is: "computation", "sweep"; "", "" the graph's
 */
static int evaluate(const inlay_domain_file *file, int32_t processors, const program_amount *amount, const char *kind,
                    const char *name, bound wanted, double missing, double *value, inlay_diag *diag)
{
    static const char *const expected[] = {"a number that is not below 0", "a number above 0",
                                           "a whole number from 1 to 2^53"};
    double values[PROGRAM_PARAMETERS + 1];
    double made = missing;
    expression_error error = {""};
    if (amount->is != NULL) {
        memcpy(values, file->value, file->parameters * sizeof *values);
        values[file->parameters] = processors;
        if (expression_evaluate(amount->is, values, &made, &error) != INLAY_OK) {
            return refuse(file, amount, kind, name, error.text, diag);
        }
        if (!holds(wanted, made)) {
            char number[DOUBLE_TEXT];
            (void)snprintf(error.text, sizeof error.text, "'%.160s' is %s; expected %s", expression_text(amount->is),
                           double_text(made, number), expected[wanted]);
            return refuse(file, amount, kind, name, error.text, diag);
        }
    }
    *value = made;
    return INLAY_OK;
}

/* Both parts of a complexity, 0 where not given. */
static int evaluate_both(const inlay_domain_file *file, int32_t processors, const program_amount *per_unit,
                         const program_amount *fixed, const char *kind, const char *name, inlay_complexity *made,
                         inlay_diag *diag)
{
    inlay_complexity both = {0};
    int status = evaluate(file, processors, per_unit, kind, name, NOT_NEGATIVE, 0, &both.per_unit, diag);
    if (status == INLAY_OK) {
        status = evaluate(file, processors, fixed, kind, name, NOT_NEGATIVE, 0, &both.fixed, diag);
    }
    if (status == INLAY_OK) {
        *made = both;
    }
    return status;
}

/* ---- Callbacks ---- */

static const char computing[] = "computation", communicating[] = "communication";

static const char *computation_name(void *context, int32_t computation)
{
    const inlay_domain_file *file = context;
    return file->computation[computation].name;
}

static const char *communication_name(void *context, int32_t communication)
{
    const inlay_domain_file *file = context;
    return file->communication[communication].name;
}

static int units(void *context, int32_t computation, int64_t *made, inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    const program_computation *of = &file->computation[computation];
    double number;
    int status = evaluate(file, 0, &of->units, computing, of->name, WHOLE, 1, &number, diag);
    if (status == INLAY_OK) {
        *made = (int64_t)round(number);
    }
    return status;
}

static int work(void *context, int32_t processors, int32_t computation, inlay_complexity *made, inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    const program_computation *of = &file->computation[computation];
    inlay_complexity both = {0};
    int status = evaluate_both(file, processors, &of->per_unit, &of->fixed, computing, of->name, &both, diag);
    if (status == INLAY_OK && both.per_unit == 0 && both.fixed == 0) {
        status = refuse(file, of->per_unit.is != NULL ? &of->per_unit : &of->fixed, computing, of->name,
                        "no instructions at all; expected comp_complexity or comp_fixed above 0", diag);
    }
    if (status == INLAY_OK) {
        *made = both;
    }
    return status;
}

static int arch_cost(void *context, int32_t computation, const inlay_metasystem_cluster *cluster, double *time,
                     inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    const program_computation *of = &file->computation[computation];
    const char *type = cluster->type != NULL ? cluster->type : cluster->name;
    const program_cost *found = NULL;
    for (size_t i = 0; i < of->costs; i++) {
        bool same = of->cost[i].type != NULL && strcmp(of->cost[i].type, type) == 0;
        found = same || (of->cost[i].type == NULL && found == NULL) ? &of->cost[i] : found;
    }
    if (found == NULL) {
        *time = 0;
        return INLAY_OK;
    }
    return evaluate(file, 0, &found->time, computing, of->name, POSITIVE, 0, time, diag);
}

static const char *algorithm(void *context, int32_t communication)
{
    return ((const inlay_domain_file *)context)->communication[communication].algorithm;
}

static int sizes(void *context, int32_t communication, int64_t *made, inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    const program_communication *of = &file->communication[communication];
    double number = 1;
    int status = evaluate(file, 0, &of->sizes, communicating, of->name, WHOLE, 1, &number, diag);
    *made = (int64_t)round(number);
    return status;
}

static int pattern(void *context, int32_t communication, inlay_pattern *made, inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    (void)diag;
    *made = file->communication[communication].pattern;
    return INLAY_OK;
}

static int bytes(void *context, int32_t processors, int32_t communication, inlay_complexity *made, inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    const program_communication *of = &file->communication[communication];
    return evaluate_both(file, processors, &of->per_unit, &of->fixed, communicating, of->name, made, diag);
}

static int messages(void *context, int32_t processors, int32_t communication, double *made, inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    const program_communication *of = &file->communication[communication];
    return evaluate(file, processors, &of->messages, communicating, of->name, POSITIVE, 1, made, diag);
}

static int32_t overlap(void *context, int32_t communication)
{
    const inlay_domain_file *file = context;
    return file->communication[communication].overlap;
}

static int cycles(void *context, int32_t processors, double *made, double *startup, inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    double count, before;
    int status = evaluate(file, processors, &file->cycles, "", "", POSITIVE, 1, &count, diag);
    if (status == INLAY_OK) {
        status = evaluate(file, processors, &file->startup, "", "", NOT_NEGATIVE, 0, &before, diag);
    }
    if (status == INLAY_OK) {
        *made = count;
        *startup = before;
    }
    return status;
}

/* ---- Dominant phases ---- */

/* The computation that is marked, else the one with the most instructions. */
static int dominant_computation(const inlay_domain_file *file, int32_t processors, int32_t *computation,
                                inlay_diag *diag)
{
    double most = -1;
    *computation = file->dominant_computation;
    for (int32_t i = 0; file->dominant_computation < 0 && i < file->domain.computations; i++) {
        inlay_complexity c = {0};
        int64_t count;
        int status = units(file->domain.context, i, &count, diag);
        if (status == INLAY_OK) {
            status = work(file->domain.context, processors, i, &c, diag);
        }
        if (status != INLAY_OK) {
            return status;
        }
        double instructions = (double)count * c.per_unit + c.fixed;
        if (instructions > most) {
            most = instructions;
            *computation = i;
        }
    }
    return INLAY_OK;
}

/* The communication that is marked, else the one with the most bytes to a message. */
static int dominant_communication(const inlay_domain_file *file, int32_t processors, int64_t count,
                                  int32_t *communication, inlay_diag *diag)
{
    double most = -1;
    *communication = file->dominant_communication;
    for (int32_t i = 0; file->dominant_communication < 0 && i < file->domain.communications; i++) {
        inlay_complexity c = {0};
        int status = bytes(file->domain.context, processors, i, &c, diag);
        if (status != INLAY_OK) {
            return status;
        }
        double message = c.fixed + c.per_unit * (double)count / processors;
        if (message > most) {
            most = message;
            *communication = i;
        }
    }
    return INLAY_OK;
}

static int dominant(void *context, int32_t processors, int32_t *computation, int32_t *communication, inlay_diag *diag)
{
    const inlay_domain_file *file = context;
    int32_t first = -1, second = -1;
    int64_t count = 0;
    int status = dominant_computation(file, processors, &first, diag);
    if (status == INLAY_OK) {
        status = units(context, first, &count, diag);
    }
    if (status == INLAY_OK) {
        status = dominant_communication(file, processors, count, &second, diag);
    }
    if (status == INLAY_OK) {
        *computation = first;
        *communication = second;
    }
    return status;
}

/* ---- All of them ---- */

static bool uses_processors(const inlay_domain_file *file, const program_amount *amount)
{
    return amount->is != NULL && expression_uses(amount->is, file->parameters);
}

static bool by_processors(const inlay_domain_file *file)
{
    bool uses = uses_processors(file, &file->cycles) || uses_processors(file, &file->startup);
    for (int32_t i = 0; i < file->domain.computations; i++) {
        const program_computation *of = &file->computation[i];
        uses = uses || uses_processors(file, &of->per_unit) || uses_processors(file, &of->fixed);
    }
    for (int32_t i = 0; i < file->domain.communications; i++) {
        const program_communication *of = &file->communication[i];
        uses = uses || uses_processors(file, &of->fixed) || uses_processors(file, &of->per_unit) ||
               uses_processors(file, &of->messages);
    }
    return uses;
}

void program_set_callbacks(inlay_domain_file *file)
{
    inlay_domain *d = &file->domain;
    d->context = file;
    d->by_processors = by_processors(file);
    d->computation_name = computation_name;
    d->communication_name = communication_name;
    d->units = units;
    d->work = work;
    d->arch_cost = arch_cost;
    d->pattern = pattern;
    d->algorithm = algorithm;
    d->sizes = sizes;
    d->bytes = bytes;
    d->messages = messages;
    d->overlap = overlap;
    d->dominant = file->dominant_computation >= 0 || file->dominant_communication >= 0 ? dominant : NULL;
    d->cycles = cycles;
}

const inlay_domain *inlay_domain_of(const inlay_domain_file *file)
{
    return &file->domain;
}
