/* `inlay advise`: which machine to rent, and how much of it. */
#include "advise.h"
#include "allowed.h"
#include "answer.h"
#include "commands.h"
#include "mapping.h"
#include "range.h"
#include "raster.h"
#include "report.h"
#include "wish.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct advise_values {
    mapping_values mapping;
    const char *processors, *deadline, *budget;
    int objective;
    bool mixtures;
    const char *csv, *svg;
} advise_values;

#define FIELD(name) offsetof(advise_values, name)

static const cli_option wanted[] = {
    {"deadline", 0, OPTION_STRING, "TIME",
     "from the order to the answer, start-up and all: with s, min, h or d, such as 90min", "none", FIELD(deadline)},
    {"budget", 0, OPTION_STRING, "PRICE", "what the run may cost, a number in the currency of the prices", "none",
     FIELD(budget)},
    {"objective", 0, OPTION_CHOICE, WISH_OBJECTIVES, WISH_OBJECTIVE_HELP, NULL, FIELD(objective)},
    {"processors", 'p', OPTION_STRING, "A..B",
     "numbers of hosts of each type (of both together in a mixture), and of processors of each machine; B alone is "
     "1..B",
     "all there are; above 32 only 48, 64, 96 and so on", FIELD(processors)},
    {"mixtures", 0, OPTION_FLAG, NULL, "try mixtures of two types of the catalogue too, up to 1000 of them", NULL,
     FIELD(mixtures)},
    {"method", 0, OPTION_METHOD, NULL, "how to find mappings; docs/clustering.md has the methods", "best",
     FIELD(mapping.method)},
};
static const cli_group advise_wanted = {"What is wanted", wanted, sizeof wanted / sizeof *wanted};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(mapping.common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the candidates as CSV to FILE (- for standard output)", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw the front of price against time, with its intervals, as SVG", NULL,
     FIELD(svg)},
};
static const cli_group advise_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Operands ---- */

/* What was read. Zero-initialise; all of it is ours. */
typedef struct operands {
    size_t count, apps, inputs;
    inlay_app **app; /* an application, a machine or a catalogue, the others are NULL */
    inlay_machine **machine;
    inlay_catalogue **catalogue;
    inlay_advise_input *input; /* one a type */
    inlay_diag *diag;          /* of reading, and of relating speeds */
    inlay_app **apps_of;       /* the same with a host of each type, for their speeds; these are ours */
    inlay_machine **machines_of;
} operands;

static void clear_operands(operands *all)
{
    for (size_t i = 0; i < all->count; i++) {
        inlay_app_free(all->app[i]);
        inlay_machine_free(all->machine[i]);
        inlay_catalogue_free(all->catalogue[i]);
    }
    for (size_t i = 0; all->machines_of != NULL && i < all->inputs; i++) {
        if (all->input[i].type != NULL) {
            inlay_machine_free(all->machines_of[i]);
        }
    }
    free(all->app);
    free(all->machine);
    free(all->catalogue);
    free(all->input);
    free(all->apps_of);
    free(all->machines_of);
    inlay_diag_free(all->diag);
}

static int read_operands(const invocation *call, operands *all)
{
    const advise_values *values = call->values;
    size_t count = (size_t)call->operand_count;
    all->app = calloc(count, sizeof *all->app);
    all->machine = calloc(count, sizeof *all->machine);
    all->catalogue = calloc(count, sizeof *all->catalogue);
    all->diag = new_diag();
    bool room = all->app != NULL && all->machine != NULL && all->catalogue != NULL && all->diag != NULL;
    int status = room ? INLAY_OK : INLAY_NO_MEMORY;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        all->count++;
        status = inlay_any_read(call->operands[i], values->mapping.format, &all->app[i], &all->machine[i],
                                &all->catalogue[i], all->diag);
        all->apps += all->app[i] != NULL;
        all->inputs += all->catalogue[i] != NULL ? inlay_catalogue_types(all->catalogue[i]) : 1;
    }
    return status;
}

/* A machine's string names it; but what is there as a file is that file. */
static const char *name_of_machine(const inlay_machine *machine, const char *operand)
{
    return strchr(operand, ':') != NULL && access(operand, F_OK) != 0 ? operand : inlay_machine_name(machine);
}

