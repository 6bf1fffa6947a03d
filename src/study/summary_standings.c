/* Who wins: rows of one case beside each other, and how each competitor does over all of them. */
#include "base/diag.h"
#include "base/text.h"
#include "study/summary.h"
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A competitor in a league: part 0 is 0 for all cases, else the number of the league and 1. */
typedef struct entry {
    size_t cases, failed, wins, ties, ratios, begin; /* its ratios begin there */
} entry;

/* Rows of one case. */
typedef struct contest {
    const summary_row *rows;
    size_t count;
    double best; /* NaN: nobody has a value */
    size_t winners;
} contest;

typedef struct judging {
    inlay_study_summary *s;
    summary_rows *of;
    key_rows leagues, entries;
    size_t entry_columns[2];
    entry *tallies;
    size_t tally_room, ratio_count;
    double *ratios;
    bool filling; /* the second time: ratios go where the first has made room for them */
} judging;

/* ---- Cases ---- */

static int compare_rows(const void *a, const void *b)
{
    const summary_row *left = a, *right = b;
    if (left->place != right->place) {
        return left->place < right->place ? -1 : 1;
    }
    if (left->rival != right->rival) {
        return left->rival < right->rival ? -1 : 1;
    }
    if (left->file != right->file) {
        return left->file < right->file ? -1 : 1;
    }
    return left->line < right->line ? -1 : left->line > right->line;
}

/* The second row of a competitor in one case; NULL: there is none. */
static const summary_row *find_twice(const summary_rows *of)
{
    const summary_row *first = NULL;
    for (size_t i = 1; i < of->count; i++) {
        const summary_row *row = &of->rows[i];
        bool twice = row->rival >= 0 && row->place == row[-1].place && row->rival == row[-1].rival;
        bool earlier =
            first == NULL || row->file < first->file || (row->file == first->file && row->line < first->line);
        first = twice && earlier ? row : first;
    }
    return first;
}

static contest contest_at(const judging *j, size_t first)
{
    const summary_row *rows = &j->of->rows[first];
    contest c = {.rows = rows, .best = NAN};
    double sign = j->s->facts.most_wins ? -1 : 1;
    while (first + c.count < j->of->count && rows[c.count].place == rows->place) {
        double value = rows[c.count++].value;
        bool better = isfinite(value) && (isnan(c.best) || sign * value < sign * c.best);
        c.winners = better ? 1 : c.winners + (value == c.best);
        c.best = better ? value : c.best;
    }
    return c;
}

static bool is_compared(const contest *c)
{
    return c->rows->rival >= 0 && c->count > 1 && isfinite(c->best);
}

/* ---- Judging ---- */

/* Its entry in a league; NULL: no memory. */
static entry *find_entry(judging *j, int32_t league, int32_t rival)
{
    const int32_t parts[] = {league, rival};
    int32_t number = key_row(&j->entries, parts, &j->s->texts);
    size_t before = j->tally_room;
    if (number < 0 || !memory_grow((void **)&j->tallies, &j->tally_room, j->entries.count, sizeof *j->tallies)) {
        return NULL;
    }
    memset(j->tallies + before, 0, (j->tally_room - before) * sizeof *j->tallies);
    return &j->tallies[number];
}

static double ratio_of(const judging *j, const contest *c, double value)
{
    return c->best > 0 ? (j->s->facts.most_wins ? c->best / value : value / c->best) : NAN;
}

static bool judge(judging *j, const contest *c, int32_t league)
{
    for (size_t i = 0; i < c->count; i++) {
        double value = c->rows[i].value, ratio = ratio_of(j, c, value);
        entry *e = find_entry(j, league, c->rows[i].rival);
        if (e == NULL) {
            return false;
        }
        bool rated = isfinite(ratio) && ratio > 0;
        if (j->filling) {
            if (rated) {
                j->ratios[e->begin + e->ratios++] = ratio;
            }
            continue;
        }
        e->cases++;
        e->failed += isnan(value) ? 1 : 0;
        e->wins += value == c->best && c->winners == 1;
        e->ties += value == c->best && c->winners > 1;
        e->ratios += rated;
    }
    return true;
}

