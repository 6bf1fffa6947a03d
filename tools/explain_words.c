/* The words of `inlay explain`: parts of the elapsed time, changes, and the commands that make them. */
#include "explain.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts of any length ---- */

typedef struct writing {
    FILE *to;
    char *text;
    size_t size;
} writing;

static bool begin(writing *w)
{
    *w = (writing){0};
    w->to = open_memstream(&w->text, &w->size);
    return w->to != NULL;
}

/* The text; NULL where some of it is missing. */
static char *end(writing *w)
{
    bool failed = ferror(w->to) != 0;
    if (fclose(w->to) != 0 || failed) {
        free(w->text);
        return NULL;
    }
    return w->text;
}

/* A word as a shell reads it back. */
static void say_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    say(to, " ");
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        say(to, "%s", word);
        return;
    }
    say(to, "'");
    for (const char *c = word; *c != '\0'; c++) {
        say(to, *c == '\'' ? "'\\''" : "%c", *c);
    }
    say(to, "'");
}

/* ---- Parts ---- */

int explain_digits(double time)
{
    enum { FEWEST = 6, MOST = 15 };
    int count = FEWEST;
    for (double limit = 1e6; count < MOST && fabs(time) >= limit; limit *= 10) {
        count++;
    }
    return count;
}

static void say_application(FILE *to, const inlay_explanation_figures *f)
{
    (void)f;
    say(to, "critical path of the application: no placement on such processors is faster");
}

static void say_work(FILE *to, const inlay_explanation_figures *f)
{
    if (f->processors == 1) {
        say(to, "work: processor %" PRId32 " does all of it and computes for %.*g", f->busiest, explain_digits(f->busy),
            f->busy);
    } else {
        say(to, "work: the %" PRId32 " processors compute for %.*g each on the average", f->processors,
            explain_digits(f->mean_busy), f->mean_busy);
    }
}

static void say_imbalance(FILE *to, const inlay_explanation_figures *f)
{
    say(to, "imbalance: processor %" PRId32 " computes for %.*g, %.2f times the mean of the %" PRId32 " used",
        f->busiest, explain_digits(f->busy), f->busy, f->mean_busy > 0 ? f->busy / f->mean_busy : 1, f->processors);
}

static void say_order(FILE *to, const inlay_explanation_figures *f)
{
    say(to, "order: processors wait for modules of each other; they are blocked %.1f %% of the time", 100 * f->blocked);
}

static void say_transfers(FILE *to, const inlay_explanation_figures *f)
{
    say(to, "transfers: %" PRId64 " message%s, each with the network to itself", f->messages,
        f->messages == 1 ? "" : "s");
}

static void say_queues(FILE *to, const inlay_explanation_figures *f)
{
    say(to, "queues: messages wait for each other");
    if (f->has_resource) {
        say(to, "; %s is taken %.1f %% of the time; on the average %.2f wait for it, %.2f with their processors",
            f->resource.name, 100 * f->resource.utilisation, f->resource.mean_queue, f->sender_queue);
    }
}

char *explain_part_words(const explain_view *view, inlay_part_kind part)
{
    typedef void sayer(FILE * to, const inlay_explanation_figures *f);
    static sayer *const sayers[INLAY_PARTS] = {say_application, say_work,      say_imbalance,
                                               say_order,       say_transfers, say_queues};
    writing w;
    if (!begin(&w)) {
        return NULL;
    }
    sayers[part](w.to, inlay_explanation_figures_of(view->explanation));
    return end(&w);
}

/* ---- Changes ---- */

static const char *reduction_word(inlay_reduce reduce)
{
    return reduce == INLAY_REDUCE_H1 ? "h1" : reduce == INLAY_REDUCE_H2 ? "h2" : "none";
}

static void say_processors(FILE *to, const explain_view *view, const inlay_change *change)
{
    inlay_id before = inlay_mapping_summary(view->mapping)->clusters;
    say(to, "%" PRId32 " processor%s instead of %" PRId32, change->processors, change->processors == 1 ? "" : "s",
        before);
    if (!change->mapping.has_time_frame && inlay_mapping_summary(view->mapping)->time_frame_given) {
        say(to, ", without -T");
    }
}

static void say_change(FILE *to, const explain_view *view, const inlay_change *change)
{
    switch (change->kind) {
    case INLAY_CHANGE_ALL_PROCESSORS: say(to, "all processors twice as fast"); break;
    case INLAY_CHANGE_PROCESSOR: say(to, "processor %" PRId32 " twice as fast", change->processor); break;
    case INLAY_CHANGE_MODULE:
        say(to, "module ");
        say_safely(to, inlay_app_module_name(inlay_mapping_app(view->mapping), change->module));
        say(to, " twice as fast");
        break;
    case INLAY_CHANGE_CAPACITY: say(to, "a network twice as fast"); break;
    case INLAY_CHANGE_LATENCY: say(to, "half the latency"); break;
    case INLAY_CHANGE_AGGREGATE: say(to, "one message a link"); break;
    case INLAY_CHANGE_OVERLAP:
        say(to, "%s while messages are under way", change->overlap ? "computing" : "not computing");
        break;
    case INLAY_CHANGE_TIME_FRAME:
        say(to, "T %s (%s), %" PRId32 " processor%s", change->time_frame, inlay_frame_name(change->frame),
            change->processors, change->processors == 1 ? "" : "s");
        break;
    case INLAY_CHANGE_PROCESSORS: say_processors(to, view, change); break;
    case INLAY_CHANGE_REDUCTION:
        say(to, "reduction %s instead of %s", reduction_word(change->mapping.reduce),
            change->mapping.reduce == INLAY_REDUCE_H1 ? "h2" : "h1");
        break;
    }
}

