/* XML documents through libxml2, which calls back for every element and cannot be given a status. */
#include "io/xml.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlstring.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct document {
    const xml_reader *reader;
    void *context;
    const char *source;
    inlay_diag *diag;
    xmlParserCtxtPtr parser;
    int depth, status;
    text_buffer text;
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

const char *xml_value(const xml_tag *tag, const char *name)
{
    for (size_t i = 0; i < tag->count; i++) {
        if (strcmp(tag->attribute[2 * i], name) == 0) {
            return tag->attribute[2 * i + 1];
        }
    }
    return NULL;
}

/* What libxml2 gives for an attribute: its name, prefix, name space, and where its value begins and ends. */
enum { XML_NAME, XML_PREFIX, XML_SPACE, XML_BEGIN, XML_END, XML_FIELDS };

/* Names and values of the attributes, with the characters of the values behind them: one array, the caller's. */
static const char **take_attributes(const document *doc, xml_tag *tag, int count, const xmlChar **given)
{
    size_t size = 2 * sizeof(char *) * (size_t)count + 1;
    for (int i = 0; i < count; i++) {
        size += (size_t)(given[i * XML_FIELDS + XML_END] - given[i * XML_FIELDS + XML_BEGIN]) + 1;
    }
    const char **pairs = memory_array(size, 1);
    char *to = pairs == NULL ? NULL : (char *)(pairs + (ptrdiff_t)2 * count);
    for (int i = 0; pairs != NULL && i < count; i++) {
        const xmlChar **field = given + (ptrdiff_t)i * XML_FIELDS;
        if (field[XML_PREFIX] != NULL && !doc->reader->prefixed) {
            continue;
        }
        size_t length = (size_t)(field[XML_END] - field[XML_BEGIN]);
        memcpy(to, field[XML_BEGIN], length);
        to[length] = '\0';
        pairs[2 * tag->count] = (const char *)field[XML_NAME];
        pairs[2 * tag->count++ + 1] = to;
        to += length + 1;
    }
    tag->attribute = pairs;
    return pairs;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int spaces,
                     const xmlChar **space_list, int count, int defaulted, const xmlChar **attributes)
{
    (void)prefix, (void)space, (void)spaces, (void)space_list, (void)defaulted;
    document *doc = context;
    if (doc->status != INLAY_OK) {
        return;
    }
    xml_tag tag = {.name = (const char *)name, .line = tag_line(doc->parser->input), .depth = doc->depth++};
    const char **pairs = take_attributes(doc, &tag, count, attributes);
    int status = pairs == NULL ? diag_no_memory(doc->diag) : doc->reader->open(doc->context, &tag);
    free(pairs);
    text_clear(&doc->text);
    if (status != INLAY_OK) {
        stop(doc, status);
    }
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
    (void)prefix, (void)space;
    document *doc = context;
    if (doc->status != INLAY_OK) {
        return;
    }
    doc->depth--;
    const char *text = doc->reader->text ? text_content(&doc->text) : NULL;
    int status = doc->text.failed             ? diag_no_memory(doc->diag)
                 : doc->reader->close != NULL ? doc->reader->close(doc->context, (const char *)name, text)
                                              : INLAY_OK;
    text_clear(&doc->text);
    if (status != INLAY_OK) {
        stop(doc, status);
    }
}

static void on_characters(void *context, const xmlChar *characters, int count)
{
    document *doc = context;
    text_append(&doc->text, (const char *)characters, (size_t)count);
}

/* A document says all of itself: what entities stand for could be a file, or more than memory holds. */
// NOLINTBEGIN(readability-non-const-parameter): the signature is libxml2's
static void on_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                      xmlChar *content)
{
    (void)type, (void)public_id, (void)system_id, (void)content;
    document *doc = context;
    if (doc->status == INLAY_OK) {
        stop(doc, diag_fail_at(doc->diag, INLAY_BAD_INPUT, doc->source, doc->parser->input->line,
                               "the document declares the entity '%s'; expected %s without entities",
                               (const char *)name, doc->reader->expected));
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
                  ? diag_no_memory(doc->diag)
                  : diag_fail_at(doc->diag, INLAY_BAD_INPUT, doc->source, error->line,
                                 "not well-formed XML (%.*s); expected %s", size, said, doc->reader->expected));
}

static int fail(inlay_diag *diag, const char *source, long line, const char *what, const char *expected)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, source, line, "%s; expected %s", what, expected);
}

/* What libxml2 says of bytes that are not in the document's encoding goes to no handler but the thread's own. */
static void keep_quiet(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

static void parse_quietly(xmlParserCtxtPtr parser)
{
    xmlGenericErrorFunc said = xmlGenericError;
    void *to = xmlGenericErrorContext;
    xmlSetGenericErrorFunc(NULL, keep_quiet);
    xmlParseDocument(parser);
    xmlSetGenericErrorFunc(to, said);
}

/* Two threads that both read their first document would do it at once: libxml2 makes its tables when it first needs them. */
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

int xml_parse(const char *data, size_t size, const char *source, const xml_reader *reader, void *context,
              inlay_diag *diag)
{
    (void)pthread_once(&prepared, xmlInitParser);
    if (size == 0) {
        return fail(diag, source, 1, "an empty file", reader->expected);
    }
    if (size > INT_MAX) {
        return fail(diag, source, 0, "2 GiB or more", reader->expected);
    }
    xmlParserCtxtPtr parser = xmlCreateMemoryParserCtxt(data, (int)size);
    if (parser == NULL) {
        return diag_no_memory(diag);
    }
    document doc = {reader, context, source, diag, parser, 0, INLAY_OK, {0}};
    /* NOENT: "&amp;" and the like, the only entities that come so far, are their characters in attributes too */
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    *parser->sax = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                                   .startElementNs = on_start,
                                   .endElementNs = on_end,
                                   .characters = reader->text ? on_characters : NULL,
                                   .entityDecl = on_entity,
                                   .unparsedEntityDecl = on_unparsed_entity,
                                   .serror = on_error};
    parser->userData = &doc;
    parse_quietly(parser);
    if (doc.status == INLAY_OK && !parser->wellFormed) {
        doc.status = fail(diag, source, parser->input != NULL ? parser->input->line : 0, "not well-formed XML",
                          reader->expected);
    }
    text_clear(&doc.text);
    xmlFreeDoc(parser->myDoc);
    parser->myDoc = NULL;
    xmlFreeParserCtxt(parser);
    return doc.status;
}

/* ---- Writing ---- */

void xml_add_text(text_buffer *to, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '&': text_add(to, "&amp;"); break;
        case '<': text_add(to, "&lt;"); break;
        case '>': text_add(to, "&gt;"); break;
        case '"': text_add(to, "&quot;"); break;
        case '\t':
        case '\n':
        case '\r': text_addf(to, "&#%d;", *c); break;
        default: text_append(to, (unsigned char)*c < ' ' ? "?" : c, 1); break;
        }
    }
}

bool xml_holds(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' && strchr("\t\n\r", *c) == NULL) {
            return false;
        }
    }
    return xmlCheckUTF8((const unsigned char *)text) == 1;
}
