/* What a marked loop does with scalars that live outside of it. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/whole.h"
#include <string.h>

typedef struct uses {
    int all;     /**< places where it stands */
    int writes;  /**< of them, where it is assigned or stepped */
    int reduced; /**< of them, in accumulations */
    access_kind kind;
    bool mixed; /**< accumulations of two kinds */
    unsigned line;
    const char *called; /**< a function in which it stands; NULL: none */
} uses;

static int count_places(const node *n, int variable)
{
    if (n == NULL) {
        return 0;
    }
    int count = n->kind == NODE_VARIABLE && n->variable == variable;
    for (int i = 0; i < n->children; i++) {
        count += count_places(n->child[i], variable);
    }
    return count;
}

/* Functions are looked into, where it outlives a call. */
static void look(const whole *w, const node *n, int variable, uses *u)
{
    accumulation a;
    if (n == NULL) {
        return;
    }
    c_function *called = n->kind == NODE_CALL && n->function >= 0 ? &w->p->function[n->function] : NULL;
    if (called != NULL && w->p->variable[variable].outside && !called->active) {
        unsigned line = u->line;
        called->active = true;
        look(w, called->body, variable, u);
        called->active = false;
        u->called = u->called == NULL && u->line != line ? called->name : u->called;
    }
    if (n->kind == NODE_VARIABLE && n->variable == variable) {
        u->all++;
        u->line = u->line == 0 ? n->line : u->line;
    }
    if ((n->kind == NODE_ASSIGN || n->kind == NODE_STEP) && node_variable(n->child[0]) == variable) {
        u->writes++;
        u->line = n->line;
    }
    if (accumulation_find(n, &a) && node_variable(a.target) == variable && a.target->kind == NODE_VARIABLE) {
        int places = count_places(n, variable);
        bool inside = n->kind == NODE_IF; /* its assignment is no accumulation of its own */
        u->mixed = u->mixed || (u->reduced > 0 && u->kind != a.kind);
        u->kind = a.kind;
        u->reduced += places;
        u->all += places;
        u->writes++;
        u->line = n->line;
        if (!inside) {
            for (int i = 0; i < a.values; i++) {
                look(w, a.value[i], variable, u);
            }
        }
        return;
    }
    for (int i = 0; i < n->children; i++) {
        look(w, n->child[i], variable, u);
    }
}

/* ---- if (v < best) { best = v; where = i; } ---- */

static const node *statement_of(const node *n)
{
    while (n != NULL && n->kind == NODE_BLOCK && n->children == 1) {
        n = n->child[0];
    }
    return n;
}

static bool add_choice(whole *w, unit *u, const choice *c)
{
    if (!GROW(u->choices, u->choice_count, u->choice_room)) {
        return out_of_memory(w->m);
    }
    u->choices[u->choice_count++] = *c;
    return true;
}

/* Whether an `if` is such a choice of `variable`. */
static bool choice_of(const whole *w, const unit *u, const node *n, int variable, choice *c)
{
    if (n->kind != NODE_IF || n->children != 2) {
        return false;
    }
    const node *test = whole_bare(n->child[0]), *block = statement_of(n->child[1]);
    if (test == NULL || test->kind != NODE_BINARY || block == NULL || block->kind != NODE_BLOCK ||
        block->children < 2) {
        return false;
    }
    bool less = test->operation == OP_LESS || test->operation == OP_LESS_EQUAL;
    bool greater = test->operation == OP_GREATER || test->operation == OP_GREATER_EQUAL;
    bool second = node_variable(test->child[1]) == variable, first = node_variable(test->child[0]) == variable;
    *c = (choice){.best = variable,
                  .kind = less == second ? ACCESS_MIN : ACCESS_MAX,
                  .later = test->operation == OP_LESS_EQUAL || test->operation == OP_GREATER_EQUAL};
    bool takes = false;
    for (int i = 0; i < block->children; i++) {
        const node *s = block->child[i];
        int set = s != NULL && s->kind == NODE_ASSIGN && s->operation == OP_NONE ? node_variable(s->child[0]) : -1;
        if (set < 0 || u->inside[set] || !type_is_number(w->p->variable[set].type) || !s->copied ||
            c->variables == MOST_NAMES || count_places(u->body, set) != count_places(n, set)) {
            return false;
        }
        takes = takes || (set == variable && nodes_same(s->child[1], test->child[first]));
        c->variable[c->variables++] = set;
    }
    return (less || greater) && first != second && takes && count_places(n, variable) == 2;
}

