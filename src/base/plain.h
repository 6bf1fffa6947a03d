/*
 * Text in which the program's locale has no say: numbers have a point, and letters are those of ASCII. A program that
 * links the library may have called setlocale(). No other file of the library asks the C library for what depends on
 * it; tests/locale.sh sees to that.
 */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** snprintf(). */
int plain_print(char *text, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** vsnprintf(). */
int plain_vprint(char *text, size_t room, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

/** strerror(), for threads too. */
const char *plain_error(int number);

/** strtod(). */
double plain_number(const char *text, char **end);

/** For other libraries, which print numbers and read them: the locale "C" of this thread, from enter to leave. */
typedef struct plain_scope {
    locale_t outer, plain;
} plain_scope;

plain_scope plain_enter(void);
void plain_leave(plain_scope scope);

/** Bytes of the mark that UTF-8 may begin with: UTF8_MARK, or 0. */
enum { UTF8_MARK = 3 };

static inline size_t plain_mark(const char *data, size_t size)
{
    return size >= UTF8_MARK && memcmp(data, "\xEF\xBB\xBF", UTF8_MARK) == 0 ? UTF8_MARK : 0;
}

static inline bool plain_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool plain_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool plain_alpha(int c)
{
    return plain_upper(c) || (c >= 'a' && c <= 'z');
}

static inline bool plain_alnum(int c)
{
    return plain_alpha(c) || plain_digit(c);
}

static inline bool plain_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/** What plain_space() knows. */
#define PLAIN_SPACES " \t\n\v\f\r"

/** The text without any of `blanks` at its ends: it is cut behind, and the first character that stays is given. */
char *plain_trim(char *text, const char *blanks);

/** Whether two texts begin with the same `size` characters, small letters and capitals being the same. */
bool plain_begins(const char *a, const char *b, size_t size);

/** Whether two texts are the same in this way. */
bool plain_same(const char *a, const char *b);

#endif
