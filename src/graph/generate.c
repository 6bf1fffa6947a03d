/* The table of generators, and what they are asked for. */
#include "base/diag.h"
#include "base/text.h"
#include "graph/generate.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

static const generator *const generators[] = {
    &cholesky_generator,   &cholesky_tiles_generator, &lu_generator,        &qr_generator,
    &fft_generator,        &gauss_generator,          &stencil_generator,   &wavefront_generator,
    &in_tree_generator,    &out_tree_generator,       &fork_join_generator, &series_parallel_generator,
    &layered_generator,    &erdos_renyi_generator,    &montage_generator,   &epigenomics_generator,
    &cybershake_generator,
};
enum { GENERATORS = sizeof generators / sizeof *generators };

size_t inlay_generators(void)
{
    return GENERATORS;
}

inlay_generator inlay_generator_at(size_t i)
{
    return generators[i]->offer;
}

const char *inlay_size_name(inlay_size size)
{
    static const char *const names[INLAY_SIZES] = {"size",   "tiles", "tile",    "dimensions", "steps", "levels",
                                                   "degree", "width", "modules", "work",       "bytes", "element"};
    return names[size];
}

/* ---- Finding the kind ---- */

static bool has_name(const generator *g, const char *name)
{
    return name != NULL && strcmp(g->offer.name, name) == 0;
}

/* Whether the kind takes everything that is given. */
static bool takes(const generator *g, const inlay_generator_options *o)
{
    for (int i = 0; i < INLAY_SIZES; i++) {
        if (o->sizes[i] != 0 && g->offer.sizes[i].most == 0) {
            return false;
        }
    }
    return (!o->has_density || g->offer.density >= 0) && (!o->inputs || g->offer.inputs);
}

static void add_word(text_buffer *list, const char *separator, const char *word)
{
    text_add(list, list->size > 0 ? separator : "");
    text_add(list, word);
}

static void add_given(text_buffer *list, const inlay_generator_options *o)
{
    for (int i = 0; i < INLAY_SIZES; i++) {
        if (o->sizes[i] != 0) {
            add_word(list, ", ", inlay_size_name((inlay_size)i));
        }
    }
    if (o->has_density) {
        add_word(list, ", ", "density");
    }
    if (o->inputs) {
        add_word(list, ", ", "inputs");
    }
}

static void add_taken(text_buffer *list, const generator *g)
{
    const char *separator = ", or only ";
    for (int i = 0; i < INLAY_SIZES; i++) {
        if (g->offer.sizes[i].most != 0) {
            add_word(list, separator, inlay_size_name((inlay_size)i));
            separator = ", ";
        }
    }
    if (g->offer.density >= 0) {
        add_word(list, separator, "density");
    }
    if (g->offer.inputs) {
        add_word(list, separator, "inputs");
    }
}

static int refuse_kind(const inlay_generator_options *o, inlay_diag *diag)
{
    text_buffer names = {0};
    for (size_t i = 0; i < GENERATORS; i++) {
        if (i == 0 || !has_name(generators[i], generators[i - 1]->offer.name)) {
            add_word(&names, ", ", generators[i]->offer.name);
        }
    }
    int status = names.failed
                     ? diag_no_memory(diag)
                     : diag_fail(diag, INLAY_BAD_ARGUMENT, "no kind of graph is called '%s'; expected one of %s",
                                 o->kind != NULL ? o->kind : "", names.data);
    text_clear(&names);
    return status;
}

static int refuse_sizes(const inlay_generator_options *o, inlay_diag *diag)
{
    text_buffer given = {0}, taken = {0};
    add_given(&given, o);
    for (size_t i = 0; i < GENERATORS; i++) {
        if (has_name(generators[i], o->kind)) {
            add_taken(&taken, generators[i]);
        }
    }
    int status = given.failed || taken.failed
                     ? diag_no_memory(diag)
                     : diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: cannot be asked for %s; expected only %s", o->kind,
                                 given.data, taken.data);
    text_clear(&given);
    text_clear(&taken);
    return status;
}

/* The first kind of that name that takes what is given. */
static int find(const inlay_generator_options *o, const generator **found, inlay_diag *diag)
{
    bool named = false;
    for (size_t i = 0; i < GENERATORS; i++) {
        named = named || has_name(generators[i], o->kind);
        if (has_name(generators[i], o->kind) && takes(generators[i], o)) {
            *found = generators[i];
            return INLAY_OK;
        }
    }
    return named ? refuse_sizes(o, diag) : refuse_kind(o, diag);
}

/* ---- Checking what is given ---- */

