/* What `inlay delay` says in words: the models, and how far a formula is from the truth. */
#include "delay.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Models ---- */

const char *delay_meaning_of_u(const delay_function *of)
{
    static const char *const meanings[] = {
        "share of time in which the bus works", "share of time in which the bus works",
        "mean number of working buses",         "messages a cycle into the network",
        "share of time in which a link works",  "share of time in which a link works",
        "share of time in which a link works"};
    return meanings[inlay_machine_model(of->machine) - 1];
}

const char *delay_unit_of_delay(const delay_function *of)
{
    switch (inlay_machine_network(of->machine)) {
    case INLAY_NETWORK_OMEGA: return inlay_unit_name(inlay_delay_unit(of->delay));
    case INLAY_NETWORK_OMEGA_PE: return "cycles";
    case INLAY_NETWORK_BUS:
    case INLAY_NETWORK_MULTIBUS:
    case INLAY_NETWORK_LINKS: break;
    }
    return "transfers";
}

const char *delay_unit_of_traffic(const delay_function *of)
{
    return inlay_delay_in_bytes(of->delay) ? "bytes" : "messages";
}

const char *delay_one_of_traffic(const delay_function *of)
{
    return inlay_delay_in_bytes(of->delay) ? "byte" : "message";
}

const char *delay_source_name(delay_source source)
{
    static const char *const names[] = {"points", "utilisation", "load", "rate", "traffic"};
    return names[source];
}

/* ---- Errors ---- */

enum { PERCENT_TEXT = 16 };

/* Two digits of a share of 0 or more in per cent: "0", "0.83", "5.2", "47". */
static const char *percent(double share, char text[PERCENT_TEXT])
{
    static const double nothing = 5e-5; /* the models are not known that well */
    double value = 100 * share;
    (void)snprintf(text, PERCENT_TEXT, value >= 9.95 ? "%.0f" : "%.2g", share < nothing ? 0 : value);
    return text;
}

static const char *sign(double share, const char *digits)
{
    return digits[0] == '0' && digits[1] == '\0' ? "" : (share < 0 ? "-" : "+");
}

char *delay_error_text(const delay_row *row, char text[ERROR_TEXT])
{
    const inlay_known_error *error = &row->error;
    char least[PERCENT_TEXT], most[PERCENT_TEXT];
    double from = error->delay - error->within, to = error->delay + error->within;
    percent(fabs(from), least);
    percent(fabs(to), most);
    if (!error->known) {
        (void)snprintf(text, ERROR_TEXT, "-");
    } else if (from == 0 && to == 0) {
        (void)snprintf(text, ERROR_TEXT, "exact");
    } else if (strcmp(least, most) == 0 && (from < 0) == (to < 0)) {
        (void)snprintf(text, ERROR_TEXT, "%s%s %%", sign(to, most), most);
    } else {
        (void)snprintf(text, ERROR_TEXT, "%s%s to %s%s %%", sign(from, least), least, sign(to, most), most);
    }
    return text;
}

/* "18 to 22 % too high", "2.1 to 9 % too low", "between 2 % too low and 3 % too high". */
static const char *too_far(double least, double most, char text[ERROR_TEXT])
{
    char small[PERCENT_TEXT], large[PERCENT_TEXT];
    bool low = most <= 0;
    if (least < 0 && most > 0) {
        (void)snprintf(text, ERROR_TEXT, "between %s %% too low and %s %% too high", percent(-least, small),
                       percent(most, large));
        return text;
    }
    percent(low ? -most : least, small);
    percent(low ? -least : most, large);
    bool one = strcmp(small, large) == 0;
    (void)snprintf(text, ERROR_TEXT, "%s%s%s %% too %s", one ? "" : small, one ? "" : " to ", large,
                   low ? "low" : "high");
    return text;
}

/* ---- Remarks ---- */

/* Errors of tau below this share need no words. */
static const double worth_a_word = 0.05;

/* The error of tau that comes with an error of D. In model 5 D is the waiting alone, and the way itself is exact. */
static double error_of_tau(const delay_function *of, const delay_row *row, double error)
{
    if (inlay_machine_model(of->machine) != 5) {
        return error;
    }
    double waiting = row->point.tau - of->idle_tau;
    return row->point.tau / (of->idle_tau + waiting / (1 + error)) - 1;
}

