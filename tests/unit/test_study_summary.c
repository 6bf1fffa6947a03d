/*
 * Rows of studies summed up beside slow code: values picked out and sorted one by one, plain sums, every row held against
 * every other one. The same rows come as CSV and as JSON lines, in other orders, spelt in other ways.
 */
#include "starve.h"
#include "svg_read.h"
#include "unit.h"

#include "random_app.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 240, APPS = 3, MACHINES = 2, COUNTS = 3, METHODS = 4, SEEDS = 2, NAME = 64 };

static const char *const apps[APPS] = {"b,\"quoted\" one", "a10", "a9"};
static const char *const sorted_apps[APPS] = {"a9", "a10", "b,\"quoted\" one"}; /* as groups stand */
static const char *const machines[MACHINES] = {"bus:4", "bus:16"};
static const int counts[COUNTS] = {1, 2, 16};
static const char *const methods[METHODS] = {"heft", "dsc", "best", "etf"};

typedef struct row {
    int app, machine, count, method, seed;
    bool failed, missing;
    double value;
} row;

static bool has_value(const row *r)
{
    return !r->failed && !r->missing;
}

/* ---- Files ---- */

static char paths[2][NAME];

static void make_paths(void)
{
    for (int i = 0; i < 2; i++) {
        strcpy(paths[i], "/tmp/inlay-rows-XXXXXX");
        int file = mkstemp(paths[i]);
        ck_assert_int_ge(file, 0);
        close(file);
    }
}

static void remove_paths(void)
{
    for (int i = 0; i < 2; i++) {
        remove(paths[i]);
    }
}

