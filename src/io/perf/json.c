/* Processor speeds as JSON. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/json/read.h"
#include "io/perf/perf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most_data = INT64_C(1) << 53; /* whole numbers that doubles hold */

/* ---- Values ---- */

/* A number above 0; unchanged where there is none. */
static int read_positive(const json_file *json, const json_place *place, double *value)
{
    double read = 0;
    if (place->value == NULL) {
        return INLAY_OK;
    }
    int status = json_is_number(place->value) ? json_read_real(json, place, &read) : INLAY_OK;
    if (!json_is_number(place->value) || (status == INLAY_OK && !isnormal(read))) {
        return json_refuse(json, place, "a number above 0");
    }
    *value = status == INLAY_OK ? read : *value;
    return status;
}

/* An integer from 1; unchanged where there is none. */
static int read_whole(const json_file *json, const json_place *place, int64_t most, int64_t *value)
{
    int64_t read = 0;
    if (place->value == NULL) {
        return INLAY_OK;
    }
    int status = json_read_integer(json, place, most, &read);
    if (status == INLAY_OK && read == 0) {
        return json_refuse(json, place, "an integer, 1 or more");
    }
    *value = status == INLAY_OK ? read : *value;
    return status;
}

static int read_form(const json_file *json, const json_place *place, inlay_performance_form *form)
{
    const char *name = NULL;
    if (place->value == NULL) {
        return INLAY_OK;
    }
    int status = json_read_text(json, place, &name);
    if (status != INLAY_OK) {
        return status;
    }
    for (int f = INLAY_PERFORMANCE_CONSTANT; f <= INLAY_PERFORMANCE_OFFSET; f++) {
        if (strcmp(name, inlay_performance_form_name((inlay_performance_form)f)) == 0) {
            *form = (inlay_performance_form)f;
            return INLAY_OK;
        }
    }
    return json_refuse(json, place, "table, paper, offset or constant");
}

/* ---- Types ---- */

static int read_measurement(const json_file *json, const json_place *place, const perf_file *file, perf_type *type)
{
    json_place x = json_at_member(place, "processes");
    json_place y = json_at_member(place, "data");
    json_place speed_place = json_at_member(place, "speed");
    json_place time_place = json_at_member(place, "time");
    int64_t processes = 0;
    double data = 0;
    double speed = 0;
    double time = 0;
    int status = json_need_object(json, place);
    status = status == INLAY_OK ? json_only(json, place, "processes data speed time") : status;
    if (status == INLAY_OK) {
        status = x.value == NULL ? json_refuse(json, &x, "an integer, 1 or more")
                                 : read_whole(json, &x, INT32_MAX, &processes);
    }
    if (status == INLAY_OK) {
        status = y.value == NULL ? json_refuse(json, &y, "a number above 0") : read_positive(json, &y, &data);
    }
    status = status == INLAY_OK ? read_positive(json, &speed_place, &speed) : status;
    status = status == INLAY_OK ? read_positive(json, &time_place, &time) : status;
    if (status == INLAY_OK && (speed > 0) == (time > 0)) {
        status = json_complain(json, place, "a measurement needs its speed or its time, and not both; expected one");
    }
    return status == INLAY_OK ? perf_add_measurement(file, type, processes, data, time > 0 ? data / time : speed)
                              : status;
}

static int read_measurements(const json_file *json, const json_place *type_place, const perf_file *file,
                             perf_type *type)
{
    json_place list = json_at_member(type_place, "measurements");
    if (list.value == NULL) {
        return INLAY_OK;
    }
    int status = json_need_array(json, &list);
    if (status == INLAY_OK && json_elements(&list) == 0) {
        status = json_complain(json, &list, "no measurements; expected at least one");
    }
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&list); i++) {
        json_place element = json_at_element(&list, i);
        status = read_measurement(json, &element, file, type);
    }
    return status;
}

