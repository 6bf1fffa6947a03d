/* What `inlay explain` prints, as JSON. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <stdlib.h>

/* What the critical path is made of, with the name of its longest module. */
typedef struct path_view {
    inlay_explanation_figures f;
    const char *module;
} path_view;

/* A change with its words. */
typedef struct change_view {
    const char *change, *module, *frame, *text, *apply;
    inlay_change of;
} change_view;

/* clang-format off */
#define OF_FIGURES(name, member) FIELD(inlay_explanation_figures, name, member)
static const field figures[] = {
    OF_FIGURES("makespan", makespan), OF_FIGURES("makespan_free_messages", free_makespan),
    OF_FIGURES("makespan_without_queues", alone_makespan), OF_FIGURES("messages", messages),
    OF_FIGURES("sender_queue", sender_queue),
    FIELD_BEGIN("processors"), OF_FIGURES("used", processors), OF_FIGURES("busiest", busiest), OF_FIGURES("busy", busy),
        OF_FIGURES("mean_busy", mean_busy), OF_FIGURES("blocked", blocked), FIELD_END, FIELD_LAST};

#define OF_RESOURCE(member) FIELD(inlay_resource, #member, member)
static const field resource[] = {
    OF_RESOURCE(name), OF_RESOURCE(utilisation), OF_RESOURCE(mean_queue), OF_RESOURCE(mean_delay), FIELD_LAST};

static const field path_fields[] = {
    FIELD(path_view, "compute", f.compute), FIELD(path_view, "wait", f.wait), FIELD(path_view, "network", f.network),
    FIELD_ABOVE(path_view, "processor", f.path_processor), FIELD(path_view, "processor_time", f.path_processor_time),
    FIELD(path_view, "module", module), FIELD(path_view, "module_time", f.path_module_time), FIELD_LAST};

#define OF_CHANGE(member) FIELD(change_view, #member, member)
#define OF_OF(member) FIELD(change_view, #member, of.member)
static const field change_fields[] = {
    OF_CHANGE(change), FIELD_ABOVE(change_view, "processor", of.processor), OF_CHANGE(module), OF_OF(machine),
    OF_OF(processors), FIELD_EXACT(change_view, "time_frame", of.time_frame), OF_CHANGE(frame), OF_OF(makespan),
    OF_OF(gain), OF_CHANGE(text), OF_CHANGE(apply), FIELD_LAST};
/* clang-format on */

/* NULL for a text that is empty. */
static const char *unless_empty(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static const char *module_name(const inlay_explained *of, inlay_id module)
{
    return module >= 0 ? inlay_app_module_name(inlay_mapping_app(of->mapping), module) : NULL;
}

static bool put_parts(inlay_json *out, const inlay_explained *of)
{
    bool made = true;
    const inlay_part *part = inlay_explanation_parts(of->explanation);
    inlay_json_array(out, "limits");
    for (size_t i = 0; i < INLAY_PARTS; i++) {
        char *words = inlay_part_words(of, part[i].kind);
        made = made && words != NULL;
        inlay_json_put(out, "{ limit %s time %g share %g text %s }", inlay_part_name(part[i].kind), part[i].time,
                       part[i].share, words);
        free(words);
    }
    inlay_json_array_end(out);
    return made;
}

static bool put_changes(inlay_json *out, const inlay_explained *of)
{
    bool made = true;
    size_t count;
    const inlay_change *change = inlay_explanation_changes(of->explanation, &count);
    inlay_json_array(out, "changes");
    for (size_t i = 0; i < count; i++) {
        char *words = inlay_change_words(of, &change[i]), *command = inlay_change_command(of, &change[i]);
        change_view view = {inlay_change_name(change[i].kind),
                            unless_empty(module_name(of, change[i].module)),
                            unless_empty(inlay_frame_name(change[i].frame)),
                            words,
                            unless_empty(command),
                            change[i]};
        view.of.machine = unless_empty(view.of.machine);
        fields_put_object(out, NULL, change_fields, &view);
        made = made && words != NULL && command != NULL;
        free(words);
        free(command);
    }
    inlay_json_array_end(out);
    return made;
}

static int put_members(inlay_json *out, const void *told)
{
    const inlay_explained *of = told;
    const inlay_explanation_figures *f = inlay_explanation_figures_of(of->explanation);
    path_view path = {*f, module_name(of, f->path_module)};
    result_put_mapping(out, of->file, of->mapping);
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(inlay_mapping_app(of->mapping))));
    inlay_json_bool(out, "overlap", !of->no_overlap);
    fields_put(out, figures, f);
    fields_put_object(out, "resource", resource, f->has_resource ? &f->resource : NULL);
    fields_put_object(out, "critical_path", path_fields, &path);
    bool made = put_parts(out, of);
    made = put_changes(out, of) && made;
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}

int inlay_explained_write_json(const inlay_explained *explained, const inlay_result_context *context, const char *path,
                               inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, explained, path, diag);
}
