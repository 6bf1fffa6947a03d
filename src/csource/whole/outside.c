/*
 * Outside of marked loops: memory is made whole before it is looked at, and stores are counted.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as trees are.
 */
#include "csource/whole/whole.h"
#include <string.h>

typedef struct seen {
    bool touch, store;
} seen;

/* Whether it lies in a union, and so may be looked at as another type than it was written. */
static bool in_union(const node *n)
{
    while (n != NULL && is_lvalue(n) && !n->united) {
        n = n->children > 0 ? whole_bare(n->child[0]) : NULL;
    }
    return n != NULL && n->united;
}

/* Whether memory of that type may be stale: what marked loops write is looked at as its own type. */
static bool may_be_stale(const whole *w, const node *n)
{
    if (w->writes_bytes || in_union(n) || !(type_is_number(n->type) || n->type.kind == TYPE_POINTER)) {
        return true;
    }
    for (int i = 0; i < w->stale_types; i++) {
        if (w->stale_type[i].kind == n->type.kind && w->stale_type[i].size == n->type.size) return true;
    }
    return false;
}

/* Whether a call of a function without a body in the program may look at memory through an argument. */
static bool hands_memory(const whole *w, const node *n)
{
    const node *a = whole_bare(n);
    if (a == NULL || a->type.kind != TYPE_POINTER || a->kind == NODE_CONSTANT || type_is_stream(a->type_name)) {
        return false;
    }
    int variable = pointer_variable(a);
    const c_variable *v = variable >= 0 ? &w->p->variable[variable] : NULL;
    bool address = a->kind == NODE_UNARY && a->operation == OP_ADDRESS;
    bool own = v != NULL && (v->array || v->record || (address && v->type.kind != TYPE_POINTER));
    return !(own && !w->leaks[variable] && !w->marks_memory[variable]);
}

/* Whether it is only named on the way to a part of it, or to its address: what is looked at is the part. */
static bool is_way(const node *n, const node *parent)
{
    return parent != NULL && parent->children > 0 && parent->child[0] == n &&
           ((parent->kind == NODE_MEMBER && n->record) ||
            (parent->kind == NODE_UNARY && parent->operation == OP_ADDRESS));
}

/* `calls`: also what is looked at in arguments of functions that have marked loops. */
static void scan(const whole *w, const node *n, const node *parent, bool calls, seen *s)
{
    if (n == NULL) {
        return;
    }
    bool assigned =
        parent != NULL && (parent->kind == NODE_ASSIGN || parent->kind == NODE_STEP) && parent->child[0] == n;
    int variable = n->kind == NODE_VARIABLE ? n->variable : -1;
    const c_variable *v = variable >= 0 ? &w->p->variable[variable] : NULL;
    bool memory = is_lvalue(n) || (v != NULL && (w->leaks[variable] || (v->record && w->marks_memory[variable])));
    if (memory && is_lvalue(n) && lvalue_pointer(n) == NULL) { /* in a variable */
        int in = lvalue_variable(n);
        memory = in >= 0 && (w->leaks[in] || w->marks_memory[in] || assigned);
    }
    if (memory && !n->array && !is_way(n, parent)) {
        s->touch = s->touch || may_be_stale(w, n);
        s->store = s->store || assigned;
    }
    if (n->kind == NODE_CALL) {
        bool allocates = n->name != NULL && (strcmp(n->name, "free") == 0 || strcmp(n->name, "realloc") == 0);
        if (n->function >= 0) {
            s->touch = s->touch || (w->touches_outside[n->function] && !w->has_marks[n->function]);
            s->store = s->store || (w->stores_outside[n->function] && !w->has_marks[n->function]);
        } else if (n->name == NULL || (!n->system && !n->pure)) {
            s->touch = s->store = true; /* it may look at what is global */
        }
        for (int i = 0; i < n->children && n->function < 0 && n->name != NULL && !allocates; i++) {
            bool handed = hands_memory(w, n->child[i]);
            s->touch = s->touch || handed;
            s->store = s->store || handed;
        }
        if (!calls && n->function >= 0 && w->has_marks[n->function]) {
            return;
        }
    }
    for (int i = 0; i < n->children; i++) {
        scan(w, n->child[i], n, calls, s);
    }
}

/* ---- Functions ---- */

static bool has_calls_of(const node *n, const bool *marked)
{
    if (n == NULL) {
        return false;
    }
    if (n->kind == NODE_CALL && n->function >= 0 && marked[n->function]) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (has_calls_of(n->child[i], marked)) return true;
    }
    return false;
}

