/* Any application with times of StarPU's models: each module's by its codelet and by how many bytes its data have. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "graph/rebuild.h"
#include "io/starpu/starpu.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of StarPU's own programs, in single precision. */
typedef struct known_codelet {
    const char *kind, *with; /* with: a kind that the application has to have, too; NULL: any */
    const char *codelet;
} known_codelet;

static const known_codelet known[] = {
    {"GETRF", NULL, "starpu_slu_lu_model_getrf"},
    {"TRSM_U", "GETRF", "starpu_slu_lu_model_trsm_ll"},
    {"TRSM_L", "GETRF", "starpu_slu_lu_model_trsm_ru"},
    {"GEMM", "GETRF", "starpu_slu_lu_model_gemm"},
    {"POTRF", NULL, "chol_model_potrf"},
    {"TRSM", "POTRF", "chol_model_trsm"},
    {"SYRK", "POTRF", "chol_model_syrk"},
    {"GEMM", "POTRF", "chol_model_gemm"},
};

/* Modules of one kind and size. */
typedef struct sort {
    int32_t kind;
    int64_t bytes;
    inlay_id modules;
    starpu_codelet of;
} sort;

typedef struct timing {
    const inlay_app *app;
    inlay_diag *diag;
    char *given;   /* "KIND=CODELET,...", cut apart: each followed by a NUL */
    size_t givens; /* its size */
    sort *sort;
    size_t sorts, room;
    int32_t *sort_of; /* by module */
} timing;

/* ---- How many bytes ---- */

/* Whether a module gets a datum of that name, of another module or as a block. */
static bool gets(const inlay_app *app, inlay_id module, const char *name)
{
    int64_t count;
    const inlay_id *before = inlay_app_predecessors(app, module, &count);
    for (int64_t p = 0; p < count; p++) {
        for (inlay_id d = app->data_begin[before[p]]; d < app->data_begin[before[p] + 1]; d++) {
            for (int64_t c = app->consumer_begin[d];
                 strcmp(app->datum_name[d], name) == 0 && c < app->consumer_begin[d + 1]; c++) {
                if (app->consumer[c] == module) {
                    return true;
                }
            }
        }
    }
    int64_t block = -2 - (int64_t)name_map_get(&app->by_name, name);
    for (int64_t u = block >= 0 ? app->use_begin[block] : 0; block >= 0 && u < app->use_begin[block + 1]; u++) {
        if (app->use_module[u] == module) {
            return true;
        }
    }
    return false;
}

/* Of all that modules read, and of what they write but did not read. NULL when out of memory. */
static int64_t *count_bytes(const inlay_app *app)
{
    int64_t *bytes = memory_zeroed((size_t)app->modules, sizeof *bytes);
    for (inlay_id i = 0; bytes != NULL && i < app->modules; i++) {
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            int64_t own = app->own_bytes == NULL ? app->out_bytes[l] : app->own_bytes[l];
            bytes[app->out_to[l]] += own;
            bytes[i] += own;
        }
        for (inlay_id d = app->data > 0 ? app->data_begin[i] : 0; app->data > 0 && d < app->data_begin[i + 1]; d++) {
            for (int64_t c = app->consumer_begin[d]; c < app->consumer_begin[d + 1]; c++) {
                bytes[app->consumer[c]] += app->datum_bytes[d];
            }
            bytes[i] += gets(app, i, app->datum_name[d]) ? 0 : app->datum_bytes[d];
        }
    }
    for (inlay_id b = 0; bytes != NULL && b < app->blocks; b++) {
        for (int64_t u = app->use_begin[b]; u < app->use_begin[b + 1]; u++) {
            bytes[app->use_module[u]] += app->block_size[b];
        }
    }
    return bytes;
}

/* ---- Which codelet ---- */

static bool has_kind(const inlay_app *app, const char *name)
{
    for (int32_t k = 0; k < app->kinds; k++) {
        if (strcmp(app->kind_names[k], name) == 0) {
            return true;
        }
    }
    return false;
}

/* The one that was given, a known one, else the kind itself. */
static const char *codelet_of(const timing *t, const char *kind)
{
    for (const char *at = t->given; at != NULL && at < t->given + t->givens; at += strlen(at) + 1) {
        size_t length = strlen(kind);
        if (strncmp(at, kind, length) == 0 && at[length] == '=') {
            return at + length + 1;
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].kind, kind) == 0 && (known[i].with == NULL || has_kind(t->app, known[i].with))) {
            return known[i].codelet;
        }
    }
    return kind;
}

