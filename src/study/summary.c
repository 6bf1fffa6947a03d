/* Rows of a study summed up: what is asked of them, and what each of them says. */
#include "study/summary.h"
#include "base/diag.h"
#include "base/plain.h"
#include "study/computed.h"
#include "study/rows.h"
#include <inlay/study_summary.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t none = SIZE_MAX;

/* What names a case where nobody says so: what the rows of a study are made of. */
static const char *const usual_cases[] = {"application", "graph", "machine", "processors", "instance", "seed"};
enum { USUAL = sizeof usual_cases / sizeof *usual_cases };
_Static_assert((int)USUAL <= (int)INLAY_STUDY_COLUMNS, "they are as many as there may be");

typedef struct tally {
    size_t rows, failed, missing;
} tally;

typedef struct collector {
    inlay_study_summary *s;
    const inlay_study_summary_options *options;
    inlay_diag *diag;
    const char *wanted[SUMMARY_WANTED];
    bool seen[SUMMARY_WANTED]; /* some row has something there */
    row_cell cells[SUMMARY_WANTED];
    key_column columns[SUMMARY_WANTED];
    size_t count, asked;              /* the first `asked` are named by options */
    computed computed[SUMMARY_ASKED]; /* of those that begin with '=' */
    size_t by[INLAY_STUDY_COLUMNS + 1], cases[SUMMARY_CASES], case_count;
    size_t value, error, against, wins; /* `none`: not asked for */
    bool wins_asked;
    summary_rows kept;
    tally *tallies; /* of each group */
    size_t tally_room;
    int32_t file;
} collector;

/* ---- The question ---- */

static size_t want(collector *c, const char *name)
{
    size_t i = 0;
    while (i < c->count && strcmp(c->wanted[i], name) != 0) {
        i++;
    }
    c->wanted[i] = name;
    c->count += i == c->count;
    return i;
}

static void add_case(collector *c, const char *name)
{
    size_t column = want(c, name);
    bool there = column == c->wins || column == c->value;
    for (size_t i = 0; i < c->case_count; i++) {
        there = there || c->cases[i] == column;
    }
    if (!there) {
        c->cases[c->case_count++] = column;
    }
}

/* Columns of the league come first. */
static void want_cases(collector *c)
{
    const inlay_study_summary_options *o = c->options;
    inlay_study_summary *s = c->s;
    for (size_t i = 0; i < o->by_count; i++) {
        add_case(c, o->by[i]);
    }
    for (size_t i = 0; i < c->case_count; i++) {
        s->league[s->facts.league_count++] = c->wanted[c->cases[i]];
    }
    if (o->against != NULL) {
        add_case(c, o->against);
    }
    for (size_t i = 0; i < (o->case_count > 0 ? o->case_count : USUAL); i++) {
        add_case(c, o->case_count > 0 ? o->cases[i] : usual_cases[i]);
    }
}

static void want_columns(collector *c)
{
    const inlay_study_summary_options *o = c->options;
    c->value = want(c, o->value != NULL ? o->value : "elapsed");
    size_t error = want(c, "error");
    c->error = error != c->value ? error : none;
    c->against = o->against != NULL ? want(c, o->against) : none;
    for (size_t i = 0; i < o->by_count; i++) {
        c->by[i] = want(c, o->by[i]);
    }
    c->by[o->by_count] = c->against;
    c->kept.groups.width = o->by_count + (o->against != NULL);
    const char *wins = o->wins != NULL ? o->wins : "method";
    c->wins_asked = o->wins != NULL && *wins != '\0';
    c->wins = *wins != '\0' ? want(c, wins) : none;
    want_cases(c);
    c->kept.places.width = c->case_count;
    c->asked = c->count;
}

/* What columns are computed of stands behind them: no such one is computed itself. */
static int want_sources(collector *c)
{
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < c->asked; i++) {
        computed *of = &c->computed[i];
        if (!computed_is(c->wanted[i])) {
            continue;
        }
        status = computed_parse(c->wanted[i], of, c->diag);
        for (size_t k = 0; status == INLAY_OK && k < of->count; k++) {
            status = c->count < SUMMARY_WANTED ? INLAY_OK
                                               : diag_fail(c->diag, INLAY_BAD_ARGUMENT,
                                                           "more than %d columns; expected fewer", SUMMARY_WANTED - 1);
            of->column[k] = status == INLAY_OK ? want(c, of->name[k]) : 0;
        }
    }
    return status;
}