static int read_hosts(const json_file *json, const json_place *type_place, perf_type *type)
{
    json_place list = json_at_member(type_place, "hosts");
    if (list.value == NULL) {
        return INLAY_OK;
    }
    int status = json_need_array(json, &list);
    int64_t hosts = (int64_t)json_elements(&list);
    if (status == INLAY_OK && (hosts == 0 || hosts > PERF_COUNT || (type->count > 0 && hosts != type->count))) {
        status = json_complain(json, &list, "%lld host%s; expected one for each of the type's processors",
                               (long long)hosts, hosts == 1 ? "" : "s");
    }
    if (status != INLAY_OK) {
        return status;
    }
    type->count = hosts;
    type->host = memory_zeroed((size_t)hosts, sizeof *type->host);
    if (type->host == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; status == INLAY_OK && i < (size_t)hosts; i++) {
        json_place element = json_at_element(&list, i);
        const char *name = NULL;
        status = json_read_text(json, &element, &name);
        if (status == INLAY_OK && !(type->host[i] = memory_string(name))) {
            status = INLAY_NO_MEMORY;
        }
    }
    return status;
}

static int read_like(const json_file *json, const json_place *type_place, const perf_file *file, perf_type *type)
{
    json_place place = json_at_member(type_place, "like");
    const char *name = NULL;
    if (place.value == NULL) {
        return INLAY_OK;
    }
    int status = json_read_text(json, &place, &name);
    if (status != INLAY_OK) {
        return status;
    }
    perf_type *other = NULL;
    status = perf_find_type(file, name, strlen(name), &other);
    if (status != INLAY_OK) {
        return status;
    }
    if (other == NULL || other == type) {
        return json_refuse(json, &place, "a type that stands before");
    }
    type->like = 1 + (size_t)(other - file->type);
    return INLAY_OK;
}

static int read_numbers(const json_file *json, const json_place *place, perf_type *type)
{
    json_place c = json_at_member(place, "c");
    json_place a = json_at_member(place, "a");
    json_place b = json_at_member(place, "b");
    int status = read_positive(json, &c, &type->numbers.c);
    status = status == INLAY_OK ? read_positive(json, &a, &type->numbers.a) : status;
    return status == INLAY_OK ? read_positive(json, &b, &type->numbers.b) : status;
}

/* Whether a type says exactly one thing about its speed. */
static int check_type(const json_file *json, const json_place *place, const perf_type *type)
{
    bool formula = type->numbers.c > 0 || type->numbers.a > 0 || type->numbers.b > 0;
    bool measured = type->measurements > 0;
    int said = (type->like > 0) + formula + measured;
    if (said > 1) {
        return json_complain(json, place, "type '%.80s' has more than one of like, measurements and c; expected one",
                             type->name);
    }
    if (said == 0 && !(type->speed > 0)) {
        return json_complain(json, place,
                             "type '%.80s' has no speed; expected a speed, or like, measurements, or form and c",
                             type->name);
    }
    if (formula &&
        (!(type->numbers.c > 0) || (type->form != INLAY_PERFORMANCE_PAPER && type->form != INLAY_PERFORMANCE_OFFSET))) {
        return json_complain(json, place,
                             "type '%.80s' has numbers without form 'paper' or 'offset', or without c; "
                             "expected form, c, a and b",
                             type->name);
    }
    if (!measured && !formula && type->form != INLAY_PERFORMANCE_AS_GIVEN) {
        return json_complain(
            json, place, "type '%.80s' has a form, but neither measurements nor numbers; expected them", type->name);
    }
    return INLAY_OK;
}

