/* Platform files as XML documents: each element by the rule of its name. */
#include "io/simgrid/reader.h"
#include "io/xml.h"
#include <string.h>

static int find_attribute(const simgrid_rule *rule, const char *name)
{
    for (int i = 0; i < SIMGRID_ATTRIBUTES && rule->attribute[i].name != NULL; i++) {
        if (strcmp(rule->attribute[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int take_attributes(const simgrid_reader *in, const xml_tag *from, simgrid_tag *tag)
{
    for (size_t i = 0; i < from->count; i++) {
        int at = find_attribute(tag->rule, from->attribute[2 * i]);
        if (at < 0) {
            return simgrid_fail(in, tag->line, "%s has no attribute '%s'; expected one of version 4.1", tag->rule->name,
                                from->attribute[2 * i]);
        }
        tag->value[at] = from->attribute[2 * i + 1];
    }
    return INLAY_OK;
}

static int fill_defaults(const simgrid_reader *in, simgrid_tag *tag)
{
    for (int i = 0; i < SIMGRID_ATTRIBUTES && tag->rule->attribute[i].name != NULL; i++) {
        const simgrid_attribute *attribute = &tag->rule->attribute[i];
        if (tag->value[i] != NULL) {
            continue;
        }
        if (attribute->fallback == NULL) {
            return simgrid_fail(in, tag->line, "%s without %s; expected %s=\"...\"", tag->rule->name, attribute->name,
                                attribute->name);
        }
        tag->value[i] = attribute->fallback;
    }
    return INLAY_OK;
}

static int fail_place(const simgrid_reader *in, const simgrid_tag *tag)
{
    simgrid_element parent = SIMGRID_PLATFORM;
    while (parent < SIMGRID_ELEMENTS && (tag->rule->parents & (1u << parent)) == 0) {
        parent++;
    }
    if (in->depth == 0 || parent == SIMGRID_ELEMENTS) {
        return simgrid_fail(in, tag->line, "a %s by itself or within another element; expected platform around all",
                            tag->rule->name);
    }
    return simgrid_fail(in, tag->line, "%s in %s; expected it in %s", tag->rule->name,
                        simgrid_rule_of(in->stack[in->depth - 1])->name, simgrid_rule_of(parent)->name);
}

/* An element that may stand here goes onto the stack. */
static int enter(simgrid_reader *in, const char *name, simgrid_tag *tag)
{
    simgrid_element element = simgrid_element_of(name);
    if (element == SIMGRID_ELEMENTS) {
        return simgrid_fail(in, tag->line, "unknown element '%s'; expected one of SimGrid's platforms", name);
    }
    tag->rule = simgrid_rule_of(element);
    bool fits = in->depth == 0 ? tag->rule->parents == 0 : (tag->rule->parents & (1u << in->stack[in->depth - 1])) != 0;
    if (!fits) {
        return fail_place(in, tag);
    }
    if (in->depth == (int)(sizeof in->stack / sizeof *in->stack)) {
        return simgrid_fail(in, tag->line, "elements nested too deep; expected at most %d", in->depth);
    }
    in->stack[in->depth++] = element;
    return INLAY_OK;
}

static int open_element(void *context, const xml_tag *from)
{
    simgrid_reader *in = context;
    simgrid_tag tag = {.line = from->line};
    int status = enter(in, from->name, &tag);
    status = status == INLAY_OK ? take_attributes(in, from, &tag) : status;
    status = status == INLAY_OK ? fill_defaults(in, &tag) : status;
    return status == INLAY_OK && tag.rule->open != NULL ? tag.rule->open(in, &tag) : status;
}

static int close_element(void *context, const char *name, const char *text)
{
    (void)name, (void)text;
    simgrid_reader *in = context;
    const simgrid_rule *rule = simgrid_rule_of(in->stack[--in->depth]);
    return rule->close != NULL ? rule->close(in) : INLAY_OK;
}

int simgrid_parse(simgrid_reader *in, const char *data, size_t size)
{
    const xml_reader reader = {"a SimGrid platform", .open = open_element, .close = close_element};
    return xml_parse(data, size, in->source, &reader, in, in->diag);
}