static const node *find_choice(const whole *w, const unit *u, const node *n, int variable, choice *c)
{
    if (n == NULL || choice_of(w, u, n, variable, c)) {
        return n;
    }
    for (int i = 0; i < n->children; i++) {
        const node *found = find_choice(w, u, n->child[i], variable, c);
        if (found != NULL) return found;
    }
    return NULL;
}

static bool note_best(whole *w, unit *u, int variable)
{
    choice c;
    if (find_choice(w, u, u->body, variable, &c) == NULL) {
        return false;
    }
    for (int i = 0; i < c.variables; i++) {
        u->scalar[c.variable[i]] = SCALAR_BEST;
    }
    return add_choice(w, u, &c);
}

/* ---- Kinds ---- */

static bool all_copied(const node *n, int variable)
{
    if (n == NULL) {
        return true;
    }
    bool good = n->kind != NODE_ASSIGN || node_variable(n->child[0]) != variable || n->copied;
    for (int i = 0; good && i < n->children; i++) {
        good = all_copied(n->child[i], variable);
    }
    return good;
}

static bool refuse_carried(whole *w, const unit *u, int variable, const uses *s)
{
    return refuse(
        w->m, s->line,
        "'%s' is carried from one iteration of the loop of line %u to the next; expected it assigned before it "
        "is used in each iteration, or a sum, an extreme, and or or that is not looked at in the loop",
        w->p->variable[variable].name, u->line);
}

static bool is_global(const whole *w, int variable)
{
    for (int k = 0; k < w->p->names; k++) {
        if (!w->p->name[k].macro && strcmp(w->p->name[k].name, w->p->variable[variable].name) == 0) return true;
    }
    return false;
}

/* A function that a marked loop calls keeps nothing but sums. */
static bool refuse_kept(whole *w, int variable, const uses *s)
{
    return refuse(
        w->m, s->line,
        "'%s' outlives the call of '%s' in a marked loop, and changes in it; expected a global sum that is not looked "
        "at there, or results through the value or a pointer",
        w->p->variable[variable].name, s->called);
}

static bool study_variable(whole *w, unit *u, int variable)
{
    const c_variable *v = &w->p->variable[variable];
    uses s = {0};
    if (u->scalar[variable] != SCALAR_NONE) {
        return true;
    }
    look(w, u->body, variable, &s);
    if (s.writes == 0) {
        u->scalar[variable] = s.all > 0 || node_holds(u->loop, variable) ? SCALAR_INPUT : SCALAR_NONE;
        return true;
    }
    if (w->leaks[variable]) {
        return s.called == NULL || refuse_kept(w, variable, &s); /* memory */
    }
    for (int i = 0; i < 3; i++) {
        if (node_holds(u->loop->child[i], variable)) {
            return refuse(w->m, s.line,
                          "'%s' tells how often the loop of line %u runs, and changes in it; expected it to "
                          "stay",
                          v->name, u->line);
        }
    }
    if (s.called != NULL && !is_global(w, variable)) {
        return refuse_kept(w, variable, &s);
    }
    if (s.all == s.reduced && !s.mixed) {
        u->scalar[variable] = SCALAR_REDUCED;
        u->reduced[variable] = s.kind;
        return true;
    }
    if (s.called != NULL) {
        return refuse_kept(w, variable, &s);
    }
    flow f = {.w = w, .variable = variable};
    flow_through(&f, u->body);
    if (!f.used) {
        bool live = is_live_behind(w, u, variable), always = f.assigned && !f.open_end;
        u->scalar[variable] = !live ? SCALAR_PRIVATE : always ? SCALAR_LAST : SCALAR_CHOSEN;
        if (live && !always) {
            choice c = {.best = -1, .kind = ACCESS_WRITE, .variable = {variable}, .variables = 1};
            return all_copied(u->body, variable) ? add_choice(w, u, &c) : refuse_carried(w, u, variable, &s);
        }
        return true;
    }
    return note_best(w, u, variable) || (!w->m->no_memory && refuse_carried(w, u, variable, &s));
}

/* ---- Arrays of the function that each iteration fills ---- */

static bool used_elsewhere(const node *n, const node *loop, int variable)
{
    if (n == NULL || n == loop) {
        return false;
    }
    if (n->kind == NODE_VARIABLE && n->variable == variable) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (used_elsewhere(n->child[i], loop, variable)) return true;
    }
    return false;
}

