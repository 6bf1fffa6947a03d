/* From a sketch to an application: times, traffic, rows. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "graph/data.h"
#include "graph/generate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums stay below this, half of what the rest of the library allows, so that rounding cannot lead beyond it. */
static const double largest_drawn = 0x1p61;

/* ---- Times ---- */

/* Draws the factor of every module. */
static void vary(sketch *s, double heterogeneity)
{
    for (inlay_id i = 0; heterogeneity > 0 && i < s->modules; i++) {
        s->work[i] *= 1 + heterogeneity * (draw_unit(s->stream) - 0.5);
    }
}

static double total(const double *values, inlay_id count)
{
    double sum = 0;
    for (inlay_id i = 0; values != NULL && i < count; i++) {
        sum += values[i];
    }
    return sum;
}

/* Whole ticks; picoseconds, or as fine as the sum allows. */
static int choose_decimals(const sketch *s, double rate, int *decimals, inlay_diag *diag)
{
    enum { PICOSECONDS = 12 };
    double sum = total(s->work, s->modules) + total(s->blocking, s->modules);
    double scaled = rate > 0 ? sum / rate * 1e12 : sum;
    int chosen = rate > 0 ? PICOSECONDS : 0;
    for (; chosen > 0 && scaled > largest_drawn; chosen--) {
        scaled /= 10;
    }
    if (scaled > largest_drawn) {
        return diag_fail(diag, INLAY_OVERFLOW, "the times add up to more than 2^61 %s; expected less",
                         rate > 0 ? "seconds" : "ticks, one for each operation");
    }
    *decimals = chosen;
    return INLAY_OK;
}

static void round_all(const double *values, inlay_id count, double rate, int decimals, inlay_time *times)
{
    double grains = 1;
    for (int d = 0; d < decimals; d++) {
        grains *= 10;
    }
    for (inlay_id i = 0; i < count; i++) {
        times[i] = (inlay_time)rint(rate > 0 ? values[i] / rate * grains : values[i]);
    }
}

static bool all_end_in_zero(const inlay_time *times, inlay_id count)
{
    inlay_id i = 0;
    while (times != NULL && i < count && times[i] % 10 == 0) {
        i++;
    }
    return times == NULL || i == count;
}

static void divide_by_ten(inlay_time *times, inlay_id count)
{
    for (inlay_id i = 0; times != NULL && i < count; i++) {
        times[i] /= 10;
    }
}

/* As few decimals as the times need: what a file of them would be read with. */
static void drop_zeros(inlay_app *app)
{
    while (app->decimals > 0 && all_end_in_zero(app->time, app->modules) &&
           all_end_in_zero(app->blocking, app->modules)) {
        divide_by_ten(app->time, app->modules);
        divide_by_ten(app->blocking, app->modules);
        app->decimals--;
    }
}

