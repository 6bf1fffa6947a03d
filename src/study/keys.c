/* Texts and combinations of them, each with a number. */
#include "study/keys.h"
#include "base/decimal.h"
#include "base/plain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 14, MOST_DIGITS = 15 };

/* ---- Texts ---- */

void key_store_clear(key_store *store)
{
    pool_clear(&store->pool);
    *store = (key_store){0};
}

static const char *keep(key_store *store, const char *text)
{
    size_t size = strlen(text) + 1;
    if (size > store->left) {
        size_t room = size > PIECE ? size : PIECE;
        store->at = pool_array(&store->pool, room, 1);
        store->left = store->at != NULL ? room : 0;
    }
    if (store->at == NULL) {
        return NULL;
    }
    const char *kept = memcpy(store->at, text, size);
    store->at += size;
    store->left -= size;
    return kept;
}

/* ---- Numbers ---- */

static const char *skip_digits(const char *c)
{
    while (plain_digit(*c)) {
        c++;
    }
    return c;
}

bool key_is_number(const char *text, double *number)
{
    const char *whole = text + (*text == '-'), *c = skip_digits(whole);
    bool good = c > whole && (*whole != '0' || c == whole + 1);
    if (good && *c == '.') {
        const char *fraction = c + 1;
        c = skip_digits(fraction);
        good = c > fraction;
    }
    if (good && (*c == 'e' || *c == 'E')) {
        const char *exponent = c + 1 + (c[1] == '+' || c[1] == '-');
        c = skip_digits(exponent);
        good = c > exponent;
    }
    good = good && *c == '\0';
    *number = good ? plain_number(text, NULL) : NAN;
    return good;
}

/* The spelling that stands for all of a number: "4" for 4.0; of what has more digits than a double holds, its own. */
static const char *one_spelling(const char *text, char shortest[DOUBLE_TEXT])
{
    double number;
    size_t digits = 0;
    for (const char *c = text; *c != '\0'; c++) {
        digits += plain_digit(*c);
    }
    if (digits > MOST_DIGITS || !key_is_number(text, &number) || !isfinite(number)) {
        return text;
    }
    return number == 0 ? "0" : double_text(number, shortest);
}

/* ---- Columns ---- */

static int32_t add_text(key_column *column, const char *text, key_store *store)
{
    const char *kept = column->count < INT32_MAX ? keep(store, text) : NULL;
    if (kept == NULL ||
        !memory_grow((void **)&column->texts, &column->capacity, column->count + 1, sizeof *column->texts) ||
        !name_map_put(&column->numbers, kept, (int32_t)column->count)) {
        return -1;
    }
    double number;
    column->words = column->words || (*kept != '\0' && !key_is_number(kept, &number));
    column->texts[column->count] = kept;
    return (int32_t)column->count++;
}

int32_t key_number(key_column *column, const char *text, key_store *store)
{
    int32_t known = name_map_get(&column->numbers, text);
    if (known >= 0) {
        return known;
    }
    char shortest[DOUBLE_TEXT];
    const char *same = one_spelling(text, shortest);
    if (strcmp(same, text) == 0) {
        return add_text(column, text, store);
    }
    known = name_map_get(&column->numbers, same);
    known = known >= 0 ? known : add_text(column, same, store);
    const char *kept = known >= 0 ? keep(store, text) : NULL;
    return kept != NULL && name_map_put(&column->numbers, kept, known) ? known : -1;
}

void key_column_clear(key_column *column)
{
    name_map_clear(&column->numbers);
    free(column->texts);
    *column = (key_column){0};
}

/* By bytes, but runs of digits by what they count: bus:4 before bus:16. */
static int compare_words(const char *a, const char *b)
{
    const char *left = a, *right = b;
    while (*left != '\0' && *right != '\0') {
        if (plain_digit(*left) && plain_digit(*right)) {
            left += strspn(left, "0");
            right += strspn(right, "0");
            size_t size = (size_t)(skip_digits(left) - left), other = (size_t)(skip_digits(right) - right);
            int order = size != other ? (size < other ? -1 : 1) : strncmp(left, right, size);
            if (order != 0) {
                return order;
            }
            left += size;
            right += other;
        } else if (*left != *right) {
            break;
        } else {
            left++;
            right++;
        }
    }
    int order = (unsigned char)*left - (unsigned char)*right;
    return order != 0 ? order : strcmp(a, b);
}

int key_compare(const key_column *column, int32_t a, int32_t b)
{
    const char *left = column->texts[a], *right = column->texts[b];
    double first, second;
    if (!column->words && key_is_number(left, &first) && key_is_number(right, &second) && first != second) {
        return first < second ? -1 : 1;
    }
    return compare_words(left, right);
}

/* ---- Rows ---- */

int32_t key_row(key_rows *rows, const int32_t *parts, key_store *store)
{
    enum { BASE = 15, DIGITS = 8 }; /* of a part, and a mark behind them */
    char name[KEY_PARTS * (DIGITS + 1) + 1];
    char *to = name;
    for (size_t i = 0; i < rows->width && i < KEY_PARTS; i++) {
        for (int32_t left = parts[i]; left > 0; left /= BASE) {
            *to++ = (char)('a' + left % BASE);
        }
        *to++ = 'z';
    }
    *to = '\0';
    int32_t known = name_map_get(&rows->numbers, name);
    if (known >= 0) {
        return known;
    }
    const char *kept = rows->count < INT32_MAX ? keep(store, name) : NULL;
    size_t width = rows->width > 0 ? rows->width : 1; /* no array of nothing */
    if (kept == NULL ||
        !memory_grow((void **)&rows->parts, &rows->capacity, (rows->count + 1) * width, sizeof *rows->parts) ||
        !name_map_put(&rows->numbers, kept, (int32_t)rows->count)) {
        return -1;
    }
    if (rows->width > 0) {
        memcpy(rows->parts + rows->count * rows->width, parts, rows->width * sizeof *parts);
    }
    return (int32_t)rows->count++;
}

void key_rows_clear(key_rows *rows)
{
    name_map_clear(&rows->numbers);
    free(rows->parts);
    *rows = (key_rows){.width = rows->width};
}
