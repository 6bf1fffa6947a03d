/* What `inlay study --summary` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>

/* clang-format off */
#define GROUP(member) FIELD(inlay_study_group, #member, member)
#define GROUP_AS(name, member) FIELD(inlay_study_group, name, member)
static const field counted[] = {
    GROUP(rows), GROUP(failed), GROUP(missing), GROUP(count), GROUP(mean), GROUP(mean_low), GROUP(mean_high), GROUP(median),
    FIELD_LAST};
static const field spread[] = {
    GROUP_AS("standard_deviation", deviation), GROUP_AS("min", least), GROUP_AS("max", most), FIELD_LAST};

#define STANDING(member) FIELD(inlay_study_standing, #member, member)
static const field standing[] = {
    STANDING(name), STANDING(cases), STANDING(failed), STANDING(wins), STANDING(ties), STANDING(ratio_mean),
    STANDING(ratio_median), STANDING(ratio_worst), FIELD_LAST};

#define FACT(member) FIELD(inlay_study_summary_facts, #member, member)
static const field asked[] = {FACT(value), FACT(against), FIELD_LAST};
static const field read[] = {FACT(rows), FACT(failed), FACT(missing), FIELD_LAST};
static const field contest[] = {
    FIELD(inlay_study_summary_facts, "column", wins), FACT(compared), FACT(unrated), FACT(alone), FIELD_LAST};
/* clang-format on */

/* ---- JSON ---- */

static void put_texts(inlay_json *out, const char *key, const char *const *texts, size_t count)
{
    inlay_json_flat_array(out, key);
    for (size_t i = 0; i < count; i++) {
        inlay_json_string(out, NULL, texts[i]);
    }
    inlay_json_array_end(out);
}

static void put_group(inlay_json *out, const inlay_study_group *group, const inlay_study_summary_facts *facts)
{
    inlay_json_object(out, NULL);
    put_texts(out, "key", group->key, facts->by_count);
    inlay_json_number(out, "against", group->against);
    fields_put(out, counted, group);
    inlay_json_flat_array(out, "quantiles");
    for (size_t i = 0; i < facts->quantile_count; i++) {
        inlay_json_number(out, NULL, group->quantiles[i]);
    }
    inlay_json_array_end(out);
    fields_put(out, spread, group);
    inlay_json_object_end(out);
}

static void put_standings(inlay_json *out, const inlay_study_summary *of, const inlay_study_summary_facts *facts)
{
    inlay_json_object(out, "wins");
    fields_put(out, contest, facts);
    inlay_json_string(out, "best", facts->most_wins ? "most" : "least");
    put_texts(out, "case", facts->cases, facts->case_count);
    put_texts(out, "by", facts->league, facts->league_count);
    inlay_json_array(out, "standings");
    for (size_t i = 0; i < inlay_study_summary_standings(of); i++) {
        const inlay_study_standing *one = inlay_study_summary_standing(of, i);
        inlay_json_object(out, NULL);
        put_texts(out, "key", one->key, one->key != NULL ? facts->league_count : 0);
        fields_put(out, standing, one);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_study_summary_facts *facts = inlay_study_summary_facts_of(of);
    fields_put(out, asked, facts);
    put_texts(out, "by", facts->by, facts->by_count);
    result_put_numbers(out, "quantiles", facts->quantiles, facts->quantile_count);
    fields_put(out, read, facts);
    inlay_json_array(out, "groups");
    for (size_t i = 0; i < inlay_study_summary_groups(of); i++) {
        put_group(out, inlay_study_summary_group(of, i), facts);
    }
    inlay_json_array_end(out);
    if (facts->wins != NULL) {
        put_standings(out, of, facts);
    } else {
        inlay_json_string(out, "wins", NULL);
    }
    return INLAY_OK;
}

int inlay_study_summary_write_json(const inlay_study_summary *summary, const inlay_result_context *context,
                                   const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, summary, path, diag);
}

/* ---- CSV ---- */

static void add_heading(text_buffer *to, const inlay_study_summary_facts *facts)
{
    for (size_t i = 0; i < facts->by_count; i++) {
        csv_text(to, facts->by[i]);
    }
    if (facts->against != NULL) {
        csv_text(to, facts->against);
    }
    csv_names(to, counted);
    for (size_t i = 0; i < facts->quantile_count; i++) {
        char number[INLAY_NUMBER_TEXT];
        text_buffer text = {0};
        text_addf(&text, "q%s", inlay_number_text(facts->quantiles[i], number));
        csv_text(to, text_content(&text));
        text_settle(&text, to);
    }
    csv_names(to, spread);
    csv_end_line(to);
}

static void add_group(text_buffer *to, const inlay_study_group *group, const inlay_study_summary_facts *facts)
{
    for (size_t i = 0; i < facts->by_count; i++) {
        csv_text(to, group->key[i]);
    }
    if (facts->against != NULL) {
        csv_number(to, group->against);
    }
    csv_fields(to, counted, group);
    for (size_t i = 0; i < facts->quantile_count; i++) {
        csv_number(to, group->quantiles[i]);
    }
    csv_fields(to, spread, group);
    csv_end_line(to);
}

int inlay_study_summary_write_csv(const inlay_study_summary *summary, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    const inlay_study_summary_facts *facts = inlay_study_summary_facts_of(summary);
    text_buffer text = {0};
    add_heading(&text, facts);
    for (size_t i = 0; i < inlay_study_summary_groups(summary); i++) {
        add_group(&text, inlay_study_summary_group(summary, i), facts);
    }
    return csv_write(&text, path, diag);
}
