/* Slurm's lists of hosts: "n[00-07,9]-ib,m1", several brackets in a name, numbers as wide as the first of their range. */
#include "base/diag.h"
#include "base/plain.h"
#include "io/slurm/slurm.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_BRACKETS = 8, MOST_DIGITS = 9, MOST_NAME = 255 };

typedef struct expansion {
    slurm *s;
    slurm_place place;
    const char *list; /* for messages */
    int (*take)(slurm *s, const char *name, void *what);
    void *what;
    int64_t names;
    text_buffer name;
} expansion;

static int refuse(const expansion *e, const char *what)
{
    return slurm_fail(e->s, e->place, "the hosts '%.200s': %s; expected names such as n[0-3,7],m1", e->list, what);
}

static int give(expansion *e)
{
    if (e->name.failed) {
        return diag_no_memory(e->s->diag);
    }
    if (e->name.size == 0 || e->name.size > MOST_NAME) {
        return refuse(e, e->name.size == 0 ? "an empty name" : "a name of more than 255 characters");
    }
    if (++e->names > SLURM_MOST_NODES) {
        return slurm_fail(e->s, e->place, "the hosts '%.200s' are more than %d; expected fewer", e->list,
                          SLURM_MOST_NODES);
    }
    if (++e->s->listed > SLURM_MOST_NAMES) {
        return slurm_fail(e->s, e->place, "more than %d names in all lists of hosts; expected fewer", SLURM_MOST_NAMES);
    }
    return e->take(e->s, e->name.data, e->what);
}

/* Digits at *at; how many. */
static int take_number(const char **at, int64_t *number)
{
    int digits = 0;
    for (*number = 0; plain_digit(**at) && digits <= MOST_DIGITS; (*at)++, digits++) {
        *number = *number * 10 + (**at - '0');
    }
    return digits;
}

/* "7" or "00-07" at *at, before a comma or the bracket's end. */
static bool take_range(const char **at, int64_t *first, int64_t *last, int *width)
{
    *width = take_number(at, first);
    int digits = *width;
    *last = *first;
    if (**at == '-') {
        ++*at;
        digits = take_number(at, last);
    }
    bool good = *width > 0 && *width <= MOST_DIGITS && digits > 0 && digits <= MOST_DIGITS && *last >= *first;
    return good && (**at == ',' || **at == ']');
}

/* NOLINTBEGIN(misc-no-recursion): once for each bracket, of which there are at most MOST_BRACKETS */

/* What stands from `at` to `end`, behind what the name has already. */
static int expand(expansion *e, const char *at, const char *end, int brackets)
{
    size_t begin = e->name.size;
    const char *open = memchr(at, '[', (size_t)(end - at));
    text_append(&e->name, at, (size_t)((open == NULL ? end : open) - at));
    if (open == NULL) {
        int status = memchr(at, ']', (size_t)(end - at)) != NULL ? refuse(e, "a bracket that was not opened") : give(e);
        e->name.size = begin;
        return status;
    }
    const char *close = memchr(open, ']', (size_t)(end - open));
    if (close == NULL || brackets == MOST_BRACKETS) {
        return refuse(e, close == NULL ? "a bracket that is not closed" : "more than 8 brackets in a name");
    }
    size_t fixed = e->name.size;
    int status = INLAY_OK;
    for (const char *next = open; status == INLAY_OK && next < close;) {
        int64_t first, last;
        int width;
        next++;
        if (!take_range(&next, &first, &last, &width)) {
            return refuse(e, "a range that is none");
        }
        for (int64_t number = first; number <= last && status == INLAY_OK; number++) {
            e->name.size = fixed;
            text_addf(&e->name, "%0*" PRId64, width, number);
            status = expand(e, close + 1, end, brackets + 1);
        }
    }
    e->name.size = begin;
    return status;
}

/* NOLINTEND(misc-no-recursion) */

/* The comma behind a name, or the end of the list: commas in brackets part numbers. */
static const char *end_of_name(const char *at)
{
    for (bool inside = false; *at != '\0' && (inside || *at != ','); at++) {
        inside = *at == '[' || (inside && *at != ']');
    }
    return at;
}

int slurm_hosts(slurm *s, slurm_place place, const char *list, int (*take)(slurm *s, const char *name, void *what),
                void *what)
{
    expansion e = {.s = s, .place = place, .list = list, .take = take, .what = what};
    int status = INLAY_OK;
    bool more = true;
    text_add(&e.name, "");
    for (const char *at = list; more && status == INLAY_OK;) {
        const char *end = end_of_name(at);
        status = expand(&e, at, end, 0);
        more = *end == ',';
        at = end + 1;
    }
    text_clear(&e.name);
    return status;
}
