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

int simulate_print_scheduled(const cli_answer *a)
{
    const inlay_scheduled *run = a->of;
    const inlay_scheduled_summary *s = inlay_scheduled_result(run);
    const char *unit = inlay_unit_word(inlay_app_unit(inlay_scheduled_app(run)));
    int status = print_processors(run, a->call->common->verbose);
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    say_label(stdout, LABEL, "elapsed");
    say(stdout, "%.*g %s under %s", DIGITS, s->makespan, unit, s->scheduler);
    if (s->replications > 1) {
        say(stdout, ", mean of %" PRId64 " runs: 90 %% of them from %.*g to %.*g", s->replications, DIGITS, s->p05,
            DIGITS, s->p95);
    }
    say(stdout, "\n");
    say_label(stdout, LABEL, "work");
    say(stdout, "%.*g; critical path %.*g\n", DIGITS, s->work, DIGITS, s->critical_path);
    say_label(stdout, LABEL, "messages");
    say(stdout, "%" PRId64 " fetched\n", s->messages);
    return INLAY_OK;
}
