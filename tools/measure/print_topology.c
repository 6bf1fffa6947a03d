/* The tables of what --topology comes to. */
#include "report.h"
#include "rows.h"
#include <math.h>

static int print_clusters(const inlay_metasystem_fit *t)
{
    table rows = {.left = {true, [5] = true}};
    say(stdout, "\n");
    table_headings(&rows, "cluster|hosts^2|processors|operations|spread^3|joined by^1");
    for (int c = 0; c < t->clusters; c++) {
        const inlay_cluster_fit *cluster = &t->cluster[c];
        table_cell(&rows, "%s", cluster->name);
        table_cells(&rows, "%d|%d|%.4g /us", cluster->of->hosts, cluster->of->ranks, 1e-6 * cluster->rate);
        add_share(&rows, cluster->arithmetic.spread);
        table_cell(&rows, "%s", inlay_interconnect_name(cluster->interconnect));
    }
    return print_rows(&rows);
}

static void add_point(table *rows, const inlay_pattern_fit *pattern, const inlay_growth_point *point)
{
    double fitted = inlay_growth_seconds(&pattern->fit[pattern->chosen], inlay_growth_order[pattern->chosen],
                                         point->processors, point->bytes);
    table_cells(rows, "%d|%.0f", point->processors, point->bytes);
    add_seconds(rows, point->seconds);
    add_share(rows, point->spread);
    add_seconds(rows, fitted);
    table_cell(rows, "%+.1f %%", 100 * (fitted / point->seconds - 1));
}

static int print_points(const inlay_metasystem_fit *t)
{
    table rows = {.left = {true, true}};
    say(stdout, "\n");
    table_headings(&rows, "cycle|cluster|processors|bytes|measured|spread^1|fitted|error");
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        for (int c = 0; c < t->clusters; c++) {
            const inlay_pattern_fit *pattern = &t->cluster[c].pattern[p];
            for (size_t i = 0; i < pattern->points; i++) {
                table_cell(&rows, "%s", inlay_pattern_name((inlay_pattern)p));
                table_cell(&rows, "%s", t->cluster[c].name);
                add_point(&rows, pattern, &pattern->point[i]);
            }
        }
    }
    return table_rows(&rows) > 1 ? print_rows(&rows) : (table_clear(&rows), INLAY_OK);
}

static void add_fit(table *rows, const inlay_growth_fit *fit, inlay_growth growth, bool chosen)
{
    table_cell(rows, "%s", inlay_growth_name(growth));
    for (int k = 0; k < INLAY_COEFFICIENTS; k++) {
        add_seconds(rows, fit->c[k]);
    }
    add_share(rows, fit->residual);
    add_share(rows, fit->largest);
    if (isfinite(fit->criterion)) {
        table_cell(rows, "%.1f", fit->criterion);
    } else {
        table_cell(rows, "too few");
    }
    table_cell(rows, "%s", chosen ? "yes" : "no");
}

static int print_growths(const inlay_metasystem_fit *t)
{
    table rows = {.left = {true, true, true, [10] = true}};
    say(stdout, "\n");
    table_headings(&rows, "cycle|cluster|f|c1^3|c2^3|c3 a byte^4|c4 a byte^4|residual^1|largest error|AICc^2|chosen");
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        for (int c = 0; c < t->clusters; c++) {
            const inlay_pattern_fit *pattern = &t->cluster[c].pattern[p];
            for (int i = 0; i < INLAY_GROWTHS; i++) {
                if (pattern->fit[i].fitted) {
                    table_cell(&rows, "%s", inlay_pattern_name((inlay_pattern)p));
                    table_cell(&rows, "%s", t->cluster[c].name);
                    add_fit(&rows, &pattern->fit[i], inlay_growth_order[i], i == pattern->chosen);
                }
            }
        }
    }
    return table_rows(&rows) > 1 ? print_rows(&rows) : (table_clear(&rows), INLAY_OK);
}

int print_topology(const inlay_metasystem_fit *t)
{
    int status = print_clusters(t);
    status = status == INLAY_OK ? print_points(t) : status;
    return status == INLAY_OK ? print_growths(t) : status;
}
