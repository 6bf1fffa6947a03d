/*
 * Which arrays are distributed: those that the pragma lists, and all of the same sizes as the arrays of the marked loop.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows.
 */
#include "base/plain.h"
#include "csource/maploop/loops.h"
#include <string.h>

int array_find(const maploop *m, int variable)
{
    for (int i = 0; variable >= 0 && i < m->arrays; i++) {
        if (m->array[i].variable == variable) return i;
    }
    return -1;
}

static bool is_array(const node *n, const void *with)
{
    return n->kind == NODE_VARIABLE && array_find(with, n->variable) >= 0;
}

bool touches_arrays(const maploop *m, const node *n)
{
    const node *const start = n;
    node *root;
    memcpy(&root, &start, sizeof root);
    return node_find(root, is_array, m) != NULL;
}

/* ---- Allocations ---- */

/* `size` is a variable, or a variable + 1. */
static int read_size(const node *n, bool *one_more)
{
    n = bare(n);
    *one_more = n != NULL && n->kind == NODE_BINARY && n->operation == OP_ADD && bare(n->child[1])->known &&
                bare(n->child[1])->value == 1;
    return node_variable(*one_more ? n->child[0] : n);
}

static bool is_sizeof(const maploop *m, const node *n)
{
    n = bare(n);
    return n != NULL && n->kind == NODE_CONSTANT && strncmp(m->text + n->from, "sizeof", strlen("sizeof")) == 0;
}

static int read_allocation(const maploop *m, const node *call, bool *one_more)
{
    if (call == NULL || call->kind != NODE_CALL || call->name == NULL) {
        return -1;
    }
    if (strcmp(call->name, "calloc") == 0 && call->children == 2 && is_sizeof(m, call->child[1])) {
        return read_size(call->child[0], one_more);
    }
    const node *bytes = strcmp(call->name, "malloc") == 0 && call->children == 1 ? bare(call->child[0]) : NULL;
    if (bytes == NULL || bytes->kind != NODE_BINARY || bytes->operation != OP_MULTIPLY) {
        return -1;
    }
    int place = is_sizeof(m, bytes->child[1]) ? 0 : 1;
    return is_sizeof(m, bytes->child[1 - place]) ? read_size(bytes->child[place], one_more) : -1;
}

static bool note_allocation(maploop *m, int variable, node *value, node *statement)
{
    bool one_more = false;
    const node *call = bare(value);
    int size = variable < 0 ? -1 : read_allocation(m, call, &one_more);
    const c_variable *v = variable < 0 ? NULL : &m->program.variable[variable];
    if (size < 0 || v->element == NULL) {
        return true;
    }
    if (array_find(m, variable) >= 0) {
        return refuse(m, value->line, "'%s' is allocated a second time; expected one allocation of each array",
                      v->name);
    }
    if (statement == NULL) {
        return true; /* under a condition, or in a loop: none that is distributed */
    }
    if (!GROW(m->array, m->arrays, m->array_room)) {
        return out_of_memory(m);
    }
    node *allocation;
    memcpy(&allocation, &call, sizeof allocation);
    m->array[m->arrays++] = (array){.variable = variable,
                                    .name = v->name,
                                    .element = v->element,
                                    .width = v->width,
                                    .size = size,
                                    .one_more = one_more,
                                    .allocation = allocation,
                                    .statement = statement};
    return true;
}

/* Whether a part of a statement is done always, and once. */
static bool is_done_once(const node *n, int part)
{
    bool logic = n->kind == NODE_BINARY && (n->operation == OP_AND || n->operation == OP_OR);
    bool chooses = n->kind == NODE_IF || n->kind == NODE_SWITCH || n->kind == NODE_CHOICE;
    return part == 0 ? !node_is_loop(n) : logic || (!chooses && !node_is_loop(n));
}

