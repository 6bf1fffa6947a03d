/* The options of a study: those of `inlay map`, by the same names. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/mapping/words.h"
#include "study/plan.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const objective_words[] = {"makespan", "period", NULL};
static const char *const risk_words[] = {"none", "mean", "q90", NULL};
static const char *const copies_words[] = {"once", "each", NULL};
static const char *const reduce_by_words[] = {"work", "traffic", NULL};
static const char *const unrelated_words[] = {"yes", "no", NULL};

/* A word for a member of inlay_options: an enum, numbered as the words are, or a bool. */
typedef struct word_option {
    const char *name;
    const char *const *words;
    size_t at;
    bool flag;
} word_option;

#define AT(member) offsetof(inlay_options, member)

static const word_option worded[] = {
    {"objective", objective_words, AT(objective), false},
    {"reduce", reduce_words, AT(reduce), false},
    {"reduce-when", reduce_when_words, AT(reduce_when), false},
    {"reduce-by", reduce_by_words, AT(reduce_by_traffic), true},
    {"parallel", parallel_words, AT(parallel), false},
    {"layout", layout_words, AT(layout), false},
    {"unrelated", unrelated_words, AT(keep_unrelated), true},
    {"risk", risk_words, AT(risk), false},
    {"blocking", blocking_words, AT(blocking), false},
    {"start", start_words, AT(start), false},
    {"order", order_words, AT(order), false},
    {"copies", copies_words, AT(copies), false},
};
enum { WORDED = sizeof worded / sizeof *worded };

static int read_word(const plan_value *value, const word_option *option, inlay_options *to)
{
    const char *word = json_string_value(value->at.value);
    text_buffer all = {0};
    for (unsigned i = 0; option->words[i] != NULL; i++) {
        if (word != NULL && strcmp(word, option->words[i]) == 0) {
            char *member = (char *)to + option->at;
            if (option->flag) {
                *(bool *)member = i == 1;
            } else {
                memcpy(member, &i, sizeof i); /* enums from 0 on have the size of unsigned */
            }
            text_clear(&all);
            return INLAY_OK;
        }
        text_addf(&all, "%s%s", i > 0 ? (option->words[i + 1] == NULL ? " or " : ", ") : "", option->words[i]);
    }
    int status = all.failed ? diag_no_memory(value->file->diag) : json_refuse(value->file, &value->at, all.data);
    text_clear(&all);
    return status;
}

/* ---- What is no word ---- */

static int read_frame(const plan_value *value, inlay_study *study)
{
    inlay_options *to = &study->options;
    int status = json_read_duration(value->file, &value->at, &to->time_frame);
    to->has_time_frame = true;
    return status == INLAY_OK && to->time_frame.value.digits <= 0
               ? json_refuse(value->file, &value->at, "a time above 0")
               : status;
}

/* A time would make rows differ from run to run. */
static int read_effort(const plan_value *value, inlay_study *study)
{
    int64_t evaluations = 0;
    if (!json_is_integer(value->at.value)) {
        return json_refuse(value->file, &value->at,
                           "a whole number of evaluations, 0 or more: after a time, rows would not repeat");
    }
    int status = json_read_integer(value->file, &value->at, INT64_MAX, &evaluations);
    study->options.effort.evaluations = evaluations == 0 ? -1 : evaluations;
    return status;
}

static int read_events(const plan_value *value, inlay_study *study)
{
    return json_read_integer(value->file, &value->at, INT64_MAX, &study->options.max_events);
}

static int read_cores(const plan_value *value, inlay_study *study)
{
    study->options.ignore_cores = json_is_true(value->at.value);
    return json_is_boolean(value->at.value) ? INLAY_OK : json_refuse(value->file, &value->at, "true or false");
}

static int read_tick(const plan_value *value, inlay_study *study)
{
    inlay_duration tick = {0};
    int status = json_read_duration(value->file, &value->at, &tick);
    study->options.tick_seconds = inlay_decimal_double(tick.value) * inlay_unit_seconds(tick.unit);
    return status == INLAY_OK && !(study->options.tick_seconds > 0)
               ? json_refuse(value->file, &value->at, "a time above 0 with a unit, such as '1us'")
               : status;
}

static int read_reference(const plan_value *value, inlay_study *study)
{
    const char *text = json_string_value(value->at.value);
    return text != NULL && inlay_flops_parse(text, &study->reference) == INLAY_OK
               ? INLAY_OK
               : json_refuse(value->file, &value->at, "operations a second with a unit, such as '1Gf'");
}

static int read_format(const plan_value *value, inlay_study *study)
{
    const char *text = NULL;
    int status = json_read_text(value->file, &value->at, &text);
    if (status == INLAY_OK) {
        free(study->format);
        study->format = memory_string(text);
        status = study->format == NULL ? diag_no_memory(value->file->diag) : status;
    }
    return status;
}

typedef struct other_option {
    const char *name;
    int (*read)(const plan_value *value, inlay_study *study);
} other_option;

static const other_option others[] = {
    {"time-frame", read_frame},          {"effort", read_effort}, {"max-events", read_events},
    {"ignore-cores", read_cores},        {"tick", read_tick},     {"format", read_format},
    {"reference-speed", read_reference},
};
enum { OTHERS = sizeof others / sizeof *others };

/* ---- The whole ---- */

static const char *name_of(int i)
{
    return i < WORDED ? worded[i].name : others[i - WORDED].name;
}

/* No document has another one. */
static int check_names(const plan *p)
{
    text_buffer known = {0};
    for (int i = 0; i < WORDED + OTHERS; i++) {
        text_addf(&known, "%s%s", i > 0 ? " " : "", name_of(i));
    }
    int status = known.failed ? diag_no_memory(p->diag) : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < p->documents; i++) {
        json_place root = json_at_root(&p->document[i]), options = json_at_member(&root, "options");
        if (options.value != NULL) {
            status = json_need_object(&p->document[i], &options);
            status = status == INLAY_OK ? json_only(&p->document[i], &options, known.data) : status;
        }
    }
    text_clear(&known);
    return status;
}

int plan_options(plan *p)
{
    int status = check_names(p);
    for (int i = 0; status == INLAY_OK && i < WORDED + OTHERS; i++) {
        plan_value value;
        if (!plan_find(p, "options", name_of(i), &value)) {
            continue;
        }
        status =
            i < WORDED ? read_word(&value, &worded[i], &p->study->options) : others[i - WORDED].read(&value, p->study);
        char *said = json_dumps(value.at.value, JSON_ENCODE_ANY | JSON_COMPACT);
        status = said == NULL && status == INLAY_OK ? diag_no_memory(p->diag) : status;
        plan_hash(p, name_of(i), said != NULL ? said : "");
        free(said);
    }
    return status;
}
