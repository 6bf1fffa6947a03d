/*
 * Exact decimals and quantities with units.
 *
 * Times are exact: a file's decimals become 64-bit multiples of 10^-d of the application's unit, so sums are exact and
 * ties never depend on the order of additions. Rates (capacity, bandwidth) and other measurements are doubles.
 */
#ifndef INLAY_UNITS_H
#define INLAY_UNITS_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stdint.h>

/** digits x 10^-scale, scale in 0..18. What is not 0 but rounds to 0 at 18 decimals is {0, 18}; 0 itself is {0, 0}. */
typedef struct inlay_decimal {
    int64_t digits;
    int scale;
} inlay_decimal;

/** Time units of a file. INLAY_UNIT_NONE: a bare number, to be read in the unit of its surroundings. */
typedef enum inlay_unit {
    INLAY_UNIT_NONE,
    INLAY_UNIT_S,
    INLAY_UNIT_MS,
    INLAY_UNIT_US,
    INLAY_UNIT_NS,
    INLAY_UNIT_TICK /**< pure theory: no length in seconds unless the caller gives one */
} inlay_unit;

/** A length of time as written: 2.5ms is {{25, 1}, INLAY_UNIT_MS}. */
typedef struct inlay_duration {
    inlay_decimal value;
    inlay_unit unit;
} inlay_duration;

/** "s", "ms", "us", "ns", "tick"; "" for INLAY_UNIT_NONE. */
INLAY_API const char *inlay_unit_name(inlay_unit unit);

/** The same for use behind a number: "ticks". */
INLAY_API const char *inlay_unit_word(inlay_unit unit);

/** Seconds in one unit; 0 for ticks and for INLAY_UNIT_NONE, which have no length of their own. */
INLAY_API double inlay_unit_seconds(inlay_unit unit);

/**
 * Read a finite number ("464", "-2.5", "1e-3") exactly. Digits beyond 64 bits (18, often 19 significant ones) are rounded to nearest.
 * Returns INLAY_BAD_INPUT without a message for anything else (nan, inf, empty, trailing text): the caller knows where
 * it stands in which file.
 */
INLAY_API int inlay_decimal_parse(const char *text, inlay_decimal *value);

/** The shortest decimal that reads back as the same double; INLAY_BAD_INPUT where x is not finite or out of range. */
INLAY_API int inlay_decimal_from_double(double x, inlay_decimal *value);

INLAY_API double inlay_decimal_double(inlay_decimal value);

/** Room for any decimal as text. */
enum { INLAY_TIME_TEXT = 48 };

/** A number with an optional time unit: "464", "2.5ms", "3 ticks". INLAY_BAD_INPUT without a message otherwise. */
INLAY_API int inlay_duration_parse(const char *text, inlay_duration *value);

/**
 * A time as people give it, in seconds: a number from 0 with s, ms, us, ns, min, h or d ("90min", "1.5 h"). INLAY_BAD_INPUT
 * without a message otherwise.
 */
INLAY_API int inlay_seconds_parse(const char *text, double *seconds);

/** The unit in which people say so many seconds: from "us" to "d"; *length is what one of it has, in seconds. */
INLAY_API const char *inlay_seconds_unit(double seconds, double *length);

/** A size in bytes: "4096", "4KiB", "64MB" (10^6), "1GiB"; a fraction of a byte is refused. */
INLAY_API int inlay_bytes_parse(const char *text, int64_t *bytes);

/** Operations a second: "2Gf", "1.5 Tflop/s", "3e9flops"; above 0. INLAY_BAD_INPUT without a message otherwise. */
INLAY_API int inlay_flops_parse(const char *text, double *flops);

/** What a rate counts. */
typedef enum inlay_rate_kind { INLAY_RATE_MESSAGES, INLAY_RATE_BYTES } inlay_rate_kind;

/** A rate as written: "1msg/tick" is {1, INLAY_RATE_MESSAGES, INLAY_UNIT_TICK}; "10Mbit/s" counts bytes. */
typedef struct inlay_rate {
    double value;
    inlay_rate_kind kind;
    inlay_unit per; /**< INLAY_UNIT_NONE where the text names no time */
} inlay_rate;

/** A positive finite rate: "1", "5msg", "1msg/tick", "1.25GB/s", "64KiB/us". INLAY_BAD_INPUT otherwise, no message. */
INLAY_API int inlay_rate_parse(const char *text, inlay_rate *rate);

#endif