/* Cuts what was given apart; every kind in it has to be one. */
static int take_given(timing *t, const char *codelets)
{
    t->given = codelets == NULL ? NULL : memory_string(codelets);
    t->givens = codelets == NULL ? 0 : strlen(codelets);
    if (codelets != NULL && t->given == NULL) {
        return diag_no_memory(t->diag);
    }
    for (char *at = t->given, *next; at != NULL; at = next) {
        next = strchr(at, ',');
        if (next != NULL) {
            *next++ = '\0';
        }
        char *value = strchr(at, '=');
        bool whole = value != NULL && value > at && value[1] != '\0';
        if (whole) {
            *value = '\0';
        }
        if (!whole || !has_kind(t->app, at)) {
            return diag_fail(t->diag, INLAY_BAD_ARGUMENT,
                             "'%.60s' names no kind of modules%s; expected KIND=CODELET,...", at,
                             whole ? " that the application has" : "");
        }
        *value = '=';
    }
    return INLAY_OK;
}

/* A module, to be put beside those like it. */
typedef struct keyed {
    int64_t bytes;
    int32_t kind;
    inlay_id module;
} keyed;

static int by_kind_and_bytes(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? -1 : 1;
    }
    return (x->module > y->module) - (x->module < y->module);
}

static int add_sort(timing *t, const keyed *of)
{
    char *name = memory_string(codelet_of(t, t->app->kind_names[of->kind]));
    if (name == NULL || !memory_grow((void **)&t->sort, &t->room, t->sorts + 1, sizeof *t->sort)) {
        free(name);
        return diag_no_memory(t->diag);
    }
    t->sort[t->sorts++] =
        (sort){.kind = of->kind, .bytes = of->bytes, .of = {.name = name, .wanted = (double)of->bytes}};
    return INLAY_OK;
}

/* By kind, then size. */
static int find_sorts(timing *t, const int64_t *bytes)
{
    const inlay_app *app = t->app;
    keyed *list = memory_array((size_t)app->modules, sizeof *list);
    int status = list == NULL ? diag_no_memory(t->diag) : INLAY_OK;
    for (inlay_id i = 0; status == INLAY_OK && i < app->modules; i++) {
        list[i] = (keyed){bytes[i], app->kind == NULL ? -1 : app->kind[i], i};
        if (list[i].kind < 0) {
            status = diag_fail(t->diag, INLAY_BAD_ARGUMENT,
                               "module '%s' has no kind, which tells its codelet; expected one", app->name[i]);
        }
    }
    if (status == INLAY_OK) {
        qsort(list, (size_t)app->modules, sizeof *list, by_kind_and_bytes);
    }
    for (inlay_id i = 0; status == INLAY_OK && i < app->modules; i++) {
        const sort *last = t->sorts == 0 ? NULL : &t->sort[t->sorts - 1];
        bool like = last != NULL && last->kind == list[i].kind && last->bytes == list[i].bytes;
        status = like ? INLAY_OK : add_sort(t, &list[i]);
        if (status == INLAY_OK) {
            t->sort[t->sorts - 1].modules++;
            t->sort_of[list[i].module] = (int32_t)t->sorts - 1;
        }
    }
    free(list);
    return status;
}

/* ---- Models ---- */

/* Of the sorts of one kind, from `s` on to `end`: what was not measured, and what looks odd. */
static void warn_of(const timing *t, const sort *s, const sort *end)
{
    const sort *first = NULL;
    inlay_id modules = 0;
    int sizes = 0;
    for (const sort *at = s; at < end; at++) {
        if (at->of.sizes > 0 && !(at->of.size >= at->of.wanted && at->of.size <= at->of.wanted)) {
            first = first == NULL ? at : first;
            modules += at->modules;
            sizes++;
        }
    }
    if (first != NULL) {
        char more[64] = "";
        if (sizes > 1) {
            plain_print(more, sizeof more, " and %d other sizes", sizes - 1);
        }
        diag_warn(t->diag,
                  "%s: not measured at %" PRId64 " bytes%s, which data of %" PRId32
                  " modules have: the times are those at %.15g bytes",
                  first->of.name, first->bytes, more, modules, first->of.size);
    }
    if (s->of.odd > 0) {
        diag_warn(t->diag,
                  "%s: sums of %" PRId64 " of its %" PRId64
                  " measurements do not fit their means and deviations, as if they were "
                  "made by hand; they are taken as they stand",
                  s->of.name, s->of.odd, s->of.rows);
    }
}

/* The times of one sort. */
static int read_sort(const timing *t, starpu_folder *folder, sort *of)
{
    const char *kind = t->app->kind_names[of->kind];
    int status = starpu_model_read(folder, &of->of, t->diag);
    return status == INLAY_OK && of->of.measured == 0
               ? diag_fail(t->diag, INLAY_BAD_INPUT,
                           "%s: modules of kind %s have no measured codelet '%s' here; expected one, or "
                           "--codelets %s=CODELET",
                           folder->path, kind, of->of.name, kind)
               : status;
}

