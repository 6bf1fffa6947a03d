/* `inlay study --summary`: its options, and the call of the library. */
#include "summary.h"
#include "answer.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(study_summary_values, name)

static const cli_option options[] = {
    {"summary", 0, OPTION_FLAG, NULL, "sum up the rows of ROWS", NULL, FIELD(summary)},
    {"by", 0, OPTION_STRING, "COLUMNS",
     "columns that make a group, separated by commas; or computed of columns: =floor(load/0.3)", "all rows are one",
     FIELD(by)},
    {"value", 0, OPTION_STRING, "COLUMN", "what is summed up; or computed of columns: =estimate/elapsed-1", "elapsed",
     FIELD(value)},
    {"against", 0, OPTION_STRING, "COLUMN", "a column of numbers: groups are divided by it, and lines drawn over it",
     NULL, FIELD(against)},
    {"quantiles", 0, OPTION_NUMBERS, "LIST", "rising shares of the values, from 0 to 1", "0.1,0.9", FIELD(quantiles)},
    {"wins", 0, OPTION_STRING, "COLUMN", "what competes; none: nothing", "method, where there is one", FIELD(wins)},
    {"best", 0, OPTION_CHOICE, "least|most", "which value wins", NULL, FIELD(best)},
    {"case", 0, OPTION_STRING, "COLUMNS", "what must be the same where values compete, besides --by and --against",
     "those of application, graph, machine, processors, instance, seed that there are", FIELD(cases)},
    {"plot", 0, OPTION_CHOICE, "auto|boxes|lines|profile",
     "what --svg draws: boxes, lines over --against, or how near to the best methods are", NULL, FIELD(plot)},
};
const cli_group study_summary_options = {"Summary", options, sizeof options / sizeof *options};

/* ---- Giving out ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_study_summary_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return inlay_study_summary_write_csv(a->of, path, a->diag);
}

static int draw(const cli_answer *a, const char *path)
{
    const study_summary_values *values = a->call->values;
    return inlay_study_summary_draw_svg(a->of, (inlay_study_plot)values->plot, path, a->diag);
}

const cli_output study_summary_files[] = {
    {"JSON", .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = draw},
    {0},
};

/* ---- What was asked ---- */

/* Names separated by commas, taken apart in a copy of their own. */
typedef struct name_list {
    char *copy;
    const char *names[INLAY_STUDY_COLUMNS];
    size_t count;
    bool wrong; /* a name is empty, or there are too many */
} name_list;

/* How far a name reaches: a comma within parentheses is its own. */
static size_t name_length(const char *at)
{
    size_t length = 0;
    for (int depth = 0; at[length] != '\0' && (at[length] != ',' || depth > 0); length++) {
        depth += (at[length] == '(') - (at[length] == ')' && depth > 0);
    }
    return length;
}

/* False: no memory. */
static bool read_names(const char *text, name_list *list)
{
    *list = (name_list){.copy = text != NULL ? strdup(text) : NULL};
    for (char *at = list->copy, *end; at != NULL; at = end) {
        size_t length = name_length(at);
        end = at[length] == ',' ? at + length + 1 : NULL;
        at[length] = '\0';
        list->wrong = list->wrong || length == 0 || list->count == INLAY_STUDY_COLUMNS;
        if (!list->wrong) {
            list->names[list->count++] = at;
        }
    }
    return text == NULL || list->copy != NULL;
}

static int check_names(const invocation *call, const char *option, const char *text)
{
    name_list list;
    bool good = read_names(text, &list), wrong = list.wrong;
    free(list.copy);
    return !good
               ? report_no_memory()
               : (wrong ? report_usage(call->command, "%s '%s': expected 1 to %d names of columns, separated by commas",
                                       option, text, INLAY_STUDY_COLUMNS)
                        : EXIT_DONE);
}

/* False: more than there may be. */
static bool read_quantiles(const char *text, double quantiles[INLAY_STUDY_QUANTILES], size_t *count)
{
    *count = 0;
    for (double number; next_number(&text, &number);) {
        if (*count == INLAY_STUDY_QUANTILES) {
            return false;
        }
        quantiles[(*count)++] = number;
    }
    return true;
}

int study_summary_check(const invocation *call)
{
    const study_summary_values *values = call->values;
    double quantiles[INLAY_STUDY_QUANTILES];
    size_t count;
    if (!read_quantiles(values->quantiles, quantiles, &count)) {
        return report_usage(call->command, "--quantiles '%s': expected at most %d", values->quantiles,
                            INLAY_STUDY_QUANTILES);
    }
    if (values->plot == INLAY_STUDY_LINES && values->against == NULL) {
        return report_usage(call->command, "--plot lines: expected --against COLUMN, over which lines are drawn");
    }
    if (values->plot != INLAY_STUDY_AUTO && values->svg == NULL) {
        return report_usage(call->command, "--plot tells what --svg draws; expected --svg FILE with it");
    }
    int status = check_names(call, "--by", values->by);
    return status == EXIT_DONE ? check_names(call, "--case", values->cases) : status;
}

static int sum_up(const invocation *call, const name_list *by, const name_list *cases, inlay_diag *diag)
{
    const study_summary_values *values = call->values;
    double quantiles[INLAY_STUDY_QUANTILES];
    inlay_study_summary *summary = NULL;
    inlay_study_summary_options asked = {
        .by = by->names,
        .by_count = by->count,
        .value = values->value,
        .against = values->against,
        .wins = values->wins != NULL && strcmp(values->wins, "none") == 0 ? "" : values->wins,
        .most_wins = values->best == 1,
        .cases = cases->names,
        .case_count = cases->count,
        .quantiles = quantiles,
    };
    (void)read_quantiles(values->quantiles, quantiles, &asked.quantile_count);
    int status =
        inlay_study_summarise((const char *const *)call->operands, (size_t)call->operand_count, &asked, &summary, diag);
    status = status == INLAY_OK ? give_out(call, summary, diag) : status;
    inlay_study_summary_free(summary);
    return status;
}

int study_summary(const invocation *call, inlay_diag *diag)
{
    const study_summary_values *values = call->values;
    name_list by, cases = {0};
    bool good = read_names(values->by, &by) && read_names(values->cases, &cases);
    int status = good ? sum_up(call, &by, &cases, diag) : INLAY_NO_MEMORY;
    free(by.copy);
    free(cases.copy);
    return status;
}
