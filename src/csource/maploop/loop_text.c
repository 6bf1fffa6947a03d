/* The text of a distributed loop: numbers of this rank, and the messages before and behind it. */
#include "csource/maploop/loops.h"
#include <stdlib.h>
#include <string.h>

void loop_localise(loop *l, const reference *r)
{
    const array *a = &l->m->array[r->array];
    unsigned from = r->whole->from;
    l->localised[r->array] = true;
    edit_replace(l->m, from, from + (unsigned)strlen(a->name), "%s_local", a->name);
}

static const char *size_name(const maploop *m, space_kind space)
{
    return m->program.variable[m->bound[space]].name;
}

bool loop_number(loop *l, const node *n)
{
    const c_variable *v = &l->m->program.variable[l->variable];
    bool wide = v->element != NULL && strcmp(v->element, "int64_t") == 0;
    return edit_name(l->m, n, "%s%s%sof_%s.global[%s]", wide ? "" : "(", wide ? "" : v->element, wide ? "" : ")",
                     size_name(l->m, l->space), v->name);
}

/* ---- Sums over ranks ---- */

static const char *mpi_type(const char *type)
{
    static const char *const known[][2] = {
        {"double", "MPI_DOUBLE"}, {"int64_t", "MPI_INT64_T"}, {"int", "MPI_INT"}, {"long", "MPI_LONG"}};
    for (size_t i = 0; type != NULL && i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i][0], type) == 0) return known[i][1];
    }
    return NULL;
}

/* Whether a line belongs to a loop. */
static bool stands_in(const maploop *m, const node *n, unsigned line)
{
    unsigned last = n->line;
    for (unsigned at = n->from; at < n->to; at++) {
        last += m->text[at] == '\n';
    }
    return n->line <= line && line <= last;
}

bool loop_reduce(loop *l, int variable, const char *operation, unsigned line)
{
    const c_variable *v = &l->m->program.variable[variable];
    if (v->escapes || (v->outside && stands_in(l->m, l->n, v->line))) {
        return refuse(l->m, line,
                      "'%s' is summed up over ranks, and %s; expected a variable that is seen where it stands", v->name,
                      v->escapes ? "its address is taken" : "stays in the loop");
    }
    if (mpi_type(v->element) == NULL || v->type.kind == TYPE_POINTER) {
        return refuse(l->m, line,
                      "'%s' is summed up over ranks and is of another type; expected double, int, long or "
                      "int64_t",
                      v->name);
    }
    for (int i = 0; i < l->reductions; i++) {
        if (l->reduction[i].variable == variable) {
            return strcmp(l->reduction[i].operation, operation) == 0 ||
                   refuse(l->m, line, "'%s' is a sum and an extreme in one loop; expected a variable for each",
                          v->name);
        }
    }
    if (l->reductions == MOST_REDUCTIONS) {
        return refuse(l->m, line, "a loop sums up more than %d variables; expected fewer", MOST_REDUCTIONS);
    }
    l->reduction[l->reductions++] = (reduction){variable, operation};
    return true;
}

static void write_sums_before(const loop *l, text_buffer *to, const char *indent)
{
    for (int i = 0; i < l->reductions; i++) {
        if (strcmp(l->reduction[i].operation, "SUM") == 0) {
            const char *name = l->m->program.variable[l->reduction[i].variable].name;
            text_addf(to, "%s = mapping.rank == 0 ? %s : 0; /* counts once */\n%s", name, name, indent);
        }
    }
}

static void write_sums_behind(const loop *l, text_buffer *to, const char *indent)
{
    for (int i = 0; i < l->reductions; i++) {
        const c_variable *v = &l->m->program.variable[l->reduction[i].variable];
        text_addf(to, "\n%sMPI_Allreduce(MPI_IN_PLACE, &%s, 1, %s, MPI_%s, mapping.comm);", indent, v->name,
                  mpi_type(v->element), l->reduction[i].operation);
    }
}

/* ---- Messages ---- */

static void write_exchange(text_buffer *to, const char *what, const array *a)
{
    text_addf(to, "must(inlay_halo_%s(mapping.halo, %s%s, %d, mapping.diag));", what, a->width > 0 ? "*" : "", a->name,
              a->width > 0 ? (int)a->width : 1);
}

