/* Exact decimals and double text. */
#include "base/decimal.h"
#include "base/plain.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SCALE = 18, MAX_DIGITS = 18 };

static const int64_t powers[MAX_SCALE + 1] = {1,
                                              10,
                                              100,
                                              1000,
                                              10000,
                                              100000,
                                              1000000,
                                              10000000,
                                              100000000,
                                              1000000000,
                                              10000000000,
                                              100000000000,
                                              1000000000000,
                                              10000000000000,
                                              100000000000000,
                                              1000000000000000,
                                              10000000000000000,
                                              100000000000000000,
                                              1000000000000000000};

/* The significant digits of a number as they are read, as many as 64 bits hold: 18, often 19. */
typedef struct reading {
    int64_t digits;
    int count;      /* significant digits kept */
    int64_t power;  /* value = digits x 10^power */
    int first_lost; /* first digit dropped, -1 none */
    bool sticky;    /* a digit other than 0 was dropped behind it */
    bool any;
} reading;

static void read_digit(reading *r, int digit, bool behind_point)
{
    r->any = true;
    bool room = r->count < MAX_DIGITS || r->digits <= (INT64_MAX - digit) / 10;
    if (r->first_lost < 0 && room) {
        r->digits = r->digits * 10 + digit;
        r->count += r->count > 0 || digit > 0;
        r->power -= behind_point;
        return;
    }
    if (r->first_lost < 0) {
        r->first_lost = digit;
    } else {
        r->sticky |= digit != 0;
    }
    r->power += !behind_point;
}

/* Half to even. */
static int64_t rounded(int64_t quotient, int64_t twice_remainder, int64_t divisor)
{
    bool up = twice_remainder > divisor || (twice_remainder == divisor && (quotient & 1));
    return quotient + up;
}

static bool divide_rounded(int64_t value, int power, int64_t *result)
{
    int64_t divisor = powers[power];
    int64_t magnitude = value < 0 ? -value : value;
    int64_t remainder = magnitude % divisor;
    /* remainder < 10^18, so its double stays inside 64 bits */
    int64_t quotient = rounded(magnitude / divisor, remainder * 2, divisor);
    *result = value < 0 ? -quotient : quotient;
    return true;
}

/* Read the number at the start of text; the first character behind it, or NULL. */
static const char *read_number(const char *text, inlay_decimal *value)
{
    reading r = {.first_lost = -1};
    const char *c = text;
    bool negative = *c == '-';
    c += *c == '-' || *c == '+';
    for (; plain_digit(*c); c++) {
        read_digit(&r, *c - '0', false);
    }
    if (*c == '.') {
        for (c++; plain_digit(*c); c++) {
            read_digit(&r, *c - '0', true);
        }
    }
    if (!r.any) {
        return NULL;
    }
    const char *mark = c;
    if (*c == 'e' || *c == 'E') {
        const char *sign = ++c;
        c += *c == '-' || *c == '+';
        int64_t exponent = 0;
        bool digits = false;
        for (; plain_digit(*c); c++) {
            digits = true;
            exponent = exponent < 100000 ? exponent * 10 + (*c - '0') : exponent;
        }
        if (digits) {
            r.power += *sign == '-' ? -exponent : exponent;
        } else {
            c = mark;
        }
    }
    bool up = r.first_lost > 5 || (r.first_lost == 5 && (r.sticky || (r.digits & 1)));
    r.digits += up && r.digits < INT64_MAX;
    if (r.digits == 0) {
        r.power = 0;
    }
    while (r.power > 0) {
        if (r.digits > INT64_MAX / 10) {
            return NULL;
        }
        r.digits *= 10;
        r.power--;
    }
    bool lost = false;
    if (r.power < -MAX_SCALE) {
        int64_t extra = -r.power - MAX_SCALE, rest = 0;
        if (extra <= MAX_DIGITS) {
            divide_rounded(r.digits, (int)extra, &rest);
        }
        lost = rest == 0 && r.digits > 0;
        r.digits = rest;
        r.power = -MAX_SCALE;
    }
    *value = lost ? (inlay_decimal){0, MAX_SCALE} /* see decimal_lost() */
                  : decimal_normal((inlay_decimal){negative ? -r.digits : r.digits, (int)-r.power});
    return c;
}

int inlay_decimal_parse(const char *text, inlay_decimal *value)
{
    inlay_decimal read;
    const char *end = text == NULL ? NULL : read_number(text, &read);
    if (end == NULL || *end != '\0') {
        return INLAY_BAD_INPUT;
    }
    *value = read;
    return INLAY_OK;
}

int inlay_decimal_from_double(double x, inlay_decimal *value)
{
    if (!isfinite(x)) {
        return INLAY_BAD_INPUT;
    }
    char text[DOUBLE_TEXT];
    return inlay_decimal_parse(double_text(x, text), value);
}

