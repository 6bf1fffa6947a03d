/* Which loops are marked, and what is stated of accesses. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "base/plain.h"
#include "csource/whole/whole.h"
#include <string.h>

typedef struct cut {
    const char *text;
    unsigned at, end;
} cut;

static void skip_blanks(cut *c)
{
    while (c->at < c->end && plain_space((unsigned char)c->text[c->at])) {
        c->at++;
    }
}

static bool is_letter(char c)
{
    return plain_alnum((unsigned char)c) || c == '_';
}

static bool take(cut *c, const char *wanted)
{
    size_t length = strlen(wanted);
    skip_blanks(c);
    bool same = c->end - c->at >= length && strncmp(c->text + c->at, wanted, length) == 0;
    same = same && !(is_letter(wanted[length - 1]) && c->at + length < c->end && is_letter(c->text[c->at + length]));
    c->at += same ? (unsigned)length : 0;
    return same;
}

/* An expression up to one of the characters, outside of brackets. */
static word take_until(cut *c, const char *ends)
{
    skip_blanks(c);
    word w = {c->at, c->at};
    for (int depth = 0; c->at < c->end; c->at++) {
        char here = c->text[c->at];
        if (depth == 0 && strchr(ends, here) != NULL) {
            break;
        }
        depth += (here == '(' || here == '[') - (here == ')' || here == ']');
    }
    for (w.to = c->at; w.to > w.from && plain_space((unsigned char)c->text[w.to - 1]);) {
        w.to--;
    }
    return w;
}

static bool take_access(cut *c, contract *k)
{
    static const struct {
        const char *name;
        access_kind kind;
    } kinds[] = {{"read", ACCESS_READ},         {"write", ACCESS_WRITE}, {"add", ACCESS_ADD},
                 {"multiply", ACCESS_MULTIPLY}, {"min", ACCESS_MIN},     {"max", ACCESS_MAX},
                 {"and", ACCESS_AND},           {"or", ACCESS_OR},       {"xor", ACCESS_XOR}};
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && !take(c, kinds[i].name)) {
        i++;
    }
    bool good = i < sizeof kinds / sizeof *kinds && take(c, "(");
    while (good && k->accesses < MOST_NAMES) {
        stated *s = &k->access[k->accesses++];
        s->kind = kinds[i].kind;
        s->lvalue = take_until(c, ",:)");
        if (take(c, ":")) {
            s->count = take_until(c, ",)");
        }
        if (s->lvalue.to == s->lvalue.from || !take(c, ",")) {
            return s->lvalue.to > s->lvalue.from && take(c, ")");
        }
    }
    return false;
}

static const char expected[] = "maploop, or access read(x[n1]) add(y[n1]:3) ...";

static bool read_contract(whole *w, cut *c, unsigned line, unsigned first)
{
    contract k = {.line = line, .first = first, .end = c->end};
    skip_blanks(c);
    while (c->at < c->end) {
        if (!take_access(c, &k)) {
            return refuse(w->m, line, "the accesses of this pragma cannot be read; expected %s", expected);
        }
        skip_blanks(c);
    }
    if (!GROW(w->contract, w->contracts, w->contract_room)) {
        return out_of_memory(w->m);
    }
    w->contract[w->contracts++] = k;
    return true;
}

/* The loop, or statement, that begins first behind a byte. */
static node *first_behind(node *n, unsigned at, bool loop, node *best)
{
    if (n == NULL) {
        return best;
    }
    bool fits = loop ? node_is_loop(n) : n->kind != NODE_BLOCK || n->children > 0;
    if (fits && n->from >= at && n->to > n->from && (best == NULL || n->from < best->from)) {
        best = n;
    }
    for (int i = 0; i < n->children; i++) {
        best = first_behind(n->child[i], at, loop, best);
    }
    return best;
}

/* Blanks, comments and other pragmas. */
static bool only_blanks(const maploop *m, unsigned from, unsigned to)
{
    const char *text = m->text;
    while (from < to) {
        if (text[from] == '/' && (text[from + 1] == '*' || text[from + 1] == '/')) {
            const char *end = strstr(text + from + 2, text[from + 1] == '*' ? "*/" : "\n");
            from = end == NULL ? to : (unsigned)(end - text) + (text[from + 1] == '*' ? 2 : 1);
        } else if (text[from] == '#') {
            const char *end = strchr(text + from, '\n');
            from = end == NULL ? to : (unsigned)(end - text);
        } else if (plain_space((unsigned char)text[from])) {
            from++;
        } else {
            return false;
        }
    }
    return true;
}

static node *behind(const whole *w, unsigned at, bool loop, int *function)
{
    node *best = NULL;
    for (int f = 0; f < w->p->functions; f++) {
        node *found = w->p->function[f].header == NULL ? first_behind(w->p->function[f].body, at, loop, NULL) : NULL;
        if (found != NULL && (best == NULL || found->from < best->from)) {
            best = found;
            *function = f;
        }
    }
    return best != NULL && only_blanks(w->m, at, best->from) ? best : NULL;
}

static bool mark_loop(whole *w, unsigned line, unsigned first, unsigned end)
{
    int function = -1;
    node *loop = behind(w, end, true, &function);
    for (int i = 0; i < w->loops; i++) {
        if (loop != NULL && w->loop[i].loop == loop) return true; /* two pragmas of one loop */
    }
    if (loop == NULL) {
        return refuse(w->m, line, "no loop stands behind this pragma; expected one, in the text of the file");
    }
    if (loop->kind != NODE_FOR) {
        return refuse(w->m, loop->line, "the marked loop is no for loop; expected for (i = ...; i < ...; i++)");
    }
    if (!GROW(w->loop, w->loops, w->loop_room)) {
        return out_of_memory(w->m);
    }
    w->loop[w->loops] = (unit){.function = function,
                               .loop = loop,
                               .body = loop->child[3],
                               .line = loop->line,
                               .number = w->loops + 1,
                               .first = first,
                               .variable = -1};
    w->loops++;
    return true;
}