static int fill_times(const sketch *s, double rate, inlay_app *app, inlay_diag *diag)
{
    int status = choose_decimals(s, rate, &app->decimals, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t n = (size_t)s->modules;
    app->unit = rate > 0 ? INLAY_UNIT_S : INLAY_UNIT_TICK;
    app->time = memory_array(n, sizeof *app->time);
    app->blocking = s->blocking != NULL ? memory_array(n, sizeof *app->blocking) : NULL;
    if (app->time == NULL || (s->blocking != NULL && app->blocking == NULL)) {
        return diag_no_memory(diag);
    }
    round_all(s->work, s->modules, rate, app->decimals, app->time);
    if (app->blocking != NULL) {
        round_all(s->blocking, s->modules, rate, app->decimals, app->blocking);
    }
    drop_zeros(app);
    return INLAY_OK;
}

/* ---- Traffic ---- */

static double total_traffic(const int64_t *values, int64_t count)
{
    double sum = 0;
    for (int64_t l = 0; l < count; l++) {
        sum += values != NULL ? (double)values[l] : 1;
    }
    return sum;
}

static int check_bytes(const sketch *s, const inlay_generator_options *o, inlay_diag *diag)
{
    return total_traffic(s->bytes, s->links) <= largest_drawn
               ? INLAY_OK
               : diag_fail(diag, INLAY_OVERFLOW, "%s: the bytes of all links add up to more than 2^61; expected less",
                           o->kind);
}

/* Multiplies so that every sum of first values is its rounded share: `values` NULL stands for ones. */
static void scale_values(const int64_t *values, int64_t count, double factor, int64_t *scaled)
{
    double sum = 0;
    int64_t given = 0;
    for (int64_t l = 0; l < count; l++) {
        sum += values != NULL ? (double)values[l] : 1;
        int64_t share = (int64_t)rint(sum * factor);
        scaled[l] = share - given;
        given = share;
    }
}

/* To the communication to computation ratio that is asked for: bytes for times in seconds, messages for ticks. */
static int scale_traffic(sketch *s, const inlay_app *app, const inlay_generator_options *o, inlay_diag *diag)
{
    bool bytes = app->unit == INLAY_UNIT_S;
    double work = 0;
    for (inlay_id i = 0; i < s->modules; i++) {
        work += inlay_app_in_units(app, app->time[i]);
    }
    double bandwidth = o->bandwidth > 0 ? o->bandwidth : (bytes ? 1e9 : 1);
    double wanted = o->ccr * work * bandwidth;
    double present = total_traffic(bytes ? s->bytes : s->messages, s->links);
    if (wanted > 0 && !(present > 0)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s: no link carries %s, so no ccr above 0 can be reached; expected 0", o->kind,
                         bytes ? "bytes" : "messages");
    }
    if (!(wanted <= largest_drawn)) {
        return diag_fail(diag, INLAY_OVERFLOW, "%s: a ccr of %g needs more than 2^61 %s; expected a smaller one",
                         o->kind, o->ccr, bytes ? "bytes" : "messages");
    }
    if (!bytes && s->messages == NULL) {
        s->messages = memory_array((size_t)s->links, sizeof *s->messages);
        if (s->messages == NULL) {
            return diag_no_memory(diag);
        }
        scale_values(NULL, s->links, wanted / present, s->messages);
    } else {
        int64_t *values = bytes ? s->bytes : s->messages;
        scale_values(values, s->links, present > 0 ? wanted / present : 0, values);
    }
    return INLAY_OK;
}

/* ---- Columns ---- */

