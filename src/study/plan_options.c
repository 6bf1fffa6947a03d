/* The options of a study: those of `inlay map`, by the same names. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/mapping/words.h"
#include "study/plan.h"
#include <math.h>
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

/* Whom an option is read for. */
typedef struct study_target {
    inlay_study *study;
    study_variant *variant;
} study_target;

/* ---- What is no word ---- */

/* What T is found for each point: "fit", or "1.5x" for so many times the default one. */
static bool is_found_frame(const char *text, study_variant *to)
{
    static const char *const words[] = {[STUDY_FRAME_FIT] = "fit",
                                        [STUDY_FRAME_PAR] = "par",
                                        [STUDY_FRAME_FEWEST] = "fewest",
                                        [STUDY_FRAME_BEST] = "best"};
    for (int i = STUDY_FRAME_FIT; i <= STUDY_FRAME_BEST; i++) {
        if (strcmp(text, words[i]) == 0) {
            to->frame = (study_frame)i;
            return true;
        }
    }
    char *end = NULL;
    to->times = plain_digit(*text) ? plain_number(text, &end) : 0;
    bool times = to->times > 0 && isfinite(to->times) && strcmp(end, "x") == 0;
    to->frame = times ? STUDY_FRAME_TIMES : STUDY_FRAME_SAID;
    return times;
}

static int read_frame(const plan_value *value, study_target to)
{
    const char *text = json_string_value(value->at.value);
    inlay_options *options = &to.variant->options;
    if (text != NULL && (strcmp(text, "default") == 0 || is_found_frame(text, to.variant))) {
        return INLAY_OK;
    }
    if (text != NULL && !plain_digit(*text)) {
        return json_refuse(value->file, &value->at,
                           "a time above 0, so many default ones as in '1.5x', default, fit, par, fewest or best");
    }
    int status = json_read_duration(value->file, &value->at, &options->time_frame);
    options->has_time_frame = true;
    return status == INLAY_OK && options->time_frame.value.digits <= 0
               ? json_refuse(value->file, &value->at, "a time above 0")
               : status;
}

/* A time would make rows differ from run to run. */
static int read_effort(const plan_value *value, study_target to)
{
    int64_t evaluations = 0;
    if (!json_is_integer(value->at.value)) {
        return json_refuse(value->file, &value->at,
                           "a whole number of evaluations, 0 or more: after a time, rows would not repeat");
    }
    int status = json_read_integer(value->file, &value->at, INT64_MAX, &evaluations);
    to.variant->options.effort.evaluations = evaluations == 0 ? -1 : evaluations;
    return status;
}

static int read_events(const plan_value *value, study_target to)
{
    return json_read_integer(value->file, &value->at, INT64_MAX, &to.variant->options.max_events);
}

static int read_cores(const plan_value *value, study_target to)
{
    to.variant->options.ignore_cores = json_is_true(value->at.value);
    return json_is_boolean(value->at.value) ? INLAY_OK : json_refuse(value->file, &value->at, "true or false");
}

static int read_tick(const plan_value *value, study_target to)
{
    inlay_duration tick = {0};
    int status = json_read_duration(value->file, &value->at, &tick);
    to.variant->options.tick_seconds = inlay_decimal_double(tick.value) * inlay_unit_seconds(tick.unit);
    return status == INLAY_OK && !(to.variant->options.tick_seconds > 0)
               ? json_refuse(value->file, &value->at, "a time above 0 with a unit, such as '1us'")
               : status;
}

/* Applications are read once, for all options. */
static int refuse_another(const plan_value *value)
{
    return json_refuse(value->file, &value->at, "what the other options have: applications are the same for all");
}

static int read_reference(const plan_value *value, study_target to)
{
    const char *text = json_string_value(value->at.value);
    double reference = 0;
    if (text == NULL || inlay_flops_parse(text, &reference) != INLAY_OK) {
        return json_refuse(value->file, &value->at, "operations a second with a unit, such as '1Gf'");
    }
    bool other = to.study->variants > 1 && (to.study->reference < reference || to.study->reference > reference);
    to.study->reference = reference;
    return other ? refuse_another(value) : INLAY_OK;
}

static int read_format(const plan_value *value, study_target to)
{
    const char *text = NULL;
    int status = json_read_text(value->file, &value->at, &text);
    const char *before = to.study->format;
    if (status == INLAY_OK && to.study->variants > 1 && (before == NULL || strcmp(before, text) != 0)) {
        return refuse_another(value);
    }
    if (status == INLAY_OK) {
        free(to.study->format);
        to.study->format = memory_string(text);
        status = to.study->format == NULL ? diag_no_memory(value->file->diag) : status;
    }
    return status;
}

typedef struct other_option {
    const char *name;
    int (*read)(const plan_value *value, study_target to);
} other_option;

static const other_option others[] = {
    {"time-frame", read_frame},          {"effort", read_effort}, {"max-events", read_events},
    {"ignore-cores", read_cores},        {"tick", read_tick},     {"format", read_format},
    {"reference-speed", read_reference},
};
enum { OTHERS = sizeof others / sizeof *others };

/* ---- Where options stand ---- */

static const char *name_of(int i)
{
    return i < WORDED ? worded[i].name : others[i - WORDED].name;
}

/* No object has another one. */
static int check_object(const json_file *file, const json_place *object)
{
    text_buffer known = {0};
    for (int i = 0; i < WORDED + OTHERS; i++) {
        text_addf(&known, "%s%s", i > 0 ? " " : "", name_of(i));
    }
    int status = known.failed ? diag_no_memory(file->diag) : json_need_object(file, object);
    status = status == INLAY_OK ? json_only(file, object, known.data) : status;
    text_clear(&known);
    return status;
}

