/* The JSON of `inlay explain`. */
#include "explain.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>

static const char *module_name(const explain_view *view, inlay_id module)
{
    return inlay_app_module_name(inlay_mapping_app(view->mapping), module);
}

/* ---- What limits ---- */

static void put_path(inlay_json *out, const explain_view *view, const inlay_explanation_figures *f)
{
    inlay_json_object(out, "critical_path");
    inlay_json_number(out, "compute", f->compute);
    inlay_json_number(out, "wait", f->wait);
    inlay_json_number(out, "network", f->network);
    inlay_json_count(out, "processor", f->path_processor);
    inlay_json_number(out, "processor_time", f->path_processor_time);
    if (f->path_module >= 0) {
        inlay_json_string(out, "module", module_name(view, f->path_module));
    } else {
        inlay_json_null(out, "module");
    }
    inlay_json_number(out, "module_time", f->path_module_time);
    inlay_json_object_end(out);
}

static void put_processors(inlay_json *out, const inlay_explanation_figures *f)
{
    inlay_json_object(out, "processors");
    inlay_json_integer(out, "used", f->processors);
    inlay_json_integer(out, "busiest", f->busiest);
    inlay_json_number(out, "busy", f->busy);
    inlay_json_number(out, "mean_busy", f->mean_busy);
    inlay_json_number(out, "blocked", f->blocked);
    inlay_json_object_end(out);
}

static void put_resource(inlay_json *out, const inlay_explanation_figures *f)
{
    if (!f->has_resource) {
        inlay_json_null(out, "resource");
        return;
    }
    inlay_json_object(out, "resource");
    inlay_json_string(out, "name", f->resource.name);
    inlay_json_number(out, "utilisation", f->resource.utilisation);
    inlay_json_number(out, "mean_queue", f->resource.mean_queue);
    inlay_json_number(out, "mean_delay", f->resource.mean_delay);
    inlay_json_object_end(out);
}

static bool put_parts(inlay_json *out, const explain_view *view)
{
    bool made = true;
    const inlay_part *part = inlay_explanation_parts(view->explanation);
    inlay_json_array(out, "limits");
    for (size_t i = 0; i < INLAY_PARTS; i++) {
        char *words = explain_part_words(view, part[i].kind);
        made = made && words != NULL;
        inlay_json_object(out, NULL);
        inlay_json_string(out, "limit", inlay_part_name(part[i].kind));
        inlay_json_number(out, "time", part[i].time);
        inlay_json_number(out, "share", part[i].share);
        inlay_json_string(out, "text", words != NULL ? words : "");
        inlay_json_object_end(out);
        free(words);
    }
    inlay_json_array_end(out);
    return made;
}

/* ---- What helps ---- */

static void put_text_or_null(inlay_json *out, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        inlay_json_string(out, key, text);
    } else {
        inlay_json_null(out, key);
    }
}

static bool put_change(inlay_json *out, const explain_view *view, const inlay_change *change)
{
    char *words = explain_change_words(view, change), *command = explain_change_command(view, change);
    bool made = words != NULL && command != NULL;
    inlay_json_object(out, NULL);
    inlay_json_string(out, "change", inlay_change_name(change->kind));
    inlay_json_count(out, "processor", change->processor);
    put_text_or_null(out, "module", change->module >= 0 ? module_name(view, change->module) : NULL);
    put_text_or_null(out, "machine", change->machine);
    inlay_json_integer(out, "processors", change->processors);
    inlay_json_literal(out, "time_frame", change->time_frame[0] != '\0' ? change->time_frame : "null");
    put_text_or_null(out, "frame", inlay_frame_name(change->frame));
    inlay_json_number(out, "makespan", change->makespan);
    inlay_json_number(out, "gain", change->gain);
    inlay_json_string(out, "text", words != NULL ? words : "");
    put_text_or_null(out, "apply", command);
    inlay_json_object_end(out);
    free(words);
    free(command);
    return made;
}

static bool put_changes(inlay_json *out, const explain_view *view)
{
    bool made = true;
    size_t count;
    const inlay_change *change = inlay_explanation_changes(view->explanation, &count);
    inlay_json_array(out, "changes");
    for (size_t i = 0; i < count; i++) {
        made = put_change(out, view, &change[i]) && made;
    }
    inlay_json_array_end(out);
    return made;
}

int explain_put_members(inlay_json *out, const cli_answer *a)
{
    const explain_view *view = a->of;
    const explain_values *values = view->call->values;
    const inlay_app *app = inlay_mapping_app(view->mapping);
    const inlay_explanation_figures *f = inlay_explanation_figures_of(view->explanation);
    inlay_json_string(out, "mapping", view->call->operands[0]);
    inlay_json_string(out, "application", inlay_app_name(app));
    inlay_json_string(out, "machine", inlay_machine_text(inlay_mapping_machine(view->mapping)));
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(app)));
    inlay_json_bool(out, "overlap", values->overlap == 0);
    inlay_json_number(out, "makespan", f->makespan);
    inlay_json_number(out, "makespan_free_messages", f->free_makespan);
    inlay_json_number(out, "makespan_without_queues", f->alone_makespan);
    inlay_json_integer(out, "messages", f->messages);
    inlay_json_number(out, "sender_queue", f->sender_queue);
    put_processors(out, f);
    put_resource(out, f);
    put_path(out, view, f);
    bool made = put_parts(out, view);
    made = put_changes(out, view) && made;
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}
