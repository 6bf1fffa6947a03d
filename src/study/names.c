/* Names that stand for several. */
#include "study/names.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/series.h"
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists ---- */

static names_status take(names *to, char *text)
{
    if (text == NULL) {
        return NAMES_NO_MEMORY;
    }
    if (to->count >= NAMES_MOST || !memory_grow((void **)&to->name, &to->capacity, to->count + 1, sizeof *to->name)) {
        free(text);
        return to->count >= NAMES_MOST ? NAMES_MANY : NAMES_NO_MEMORY;
    }
    to->name[to->count++] = text;
    return NAMES_OK;
}

names_status names_add(names *to, const char *text)
{
    return take(to, memory_string(text));
}

void names_clear(names *of)
{
    for (size_t i = 0; i < of->count; i++) {
        free(of->name[i]);
    }
    free(of->name);
    *of = (names){0};
}

/* ---- Braces ---- */

// NOLINTBEGIN(misc-no-recursion): as deep as there are braces

/* What stands before the braces, one of what is in them, and what stands behind them. */
typedef struct cut {
    const char *text;
    size_t before;
    const char *behind;
} cut;

static names_status add_with(names *to, const cut *c, const char *inside, size_t size)
{
    text_buffer whole = {0};
    text_append(&whole, c->text, c->before);
    text_append(&whole, inside, size);
    text_add(&whole, c->behind);
    names_status status = whole.failed ? NAMES_NO_MEMORY : names_expand(to, text_content(&whole));
    text_clear(&whole);
    return status;
}

static names_status add_numbers(names *to, const cut *c, const series *numbers)
{
    names_status status = NAMES_OK;
    for (int64_t i = 0; status == NAMES_OK && i < numbers->count; i++) {
        text_buffer number = {0};
        text_addf(&number, "%" PRId64, series_at(numbers, i));
        status = number.failed ? NAMES_NO_MEMORY : add_with(to, c, number.data, number.size);
        text_clear(&number);
    }
    return status;
}

/* One of the things between commas: a range of numbers, or what it says. */
static names_status add_item(names *to, const cut *c, const char *item, size_t size)
{
    series numbers = {0};
    char *text = memory_array(size + 1, 1);
    if (text == NULL) {
        return NAMES_NO_MEMORY;
    }
    memcpy(text, item, size);
    text[size] = '\0';
    bool range = strstr(text, "..") != NULL && series_parse(&numbers, text) == SERIES_OK;
    names_status status = range && numbers.count > NAMES_MOST ? NAMES_MANY
                          : range                             ? add_numbers(to, c, &numbers)
                                                              : add_with(to, c, item, size);
    free(text);
    series_clear(&numbers);
    return status;
}

names_status names_expand(names *to, const char *text)
{
    const char *open = strchr(text, '{');
    const char *close = open != NULL ? strpbrk(open + 1, "{}") : strchr(text, '}');
    if (open == NULL && close == NULL) {
        return names_add(to, text);
    }
    if (open == NULL || close == NULL || *close == '{' || close == open + 1) {
        return NAMES_WRONG;
    }
    const cut c = {text, (size_t)(open - text), close + 1};
    names_status status = NAMES_OK;
    for (const char *item = open + 1; status == NAMES_OK && item <= close;) {
        size_t size = strcspn(item, ",}");
        status = add_item(to, &c, item, size);
        item += size + 1;
    }
    return status;
}

// NOLINTEND(misc-no-recursion)

/* ---- Patterns ---- */

bool names_is_pattern(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folder is no pattern, whatever is in its name. */
static void add_plain(text_buffer *to, const char *folder)
{
    for (; *folder != '\0'; folder++) {
        text_add(to, strchr("*?[\\", *folder) != NULL ? "\\" : "");
        text_append(to, folder, 1);
    }
}

names_status names_match(names *to, const char *folder, const char *pattern)
{
    glob_t found = {0};
    text_buffer whole = {0};
    size_t begin = to->count, cut_off = *pattern == '/' ? 0 : strlen(folder);
    add_plain(&whole, cut_off > 0 ? folder : "");
    text_add(&whole, pattern);
    int end = whole.failed ? GLOB_NOSPACE : glob(text_content(&whole), GLOB_NOSORT, NULL, &found);
    names_status status = end == 0 || end == GLOB_NOMATCH ? NAMES_OK : NAMES_NO_MEMORY;
    for (size_t i = 0; end == 0 && status == NAMES_OK && i < found.gl_pathc; i++) {
        status = names_add(to, found.gl_pathv[i] + cut_off);
    }
    if (status == NAMES_OK && to->count > begin) {
        qsort(to->name + begin, to->count - begin, sizeof *to->name, by_bytes);
    }
    globfree(&found);
    text_clear(&whole);
    return status;
}
