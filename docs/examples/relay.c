/* Numbers pass through a chain of modules, each of which adds 1 to them. Where the chain ends, their sum is checked. */
#include <inlay/dataflow.h>
#include <stdio.h>

enum { NUMBERS = 10, MOST_STAGES = 1000 };

/* What a module knows: the run gives each module a copy of its own. */
typedef struct stage {
    int number;
    double *sum; /* of what comes out at the end */
} stage;

static void add_one(inlay_actor *self, void *state)
{
    const stage *s = state;
    inlay_port *from = inlay_input(self, 0), *to = inlay_output(self, 0);
    double sum = 0;
    for (int i = 0; i < NUMBERS; i++) {
        double x = i;
        if (from != NULL) inlay_get(from, &x); /* the first stage makes them */
        x += 1;
        inlay_count(self, INLAY_ADD, 1);
        sum += x;
        if (to != NULL) inlay_put(to, &x);
    }
    if (to == NULL) *s->sum = sum;
}

static const char *check(void *context, char *text, size_t size)
{
    const stage *last = context;
    (void)snprintf(text, size, "the sum is %g", *last->sum);
    return *last->sum == NUMBERS * (NUMBERS - 1) / 2 + NUMBERS * last->number ? NULL : "the sum is wrong";
}

int inlay_program_main(inlay_program *program, inlay_diag *diag)
{
    int stages = (int)inlay_parameter(program, "stages", 4);
    if (stages < 1 || stages > MOST_STAGES) {
        return inlay_program_refuse(diag, "there are %d stages; expected 1 to %d", stages, MOST_STAGES);
    }
    stage *s = inlay_program_memory(program, sizeof *s);
    double *sum = inlay_program_memory(program, sizeof *sum);
    if (s == NULL || sum == NULL) return INLAY_NO_MEMORY;
    *s = (stage){stages, sum};
    for (int i = 0; i < stages; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "stage%d", i + 1);
        (void)inlay_program_module(program, name, add_one, s, sizeof *s, diag);
        if (i > 0) {
            (void)inlay_program_wire(program, i - 1, 0, i, 0, sizeof(double), 0, diag);
        }
    }
    inlay_program_check(program, check, s);
    return INLAY_OK;
}
