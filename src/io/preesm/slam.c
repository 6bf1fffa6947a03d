/*
 * .slam in: S-LAM architectures of PREESM (M. Pelcat et al., "A system-level architecture model for rapid prototyping", DASIP
 * 2009), in IP-XACT. Operators are hosts, in the order of their hardware numbers; communication nodes are switches; the speed of
 * a node is that of the links that lead to it, in bytes a tick.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "graph/names.h"
#include "io/dot/dot.h"
#include "io/formats.h"
#include "io/look.h"
#include "io/machine_formats.h"
#include "io/preesm/preesm.h"
#include "io/xml.h"
#include <stdlib.h>
#include <string.h>

typedef struct component {
    const char *name, *type;
    int64_t hardware;
    int32_t number; /* in the file */
    bool is_operator, is_switch, parallel;
    double speed; /* 0: not said */
    long line;
} component;

typedef struct cable {
    int32_t end[2];
    long line;
} cable;

/* What a type of components is. */
typedef struct description {
    const char *kind;
    double speed;
} description;

typedef struct slam {
    const char *source;
    inlay_diag *diag;
    name_store *names;
    component *component;
    cable *cable;
    description *description;
    size_t components, cables, descriptions;
    size_t component_room, cable_room, description_room;
    name_map component_of, description_of;
    bool in_instance, in_cable;
    int ends;
} slam;

bool slam_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "design");
}

static int need(slam *s, const xml_tag *tag, const char *name, const char **value)
{
    const char *given = xml_value(tag, name);
    if (given == NULL || *given == '\0') {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line, "%s without %s; expected %s=\"...\"",
                            tag->name, name, name);
    }
    *value = name_store_keep(&s->names, given);
    return *value == NULL ? diag_no_memory(s->diag) : INLAY_OK;
}

static int open_instance(slam *s, const xml_tag *tag)
{
    if (!memory_grow((void **)&s->component, &s->component_room, s->components + 1, sizeof *s->component)) {
        return diag_no_memory(s->diag);
    }
    s->component[s->components] = (component){.number = (int32_t)s->components, .line = tag->line};
    s->components++;
    s->in_instance = true;
    return INLAY_OK;
}

static int open_cable(slam *s, const xml_tag *tag)
{
    if (!memory_grow((void **)&s->cable, &s->cable_room, s->cables + 1, sizeof *s->cable)) {
        return diag_no_memory(s->diag);
    }
    s->cable[s->cables++] = (cable){.line = tag->line};
    s->in_cable = true;
    s->ends = 0;
    return INLAY_OK;
}

static int open_end(slam *s, const xml_tag *tag)
{
    const char *name = xml_value(tag, "componentRef");
    int32_t end = name != NULL ? name_map_get(&s->component_of, name) : -1;
    if (end < 0 || s->ends == 2) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line,
                            "interconnection with %s '%.60s'; expected two components that stand before",
                            end < 0 ? "unknown component" : "a third component", name != NULL ? name : "");
    }
    s->cable[s->cables - 1].end[s->ends++] = end;
    return INLAY_OK;
}

static int open_description(slam *s, const xml_tag *tag)
{
    const char *of = NULL, *speed = xml_value(tag, "speed");
    description made = {0};
    char *end = NULL;
    int status = need(s, tag, "componentRef", &of);
    status = status == INLAY_OK ? need(s, tag, "componentType", &made.kind) : status;
    made.speed = speed != NULL ? plain_number(speed, &end) : 0;
    if (status == INLAY_OK && speed != NULL && (*end != '\0' || !(made.speed > 0 && made.speed < 1e300))) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line,
                            "speed '%.40s' of '%.60s'; expected bytes a tick, above 0", speed, of);
    }
    if (status == INLAY_OK &&
        (!memory_grow((void **)&s->description, &s->description_room, s->descriptions + 1, sizeof *s->description) ||
         !name_map_put(&s->description_of, of, (int32_t)s->descriptions))) {
        status = diag_no_memory(s->diag);
    }
    if (status == INLAY_OK) {
        s->description[s->descriptions++] = made;
    }
    return status;
}

