/* The table of what was measured. */
#include "report.h"
#include "rows.h"
#include <stdio.h>

/* Alone, its spread, and all at once. */
static void add_figures(table *rows, const inlay_figure *alone, const inlay_figure *all)
{
    add_seconds(rows, alone->median);
    add_share(rows, alone->spread);
    add_seconds(rows, all->median);
    add_share(rows, all->spread);
}

static int print_ranks(const inlay_machine_fit *a)
{
    table rows = {.left = {false, true}};
    table_headings(&rows,
                   "rank|host|arithmetic|spread^3|at once^1|spread^4|function^2|spread^5|at once^5|spread^6|speed");
    for (int r = 0; r < a->of->ranks; r++) {
        const inlay_rank_figures *own = &a->rank[r];
        table_cell(&rows, "%d", r);
        table_cell(&rows, "%s", a->of->host[a->of->host_of[r]].name);
        add_figures(&rows, &own->arithmetic_alone, &own->arithmetic_all);
        add_figures(&rows, &own->function_alone, &own->function_all);
        table_cell(&rows, "%.4g", own->speed);
    }
    return print_rows(&rows);
}

static int print_hosts(const inlay_machine_fit *a)
{
    table rows = {.left = {true}};
    char text[BYTES_TEXT];
    say(stdout, "\n");
    table_headings(&rows, "host|ranks|memory|copying, one core|spread^2|all cores^1|spread^3");
    for (int h = 0; h < a->of->hosts; h++) {
        const inlay_raw_host *host = &a->of->host[h];
        table_cell(&rows, "%s", host->name);
        table_cell(&rows, "%d", host->ranks);
        table_cell(&rows, "%s", host->memory > 0 ? bytes_text(host->memory, text) : "unknown");
        add_rate(&rows, a->host[h].alone.median);
        add_share(&rows, a->host[h].alone.spread);
        add_rate(&rows, a->host[h].all.median);
        add_share(&rows, a->host[h].all.spread);
    }
    return print_rows(&rows);
}

static int print_fits(const inlay_machine_fit *a)
{
    table rows = {.left = {true}};
    say(stdout, "\n");
    table_headings(&rows, "messages|pairs^1|latency|bandwidth|residual^3|largest error^2|spread of runs^4|of pairs^5");
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        const inlay_message_fit *fit = &a->fit[c];
        if (fit->pairs > 0) {
            table_cell(&rows, "%s", inlay_pair_class_name((inlay_pair_class)c));
            table_cell(&rows, "%d%s", fit->pairs, a->of->sampled ? ", a sample" : "");
            add_seconds(&rows, fit->latency);
            add_rate(&rows, inlay_fit_bandwidth(fit));
            add_share(&rows, fit->residual);
            add_share(&rows, fit->largest);
            add_share(&rows, fit->spread);
            add_share(&rows, fit->pair_spread);
        }
    }
    return print_rows(&rows);
}

static int print_overheads(const inlay_machine_fit *a)
{
    const inlay_overhead_figures *o = &a->overheads;
    table rows = {0};
    say(stdout, "\n");
    table_headings(&rows, "bytes|sender kept|receiver kept|waits for it");
    for (int s = 0; s < a->of->sizes; s++) {
        table_cell(&rows, "%lld", (long long)a->of->size[s]);
        add_seconds(&rows, o->send[s]);
        add_seconds(&rows, o->receive[s]);
        table_cell(&rows, "%s", s >= o->waits ? "yes" : "no");
    }
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        if (a->fit[c].pairs > 0) {
            table_cell(&rows, "%s", inlay_pair_class_name((inlay_pair_class)c));
            add_seconds(&rows, a->rest[c].latency);
            add_rate(&rows, inlay_fit_bandwidth(&a->rest[c]));
            table_cell(&rows, "left");
        }
    }
    return print_rows(&rows);
}

static int print_rings(const inlay_machine_fit *a)
{
    table rows = {.left = {true, [6] = true}};
    say(stdout, "\n");
    table_headings(&rows, "ring|ranks|as a switch^1|half duplex^1|bus^1|spread of runs^2|kind");
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        const inlay_ring_fit *ring = &a->ring[c];
        if (ring->ranks > 0) {
            table_cell(&rows, "%s", inlay_pair_class_name((inlay_pair_class)c));
            table_cell(&rows, "%d", ring->ranks);
            add_share(&rows, ring->residual[INLAY_MEDIUM_SWITCH]);
            add_share(&rows, ring->residual[INLAY_MEDIUM_HALF_DUPLEX]);
            add_share(&rows, ring->residual[INLAY_MEDIUM_BUS]);
            add_share(&rows, ring->spread);
            table_cell(&rows, "%s", inlay_medium_name(ring->kind));
        }
    }
    return print_rows(&rows);
}

int print_table(const inlay_machine_fit *a)
{
    const inlay_raw *r = a->of;
    say(stdout, "%d rank%s on %d host%s, %-s, %-s\n\n", r->ranks, r->ranks == 1 ? "" : "s", r->hosts,
        r->hosts == 1 ? "" : "s", r->date, r->mpi);
    int status = print_ranks(a);
    status = status == INLAY_OK ? print_hosts(a) : status;
    if (status == INLAY_OK && r->ranks > 1) {
        status = print_fits(a);
        status = status == INLAY_OK ? print_rings(a) : status;
        status = status == INLAY_OK && a->overheads.send != NULL ? print_overheads(a) : status;
    }
    return status;
}
