/* The words of `inlay explain`: parts of the elapsed time, changes, and the commands that make them. */
#include "base/text.h"
#include <inlay/explain.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Texts of any length ---- */

/* The text, which is the caller's; NULL where some of it is missing. */
static char *finish(text_buffer *to)
{
    text_add(to, "");
    if (to->failed) {
        text_clear(to);
    }
    return to->data;
}

/* Without characters that would command a terminal. */
static void say_safely(text_buffer *to, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        bool control = (unsigned char)*c < ' ' || *c == 127;
        text_append(to, control ? "?" : c, 1);
    }
}

/* A word as a shell reads it back. */
static void say_word(text_buffer *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    text_addf(to, " ");
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        text_addf(to, "%s", word);
        return;
    }
    text_addf(to, "'");
    for (const char *c = word; *c != '\0'; c++) {
        text_addf(to, *c == '\'' ? "'\\''" : "%c", *c);
    }
    text_addf(to, "'");
}

/* ---- Parts ---- */

int inlay_explain_digits(double time)
{
    enum { FEWEST = 6, MOST = 15 };
    int count = FEWEST;
    for (double limit = 1e6; count < MOST && fabs(time) >= limit; limit *= 10) {
        count++;
    }
    return count;
}

static void say_application(text_buffer *to, const inlay_explanation_figures *f)
{
    (void)f;
    text_addf(to, "critical path of the application: no placement on such processors is faster");
}

static void say_work(text_buffer *to, const inlay_explanation_figures *f)
{
    if (f->processors == 1) {
        text_addf(to, "work: processor %" PRId32 " does all of it and computes for %.*g", f->busiest,
                  inlay_explain_digits(f->busy), f->busy);
    } else {
        text_addf(to, "work: the %" PRId32 " processors compute for %.*g each on the average", f->processors,
                  inlay_explain_digits(f->fast_mean), f->fast_mean);
    }
}

static void say_imbalance(text_buffer *to, const inlay_explanation_figures *f)
{
    text_addf(to, "imbalance: processor %" PRId32 " computes for %.*g, %.2f times the mean of the %" PRId32 " used",
              f->fast_busiest, inlay_explain_digits(f->fast_busy), f->fast_busy,
              f->fast_mean > 0 ? f->fast_busy / f->fast_mean : 1, f->processors);
}

static void say_order(text_buffer *to, const inlay_explanation_figures *f)
{
    text_addf(to, "order: processors wait for modules of each other; they are blocked %.1f %% of the time",
              100 * f->blocked);
}

static void say_speed(text_buffer *to, const inlay_explanation_figures *f)
{
    text_addf(
        to, "speed: modules run on slower processors; with all as fast as the fastest and free messages it takes %.*g",
        inlay_explain_digits(f->fast_makespan), f->fast_makespan);
}

static void say_transfers(text_buffer *to, const inlay_explanation_figures *f)
{
    text_addf(to, "transfers: %" PRId64 " message%s, each with the network to itself", f->messages,
              f->messages == 1 ? "" : "s");
}

static void say_queues(text_buffer *to, const inlay_explanation_figures *f)
{
    text_addf(to, "queues: messages wait for each other");
    if (f->has_resource) {
        text_addf(to, "; %s is taken %.1f %% of the time; on the average %.2f wait for it, %.2f with their processors",
                  f->resource.name, 100 * f->resource.utilisation, f->resource.mean_queue, f->sender_queue);
    }
}

char *inlay_part_words(const inlay_explained *of, inlay_part_kind part)
{
    typedef void sayer(text_buffer * to, const inlay_explanation_figures *f);
    static sayer *const sayers[INLAY_PARTS] = {say_application, say_work,      say_imbalance, say_order,
                                               say_speed,       say_transfers, say_queues};
    text_buffer w = {0};
    sayers[part](&w, inlay_explanation_figures_of(of->explanation));
    return finish(&w);
}

/* ---- Changes ---- */

