/* Constraints that no clustering can mend. */
#include "mapping/feasible.h"
#include "base/diag.h"
#include "machine/variant.h"
#include "mapping/partition.h"
#include <inttypes.h>
#include <stdlib.h>

void remedy_machine(const problem *p, inlay_diag *diag, const char *attribute, int64_t value)
{
    char *text = machine_text_with(p->machine, attribute, value);
    if (text != NULL) {
        diag_remedy(diag, "MACHINE", "%s", text);
    }
    free(text);
}

static int check_common_memory(const problem *p, inlay_diag *diag)
{
    int64_t limit = inlay_machine_common_memory(p->machine), total = 0;
    for (inlay_id d = 0; d < inlay_app_blocks(p->app); d++) {
        if (__builtin_add_overflow(total, inlay_app_block_size(p->app, d), &total)) {
            return diag_fail(diag, INLAY_OVERFLOW, "the data blocks pass 2^63 bytes");
        }
    }
    if (limit < 0 || total <= limit) {
        return INLAY_OK;
    }
    remedy_machine(p, diag, "common_memory", total);
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "the data blocks need %" PRId64 " bytes of common memory but %s has %" PRId64, total,
                     inlay_machine_text(p->machine), limit);
}

static int check_pins(const problem *p, inlay_diag *diag)
{
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id pin = inlay_app_pin(p->app, i);
        if (pin >= inlay_machine_processors(p->machine)) {
            remedy_machine(p, diag, "processors", (int64_t)pin + 1);
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module '%s' is pinned to processor %d but %s has processors 0 to %d",
                             inlay_app_module_name(p->app, i), pin, inlay_machine_text(p->machine),
                             inlay_machine_processors(p->machine) - 1);
        }
    }
    return INLAY_OK;
}

static int check_processor_memory(const problem *p, inlay_diag *diag)
{
    if (p->memory == NULL || p->memory_limit < 0) {
        return INLAY_OK;
    }
    partition part;
    int status = partition_make(p, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id largest = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        largest = part.clusters[partition_root(&part, i)].memory > part.clusters[partition_root(&part, largest)].memory
                      ? i
                      : largest;
    }
    int64_t needed = part.clusters[partition_root(&part, largest)].memory;
    partition_clear(&part);
    if (needed <= p->memory_limit) {
        return INLAY_OK;
    }
    remedy_machine(p, diag, "processor_memory", needed);
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "module '%s', with what must be with it, needs %" PRId64
                     " bytes of memory but a processor of %s has %" PRId64,
                     inlay_app_module_name(p->app, largest), needed, inlay_machine_text(p->machine), p->memory_limit);
}

int check_feasible(const problem *p, inlay_diag *diag)
{
    int status = check_pins(p, diag);
    if (status == INLAY_OK) {
        status = check_common_memory(p, diag);
    }
    return status == INLAY_OK ? check_processor_memory(p, diag) : status;
}
