/* YAML; compiled with -DINLAY_YAML where libyaml is. */
#include "io/yaml.h"
#include "base/diag.h"
#include <string.h>

bool yaml_at(const yaml_place *place, const char *keys)
{
    for (int i = 0; i < place->keys; i++) {
        size_t size = strlen(place->key[i]);
        if (strncmp(keys, place->key[i], size) != 0 || keys[size] != (i + 1 < place->keys ? '.' : '\0')) {
            return false;
        }
        keys += size + (keys[size] == '.');
    }
    return *keys == '\0';
}

#ifdef INLAY_YAML

#include "base/memory.h"
#include <stdlib.h>
#include <yaml.h>

enum { DEEPEST = 16 };

/* A mapping or a sequence that is open. */
typedef struct level {
    bool map;
    char *key; /* of the value that comes next; NULL: a key comes */
} level;

typedef struct walk {
    const yaml_reader *reader;
    void *context;
    const char *source;
    inlay_diag *diag;
    level level[DEEPEST];
    int depth, documents;
} walk;

static int fail(const walk *w, size_t line, const char *what)
{
    return diag_fail_at(w->diag, INLAY_BAD_INPUT, w->source, (long)line + 1, "%s; expected %s", what,
                        w->reader->expected);
}

static int place_of(const walk *w, const yaml_event_t *event, yaml_place *place)
{
    *place = (yaml_place){.line = (long)event->start_mark.line + 1};
    for (int i = 0; i < w->depth; i++) {
        if (w->level[i].map && place->keys == YAML_KEYS) {
            return fail(w, event->start_mark.line, "values nested too deep");
        }
        if (w->level[i].map) {
            place->key[place->keys++] = w->level[i].key;
        }
    }
    return INLAY_OK;
}

static void drop_key(level *of)
{
    free(of->key);
    of->key = NULL;
}

/* A value has come, or a whole mapping or sequence: in a mapping a key comes next. */
static void end_value(walk *w)
{
    if (w->depth > 0 && w->level[w->depth - 1].map) {
        drop_key(&w->level[w->depth - 1]);
    }
}

static int take_scalar(walk *w, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    level *in = w->depth > 0 ? &w->level[w->depth - 1] : NULL;
    if (strlen(text) != event->data.scalar.length) {
        return fail(w, event->start_mark.line, "a NUL byte");
    }
    if (in != NULL && in->map && in->key == NULL) {
        in->key = memory_string(text);
        return in->key == NULL ? diag_no_memory(w->diag) : INLAY_OK;
    }
    yaml_place place;
    int status = place_of(w, event, &place);
    status = status == INLAY_OK ? w->reader->value(w->context, &place, text) : status;
    end_value(w);
    return status;
}

static int open_level(walk *w, const yaml_event_t *event, bool map)
{
    yaml_place place;
    if (w->depth == DEEPEST) {
        return fail(w, event->start_mark.line, "values nested too deep");
    }
    if (w->depth > 0 && w->level[w->depth - 1].map && w->level[w->depth - 1].key == NULL) {
        return fail(w, event->start_mark.line, "a key that is no word");
    }
    int status = place_of(w, event, &place);
    if (status == INLAY_OK && map && w->reader->open != NULL) {
        status = w->reader->open(w->context, &place);
    }
    w->level[w->depth++] = (level){map, NULL};
    return status;
}

static int take(walk *w, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return w->documents++ == 0 ? INLAY_OK : fail(w, event->start_mark.line, "a second document");
    case YAML_ALIAS_EVENT: return fail(w, event->start_mark.line, "an alias");
    case YAML_SCALAR_EVENT: return take_scalar(w, event);
    case YAML_MAPPING_START_EVENT: return open_level(w, event, true);
    case YAML_SEQUENCE_START_EVENT: return open_level(w, event, false);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        drop_key(&w->level[--w->depth]);
        end_value(w);
        return INLAY_OK;
    default: return INLAY_OK;
    }
}

static int refuse(const walk *w, const yaml_parser_t *parser)
{
    return parser->error == YAML_MEMORY_ERROR
               ? diag_no_memory(w->diag)
               : diag_fail_at(w->diag, INLAY_BAD_INPUT, w->source, (long)parser->problem_mark.line + 1,
                              "not valid YAML (%s); expected %s", parser->problem != NULL ? parser->problem : "",
                              w->reader->expected);
}

int yaml_read(const char *data, size_t size, const char *source, const yaml_reader *reader, void *context,
              inlay_diag *diag)
{
    yaml_parser_t parser;
    walk w = {.reader = reader, .context = context, .source = source, .diag = diag};
    if (yaml_parser_initialize(&parser) == 0) {
        return diag_no_memory(diag);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)data, size);
    int status = INLAY_OK;
    for (bool more = true; status == INLAY_OK && more;) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) {
            status = refuse(&w, &parser);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        status = take(&w, &event);
        yaml_event_delete(&event);
    }
    while (w.depth > 0) {
        drop_key(&w.level[--w.depth]);
    }
    yaml_parser_delete(&parser);
    return status;
}

#else

int yaml_read(const char *data, size_t size, const char *source, const yaml_reader *reader, void *context,
              inlay_diag *diag)
{
    (void)data, (void)size, (void)context;
    return diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                        "%s, which needs libyaml, without which Inlay was built; "
                        "expected libyaml-dev and a new build",
                        reader->expected);
}

#endif
