/*
 * Which variables, conditions and loops addresses hang on: those stay in the inspector.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as trees are.
 */
#include "csource/whole/whole.h"
#include <string.h>

/* ---- What hangs on what the loop writes ---- */

static bool variable_clean(const whole *w, const unit *u, int variable)
{
    scalar_kind kind = u->scalar[variable];
    return !u->tainted[variable] && kind != SCALAR_REDUCED && kind != SCALAR_CHOSEN && kind != SCALAR_BEST &&
           !(w->leaks[variable] && !u->inside[variable] && !w->p->variable[variable].array &&
             !w->p->variable[variable].record &&
             is_written(u->written, u->writes, (root){variable, "", w->p->variable[variable].type}));
}

static bool lvalue_clean(const whole *w, const unit *u, const node *n)
{
    if (n->array) {
        return true; /* its address */
    }
    if (lvalue_is_private(w, u, n)) {
        int variable = lvalue_variable(n);
        return variable < 0 || !u->inside[variable] || !u->tainted[variable];
    }
    return !is_written(u->written, u->writes, lvalue_root(w, n));
}

/* What leads to an lvalue. */
static bool address_clean(const whole *w, const unit *u, const node *n)
{
    for (const node *part = n; part != NULL && is_lvalue(part); part = part->children > 0 ? part->child[0] : NULL) {
        if (part->kind == NODE_INDEX && !can_evaluate(w, u, part->child[1])) {
            return false;
        }
        if (lvalue_pointer(part) == part->child[0]) {
            return can_evaluate(w, u, part->child[0]);
        }
    }
    return true;
}

bool can_evaluate(const whole *w, const unit *u, const node *n)
{
    if (n == NULL) {
        return true;
    }
    if (n->kind == NODE_UNARY && n->operation == OP_ADDRESS) {
        const node *inner = whole_bare(n->child[0]);
        return !is_lvalue(inner) || address_clean(w, u, inner);
    }
    if (is_lvalue(n)) {
        return lvalue_clean(w, u, n) && address_clean(w, u, n);
    }
    bool good = n->kind != NODE_STRANGE &&
                (n->kind != NODE_VARIABLE || n->variable < 0 || n->array || variable_clean(w, u, n->variable));
    if (n->kind == NODE_CALL) {
        call_kind kind = call_of(w, n);
        good = kind == CALL_PURE || kind == CALL_PLAIN || (kind == CALL_PROGRAM && !w->function[n->function].unclear);
    }
    for (int i = 0; good && i < n->children; i++) {
        good = can_evaluate(w, u, n->child[i]);
    }
    return good;
}

static int assigned_variable(const node *n)
{
    const node *left = n->children > 0 ? whole_bare(n->child[0]) : NULL;
    if (left == NULL || (n->kind != NODE_ASSIGN && n->kind != NODE_STEP)) {
        return n->kind == NODE_DECLARATION ? n->variable : -1;
    }
    return left->kind == NODE_VARIABLE ? left->variable : lvalue_variable(left);
}

/* Numbers with a point, and what some marked loop writes: they change from step to step. */
static bool is_data(const whole *w, const unit *u, const node *n)
{
    if (n == NULL) {
        return false;
    }
    bool data = (n->kind == NODE_VARIABLE || is_lvalue(n)) && !n->array && n->type.kind == TYPE_REAL;
    data = data || (n->kind == NODE_VARIABLE && n->variable >= 0 && u->data[n->variable]);
    data = data || (n->kind == NODE_CALL && n->type.kind == TYPE_REAL);
    data = data || (is_lvalue(n) && !n->array && !lvalue_is_private(w, u, n) &&
                    is_written(w->written, w->writes, lvalue_root(w, n)));
    for (const node *part = n; !data && is_lvalue(n) && part != NULL && is_lvalue(part); part = part->child[0]) {
        data = part->kind == NODE_INDEX && is_data(w, u, part->child[1]);
        if (lvalue_pointer(part) == part->child[0]) {
            return data || is_data(w, u, part->child[0]);
        }
    }
    for (int i = 0; !data && !is_lvalue(n) && i < n->children; i++) {
        data = is_data(w, u, n->child[i]);
    }
    return data;
}

