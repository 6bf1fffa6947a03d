/*
 * What the files of `inlay delay` share: the delay functions of machines, all at the same list of points.
 */
#ifndef TOOLS_DELAY_H
#define TOOLS_DELAY_H

#include "options.h"
#include <stdio.h>
#include <inlay/delay.h>

typedef struct delay_values {
    common_values common;
    const char *utilisation, *load, *rate; /**< lists for next_number() */
    const char *traffic;
    duration_value time_frame;
    inlay_id points;
    const char *csv, *svg;
} delay_values;

/** Where a point comes from: the function at an even load, or an operating point of the user's. */
typedef enum delay_source { FROM_POINTS, FROM_UTILISATION, FROM_LOAD, FROM_RATE, FROM_TRAFFIC } delay_source;

/** The long option that gives such a point, without dashes. */
const char *delay_source_name(delay_source source);

typedef struct delay_ask {
    delay_source source;
    double value; /**< u, load or rate; traffic is counted for each machine in its own unit */
} delay_ask;

typedef struct delay_row {
    delay_source source;
    inlay_delay_point point;
    inlay_known_error error;
    bool has_one_length;                      /**< whether the error with messages of one length is known */
    double one_length_least, one_length_most; /**< D is too high by these shares then: at the same rho, at the same u */
} delay_row;

typedef struct delay_function {
    inlay_machine *machine; /**< ours, like all that follow */
    inlay_delay *delay;
    delay_row *rows; /**< one for each ask, in their order */
    size_t count;
    double idle_tau; /**< tau of the idle network */
} delay_function;

typedef struct delay_study {
    delay_ask *asks; /**< ours */
    size_t ask_count;
    delay_function *functions; /**< ours */
    size_t function_count;
} delay_study;

/** The point of a function that was asked for; a status of the library. */
int delay_evaluate(const delay_values *values, const delay_function *of, const delay_ask *ask, inlay_delay_point *point,
                   inlay_diag *diag);

/** --traffic and -T in the units of a function; 0 where they do not convert. */
double delay_traffic(const delay_values *values, const delay_function *of);
double delay_time(const delay_values *values, const delay_function *of);

/** The load that the traffic makes within -T, also where it is beyond the limit; NaN beyond all measure. */
double delay_offered_load(const delay_values *values, const delay_function *of);

/** Whether --traffic and -T are well written, and can be told in the units of every machine. Exit statuses. */
int delay_check_amount(const invocation *call);
int delay_check_units(const invocation *call, const delay_study *study);

/** After a saturated network: the user's own command changed so that it works, where one option is to blame. */
void delay_say_remedy(const invocation *call, const delay_study *study);

/* ---- Words ---- */

const char *delay_meaning_of_u(const delay_function *of);    /**< "share of time in which the bus works" */
const char *delay_unit_of_delay(const delay_function *of);   /**< "transfers", "cycles", or the unit of time */
const char *delay_unit_of_traffic(const delay_function *of); /**< "messages" or "bytes" */
const char *delay_one_of_traffic(const delay_function *of);  /**< "message" or "byte" */

/** The known error of D in a narrow column: "exact", "+18 to +22 %", "-" where there is none. Returns `text`. */
enum { ERROR_TEXT = 80 };
char *delay_error_text(const delay_row *row, char text[ERROR_TEXT]);

/** What the reader should know about a point; there may be several of a point. */
typedef enum delay_remark { REMARK_UNREACHABLE, REMARK_ERROR, REMARK_UNKNOWN, REMARK_ONE_LENGTH } delay_remark;
enum { DELAY_REMARKS = 4 };

/** Errors of the formula as shares of the truth. */
typedef struct delay_errors {
    double least, most;         /**< of D */
    double least_tau, most_tau; /**< of tau */
} delay_errors;

/** The rows that a remark is about. */
typedef struct delay_remarked {
    size_t count;
    double first, last; /**< least and largest load */
    double u;           /**< of one of them */
    delay_errors errors;
} delay_remarked;

/** The rows from `from` up to, not including, `to` that need a remark. */
delay_remarked delay_find_remark(const delay_function *of, delay_remark remark, size_t from, size_t to);

/** The remark in words, with a remedy. Returns `text`. */
enum { REMARK_TEXT = 320 };
char *delay_remark_text(const delay_function *of, delay_remark remark, const delay_errors *errors,
                        char text[REMARK_TEXT]);

/* ---- Results ---- */

int delay_print_table(const cli_answer *a);
int delay_put_members(inlay_json *out, const cli_answer *a);
void delay_put_csv(FILE *to, const cli_answer *a);

#endif