/* Whether values of others travel while the marked loop goes through the iterations that need none. */
static bool overlaps(const loop *l, const node **zero)
{
    bool reads = false;
    *zero = loop_start(l->n);
    for (int i = 0; i < l->m->arrays; i++) {
        reads = reads || (l->use[i] & READ_OTHER) != 0;
    }
    return l->n == l->m->loop && l->space == SPACE_ITERATIONS && !l->m->part_decides && reads && *zero != NULL &&
           (*zero)->to == (*zero)->from + 1 && l->m->text[(*zero)->from] == '0';
}

static void write_begin(const loop *l, text_buffer *to, const char *indent)
{
    int fields = 0;
    text_addf(to, "must(inlay_halo_gather_begin(mapping.halo, (inlay_field[]){");
    for (int i = 0; i < l->m->arrays; i++) {
        const array *a = &l->m->array[i];
        if ((l->use[i] & READ_OTHER) != 0) {
            text_addf(to, "%s{%s%s, MPI_DOUBLE, %d}", fields++ > 0 ? ", " : "", a->width > 0 ? "*" : "", a->name,
                      a->width > 0 ? (int)a->width : 1);
        }
    }
    text_addf(to, "}, %d, mapping.diag)); /* gather: values set out */\n%s", fields, indent);
}

static void write_gathers(const loop *l, bool begun, text_buffer *to, const char *indent)
{
    for (int i = 0; i < l->m->arrays; i++) {
        const array *a = &l->m->array[i];
        if ((l->use[i] & READ_OTHER) != 0 && !begun) {
            write_exchange(to, "gather", a);
            text_addf(to, " /* gather */\n%s", indent);
        }
        if ((l->use[i] & ADD_OTHER) != 0 && a->gathered) {
            l->m->needs_no_ghosts = true;
            text_addf(to, "no_ghosts(%s, sizeof *%s); /* they hold what was gathered */\n%s", a->name, a->name, indent);
        }
    }
}

static void write_scatters(const loop *l, text_buffer *to, const char *indent)
{
    for (int i = 0; i < l->m->arrays; i++) {
        if ((l->use[i] & ADD_OTHER) != 0) {
            text_addf(to, "\n%s", indent);
            write_exchange(to, "scatter_add", &l->m->array[i]);
            text_addf(to, " /* scatter-add */");
        }
    }
}

/* ---- The marked loop ---- */

static void write_call(const maploop *m, text_buffer *to)
{
    text_addf(to, "map_loop(");
    write_arguments(m, to);
    text_addf(to, ");");
}

static void write_remap(const maploop *m, text_buffer *to, const char *indent)
{
    if (m->outermost == m->loop) {
        write_call(m, to);
        text_addf(to, "\n%s", indent);
    }
    if (m->marks.remap_line > 0) {
        text_addf(to, "if (%.*s) {\n%s    ", (int)(m->marks.remap.to - m->marks.remap.from),
                  m->text + m->marks.remap.from, indent);
        write_call(m, to);
        text_addf(to, "\n%s}\n%ssweep_begin();\n%s", indent, indent, indent);
    }
}

/* A loop with something in front of it and behind it is one statement still. */
static bool surround(maploop *m, const node *n, unsigned from, bool in_block, const char *before, const char *behind)
{
    static const char *const words[] = {"for", "while", "do"};
    unsigned end = statement_end(m, n);
    const char *begins = words[n->kind - NODE_FOR];
    if (end == 0 || strncmp(m->text + n->from, begins, strlen(begins)) != 0) {
        return refuse(m, n->line, "this loop begins or ends in a macro; expected it in the text of the program");
    }
    edit_replace(m, from, n->from, "%s%s", in_block ? "" : "{ ", before);
    if (*behind != '\0' || !in_block) {
        edit_insert(m, end, "%s%s", behind, in_block ? "" : " }");
    }
    return true;
}

