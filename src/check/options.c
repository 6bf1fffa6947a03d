/* The figures of the file that the rest of the check builds on: method, T, P, options, rules. */
#include "check/check.h"

#include <math.h>
#include <string.h>

static const char *const reductions[] = {"none", "h1", "h2", NULL};
static const char *const moments[] = {"before", "after", NULL};
static const char *const parallels[] = {"level", "overlap", NULL};
static const char *const blockings[] = {"auto", "yes", "no", NULL};
static const char *const layouts[] = {"nearest", "order", "scotch", NULL};
static const char *const orders[] = {"given", "paper", "bottom-level", NULL};
static const char *const copies[] = {"each", NULL};
static const char *const risks[] = {"mean", "q90", NULL};
static const char *const objectives[] = {"makespan", "period", NULL};
static const char *const starts[] = {"auto", "stream", "finish", NULL};

static void unknown_word(check *k, const char *where, const char *name, const char *text)
{
    check_find(k, "%s%s%s is '%.100s', a word that mapping.json does not have", where ? where : "", where ? ": " : "",
               name, text);
}

/* The method is one of the library's, or none: a placement of the user's own. */
static bool read_method(check *k)
{
    const json_t *value = check_field(k, NULL, k->root, "method", CHECK_STRING);
    const char *text = value ? json_string_value(value) : "placement";
    k->method = inlay_method_named(text);
    bool known = k->method || strcmp(text, "placement") == 0;
    if (!known) unknown_word(k, NULL, "method", text);
    return value && known;
}

/* Which of the words stands there; -1 and a finding where it is none of them. */
static int word(check *k, const char *where, const json_t *object, const char *name, const char *const *words)
{
    const json_t *value = check_field(k, where, object, name, CHECK_STRING);
    if (!value) return -1;
    for (int i = 0; words[i]; i++)
        if (strcmp(json_string_value(value), words[i]) == 0) return i;
    unknown_word(k, where, name, json_string_value(value));
    return -1;
}

static bool read_options_object(check *k)
{
    const char *where = "options";
    const json_t *options = check_field(k, NULL, k->root, "options", CHECK_OBJECT);
    bool no_tick;

    if (!options) return false;
    k->parallel = word(k, where, options, "parallel", parallels);
    k->blocking = word(k, where, options, "blocking", blockings);
    k->start = word(k, where, options, "start", starts);
    k->reduce = word(k, where, options, "reduce", reductions);
    k->reduce_before = word(k, where, options, "reduce_when", moments) == 0;
    k->layout = json_object_get(options, "layout") ? word(k, where, options, "layout", layouts) : CHECK_LAYOUT_NEAREST;
    k->order = json_object_get(options, "order") ? word(k, where, options, "order", orders) : CHECK_ORDER_GIVEN;
    check_field(k, where, options, "reduce_by_traffic", CHECK_BOOL);
    check_field(k, where, options, "unrelated", CHECK_BOOL);
    k->copies_each = json_object_get(options, "copies") != NULL && word(k, where, options, "copies", copies) == 0;
    k->risk =
        json_object_get(options, "risk") ? (inlay_risk)(word(k, where, options, "risk", risks) + 1) : INLAY_RISK_NONE;
    k->by_period = json_object_get(options, "objective") && word(k, where, options, "objective", objectives) > 0;
    k->ignore_cores = json_is_true(json_object_get(options, "ignore_cores"));
    const json_t *tick = check_field_or_null(k, where, options, "tick_seconds", CHECK_NUMBER, &no_tick);
    k->tick_seconds = tick ? json_number_value(tick) : 0;
    if (tick && !(k->tick_seconds > 0)) check_find(k, "options: tick_seconds is not positive");
    return k->parallel >= 0 && k->blocking >= 0 && k->start >= 0 && k->layout >= 0 && k->order >= 0 &&
           k->tick_seconds >= 0;
}

/*
 * T in grains, rounded down. The shortest decimal of the double is the number as written where that has up to 15
 * digits; beyond 2^50 grains the double may lie below the exact T by its rounding, which is then forgiven.
 */