static int open_element(void *context, const xml_tag *tag)
{
    slam *s = context;
    if (strcmp(tag->name, "componentInstance") == 0) {
        return open_instance(s, tag);
    }
    if (strcmp(tag->name, "componentRef") == 0 && s->in_instance) {
        return need(s, tag, "name", &s->component[s->components - 1].type);
    }
    if (strcmp(tag->name, "interconnection") == 0) {
        return open_cable(s, tag);
    }
    if (strcmp(tag->name, "activeInterface") == 0 && s->in_cable) {
        return open_end(s, tag);
    }
    return strcmp(tag->name, "componentDescription") == 0 ? open_description(s, tag) : INLAY_OK;
}

static int close_instance(slam *s, const component *c)
{
    s->in_instance = false;
    if (c->name == NULL || c->type == NULL || name_map_get(&s->component_of, c->name) >= 0) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, c->line,
                            "component '%.60s' %s; expected an instanceName of its own and a componentRef",
                            c->name != NULL ? c->name : "",
                            c->name != NULL && c->type != NULL ? "stands there twice" : "without a name or type");
    }
    return name_map_put(&s->component_of, c->name, c->number) ? INLAY_OK : diag_no_memory(s->diag);
}

static int close_element(void *context, const char *name, const char *text)
{
    slam *s = context;
    component *c = s->in_instance ? &s->component[s->components - 1] : NULL;
    if (c != NULL && strcmp(name, "instanceName") == 0) {
        c->name = name_store_keep(&s->names, text);
        return c->name == NULL ? diag_no_memory(s->diag) : INLAY_OK;
    }
    if (c != NULL && strcmp(name, "hardwareId") == 0) {
        c->hardware = (int64_t)strtol(text, NULL, 10);
        return INLAY_OK;
    }
    if (strcmp(name, "interconnection") == 0 && s->in_cable) {
        s->in_cable = false;
        return s->ends == 2 ? INLAY_OK
                            : diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, s->cable[s->cables - 1].line,
                                           "interconnection of %d components; expected two", s->ends);
    }
    return c != NULL && strcmp(name, "componentInstance") == 0 ? close_instance(s, c) : INLAY_OK;
}

/* ---- What components are ---- */

static void describe(const slam *s)
{
    for (size_t i = 0; i < s->components; i++) {
        component *c = &s->component[i];
        int32_t at = name_map_get(&s->description_of, c->type);
        const char *kind = at >= 0 ? s->description[at].kind : "Operator";
        c->is_operator = strcmp(kind, "Operator") == 0 || strcmp(kind, "CPU") == 0;
        c->parallel = strcmp(kind, "parallelComNode") == 0;
        c->is_switch = c->parallel || strcmp(kind, "contentionComNode") == 0;
        c->speed = at >= 0 ? s->description[at].speed : 0;
    }
}

static int compare_components(const void *a, const void *b)
{
    const component *x = *(const component *const *)a, *y = *(const component *const *)b;
    return x->hardware != y->hardware ? (x->hardware > y->hardware) - (x->hardware < y->hardware)
                                      : (x->number > y->number) - (x->number < y->number);
}

/* Operators by their hardware numbers; the caller frees. */
static const component **operators_of(const slam *s, size_t *count)
{
    const component **sorted = memory_array(s->components, sizeof *sorted);
    *count = 0;
    for (size_t i = 0; sorted != NULL && i < s->components; i++) {
        if (s->component[i].is_operator) {
            sorted[(*count)++] = &s->component[i];
        }
    }
    if (*count > 0) {
        qsort((void *)sorted, *count, sizeof *sorted, compare_components);
    }
    return sorted;
}

static int slam_read(slam *s, const char *data, size_t size)
{
    const xml_reader reader = {"an S-LAM architecture", true, open_element, close_element, true};
    int status = xml_parse(data, size, s->source, &reader, s, s->diag);
    describe(s);
    size_t operators = 0;
    for (size_t i = 0; i < s->components; i++) {
        operators += s->component[i].is_operator;
    }
    return status != INLAY_OK || operators > 0 ? status
                                               : diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0,
                                                              "no operators; expected a componentInstance of one");
}

static void slam_clear(slam *s)
{
    name_store_free(s->names);
    free(s->component);
    free(s->cable);
    free(s->description);
    name_map_clear(&s->component_of);
    name_map_clear(&s->description_of);
}

