/* The tables of what --hosts comes to. */
#include "report.h"
#include "rows.h"
#include <math.h>

static const double mega = 1e6;

static int print_processors(const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->of;
    table rows = {.left = {false, true}};
    table_headings(&rows, "processor|host|Mflop/s|spread|taken for|speed");
    for (int i = 0; i < r->ranks; i++) {
        const inlay_advisor_rank *own = &a->rank[i];
        table_cell(&rows, "%d", i);
        table_cell(&rows, "%s", r->host[r->host_of[i]].name);
        table_cell(&rows, "%.4g", r->advisor.operations / own->seconds.median / mega);
        add_share(&rows, own->seconds.spread);
        table_cells(&rows, "%.4g|%.4g", own->rate / mega, own->rate / a->rank[a->fastest].rate);
    }
    return print_rows(&rows);
}

static int print_steps(const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->of;
    table rows = {0};
    table_headings(&rows, "bytes|step of the ring|spread|fitted|off");
    for (int s = 0; s < r->sizes; s++) {
        const inlay_advisor_step *step = &a->step[s];
        table_cell(&rows, "%lld", (long long)r->size[s]);
        add_seconds(&rows, step->seconds.median);
        add_share(&rows, step->seconds.spread);
        add_seconds(&rows, step->fitted);
        double off = round(1000 * (step->fitted / step->seconds.median - 1)) / 10;
        table_cell(&rows, "%+.1f %%", off + 0.0); /* a zero has no minus sign then */
    }
    say(stdout, "\n");
    return print_rows(&rows);
}

static void print_network(const inlay_advisor_fit *a)
{
    char text[INLAY_VALUE_TEXT];
    say(stdout, "\nlambda  %s a message\n", inlay_seconds_text(a->latency, 4, " ", text));
    say(stdout, "tau     %s a byte", inlay_seconds_text(a->per_byte, 4, " ", text));
    if (a->per_byte > 0) {
        say(stdout, ", %s", inlay_rate_text(1 / a->per_byte, 4, " ", text));
    }
    say(stdout, "\nkind    %s", inlay_medium_name(a->kind));
    if (a->shared > 0) {
        say(stdout, ": a byte takes %.3g times as long as alone", a->shared);
    }
    say(stdout, "\n");
}

int print_advisor(const inlay_advisor_fit *a, const char *path)
{
    const inlay_raw *r = a->of;
    say(stdout, "%d processor%s on %d host%s, %-s, %-s\n\n", r->ranks, r->ranks == 1 ? "" : "s", r->hosts,
        r->hosts == 1 ? "" : "s", r->date, r->mpi);
    int status = print_processors(a);
    if (status == INLAY_OK && r->ranks > 1) {
        status = print_steps(a);
        print_network(a);
    }
    if (status == INLAY_OK && path != NULL) {
        say(stdout, "\nnext    inlay decompose GRID %-s\n", path);
    }
    return status;
}
