/*
 * Which variables, conditions and loops addresses hang on: those stay in the inspector.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as trees are.
 */
#include "csource/whole/whole.h"
#include <string.h>

/* ---- What hangs on what the loop writes ---- */

static bool variable_fits(const whole *w, const unit *u, int variable, hanging mode)
{
    scalar_kind kind = u->scalar[variable];
    return !u->tainted[mode][variable] && kind != SCALAR_REDUCED && kind != SCALAR_CHOSEN && kind != SCALAR_BEST &&
           !(w->leaks[variable] && !u->inside[variable] && !w->p->variable[variable].array &&
             !w->p->variable[variable].record &&
             is_written(u->written, u->writes, (root){variable, "", w->p->variable[variable].type}));
}

static bool lvalue_fits(const whole *w, const unit *u, const node *n, hanging mode)
{
    if (n->array) {
        return true; /* its address */
    }
    if (lvalue_is_private(w, u, n)) {
        int variable = lvalue_variable(n);
        return variable < 0 || !u->tainted[mode][variable];
    }
    return mode == HANGS_ON_ITSELF || !is_written(u->written, u->writes, lvalue_root(w, n));
}

static bool fits(const whole *w, const unit *u, const node *n, hanging mode);

/* What leads to an lvalue. */
static bool address_fits(const whole *w, const unit *u, const node *n, hanging mode)
{
    for (const node *part = n; part != NULL && is_lvalue(part); part = part->children > 0 ? part->child[0] : NULL) {
        if (part->kind == NODE_INDEX && !fits(w, u, part->child[1], mode)) {
            return false;
        }
        if (lvalue_pointer(part) == part->child[0]) {
            return fits(w, u, part->child[0], mode);
        }
    }
    return true;
}

static bool fits(const whole *w, const unit *u, const node *n, hanging mode)
{
    if (n == NULL) {
        return true;
    }
    if (n->kind == NODE_UNARY && n->operation == OP_ADDRESS) {
        const node *inner = whole_bare(n->child[0]);
        return !is_lvalue(inner) || address_fits(w, u, inner, mode);
    }
    if (is_lvalue(n)) {
        return lvalue_fits(w, u, n, mode) && address_fits(w, u, n, mode);
    }
    bool good = n->kind != NODE_STRANGE &&
                (n->kind != NODE_VARIABLE || n->variable < 0 || n->array || variable_fits(w, u, n->variable, mode));
    if (n->kind == NODE_CALL) {
        call_kind kind = call_of(w, n);
        good = kind == CALL_PURE || kind == CALL_PLAIN ||
               (kind == CALL_PROGRAM && !w->function[n->function].unclear[mode]);
    }
    for (int i = 0; good && i < n->children; i++) {
        good = fits(w, u, n->child[i], mode);
    }
    return good;
}

bool can_evaluate(const whole *w, const unit *u, const node *n)
{
    return fits(w, u, n, HANGS_ON_ITSELF);
}

bool is_known_before(const whole *w, const unit *u, const node *n)
{
    return fits(w, u, n, HANGS_ON_OTHERS);
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
static void taint_arguments(whole *w, unit *u, const node *n, bool unclear, hanging mode)
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
        bool fit = known && !f->unfit[mode][w->p->function[n->function].parameter[i]] && !unclear;
        for (int k = 0; fit && k < n->children; k++) {
            fit = k == i || fits(w, u, n->child[k], mode);
        }
        if (!fit && !w->p->variable[out].record && !variable_is_memory(w, u, out)) {
            set(w, &u->tainted[mode][out]);
        }
    }
}

/* Whether an iteration, or the function, is left under a condition that cannot be evaluated. */
static bool leaves_unclear(const whole *w, const unit *u, const node *n, node_kind kind, bool unclear, hanging mode)
{
    if (n == NULL || (kind != NODE_RETURN && (node_is_loop(n) || (kind == NODE_BREAK && n->kind == NODE_SWITCH)))) {
        return false;
    }
    if (n->kind == kind) {
        return unclear;
    }
    unclear = unclear ||
              ((n->kind == NODE_IF || n->kind == NODE_SWITCH || node_is_loop(n)) && !fits(w, u, condition_of(n), mode));
    for (int i = 0; i < n->children; i++) {
        if (leaves_unclear(w, u, n->child[i], kind, unclear, mode)) return true;
    }
    return false;
}

