/* The application graph: what it answers. */
#include "graph/app.h"
#include "base/decimal.h"
#include "graph/data.h"
#include "graph/names.h"
#include <inlay/sdf.h>
#include <stdlib.h>
#include <string.h>

void inlay_app_free(inlay_app *app)
{
    if (app == NULL) {
        return;
    }
    for (int32_t i = 0; i < app->kinds; i++) {
        free(app->kind_names[i]);
    }
    for (int i = 0; i < app->types; i++) {
        free(app->type_names[i]);
    }
    name_store_free(app->names);
    name_map_clear(&app->by_name);
    void *arrays[] = {(void *)app->name,   app->label,      app->time,         app->blocking,   app->memory,
                      app->traffic_memory, app->cores,      app->pin,          app->arithmetic, app->functions,
                      app->kind,           app->deadline,   app->kind_names,   app->type_names, app->type_time,
                      app->out_begin,      app->out_to,     app->out_messages, app->out_bytes,  app->out_flags,
                      app->in_begin,       app->in_from,    app->topological,  app->block_size, app->block_time,
                      app->use_begin,      app->use_module, app->use_messages, app->use_bytes,  app->use_flags};
    data_clear(app);
    inlay_sdf_free(app->sdf);
    pool_clear(&app->records);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    free(app);
}

const char *inlay_app_name(const inlay_app *app)
{
    return app->label;
}

inlay_unit inlay_app_unit(const inlay_app *app)
{
    return app->unit;
}

double inlay_app_period(const inlay_app *app)
{
    return app->period;
}

const inlay_recorded *inlay_app_recorded(const inlay_app *app)
{
    return app->recorded;
}

int inlay_app_decimals(const inlay_app *app)
{
    return app->decimals;
}

double inlay_app_reference_speed(const inlay_app *app)
{
    return app->reference_speed;
}

double inlay_app_in_units(const inlay_app *app, inlay_time time)
{
    return inlay_decimal_double((inlay_decimal){time, app->decimals});
}

inlay_id inlay_app_modules(const inlay_app *app)
{
    return app->modules;
}

int64_t inlay_app_links(const inlay_app *app)
{
    return app->links;
}

const char *inlay_app_module_name(const inlay_app *app, inlay_id module)
{
    return app->name[module];
}

inlay_id inlay_app_find_module(const inlay_app *app, const char *name)
{
    inlay_id id = name_map_get(&app->by_name, name);
    return id >= 0 ? id : -1;
}

inlay_time inlay_app_time(const inlay_app *app, inlay_id module)
{
    return app->time[module];
}

const char *inlay_app_module_kind(const inlay_app *app, inlay_id module)
{
    return app->kind == NULL || app->kind[module] < 0 ? NULL : app->kind_names[app->kind[module]];
}

bool inlay_app_has_blocking(const inlay_app *app)
{
    return app->blocking != NULL;
}

inlay_time inlay_app_blocking(const inlay_app *app, inlay_id module)
{
    return app->blocking == NULL ? 0 : app->blocking[module];
}

int64_t inlay_app_memory(const inlay_app *app, inlay_id module)
{
    return app->memory == NULL ? 0 : app->memory[module];
}

int64_t inlay_app_traffic_memory(const inlay_app *app, inlay_id module)
{
    return app->traffic_memory == NULL ? 0 : app->traffic_memory[module];
}

int32_t inlay_app_cores(const inlay_app *app, inlay_id module)
{
    return app->cores == NULL ? 1 : app->cores[module];
}

inlay_id inlay_app_pin(const inlay_app *app, inlay_id module)
{
    return app->pin == NULL ? -1 : app->pin[module];
}

double inlay_app_arithmetic(const inlay_app *app, inlay_id module)
{
    return app->arithmetic == NULL ? 0 : app->arithmetic[module];
}

double inlay_app_functions(const inlay_app *app, inlay_id module)
{
    return app->functions == NULL ? 0 : app->functions[module];
}

inlay_time inlay_app_deadline(const inlay_app *app, inlay_id module)
{
    return app->deadline == NULL ? 0 : app->deadline[module];
}

bool inlay_app_has_deadlines(const inlay_app *app)
{
    return app->deadline != NULL;
}

int inlay_app_types(const inlay_app *app)
{
    return app->types;
}

const char *inlay_app_type_name(const inlay_app *app, int type)
{
    return app->type_names[type];
}

inlay_time inlay_app_type_time(const inlay_app *app, int type, inlay_id module)
{
    return app->type_time[(int64_t)type * app->modules + module];
}

const inlay_time *app_times_on(const inlay_app *app, const char *type)
{
    for (int t = 0; type != NULL && t < app->types; t++) {
        if (strcmp(app->type_names[t], type) == 0) {
            return app->type_time + (size_t)t * (size_t)app->modules;
        }
    }
    return NULL;
}

inlay_time app_time_on(const inlay_app *app, const char *type, inlay_id module)
{
    const inlay_time *own = app_times_on(app, type);
    return own != NULL && own[module] >= 0 ? own[module] : app->time[module];
}

/* Where there are no links or no uses, there are no arrays of them: C adds nothing to NULL, not even 0. */

inlay_links inlay_app_out(const inlay_app *app, inlay_id module)
{
    int64_t at = app->out_begin[module];
    if (app->out_to == NULL) {
        return (inlay_links){0};
    }
    return (inlay_links){app->out_begin[module + 1] - at,
                         app->out_to + at,
                         app->out_messages + at,
                         app->out_bytes + at,
                         app->out_flags + at,
                         app->own_messages == NULL ? NULL : app->own_messages + at,
                         app->own_bytes == NULL ? NULL : app->own_bytes + at};
}

const inlay_id *inlay_app_predecessors(const inlay_app *app, inlay_id module, int64_t *count)
{
    int64_t at = app->in_begin[module];
    *count = app->in_begin[module + 1] - at;
    return app->in_from == NULL ? NULL : app->in_from + at;
}

inlay_id inlay_app_blocks(const inlay_app *app)
{
    return app->blocks;
}

const char *inlay_app_block_name(const inlay_app *app, inlay_id block)
{
    return app->name[app->modules + block];
}

int64_t inlay_app_block_size(const inlay_app *app, inlay_id block)
{
    return app->block_size[block];
}

inlay_time inlay_app_block_time(const inlay_app *app, inlay_id block)
{
    return app->block_time[block];
}

inlay_links inlay_app_uses(const inlay_app *app, inlay_id block)
{
    int64_t at = app->use_begin[block];
    if (app->use_module == NULL) {
        return (inlay_links){0};
    }
    return (inlay_links){app->use_begin[block + 1] - at,
                         app->use_module + at,
                         app->use_messages + at,
                         app->use_bytes + at,
                         app->use_flags + at,
                         NULL,
                         NULL};
}
