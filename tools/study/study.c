/* `inlay study`: all points of a study on this computer. */
#include "study_values.h"
#include "allowed.h"
#include "commands.h"
#include "meter.h"
#include "output.h"
#include "raster.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(study_values, name)

static const cli_option points[] = {
    {"set", 0, OPTION_TEXTS, "KEY=VALUE",
     "in place of what the study says: methods=heft,etf, seeds=1..100, options.effort=10; as often as needed", NULL,
     FIELD(settings)},
    {"list", 0, OPTION_FLAG, NULL, "print the points, a line each, and do nothing", NULL, FIELD(list)},
    {"dry-run", 0, OPTION_FLAG, NULL, "print how many points there are, and do nothing", NULL, FIELD(dry_run)},
};
static const cli_group study_points = {"Points", points, sizeof points / sizeof *points};

static const cli_option running[] = {
    {"slurm-array", 0, OPTION_STRING, "K/N",
     "every N-th point from the K-th on, into ROWS.K-of-N; inlay study takes up such parts when they are there", NULL,
     FIELD(array)},
    {"restart", 0, OPTION_FLAG, NULL, "forget the rows that are there, also those of another study", NULL,
     FIELD(restart)},
    {"patience", 0, OPTION_SECONDS, "TIME", "of inlay-study: how long a rank may be silent before it counts as lost",
     "60s", FIELD(patience)},
};
static const cli_group study_running = {"Running", running, sizeof running / sizeof *running};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "ROWS", "write the rows, JSON lines, to ROWS (.gz packs them)",
     "as the study says, else STUDY with the ending .jsonl", FIELD(output)},
    {"csv", 0, OPTION_STRING, "FILE", "write the rows as CSV too; of a summary its groups (- for standard output)",
     "as the study says", FIELD(rows.csv)},
    {"json", 0, OPTION_FLAG, NULL, "of a summary: print JSON instead of the tables", NULL, FIELD(rows.common.json)},
    {"svg", 0, OPTION_STRING, "FILE", "of a summary: draw the groups as SVG", NULL, FIELD(rows.svg)},
};
static const cli_group study_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Usage ---- */

/* "3/8": the third of eight parts. Nothing given: all. */
static bool read_part(const char *text, int *part, int *parts)
{
    enum { DIGITS = 9 };
    *part = *parts = 0;
    if (text == NULL) {
        return true;
    }
    size_t first = strspn(text, "0123456789");
    size_t second = text[first] == '/' ? strspn(text + first + 1, "0123456789") : 0;
    if (first == 0 || first > DIGITS || second == 0 || second > DIGITS || text[first + 1 + second] != '\0') {
        return false;
    }
    *part = (int)strtol(text, NULL, 10);
    *parts = (int)strtol(text + first + 1, NULL, 10);
    return *part >= 1 && *part <= *parts;
}

int study_check(const invocation *call)
{
    const study_values *values = call->values;
    int part, parts;
    if (values->rows.summary) {
        return study_summary_check(call);
    }
    if (call->operand_count > 1 || values->rows.common.json || values->rows.svg != NULL) {
        return report_usage(call->command, "%s; expected --summary with it, or one study",
                            call->operand_count > 1 ? "several files are rows to sum up" : "that is told of a summary");
    }
    if (!read_part(values->array, &part, &parts)) {
        return report_usage(call->command, "--slurm-array %s: expected K/N, K from 1 to N, such as 3/8", values->array);
    }
    if (call->given[command_find_option(call->command, "--seed")] != NULL) {
        return report_usage(call->command, "--seed: a study has seeds of its own; expected --set seeds=%s",
                            call->given[command_find_option(call->command, "--seed")]);
    }
    const char *const paths[] = {values->output, values->rows.csv};
    const char *twice = output_collision(call, paths, sizeof paths / sizeof *paths);
    if (twice != NULL) {
        return report_usage(call->command,
                            "'%s' would be overwritten; expected outputs that differ from the study and from "
                            "each other",
                            twice);
    }
    if (output_is_standard(values->output) || output_is_standard(values->rows.csv)) {
        return report_usage(call->command,
                            "rows cannot go to standard output: a study is taken up where it ended; expected "
                            "the name of a file");
    }
    return EXIT_DONE;
}

