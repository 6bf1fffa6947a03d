/* What the plain ways to place modules share. */
#include "cluster/rivals.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/method.h"
#include "problem/order.h"
#include "problem/remedy.h"
#include <inttypes.h>
#include <stdlib.h>

static int check_memory(const problem *p, const inlay_id *processor_of, inlay_diag *diag)
{
    int64_t *used = memory_zeroed((size_t)inlay_machine_hosts(p->machine), sizeof *used);
    int64_t most = 0;
    inlay_id over = -1;
    if (used == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        int64_t *there = &used[inlay_machine_host(p->machine, processor_of[i])];
        int64_t limit = kinds_of(&p->kinds, processor_of[i])->memory;
        *there += p->memory[i];
        over = over < 0 && limit >= 0 && *there > limit ? processor_of[i] : over;
        most = *there > most ? *there : most;
    }
    free(used);
    if (over < 0) {
        return INLAY_OK;
    }
    remedy_machine(p->machine, diag, "processor_memory", most);
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "method %s looks at no memory, and processor %d has not enough for the modules that it gets",
                     method_of(&p->options)->is.name, over);
}

/* Whoever holds several cores goes down to where its host has as many, else up to the next such place. */
static inlay_id find_seat(const problem *p, inlay_id module, inlay_id wanted)
{
    inlay_id at = wanted;
    while (at >= 0 && !problem_has_seat(p, module, at)) {
        at--;
    }
    for (; at < 0 && wanted < p->processors; wanted++) {
        at = problem_has_seat(p, module, wanted) ? wanted : -1;
    }
    return at;
}

int rival_finish(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id pin = inlay_app_pin(p->app, i);
        processor_of[i] = pin >= 0 ? pin : find_seat(p, i, processor_of[i]);
    }
    int status = p->memory == NULL ? INLAY_OK : check_memory(p, processor_of, diag);
    return status == INLAY_OK ? execution_order(p, NULL, order, diag) : status;
}