char *explain_change_words(const explain_view *view, const inlay_change *change)
{
    writing w;
    if (!begin(&w)) {
        return NULL;
    }
    say_change(w.to, view, change);
    return end(&w);
}

/* ---- Commands ---- */

static const explain_values *values_of(const explain_view *view)
{
    return view->call->values;
}

static const char *app_word(const explain_view *view)
{
    return values_of(view)->app != NULL ? values_of(view)->app : "APP";
}

static const char *machine_word(const explain_view *view, const inlay_change *change)
{
    return change->machine != NULL ? change->machine : inlay_machine_text(inlay_mapping_machine(view->mapping));
}

/* `inlay simulate`, which tries the change without making it. */
static void say_simulate(FILE *to, const explain_view *view, const inlay_change *change)
{
    say(to, "inlay simulate");
    say_word(to, view->call->operands[0]);
    if (values_of(view)->app != NULL) {
        say(to, " --app");
        say_word(to, values_of(view)->app);
    }
    if (!change->overlap) {
        say(to, " --overlap no");
    }
}

/* The rules that are not those of the default. */
static void say_rules(FILE *to, const inlay_options *o)
{
    say(to, "%s", o->blocking == INLAY_BLOCKING_YES ? " --blocking yes" : "");
    say(to, "%s", o->blocking == INLAY_BLOCKING_NO ? " --blocking no" : "");
    say(to, "%s", o->start == INLAY_START_STREAM ? " --start stream" : "");
    say(to, "%s", o->start == INLAY_START_FINISH ? " --start finish" : "");
    say(to, "%s", o->order == INLAY_ORDER_PAPER ? " --order paper" : "");
    say(to, "%s", o->order == INLAY_ORDER_BOTTOM_LEVEL ? " --order bottom-level" : "");
    if (o->tick_seconds > 0) {
        say(to, " --tick %.17gs", o->tick_seconds);
    }
}

static void say_method(FILE *to, const inlay_options *o)
{
    if (o->method != NULL && o->method != inlay_method_at(0)) {
        say(to, " --method %s", o->method->name);
    }
    if (o->reduce != INLAY_REDUCE_H2) {
        say(to, " --reduce %s", reduction_word(o->reduce));
    }
    say(to, "%s", o->reduce_when == INLAY_REDUCE_BEFORE ? " --reduce-when before" : "");
    say(to, "%s", o->reduce_by_traffic ? " --reduce-by traffic" : "");
    say(to, "%s", o->parallel == INLAY_PARALLEL_OVERLAP ? " --parallel overlap" : "");
    say(to, "%s", o->keep_unrelated ? " --unrelated no" : "");
}

static void say_map(FILE *to, const explain_view *view, const inlay_change *change)
{
    const inlay_options *o = &change->mapping;
    say(to, "inlay map");
    say_word(to, app_word(view));
    say_word(to, machine_word(view, change));
    if (o->has_time_frame) {
        say(to, " -T %s", change->time_frame);
    }
    if (change->kind == INLAY_CHANGE_PROCESSORS ||
        o->processors != inlay_machine_processors(inlay_mapping_machine(view->mapping))) {
        say(to, " --processors %" PRId32, o->processors);
    }
    say_method(to, o);
    say_rules(to, o);
}

/* The same placement on another machine. */
static void say_evaluate(FILE *to, const explain_view *view, const inlay_change *change)
{
    say(to, "inlay evaluate");
    say_word(to, app_word(view));
    say_word(to, machine_word(view, change));
    say_word(to, view->call->operands[0]);
    say_rules(to, &inlay_mapping_summary(view->mapping)->options);
}

static void say_command(FILE *to, const explain_view *view, const inlay_change *change)
{
    switch (change->kind) {
    case INLAY_CHANGE_ALL_PROCESSORS:
        say_simulate(to, view, change);
        say(to, " --scale compute=0.5");
        break;
    case INLAY_CHANGE_PROCESSOR:
        say_simulate(to, view, change);
        say(to, " --scale processor%" PRId32 "=0.5", change->processor);
        break;
    case INLAY_CHANGE_OVERLAP: say_simulate(to, view, change); break;
    case INLAY_CHANGE_CAPACITY:
    case INLAY_CHANGE_LATENCY: say_evaluate(to, view, change); break;
    case INLAY_CHANGE_TIME_FRAME:
    case INLAY_CHANGE_PROCESSORS:
    case INLAY_CHANGE_REDUCTION: say_map(to, view, change); break;
    case INLAY_CHANGE_MODULE:
    case INLAY_CHANGE_AGGREGATE: break; /* the application has to change */
    }
}

char *explain_change_command(const explain_view *view, const inlay_change *change)
{
    writing w;
    if (!begin(&w)) {
        return NULL;
    }
    say_command(w.to, view, change);
    return end(&w);
}
