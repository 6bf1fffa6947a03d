/* Programs that fail as they run; -D how tells which way. */
#include <inlay/dataflow.h>
#include <stdlib.h>
#include <string.h>

enum { LOOP, HALF, WRONG, STACK, NULL_POINTER, DIVIDE, ABORT, LEFT, NOTHING, TWICE, SILENT, UNWIRED };

static volatile int zero;

static int deep(int n)
{
    volatile char room[4096];
    memset((void *)room, n, sizeof room);
    return n == 0 ? room[1] : deep(n - 1) + room[0];
}

static void work(inlay_actor *self, void *state)
{
    const int how = *(const int *)state;
    double x = 1;
    switch (how) {
    case STACK: inlay_count(self, INLAY_ADD, deep(100)); break;
    case NULL_POINTER: inlay_count(self, INLAY_ADD, *(volatile int *)(uintptr_t)(unsigned)zero); break;
    case DIVIDE: inlay_count(self, INLAY_ADD, 1000 / zero); break;
    case ABORT: abort();
    default: break;
    }
    if (inlay_input(self, 0) != NULL) inlay_get(inlay_input(self, 0), &x);
    if (inlay_output(self, 0) != NULL) inlay_put(inlay_output(self, 0), &x);
    if (how == HALF && inlay_input(self, 0) != NULL) inlay_get(inlay_input(self, 0), &x);
    if (how == LEFT && inlay_output(self, 0) != NULL) inlay_put(inlay_output(self, 0), &x);
}

static const char *check(void *context, char *text, size_t size)
{
    (void)context;
    (void)text;
    (void)size;
    return "2 + 2 is 5";
}

int inlay_program_main(inlay_program *program, inlay_diag *diag)
{
    const int how = (int)inlay_parameter(program, "how", 0);
    if (how == NOTHING) return INLAY_OK;
    if (how == SILENT) return 7;
    (void)inlay_program_module(program, "first", work, &how, sizeof how, diag);
    (void)inlay_program_module(program, how == TWICE ? "first" : "second", work, &how, sizeof how, diag);
    (void)inlay_program_wire(program, 0, 0, how == UNWIRED ? 2 : 1, 0, sizeof(double), 0, diag);
    if (how == LOOP) (void)inlay_program_wire(program, 1, 0, 0, 0, sizeof(double), 0, diag);
    if (how == WRONG) inlay_program_check(program, check, NULL);
    return INLAY_OK;
}
