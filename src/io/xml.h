/*
 * XML documents through libxml2: their elements one by one, with their lines; and text for documents that are written.
 *
 * Nothing but the document itself is read: the document type that it names is not fetched, and entities are refused.
 * Names are without their prefixes. Attributes with a prefix are left out, but those of a reader that asks for them.
 */
#ifndef IO_XML_H
#define IO_XML_H

#include "base/text.h"
#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>

/** The begin of an element. All of it lives until the handler returns. */
typedef struct xml_tag {
    const char *name;
    long line;
    int depth; /**< 0: the outermost element */
    size_t count;
    const char *const *attribute; /**< names, and behind each its value: 2 x count */
} xml_tag;

/** The value of an attribute; NULL where it is not given. */
const char *xml_value(const xml_tag *tag, const char *name);

/** What a reader does with a document. Handlers return a status; the first that is not INLAY_OK ends the reading. */
typedef struct xml_reader {
    const char *expected; /**< what the document should be, for messages: "a SimGrid platform" */
    bool prefixed;        /**< attributes with a prefix are wanted too */
    int (*open)(void *context, const xml_tag *tag);
    int (*close)(void *context, const char *name, const char *text); /**< NULL: not wanted */
    bool text; /**< close() is given the characters since the last tag; else NULL */
} xml_reader;

int xml_parse(const char *data, size_t size, const char *source, const xml_reader *reader, void *context,
              inlay_diag *diag);

/** Append a text, escaped; bytes that XML does not allow in a document become question marks. */
void xml_add_text(text_buffer *to, const char *text);

/** Whether a document can hold all of it. */
bool xml_holds(const char *text);

#endif
