/* One point of a study: mapped as `inlay map` does, and its row. */
#include "base/diag.h"
#include "base/memory.h"
#include "study/frame.h"
#include "study/row.h"
#include "study/store.h"
#include <inlay/inlay.h>
#include <stdlib.h>

/* A machine made for an application: the last one, since points that differ in what else there is have the same. */
typedef struct made_machine {
    bool known;
    size_t application, machine;
    inlay_id processors;
    inlay_machine *of;
    text_buffer text;
    char *error;
} made_machine;

struct inlay_study_worker {
    const inlay_study *study;
    inlay_diag *diag;
    text_buffer rows;
    made_machine made;
};

static void made_clear(made_machine *made)
{
    inlay_machine_free(made->of);
    text_clear(&made->text);
    free(made->error);
    *made = (made_machine){0};
}

inlay_study_worker *inlay_study_worker_new(const inlay_study *study)
{
    inlay_study_worker *made = memory_zeroed(1, sizeof *made);
    inlay_diag *diag = made != NULL ? inlay_diag_new() : NULL;
    if (diag == NULL) {
        free(made);
        return NULL;
    }
    *made = (inlay_study_worker){.study = study, .diag = diag};
    return made;
}

void inlay_study_worker_free(inlay_study_worker *worker)
{
    if (worker != NULL) {
        inlay_diag_free(worker->diag);
        made_clear(&worker->made);
        text_clear(&worker->rows);
        free(worker);
    }
}

const char *inlay_study_rows(const inlay_study_worker *worker, size_t *size)
{
    *size = worker->rows.size;
    return text_content(&worker->rows);
}

void inlay_study_rows_clear(inlay_study_worker *worker)
{
    worker->rows.size = 0;
}

/* ---- Machines ---- */

static const char *said(const inlay_diag *diag, int status)
{
    const char *message = inlay_diag_message(diag);
    return *message != '\0' ? message : inlay_status_text(status);
}

/* Under the processors that are asked for, which a network that follows the work has to know. */
static int make_machine(inlay_study_worker *w, const study_place *place, const inlay_app *app, const stored *plain)
{
    const study_machine *of = &w->study->machine[place->machine];
    made_machine *made = &w->made;
    inlay_options options = w->study->variant->options;
    options.processors = (inlay_id)series_at(&w->study->processors, place->processors);
    if (made->known && made->application == place->application && made->machine == place->machine &&
        made->processors == options.processors) {
        return INLAY_OK;
    }
    made_clear(made);
    *made = (made_machine){true, place->application, place->machine, options.processors, NULL, {0}, NULL};
    int status = relative_text(&of->relative, of->text, plain->machine, app, &options, &made->text, w->diag);
    status = status == INLAY_OK ? store_read_machine(made->text.data, plain->reference, &made->of, w->diag) : status;
    if (status != INLAY_OK && status != INLAY_NO_MEMORY) {
        made->error = memory_string(said(w->diag, status));
        status = made->error != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    }
    made->known = status == INLAY_OK;
    return status;
}

static int take_machine(inlay_study_worker *w, const study_place *place, const inlay_app *app, stored *machine,
                        const char **text)
{
    const inlay_study *study = w->study;
    double reference = study->reference > 0 ? study->reference : inlay_app_reference_speed(app);
    int status = store_take_machine(study->store, place->machine, reference, machine);
    if (status == INLAY_OK && machine->error == NULL && relative_is(&study->machine[place->machine].relative)) {
        status = make_machine(w, place, app, machine);
        *machine = (stored){.machine = w->made.of, .error = w->made.error};
        *text = w->made.text.data;
    }
    return status;
}

/* ---- Mapping ---- */

/* One thread a point: there are as many points at once as there are threads. */
static inlay_mapping *map_point(const inlay_study_worker *w, const study_place *place, const stored *app,
                                const stored *machine, const char **error)
{
    const inlay_study *study = w->study;
    const study_variant *variant = &study->variant[place->variant];
    inlay_options options = variant->options;
    inlay_mapping *mapping = NULL;
    options.method = study->method[place->method];
    options.processors = (inlay_id)series_at(&study->processors, place->processors);
    options.seed = (uint64_t)series_at(&study->seeds, place->seed);
    options.threads = 1;
    int status = frame_find(variant, app->app, machine->machine, &options, w->diag);
    status = status == INLAY_OK ? inlay_map(app->app, machine->machine, &options, &mapping, w->diag) : status;
    *error = status == INLAY_OK ? NULL : said(w->diag, status);
    return mapping;
}

/* What there is to be found out about a point, whose application was taken. */
static void add_results(inlay_study_worker *w, const study_place *place, const stored *app, row_source *row)
{
    stored machine = {0};
    inlay_mapping *mapping = NULL;
    inlay_diag_clear(w->diag);
    row->app = app->app;
    row->error = app->error;
    if (app->error == NULL) {
        int status = take_machine(w, place, app->app, &machine, &row->machine_text);
        row->error = status == INLAY_OK ? machine.error : inlay_status_text(status);
    }
    if (row->error == NULL) {
        row->machine = machine.machine;
        mapping = map_point(w, place, app, &machine, &row->error);
        row->mapping = mapping;
        row->warnings = (int64_t)inlay_diag_warnings(w->diag);
    }
    row_add(&w->rows, row);
    inlay_mapping_free(mapping);
}

int inlay_study_work(inlay_study_worker *worker, int64_t point)
{
    const inlay_study *study = worker->study;
    row_source row = {.point = inlay_study_point_at(study, point)};
    study_place place = study_place_of(study, point);
    stored app;
    if (study->idle) {
        row_add(&worker->rows, &row);
    } else {
        int status = store_take_app(study->store, place.application, &app);
        if (status != INLAY_OK) {
            app = (stored){.error = inlay_status_text(status)};
            add_results(worker, &place, &app, &row);
        } else {
            add_results(worker, &place, &app, &row);
            store_give_app(study->store, place.application);
        }
    }
    return worker->rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
}