/* The parameter through which a function stores. */
static int stored_pointer(const unit *u, const node *n)
{
    const node *left =
        n->children > 0 && (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) ? whole_bare(n->child[0]) : NULL;
    const node *pointer = u->loop == NULL && left != NULL && is_lvalue(left) ? lvalue_pointer(left) : NULL;
    return pointer != NULL ? node_variable(pointer) : -1;
}

int filled_pointer(const unit *u, const node *assignment)
{
    int pointer = stored_pointer(u, assignment);
    return pointer >= 0 && u->fills[pointer] ? pointer : -1;
}

static void set(whole *w, bool *flag)
{
    w->changing = w->changing || !*flag;
    *flag = true;
}

/* What a call stores through a pointer to a variable of ours. */
static void taint_arguments(whole *w, unit *u, const node *n, bool unclear)
{
    for (int i = 0; n->kind == NODE_CALL && i < n->children; i++) {
        const node *a = whole_bare(n->child[i]);
        bool address = a != NULL && a->kind == NODE_UNARY && a->operation == OP_ADDRESS;
        int out = address || (a != NULL && a->array) ? pointer_variable(a) : -1;
        if (out < 0 || (w->p->variable[out].type.kind == TYPE_POINTER && !w->p->variable[out].array)) {
            continue;
        }
        bool known = n->function >= 0 && i < w->p->function[n->function].parameters;
        const unit *f = known ? &w->function[n->function] : NULL;
        bool fit = known && !f->unfit[w->p->function[n->function].parameter[i]] && !unclear;
        for (int k = 0; fit && k < n->children; k++) {
            fit = k == i || can_evaluate(w, u, n->child[k]);
        }
        if (!fit && !w->p->variable[out].record && !variable_is_memory(w, u, out)) {
            set(w, &u->tainted[out]);
        }
    }
}

static void taint(whole *w, unit *u, const node *n, bool unclear)
{
    if (n == NULL) {
        return;
    }
    int variable = assigned_variable(n);
    const node *value = n->kind == NODE_DECLARATION ? (n->children > 0 ? n->child[0] : NULL)
                        : n->kind == NODE_ASSIGN    ? n->child[1]
                                                    : NULL;
    if (variable >= 0 && (u->inside[variable] || !variable_is_memory(w, u, variable)) && variable != u->variable) {
        if (unclear || !can_evaluate(w, u, value)) {
            set(w, &u->tainted[variable]);
        }
        if (is_data(w, u, value)) {
            set(w, &u->data[variable]);
        }
    }
    if (n->kind == NODE_RETURN && u->loop == NULL && n->children > 0 && (unclear || !can_evaluate(w, u, n->child[0]))) {
        set(w, &u->unclear);
    }
    int pointer = stored_pointer(u, n);
    if (pointer >= 0 && (unclear || !can_evaluate(w, u, n->kind == NODE_ASSIGN ? n->child[1] : NULL))) {
        set(w, &u->unfit[pointer]);
    }
    taint_arguments(w, u, n, unclear);
    bool inner = unclear;
    if (n->kind == NODE_IF || n->kind == NODE_SWITCH) {
        inner = inner || !can_evaluate(w, u, n->child[0]);
    } else if (node_is_loop(n)) {
        inner = inner || !can_evaluate(w, u, n->child[1]);
    }
    for (int i = 0; i < n->children; i++) {
        taint(w, u, n->child[i], inner);
    }
}

/* ---- What is needed ---- */

static void need_all(whole *w, unit *u, const node *n)
{
    if (n == NULL) {
        return;
    }
    if (n->kind == NODE_VARIABLE && n->variable >= 0) {
        set(w, &u->need[n->variable]);
    }
    int through = u->loop == NULL && is_lvalue(n) && lvalue_pointer(n) != NULL ? node_variable(lvalue_pointer(n)) : -1;
    if (through >= 0) {
        set(w, &u->looks[through]);
    }
    if (n->kind == NODE_CALL && n->function >= 0 && call_of(w, n) == CALL_PROGRAM) {
        set(w, &w->function[n->function].wants_value);
        return; /* its arguments are looked at where it is met */
    }
    for (int i = 0; i < n->children; i++) {
        need_all(w, u, n->child[i]);
    }
}