/* One input a type, an application or a machine; those of machines with one name are called by their files. */
static int list_inputs(const invocation *call, operands *all)
{
    size_t n = 0;
    all->input = calloc(all->inputs, sizeof *all->input);
    if (all->input == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < all->count; i++) {
        const char *source = call->operands[i];
        if (all->app[i] != NULL) {
            all->input[n++] = (inlay_advise_input){all->app[i], NULL, NULL, inlay_app_name(all->app[i]), source};
        } else if (all->machine[i] != NULL) {
            const char *name = name_of_machine(all->machine[i], source);
            for (size_t j = 0; j < i; j++) {
                bool same =
                    all->machine[j] != NULL && strcmp(name_of_machine(all->machine[j], call->operands[j]), name) == 0;
                name = same ? source : name;
            }
            all->input[n++] = (inlay_advise_input){NULL, all->machine[i], NULL, name, source};
        }
        for (size_t t = 0; all->catalogue[i] != NULL && t < inlay_catalogue_types(all->catalogue[i]); t++) {
            const inlay_machine_type *type = inlay_catalogue_type(all->catalogue[i], t);
            all->input[n++] = (inlay_advise_input){NULL, NULL, type, type->name, source};
        }
    }
    return INLAY_OK;
}

/* Relates the speeds of machines and types, each by one host of it. *reference is that on which times hold, 0: none. */
static int relate_speeds(const invocation *call, operands *all, double *reference)
{
    const advise_values *values = call->values;
    int status = INLAY_OK;
    all->apps_of = calloc(all->inputs, sizeof *all->apps_of);
    all->machines_of = calloc(all->inputs, sizeof *all->machines_of);
    if (all->apps_of == NULL || all->machines_of == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; status == INLAY_OK && i < all->inputs; i++) {
        const inlay_advise_input *in = &all->input[i];
        all->apps_of[i] = (inlay_app *)in->app;
        all->machines_of[i] = (inlay_machine *)in->machine;
        if (in->type != NULL) {
            status = inlay_types_machine(&(inlay_type_count){in->type, 1}, 1, &all->machines_of[i], all->diag);
        }
    }
    if (status == INLAY_OK) {
        status = inlay_compare_speeds(all->apps_of, all->machines_of, all->inputs, values->mapping.reference_speed,
                                      all->diag);
    }
    for (size_t i = 0; status == INLAY_OK && i < all->inputs && !(*reference > 0); i++) {
        if (all->machines_of[i] != NULL) {
            (void)inlay_machine_flops(all->machines_of[i], reference);
        }
    }
    return status;
}

/* ---- Giving out ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_advice_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return inlay_advice_write_csv(a->of, path, a->diag);
}

static int draw(const cli_answer *a, const char *path)
{
    return inlay_advice_draw_svg(a->of, path, a->diag);
}

static const cli_output advise_files[] = {
    {"JSON", .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = draw},
    {0},
};

/* ---- The command ---- */

/* The options of the library; false where one cannot be, which `check_usage` has said then. */
static bool read_options(const advise_values *values, inlay_advise_options *options)
{
    *options = (inlay_advise_options){.mapping = mapping_options(&values->mapping),
                                      .by = (inlay_advise_by)values->objective,
                                      .has_deadline = values->deadline != NULL,
                                      .has_budget = values->budget != NULL,
                                      .mixtures = values->mixtures};
    return read_range(values->processors, &options->from, &options->to) &&
           (values->deadline == NULL ||
            (inlay_seconds_parse(values->deadline, &options->deadline) == INLAY_OK && options->deadline > 0)) &&
           (values->budget == NULL || wish_read_price(values->budget, &options->budget));
}