static const char *reduction_word(inlay_reduce reduce)
{
    return reduce == INLAY_REDUCE_H1 ? "h1" : reduce == INLAY_REDUCE_H2 ? "h2" : "none";
}

static void say_processors(text_buffer *to, const inlay_explained *of, const inlay_change *change)
{
    inlay_id before = inlay_mapping_summary(of->mapping)->clusters;
    text_addf(to, "%" PRId32 " processor%s instead of %" PRId32, change->processors, change->processors == 1 ? "" : "s",
              before);
    if (!change->mapping.has_time_frame && inlay_mapping_summary(of->mapping)->time_frame_given) {
        text_addf(to, ", without -T");
    }
}

static void say_change(text_buffer *to, const inlay_explained *of, const inlay_change *change)
{
    switch (change->kind) {
    case INLAY_CHANGE_ALL_PROCESSORS: text_addf(to, "all processors twice as fast"); break;
    case INLAY_CHANGE_PROCESSOR: text_addf(to, "processor %" PRId32 " twice as fast", change->processor); break;
    case INLAY_CHANGE_MODULE:
        text_addf(to, "module ");
        say_safely(to, inlay_app_module_name(inlay_mapping_app(of->mapping), change->module));
        text_addf(to, " twice as fast");
        break;
    case INLAY_CHANGE_CAPACITY: text_addf(to, "a network twice as fast"); break;
    case INLAY_CHANGE_LATENCY: text_addf(to, "half the latency"); break;
    case INLAY_CHANGE_AGGREGATE: text_addf(to, "one message a link"); break;
    case INLAY_CHANGE_OVERLAP:
        text_addf(to, "%s while messages are under way", change->overlap ? "computing" : "not computing");
        break;
    case INLAY_CHANGE_TIME_FRAME:
        text_addf(to, "T %s (%s), %" PRId32 " processor%s", change->time_frame, inlay_frame_name(change->frame),
                  change->processors, change->processors == 1 ? "" : "s");
        break;
    case INLAY_CHANGE_PROCESSORS: say_processors(to, of, change); break;
    case INLAY_CHANGE_REDUCTION:
        text_addf(to, "reduction %s instead of %s", reduction_word(change->mapping.reduce),
                  change->mapping.reduce == INLAY_REDUCE_H1 ? "h2" : "h1");
        break;
    case INLAY_CHANGE_METHOD:
        text_addf(to, "method %s, %" PRId32 " processor%s", change->mapping.method->name, change->processors,
                  change->processors == 1 ? "" : "s");
        break;
    case INLAY_CHANGE_ORDER: text_addf(to, "the same placement in another order"); break;
    }
}

char *inlay_change_words(const inlay_explained *of, const inlay_change *change)
{
    text_buffer w = {0};
    say_change(&w, of, change);
    return finish(&w);
}

/* ---- Commands ---- */

static const char *app_word(const inlay_explained *of)
{
    return of->app != NULL ? of->app : "APP";
}

static const char *machine_word(const inlay_explained *of, const inlay_change *change)
{
    return change->machine != NULL ? change->machine : inlay_machine_text(inlay_mapping_machine(of->mapping));
}

/* `inlay simulate`, which tries the change without making it. */
static void say_simulate(text_buffer *to, const inlay_explained *of, const inlay_change *change)
{
    text_addf(to, "inlay simulate");
    say_word(to, of->file);
    if (of->app != NULL) {
        text_addf(to, " --app");
        say_word(to, of->app);
    }
    if (!change->overlap) {
        text_addf(to, " --overlap no");
    }
}

