/* What a capture gives out beside the application: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>

/* clang-format off */
#define FACT(member) FIELD(inlay_capture_facts, #member, member)
static const field facts[] = {FACT(recorder), FACT(elapsed), FACT(busy), FACT(places), FACT(tasks), FACT(items), FACT(dependences), FACT(messages), FACT(collective), FACT(bytes), FACT(task_overhead),
                              FACT(ended), FIELD_LAST};

#define KIND(member) FIELD(inlay_capture_kind, #member, member)
static const field kinds[] = {FIELD(inlay_capture_kind, "kind", name), KIND(modules), KIND(mean), KIND(deviation),
                              KIND(least), KIND(most), FIELD_LAST};

#define APPLIED(member) FIELD(inlay_applied, #member, member)
static const field applications[] = {
    APPLIED(application), APPLIED(machine), APPLIED(ranks), APPLIED(threads), APPLIED(runs), FIELD_BEGIN("plain"), FIELD(inlay_applied, "median", plain.median), FIELD(inlay_applied, "least", plain.least),
    FIELD(inlay_applied, "most", plain.most), FIELD_END,
    FIELD_BEGIN("applied"), FIELD(inlay_applied, "median", applied.median), FIELD(inlay_applied, "least", applied.least),
    FIELD(inlay_applied, "most", applied.most), FIELD_END,
    APPLIED(scheduler), APPLIED(simulated_plain), APPLIED(simulated_applied), APPLIED(tasks), APPLIED(planned), APPLIED(as_placed),
    APPLIED(beyond), APPLIED(given_up), APPLIED(why), FIELD_LAST};
/* clang-format on */

static int put_capture(inlay_json *out, const void *of)
{
    const inlay_capture *capture = of;
    const inlay_app *app = inlay_capture_app(capture);
    const inlay_capture_facts told = inlay_capture_told(capture);
    inlay_json_put(out, "application %s time_unit %s modules %d", inlay_app_name(app),
                   inlay_unit_name(inlay_app_unit(app)), inlay_app_modules(app));
    inlay_json_integer(out, "links", inlay_app_links(app));
    fields_put(out, facts, &told);
    inlay_json_array(out, "kinds");
    for (size_t i = 0; i < inlay_capture_kinds(capture); i++) {
        inlay_capture_kind kind = inlay_capture_kind_at(capture, i);
        fields_put_object(out, NULL, kinds, &kind);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_capture_write_json(const inlay_capture *capture, const inlay_result_context *context, const char *path,
                             inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_capture, capture, path, diag);
}

int inlay_capture_write_csv(const inlay_capture *capture, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_heading(&text, kinds);
    for (size_t i = 0; i < inlay_capture_kinds(capture); i++) {
        inlay_capture_kind kind = inlay_capture_kind_at(capture, i);
        csv_line(&text, kinds, &kind);
    }
    return csv_write(&text, path, diag);
}

static int put_applied(inlay_json *out, const void *of)
{
    fields_put(out, applications, of);
    return INLAY_OK;
}

int inlay_applied_write_json(const inlay_applied *applied, const inlay_result_context *context, const char *path,
                             inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_applied, applied, path, diag);
}
