/* Quick looks at the content of a file. */
#include "io/look.h"
#include "base/plain.h"
#include <string.h>

/* ---- XML ---- */

/* Behind the end of a comment or an instruction; NULL where it has none. */
static const char *behind(const char *at, const char *end, const char *mark)
{
    size_t size = strlen(mark);
    for (; (size_t)(end - at) >= size; at++) {
        if (memcmp(at, mark, size) == 0) {
            return at + size;
        }
    }
    return NULL;
}

static bool begins(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);
    return (size_t)(end - at) >= size && memcmp(at, word, size) == 0;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && plain_space(*at)) {
        at++;
    }
    return at;
}

/* Whether the name that begins here, perhaps behind a prefix, is `element`. */
static bool names(const char *at, const char *end, const char *element)
{
    const char *stop = at;
    while (stop < end && !plain_space(*stop) && *stop != '>' && *stop != '/') {
        at = *stop == ':' ? stop + 1 : at;
        stop++;
    }
    return (size_t)(stop - at) == strlen(element) && memcmp(at, element, (size_t)(stop - at)) == 0;
}

/* The document type names the element too, and stands first. */
bool look_xml(const char *data, size_t size, const char *element)
{
    static const char type[] = "<!DOCTYPE";
    const char *end = data + size;
    const char *at = data + plain_mark(data, size);
    while (at != NULL && at < end) {
        if (plain_space(*at)) {
            at++;
        } else if (begins(at, end, "<!--")) {
            at = behind(at, end, "-->");
        } else if (begins(at, end, "<?")) {
            at = behind(at, end, "?>");
        } else if (begins(at, end, type)) {
            return names(skip_blanks(at + strlen(type), end), end, element);
        } else {
            return *at == '<' && names(at + 1, end, element);
        }
    }
    return false;
}

/* ---- Whole numbers ---- */

enum { MOST_DIGITS = 18 };

/* One number; false where there is none, or one too long. */
static bool take_number(number_look *look, int64_t *number)
{
    const char *begin = look->at;
    *number = 0;
    while (look->at < look->end && plain_digit(*look->at) && look->at - begin < MOST_DIGITS) {
        *number = *number * 10 + (*look->at++ - '0');
    }
    return look->at > begin && (look->at == look->end || plain_space(*look->at) || *look->at == look->comment);
}

int64_t look_line(number_look *look, bool blank, int64_t *number, int64_t room)
{
    int64_t count = 0;
    bool comment = look->at < look->end && *look->at == look->comment;
    while (look->at < look->end) {
        char c = *look->at;
        if (c == '\n') {
            look->at++;
            if (!comment && (count > 0 || blank)) {
                return count;
            }
            comment = look->at < look->end && *look->at == look->comment;
        } else if (comment || plain_space(c)) {
            look->at++;
        } else if (c == '#' && look->comment == '#') {
            const char *newline = memchr(look->at, '\n', (size_t)(look->end - look->at));
            look->at = newline == NULL ? look->end : newline;
        } else {
            int64_t value;
            if (!take_number(look, &value)) {
                return LOOK_NO_NUMBER;
            }
            if (count < room) {
                number[count] = value;
            }
            count++;
        }
    }
    return count > 0 ? count : LOOK_END;
}
