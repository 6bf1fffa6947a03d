/* What `inlay check` prints, as JSON. */
#include "base/diag.h"
#include <inlay/inlay.h>
#include <inttypes.h>

/* Findings, and the file that they are of. */
typedef struct told {
    const inlay_findings *findings;
    const char *file;
} told;

static int put_members(inlay_json *out, const void *of)
{
    const told *t = of;
    size_t count = inlay_findings_count(t->findings);
    inlay_json_put(out, "mapping %s holds %hhd checked %" PRId64 " believed %" PRId64 " findings [", t->file,
                   (bool)(count == 0), (int64_t)inlay_findings_checked(t->findings),
                   (int64_t)inlay_findings_believed(t->findings));
    for (size_t i = 0; i < count; i++) {
        inlay_json_string(out, NULL, inlay_findings_text(t->findings, i));
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_findings_write_json(const inlay_findings *findings, const inlay_result_context *context, const char *path,
                              inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, &(told){findings, context->file}, path, diag);
}
