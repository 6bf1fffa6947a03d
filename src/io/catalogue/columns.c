/* The columns of a catalogue: what each may say, and what a row has to. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/plain.h"
#include "io/catalogue/catalogue.h"
#include "machine/machine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct column {
    const char *name;
    const char *attribute; /* of the machine, whose value the text is then; NULL: of the type */
    bool (*set)(inlay_machine_type *type, const char *text);
    const char *expected;
} column;

/* ---- What texts say ---- */

static bool read_count(const char *text, inlay_id *count)
{
    inlay_decimal value;
    int64_t whole = 0;
    if (inlay_decimal_parse(text, &value) != INLAY_OK || value.digits <= 0 || decimal_normal(value).scale > 0 ||
        !decimal_grains(value, 0, &whole) || whole > INT32_MAX) {
        return false;
    }
    *count = (inlay_id)whole;
    return true;
}

static bool read_number(const char *text, double *number)
{
    inlay_decimal value;
    if (inlay_decimal_parse(text, &value) != INLAY_OK || value.digits < 0) {
        return false;
    }
    *number = inlay_decimal_double(value);
    return true;
}

/* A unit alone is one of it: "h". */
static bool read_time(const char *text, double *seconds)
{
    char one[32];
    if (plain_alpha(*text) && strlen(text) < sizeof one - 1) {
        (void)plain_print(one, sizeof one, "1%s", text);
        text = one;
    }
    return inlay_seconds_parse(text, seconds) == INLAY_OK;
}

static bool set_cores(inlay_machine_type *type, const char *text)
{
    return read_count(text, &type->cores);
}

static bool set_least(inlay_machine_type *type, const char *text)
{
    return read_count(text, &type->count_min);
}

static bool set_most(inlay_machine_type *type, const char *text)
{
    return read_count(text, &type->count_max);
}

static bool set_price(inlay_machine_type *type, const char *text)
{
    return read_number(text, &type->price);
}

static bool set_per(inlay_machine_type *type, const char *text)
{
    return read_time(text, &type->per) && type->per > 0;
}

static bool set_billing(inlay_machine_type *type, const char *text)
{
    return read_time(text, &type->billing) && type->billing > 0;
}

static bool set_start_up(inlay_machine_type *type, const char *text)
{
    return read_time(text, &type->start_up);
}

static bool set_power(inlay_machine_type *type, const char *text)
{
    return power_parse(text, &type->power);
}

static bool is_speed(inlay_machine_type *type, const char *text)
{
    double speed, flops;
    (void)type;
    return inlay_flops_parse(text, &flops) == INLAY_OK || (read_number(text, &speed) && speed > 0);
}

static bool is_memory(inlay_machine_type *type, const char *text)
{
    int64_t bytes;
    (void)type;
    return inlay_bytes_parse(text, &bytes) == INLAY_OK && bytes >= 0;
}

static bool is_rate(inlay_machine_type *type, const char *text)
{
    inlay_rate rate;
    (void)type;
    return inlay_rate_parse(text, &rate) == INLAY_OK && rate.kind == INLAY_RATE_BYTES && rate.per != INLAY_UNIT_TICK;
}

static bool is_latency(inlay_machine_type *type, const char *text)
{
    inlay_duration time;
    (void)type;
    return inlay_duration_parse(text, &time) == INLAY_OK && time.value.digits >= 0 && inlay_unit_seconds(time.unit) > 0;
}

static bool is_doubt(inlay_machine_type *type, const char *text)
{
    double doubt;
    (void)type;
    return read_number(text, &doubt);
}

/* ---- Columns ---- */

static const char from_one[] = "a whole number from 1", doubts[] = "a number from 0 such as 0.1";

