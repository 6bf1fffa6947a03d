/* How inspectors are written: one pen goes through a body (see whole.h). */
#ifndef CSOURCE_INSPECT_H
#define CSOURCE_INSPECT_H

#include "csource/whole/whole.h"

typedef struct pen {
    whole *w;
    unit *u;
    text_buffer *to;
    int indent;
    int keep;           /**< > 0: under a condition that was left out; jumps are left out too */
    bool in_switch;     /**< that was left out */
    const node *top;    /**< the expression that is a statement */
    text_buffer *later; /**< steps in an expression, behind what it touches */
} pen;

/* inspect.c: statements */
void pen_margin(pen *p);
void pen_take_back(pen *p, size_t size);
void pen_flush(pen *p);
bool pen_state(pen *p, const node *n);

/* accesses.c of inspectors: what is told */
int pen_key(whole *w, const char *text);
int pen_site(pen *p, unsigned line, const char *text, access_kind kind, int key);
void pen_call(pen *p, const char *what, int number);
bool pen_tell(pen *p, const node *n, access_kind kind, bool source);
bool pen_visit_access(pen *p, const node *n, bool source);
bool pen_visit_address(pen *p, const node *n);
bool pen_note(pen *p, const char *what, const node *lvalue); /**< a call of the run time, with it */
bool pen_is_checked(const pen *p, const node *n);            /**< of an array whose use is made sure of when it runs */
bool pen_is_memory(const pen *p, const node *n);

/* expressions */
bool pen_update(pen *p, const node *n); /**< the statement as it is */
bool pen_visit(pen *p, const node *n, bool source);
bool pen_condition(pen *p, const node *condition, bool opposite, bool stores);

#endif
