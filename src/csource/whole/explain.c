/* What is seen of a program, for its user. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/whole.h"
#include <string.h>

static const char *kind_words(access_kind kind)
{
    static const char *const words[] = {"read", "written", "added to",     "multiplied",  "minimum",   "maximum",
                                        "and",  "or",      "exclusive or", "logical and", "logical or"};
    return words[kind];
}

static void explain_sites(const unit *u, text_buffer *to)
{
    for (int i = 0; i < u->sites; i++) {
        bool known = false;
        for (int k = 0; k < i && !known; k++) {
            known = u->site[k].kind == u->site[i].kind && strcmp(u->site[k].text, u->site[i].text) == 0;
        }
        if (!known) {
            text_addf(to, "    line %u: %s is %s%s\n", u->site[i].line, u->site[i].text,
                      u->site[i].kind >= ACCESS_MIN ? "accumulated: " : "", kind_words(u->site[i].kind));
        }
    }
}

static void explain_scalars(const whole *w, const unit *u, text_buffer *to)
{
    static const char *const words[] = {"",
                                        "",
                                        "private to each iteration",
                                        "private, its last value kept",
                                        "reduced: ",
                                        "the last value that an iteration sets is kept",
                                        "chosen with its extreme"};
    for (int v = 0; v < w->p->variables; v++) {
        if (u->scalar[v] > SCALAR_INPUT) {
            text_addf(to, "    %s: %s%s\n", w->p->variable[v].name, words[u->scalar[v]],
                      u->scalar[v] == SCALAR_REDUCED ? kind_words(u->reduced[v]) : "");
        } else if (u->scratch[v]) {
            text_addf(to, "    %s: an array that each iteration fills anew\n", w->p->variable[v].name);
        }
    }
}

static void explain_inputs(const whole *w, const unit *u, text_buffer *to)
{
    const char *between = "    inspected anew where these change: ";
    for (int v = 0; v < w->p->variables; v++) {
        if (u->input[v] && v != u->variable && u->scalar[v] <= SCALAR_INPUT) {
            text_addf(to, "%s%s", between, w->p->variable[v].name);
            between = ", ";
        }
    }
    text_add(to, *between == ',' ? "\n" : "");
}

static const unit *find_unit(const whole *w, const node *n)
{
    for (int i = 0; i < w->loops; i++) {
        if (w->loop[i].loop == n) return &w->loop[i];
    }
    return NULL;
}

static void explain_loops(const whole *w, const node *n, bool inside, text_buffer *to)
{
    if (n == NULL) {
        return;
    }
    const unit *u = find_unit(w, n);
    if (u != NULL) {
        text_addf(to, "  line %u: marked, goes over %s: shared out\n", n->line,
                  u->variable >= 0 ? w->p->variable[u->variable].name : "?");
        if (u->scalar != NULL) {
            explain_sites(u, to);
            explain_scalars(w, u, to);
            explain_inputs(w, u, to);
        }
    } else if (node_is_loop(n) && !inside) {
        text_addf(to, "  line %u: not marked: every rank runs all of it\n", n->line);
    }
    for (int i = 0; i < n->children; i++) {
        explain_loops(w, n->child[i], inside || u != NULL, to);
    }
}

void explain(const whole *w, text_buffer *to)
{
    to->size = 0;
    for (int f = 0; f < w->p->functions; f++) {
        const c_function *c = &w->p->function[f];
        text_buffer loops = {0};
        explain_loops(w, c->header == NULL ? c->body : NULL, false, &loops);
        if (loops.size > 0) {
            text_addf(to, "%s(), line %u\n%s", c->name, c->line, text_content(&loops));
        }
        text_settle(&loops, to);
        text_clear(&loops);
    }
}

/* NOLINTEND(misc-no-recursion) */