static inlay_time grains_below(const check *k, double time_frame)
{
    inlay_decimal exact;
    int64_t grains;

    if (inlay_decimal_from_double(time_frame, &exact) != INLAY_OK) return time_frame > 1 ? INT64_MAX : 0;
    int shift = inlay_app_decimals(k->app) - exact.scale;
    grains = exact.digits;
    for (; shift < 0; shift++)
        grains /= 10;
    for (; shift > 0; shift--)
        if (__builtin_mul_overflow(grains, 10, &grains)) return INT64_MAX;
    return check_add(grains, grains >> 50);
}

static bool read_time_frame(check *k)
{
    const json_t *value = check_field(k, NULL, k->root, "time_frame", CHECK_NUMBER);
    const json_t *given = check_field(k, NULL, k->root, "time_frame_given", CHECK_BOOL);
    if (!value || !given) return false;
    k->frame_given = json_is_true(given);
    k->time_frame = json_number_value(value);
    if (!(k->time_frame > 0)) {
        check_find(k, "time_frame is not above 0");
        return false;
    }
    k->frame_grains = grains_below(k, k->time_frame);
    return true;
}

static bool read_processors(check *k)
{
    const json_t *value = check_field(k, NULL, k->root, "processors", CHECK_INTEGER);
    if (!value) return false;
    json_int_t count = json_integer_value(value);
    inlay_id machine = inlay_machine_processors(k->machine);
    if (count < 1 || count > machine) {
        check_find(k, "processors is %lld, the machine has %lld", (long long)count, (long long)machine);
        return false;
    }
    k->processors = (inlay_id)count;
    return true;
}

static bool read_reduced_from(check *k)
{
    bool null;
    const json_t *value = check_field_or_null(k, NULL, k->root, "reduced_from", CHECK_INTEGER, &null);
    k->reduced_from = -1;
    if (null) return true;
    if (!value) return false;
    json_int_t count = json_integer_value(value);
    if (count < 1 || count > k->modules) {
        check_find(k, "reduced_from is %lld, the application has %lld modules", (long long)count,
                   (long long)k->modules);
        return false;
    }
    k->reduced_from = (inlay_id)count;
    return true;
}

/* What the options come to for this application. */
static bool settle_rules(check *k)
{
    bool given = inlay_app_has_blocking(k->app);
    k->streamed = k->start == CHECK_START_STREAM || (k->start == CHECK_START_AUTO && given);
    k->work_has_blocking = k->blocking == CHECK_BLOCKING_YES || (k->blocking == CHECK_BLOCKING_AUTO && given);
    if (k->streamed && !given) {
        check_find(k, "options: start is 'stream', but the application gives no blocking times");
        return false;
    }
    const json_t *rules = check_field(k, NULL, k->root, "rules", CHECK_OBJECT);
    if (!rules) return true;
    check_text(k, "rules", rules, "start", k->streamed ? "stream" : "finish");
    check_text(k, "rules", rules, "work", k->work_has_blocking ? "m+b" : "m");
    bool file = k->work_has_blocking ? given : k->streamed; /* the b that counts in work, else that of the order */
    check_text(k, "rules", rules, "blocking", file ? "file" : "derived");
    k->order_given = json_object_get(rules, "order") != NULL;
    if (k->order_given) check_text(k, "rules", rules, "order", "given");
    if (k->order_given && (k->order != CHECK_ORDER_GIVEN || (k->method && !k->method->places)))
        check_find(k, "rules: order is 'given', but by method and options a rule makes it");
    return true;
}

bool check_read_options(check *k)
{
    bool all = read_method(k);
    check_text(k, NULL, k->root, "time_unit", inlay_unit_name(inlay_app_unit(k->app)));
    all = read_options_object(k) && all;
    all = read_time_frame(k) && all;
    all = read_processors(k) && all;
    all = read_reduced_from(k) && all;
    return all && settle_rules(k);
}