/* What leads to a part of a body. */
typedef struct way {
    const node *loop[8]; /**< around it, the outermost first */
    int loops;
    bool sure; /**< each iteration comes there */
} way;

static bool find_way(const node *n, const node *part, way *to)
{
    if (n == part || n == NULL) {
        return n == part;
    }
    for (int i = 0; i < n->children; i++) {
        way inner = *to;
        inner.sure = inner.sure && n->kind != NODE_IF && n->kind != NODE_SWITCH && n->kind != NODE_CHOICE &&
                     (n->kind != NODE_WHILE || i == 1) && inner.loops < 8;
        if (node_is_loop(n) && inner.loops < 8) {
            inner.loop[inner.loops++] = n;
        }
        if (find_way(n->child[i], part, &inner)) {
            *to = inner;
            return true;
        }
    }
    return false;
}

/* The values of a subscript: a constant's, or those of the variable of a loop between constants. */
static bool find_range(const way *at, const node *subscript, int64_t range[2], const node **loop)
{
    subscript = whole_bare(subscript);
    *loop = NULL;
    if (subscript->kind == NODE_CONSTANT && subscript->known) {
        range[0] = range[1] = subscript->value;
        return true;
    }
    for (int i = at->loops - 1; i >= 0; i--) {
        if (subscript->kind == NODE_VARIABLE && loop_range(at->loop[i], subscript->variable, range)) {
            *loop = at->loop[i];
            return true;
        }
    }
    return false;
}

/* Whether an assignment before a place sets all elements that are read there. */
static bool covers(const node *body, const node *write, const node *read)
{
    way to = {.sure = true}, from = {.sure = true};
    if (write->from >= read->from || read->from == 0 || !find_way(body, write, &to) || !find_way(body, read, &from) ||
        !to.sure) {
        return false;
    }
    for (; write->kind == NODE_INDEX && read->kind == NODE_INDEX; write = write->child[0], read = read->child[0]) {
        int64_t set[2], used[2];
        const node *loop, *other;
        if (!find_range(&to, write->child[1], set, &loop)) {
            return false;
        }
        bool same = loop != NULL && nodes_same(write->child[1], read->child[1]) && node_contains(loop, read);
        bool within = (loop == NULL || !node_contains(loop, read)) && find_range(&from, read->child[1], used, &other) &&
                      set[0] <= used[0] && used[1] <= set[1];
        if (!same && !within) {
            return false;
        }
    }
    return write->kind == read->kind;
}

/* memset(a, 0, sizeof a) and its like set all of it. */
static bool sets_all(const whole *w, const node *n, int variable)
{
    const node *size = n->kind == NODE_CALL && n->function < 0 && n->children > 2 ? n->child[2] : NULL;
    return size != NULL && node_variable(n->child[0]) == variable &&
           (call_of(w, n) == CALL_SET || call_of(w, n) == CALL_COPY) && size->copied &&
           strncmp(w->m->text + size->from, "sizeof", 6) == 0 &&
           memchr(w->m->text + size->from, '*', size->to - size->from) == NULL &&
           memchr(w->m->text + size->from, '[', size->to - size->from) == NULL;
}

static bool has_written(const whole *w, const node *n, const node *body, int variable, const node *read)
{
    if (n == NULL) {
        return false;
    }
    const node *left = n->kind == NODE_ASSIGN && n->operation == OP_NONE ? whole_bare(n->child[0]) : NULL;
    way to = {.sure = true};
    if ((left != NULL && left->kind == NODE_INDEX && lvalue_variable(left) == variable && covers(body, left, read)) ||
        (sets_all(w, n, variable) && n->from < read->from && find_way(body, n, &to) && to.sure)) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (has_written(w, n->child[i], body, variable, read)) return true;
    }
    return false;
}

/* Whether all elements that are read were set before; where the array goes elsewhere, nobody knows. */
static bool reads_are_written(const whole *w, const node *n, const node *body, int variable)
{
    if (n == NULL) {
        return true;
    }
    if (sets_all(w, n, variable)) {
        return reads_are_written(w, n->child[1], body, variable);
    }
    if (n->kind == NODE_VARIABLE && n->variable == variable) {
        return false;
    }
    if (n->kind == NODE_INDEX && lvalue_variable(n) == variable) {
        bool good = has_written(w, body, body, variable, n);
        for (const node *part = n; good && part->kind == NODE_INDEX; part = part->child[0]) {
            good = reads_are_written(w, part->child[1], body, variable);
        }
        return good;
    }
    bool good = true;
    const node *left = n->kind == NODE_ASSIGN && n->operation == OP_NONE ? whole_bare(n->child[0]) : NULL;
    bool set = left != NULL && left->kind == NODE_INDEX && lvalue_variable(left) == variable;
    for (const node *part = left; set && good && part->kind == NODE_INDEX; part = part->child[0]) {
        good = reads_are_written(w, part->child[1], body, variable);
    }
    for (int i = set; good && i < n->children; i++) {
        good = reads_are_written(w, n->child[i], body, variable);
    }
    return good;
}