/* The errors that a row has by a remark; all 0 for the remarks that have none. */
static delay_errors errors_of(const delay_function *of, delay_remark remark, const delay_row *row)
{
    double least = 0, most = 0;
    if (remark == REMARK_ERROR && row->error.known) {
        least = row->error.delay - row->error.within;
        most = row->error.delay + row->error.within;
    } else if (remark == REMARK_ONE_LENGTH && row->has_one_length) {
        least = row->one_length_least;
        most = row->one_length_most;
    }
    return (delay_errors){least, most, error_of_tau(of, row, least), error_of_tau(of, row, most)};
}

static bool needs(delay_remark remark, const delay_row *row, const delay_errors *errors)
{
    switch (remark) {
    case REMARK_UNREACHABLE: return isnan(row->point.rho_processor);
    case REMARK_UNKNOWN: return !row->error.known;
    case REMARK_ERROR:
    case REMARK_ONE_LENGTH: return fmax(fabs(errors->least_tau), fabs(errors->most_tau)) >= worth_a_word;
    }
    return false;
}

delay_remarked delay_find_remark(const delay_function *of, delay_remark remark, size_t from, size_t to)
{
    delay_remarked all = {.first = INFINITY, .errors = {INFINITY, -INFINITY, INFINITY, -INFINITY}};
    for (size_t i = from; i < to; i++) {
        const delay_row *row = &of->rows[i];
        delay_errors errors = errors_of(of, remark, row);
        if (needs(remark, row, &errors)) {
            all.count++;
            all.first = fmin(all.first, row->point.load);
            all.last = fmax(all.last, row->point.load);
            all.u = row->point.u;
            all.errors.least = fmin(all.errors.least, errors.least);
            all.errors.most = fmax(all.errors.most, errors.most);
            all.errors.least_tau = fmin(all.errors.least_tau, errors.least_tau);
            all.errors.most_tau = fmax(all.errors.most_tau, errors.most_tau);
        }
    }
    return all;
}

/* Where the paper's multiple-bus formula errs: the model that does not. */
static const char *better_model(const inlay_machine *machine)
{
    inlay_id buses = inlay_machine_buses(machine);
    if (inlay_machine_model(machine) != 3 || inlay_machine_occupancy(machine)) {
        return "";
    }
    bool exact = buses >= inlay_machine_memories(machine) || buses >= inlay_machine_processors(machine);
    return exact ? ", or model=occupancy, which is exact here" : ", or model=occupancy";
}

static void say_error(const delay_function *of, const delay_errors *errors, char text[REMARK_TEXT])
{
    char delay[ERROR_TEXT];
    int model = inlay_machine_model(of->machine);
    too_far(errors->least, errors->most, delay);
    if (model == 5) {
        char tau[ERROR_TEXT];
        (void)snprintf(text, REMARK_TEXT, "D is %s and tau %s (known from simulation); simulate", delay,
                       too_far(errors->least_tau, errors->most_tau, tau));
    } else {
        (void)snprintf(text, REMARK_TEXT, "D is %s (known from %s); simulate%s", delay,
                       model == 3 ? "exact Markov chains and simulation" : "simulation", better_model(of->machine));
    }
}

char *delay_remark_text(const delay_function *of, delay_remark remark, const delay_errors *errors,
                        char text[REMARK_TEXT])
{
    char delay[ERROR_TEXT];
    int model = inlay_machine_model(of->machine);
    switch (remark) {
    case REMARK_UNREACHABLE:
        (void)snprintf(text, REMARK_TEXT,
                       "no rate rho_p gives this u: %" PRId32 " processors, which also read at home, stay below u = "
                       "%.6g; so much traffic takes a longer time",
                       inlay_machine_processors(of->machine), inlay_delay_u_reachable(of->delay));
        break;
    case REMARK_ERROR: say_error(of, errors, text); break;
    case REMARK_UNKNOWN:
        (void)snprintf(text, REMARK_TEXT, "never compared with the truth at this size%s; simulate",
                       model == 3 ? "" : " and load");
        break;
    case REMARK_ONE_LENGTH:
        (void)snprintf(text, REMARK_TEXT, "with messages of one length D is %s; simulate",
                       too_far(errors->least, errors->most, delay));
        break;
    }
    return text;
}
