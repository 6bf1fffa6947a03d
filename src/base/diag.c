/* Diagnostics: one error with its remedy, and warnings. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fixed room, so that even "out of memory" can be told. */
enum { MESSAGE_ROOM = 1024, REMEDY_ROOM = 512, OPTION_ROOM = 32, MOST_REMEDIES = 4 };

typedef struct remedy {
    char option[OPTION_ROOM];
    char value[REMEDY_ROOM];
} remedy;

struct inlay_diag {
    char message[MESSAGE_ROOM];
    remedy remedies[MOST_REMEDIES];
    size_t remedy_count;
    char **warnings;
    size_t count, capacity;
    inlay_outputs *outputs; /* the caller's */
    text_buffer *captured;  /* likewise */
    int64_t most_unpacked;  /* 0: not said */
    bool keeps_warnings;
    int depth; /* public functions that it is in */
};

static const struct {
    int status, exit_status;
    const char *text;
} codes[] = {
    {INLAY_OK, 0, "done"},
    {INLAY_NO_ANSWER, 1, "no answer"},
    {INLAY_BAD_INPUT, 2, "bad input"},
    {INLAY_BAD_ARGUMENT, 2, "bad argument"},
    {INLAY_OVERFLOW, 2, "number too large"},
    {INLAY_NO_MEMORY, 3, "out of memory"},
    {INLAY_SYSTEM, 3, "system failure"},
};

const char *inlay_status_text(int status)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i].status == status) {
            return codes[i].text;
        }
    }
    return "unknown status";
}

int inlay_exit_status(int status)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i].status == status) {
            return codes[i].exit_status;
        }
    }
    return 3;
}

inlay_diag *inlay_diag_new(void)
{
    return calloc(1, sizeof(inlay_diag));
}

void inlay_diag_free(inlay_diag *diag)
{
    if (diag == NULL) {
        return;
    }
    inlay_diag_clear(diag);
    free(diag->warnings);
    free(diag);
}

void inlay_diag_clear(inlay_diag *diag)
{
    if (diag == NULL) {
        return;
    }
    diag_clear_error(diag);
    while (diag->count > 0) {
        free(diag->warnings[--diag->count]);
    }
}

void inlay_diag_keep_warnings(inlay_diag *diag, bool keep)
{
    diag->keeps_warnings = keep;
}

inlay_diag *diag_enter(inlay_diag *diag, bool with_warnings)
{
    if (diag == NULL || diag->depth++ > 0) {
        return diag;
    }
    if (!with_warnings && !diag->keeps_warnings) {
        inlay_diag_clear(diag);
    } else if (diag->message[0] != '\0') { /* else the remedies are those of a warning, and stay with it */
        diag_clear_error(diag);
    }
    return diag;
}

void diag_leave(inlay_diag *const *entered)
{
    if (*entered != NULL) {
        (*entered)->depth--;
    }
}

void inlay_diag_gather(inlay_diag *diag, inlay_outputs *outputs)
{
    diag->outputs = outputs;
}

void diag_capture(inlay_diag *diag, text_buffer *into)
{
    diag->captured = into;
}

text_buffer *diag_captures(const inlay_diag *diag)
{
    return diag == NULL ? NULL : diag->captured;
}

inlay_outputs *diag_outputs(const inlay_diag *diag)
{
    return diag == NULL ? NULL : diag->outputs;
}

void inlay_diag_set_most_unpacked(inlay_diag *diag, int64_t bytes)
{
    diag->most_unpacked = bytes;
}

int64_t diag_most_unpacked(const inlay_diag *diag)
{
    return diag == NULL || diag->most_unpacked <= 0 ? INLAY_MOST_UNPACKED : diag->most_unpacked;
}

int diag_too_large(inlay_diag *diag, const char *file)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, file, 0,
                        "unpacks to more than %" PRId64 " bytes; expected less (--max-size raises this)",
                        diag_most_unpacked(diag));
}

const char *inlay_diag_message(const inlay_diag *diag)
{
    return diag == NULL ? "" : diag->message;
}

size_t inlay_diag_remedies(const inlay_diag *diag)
{
    return diag == NULL ? 0 : diag->remedy_count;
}

const char *inlay_diag_remedy_option_at(const inlay_diag *diag, size_t i)
{
    return i >= inlay_diag_remedies(diag) ? NULL : diag->remedies[i].option;
}

const char *inlay_diag_remedy_value_at(const inlay_diag *diag, size_t i)
{
    return i >= inlay_diag_remedies(diag) ? NULL : diag->remedies[i].value;
}

