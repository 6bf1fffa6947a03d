/* What `inlay explain` prints, as JSON. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>

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
        const inlay_change *c = &change[i];
        inlay_json_put(
            out,
            "{ change %s processor %i module %s machine %s processors %d time_frame %-s frame %s method %s makespan "
            "%g gain %g text %s apply %s }",
            inlay_change_name(c->kind), c->processor, unless_empty(module_name(of, c->module)),
            unless_empty(c->machine), c->processors, c->time_frame, unless_empty(inlay_frame_name(c->frame)),
            c->kind == INLAY_CHANGE_METHOD ? c->mapping.method->name : NULL, c->makespan, c->gain, words,
            unless_empty(command));
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
    result_put_mapping(out, of->file, of->mapping);
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(inlay_mapping_app(of->mapping))));
    inlay_json_bool(out, "overlap", !of->no_overlap);
    inlay_json_put(out,
                   "makespan %g lower_bound %g lower_bound_of %s placement_bound %g placement_bound_of %s "
                   "makespan_free_messages %g makespan_without_queues %g messages %" PRId64
                   " sender_queue %g processors { used %d busiest %d busy %g mean_busy %g blocked %g }",
                   f->makespan, f->bound.value, f->bound.name, f->placement_bound.value, f->placement_bound.name,
                   f->free_makespan, f->alone_makespan, f->messages, f->sender_queue, f->processors, f->busiest,
                   f->busy, f->mean_busy, f->blocked);
    if (f->has_resource) {
        inlay_json_put(out, "resource { name %s utilisation %g mean_queue %g mean_delay %g }", f->resource.name,
                       f->resource.utilisation, f->resource.mean_queue, f->resource.mean_delay);
    } else {
        inlay_json_null(out, "resource");
    }
    inlay_json_put(
        out, "critical_path { compute %g wait %g network %g processor %i processor_time %g module %s module_time %g }",
        f->compute, f->wait, f->network, f->path_processor, f->path_processor_time, module_name(of, f->path_module),
        f->path_module_time);
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
