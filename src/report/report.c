/* What a report finds out before anything is written: the machine that ranks first, its front, and the answer's run. */
#include "report/report.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words ---- */

void report_number(text_buffer *to, double value, int digits)
{
    char text[64];
    bool whole = fabs(value) >= pow(10, digits) && fabs(value) < 1e15; /* no exponent for 2800 */
    plain_print(text, sizeof text, "%.*f", 0, value);
    if (!whole) {
        plain_print(text, sizeof text, "%.*g", digits, value);
    }
    text_add(to, isfinite(value) ? text : "-");
}

void report_time(text_buffer *to, const inlay_report *of, double time)
{
    inlay_unit unit = inlay_app_unit(of->app->app);
    report_number(to, time, 6);
    text_addf(to, " %s", inlay_unit_word(unit));
}

static void ask(inlay_report *of)
{
    text_buffer *to = &of->question;
    inlay_id modules = inlay_app_modules(of->app->app);
    size_t machines = of->asked.count - 1;
    text_addf(to, "How long does %s take, %" PRId32 " module%s with %" PRId64 " links,", of->app->name, modules,
              modules == 1 ? "" : "s", inlay_app_links(of->app->app));
    if (machines == 1) {
        text_addf(to, " on %s,", of->machine->name);
    } else {
        text_addf(to, " on which of %zu machines,", machines);
    }
    text_add(to, " and on how many processors?");
}

static void tell_interval(inlay_report *of)
{
    if (isfinite(of->low) && isfinite(of->high)) {
        text_add(&of->answer, " (nine of ten runs between ");
        report_number(&of->answer, of->low, 6);
        text_add(&of->answer, " and ");
        report_time(&of->answer, of, of->high);
        text_add(&of->answer, ")");
    } else {
        text_add(&of->answer, " (one simulated time: the machine says nothing of how sure its figures are)");
    }
}

static void answer(inlay_report *of)
{
    text_buffer *to = &of->answer;
    const inlay_summary *s = inlay_mapping_summary(of->mapping);
    const inlay_pareto_point *knee = inlay_pareto_point_at(of->front, inlay_pareto_summary_of(of->front)->knee);
    text_addf(to, "%s takes %s", of->app->name, s->elapsed_is == INLAY_ELAPSED_SCREEN ? "about " : "");
    report_time(to, of, s->elapsed);
    text_addf(to, " on %" PRId32 " processor%s of %s", s->clusters, s->clusters == 1 ? "" : "s", of->machine->name);
    tell_interval(of);
    text_add(to, "; no mapping there takes less than ");
    report_time(to, of, s->lower_bound);
    if (knee->clusters < s->clusters) {
        text_addf(to, ". %" PRId32 " processor%s would do it in ", knee->clusters, knee->clusters == 1 ? "" : "s");
        report_time(to, of, knee->elapsed);
    }
    text_add(to, ".");
}

/* A word as a shell reads it back. */
static void add_word(text_buffer *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    bool quoted = word[0] == '\0' || word[strspn(word, plain)] != '\0';
    text_add(to, quoted ? " '" : " ");
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'') {
            text_add(to, "'\\''");
        } else {
            text_append(to, c, 1);
        }
    }
    text_add(to, quoted ? "'" : "");
}

void report_add_command(text_buffer *to, const inlay_report *of, report_command which)
{
    static const struct {
        const char *name, *ending;
    } commands[REPORT_COMMANDS] = {
        [REPORT_COMMAND_ALL] = {"report", ""},
        [REPORT_COMMAND_COMPARE] = {"compare", " --csv compare.csv --svg compare.svg"},
        [REPORT_COMMAND_FRONT] = {"pareto", " --csv front.csv --svg front.svg"},
        [REPORT_COMMAND_FRAMES] = {"sweep", " --points 40 --csv frames.csv --svg frames.svg"},
        [REPORT_COMMAND_MAP] = {"map", " -o mapping.json --svg mapping.svg"},
        [REPORT_COMMAND_SIMULATE] = {"simulate", " --csv run.csv --gantt run.svg"},
        [REPORT_COMMAND_DELAY] = {"delay", " --points 40 --csv delay.csv --svg delay.svg"},
        [REPORT_COMMAND_INFO] = {"info", " --parallelism"},
    };
    const char *options = of->asked.options != NULL ? of->asked.options : "";
    bool maps = which == REPORT_COMMAND_COMPARE || which == REPORT_COMMAND_FRONT || which == REPORT_COMMAND_MAP;
    if (which == REPORT_COMMAND_ALL && of->asked.command != NULL) {
        text_add(to, of->asked.command);
        return;
    }
    text_addf(to, "inlay %s", commands[which].name);
    for (size_t i = 0; i < of->asked.count; i++) {
        const inlay_compare_input *in = &of->asked.inputs[i];
        bool all = which == REPORT_COMMAND_ALL || which == REPORT_COMMAND_COMPARE;
        bool wanted = all || (in->app != NULL && which != REPORT_COMMAND_SIMULATE && which != REPORT_COMMAND_DELAY) ||
                      (in->machine == of->machine->machine &&
                       (maps || which == REPORT_COMMAND_FRAMES || which == REPORT_COMMAND_DELAY));
        if (wanted) {
            add_word(to, in->source);
        }
    }
    text_addf(to, "%s", which == REPORT_COMMAND_SIMULATE ? " mapping.json" : "");
    text_addf(to, "%s%s", maps ? options : "", commands[which].ending);
}

/* ---- Which points the slider has ---- */