static bool judge_all(judging *j)
{
    inlay_study_summary_facts *facts = &j->s->facts;
    for (size_t first = 0, end; first < j->of->count; first = end) {
        contest c = contest_at(j, first);
        end = first + c.count;
        if (!is_compared(&c)) {
            for (size_t i = 0; i < c.count && !j->filling; i++) {
                facts->alone += isfinite(c.rows[i].value) ? 1 : 0;
            }
            continue;
        }
        facts->compared += !j->filling;
        facts->unrated += !j->filling && !(c.best > 0);
        int32_t league = 0;
        if (j->leagues.width > 0) {
            league = key_row(&j->leagues, key_parts(&j->of->places, c.rows->place), &j->s->texts);
        }
        if (league < 0 || !judge(j, &c, 0) || (j->leagues.width > 0 && !judge(j, &c, league + 1))) {
            return false;
        }
    }
    return true;
}

/* ---- Standings ---- */

/* A standing on its way to its place. */
typedef struct seated {
    inlay_study_standing of;
    int32_t league, name; /* places in their orders */
} seated;

static int compare_seated(const void *a, const void *b)
{
    const seated *left = a, *right = b;
    double mean = left->of.ratio_mean, other = right->of.ratio_mean;
    if (left->league != right->league) {
        return left->league < right->league ? -1 : 1;
    }
    if (isnan(mean) != isnan(other)) {
        return isnan(mean) ? 1 : -1;
    }
    if (mean != other && !isnan(mean)) {
        return mean < other ? -1 : 1;
    }
    return left->name < right->name ? -1 : left->name > right->name;
}

static void describe(inlay_study_standing *standing, const entry *e, double *ratios, double *logarithms)
{
    gsl_sort(ratios, 1, e->ratios);
    for (size_t i = 0; i < e->ratios; i++) {
        logarithms[i] = log(ratios[i]);
    }
    *standing = (inlay_study_standing){.cases = e->cases,
                                       .failed = e->failed,
                                       .wins = e->wins,
                                       .ties = e->ties,
                                       .ratio_mean = exp(summary_mean(logarithms, e->ratios)),
                                       .ratio_median = summary_quantile(ratios, e->ratios, 0.5),
                                       .ratio_worst = e->ratios > 0 ? ratios[e->ratios - 1] : NAN,
                                       .ratios = ratios,
                                       .ratio_count = e->ratios};
}

static const char *const *key_of(const judging *j, int32_t league, const char **key)
{
    const int32_t *parts = key_parts(&j->leagues, league);
    for (size_t k = 0; k < j->leagues.width; k++) {
        key[k] = j->of->columns[j->of->league[k]].texts[parts[k]];
    }
    return key;
}

static bool seat_all(judging *j)
{
    inlay_study_summary *s = j->s;
    const key_column *rivals = &j->of->columns[j->of->rivals];
    const key_rows names = {.width = 1, .count = rivals->count};
    memory_pool own = {0};
    size_t count = j->entries.count, width = j->leagues.width;
    seated *seats = pool_array(&own, count, sizeof *seats);
    double *logarithms = pool_array(&own, j->ratio_count, sizeof *logarithms);
    int32_t *numbers = pool_array(&own, rivals->count, sizeof *numbers);
    const char **keys = pool_array(&s->arrays, j->leagues.count * width, sizeof *keys);
    s->standings = pool_array(&s->arrays, count, sizeof *s->standings);
    key_rows each = names;
    each.parts = numbers;
    for (size_t i = 0; numbers != NULL && i < rivals->count; i++) {
        numbers[i] = (int32_t)i;
    }
    int32_t *league = summary_ranks(&j->leagues, j->of->columns, j->of->league);
    int32_t *name = numbers != NULL ? summary_ranks(&each, j->of->columns, &j->of->rivals) : NULL;
    bool good = league != NULL && name != NULL && !own.failed && !s->arrays.failed;
    for (size_t i = 0; good && i < count; i++) {
        const int32_t *parts = key_parts(&j->entries, (int32_t)i);
        const entry *e = &j->tallies[i];
        describe(&seats[i].of, e, j->ratios + e->begin, logarithms);
        seats[i].of.name = rivals->texts[parts[1]];
        seats[i].of.key = parts[0] > 0 ? key_of(j, parts[0] - 1, keys + (size_t)(parts[0] - 1) * width) : NULL;
        seats[i].league = parts[0] > 0 ? league[parts[0] - 1] : -1;
        seats[i].name = name[parts[1]];
    }
    if (good) {
        qsort(seats, count, sizeof *seats, compare_seated);
    }
    for (size_t i = 0; good && i < count; i++) {
        s->standings[i] = seats[i].of;
    }
    s->standing_count = good ? count : 0;
    free(league);
    free(name);
    pool_clear(&own);
    return good;
}

