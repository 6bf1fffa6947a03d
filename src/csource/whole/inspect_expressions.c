/* Expressions in inspectors. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/inspect.h"
#include <string.h>

/* ---- Assignments ---- */

static bool is_needed(const pen *p, const node *target)
{
    int variable = target->kind == NODE_VARIABLE ? target->variable : lvalue_variable(target);
    return variable >= 0 && p->u->need[variable];
}

bool pen_update(pen *p, const node *n)
{
    pen_margin(p);
    bool good = print_node(p->w, p->u, n, true, p->to);
    text_add(p->to, ";");
    return good;
}

/* What follows sees it: at once where it is a statement. In an expression it waits, for it stands in the text of what is around it. */
static bool update_in_place(pen *p, const node *n, size_t before)
{
    pen_take_back(p, before); /* they stand in its text */
    if (n == p->top) {
        return pen_update(p, n);
    }
    pen after = *p;
    after.to = p->later;
    return pen_update(&after, n);
}

/* What is stored to memory is there for what follows in the iteration. */
static bool try_out(pen *p, const node *n, size_t before)
{
    const node *target = whole_bare(n->child[0]);
    if (n->kind == NODE_ASSIGN && !can_evaluate(p->w, p->u, n->child[1])) {
        return refuse(
            p->w->m, n->line,
            "indices of this loop hang on what it writes, and what is written here hangs on what is summed up "
            "or not known; expected them in another loop");
    }
    return pen_note(p, "INLAY_TRY", target) && update_in_place(p, n, before);
}

static bool visit_memory(pen *p, const node *n, const node *target)
{
    accumulation a;
    size_t before = p->later->size;
    bool replays = p->u->replays, accumulates = accumulation_in_memory(n, &a) && pen_is_memory(p, a.target);
    for (int i = 0; accumulates && i < a.values; i++) {
        if (!pen_visit(p, a.value[i], replays)) return false;
    }
    bool reads = !accumulates && (n->kind == NODE_STEP || n->operation != OP_NONE);
    bool told = (accumulates || n->kind != NODE_ASSIGN || pen_visit(p, n->child[1], replays)) &&
                pen_visit_address(p, target) && (!reads || pen_tell(p, target, ACCESS_READ, replays)) &&
                pen_tell(p, target, accumulates ? a.kind : ACCESS_WRITE, false);
    return told && (!replays || try_out(p, n, before));
}

static bool visit_assignment(pen *p, const node *n)
{
    const node *target = whole_bare(n->child[0]);
    size_t before = p->later->size;
    bool filled = filled_pointer(p->u, n) >= 0 && !p->u->replays; /* private memory of the caller */
    if (!filled && pen_is_memory(p, target)) {
        return visit_memory(p, n, target);
    }
    bool needed = filled || is_needed(p, target), checked = pen_is_checked(p, target) || filled;
    bool reads = checked && !filled && (n->kind == NODE_STEP || n->operation != OP_NONE);
    return (n->kind != NODE_ASSIGN || pen_visit(p, n->child[1], needed)) && pen_visit_address(p, target) &&
           (!reads || pen_note(p, "INLAY_SOURCE", target)) && (!checked || pen_note(p, "INLAY_FILLS", target)) &&
           (!needed || update_in_place(p, n, before));
}

/* ---- Conditions in expressions ---- */

static bool visit_into(const pen *p, const node *n, bool source, text_buffer *part)
{
    pen inner = *p;
    text_buffer later = {0};
    inner.to = part;
    inner.later = &later;
    inner.indent++;
    bool good = pen_visit(&inner, n, source);
    pen_flush(&inner);
    text_settle(&later, part);
    text_clear(&later);
    return good;
}

bool pen_condition(pen *p, const node *condition, bool opposite, bool stores)
{
    pen_margin(p);
    text_add(p->to, opposite ? "if (!(" : "if (");
    bool good = print_node(p->w, p->u, condition, stores, p->to);
    text_add(p->to, opposite ? ")) {" : ") {");
    return good;
}

static bool visit_choice(pen *p, const node *n, bool source)
{
    bool stays = condition_stays(p->w, p->u, n), two = n->kind == NODE_CHOICE && n->children == 3;
    text_buffer first = {0}, second = {0};
    bool good = visit_into(p, n->child[1], source, &first) && (!two || visit_into(p, n->child[2], source, &second));
    bool some = first.size + second.size > 0;
    good = good && pen_visit(p, n->child[0], source || (stays && some));
    if (good && some && stays) {
        bool opposite = n->operation == OP_OR;
        good = pen_condition(p, n->child[0], opposite, false);
        text_add(p->to, text_content(&first));
        pen_margin(p);
        text_add(p->to, "}");
        if (second.size > 0) {
            text_addf(p->to, " else {%s", text_content(&second));
            pen_margin(p);
            text_add(p->to, "}");
        }
    } else if (good) {
        text_add(p->to, text_content(&first));
        text_add(p->to, text_content(&second));
    }
    text_clear(&first);
    text_clear(&second);
    return good;
}

