/* What `inlay compress` prints, as JSON. */
#include "base/diag.h"
#include <inlay/inlay.h>
#include <inttypes.h>

static void put_remarks(inlay_json *out, const char *key, const inlay_source_remark *remark, size_t count)
{
    inlay_json_array(out, key);
    for (size_t i = 0; i < count; i++) {
        if (remark[i].file != NULL) {
            inlay_json_put(out, "{ file %s line %" PRId64 " text %s }", remark[i].file, remark[i].line, remark[i].text);
        } else {
            inlay_json_put(out, "{ line %" PRId64 " text %s }", remark[i].line, remark[i].text);
        }
    }
    inlay_json_array_end(out);
}

/* Of a run: how the counts came about, and over how many calls. */
static void put_origin(inlay_json *out, const inlay_counted_function *f)
{
    const char *count = !f->bounded ? "unknown" : f->kind == INLAY_COUNT_EXACT ? "exact" : "measured";
    if (f->kind != INLAY_COUNT_READ) {
        inlay_json_put(out, "count %s calls %" PRId64, count, f->calls);
    }
}

static void put_function(inlay_json *out, const inlay_counted_function *f)
{
    inlay_json_put(out, "{ name %s line %" PRId64, f->name, f->line);
    put_origin(out, f);
    inlay_json_put(out, "arithmetic %" PRIi64 " functions %" PRIi64 " bytes %" PRIi64 " bodies [",
                   f->bounded ? f->arithmetic : -1, f->bounded ? f->functions : -1, f->bounded ? f->bytes : -1);
    for (const inlay_counted_body *b = f->body; b < f->body + f->bodies; b++) {
        double times = b->times > 0 ? (double)b->times : 1;
        inlay_json_put(out, "{");
        if (b->file != NULL) {
            inlay_json_put(out, "file %s", b->file);
        }
        inlay_json_put(out,
                       "function %s line %" PRId64 " nest %d times %" PRIi64 " arithmetic %g functions %g bytes %g }",
                       b->function, b->line, b->nest, b->unbounded ? -1 : b->times, (double)b->arithmetic / times,
                       (double)b->functions / times, (double)b->bytes / times);
    }
    inlay_json_put(out, "] }");
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_compression *c = of;
    inlay_json_string(out, "file", c->file);
    put_remarks(out, "upper_bounds", c->limit, c->limits);
    put_remarks(out, "unbounded", c->problem, c->problems);
    inlay_json_array(out, "modules");
    for (size_t i = 0; i < c->functions; i++) {
        put_function(out, &c->function[i]);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_compression_write_json(const inlay_compression *compression, const inlay_result_context *context,
                                 const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, compression, path, diag);
}
