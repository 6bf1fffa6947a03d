/* The text of a marked loop that is shared out. */
#include "csource/whole/whole.h"
#include <string.h>

static const char *name_of(const whole *w, int variable)
{
    return w->p->variable[variable].name;
}

static void add_quoted(text_buffer *to, const char *text)
{
    for (; *text != '\0'; text++) {
        char one[] = {*text, '\0'};
        text_add(to, *text == '"' || *text == '\\' ? "\\" : "");
        text_add(to, *text == '\n' || *text == '\t' ? " " : one);
    }
}

/* Where a line is told from. */
static void add_place(const whole *w, unsigned line, text_buffer *to)
{
    add_quoted(to, w->m->path);
    text_addf(to, ":%u", line);
}

static void add_sites(whole *w, const unit *u, text_buffer *to)
{
    for (int i = 0; i < u->sites; i++) {
        const site *s = &u->site[i];
        text_addf(to, "%s\n        {\"", i == 0 ? "" : ",");
        add_place(w, s->line, to);
        text_add(to, "\", \"");
        add_quoted(to, s->text);
        text_addf(to, "\", INLAY_ACCESS_%s, %d}", access_name(s->kind), s->key);
    }
}

static bool is_input(const whole *w, const unit *u, int v)
{
    const c_variable *c = &w->p->variable[v];
    scalar_kind kind = u->scalar[v];
    bool fixed = c->outside && (c->array || c->record || (c->constant && !c->assigned && !c->escapes));
    return u->input[v] && !fixed && (v != u->variable || (!u->declared && u->loop->child[0] == NULL)) &&
           kind != SCALAR_PRIVATE && kind != SCALAR_LAST && kind != SCALAR_REDUCED && kind != SCALAR_CHOSEN &&
           kind != SCALAR_BEST;
}

/* Of arrays and structures it is the place that counts. */
static int add_inputs(const whole *w, const unit *u, text_buffer *before, text_buffer *list)
{
    int count = 0;
    for (int v = 0; v < w->p->variables; v++) {
        const c_variable *c = &w->p->variable[v];
        if (!is_input(w, u, v)) {
            continue;
        }
        text_add(list, count++ > 0 ? ", " : "");
        if (c->array || c->record) {
            text_addf(before, "    const void *const inlay_at_%s = &%s;\n", c->name, c->name);
            text_addf(list, "INLAY_INPUT(inlay_at_%s)", c->name);
        } else if (c->type.kind == TYPE_POINTER) {
            text_addf(before, "    const void *const inlay_in_%s = (const void *)%s;\n", c->name, c->name);
            text_addf(list, "INLAY_INPUT(inlay_in_%s)", c->name);
        } else {
            const char *constant = strncmp(c->type_name, "const ", 6) == 0 ? "" : "const ";
            text_addf(before, "    %s%s inlay_in_%s = %s;\n", constant, c->type_name, c->name, c->name);
            text_addf(list, "INLAY_INPUT(inlay_in_%s)", c->name);
        }
    }
    for (int i = 0; i < u->member_inputs; i++) {
        text_addf(list, "%sINLAY_INPUT(%s)", count++ > 0 ? ", " : "", u->member_input[i]);
    }
    return count;
}

static void declare_before(const whole *w, int v, int number, access_kind kind, text_buffer *to)
{
    if (is_logical(kind) && w->p->variable[v].type.bits != 1) {
        text_addf(to, "    inlay_flag(inlay_program, inlay_about_%d.where, \"%s\", %s == 0 || %s == 1);\n", number,
                  name_of(w, v), name_of(w, v), name_of(w, v));
    }
    text_add(to, "    ");
    print_type(w, v, to);
    text_addf(to, "inlay_before_%s;\n    INLAY_NEUTRAL(INLAY_ACCESS_%s, %s, inlay_before_%s);\n", name_of(w, v),
              access_name(kind), name_of(w, v), name_of(w, v));
}

/* Notes where a choice was made.
 * NOLINTNEXTLINE(misc-no-recursion): as deep as the source */
static void wrap_choices(whole *w, const unit *u, const node *n, const choice *c, int number)
{
    if (n == NULL) {
        return;
    }
    int set = n->kind == NODE_ASSIGN ? node_variable(n->child[0]) : -1;
    if (set >= 0 && set == (c->best >= 0 ? c->best : c->variable[0])) {
        edit_insert(w->m, n->from, "(inlay_chosen_%d = 1, inlay_place_%d = (int64_t)%s, ", number, number, u->name);
        edit_insert(w->m, n->to, ")");
        return;
    }
    for (int i = 0; i < n->children; i++) {
        wrap_choices(w, u, n->child[i], c, number);
    }
}

