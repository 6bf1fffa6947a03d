/* Options of `inlay simulate`, and the distributions and factors that they spell. */
#include "report.h"
#include "simulate.h"
#include "spread.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(simulate_values, name)

static const cli_option input[] = {
    {"app", 0, OPTION_STRING, "FILE", "take the application from FILE, not from where the mapping says", NULL,
     FIELD(app)},
};
const cli_group simulate_input = {"Input", input, sizeof input / sizeof *input};

static const cli_option rules[] = {
    {"engine", 0, OPTION_CHOICE, "inlay|simgrid",
     "who simulates: Inlay, or SimGrid, beside which Inlay's result is shown; SimGrid takes --app, --json and the "
     "common "
     "options alone",
     NULL, FIELD(engine)},
    {"overlap", 0, OPTION_CHOICE, "yes|no", "whether a processor computes while its messages are under way", NULL,
     FIELD(run.overlap)},
    {"scheduler", 0, OPTION_CHOICE, "mapping|" SCHEDULER_WORDS,
     "who decides which processor runs a module: the mapping, or a run-time scheduler, on as many processors as the "
     "mapping was allowed; with one --contention, --module-time, --replications, --csv, --gantt and --json alone",
     NULL, FIELD(scheduler)},
    {"task-overhead", 0, OPTION_DURATION, "TIME",
     "time that the run-time scheduler takes of a processor before each module", "what the machine says, else 0",
     FIELD(run.overhead)},
    PREFETCH_OPTION(FIELD(run.prefetch)),
    {"contention", 0, OPTION_CHOICE, CONTENTION_WORDS,
     "what messages meet: the queues of the network; each its own time alone; or no time at all", NULL,
     FIELD(contention)},
    {"cores", 0, OPTION_COUNT, "N",
     "cores that all processors share, as MPI ranks do that outnumber them: while n > N compute, each does at N/n of "
     "its speed",
     "a core each", FIELD(cores)},
    {"scale", 0, OPTION_STRING, "LIST",
     "what if: compute=0.5 halves the times of all modules, network=2 doubles those of all messages, processor3=0.5 "
     "halves the times on processor 3; separated by commas",
     NULL, FIELD(scale)},
};
const cli_group simulate_rules = {"Rules", rules, sizeof rules / sizeof *rules};

static const cli_option chance[] = {
    {"module-time", 0, OPTION_STRING, "SPREAD",
     "times of modules: constant, exponential, uniform[:CV] or normal[:CV] about the application's; CV is standard "
     "deviation over mean, 0.1 where it is not given; or kind: that of a module of the same kind, drawn",
     "constant", FIELD(run.module_time)},
    {"transfer-time", 0, OPTION_STRING, "SPREAD", "the same for transfers in the network", "constant",
     FIELD(transfer_time)},
    {"replications", 0, OPTION_COUNT, "N", "runs, each with other random numbers; figures are then means", "1",
     FIELD(run.replications)},
    {"confidence", 0, OPTION_COUNT, "N",
     "per cent of 200 further runs that lie in the interval of the elapsed time, in which the machine's time_spread, "
     "time_error and network_error are drawn; with one replication",
     "90", FIELD(confidence)},
};
const cli_group simulate_chance = {"Chance", chance, sizeof chance / sizeof *chance};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
    {"gantt", 0, OPTION_STRING, "FILE", "draw who computes when as SVG", NULL, FIELD(gantt)},
    {"svg", 0, OPTION_STRING, "FILE", "the same", NULL, FIELD(gantt)},
    {"trace", 0, OPTION_STRING, "FILE", "write a trace for Perfetto and chrome://tracing (JSON)", NULL, FIELD(trace)},
    {"paje", 0, OPTION_STRING, "FILE", "write a trace in Paje's format, for ViTE", NULL, FIELD(paje)},
    {"csv", 0, OPTION_STRING, "FILE", "write a line a module as CSV: name, processor, start, end", NULL, FIELD(csv)},
    {"csv-messages", 0, OPTION_STRING, "FILE", "write a line for the messages of each link as CSV", NULL,
     FIELD(csv_messages)},
};
const cli_group simulate_outputs = {"Output (- is standard output, .gz packs)", outputs,
                                    sizeof outputs / sizeof *outputs};

/* ---- Factors ---- */

/* One factor of --scale. */
typedef struct factor {
    const char *name;
    size_t length;
    int64_t processor; /* -1: not one processor's */
    double value;
} factor;

static bool is_named(const factor *f, const char *name)
{
    return f->length == strlen(name) && strncmp(f->name, name, f->length) == 0;
}

/* The number behind "processor"; -1 where the name is another. */
static int64_t processor_number(const char *name, size_t length)
{
    static const char word[] = "processor";
    size_t prefix = sizeof word - 1;
    int64_t number = 0;
    if (length <= prefix || length > prefix + 9 || strncmp(name, word, prefix) != 0 ||
        strspn(name + prefix, "0123456789") != length - prefix) {
        return -1;
    }
    for (size_t i = prefix; i < length; i++) {
        number = number * 10 + (name[i] - '0');
    }
    return number;
}