static void note_question(collector *c)
{
    static const double usual[] = {0.1, 0.9};
    const inlay_study_summary_options *o = c->options;
    inlay_study_summary *s = c->s;
    inlay_study_summary_facts *facts = &s->facts;
    facts->quantile_count = o->quantile_count > 0 ? o->quantile_count : sizeof usual / sizeof *usual;
    memcpy(s->quantiles, o->quantile_count > 0 ? o->quantiles : usual, facts->quantile_count * sizeof *usual);
    for (size_t i = 0; i < o->by_count; i++) {
        s->by[i] = o->by[i];
    }
    facts->by = s->by;
    facts->by_count = o->by_count;
    facts->value = c->wanted[c->value];
    facts->against = o->against;
    facts->quantiles = s->quantiles;
    facts->most_wins = o->most_wins;
    facts->league = s->league;
    facts->cases = s->cases;
}

/* Whether a column stands twice in a list, or is what another option names; NULL: none does. */
static const char *named_twice(const char *const *names, size_t count, const char *other, const char *another)
{
    for (size_t i = 0; i < count; i++) {
        bool twice =
            (other != NULL && strcmp(names[i], other) == 0) || (another != NULL && strcmp(names[i], another) == 0);
        for (size_t k = 0; k < i; k++) {
            twice = twice || strcmp(names[i], names[k]) == 0;
        }
        if (twice) {
            return names[i];
        }
    }
    return NULL;
}

static int check_options(const inlay_study_summary_options *o, inlay_diag *diag)
{
    if (o->by_count > INLAY_STUDY_COLUMNS || o->case_count > INLAY_STUDY_COLUMNS ||
        o->quantile_count > INLAY_STUDY_QUANTILES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%zu columns to group by, %zu of cases, %zu quantiles; expected at most %d, %d and %d",
                         o->by_count, o->case_count, o->quantile_count, INLAY_STUDY_COLUMNS, INLAY_STUDY_COLUMNS,
                         INLAY_STUDY_QUANTILES);
    }
    for (size_t i = 0; i < o->quantile_count; i++) {
        double before = i > 0 ? o->quantiles[i - 1] : -1;
        if (!(o->quantiles[i] > before && o->quantiles[i] >= 0 && o->quantiles[i] <= 1)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "quantile %g; expected rising numbers from 0 to 1",
                             o->quantiles[i]);
        }
    }
    const char *value = o->value != NULL ? o->value : "elapsed";
    const char *wrong = named_twice(o->by, o->by_count, value, o->against);
    wrong = wrong == NULL && o->against != NULL && strcmp(o->against, value) == 0 ? value : wrong;
    wrong = wrong == NULL && o->wins != NULL && strcmp(o->wins, value) == 0 ? value : wrong;
    wrong = wrong == NULL ? named_twice(o->cases, o->case_count, value, o->wins) : wrong;
    return wrong == NULL
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT,
                           "column '%s' is asked for twice; expected the value, the groups, what they are drawn "
                           "against and what competes to be different columns",
                           wrong);
}

/* ---- A row ---- */

/* Words in the column of errors; a number there is a result of somebody's. */
static bool says_error(const row_cell *cell)
{
    double number;
    return cell->kind == ROW_TEXT && *cell->text != '\0' && strcmp(cell->text, "-") != 0 &&
           strcmp(cell->text, "false") != 0 && !key_is_number(cell->text, &number);
}

static int read_value(const row_cell *cell, const char *name, const char *file, long line, double *value,
                      inlay_diag *diag)
{
    *value = cell->kind == ROW_NUMBER ? cell->number : NAN;
    if (cell->kind != ROW_TEXT || *cell->text == '\0' || strcmp(cell->text, "-") == 0 ||
        computed_number(cell->text, value)) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, file, line,
                        "'%.60s' in column '%s' is no finite number; expected one, or nothing", cell->text, name);
}

static int refuse_more(inlay_diag *diag, size_t rows)
{
    return rows < INT32_MAX ? diag_no_memory(diag)
                            : diag_fail(diag, INLAY_BAD_INPUT, "more than %d rows; expected fewer", INT32_MAX);
}

/* The number of the values in some columns; false: no memory. */
static bool find_key(collector *c, const size_t *columns, key_rows *keys, int32_t *key)
{
    int32_t parts[KEY_PARTS];
    for (size_t i = 0; i < keys->width; i++) {
        parts[i] = key_number(&c->columns[columns[i]], row_text(&c->cells[columns[i]]), &c->s->texts);
        if (parts[i] < 0) {
            return false;
        }
    }
    *key = key_row(keys, parts, &c->s->texts);
    return *key >= 0;
}

