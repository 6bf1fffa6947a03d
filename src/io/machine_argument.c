/* What an argument MACHINE is, and the machine that it is. */
#include "io/machine_argument.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/catalogue/catalogue.h"
#include "io/foreign.h"
#include "io/formats.h"
#include "io/grid/text.h"
#include "io/node.h"
#include "machine/host.h"
#include "machine/machine.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char this_computer[] = "host";

/* ---- Attributes behind a name ---- */

/* Cuts `rest` apart at its commas. */
static int take_attributes(machine_argument *a, char *rest, inlay_diag *diag)
{
    size_t most = 1;
    for (const char *c = rest; *c != '\0'; c++) {
        most += *c == ',';
    }
    a->attributes = memory_array(most, sizeof *a->attributes);
    if (a->attributes == NULL) {
        return diag_no_memory(diag);
    }
    for (char *item = rest, *next; item != NULL; item = next) {
        next = strchr(item, ',');
        if (next != NULL) {
            *next++ = '\0';
        }
        char *value = strchr(item, '=');
        if (value != NULL) {
            *value++ = '\0';
        }
        const char *name = plain_trim(item, PLAIN_SPACES);
        if (value == NULL || *name == '\0') {
            return diag_fail_at(diag, INLAY_BAD_INPUT, a->place, 0, "'%s%s' is no attribute; expected attribute=value",
                                name, value == NULL ? "" : "=");
        }
        if (strcmp(name, "network") == 0) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, a->place, 0,
                                "network=%s is not the file's; expected attributes that go with the file's network",
                                plain_trim(value, PLAIN_SPACES));
        }
        a->attributes[a->count++] = (inlay_attribute){name, plain_trim(value, PLAIN_SPACES), 0};
    }
    return INLAY_OK;
}

int machine_argument_refuse_attributes(const machine_argument *argument, inlay_diag *diag)
{
    return argument->count == 0
               ? INLAY_OK
               : diag_fail_at(diag, INLAY_BAD_INPUT, argument->place, 0,
                              "%s=%s stands behind its name; expected it in the file, or a machine's file",
                              argument->attributes[0].name, argument->attributes[0].value);
}

/* Behind `node:`; a number in front is that of the cores. */
static int take_node(machine_argument *a, const char *rest, inlay_diag *diag)
{
    text_buffer text = {0};
    size_t word = strlen(node_word);
    text_addf(&text, "%s:%s%s", node_word, rest[strcspn(rest, "=,")] == '=' ? "" : "cores=", rest);
    if (text.failed) {
        text_clear(&text);
        return diag_no_memory(diag);
    }
    text.data[word] = '\0';
    a->place = text.data;
    a->is_node = true;
    return take_attributes(a, text.data + word + 1, diag);
}

/* ---- Where it is ---- */

static bool is_place(const char *place)
{
    return strcmp(place, "-") == 0 || strcmp(place, this_computer) == 0 || file_exists(place);
}

/* Finds the place: all of the text, or what is in front of a comma. It stays NULL where there is none. */
static int find_place(machine_argument *a, inlay_diag *diag)
{
    char *copy = memory_string(a->text);
    if (copy == NULL) {
        return diag_no_memory(diag);
    }
    char *comma = is_place(copy) ? copy + strlen(copy) : strchr(copy, ',');
    while (comma != NULL) {
        char mark = *comma;
        *comma = '\0';
        if (is_place(copy)) {
            a->place = copy;
            a->is_host = strcmp(copy, this_computer) == 0 && !file_exists(copy);
            return mark == '\0' ? INLAY_OK : take_attributes(a, comma + 1, diag);
        }
        *comma = mark;
        comma = strchr(comma + 1, ',');
    }
    size_t word = strlen(node_word);
    bool is_node = strncmp(a->text, node_word, word) == 0 && a->text[word] == ':';
    free(copy);
    return is_node ? take_node(a, a->text + word + 1, diag) : INLAY_OK;
}

/* In front of the colon of a machine string there is the family alone; a slash may follow, in a rate. */
static bool looks_like_path(const char *text)
{
    size_t head = strcspn(text, ":,");
    return memchr(text, '/', head) != NULL || machine_format_by_extension(text, head) != NULL;
}

static bool is_string(const char *text)
{
    return strchr(text, ':') != NULL && !looks_like_path(text);
}

/* ---- What it is ---- */