double inlay_decimal_double(inlay_decimal value)
{
    int64_t exact = INT64_C(1) << 53;
    if (value.digits <= exact && value.digits >= -exact) {
        return (double)value.digits / (double)powers[value.scale];
    }
    return (double)((long double)value.digits / (long double)powers[value.scale]);
}

inlay_decimal decimal_normal(inlay_decimal value)
{
    while (value.scale > 0 && value.digits % 10 == 0) {
        value.digits /= 10;
        value.scale--;
    }
    return value;
}

bool decimal_lost(inlay_decimal value)
{
    return value.digits == 0 && value.scale == MAX_SCALE;
}

bool decimal_shift(inlay_decimal value, int power, inlay_decimal *shifted)
{
    int scale = value.scale - power;
    int64_t digits = value.digits;
    if (decimal_lost(value)) {
        *shifted = value;
        return true;
    }
    for (; scale < 0; scale++) {
        if (digits > INT64_MAX / 10 || digits < -(INT64_MAX / 10)) {
            return false;
        }
        digits *= 10;
    }
    if (scale > MAX_SCALE) {
        inlay_decimal normal = decimal_normal((inlay_decimal){digits, scale});
        digits = normal.digits;
        scale = normal.scale;
    }
    if (scale > MAX_SCALE) {
        return false;
    }
    *shifted = decimal_normal((inlay_decimal){digits, scale});
    return true;
}

static bool multiply_up(int64_t digits, int power, int64_t *result)
{
    if (power > MAX_SCALE) {
        return digits == 0 && (*result = 0, true);
    }
    return !__builtin_mul_overflow(digits, powers[power], result);
}

bool decimal_grains(inlay_decimal value, int scale, int64_t *grains)
{
    return scale >= value.scale ? multiply_up(value.digits, scale - value.scale, grains)
                                : divide_rounded(value.digits, value.scale - scale, grains);
}

bool decimal_floor_grains(inlay_decimal value, int scale, int64_t *grains)
{
    if (scale >= value.scale) {
        return multiply_up(value.digits, scale - value.scale, grains);
    }
    int64_t divisor = powers[value.scale - scale];
    *grains = value.digits / divisor - (value.digits % divisor < 0);
    return true;
}

char *decimal_text(inlay_decimal value, char text[DECIMAL_TEXT])
{
    inlay_decimal v = decimal_normal(value);
    uint64_t magnitude = v.digits < 0 ? -(uint64_t)v.digits : (uint64_t)v.digits;
    uint64_t fraction = magnitude % (uint64_t)powers[v.scale];
    char *end = text + snprintf(text, DECIMAL_TEXT - MAX_SCALE - 2, "%s%" PRIu64, v.digits < 0 ? "-" : "",
                                magnitude / (uint64_t)powers[v.scale]);
    if (v.scale > 0) {
        *end++ = '.';
        for (int place = v.scale - 1; place >= 0; place--, fraction /= 10) {
            end[place] = (char)('0' + fraction % 10);
        }
        end[v.scale] = '\0';
    }
    return text;
}

char *double_text(double x, char text[DOUBLE_TEXT])
{
    if (!isfinite(x)) {
        return strcpy(text, "null");
    }
    for (int digits = 15; digits <= 17; digits++) {
        plain_print(text, DOUBLE_TEXT, "%.*g", digits, x);
        if (plain_number(text, NULL) == x) {
            break;
        }
    }
    return text;
}

/* ---- Quantities with units ---- */

static const struct {
    const char *name;
    inlay_unit unit;
} unit_words[] = {
    {"s", INLAY_UNIT_S},   {"ms", INLAY_UNIT_MS},     {"us", INLAY_UNIT_US},      {"\xC2\xB5s", INLAY_UNIT_US},
    {"ns", INLAY_UNIT_NS}, {"tick", INLAY_UNIT_TICK}, {"ticks", INLAY_UNIT_TICK},
};

const char *inlay_unit_name(inlay_unit unit)
{
    static const char *const names[] = {"", "s", "ms", "us", "ns", "tick"};
    return names[unit];
}

const char *inlay_unit_word(inlay_unit unit)
{
    return unit == INLAY_UNIT_TICK ? "ticks" : inlay_unit_name(unit);
}

double inlay_unit_seconds(inlay_unit unit)
{
    static const double seconds[] = {0, 1, 1e-3, 1e-6, 1e-9, 0};
    return seconds[unit];
}

int unit_power(inlay_unit unit, inlay_unit in)
{
    static const int power[] = {0, 0, -3, -6, -9, 0};
    return power[unit] - power[in];
}

double duration_in(inlay_duration time, inlay_unit unit)
{
    char text[DECIMAL_TEXT];
    if (time.unit == INLAY_UNIT_NONE || unit == INLAY_UNIT_TICK) {
        return inlay_decimal_double(time.value);
    }
    (void)snprintf(text, sizeof text, "%" PRId64 "e%d", time.value.digits,
                   unit_power(time.unit, unit) - time.value.scale);
    return plain_number(text, NULL);
}

