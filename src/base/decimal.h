/* Exact decimals: what inlay/units.h offers, and the steps between decimals, grains and text. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <inlay/units.h>

/** Room for any decimal as text. */
enum { DECIMAL_TEXT = INLAY_TIME_TEXT };

/** The shortest text of digits x 10^-scale without exponent: "464", "0.0025". Returns `text`. */
char *decimal_text(inlay_decimal value, char text[DECIMAL_TEXT]);

/** The same value with the fewest digits behind the point. */
inlay_decimal decimal_normal(inlay_decimal value);

/** Multiply by a power of ten; false where it leaves 64 bits or 18 places. */
bool decimal_shift(inlay_decimal value, int power, inlay_decimal *shifted);

/** value x 10^scale, rounded to nearest (half to even); false where it leaves 64 bits. */
bool decimal_grains(inlay_decimal value, int scale, int64_t *grains);

/** Whether it was read from what is not 0, but too small for 18 decimals. */
bool decimal_lost(inlay_decimal value);

/** value x 10^scale, rounded down; false where it leaves 64 bits. */
bool decimal_floor_grains(inlay_decimal value, int scale, int64_t *grains);

/** Power of ten of one unit over another: ms in us is 3. Both must have a length in seconds. */
int unit_power(inlay_unit unit, inlay_unit in);

/** A time in `unit`, rounded once: 5us are the double nearest to 0.000005 s. As it stands without a unit, and in ticks. */
double duration_in(inlay_duration time, inlay_unit unit);

/** A double as the shortest text that reads back the same ("0.1", "1e-09"); nan and inf become "null". */
enum { DOUBLE_TEXT = 32 };
char *double_text(double x, char text[DOUBLE_TEXT]);

#endif