int study_read(const invocation *call, inlay_study **study, inlay_diag *diag)
{
    const study_values *values = call->values;
    return inlay_study_read(call->operands[0], values->settings.text, values->settings.count, study, diag);
}

int study_options(const invocation *call, const inlay_study *study, char output[STUDY_PATH],
                  inlay_study_options *options)
{
    const study_values *values = call->values;
    const char *path = call->operands[0], *ending = strrchr(path, '.');
    size_t length = ending != NULL && strcmp(ending, ".json") == 0 ? (size_t)(ending - path) : strlen(path);
    (void)snprintf(output, STUDY_PATH, "%.*s.jsonl", (int)(length < STUDY_PATH ? length : STUDY_PATH), path);
    *options = (inlay_study_options){.output = values->output != NULL              ? values->output
                                               : inlay_study_output(study) != NULL ? inlay_study_output(study)
                                                                                   : output,
                                     .csv = values->rows.csv != NULL ? values->rows.csv : inlay_study_csv(study),
                                     .restart = values->restart,
                                     .threads = values->rows.common.threads};
    (void)read_part(values->array, &options->part, &options->parts);
    const char *const paths[] = {options->output, options->csv};
    const char *twice = output_collision(call, paths, sizeof paths / sizeof *paths);
    return twice == NULL ? EXIT_DONE
                         : report_usage(call->command,
                                        "'%s' would be overwritten; expected outputs that differ from the "
                                        "study and from each other",
                                        twice);
}

/* ---- What is only told ---- */

bool study_only_tells(const invocation *call)
{
    const study_values *values = call->values;
    return values->list || values->dry_run;
}

static void list(const inlay_study *study)
{
    bool options = inlay_study_counts_of(study).options > 1;
    say(stdout, "point\tapplication\tmachine\tprocessors\tmethod%s\tseed\n", options ? "\toptions" : "");
    for (int64_t i = 0; i < inlay_study_points(study); i++) {
        inlay_study_point p = inlay_study_point_at(study, i);
        say(stdout, "%" PRId64 "\t%-s\t%-s\t", i, p.application, p.machine);
        if (p.processors > 0) {
            say(stdout, "%" PRId32, p.processors);
        }
        say(stdout, "\t%s%s%-s\t%" PRId64 "\n", p.method != NULL ? p.method : "default", options ? "\t" : "",
            options ? p.options : "", p.seed);
    }
}

void study_tell(const invocation *call, const inlay_study *study)
{
    enum { LABEL = 12 };
    const inlay_study_counts c = inlay_study_counts_of(study);
    const struct {
        const char *what;
        int64_t count;
    } rows[] = {{"applications", c.applications},
                {"machines", c.machines},
                {"processors", c.processors},
                {"methods", c.methods},
                {"options", c.options},
                {"seeds", c.seeds},
                {"points", inlay_study_points(study)}};
    if (((const study_values *)call->values)->list) {
        list(study);
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].count == 1 && strcmp(rows[i].what, "options") == 0) {
            continue; /* most studies have but one */
        }
        say_label(stdout, LABEL, rows[i].what);
        say(stdout, "%" PRId64 "\n", rows[i].count);
    }
}