/* The document with the list of options that holds; 0 where there is none. Checks all of them. */
static int find_list(const plan *p, size_t *list)
{
    int status = INLAY_OK;
    *list = 0;
    for (size_t i = 0; status == INLAY_OK && i < p->documents; i++) {
        const json_file *file = &p->document[i];
        json_place root = json_at_root(file), options = json_at_member(&root, "options");
        if (json_is_array(options.value)) {
            *list = i;
            status =
                json_elements(&options) > 0 ? INLAY_OK : json_refuse(file, &options, "an object, or some in a list");
            for (size_t k = 0; status == INLAY_OK && k < json_elements(&options); k++) {
                json_place object = json_at_element(&options, k);
                status = check_object(file, &object);
            }
        } else if (options.value != NULL) {
            status = check_object(file, &options);
        }
    }
    return status;
}

/* ---- Combinations ---- */

/* The values of all options in one object. */
typedef struct choice {
    plan_value value[WORDED + OTHERS];
    size_t count[WORDED + OTHERS]; /* 0: it is not there, 1: no list, or one of one */
    bool objects;                  /* there are several: rows tell all that is in one, else what is crossed */
} choice;

/* Settings stand in place of what an object says. */
static bool find_option(const plan *p, size_t list, const json_place *object, const char *name, plan_value *value)
{
    if (!json_is_object(object->value)) {
        return plan_find(p, "options", name, value);
    }
    for (size_t i = p->documents; i-- > list + 1;) {
        plan_find_in(&p->document[i], "options", name, value);
        if (value->at.value != NULL) {
            return true;
        }
    }
    value->file = &p->document[list];
    value->at = json_at_member(object, name);
    return value->at.value != NULL;
}

static int find_choice(const plan *p, size_t list, const json_place *object, choice *c, size_t *combinations)
{
    *combinations = 1;
    for (int i = 0; i < WORDED + OTHERS; i++) {
        plan_value *value = &c->value[i];
        if (!find_option(p, list, object, name_of(i), value)) {
            continue;
        }
        c->count[i] = json_is_array(value->at.value) ? json_elements(&value->at) : 1;
        if (c->count[i] == 0) {
            return json_refuse(value->file, &value->at, "a value, or some in a list");
        }
        if (__builtin_mul_overflow(*combinations, c->count[i], combinations) || *combinations > NAMES_MOST) {
            return json_complain(value->file, &value->at, "there are more than %d options; expected fewer values",
                                 NAMES_MOST);
        }
    }
    return INLAY_OK;
}

/* Adds it to `name`, where that is not NULL. */
static int read_option(plan *p, int i, const plan_value *value, study_variant *to, text_buffer *name)
{
    char *said = json_dumps(value->at.value, JSON_ENCODE_ANY | JSON_COMPACT);
    int status = said == NULL ? diag_no_memory(p->diag)
                 : i < WORDED ? read_word(value, &worded[i], &to->options)
                              : others[i - WORDED].read(value, (study_target){p->study, to});
    if (status == INLAY_OK) {
        plan_hash(p, name_of(i), said);
    }
    if (status == INLAY_OK && name != NULL) {
        const char *word = json_string_value(value->at.value);
        text_addf(name, "%s%s=%s", name->size > 0 ? " " : "", name_of(i), word != NULL ? word : said);
    }
    free(said);
    return status;
}

/* The combination of that number; the last option goes round first. */
static int add_variant(plan *p, const choice *c, size_t number)
{
    inlay_study *study = p->study;
    size_t place[WORDED + OTHERS];
    text_buffer name = {0};
    if (!memory_grow((void **)&study->variant, &study->variant_room, study->variants + 1, sizeof *study->variant)) {
        return diag_no_memory(p->diag);
    }
    study_variant *to = &study->variant[study->variants++];
    *to = (study_variant){0};
    for (int i = WORDED + OTHERS - 1; i >= 0; i--) {
        place[i] = c->count[i] > 0 ? number % c->count[i] : 0;
        number /= c->count[i] > 0 ? c->count[i] : 1;
    }
    int status = INLAY_OK;
    for (int i = 0; status == INLAY_OK && i < WORDED + OTHERS; i++) {
        plan_value value = c->value[i];
        if (c->count[i] > 0 && json_is_array(value.at.value)) {
            value.at = json_at_element(&c->value[i].at, place[i]);
        }
        text_buffer *told = c->objects || c->count[i] > 1 ? &name : NULL;
        status = c->count[i] > 0 ? read_option(p, i, &value, to, told) : INLAY_OK;
    }
    if (status == INLAY_OK && (c->objects || name.size > 0)) {
        plan_hash(p, "options", text_content(&name));
        to->name = name.failed ? NULL : memory_string(text_content(&name));
        status = to->name == NULL ? diag_no_memory(p->diag) : status;
    }
    text_clear(&name);
    return status;
}

static int add_object(plan *p, size_t list, const json_place *object, bool objects)
{
    choice c = {.objects = objects};
    size_t combinations = 0;
    int status = find_choice(p, list, object, &c, &combinations);
    for (size_t i = 0; status == INLAY_OK && i < combinations; i++) {
        status = add_variant(p, &c, i);
    }
    return status;
}

int plan_options(plan *p)
{
    size_t list = 0;
    int status = find_list(p, &list);
    if (status != INLAY_OK) {
        return status;
    }
    json_place root = json_at_root(&p->document[list]), options = json_at_member(&root, "options");
    if (!json_is_array(options.value)) {
        return add_object(p, 0, &(json_place){.value = NULL}, false);
    }
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&options); i++) {
        json_place object = json_at_element(&options, i);
        status = add_object(p, list, &object, json_elements(&options) > 1);
    }
    return status;
}
