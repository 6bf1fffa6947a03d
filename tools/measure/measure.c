/*
 * inlay-measure: `inlay measure` starts it with its own words, as many ranks as there are cores to measure, or one
 * alone to fit what was measured before. The first rank prints and writes; all have the same words.
 */
#include "affinity.h"
#include "answer.h"
#include "commands.h"
#include "help.h"
#include "measure_values.h"
#include "output.h"
#include "record.h"
#include "report.h"
#include "rows.h"
#include <inlay/inlay.h>
#include <stdlib.h>

/* ---- What comes of it ---- */

/* What is printed beside files: nothing where one of them takes its place, or nobody wants to see it. */
static bool is_silent(const measure_values *values)
{
    return output_is_standard(values->output) || output_is_standard(values->raw) ||
           (values->common.quiet && (values->output != NULL || values->raw != NULL));
}

/* The functions below return a status of the library. */
static int print_tables(const inlay_fitted *fitted, const char *path)
{
    if (fitted->of->advisor.given) {
        return print_advisor(&fitted->advisor, path);
    }
    int status = print_table(&fitted->machine);
    return status == INLAY_OK && fitted->metasystem.clusters > 0 ? print_topology(&fitted->metasystem) : status;
}

static int give(const invocation *call, const inlay_fitted *fitted, inlay_diag *diag)
{
    const measure_values *values = call->values;
    const inlay_result_context context = result_context(call, diag);
    if (values->output != NULL) {
        (void)output_told(inlay_fitted_write(fitted, values->output, diag), diag);
    }
    if (values->common.json) {
        return output_told(inlay_fitted_write_json(fitted, &context, "-", diag), diag);
    }
    return is_silent(values) ? INLAY_OK : print_tables(fitted, values->output);
}

static int deliver(const invocation *call, const inlay_raw *raw, inlay_diag *diag)
{
    bool wanted[INLAY_PATTERNS];
    inlay_fitted *fitted = NULL;
    int status = inlay_raw_fit(raw, measure_patterns(call->values, wanted) ? wanted : NULL, &fitted, diag);
    status = status == INLAY_OK ? give(call, fitted, diag) : status;
    inlay_fitted_free(fitted);
    return status;
}

static int fit_again(const invocation *call, inlay_diag *diag)
{
    const measure_values *values = call->values;
    inlay_raw *raw = NULL;
    int status = inlay_raw_read(values->from, &raw, diag);
    status = status == INLAY_OK ? deliver(call, raw, diag) : status;
    inlay_raw_free(raw);
    return status;
}

/* On rank 0. */
static int take(const invocation *call, const char *text, size_t size, inlay_diag *diag)
{
    const measure_values *values = call->values;
    inlay_raw *raw = NULL;
    if (values->raw != NULL) {
        output_write(values->raw, text, size);
    }
    int status = inlay_raw_parse(text, size, "the measurement", &raw, diag);
    status = status == INLAY_OK ? deliver(call, raw, diag) : status;
    inlay_raw_free(raw);
    return status;
}

/* What was recorded, or where nothing was the file of --from; an exit status. `json` is this function's to let go of. */
static int finish(const invocation *call, json_t *json)
{
    size_t size = 0;
    char *text = json != NULL ? record_text(json, &size) : NULL;
    inlay_diag *diag = json == NULL || text != NULL ? output_diag() : NULL;
    int status = diag == NULL ? INLAY_NO_MEMORY : json != NULL ? take(call, text, size, diag) : fit_again(call, diag);
    int end = report_end(call, status, diag);
    inlay_diag_free(diag);
    free(text);
    json_decref(json);
    return end;
}

/* ---- Ranks ---- */

/* The exit status is the same on all ranks, so that the launcher has nothing to say. */
static int measure(const invocation *call)
{
    json_t *json = NULL;
    int rank = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        rank_be_silent();
    }
    int end = rank == 0 ? measure_try_outputs(call) : EXIT_DONE;
    MPI_Bcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (end == EXIT_DONE) {
        int status = record(call->values, &json);
        end = status != INLAY_OK ? report_no_memory() : rank == 0 ? finish(call, json) : EXIT_DONE;
    }
    end = rank == 0 ? finish_output(end) : end;
    MPI_Bcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return end;
}

#ifdef __SANITIZE_ADDRESS__
/* What Open MPI's plugins keep until the process ends has no name by then that could be told as known. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

int main(int argc, char **argv)
{
    invocation call;
    affinity_restore();
    if (rank_is_other()) {
        rank_be_silent();
    }
    int end = invocation_read(&measure_command, argc, argv, 0, &call);
    const measure_values *values = call.values;
    bool help = end == EXIT_DONE && call.common->help;
    end = end == EXIT_DONE && !help ? measure_check_usage(&call) : end;
    if (help) {
        help_print(&measure_command);
    }
    if (end != EXIT_DONE || help || values->from != NULL) {
        end = end == EXIT_DONE && !help ? finish(&call, NULL) : end;
        end = finish_output(end);
    } else {
        end = measure(&call);
    }
    invocation_clear(&call);
    return end;
}
