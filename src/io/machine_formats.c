/* The table of machine formats, and the public calls that read and write machines through it. */
#include "io/machine_formats.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/dot/dot.h"
#include "io/dot/machine.h"
#include "io/formats.h"
#include "io/simgrid/simgrid.h"
#include "machine/host.h"
#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int dot_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag)
{
    (void)tick_seconds; /* DOT has ticks */
    return dot_machine_to(machine, to, diag);
}

/* The first row whose look fits is the reader; DOT stands last, for it takes the longest look. */
static const machine_format rows[] = {
    {"simgrid", "xml", "SimGrid platform, version 4.1", simgrid_looks_like, simgrid_machine_from, simgrid_machine_to},
    {"tgt", "tgt", "Scotch target architecture", tgt_looks_like, tgt_machine_from, tgt_machine_to},
    {"dot", "dot gv", "Graphviz DOT, Inlay's own attributes", dot_is_machine, dot_machine_with, dot_to},
};

enum { ROWS = sizeof rows / sizeof *rows, DOT = ROWS - 1 };

static const char this_computer[] = "host";

size_t inlay_machine_formats(void)
{
    return ROWS;
}

inlay_format inlay_machine_format_at(size_t i)
{
    return (inlay_format){rows[i].name, rows[i].extensions, rows[i].summary, true, true};
}

bool inlay_reads_host(void)
{
    return host_is_in();
}

/* ---- Telling formats apart ---- */

static const machine_format *row_by_name(const char *name, inlay_diag *diag)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    diag_fail(diag, INLAY_BAD_ARGUMENT, "unknown machine format '%s'; expected one of simgrid, tgt, dot", name);
    return NULL;
}

static const machine_format *row_by_extension(const char *path)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (format_fits(rows[i].extensions, path, format_unpacked(path))) {
            return &rows[i];
        }
    }
    return NULL;
}

/* By content, then by extension; what is left is read as DOT, whose reader says what is wrong with it. */
static const machine_format *row_of(const char *data, size_t size, const char *source)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].looks_like(data, size)) {
            return &rows[i];
        }
    }
    const machine_format *row = row_by_extension(source);
    return row != NULL ? row : &rows[DOT];
}

/* Its content looks like a machine's, or its extension is that of a format of machines alone. */
static int look_for_machine(input *in, const char *path, bool *is, inlay_diag *diag)
{
    enum { LOOK = 1 << 20 }; /* bytes; a machine says so at its beginning */
    const machine_format *row = row_by_extension(path);
    const char *data;
    size_t size;
    int status = input_peek(in, LOOK, &data, &size, diag);
    *is = row != NULL && row != &rows[DOT];
    for (size_t i = 0; status == INLAY_OK && i < ROWS && !*is; i++) {
        *is = rows[i].looks_like(data, size);
    }
    return status;
}

static bool is_machine_file(const char *path)
{
    input *in = NULL;
    bool is = false;
    bool looked = input_open(path, &in, NULL) == INLAY_OK && look_for_machine(in, path, &is, NULL) == INLAY_OK;
    input_close(in);
    return looked && is;
}

/* ---- Reading ---- */

int inlay_machine_read_with(const char *data, size_t size, const char *source, const char *format,
                            const inlay_attribute *attributes, size_t count, inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const machine_format *row = format == NULL ? row_of(data, size, source) : row_by_name(format, diag);
    return row == NULL ? INLAY_BAD_ARGUMENT : row->from(data, size, source, attributes, count, machine, diag);
}

int inlay_machine_read_memory(const char *data, size_t size, const char *source, const char *format,
                              inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return inlay_machine_read_with(data, size, source, format, NULL, 0, machine, diag);
}

/* What a user names: where the machine is, and the attributes behind it. */
typedef struct request {
    char *place;      /* file, "-" or "host"; attributes point into it too, behind its end */
    const char *text; /* as given */
    inlay_attribute *attributes;
    size_t count;
} request;