const char *inlay_diag_remedy_option(const inlay_diag *diag)
{
    return inlay_diag_remedy_option_at(diag, 0);
}

const char *inlay_diag_remedy_value(const inlay_diag *diag)
{
    return inlay_diag_remedy_value_at(diag, 0);
}

void inlay_diag_add_warning(inlay_diag *diag, const char *text)
{
    diag_warn(diag, "%s", text);
}

size_t inlay_diag_warnings(const inlay_diag *diag)
{
    return diag == NULL ? 0 : diag->count;
}

const char *inlay_diag_warning(const inlay_diag *diag, size_t i)
{
    return diag == NULL || i >= diag->count ? NULL : diag->warnings[i];
}

/* A message is one line whatever names a file brought along. */
static void keep_one_line(char *message)
{
    for (char *c = message; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 127) {
            *c = ' ';
        }
    }
}

/* Truncation must not leave half of a UTF-8 sequence behind. */
static void end_on_whole_character(char *message, size_t room)
{
    if (strlen(message) + 1 < room) {
        return;
    }
    size_t end = room - 1;
    while (end > 0 && ((unsigned char)message[end - 1] & 0xC0) == 0x80) {
        end--;
    }
    if (end > 0 && (unsigned char)message[end - 1] >= 0xC0) {
        end--;
    }
    message[end] = '\0';
}

static void write_message(inlay_diag *diag, const char *format, va_list arguments, size_t at)
{
    plain_vprint(diag->message + at, MESSAGE_ROOM - at, format, arguments);
    end_on_whole_character(diag->message, MESSAGE_ROOM);
    keep_one_line(diag->message);
}

int diag_fail(inlay_diag *diag, int status, const char *format, ...)
{
    if (diag != NULL && diag->message[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        write_message(diag, format, arguments, 0);
        va_end(arguments);
    }
    return status;
}

int diag_fail_at(inlay_diag *diag, int status, const char *file, long line, const char *format, ...)
{
    if (diag != NULL && diag->message[0] == '\0') {
        /* A long path must leave room for what is wrong. */
        int written = line > 0 ? snprintf(diag->message, MESSAGE_ROOM, "%.700s:%ld: ", file, line)
                               : snprintf(diag->message, MESSAGE_ROOM, "%.700s: ", file);
        va_list arguments;
        va_start(arguments, format);
        write_message(diag, format, arguments, (size_t)written);
        va_end(arguments);
    }
    return status;
}

void diag_warn(inlay_diag *diag, const char *format, ...)
{
    if (diag == NULL) {
        return;
    }
    char warning[MESSAGE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(warning, sizeof warning, format, arguments);
    va_end(arguments);
    end_on_whole_character(warning, sizeof warning);
    keep_one_line(warning);
    for (size_t i = 0; i < diag->count; i++) {
        if (strcmp(diag->warnings[i], warning) == 0) {
            return;
        }
    }
    /* A warning that finds no memory is dropped: the work itself goes on. */
    if (!memory_grow((void **)&diag->warnings, &diag->capacity, diag->count + 1, sizeof *diag->warnings)) {
        return;
    }
    char *copy = memory_string(warning);
    if (copy != NULL) {
        diag->warnings[diag->count++] = copy;
    }
}

void diag_remedy(inlay_diag *diag, const char *option, const char *format, ...)
{
    if (diag == NULL || diag->remedy_count > 0) {
        return;
    }
    char value[REMEDY_ROOM];
    va_list arguments;
    va_start(arguments, format);
    int length = plain_vprint(value, sizeof value, format, arguments);
    va_end(arguments);
    if (length < REMEDY_ROOM) { /* half a value is none */
        (void)diag_remedy_too(diag, option, value);
    }
}

bool diag_remedy_too(inlay_diag *diag, const char *option, const char *value)
{
    size_t i = 0;
    while (i < diag->remedy_count && strcmp(diag->remedies[i].option, option) != 0) {
        i++;
    }
    bool known = i < diag->remedy_count;
    if (i == MOST_REMEDIES || (known && strcmp(diag->remedies[i].value, value) == 0)) {
        return false;
    }
    snprintf(diag->remedies[i].option, OPTION_ROOM, "%s", option);
    snprintf(diag->remedies[i].value, REMEDY_ROOM, "%s", value);
    diag->remedy_count += !known;
    return true;
}

void diag_forget_remedies(inlay_diag *diag)
{
    if (diag != NULL) {
        diag->remedy_count = 0;
    }
}

void diag_clear_error(inlay_diag *diag)
{
    if (diag != NULL) {
        diag->message[0] = '\0';
        diag->remedy_count = 0;
    }
}