/* Pointers of arguments: their place is needed, and of whole numbers what is there. */
static void need_argument(whole *w, unit *u, const node *n, unit *called, int parameter)
{
    const node *a = whole_bare(n);
    const node *inner = a != NULL && a->kind == NODE_UNARY && a->operation == OP_ADDRESS ? whole_bare(a->child[0]) : a;
    int variable = inner == NULL                  ? -1
                   : inner->kind == NODE_VARIABLE ? inner->variable
                   : is_lvalue(inner)             ? lvalue_variable(inner)
                                                  : -1;
    bool place = variable >= 0 && (inner != a || inner->array) && !variable_is_memory(w, u, variable);
    if (place) {
        set(w, &u->place[variable]);
        if (called != NULL && called->looks[parameter]) {
            set(w, &u->need[variable]);
        }
        if (u->need[variable] && called != NULL) {
            set(w, &called->fills[parameter]);
        }
        for (int i = 1; inner->kind == NODE_INDEX && i < inner->children; i++) {
            need_all(w, u, inner->child[i]);
        }
        return;
    }
    int through = u->loop == NULL ? node_variable(n) : -1; /* a parameter that is handed on */
    if (called != NULL && through >= 0 && called->looks[parameter]) {
        set(w, &u->looks[through]);
    }
    if (called != NULL && through >= 0 && u->fills[through]) {
        set(w, &called->fills[parameter]);
    }
    if (called != NULL && through >= 0 && called->fills[parameter]) {
        set(w, &u->fills[through]);
    }
    if (called != NULL && (through < 0 || u->hands[through] || !w->p->variable[through].parameter)) {
        set(w, &called->hands[parameter]);
    }
    need_all(w, u, n);
}

bool parameter_stays(const whole *w, int function, int parameter)
{
    return w->function[function].need[w->p->function[function].parameter[parameter]];
}

static bool is_access(const whole *w, const unit *u, const node *n)
{
    return (is_lvalue(n) && !lvalue_is_private(w, u, n)) ||
           (n->kind == NODE_VARIABLE && n->variable >= 0 && !n->array && variable_is_memory(w, u, n->variable));
}

bool node_matters(const whole *w, const unit *u, const node *n)
{
    if (n == NULL) {
        return false;
    }
    int variable = assigned_variable(n);
    call_kind call = n->kind == NODE_CALL ? call_of(w, n) : CALL_PURE;
    bool matters = is_access(w, u, n) || call == CALL_PROGRAM || call == CALL_COPY || call == CALL_SET ||
                   (variable >= 0 && u->need[variable]) || n->kind == NODE_CONTINUE || n->kind == NODE_BREAK ||
                   n->kind == NODE_RETURN || contract_of(w, n) != NULL;
    for (int i = 0; !matters && i < n->children; i++) {
        matters = node_matters(w, u, n->child[i]);
    }
    return matters;
}

const node *condition_of(const node *n)
{
    return node_is_loop(n) ? n->child[1] : n->child[0];
}

static bool leaves(const node *n)
{
    if (n == NULL || node_is_loop(n) || n->kind == NODE_SWITCH) {
        return false;
    }
    for (int i = 0; i < n->children; i++) {
        if (leaves(n->child[i])) return true;
    }
    return n->kind == NODE_BREAK;
}

static bool assigns_needed(const unit *u, const node *n)
{
    if (n == NULL) {
        return false;
    }
    int variable = n->kind == NODE_DECLARATION ? -1 : assigned_variable(n);
    for (int i = 0; i < n->children; i++) {
        if (assigns_needed(u, n->child[i])) return true;
    }
    return (variable >= 0 && u->need[variable]) || filled_pointer(u, n) >= 0;
}

bool condition_stays(const whole *w, const unit *u, const node *n)
{
    const node *condition = condition_of(n);
    return can_evaluate(w, u, condition) &&
           (!is_data(w, u, condition) || (n->kind == NODE_IF && leaves(n)) || assigns_needed(u, n));
}

static bool branches_matter(const whole *w, const unit *u, const node *n)
{
    return node_matters(w, u, n->child[1]) || (n->children > 2 && node_matters(w, u, n->child[2]));
}