static void write_text(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static int sum_up_text(const char *text, const inlay_study_summary_options *options, inlay_study_summary **summary,
                       inlay_diag *diag)
{
    const char *path = paths[0];
    write_text(path, text, strlen(text));
    return inlay_study_summarise(&path, 1, options, summary, diag);
}

/* Values are eighths, so that sums are exact in any order, and texts have a point in every locale. */
static void eighths(char text[NAME], double value, int zeros)
{
    snprintf(text, NAME, "%d.%03d%.*s", (int)value, (int)((value - (int)value) * 1000), zeros, "000");
}

static void put_csv(FILE *file, const row *r, uint64_t *state)
{
    char value[NAME] = "", app[NAME] = "";
    for (const char *c = apps[r->app]; *c != '\0'; c++) {
        snprintf(app + strlen(app), 3, "%c%s", *c, *c == '"' ? "\"" : "");
    }
    if (has_value(r)) {
        eighths(value, r->value, (int)random_below(state, 3));
    } else if (random_below(state, 2) == 0 && r->missing) {
        strcpy(value, "-");
    }
    fprintf(file, "x,\"%s\",%s,%d%s,%s,\"%s\",%d,%s%s", app, machines[r->machine], counts[r->count],
            random_below(state, 2) == 0 ? ".0" : "", methods[r->method], value, r->seed,
            r->failed ? "\"no answer,\nsays it\"" : "", random_below(state, 2) == 0 ? "\r\n" : "\n");
}

static void put_json(FILE *file, const row *r, uint64_t *state)
{
    char value[NAME] = "null";
    if (has_value(r)) {
        eighths(value, r->value, (int)random_below(state, 3));
    }
    json_t *app = json_string(apps[r->app]);
    char *quoted = json_dumps(app, JSON_ENCODE_ANY);
    fprintf(file, "{\"seed\": %d, \"elapsed\": %s, \"unused\": [1, {}], \"method\": \"%s\", \"application\": %s, ",
            r->seed, value, methods[r->method], quoted);
    fprintf(file, "\"machine\": \"%s\", \"processors\": %d, \"error\": %s}\n%s", machines[r->machine], counts[r->count],
            r->failed ? "\"no answer\"" : "null", random_below(state, 4) == 0 ? "\n" : "");
    free(quoted);
    json_decref(app);
}

/* The first rows as CSV, the others as JSON lines. */
static void write_rows(const row *rows, int in_csv, uint64_t *state)
{
    FILE *csv = fopen(paths[0], "w"), *json = fopen(paths[1], "w");
    ck_assert(csv != NULL && json != NULL);
    fputs("\xEF\xBB\xBFother, application ,machine,processors,method,elapsed,seed,error\n", csv);
    for (int i = 0; i < ROWS; i++) {
        if (i < in_csv) {
            put_csv(csv, &rows[i], state);
        } else {
            put_json(json, &rows[i], state);
        }
    }
    if (in_csv == ROWS) {
        fputs("{}\n", json);
    }
    ck_assert_int_eq(fclose(csv), 0);
    ck_assert_int_eq(fclose(json), 0);
}

static void make_rows(row *rows, uint64_t *state)
{
    int at = 0;
    for (int i = 0; i < ROWS * 10 && at < ROWS; i++) {
        row r = {.app = (int)random_below(state, APPS),
                 .machine = (int)random_below(state, MACHINES),
                 .count = (int)random_below(state, COUNTS),
                 .method = (int)random_below(state, METHODS),
                 .seed = at % SEEDS,
                 .failed = random_below(state, 12) == 0};
        r.missing = !r.failed && random_below(state, 12) == 0;
        r.value = (double)(1 + random_below(state, 12)) / 8;
        r.seed = at / 2;                            /* few rows of one case, */
        if (random_below(state, 3) > 0 && at > 0) { /* often one of the last one's */
            r = (row){rows[at - 1].app,   rows[at - 1].machine,
                      rows[at - 1].count, r.method,
                      rows[at - 1].seed,  r.failed,
                      r.missing,          r.value};
        }
        bool twice = false;
        for (int k = 0; k < at; k++) {
            twice = twice || (rows[k].app == r.app && rows[k].machine == r.machine && rows[k].count == r.count &&
                              rows[k].method == r.method && rows[k].seed == r.seed);
        }
        if (!twice) {
            rows[at++] = r;
        }
    }
    ck_assert_int_eq(at, ROWS);
}

static inlay_study_summary *sum_up(const inlay_study_summary_options *options)
{
    const char *const both[] = {paths[0], paths[1]};
    inlay_study_summary *summary = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_study_summarise(both, 2, options, &summary, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return summary;
}

/* ---- Groups ---- */

/* Values by rising size, each put where it belongs. */
static int pick(const row *rows, int app, int method, int count, double *values, size_t *failed, size_t *missing)
{
    int n = 0;
    *failed = *missing = 0;
    for (int i = 0; i < ROWS; i++) {
        const row *r = &rows[i];
        if (strcmp(apps[r->app], sorted_apps[app]) != 0 || r->method != method || (count >= 0 && r->count != count)) {
            continue;
        }
        *failed += r->failed;
        *missing += r->missing;
        if (has_value(r)) {
            int k = n++;
            for (; k > 0 && values[k - 1] > r->value; k--) {
                values[k] = values[k - 1];
            }
            values[k] = r->value;
        }
    }
    return n;
}

/* Between the two values around place (n - 1) q. */
static double quantile(const double *values, int n, double q)
{
    double place = (n - 1) * q;
    int below = (int)floor(place);
    return below + 1 >= n ? values[n - 1] : values[below] + (place - below) * (values[below + 1] - values[below]);
}

static void near(double got, double wanted)
{
    ck_assert_msg(fabs(got - wanted) <= 1e-12 * fmax(1, fabs(wanted)), "%.17g, expected %.17g", got, wanted);
}

static void check_group(const inlay_study_group *group, const double *values, int n, const double *asked)
{
    /* Student's t of 1, 2, ... degrees of freedom, as tables have it: 0.975. */
    static const double table[] = {12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216};
    double sum = 0, squares = 0;
    ck_assert_uint_eq(group->count, (size_t)n);
    if (n == 0) {
        ck_assert(isnan(group->mean) && isnan(group->median) && isnan(group->deviation) && isnan(group->least));
        return;
    }
    for (int i = 0; i < n; i++) {
        sum += values[i];
    }
    for (int i = 0; i < n; i++) {
        squares += (values[i] - sum / n) * (values[i] - sum / n);
    }
    near(group->mean, sum / n);
    near(group->median, n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2);
    near(group->quartile[0], quantile(values, n, 0.25));
    near(group->quartile[1], quantile(values, n, 0.75));
    near(group->quantiles[0], quantile(values, n, asked[0]));
    near(group->quantiles[1], quantile(values, n, asked[1]));
    ck_assert(group->least == values[0] && group->most == values[n - 1]);
    if (n == 1) {
        ck_assert(isnan(group->deviation) && isnan(group->mean_low) && isnan(group->mean_high));
        return;
    }
    double deviation = sqrt(squares / (n - 1));
    near(group->deviation, deviation);
    near(group->mean_low + group->mean_high, 2 * group->mean);
    if (n <= 10) {
        double reach = table[n - 2] * deviation / sqrt(n);
        ck_assert(fabs(group->mean_high - group->mean - reach) <= 1e-5 * reach);
    }
}

/* Methods as groups stand. */
static const int method_order[METHODS] = {2, 1, 3, 0};

START_TEST(groups_are_those_of_slow_code)
{
    static const char *const by[] = {"application", "method"};
    static const double asked[] = {0.05, 0.8};
    uint64_t state = (uint64_t)_i + 1;
    row rows[ROWS];
    make_rows(rows, &state);
    write_rows(rows, _i % 3 == 0 ? ROWS : (int)random_below(&state, ROWS), &state);
    bool against = _i % 2 == 1;
    inlay_study_summary_options options = {.by = by,
                                           .by_count = 2,
                                           .against = against ? "processors" : NULL,
                                           .quantiles = _i % 4 > 1 ? asked : NULL,
                                           .quantile_count = _i % 4 > 1 ? 2 : 0};
    static const double usual[] = {0.1, 0.9};
    inlay_study_summary *summary = sum_up(&options);
    size_t at = 0;
    if (_i % 3 == 0) { /* {} is a row of nothing */
        const inlay_study_group *nothing = inlay_study_summary_group(summary, at++);
        ck_assert(*nothing->key[0] == '\0' && *nothing->key[1] == '\0' && isnan(nothing->against));
        ck_assert(nothing->rows == 1 && nothing->missing == 1);
    }
    for (int a = 0; a < APPS; a++) {
        for (int m = 0; m < METHODS; m++) {
            for (int c = 0; c < (against ? COUNTS : 1); c++) {
                double values[ROWS];
                size_t failed, missing;
                int n = pick(rows, a, method_order[m], against ? c : -1, values, &failed, &missing);
                if ((size_t)n + failed + missing == 0) {
                    continue;
                }
                const inlay_study_group *group = inlay_study_summary_group(summary, at++);
                ck_assert_str_eq(group->key[0], sorted_apps[a]);
                ck_assert_str_eq(group->key[1], methods[method_order[m]]);
                ck_assert(against ? group->against == counts[c] : isnan(group->against));
                ck_assert(group->failed == failed && group->missing == missing);
                ck_assert(group->rows == (size_t)n + failed + missing);
                check_group(group, values, n, _i % 4 > 1 ? asked : usual);
            }
        }
    }
    ck_assert_uint_eq(at, inlay_study_summary_groups(summary));
    inlay_study_summary_free(summary);
}
END_TEST

/* Processors by eights, and values that a formula makes of three columns; nothing where one of them has none, or it divides by 0. */
START_TEST(columns_are_computed_of_others)
{
    static const char *const by[] = {"=floor(processors/8)"};
    static const double usual[] = {0.1, 0.9};
    uint64_t state = (uint64_t)_i + 1;
    row rows[ROWS];
    make_rows(rows, &state);
    write_rows(rows, (int)random_below(&state, ROWS), &state);
    inlay_study_summary *summary = sum_up(&(inlay_study_summary_options){
        .by = by, .by_count = 1, .value = "=abs(elapsed-2)/(processors - 2)", .wins = ""});
    for (int eights = 0; eights <= 2; eights += 2) {
        double values[ROWS];
        int n = 0;
        size_t missing = 0;
        for (int i = 0; i < ROWS; i++) {
            const row *r = &rows[i];
            if (counts[r->count] / 8 != eights) {
                continue;
            }
            bool good = has_value(r) && counts[r->count] != 2;
            missing += !good && !r->failed;
            double value = fabs(r->value - 2) / (counts[r->count] - 2);
            int k = good ? n++ : 0;
            for (; good && k > 0 && values[k - 1] > value; k--) {
                values[k] = values[k - 1];
            }
            values[k] = good ? value : values[k];
        }
        const inlay_study_group *group = inlay_study_summary_group(summary, eights == 2);
        ck_assert_str_eq(group->key[0], eights == 0 ? "0" : "2");
        ck_assert_uint_eq(group->missing, missing);
        check_group(group, values, n, usual);
    }
    ck_assert_uint_eq(inlay_study_summary_groups(summary), 2);
    inlay_study_summary_free(summary);
}
END_TEST

/* ---- Wins ---- */

static bool same_case(const row *a, const row *b)
{
    return a->app == b->app && a->machine == b->machine && a->count == b->count && a->seed == b->seed;
}

typedef struct slow_standing {
    size_t cases, failed, wins, ties, ratios;
    double product, worst;
} slow_standing;

/* Each row of a method held against all rows. `machine` below 0: all. */
static slow_standing stand(const row *rows, int method, int machine, bool most)
{
    slow_standing s = {.product = 0, .worst = 0};
    for (int i = 0; i < ROWS; i++) {
        int others = 0, better = 0, equal = 0, valued = 0;
        double best = NAN;
        if (rows[i].method != method || (machine >= 0 && rows[i].machine != machine)) {
            continue;
        }
        for (int k = 0; k < ROWS; k++) {
            if (!same_case(&rows[i], &rows[k])) {
                continue;
            }
            others += k != i;
            if (has_value(&rows[k])) {
                valued++;
                best = isnan(best) ? rows[k].value : most ? fmax(best, rows[k].value) : fmin(best, rows[k].value);
                better += most ? rows[k].value > rows[i].value : rows[k].value < rows[i].value;
                equal += k != i && rows[k].value == rows[i].value;
            }
        }
        if (others == 0 || valued == 0) {
            continue;
        }
        s.cases++;
        s.failed += !has_value(&rows[i]);
        if (has_value(&rows[i])) {
            double ratio = most ? best / rows[i].value : rows[i].value / best;
            s.wins += better == 0 && equal == 0;
            s.ties += better == 0 && equal > 0;
            s.product += log2(ratio);
            s.worst = fmax(s.worst, ratio);
            s.ratios++;
        }
    }
    return s;
}

static int method_number(const char *name)
{
    int m = 0;
    while (strcmp(methods[m], name) != 0) {
        m++;
    }
    return m;
}

START_TEST(wins_are_those_of_slow_code)
{
    static const char *const by[] = {"method", "machine"};
    uint64_t state = (uint64_t)_i + 100;
    row rows[ROWS];
    size_t ties = 0;
    make_rows(rows, &state);
    write_rows(rows, ROWS / 2, &state);
    bool most = _i % 2 == 1, leagues = _i % 3 > 0;
    inlay_study_summary *summary =
        sum_up(&(inlay_study_summary_options){.by = by, .by_count = leagues ? 2 : 1, .most_wins = most});
    ck_assert_uint_eq(inlay_study_summary_standings(summary), (size_t)METHODS * (leagues ? 1 + MACHINES : 1));
    double before = 0;
    for (size_t i = 0; i < inlay_study_summary_standings(summary); i++) {
        const inlay_study_standing *one = inlay_study_summary_standing(summary, i);
        int league = (int)(i / METHODS) - 1;
        ck_assert(league < 0 ? one->key == NULL : strcmp(one->key[0], machines[league]) == 0);
        slow_standing slow = stand(rows, method_number(one->name), league, most);
        ck_assert(one->cases == slow.cases && one->failed == slow.failed && one->wins == slow.wins);
        ck_assert(one->ties == slow.ties && one->ratio_count == slow.ratios);
        near(one->ratio_mean, exp2(slow.product / (double)slow.ratios));
        near(one->ratio_worst, slow.worst);
        near(one->ratio_median, quantile(one->ratios, (int)one->ratio_count, 0.5));
        ck_assert(i % METHODS == 0 || one->ratio_mean >= before);
        before = one->ratio_mean;
        ties += one->ties;
    }
    ck_assert_uint_gt(ties, 0);
    inlay_study_summary_free(summary);
}
END_TEST

START_TEST(values_that_have_no_ratio)
{
    inlay_study_summary *summary = NULL;
    const char *text = "case,method,elapsed\n1,a,0\n1,b,2\n2,a,-1\n2,b,-2\n3,a,1\n3,b,4\n4,a,5\n";
    static const char *const cases[] = {"case"};
    inlay_study_summary_options options = {.cases = cases, .case_count = 1};
    ck_assert_int_eq(sum_up_text(text, &options, &summary, NULL), INLAY_OK);
    const inlay_study_summary_facts *facts = inlay_study_summary_facts_of(summary);
    ck_assert(facts->compared == 3 && facts->unrated == 2 && facts->alone == 1);
    const inlay_study_standing *a = inlay_study_summary_standing(summary, 0);
    const inlay_study_standing *b = inlay_study_summary_standing(summary, 1);
    ck_assert(strcmp(a->name, "a") == 0 && a->wins == 2 && a->ratio_count == 1 && a->ratio_mean == 1);
    ck_assert(strcmp(b->name, "b") == 0 && b->wins == 1 && b->ratio_count == 1 && b->ratio_worst == 4);
    inlay_study_summary_free(summary);
}
END_TEST

/* ---- The same bytes ---- */

static char *outputs_of(const inlay_study_summary_options *options)
{
    inlay_study_summary *summary = sum_up(options);
    char path[NAME] = "/tmp/inlay-summary-XXXXXX", *text = calloc(1, 1 << 20);
    int file = mkstemp(path);
    ck_assert(file >= 0 && text != NULL);
    close(file);
    size_t size = 0;
    for (int i = 0; i < 3; i++) {
        const inlay_result_context context = {.command = "study"};
        int status = i == 0   ? inlay_study_summary_write_json(summary, &context, path, NULL)
                     : i == 1 ? inlay_study_summary_write_csv(summary, path, NULL)
                              : inlay_study_summary_draw_svg(summary, INLAY_STUDY_BOXES, path, NULL);
        ck_assert_int_eq(status, INLAY_OK);
        FILE *in = fopen(path, "r");
        size += fread(text + size, 1, (1 << 20) - 1 - size, in);
        fclose(in);
    }
    remove(path);
    inlay_study_summary_free(summary);
    return text;
}

START_TEST(the_order_of_rows_has_no_say)
{
    static const char *const by[] = {"processors", "application"};
    const inlay_study_summary_options options = {.by = by, .by_count = 2};
    uint64_t state = (uint64_t)_i + 500;
    row rows[ROWS];
    make_rows(rows, &state);
    for (int i = 0; i < ROWS; i++) {
        rows[i].value /= 3; /* rounded: sums depend on their order */
        rows[i].value = floor(rows[i].value * 1000) / 1000;
    }
    write_rows(rows, ROWS / 3, &state);
    char *first = outputs_of(&options);
    for (int i = ROWS - 1; i > 0; i--) {
        int k = (int)random_below(&state, (int64_t)i + 1);
        row other = rows[i];
        rows[i] = rows[k];
        rows[k] = other;
    }
    write_rows(rows, ROWS / 2, &state);
    char *second = outputs_of(&options);
    ck_assert_str_eq(first, second);
    ck_assert_ptr_nonnull(strstr(first, "\nprocessors,application,rows,failed,missing,count,mean,mean_low,"));
    free(first);
    free(second);
}
END_TEST

/* ---- Pictures ---- */

static size_t count_of(const char *svg, const char *what)
{
    size_t count = 0;
    for (const char *at = svg; (at = strstr(at, what)) != NULL; at++) {
        count++;
    }
    return count;
}

START_TEST(pictures_show_what_there_is)
{
    static const char *const by[] = {"machine", "method"};
    uint64_t state = 9;
    row rows[ROWS];
    make_rows(rows, &state);
    write_rows(rows, ROWS / 2, &state);
    for (int plot = INLAY_STUDY_AUTO; plot <= INLAY_STUDY_PROFILE; plot++) {
        inlay_study_summary_options options = {
            .by = by, .by_count = 2, .against = plot == INLAY_STUDY_LINES ? "processors" : NULL};
        inlay_study_summary *summary = sum_up(&options);
        ck_assert_int_eq(inlay_study_summary_draw_svg(summary, (inlay_study_plot)plot, svg_path(), NULL), INLAY_OK);
        char *svg = svg_take();
        size_t boxes = count_of(svg, "fill-opacity=\"0.25\""), lines = count_of(svg, "<polyline");
        ck_assert_uint_eq(boxes, plot < INLAY_STUDY_LINES ? (size_t)MACHINES * METHODS : 0);
        ck_assert(plot == INLAY_STUDY_LINES ? lines == (size_t)MACHINES * METHODS
                                            : plot != INLAY_STUDY_PROFILE || lines == METHODS);
        free(svg);
        inlay_study_summary_free(summary);
    }
}
END_TEST

/* The ends of the boxes are where the values are: one group from 1 to 5 beside one of 3 alone. */
START_TEST(a_box_lies_where_its_values_do)
{
    static const char *const by[] = {"g"};
    inlay_study_summary *summary = NULL;
    const char *text = "g,elapsed\na,1\na,2\na,3\na,4\na,5\nb,3\nc,2\nc,4\n";
    ck_assert_int_eq(sum_up_text(text, &(inlay_study_summary_options){.by = by, .by_count = 1}, &summary, NULL),
                     INLAY_OK);
    ck_assert_int_eq(inlay_study_summary_draw_svg(summary, INLAY_STUDY_AUTO, svg_path(), NULL), INLAY_OK);
    char *svg = svg_take();
    const char *at = strstr(svg, "fill-opacity=\"0.25\"");
    double left[3], width[3];
    for (int i = 0; i < 3; i++) {
        const char *box = at;
        while (strncmp(box, "<rect", 5) != 0) {
            box--;
        }
        left[i] = svg_attribute_number(box, "x");
        width[i] = svg_attribute_number(box, "width");
        at = strstr(at + 1, "fill-opacity=\"0.25\"");
    }
    /* 2 to 4, 3, and 2.5 to 3.5: of the scale two units, none, and one */
    ck_assert(fabs(width[1]) < 0.02 && fabs(width[0] - 2 * width[2]) < 0.05);
    ck_assert(fabs(left[1] - (left[0] + width[0] / 2)) < 0.02 && fabs(left[2] - (left[0] + width[0] / 4)) < 0.02);
    free(svg);
    inlay_study_summary_free(summary);
}
END_TEST

START_TEST(pictures_that_cannot_be)
{
    static const char *const by[] = {"g"};
    inlay_study_summary *summary = NULL;
    char *text = calloc(1, 1 << 14);
    strcpy(text, "g,elapsed,x\n");
    for (int i = 0; i < 201; i++) {
        snprintf(text + strlen(text), NAME, "%d,1,1\n", i);
    }
    inlay_study_summary_options options = {.by = by, .by_count = 1};
    ck_assert_int_eq(sum_up_text(text, &options, &summary, NULL), INLAY_OK);
    for (int plot = INLAY_STUDY_AUTO; plot <= INLAY_STUDY_PROFILE; plot++) {
        ck_assert_int_eq(inlay_study_summary_draw_svg(summary, (inlay_study_plot)plot, svg_path(), NULL),
                         INLAY_BAD_ARGUMENT);
    }
    inlay_study_summary_free(summary);
    options.against = "x";
    ck_assert_int_eq(sum_up_text(text, &options, &summary, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_study_summary_draw_svg(summary, INLAY_STUDY_AUTO, svg_path(), NULL), INLAY_BAD_ARGUMENT);
    inlay_study_summary_free(summary);
    free(text);
}
END_TEST

/* ---- What is refused ---- */

static const struct {
    const char *text;
    int status;
    const char *said;
} bad[] = {
    {"", INLAY_BAD_INPUT, ": nothing in it; expected rows: "},
    {" \n\t\n", INLAY_BAD_INPUT, ": nothing in it; expected rows: "},
    {"[{\"elapsed\": 1}]", INLAY_BAD_INPUT, ": a JSON array; expected rows: "},
    {"elapsed,method\n", INLAY_NO_ANSWER, "no rows in the files"},
    {"{\"elapsed\": 1}\ngarbage", INLAY_BAD_INPUT, ":2: "},
    {"{\"ela", INLAY_NO_ANSWER, "no rows in the files"},
    {"elapsed\nnan\n", INLAY_BAD_INPUT, ":2: 'nan' in column 'elapsed' is no finite number"},
    {"elapsed\n1\nInfinity\n", INLAY_BAD_INPUT, ":3: 'Infinity' in column 'elapsed'"},
    {"elapsed\n1e999\n", INLAY_BAD_INPUT, ":2: '1e999' in column 'elapsed'"},
    {"elapsed\n0x10\n", INLAY_BAD_INPUT, ":2: '0x10' in column 'elapsed'"},
    {"elapsed,x\n1,5,6\n", INLAY_BAD_INPUT, ":2: 3 fields; expected 2"},
    {"elapsed;x\n1,5;2\n", INLAY_BAD_INPUT, ":2: '1,5' in column 'elapsed'"},
    {"elapsed,x\n1,\"a\nb", INLAY_BAD_INPUT, ":2: a quote without its end"},
    {"elapsed,x\n1,\"a\"b\n", INLAY_BAD_INPUT, ":2: text behind a closing quote"},
    {"elapsed,elapsed\n1,2\n", INLAY_BAD_INPUT, ":1: two columns 'elapsed'"},
    {"time,x\n1,2\n", INLAY_BAD_INPUT, "no row has anything in a column 'elapsed'; expected one of: time, x"},
    {"elapsed,error\n,bad\n,bad\n", INLAY_NO_ANSWER, "no row has a value in column 'elapsed': of 2 rows 2 failed"},
    {"{\"elapsed\": NaN}\n", INLAY_BAD_INPUT, ":1: "},
    {"{\"elapsed\": 1}\n{\"elapsed\": 1e999}\n", INLAY_BAD_INPUT, ":2: real number overflow"},
    {"{\"elapsed\": 1, \"elapsed\": 2}\n", INLAY_BAD_INPUT, ":1: duplicate object key"},
    {"{\"elapsed\": [1]}\n", INLAY_BAD_INPUT, ":1: 'elapsed' is an array"},
    {"{\"elapsed\": 1}\n5\n", INLAY_BAD_INPUT, ":2: no object; expected rows"},
    {"{\"elapsed\": 1}\n{\"elapsed\": 2\n{\"elapsed\": 3}\n", INLAY_BAD_INPUT, ":2: "},
    {"{\"elapsed\": 1}\n{\"elapsed\": \"many\"}\n", INLAY_BAD_INPUT, ":2: 'many' in column 'elapsed'"},
};

START_TEST(wrong_rows_are_refused)
{
    inlay_study_summary *summary = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(sum_up_text(bad[_i].text, NULL, &summary, diag), bad[_i].status);
    ck_assert_msg(strstr(inlay_diag_message(diag), bad[_i].said) != NULL, "%s", inlay_diag_message(diag));
    ck_assert_ptr_null(summary);
    inlay_diag_free(diag);
}
END_TEST

static const struct {
    inlay_study_summary_options options;
    int status;
    const char *said;
} wrong[] = {
    {{.by = (const char *const[]){"a", "a"}, .by_count = 2}, INLAY_BAD_ARGUMENT, "column 'a' is asked for twice"},
    {{.by = (const char *const[]){"elapsed"}, .by_count = 1}, INLAY_BAD_ARGUMENT, "column 'elapsed'"},
    {{.by = (const char *const[]){"n"}, .by_count = 1, .against = "n"}, INLAY_BAD_ARGUMENT, "column 'n'"},
    {{.by = (const char *const[]){"z"}, .by_count = 1}, INLAY_BAD_INPUT, "no row has anything in a column 'z'"},
    {{.against = "method"},
     INLAY_BAD_INPUT,
     ":2: 'a' in column 'method', which values are drawn against, is no number"},
    {{.wins = "elapsed"}, INLAY_BAD_ARGUMENT, "column 'elapsed'"},
    {{.wins = "z"}, INLAY_BAD_INPUT, "no row has anything in a column 'z'"},
    {{.wins = "method"}, INLAY_BAD_INPUT, ":4: method 'a' once more where nothing names a case"},
    {{.wins = "method", .cases = (const char *const[]){"n"}, .case_count = 1}, INLAY_NO_ANSWER, "nothing to compare"},
    {{.wins = "n", .cases = (const char *const[]){"n"}, .case_count = 1}, INLAY_BAD_ARGUMENT, "column 'n'"},
    {{.quantiles = (const double[]){0.5, 0.5}, .quantile_count = 2}, INLAY_BAD_ARGUMENT, "quantile 0.5"},
    {{.quantiles = (const double[]){1.5}, .quantile_count = 1}, INLAY_BAD_ARGUMENT, "quantile 1.5"},
    {{.quantiles = (const double[]){NAN}, .quantile_count = 1}, INLAY_BAD_ARGUMENT, "quantile nan"},
    {{.value = "=n+"}, INLAY_BAD_ARGUMENT, "column '=n+': syntax error at the end of 'n+'"},
    {{.value = "=n+elapse"}, INLAY_BAD_INPUT, "no row has anything in a column 'elapse'"},
    {{.value = "=a+b+c+d+e+f+g+h+i"}, INLAY_BAD_ARGUMENT, "more than 8 columns"},
    {{.value = "=1/(n-n)"}, INLAY_BAD_INPUT, "no row has anything in a column '=1/(n-n)'"},
    {{.by_count = 9}, INLAY_BAD_ARGUMENT, "9 columns to group by"},
};

START_TEST(wrong_questions_are_refused)
{
    inlay_study_summary *summary = NULL;
    inlay_diag *diag = inlay_diag_new();
    const char *text = "method,n,elapsed\na,1,1\nb,2,2\na,3,3\n";
    ck_assert_int_eq(sum_up_text(text, &wrong[_i].options, &summary, diag), wrong[_i].status);
    ck_assert_msg(strstr(inlay_diag_message(diag), wrong[_i].said) != NULL, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
}
END_TEST

START_TEST(a_competitor_twice_is_warned_about)
{
    inlay_study_summary *summary = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(sum_up_text("method,elapsed\na,1\nb,2\na,3\n", NULL, &summary, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_ptr_nonnull(strstr(inlay_diag_warning(diag, 0), ":4: method 'a' once more"));
    ck_assert_ptr_null(inlay_study_summary_facts_of(summary)->wins);
    inlay_study_summary_free(summary);
    inlay_diag_free(diag);
}
END_TEST

/* The last line of a run that was interrupted, wherever it was. */
START_TEST(an_unfinished_line_is_left_out)
{
    static const char whole[] =
        "{\"elapsed\": 1.5, \"method\": \"a\"}\n{\"elapsed\": 2.5, \"method\": \"b\", \"error\": null}";
    const char *second = strchr(whole, '\n') + 1;
    for (size_t size = (size_t)(second - whole); size <= strlen(whole); size++) {
        const char *path = paths[0];
        bool all = size == strlen(whole), none = size == (size_t)(second - whole);
        inlay_study_summary *summary = NULL;
        inlay_diag *diag = inlay_diag_new();
        write_text(path, whole, size);
        ck_assert_int_eq(inlay_study_summarise(&path, 1, NULL, &summary, diag), INLAY_OK);
        ck_assert_uint_eq(inlay_study_summary_facts_of(summary)->rows, all ? 2 : 1);
        ck_assert_uint_eq(inlay_diag_warnings(diag), all || none ? 0 : 1);
        inlay_study_summary_free(summary);
        inlay_diag_free(diag);
    }
}
END_TEST

/* Lines longer than what is read at once, and many of them. */
START_TEST(long_lines_are_read_whole)
{
    static const char *const by[] = {"name"};
    enum { LONG = 200000, MANY = 30000 };
    for (int json = 0; json < 2; json++) {
        FILE *file = fopen(paths[0], "w");
        fputs(json ? "" : "name,elapsed\n", file);
        for (int i = 0; i < MANY; i++) {
            fprintf(file, json ? "{\"name\": \"%d\", \"elapsed\": %d}\n" : "%d,\"%d\"\n", i % 7, i);
        }
        fputs(json ? "{\"elapsed\": 5, \"name\": \"" : "\"", file);
        for (int i = 0; i < LONG; i++) {
            fputs(json || i % 100 > 0 ? "y" : "\n", file);
        }
        fputs(json ? "\"}" : "\",5", file);
        fclose(file);
        const char *path = paths[0];
        inlay_study_summary *summary = NULL;
        ck_assert_int_eq(
            inlay_study_summarise(&path, 1, &(inlay_study_summary_options){.by = by, .by_count = 1}, &summary, NULL),
            INLAY_OK);
        ck_assert_uint_eq(inlay_study_summary_groups(summary), 8);
        const inlay_study_group *last = inlay_study_summary_group(summary, json ? 7 : 0);
        ck_assert_uint_eq(strlen(last->key[0]), LONG);
        ck_assert(last->mean == 5);
        for (size_t i = 0; i < 7; i++) { /* i, i + 7, i + 14, ... */
            const inlay_study_group *group = inlay_study_summary_group(summary, i + (json ? 0 : 1));
            ck_assert(group->least == (double)i && group->count == (MANY - 1 - i) / 7 + 1);
            near(group->mean, (double)i + 7 * (double)(group->count - 1) / 2);
        }
        inlay_study_summary_free(summary);
    }
}
END_TEST

/* Numbers are one value however they are written; other texts are what they are. */
START_TEST(numbers_are_the_same_by_value)
{
    static const char *const by[] = {"k"};
    static const char *const keys[] = {"-0.5", "0", "1e-7", "4", "007", "4x", "9007199254740993", "9007199254740992"};
    inlay_study_summary *summary = NULL;
    const char *text = "k,elapsed\n4,1\n4.0,1\n4.000,1\n40e-1,1\n-0.5,1\n-0.50,1\n0,1\n-0.0,1\n0.0000001,1\n1e-07,1\n"
                       "007,1\n4x,1\n9007199254740993,1\n9007199254740992,1\n";
    ck_assert_int_eq(sum_up_text(text, &(inlay_study_summary_options){.by = by, .by_count = 1}, &summary, NULL),
                     INLAY_OK);
    ck_assert_uint_eq(inlay_study_summary_groups(summary), 8);
    for (size_t i = 0; i < 8; i++) {
        size_t found = 0;
        for (size_t k = 0; k < 8; k++) {
            const char *key = inlay_study_summary_group(summary, k)->key[0];
            found += strcmp(key, keys[i]) == 0 || (strcmp(keys[i], "1e-7") == 0 && strcmp(key, "1e-07") == 0);
        }
        ck_assert_msg(found == 1, "%s", keys[i]);
    }
    inlay_study_summary_free(summary);
}
END_TEST

/* ---- Out of memory ---- */

static int attempt_summary(const void *subject)
{
    static const char *const by[] = {"application", "=2*processors"};
    inlay_study_summary *summary = NULL;
    const char *const both[] = {paths[0], paths[1]};
    inlay_diag *diag = inlay_diag_new();
    (void)subject;
    int status =
        inlay_study_summarise(both, 2, &(inlay_study_summary_options){.by = by, .by_count = 2}, &summary, diag);
    inlay_study_summary_free(summary);
    inlay_diag_free(diag);
    return status;
}

START_TEST(memory_runs_out)
{
    const char *csv = "application,method,processors,elapsed\na,heft,1,2\na,dsc,1.0,3\nb,heft,2,\nb,dsc,2,1\n";
    const char *json = "application,method,processors,elapsed\nc,heft,1,2\nc,dsc,1.0,3\n";
    write_text(paths[0], csv, strlen(csv));
    write_text(paths[1], json, strlen(json));
    starve(attempt_summary, NULL, 20);
}
END_TEST

static int attempt_picture(const void *subject)
{
    int status = inlay_study_summary_draw_svg(subject, INLAY_STUDY_AUTO, svg_path(), NULL);
    return status == INLAY_OK ? inlay_study_summary_draw_svg(subject, INLAY_STUDY_PROFILE, svg_path(), NULL) : status;
}

START_TEST(memory_of_pictures_runs_out)
{
    static const char *const by[] = {"method"};
    const char *text = "application,method,processors,elapsed\na,heft,1,2\na,dsc,1,3\nb,heft,2,4\nb,dsc,2,1\n";
    for (int against = 0; against < 2; against++) {
        inlay_study_summary *summary = NULL;
        inlay_study_summary_options options = {.by = by, .by_count = 1, .against = against ? "processors" : NULL};
        ck_assert_int_eq(sum_up_text(text, &options, &summary, NULL), INLAY_OK);
        starve(attempt_picture, summary, 20);
        inlay_study_summary_free(summary);
    }
}
END_TEST

Suite *suite_study_summary(void)
{
    Suite *suite = suite_create("study_summary");
    TCase *tests = tcase_create("tests");
    tcase_set_timeout(tests, 0);
    tcase_add_checked_fixture(tests, make_paths, remove_paths);
    tcase_add_loop_test(tests, groups_are_those_of_slow_code, 0, 48);
    tcase_add_loop_test(tests, columns_are_computed_of_others, 0, 12);
    tcase_add_loop_test(tests, wins_are_those_of_slow_code, 0, 48);
    tcase_add_test(tests, values_that_have_no_ratio);
    tcase_add_loop_test(tests, the_order_of_rows_has_no_say, 0, 8);
    tcase_add_test(tests, pictures_show_what_there_is);
    tcase_add_test(tests, a_box_lies_where_its_values_do);
    tcase_add_test(tests, pictures_that_cannot_be);
    tcase_add_loop_test(tests, wrong_rows_are_refused, 0, sizeof bad / sizeof *bad);
    tcase_add_loop_test(tests, wrong_questions_are_refused, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(tests, a_competitor_twice_is_warned_about);
    tcase_add_test(tests, an_unfinished_line_is_left_out);
    tcase_add_test(tests, long_lines_are_read_whole);
    tcase_add_test(tests, numbers_are_the_same_by_value);
    tcase_add_test(tests, memory_runs_out);
    tcase_add_test(tests, memory_of_pictures_runs_out);
    suite_add_tcase(suite, tests);
    return suite;
}