/* ---- Calls ---- */

static bool tell_block(pen *p, const node *call, int argument, access_kind kind)
{
    const node *at = call->child[argument], *size = call->child[call->children > 2 ? 2 : call->children - 1];
    int variable = pointer_variable(at);
    const node *pointer = whole_bare(at);
    if (variable >= 0 && p->u->inside[variable] &&
        (p->w->p->variable[variable].array || p->w->p->variable[variable].record) && pointer->kind != NODE_MEMBER) {
        return true;
    }
    text_buffer text = {0};
    bool good = can_evaluate(p->w, p->u, at) && can_evaluate(p->w, p->u, size);
    if (!good) {
        (void)refuse(p->w->m, call->line,
                     "which memory '%s' touches hangs on what the marked loop itself changes; expected "
                     "it known before the loop",
                     call->name);
    }
    good = good && print_node(p->w, p->u, at, false, &text);
    if (good) {
        int number = pen_site(p, call->line, text_content(&text), kind, pen_key(p->w, text_content(&text)));
        pen_call(p, "inlay_loop_touch", number);
        text_addf(p->to, "INLAY_NUMBER_BYTES, %s, ", text_content(&text));
        good = print_node(p->w, p->u, size, false, p->to);
        text_add(p->to, ");");
    }
    text_clear(&text);
    return good;
}

static bool copy_out(pen *p, const node *n)
{
    if (n != p->top || !can_evaluate(p->w, p->u, n->child[1])) {
        return refuse(p->w->m, n->line,
                      "indices of this loop hang on what it writes, and what '%s' writes is not known; expected them "
                      "in another loop",
                      n->name);
    }
    pen_call(p, "inlay_loop_try", -1);
    bool good = print_node(p->w, p->u, n->child[0], false, p->to);
    text_add(p->to, ", ");
    good = good && print_node(p->w, p->u, n->child[n->children > 2 ? 2 : n->children - 1], false, p->to);
    text_add(p->to, ");");
    return good && pen_update(p, n);
}

static bool visit_call(pen *p, const node *n, bool source)
{
    call_kind kind = call_of(p->w, n);
    for (int i = 0; i < n->children; i++) {
        bool handed = kind == CALL_PROGRAM && i < p->w->p->function[n->function].parameters &&
                      parameter_stays(p->w, n->function, i);
        if (!pen_visit(p, n->child[i], source || handed || ((kind == CALL_COPY || kind == CALL_SET) && i != 1))) {
            return false;
        }
        if (handed && !can_evaluate(p->w, p->u, n->child[i])) {
            return refuse(p->w->m, n->line,
                          "an argument of '%s', on which addresses hang, hangs on what the marked loop "
                          "itself changes; expected it known before the loop",
                          n->name);
        }
    }
    if (kind == CALL_COPY || kind == CALL_SET) {
        return (kind == CALL_SET || tell_block(p, n, 1, ACCESS_READ)) && tell_block(p, n, 0, ACCESS_WRITE) &&
               (!p->u->replays || copy_out(p, n));
    }
    if (kind != CALL_PROGRAM || source) {
        return true;
    }
    pen_margin(p);
    text_add(p->to, p->w->function[n->function].wants_value ? "(void)" : "");
    bool good = print_node(p->w, p->u, n, false, p->to);
    text_add(p->to, ";");
    return good;
}

bool pen_visit(pen *p, const node *n, bool source)
{
    if (n == NULL || n->kind == NODE_CONSTANT) {
        return true;
    }
    if (n->kind == NODE_CALL) {
        return visit_call(p, n, source);
    }
    if (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) {
        return visit_assignment(p, n);
    }
    if (n == p->top && n->kind == NODE_BINARY && n->operation == OP_COMMA && n->children == 2) {
        return pen_state(p, n->child[0]) && pen_state(p, n->child[1]);
    }
    if (n->kind == NODE_CHOICE || (n->kind == NODE_BINARY && (n->operation == OP_AND || n->operation == OP_OR))) {
        return visit_choice(p, n, source);
    }
    if (n->kind == NODE_UNARY && n->operation == OP_ADDRESS) {
        const node *inner = whole_bare(n->child[0]);
        return !is_lvalue(inner) || pen_visit_address(p, inner);
    }
    if (is_lvalue(n) || n->kind == NODE_VARIABLE) {
        return (n->kind == NODE_VARIABLE || pen_visit_address(p, n)) &&
               (!pen_is_checked(p, n) || pen_note(p, "INLAY_SOURCE", n)) &&
               (n->array || !pen_is_memory(p, n) || pen_visit_access(p, n, source));
    }
    for (int i = 0; i < n->children; i++) {
        bool statement = n->child[i] != NULL && n->child[i]->kind >= NODE_BLOCK;
        if (!(statement ? pen_state(p, n->child[i]) : pen_visit(p, n->child[i], source))) return false;
    }
    return true;
}

/* NOLINTEND(misc-no-recursion) */
