/* Text that does not depend on the locale. */
#include "base/plain.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Another thread's locale stays what it is. The C library keeps "C" ready: nothing is allocated. */
plain_scope plain_enter(void)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (plain_scope){uselocale(plain), plain};
}

void plain_leave(plain_scope scope)
{
    (void)uselocale(scope.outer);
    if (scope.plain != (locale_t)0) {
        freelocale(scope.plain);
    }
}

int plain_vprint(char *text, size_t room, const char *format, va_list arguments)
{
    plain_scope scope = plain_enter();
    int length = vsnprintf(text, room, format, arguments);
    plain_leave(scope);
    return length;
}

int plain_print(char *text, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = plain_vprint(text, room, format, arguments);
    va_end(arguments);
    return length;
}

double plain_number(const char *text, char **end)
{
    plain_scope scope = plain_enter();
    double number = strtod(text, end);
    plain_leave(scope);
    return number;
}

const char *plain_error(int number)
{
    plain_scope scope = plain_enter();
    const char *words = strerror_l(number, scope.plain);
    plain_leave(scope);
    return words;
}

static int small(char c)
{
    return plain_upper(c) ? c - 'A' + 'a' : c;
}

bool plain_begins(const char *a, const char *b, size_t size)
{
    size_t i = 0;
    while (i < size && small(a[i]) == small(b[i]) && a[i] != '\0') {
        i++;
    }
    return i == size || small(a[i]) == small(b[i]);
}

bool plain_same(const char *a, const char *b)
{
    return plain_begins(a, b, SIZE_MAX);
}

char *plain_trim(char *text, const char *blanks)
{
    text += strspn(text, blanks);
    for (size_t size = strlen(text); size > 0 && strchr(blanks, text[size - 1]) != NULL; size--) {
        text[size - 1] = '\0';
    }
    return text;
}
