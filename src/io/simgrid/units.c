/* Quantities of platform files: numbers with the units that SimGrid 3.32 knows. */
#include "base/memory.h"
#include "base/plain.h"
#include "io/simgrid/reader.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A unit, alone or behind a prefix of one of the lists. */
typedef struct unit {
    const char *name;
    double value;
    const char *const *prefixes; /* each is `step` times the one before it; NULL: none */
    double step;
} unit;

static const char *const decimal[] = {"k", "M", "G", "T", "P", "E", "Z", "Y", NULL};
static const char *const binary[] = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi", NULL};
static const char *const words[] = {"kilo", "mega", "giga", "tera", "peta", "exa", "zeta", "yotta", NULL};

/* The first unit of a list is that of a bare number. */
static const unit speeds[] = {{"f", 1, decimal, 1000}, {"flops", 1, words, 1000}, {NULL, 0, NULL, 0}};
static const unit bandwidths[] = {{"Bps", 1, decimal, 1000},
                                  {"Bps", 1, binary, 1024},
                                  {"bps", 0.125, decimal, 1000},
                                  {"bps", 0.125, binary, 1024},
                                  {NULL, 0, NULL, 0}};
static const unit times[] = {
    {"s", 1, NULL, 0},  {"ms", 1e-3, NULL, 0}, {"us", 1e-6, NULL, 0}, {"ns", 1e-9, NULL, 0},  {"ps", 1e-12, NULL, 0},
    {"m", 60, NULL, 0}, {"h", 3600, NULL, 0},  {"d", 86400, NULL, 0}, {"w", 604800, NULL, 0}, {NULL, 0, NULL, 0}};

/* What a word is worth; 0 where it is no unit of the list. */
static double worth(const unit *units, const char *word)
{
    if (*word == '\0') {
        return units[0].value;
    }
    for (const unit *u = units; u->name != NULL; u++) {
        double value = u->value;
        if (strcmp(word, u->name) == 0) {
            return value;
        }
        for (const char *const *prefix = u->prefixes; prefix != NULL && *prefix != NULL; prefix++) {
            value *= u->step;
            size_t size = strlen(*prefix);
            if (strncmp(word, *prefix, size) == 0 && strcmp(word + size, u->name) == 0) {
                return value;
            }
        }
    }
    return 0;
}

/* Decimal numbers alone: neither "inf" nor hexadecimal ones. */
static bool read_quantity(const char *text, const unit *units, double *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    if (!(plain_digit(*digits) || *digits == '.') || (digits[0] == '0' && (digits[1] | 32) == 'x')) {
        return false;
    }
    char *end;
    errno = 0;
    double number = plain_number(text, &end);
    double unit_value = worth(units, end);
    if (end == text || errno == ERANGE || !(unit_value > 0) || !isfinite(number * unit_value)) {
        return false;
    }
    *value = number * unit_value;
    return true;
}

int simgrid_speed_of(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, const char *text,
                     double *flops)
{
    double value;
    if (!read_quantity(text, speeds, &value) || !(value > 0)) {
        return simgrid_fail(in, tag->line, "%s %s='%s'; expected a number above 0 with f, kf, Mf, Gf, Tf, ...",
                            tag->rule->name, attribute, text);
    }
    *flops = value;
    return INLAY_OK;
}

int simgrid_bandwidth_of(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, double *bytes)
{
    const char *text = simgrid_value(tag, attribute);
    double value;
    if (!read_quantity(text, bandwidths, &value) || !(value > 0)) {
        return simgrid_fail(in, tag->line, "%s %s='%s'; expected a number above 0 with Bps, kBps, MiBps, Gbps, ...",
                            tag->rule->name, attribute, text);
    }
    *bytes = value;
    return INLAY_OK;
}

int simgrid_time_of(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, double *seconds)
{
    const char *text = simgrid_value(tag, attribute);
    double value;
    if (!read_quantity(text, times, &value) || !(value >= 0)) {
        return simgrid_fail(in, tag->line,
                            "%s %s='%s'; expected a number, 0 or more, with s, ms, us, ns, ps, m, h, ...",
                            tag->rule->name, attribute, text);
    }
    *seconds = value;
    return INLAY_OK;
}

int simgrid_count_of(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, int32_t least,
                     int32_t most, int32_t *count)
{
    const char *text = simgrid_value(tag, attribute);
    char *end;
    errno = 0;
    double value = plain_number(text, &end);
    bool whole =
        plain_digit(*text) && *end == '\0' && errno == 0 && value >= least && value <= most && floor(value) == value;
    if (!whole) {
        return simgrid_fail(in, tag->line, "%s %s='%s'; expected a whole number from %d to %d", tag->rule->name,
                            attribute, text, least, most);
    }
    *count = (int32_t)value;
    return INLAY_OK;
}

/* One element of a list, without the blanks around it. */
static void trim(char *word)
{
    char *begin = word;
    while (plain_space(*begin)) {
        begin++;
    }
    size_t size = strlen(begin);
    while (size > 0 && plain_space(begin[size - 1])) {
        size--;
    }
    memmove(word, begin, size);
    word[size] = '\0';
}

int simgrid_state_speed(const simgrid_reader *in, const simgrid_tag *tag, int32_t state, double *flops)
{
    const char *text = simgrid_value(tag, "speed");
    const char *begin = text;
    for (int32_t i = 0; i < state && begin != NULL; i++) {
        begin = strchr(begin, ',');
        begin = begin == NULL ? NULL : begin + 1;
    }
    if (begin == NULL) {
        return simgrid_fail(in, tag->line, "%s pstate %d of the speeds '%s'; expected one that is in the list, from 0",
                            tag->rule->name, state, text);
    }
    char *word = memory_string(begin);
    if (word == NULL) {
        return diag_no_memory(in->diag);
    }
    word[strcspn(word, ",")] = '\0';
    trim(word);
    int status = simgrid_speed_of(in, tag, "speed", word, flops);
    free(word);
    return status;
}
