/* Which loops are marked, and what is stated of accesses. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "base/plain.h"
#include "csource/whole/whole.h"
#include <string.h>

static bool take_access(line_reader *c, contract *k)
{
    static const struct {
        const char *name;
        access_kind kind;
    } kinds[] = {{"read", ACCESS_READ},         {"write", ACCESS_WRITE}, {"add", ACCESS_ADD},
                 {"multiply", ACCESS_MULTIPLY}, {"min", ACCESS_MIN},     {"max", ACCESS_MAX},
                 {"and", ACCESS_AND},           {"or", ACCESS_OR},       {"xor", ACCESS_XOR}};
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && !pragma_take(c, kinds[i].name)) {
        i++;
    }
    bool good = i < sizeof kinds / sizeof *kinds && pragma_take(c, "(");
    while (good && k->accesses < MOST_NAMES) {
        stated *s = &k->access[k->accesses++];
        s->kind = kinds[i].kind;
        s->lvalue = pragma_until(c, ",:)");
        if (pragma_take(c, ":")) {
            s->count = pragma_until(c, ",)");
        }
        if (s->lvalue.to == s->lvalue.from || !pragma_take(c, ",")) {
            return s->lvalue.to > s->lvalue.from && pragma_take(c, ")");
        }
    }
    return false;
}

static const char expected[] = "maploop, or access read(x[n1]) add(y[n1]:3) ...";

static bool ends(line_reader *c)
{
    word rest = pragma_until(c, "");
    c->at = rest.from;
    return rest.from == rest.to;
}

static bool read_contract(whole *w, line_reader *c, unsigned first)
{
    contract k = {.line = c->line, .first = first, .end = c->end};
    while (!ends(c)) {
        if (!take_access(c, &k)) {
            return refuse(w->m, c->line, "the accesses of this pragma cannot be read; expected %s", expected);
        }
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

/* Arrays are of the first way. All loops share one distribution, and so one partitioner. */
static bool read_options(whole *w, line_reader *c)
{
    word method = {0};
    if (pragma_take(c, "(")) {
        (void)pragma_until(c, ")");
        (void)pragma_take(c, ")");
    }
    if (!pragma_method(c, &method)) {
        return false;
    }
    if (!ends(c)) {
        return refuse(w->m, c->line, "the pragma goes on with '%.*s'; expected its end", (int)(c->end - c->at),
                      w->m->text + c->at);
    }
    if (method.to == method.from) {
        return true;
    }
    const char *name = program_text(w->p, w->m->text + method.from, method.to - method.from);
    if (name != NULL && w->method != NULL && strcmp(name, w->method) != 0) {
        return refuse(w->m, c->line, "'%s' distributes, and '%s' is to do so for another loop; expected one for all",
                      name, w->method);
    }
    w->method = name;
    program_files *files = w->m->files;
    if (name != NULL && files != NULL && files->method[0] != '\0' && strcmp(files->method, name) != 0) {
        return refuse(w->m, c->line, "'%s' distributes, and '%s' is to do so in another file; expected one for all",
                      name, files->method);
    }
    if (name != NULL && files != NULL) {
        plain_print(files->method, sizeof files->method, "%s", name);
    }
    return name != NULL || out_of_memory(w->m);
}

static bool read_line(line_reader *c, unsigned from, void *with)
{
    whole *w = with;
    edit_replace(w->m, from, c->end, "%s", "");
    if (pragma_take(c, "maploop")) {
        return read_options(w, c) && mark_loop(w, c->line, from, c->end);
    }
    if (pragma_take(c, "access")) {
        return read_contract(w, c, from);
    }
    if (pragma_take(c, "compute") || pragma_take(c, "remap")) {
        return true; /* of the first way */
    }
    return refuse(w->m, c->line, "an unknown pragma of inlay; expected %s", expected);
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
    const node *over = whole_bare(step->child[0]);
    bool member = over->kind == NODE_MEMBER && over->copied && node_variable(over->child[0]) >= 0 &&
                  w->p->variable[node_variable(over->child[0])].record;
    u->variable = member ? node_variable(over->child[0]) : node_variable(over);
    if (u->variable < 0 || over->type.kind != TYPE_INTEGER) {
        return refuse(w->m, u->line, "the marked loop goes over something else; expected %s", shape);
    }
    u->member = member ? over->name : NULL;
    u->name =
        member ? program_text(w->p, w->m->text + over->from, over->to - over->from) : w->p->variable[u->variable].name;
    u->type_name = member ? over->type_name : w->p->variable[u->variable].type_name;
    const node *begin = start;
    while (begin != NULL && begin->kind == NODE_BLOCK && begin->children == 1) {
        begin = begin->child[0];
    }
    u->declared = begin != NULL && begin->kind == NODE_DECLARATION;
    bool same = begin == NULL ? true
                : u->declared
                    ? begin->variable == u->variable
                    : begin->kind == NODE_ASSIGN && begin->operation == OP_NONE && nodes_same(begin->child[0], over);
    if (!same || !node_holds(test, u->variable) || u->name == NULL) {
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

bool marks_find(whole *w)
{
    maploop *m = w->m;
    if (!pragma_lines(m, read_line, w)) {
        return false;
    }
    if (m->files != NULL) {
        m->files->marked = m->files->marked || w->loops > 0;
    } else if (w->loops == 0) {
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