static int read_models(const timing *t, const inlay_starpu_models *models)
{
    starpu_folder folder = {.asked = NULL};
    int status = starpu_folder_find(models, &folder, t->diag);
    for (size_t begin = 0, end = 0; status == INLAY_OK && begin < t->sorts; begin = end) {
        while (status == INLAY_OK && end < t->sorts && t->sort[end].kind == t->sort[begin].kind) {
            status = read_sort(t, &folder, &t->sort[end++]);
        }
        if (status == INLAY_OK) {
            warn_of(t, &t->sort[begin], &t->sort[end]);
        }
    }
    if (status == INLAY_OK && folder.combinations > 0) {
        diag_warn(t->diag, "%" PRId64 " measured combinations of several devices or cores are left out",
                  folder.combinations);
    }
    starpu_folder_clear(&folder);
    return status;
}

/* ---- The application ---- */

enum { DECIMALS = 6 }; /* of us */

/* Sums stay below 2^61, as everywhere. */
static int check_sum(const timing *t)
{
    double sum = 0;
    for (size_t s = 0; s < t->sorts; s++) {
        for (int type = 0; type < STARPU_TYPES; type++) {
            sum +=
                starpu_is_measured(&t->sort[s].of, type) ? t->sort[s].of.seconds[type] * 1e12 * t->sort[s].modules : 0;
        }
    }
    return sum < 0x1p61 ? INLAY_OK
                        : diag_fail(t->diag, INLAY_OVERFLOW, "the times add up to more than 2^61 ps; expected less");
}

static int build(const timing *t, inlay_app **result)
{
    const inlay_app *app = t->app;
    char *names[STARPU_TYPES];
    int of[STARPU_TYPES], types = 0;
    for (int type = 0; type < STARPU_TYPES; type++) {
        bool any = false;
        for (size_t s = 0; s < t->sorts; s++) {
            any = any || starpu_is_measured(&t->sort[s].of, type);
        }
        if (any) {
            names[types] = (char *)starpu_types[type];
            of[types++] = type;
        }
    }
    size_t n = (size_t)app->modules;
    inlay_time *time = memory_array(n, sizeof *time), *by_type = memory_array(n * (size_t)types, sizeof *by_type);
    int status = time == NULL || by_type == NULL ? diag_no_memory(t->diag) : check_sum(t);
    for (size_t i = 0; status == INLAY_OK && i < n; i++) {
        const starpu_codelet *codelet = &t->sort[t->sort_of[i]].of;
        time[i] = -1;
        for (int k = 0; k < types; k++) {
            bool measured = starpu_is_measured(codelet, of[k]);
            inlay_time own = measured ? (inlay_time)llround(codelet->seconds[of[k]] * 1e12) : INLAY_NEVER;
            by_type[(size_t)k * n + i] = own;
            time[i] = time[i] < 0 && measured ? own : time[i];
        }
    }
    if (status == INLAY_OK) {
        inlay_app view = *app;
        view.unit = INLAY_UNIT_US;
        view.decimals = DECIMALS;
        view.reference_speed = 0;
        view.time = time;
        view.blocking = view.deadline = NULL;
        view.types = types;
        view.type_names = names;
        view.type_time = by_type;
        status = app_rebuild(&view, result, t->diag);
    }
    free(time);
    free(by_type);
    return status;
}

/* What new times would make meaningless. */
static int check_app(const inlay_app *app, bool spread, inlay_diag *diag)
{
    for (inlay_id b = 0; b < app->blocks; b++) {
        if (app->block_time[b] > 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "block '%s' takes time, which no codelet tells; expected none",
                             inlay_app_block_name(app, b));
        }
    }
    if (app->period > 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the application has a period, which belongs to its old times; expected none");
    }
    if (spread) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "times are spread over the tasks of a StarPU program; expected its graph");
    }
    if (app->blocking != NULL || app->deadline != NULL) {
        diag_warn(diag, "blocking times and deadlines belong to the old times: left out");
    }
    return INLAY_OK;
}

int inlay_app_time_starpu(const inlay_app *app, const inlay_starpu_models *models, inlay_app **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    timing t = {.app = app, .diag = diag};
    int64_t *bytes = count_bytes(app);
    t.sort_of = memory_array((size_t)app->modules, sizeof *t.sort_of);
    int status = bytes == NULL || t.sort_of == NULL ? diag_no_memory(diag) : check_app(app, models->spread, diag);
    status = status == INLAY_OK ? take_given(&t, models->codelets) : status;
    status = status == INLAY_OK ? find_sorts(&t, bytes) : status;
    status = status == INLAY_OK ? read_models(&t, models) : status;
    status = status == INLAY_OK ? build(&t, result) : status;
    for (size_t s = 0; s < t.sorts; s++) {
        free(t.sort[s].of.name);
    }
    free(t.sort);
    free(t.sort_of);
    free(t.given);
    free(bytes);
    return status;
}