/* Fills in the defaults. */
static int settle_sizes(const generator *g, inlay_generator_options *o, inlay_diag *diag)
{
    for (int i = 0; i < INLAY_SIZES; i++) {
        const inlay_size_range *range = &g->offer.sizes[i];
        o->sizes[i] = o->sizes[i] == 0 ? range->initial : o->sizes[i];
        if (o->sizes[i] < range->least || o->sizes[i] > range->most) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: %s %lld is out of range; expected %lld to %lld", o->kind,
                             inlay_size_name((inlay_size)i), (long long)o->sizes[i], (long long)range->least,
                             (long long)range->most);
        }
    }
    o->density = o->has_density ? o->density : g->offer.density;
    if (o->has_density && !(o->density >= 0 && o->density <= 1)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: density %g is no probability; expected 0 to 1", o->kind,
                         o->density);
    }
    const char *expected = g->expects != NULL ? g->expects(o) : NULL;
    return expected == NULL ? INLAY_OK
                            : diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: the sizes do not go together; expected %s",
                                        o->kind, expected);
}

static int refuse_number(const inlay_generator_options *o, const char *name, double value, const char *expected,
                         inlay_diag *diag)
{
    return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: %s %g cannot be; expected %s", o->kind, name, value, expected);
}

static int settle_numbers(const generator *g, inlay_generator_options *o, inlay_diag *diag)
{
    if (!(o->rate >= 0) || !isfinite(o->rate)) {
        return refuse_number(o, "rate", o->rate, "a number above 0", diag);
    }
    if (!(o->heterogeneity >= 0 && o->heterogeneity <= 2)) {
        return refuse_number(o, "heterogeneity", o->heterogeneity, "0 to 2", diag);
    }
    if (g->streams && o->heterogeneity > 0) {
        return refuse_number(o, "heterogeneity", o->heterogeneity, "0: blocking times go with the times as they are",
                             diag);
    }
    if (o->has_ccr && (!(o->ccr >= 0) || !isfinite(o->ccr))) {
        return refuse_number(o, "ccr", o->ccr, "0 or more", diag);
    }
    if (!(o->bandwidth >= 0) || !isfinite(o->bandwidth)) {
        return refuse_number(o, "bandwidth", o->bandwidth, "a number above 0", diag);
    }
    if (o->bandwidth > 0 && !o->has_ccr) {
        return refuse_number(o, "bandwidth", o->bandwidth, "a ccr with it", diag);
    }
    o->rate = o->rate > 0 ? o->rate : g->offer.rate;
    return INLAY_OK;
}

/* ---- Whether there is room ---- */

/* Bytes that a module and a link take at most while the graph is made. */
enum { MODULE_BYTES = 140, LINK_BYTES = 36, DATA_BYTES = 140 /* more, of a link in a kind with data */ };

static double computer_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (double)pages * (double)page : INFINITY;
}

static int check_room(const generator *g, const inlay_generator_options *o, graph_counts counts, inlay_diag *diag)
{
    if (counts.modules > INT32_MAX - 1) {
        return diag_fail(diag, INLAY_OVERFLOW, "%s: %.15g modules; expected at most %d", o->kind, counts.modules,
                         INT32_MAX - 1);
    }
    double needed = MODULE_BYTES * counts.modules + (LINK_BYTES + (g->datum != NULL ? DATA_BYTES : 0)) * counts.links;
    if (needed > computer_memory()) {
        return diag_fail(diag, INLAY_NO_MEMORY,
                         "%s: %.15g modules and %.15g links need about %.3g GB; this computer has %.3g GB", o->kind,
                         counts.modules, counts.links, needed * 1e-9, computer_memory() * 1e-9);
    }
    return INLAY_OK;
}

/* ---- The whole ---- */

static int draw(const generator *g, const inlay_generator_options *o, inlay_app **app, inlay_diag *diag)
{
    gsl_rng stream;
    sketch s = {0};
    int64_t tiles = o->sizes[INLAY_SIZE_TILES], inputs = o->inputs ? tiles * tiles : 0;
    bool opened = draw_open(&stream, o->seed) && sketch_open(&s, g, g->count(o), inputs, &stream);
    if (opened) {
        g->draw(&s, o);
    }
    int status = opened ? sketch_finish(&s, g, o, app, diag) : diag_no_memory(diag);
    sketch_clear(&s);
    draw_close(&stream);
    return status;
}

int inlay_generate(const inlay_generator_options *options, inlay_app **app, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_generator_options o = *options;
    const generator *g = NULL;
    int status = find(&o, &g, diag);
    status = status == INLAY_OK ? settle_sizes(g, &o, diag) : status;
    status = status == INLAY_OK ? settle_numbers(g, &o, diag) : status;
    status = status == INLAY_OK ? check_room(g, &o, g->count(&o), diag) : status;
    return status == INLAY_OK ? draw(g, &o, app, diag) : status;
}