/* `statement`: that of a block in which n stands; NULL: n may not be done, or often. */
static bool find_allocations(maploop *m, node *n, node *statement)
{
    if (n == NULL) {
        return true;
    }
    bool good = true;
    if (n->kind == NODE_DECLARATION && n->children > 0) {
        good = note_allocation(m, n->variable, n->child[0], statement);
    } else if (n->kind == NODE_ASSIGN && n->operation == OP_NONE) {
        good = note_allocation(m, node_variable(n->child[0]), n->child[1], statement);
    }
    bool block = n->kind == NODE_BLOCK && m->text[n->from] == '{';
    for (int i = 0; i < n->children && good; i++) {
        node *within = is_done_once(n, i) ? statement : NULL;
        good = find_allocations(m, n->child[i], block ? n->child[i] : within);
    }
    return good;
}

/* ---- Loops ---- */

static node *declared(node *start)
{
    while (start != NULL && start->kind == NODE_BLOCK && start->children == 1) {
        start = start->child[0];
    }
    return start != NULL && start->kind == NODE_DECLARATION && start->children == 1 ? start : NULL;
}

static bool is_one_step(const node *n, int variable)
{
    n = bare(n);
    if (n == NULL || n->children < 1 || node_variable(n->child[0]) != variable || n->operation != OP_ADD) {
        return false;
    }
    return n->kind == NODE_STEP ||
           (n->kind == NODE_ASSIGN && bare(n->child[1])->known && bare(n->child[1])->value == 1);
}

/* for (T i = START; i < BOUND; i++): its variable; -1: another form. */
static int simple_loop(const node *n, const node **start, const node **bound)
{
    node *first = n->kind == NODE_FOR ? declared(n->child[0]) : NULL;
    const node *until = first == NULL ? NULL : bare(n->child[1]);
    if (until == NULL || until->kind != NODE_BINARY || until->operation != OP_LESS ||
        node_variable(until->child[0]) != first->variable || !is_one_step(n->child[2], first->variable)) {
        return -1;
    }
    *start = bare(first->child[0]);
    *bound = bare(until->child[1]);
    return first->variable;
}

const node *loop_start(const node *n)
{
    const node *start = NULL, *bound;
    return simple_loop(n, &start, &bound) >= 0 ? start : NULL;
}

space_kind loop_space(const maploop *m, const node *n, int *variable)
{
    const node *start, *bound;
    *variable = simple_loop(n, &start, &bound);
    if (*variable < 0 || start->kind != NODE_CONSTANT || !start->known || start->value != 0 ||
        bound->kind != NODE_VARIABLE) {
        return SPACE_NONE;
    }
    for (space_kind k = SPACE_DATA; k < SPACE_ENTRIES; k++) {
        if (m->bound[k] == bound->variable) return k;
    }
    return SPACE_NONE;
}

static int index_variable(const node *n)
{
    return n->kind == NODE_INDEX ? node_variable(n->child[0]) : -1;
}

/* for (k = ptr[j]; k < ptr[j + 1]; k++): the variable ptr; -1: another form. */
static int row_loop(const node *n, int row, int *entry)
{
    const node *start, *bound;
    *entry = simple_loop(n, &start, &bound);
    if (*entry < 0 || index_variable(start) < 0 || index_variable(start) != index_variable(bound)) {
        return -1;
    }
    bool one_more;
    int first = read_size(start->child[1], &one_more);
    bool good = first == row && !one_more;
    int last = read_size(bound->child[1], &one_more);
    return good && last == row && one_more ? index_variable(start) : -1;
}

int row_loop_variable(const maploop *m, const node *n, int row)
{
    int entry;
    int starts = n->kind == NODE_FOR ? row_loop(n, row, &entry) : -1;
    return starts >= 0 && m->starts >= 0 && starts == m->array[m->starts].variable ? entry : -1;
}

/* ---- The marked loop and its spaces ---- */

static bool only_blanks(const maploop *m, unsigned from, unsigned to)
{
    while (from < to && plain_space((unsigned char)m->text[from])) {
        from++;
    }
    return from >= to;
}

static bool is_marked(const node *n, const void *with)
{
    const maploop *m = with;
    return n->kind == NODE_FOR && n->from >= m->marks.end && only_blanks(m, m->marks.end, n->from);
}