static int check_usage(const invocation *call)
{
    const advise_values *values = call->values;
    inlay_advise_options options;
    inlay_id from, to;
    double price;
    if (call->operand_count < 2) {
        return report_missing(call->command, (size_t)call->operand_count);
    }
    if (read_options(values, &options)) {
        return EXIT_DONE;
    }
    if (!read_range(values->processors, &from, &to)) {
        return report_usage(call->command, "--processors '%s' is no range; expected A..B, or B for 1..B",
                            values->processors);
    }
    if (values->budget != NULL && !wish_read_price(values->budget, &price)) {
        return report_usage(call->command, "--budget '%s' is no price; expected a number from 0 such as 2.50",
                            values->budget);
    }
    return report_usage(call->command,
                        "--deadline '%s' is no time; expected one above 0 with s, min, h or d, such as 90min",
                        values->deadline);
}

static int advise_operands(const invocation *call, operands *all, inlay_diag *diag)
{
    const advise_values *values = call->values;
    inlay_advise_options options;
    inlay_advice *advice = NULL;
    (void)read_options(values, &options);
    int status = read_operands(call, all);
    if (status == INLAY_OK && (all->apps == 0 || all->apps == all->count)) {
        return report_usage(call->command, "there is no %s among the operands", all->apps == 0 ? "APP" : "MACHINE");
    }
    status = status == INLAY_OK ? list_inputs(call, all) : status;
    status = status == INLAY_OK ? relate_speeds(call, all, &options.reference) : status;
    if (status != INLAY_OK) {
        return report_end(call, status, all->diag != NULL ? all->diag : diag);
    }
    status = inlay_advise(all->input, all->inputs, &options, &advice, diag);
    if (status == INLAY_BAD_ARGUMENT) {
        return report_usage(call->command, "%s", inlay_diag_message(diag));
    }
    for (size_t w = 0; w < inlay_diag_warnings(all->diag); w++) {
        inlay_diag_add_warning(diag, inlay_diag_warning(all->diag, w));
    }
    status = status == INLAY_OK ? give_out(call, advice, diag) : status;
    if (status == INLAY_OK) {
        (void)fflush(stdout); /* the table comes before the last line, also where both go to one file */
        status = inlay_advice_outcome(advice, diag);
    }
    inlay_advice_free(advice);
    return status;
}

static int advise(const invocation *call, inlay_diag *diag)
{
    operands all = {0};
    int status = advise_operands(call, &all, diag);
    clear_operands(&all);
    return status;
}

const cli_command advise_command = {
    .name = "advise",
    .summary = "which machine to rent or use, and how much of it",
    .description =
        "Maps the applications, as map does, to every number of hosts of every type of a catalogue, and to every "
        "number "
        "of processors of every machine, and says which of them meets the deadline within the budget at the least "
        "price: "
        "in one sentence, with its time, price, and what it cannot tell. Then come the front, all that nothing is both "
        "faster and cheaper than, and why the others are not chosen. Several applications are run one after another on "
        "what is rented once.\n"
        "A catalogue is a CSV or JSON file: type, cores, speed, memory, price, per, billing, start_up, count_max, "
        "network_bandwidth and others (docs/advise.md). A price is that of all hosts from the order to the answer, in "
        "begun billing steps; a deadline is for start-up and run. What is an application, a machine or a catalogue is "
        "told by content, so they may stand in any order.",
    .example =
        "inlay advise graphs/workflow.json architectures/rented-types.csv --deadline 15min -p 4 --effort 100\n"
        "inlay advise graphs/workflow.json architectures/rented-types.json --budget 0.5 --mixtures -p 4 --effort 100\n"
        "inlay advise graphs/workflow.json bus:8,capacity=1GB/s,price=0.12 architectures/rented-types.csv "
        "--effort 100 --svg front.svg",
    .operands = {{.name = "APP",
                  .help = "application graphs: files, or - for standard input",
                  .optional = true,
                  .repeats = true},
                 {.name = "MACHINE",
                  .help = "machines: strings such as bus:17,memory=common, or files",
                  .optional = true,
                  .repeats = true},
                 {.name = "CATALOGUE",
                  .help = "types of machines that can be rented: CSV or JSON",
                  .optional = true,
                  .repeats = true}},
    .groups = {&advise_wanted, &mapping_best, &mapping_rules, &advise_outputs, &picture_options, &common_options},
    .values_size = sizeof(advise_values),
    .outputs = advise_files,
    .print = advise_print_table,
    .check = check_usage,
    .answer = advise,
};