/* The rules that are not those of the default. */
static void say_rules(text_buffer *to, const inlay_options *o)
{
    text_addf(to, "%s", o->blocking == INLAY_BLOCKING_YES ? " --blocking yes" : "");
    text_addf(to, "%s", o->blocking == INLAY_BLOCKING_NO ? " --blocking no" : "");
    text_addf(to, "%s", o->start == INLAY_START_STREAM ? " --start stream" : "");
    text_addf(to, "%s", o->start == INLAY_START_FINISH ? " --start finish" : "");
    text_addf(to, "%s", o->order == INLAY_ORDER_PAPER ? " --order paper" : "");
    text_addf(to, "%s", o->order == INLAY_ORDER_BOTTOM_LEVEL ? " --order bottom-level" : "");
    if (o->tick_seconds > 0) {
        text_addf(to, " --tick %.17gs", o->tick_seconds);
    }
    if (o->seed != 0) {
        text_addf(to, " --seed %" PRIu64, o->seed);
    }
}

static void say_method(text_buffer *to, const inlay_options *o)
{
    if (o->method != NULL) { /* also houstis, which is not the default of `map` */
        text_addf(to, " --method %s", o->method->name);
    }
    if (o->reduce != INLAY_REDUCE_H2) {
        text_addf(to, " --reduce %s", reduction_word(o->reduce));
    }
    text_addf(to, "%s", o->reduce_when == INLAY_REDUCE_BEFORE ? " --reduce-when before" : "");
    text_addf(to, "%s", o->reduce_by_traffic ? " --reduce-by traffic" : "");
    text_addf(to, "%s", o->parallel == INLAY_PARALLEL_OVERLAP ? " --parallel overlap" : "");
    text_addf(to, "%s", o->keep_unrelated ? " --unrelated no" : "");
    if (o->effort.evaluations != 0) {
        text_addf(to, " --effort %" PRId64, o->effort.evaluations < 0 ? 0 : o->effort.evaluations);
    }
}

static void say_map(text_buffer *to, const inlay_explained *of, const inlay_change *change)
{
    const inlay_options *o = &change->mapping;
    text_addf(to, "inlay map");
    say_word(to, app_word(of));
    say_word(to, machine_word(of, change));
    if (o->has_time_frame) {
        text_addf(to, " -T %s", change->time_frame);
    }
    if (change->kind == INLAY_CHANGE_PROCESSORS ||
        o->processors != inlay_machine_processors(inlay_mapping_machine(of->mapping))) {
        text_addf(to, " --processors %" PRId32, o->processors);
    }
    say_method(to, o);
    say_rules(to, o);
}

/* The same placement on another machine. */
static void say_evaluate(text_buffer *to, const inlay_explained *of, const inlay_change *change)
{
    text_addf(to, "inlay evaluate");
    say_word(to, app_word(of));
    say_word(to, machine_word(of, change));
    say_word(to, of->file);
    say_rules(to, &inlay_mapping_summary(of->mapping)->options);
}

static void say_command(text_buffer *to, const inlay_explained *of, const inlay_change *change)
{
    switch (change->kind) {
    case INLAY_CHANGE_ALL_PROCESSORS:
        say_simulate(to, of, change);
        text_addf(to, " --scale compute=0.5");
        break;
    case INLAY_CHANGE_PROCESSOR:
        say_simulate(to, of, change);
        text_addf(to, " --scale processor%" PRId32 "=0.5", change->processor);
        break;
    case INLAY_CHANGE_OVERLAP: say_simulate(to, of, change); break;
    case INLAY_CHANGE_CAPACITY:
    case INLAY_CHANGE_LATENCY: say_evaluate(to, of, change); break;
    case INLAY_CHANGE_TIME_FRAME:
    case INLAY_CHANGE_PROCESSORS:
    case INLAY_CHANGE_REDUCTION:
    case INLAY_CHANGE_METHOD: say_map(to, of, change); break;
    case INLAY_CHANGE_ORDER:
        say_evaluate(to, of, change);
        text_addf(to, " --improve order");
        break;
    case INLAY_CHANGE_MODULE:
    case INLAY_CHANGE_AGGREGATE: break; /* the application has to change */
    }
}

char *inlay_change_command(const inlay_explained *of, const inlay_change *change)
{
    text_buffer w = {0};
    say_command(&w, of, change);
    return finish(&w);
}
