/* The JSON of `inlay explain`. */
#include "explain.h"
#include "report.h"
#include "result.h"
#include <inlay/inlay.h>
#include <stdlib.h>

static const char *module_name(const explain_view *view, inlay_id module)
{
    return inlay_app_module_name(inlay_mapping_app(view->mapping), module);
}

/* ---- What limits ---- */

static void put_path(result *out, const explain_view *view, const inlay_explanation_figures *f)
{
    result_open(out, "critical_path", '{');
    result_number(out, "compute", f->compute);
    result_number(out, "wait", f->wait);
    result_number(out, "network", f->network);
    result_count(out, "processor", f->path_processor);
    result_number(out, "processor_time", f->path_processor_time);
    if (f->path_module >= 0) {
        result_string(out, "module", module_name(view, f->path_module));
    } else {
        result_exact(out, "module", "null");
    }
    result_number(out, "module_time", f->path_module_time);
    result_close(out, '}');
}

static void put_processors(result *out, const inlay_explanation_figures *f)
{
    result_open(out, "processors", '{');
    result_integer(out, "used", f->processors);
    result_integer(out, "busiest", f->busiest);
    result_number(out, "busy", f->busy);
    result_number(out, "mean_busy", f->mean_busy);
    result_number(out, "blocked", f->blocked);
    result_close(out, '}');
}

static void put_resource(result *out, const inlay_explanation_figures *f)
{
    if (!f->has_resource) {
        result_exact(out, "resource", "null");
        return;
    }
    result_open(out, "resource", '{');
    result_string(out, "name", f->resource.name);
    result_number(out, "utilisation", f->resource.utilisation);
    result_number(out, "mean_queue", f->resource.mean_queue);
    result_number(out, "mean_delay", f->resource.mean_delay);
    result_close(out, '}');
}

static bool put_parts(result *out, const explain_view *view)
{
    bool made = true;
    const inlay_part *part = inlay_explanation_parts(view->explanation);
    result_open(out, "limits", '[');
    for (size_t i = 0; i < INLAY_PARTS; i++) {
        char *words = explain_part_words(view, part[i].kind);
        made = made && words != NULL;
        result_open(out, NULL, '{');
        result_string(out, "limit", inlay_part_name(part[i].kind));
        result_number(out, "time", part[i].time);
        result_number(out, "share", part[i].share);
        result_string(out, "text", words != NULL ? words : "");
        result_close(out, '}');
        free(words);
    }
    result_close(out, ']');
    return made;
}

/* ---- What helps ---- */

static void put_text_or_null(result *out, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        result_string(out, key, text);
    } else {
        result_exact(out, key, "null");
    }
}

static bool put_change(result *out, const explain_view *view, const inlay_change *change)
{
    char *words = explain_change_words(view, change), *command = explain_change_command(view, change);
    bool made = words != NULL && command != NULL;
    result_open(out, NULL, '{');
    result_string(out, "change", inlay_change_name(change->kind));
    result_count(out, "processor", change->processor);
    put_text_or_null(out, "module", change->module >= 0 ? module_name(view, change->module) : NULL);
    put_text_or_null(out, "machine", change->machine);
    result_integer(out, "processors", change->processors);
    result_exact(out, "time_frame", change->time_frame[0] != '\0' ? change->time_frame : "null");
    put_text_or_null(out, "frame", inlay_frame_name(change->frame));
    result_number(out, "makespan", change->makespan);
    result_number(out, "gain", change->gain);
    result_string(out, "text", words != NULL ? words : "");
    put_text_or_null(out, "apply", command);
    result_close(out, '}');
    free(words);
    free(command);
    return made;
}

static bool put_changes(result *out, const explain_view *view)
{
    bool made = true;
    size_t count;
    const inlay_change *change = inlay_explanation_changes(view->explanation, &count);
    result_open(out, "changes", '[');
    for (size_t i = 0; i < count; i++) {
        made = put_change(out, view, &change[i]) && made;
    }
    result_close(out, ']');
    return made;
}

int explain_put_members(result *out, const cli_answer *a)
{
    const explain_view *view = a->of;
    const explain_values *values = view->call->values;
    const inlay_app *app = inlay_mapping_app(view->mapping);
    const inlay_explanation_figures *f = inlay_explanation_figures_of(view->explanation);
    result_string(out, "mapping", view->call->operands[0]);
    result_string(out, "application", inlay_app_name(app));
    result_string(out, "machine", inlay_machine_text(inlay_mapping_machine(view->mapping)));
    result_string(out, "time_unit", inlay_unit_name(inlay_app_unit(app)));
    result_bool(out, "overlap", values->overlap == 0);
    result_number(out, "makespan", f->makespan);
    result_number(out, "makespan_free_messages", f->free_makespan);
    result_number(out, "makespan_without_queues", f->alone_makespan);
    result_integer(out, "messages", f->messages);
    result_number(out, "sender_queue", f->sender_queue);
    put_processors(out, f);
    put_resource(out, f);
    put_path(out, view, f);
    bool made = put_parts(out, view);
    made = put_changes(out, view) && made;
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}
