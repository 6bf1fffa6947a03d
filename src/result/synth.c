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

/* clang-format off */
#define OF_SUM(member) FIELD(inlay_synth_summary, #member, member)
static const field summary[] = {
    OF_SUM(ranks), OF_SUM(modules), OF_SUM(steps), OF_SUM(entries), OF_SUM(kinds), OF_SUM(works), OF_SUM(sequences),
    OF_SUM(depth), OF_SUM(messages), OF_SUM(bytes), OF_SUM(largest), OF_SUM(lanes), OF_SUM(memory), OF_SUM(counted),
    OF_SUM(timed), FIELD_LAST};
/* clang-format on */

static int put_members(inlay_json *out, const void *of)
{
    const told *t = of;
    const inlay_synth_summary *s = inlay_synth_result(t->synth);
    result_put_mapping(out, t->mapping, inlay_synth_mapping(t->synth));
    inlay_json_put(out, "output %s file_bytes %" PRIi64 " tick_seconds %g", t->output, t->bytes,
                   s->tick_seconds > 0 ? s->tick_seconds : (double)NAN);
    fields_put(out, summary, s);
    return INLAY_OK;
}

int inlay_synth_write_json(const inlay_synth *synth, const char *output, int64_t bytes,
                           const inlay_result_context *context, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, &(told){synth, context->file, output, bytes}, path, diag);
}
