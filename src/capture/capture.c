/* From logs to an application: whatever recorder wrote them. */
#include <inlay/capture.h>
#include "base/diag.h"
#include "base/memory.h"
#include "capture/logs.h"
#include "capture/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct inlay_capture {
    inlay_app *app;
    inlay_capture_facts facts;
    inlay_capture_kind *kinds;
    size_t kind_count;
    char **names; /* of the kinds, also of those without modules */
    size_t name_count;
};

static const capture_reader *const readers[] = {&openmp_reader, &mpi_reader, &processes_reader};

void inlay_capture_free(inlay_capture *capture)
{
    if (capture != NULL) {
        inlay_app_free(capture->app);
        for (size_t i = 0; i < capture->name_count; i++) {
            free(capture->names[i]);
        }
        free(capture->names);
        free(capture->kinds);
        free(capture);
    }
}

const inlay_app *inlay_capture_app(const inlay_capture *capture)
{
    return capture->app;
}

inlay_capture_facts inlay_capture_told(const inlay_capture *capture)
{
    return capture->facts;
}

size_t inlay_capture_kinds(const inlay_capture *capture)
{
    return capture->kind_count;
}

inlay_capture_kind inlay_capture_kind_at(const inlay_capture *capture, size_t i)
{
    return capture->kinds[i];
}

/* ---- Kinds ---- */

static int by_sum(const void *a, const void *b)
{
    const inlay_capture_kind *x = a, *y = b;
    double first = x->mean * (double)x->modules, second = y->mean * (double)y->modules;
    return first != second ? (first < second) - (first > second) : strcmp(x->name, y->name);
}

/* Takes the names from the trace. */
static int sum_up_kinds(trace *whole, inlay_capture *made, inlay_diag *diag)
{
    inlay_capture_kind *kinds = memory_zeroed(whole->kind_count, sizeof *kinds);
    if (kinds == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < whole->kind_count; i++) {
        kinds[i] = (inlay_capture_kind){.name = whole->kinds[i], .least = HUGE_VAL};
    }
    for (size_t i = 0; i < whole->count; i++) {
        const stretch *s = &whole->stretches[i];
        double time = 1e-9 * (double)s->time;
        if (s->kind >= 0) {
            inlay_capture_kind *k = &kinds[s->kind];
            double off = time - k->mean;
            k->mean += off / (double)++k->modules;
            k->deviation += off * (time - k->mean); /* sum of squares, after Welford (1962) */
            k->least = fmin(k->least, time);
            k->most = fmax(k->most, time);
        }
        made->facts.busy += time;
    }
    size_t found = 0;
    for (size_t i = 0; i < whole->kind_count; i++) {
        kinds[i].deviation = kinds[i].modules > 0 ? sqrt(kinds[i].deviation / (double)kinds[i].modules) : 0;
        kinds[found] = kinds[i];
        found += kinds[i].modules > 0;
    }
    if (found > 0) {
        qsort(kinds, found, sizeof *kinds, by_sum);
    }
    made->kinds = kinds;
    made->kind_count = found;
    made->names = whole->kinds;
    made->name_count = whole->kind_count;
    whole->kinds = NULL;
    whole->kind_count = 0;
    return INLAY_OK;
}

static int make(const capture_reader *reader, const logs *all, const char *folder, const inlay_capture_options *options,
                inlay_capture *made, inlay_diag *diag)
{
    trace whole = {0};
    made->facts.recorder = reader->name;
    int status = reader->read(all, folder, options, &whole, &made->facts, diag);
    if (status == INLAY_OK && whole.count == 0) {
        status = diag_fail(diag, INLAY_NO_ANSWER, "nothing that takes time was recorded");
    }
    if (status == INLAY_OK && options->like_count > 0) {
        status = model_times(&whole, options->like, options->like_count, diag);
    }
    if (status == INLAY_OK) {
        const char *name = whole.program[0] != '\0' ? whole.program : "captured";
        status = trace_app(&whole, options->name != NULL ? options->name : name, &made->app, diag);
    }
    status = status == INLAY_OK ? sum_up_kinds(&whole, made, diag) : status;
    trace_clear(&whole);
    return status;
}

int inlay_capture_read(const char *folder, const inlay_capture_options *options, inlay_capture **capture,
                       inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_capture_options usual = {.grain = -1};
    logs all = {0};
    int status = INLAY_OK;
    const capture_reader *reader = NULL;
    for (size_t i = 0; status == INLAY_OK && reader == NULL && i < sizeof readers / sizeof *readers; i++) {
        bool asked = options == NULL || options->recorder == NULL || strcmp(options->recorder, readers[i]->name) == 0;
        status = asked ? logs_read(folder, readers[i]->recorder, &all, diag) : INLAY_OK;
        reader = all.count > 0 ? readers[i] : NULL;
    }
    if (status == INLAY_OK && reader == NULL) {
        status = diag_fail(diag, INLAY_NO_ANSWER,
                           "no recorder wrote anything; expected a program that uses OpenMP, "
                           "with --mpi one that uses Open MPI, or --processes");
    }
    inlay_capture *made = status == INLAY_OK ? memory_zeroed(1, sizeof *made) : NULL;
    status = status == INLAY_OK && made == NULL ? diag_no_memory(diag) : status;
    if (status == INLAY_OK && reader != NULL) {
        status = make(reader, &all, folder, options != NULL ? options : &usual, made, diag);
    }
    logs_clear(&all);
    if (status != INLAY_OK) {
        inlay_capture_free(made);
        return status;
    }
    *capture = made;
    return INLAY_OK;
}
