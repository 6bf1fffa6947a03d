/* `inlay select --study`: the study, figure 13, and the table of both. */
#include "select_study.h"
#include "output.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inlay/select_plain.h>
#include <inttypes.h>
#include <string.h>

const char *select_study_table(const inlay_study_cell *cell)
{
    static const char *const names[2][2] = {{"2a", "2b"}, {"3a", "3b"}};
    return names[cell->mixed][cell->routers];
}

int64_t select_study_checked(const select_study *study, int64_t *unequal)
{
    int64_t checked = 0;
    *unequal = 0;
    for (int n = 0; n < INLAY_STUDY_CELLS; n++) {
        checked += study->cell[n].checked;
        *unequal += study->cell[n].unequal;
    }
    return checked;
}

/* ---- Figure 13 ---- */

/*
 * The work on a PDU and the cost of a router are not printed: they are what both printed T_c, 3347.8 and 3228.4, leave.
 * H2 has whole shares there and the optimum has not.
 */
static int compute_figure(figure_row figure[FIGURE_ROWS], inlay_diag *diag)
{
    static const inlay_select_cluster clusters[FIGURE_CLUSTERS] = {
        {.name = "C0", .processors = 6, .rate = 45, .c2 = 88, .c3 = 0.56, .c4 = 1.04},
        {.name = "C1", .processors = 4, .rate = 16, .c2 = 577, .c3 = 3.7, .c4 = 6.88},
        {.name = "C2", .processors = 2, .rate = 75, .c2 = 411, .c3 = 2.7, .c4 = 4.85},
        {.name = "C3", .processors = 10, .rate = 55, .c2 = 91, .c3 = 0.58, .c4 = 1.07}};
    static const struct {
        inlay_select_method method;
        inlay_select_map map;
        figure_row row;
    } rows[FIGURE_ROWS] = {
        {INLAY_SELECT_H2, INLAY_SELECT_INTEGER, {.key = "h2", .label = "H2", .paper = 3347.8}},
        {INLAY_SELECT_EXACT, INLAY_SELECT_REAL, {.key = "optimum", .label = "optimum", .paper = 3228.4}}};
    for (int n = 0; n < FIGURE_ROWS; n++) {
        inlay_select_problem problem = {.clusters = FIGURE_CLUSTERS,
                                        .cluster = clusters,
                                        .units = 100,
                                        .unit_work = 9522,
                                        .bytes = 100,
                                        .router_latency = 395.4,
                                        .map = rows[n].map};
        inlay_select_options options = {.method = rows[n].method};
        inlay_selection *selection = NULL;
        int status = inlay_select_plain(&problem, &options, &selection, diag);
        if (status != INLAY_OK) {
            return status;
        }
        const inlay_configuration *found = inlay_selection_at(selection, 0);
        figure[n] = rows[n].row;
        memcpy(figure[n].processors, found->processors, sizeof figure[n].processors);
        figure[n].t_cycle = found->t_cycle;
        inlay_selection_free(selection);
    }
    return INLAY_OK;
}

/* ---- The table ---- */

static void print_rows(const table *rows)
{
    for (size_t i = 0; i < table_rows(rows); i++) {
        table_print_row(rows, i, false, stdout);
        say(stdout, "\n");
    }
}

static void add_pair(table *rows, const double per_cent[2])
{
    table_cell(rows, "%5.1f, %5.1f", per_cent[0], per_cent[1]);
}

static int print_cells(const select_study *study)
{
    static const char *const headings[] = {"table", "pattern", "H2", "paper", "unordered", "paper", "H3", "exact"};
    table rows = {.columns = sizeof headings / sizeof *headings, .left = {true, true}};
    for (size_t i = 0; i < rows.columns; i++) {
        table_cell(&rows, "%s", headings[i]);
    }
    for (int n = 0; n < INLAY_STUDY_CELLS; n++) {
        const inlay_study_cell *cell = &study->cell[n];
        table_cell(&rows, "%s", select_study_table(cell));
        table_cell(&rows, "%s", inlay_pattern_name(cell->pattern));
        for (int given = 0; given < 2; given++) {
            add_pair(&rows, cell->h2[given]);
            add_pair(&rows, cell->paper[given]);
        }
        add_pair(&rows, cell->h3);
        add_pair(&rows, cell->exact);
    }
    int status = rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        print_rows(&rows);
    }
    table_clear(&rows);
    return status;
}