/* Cuts `rest` apart at its commas. */
static int take_attributes(request *r, char *rest, inlay_diag *diag)
{
    size_t most = 1;
    for (const char *c = rest; *c != '\0'; c++) {
        most += *c == ',';
    }
    r->attributes = memory_array(most, sizeof *r->attributes);
    if (r->attributes == NULL) {
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
            return diag_fail_at(diag, INLAY_BAD_INPUT, r->place, 0, "'%s%s' is no attribute; expected attribute=value",
                                name, value == NULL ? "" : "=");
        }
        if (strcmp(name, "network") == 0) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, r->place, 0,
                                "network=%s is not the file's; expected attributes that go with the file's network",
                                plain_trim(value, PLAIN_SPACES));
        }
        r->attributes[r->count++] = (inlay_attribute){name, plain_trim(value, PLAIN_SPACES), 0};
    }
    return INLAY_OK;
}

static bool is_place(const char *place)
{
    return strcmp(place, "-") == 0 || strcmp(place, this_computer) == 0 || file_exists(place);
}

/* Finds the place: all of the text, or what is in front of a comma. It stays NULL where there is none. */
static int find_place(request *r, inlay_diag *diag)
{
    char *copy = memory_string(r->text);
    if (copy == NULL) {
        return diag_no_memory(diag);
    }
    char *comma = is_place(copy) ? copy + strlen(copy) : strchr(copy, ',');
    bool found = false;
    while (comma != NULL && !found) {
        char mark = *comma;
        *comma = '\0';
        found = is_place(copy);
        if (found) {
            r->place = copy;
            return mark == '\0' ? INLAY_OK : take_attributes(r, comma + 1, diag);
        }
        *comma = mark;
        comma = strchr(comma + 1, ',');
    }
    free(copy);
    return INLAY_OK;
}

static int read_host(const request *r, inlay_machine **machine, inlay_diag *diag)
{
    text_buffer text = {0};
    cable_defaults defaults = {0};
    size_t count = r->count;
    int status = cable_defaults_take(r->place, r->attributes, &count, &defaults, diag);
    if (status == INLAY_OK) {
        explicit_begin(this_computer, &defaults, &text);
        status = host_describe(&text, diag);
    }
    text_add(&text, "}\n");
    if (status == INLAY_OK) {
        status = text.failed ? diag_no_memory(diag)
                             : dot_machine_with(text.data, text.size, r->place, r->attributes, count, machine, diag);
    }
    text_clear(&text);
    return status;
}

static int read_file(const request *r, input *in, inlay_machine **machine, inlay_diag *diag)
{
    file_content content = {0};
    int status = input_rest(in, &content, diag);
    if (status == INLAY_OK) {
        const char *source = strcmp(r->place, "-") == 0 ? "standard input" : r->place;
        status =
            inlay_machine_read_with(content.data, content.size, source, NULL, r->attributes, r->count, machine, diag);
    }
    file_content_clear(&content);
    return status;
}

/* An explicit machine is called as the user called it, with its attributes: what a remedy has to say again. */
static int keep_text(const request *r, inlay_machine *machine, inlay_diag *diag)
{
    if (inlay_machine_family(machine) != INLAY_GRAPH) {
        return INLAY_OK;
    }
    char *text = memory_string(r->text);
    if (text == NULL) {
        return diag_no_memory(diag);
    }
    free(machine->text);
    machine->text = text;
    return INLAY_OK;
}

static bool is_host(const request *r)
{
    return strcmp(r->place, this_computer) == 0 && !file_exists(r->place);
}

/* `in` is NULL for this computer. */
static int read_opened(const request *r, input *in, inlay_machine **machine, inlay_diag *diag)
{
    inlay_machine *made = NULL;
    int status = in == NULL ? read_host(r, &made, diag) : read_file(r, in, &made, diag);
    if (status == INLAY_OK) {
        status = keep_text(r, made, diag);
    }
    if (status != INLAY_OK) {
        inlay_machine_free(made);
        return status;
    }
    *machine = made;
    return INLAY_OK;
}

