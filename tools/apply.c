/* `inlay apply`: the program that was captured runs as a mapping says, beside itself as ever. */
#include "answer.h"
#include "apply_ranks.h"
#include "commands.h"
#include "endings.h"
#include "external.h"
#include "report.h"
#include "started.h"
#include <errno.h>
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_RUNS = 5, MOST_RUNS = 1000, LABEL = 16 };

typedef struct apply_values {
    common_values common;
    const char *app, *segments;
    inlay_id runs;
    bool strict;
} apply_values;

#define FIELD(name) offsetof(apply_values, name)

static const cli_option running[] = {
    {"app", 0, OPTION_STRING, "FILE", "take the application from FILE, not from where the mapping says", NULL,
     FIELD(app)},
    {"runs", 0, OPTION_COUNT, "N", "run the command N times as ever and N times as the mapping says, in turn", "5",
     FIELD(runs)},
    {"segments", 0, OPTION_STRING, "FILE",
     "of an MPI program whose ranks were mapped: the program as inlay capture --mpi --keep wrote it, for the simulated "
     "times",
     NULL, FIELD(segments)},
    {"strict", 0, OPTION_FLAG, NULL, "a thread without a task that is ready waits: it takes none of another's", NULL,
     FIELD(strict)},
};
static const cli_group apply_running = {"The runs", running, sizeof running / sizeof *running};

/* ---- Outputs ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_applied_write_json(a->of, &context, path, a->diag);
}

static const cli_output apply_files[] = {{"JSON", .write = write_json}, {0}};

static void print_times(const char *label, const inlay_run_times *times, double simulated, const char *by,
                        const char *scheduler)
{
    say_label(stdout, LABEL, label);
    say(stdout, "%#.6g s, %#.6g to %#.6g; simulated %#.6g s %s%s\n", times->median, times->least, times->most,
        simulated, by, scheduler != NULL ? scheduler : "");
}

static int print_text(const cli_answer *a)
{
    const inlay_applied *of = a->of;
    char measured[FIGURE], simulated[FIGURE];
    say(stdout, "%-s on %" PRId64 " %s%s, %" PRId64 " run%s each\n\n", of->application, of->threads,
        of->ranks ? "processor" : "thread", of->threads == 1 ? "" : "s", of->runs, of->runs == 1 ? "" : "s");
    print_times("as ever", &of->plain, of->simulated_plain, of->ranks ? "with ranks in order" : "under ",
                of->scheduler);
    print_times("as mapped", &of->applied, of->simulated_applied, "by the mapping", NULL);
    say_label(stdout, LABEL, "gain");
    say(stdout, "%s measured, %s simulated\n",
        percent_figure(1 - of->applied.median / of->plain.median, true, measured),
        percent_figure(1 - of->simulated_applied / of->simulated_plain, true, simulated));
    if (of->ranks) {
        say_label(stdout, LABEL, "ranks");
        say(stdout, "%" PRId64 "\n", of->tasks);
        return INLAY_OK;
    }
    say_label(stdout, LABEL, "tasks");
    say(stdout, "%" PRId64 " of the mapping's %" PRId64 ", %" PRId64 " of them on their own thread", of->planned,
        of->tasks, of->as_placed);
    if (of->beyond > 0) {
        say(stdout, "; %" PRId64 " that it does not have", of->beyond);
    }
    say(stdout, "\n");
    if (of->why != NULL) {
        say_label(stdout, LABEL, "given up");
        say(stdout, "from task %" PRId64 " on: %s\n", of->given_up, of->why);
    }
    return INLAY_OK;
}

/* ---- Runs ---- */

/* What the recorder needs, or nothing of it. The user's own settings of threads stay. */
static void set_up(const char *preload, const char *plan, const char *report, int64_t threads, bool strict)
{
    char number[FIGURE];
    (void)snprintf(number, sizeof number, "%" PRId64, threads);
    (void)setenv("OMP_NUM_THREADS", number, 1);
    (void)setenv("STARPU_NCPU", number, 1);
    (void)setenv("OMP_PROC_BIND", "true", 0);
    (void)setenv("LD_PRELOAD", preload, 1);
    (void)unsetenv("INLAY_PLAN_STRICT");
    if (plan != NULL) {
        (void)setenv("INLAY_PLAN", plan, 1);
        (void)setenv("INLAY_PLAN_REPORT", report, 1);
        if (strict) {
            (void)setenv("INLAY_PLAN_STRICT", "yes", 1);
        }
    } else {
        (void)unsetenv("INLAY_PLAN");
        (void)unsetenv("INLAY_PLAN_REPORT");
    }
}

