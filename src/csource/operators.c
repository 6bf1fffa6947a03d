/* Which operator stands between two operands: looked up in the text of the file. */
#include "csource/reader.h"
#include <string.h>

bool reader_extent(const reader *r, CXCursor cursor, span *extent)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile begins, ends;
    clang_getFileLocation(clang_getRangeStart(range), &begins, NULL, NULL, &extent->from);
    clang_getFileLocation(clang_getRangeEnd(range), &ends, NULL, NULL, &extent->to);
    return begins != NULL && ends != NULL && clang_File_isEqual(begins, r->file) && clang_File_isEqual(ends, r->file) &&
           extent->from <= extent->to && extent->to <= r->size;
}

/* Whether some macro is expanded between two places, or both are inside of it. */
static bool touches_macro(const reader *r, unsigned from, unsigned to)
{
    int low = 0, high = r->expansions;
    while (low < high) { /* the first that ends behind `from` */
        int middle = low + (high - low) / 2;
        if (r->expansion[middle].to <= from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < r->expansions && r->expansion[low].from < to;
}

/* Behind a blank, a comment or a line that goes on; the same place where there is none. */
static unsigned skip_blank(const char *text, unsigned at, unsigned to)
{
    if (text[at] == '/' && at + 1 < to && text[at + 1] == '/') {
        const char *end = memchr(text + at, '\n', to - at);
        return end != NULL ? (unsigned)(end - text) : to;
    }
    if (text[at] == '/' && at + 1 < to && text[at + 1] == '*') {
        for (unsigned i = at + 2; i + 1 < to; i++) {
            if (text[i] == '*' && text[i + 1] == '/') return i + 2;
        }
        return to;
    }
    return at + (strchr(" \t\r\n\f\v\\", text[at]) != NULL && text[at] != '\0');
}

bool reader_gap(const reader *r, unsigned from, unsigned to, char text[GAP_TEXT])
{
    size_t length = 0;
    if (from > to || touches_macro(r, from, to)) {
        return false;
    }
    while (from < to) {
        unsigned next = skip_blank(r->text, from, to);
        if (next == from && length + 1 == GAP_TEXT) {
            return false;
        }
        if (next == from) {
            text[length++] = r->text[next++];
        }
        from = next;
    }
    text[length] = '\0';
    return true;
}

typedef struct operator_text {
    const char *text;
    c_operator operation;
} operator_text;

static bool look_up(const operator_text *list, size_t count, const char *text, c_operator *operation)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].text, text) == 0) {
            *operation = list[i].operation;
            return true;
        }
    }
    return false;
}

bool reader_binary(const reader *r, CXCursor left, CXCursor right, c_operator *operation, bool *assigns)
{
    static const operator_text plain[] = {
        {"+", OP_ADD},         {"-", OP_SUBTRACT},       {"*", OP_MULTIPLY}, {"/", OP_DIVIDE}, {"%", OP_REMAINDER},
        {"<<", OP_SHIFT_LEFT}, {">>", OP_SHIFT_RIGHT},   {"&", OP_BIT_AND},  {"|", OP_BIT_OR}, {"^", OP_BIT_XOR},
        {"<", OP_LESS},        {"<=", OP_LESS_EQUAL},    {">", OP_GREATER},  {"==", OP_EQUAL}, {"!=", OP_UNEQUAL},
        {"&&", OP_AND},        {">=", OP_GREATER_EQUAL}, {"||", OP_OR},      {",", OP_COMMA},
    };
    static const operator_text assigning[] = {
        {"=", OP_NONE},     {"+=", OP_ADD},       {"-=", OP_SUBTRACT},    {"*=", OP_MULTIPLY},
        {"/=", OP_DIVIDE},  {"%=", OP_REMAINDER}, {"<<=", OP_SHIFT_LEFT}, {">>=", OP_SHIFT_RIGHT},
        {"&=", OP_BIT_AND}, {"|=", OP_BIT_OR},    {"^=", OP_BIT_XOR},
    };
    span before, behind;
    char text[GAP_TEXT];
    if (!reader_extent(r, left, &before) || !reader_extent(r, right, &behind) ||
        !reader_gap(r, before.to, behind.from, text)) {
        return false;
    }
    *assigns = look_up(assigning, sizeof assigning / sizeof *assigning, text, operation);
    return *assigns || look_up(plain, sizeof plain / sizeof *plain, text, operation);
}

bool reader_unary(const reader *r, CXCursor whole, CXCursor operand, c_operator *operation, bool *step)
{
    static const operator_text plain[] = {
        {"+", OP_PLUS},
        {"-", OP_MINUS},
        {"!", OP_NOT},
        {"~", OP_COMPLEMENT},
        {"&", OP_ADDRESS},
        {"*", OP_CONTENT},
        {"__real__", OP_PLUS},
        {"__imag__", OP_PLUS},
        {"__real", OP_PLUS},
        {"__imag", OP_PLUS},
        {"__extension__", OP_PLUS},
    };
    static const operator_text steps[] = {{"++", OP_ADD}, {"--", OP_SUBTRACT}};
    span all, part;
    char text[GAP_TEXT];
    if (!reader_extent(r, whole, &all) || !reader_extent(r, operand, &part)) {
        return false;
    }
    bool behind = part.from == all.from; /* the operand comes first */
    if (behind ? !reader_gap(r, part.to, all.to, text) : !reader_gap(r, all.from, part.from, text)) {
        return false;
    }
    *step = look_up(steps, 2, text, operation);
    return *step || look_up(plain, sizeof plain / sizeof *plain, text, operation);
}
