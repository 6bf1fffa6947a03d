/* What the user tells: -D, --trip and --call. */
#include "csource/count/given.h"
#include <errno.h>
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>

/* A whole number up to `end`, in digits with perhaps a sign. */
static bool read_whole(const char *text, const char *end, bool may_be_negative, int64_t *number)
{
    bool negative = may_be_negative && *text == '-';
    size_t digits = strspn(text + negative, "0123456789");
    if (digits == 0 || text + negative + digits != end) {
        return false;
    }
    errno = 0;
    long long value = strtoll(text, NULL, 10);
    *number = value;
    return errno == 0;
}

/* Fills the value; false where it is not of its kind. */
static bool read_value(given_kind kind, const char *text, const char *end, given_entry *entry)
{
    if (kind == GIVEN_DEFINITION) {
        entry->is_number = read_whole(text, end, true, &entry->value);
        return text < end;
    }
    entry->is_number = true;
    if (kind == GIVEN_TRIPS) {
        return read_whole(text, end, false, &entry->value);
    }
    const char *colon = memchr(text, ':', (size_t)(end - text));
    return read_whole(text, colon != NULL ? colon : end, false, &entry->value) &&
           (colon == NULL || read_whole(colon + 1, end, false, &entry->second));
}

static bool is_name(const char *text, size_t length, given_kind kind)
{
    static const char digits[] = "0123456789";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    bool number = length > 0 && strspn(text, digits) >= length;
    bool word = length > 0 && strspn(text, letters) >= length && strchr(digits, text[0]) == NULL;
    return kind == GIVEN_TRIPS ? number : word;
}

/* One entry, which ends at `end`. INLAY_BAD_ARGUMENT: it cannot be read. */
static int read_entry(const char *text, const char *end, given_kind kind, given_list *list)
{
    static const char one[] = "1";
    const char *equals = memchr(text, '=', (size_t)(end - text));
    size_t length = (size_t)((equals != NULL ? equals : end) - text);
    given_entry entry = {.text = equals != NULL ? equals + 1 : one};
    if (!is_name(text, length, kind) || (equals == NULL && kind != GIVEN_DEFINITION)) {
        return INLAY_BAD_ARGUMENT;
    }
    if (!read_value(kind, entry.text, equals != NULL ? end : one + 1, &entry)) {
        return INLAY_BAD_ARGUMENT;
    }
    if (!GROW(list->entry, list->count, list->room)) {
        return INLAY_NO_MEMORY;
    }
    entry.name = strndup(text, length);
    list->entry[list->count] = entry;
    list->count += entry.name != NULL;
    return entry.name != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

int given_read(const char *text, given_kind kind, given_list *list, const char **wrong, int *length)
{
    int status = INLAY_OK;
    while (text != NULL && status == INLAY_OK) {
        const char *end = text + strcspn(text, ",");
        status = read_entry(text, end, kind, list);
        *wrong = text;
        *length = (int)(end - text);
        text = *end == ',' ? end + 1 : NULL;
    }
    return status;
}

void given_clear(given_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->entry[i].name);
    }
    free(list->entry);
    *list = (given_list){0};
}

const given_entry *given_find(const given_list *list, const char *name)
{
    for (int i = list->count - 1; i >= 0; i--) {
        if (strcmp(list->entry[i].name, name) == 0) return &list->entry[i];
    }
    return NULL;
}

const given_entry *given_trips(const given *g, unsigned line)
{
    for (int i = g->trips.count - 1; i >= 0; i--) {
        if (strtoul(g->trips.entry[i].name, NULL, 10) == line) return &g->trips.entry[i];
    }
    return NULL;
}
