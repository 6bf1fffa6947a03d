/* The table of `inlay capture`: what was found, and the kinds of modules. */
#include "capture.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LABEL = 16, MOST_ROWS = 20 };

static int print_kinds(const inlay_capture *capture, bool all)
{
    table rows = {0};
    size_t count = inlay_capture_kinds(capture), shown = all || count <= MOST_ROWS ? count : MOST_ROWS;
    double busy = inlay_capture_told(capture).busy;
    table_headings(&rows, "kind|modules^1|mean|deviation^2|least^3|most^3|of busy");
    rows.left[0] = true;
    for (size_t i = 0; i < shown; i++) {
        char share[FIGURE];
        inlay_capture_kind kind = inlay_capture_kind_at(capture, i);
        table_cells(&rows, "%s|%" PRId64 "|%#.4g|%#.3g|%#.4g|%#.4g|%s", kind.name, kind.modules, kind.mean,
                    kind.deviation, kind.least, kind.most,
                    percent_figure(busy > 0 ? kind.mean * (double)kind.modules / busy : 0, false, share));
    }
    int status = table_print(&rows, stdout);
    if (status == INLAY_OK && shown < count) {
        say(stdout, "... (%zu more kinds; --verbose lists all)\n", count - shown);
    }
    return status;
}

static void print_run(const captured_run *run)
{
    if (run->pairs > 0) {
        char text[FIGURE], least[FIGURE], most[FIGURE];
        say_label(stdout, LABEL, "overhead");
        say(stdout, "%s of the whole command, %s to %s in %zu pairs of runs with and without recorder\n",
            percent_figure(run->overhead.median, true, text), percent_figure(run->overhead.least, true, least),
            percent_figure(run->overhead.most, true, most), run->pairs);
    }
}

static void print_tasks(const inlay_capture_facts *facts)
{
    say_label(stdout, LABEL, "tasks");
    say(stdout, "%" PRId64 " on %" PRId64 " thread%s\n", facts->tasks, facts->places, facts->places == 1 ? "" : "s");
    say_label(stdout, LABEL, "dependences");
    say(stdout, "%" PRId64 " items of depend clauses order %" PRId64 " pairs of tasks\n", facts->items,
        facts->dependences);
}

static void print_messages(const inlay_capture_facts *facts)
{
    say_label(stdout, LABEL, "messages");
    say(stdout, "%" PRId64 " of %.6g bytes between %" PRId64 " rank%s, %" PRId64 " of them by collective operations\n",
        facts->messages, facts->bytes, facts->places, facts->places == 1 ? "" : "s", facts->collective);
}

static void print_processes(const inlay_capture_facts *facts)
{
    say_label(stdout, LABEL, "processes");
    say(stdout, "%" PRId64 ", at most %" PRId64 " at once that waited for none\n", facts->tasks, facts->places);
    say_label(stdout, LABEL, "files");
    say(stdout, "%" PRId64 " that one wrote and another read order %" PRId64 " pairs of modules\n", facts->items,
        facts->dependences);
}

int capture_print_table(const cli_answer *a)
{
    const captured *of = a->of;
    const inlay_app *app = inlay_capture_app(of->capture);
    inlay_capture_facts facts = inlay_capture_told(of->capture);
    say(stdout, "%-s, by %s, times in s\n\n", inlay_app_name(app), facts.recorder);
    static const struct {
        const char *recorder;
        void (*print)(const inlay_capture_facts *facts);
        const char *places;
    } forms[] = {{"openmp", print_tasks, "threads"},
                 {"mpi", print_messages, "ranks"},
                 {"processes", print_processes, "processors"}};
    size_t form = sizeof forms / sizeof *forms - 1;
    while (form > 0 && strcmp(facts.recorder, forms[form].recorder) != 0) {
        form--;
    }
    forms[form].print(&facts);
    say_label(stdout, LABEL, "graph");
    bool kept = a->call->given[command_find_option(a->call->command, "-o")] != NULL;
    say(stdout, "%" PRId32 " modules, %" PRId64 " links%s\n", inlay_app_modules(app), inlay_app_links(app),
        kept ? "" : "; -o FILE keeps it");
    say_label(stdout, LABEL, "elapsed");
    say(stdout, "%#.6g, of which modules %#.6g, on %.2f %s at a time\n", facts.elapsed, facts.busy,
        facts.elapsed > 0 ? facts.busy / facts.elapsed : 0, forms[form].places);
    if (form == 0) {
        say_label(stdout, LABEL, "scheduler");
        say(stdout, "%#.3g a module, from when its task could begin on an idle thread to when it did\n",
            facts.task_overhead);
    }
    if (of->run != NULL) {
        print_run(of->run);
    }
    say(stdout, "\n");
    return print_kinds(of->capture, a->call->common->verbose);
}
