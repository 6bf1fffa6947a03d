/* Results: what all of them tell, and their file. */
#include "base/diag.h"
#include "base/file.h"
#include "base/json_out.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>

static void put_context(inlay_json *json, const inlay_result_context *context)
{
    enum { ROOM = 24 };
    char seed[ROOM];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, context->seed);
    inlay_json_put(json, "inlay %s command %s seed %-s warnings [", inlay_version(), context->command, seed);
    for (size_t i = 0; i < inlay_diag_warnings(context->said); i++) {
        inlay_json_string(json, NULL, inlay_diag_warning(context->said, i));
    }
    inlay_json_array_end(json);
}

int inlay_result_write(const inlay_result_context *context, inlay_result_members *members, const void *of,
                       const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    inlay_json json = json_out_begin(&text);
    inlay_json_object(&json, NULL);
    put_context(&json, context);
    int status = members(&json, of);
    inlay_json_object_end(&json);
    json_out_end(&json);
    if (status == INLAY_OK) {
        status = text.failed ? diag_no_memory(diag) : file_write(path, text.data, text.size, diag);
    }
    text_clear(&text);
    return status;
}