static void begin_scalars(whole *w, const unit *u, text_buffer *to)
{
    for (int v = 0; v < w->p->variables; v++) {
        if (u->scalar[v] == SCALAR_REDUCED) {
            declare_before(w, v, u->number, u->reduced[v], to);
        }
    }
    for (int i = 0; i < u->choice_count; i++) {
        const choice *c = &u->choices[i];
        text_addf(to, "    int inlay_chosen_%d = 0;\n    int64_t inlay_place_%d = 0;\n", i, i);
        wrap_choices(w, u, u->body, c, i);
    }
}

static void end_choice(const whole *w, const unit *u, int number, text_buffer *to)
{
    const choice *c = &u->choices[number];
    text_addf(to, "    const inlay_carried inlay_carried_%d[] = {", number);
    for (int i = 0; i < c->variables; i++) {
        const char *name = name_of(w, c->variable[i]);
        text_addf(to, "%s{&%s, sizeof %s}", i > 0 ? ", " : "", name, name);
    }
    const char *best = name_of(w, c->best >= 0 ? c->best : c->variable[0]);
    text_addf(
        to, "};\n    inlay_must(inlay_program, inlay_loop_select(inlay_loop_%d, INLAY_ACCESS_%s, INLAY_NUMBER_OF(%s), ",
        u->number, access_name(c->kind), best);
    if (c->best >= 0) {
        text_addf(to, "&%s, ", best);
    } else {
        text_add(to, "NULL, ");
    }
    text_addf(to, "inlay_chosen_%d, inlay_place_%d, %d, inlay_carried_%d, %d));\n", number, number, c->later, number,
              c->variables);
}

static void end_scalars(const whole *w, const unit *u, text_buffer *to)
{
    for (int v = 0; v < w->p->variables; v++) {
        if (u->scalar[v] == SCALAR_REDUCED) {
            text_addf(to, "    INLAY_REDUCE(inlay_loop_%d, INLAY_ACCESS_%s, %s, inlay_before_%s);\n", u->number,
                      access_name(u->reduced[v]), name_of(w, v), name_of(w, v));
        } else if (u->scalar[v] == SCALAR_LAST) {
            text_addf(to, "    INLAY_LAST(inlay_loop_%d, %s);\n", u->number, name_of(w, v));
        }
    }
    for (int i = 0; i < u->choice_count; i++) {
        end_choice(w, u, i, to);
    }
}

/* for (...), as it stands. */
static void add_header(const whole *w, const unit *u, text_buffer *to)
{
    unsigned end = u->body->from;
    while (end > u->loop->from && strchr(" \t\r\n", w->m->text[end - 1]) != NULL) {
        end--;
    }
    bool comment = memchr(w->m->text + u->loop->from, '/', end - u->loop->from) != NULL;
    text_addf(to, "%.*s%s", (int)(end - u->loop->from), w->m->text + u->loop->from, comment ? "\n        " : " ");
}

/* By how much the loop counts up (down: below 0), where its test is one for that: i < n, n > i, ... 0: another form. */
static long long stride_of(const unit *u)
{
    const node *test = whole_bare(u->loop->child[1]), *step = whole_bare(u->loop->child[2]);
    const node *by = step->kind == NODE_ASSIGN ? whole_bare(step->child[1]) : NULL;
    if (test->kind != NODE_BINARY || (step->operation != OP_ADD && step->operation != OP_SUBTRACT) ||
        (by != NULL && (by->kind != NODE_CONSTANT || !by->known || by->value <= 0 || by->value > INT32_MAX))) {
        return 0;
    }
    bool left = node_variable(whole_bare(test->child[0])) == u->variable;
    bool right = node_variable(whole_bare(test->child[1])) == u->variable, down = step->operation == OP_SUBTRACT;
    bool less = test->operation == OP_LESS || test->operation == OP_LESS_EQUAL;
    bool more = test->operation == OP_GREATER || test->operation == OP_GREATER_EQUAL;
    if (left == right || !(left != down ? less : more)) {
        return 0;
    }
    long long stride = by == NULL ? 1 : (long long)by->value;
    return down ? -stride : stride;
}

