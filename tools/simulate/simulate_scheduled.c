/* The table of `inlay simulate --scheduler`: what every processor did, then the figures of the whole. */
#include "report.h"
#include "simulate.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>

enum { MOST_PROCESSORS = 100, LABEL = 15, DIGITS = 10 };

static int print_processors(const inlay_scheduled *run, bool all)
{
    const inlay_scheduled_summary *s = inlay_scheduled_result(run);
    inlay_id shown = all || s->processors <= MOST_PROCESSORS ? s->processors : MOST_PROCESSORS;
    table rows = {0};
    table_headings(&rows, "processor|modules^2|busy|overhead^1|fetching^1|idle^1|busy share|messages^3");
    for (inlay_id k = 0; k < shown; k++) {
        inlay_scheduled_core of = inlay_scheduled_core_at(run, k);
        double share = s->makespan > 0 ? 100 * of.busy / s->makespan : 0;
        table_cells(&rows, "%" PRId32 "|%" PRId64 "|%.*g|%.*g|%.*g|%.*g|%.1f %%|%" PRId64, of.processor, of.modules,
                    DIGITS, of.busy, DIGITS, of.overhead, DIGITS, of.fetching, DIGITS, of.idle, share, of.messages);
    }
    int status = table_print(&rows, stdout);
    if (status == INLAY_OK && shown < s->processors) {
        say(stdout, "... (%" PRId32 " more processors; --verbose lists all)\n", s->processors - shown);
    }
    return status;
}

static int print_memories(const inlay_scheduled *run)
{
    char name[INLAY_MACHINE_NAME];
    const inlay_machine *machine = inlay_scheduled_machine(run);
    table rows = {0};
    table_headings(&rows, "memory|capacity|peak|bytes came|at least|evictions|write-backs");
    rows.left[0] = true;
    for (inlay_id k = 0; k < inlay_machine_hosts(machine); k++) {
        inlay_scheduled_memory of = inlay_scheduled_memory_at(run, k);
        table_cells(&rows, "%s", inlay_machine_node_name(machine, k, name));
        if (of.capacity < 0) {
            table_cells(&rows, "-");
        } else {
            table_cells(&rows, "%" PRId64, of.capacity);
        }
        table_cells(&rows, "%" PRId64 "|%" PRId64 "|%" PRId64 "|%" PRId64 "|%" PRId64, of.peak, of.loaded, of.least,
                    of.evictions, of.write_backs);
    }
    say(stdout, "\n");
    return table_print(&rows, stdout);
}

static void say_data(const inlay_scheduled *run)
{
    const inlay_scheduled_summary *s = inlay_scheduled_result(run);
    double unit = inlay_unit_seconds(inlay_app_unit(inlay_scheduled_app(run)));
    say_label(stdout, LABEL, "data");
    say(stdout, "%" PRId64 " bytes moved, at least %" PRId64 "; %" PRId64 " of %" PRId64 " inputs were there\n",
        s->moved, s->least_moved, s->hits, s->inputs);
    say_label(stdout, LABEL, "bounds");
    say(stdout, "%.*g by the longest path, %.*g by work on each type\n", DIGITS, s->path_bound, DIGITS, s->area_bound);
    if (s->operations > 0 && s->makespan > 0 && unit > 0) {
        say_label(stdout, LABEL, "rate");
        say(stdout, "%.5g Gflop/s\n", s->operations / (s->makespan * unit) / 1e9);
    }
}

int simulate_print_scheduled(const cli_answer *a)
{
    const inlay_scheduled *run = a->of;
    const inlay_scheduled_summary *s = inlay_scheduled_result(run);
    const char *unit = inlay_unit_word(inlay_app_unit(inlay_scheduled_app(run)));
    int status = print_processors(run, a->call->common->verbose);
    if (status == INLAY_OK && s->has_memories) {
        status = print_memories(run);
    }
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    say_label(stdout, LABEL, "elapsed");
    say(stdout, "%.*g %s under %s", DIGITS, s->makespan, unit, s->scheduler);
    if (s->has_memories && s->winner != s->scheduler) {
        say(stdout, ", which is %s", s->winner);
    }
    if (s->replications > 1) {
        say(stdout, ", mean of %" PRId64 " runs: 90 %% of them from %.*g to %.*g", s->replications, DIGITS, s->p05,
            DIGITS, s->p95);
    }
    say(stdout, "\n");
    say_label(stdout, LABEL, "work");
    say(stdout, "%.*g; critical path %.*g\n", DIGITS, s->work, DIGITS, s->critical_path);
    say_label(stdout, LABEL, "messages");
    say(stdout, "%" PRId64 " fetched\n", s->messages);
    if (s->has_memories) {
        say_data(run);
    }
    return INLAY_OK;
}
