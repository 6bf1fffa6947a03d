/* Series of numbers in a study's file. */
#include "base/diag.h"
#include "study/plan.h"
#include <inttypes.h>
#include <stdio.h>

static const char expected[] =
    "a whole number from 0 on, a range as '1..16', '1..16+5' or '4..64*2', an object with from, "
    "to, and step or factor, or a list of these";

static int refuse(const json_file *file, const json_place *at)
{
    return json_refuse(file, at, expected);
}

static int told(series_status status, const json_file *file, const json_place *at)
{
    return status == SERIES_NO_MEMORY ? diag_no_memory(file->diag)
           : status == SERIES_WRONG   ? refuse(file, at)
                                      : INLAY_OK;
}

/* A member of the object, or what stands for it. */
static int read_member(const json_file *file, const json_place *object, const char *key, int64_t usual, int64_t *value)
{
    json_place at = json_at_member(object, key);
    *value = usual;
    return at.value == NULL && usual >= 0 ? INLAY_OK : json_read_integer(file, &at, INT64_MAX, value);
}

static int read_object(const json_file *file, const json_place *at, series *numbers)
{
    int64_t from, to, step, factor;
    int status = json_only(file, at, "from to step factor");
    status = status == INLAY_OK ? read_member(file, at, "from", -1, &from) : status;
    status = status == INLAY_OK ? read_member(file, at, "to", -1, &to) : status;
    status = status == INLAY_OK ? read_member(file, at, "factor", 0, &factor) : status;
    status = status == INLAY_OK ? read_member(file, at, "step", factor == 0, &step) : status;
    return status == INLAY_OK ? told(series_add(numbers, from, to, step, factor), file, at) : status;
}

static int read_one(const json_file *file, const json_place *at, series *numbers)
{
    if (json_is_integer(at->value)) {
        int64_t number = json_integer_value(at->value);
        return told(series_add(numbers, number, number, 1, 0), file, at);
    }
    if (json_is_string(at->value)) {
        return told(series_parse(numbers, json_string_value(at->value)), file, at);
    }
    return json_is_object(at->value) ? read_object(file, at, numbers) : refuse(file, at);
}

int plan_series(const json_file *file, const json_place *at, int64_t most, series *numbers)
{
    int status = INLAY_OK;
    if (json_is_array(at->value)) {
        status = json_elements(at) > 0 ? INLAY_OK : refuse(file, at);
        for (size_t i = 0; status == INLAY_OK && i < json_elements(at); i++) {
            json_place one = json_at_element(at, i);
            status = read_one(file, &one, numbers);
        }
    } else {
        status = read_one(file, at, numbers);
    }
    int64_t least = 0, largest = 0;
    series_range(numbers, &least, &largest);
    return status == INLAY_OK && largest > most
               ? json_complain(file, at, "there is %" PRId64 "; expected at most %" PRId64, largest, most)
               : status;
}
