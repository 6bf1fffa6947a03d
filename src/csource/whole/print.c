/* Expressions as text again. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/whole.h"
#include <string.h>

bool type_is_variable(const char *type_name)
{
    const char *at = type_name != NULL ? strchr(type_name, '[') : NULL;
    return at != NULL && (at[1] < '0' || at[1] > '9');
}

void print_type(const whole *w, int variable, text_buffer *to)
{
    const char *type = w->p->variable[variable].type_name;
    if (strpbrk(type, "[(") != NULL) {
        text_addf(to, "__typeof__(%s) ", type);
    } else {
        text_addf(to, "%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ");
    }
}

/* Whether it has to be written anew: it calls what has an inspector, or it changes something. */
static bool has_own_text(const whole *w, const node *n, bool stores)
{
    if (n == NULL) {
        return true;
    }
    bool good = !(n->kind == NODE_CALL && n->function >= 0 && call_of(w, n) == CALL_PROGRAM) &&
                (stores || (n->kind != NODE_STEP && n->kind != NODE_ASSIGN));
    for (int i = 0; good && i < n->children; i++) {
        good = has_own_text(w, n->child[i], stores);
    }
    return good;
}

static void note_inputs(whole *w, unit *u, const node *n)
{
    if (n == NULL) {
        return;
    }
    if (n->kind == NODE_VARIABLE && n->variable >= 0 && !u->inside[n->variable] && !u->scratch[n->variable]) {
        u->input[n->variable] = true;
    }
    for (int i = 0; i < n->children; i++) {
        note_inputs(w, u, n->child[i]);
    }
}

static const char *operator_text(c_operator operation)
{
    static const char *const text[] = {[OP_ADD] = "+",          [OP_SUBTRACT] = "-",       [OP_MULTIPLY] = "*",
                                       [OP_DIVIDE] = "/",       [OP_REMAINDER] = "%",      [OP_SHIFT_LEFT] = "<<",
                                       [OP_SHIFT_RIGHT] = ">>", [OP_BIT_AND] = "&",        [OP_BIT_OR] = "|",
                                       [OP_BIT_XOR] = "^",      [OP_LESS] = "<",           [OP_LESS_EQUAL] = "<=",
                                       [OP_GREATER] = ">",      [OP_GREATER_EQUAL] = ">=", [OP_EQUAL] = "==",
                                       [OP_UNEQUAL] = "!=",     [OP_AND] = "&&",           [OP_OR] = "||",
                                       [OP_COMMA] = ",",        [OP_PLUS] = "+",           [OP_MINUS] = "-",
                                       [OP_NOT] = "!",          [OP_COMPLEMENT] = "~",     [OP_ADDRESS] = "&",
                                       [OP_CONTENT] = "*"};
    return operation == OP_NONE ? "" : text[operation];
}

static bool print_call(whole *w, unit *u, const node *n, text_buffer *to)
{
    bool own = n->function >= 0 && call_of(w, n) == CALL_PROGRAM, good = n->name != NULL;
    if (!own) {
        text_addf(to, "%s(", good ? n->name : "");
        for (int i = 0; good && i < n->children; i++) {
            text_add(to, i > 0 ? ", " : "");
            good = print_node(w, u, n->child[i], false, to);
        }
        text_add(to, ")");
        return good;
    }
    const unit *f = &w->function[n->function];
    text_addf(to, "inlay_inspect_%s(", n->name);
    if (f == u) { /* it calls itself: its sites are those that it has */
        text_add(to, "inlay_here, inlay_site");
    } else if (u->loop != NULL) {
        text_addf(to, "inlay_loop_%d, %d", u->number, u->sites);
    } else {
        text_addf(to, "inlay_here, inlay_site + %d", u->sites);
    }
    for (int i = 0; i < n->children && i < w->p->function[n->function].parameters; i++) {
        if (parameter_stays(w, n->function, i)) {
            text_add(to, ", ");
            good = good && print_node(w, u, n->child[i], false, to);
        }
    }
    text_add(to, ")");
    for (int i = 0; i < f->sites && f != u; i++) {
        if (!GROW(u->site, u->sites, u->site_room)) return out_of_memory(w->m);
        u->site[u->sites++] = f->site[i];
    }
    for (int v = 0; v < w->p->variables; v++) {
        u->input[v] = u->input[v] || (f->input[v] && w->p->variable[v].outside);
    }
    return good;
}