static void add_about(whole *w, const unit *u, text_buffer *to)
{
    int n = u->number;
    text_addf(to, "    static inlay_loop *inlay_loop_%d;\n", n);
    if (u->sites > 0) {
        text_addf(to, "    static const inlay_site inlay_sites_%d[] = {", n);
        add_sites(w, u, to);
        text_add(to, "};\n");
    }
    text_addf(to, "    static const inlay_loop_about inlay_about_%d = {.where = \"", n);
    add_place(w, u->line, to);
    text_add(to, "\"");
    if (u->sites > 0) {
        text_addf(to, ", .site = inlay_sites_%d, .sites = %d, .keys = %d", n, u->sites, w->keys);
    }
    text_addf(to, ", .step = %lld%s};\n", stride_of(u), u->choice_count > 0 ? ", .ordered = 1" : "");
}

static void add_inspection(const whole *w, const unit *u, int inputs, text_buffer *to)
{
    text_addf(to, "    if (inlay_begin(inlay_program, &inlay_loop_%d, &inlay_about_%d, ", u->number, u->number);
    if (inputs > 0) {
        text_addf(to, "inlay_inputs_%d, %d)) {%s\n        ", u->number, inputs, text_content(&u->header));
    } else {
        text_addf(to, "NULL, 0)) {%s\n        ", text_content(&u->header));
    }
    add_header(w, u, to);
    text_addf(to,
              "{\n            inlay_loop_iteration(inlay_loop_%d, (int64_t)%s);%s\n        }\n"
              "        inlay_inspected(inlay_loop_%d);\n    }\n",
              u->number, u->name, text_content(&u->inspector), u->number);
}

/* The ranges of this rank; in each a plain loop, with the body as it is. */
static void add_run(const unit *u, text_buffer *to)
{
    const char *type = u->type_name, *name = u->name;
    const long long stride = stride_of(u);
    const char *sign = stride < 0 ? "-" : "+";
    text_addf(to,
              "    inlay_fetch(inlay_loop_%d);\n"
              "    for (int64_t inlay_q = 0; inlay_q < inlay_loop_%d->ranges; inlay_q++) {\n"
              "        const inlay_range inlay_r = inlay_range_at(inlay_loop_%d, inlay_q);\n        ",
              u->number, u->number, u->number);
    if (stride != 0) {
        text_addf(to, "for (%s%s%s = (%s)inlay_r.first; %s %s (%s)inlay_r.last %s 1; ", u->declared ? type : "",
                  u->declared ? " " : "", name, type, name, stride < 0 ? ">" : "<", type, sign);
        if (stride * stride == 1) {
            text_addf(to, "%s%s%s) ", name, sign, sign);
        } else {
            text_addf(to, "%s %s= %lld) ", name, sign, stride < 0 ? -stride : stride);
        }
        return;
    }
    text_addf(to, "%s%s%s = (%s)inlay_r.first;\n        ", u->declared ? type : "", u->declared ? " " : "", name, type);
    if (u->declared && !node_holds(u->body, u->variable)) {
        text_addf(to, "(void)%s;\n        ", name);
    }
}

bool loop_write(whole *w, unit *u)
{
    text_buffer before = {0}, behind = {0}, list = {0};
    bool keeps_start = !u->declared && u->loop->child[0] == NULL;
    text_add(&before, "{\n");
    add_about(w, u, &before);
    int inputs = add_inputs(w, u, &before, &list);
    if (inputs > 0) {
        text_addf(&before, "    const inlay_input inlay_inputs_%d[] = {%s};\n", u->number, text_content(&list));
    }
    if (keeps_start) {
        text_addf(&before, "    const %s inlay_first = %s;\n", u->type_name, u->name);
    }
    begin_scalars(w, u, &before);
    add_inspection(w, u, inputs, &before);
    add_run(u, &before);
    text_addf(&behind, "\n    }\n    inlay_end(inlay_loop_%d);\n", u->number);
    end_scalars(w, u, &behind);
    if (!u->declared) {
        if (keeps_start) {
            text_addf(&behind, "    %s = inlay_first;\n", u->name);
        }
        text_add(&behind, "    ");
        add_header(w, u, &behind);
        text_add(&behind, "{\n    }\n");
    }
    text_add(&behind, "}");
    unsigned end = statement_end(w->m, u->loop);
    edit_replace(w->m, u->loop->from, u->body->from, "%s", text_content(&before));
    edit_insert(w->m, end, "%s", text_content(&behind));
    bool good = !before.failed && !behind.failed && !list.failed;
    text_clear(&before);
    text_clear(&behind);
    text_clear(&list);
    return good || out_of_memory(w->m);
}