/* What stands before the program, or leads it. */
typedef struct guide {
    char preload[3 * PATH_MAX + 2], was[PATH_MAX], report[PATH_MAX];
    const char *plan;
    const invocation *ranked; /* the command with a rankfile; NULL: an OpenMP program, by its environment */
} guide;

static int find_guide(const invocation *call, const folder *where, const char *plan, guide *g)
{
    char recorder[PATH_MAX], starpu[PATH_MAX];
    const char *preloaded = getenv("LD_PRELOAD");
    if (!external_find("capture-plan.so", recorder)) {
        return report_usage(call->command,
                            "there is no inlay-capture-plan.so beside this program; expected all of Inlay");
    }
    g->plan = plan;
    (void)snprintf(g->was, sizeof g->was, "%s", preloaded != NULL ? preloaded : "");
    bool also = external_find("capture-starpu.so", starpu);
    (void)snprintf(g->preload, sizeof g->preload, "%s%s%s%s%s", recorder, also ? ":" : "", also ? starpu : "",
                   g->was[0] != '\0' ? ":" : "", g->was);
    (void)folder_file(where, "report", g->report);
    return EXIT_DONE;
}

static int run_all(const invocation *call, const folder *where, const guide *g, inlay_applied *result, inlay_diag *diag)
{
    const apply_values *values = call->values;
    size_t runs = values->runs > 0 ? (size_t)values->runs : USUAL_RUNS;
    double seconds[2][MOST_RUNS];
    runs = runs < MOST_RUNS ? runs : MOST_RUNS;
    started worst = {.others = NAN};
    int end = EXIT_DONE, status[2] = {0, 0};
    for (size_t i = 0; end == EXIT_DONE && i < 2 * runs; i++) {
        bool applied = i % 4 == 1 || i % 4 == 2; /* in turn who is first */
        started run = {.others = NAN};
        if (g->ranked == NULL) {
            set_up(applied ? g->preload : g->was, applied ? g->plan : NULL, g->report, result->threads, values->strict);
        }
        end = command_run(applied && g->ranked != NULL ? g->ranked : call, 1, where, &run);
        seconds[applied][i / 2] = run.end.seconds;
        status[applied] = run.end.status != 0 ? run.end.status : status[applied];
        worst = i == 0 ? run : command_worse(&worst, &run);
    }
    if (end == EXIT_DONE && status[1] != 0 && status[0] == 0) {
        say(stderr, "inlay apply: the command ends with status %d as mapped, and with 0 as ever: nothing is compared\n",
            status[1]);
        return EXIT_SYSTEM;
    }
    command_warn(&worst, "", diag);
    if (end == EXIT_DONE) {
        result->runs = (int64_t)runs;
        result->plain = command_times(seconds[0], runs);
        result->applied = command_times(seconds[1], runs);
    }
    return end;
}

/* ---- An MPI program ---- */

static int apply_ranks(const invocation *call, const inlay_loaded *loaded, const folder *where, inlay_applied *result,
                       inlay_diag *diag)
{
    const apply_values *values = call->values;
    char path[PATH_MAX];
    ranked r = {.word = NULL};
    if (values->segments == NULL || values->strict) {
        return report_usage(call->command, "%s",
                            values->strict ? "--strict is for OpenMP programs, and the mapping is of ranks"
                                           : "the mapping is of the ranks of an MPI program; expected --segments with "
                                             "the program as inlay capture --mpi --keep writes it");
    }
    result->ranks = true;
    result->tasks = result->planned = result->as_placed = inlay_app_modules(loaded->app);
    int status = ranked_simulate(loaded, values->segments, result, diag);
    status = status == INLAY_OK ? ranked_make(call, loaded->mapping, folder_file(where, "ranks", path), &r) : status;
    if (status == INLAY_OK) {
        status = run_all(call, where, &(guide){.ranked = &r.call}, result, diag);
    }
    ranked_clear(&r);
    return status;
}

/* ---- An OpenMP program ---- */

