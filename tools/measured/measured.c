/* `inlay compare --measured`: what runs took beside what was predicted. */
#include "measured.h"
#include "answer.h"
#include <inlay/inlay.h>

int measured_compare(const invocation *call, inlay_diag *diag)
{
    inlay_runs *runs = NULL;
    int status = inlay_runs_read((const char *const *)call->operands, (size_t)call->operand_count, &runs, diag);
    status = status == INLAY_OK ? give_out(call, runs, diag) : status;
    inlay_runs_free(runs);
    return status;
}
