/* What stands behind the name of a description of computers. */
#include "io/owned.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "machine/machine.h"
#include <stdlib.h>
#include <string.h>

static const char of_type[] = "speed.";

static bool is_typed(const inlay_attribute *a)
{
    return strncmp(a->name, of_type, strlen(of_type)) == 0;
}

static bool is_speed(const inlay_attribute *a)
{
    return is_typed(a) || strcmp(a->name, "speed") == 0;
}

static bool is_own(const inlay_attribute *a, const char *const *names)
{
    while (*names != NULL && strcmp(a->name, *names) != 0) {
        names++;
    }
    return *names != NULL || is_speed(a);
}

/* A word that no machine has either, and that is like one of the names. */
static int check_word(const char *source, const inlay_attribute *a, const char *const *names, inlay_diag *diag)
{
    char nearest[128];
    size_t count = 0;
    for (size_t i = 0; inlay_machine_attribute_name(i) != NULL; i++) {
        if (strcmp(inlay_machine_attribute_name(i), a->name) == 0) {
            return INLAY_OK;
        }
    }
    while (names[count] != NULL) {
        count++;
    }
    inlay_nearest(a->name, names, count, "", nearest, sizeof nearest);
    return nearest[0] == '\0'
               ? INLAY_OK
               : diag_fail_at(diag, INLAY_BAD_INPUT, source, a->line, "unknown attribute '%s'%s", a->name, nearest);
}

int owned_open(owned *o, const char *source, const inlay_attribute *given, size_t count, const char *const *names,
               inlay_diag *diag)
{
    *o = (owned){.source = source, .given = given, .count = count};
    o->used = memory_zeroed(count + 1, sizeof *o->used);
    o->rest = memory_array(count + 1, sizeof *o->rest);
    if (o->used == NULL || o->rest == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < count; i++) {
        double speed, flops = 0;
        if (!is_own(&given[i], names)) {
            int status = check_word(source, &given[i], names, diag);
            if (status != INLAY_OK) {
                return status;
            }
            o->rest[o->rests++] = given[i];
        } else if (is_speed(&given[i]) && !speed_read(given[i].value, &speed, &flops)) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, source, given[i].line,
                                "bad %s '%s'; expected a positive number such as 1 or 2.5, or 2Gf", given[i].name,
                                given[i].value);
        }
    }
    return INLAY_OK;
}

void owned_close(owned *o)
{
    free(o->used);
    free(o->rest);
}

const char *owned_value(const owned *o, const char *name)
{
    for (size_t i = o->count; i-- > 0;) {
        if (strcmp(o->given[i].name, name) == 0) {
            return o->given[i].value;
        }
    }
    return NULL;
}

bool owned_has_speed(const owned *o)
{
    return owned_value(o, "speed") != NULL;
}

/* What was given for a type; NULL: nothing. */
static const char *typed_value(const owned *o, const char *type)
{
    const char *value = NULL;
    for (size_t i = 0; type != NULL && i < o->count; i++) {
        if (is_typed(&o->given[i]) && strcmp(o->given[i].name + strlen(of_type), type) == 0) {
            value = o->given[i].value;
            o->used[i] = true;
        }
    }
    return value;
}

void owned_add_speed(const owned *o, const char *type, double ratio, text_buffer *to)
{
    double speed = 1, flops = 0;
    const char *value = typed_value(o, type);
    if (value == NULL) {
        value = owned_value(o, "speed");
    } else {
        ratio = 1;
    }
    if (value != NULL) {
        (void)speed_read(value, &speed, &flops);
    }
    bool absolute = flops > 0;
    double result = (absolute ? flops / 1e9 : speed) * ratio;
    if (absolute || result < 1 || result > 1) {
        char number[DOUBLE_TEXT];
        text_addf(to, ", speed=\"%s%s\"", double_text(result, number), absolute ? "Gf" : "");
    }
}

int owned_check_types(const owned *o, inlay_diag *diag)
{
    for (size_t i = 0; i < o->count; i++) {
        if (is_typed(&o->given[i]) && !o->used[i]) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, o->source, o->given[i].line,
                                "%s=%s, and no processor is of that type; expected a type that inlay info shows",
                                o->given[i].name, o->given[i].value);
        }
    }
    return INLAY_OK;
}