/* Whether a file of the program, as it is named there or from here, marks a loop between two lines. */
static bool marks_between(const program_files *files, const char *path, unsigned from, unsigned to)
{
    path += strncmp(path, "./", 2) == 0 ? 2 : 0;
    for (size_t i = 0; i < files->count; i++) {
        const char *named = files->path[i] + (strncmp(files->path[i], "./", 2) == 0 ? 2 : 0);
        size_t length = strlen(path), size = strlen(named);
        const char *shorter = length < size ? path : named, *longer = length < size ? named : path;
        if (strcmp(longer + strlen(longer) - strlen(shorter), shorter) != 0) {
            continue;
        }
        unsigned line = 1;
        for (const char *at = files->text[i]; *at != '\0'; at++) {
            line += *at == '\n';
            if (line > from && line < to && *at == '#' &&
                strncmp(at + 1 + strspn(at + 1, " \t"), "pragma inlay maploop", 20) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool marks_spread(whole *w)
{
    for (int f = 0; f < w->p->functions && w->m->files != NULL; f++) {
        const c_function *c = &w->p->function[f];
        w->has_marks[f] =
            c->beyond && c->header != NULL && marks_between(w->m->files, c->header, c->line, c->last_line);
    }
    for (int i = 0; i < w->loops; i++) {
        w->has_marks[w->loop[i].function] = true;
    }
    for (bool more = true; more;) {
        more = false;
        for (int f = 0; f < w->p->functions; f++) {
            if (!w->has_marks[f] && has_calls_of(w->p->function[f].body, w->has_marks)) {
                w->has_marks[f] = more = true;
            }
        }
    }
    return true;
}

static void look_at_functions(whole *w)
{
    for (bool more = true; more;) {
        more = false;
        for (int f = 0; f < w->p->functions; f++) {
            seen s = {0};
            scan(w, w->p->function[f].body, NULL, true, &s);
            more = more || s.touch != w->touches_outside[f] || s.store != w->stores_outside[f];
            w->touches_outside[f] = s.touch;
            w->stores_outside[f] = s.store;
        }
    }
}

/* ---- Types that marked loops write ---- */

static void note_type(whole *w, const node *n)
{
    n = whole_bare(n);
    if (n == NULL || n->type.kind == TYPE_OTHER || in_union(n) || (n->type.kind == TYPE_INTEGER && n->type.size <= 1) ||
        w->stale_types == MOST_NAMES) {
        w->writes_bytes = true;
        return;
    }
    w->stale_type[w->stale_types++] = n->type;
}

static void note_types(whole *w, const node *n)
{
    if (n == NULL) {
        return;
    }
    if (contract_of(w, n) != NULL ||
        (n->kind == NODE_CALL && (call_of(w, n) == CALL_COPY || call_of(w, n) == CALL_SET))) {
        w->writes_bytes = true;
    }
    const node *left = n->kind == NODE_ASSIGN || n->kind == NODE_STEP ? whole_bare(n->child[0]) : NULL;
    if (left != NULL &&
        (is_lvalue(left) || (left->kind == NODE_VARIABLE && left->variable >= 0 && w->leaks[left->variable]))) {
        bool known = false;
        for (int i = 0; i < w->stale_types; i++) {
            known = known || (w->stale_type[i].kind == left->type.kind && w->stale_type[i].size == left->type.size);
        }
        if (!known) {
            note_type(w, left);
        }
    }
    if (n->kind == NODE_CALL && n->function >= 0 && !w->function[n->function].typed) {
        w->function[n->function].typed = true;
        note_types(w, w->p->function[n->function].body);
    }
    for (int i = 0; i < n->children; i++) {
        note_types(w, n->child[i]);
    }
}

/* ---- Statements ---- */

static bool is_marked(const whole *w, const node *n)
{
    for (int i = 0; i < w->loops; i++) {
        if (w->loop[i].loop == n) return true;
    }
    return false;
}

static bool has_marks(const whole *w, const node *n)
{
    if (n == NULL) {
        return false;
    }
    bool found = is_marked(w, n) || (n->kind == NODE_CALL && n->function >= 0 && w->has_marks[n->function]);
    for (int i = 0; !found && i < n->children; i++) {
        found = has_marks(w, n->child[i]);
    }
    return found;
}

static const char *call_text(const seen *s)
{
    return s->store && s->touch ? "inlay_changed(inlay_program)"
           : s->store           ? "inlay_program->epoch++"
                                : "inlay_settle(inlay_program)";
}

/* In front of a statement, which gets brackets where it is the only one of a branch. */
static bool insert_before(whole *w, const node *n, const seen *s, bool alone)
{
    char indent[LONGEST_INDENT];
    if (n->to == n->from) {
        return refuse(w->m, n->line,
                      "a macro holds statements beside a marked loop or a call of one; expected them in the "
                      "text");
    }
    indent_of(w->m, n->from, indent);
    edit_insert(w->m, n->from, "%s%s;\n%s", alone ? "{\n" : "", call_text(s), indent);
    if (alone) {
        unsigned end = statement_end(w->m, n);
        if (end == 0) {
            return refuse(w->m, n->line, "a statement ends in a macro; expected its semicolon in the text");
        }
        edit_insert(w->m, end, " }");
    }
    return true;
}

static bool wrap_condition(whole *w, const node *n)
{
    seen s = {0};
    scan(w, n, NULL, true, &s);
    if (n == NULL || (!s.touch && !s.store)) {
        return true;
    }
    if (n->to == n->from) {
        return refuse(w->m, n->line, "a condition around a marked loop stands in a macro; expected it in the text");
    }
    edit_insert(w->m, n->from, "(%s, (", call_text(&s));
    edit_insert(w->m, n->to, "))");
    return true;
}

/* Behind calls that leave memory stale, where the same statement looks at memory. */
static bool wrap_calls(whole *w, const node *n)
{
    if (n == NULL) {
        return true;
    }
    if (n->kind == NODE_CALL && n->function >= 0 && w->has_marks[n->function]) {
        if (!n->copied || strcmp(w->p->function[n->function].result, "void") == 0) {
            return refuse(w->m, n->line,
                          "a call of '%s', which has a marked loop, stands in a statement that uses memory in a "
                          "way that is not understood; expected a statement of its own",
                          n->name);
        }
        edit_insert(w->m, n->from, "__extension__({ %s inlay_result = ", w->p->function[n->function].result);
        edit_insert(w->m, n->to, "; inlay_settle(inlay_program); inlay_result; })");
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (!wrap_calls(w, n->child[i])) return false;
    }
    return true;
}

static int count_calls(const whole *w, const node *n)
{
    if (n == NULL) {
        return 0;
    }
    int count = n->kind == NODE_CALL && n->function >= 0 && w->has_marks[n->function];
    for (int i = 0; i < n->children; i++) {
        count += count_calls(w, n->child[i]);
    }
    return count;
}

static bool is_statement_list(const maploop *m, const node *n)
{
    return n->kind == NODE_BLOCK && n->to > n->from && m->text[n->from] == '{';
}

static bool walk(whole *w, const node *n, bool alone);

static bool walk_block(whole *w, const node *n)
{
    seen done = {0};
    for (int i = 0; i < n->children; i++) {
        const node *child = n->child[i];
        if (child == NULL) {
            continue;
        }
        bool label = child->kind == NODE_CASE || (child->kind == NODE_BLOCK && !is_statement_list(w->m, child) &&
                                                  child->children == 1 && child->child[0]->kind != NODE_DECLARATION);
        if (label || has_marks(w, child)) {
            done = (seen){0};
            if (!walk(w, child, false)) return false;
            continue;
        }
        seen s = {0};
        scan(w, child, NULL, true, &s);
        seen need = {s.touch && !done.touch, s.store && !done.store};
        if ((need.touch || need.store) && !insert_before(w, child, &need, false)) {
            return false;
        }
        done = (seen){done.touch || s.touch, done.store || s.store};
    }
    return true;
}

/* An expression or a declaration. */
static bool walk_plain(whole *w, const node *n, bool alone)
{
    seen all = {0}, beside = {0};
    scan(w, n, NULL, true, &all);
    scan(w, n, NULL, false, &beside);
    if ((all.touch || all.store) && !insert_before(w, n, &all, alone)) {
        return false;
    }
    return !(beside.touch || (all.touch && count_calls(w, n) > 1)) || wrap_calls(w, n);
}

static bool walk(whole *w, const node *n, bool alone)
{
    if (n == NULL || is_marked(w, n)) {
        return true;
    }
    seen start = {0};
    switch (n->kind) {
    case NODE_BLOCK:
        if (is_statement_list(w->m, n)) {
            return walk_block(w, n);
        }
        return n->children == 1 && n->child[0]->kind != NODE_DECLARATION && n->child[0]->kind >= NODE_BLOCK
                   ? walk(w, n->child[0], true)
                   : walk_plain(w, n, alone);
    case NODE_IF:
        return wrap_condition(w, n->child[0]) && walk(w, n->child[1], true) &&
               (n->children < 3 || walk(w, n->child[2], true));
    case NODE_FOR:
        scan(w, n->child[0], NULL, true, &start);
        return (!(start.touch || start.store) || insert_before(w, n, &start, alone)) &&
               wrap_condition(w, n->child[1]) && wrap_condition(w, n->child[2]) && walk(w, n->child[3], true);
    case NODE_WHILE:
    case NODE_DO: return wrap_condition(w, n->child[1]) && walk(w, n->child[0], true);
    case NODE_SWITCH: return wrap_condition(w, n->child[0]) && walk(w, n->child[1], true);
    case NODE_CASE: return walk(w, n->children > 0 ? n->child[0] : NULL, true);
    default: return walk_plain(w, n, alone);
    }
}

/* ---- Local arrays ---- */

/* When a function is left, what marked loops know of its local memory is forgotten: its place on the stack becomes another's. */
static bool end_locals(whole *w, const node *n)
{
    if (n == NULL || is_marked(w, n)) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        const node *d = n->child[i];
        const c_variable *v = d != NULL && d->kind == NODE_DECLARATION ? &w->p->variable[d->variable] : NULL;
        bool kept = v != NULL && !v->outside && (w->marks_memory[d->variable] || w->leaks[d->variable]) &&
                    (v->array || v->record || w->leaks[d->variable]);
        if (kept && n->kind == NODE_BLOCK) {
            unsigned end = statement_end(w->m, n);
            if (end == 0 || n->to == n->from) {
                return refuse(w->m, n->line, "'%s' is declared in a macro; expected its declaration in the text",
                              v->name);
            }
            edit_insert(w->m, end, " INLAY_SCOPE(%s);", v->name);
            w->has_scopes = true;
        }
        if (d != NULL && (n->kind != NODE_FOR || i == 3) && !end_locals(w, d)) {
            return false;
        }
    }
    return true;
}

/* ---- Calls from elsewhere ---- */

typedef struct callers {
    int function;
    bool named;   /**< its address is taken, or perhaps */
    bool others;  /**< functions of other files call it */
    bool unknown; /**< functions are called of which nothing is known but their name */
} callers;

static void look_for_callers(const node *n, bool other, callers *c)
{
    if (n == NULL) {
        return;
    }
    c->named = c->named || (n->kind != NODE_CALL && n->function == c->function);
    c->others = c->others || (other && n->kind == NODE_CALL && n->function == c->function);
    c->named = c->named || (n->kind == NODE_CALL && n->name == NULL); /* tables of functions are not looked through */
    c->unknown = c->unknown || (n->kind == NODE_CALL && n->function < 0 && n->name != NULL && !n->system && !n->pure);
    for (int i = 0; i < n->children; i++) {
        look_for_callers(n->child[i], other, c);
    }
}

/* Functions with marked loops that are called through pointers or from other files: memory is whole where they return. */
static void write_entries(whole *w)
{
    for (int f = 0; f < w->p->functions; f++) {
        const c_function *own = &w->p->function[f];
        callers c = {.function = f};
        if (!w->has_marks[f] || own->header != NULL || own->body == NULL || strcmp(own->name, "main") == 0) {
            continue;
        }
        for (int g = 0; g < w->p->functions; g++) {
            look_for_callers(w->p->function[g].body, w->p->function[g].header != NULL, &c);
        }
        for (int v = 0; v < w->p->variables; v++) {
            look_for_callers(w->p->variable[v].initial, false, &c);
        }
        if (c.named || c.others || ((c.unknown || w->m->files != NULL) && !own->local)) {
            edit_insert(w->m, own->body->from + 1, " INLAY_ENTERED;");
            w->has_entries = true;
        }
    }
}

bool outside_write(whole *w)
{
    write_entries(w);
    for (int i = 0; i < w->loops; i++) {
        note_types(w, w->loop[i].body);
    }
    look_at_functions(w);
    for (int f = 0; f < w->p->functions; f++) {
        const c_function *c = &w->p->function[f];
        if (w->has_marks[f] && c->header == NULL && c->body != NULL &&
            (!walk_block(w, c->body) || !end_locals(w, c->body))) {
            return false;
        }
    }
    return true;
}

/* NOLINTEND(misc-no-recursion) */