/* By its content, then by its extension. A list of speeds looks like many a file, so that others are asked too. */
static int find_format(machine_argument *a, inlay_diag *diag)
{
    enum { LOOK = 1 << 20 }; /* bytes; a machine says so at its beginning */
    const char *data;
    size_t size;
    int status = input_open(a->place, &a->in, diag);
    status = status == INLAY_OK ? input_peek(a->in, LOOK, &data, &size, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (catalogue_looks_like(data, size)) { /* which looks like a table of measured speeds too */
        a->foreign = foreign_name(data, size);
        return INLAY_OK;
    }
    a->format = machine_format_by_content(data, size);
    if (a->format != NULL && a->format->kind != MACHINE_SPEEDS) {
        return INLAY_OK;
    }
    a->foreign = foreign_name(data, size);
    if (a->foreign != NULL || format_is_application(data, size)) {
        a->format = NULL;
    } else if (a->format == NULL) {
        a->format = machine_format_by_extension(a->place, format_unpacked(a->place));
        a->format = a->format == machine_format_of(MACHINE_ALONE) ? NULL : a->format; /* applications are DOT too */
    }
    return INLAY_OK;
}

int machine_argument_look(const char *text, machine_argument *a, inlay_diag *diag)
{
    *a = (machine_argument){.text = text, .source = grid_source(text)};
    a->is_list = grid_list_is_list(text) && !file_exists(text);
    if (a->is_list) {
        a->format = machine_format_of(MACHINE_SPEEDS);
        return input_open_memory(text, strlen(text), &a->in, diag);
    }
    int status = find_place(a, diag);
    if (a->place != NULL) {
        a->source = grid_source(a->place);
        int found = a->is_host || a->is_node ? INLAY_OK : find_format(a, diag);
        status = status == INLAY_OK ? found : status;
    }
    return status;
}

/* A graph where the caller wants speeds is a machine, though a wrong one. */
static machine_kind kind_of(machine_argument *a, machine_kind wants)
{
    const char *data;
    size_t size;
    bool is_graph = wants == MACHINE_SPEEDS && input_peek(a->in, 1, &data, &size, NULL) == INLAY_OK && size > 0 &&
                    memchr(data, '{', size) != NULL;
    return is_graph ? MACHINE_ALONE : wants;
}

int machine_argument_open(const char *text, machine_kind wants, machine_argument *a, inlay_diag *diag)
{
    int status = machine_argument_look(text, a, diag);
    if (status == INLAY_OK && a->foreign != NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, a->source, 0, "this is %s; expected a machine", a->foreign);
    }
    if (status == INLAY_OK && a->in != NULL && a->format == NULL) {
        a->format = machine_format_of(kind_of(a, wants));
    }
    if (status != INLAY_OK || a->place != NULL || a->is_list || is_string(text)) {
        return status;
    }
    const char *missing = access(text, F_OK) == 0 ? "is no file" : plain_error(errno);
    return wants == MACHINE_ALONE && !looks_like_path(text)
               ? INLAY_OK /* its reader knows what a string should be */
               : diag_fail_at(diag, INLAY_BAD_INPUT, text, 0,
                              "%s; expected a machine: a file, a string such as bus:16, or speeds such as 6,4,4",
                              missing);
}

void machine_argument_close(machine_argument *a)
{
    input_close(a->in);
    free(a->attributes);
    free(a->place);
}

bool machine_argument_is(const machine_argument *a)
{
    bool is_file = a->in != NULL && ((a->format != NULL && !a->format->beside) || a->count > 0);
    return is_file || a->is_host || a->is_node || (a->in == NULL && a->place == NULL && is_string(a->text));
}

/* ---- The machine that it is ---- */

static int write_host(const void *of, text_buffer *to, inlay_diag *diag)
{
    (void)of;
    return host_describe(to, diag);
}

static int read_host(const machine_argument *a, inlay_machine **machine, inlay_diag *diag)
{
    const explicit_parts parts = {this_computer, a->place, a->attributes, a->count, false};
    return explicit_machine(&parts, write_host, NULL, machine, diag);
}

static int read_content(machine_argument *a, inlay_machine **machine, inlay_diag *diag)
{
    const machine_format *format = a->format != NULL ? a->format : machine_format_of(MACHINE_ALONE);
    file_content content = {0};
    int status = input_rest(a->in, &content, diag);
    if (status == INLAY_OK) {
        status = format->from(content.data, content.size, a->source, a->attributes, a->count, machine, diag);
    }
    file_content_clear(&content);
    return status;
}

/* An explicit machine is called as the user called it, with its attributes: what a remedy has to say again. */
static int keep_text(const machine_argument *a, inlay_machine *machine, inlay_diag *diag)
{
    if (inlay_machine_family(machine) != INLAY_GRAPH) {
        return INLAY_OK;
    }
    char *text = memory_string(a->text);
    if (text == NULL) {
        return diag_no_memory(diag);
    }
    free(machine->text);
    machine->text = text;
    return INLAY_OK;
}

int machine_argument_read(machine_argument *a, inlay_machine **machine, inlay_diag *diag)
{
    inlay_machine *made = NULL;
    if (a->in == NULL && !a->is_host && !a->is_node) {
        return inlay_machine_parse(a->text, machine, diag);
    }
    int status = a->is_host   ? read_host(a, &made, diag)
                 : a->is_node ? node_machine(a->text, a->attributes, a->count, &made, diag)
                              : read_content(a, &made, diag);
    status = status == INLAY_OK ? keep_text(a, made, diag) : status;
    if (status != INLAY_OK) {
        inlay_machine_free(made);
        return status;
    }
    *machine = made;
    return INLAY_OK;
}