static void print_summary(const select_study *study)
{
    int64_t unequal = 0, checked = select_study_checked(study, &unequal);
    say(stdout, "\n2: buses alone; 3: buses and meshes; a: routers cost nothing; b: they cost time\n");
    say(stdout, "unordered: H2 that takes the clusters as they are given\n");
    say(stdout, "distance  %.2f points, root mean square over the 48 percentages of H2\n",
        inlay_study_distance(study->cell));
    say(stdout, "checked   %" PRId64 " runs by exhaustive search; ", checked);
    if (unequal == 0) {
        say(stdout, "exact found the optimum in all of them\n");
    } else {
        say(stdout, "exact missed the optimum in %" PRId64 " of them\n", unequal);
    }
}

static int print_figure(const select_study *study)
{
    static const char *const headings[] = {"", "C0", "C1", "C2", "C3", "T_c", "paper"};
    const figure_row *figure = study->figure;
    table rows = {.columns = sizeof headings / sizeof *headings, .left = {true}};
    for (size_t i = 0; i < rows.columns; i++) {
        table_cell(&rows, "%s", headings[i]);
    }
    for (int n = 0; n < FIGURE_ROWS; n++) {
        table_cell(&rows, "%s", figure[n].label);
        for (int i = 0; i < FIGURE_CLUSTERS; i++) {
            table_cell(&rows, "%" PRId32, figure[n].processors[i]);
        }
        table_cell(&rows, "%.1f", figure[n].t_cycle);
        table_cell(&rows, "%.1f", figure[n].paper);
    }
    int status = rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        say(stdout, "\nFigure 13: 1-D, 100 PDUs, messages of 100 bytes; T_c in usec\n");
        print_rows(&rows);
        say(stdout, "H2 is %.1f %% above the optimum; the paper says 3.7 %%\n",
            100 * (figure[FIGURE_H2].t_cycle / figure[FIGURE_OPTIMUM].t_cycle - 1));
    }
    table_clear(&rows);
    return status;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static int print_study(const select_study *study)
{
    static const char *const maps[] = {"whole shares", "shares rounded up", "shares in fractions"};
    const inlay_study_options *o = &study->options;
    say(stdout, "Tables 2 and 3: runs whose T_c is within 5 %% and 10 %% of the optimum, in per cent\n");
    say(stdout,
        "%" PRId64 " run%s in each row: %d metasystem%s, %d program%s on each; H2 and H3 with %s; seed %" PRIu64,
        study->cell[0].runs, plural(study->cell[0].runs), (int)o->metasystems, plural(o->metasystems),
        (int)o->instances, plural(o->instances), maps[o->map], o->seed);
    say(stdout, "\n\n");
    int status = print_cells(study);
    if (status != INLAY_OK) {
        return status;
    }
    print_summary(study);
    return print_figure(study);
}

/* ---- The command ---- */

static int deliver(const invocation *call, const select_study *study, const char *csv, inlay_diag *diag)
{
    output_print(csv, select_study_put_csv, study);
    int status = INLAY_OK;
    bool silent = output_is_standard(csv) || (call->common->quiet && csv != NULL);
    if (call->common->json) {
        select_study_print_json(call, study, diag);
    } else if (!silent) {
        status = print_study(study);
    }
    return report_end(call, status, diag);
}

int select_study_command(const invocation *call, const select_study_values *values)
{
    if (call->common->json && output_is_standard(values->csv)) {
        return report_usage(call->command, "only one of JSON and --csv can go to standard output");
    }
    inlay_diag *diag = output_diag();
    if (diag == NULL) {
        return report_no_memory();
    }
    select_study study = {.options = {.metasystems = values->metasystems > 0 ? values->metasystems : 2000,
                                      .instances = values->instances > 0 ? values->instances : 36,
                                      .map = values->map,
                                      .seed = call->common->seed,
                                      .threads = call->common->threads}};
    int status = inlay_select_study(&study.options, study.cell, diag);
    if (status == INLAY_OK) {
        status = compute_figure(study.figure, diag);
    }
    int end = status == INLAY_OK ? deliver(call, &study, values->csv, diag) : report_end(call, status, diag);
    inlay_diag_free(diag);
    return end;
}
