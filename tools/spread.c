/* Distributions as options spell them. */
#include "spread.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double usual_cv = 0.1;

const char *read_factor(const char *text, double *number)
{
    size_t length = strspn(text, "0123456789+-.eE");
    char *end;
    double value = strtod(text, &end);
    if (length == 0 || end != text + length || !(value > 0) || !isfinite(value)) {
        return NULL;
    }
    *number = value;
    return end;
}

/* The largest coefficient of variation: beyond it times would be negative, or their mean another. */
static double largest_cv(inlay_spread_kind kind)
{
    switch (kind) {
    case INLAY_SPREAD_UNIFORM: return 1 / sqrt(3);
    case INLAY_SPREAD_NORMAL: return 1;
    case INLAY_SPREAD_KIND:
    case INLAY_SPREAD_CONSTANT:
    case INLAY_SPREAD_EXPONENTIAL: break;
    }
    return 0;
}

static bool find_kind(const char *text, size_t length, inlay_spread_kind *kind)
{
    for (inlay_spread_kind k = INLAY_SPREAD_CONSTANT; k <= INLAY_SPREAD_KIND; k++) {
        const char *name = inlay_spread_name(k);
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            *kind = k;
            return true;
        }
    }
    return false;
}

bool read_spread(const char *text, inlay_spread *spread)
{
    inlay_spread read = {.kind = INLAY_SPREAD_CONSTANT};
    if (text != NULL) {
        size_t length = strcspn(text, ":");
        if (!find_kind(text, length, &read.kind)) {
            return false;
        }
        double most = largest_cv(read.kind);
        read.cv = most > 0 ? usual_cv : 0;
        if (text[length] == ':') {
            const char *end = read_factor(text + length + 1, &read.cv);
            if (end == NULL || *end != '\0' || read.cv > most) {
                return false;
            }
        }
    }
    *spread = read;
    return true;
}

int refuse_spread(const invocation *call, const char *option, bool of_modules, const char *text)
{
    return report_usage(call->command,
                        "%s %s: expected constant, exponential, uniform:CV with a CV above 0 and up to 0.577, "
                        "%s",
                        option, text, of_modules ? "normal:CV up to 1, or kind" : "or normal:CV up to 1");
}
