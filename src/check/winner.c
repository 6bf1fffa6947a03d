/* What method best says of the schedule that it chose: as far as the mapping alone tells it. */
#include "check/check.h"

#include <string.h>

static void method_is_one(check *k, const json_t *best)
{
    const json_t *value = check_field(k, "best", best, "method", CHECK_STRING);
    const inlay_method *method = value ? inlay_method_named(json_string_value(value)) : NULL;
    if (value && (!method || method == k->method))
        check_find(k, "best: method is '%.100s', which is none that it chooses among", json_string_value(value));
}

static void count_is_within(check *k, const json_t *best, const char *name, json_int_t least, json_int_t most)
{
    const json_t *value = check_field(k, "best", best, name, CHECK_INTEGER);
    json_int_t count = json_integer_value(value);
    if (value && (count < least || count > most))
        check_find(k, "best: %s is from %lld to %lld, the file says %lld", name, (long long)least, (long long)most,
                   (long long)count);
}

/* Another schedule's time: houstis is among those that were judged, and nothing is worse for having been improved. */
static void is_no_better(check *k, const char *name, const json_t *value, const char *than, double least)
{
    if (value && json_number_value(value) < least * (1 - 1e-9))
        check_find(k, "best: %s is at least %s, %.15g, the file says %.15g", name, than, least,
                   json_number_value(value));
}

/* The shortest with exact times; the time that no schedule's is below. */
static double exact_time(check *k, const json_t *best)
{
    if (k->risk == INLAY_RISK_NONE) return k->elapsed;
    const json_t *risk = check_field(k, "best", best, "risk", CHECK_NUMBER);
    const json_t *exact = check_field(k, "best", best, "exact", CHECK_NUMBER);
    is_no_better(k, "exact_risk", check_field(k, "best", best, "exact_risk", CHECK_NUMBER), "risk",
                 json_number_value(risk));
    if (exact && json_number_value(exact) > k->elapsed * (1 + 1e-9))
        check_find(k, "best: exact is at most the elapsed time of %.15g, the file says %.15g", k->elapsed,
                   json_number_value(exact));
    return json_number_value(exact);
}

/* Where it made that short, houstis may take less time. */
static void period_is_chosen(check *k, const json_t *best)
{
    double least = json_number_value(json_object_get(json_object_get(k->root, "period"), "least"));
    check_number(k, "best", best, "period", least);
    is_no_better(k, "period_unimproved", check_field(k, "best", best, "period_unimproved", CHECK_NUMBER),
                 "the least period", least);
}

void check_winner(check *k)
{
    bool null;
    const json_t *best = json_object_get(k->root, "best");
    bool chosen = k->method && strcmp(k->method->name, "best") == 0;
    if (!chosen && best) check_find(k, "best: the method is another");
    if (!chosen || !check_field(k, NULL, k->root, "best", CHECK_OBJECT)) return;
    method_is_one(k, best);
    count_is_within(k, best, "processors", k->clusters, k->processors);
    check_number(k, "best", best, "simulated", k->elapsed);
    double least = exact_time(k, best);
    is_no_better(k, "unimproved", check_field(k, "best", best, "unimproved", CHECK_NUMBER), "the elapsed time",
                 k->elapsed);
    const json_t *houstis = check_field_or_null(k, "best", best, "houstis", CHECK_NUMBER, &null);
    if (k->by_period)
        period_is_chosen(k, best);
    else
        is_no_better(k, "houstis", houstis, "the shortest time", least);
    count_is_within(k, best, "evaluations", 0, INT64_MAX);
    count_is_within(k, best, "judged", 1, INT32_MAX);
    count_is_within(k, best, "left_out", 0, INT32_MAX);
}
