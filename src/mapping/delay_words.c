/* What delay functions say in words: units, and how far a formula is from the truth. */
#include "base/plain.h"
#include <inlay/delay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Units ---- */

const char *inlay_delay_unit_of_delay(const inlay_delay *delay)
{
    switch (inlay_machine_network(inlay_delay_machine(delay))) {
    case INLAY_NETWORK_OMEGA: return inlay_unit_name(inlay_delay_unit(delay));
    case INLAY_NETWORK_OMEGA_PE: return "cycles";
    case INLAY_NETWORK_BUS:
    case INLAY_NETWORK_MULTIBUS:
    case INLAY_NETWORK_LINKS: break;
    }
    return "transfers";
}

const char *inlay_delay_unit_of_traffic(const inlay_delay *delay)
{
    return inlay_delay_in_bytes(delay) ? "bytes" : "messages";
}

/* ---- Errors ---- */

enum { PERCENT_TEXT = 16 };

/* Two digits of a share of 0 or more in per cent: "0", "0.83", "5.2", "47". */
static const char *percent(double share, char text[PERCENT_TEXT])
{
    static const double nothing = 5e-5; /* the models are not known that well */
    double value = 100 * share;
    (void)plain_print(text, PERCENT_TEXT, value >= 9.95 ? "%.0f" : "%.2g", share < nothing ? 0 : value);
    return text;
}

static const char *sign(double share, const char *digits)
{
    return digits[0] == '0' && digits[1] == '\0' ? "" : (share < 0 ? "-" : "+");
}

char *inlay_delay_error_text(const inlay_delay_row *row, char text[INLAY_DELAY_ERROR_TEXT])
{
    const inlay_known_error *error = &row->error;
    char least[PERCENT_TEXT], most[PERCENT_TEXT];
    double from = error->delay - error->within, to = error->delay + error->within;
    percent(fabs(from), least);
    percent(fabs(to), most);
    if (!error->known) {
        (void)plain_print(text, INLAY_DELAY_ERROR_TEXT, "-");
    } else if (from == 0 && to == 0) {
        (void)plain_print(text, INLAY_DELAY_ERROR_TEXT, "exact");
    } else if (strcmp(least, most) == 0 && (from < 0) == (to < 0)) {
        (void)plain_print(text, INLAY_DELAY_ERROR_TEXT, "%s%s %%", sign(to, most), most);
    } else {
        (void)plain_print(text, INLAY_DELAY_ERROR_TEXT, "%s%s to %s%s %%", sign(from, least), least, sign(to, most),
                          most);
    }
    return text;
}

/* "18 to 22 % too high", "2.1 to 9 % too low", "between 2 % too low and 3 % too high". */
static const char *too_far(double least, double most, char text[INLAY_DELAY_ERROR_TEXT])
{
    char small[PERCENT_TEXT], large[PERCENT_TEXT];
    bool low = most <= 0;
    if (least < 0 && most > 0) {
        (void)plain_print(text, INLAY_DELAY_ERROR_TEXT, "between %s %% too low and %s %% too high",
                          percent(-least, small), percent(most, large));
        return text;
    }
    percent(low ? -most : least, small);
    percent(low ? -least : most, large);
    bool one = strcmp(small, large) == 0;
    (void)plain_print(text, INLAY_DELAY_ERROR_TEXT, "%s%s%s %% too %s", one ? "" : small, one ? "" : " to ", large,
                      low ? "low" : "high");
    return text;
}

/* ---- Remarks ---- */

/* Errors of tau below this share need no words. */
static const double worth_a_word = 0.05;

/* Errors of the formula as shares of the truth. */
typedef struct errors {
    double least, most;         /* of D */
    double least_tau, most_tau; /* of tau */
} errors;

/* The error of tau that comes with an error of D. In model 5 D is the waiting alone, and the way itself is exact. */
static double error_of_tau(const inlay_delay *delay, const inlay_delay_row *row, double error)
{
    inlay_delay_point idle;
    if (inlay_machine_model(inlay_delay_machine(delay)) != 5 ||
        inlay_delay_at_utilisation(delay, 0, &idle, NULL) != INLAY_OK) {
        return error;
    }
    double waiting = row->point.tau - idle.tau;
    return row->point.tau / (idle.tau + waiting / (1 + error)) - 1;
}

