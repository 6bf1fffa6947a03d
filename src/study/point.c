/* One point of a study: mapped as `inlay map` does, and its row. */
#include "base/diag.h"
#include "base/memory.h"
#include "study/row.h"
#include "study/store.h"
#include <inlay/inlay.h>
#include <stdlib.h>

struct inlay_study_worker {
    const inlay_study *study;
    inlay_diag *diag;
    text_buffer rows;
};

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

/* ---- Mapping ---- */

/* One thread a point: there are as many points at once as there are threads. */
static inlay_mapping *map_point(const inlay_study_worker *w, const study_place *place, const stored *app,
                                const stored *machine, const char **error)
{
    const inlay_study *study = w->study;
    inlay_options options = study->options;
    inlay_mapping *mapping = NULL;
    options.method = study->method[place->method];
    options.processors = (inlay_id)series_at(&study->processors, place->processors);
    options.seed = (uint64_t)series_at(&study->seeds, place->seed);
    options.threads = 1;
    int status = inlay_map(app->app, machine->machine, &options, &mapping, w->diag);
    if (status != INLAY_OK) {
        const char *message = inlay_diag_message(w->diag);
        *error = *message != '\0' ? message : inlay_status_text(status);
    }
    return mapping;
}

/* What there is to be found out about a point, whose application was taken. */
static void add_results(inlay_study_worker *w, const study_place *place, const stored *app, row_source *row)
{
    const inlay_study *study = w->study;
    stored machine = {0};
    inlay_mapping *mapping = NULL;
    row->app = app->app;
    row->error = app->error;
    if (app->error == NULL) {
        double reference = study->reference > 0 ? study->reference : inlay_app_reference_speed(app->app);
        int status = store_take_machine(study->store, place->machine, reference, &machine);
        row->error = status == INLAY_OK ? machine.error : inlay_status_text(status);
    }
    if (row->error == NULL) {
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