/* Takes the next factor off a list; false where it is none. */
static bool next_factor(const char **list, factor *f)
{
    f->name = *list;
    f->length = strcspn(*list, "=,");
    f->processor = processor_number(f->name, f->length);
    if (f->name[f->length] != '=' || (!is_named(f, "compute") && !is_named(f, "network") && f->processor < 0)) {
        return false;
    }
    const char *end = read_factor(f->name + f->length + 1, &f->value);
    if (end == NULL || (*end != '\0' && (*end != ',' || end[1] == '\0'))) {
        return false;
    }
    *list = *end == ',' ? end + 1 : end;
    return true;
}

static bool are_factors(const char *list)
{
    factor f;
    bool good = true;
    for (const char *rest = list; good && rest != NULL && *rest != '\0';) {
        good = next_factor(&rest, &f);
    }
    return good;
}

static double *all_one(inlay_id count)
{
    double *scale = calloc((size_t)count, sizeof *scale);
    for (inlay_id p = 0; p < count && scale != NULL; p++) {
        scale[p] = 1;
    }
    return scale;
}

static int read_scale(const invocation *call, const inlay_machine *machine, inlay_simulation_options *options,
                      double **scale)
{
    const simulate_values *values = call->values;
    inlay_id count = inlay_machine_processors(machine);
    factor f;
    for (const char *rest = values->scale; rest != NULL && *rest != '\0' && next_factor(&rest, &f);) {
        if (f.processor >= count) {
            return report_usage(call->command, "--scale %s: the machine has processors 0 to %" PRId32, values->scale,
                                count - 1);
        }
        if (f.processor >= 0 && *scale == NULL && (*scale = all_one(count)) == NULL) {
            return report_no_memory();
        }
        if (f.processor >= 0) {
            (*scale)[f.processor] = f.value;
        } else {
            *(is_named(&f, "compute") ? &options->compute_scale : &options->network_scale) = f.value;
        }
    }
    options->processor_scale = *scale;
    return EXIT_DONE;
}

/* ---- The whole ---- */

enum { OPTION_TEXT = 32 };

/* The first option that is given but none of those, separated by blanks, nor a common one; NULL where there is none. */
static const char *option_beside(const invocation *call, const char *allowed)
{
    const cli_group *own[] = {&simulate_rules, &simulate_chance, &simulate_outputs};
    for (size_t g = 0; g < sizeof own / sizeof *own; g++) {
        for (size_t i = 0; i < own[g]->count; i++) {
            char text[OPTION_TEXT], word[OPTION_TEXT];
            (void)snprintf(text, sizeof text, "--%s", own[g]->options[i].name);
            (void)snprintf(word, sizeof word, " %s ", own[g]->options[i].name);
            int number = command_find_option(call->command, text);
            if (number >= 0 && call->given[number] != NULL && strstr(allowed, word) == NULL) {
                return own[g]->options[i].name;
            }
        }
    }
    return NULL;
}

/* What SimGrid, or a run-time scheduler, takes no account of. */
static int check_alone(const invocation *call)
{
    const simulate_values *values = call->values;
    const char *beside = NULL;
    if (values->engine == ENGINE_SIMGRID && (beside = option_beside(call, " engine json ")) != NULL) {
        return report_usage(call->command, "--%s is not for --engine simgrid; expected --app and --json alone", beside);
    }
    if (values->scheduler > 0 &&
        (beside = option_beside(call, " engine scheduler task-overhead contention module-time replications json csv "
                                      "gantt svg overlap prefetch ")) != NULL) {
        return report_usage(
            call->command,
            "--%s is for mappings, not for run-time schedulers; expected --task-overhead, --contention, "
            "--module-time, --replications, --overlap, --prefetch, --csv, --gantt and --json alone",
            beside);
    }
    return values->scheduler == 0 && (values->run.overhead.given || values->run.prefetch > 0)
               ? report_usage(call->command, "--%s is a run-time scheduler's; expected --scheduler with it",
                              values->run.overhead.given ? "task-overhead" : "prefetch")
               : EXIT_DONE;
}

int simulate_check_usage(const invocation *call)
{
    const simulate_values *values = call->values;
    inlay_spread spread;
    int status = check_alone(call);
    status = status == EXIT_DONE ? scheduling_check(call, &values->run) : status;
    if (status != EXIT_DONE || values->scheduler > 0) {
        return status;
    }
    if (!read_spread(values->transfer_time, &spread) || spread.kind == INLAY_SPREAD_KIND) {
        return refuse_spread(call, "--transfer-time", false, values->transfer_time);
    }
    if (values->confidence >= 100) {
        return report_usage(call->command, "--confidence %" PRId32 ": expected 1 to 99 per cent", values->confidence);
    }
    if (!are_factors(values->scale)) {
        return report_usage(call->command,
                            "--scale %s: expected factors above 0, separated by commas: compute=FACTOR, "
                            "network=FACTOR, processorK=FACTOR",
                            values->scale);
    }
    return EXIT_DONE;
}

int simulate_options(const invocation *call, const inlay_machine *machine, inlay_simulation_options *options,
                     double **scale)
{
    const simulate_values *values = call->values;
    *options = (inlay_simulation_options){
        .contention = contention_chosen(values->contention),
        .no_overlap = values->run.overlap == 1,
        .cores = values->cores,
        .seed = values->common.seed,
        .replications = values->run.replications,
        .threads = values->common.threads,
        .record = true,
        .interval = values->run.replications <= 1,
        .confidence = (double)values->confidence / 100,
    };
    (void)read_spread(values->run.module_time, &options->module_time);
    (void)read_spread(values->transfer_time, &options->transfer_time);
    return read_scale(call, machine, options, scale);
}
