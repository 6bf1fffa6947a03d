/*
 * The delay function of a machine's interconnect: what <inlay/network.h> has as mathematics, with the machine's own
 * attributes and in its own units. Everything that compares machines compares tau, the time of one unit of traffic.
 *
 * Times are in inlay_delay_unit(): the unit of the machine's capacity or cycle; ticks where it gives none, and one
 * message a tick (a cycle of one tick) is what it then carries.
 */
#ifndef INLAY_DELAY_H
#define INLAY_DELAY_H

#include <inlay/machine.h>
#include <inlay/network.h>
#include <stddef.h>

typedef struct inlay_delay inlay_delay;

/** @param machine  has to outlive the result */
INLAY_API int inlay_delay_new(const inlay_machine *machine, inlay_delay **delay, inlay_diag *diag);
INLAY_API void inlay_delay_free(inlay_delay *delay);

INLAY_API const inlay_machine *inlay_delay_machine(const inlay_delay *delay);
INLAY_API inlay_unit inlay_delay_unit(const inlay_delay *delay); /**< of tau and of time frames */
INLAY_API bool inlay_delay_in_bytes(const inlay_delay *delay);   /**< traffic is counted in bytes, else in messages */
INLAY_API double inlay_delay_u_limit(const inlay_delay *delay);  /**< what u stays below */
INLAY_API double inlay_delay_latency(const inlay_delay *delay);  /**< once a message, besides tau */

/**
 * Below this u some rate rho_p of one processor gives it. Less than the limit in model 2 alone, whose processors also
 * read at home: 1 - 1/P_k(1).
 */
INLAY_API double inlay_delay_u_reachable(const inlay_delay *delay);

/** One point of the function; <inlay/network.h> says what u, rho and D count in each model. */
typedef struct inlay_delay_point {
    double u;
    double load; /**< u / u_limit */
    double rho;
    double rho_processor; /**< rho_p; NaN where no finite rate gives this u */
    double delay;         /**< D */
    double tau;           /**< time of one unit of traffic: transfers and D counted, latency not */
} inlay_delay_point;

/**
 * The point at a utilisation, at a rate, and at traffic spread over a time (in inlay_delay_unit()).
 * INLAY_BAD_ARGUMENT for numbers below 0 or not finite; INLAY_NO_ANSWER at or above the limit, and the message says by
 * how much.
 */
INLAY_API int inlay_delay_at_utilisation(const inlay_delay *delay, double u, inlay_delay_point *point,
                                         inlay_diag *diag);
INLAY_API int inlay_delay_at_rate(const inlay_delay *delay, double rho, inlay_delay_point *point, inlay_diag *diag);
INLAY_API int inlay_delay_at_traffic(const inlay_delay *delay, double traffic, double time, inlay_delay_point *point,
                                     inlay_diag *diag);

/**
 * How far the model is known to be from the truth at rho, errors as in inlay_known_error. The bus is exact where the
 * lengths of messages are random (exponentially distributed).
 */
INLAY_API int inlay_delay_known_error(const inlay_delay *delay, double rho, inlay_known_error *error);

/**
 * What the formula's D is above the truth, relatively, where all messages have one length: *least at the same rate, as
 * in inlay_known_error, *most at the same u, and so at the same traffic. Known for the bus; false for the other models.
 */
INLAY_API bool inlay_delay_fixed_length_error(const inlay_delay *delay, const inlay_delay_point *point, double *least,
                                              double *most);

/* ---- Words ---- */

INLAY_API const char *inlay_delay_unit_of_delay(const inlay_delay *delay);   /**< "transfers", "cycles", "us" */
INLAY_API const char *inlay_delay_unit_of_traffic(const inlay_delay *delay); /**< "messages" or "bytes" */

/* ---- Machines at the same points: what `inlay delay` tells ---- */

/** Where a point comes from: the function at an even load, or an operating point of the user's. */
typedef enum inlay_delay_source {
    INLAY_DELAY_POINTS,      /**< a load, one of many that show the function */
    INLAY_DELAY_UTILISATION, /**< u */
    INLAY_DELAY_LOAD,        /**< u / u_limit */
    INLAY_DELAY_RATE,        /**< rho */
    INLAY_DELAY_TRAFFIC
} inlay_delay_source;

INLAY_API const char *inlay_delay_source_name(inlay_delay_source source); /**< "points", "utilisation", "load", ... */

typedef struct inlay_delay_ask {
    inlay_delay_source source;
    double value;        /**< load, u or rho */
    inlay_rate traffic;  /**< an amount, so without a time */
    bool bare;           /**< it counts what the machine's capacity counts, whatever that is */
    inlay_duration time; /**< in which the traffic passes; without a unit in that of the machine */
} inlay_delay_ask;

/** Traffic and time of an ask in the units of a machine; 0 where they do not convert. */
INLAY_API double inlay_delay_ask_traffic(const inlay_delay *delay, const inlay_delay_ask *ask);
INLAY_API double inlay_delay_ask_time(const inlay_delay *delay, const inlay_delay_ask *ask);

/** The point that is asked for; statuses as above. */
INLAY_API int inlay_delay_at(const inlay_delay *delay, const inlay_delay_ask *ask, inlay_delay_point *point,
                             inlay_diag *diag);

typedef struct inlay_delay_row {
    inlay_delay_source source;
    inlay_delay_point point;
    inlay_known_error error;                  /**< numbers are NaN where it is not known */
    double one_length_least, one_length_most; /**< inlay_delay_fixed_length_error(); NaN where it is not known */
} inlay_delay_row;

/** Zero-initialise. */
typedef struct inlay_delay_study {
    const inlay_delay *const *delay; /**< the caller's, which have to outlive it */
    size_t delays, points;
    inlay_delay_row *row; /**< [delays * points], those of a machine one after the other in the order of asks; ours */
} inlay_delay_study;

/** Every point that is asked for of every machine. Statuses as above. */
INLAY_API int inlay_delay_study_make(const inlay_delay *const *delay, size_t delays, const inlay_delay_ask *ask,
                                     size_t points, inlay_delay_study *study, inlay_diag *diag);
INLAY_API void inlay_delay_study_clear(inlay_delay_study *study);

/** The known error of D in a narrow column: "exact", "+18 to +22 %", "-" where there is none. Returns `text`. */
enum { INLAY_DELAY_ERROR_TEXT = 80 };
INLAY_API char *inlay_delay_error_text(const inlay_delay_row *row, char text[INLAY_DELAY_ERROR_TEXT]);

/** What a reader should know about a point; there may be several of a point. */
typedef enum inlay_delay_remark {
    INLAY_DELAY_UNREACHABLE, /**< no rate of a processor gives it */
    INLAY_DELAY_ERROR,       /**< the formula is known to err */
    INLAY_DELAY_UNKNOWN,     /**< how far it errs is not known */
    INLAY_DELAY_ONE_LENGTH   /**< it errs where messages have one length */
} inlay_delay_remark;

enum { INLAY_DELAY_REMARKS = 4, INLAY_DELAY_REMARK_TEXT = 320 };

/** The rows that a remark is about. */
typedef struct inlay_delay_remarked {
    size_t count;
    double first, last;                 /**< least and largest load */
    double u;                           /**< of one of them */
    char text[INLAY_DELAY_REMARK_TEXT]; /**< the remark, with a remedy; "" where it is about none */
} inlay_delay_remarked;

INLAY_API inlay_delay_remarked inlay_delay_find_remark(const inlay_delay *delay, inlay_delay_remark remark,
                                                       const inlay_delay_row *rows, size_t count);

#endif