static bool read_line(whole *w, unsigned from, unsigned to, unsigned line)
{
    maploop *m = w->m;
    cut c = {m->text, from, to};
    if (!take(&c, "#") || !take(&c, "pragma") || !take(&c, "inlay")) {
        return true;
    }
    edit_replace(m, from, to, "%s", "");
    if (take(&c, "maploop")) {
        return mark_loop(w, line, from, to);
    }
    if (take(&c, "access")) {
        return read_contract(w, &c, line, from);
    }
    if (take(&c, "compute") || take(&c, "remap")) {
        return true; /* of the first way */
    }
    return refuse(m, line, "an unknown pragma of inlay; expected %s", expected);
}

/* The variable of a loop, which its step changes. */
static bool find_variable(whole *w, unit *u)
{
    const node *start = u->loop->child[0], *test = u->loop->child[1], *step = whole_bare(u->loop->child[2]);
    const char *shape = "for (i = ...; i < ...; i++) over one integer variable";
    if (step == NULL || test == NULL || u->loop->child[3] == NULL ||
        (step->kind != NODE_STEP && step->kind != NODE_ASSIGN)) {
        return refuse(w->m, u->line, "the marked loop has another form; expected %s", shape);
    }
    u->variable = node_variable(step->child[0]);
    if (u->variable < 0 || w->p->variable[u->variable].type.kind != TYPE_INTEGER) {
        return refuse(w->m, u->line, "the marked loop goes over something else; expected %s", shape);
    }
    const node *begin = start;
    while (begin != NULL && begin->kind == NODE_BLOCK && begin->children == 1) {
        begin = begin->child[0];
    }
    u->declared = begin != NULL && begin->kind == NODE_DECLARATION;
    int other = begin == NULL                                               ? u->variable
                : u->declared                                               ? begin->variable
                : begin->kind == NODE_ASSIGN && begin->operation == OP_NONE ? node_variable(begin->child[0])
                                                                            : -1;
    if (other != u->variable || !node_holds(test, u->variable)) {
        return refuse(w->m, u->line, "the marked loop has several variables, or tests another; expected %s", shape);
    }
    if (u->loop->to == u->loop->from || !u->loop->copied || u->body->to == u->body->from ||
        statement_end(w->m, u->loop) == 0 || u->body->from <= u->loop->from) {
        return refuse(w->m, u->line, "the marked loop begins or ends in a macro; expected it in the text");
    }
    return true;
}

static bool find_statement(whole *w, contract *k)
{
    int function = -1;
    k->statement = behind(w, k->end, false, &function);
    for (int i = 0; k->statement != NULL && i < w->loops; i++) {
        if (w->loop[i].loop != k->statement && node_contains(w->loop[i].body, k->statement)) return true;
    }
    return refuse(w->m, k->line,
                  "accesses are stated of no statement of a marked loop; expected the pragma before one");
}

/* Whether a comment is open behind a piece of text, which began in one or not. */
static bool in_comment(const char *text, unsigned from, unsigned to, bool open)
{
    char quote = '\0';
    for (unsigned i = from; i < to; i++) {
        if (open) {
            open = !(text[i] == '*' && text[i + 1] == '/');
            i += !open;
        } else if (quote != '\0') {
            i += text[i] == '\\';
            quote = text[i] == quote ? '\0' : quote;
        } else if (text[i] == '/' && text[i + 1] == '/') {
            break;
        } else if (text[i] == '/' && text[i + 1] == '*') {
            open = true;
            i++;
        } else if (text[i] == '"' || text[i] == '\'') {
            quote = text[i];
        }
    }
    return open;
}

bool marks_find(whole *w)
{
    maploop *m = w->m;
    unsigned line = 1;
    bool comment = false;
    for (unsigned from = 0; from < m->size; line++) {
        const char *end = memchr(m->text + from, '\n', m->size - from);
        unsigned to = end == NULL ? (unsigned)m->size : (unsigned)(end - m->text);
        if (!comment && !read_line(w, from, to, line)) {
            return false;
        }
        comment = in_comment(m->text, from, to, comment);
        from = to + 1;
    }
    if (w->loops == 0) {
        return refuse(m, 0, "no loop is marked; expected #pragma inlay maploop before one");
    }
    for (int i = 0; i < w->loops; i++) {
        if (!find_variable(w, &w->loop[i])) return false;
        for (int k = 0; k < w->loops; k++) {
            if (k != i && node_contains(w->loop[i].body, w->loop[k].loop)) {
                return refuse(m, w->loop[k].line,
                              "a marked loop stands in the marked one of line %u; expected one of "
                              "them marked",
                              w->loop[i].line);
            }
        }
    }
    for (int i = 0; i < w->contracts; i++) {
        if (!find_statement(w, &w->contract[i])) return false;
    }
    return true;
}

const contract *contract_of(const whole *w, const node *statement)
{
    for (int i = 0; i < w->contracts; i++) {
        if (w->contract[i].statement == statement) return &w->contract[i];
    }
    return NULL;
}

/* NOLINTEND(misc-no-recursion) */
