/* Programs by hand. */
#include "dataflow_subject.h"

#include <check.h>
#include <stdio.h>

hand_program hand_begin(void)
{
    return (hand_program){inlay_program_new("hand"), inlay_diag_new(), NULL};
}

void hand_end(hand_program *h)
{
    inlay_profile_free(h->profile);
    inlay_program_free(h->program);
    inlay_diag_free(h->diag);
}

int hand_run(hand_program *h, const inlay_program_options *options)
{
    return inlay_program_profile(h->program, options, &h->profile, h->diag);
}

void hand_refused(hand_program *h, const inlay_program_options *options, int status, const char *message)
{
    ck_assert_int_eq(hand_run(h, options), status);
    ck_assert_ptr_null(h->profile);
    ck_assert_str_eq(inlay_diag_message(h->diag), message);
    hand_end(h);
}

void nothing(inlay_actor *self, void *state)
{
    (void)self;
    (void)state;
}

void put_one(inlay_actor *self, void *state)
{
    inlay_put(inlay_output(self, 0), state);
}

void get_one(inlay_actor *self, void *state)
{
    inlay_get(inlay_input(self, 0), state);
}

/* Waits, adds one, hands on: k modules in a chain. */
void add_one(inlay_actor *self, void *state)
{
    int x = 0;
    (void)state;
    if (inlay_input(self, 0) != NULL) inlay_get(inlay_input(self, 0), &x);
    x++;
    inlay_count(self, INLAY_ADD, 1);
    if (inlay_output(self, 0) != NULL) inlay_put(inlay_output(self, 0), &x);
}

void wire_chain(inlay_program *program, int modules, int step, inlay_body *body)
{
    int first = step > 0 ? 0 : modules - 1;
    for (int i = 0; i < modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        ck_assert_int_eq(inlay_program_module(program, name, body, &(int){0}, sizeof(int), NULL), i);
    }
    for (int k = 0, i = first; k + 1 < modules; k++, i += step)
        ck_assert_int_eq(inlay_program_wire(program, i, 0, i + step, 0, sizeof(int), 0, NULL), INLAY_OK);
}

void put_three(inlay_actor *self, void *state)
{
    for (int i = 0; i < 3; i++)
        inlay_put(inlay_output(self, 0), state);
}

hand_program hand_of(inlay_body *first, inlay_body *second)
{
    hand_program h = hand_begin();
    inlay_program_module(h.program, "a", first, &(int){0}, sizeof(int), NULL);
    inlay_program_module(h.program, "b", second, &(int){0}, sizeof(int), NULL);
    return h;
}
