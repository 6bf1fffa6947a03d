/* What `inlay synth` prints, as JSON. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* A program, and what is told of its file. */
typedef struct told {
    const inlay_synth *synth;
    const char *mapping, *output;
    int64_t bytes;
} told;

static int put_members(inlay_json *out, const void *of)
{
    const told *t = of;
    const inlay_synth_summary *s = inlay_synth_result(t->synth);
    result_put_mapping(out, t->mapping, inlay_synth_mapping(t->synth));
    inlay_json_put(out, "output %s file_bytes %" PRIi64 " tick_seconds %g", t->output, t->bytes,
                   s->tick_seconds > 0 ? s->tick_seconds : (double)NAN);
    inlay_json_put(out,
                   "ranks %d modules %d steps %" PRId64 " entries %" PRId64 " kinds %" PRId64 " works %" PRId64
                   " sequences %" PRId64 " depth %d messages %" PRId64 " bytes %" PRId64 " largest %" PRId64
                   " lanes %d memory %" PRId64 " counted %hhd timed %hhd",
                   s->ranks, s->modules, s->steps, s->entries, s->kinds, s->works, s->sequences, s->depth, s->messages,
                   s->bytes, s->largest, s->lanes, s->memory, s->counted, s->timed);
    return INLAY_OK;
}

int inlay_synth_write_json(const inlay_synth *synth, const char *output, int64_t bytes,
                           const inlay_result_context *context, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, &(told){synth, context->file, output, bytes}, path, diag);
}