static void taint(whole *w, unit *u, const node *n, bool unclear, hanging mode)
{
    if (n == NULL) {
        return;
    }
    int variable = assigned_variable(n);
    const node *value = n->kind == NODE_DECLARATION ? (n->children > 0 ? n->child[0] : NULL)
                        : n->kind == NODE_ASSIGN    ? n->child[1]
                                                    : NULL;
    if (variable >= 0 && (u->inside[variable] || !variable_is_memory(w, u, variable)) &&
        (variable != u->variable || u->member != NULL)) {
        if (unclear || !fits(w, u, value, mode)) {
            set(w, &u->tainted[mode][variable]);
        }
        if (is_data(w, u, value)) {
            set(w, &u->data[variable]);
        }
    }
    if (n->kind == NODE_RETURN && u->loop == NULL && n->children > 0 && (unclear || !fits(w, u, n->child[0], mode))) {
        set(w, &u->unclear[mode]);
    }
    int pointer = stored_pointer(u, n);
    if (pointer >= 0 && (unclear || !fits(w, u, n->kind == NODE_ASSIGN ? n->child[1] : NULL, mode))) {
        set(w, &u->unfit[mode][pointer]);
    }
    taint_arguments(w, u, n, unclear, mode);
    bool inner = unclear;
    if (n->kind == NODE_IF || n->kind == NODE_SWITCH) {
        inner = inner || !fits(w, u, n->child[0], mode);
    } else if (node_is_loop(n)) {
        const node *body = n->kind == NODE_FOR ? n->child[3] : n->child[0];
        inner = inner || !fits(w, u, n->child[1], mode) || leaves_unclear(w, u, body, NODE_BREAK, false, mode) ||
                leaves_unclear(w, u, body, NODE_CONTINUE, false, mode);
    } else if (u->loop == NULL && n == u->body) {
        inner = leaves_unclear(w, u, n, NODE_RETURN, false, mode);
    }
    for (int i = 0; i < n->children; i++) {
        taint(w, u, n->child[i], inner, mode);
    }
}

/* ---- What an iteration writes before it reads it ---- */

static bool stores_to(const whole *w, const node *n, root r, int depth)
{
    if (n == NULL || depth > 8) {
        return n != NULL;
    }
    const node *left = n->kind == NODE_ASSIGN || n->kind == NODE_STEP ? whole_bare(n->child[0]) : NULL;
    if (left != NULL && (is_lvalue(left) || left->kind == NODE_VARIABLE) && roots_meet(lvalue_root(w, left), r)) {
        return true;
    }
    if (n->kind == NODE_CALL && n->function >= 0 && call_of(w, n) == CALL_PROGRAM &&
        stores_to(w, w->p->function[n->function].body, r, depth + 1)) {
        return true;
    }
    if (n->kind == NODE_CALL && (call_of(w, n) == CALL_COPY || call_of(w, n) == CALL_SET)) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (stores_to(w, n->child[i], r, depth)) return true;
    }
    return false;
}

/* Whether something may be stored there before `read` is reached; `*reached`: it was. */
static bool stores_before(const whole *w, const node *n, const node *read, root r, bool *reached)
{
    if (n == NULL || n == read) {
        *reached = *reached || n == read;
        return false;
    }
    if (!node_contains(n, read)) {
        return stores_to(w, n, r, 0);
    }
    if (node_is_loop(n)) {
        *reached = true;
        return stores_to(w, n, r, 0);
    }
    bool found = false;
    for (int i = n->kind == NODE_ASSIGN ? n->children - 1 : 0; i >= 0 && i < n->children && !*reached && !found;
         i += n->kind == NODE_ASSIGN ? -1 : 1) {
        found = stores_before(w, n->child[i], read, r, reached);
    }
    return found;
}