/* The label is the kind and its first size, as in "fft16". */
static int fill_label(const generator *g, const inlay_generator_options *o, inlay_app *app)
{
    char text[64];
    int first = 0;
    while (g->offer.sizes[first].most == 0) {
        first++;
    }
    (void)snprintf(text, sizeof text, "%s%lld", g->offer.name, (long long)o->sizes[first]);
    app->label = memory_string(text);
    return app->label != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

static int fill_kinds(const sketch *s, const generator *g, inlay_app *app)
{
    size_t n = (size_t)s->modules;
    app->kind_names = memory_zeroed((size_t)g->type_count, sizeof *app->kind_names);
    if (app->kind_names == NULL || g->types[0].kind == NULL) {
        return app->kind_names != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    }
    app->kinds = g->type_count;
    for (int t = 0; t < g->type_count; t++) {
        app->kind_names[t] = memory_string(g->types[t].kind);
        if (app->kind_names[t] == NULL) {
            return INLAY_NO_MEMORY;
        }
    }
    app->kind = memory_array(n, sizeof *app->kind);
    for (size_t i = 0; app->kind != NULL && i < n; i++) {
        app->kind[i] = s->type[i];
    }
    return app->kind != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

static int fill_names(sketch *s, inlay_app *app)
{
    for (inlay_id i = 0; i < s->modules; i++) {
        if (!name_map_put(&app->by_name, s->name[i], i)) {
            return INLAY_NO_MEMORY;
        }
    }
    app->name = s->name;
    app->names = s->names;
    s->name = NULL;
    s->names = NULL;
    return INLAY_OK;
}

static int fill_blocks(const sketch *s, const stated_names *names, inlay_app *app)
{
    size_t inputs = (size_t)s->inputs;
    app->block_size = memory_array(inputs, sizeof *app->block_size);
    app->block_time = memory_zeroed(inputs, sizeof *app->block_time);
    app->use_begin = memory_array(inputs + 1, sizeof *app->use_begin);
    app->use_module = memory_array(inputs, sizeof *app->use_module);
    app->use_messages = memory_array(inputs, sizeof *app->use_messages);
    app->use_bytes = memory_array(inputs, sizeof *app->use_bytes);
    app->use_flags = memory_zeroed(inputs, sizeof *app->use_flags);
    bool made = app->block_size && app->block_time && app->use_begin && app->use_module && app->use_messages &&
                app->use_bytes && app->use_flags;
    for (size_t i = 0; made && names->name != NULL && i < inputs; i++) {
        app->name[app->modules + (inlay_id)i] = names->name[s->input[i]];
        app->block_size[i] = app->use_bytes[i] = s->input_bytes;
        app->use_module[i] = s->input_module[i];
        app->use_messages[i] = 1;
        app->use_begin[i] = (int64_t)i;
        made = name_map_put(&app->by_name, names->name[s->input[i]], -2 - (inlay_id)i);
    }
    if (made) {
        app->use_begin[inputs] = (int64_t)inputs;
        app->blocks = (inlay_id)inputs;
    }
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}

/* What data are called: one name for all, or that of each tile. The caller frees the array. */
static const char **name_data(const generator *g, const inlay_generator_options *o, inlay_app *app, size_t *count)
{
    int64_t n = g->offer.inputs ? o->sizes[INLAY_SIZE_TILES] : 1;
    const char **names = memory_array((size_t)(n * n), sizeof *names);
    *count = (size_t)(n * n);
    for (int64_t t = 0; names != NULL && t < n * n; t++) {
        char text[64];
        (void)snprintf(text, sizeof text, "%s%lld.%lld", g->datum, (long long)(t / n), (long long)(t % n));
        names[t] = g->offer.inputs ? name_store_keep(&app->names, text) : g->datum;
        if (names[t] == NULL) {
            free((void *)names);
            return NULL;
        }
    }
    return names;
}

/* ---- Rows ---- */

/* Every link to the row of its origin. Links come by rising target, so every row is in order. */
static void scatter_links(const sketch *s, inlay_app *app, int64_t *next)
{
    for (inlay_id to = 0; to < s->modules; to++) {
        for (int64_t l = s->in_begin[to]; l < s->in_begin[to + 1]; l++) {
            int64_t at = next[s->from[l]]++;
            app->out_to[at] = to;
            app->out_messages[at] = s->messages != NULL ? s->messages[l] : 1;
            app->out_bytes[at] = s->bytes[l];
        }
    }
}

static int fill_rows(sketch *s, inlay_app *app)
{
    size_t n = (size_t)s->modules;
    size_t links = (size_t)s->links;
    app->out_begin = memory_zeroed(n + 1, sizeof *app->out_begin);
    app->out_to = memory_array(links, sizeof *app->out_to);
    app->out_messages = memory_array(links, sizeof *app->out_messages);
    app->out_bytes = memory_array(links, sizeof *app->out_bytes);
    app->out_flags = memory_zeroed(links, sizeof *app->out_flags);
    int64_t *next = memory_array(n, sizeof *next);
    if (!app->out_begin || !app->out_to || !app->out_messages || !app->out_bytes || !app->out_flags || !next) {
        free(next);
        return INLAY_NO_MEMORY;
    }
    for (size_t l = 0; l < links; l++) {
        app->out_begin[s->from[l] + 1]++;
    }
    for (size_t i = 0; i < n; i++) {
        app->out_begin[i + 1] += app->out_begin[i];
    }
    memcpy(next, app->out_begin, n * sizeof *next);
    scatter_links(s, app, next);
    free(next);
    return INLAY_OK;
}

/* The links once more with what they carry, in rows as those of the application. */
static int state_links(const sketch *s, const inlay_app *app, stated_rows *rows)
{
    size_t n = (size_t)s->modules;
    rows->begin = memory_array(n + 1, sizeof *rows->begin);
    rows->link = memory_array((size_t)s->links, sizeof *rows->link);
    if (rows->begin == NULL || rows->link == NULL) {
        return INLAY_NO_MEMORY;
    }
    memcpy(rows->begin, app->out_begin, (n + 1) * sizeof *rows->begin);
    for (inlay_id to = 0; to < s->modules; to++) {
        for (int64_t l = s->in_begin[to]; l < s->in_begin[to + 1]; l++) {
            int64_t at = rows->begin[s->from[l]]++;
            rows->link[at] = (stated_link){to, s->datum[l], -1, app->out_messages[at], app->out_bytes[at]};
            rows->named += s->datum[l] >= 0;
        }
    }
    memcpy(rows->begin, app->out_begin, (n + 1) * sizeof *rows->begin);
    return INLAY_OK;
}

/* What the sketch has as the application needs it: modules in a topological order, predecessors by rising number. */
static int take_order(sketch *s, inlay_app *app)
{
    app->topological = memory_array((size_t)s->modules, sizeof *app->topological);
    if (app->topological == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < s->modules; i++) {
        app->topological[i] = i;
    }
    app->links = app->precedence_links = s->links;
    app->in_begin = s->in_begin;
    app->in_from = s->from;
    s->in_begin = NULL;
    s->from = NULL;
    return INLAY_OK;
}

/* ---- The whole ---- */

/* `arithmetic` is the work as it was drawn: taken before the factors. */
static int take_arithmetic(const sketch *s, const generator *g, inlay_app *app)
{
    if (!g->counted) {
        return INLAY_OK;
    }
    app->arithmetic = memory_array((size_t)s->modules, sizeof *app->arithmetic);
    if (app->arithmetic == NULL) {
        return INLAY_NO_MEMORY;
    }
    memcpy(app->arithmetic, s->work, (size_t)s->modules * sizeof *s->work);
    return INLAY_OK;
}

static int fill_columns(sketch *s, const generator *g, const inlay_generator_options *o, inlay_app *app,
                        inlay_diag *diag)
{
    stated_rows stated = {0};
    stated_names names = {0};
    bool data = g->datum != NULL && !o->has_ccr; /* shares of a ccr differ by one, so that links are no longer alike */
    int status = fill_names(s, app);
    const char **name = g->datum == NULL ? NULL : name_data(g, o, app, &names.count);
    names.name = name;
    if (status != INLAY_OK || (name == NULL && g->datum != NULL) || fill_label(g, o, app) != INLAY_OK ||
        fill_kinds(s, g, app) != INLAY_OK || fill_blocks(s, &names, app) != INLAY_OK || fill_rows(s, app) != INLAY_OK ||
        (data && state_links(s, app, &stated) != INLAY_OK) || take_order(s, app) != INLAY_OK) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK && stated.named > 0) {
        status = data_make(&names, &stated, app, diag);
    }
    free((void *)name);
    stated_rows_clear(&stated);
    return status;
}

int sketch_finish(sketch *s, const generator *g, const inlay_generator_options *o, inlay_app **result, inlay_diag *diag)
{
    inlay_app *app = s->failed ? NULL : memory_zeroed(1, sizeof *app);
    if (app == NULL || take_arithmetic(s, g, app) != INLAY_OK) {
        inlay_app_free(app);
        return diag_no_memory(diag);
    }
    s->in_begin[s->modules] = s->links;
    app->modules = s->modules;
    vary(s, o->heterogeneity);
    int status = fill_times(s, o->rate, app, diag);
    status = status == INLAY_OK ? check_bytes(s, o, diag) : status;
    if (status == INLAY_OK && o->has_ccr) {
        status = scale_traffic(s, app, o, diag);
    }
    status = status == INLAY_OK ? fill_columns(s, g, o, app, diag) : status;
    if (status != INLAY_OK) {
        inlay_app_free(app);
        return status;
    }
    *result = app;
    return INLAY_OK;
}
