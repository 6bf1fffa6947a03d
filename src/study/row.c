/* Rows of a study: flat JSON, and the same as CSV. */
#include "study/row.h"
#include "base/json_out.h"
#include "base/plain.h"
#include "io/json/escape.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

/* ---- Columns ---- */

typedef struct row_view {
    int64_t point, seed, links, warnings;
    const char *application, *group, *machine, *method, *options, *error;
    int32_t processors, modules, model;
    const char *family, *machine_is;
    const char *time_unit, *best_method, *elapsed_is, *traffic_unit, *currency;
    inlay_summary sum;
    double low, high, screen;
} row_view;

/* clang-format off */ /* a table's rows stand as the columns do */
#define ROW(member) FIELD(row_view, #member, member)
#define ROW_AS(name, member) FIELD(row_view, name, member)
#define OF_SUM(member) FIELD(row_view, #member, sum.member)

static const field asked[] = {
    ROW(point), ROW(application), ROW(group), ROW(machine), FIELD_ABOVE(row_view, "processors", processors), ROW(method),
    ROW(options), ROW(seed), ROW(error), FIELD_LAST};

static const field read_of[] = {ROW(modules), ROW(links), ROW(time_unit), FIELD_LAST};

static const field made_of[] = {ROW(machine_is), ROW(family), ROW(model), FIELD_LAST};

static const field found[] = {
    OF_SUM(elapsed), ROW(elapsed_is), ROW(low), ROW(high), ROW_AS("time_frame", sum.time_frame), OF_SUM(estimate),
    OF_SUM(estimate_fixed_point), ROW(screen), OF_SUM(lower_bound), OF_SUM(gap), OF_SUM(speedup), OF_SUM(efficiency), ROW_AS("processors_used", sum.clusters),
    FIELD_ABOVE(row_view, "reduced_from", sum.reduced_from),
    ROW(best_method), OF_SUM(messages), OF_SUM(traffic), OF_SUM(weighted_traffic), ROW(traffic_unit), OF_SUM(load),
    OF_SUM(seconds), OF_SUM(price), ROW(currency), OF_SUM(energy), ROW(warnings), FIELD_LAST};
/* clang-format on */

static void view_mapping(row_view *view, const row_source *from)
{
    view->sum = *inlay_mapping_summary(from->mapping);
    view->best_method = view->sum.winner.method;
    view->elapsed_is = inlay_elapsed_is_name(view->sum.elapsed_is);
    view->traffic_unit = view->sum.traffic_in_bytes ? "bytes" : "messages";
    view->currency = isfinite(view->sum.price) ? inlay_machine_currency(inlay_mapping_machine(from->mapping)) : NULL;
    view->warnings = from->warnings;
    view->screen = view->sum.elapsed_is == INLAY_ELAPSED_SCREEN ? view->sum.elapsed : (double)NAN;
    if (view->sum.elapsed_is != INLAY_ELAPSED_SCREEN) {
        (void)inlay_mapping_screen(from->mapping, INLAY_CONTENTION_QUEUES, &view->screen, NULL);
    }
    inlay_mapping_interval(from->mapping, &view->low, &view->high);
}

void row_add(text_buffer *to, const row_source *from)
{
    const inlay_study_point *p = &from->point;
    row_view view = {
        .point = p->point,
        .seed = p->seed,
        .application = p->application,
        .group = p->group,
        .machine = p->machine,
        .machine_is = from->machine_text,
        .options = p->options,
        .method = p->method != NULL ? p->method : study_method_name(NULL),
        .error = from->error,
        .processors = p->processors > 0 ? p->processors : -1,
    };
    if (from->app != NULL) {
        view.modules = inlay_app_modules(from->app);
        view.links = inlay_app_links(from->app);
        view.time_unit = inlay_unit_name(inlay_app_unit(from->app));
    }
    if (from->machine != NULL) {
        view.family = inlay_family_name(inlay_machine_family(from->machine));
        view.model = inlay_machine_model(from->machine);
    }
    if (from->mapping != NULL) {
        view_mapping(&view, from);
    }
    inlay_json out = json_out_begin(to);
    inlay_json_flat_object(&out, NULL);
    fields_put(&out, asked, &view);
    fields_put(&out, read_of, from->app != NULL ? &view : NULL);
    fields_put(&out, made_of, from->machine != NULL ? &view : NULL);
    fields_put(&out, found, from->mapping != NULL ? &view : NULL);
    inlay_json_object_end(&out);
    json_out_end(&out);
}

/* ---- Lines ---- */

int64_t row_point(const char *line, size_t size)
{
    static const char begin[] = "{\"point\": ";
    enum { BEGIN = sizeof begin - 1, DIGITS = 12 };
    if (size < BEGIN + 3 || memcmp(line, begin, BEGIN) != 0 || line[size - 1] != '}') {
        return -1;
    }
    int64_t number = 0;
    size_t at = BEGIN;
    for (; at < size && at < BEGIN + DIGITS && plain_digit(line[at]); at++) {
        number = 10 * number + (line[at] - '0');
    }
    return at > BEGIN && line[at] == ',' && memchr(line, '\0', size) == NULL ? number : -1;
}

/* No text of a row has these bytes: quotes within it have a backslash before them. */
bool row_failed(const char *line, size_t size)
{
    static const char wanted[] = "\"error\": \"";
    enum { SIZE = sizeof wanted - 1 };
    for (const char *at = line; (at = memchr(at, '"', size - (size_t)(at - line))) != NULL; at++) {
        if (size - (size_t)(at - line) < SIZE) {
            break;
        }
        if (memcmp(at, wanted, SIZE) == 0 && at > line && at[-1] == ' ') {
            return true;
        }
    }
    return false;
}

/* ---- CSV ---- */

void row_csv_names(text_buffer *to)
{
    csv_names(to, asked);
    csv_names(to, read_of);
    csv_names(to, made_of);
    csv_names(to, found);
    csv_end_line(to);
}

/* A text of the row, behind its quote, as a field; moves behind the other quote. */
static const char *put_text(text_buffer *to, const char *at, const char *end)
{
    text_buffer text = {0};
    while (at < end && *at != '"') {
        char bytes[4];
        size_t size = json_unescape(&at, end, bytes);
        if (size == 0) {
            break;
        }
        text_append(&text, bytes, size);
    }
    csv_text(to, text_content(&text));
    text_settle(&text, to);
    return at < end ? at + 1 : end;
}

/* A number or a word of the row as a field; null is an empty one. */
static const char *put_word(text_buffer *to, const char *at, const char *end)
{
    enum { ROOM = 64 };
    char word[ROOM] = "";
    const char *begin = at;
    while (at < end && *at != ',' && *at != '}') {
        at++;
    }
    if ((size_t)(at - begin) < ROOM) {
        memcpy(word, begin, (size_t)(at - begin));
    }
    csv_text(to, strcmp(word, "null") == 0 ? "" : word);
    return at;
}

void row_csv(text_buffer *to, const char *line, size_t size)
{
    const char *end = line + size;
    for (const char *at = line; at < end;) {
        const char *colon = memchr(at, ':', (size_t)(end - at)); /* names have none */
        if (colon == NULL || end - colon < 3) {
            break;
        }
        at = colon[2] == '"' ? put_text(to, colon + 3, end) : put_word(to, colon + 2, end);
    }
    csv_end_line(to);
}
