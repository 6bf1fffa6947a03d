/* JSON objects as the commands print them. */
#include "result.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void quote(FILE *to, const char *text)
{
    say(to, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            say(to, "\\%c", *c);
        } else if ((unsigned char)*c < ' ') {
            say(to, "\\u%04x", (unsigned)*c);
        } else {
            say(to, "%c", *c);
        }
    }
    say(to, "\"");
}

/* What comes before any value: comma, line and key. */
static void lead(result *out, const char *key)
{
    if (out->depth > 0) {
        say(out->to, out->filled[out->depth] ? ",\n%*s" : "\n%*s", 2 * out->depth, "");
        out->filled[out->depth] = true;
    }
    if (key != NULL) {
        quote(out->to, key);
        say(out->to, ": ");
    }
}

void result_open(result *out, const char *key, char bracket)
{
    lead(out, key);
    say(out->to, "%c", bracket);
    out->filled[++out->depth] = false;
}

void result_close(result *out, char bracket)
{
    bool filled = out->filled[out->depth--];
    if (filled) {
        say(out->to, "\n%*s", 2 * out->depth, "");
    }
    say(out->to, "%c", bracket);
    if (out->depth == 0) {
        say(out->to, "\n");
    }
}

void result_string(result *out, const char *key, const char *value)
{
    lead(out, key);
    quote(out->to, value);
}

void result_exact(result *out, const char *key, const char *digits)
{
    lead(out, key);
    say(out->to, "%s", digits);
}

void result_integer(result *out, const char *key, int64_t value)
{
    lead(out, key);
    say(out->to, "%" PRId64, value);
}

void result_count(result *out, const char *key, int64_t value)
{
    if (value < 0) {
        result_exact(out, key, "null");
    } else {
        result_integer(out, key, value);
    }
}

void result_number(result *out, const char *key, double value)
{
    enum { FEWEST_DIGITS = 15, MOST_DIGITS = 17 }; /* the most is always enough for a double to read back */
    char digits[32] = "null";
    for (int places = FEWEST_DIGITS; isfinite(value) && places <= MOST_DIGITS; places++) {
        (void)snprintf(digits, sizeof digits, "%.*g", places, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    result_exact(out, key, digits);
}

void result_bool(result *out, const char *key, bool value)
{
    result_exact(out, key, value ? "true" : "false");
}

void result_common(result *out, const invocation *call, const inlay_diag *diag)
{
    result_string(out, "inlay", inlay_version());
    result_string(out, "command", call->command->name);
    lead(out, "seed");
    say(out->to, "%" PRIu64, call->common->seed);
    result_open(out, "warnings", '[');
    for (size_t i = 0; i < inlay_diag_warnings(diag); i++) {
        result_string(out, NULL, inlay_diag_warning(diag, i));
    }
    result_close(out, ']');
}
