/* `inlay synth`: a small program that uses the same resources as the mapped application. */
#include "synth.h"
#include "answer.h"
#include "commands.h"
#include "output.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>

typedef struct own_values {
    synth_values synth;
    const char *output; /* NULL: standard output */
} own_values;

enum { LABEL = 15 };

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the program to FILE (.gz packs it), and tell how it was folded",
     "standard output", offsetof(own_values, output)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, offsetof(own_values, synth.common.json)},
};
static const cli_group synth_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- What is told ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    const char *output = ((const own_values *)a->call->values)->output;
    return inlay_synth_write_json(a->of, output, output_bytes(output), &context, path, a->diag);
}

static void print_work(const inlay_synth_summary *s)
{
    say(stdout, "work            %" PRId64 " different pieces%s%s", s->works, s->counted ? ", operations" : "",
        s->timed ? (s->counted ? " and times" : ", times") : "");
    if (s->memory > 0) {
        char memory[BYTES_TEXT];
        say(stdout, "; up to %s a rank", bytes_text(s->memory, memory));
    }
    say(stdout, "\n");
}

static void print_messages(const inlay_synth_summary *s)
{
    say(stdout, "messages        %" PRId64, s->messages);
    if (s->messages > 0) {
        char all[BYTES_TEXT], largest[BYTES_TEXT];
        say(stdout, ", %s in all, the largest %s; up to %" PRId32 " lanes between two ranks", bytes_text(s->bytes, all),
            bytes_text(s->largest, largest), s->lanes);
    }
    say(stdout, "\n");
}

static int print_table(const cli_answer *a)
{
    const own_values *values = a->call->values;
    const inlay_synth *synth = a->of;
    const inlay_mapping *mapping = inlay_synth_mapping(synth);
    const inlay_synth_summary *s = inlay_synth_result(synth);
    char size[BYTES_TEXT];
    say(stdout, "%-s on %-s, as a program\n\n", inlay_app_name(inlay_mapping_app(mapping)),
        inlay_machine_text(inlay_mapping_machine(mapping)));
    say(stdout, "ranks           %" PRId32 ", for %" PRId32 " modules\n", s->ranks, s->modules);
    say(stdout, "steps           %" PRId64 ", of %" PRId64 " kinds\n", s->steps, s->kinds);
    say(stdout, "folded          to %" PRId64 " entries in %" PRId64 " sequences; loops up to %" PRId32 " deep\n",
        s->entries, s->sequences, s->depth);
    print_work(s);
    print_messages(s);
    if (s->tick_seconds > 0) {
        say(stdout, "tick            %.10g s\n", s->tick_seconds);
    }
    say(stdout, "program         %-s, %s\n", values->output, bytes_text(output_bytes(values->output), size));
    return INLAY_OK;
}

static int write_program(const cli_answer *a, const char *path)
{
    return inlay_synth_write(a->of, path, a->diag);
}

static const cli_output synth_files[] = {
    {"JSON", .write = write_json},
    {"the program", offsetof(own_values, output), .always = true, .write = write_program},
    {.name = "--app", .path = offsetof(own_values, synth.app)},
    {0},
};

/* ---- Making it ---- */

static int synthesise(const invocation *call, const inlay_loaded *loaded, inlay_diag *diag)
{
    inlay_synth_options options;
    inlay_synth *synth = NULL;
    int status = synth_options(call, loaded->mapping, &options);
    status = status == INLAY_OK ? inlay_synthesise(loaded->mapping, &options, &synth, diag) : status;
    status = status == INLAY_OK ? give_out(call, synth, diag) : status;
    inlay_synth_free(synth);
    if (status == INLAY_BAD_ARGUMENT) {
        status = report_end(call, status, diag);
        report_remedies(call, diag);
    }
    return status;
}

/* ---- The command ---- */

static int check_usage(const invocation *call)
{
    const own_values *values = call->values;
    if (values->synth.common.json && (values->output == NULL || output_is_standard(values->output))) {
        return report_usage(call->command, "only one of JSON and the program can go to standard output; expected "
                                           "-o FILE with --json");
    }
    return synth_check_usage(call);
}

static int read_and_synthesise(const invocation *call, inlay_diag *diag)
{
    const own_values *values = call->values;
    return answer_mapping(call, values->synth.app, synthesise, diag);
}

const cli_command synth_command = {
    .name = "synth",
    .summary = "write a small program that uses the same resources",
    .description =
        "Writes a C program with MPI that does what the mapped application does: each rank stands for a processor that "
        "the mapping uses and goes through its modules in their order, with as much work, as much memory and the same "
        "messages. The code is the same for every application; what differs stands in tables, in which what repeats "
        "stands once. The program cannot deadlock, needs nothing of Inlay, and prints how long it took and how long "
        "each rank was busy and waited.\n"
        "A module does its arithmetic operations and function evaluations where the application counts them, else it "
        "takes its time. Compile it with mpicc -std=c17 -O2 prog.c -o prog -lm and start it with mpirun -n RANKS "
        "./prog; `inlay run` does both.",
    .example = "inlay map graphs/cholesky4.dot bus:17 -T 464 --quiet -o cholesky4.json\n"
               "inlay synth cholesky4.json --tick 1ms -o prog.c",
    .operands = {{.name = "MAPPING", .help = "a mapping.json, as map and evaluate write it"}},
    .groups = {&synth_program, &synth_outputs, &common_options},
    .values_size = sizeof(own_values),
    .outputs = synth_files,
    .print = print_table,
    .check = check_usage,
    .answer = read_and_synthesise,
};