static bool find_listed(maploop *m)
{
    for (int i = 0; i < m->marks.arrays; i++) {
        word w = m->marks.array[i];
        int length = (int)(w.to - w.from), found = -1;
        for (int a = 0; a < m->arrays; a++) {
            if (strlen(m->array[a].name) == (size_t)length &&
                strncmp(m->array[a].name, m->text + w.from, (size_t)length) == 0) {
                found = a;
            }
        }
        if (found < 0) {
            return refuse(m, m->marks.line,
                          "main() allocates no array '%.*s'; expected malloc((size_t)SIZE * sizeof *%.*s) "
                          "or calloc, SIZE being a variable",
                          length, m->text + w.from, length, m->text + w.from);
        }
        const array *a = &m->array[found];
        if (a->one_more || strcmp(a->element, "double") != 0) {
            return refuse(m, m->marks.line, "'%s' has %s elements of type %s; expected as many double as the size says",
                          a->name, a->one_more ? "SIZE + 1" : "SIZE", a->element);
        }
        if (m->bound[SPACE_DATA] >= 0 && m->bound[SPACE_DATA] != a->size) {
            return refuse(m, m->marks.line,
                          "'%s' has %s elements and others that are listed %s; expected arrays that "
                          "conform",
                          a->name, m->program.variable[a->size].name, m->program.variable[m->bound[SPACE_DATA]].name);
        }
        m->bound[SPACE_DATA] = a->size;
    }
    return true;
}

typedef struct row_search {
    maploop *m;
    int entry;
} row_search;

static bool is_row_loop(const node *n, const void *with)
{
    const maploop *m = with;
    int entry, starts = row_loop(n, m->loop_variable, &entry), a = array_find(m, starts);
    return a >= 0 && m->array[a].one_more && m->array[a].size == m->bound[SPACE_DATA] &&
           strcmp(m->array[a].element, "int64_t") == 0;
}

static bool is_entry(const node *n, const void *with)
{
    const row_search *s = with;
    return n->kind == NODE_INDEX && array_find(s->m, node_variable(n->child[0])) >= 0 &&
           node_variable(n->child[1]) == s->entry;
}

/* A loop over rows and their entries: the CSR structure. */
static bool find_rows(maploop *m)
{
    node *rows = node_find(m->loop->child[3], is_row_loop, m);
    if (rows == NULL) {
        return true;
    }
    m->starts = array_find(m, row_loop(rows, m->loop_variable, &m->entry_variable));
    const row_search search = {m, m->entry_variable};
    const node *entry = node_find(rows->child[3], is_entry, &search);
    if (entry == NULL) {
        return refuse(m, rows->line,
                      "the loop over the entries of a row uses no array of entries; expected one at least");
    }
    m->bound[SPACE_ENTRIES] = m->array[array_find(m, node_variable(entry->child[0]))].size;
    return true;
}

static bool find_loop(maploop *m)
{
    const node *start, *bound;
    m->loop = node_find(m->main->body, is_marked, m);
    if (m->loop == NULL) {
        return refuse(m, m->marks.line,
                      "no loop follows the pragma in main(); expected for (int64_t i = 0; i < SIZE; i++)");
    }
    m->loop_variable = simple_loop(m->loop, &start, &bound);
    bool good = m->loop_variable >= 0 && start->kind == NODE_CONSTANT && start->known && start->value == 0 &&
                bound->kind == NODE_VARIABLE && !m->program.variable[m->loop_variable].type.is_unsigned;
    if (!good) {
        return refuse(m, m->loop->line,
                      "the marked loop has another form; expected for (int64_t i = 0; i < SIZE; i++)");
    }
    if (bound->variable != m->bound[SPACE_DATA]) {
        m->bound[SPACE_ITERATIONS] = bound->variable;
        return true;
    }
    return find_rows(m);
}

static bool is_before_marked(const node *n, const void *with)
{
    const maploop *m = with;
    return node_is_loop(n) && n->from <= m->loop->from && n->to >= m->loop->to;
}