static int read_members(const json_file *json, const json_place *place, const perf_file *file, perf_type *type)
{
    json_place count = json_at_member(place, "count");
    json_place speed = json_at_member(place, "speed");
    json_place form = json_at_member(place, "form");
    int status = read_whole(json, &count, PERF_COUNT, &type->count);
    status = status == INLAY_OK ? read_positive(json, &speed, &type->speed) : status;
    status = status == INLAY_OK ? read_form(json, &form, &type->form) : status;
    status = status == INLAY_OK ? read_hosts(json, place, type) : status;
    status = status == INLAY_OK ? read_like(json, place, file, type) : status;
    status = status == INLAY_OK ? read_numbers(json, place, type) : status;
    status = status == INLAY_OK ? read_measurements(json, place, file, type) : status;
    return status == INLAY_OK ? check_type(json, place, type) : status;
}

/* @param line  of its name */
static int read_type(const json_file *json, const json_place *place, long line, perf_file *file)
{
    json_place name_place = json_at_member(place, "name");
    const char *name = NULL;
    perf_type *type = NULL;
    int status = json_need_object(json, place);
    if (status == INLAY_OK) {
        status = json_only(json, place, "name count hosts speed like form c a b measurements comment");
    }
    status = status == INLAY_OK ? json_read_text(json, &name_place, &name) : status;
    status = status == INLAY_OK ? perf_add_type(file, name, strlen(name), line, &type) : status;
    return status == INLAY_OK ? read_members(json, place, file, type) : status;
}

/* ---- The file ---- */

static int read_unit(const json_file *json, const json_place *root, perf_file *file)
{
    json_place place = json_at_member(root, "time_unit");
    const char *name = NULL;
    if (place.value == NULL) {
        return INLAY_OK;
    }
    int status = json_read_text(json, &place, &name);
    for (int u = INLAY_UNIT_S; status == INLAY_OK && u <= INLAY_UNIT_TICK; u++) {
        if (strcmp(name, inlay_unit_name((inlay_unit)u)) == 0) {
            file->time_unit = (inlay_unit)u;
            return INLAY_OK;
        }
    }
    return status == INLAY_OK ? json_refuse(json, &place, "s, ms, us, ns or tick") : status;
}

static int read_data_unit(const json_file *json, const json_place *root, perf_file *file)
{
    json_place place = json_at_member(root, "data_unit");
    const char *name = NULL;
    if (place.value == NULL) {
        return INLAY_OK;
    }
    int status = json_read_text(json, &place, &name);
    if (status == INLAY_OK && !(file->data_unit = memory_string(name))) {
        status = INLAY_NO_MEMORY;
    }
    return status;
}

static int read_types(const json_file *json, const json_place *types, perf_file *file)
{
    size_t elements = json_elements(types);
    long *line = memory_array(elements, sizeof *line);
    int status = line == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        json_lines(json->data, json->size, &types->step, "name", elements, line);
    }
    for (size_t i = 0; status == INLAY_OK && i < elements; i++) {
        json_place element = json_at_element(types, i);
        status = read_type(json, &element, line[i], file);
    }
    free(line);
    return status;
}

static int read_root(const json_file *json, perf_file *file)
{
    json_place root = json_at_root(json);
    json_place data = json_at_member(&root, "data");
    json_place types = json_at_member(&root, "types");
    int status = json_need_object(json, &root);
    status = status == INLAY_OK ? json_only(json, &root, "types data data_unit time_unit comment") : status;
    status = status == INLAY_OK ? read_whole(json, &data, most_data, &file->data) : status;
    status = status == INLAY_OK ? read_unit(json, &root, file) : status;
    status = status == INLAY_OK ? read_data_unit(json, &root, file) : status;
    status = status == INLAY_OK ? json_need_array(json, &types) : status;
    return status == INLAY_OK ? read_types(json, &types, file) : status;
}

int perf_read_json(perf_file *file, const char *data, size_t size)
{
    json_file json;
    int status = json_file_open(&json, data, size, file->source, file->diag);
    if (status == INLAY_OK) {
        status = read_root(&json, file);
        json_file_close(&json);
    }
    return status == INLAY_NO_MEMORY ? diag_no_memory(file->diag) : status;
}
