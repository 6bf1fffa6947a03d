/* `inlay measure --data`: the medians, printed and written as a file of processor speeds (docs/processes.md). */
#include "measure_processes.h"
#include "allowed.h"
#include "output.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inlay/processes.h>
#include <inlay/raw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the runs of a setting come to; `room` is for one time a run. */
static inlay_figure figure_of(const perf_runs *all, const perf_setting *s, double *room)
{
    memcpy(room, perf_times(all, s), (size_t)all->runs * sizeof *room);
    return inlay_figure_of(&(inlay_repeats){room, all->runs});
}

/* ---- Files ---- */

/* A word of the command line in a comment: one line, whatever it holds. */
static void put_word(FILE *file, const char *word)
{
    bool quoted = word[0] == '\0' || strpbrk(word, " \t\n'\"\\$`*?;&|<>()") != NULL;
    (void)fputs(quoted ? " '" : " ", file);
    for (; *word != '\0'; word++) {
        (void)fputc((unsigned char)*word < ' ' || *word == 0x7f ? '?' : *word, file);
    }
    (void)fputs(quoted ? "'" : "", file);
}

void perf_put_command(FILE *file, const invocation *call)
{
    (void)fprintf(file, "# Inlay %s: inlay", inlay_version());
    for (int i = 1; i < call->argc; i++) {
        put_word(file, call->argv[i]);
    }
    (void)fputc('\n', file);
}

static void put_head(FILE *file, const invocation *call, const perf_runs *all, const char *what)
{
    perf_put_command(file, call);
    (void)fprintf(file, "# %s of %d run%s, in seconds; count: how many processors of the type there are\n", what,
                  all->runs, all->runs == 1 ? "" : "s");
    (void)fputs("type,count,processes,data,time\n", file);
}

static void put_time(FILE *file, const perf_runs *all, const perf_setting *s, double seconds)
{
    (void)fprintf(file, "%s,1,%" PRId64 ",%.0f,%.9g\n", all->type[s->type], all->processes[s->column],
                  perf_data(all, s), seconds);
}

static void put_medians(FILE *file, const perf_runs *all, double *room)
{
    perf_setting s = {0};
    do {
        put_time(file, all, &s, figure_of(all, &s, room).median);
    } while (perf_next(all, &s));
}

static void put_runs(FILE *file, const perf_runs *all)
{
    perf_setting s = {0};
    do {
        for (int run = 0; run < all->runs; run++) {
            put_time(file, all, &s, perf_times(all, &s)[run]);
        }
    } while (perf_next(all, &s));
}

typedef struct perf_file {
    const invocation *call;
    const perf_runs *all;
    double *room; /* NULL: every run in place of the medians */
} perf_file;

static void put_file(FILE *to, const void *of)
{
    const perf_file *file = of;
    put_head(to, file->call, file->all, file->room != NULL ? "medians" : "each");
    if (file->room != NULL) {
        put_medians(to, file->all, file->room);
    } else {
        put_runs(to, file->all);
    }
}

/* ---- The table ---- */

static void add_rows(table *rows, const perf_runs *all, double *room)
{
    perf_setting s = {0}, first = {0};
    double unit = perf_data(all, &first) / figure_of(all, &first, room).median;
    do {
        inlay_figure figure = figure_of(all, &s, room);
        double speed = perf_data(all, &s) / figure.median;
        table_cell(rows, "%s", all->type[s.type]);
        table_cells(rows, "%" PRId64 "|%.0f|%.4g s|%.1f %%|%.4g|%.3f", all->processes[s.column], perf_data(all, &s),
                    figure.median, 100 * figure.spread, speed, speed / unit);
    } while (perf_next(all, &s));
}

static int print_table(const perf_runs *all, double *room)
{
    table rows = {.left = {true}};
    table_headings(&rows, "type|processes|data|time|spread|speed|f");
    add_rows(&rows, all, room);
    bool failed = rows.failed;
    for (size_t i = 0; !failed && i < table_rows(&rows); i++) {
        table_print_row(&rows, i, false, stdout);
        say(stdout, "\n");
    }
    if (!failed) {
        say(stdout, "\ntime   median of %d run%s; spread: (most - least) / median\n", all->runs,
            all->runs == 1 ? "" : "s");
        say(stdout, "speed  data a second; f: that of the first row is 1\n");
    }
    table_clear(&rows);
    return failed ? report_no_memory() : EXIT_DONE;
}

/* ---- Warnings ---- */

static void warn_of_spread(const perf_runs *all, double *room)
{
    static const double much = 0.1;
    perf_setting s = {0}, worst = {0};
    double most = 0;
    int count = 0;
    do {
        double spread = figure_of(all, &s, room).spread;
        count += spread > much;
        worst = spread > most ? s : worst;
        most = spread > most ? spread : most;
    } while (perf_next(all, &s));
    if (count > 0) {
        say(stderr,
            "inlay: warning: the runs of %d setting%s differ by more than 10 %%, most by %.0f %% (%s, processes "
            "%" PRId64 ", data %.0f): does something else run?\n",
            count, count == 1 ? "" : "s", 100 * most, all->type[worst.type], all->processes[worst.column],
            perf_data(all, &worst));
    }
}

/* Whether what was measured on a type can be a table for inlay processes, which asks for more than a fit does. */
static int warn_of_table(const perf_runs *all, int type, double *room, inlay_measurement *measured)
{
    perf_setting s = {.type = type};
    inlay_performance *made = NULL;
    inlay_diag *diag = new_diag();
    size_t count = 0;
    do {
        double data = perf_data(all, &s);
        measured[count++] = (inlay_measurement){all->processes[s.column], data, data / figure_of(all, &s, room).median};
    } while (perf_next(all, &s) && s.type == type);
    int status = diag != NULL ? inlay_performance_table(measured, count, &made, diag) : INLAY_NO_MEMORY;
    if (status == INLAY_BAD_ARGUMENT) {
        say(stderr, "inlay: warning: type '%s' is no table for inlay processes, but --fit takes it: %s\n",
            all->type[type], inlay_diag_message(diag));
    }
    inlay_performance_free(made);
    inlay_diag_free(diag);
    return status == INLAY_NO_MEMORY ? report_no_memory() : EXIT_DONE;
}

static int warn(const perf_runs *all, double *room)
{
    inlay_measurement *measured = calloc((size_t)all->columns * (size_t)all->sizes, sizeof *measured);
    int end = EXIT_DONE;
    if (measured == NULL) {
        return report_no_memory();
    }
    for (int type = 0; type < all->types && end == EXIT_DONE; type++) {
        end = warn_of_table(all, type, room, measured);
    }
    if (end == EXIT_DONE) {
        warn_of_spread(all, room);
    }
    free(measured);
    return end;
}

/* ---- All of it ---- */

static int deliver(const invocation *call, const perf_runs *all, double *room)
{
    const measure_values *values = call->values;
    bool silent = output_is_standard(values->output) || output_is_standard(values->raw) ||
                  (values->common.quiet && (values->output != NULL || values->raw != NULL));
    output_print(values->output, put_file, &(perf_file){call, all, room});
    output_print(values->raw, put_file, &(perf_file){call, all, NULL});
    int end = silent ? EXIT_DONE : print_table(all, room);
    return end == EXIT_DONE && !values->common.quiet ? warn(all, room) : end;
}

int perf_deliver(const invocation *call, const perf_runs *all)
{
    double *room = calloc((size_t)all->runs, sizeof *room);
    int end = room != NULL ? deliver(call, all, room) : report_no_memory();
    free(room);
    return end;
}
