/* Asking a domain about its phases, one after the other, and which of them dominate. */
#include "base/diag.h"
#include "base/plain.h"
#include "select/general.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- Names ---- */

static const char *name_phase(const char *kind, const char *name, int32_t phase, char room[GENERAL_NAME])
{
    if (name != NULL) {
        (void)snprintf(room, GENERAL_NAME, "%s %.64s", kind, name);
    } else {
        (void)snprintf(room, GENERAL_NAME, "%s %d", kind, (int)phase);
    }
    return room;
}

static const char *general_computation_name(const inlay_domain *domain, int32_t phase, char room[GENERAL_NAME])
{
    const char *name = domain->computation_name != NULL ? domain->computation_name(domain->context, phase) : NULL;
    return name_phase("computation", name, phase, room);
}

const char *general_communication_name(const inlay_domain *domain, int32_t phase, char room[GENERAL_NAME])
{
    const char *name = domain->communication_name != NULL ? domain->communication_name(domain->context, phase) : NULL;
    return name_phase("communication", name, phase, room);
}

int general_fail(const general_question *question, general_topic topic, int32_t phase, int status, inlay_diag *diag,
                 const char *format, ...)
{
    enum { TEXT = 512 };
    const inlay_domain *domain = question->domain;
    char name[GENERAL_NAME] = "";
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)plain_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    if (topic == GENERAL_COMPUTATION) {
        (void)general_computation_name(domain, phase, name);
    } else if (topic == GENERAL_COMMUNICATION) {
        (void)general_communication_name(domain, phase, name);
    }
    (void)diag_fail(diag, status, "%s%s%s%s%s", domain->name != NULL ? domain->name : "",
                    domain->name != NULL ? ": " : "", name, *name != '\0' ? " " : "", text);
    return status;
}

int general_refused(const general_question *question, int status, const char *callback, inlay_diag *diag)
{
    return general_fail(question, GENERAL_PROGRAM, 0, status, diag,
                        "the callback %s() failed without a message; expected one", callback);
}

/* ---- Single answers ---- */

/* Both also refuse NaN. */
static bool is_amount(double x)
{
    return x >= 0 && isfinite(x);
}

static int ask_units(const general_question *question, int32_t phase, int64_t *units, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    *units = 0;
    int status = domain->units(domain->context, phase, units, diag);
    if (status != INLAY_OK) {
        return general_refused(question, status, "units", diag);
    }
    if (*units < 1 || *units > INT64_C(1) << 53) {
        return general_fail(question, GENERAL_COMPUTATION, phase, INLAY_BAD_ARGUMENT, diag,
                            "has %lld units; expected 1 to 2^53", (long long)*units);
    }
    return INLAY_OK;
}

int general_ask_work(const general_question *question, int32_t processors, int32_t phase, inlay_complexity *work,
                     inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    *work = (inlay_complexity){0};
    int status = domain->work(domain->context, processors, phase, work, diag);
    if (status != INLAY_OK) {
        return general_refused(question, status, "work", diag);
    }
    if (!is_amount(work->per_unit) || !is_amount(work->fixed) || work->per_unit + work->fixed == 0) {
        return general_fail(question, GENERAL_COMPUTATION, phase, INLAY_BAD_ARGUMENT, diag,
                            "has %g instructions on a unit and %g besides with %d processors; expected numbers that "
                            "are not below 0, and not both 0",
                            work->per_unit, work->fixed, (int)processors);
    }
    return INLAY_OK;
}

static int ask_pattern(const general_question *question, int32_t phase, inlay_pattern *pattern, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    *pattern = INLAY_PATTERN_LINE;
    int status = domain->pattern(domain->context, phase, pattern, diag);
    if (status != INLAY_OK) {
        return general_refused(question, status, "pattern", diag);
    }
    if (inlay_pattern_name(*pattern) == NULL) {
        return general_fail(question, GENERAL_COMMUNICATION, phase, INLAY_BAD_ARGUMENT, diag,
                            "has the unknown pattern %d; expected 0 to %d", (int)*pattern, INLAY_ALL_PATTERNS - 1);
    }
    return INLAY_OK;
}

int general_ask_bytes(const general_question *question, int32_t processors, int32_t phase, inlay_complexity *bytes,
                      inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    *bytes = (inlay_complexity){0};
    int status = domain->bytes(domain->context, processors, phase, bytes, diag);
    if (status != INLAY_OK) {
        return general_refused(question, status, "bytes", diag);
    }
    if (!is_amount(bytes->per_unit) || !is_amount(bytes->fixed)) {
        return general_fail(question, GENERAL_COMMUNICATION, phase, INLAY_BAD_ARGUMENT, diag,
                            "has %g bytes and %g for a unit with %d processors; expected numbers that are not below "
                            "0",
                            bytes->fixed, bytes->per_unit, (int)processors);
    }
    return INLAY_OK;
}

static int ask_overlap(const general_question *question, int32_t phase, int32_t *overlap, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    *overlap = domain->overlap != NULL ? domain->overlap(domain->context, phase) : -1;
    if (*overlap < -1 || *overlap >= domain->computations) {
        return general_fail(question, GENERAL_COMMUNICATION, phase, INLAY_BAD_ARGUMENT, diag,
                            "overlaps computation %d; expected 0 to %d, or -1 for none", (int)*overlap,
                            (int)domain->computations - 1);
    }
    return INLAY_OK;
}