static void need_contract(whole *w, unit *u, const contract *k)
{
    for (int i = 0; i < k->accesses; i++) {
        const word words[] = {k->access[i].lvalue, k->access[i].count};
        for (int j = 0; j < 2; j++) {
            for (unsigned at = words[j].from; at < words[j].to;) {
                size_t length =
                    strspn(w->m->text + at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
                for (int v = 0; v < w->p->variables && length > 0; v++) {
                    if (strlen(w->p->variable[v].name) == length &&
                        strncmp(w->p->variable[v].name, w->m->text + at, length) == 0 &&
                        w->p->variable[v].function == u->function) {
                        set(w, &u->need[v]);
                    }
                }
                at += length > 0 ? (unsigned)length : 1;
            }
        }
    }
}

static void need_lvalue(whole *w, unit *u, const node *n)
{
    for (const node *part = n; part != NULL && is_lvalue(part); part = part->children > 0 ? part->child[0] : NULL) {
        if (part->kind == NODE_INDEX && part->children > 1) {
            need_all(w, u, part->child[1]);
        }
    }
    need_all(w, u, lvalue_pointer(n));
}

static void need_node(whole *w, unit *u, const node *n)
{
    if (n == NULL) {
        return;
    }
    const contract *k = contract_of(w, n);
    if (k != NULL) {
        need_contract(w, u, k);
        return;
    }
    int variable = assigned_variable(n);
    if (is_lvalue(n) && !lvalue_is_private(w, u, n)) {
        need_lvalue(w, u, n);
    }
    if ((variable >= 0 && u->need[variable]) || filled_pointer(u, n) >= 0) {
        need_all(w, u, n);
    }
    if ((n->kind == NODE_IF || n->kind == NODE_SWITCH) && condition_stays(w, u, n) && branches_matter(w, u, n)) {
        need_all(w, u, n->child[0]);
    }
    if (node_is_loop(n) && node_matters(w, u, n->kind == NODE_FOR ? n->child[3] : n->child[0])) {
        need_all(w, u, n->child[1]);
        need_all(w, u, n->kind == NODE_FOR ? n->child[2] : NULL);
    }
    bool two = n->kind == NODE_CHOICE || (n->kind == NODE_BINARY && (n->operation == OP_AND || n->operation == OP_OR));
    if (two && condition_stays(w, u, n) && branches_matter(w, u, n)) {
        need_all(w, u, n->child[0]);
    }
    if (n->kind == NODE_RETURN && u->loop == NULL && u->wants_value) {
        need_all(w, u, n->children > 0 ? n->child[0] : NULL);
    }
    if (n->kind == NODE_CALL) {
        call_kind kind = call_of(w, n);
        for (int i = 0; kind == CALL_PROGRAM && i < n->children; i++) {
            if (i < w->p->function[n->function].parameters && parameter_stays(w, n->function, i)) {
                need_argument(w, u, n->child[i], &w->function[n->function], w->p->function[n->function].parameter[i]);
            }
        }
        for (int i = 0; (kind == CALL_COPY || kind == CALL_SET) && i < n->children; i++) {
            if (i != 1 || kind == CALL_COPY) {
                need_argument(w, u, n->child[i], NULL, 0);
            }
        }
    }
    for (int i = 0; i < n->children; i++) {
        need_node(w, u, n->child[i]);
    }
}

bool slices_find(whole *w)
{
    do {
        w->changing = false;
        for (int f = 0; f < w->p->functions; f++) {
            if (w->function[f].used) {
                taint(w, &w->function[f], w->p->function[f].body, false);
            }
        }
        for (int i = 0; i < w->loops; i++) {
            taint(w, &w->loop[i], w->loop[i].body, false);
        }
    } while (w->changing);
    do {
        w->changing = false;
        for (int f = 0; f < w->p->functions; f++) {
            if (w->function[f].used) {
                need_node(w, &w->function[f], w->p->function[f].body);
            }
        }
        for (int i = 0; i < w->loops; i++) {
            need_node(w, &w->loop[i], w->loop[i].body);
        }
    } while (w->changing);
    for (int f = 0; f < w->p->functions; f++) {
        for (int i = 0; i < w->p->function[f].parameters; i++) {
            int v = w->p->function[f].parameter[i];
            if (w->function[f].fills[v] && w->function[f].hands[v]) {
                return refuse(w->m, w->p->function[f].line,
                              "'%s' stores through '%s' what addresses in a marked loop hang "
                              "on, into memory that outlives an iteration; expected a local variable there",
                              w->p->function[f].name, w->p->variable[v].name);
            }
        }
    }
    return true;
}

/* NOLINTEND(misc-no-recursion) */
