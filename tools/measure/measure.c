/*
 * inlay-measure: `inlay measure` starts it with its own words, as many ranks as there are cores to measure, or one
 * alone to fit what was measured before. The first rank prints and writes; all have the same words.
 */
#include "affinity.h"
#include "commands.h"
#include "help.h"
#include "measure_values.h"
#include "output.h"
#include "record.h"
#include "report.h"
#include "write.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What comes of it ---- */

static int say_wrong(int status, const raw_message *message)
{
    if (status == INLAY_NO_MEMORY) {
        return report_no_memory();
    }
    say(stderr, "%-s\n", message->text);
    return inlay_exit_status(status);
}

static void print_warnings(const invocation *call, const inlay_machine_fit *a)
{
    for (int i = 0; i < a->warnings && !call->common->quiet; i++) {
        say(stderr, "inlay: warning: %s\n", a->warning[i]);
    }
}

/* A machine file, or with patterns a metasystem. Further warnings come with the first. */
static void write_file(const invocation *call, inlay_machine_fit *a, const inlay_metasystem_fit *patterns)
{
    const measure_values *values = call->values;
    if (patterns != NULL) {
        output_print(values->output, metasystem_put, patterns);
    } else {
        const machine_of file = {a, machine_plan_of(a)};
        output_print(values->output, machine_put, &file);
    }
}

/* A status of the library. */
static int print_tables(const inlay_machine_fit *a, const inlay_metasystem_fit *patterns)
{
    int status = print_table(a);
    return status == INLAY_OK && patterns != NULL ? print_topology(patterns) : status;
}

/* What is printed beside files: nothing where one of them takes its place, or nobody wants to see it. */
static bool is_silent(const measure_values *values)
{
    return output_is_standard(values->output) || output_is_standard(values->raw) ||
           (values->common.quiet && (values->output != NULL || values->raw != NULL));
}

static int deliver_fits(const invocation *call, inlay_machine_fit *a, const inlay_metasystem_fit *patterns)
{
    const measure_values *values = call->values;
    int end = EXIT_DONE;
    write_file(call, a, patterns);
    if (values->common.json) {
        print_json(call, a, patterns);
    } else if (!is_silent(values)) {
        end = print_tables(a, patterns) == INLAY_OK ? EXIT_DONE : report_no_memory();
    }
    print_warnings(call, a);
    return end;
}

/* What --hosts comes to. */
static int deliver_advisor(const invocation *call, const inlay_raw *measured)
{
    const measure_values *values = call->values;
    inlay_advisor_fit a = {0};
    if (advisor_make(measured, &a) != INLAY_OK) {
        return report_no_memory();
    }
    int end = EXIT_DONE;
    output_print(values->output, advisor_put, &a);
    if (values->common.json) {
        print_advisor_json(call, &a);
    } else if (!is_silent(values)) {
        end = print_advisor(&a, values->output) == INLAY_OK ? EXIT_DONE : report_no_memory();
    }
    print_warnings(call, &a.notes);
    advisor_clear(&a);
    return end;
}

/* The first pattern that is wanted and was not measured; INLAY_PATTERNS where all were. */
static int not_measured(const inlay_raw *measured, const bool wanted[INLAY_PATTERNS])
{
    int pattern = 0;
    while (pattern < INLAY_PATTERNS && (!wanted[pattern] || measured->topology.wanted[pattern])) {
        pattern++;
    }
    return pattern;
}

/* `source` is where the measurement comes from. */
static int deliver(const invocation *call, const inlay_raw *measured, const char *source)
{
    bool wanted[INLAY_PATTERNS];
    bool has_patterns = measure_patterns(call->values, wanted);
    int missing = not_measured(measured, wanted);
    inlay_machine_fit a = {0};
    inlay_metasystem_fit patterns = {0};
    if (missing < INLAY_PATTERNS) {
        say(stderr, "%-s: %s was not measured; expected a file of inlay measure --topology %s --raw\n", source,
            inlay_pattern_name((inlay_pattern)missing), inlay_pattern_name((inlay_pattern)missing));
        return EXIT_USAGE;
    }
    if (measured->advisor.given) {
        return deliver_advisor(call, measured);
    }
    int status = analysis_make(measured, &a);
    if (status == INLAY_OK && has_patterns) {
        status = topology_make(&a, wanted, &patterns);
    }
    int end = status == INLAY_OK ? deliver_fits(call, &a, has_patterns ? &patterns : NULL) : report_no_memory();
    topology_clear(&patterns);
    analysis_clear(&a);
    return end;
}

static int fit_again(const invocation *call)
{
    const measure_values *values = call->values;
    raw_message message = {""};
    inlay_raw measured = {0};
    int status = raw_read(values->from, &measured, &message);
    int end = status == INLAY_OK ? deliver(call, &measured, values->from) : say_wrong(status, &message);
    raw_clear(&measured);
    return end;
}

/* On rank 0; `json` is this function's to let go of. */
static int take(const invocation *call, json_t *json)
{
    const measure_values *values = call->values;
    raw_message message = {""};
    inlay_raw measured = {0};
    if (values->raw != NULL) {
        raw_write(json, values->raw);
    }
    int status = raw_take(json, "the measurement", &measured, &message);
    int end = status == INLAY_OK ? deliver(call, &measured, "the measurement") : say_wrong(status, &message);
    if (status != INLAY_OK) {
        json_decref(json);
    }
    raw_clear(&measured);
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
        end = status != INLAY_OK ? report_no_memory() : rank == 0 ? take(call, json) : EXIT_DONE;
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
        end = end == EXIT_DONE && !help ? fit_again(&call) : end;
        end = finish_output(end);
    } else {
        end = measure(&call);
    }
    invocation_clear(&call);
    return end;
}
