/* Random applications with everything, and what other numbers must make of them. */
#include "scale_subject.h"
#include "random_app.h"
#include <check.h>
#include <math.h>
#include <stdio.h>

static void add_time(time_list *t, inlay_time time)
{
    ck_assert_int_lt(t->count, MOST_TIMES);
    t->time[t->count++] = time;
}

time_list all_times_of(const inlay_app *app, bool blocking)
{
    time_list t = {0};
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        add_time(&t, inlay_app_time(app, i));
    }
    for (inlay_id b = 0; b < inlay_app_blocks(app); b++) {
        add_time(&t, inlay_app_block_time(app, b));
    }
    for (int type = 0; type < inlay_app_types(app); type++) {
        for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
            add_time(&t, inlay_app_type_time(app, type, i));
        }
    }
    for (inlay_id i = 0; blocking && i < inlay_app_modules(app); i++) {
        add_time(&t, inlay_app_blocking(app, i));
    }
    return t;
}

int slow_decimals(const time_list *t, int wanted)
{
    int decimals = wanted;
    for (; decimals >= 0; decimals--) {
        paper sum = {{0}}, most = paper_of(INT64_C(1) << 62, decimals);
        for (int i = 0; i < t->count; i++) {
            paper rounded = paper_round(t->exact[i], decimals);
            sum = paper_add(sum, &rounded);
        }
        if (paper_compare(&sum, &most) <= 0) {
            break;
        }
    }
    return decimals;
}

int slow_lost(const time_list *t, int decimals, int *left)
{
    int lost = 0;
    *left = 0;
    for (int i = 0; i < t->count; i++) {
        paper rounded = paper_round(t->exact[i], decimals);
        lost += !paper_is_zero(&t->exact[i]) && paper_is_zero(&rounded);
        *left += !paper_is_zero(&rounded);
    }
    return lost;
}

void expect_times(const time_list *old, const time_list *new, int decimals, int new_decimals)
{
    ck_assert_int_le(new_decimals, decimals);
    ck_assert_int_eq(old->count, new->count);
    for (int i = 0; i < old->count; i++) {
        if (old->time[i] < 0) {
            ck_assert_int_eq(new->time[i], -1);
            continue;
        }
        paper expected = paper_round(old->exact[i], decimals), is = paper_of(new->time[i], new_decimals);
        ck_assert_msg(paper_compare(&expected, &is) == 0, "time %d: %lld at %d decimals", i, (long long)new->time[i],
                      new_decimals);
    }
}

/* ---- Random applications that have everything ---- */

int64_t random_digits(uint64_t *state, int most)
{
    int64_t below = 10;
    for (int64_t digits = random_below(state, most); digits > 0; digits--) {
        below *= 10;
    }
    return random_below(state, below);
}

static inlay_duration random_duration(uint64_t *state)
{
    int64_t digits = random_once_in(state, 6) ? 0 : random_digits(state, 12);
    return (inlay_duration){{digits, (int)random_below(state, 7)}, INLAY_UNIT_NONE};
}

static double random_count(uint64_t *state)
{
    return random_once_in(state, 2) ? 0 : (double)random_digits(state, 9) / (random_once_in(state, 4) ? 8 : 1);
}

static void add_random_modules(inlay_app_builder *builder, uint64_t *state, inlay_id modules)
{
    bool blocking = random_once_in(state, 2);
    for (inlay_id i = 0; i < modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        inlay_module module = {.name = name,
                               .time = random_duration(state),
                               .has_blocking = blocking,
                               .blocking = random_duration(state),
                               .memory = random_once_in(state, 2) ? 0 : random_digits(state, 6),
                               .cores = (int32_t)random_below(state, 3),
                               .pinned = random_once_in(state, 3),
                               .pin = (inlay_id)random_below(state, 3),
                               .arithmetic = random_count(state),
                               .functions = random_count(state),
                               .kind = random_once_in(state, 3)   ? "x"
                                       : random_once_in(state, 2) ? "y"
                                                                  : NULL};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
        if (random_once_in(state, 3)) {
            const char *type = random_once_in(state, 2) ? "gpu" : "cpu";
            ck_assert_int_eq(inlay_app_add_type_time(builder, i, type, random_duration(state), NULL), INLAY_OK);
        }
    }
}