/* What the loop writes is read for an address: where the iteration wrote it before, all that it stores is tried out. */
static void need_memory(whole *w, unit *u, const node *n)
{
    root r = lvalue_root(w, n);
    bool reached = false;
    if (!u->replays && !n->array && !lvalue_is_private(w, u, n) && is_written(u->written, u->writes, r) &&
        stores_before(w, u->body, n, r, &reached)) {
        set(w, &u->replays);
    }
}

/* ---- What is needed ---- */

static void need_all(whole *w, unit *u, const node *n);

/* What leads to an lvalue, and the variable in which it lies. */
static void need_address(whole *w, unit *u, const node *n)
{
    const node *part = n;
    for (; part != NULL && is_lvalue(part); part = part->children > 0 ? part->child[0] : NULL) {
        if (part->kind == NODE_INDEX) {
            need_all(w, u, part->child[1]);
        }
        if (lvalue_pointer(part) == part->child[0]) {
            break;
        }
    }
    need_all(w, u, part != NULL && is_lvalue(part) ? part->child[0] : part);
}

static void need_all(whole *w, unit *u, const node *n)
{
    if (n == NULL) {
        return;
    }
    if (n->kind == NODE_VARIABLE && n->variable >= 0) {
        set(w, &u->need[n->variable]);
    }
    bool address = n->kind == NODE_UNARY && n->operation == OP_ADDRESS && is_lvalue(whole_bare(n->child[0]));
    if (address || is_lvalue(n)) {
        const node *lvalue = address ? whole_bare(n->child[0]) : n, *pointer = lvalue_pointer(lvalue);
        int through = u->loop == NULL && pointer != NULL ? node_variable(pointer) : -1;
        if (!address) {
            need_memory(w, u, n);
        }
        if (through >= 0) {
            set(w, &u->looks[through]);
        }
        need_address(w, u, lvalue);
        return;
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

static bool leaves(const node *n, node_kind kind)
{
    if (n == NULL || (kind != NODE_RETURN && (node_is_loop(n) || (kind == NODE_BREAK && n->kind == NODE_SWITCH)))) {
        return false;
    }
    for (int i = 0; i < n->children; i++) {
        if (leaves(n->child[i], kind)) return true;
    }
    return n->kind == kind;
}

bool stores_in_trial(const whole *w, const unit *u, const node *n)
{
    call_kind call = n->kind == NODE_CALL ? call_of(w, n) : CALL_PURE;
    const node *left = n->kind == NODE_ASSIGN || n->kind == NODE_STEP ? whole_bare(n->child[0]) : NULL;
    return u->replays &&
           (call == CALL_PROGRAM || call == CALL_COPY || call == CALL_SET || (left != NULL && is_access(w, u, left)));
}

static bool assigns_needed(const whole *w, const unit *u, const node *n)
{
    if (n == NULL) {
        return false;
    }
    int variable = n->kind == NODE_DECLARATION ? -1 : assigned_variable(n);
    for (int i = 0; i < n->children; i++) {
        if (assigns_needed(w, u, n->child[i])) return true;
    }
    return (variable >= 0 && u->need[variable]) || filled_pointer(u, n) >= 0 || stores_in_trial(w, u, n);
}

/* The innermost loop, or switch, within the body around a statement; NULL: none. */
static const node *around(const node *n, const node *part, bool switches, const node *found)
{
    for (int i = 0; n != NULL && n != part && i < n->children; i++) {
        if (node_contains(n->child[i], part)) {
            bool it = node_is_loop(n) || (switches && n->kind == NODE_SWITCH);
            return around(n->child[i], part, switches, it ? n : found);
        }
    }
    return found;
}

/* Whether values that addresses hang on are others where the statement is left by a jump. */
static bool jump_binds(const whole *w, const unit *u, const node *n)
{
    if (n->kind != NODE_IF && n->kind != NODE_SWITCH && !node_is_loop(n)) {
        return false;
    }
    bool ends = u->loop == NULL && leaves(n, NODE_RETURN), breaks = false, goes_on = false;
    for (int i = 0; i < n->children; i++) { /* of the loop around it */
        breaks = breaks || (!node_is_loop(n) && n->kind != NODE_SWITCH && leaves(n->child[i], NODE_BREAK));
        goes_on = goes_on || (!node_is_loop(n) && leaves(n->child[i], NODE_CONTINUE));
    }
    const node *body = u->body;
    return (ends && (u->wants_value || assigns_needed(w, u, body))) ||
           (breaks && assigns_needed(w, u, around(body, n, true, NULL))) ||
           (goes_on && assigns_needed(w, u, around(body, n, false, NULL))) || (goes_on && u->replays);
}

static bool binds(const whole *w, const unit *u, const node *n)
{
    return assigns_needed(w, u, n) || jump_binds(w, u, n);
}

bool condition_stays(const whole *w, const unit *u, const node *n)
{
    const node *condition = condition_of(n);
    bool known = is_known_before(w, u, condition);
    return (known && (!is_data(w, u, condition) || (n->kind == NODE_IF && leaves(n, NODE_BREAK)))) ||
           ((known || can_evaluate(w, u, condition)) && (binds(w, u, n) || guards_index(u, n)));
}

static bool declares_needed(const unit *u, const node *start)
{
    bool needed = false;
    for (int i = 0; start != NULL && start->kind == NODE_BLOCK && i < start->children; i++) {
        const node *d = start->child[i];
        needed = needed || (d != NULL && d->kind == NODE_DECLARATION && u->need[d->variable]);
    }
    return needed;
}

bool loop_binds(const whole *w, const unit *u, const node *n)
{
    return binds(w, u, n) || (n->kind == NODE_FOR && declares_needed(u, n->child[0]));
}

bool loop_stays(const whole *w, const unit *u, const node *n)
{
    const node *step = n->kind == NODE_FOR ? n->child[2] : NULL;
    return (is_known_before(w, u, n->child[1]) && (is_known_before(w, u, step) || assigns_needed(w, u, step))) ||
           loop_binds(w, u, n);
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
    if ((variable >= 0 && u->need[variable]) || filled_pointer(u, n) >= 0 || stores_in_trial(w, u, n)) {
        need_all(w, u, n);
    }
    if ((n->kind == NODE_IF || n->kind == NODE_SWITCH) && condition_stays(w, u, n) && branches_matter(w, u, n)) {
        need_all(w, u, n->child[0]);
    }
    if (node_is_loop(n) && node_matters(w, u, n->kind == NODE_FOR ? n->child[3] : n->child[0]) && loop_stays(w, u, n)) {
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
        if (kind == CALL_PROGRAM && u->replays != w->function[n->function].replays) {
            set(w, &u->replays);
            set(w, &w->function[n->function].replays);
        }
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

static void taint_all(whole *w, hanging mode)
{
    do {
        w->changing = false;
        for (int f = 0; f < w->p->functions; f++) {
            if (w->function[f].used) {
                taint(w, &w->function[f], w->p->function[f].body, false, mode);
            }
        }
        for (int i = 0; i < w->loops; i++) {
            taint(w, &w->loop[i], w->loop[i].body, false, mode);
        }
    } while (w->changing);
}

/* Functions that store what addresses hang on to memory that outlives an iteration: that is tried out. */
static void try_filled(whole *w)
{
    for (int f = 0; f < w->p->functions; f++) {
        for (int i = 0; i < w->p->function[f].parameters; i++) {
            int v = w->p->function[f].parameter[i];
            if (w->function[f].fills[v] && w->function[f].hands[v]) {
                set(w, &w->function[f].replays);
            }
        }
    }
}

bool slices_find(whole *w)
{
    taint_all(w, HANGS_ON_OTHERS);
    taint_all(w, HANGS_ON_ITSELF);
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
        try_filled(w);
    } while (w->changing);
    return true;
}

/* NOLINTEND(misc-no-recursion) */
