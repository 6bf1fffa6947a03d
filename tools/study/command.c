/* `inlay study`: studies of many points. */
#include "commands.h"
#include "report.h"
#include "summary.h"

static int check_usage(const invocation *call)
{
    const study_summary_values *values = call->values;
    return values->summary ? study_summary_check(call)
                           : report_usage(call->command, "nothing to do; expected --summary and files of rows");
}

const cli_command study_command = {
    .name = "study",
    .summary = "rows of studies summed up: tables, wins and pictures",
    .description = "--summary reads rows, JSON lines (an object a line) or CSV whose first line names the columns, and "
                   "tells of each "
                   "group of rows how a value is spread: count, mean with its interval, median, quantiles, standard "
                   "deviation, least and "
                   "most. Rows with an error and rows without a value are counted apart.\n"
                   "Where rows have methods, it tells too how often each has the least value among rows that are the "
                   "same in all that "
                   "names a case, and how far above the least it is.\n"
                   "The result does not depend on the order of the rows.",
    .example = "inlay sweep graphs/cholesky4.dot bus:17 --csv rows.csv --quiet\n"
               "inlay study --summary rows.csv --by clusters\n"
               "inlay study --summary rows.csv --value estimate --against clusters --svg lines.svg",
    .operands = {{.name = "ROWS", .help = "files of rows: JSON lines or CSV, plain or gzip, or -", .repeats = true}},
    .groups = {&study_summary_options, &study_summary_outputs, &common_options},
    .values_size = sizeof(study_summary_values),
    .outputs = study_summary_files,
    .print = study_summary_print,
    .check = check_usage,
    .answer = study_summary,
};