inlay_app *random_subject(uint64_t *state, inlay_unit unit)
{
    inlay_app_builder *builder = inlay_app_builder_new("subject", unit);
    inlay_id modules = 1 + (inlay_id)random_below(state, MOST_MODULES);
    add_random_modules(builder, state, modules);
    for (inlay_id to = 1; to < modules; to++) {
        inlay_id from = (inlay_id)random_below(state, to);
        unsigned flags = random_once_in(state, 3) ? INLAY_LINK_TRAFFIC_ONLY : 0;
        inlay_app_add_link(builder, from, to, random_below(state, 5), random_digits(state, 12), flags, NULL);
        inlay_app_add_link(builder, 0, to, 1, random_below(state, 3), 0, NULL);
    }
    for (inlay_id b = (inlay_id)random_below(state, 3); b > 0; b--) {
        char name[16];
        snprintf(name, sizeof name, "block%d", b);
        inlay_app_add_block(builder, name, random_digits(state, 9), random_duration(state), NULL);
        inlay_app_add_use(builder, 0, (inlay_id)random_below(state, modules), 2, random_digits(state, 5), NULL);
    }
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

/* ---- Two modules ---- */

inlay_app *app_of_pair(const pair *p)
{
    inlay_app_builder *builder = inlay_app_builder_new("pair", p->unit);
    inlay_module first = p->first, second = p->second;
    inlay_app *app = NULL;
    first.name = "first";
    second.name = "second";
    ck_assert_int_eq(inlay_app_add_module(builder, &first, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_add_module(builder, &second, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_add_link(builder, 0, 1, 3, p->bytes, 0, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

/* ---- What must stay, and what is multiplied ---- */

void expect_modules(const inlay_app *a, const inlay_app *b, inlay_decimal memory)
{
    ck_assert_str_eq(inlay_app_name(a), inlay_app_name(b));
    ck_assert_int_eq(inlay_app_modules(a), inlay_app_modules(b));
    ck_assert_int_eq(inlay_app_types(a), inlay_app_types(b));
    for (int t = 0; t < inlay_app_types(a); t++) {
        ck_assert_str_eq(inlay_app_type_name(a, t), inlay_app_type_name(b, t));
    }
    for (inlay_id i = 0; i < inlay_app_modules(a); i++) {
        int64_t before_a, before_b;
        const inlay_id *from_a = inlay_app_predecessors(a, i, &before_a);
        const inlay_id *from_b = inlay_app_predecessors(b, i, &before_b);
        ck_assert_str_eq(inlay_app_module_name(a, i), inlay_app_module_name(b, i));
        ck_assert_int_eq(inlay_app_find_module(b, inlay_app_module_name(a, i)), i);
        ck_assert_pstr_eq(inlay_app_module_kind(a, i), inlay_app_module_kind(b, i));
        ck_assert_int_eq(slow_whole((double)inlay_app_memory(a, i), memory), inlay_app_memory(b, i));
        ck_assert_int_eq(inlay_app_cores(a, i), inlay_app_cores(b, i));
        ck_assert_int_eq(inlay_app_pin(a, i), inlay_app_pin(b, i));
        ck_assert_int_eq(before_a, before_b);
        ck_assert_mem_eq(from_a, from_b, (size_t)before_a * sizeof *from_a);
    }
}

int64_t slow_whole(double number, inlay_decimal factor)
{
    /* fractions are eighths, which are decimals of three places */
    int64_t thousandths = (int64_t)number * 1000 + (int64_t)((number - floor(number)) * 1000);
    paper exact = paper_times(thousandths, factor.digits, factor.scale + 3), most = paper_of(INT64_C(1) << 62, 0);
    paper rounded = paper_round(exact, 0);
    int64_t whole = 0;
    if (paper_compare(&rounded, &most) > 0) {
        return -1;
    }
    for (int i = PAPER_DIGITS - 1; i >= PAPER_POINT; i--) {
        whole = whole * 10 + rounded.digit[i];
    }
    return whole == 0 && !paper_is_zero(&exact) ? 1 : whole;
}

static void check_links(inlay_links a, inlay_links b, inlay_decimal factor)
{
    ck_assert_int_eq(a.count, b.count);
    for (int64_t l = 0; l < a.count; l++) {
        ck_assert_int_eq(a.module[l], b.module[l]);
        ck_assert_int_eq(a.messages[l], b.messages[l]);
        ck_assert_int_eq(a.flags[l], b.flags[l]);
        ck_assert_int_eq(b.bytes[l], slow_whole((double)a.bytes[l], factor));
    }
}

void expect_bytes(const inlay_app *a, const inlay_app *b, inlay_decimal factor)
{
    ck_assert_int_eq(inlay_app_blocks(a), inlay_app_blocks(b));
    for (inlay_id i = 0; i < inlay_app_modules(a); i++) {
        check_links(inlay_app_out(a, i), inlay_app_out(b, i), factor);
    }
    for (inlay_id i = 0; i < inlay_app_blocks(a); i++) {
        ck_assert_str_eq(inlay_app_block_name(a, i), inlay_app_block_name(b, i));
        ck_assert_int_eq(inlay_app_block_size(b, i), slow_whole((double)inlay_app_block_size(a, i), factor));
        check_links(inlay_app_uses(a, i), inlay_app_uses(b, i), factor);
    }
}

double slow_operations(double count, inlay_decimal factor)
{
    return factor.digits == 1 && factor.scale == 0 ? count : (double)slow_whole(count, factor);
}

void expect_counts(const inlay_app *a, const inlay_app *b, inlay_decimal factor)
{
    for (inlay_id i = 0; i < inlay_app_modules(a); i++) {
        ck_assert_double_eq(inlay_app_arithmetic(b, i), slow_operations(inlay_app_arithmetic(a, i), factor));
        ck_assert_double_eq(inlay_app_functions(b, i), slow_operations(inlay_app_functions(a, i), factor));
    }
}
