/*
 * Platform files as XML documents: libxml2 gives their elements one by one, with their lines.
 *
 * Nothing but the document itself is read: the document type that it names is not fetched, and entities are refused.
 */
#include "base/memory.h"
#include "io/simgrid/reader.h"
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A document on its way through libxml2, whose callbacks cannot return a status. */
typedef struct document {
    simgrid_reader *in;
    xmlParserCtxtPtr parser;
    int status;
} document;

static void stop(document *doc, int status)
{
    doc->status = status;
    xmlStopParser(doc->parser);
}

/*
 * The line on which the tag begins that was just read. No '<' can stand within a tag, and libxml2 keeps all of a tag at
 * hand.
 */
static long tag_line(const xmlParserInput *input)
{
    long line = input->line;
    for (const xmlChar *c = input->cur; c > input->base && *c != '<'; c--) {
        line -= *c == '\n';
    }
    return line;
}

static int find_attribute(const simgrid_rule *rule, const char *name)
{
    for (int i = 0; i < SIMGRID_ATTRIBUTES && rule->attribute[i].name != NULL; i++) {
        if (strcmp(rule->attribute[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* What libxml2 gives for an attribute: its name, prefix, name space, and where its value begins and ends. */
enum { XML_NAME, XML_PREFIX, XML_SPACE, XML_BEGIN, XML_END, XML_FIELDS };

/* Copies the values of the attributes into *text, which the tag points into. */
static int take_attributes(document *doc, simgrid_tag *tag, int count, const xmlChar **given, char **text)
{
    size_t size = 1;
    for (int i = 0; i < count; i++) {
        size += (size_t)(given[i * XML_FIELDS + XML_END] - given[i * XML_FIELDS + XML_BEGIN]) + 1;
    }
    char *to = *text = memory_array(size, 1);
    if (to == NULL) {
        return diag_no_memory(doc->in->diag);
    }
    for (int i = 0; i < count; i++) {
        const xmlChar **field = given + (ptrdiff_t)i * XML_FIELDS;
        if (field[XML_PREFIX] != NULL) {
            continue;
        }
        int at = find_attribute(tag->rule, (const char *)field[XML_NAME]);
        if (at < 0) {
            return simgrid_fail(doc->in, tag->line, "%s has no attribute '%s'; expected one of version 4.1",
                                tag->rule->name, (const char *)field[XML_NAME]);
        }
        size_t length = (size_t)(field[XML_END] - field[XML_BEGIN]);
        memcpy(to, field[XML_BEGIN], length);
        to[length] = '\0';
        tag->value[at] = to;
        to += length + 1;
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

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int spaces,
                     const xmlChar **space_list, int count, int defaulted, const xmlChar **attributes)
{
    (void)prefix, (void)space, (void)spaces, (void)space_list, (void)defaulted;
    document *doc = context;
    simgrid_tag tag = {.line = tag_line(doc->parser->input)};
    char *text = NULL;
    int status = doc->status != INLAY_OK ? doc->status : enter(doc->in, (const char *)name, &tag);
    status = status == INLAY_OK ? take_attributes(doc, &tag, count, attributes, &text) : status;
    status = status == INLAY_OK ? fill_defaults(doc->in, &tag) : status;
    if (status == INLAY_OK && tag.rule->open != NULL) {
        status = tag.rule->open(doc->in, &tag);
    }
    free(text);
    if (status != INLAY_OK) {
        stop(doc, status);
    }
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
    (void)name, (void)prefix, (void)space;
    document *doc = context;
    if (doc->status != INLAY_OK || doc->in->depth == 0) {
        return;
    }
    const simgrid_rule *rule = simgrid_rule_of(doc->in->stack[--doc->in->depth]);
    int status = rule->close != NULL ? rule->close(doc->in) : INLAY_OK;
    if (status != INLAY_OK) {
        stop(doc, status);
    }
}

/* A document says all of itself: what entities stand for could be a file, or more than memory holds. */
// NOLINTBEGIN(readability-non-const-parameter): the signature is libxml2's
static void on_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                      xmlChar *content)
{
    (void)type, (void)public_id, (void)system_id, (void)content;
    document *doc = context;
    if (doc->status == INLAY_OK) {
        stop(doc, simgrid_fail(doc->in, doc->parser->input->line,
                               "the document declares the entity '%s'; expected a platform without entities",
                               (const char *)name));
    }
}
// NOLINTEND(readability-non-const-parameter)

static void on_unparsed_entity(void *context, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id,
                               const xmlChar *notation)
{
    (void)notation;
    on_entity(context, name, 0, public_id, system_id, NULL);
}

/* libxml2's sentence without the end of its line, which diagnostics take away. */
static void on_error(void *context, xmlErrorPtr error)
{
    document *doc = context;
    if (error->level < XML_ERR_ERROR || doc->status != INLAY_OK) {
        return;
    }
    const char *said = error->message != NULL ? error->message : "";
    int size = (int)strcspn(said, "\n");
    stop(doc, error->code == XML_ERR_NO_MEMORY
                  ? diag_no_memory(doc->in->diag)
                  : simgrid_fail(doc->in, error->line, "not well-formed XML (%.*s); expected a SimGrid platform", size,
                                 said));
}

int simgrid_parse(simgrid_reader *in, const char *data, size_t size)
{
    if (size > INT_MAX) {
        return simgrid_fail(in, 0, "%zu bytes; expected a platform file of less than 2 GiB", size);
    }
    xmlParserCtxtPtr parser = size == 0 ? NULL : xmlCreateMemoryParserCtxt(data, (int)size);
    if (parser == NULL) {
        return size == 0 ? simgrid_fail(in, 1, "an empty file; expected a SimGrid platform") : diag_no_memory(in->diag);
    }
    document doc = {in, parser, INLAY_OK};
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    *parser->sax = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                                   .startElementNs = on_start,
                                   .endElementNs = on_end,
                                   .entityDecl = on_entity,
                                   .unparsedEntityDecl = on_unparsed_entity,
                                   .serror = on_error};
    parser->userData = &doc;
    xmlParseDocument(parser);
    if (doc.status == INLAY_OK && !parser->wellFormed) {
        doc.status = simgrid_fail(in, parser->input != NULL ? parser->input->line : 0,
                                  "not well-formed XML; expected a SimGrid platform");
    }
    xmlFreeDoc(parser->myDoc);
    parser->myDoc = NULL;
    xmlFreeParserCtxt(parser);
    return doc.status;
}
