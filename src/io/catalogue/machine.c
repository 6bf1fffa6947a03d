/* The machine that so many hosts of some types are. */
#include "base/diag.h"
#include "base/plain.h"
#include "io/catalogue/catalogue.h"
#include "io/dot/dot.h"
#include "io/machine_formats.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MORE = 4, COUNT_TEXT = 16 };
static const inlay_attribute switching = {"switching", "cut-through", 0};

/* Of one type: a star, which has a string of its own. */
static int make_star(const inlay_type_count *of, inlay_machine **machine, inlay_diag *diag)
{
    inlay_attribute all[CATALOGUE_ATTRIBUTES + MORE];
    char hosts[COUNT_TEXT], cores[COUNT_TEXT];
    size_t count = 0;
    (void)plain_print(hosts, sizeof hosts, "%" PRId32, of->count);
    (void)plain_print(cores, sizeof cores, "%" PRId32, of->type->cores);
    all[count++] = (inlay_attribute){"network", "star", 0};
    all[count++] = (inlay_attribute){"processors", hosts, 0};
    all[count++] = (inlay_attribute){"cores", cores, 0};
    all[count++] = switching;
    for (size_t i = 0; i < of->type->attribute_count; i++) {
        all[count] = of->type->attributes[i];
        all[count++].line = 0;
    }
    return inlay_machine_make(of->type->name, of->type->name, all, count, machine, diag);
}

/* ---- Of several types ---- */

typedef struct mixture {
    const inlay_type_count *part;
    size_t parts;
} mixture;

/* What hosts and cables of a mixture have each, and what that is of a node or an edge in DOT. */
static const struct {
    const char *name, *node, *edge;
} each[] = {{"speed", "speed", NULL},
            {"processor_memory", "memory", NULL},
            {"capacity", NULL, "capacity"},
            {"link_latency", NULL, "latency"}};
enum { EACH = sizeof each / sizeof *each };

static int row_of(const char *attribute)
{
    for (int i = 0; i < EACH; i++) {
        if (strcmp(each[i].name, attribute) == 0) {
            return i;
        }
    }
    return -1;
}

/* The attributes of a part's nodes, or edges, each with a comma and a blank before it. */
static void add_attributes(text_buffer *to, const inlay_machine_type *type, bool edges)
{
    for (size_t i = 0; i < type->attribute_count; i++) {
        int row = row_of(type->attributes[i].name);
        const char *name = row < 0 ? NULL : edges ? each[row].edge : each[row].node;
        if (name != NULL) {
            text_addf(to, ", %s=", name);
            to->failed |= !dot_add_id(to, type->attributes[i].value);
        }
    }
}

static int write_mixture(const void *of, text_buffer *to, inlay_diag *diag)
{
    const mixture *m = of;
    inlay_id host = 0;
    (void)diag;
    for (size_t p = 0; p < m->parts; p++) {
        for (inlay_id i = 0; i < m->part[p].count; i++) {
            text_addf(to, "  p%" PRId32 " [cores=%" PRId32, host++, m->part[p].type->cores);
            add_attributes(to, m->part[p].type, false);
            text_add(to, "];\n");
        }
    }
    text_add(to, "  s0 [kind=switch];\n");
    host = 0;
    for (size_t p = 0; p < m->parts; p++) {
        for (inlay_id i = 0; i < m->part[p].count; i++) {
            text_addf(to, "  p%" PRId32 " -- s0 [weight=1", host++);
            add_attributes(to, m->part[p].type, true);
            text_add(to, "];\n");
        }
    }
    return INLAY_OK;
}

/* What is the whole machine's; of doubts that differ the larger one. */
static int take_shared(const mixture *m, inlay_attribute *all, size_t *count, inlay_diag *diag)
{
    for (size_t p = 0; p < m->parts; p++) {
        const inlay_machine_type *type = m->part[p].type;
        for (size_t i = 0; i < type->attribute_count; i++) {
            size_t at = 0;
            if (row_of(type->attributes[i].name) >= 0) {
                continue;
            }
            while (at < *count && (all[at].name == NULL || strcmp(all[at].name, type->attributes[i].name) != 0)) {
                at++;
            }
            if (at == CATALOGUE_ATTRIBUTES) {
                return diag_fail(diag, INLAY_BAD_INPUT, "too many attributes");
            }
            bool larger =
                at == *count || plain_number(type->attributes[i].value, NULL) > plain_number(all[at].value, NULL);
            all[at] = larger ? type->attributes[i] : all[at];
            all[at].line = 0;
            *count += at == *count;
        }
    }
    return INLAY_OK;
}

static void add_name(const mixture *m, text_buffer *to)
{
    for (size_t p = 0; p < m->parts; p++) {
        text_addf(to, "%s%" PRId32 " of %s", p > 0 ? " and " : "", m->part[p].count, m->part[p].type->name);
    }
}

static int make_mixture(const mixture *m, inlay_machine **machine, inlay_diag *diag)
{
    inlay_attribute all[CATALOGUE_ATTRIBUTES + 1] = {switching};
    size_t count = 1;
    text_buffer name = {0};
    add_name(m, &name);
    int status = take_shared(m, all, &count, diag);
    if (status == INLAY_OK) {
        const explicit_parts parts = {text_content(&name), text_content(&name), all, count, false};
        status = name.failed ? diag_no_memory(diag) : explicit_machine(&parts, write_mixture, m, machine, diag);
    }
    text_clear(&name);
    return status;
}

int inlay_types_machine(const inlay_type_count *parts, size_t count, inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return count == 1 ? make_star(parts, machine, diag) : make_mixture(&(mixture){parts, count}, machine, diag);
}
