/* The tokenizer of the DOT language. */
#include "io/dot/token.h"
#include "base/diag.h"
#include "base/plain.h"
#include <string.h>

enum { NEAR_LENGTH = 24 }; /* bytes of the text that a message shows */

/* ---- Messages ---- */

bool dot_fail_near(dot_tokens *s, const char *expected)
{
    if (s->kind == DOT_TOKEN_END) {
        s->status = diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, s->token_line,
                                 "syntax error near the end of the file; expected %s", expected);
        return false;
    }
    size_t length = (size_t)(s->token_end - s->token);
    if (length > NEAR_LENGTH) {
        length = NEAR_LENGTH;
        while (length > 0 && ((unsigned char)s->token[length] & 0xC0) == 0x80) { /* inside a UTF-8 sequence */
            length--;
        }
    }
    s->status = diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, s->token_line,
                             "syntax error near '%.*s'; expected %s", (int)length, s->token, expected);
    return false;
}

bool dot_fail_line(dot_tokens *s, long line, const char *message)
{
    s->status = diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, line, "%s", message);
    return false;
}

/* ---- Tokens ---- */

static bool is_letter(char c)
{
    return plain_alpha(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The character `ahead` of the place, 0 behind the end. */
static char peek(const dot_tokens *s, size_t ahead)
{
    return (size_t)(s->end - s->at) > ahead ? s->at[ahead] : '\0';
}

static void skip_to_line_end(dot_tokens *s)
{
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = newline == NULL ? s->end : newline;
}

static bool skip_comment(dot_tokens *s)
{
    long line = s->line;
    for (s->at += 2; s->at < s->end; s->at++) {
        if (*s->at == '*' && peek(s, 1) == '/') {
            s->at += 2;
            return true;
        }
        s->line += *s->at == '\n';
    }
    return dot_fail_line(s, line, "a comment is not closed; expected '*/'");
}

/* White space, comments, and lines that begin with # as a preprocessor leaves them. */
static bool skip_blanks(dot_tokens *s)
{
    for (;;) {
        char c = peek(s, 0);
        if (c == '\n') {
            s->line++;
            s->at++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            s->at++;
        } else if ((c == '/' && peek(s, 1) == '/') || (c == '#' && (s->at == s->begin || s->at[-1] == '\n'))) {
            skip_to_line_end(s);
        } else if (c == '/' && peek(s, 1) == '*') {
            if (!skip_comment(s)) {
                return false;
            }
        } else {
            return true;
        }
    }
}

static bool scan_quoted(dot_tokens *s)
{
    long line = s->line;
    for (s->at++; s->at < s->end && *s->at != '"'; s->at++) {
        char next = peek(s, 1);
        bool escape = *s->at == '\\' && s->at + 1 < s->end;
        if (escape && next == '\n') { /* a line continues */
            s->line++;
            s->at++;
        } else if (escape && next == '"') {
            text_append(&s->id, "\"", 1);
            s->at++;
        } else if (escape && next == '\\') { /* both stay: only Graphviz's labels know more escapes */
            text_append(&s->id, "\\\\", 2);
            s->at++;
        } else {
            s->line += *s->at == '\n';
            text_append(&s->id, s->at, 1);
        }
    }
    if (s->at == s->end) {
        return dot_fail_line(s, line, "a quoted string is not closed; expected '\"'");
    }
    s->at++;
    return true;
}

static bool scan_html(dot_tokens *s)
{
    long line = s->line;
    const char *begin = s->at + 1;
    int open = 0;
    for (; s->at < s->end; s->at++) {
        s->line += *s->at == '\n';
        open += (*s->at == '<') - (*s->at == '>');
        if (open == 0) {
            text_append(&s->id, begin, (size_t)(s->at - begin));
            s->at++;
            return true;
        }
    }
    return dot_fail_line(s, line, "an HTML string is not closed; expected '>'");
}

/* "..." or <...>, joined to others by +. */
static bool scan_strings(dot_tokens *s)
{
    s->kind = DOT_TOKEN_ID;
    for (;;) {
        if (!(*s->at == '"' ? scan_quoted(s) : scan_html(s))) {
            return false;
        }
        s->token_end = s->at;
        const char *at = s->at;
        long line = s->line;
        if (!skip_blanks(s)) {
            return false;
        }
        if (peek(s, 0) != '+') {
            s->at = at;
            s->line = line;
            return true;
        }
        s->at++;
        if (!skip_blanks(s)) {
            return false;
        }
        if (peek(s, 0) != '"' && peek(s, 0) != '<') {
            return dot_fail_line(s, s->line, "'+' joins nothing; expected a quoted string behind it");
        }
    }
}

/* The unit behind a number, and an exponent with a sign. */
static void skip_unit(dot_tokens *s)
{
    while (is_letter(peek(s, 0)) || is_digit(peek(s, 0)) || peek(s, 0) == '.') {
        bool exponent =
            (*s->at == 'e' || *s->at == 'E') && (peek(s, 1) == '-' || peek(s, 1) == '+') && is_digit(peek(s, 2));
        s->at += exponent ? 2 : 1;
    }
}

static bool scan_number(dot_tokens *s, bool as_value)
{
    bool joined = false;
    s->kind = DOT_TOKEN_ID;
    s->at += *s->at == '-';
    while (is_digit(peek(s, 0))) {
        s->at++;
    }
    if (peek(s, 0) == '.') {
        for (s->at++; is_digit(peek(s, 0));) {
            s->at++;
        }
    }
    if (is_letter(peek(s, 0)) || peek(s, 0) == '.') {
        skip_unit(s);
        joined = true;
    }
    s->token_end = s->at;
    text_append(&s->id, s->token, (size_t)(s->at - s->token));
    return !joined || as_value || dot_fail_near(s, "a name, a number, or quotes around what is neither");
}

static void scan_name(dot_tokens *s)
{
    static const struct {
        const char *word;
        dot_token_kind kind;
    } keywords[] = {{"graph", DOT_TOKEN_GRAPH},   {"digraph", DOT_TOKEN_DIGRAPH}, {"subgraph", DOT_TOKEN_SUBGRAPH},
                    {"strict", DOT_TOKEN_STRICT}, {"node", DOT_TOKEN_NODE},       {"edge", DOT_TOKEN_EDGE}};
    while (is_letter(peek(s, 0)) || is_digit(peek(s, 0))) {
        s->at++;
    }
    size_t length = (size_t)(s->at - s->token);
    s->kind = DOT_TOKEN_ID;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (length == strlen(keywords[i].word) && plain_begins(s->token, keywords[i].word, length)) {
            s->kind = keywords[i].kind;
        }
    }
    s->token_end = s->at;
    text_append(&s->id, s->token, length);
}

bool dot_next(dot_tokens *s, bool as_value)
{
    if (!skip_blanks(s)) {
        return false;
    }
    s->id.size = 0;
    text_append(&s->id, "", 0);
    s->sign = '\0';
    s->token = s->at;
    s->token_end = s->at;
    s->token_line = s->line;
    if (s->at == s->end) {
        s->kind = DOT_TOKEN_END;
        return true;
    }
    char c = *s->at, next = peek(s, 1);
    if (c == '"' || c == '<') {
        return scan_strings(s);
    }
    bool point = c == '.' || (c == '-' && next == '.');
    if (is_digit(c) || (c == '-' && is_digit(next)) || (point && is_digit(peek(s, c == '.' ? 1 : 2)))) {
        return scan_number(s, as_value);
    }
    if (is_letter(c)) {
        scan_name(s);
        return true;
    }
    bool arrow = c == '-' && (next == '>' || next == '-');
    s->kind = arrow ? DOT_TOKEN_ARROW : DOT_TOKEN_SIGN;
    s->sign = arrow ? next : c;
    s->at += arrow ? 2 : 1;
    s->token_end = s->at;
    return true;
}

bool dot_is_sign(const dot_tokens *s, char sign)
{
    return s->kind == DOT_TOKEN_SIGN && s->sign == sign;
}