/* Of the front's points the ends, the knee and others in between, evenly by their number. */
static int choose_points(inlay_report *of, inlay_diag *diag)
{
    size_t points = inlay_pareto_points(of->front), knee = inlay_pareto_summary_of(of->front)->knee;
    size_t front = inlay_pareto_summary_of(of->front)->front;
    size_t most = of->asked.points > 0 ? (size_t)of->asked.points : INLAY_REPORT_POINTS;
    of->shown = memory_array(points, sizeof *of->shown);
    if (of->shown == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0, number = 0; i < points; i++) {
        if (!inlay_pareto_point_at(of->front, i)->front) {
            continue;
        }
        bool last = number + 1 == front;
        bool even =
            front <= most ||
            (most > 1 && (number == 0 || number * (most - 1) / (front - 1) != (number - 1) * (most - 1) / (front - 1)));
        if (last || even || i == knee) {
            of->shown[of->count++] = i;
        }
        number++;
    }
    return INLAY_OK;
}

/* ---- Runs ---- */

static int simulate(const inlay_report *of, const inlay_mapping *mapping, inlay_simulation **run, inlay_diag *diag)
{
    int64_t most = of->asked.mapping.max_events;
    const inlay_simulation_options options = {
        .seed = of->asked.mapping.seed, .threads = 1, .max_events = most > 0 ? most : INLAY_MAX_EVENTS, .record = true};
    if (inlay_mapping_summary(mapping)->elapsed_is == INLAY_ELAPSED_SCREEN) {
        return INLAY_OK;
    }
    int status = inlay_simulate(mapping, &options, run, diag);
    return status == INLAY_NO_ANSWER ? INLAY_OK : status;
}

int report_point(const inlay_report *of, size_t shown, inlay_mapping **mapping, inlay_simulation **run,
                 inlay_diag *diag)
{
    int status = inlay_pareto_mapping(of->front, of->shown[shown], mapping, diag);
    status = status == INLAY_OK ? simulate(of, *mapping, run, diag) : status;
    if (status != INLAY_OK) {
        inlay_mapping_free(*mapping);
        *mapping = NULL;
    }
    return status;
}

/* ---- The whole ---- */

static int find_app(inlay_report *of, inlay_diag *diag)
{
    size_t apps = 0;
    for (size_t i = 0; i < of->asked.count; i++) {
        apps += of->asked.inputs[i].app != NULL;
        of->app = of->asked.inputs[i].app != NULL ? &of->asked.inputs[i] : of->app;
    }
    return apps == 1 ? INLAY_OK
                     : diag_fail(diag, INLAY_BAD_ARGUMENT, "a report of %zu applications; expected one", apps);
}

static int compare(inlay_report *of, inlay_diag *diag)
{
    const inlay_compare_options options = {of->asked.mapping, of->asked.sort, .fronts = true};
    int status = inlay_compare(of->asked.inputs, of->asked.count, &options, &of->compared, diag);
    if (status == INLAY_OK) {
        const inlay_compare_row *first = inlay_comparison_row(of->compared, 0);
        of->machine = first->machine;
        of->front = first->front;
        bool made = first->mapping != NULL;
        status = of->front != NULL ? INLAY_OK
                                   : diag_fail(diag, made ? INLAY_NO_ANSWER : first->status, "%s",
                                               made ? "no front of the mappings is found" : first->reason);
        for (size_t i = 0; status == INLAY_OK && i < inlay_diag_warnings(first->said); i++) {
            diag_warn(diag, "%s", inlay_diag_warning(first->said, i));
        }
        for (size_t i = 0; status != INLAY_OK && diag != NULL && i < inlay_diag_remedies(first->said); i++) {
            (void)diag_remedy_too(diag, inlay_diag_remedy_option_at(first->said, i),
                                  inlay_diag_remedy_value_at(first->said, i));
        }
    }
    return status;
}

static int find_points(inlay_report *of, inlay_diag *diag)
{
    int status = choose_points(of, diag);
    status = status == INLAY_OK ? report_point(of, of->count - 1, &of->mapping, &of->run, diag) : status;
    if (status == INLAY_OK) {
        inlay_mapping_interval(of->mapping, &of->low, &of->high);
        ask(of);
        answer(of);
        status = of->question.failed || of->answer.failed ? diag_no_memory(diag) : INLAY_OK;
    }
    return status;
}

/* That there are none, for whatever reason, is no failure of the report. */
static int sweep(inlay_report *of, inlay_diag *diag)
{
    enum { POINTS = 40 };
    const inlay_sweep_options options = {.points = POINTS, .threads = of->asked.mapping.threads};
    if (inlay_app_modules(of->app->app) > REPORT_SWEPT) {
        return INLAY_OK;
    }
    int status = inlay_sweep(of->app->app, of->machine->machine, &options, &of->frames, NULL);
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : INLAY_OK;
}

int inlay_report_make(const inlay_report_request *request, inlay_report **report, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_report *of = memory_zeroed(1, sizeof *of);
    if (of == NULL) {
        return diag_no_memory(diag);
    }
    of->asked = *request;
    int status = find_app(of, diag);
    status = status == INLAY_OK ? compare(of, diag) : status;
    status = status == INLAY_OK ? find_points(of, diag) : status;
    status = status == INLAY_OK ? sweep(of, diag) : status;
    if (status != INLAY_OK) {
        inlay_report_free(of);
        return status;
    }
    *report = of;
    return INLAY_OK;
}

void inlay_report_free(inlay_report *report)
{
    if (report != NULL) {
        inlay_simulation_free(report->run);
        inlay_mapping_free(report->mapping);
        inlay_sweep_free(report->frames);
        inlay_comparison_free(report->compared);
        text_clear(&report->question);
        text_clear(&report->answer);
        free(report->shown);
        free(report);
    }
}

const inlay_comparison *inlay_report_comparison(const inlay_report *report)
{
    return report->compared;
}

const char *inlay_report_answer(const inlay_report *report)
{
    return text_content(&report->answer);
}