/* What only patterns that are algorithms have. */
static int ask_collective(const general_question *question, int32_t phase, general_phases *phases, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    const inlay_pattern pattern = phases->pattern[phase];
    int64_t sizes = 1;
    phases->algorithm[phase] = NULL;
    phases->sizes[phase] = 1;
    if ((int)pattern < INLAY_PATTERNS) {
        return INLAY_OK;
    }
    const char *name = domain->algorithm != NULL ? domain->algorithm(domain->context, phase) : NULL;
    if (name != NULL && (phases->algorithm[phase] = collective_find(pattern, name)) == NULL) {
        return general_fail(question, GENERAL_COMMUNICATION, phase, INLAY_BAD_ARGUMENT, diag,
                            "has the unknown algorithm '%s'; expected one of %s", name, inlay_pattern_name(pattern));
    }
    if (domain->sizes != NULL && domain->sizes(domain->context, phase, &sizes, diag) != INLAY_OK) {
        return general_refused(question, INLAY_BAD_INPUT, "sizes", diag);
    }
    if (sizes < 1 || sizes > INLAY_DOMAIN_SIZES) {
        return general_fail(question, GENERAL_COMMUNICATION, phase, INLAY_BAD_ARGUMENT, diag,
                            "has messages of %lld sizes; expected 1 to %d", (long long)sizes, INLAY_DOMAIN_SIZES);
    }
    phases->sizes[phase] = (int32_t)sizes;
    return INLAY_OK;
}

/* ---- All phases ---- */

static int check_domain(const general_question *question, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    if (domain->computations < 1 || domain->computations > INLAY_DOMAIN_PHASES || domain->communications < 0 ||
        domain->communications > INLAY_DOMAIN_PHASES) {
        return general_fail(question, GENERAL_PROGRAM, 0, INLAY_BAD_ARGUMENT, diag,
                            "%d computation phases and %d communication phases; expected 1 to %d and 0 to %d",
                            (int)domain->computations, (int)domain->communications, INLAY_DOMAIN_PHASES,
                            INLAY_DOMAIN_PHASES);
    }
    const char *missing = domain->units == NULL                                   ? "units"
                          : domain->work == NULL                                  ? "work"
                          : domain->communications > 0 && domain->pattern == NULL ? "pattern"
                          : domain->communications > 0 && domain->bytes == NULL   ? "bytes"
                                                                                  : NULL;
    return missing == NULL ? INLAY_OK
                           : general_fail(question, GENERAL_PROGRAM, 0, INLAY_BAD_ARGUMENT, diag,
                                          "there is no callback %s(); expected one", missing);
}

int general_ask_phases(const general_question *question, general_phases *phases, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    int status = check_domain(question, diag);
    for (int32_t n = 0; status == INLAY_OK && n < domain->computations; n++) {
        status = ask_units(question, n, &phases->units[n], diag);
        if (status == INLAY_OK) {
            status = general_ask_work(question, question->available, n, &phases->work[n], diag);
        }
    }
    for (int32_t n = 0; status == INLAY_OK && n < domain->communications; n++) {
        status = ask_pattern(question, n, &phases->pattern[n], diag);
        if (status == INLAY_OK) {
            status = general_ask_bytes(question, question->available, n, &phases->bytes[n], diag);
        }
        status = status == INLAY_OK ? ask_collective(question, n, phases, diag) : status;
        status = status == INLAY_OK ? ask_overlap(question, n, &phases->overlap[n], diag) : status;
    }
    return status;
}

/* ---- Which dominate ---- */

static int32_t most_instructions(const general_phases *phases, int32_t computations)
{
    int32_t at = 0;
    double most = -1;
    for (int32_t n = 0; n < computations; n++) {
        double instructions = (double)phases->units[n] * phases->work[n].per_unit + phases->work[n].fixed;
        if (instructions > most) {
            most = instructions;
            at = n;
        }
    }
    return at;
}

/* `units`: the even share of a processor. */
static int32_t most_bytes(const general_phases *phases, int32_t communications, double units)
{
    int32_t at = -1;
    double most = -1;
    for (int32_t n = 0; n < communications; n++) {
        double bytes = phases->bytes[n].fixed + phases->bytes[n].per_unit * units;
        if (bytes > most) {
            most = bytes;
            at = n;
        }
    }
    return at;
}

static int ask_domain(const general_question *question, int32_t *computation, int32_t *communication, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    int status = domain->dominant(domain->context, question->available, computation, communication, diag);
    if (status != INLAY_OK) {
        return general_refused(question, status, "dominant", diag);
    }
    if (*computation < -1 || *computation >= domain->computations || *communication < -1 ||
        *communication >= domain->communications) {
        return general_fail(question, GENERAL_PROGRAM, 0, INLAY_BAD_ARGUMENT, diag,
                            "computation %d and communication %d are said to dominate; expected numbers below %d and "
                            "%d, or -1 for the largest",
                            (int)*computation, (int)*communication, (int)domain->computations,
                            (int)domain->communications);
    }
    return INLAY_OK;
}

int general_ask_dominant(const general_phases *phases, general_question *question, inlay_diag *diag)
{
    const inlay_domain *domain = question->domain;
    int32_t computation = -1;
    int32_t communication = -1;
    if (domain->dominant != NULL) {
        int status = ask_domain(question, &computation, &communication, diag);
        if (status != INLAY_OK) {
            return status;
        }
    }
    if (computation < 0) {
        computation = most_instructions(phases, domain->computations);
    }
    question->units = phases->units[computation];
    if (communication < 0) {
        communication =
            most_bytes(phases, domain->communications, (double)question->units / (double)question->available);
    }
    bool overlap = communication >= 0 && phases->overlap[communication] == computation;
    question->dominant = (inlay_select_phases){computation, communication, overlap};
    return INLAY_OK;
}
