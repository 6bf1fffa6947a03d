/* Times as people give them. */
#include "base/decimal.h"
#include "base/plain.h"
#include <math.h>
#include <string.h>

typedef struct long_unit {
    const char *name;
    double seconds;
} long_unit;

static const long_unit long_units[] = {{"min", 60}, {"h", 3600}, {"d", 86400}};
enum { LONG_UNITS = sizeof long_units / sizeof *long_units, NUMBER = 64 };

/* A number in front of one of the long units; false where there is none. */
static bool read_long(const char *text, double *seconds)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < LONG_UNITS; i++) {
        size_t name = strlen(long_units[i].name);
        char number[NUMBER];
        inlay_decimal value;
        if (size <= name || size - name >= NUMBER || strcmp(text + size - name, long_units[i].name) != 0) {
            continue;
        }
        memcpy(number, text, size - name);
        number[size - name] = '\0';
        if (inlay_decimal_parse(plain_trim(number, PLAIN_SPACES), &value) == INLAY_OK && value.digits >= 0) {
            *seconds = inlay_decimal_double(value) * long_units[i].seconds;
            return true;
        }
    }
    return false;
}

int inlay_seconds_parse(const char *text, double *seconds)
{
    inlay_duration time;
    if (text != NULL && read_long(text, seconds)) {
        return INLAY_OK;
    }
    if (inlay_duration_parse(text, &time) != INLAY_OK || time.value.digits < 0 || inlay_unit_seconds(time.unit) <= 0) {
        return INLAY_BAD_INPUT;
    }
    *seconds = inlay_decimal_double(time.value) * inlay_unit_seconds(time.unit);
    return INLAY_OK;
}

/*
 * Of a minute and what is longer there are two at least, or a whole number of them: 90 min, but 1 h.
 */
const char *inlay_seconds_unit(double seconds, double *length)
{
    static const long_unit units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    enum { UNITS = sizeof units / sizeof *units, SECOND = 2 };
    size_t i = UNITS - 1;
    double whole = 0;
    while (i > 0 && !(seconds >= (i > SECOND ? 2 : 1) * units[i].seconds ||
                      (seconds >= units[i].seconds && !(modf(seconds / units[i].seconds, &whole) > 0)))) {
        i--;
    }
    i = seconds > 0 ? i : SECOND;
    *length = units[i].seconds;
    return units[i].name;
}