static bool find_unit(const char *word, inlay_unit *unit)
{
    for (size_t i = 0; i < sizeof unit_words / sizeof *unit_words; i++) {
        if (strcmp(unit_words[i].name, word) == 0) {
            *unit = unit_words[i].unit;
            return true;
        }
    }
    return false;
}

static const char *skip_blanks(const char *c)
{
    while (*c == ' ') {
        c++;
    }
    return c;
}

int inlay_duration_parse(const char *text, inlay_duration *value)
{
    inlay_duration read = {.unit = INLAY_UNIT_NONE};
    const char *end = text == NULL ? NULL : read_number(text, &read.value);
    if (end == NULL) {
        return INLAY_BAD_INPUT;
    }
    end = skip_blanks(end);
    if (*end != '\0' && !find_unit(end, &read.unit)) {
        return INLAY_BAD_INPUT;
    }
    *value = read;
    return INLAY_OK;
}

static const struct {
    const char *name;
    double factor; /* bytes, or messages where `messages` is set; all are exact */
    bool messages, size;
} count_words[] = {
    {"", 1, true, true},
    {"msg", 1, true, false},
    {"msgs", 1, true, false},
    {"message", 1, true, false},
    {"messages", 1, true, false},
    {"B", 1, false, true},
    {"kB", 1e3, false, true},
    {"KB", 1e3, false, true},
    {"MB", 1e6, false, true},
    {"GB", 1e9, false, true},
    {"TB", 1e12, false, true},
    {"KiB", 1024., false, true},
    {"MiB", 1048576., false, true},
    {"GiB", 1073741824., false, true},
    {"TiB", 1099511627776., false, true},
    {"bit", 0.125, false, false},
    {"kbit", 125, false, false},
    {"Mbit", 125e3, false, false},
    {"Gbit", 125e6, false, false},
    {"Tbit", 125e9, false, false},
};

/* Row of the word of `size` characters, or -1. */
static int find_count(const char *word, size_t size)
{
    for (size_t i = 0; i < sizeof count_words / sizeof *count_words; i++) {
        if (strlen(count_words[i].name) == size && memcmp(count_words[i].name, word, size) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int inlay_bytes_parse(const char *text, int64_t *bytes)
{
    inlay_decimal number;
    const char *end = text == NULL ? NULL : read_number(text, &number);
    if (end == NULL) {
        return INLAY_BAD_INPUT;
    }
    end = skip_blanks(end);
    int row = find_count(end, strlen(end));
    if (row < 0 || !count_words[row].size) {
        return INLAY_BAD_INPUT;
    }
    int64_t product;
    if (__builtin_mul_overflow(number.digits, (int64_t)count_words[row].factor, &product) ||
        product % powers[number.scale] != 0) {
        return INLAY_BAD_INPUT;
    }
    *bytes = product / powers[number.scale];
    return INLAY_OK;
}

int inlay_flops_parse(const char *text, double *flops)
{
    static const char prefixes[] = "kMGTPE", *const names[] = {"f", "flops", "flop/s"};
    inlay_decimal number;
    const char *end = text == NULL ? NULL : read_number(text, &number);
    if (end == NULL || number.digits <= 0) {
        return INLAY_BAD_INPUT;
    }
    double value = inlay_decimal_double(number);
    end = skip_blanks(end);
    for (size_t i = 0; *end != '\0' && i < strlen(prefixes); i++) {
        if (*end == prefixes[i]) {
            value *= pow(1000, (double)i + 1);
            end++;
            break;
        }
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(end, names[i]) == 0) {
            *flops = value;
            return INLAY_OK;
        }
    }
    return INLAY_BAD_INPUT;
}

int inlay_rate_parse(const char *text, inlay_rate *rate)
{
    inlay_decimal number;
    const char *end = text == NULL ? NULL : read_number(text, &number);
    if (end == NULL) {
        return INLAY_BAD_INPUT;
    }
    end = skip_blanks(end);
    const char *slash = strchr(end, '/');
    int row = find_count(end, slash == NULL ? strlen(end) : (size_t)(slash - end));
    inlay_rate read = {.per = INLAY_UNIT_NONE};
    if (row < 0 || (slash != NULL && !find_unit(slash + 1, &read.per))) {
        return INLAY_BAD_INPUT;
    }
    read.kind = count_words[row].messages ? INLAY_RATE_MESSAGES : INLAY_RATE_BYTES;
    read.value = inlay_decimal_double(number) * count_words[row].factor;
    if (!(read.value > 0) || !isfinite(read.value)) {
        return INLAY_BAD_INPUT;
    }
    *rate = read;
    return INLAY_OK;
}
