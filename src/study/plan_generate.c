/* Applications of a study that are computed: all combinations of their sizes. */
#include "base/diag.h"
#include "base/json_out.h"
#include "base/memory.h"
#include "study/plan.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a generator can be asked for beside its sizes, in the order of names. */
enum { DENSITY = INLAY_SIZES, RATE, HETEROGENEITY, CCR, BANDWIDTH, SEED, AXES };

static const char *const names_of_axes[] = {
    [DENSITY - INLAY_SIZES] = "density", "rate", "heterogeneity", "ccr", "bandwidth", "seed"};

static const char *axis_name(int axis)
{
    return axis < INLAY_SIZES ? inlay_size_name((inlay_size)axis) : names_of_axes[axis - INLAY_SIZES];
}

static bool is_real(int axis)
{
    return axis >= DENSITY && axis != SEED;
}

/* The values of one of them; none: it is not asked for. */
typedef struct axis {
    series whole;
    double *real;
    size_t count;
} axis;

/* ---- Reading ---- */

static int read_reals(const json_file *file, const json_place *at, axis *a)
{
    bool list = json_is_array(at->value);
    size_t count = list ? json_elements(at) : 1;
    if (count == 0) {
        return json_refuse(file, at, "numbers, 0 or more");
    }
    a->real = memory_array(count, sizeof *a->real);
    if (a->real == NULL) {
        return diag_no_memory(file->diag);
    }
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        json_place element = list ? json_at_element(at, i) : *at;
        status = json_read_real(file, &element, &a->real[i]);
    }
    a->count = count;
    return status;
}

static int read_axis(const json_file *file, const json_place *object, int number, axis *a)
{
    json_place at = json_at_member(object, axis_name(number));
    if (at.value == NULL) {
        return INLAY_OK;
    }
    if (is_real(number)) {
        return read_reals(file, &at, a);
    }
    int status = plan_series(file, &at, number == SEED ? INT64_MAX : INT32_MAX, &a->whole);
    a->count = (size_t)a->whole.count;
    int64_t least = 1, most;
    series_range(&a->whole, &least, &most);
    return status == INLAY_OK && number != SEED && least < 1 ? json_refuse(file, &at, "sizes from 1 on") : status;
}

/* The kind, as the library calls it. */
static int read_kind(const json_file *file, const json_place *object, const char **kind)
{
    json_place at = json_at_member(object, "generate");
    const char *word = NULL;
    int status = json_read_text(file, &at, &word);
    text_buffer all = {0};
    for (size_t i = 0; status == INLAY_OK && i < inlay_generators(); i++) {
        const char *name = inlay_generator_at(i).name;
        bool first = i == 0 || strcmp(name, inlay_generator_at(i - 1).name) != 0;
        text_addf(&all, "%s%s", i == 0 ? "" : first ? ", " : "", first ? name : "");
        if (strcmp(word, name) == 0) {
            *kind = name;
            text_clear(&all);
            return INLAY_OK;
        }
    }
    status = status == INLAY_OK
                 ? json_complain(file, &at, "unknown kind '%s'; expected one of %s", word, text_content(&all))
                 : status;
    text_clear(&all);
    return status;
}

static int read_axes(const json_file *file, const json_place *object, axis axes[AXES])
{
    text_buffer known = {0};
    text_add(&known, "generate group");
    for (int i = 0; i < AXES; i++) {
        text_addf(&known, " %s", axis_name(i));
    }
    int status = known.failed ? diag_no_memory(file->diag) : json_only(file, object, known.data);
    text_clear(&known);
    for (int i = 0; status == INLAY_OK && i < AXES; i++) {
        status = read_axis(file, object, i, &axes[i]);
    }
    return status;
}

/* Whether a kind takes all that is asked for; of one name there may be several. */
static bool takes_all(const inlay_generator *kind, const axis axes[AXES], int *refused)
{
    for (int i = 0; i < INLAY_SIZES; i++) {
        if (axes[i].count > 0 && kind->sizes[i].most == 0) {
            *refused = i;
            return false;
        }
    }
    *refused = DENSITY;
    return axes[DENSITY].count == 0 || kind->density >= 0;
}

