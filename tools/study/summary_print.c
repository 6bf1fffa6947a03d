/* The tables of `inlay study --summary`: groups, then who wins. */
#include "report.h"
#include "summary.h"
#include "table.h"
#include <inlay/inlay.h>
#include <math.h>

/* ---- Groups ---- */

static void say_columns(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        say(stdout, "%s%-s", i > 0 ? ", " : "", names[i]);
    }
}

static void add_key(table *rows, const char *const *key, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        table_cell(rows, "%s", *key[i] != '\0' ? key[i] : "-");
    }
}

static void add_number(table *rows, double value)
{
    table_cell(rows, isfinite(value) ? "%.6g" : "-", value);
}

/* A name of the user's, which may hold what separates those of table_headings(). */
static void add_heading(table *rows, const char *name, bool left)
{
    rows->left[rows->columns++] = left;
    table_cell(rows, "%s", name);
}

static void add_group(table *rows, const inlay_study_group *group, const inlay_study_summary_facts *facts)
{
    add_key(rows, group->key, facts->by_count);
    if (facts->against != NULL) {
        add_number(rows, group->against);
    }
    table_cell(rows, "%zu", group->count);
    if (facts->failed > 0) {
        table_cell(rows, "%zu", group->failed);
    }
    if (facts->missing > 0) {
        table_cell(rows, "%zu", group->missing);
    }
    add_number(rows, group->mean);
    table_cell(rows, isfinite(group->mean_low) ? "%.6g to %.6g" : "-", group->mean_low, group->mean_high);
    add_number(rows, group->median);
    for (size_t i = 0; i < facts->quantile_count; i++) {
        add_number(rows, group->quantiles[i]);
    }
    add_number(rows, group->deviation);
    add_number(rows, group->least);
    add_number(rows, group->most);
}

static void add_group_headings(table *rows, const inlay_study_summary_facts *facts)
{
    for (size_t i = 0; i < facts->by_count; i++) {
        add_heading(rows, facts->by[i], true);
    }
    if (facts->against != NULL) {
        add_heading(rows, facts->against, false);
    }
    table_headings(rows, "count");
    if (facts->failed > 0) {
        table_headings(rows, "failed");
    }
    if (facts->missing > 0) {
        table_headings(rows, "no value");
    }
    table_headings(rows, "mean|95 % of mean^2|median^1");
    for (size_t i = 0; i < facts->quantile_count; i++) {
        rows->columns++;
        rows->rank[rows->columns - 1] = '5';
        table_cell(rows, "q%g", facts->quantiles[i]);
    }
    table_headings(rows, "deviation^4|min^3|max^3");
}

static void say_what(const inlay_study_summary_facts *facts)
{
    say(stdout, "%-s of %zu row%s", facts->value, facts->rows, facts->rows == 1 ? "" : "s");
    if (facts->failed > 0) {
        say(stdout, ", %zu failed", facts->failed);
    }
    if (facts->missing > 0) {
        say(stdout, ", %zu without a value", facts->missing);
    }
    say(stdout, "\n\n");
}

static int print_groups(const inlay_study_summary *of, const inlay_study_summary_facts *facts)
{
    table rows = {0};
    add_group_headings(&rows, facts);
    for (size_t i = 0; i < inlay_study_summary_groups(of); i++) {
        add_group(&rows, inlay_study_summary_group(of, i), facts);
    }
    say_what(facts);
    return table_print(&rows, stdout);
}

/* ---- Wins ---- */

static void add_standing(table *rows, const inlay_study_standing *one, const inlay_study_summary_facts *facts)
{
    for (size_t i = 0; i < facts->league_count && one->key == NULL; i++) {
        table_cell(rows, "all");
    }
    if (one->key != NULL) {
        add_key(rows, one->key, facts->league_count);
    }
    table_cell(rows, "%s", one->name);
    table_cell(rows, "%zu", one->cases);
    if (facts->failed + facts->missing > 0) {
        table_cell(rows, "%zu", one->failed);
    }
    table_cell(rows, "%zu", one->wins);
    table_cell(rows, "%zu", one->ties);
    add_number(rows, one->ratio_mean);
    add_number(rows, one->ratio_median);
    add_number(rows, one->ratio_worst);
}

static void say_contest(const inlay_study_summary_facts *facts)
{
    say(stdout, "\nwho has the %s %-s in %zu case%s: ", facts->most_wins ? "largest" : "least", facts->value,
        facts->compared, facts->compared == 1 ? "" : "s");
    if (facts->case_count > 0) {
        say(stdout, "the same ");
        say_columns(facts->cases, facts->case_count);
    } else {
        say(stdout, "all rows");
    }
    say(stdout, "\n\n");
}

static int print_standings(const inlay_study_summary *of, const inlay_study_summary_facts *facts)
{
    table rows = {0};
    for (size_t i = 0; i < facts->league_count; i++) {
        add_heading(&rows, facts->league[i], true);
    }
    add_heading(&rows, facts->wins, true);
    table_headings(&rows, facts->failed + facts->missing > 0 ? "cases|no value|wins|ties" : "cases|wins|ties");
    table_headings(&rows, "mean ratio|median|worst");
    for (size_t i = 0; i < inlay_study_summary_standings(of); i++) {
        add_standing(&rows, inlay_study_summary_standing(of, i), facts);
    }
    say_contest(facts);
    int status = table_print(&rows, stdout);
    if (facts->unrated > 0) {
        say(stdout, "\n%zu case%s without ratios: the best is not above 0\n", facts->unrated,
            facts->unrated == 1 ? "" : "s");
    }
    if (facts->alone > 0) {
        say(stdout, "\n%zu row%s in no case: nothing competes with %s\n", facts->alone, facts->alone == 1 ? "" : "s",
            facts->alone == 1 ? "it" : "them");
    }
    return status;
}

int study_summary_print(const cli_answer *a)
{
    const inlay_study_summary_facts *facts = inlay_study_summary_facts_of(a->of);
    int status = print_groups(a->of, facts);
    return status == INLAY_OK && facts->wins != NULL ? print_standings(a->of, facts) : status;
}
