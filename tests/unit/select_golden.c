/* Reading golden/selection.json. */
#include "select_golden.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

double select_golden_number(const json_t *object, const char *name)
{
    ck_assert_msg(json_is_number(json_object_get(object, name)), "no number %s", name);
    return json_number_value(json_object_get(object, name));
}

const char *select_golden_text(const json_t *object, const char *name)
{
    ck_assert(json_is_string(json_object_get(object, name)));
    return json_string_value(json_object_get(object, name));
}

static inlay_pattern topology_of(const json_t *instance)
{
    const char *name = select_golden_text(instance, "topology");
    if (strcmp(name, "1-D") == 0) return INLAY_PATTERN_LINE;
    ck_assert(strcmp(name, "ring") == 0 || strcmp(name, "tree") == 0);
    return strcmp(name, "ring") == 0 ? INLAY_PATTERN_RING : INLAY_PATTERN_TREE;
}

void select_golden_instance(const json_t *instance, select_subject *s)
{
    *s = (select_subject){0};
    inlay_select_problem *p = &s->problem;
    p->topology = topology_of(instance);
    p->units = (int64_t)select_golden_number(instance, "numPDUs");
    p->unit_work = select_golden_number(instance, "instr");
    p->bytes = select_golden_number(instance, "b");
    p->router_latency = select_golden_number(instance, "R");
    p->overlap = select_golden_number(instance, "overlap") != 0;
    const json_t *clusters = json_object_get(instance, "clusters");
    p->clusters = json_array_size(clusters);
    ck_assert_uint_le(p->clusters, SUBJECT_CLUSTERS);
    p->cluster = s->cluster;
    for (size_t i = 0; i < p->clusters; i++) {
        const json_t *c = json_array_get(clusters, i);
        bool logarithmic = select_golden_number(c, "mesh") != 0 && p->topology == INLAY_PATTERN_TREE;
        s->cluster[i] = (inlay_select_cluster){.processors = (int32_t)select_golden_number(c, "N"),
                                               .rate = select_golden_number(c, "rate"),
                                               .c1 = select_golden_number(c, "c1"),
                                               .c2 = select_golden_number(c, "c2"),
                                               .c3 = select_golden_number(c, "c3"),
                                               .c4 = select_golden_number(c, "c4"),
                                               .growth = logarithmic ? INLAY_GROWTH_LOG2 : INLAY_GROWTH_LINEAR};
    }
}

inlay_select_map select_golden_map(const char *name)
{
    if (strcmp(name, "real") == 0) return INLAY_SELECT_REAL;
    ck_assert(strcmp(name, "lr") == 0 || strcmp(name, "ceil") == 0);
    return strcmp(name, "lr") == 0 ? INLAY_SELECT_REMAINDER : INLAY_SELECT_CEIL;
}