static bool print_parts(whole *w, unit *u, const node *n, bool stores, text_buffer *to)
{
    bool good = true;
    switch (n->kind) {
    case NODE_BINARY:
        text_add(to, "(");
        good = print_node(w, u, n->child[0], stores, to);
        text_addf(to, " %s ", operator_text(n->operation));
        good = good && print_node(w, u, n->child[1], stores, to);
        text_add(to, ")");
        return good;
    case NODE_ASSIGN:
        good = print_node(w, u, n->child[0], stores, to);
        text_addf(to, " %s= ", operator_text(n->operation));
        return good && print_node(w, u, n->child[1], stores, to);
    case NODE_UNARY:
        text_addf(to, "(%s", operator_text(n->operation));
        good = print_node(w, u, n->child[0], stores, to);
        text_add(to, ")");
        return good;
    case NODE_CAST:
        text_addf(to, "((%s)", n->type_name != NULL ? n->type_name : "");
        good = n->type_name != NULL && print_node(w, u, n->child[n->children - 1], stores, to);
        text_add(to, ")");
        return good;
    case NODE_INDEX:
        good = print_node(w, u, n->child[0], stores, to);
        text_add(to, "[");
        good = good && print_node(w, u, n->child[1], stores, to);
        text_add(to, "]");
        return good;
    case NODE_MEMBER:
        good = n->children == 1 && n->name != NULL && print_node(w, u, n->child[0], stores, to);
        if (good && *n->name != '\0') {
            text_addf(to, "%s%s", n->child[0]->type.kind == TYPE_POINTER ? "->" : ".", n->name);
        }
        return good;
    case NODE_CHOICE:
        text_add(to, "(");
        good = n->children == 3 && print_node(w, u, n->child[0], stores, to);
        text_add(to, " ? ");
        good = good && print_node(w, u, n->child[1], stores, to);
        text_add(to, " : ");
        good = good && print_node(w, u, n->child[2], stores, to);
        text_add(to, ")");
        return good;
    case NODE_CALL: return print_call(w, u, n, to);
    default: return false;
    }
}

static bool print_constant(const node *n, text_buffer *to)
{
    if (n->name != NULL) {
        text_add(to, n->name);
        return true;
    }
    if (n->known && n->type.kind == TYPE_INTEGER) {
        text_addf(to, "%lld%s%s", (long long)n->value, n->type.is_unsigned ? "u" : "", n->type.bits > 32 ? "ll" : "");
        return true;
    }
    return false;
}

bool print_node(whole *w, unit *u, const node *n, bool stores, text_buffer *to)
{
    if (n == NULL) {
        return false;
    }
    note_inputs(w, u, n);
    if (n->copied && has_own_text(w, n, stores)) {
        bool wrap = n->kind == NODE_BINARY || n->kind == NODE_CHOICE || n->kind == NODE_CAST || n->kind == NODE_UNARY;
        text_addf(to, wrap && !stores ? "(%.*s)" : "%.*s", TEXT(w->m, n));
        return true;
    }
    if (n->kind == NODE_CONSTANT && print_constant(n, to)) {
        return true;
    }
    if (n->kind == NODE_VARIABLE && n->variable >= 0) {
        if (w->p->variable[n->variable].beyond) {
            return refuse(w->m, n->line,
                          "'%s' is of that file alone, and addresses in %s hang on it; expected it declared in "
                          "a header of both",
                          w->p->variable[n->variable].name, w->m->path);
        }
        text_add(to, w->p->variable[n->variable].name);
        return true;
    }
    if (n->kind == NODE_STEP && n->children == 1) {
        const char *sign = operator_text(n->operation);
        text_addf(to, "(%s%s", stores && n->prefix ? sign : "", stores && n->prefix ? sign : "");
        bool good = print_node(w, u, n->child[0], false, to);
        if (stores) {
            text_addf(to, "%s%s)", n->prefix ? "" : sign, n->prefix ? "" : sign);
        } else { /* what it changes is told apart */
            text_addf(to, "%s%s)", n->prefix ? sign : "", n->prefix ? " 1" : "");
        }
        return good;
    }
    if (n->kind == NODE_ASSIGN && !stores) {
        return refuse(w->m, n->line,
                      "an assignment stands in an index or a condition; expected a statement of its own");
    }
    return print_parts(w, u, n, stores, to) ||
           (!w->m->refused && !w->m->no_memory &&
            refuse(w->m, n->line,
                   "what addresses hang on stands in a macro here, or in another form than is understood; "
                   "expected it in the text of the program"));
}

/* NOLINTEND(misc-no-recursion) */