static int read_place(const request *r, inlay_machine **machine, inlay_diag *diag)
{
    input *in = NULL;
    int status = is_host(r) ? INLAY_OK : input_open(r->place, &in, diag);
    if (status == INLAY_OK) {
        status = read_opened(r, in, machine, diag);
    }
    input_close(in);
    return status;
}

/* In front of the colon of a machine string there is the family alone; a slash may follow, in a rate. */
static bool looks_like_path(const char *text)
{
    size_t head = strcspn(text, ":,");
    if (memchr(text, '/', head) != NULL) {
        return true;
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (format_fits(rows[i].extensions, text, head)) {
            return true;
        }
    }
    return false;
}

static bool is_string(const char *text)
{
    return strchr(text, ':') != NULL && !looks_like_path(text);
}

bool inlay_is_machine(const char *text_or_path)
{
    request r = {.text = text_or_path};
    bool is;
    (void)find_place(&r, NULL); /* wrong attributes are the reader's business */
    if (r.place == NULL) {
        is = is_string(text_or_path);
    } else {
        is = is_host(&r) || (file_exists(r.place) && is_machine_file(r.place));
    }
    free(r.attributes);
    free(r.place);
    return is;
}

int inlay_machine_read(const char *text_or_path, inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    request r = {.text = text_or_path};
    int status = find_place(&r, diag);
    if (status == INLAY_OK && r.place != NULL) {
        status = read_place(&r, machine, diag);
    } else if (status == INLAY_OK && looks_like_path(text_or_path)) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, text_or_path, 0,
                              "no such file; expected a machine's DOT file, or a string such as bus:16");
    } else if (status == INLAY_OK) {
        status = inlay_machine_parse(text_or_path, machine, diag);
    }
    free(r.attributes);
    free(r.place);
    return status;
}

/* A file, or standard input; attributes behind its name are those of a machine. */
static int read_either(const request *r, const char *format, inlay_app **app, inlay_machine **machine, inlay_diag *diag)
{
    input *in = NULL;
    bool is_machine = r->count > 0;
    int status = input_open(r->place, &in, diag);
    if (status == INLAY_OK && !is_machine) {
        status = look_for_machine(in, r->place, &is_machine, diag);
    }
    if (status == INLAY_OK) {
        status = is_machine ? read_opened(r, in, machine, diag) : app_from_input(in, r->place, format, app, diag);
    }
    input_close(in);
    return status;
}

int inlay_app_or_machine_read(const char *text_or_path, const char *format, inlay_app **app, inlay_machine **machine,
                              inlay_diag *diag)
{
    DIAG_CALL(diag);
    request r = {.text = text_or_path};
    int status = find_place(&r, diag);
    if (status == INLAY_OK && r.place == NULL) {
        status = is_string(text_or_path) ? inlay_machine_read(text_or_path, machine, diag)
                                         : inlay_app_read(text_or_path, format, app, diag);
    } else if (status == INLAY_OK) {
        status = is_host(&r) ? read_opened(&r, NULL, machine, diag) : read_either(&r, format, app, machine, diag);
    }
    free(r.attributes);
    free(r.place);
    return status;
}

/* ---- Writing ---- */

int inlay_machine_write_as(const inlay_machine *machine, const char *path, const char *format, double tick_seconds,
                           inlay_diag *diag)
{
    DIAG_CALL(diag);
    const machine_format *row = format != NULL ? row_by_name(format, diag) : row_by_extension(path);
    if (format != NULL && row == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    row = row == NULL ? &rows[DOT] : row;
    text_buffer written = {0};
    int status = row->to(machine, tick_seconds, &written, diag);
    if (status == INLAY_OK && written.failed) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        status = file_write(path, written.data, written.size, diag);
    }
    text_clear(&written);
    return status;
}

int inlay_machine_write(const inlay_machine *machine, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return inlay_machine_write_as(machine, path, NULL, 0, diag);
}