/* The errors that a row has by a remark; all 0 where it has none. */
static errors errors_of(const inlay_delay *delay, inlay_delay_remark remark, const inlay_delay_row *row)
{
    double least = 0, most = 0;
    if (remark == INLAY_DELAY_ERROR && row->error.known) {
        least = row->error.delay - row->error.within;
        most = row->error.delay + row->error.within;
    } else if (remark == INLAY_DELAY_ONE_LENGTH && isfinite(row->one_length_least)) {
        least = row->one_length_least;
        most = row->one_length_most;
    }
    return (errors){least, most, error_of_tau(delay, row, least), error_of_tau(delay, row, most)};
}

static bool needs(inlay_delay_remark remark, const inlay_delay_row *row, const errors *of)
{
    switch (remark) {
    case INLAY_DELAY_UNREACHABLE: return isnan(row->point.rho_processor);
    case INLAY_DELAY_UNKNOWN: return !row->error.known;
    case INLAY_DELAY_ERROR:
    case INLAY_DELAY_ONE_LENGTH: break;
    }
    return fmax(fabs(of->least_tau), fabs(of->most_tau)) >= worth_a_word;
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

static void say_error(const inlay_machine *machine, const errors *of, char text[INLAY_DELAY_REMARK_TEXT])
{
    char delay[INLAY_DELAY_ERROR_TEXT];
    int model = inlay_machine_model(machine);
    too_far(of->least, of->most, delay);
    if (model == 5) {
        char tau[INLAY_DELAY_ERROR_TEXT];
        (void)plain_print(text, INLAY_DELAY_REMARK_TEXT, "D is %s and tau %s (known from simulation); simulate", delay,
                          too_far(of->least_tau, of->most_tau, tau));
    } else {
        (void)plain_print(text, INLAY_DELAY_REMARK_TEXT, "D is %s (known from %s); simulate%s", delay,
                          model == 3 ? "exact Markov chains and simulation" : "simulation", better_model(machine));
    }
}

static void say_remark(const inlay_delay *delay, inlay_delay_remark remark, const errors *of,
                       char text[INLAY_DELAY_REMARK_TEXT])
{
    char error[INLAY_DELAY_ERROR_TEXT];
    const inlay_machine *machine = inlay_delay_machine(delay);
    switch (remark) {
    case INLAY_DELAY_UNREACHABLE:
        (void)plain_print(text, INLAY_DELAY_REMARK_TEXT,
                          "no rate rho_p gives this u: %" PRId32 " processors, which also read at home, stay below u = "
                          "%.6g; so much traffic takes a longer time",
                          inlay_machine_processors(machine), inlay_delay_u_reachable(delay));
        break;
    case INLAY_DELAY_ERROR: say_error(machine, of, text); break;
    case INLAY_DELAY_UNKNOWN:
        (void)plain_print(text, INLAY_DELAY_REMARK_TEXT, "never compared with the truth at this size%s; simulate",
                          inlay_machine_model(machine) == 3 ? "" : " and load");
        break;
    case INLAY_DELAY_ONE_LENGTH:
        (void)plain_print(text, INLAY_DELAY_REMARK_TEXT, "with messages of one length D is %s; simulate",
                          too_far(of->least, of->most, error));
        break;
    }
}

inlay_delay_remarked inlay_delay_find_remark(const inlay_delay *delay, inlay_delay_remark remark,
                                             const inlay_delay_row *rows, size_t count)
{
    inlay_delay_remarked all = {.first = INFINITY};
    errors range = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (const inlay_delay_row *row = rows; row < rows + count; row++) {
        errors of = errors_of(delay, remark, row);
        if (needs(remark, row, &of)) {
            all.count++;
            all.first = fmin(all.first, row->point.load);
            all.last = fmax(all.last, row->point.load);
            all.u = row->point.u;
            range = (errors){fmin(range.least, of.least), fmax(range.most, of.most),
                             fmin(range.least_tau, of.least_tau), fmax(range.most_tau, of.most_tau)};
        }
    }
    if (all.count > 0) {
        say_remark(delay, remark, &range, all.text);
    }
    return all;
}