static int check_against(collector *c, const char *file, long line)
{
    double number;
    row_cell *cell = c->against == none ? NULL : &c->cells[c->against];
    return cell == NULL || cell->kind == ROW_NOTHING || (key_is_number(row_text(cell), &number) && isfinite(number))
               ? INLAY_OK
               : diag_fail_at(c->diag, INLAY_BAD_INPUT, file, line,
                              "'%.60s' in column '%s', which values are drawn against, is no number; expected numbers",
                              row_text(cell), c->wanted[c->against]);
}

static bool count_row(collector *c, int32_t group, bool failed, bool missing)
{
    size_t before = c->tally_room;
    if (!memory_grow((void **)&c->tallies, &c->tally_room, c->kept.groups.count, sizeof *c->tallies)) {
        return false;
    }
    memset(c->tallies + before, 0, (c->tally_room - before) * sizeof *c->tallies);
    c->tallies[group].rows++;
    c->tallies[group].failed += failed;
    c->tallies[group].missing += missing;
    c->s->facts.rows++;
    c->s->facts.failed += failed;
    c->s->facts.missing += missing;
    return true;
}

static int take(void *context, const char *file, long line)
{
    collector *c = context;
    summary_row row = {.rival = -1, .place = -1, .file = c->file, .line = line};
    for (size_t i = 0; i < c->asked; i++) {
        if (c->computed[i].e != NULL) {
            c->cells[i] = computed_value(&c->computed[i], c->cells);
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        c->seen[i] = c->seen[i] || c->cells[i].kind != ROW_NOTHING;
    }
    bool failed = c->error != none && says_error(&c->cells[c->error]);
    int status =
        failed ? INLAY_OK : read_value(&c->cells[c->value], c->wanted[c->value], file, line, &row.value, c->diag);
    status = status == INLAY_OK ? check_against(c, file, line) : status;
    if (status != INLAY_OK) {
        return status;
    }
    row.value = failed ? NAN : row.value;
    bool good =
        find_key(c, c->by, &c->kept.groups, &row.group) && count_row(c, row.group, failed, !failed && isnan(row.value));
    if (good && c->wins != none && *row_text(&c->cells[c->wins]) != '\0') {
        row.rival = key_number(&c->columns[c->wins], row_text(&c->cells[c->wins]), &c->s->texts);
        good = row.rival >= 0 && find_key(c, c->cases, &c->kept.places, &row.place);
    }
    if (good && (row.rival >= 0 || isfinite(row.value))) {
        good = memory_grow((void **)&c->kept.rows, &c->kept.capacity, c->kept.count + 1, sizeof *c->kept.rows);
        if (good) {
            c->kept.rows[c->kept.count++] = row;
        }
    }
    return good ? INLAY_OK : refuse_more(c->diag, c->s->facts.rows);
}

/* ---- All rows ---- */

static int check_seen(const collector *c, const text_buffer *columns)
{
    const char *nowhere = NULL;
    const inlay_study_summary_facts *facts = &c->s->facts;
    for (size_t i = c->asked; i < c->count && nowhere == NULL; i++) {
        nowhere = c->seen[i] ? NULL : c->wanted[i];
    }
    for (size_t i = 0; i < c->kept.groups.width && nowhere == NULL; i++) {
        nowhere = c->seen[c->by[i]] ? NULL : c->wanted[c->by[i]];
    }
    for (size_t i = 0; i < c->case_count && c->options->case_count > 0 && nowhere == NULL; i++) {
        nowhere = c->seen[c->cases[i]] ? NULL : c->wanted[c->cases[i]];
    }
    nowhere = nowhere == NULL && c->wins_asked && !c->seen[c->wins] ? c->wanted[c->wins] : nowhere;
    nowhere = nowhere == NULL && facts->failed == 0 && !c->seen[c->value] ? facts->value : nowhere;
    if (facts->rows == 0) {
        return diag_fail(c->diag, INLAY_NO_ANSWER, "no rows in the files; expected one or more");
    }
    if (nowhere != NULL) {
        return diag_fail(c->diag, INLAY_BAD_INPUT, "%s%s: no row has anything in a column '%s'; expected one of: %s",
                         c->kept.files[0], c->file > 0 ? " and the others" : "", nowhere, text_content(columns));
    }
    return facts->failed + facts->missing < facts->rows
               ? INLAY_OK
               : diag_fail(c->diag, INLAY_NO_ANSWER, "no row has a value in column '%s': of %zu rows %zu failed",
                           facts->value, facts->rows, facts->failed);
}

/* Of the columns that name a case those that there are. */
static void note_cases(collector *c)
{
    inlay_study_summary *s = c->s;
    for (size_t i = 0; i < c->case_count; i++) {
        if (c->seen[c->cases[i]]) {
            s->cases[s->facts.case_count++] = c->wanted[c->cases[i]];
        }
    }
    s->facts.wins = c->wins != none && c->seen[c->wins] ? c->wanted[c->wins] : NULL;
}

static int sum_up(collector *c, const text_buffer *columns)
{
    inlay_study_summary *s = c->s;
    int status = check_seen(c, columns);
    if (status != INLAY_OK) {
        return status;
    }
    note_cases(c);
    summary_rows *kept = &c->kept;
    s->group_count = kept->groups.count;
    s->groups = pool_zeroed(&s->arrays, s->group_count, sizeof *s->groups);
    for (size_t i = 0; s->groups != NULL && i < s->group_count; i++) {
        s->groups[i].rows = c->tallies[i].rows;
        s->groups[i].failed = c->tallies[i].failed;
        s->groups[i].missing = c->tallies[i].missing;
    }
    status = s->groups == NULL ? diag_no_memory(c->diag) : summary_find_groups(s, kept, c->diag);
    return status == INLAY_OK && s->facts.wins != NULL ? summary_find_standings(s, kept, c->wins_asked, c->diag)
                                                       : status;
}

static int read_files(collector *c, const char *const *paths, size_t count)
{
    row_reader reader = {.wanted = c->wanted, .count = c->count, .cells = c->cells, .take = take, .context = c};
    int status = INLAY_OK;
    for (size_t i = 0; i < count && status == INLAY_OK; i++) {
        c->file = (int32_t)i;
        status = rows_read(&reader, paths[i], c->diag);
    }
    status = status == INLAY_OK ? sum_up(c, &reader.columns) : status;
    text_clear(&reader.columns);
    return status;
}

static void collector_clear(collector *c)
{
    for (size_t i = 0; i < c->count; i++) {
        key_column_clear(&c->columns[i]);
    }
    for (size_t i = 0; i < c->asked; i++) {
        computed_clear(&c->computed[i]);
    }
    key_rows_clear(&c->kept.groups);
    key_rows_clear(&c->kept.places);
    free(c->kept.rows);
    free(c->tallies);
    free(c);
}

int inlay_study_summarise(const char *const *paths, size_t count, const inlay_study_summary_options *options,
                          inlay_study_summary **summary, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_study_summary_options defaults = {0};
    options = options != NULL ? options : &defaults;
    int status = check_options(options, diag);
    if (status != INLAY_OK) {
        return status;
    }
    collector *c = memory_zeroed(1, sizeof *c);
    inlay_study_summary *s = memory_zeroed(1, sizeof *s);
    if (c == NULL || s == NULL) {
        free(c);
        free(s);
        return diag_no_memory(diag);
    }
    c->s = s;
    c->options = options;
    c->diag = diag;
    want_columns(c);
    note_question(c);
    c->kept.columns = c->columns;
    c->kept.by = c->by;
    c->kept.league = c->cases;
    c->kept.rivals = c->wins;
    c->kept.files = paths;
    status = want_sources(c);
    status = status == INLAY_OK ? read_files(c, paths, count) : status;
    collector_clear(c);
    if (status != INLAY_OK) {
        inlay_study_summary_free(s);
        return status;
    }
    *summary = s;
    return INLAY_OK;
}

void inlay_study_summary_free(inlay_study_summary *summary)
{
    if (summary != NULL) {
        pool_clear(&summary->arrays);
        key_store_clear(&summary->texts);
        free(summary);
    }
}

/* ---- What there is ---- */

size_t inlay_study_summary_groups(const inlay_study_summary *summary)
{
    return summary->group_count;
}

const inlay_study_group *inlay_study_summary_group(const inlay_study_summary *summary, size_t group)
{
    return &summary->groups[group];
}

size_t inlay_study_summary_standings(const inlay_study_summary *summary)
{
    return summary->standing_count;
}

const inlay_study_standing *inlay_study_summary_standing(const inlay_study_summary *summary, size_t standing)
{
    return &summary->standings[standing];
}

const inlay_study_summary_facts *inlay_study_summary_facts_of(const inlay_study_summary *summary)
{
    return &summary->facts;
}