/* Under a scheduler as the program's library has it, on as many cores of one host. In seconds. */
static int simulate_plain(const inlay_app *app, double unit, inlay_applied *result, inlay_diag *diag)
{
    const inlay_speedup_options options = {
        .run.scheduler = result->scheduler, .from = (inlay_id)result->threads, .to = (inlay_id)result->threads};
    inlay_speedup_result *speedup = NULL;
    int status = inlay_speedup(app, NULL, &options, &speedup, diag);
    if (status == INLAY_OK) {
        result->simulated_plain = inlay_speedup_point_at(speedup, 0).elapsed * unit;
    }
    inlay_speedup_free(speedup);
    return status;
}

static int apply_tasks(const invocation *call, const inlay_loaded *loaded, const folder *where, inlay_applied *result,
                       inlay_diag *diag)
{
    char plan[PATH_MAX];
    double unit = inlay_unit_seconds(inlay_app_unit(loaded->app));
    guide g = {.plan = NULL};
    result->simulated_applied = inlay_mapping_summary(loaded->mapping)->elapsed * unit;
    int status = inlay_plan_write(loaded->mapping, folder_file(where, "plan", plan), &result->tasks, diag);
    status = status == INLAY_OK ? find_guide(call, where, plan, &g) : status;
    status = status == INLAY_OK ? run_all(call, where, &g, result, diag) : status;
    status = status == INLAY_OK ? inlay_plan_report(g.report, result, diag) : status;
    return status == INLAY_OK ? simulate_plain(loaded->app, unit, result, diag) : status;
}

static int apply_in(const invocation *call, const inlay_loaded *loaded, const folder *where, inlay_diag *diag)
{
    inlay_applied result = {.application = inlay_app_name(loaded->app), .machine = inlay_machine_text(loaded->machine)};
    for (inlay_id c = 0; c < inlay_mapping_summary(loaded->mapping)->clusters; c++) {
        inlay_id processor = inlay_mapping_cluster(loaded->mapping, c).processor;
        result.threads = processor >= result.threads ? processor + 1 : result.threads;
    }
    inlay_diag_keep_warnings(diag, true);
    bool ranks = inlay_app_is_ranks(loaded->app);
    int status =
        ranks ? apply_ranks(call, loaded, where, &result, diag) : apply_tasks(call, loaded, where, &result, diag);
    return status == INLAY_OK ? give_out(call, &result, diag) : status;
}

static int apply(const invocation *call, const inlay_loaded *loaded, inlay_diag *diag)
{
    sigset_t before;
    folder where = {0};
    endings_hold(&before);
    int status = EXIT_SYSTEM;
    if (folder_make(&where) == INLAY_OK) {
        status = apply_in(call, loaded, &where, diag);
    } else {
        say(stderr, "inlay apply: no folder for files on the way can be made (%s)\n", strerror(errno));
    }
    folder_remove(&where);
    endings_release(&before);
    return status;
}

static int read_and_apply(const invocation *call, inlay_diag *diag)
{
    const apply_values *values = call->values;
    return answer_mapping(call, values->app, apply, diag);
}

const cli_command apply_command = {
    .name = "apply",
    .summary = "a captured program runs as its mapping says, beside itself as ever",
    .description =
        "Runs COMMAND, an OpenMP program that inlay capture captured, or one of StarPU's, as ever and as "
        "MAPPING says, in turn, and tells what was gained: each task on the thread of its processor, in the order of "
        "the mapping. A "
        "thread whose "
        "own tasks are not ready takes another's. The tasks must be created in the same order as when they were "
        "captured, by one thread at a time and outside of task groups; where that does not hold the plan is given up, "
        "and the program goes on as ever. Of an MPI program whose ranks were mapped (inlay capture --mpi --coalesce "
        "ranks) "
        "each rank runs on its processor, by a rankfile of Open MPI's. All that COMMAND prints goes to standard error.",
    .example = "cc -O2 -g -fopenmp docs/examples/capture/cholesky.c -o cholesky -lm\n"
               "inlay capture --tasks-only -o cholesky.tg -- ./cholesky 12 32\n"
               "inlay map cholesky.tg bus:2,contention=free --quiet -o mapping.json\n"
               "inlay apply mapping.json -- ./cholesky 12 32",
    .operands =
        {{.name = "MAPPING", .help = "a mapping.json of a captured program"},
         {.name = "COMMAND", .help = "behind --: the program, with its arguments", .repeats = true, .word = true}},
    .groups = {&apply_running, &result_options, &common_options},
    .values_size = sizeof(apply_values),
    .outputs = apply_files,
    .print = print_text,
    .answer = read_and_apply,
};