/* The name and the currency are texts as they stand. */
enum { TYPE, CURRENCY };
static const column columns[] = {
    [TYPE] = {"type", NULL, NULL, "a name"},
    [CURRENCY] = {"currency", NULL, NULL, "a word such as EUR"},
    {"cores", NULL, set_cores, from_one},
    {"speed", "speed", is_speed, "a positive number, or operations a second such as 100Gf"},
    {"memory", "processor_memory", is_memory, "a size such as 64GiB"},
    {"price", NULL, set_price, "a number from 0 such as 0.48"},
    {"per", NULL, set_per, "a time above 0 such as 1h"},
    {"count_max", NULL, set_most, from_one},
    {"count_min", NULL, set_least, from_one},
    {"start_up", NULL, set_start_up, "a time such as 2min"},
    {"billing", NULL, set_billing, "a time above 0 such as 60s or 1h"},
    {"network_bandwidth", "capacity", is_rate, "bytes or bits a second such as 2.5GB/s"},
    {"network_latency", "link_latency", is_latency, "a time such as 20us"},
    {"power", NULL, set_power, "a positive power of one host such as 350W"},
    {"time_spread", "time_spread", is_doubt, doubts},
    {"time_error", "time_error", is_doubt, doubts},
    {"network_error", "network_error", is_doubt, doubts},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

int catalogue_column(const char *name)
{
    for (int i = 0; i < COLUMNS; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void catalogue_columns(char *text, size_t room)
{
    int at = 0;
    for (int i = 0; i < COLUMNS && at >= 0 && (size_t)at < room; i++) {
        at += plain_print(text + at, room - (size_t)at, "%s%s", i > 0 ? ", " : "", columns[i].name);
    }
}

/* ---- A row ---- */

void catalogue_begin(catalogue_row *row, const char *source, long line)
{
    row->source = source;
    row->line = line;
    row->is = (inlay_machine_type){.count_min = 1, .count_max = 1, .price = NAN, .per = 3600, .power = NAN};
}

static const char *keep(inlay_catalogue *all, const char *text)
{
    char *copy = pool_array(&all->pool, strlen(text) + 1, 1);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

int catalogue_set_attribute(inlay_catalogue *all, catalogue_row *row, const char *name, const char *text,
                            inlay_diag *diag)
{
    size_t i = 0;
    while (i < row->is.attribute_count && strcmp(row->attribute[i].name, name) != 0) {
        i++;
    }
    if (i == CATALOGUE_ATTRIBUTES) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, row->source, row->line, "too many attributes; expected at most %d",
                            CATALOGUE_ATTRIBUTES);
    }
    row->attribute[i] = (inlay_attribute){keep(all, name), keep(all, text), row->line};
    row->is.attribute_count += i == row->is.attribute_count;
    return all->pool.failed ? diag_no_memory(diag) : INLAY_OK;
}

int catalogue_set(inlay_catalogue *all, catalogue_row *row, int number, const char *text, inlay_diag *diag)
{
    const column *c = &columns[number];
    if (*text == '\0') {
        return INLAY_OK;
    }
    if (number == TYPE || number == CURRENCY) {
        *(number == TYPE ? &row->is.name : &row->is.currency) = keep(all, text);
        return all->pool.failed ? diag_no_memory(diag) : INLAY_OK;
    }
    if (!c->set(&row->is, text)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, row->source, row->line, "bad %s '%.80s'; expected %s", c->name, text,
                            c->expected);
    }
    return c->attribute == NULL ? INLAY_OK : catalogue_set_attribute(all, row, c->attribute, text, diag);
}

/* What a row says by itself; whether its machine can be made tells the rest. */
static int check(const catalogue_row *row, inlay_diag *diag)
{
    const inlay_machine_type *is = &row->is;
    inlay_machine *machine = NULL;
    if (is->name == NULL || is->cores == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, row->source, row->line, "no %s; expected %s",
                            is->name == NULL ? "type" : "cores", is->name == NULL ? columns[TYPE].expected : from_one);
    }
    if (is->count_min > is->count_max || is->count_max > INT32_MAX / is->cores) {
        return is->count_min > is->count_max ? diag_fail_at(diag, INLAY_BAD_INPUT, row->source, row->line,
                                                            "count_min %d is above count_max %d; expected at most that",
                                                            is->count_min, is->count_max)
                                             : diag_fail_at(diag, INLAY_BAD_INPUT, row->source, row->line,
                                                            "%d hosts of %d cores; expected at most %d cores in all",
                                                            is->count_max, is->cores, INT32_MAX);
    }
    int status = inlay_types_machine(&(inlay_type_count){is, 1}, 1, &machine, NULL);
    if (status == INLAY_OK) {
        inlay_machine_free(machine);
        return INLAY_OK;
    }
    inlay_diag *said = inlay_diag_new();
    (void)inlay_types_machine(&(inlay_type_count){is, 1}, 1, &machine, said);
    diag_fail_at(diag, status, row->source, row->line, "%s", inlay_diag_message(said));
    inlay_diag_free(said);
    return status;
}

int catalogue_add(inlay_catalogue *all, const catalogue_row *row, inlay_diag *diag)
{
    size_t count = row->is.attribute_count;
    inlay_attribute *kept = pool_array(&all->pool, count, sizeof *kept);
    if (kept == NULL || !memory_grow((void **)&all->types, &all->room, all->count + 1, sizeof *all->types)) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < count; i++) {
        kept[i] = row->attribute[i];
    }
    all->types[all->count] = row->is;
    all->types[all->count++].attributes = kept;
    return INLAY_OK;
}

int catalogue_end(inlay_catalogue *all, catalogue_row *row, const catalogue_values *values, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < values->count; i++) {
        const inlay_attribute *given = &values->value[i];
        int number = catalogue_column(given->name);
        status = number >= 0 ? catalogue_set(all, row, number, given->value, diag)
                             : catalogue_set_attribute(all, row, given->name, given->value, diag);
    }
    row->is.attributes = row->attribute;
    status = status == INLAY_OK ? check(row, diag) : status;
    return status == INLAY_OK ? catalogue_add(all, row, diag) : status;
}