/* Only arrays of distributed sizes stay in the list. */
static void keep_distributed(maploop *m)
{
    int kept = 0, starts = m->starts < 0 ? -1 : m->array[m->starts].variable;
    for (int i = 0; i < m->arrays; i++) {
        array a = m->array[i];
        for (space_kind k = SPACE_DATA; k < SPACES; k++) {
            if (m->bound[k] == a.size && (!a.one_more || a.variable == starts)) a.space = k;
        }
        if (a.space != SPACE_NONE) {
            m->array[kept++] = a;
        }
    }
    m->arrays = kept;
    m->starts = array_find(m, starts);
}

/* What is global could change in functions that know nothing of its distribution. */
static bool check_local(maploop *m)
{
    for (int i = 0; i < m->arrays; i++) {
        const c_variable *v = &m->program.variable[m->array[i].variable];
        const c_variable *size = &m->program.variable[m->array[i].size];
        if (v->outside || (size->outside && !size->constant)) {
            return refuse(m, m->array[i].allocation->line, "'%s' is global; expected a variable of main()",
                          v->outside ? v->name : size->name);
        }
    }
    return true;
}

static int count_declarations(const maploop *m, const node *n, const char *name)
{
    int count = n != NULL && n->kind == NODE_DECLARATION && strcmp(variable_name(m, n->variable), name) == 0;
    for (int i = 0; n != NULL && i < n->children; i++) {
        count += count_declarations(m, n->child[i], name);
    }
    return count;
}

static bool is_statement(const node *n, const void *with)
{
    return n == with;
}

static bool is_block_of(const node *n, const void *with)
{
    for (int i = 0; n->kind == NODE_BLOCK && i < n->children; i++) {
        if (n->child[i] == with) return true;
    }
    return false;
}

/* map_loop() gets the arrays where it is called: in front of the outermost loop they are there, under their names. */
static bool check_places(maploop *m)
{
    for (int i = 0; i < m->arrays; i++) {
        const array *a = &m->array[i];
        const c_variable *v = &m->program.variable[a->variable];
        size_t length = strlen(a->allocation->name);
        node *block = node_find(m->main->body, is_block_of, a->statement);
        if (a->statement->from > m->outermost->from || node_find(a->statement, is_statement, m->outermost) != NULL ||
            block == NULL || node_find(block, is_statement, m->outermost) == NULL) {
            return refuse(
                m, a->allocation->line,
                "'%s' is not allocated in front of the outermost loop around the marked one; expected it there, "
                "in the same block or one around it",
                a->name);
        }
        if (v->constant) {
            return refuse(m, a->allocation->line,
                          "'%s' cannot point to another place; expected no const, and no static", a->name);
        }
        if (strncmp(m->text + a->allocation->from, a->allocation->name, length) != 0) {
            return refuse(m, a->allocation->line, "the allocation of '%s' stands in a macro; expected it in the text",
                          a->name);
        }
        if (count_declarations(m, m->main->body, a->name) != 1 ||
            count_declarations(m, m->main->body, variable_name(m, a->size)) > 1) {
            return refuse(m, a->allocation->line,
                          "'%s' or its size has a name that main() gives to something else too; expected one meaning",
                          a->name);
        }
    }
    return true;
}

bool arrays_find(maploop *m)
{
    for (int i = 0; i < m->program.functions; i++) {
        if (strcmp(m->program.function[i].name, "main") == 0) m->main = &m->program.function[i];
    }
    for (space_kind k = SPACE_NONE; k < SPACES; k++) {
        m->bound[k] = -1;
    }
    m->starts = m->loop_variable = m->entry_variable = -1;
    if (m->main == NULL) {
        return refuse(m, m->marks.line, "the file has no main(); expected a whole program");
    }
    if (!find_allocations(m, m->main->body, NULL) || !find_listed(m) || !find_loop(m)) {
        return false;
    }
    keep_distributed(m);
    m->outermost = node_find(m->main->body, is_before_marked, m);
    return check_local(m) && check_places(m);
}

/* NOLINTEND(misc-no-recursion) */
