/* What is called in a marked loop, and what else may not stand there. NOLINTBEGIN(misc-no-recursion): as deep as trees. */
#include "csource/whole/whole.h"
#include <string.h>

static bool is_one_of(const char *name, const char *const *list)
{
    for (size_t i = 0; list[i] != NULL; i++) {
        if (strcmp(name, list[i]) == 0) return true;
    }
    return false;
}

bool type_is_stream(const char *type_name)
{
    return type_name != NULL && strstr(type_name, "FILE") != NULL;
}

static bool has_effects(const whole *w, const node *n)
{
    if (n == NULL) {
        return false;
    }
    const node *left =
        n->children > 0 && (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) ? whole_bare(n->child[0]) : NULL;
    math_counts counts;
    if ((left != NULL && left->kind == NODE_VARIABLE && left->variable >= 0 &&
         w->p->variable[left->variable].outside) ||
        (n->kind == NODE_CALL && n->function < 0 && (n->name == NULL || !math_find(n->name, &counts)))) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (has_effects(w, n->child[i])) return true;
    }
    return false;
}

/* A call through a pointer that numbers alone go in and out of, where all that it may call does nothing else. */
static bool is_number_call(const whole *w, const node *n)
{
    bool numbers = type_is_number(n->type);
    for (int i = 0; i < n->children && numbers; i++) {
        numbers = n->child[i] != NULL && type_is_number(n->child[i]->type);
    }
    for (int f = 0; f < w->p->functions && numbers; f++) {
        const c_function *c = &w->p->function[f];
        bool fits = c->parameters == n->children;
        for (int i = 0; i < c->parameters && fits; i++) {
            fits = type_is_number(w->p->variable[c->parameter[i]].type);
        }
        numbers =
            !fits || c->parameters == 0 || strcmp(c->name, "main") == 0 || (!w->touches[f] && !has_effects(w, c->body));
    }
    return numbers && n->children > 0;
}

call_kind call_of(const whole *w, const node *n)
{
    static const char *const copies[] = {"memcpy",
                                         "memmove",
                                         "__builtin_memcpy",
                                         "__builtin_memmove",
                                         "__builtin___memcpy_chk",
                                         "__builtin___memmove_chk",
                                         NULL};
    static const char *const sets[] = {"memset", "__builtin_memset", "__builtin___memset_chk", NULL};
    static const char *const results[] = {"modf", "modff", "sincos", "sincosf", "frexp", "remquo", NULL};
    static const char *const pure[] = {"isalpha",
                                       "isdigit",
                                       "toupper",
                                       "tolower",
                                       "__assert_fail",
                                       "abort",
                                       "div",
                                       "isunordered",
                                       "fpclassify",
                                       "__fpclassify",
                                       "__isnan",
                                       "__isinf",
                                       "__finite",
                                       "__signbit",
                                       "__isnanf",
                                       "__isinff",
                                       "ilogb",
                                       "logb",
                                       "scalbn",
                                       "nextafter",
                                       "trunc",
                                       "conj",
                                       "conjf",
                                       "creal",
                                       "cimag",
                                       "crealf",
                                       "cimagf",
                                       "nearbyint",
                                       "__ctype_b_loc",
                                       "__ctype_tolower_loc",
                                       "__ctype_toupper_loc",
                                       NULL};
    math_counts counts;
    if (n->name == NULL) {
        return is_number_call(w, n) ? CALL_PURE : CALL_REFUSED;
    }
    if (n->function >= 0) {
        return w->touches[n->function] || w->p->function[n->function].beyond ? CALL_PROGRAM : CALL_PLAIN;
    }
    if (is_one_of(n->name, copies)) {
        return CALL_COPY;
    }
    if (is_one_of(n->name, sets)) {
        return CALL_SET;
    }
    if (is_one_of(n->name, results)) {
        return CALL_RESULTS;
    }
    bool numbers = n->pure;
    for (int i = 0; i < n->children && numbers; i++) {
        numbers = n->child[i] != NULL && type_is_number(n->child[i]->type);
    }
    if (numbers) {
        return CALL_PURE;
    }
    return n->system && (math_find(n->name, &counts) || is_one_of(n->name, pure)) ? CALL_PURE : CALL_REFUSED;
}