int slam_operators(const char *path, char ***words, size_t *count, inlay_diag *diag)
{
    slam s = {.source = path, .diag = diag};
    file_content content = {0};
    int status = file_read(path, &content, diag);
    status = status == INLAY_OK ? slam_read(&s, content.data, content.size) : status;
    size_t found = 0;
    const component **sorted = status == INLAY_OK ? operators_of(&s, &found) : NULL;
    char **made = memory_zeroed(2 * found, sizeof *made);
    if (status == INLAY_OK && (sorted == NULL || made == NULL)) {
        status = diag_no_memory(diag);
    }
    for (size_t i = 0; status == INLAY_OK && i < found; i++) {
        made[2 * i] = memory_string(sorted[i]->name);
        made[2 * i + 1] = memory_string(sorted[i]->type);
        status = made[2 * i] == NULL || made[2 * i + 1] == NULL ? diag_no_memory(diag) : INLAY_OK;
    }
    for (size_t i = 0; status != INLAY_OK && made != NULL && i < 2 * found; i++) {
        free(made[i]);
    }
    if (status != INLAY_OK) {
        free((void *)made);
        made = NULL;
    }
    *words = made;
    *count = status == INLAY_OK ? found : 0;
    free((void *)sorted);
    file_content_clear(&content);
    slam_clear(&s);
    return status;
}

/* ---- The machine ---- */

static void add_name(text_buffer *to, const char *name)
{
    to->failed |= !dot_add_id(to, name);
}

static void add_cable(const slam *s, const cable *c, text_buffer *to)
{
    const component *a = &s->component[c->end[0]], *b = &s->component[c->end[1]];
    bool known = (a->is_operator || a->is_switch) && (b->is_operator || b->is_switch);
    if (!known || a == b) {
        return;
    }
    double speed = a->is_switch && (a->speed < b->speed || !b->is_switch) ? a->speed : b->is_switch ? b->speed : 0;
    text_add(to, "  ");
    add_name(to, a->name);
    text_add(to, " -- ");
    add_name(to, b->name);
    text_add(to, " [");
    if (speed > 0) {
        char text[DOUBLE_TEXT];
        text_addf(to, "capacity=\"%sB/tick\"", double_text(speed, text));
    }
    bool parallel = (a->parallel || !a->is_switch) && (b->parallel || !b->is_switch) && (a->parallel || b->parallel);
    text_addf(to, "%s];\n", parallel ? speed > 0 ? ", parallel=true" : "parallel=true" : "");
}

static int write_machine(const void *of, text_buffer *to, inlay_diag *diag)
{
    const slam *s = of;
    size_t count;
    const component **sorted = operators_of(s, &count);
    if (sorted == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < count; i++) {
        text_add(to, "  ");
        add_name(to, sorted[i]->name);
        text_add(to, " [type=");
        add_name(to, sorted[i]->type);
        text_add(to, "];\n");
    }
    for (size_t i = 0; i < s->components; i++) {
        if (s->component[i].is_switch) {
            text_add(to, "  ");
            add_name(to, s->component[i].name);
            text_add(to, " [kind=switch];\n");
        }
    }
    for (size_t i = 0; i < s->cables; i++) {
        add_cable(s, &s->cable[i], to);
    }
    free((void *)sorted);
    return INLAY_OK;
}

static void tell_left(const slam *s)
{
    for (size_t i = 0; i < s->components; i++) {
        const component *c = &s->component[i];
        if (!c->is_operator && !c->is_switch) {
            diag_warn(s->diag, "%s: components that neither run nor carry anything are left out ('%s')", s->source,
                      c->name);
            return;
        }
    }
}

int slam_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                      size_t count, inlay_machine **machine, inlay_diag *diag)
{
    slam s = {.source = source, .diag = diag};
    char *name = format_graph_name(source);
    int status = name == NULL ? diag_no_memory(diag) : slam_read(&s, data, size);
    if (status == INLAY_OK) {
        const explicit_parts parts = {name, source, attributes, count, false};
        status = explicit_machine(&parts, write_machine, &s, machine, diag);
    }
    if (status == INLAY_OK) {
        tell_left(&s);
    }
    free(name);
    slam_clear(&s);
    return status;
}
