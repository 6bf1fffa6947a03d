/* JSON and CSV of `inlay select --study`. */
#include "report.h"
#include "result.h"
#include "select_study.h"
#include <inlay/inlay.h>
#include <inttypes.h>

/* ---- JSON ---- */

static void put_pair(result *out, const char *key, const double per_cent[2])
{
    result_open(out, key, '{');
    result_number(out, "within_5", per_cent[0]);
    result_number(out, "within_10", per_cent[1]);
    result_close(out, '}');
}

static void put_cell(result *out, const inlay_study_cell *cell)
{
    result_open(out, NULL, '{');
    result_string(out, "table", select_study_table(cell));
    result_string(out, "pattern", inlay_pattern_name(cell->pattern));
    result_bool(out, "meshes", cell->mixed);
    result_bool(out, "routers", cell->routers);
    result_integer(out, "runs", cell->runs);
    result_integer(out, "checked", cell->checked);
    result_integer(out, "unequal", cell->unequal);
    put_pair(out, "h2", cell->h2[0]);
    put_pair(out, "h2_paper", cell->paper[0]);
    put_pair(out, "h2_unordered", cell->h2[1]);
    put_pair(out, "h2_unordered_paper", cell->paper[1]);
    put_pair(out, "h3", cell->h3);
    put_pair(out, "exact", cell->exact);
    result_close(out, '}');
}

static void put_figure(result *out, const figure_row *row)
{
    result_open(out, row->key, '{');
    result_open(out, "processors", '[');
    for (int i = 0; i < FIGURE_CLUSTERS; i++) {
        result_integer(out, NULL, row->processors[i]);
    }
    result_close(out, ']');
    result_number(out, "t_cycle", row->t_cycle);
    result_number(out, "paper", row->paper);
    result_close(out, '}');
}

void select_study_print_json(const invocation *call, const select_study *study, const inlay_diag *diag)
{
    static const char *const maps[] = {"integer", "ceil", "real"};
    int64_t unequal = 0, checked = select_study_checked(study, &unequal);
    result out = {.to = stdout};
    result_open(&out, NULL, '{');
    result_common(&out, call, diag);
    result_integer(&out, "metasystems", study->options.metasystems);
    result_integer(&out, "instances", study->options.instances);
    result_string(&out, "map", maps[study->options.map]);
    result_number(&out, "distance", inlay_study_distance(study->cell));
    result_integer(&out, "checked", checked);
    result_integer(&out, "unequal", unequal);
    result_open(&out, "cells", '[');
    for (int n = 0; n < INLAY_STUDY_CELLS; n++) {
        put_cell(&out, &study->cell[n]);
    }
    result_close(&out, ']');
    result_open(&out, "figure_13", '{');
    result_string(&out, "time_unit", "us");
    for (int n = 0; n < FIGURE_ROWS; n++) {
        put_figure(&out, &study->figure[n]);
    }
    result_close(&out, '}');
    result_close(&out, '}');
}

/* ---- CSV ---- */

static const char heading[] =
    "table,pattern,meshes,routers,runs,checked,unequal,h2_within_5,h2_within_10,h2_paper_within_5,h2_paper_within_10,"
    "h2_unordered_within_5,h2_unordered_within_10,h2_unordered_paper_within_5,h2_unordered_paper_within_10,h3_within_5,"
    "h3_within_10,exact_within_5,exact_within_10\n";

static void put_line(FILE *to, const inlay_study_cell *cell)
{
    const double *pairs[] = {cell->h2[0], cell->paper[0], cell->h2[1], cell->paper[1], cell->h3, cell->exact};
    say(to, "%s,%s,%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64, select_study_table(cell), inlay_pattern_name(cell->pattern),
        cell->mixed ? "yes" : "no", cell->routers ? "yes" : "no", cell->runs, cell->checked, cell->unequal);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        for (int k = 0; k < 2; k++) {
            say(to, ",");
            result_number(&(result){.to = to}, NULL, pairs[i][k]);
        }
    }
    say(to, "\n");
}

void select_study_put_csv(FILE *to, const void *of)
{
    const select_study *study = of;
    say(to, "%s", heading);
    for (int n = 0; n < INLAY_STUDY_CELLS; n++) {
        put_line(to, &study->cell[n]);
    }
}