static void add_word(text_buffer *to, const char *word)
{
    text_addf(to, "%s%s", to->size > 0 ? " " : "", word);
}

static int check_sizes(const json_file *file, const json_place *object, const char *kind, const axis axes[AXES])
{
    text_buffer known = {0};
    int refused = 0;
    for (size_t i = 0; i < inlay_generators(); i++) {
        inlay_generator of = inlay_generator_at(i);
        bool named = strcmp(of.name, kind) == 0;
        if (named && takes_all(&of, axes, &refused)) {
            text_clear(&known);
            return INLAY_OK;
        }
        for (int size = 0; named && size < INLAY_SIZES; size++) {
            if (of.sizes[size].most != 0) {
                add_word(&known, axis_name(size));
            }
        }
        if (named && of.density >= 0) {
            add_word(&known, axis_name(DENSITY));
        }
    }
    json_place at = json_at_member(object, axis_name(refused));
    int status = known.failed ? diag_no_memory(file->diag)
                              : json_complain(file, &at, "%s takes no %s beside what stands there; expected some of %s",
                                              kind, axis_name(refused), text_content(&known));
    text_clear(&known);
    return status;
}

/* ---- Combinations ---- */

static void set_real(inlay_generator_options *options, int number, double value)
{
    switch (number) {
    case DENSITY: options->has_density = true, options->density = value; break;
    case RATE: options->rate = value; break;
    case HETEROGENEITY: options->heterogeneity = value; break;
    case CCR: options->has_ccr = true, options->ccr = value; break;
    default: options->bandwidth = value; break;
    }
}

/* The combination of that number; the last axis goes round first. */
static bool combine(study_application *to, const char *kind, const axis axes[AXES], size_t number)
{
    text_buffer name = {0};
    size_t place[AXES];
    for (int i = AXES - 1; i >= 0; i--) {
        size_t count = axes[i].count > 0 ? axes[i].count : 1;
        place[i] = number % count;
        number /= count;
    }
    to->generate.kind = kind;
    text_add(&name, kind);
    for (int i = 0; i < AXES; i++) {
        if (axes[i].count > 0 && is_real(i)) {
            char digits[INLAY_NUMBER_TEXT];
            double value = axes[i].real[place[i]];
            set_real(&to->generate, i, value);
            text_addf(&name, " %s=%s", axis_name(i), inlay_number_text(value, digits));
        } else if (axes[i].count > 0) {
            int64_t value = series_at(&axes[i].whole, (int64_t)place[i]);
            *(i == SEED ? (int64_t *)&to->generate.seed : &to->generate.sizes[i]) = value;
            text_addf(&name, " %s=%" PRId64, axis_name(i), value);
        }
    }
    to->name = name.failed ? NULL : memory_string(name.data);
    text_clear(&name);
    return to->name != NULL;
}

static int add_all(plan *p, const json_file *file, const json_place *object, const char *kind, const axis axes[AXES])
{
    size_t all = 1;
    for (int i = 0; i < AXES; i++) {
        if (__builtin_mul_overflow(all, axes[i].count > 0 ? axes[i].count : 1, &all) || all > NAMES_MOST) {
            return json_complain(file, object, "there are more than %d applications; expected fewer sizes", NAMES_MOST);
        }
    }
    for (size_t i = 0; i < all; i++) {
        study_application *next = plan_new_application(p->study);
        if (next == NULL || !combine(next, kind, axes, i)) {
            return diag_no_memory(p->diag);
        }
    }
    return INLAY_OK;
}

int plan_generate(plan *p, const json_file *file, const json_place *at)
{
    axis axes[AXES] = {0};
    const char *kind = "";
    int status = read_kind(file, at, &kind);
    status = status == INLAY_OK ? read_axes(file, at, axes) : status;
    status = status == INLAY_OK ? check_sizes(file, at, kind, axes) : status;
    status = status == INLAY_OK ? add_all(p, file, at, kind, axes) : status;
    for (int i = 0; i < AXES; i++) {
        series_clear(&axes[i].whole);
        free(axes[i].real);
    }
    return status;
}