bool insert_mapping(maploop *m, bool in_block)
{
    text_buffer text = {0};
    char indent[LONGEST_INDENT];
    indent_of(m, m->outermost->from, indent);
    write_call(m, &text);
    text_addf(&text, "\n%s", indent);
    bool good = !text.failed || out_of_memory(m);
    good = good && surround(m, m->outermost, m->outermost->from, in_block, text.data, "");
    text_clear(&text);
    return good;
}

void indent_of(const maploop *m, unsigned at, char indent[LONGEST_INDENT])
{
    unsigned begin = at, length = 0;
    while (begin > 0 && m->text[begin - 1] != '\n') {
        begin--;
    }
    while (length + 1 < LONGEST_INDENT && (m->text[begin + length] == ' ' || m->text[begin + length] == '\t')) {
        indent[length] = m->text[begin + length];
        length++;
    }
    indent[length] = '\0';
}

/* ---- The whole ---- */

static bool check_place(const loop *l)
{
    bool irregular = false;
    for (int i = 0; i < l->m->arrays; i++) {
        irregular = irregular || (l->use[i] & (READ_OTHER | ADD_OTHER)) != 0;
    }
    if (irregular && !l->m->mapped) {
        return refuse(l->m, l->n->line,
                      "this loop refers to elements of other ranks before the marked loop has told who owns "
                      "them; expected it behind the marked loop");
    }
    if (l->n == l->m->loop && l->m->bound[SPACE_ITERATIONS] < 0 && l->m->starts < 0) {
        return refuse(l->m, l->n->line,
                      "the marked loop goes over the elements without a loop over the entries of a row; "
                      "expected for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) in it, or a loop over edges");
    }
    if (l->n == l->m->loop && l->m->links == 0) {
        return refuse(l->m, l->n->line,
                      "the marked loop links no two elements of the arrays that are listed; expected it to "
                      "read one and to write another, through indices");
    }
    return true;
}

/* Twice around the loop: the iterations that need nothing of others, then, when values have come, the rest. */
static void write_halves(const loop *l, const node *zero, text_buffer *first, text_buffer *last, const char *indent)
{
    const char *n = size_name(l->m, l->space);
    text_addf(first,
              "for (int inlay_half = 0; inlay_half < 2; inlay_half++) { /* before they come, and with them */\n%s",
              indent);
    text_addf(last,
              "\n%sif (inlay_half == 0) {\n%s    must(inlay_halo_gather_end(mapping.halo, mapping.diag)); /* and have "
              "come */\n"
              "%s}\n%s}",
              indent, indent, indent, indent);
    edit_replace(l->m, zero->from, zero->to, "inlay_half == 0 ? 0 : of_%s.inner", n);
}

bool loop_edit(loop *l)
{
    maploop *m = l->m;
    text_buffer first = {0}, last = {0};
    if (!check_place(l)) {
        return false;
    }
    bool marked = l->n == m->loop;
    char indent[LONGEST_INDENT];
    indent_of(m, l->n->from, indent);
    if (marked) {
        text_addf(&first, "%s", indent);
        write_remap(m, &first, indent);
    }
    write_sums_before(l, &first, indent);
    const node *zero;
    bool halves = overlaps(l, &zero);
    if (halves) {
        write_begin(l, &first, indent);
    }
    write_gathers(l, halves, &first, indent);
    if (halves) {
        write_halves(l, zero, &first, &last, indent);
    }
    write_scatters(l, &last, indent);
    if (marked && m->marks.remap_line > 0) {
        text_addf(&last, "\n%ssweep_end();", indent);
    }
    write_sums_behind(l, &last, indent);
    bool good = !first.failed && !last.failed, refused = false;
    if (good) {
        const node *bound = bare(l->n->child[1]);
        bound = bare(bound->child[1]);
        refused = !surround(m, l->n, marked ? m->marks.first : l->n->from, m->in_block, text_content(&first),
                            text_content(&last)) ||
                  !(halves ? edit_name(m, bound, "(inlay_half == 0 ? of_%s.inner : of_%s.own)", size_name(m, l->space),
                                       size_name(m, l->space))
                           : edit_name(m, bound, "of_%s.own", size_name(m, l->space)));
    }
    text_clear(&first);
    text_clear(&last);
    return good ? !refused : out_of_memory(m);
}
