/* `inlay explain`: what limits a mapping, and which change helps most. */
#include "explain.h"
#include "answer.h"
#include "commands.h"
#include <inlay/inlay.h>

#define FIELD(name) offsetof(explain_values, name)

static const cli_option input[] = {
    {"app", 0, OPTION_STRING, "FILE", "take the application from FILE, not from where the mapping says", NULL,
     FIELD(app)},
};
static const cli_group explain_input = {"Input", input, sizeof input / sizeof *input};

static const cli_option rules[] = {
    {"overlap", 0, OPTION_CHOICE, "yes|no", "whether a processor computes while its messages are under way", NULL,
     FIELD(overlap)},
};
static const cli_group explain_rules = {"Rules", rules, sizeof rules / sizeof *rules};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print all changes as JSON", NULL, FIELD(common.json)},
    {"top", 0, OPTION_COUNT, "N", "print the N changes that help most", "8", FIELD(top)},
};
static const cli_group explain_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_explained_write_json(a->of, &context, path, a->diag);
}

static const cli_output explain_files[] = {
    {"JSON", .write = write_json},
    {0},
};

static int explain(const invocation *call, const inlay_loaded *loaded, inlay_diag *diag)
{
    const explain_values *values = call->values;
    const inlay_simulation_options options = {
        .no_overlap = values->overlap == 1, .seed = values->common.seed, .threads = (int)values->common.threads};
    inlay_explanation *explanation = NULL;
    int status = inlay_explain(loaded->mapping, &options, &explanation, diag);
    if (status == INLAY_OK) {
        const inlay_explained explained = {explanation, loaded->mapping, call->operands[0], values->app,
                                           options.no_overlap};
        status = give_out(call, &explained, diag);
    }
    inlay_explanation_free(explanation);
    return status;
}

static int read_and_explain(const invocation *call, inlay_diag *diag)
{
    const explain_values *values = call->values;
    return answer_mapping(call, values->app, explain, diag);
}

const cli_command explain_command = {
    .name = "explain",
    .summary = "what limits a mapping, and which single change helps most",
    .description =
        "Simulates the mapping and takes its elapsed time apart: the critical path of the application, work, "
        "imbalance, "
        "order, transfers and queues of messages, the longest first. Then tries changes one at a time, each simulated: "
        "faster processors, module or network, another time frame T, one processor fewer or more, the other reduction. "
        "Those that gain 1 % or more are ranked, with the command that makes the change where there is one.\n"
        "In these commands APP stands for the application's file, where --app does not name it.",
    .example = "inlay map graphs/cholesky4.dot bus:17 -T 464 --quiet -o cholesky4.json\n"
               "inlay explain cholesky4.json\n"
               "inlay explain cholesky4.json --app graphs/cholesky4.dot --top 3",
    .operands = {{.name = "MAPPING", .help = "a mapping.json, as map and evaluate write it"}},
    .groups = {&explain_input, &explain_rules, &explain_outputs, &common_options},
    .values_size = sizeof(explain_values),
    .outputs = explain_files,
    .print = explain_print_lines,
    .answer = read_and_explain,
};