/* Room for the ratios of each, one after the other. */
static bool make_room(judging *j)
{
    for (size_t i = 0; i < j->entries.count; i++) {
        j->tallies[i].begin = j->ratio_count;
        j->ratio_count += j->tallies[i].ratios;
        j->tallies[i].ratios = 0;
    }
    j->ratios = pool_array(&j->s->arrays, j->ratio_count, sizeof *j->ratios);
    j->filling = true;
    return j->ratios != NULL;
}

/* ---- What cannot be compared ---- */

static void add_columns(text_buffer *to, const inlay_study_summary_facts *facts)
{
    for (size_t i = 0; i < facts->case_count; i++) {
        text_addf(to, "%s%s", i > 0 ? ", " : "", facts->cases[i]);
    }
}

static int refuse(inlay_study_summary *s, const summary_rows *of, const summary_row *twice, bool asked,
                  inlay_diag *diag)
{
    text_buffer columns = {0};
    add_columns(&columns, &s->facts);
    const char *wins = s->facts.wins, *file = of->files[twice->file];
    const char *name = of->columns[of->rivals].texts[twice->rival], *cases = text_content(&columns);
    static const char told[] = "%s '%.60s' once more %s%s; expected columns of cases that tell such rows apart";
    const char *how = *cases != '\0' ? "with the same " : "where nothing names a case";
    int status = INLAY_OK;
    if (columns.failed) {
        status = diag_no_memory(diag);
    } else if (asked) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, file, twice->line, told, wins, name, how, cases);
    } else {
        text_buffer text = {0};
        text_addf(&text, told, wins, name, how, cases);
        diag_warn(diag, "no wins: %s:%ld: %s", file, twice->line, text_content(&text));
        text_clear(&text);
    }
    s->facts.wins = NULL;
    text_clear(&columns);
    return status;
}

static int judge_rows(judging *j, bool asked, inlay_diag *diag)
{
    inlay_study_summary_facts *facts = &j->s->facts;
    if (!judge_all(j)) {
        return diag_no_memory(diag);
    }
    if (facts->compared > 0) {
        return make_room(j) && judge_all(j) && seat_all(j) ? INLAY_OK : diag_no_memory(diag);
    }
    const char *wins = facts->wins;
    facts->wins = NULL;
    return !asked ? INLAY_OK
                  : diag_fail(
                        diag, INLAY_NO_ANSWER,
                        "nothing to compare: no two rows with a different '%s' are the same in all that names a case",
                        wins);
}

int summary_find_standings(inlay_study_summary *s, summary_rows *of, bool asked, inlay_diag *diag)
{
    qsort(of->rows, of->count, sizeof *of->rows, compare_rows);
    const summary_row *twice = find_twice(of);
    if (twice != NULL) {
        return refuse(s, of, twice, asked, diag);
    }
    judging j = {.s = s, .of = of, .leagues.width = s->facts.league_count, .entries.width = 2};
    int status = judge_rows(&j, asked, diag);
    key_rows_clear(&j.leagues);
    key_rows_clear(&j.entries);
    free(j.tallies);
    return status;
}