static bool refuse_call(whole *w, const node *n)
{
    static const char *const random[] = {"rand", "random", "drand48", "lrand48", "mrand48", "rand_r", "erand48", NULL};
    static const char *const room[] = {"malloc", "calloc", "realloc", "free", "alloca", "__builtin_alloca", NULL};
    static const char *const leave[] = {"exit", "_Exit", "quick_exit", "longjmp", NULL};
    if (n->name == NULL) {
        return refuse(w->m, n->line,
                      "a function is called through a pointer in a marked loop; expected its name, or "
                      "#pragma inlay access before the statement");
    }
    if (is_one_of(n->name, random)) {
        return refuse(w->m, n->line,
                      "'%s' gives other numbers in another order; expected no random numbers in a marked "
                      "loop",
                      n->name);
    }
    if (is_one_of(n->name, room)) {
        return refuse(w->m, n->line,
                      "'%s' is called in a marked loop; expected the memory in front of it, or a local array", n->name);
    }
    if (is_one_of(n->name, leave)) {
        return refuse(w->m, n->line, "'%s' leaves the marked loop; expected all iterations to run", n->name);
    }
    bool stream = strstr(n->name, "print") != NULL || strstr(n->name, "put") != NULL ||
                  strstr(n->name, "scan") != NULL || strstr(n->name, "get") != NULL ||
                  strstr(n->name, "write") != NULL || strstr(n->name, "read") != NULL;
    for (int i = 0; i < n->children && !stream; i++) {
        stream = n->child[i] != NULL && type_is_stream(n->child[i]->type_name);
    }
    if (n->system && stream) {
        return refuse(w->m, n->line,
                      "'%s' reads or writes a stream in a marked loop, in an order that is not kept; "
                      "expected that behind the loop",
                      n->name);
    }
    return refuse(w->m, n->line,
                  "what '%s' does is not known; expected a function of the file or of <math.h>, or "
                  "#pragma inlay access read(...) write(...) add(...) before the statement",
                  n->name);
}

typedef struct place {
    int loops; /**< around it, in the body */
    int switches;
    int depth; /**< of calls */
} place;

static bool check(whole *w, unit *u, const node *n, place at);

static bool check_call(whole *w, const unit *u, const node *n, place at)
{
    call_kind kind = call_of(w, n);
    if (kind == CALL_REFUSED) {
        return refuse_call(w, n);
    }
    if (n->function < 0) {
        return true;
    }
    c_function *f = &w->p->function[n->function];
    if (f->active && !w->touches[n->function]) {
        return true; /* numbers alone go in and out */
    }
    if (f->active && u == &w->function[n->function]) {
        return true; /* and so does its inspector */
    }
    if (f->active || at.depth > 12) {
        return refuse(w->m, n->line, "'%s' calls itself through others in a marked loop; expected no such recursion",
                      f->name);
    }
    if (w->has_marks[n->function]) {
        return refuse(w->m, n->line, "'%s' has a marked loop, and is called in one; expected one of them marked",
                      f->name);
    }
    f->active = true;
    at.depth++;
    at.loops = at.switches = 0;
    const char *file = w->m->refusing;
    w->m->refusing = f->header;
    bool good = check(w, &w->function[n->function], f->body, at);
    w->m->refusing = good || !w->m->refused ? file : NULL;
    f->active = false;
    return good;
}

static bool check_jump(whole *w, const unit *u, const node *n, place at)
{
    static const char *const names[] = {"break", "continue", "return", "goto"};
    const char *name = names[n->kind - NODE_BREAK];
    bool inside = n->kind == NODE_BREAK      ? at.loops + at.switches > 0
                  : n->kind == NODE_CONTINUE ? true
                  : n->kind == NODE_RETURN   ? u->loop == NULL
                                             : false;
    return inside || refuse(w->m, n->line,
                            "'%s' leaves an iteration of the marked loop; expected all of them to run to "
                            "their end",
                            name);
}

static bool check(whole *w, unit *u, const node *n, place at)
{
    if (n == NULL) {
        return true;
    }
    if (contract_of(w, n) != NULL) {
        return true;
    }
    if (n->kind == NODE_STRANGE) {
        return refuse(w->m, n->line, "%s is not understood in a marked loop; expected plain statements", n->name);
    }
    if (n->kind >= NODE_BREAK && n->kind <= NODE_GOTO && !check_jump(w, u, n, at)) {
        return false;
    }
    if (n->kind == NODE_CALL && !check_call(w, u, n, at)) {
        return false;
    }
    at.loops += node_is_loop(n);
    at.switches += n->kind == NODE_SWITCH;
    for (int i = 0; i < n->children; i++) {
        if (!check(w, u, n->child[i], at)) return false;
    }
    return true;
}

bool body_check(whole *w, unit *u)
{
    return check(w, u, u->body, (place){0});
}

/* NOLINTEND(misc-no-recursion) */