int study_print(const inlay_study_result *result, const inlay_study_options *options)
{
    enum { LABEL = 12 };
    const inlay_study_progress *p = &result->progress;
    say_label(stdout, LABEL, "points");
    say(stdout, "%" PRId64, p->points);
    if (options->parts > 0) {
        say(stdout, " of part %d of %d", options->part, options->parts);
    }
    say(stdout, "\n");
    if (p->before > 0) {
        say_label(stdout, LABEL, "there before");
        say(stdout, "%" PRId64 "\n", p->before);
    }
    say_label(stdout, LABEL, "failed");
    say(stdout, "%" PRId64, result->failed);
    if (result->failed > 0) {
        say(stdout, ", the first of them point %" PRId64, result->first_failed);
    }
    say(stdout, "\n");
    say_label(stdout, LABEL, "rows");
    say(stdout, "%-s", options->output);
    if (options->parts > 0) {
        say(stdout, ".%d-of-%d", options->part, options->parts);
    }
    say(stdout, "\n");
    if (options->csv != NULL && options->parts == 0) {
        say_label(stdout, LABEL, "csv");
        say(stdout, "%-s\n", options->csv);
    }
    return INLAY_OK;
}

/* ---- The command ---- */

void study_tell_progress(void *unused, const inlay_study_progress *progress)
{
    (void)unused;
    meter_tell_count(progress->done, progress->points, progress->share, "points");
}

/* Where every point failed, there is no answer: 1, as of a mapping that cannot be. A status of the library, or that. */
static int run(const invocation *call, const inlay_study *study, inlay_diag *diag)
{
    char path[STUDY_PATH];
    inlay_study_options options;
    inlay_study_result result;
    int end = study_options(call, study, path, &options);
    if (end != EXIT_DONE) {
        return end;
    }
    options.progress = study_tell_progress;
    int status = inlay_study_run(study, &options, &result, diag);
    meter_end();
    status = status == INLAY_OK && !call->common->quiet ? study_print(&result, &options) : status;
    bool none = status == INLAY_OK && result.failed == result.progress.points && result.failed > 0;
    return none && report_end(call, status, diag) == EXIT_DONE ? EXIT_NO : status;
}

static int answer(const invocation *call, inlay_diag *diag)
{
    inlay_study *study = NULL;
    if (((const study_values *)call->values)->rows.summary) {
        return study_summary(call, diag);
    }
    int status = study_read(call, &study, diag);
    if (status == INLAY_OK && study_only_tells(call)) {
        study_tell(call, study);
    } else if (status == INLAY_OK) {
        status = run(call, study, diag);
    }
    inlay_study_free(study);
    return status;
}

const cli_command study_command = {
    .name = "study",
    .summary = "thousands of mappings, a row of results each",
    .description =
        "Reads a study, a JSON file that says which applications, machines, counts of processors, methods "
        "and seeds are "
        "crossed, and maps each point of it as map does, on all cores. Its results are rows: a line of JSON "
        "each, in the "
        "order of points. A point that fails is a row with its error.\n"
        "A run that is interrupted at any moment leaves what it found in ROWS.journal; the next one goes on "
        "behind it. The "
        "rows do not depend on how often that happened, nor on who worked them out.\n"
        "'mpirun -n N inlay-study STUDY' does the same over the ranks of MPI, and --slurm-array over jobs "
        "that know nothing "
        "of each other.\n"
        "--summary reads rows, of a study or of any CSV whose first line names the columns, and tells of each "
        "group how a "
        "value is spread and, where rows have methods, how often each is the best and how far above the best "
        "it is.",
    .example = "inlay generate erdos-renyi --modules 40 -o app.dot\n"
               "echo '{\"applications\": \"app.dot\", \"machines\": \"bus:{2..8*2}\", \"methods\": \"heft,etf\"}' "
               ">study.json\n"
               "inlay study study.json --dry-run\n"
               "inlay study study.json --set seeds=1..3 -o rows.jsonl --csv rows.csv\n"
               "inlay study --summary rows.jsonl --by machine --svg boxes.svg",
    .operands = {{.name = "STUDY",
                  .help = "the study, a JSON file; with --summary files of rows, or -",
                  .repeats = true}},
    .groups = {&study_points, &study_running, &study_summary_options, &study_outputs, &picture_options,
               &common_options},
    .values_size = sizeof(study_values),
    .outputs = study_summary_files,
    .print = study_summary_print,
    .check = study_check,
    .answer = answer,
};