/* Whether each iteration sets all members of a record that it uses, but `besides`. */
static bool members_are_set(const whole *w, const unit *u, const node *n, int variable, const char *besides)
{
    if (n == NULL) {
        return true;
    }
    if (n->kind == NODE_MEMBER && n->name != NULL && node_variable(n->child[0]) == variable &&
        (besides == NULL || strcmp(n->name, besides) != 0)) {
        flow f = {.w = w, .variable = variable, .entire = true, .member = n->name};
        flow_through(&f, u->body);
        return !f.used;
    }
    for (int i = 0; i < n->children; i++) {
        if (!members_are_set(w, u, n->child[i], variable, besides)) return false;
    }
    return true;
}

static bool names_whole(const node *n, int variable)
{
    bool named = n != NULL && n->kind == NODE_VARIABLE && n->variable == variable;
    for (int i = 0; n != NULL && !named && i < n->children; i++) {
        named = (n->kind != NODE_MEMBER || n->child[i]->kind != NODE_VARIABLE) && names_whole(n->child[i], variable);
    }
    return named;
}

static void study_array(whole *w, unit *u, int variable)
{
    const c_variable *v = &w->p->variable[variable];
    if (v->outside || u->inside[variable] || (!v->array && !v->record) || !node_holds(u->body, variable) ||
        !w->marks_memory[variable] || w->leaks[variable] ||
        used_elsewhere(w->p->function[u->function].body, u->loop, variable)) {
        return;
    }
    if (v->record) {
        flow f = {.w = w, .variable = variable, .entire = true};
        flow_through(&f, u->body);
        u->scratch[variable] =
            !f.used || (!names_whole(u->body, variable) && members_are_set(w, u, u->body, variable, NULL));
        return;
    }
    u->scratch[variable] = true;
    u->checked[variable] = !reads_are_written(w, u->body, u->body, variable);
    u->need[variable] = u->need[variable] || u->checked[variable];
    u->place[variable] = u->place[variable] || u->checked[variable];
}

/* The loop goes over a member: what it lies in belongs to the iteration. */
static bool study_member(whole *w, const unit *u)
{
    const c_variable *v = &w->p->variable[u->variable];
    uses s = {0};
    flow f = {.w = w, .variable = u->variable, .entire = true, .member = u->member};
    look(w, u->body, u->variable, &s);
    flow_through(&f, u->body);
    if (v->outside || w->leaks[u->variable] || f.assigned || names_whole(u->body, u->variable) ||
        used_elsewhere(w->p->function[u->function].body, u->loop, u->variable) ||
        !members_are_set(w, u, u->body, u->variable, u->member)) {
        return refuse(w->m, u->line,
                      "the marked loop goes over a member of '%s', which is used for something else, too; expected a "
                      "variable of its own",
                      v->name);
    }
    return true;
}

bool scalars_study(whole *w, unit *u)
{
    for (int v = 0; v < w->p->variables; v++) {
        const c_variable *c = &w->p->variable[v];
        bool scalar = !c->array && !c->record;
        if (u->inside[v] && c->outside && scalar && v != u->variable && node_holds(u->body, v)) {
            return refuse(w->m, c->line,
                          "'%s' is static in a marked loop, and so carried from one iteration to the next; "
                          "expected it declared in front of the loop",
                          c->name);
        }
        if (u->inside[v] && v != u->variable) {
            continue;
        }
        if (v == u->variable && u->member != NULL) {
            if (!study_member(w, u)) return false;
        } else if (v == u->variable) {
            uses s = {0};
            look(w, u->body, v, &s);
            if (s.writes > 0) {
                return refuse(w->m, s.line,
                              "'%s' is changed in the marked loop that goes over it; expected its step "
                              "alone to do so",
                              c->name);
            }
        } else if (scalar && !study_variable(w, u, v)) {
            return false;
        } else if (!scalar) {
            study_array(w, u, v);
        }
    }
    return true;
}

/* NOLINTEND(misc-no-recursion) */
