/* `compute on`: the elements that decide who computes an iteration. */
#include "csource/maploop/loops.h"
#include <string.h>

static bool same_text(const maploop *m, word w, const char *text, size_t length)
{
    return w.to - w.from == length && strncmp(m->text + w.from, text, length) == 0;
}

/* The element whose value is a subscript: a variable of the loop, or the element itself. */
static const node *find_subscript(const loop *l, word w)
{
    const maploop *m = l->m;
    for (int v = 0; v < m->program.variables; v++) {
        const char *name = m->program.variable[v].name;
        if (l->index[v] != NULL && same_text(m, w, name, strlen(name))) {
            return l->index[v];
        }
    }
    for (int i = 0; i < m->touches; i++) {
        const node *n = m->touched[i];
        if (n != NULL && same_text(m, w, m->text + n->from, n->to - n->from)) return n;
    }
    return NULL;
}

/* What stands in the first brackets of a reference. */
static word subscript_of(const maploop *m, word whole)
{
    word w = whole;
    while (w.from < w.to && m->text[w.from] != '[') {
        w.from++;
    }
    int depth = 0;
    for (unsigned at = w.from; at < whole.to; at++) {
        depth += (m->text[at] == '[') - (m->text[at] == ']');
        if (depth == 0) {
            return (word){w.from + 1, at};
        }
    }
    return (word){whole.to, whole.to};
}

bool loop_rule(loop *l)
{
    maploop *m = l->m;
    const node *chosen[MOST_TOUCHED];
    int count = 0;
    if (m->marks.rule == RULE_NONE || l->space != SPACE_ITERATIONS) {
        return true;
    }
    for (int i = 0; i < m->marks.touched_count; i++) {
        word w = m->marks.touched[i];
        const node *n = find_subscript(l, subscript_of(m, w));
        if (n == NULL) {
            return refuse(m, m->marks.rule_line,
                          "the loop refers to no '%.*s'; expected references as in the loop, such as "
                          "x[n1]",
                          (int)(w.to - w.from), m->text + w.from);
        }
        bool there = false;
        for (int k = 0; k < count; k++) {
            there = there || chosen[k] == n;
        }
        chosen[count] = n;
        count += !there;
    }
    m->part_decides = count < m->touches;
    memcpy(m->touched, chosen, (size_t)count * sizeof(const node *));
    m->touches = count;
    return true;
}
