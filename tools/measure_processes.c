/* `inlay measure --data`: what is asked for, and the runs. */
#include "measure_processes.h"
#include "launcher.h"
#include "output.h"
#include "report.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) offsetof(measure_values, name)

static const cli_option program[] = {
    {"data", 0, OPTION_STRING, "LIST", "run COMMAND with data of these sizes; -o is for inlay processes", NULL,
     FIELD(data)},
    {"dimensions", 0, OPTION_COUNT, "N", "a size is the edge of a grid: so many of them multiplied are the data", "1",
     FIELD(dimensions)},
    {"time-from", 0, OPTION_STRING, "WORD", "the time is the last number that COMMAND prints behind WORD",
     "from its start to its end", FIELD(time_from)},
    {"types", 0, OPTION_STRING, "LIST", "types of processors to run it on, which COMMAND tells apart by {type}",
     "one, called after this computer", FIELD(types)},
    {"curve", 0, OPTION_STRING, "A..B", "run COMMAND with {size} from A to B, such as 1k..1M; -o is added to", NULL,
     FIELD(curve)},
    {"device", 0, OPTION_STRING, "NAME", "of the curve's device", "this computer's name", FIELD(device)},
    {"accuracy", 0, OPTION_STRING, "SHARE", "of each time of a curve, and of the lines between them", "5%",
     FIELD(accuracy)},
    {"points", 0, OPTION_COUNT, "N", "sizes of a curve, at most", "20", FIELD(points)},
    {"timeout", 0, OPTION_SECONDS, "TIME", "the longest that a run of COMMAND may take", NULL, FIELD(timeout)},
};
const cli_group measure_program = {"Measuring a program of your own", program, sizeof program / sizeof *program};

/* ---- Settings ---- */

double perf_data(const perf_runs *all, const perf_setting *s)
{
    return pow((double)all->size[s->size], all->dimensions);
}

double *perf_times(const perf_runs *all, const perf_setting *s)
{
    int row = s->type * all->sizes + s->size;
    return all->seconds + ((size_t)row * (size_t)all->columns + (size_t)s->column) * (size_t)all->runs;
}

bool perf_next(const perf_runs *all, perf_setting *s)
{
    s->column++;
    if (s->column == all->columns) {
        s->column = 0;
        s->size++;
    }
    if (s->size == all->sizes) {
        s->size = 0;
        s->type++;
    }
    return s->type < all->types;
}

/* ---- Usage ---- */

enum { SHOWN = 40 /* characters of what is wrong */, USUAL_RUNS = 5 };

static int shown(const char *piece)
{
    size_t length = strcspn(piece, ",");
    return (int)(length < SHOWN ? length : SHOWN);
}

static const char *next_piece(const char *piece)
{
    piece += strcspn(piece, ",");
    return *piece == ',' ? piece + 1 : NULL;
}

/* The whole number that a piece of a list is; 0 where it is none from 1 to `most`. */
static int64_t piece_number(const char *piece, int64_t most)
{
    int64_t number = 0;
    size_t length = strcspn(piece, ",");
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)piece[i]) || number > (most - (piece[i] - '0')) / 10) {
            return 0;
        }
        number = 10 * number + (piece[i] - '0');
    }
    return number;
}

/* Rising whole numbers; an exit status. */
static int read_numbers(const invocation *call, const char *option, const char *list, int64_t most,
                        int64_t number[PERF_NUMBERS], int *count)
{
    for (const char *piece = list; piece != NULL; piece = next_piece(piece)) {
        int64_t value = piece_number(piece, most);
        if (value == 0) {
            return report_usage(
                call->command, "%s: there is '%.*s'; expected whole numbers from 1 to %" PRId64 ", separated by commas",
                option, shown(piece), piece, most);
        }
        if (*count > 0 && value <= number[*count - 1]) {
            return report_usage(call->command, "%s: there is '%.*s'; expected each number above the one before", option,
                                shown(piece), piece);
        }
        if (*count == PERF_NUMBERS) {
            return report_usage(call->command, "%s: there are more than %d numbers; expected at most so many", option,
                                PERF_NUMBERS);
        }
        number[(*count)++] = value;
    }
    return EXIT_DONE;
}

/* The largest size whose power is still a whole number in the file. */
static int64_t largest_size(int dimensions)
{
    static const int64_t largest[] = {INT64_C(1) << 53, 94906265, 208063}; /* floor(2^(53/n)) */
    return largest[dimensions - 1];
}

/* What a name in the file must be: it has no quotes, and '#' begins a comment. */
bool perf_good_name(const char *name, size_t length)
{
    bool good = length > 0 && name[0] != '#';
    for (size_t i = 0; i < length && good; i++) {
        unsigned char c = (unsigned char)name[i];
        good = c > ' ' && c != 0x7f && c != '"';
    }
    return good;
}

static bool is_type(const perf_runs *all, const char *name, size_t length)
{
    for (int i = 0; i < all->types; i++) {
        if (strlen(all->type[i]) == length && strncmp(all->type[i], name, length) == 0) {
            return true;
        }
    }
    return false;
}

static int add_type(perf_runs *all, const char *name, size_t length)
{
    all->type[all->types] = strndup(name, length);
    if (all->type[all->types] == NULL) {
        return report_no_memory();
    }
    all->types++;
    return EXIT_DONE;
}

static int read_types(const invocation *call, perf_runs *all)
{
    const measure_values *values = call->values;
    int end = EXIT_DONE;
    for (const char *piece = values->types; piece != NULL && end == EXIT_DONE; piece = next_piece(piece)) {
        size_t length = strcspn(piece, ",");
        if (!perf_good_name(piece, length) || is_type(all, piece, length) || all->types == PERF_TYPES) {
            return report_usage(call->command,
                                "--types: there is '%.*s'; expected names without blanks, each once and at most %d, "
                                "separated by commas",
                                shown(piece), piece, PERF_TYPES);
        }
        end = add_type(all, piece, length);
    }
    return end;
}

/* This computer's name without its domain. */
int perf_own_type(perf_runs *all)
{
    char name[256] = "";
    bool known = gethostname(name, sizeof name - 1) == 0;
    name[known ? strcspn(name, ".,") : 0] = '\0';
    const char *type = perf_good_name(name, strlen(name)) ? name : "processor";
    return add_type(all, type, strlen(type));
}

bool perf_mentions(const invocation *call, const char *place)
{
    bool found = false;
    for (int i = 0; i < call->operand_count; i++) {
        found = found || strstr(call->operands[i], place) != NULL;
    }
    return found;
}

/* Runs that differ must not be the same command. */
static int check_places(const invocation *call, const perf_runs *all)
{
    const char *missing = all->columns > 1 && !perf_mentions(call, "{processes}") ? "{processes}"
                          : all->sizes > 1 && !perf_mentions(call, "{data}")      ? "{data}"
                          : all->types > 1 && !perf_mentions(call, "{type}")      ? "{type}"
                                                                                  : NULL;
    if (missing == NULL) {
        return EXIT_DONE;
    }
    return report_usage(call->command, "COMMAND: there is no %s in it; expected it where %s belongs", missing,
                        strcmp(missing, "{processes}") == 0 ? "the number of processes"
                        : strcmp(missing, "{data}") == 0    ? "the size of the data"
                                                            : "the type of processor");
}

/* The first option that says how this computer itself is measured; NULL where none is given. */
const char *perf_other_option(const measure_values *values)
{
    return values->hostfile != NULL   ? "--hostfile"
           : values->hosts != NULL    ? "--hosts"
           : values->launcher != NULL ? "--launcher"
           : values->sizes != NULL    ? "--sizes"
           : values->pairs > 0        ? "--pairs"
           : values->topology != NULL ? "--topology"
           : values->from != NULL     ? "--from"
           : values->common.json      ? "--json"
                                      : NULL;
}

static int check_outputs(const invocation *call)
{
    const measure_values *values = call->values;
    const char *const paths[] = {values->output, values->raw};
    const char *twice = output_collision(call, paths, sizeof paths / sizeof *paths);
    if (twice != NULL) {
        return report_usage(call->command, "%s: is named twice; expected a file of its own for each", twice);
    }
    if (output_is_standard(values->output) && output_is_standard(values->raw)) {
        return report_usage(call->command, "-o - and --raw - go to standard output; expected one of them");
    }
    return output_check_folders(paths, sizeof paths / sizeof *paths);
}

static int check_usage(const invocation *call)
{
    const measure_values *values = call->values;
    const char *other = perf_other_option(values);
    other = other == NULL ? measure_curve_option(values) : other;
    if (other != NULL) {
        return report_usage(call->command, "%s is not for --data, which runs COMMAND and nothing else", other);
    }
    if (call->operand_count == 0) {
        return report_usage(call->command, "COMMAND is missing; expected -- and what to run with --data");
    }
    if (values->processes == NULL) {
        return report_usage(call->command, "--processes is missing; expected numbers of processes for COMMAND, such "
                                           "as 1,2,4");
    }
    if (values->dimensions > 3) {
        return report_usage(call->command, "--dimensions %" PRId32 ": expected at most 3", values->dimensions);
    }
    if (values->repeat > MEASURE_REPEATS) {
        return report_usage(call->command, "--repeat %" PRId32 ": expected at most %d", values->repeat,
                            MEASURE_REPEATS);
    }
    return check_outputs(call);
}

/* Everything that can be told before a file is made; an exit status. */
static int read_call(const invocation *call, perf_runs *all)
{
    const measure_values *values = call->values;
    int end = check_usage(call);
    if (end != EXIT_DONE) {
        return end;
    }
    all->dimensions = values->dimensions > 0 ? values->dimensions : 1;
    all->runs = values->repeat > 0 ? values->repeat : USUAL_RUNS;
    end = read_numbers(call, "--processes", values->processes, INT32_MAX, all->processes, &all->columns);
    if (end == EXIT_DONE) {
        end = read_numbers(call, "--data", values->data, largest_size(all->dimensions), all->size, &all->sizes);
    }
    if (end == EXIT_DONE) {
        end = values->types != NULL ? read_types(call, all) : perf_own_type(all);
    }
    return end == EXIT_DONE ? check_places(call, all) : end;
}

/* ---- COMMAND ---- */

/* What stands in the place that a text begins with; NULL where it begins with none. `length` is the place's. */
static const char *standing_for(const perf_runs *all, const perf_setting *s, const char *text, char room[24],
                                size_t *length)
{
    static const char *const places[2][3] = {{"{processes}", "{data}", "{type}"},
                                             {"{processes}", "{size}", "{device}"}};
    const char *const *place = places[all->is_curve];
    for (size_t i = all->is_curve; i < 3; i++) {
        *length = strlen(place[i]);
        if (strncmp(text, place[i], *length) == 0) {
            (void)snprintf(room, 24, "%" PRId64, i == 0 ? all->processes[s->column] : all->size[s->size]);
            return i == 2 ? all->type[s->type] : room;
        }
    }
    return NULL;
}

static void add_word(words *command, const perf_runs *all, const perf_setting *s, const char *text)
{
    char *made = NULL, room[24];
    size_t size = 0, length = 0;
    FILE *word = open_memstream(&made, &size);
    while (word != NULL && *text != '\0') {
        const char *put = standing_for(all, s, text, room, &length);
        if (put != NULL) {
            (void)fputs(put, word);
            text += length;
        } else {
            (void)fputc(*text++, word);
        }
    }
    if (word != NULL && fclose(word) == 0) {
        words_add(command, made);
    } else {
        command->failed = true;
    }
    free(made);
}

/* ---- Its time ---- */

/* Whether a word stands at a place of a line as a word of its own. */
static bool is_word_at(const char *line, const char *at, const char *word)
{
    size_t length = strlen(word);
    bool begins = at == line || !isalnum((unsigned char)word[0]) || !isalnum((unsigned char)at[-1]);
    return begins && (!isalnum((unsigned char)word[length - 1]) || !isalnum((unsigned char)at[length]));
}

/* Seconds of the unit that stands behind a number; where it is none that is known, it is in seconds. */
static double unit_behind(const char *text)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    text += strspn(text, " \t");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);
        if (strncmp(text, units[i].name, length) == 0 && !isalnum((unsigned char)text[length])) {
            return units[i].seconds;
        }
    }
    return 1;
}

/* The time behind a word, which ends before `text`: blanks, : and = may come between. */
static bool take_time(const char *text, double *seconds)
{
    char *end;
    text += strspn(text, " \t:=");
    if (!isdigit((unsigned char)text[text[0] == '.' || text[0] == '-'])) { /* strtod would take inf and nan too */
        return false;
    }
    double number = strtod(text, &end);
    *seconds = number * unit_behind(end);
    return true;
}

/* The last time that was printed behind a word; false where there is none. */
static bool printed_time(FILE *said, const char *word, double *seconds)
{
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    rewind(said);
    while (getline(&line, &room, said) >= 0) {
        for (const char *at = strstr(line, word); at != NULL; at = strstr(at + 1, word)) {
            found = (is_word_at(line, at, word) && take_time(at + strlen(word), seconds)) || found;
        }
    }
    free(line);
    return found;
}

static void last_line(FILE *said, char text[LAUNCHER_LINE])
{
    char line[LAUNCHER_LINE];
    bool begins = true;
    text[0] = '\0';
    rewind(said);
    while (fgets(line, LAUNCHER_LINE, said) != NULL) {
        size_t length = strcspn(line, "\n");
        if (begins && line[strspn(line, " \t\r\n")] != '\0') {
            (void)memcpy(text, line, length);
            text[length] = '\0';
        }
        begins = line[length] == '\n';
    }
}

/* What a setting is called in messages, behind the command's name. */
static const char *setting_text(const perf_runs *all, const perf_setting *s, char text[LAUNCHER_LINE])
{
    int64_t processes = all->processes[s->column];
    if (all->is_curve) {
        (void)snprintf(text, LAUNCHER_LINE, " with size %" PRId64, all->size[s->size]);
        return text;
    }
    (void)snprintf(text, LAUNCHER_LINE, "%s%.80s with %" PRId64 " process%s and data %" PRId64,
                   all->types > 1 ? " on " : "", all->types > 1 ? all->type[s->type] : "", processes,
                   processes == 1 ? "" : "es", all->size[s->size]);
    return text;
}

static int refuse_end(const invocation *call, const perf_runs *all, const perf_setting *s, const outcome *o)
{
    char setting[LAUNCHER_LINE], line[LAUNCHER_LINE];
    last_line(o->errors, line);
    if (line[0] == '\0') {
        last_line(o->output, line);
    }
    return launcher_fail(call, "%s%s ended with status %d: %s; expected status 0", call->operands[0],
                         setting_text(all, s, setting), o->end.status, line[0] != '\0' ? line : "it printed nothing");
}

/* How long a run took that ended. */
static int take_seconds(const invocation *call, const perf_runs *all, const perf_setting *s, const outcome *o,
                        double *seconds)
{
    const measure_values *values = call->values;
    char setting[LAUNCHER_LINE];
    *seconds = o->end.seconds;
    if (o->end.late) {
        return launcher_fail(call, "%s%s took longer than %g s; expected its end by then", call->operands[0],
                             setting_text(all, s, setting), values->timeout);
    }
    if (o->end.status != 0) {
        return refuse_end(call, all, s, o);
    }
    if (values->time_from != NULL && !printed_time(o->output, values->time_from, seconds) &&
        !printed_time(o->errors, values->time_from, seconds)) {
        return launcher_fail(call, "%s%s printed no number behind '%s'; expected its time there", call->operands[0],
                             setting_text(all, s, setting), values->time_from);
    }
    if (!(*seconds > 0) || !isfinite(*seconds)) {
        return launcher_fail(call, "%s%s took %g s; expected a time above 0", call->operands[0],
                             setting_text(all, s, setting), *seconds);
    }
    return EXIT_DONE;
}

/* ---- Runs ---- */

static int start(const invocation *call, const folder *where, const words *command, const words *settings, outcome *o)
{
    if (command->failed || settings->failed) {
        return report_no_memory();
    }
    double timeout = ((const measure_values *)call->values)->timeout;
    o->end = process_run_within(timeout, &where->guard, command, settings, NULL, o->output, o->errors, NULL);
    if (o->end.error != 0) {
        return launcher_fail(call, "%s cannot be started (%s); expected a command", call->operands[0],
                             strerror(o->end.error));
    }
    return o->end.stopped ? EXIT_SYSTEM : EXIT_DONE;
}

/*
 * For Open MPI: several processes on a processor are more than it has cores, and have to leave it to each other while they
 * wait. Where no more of them run than this computer has cores they spin, and two on one core take hundreds of times as
 * long.
 */
static void add_settings(words *settings)
{
    launcher_open_mpi(false, settings);
    if (getenv("OMPI_MCA_mpi_yield_when_idle") == NULL) {
        words_add(settings, "OMPI_MCA_mpi_yield_when_idle=1");
    }
}

int perf_run(const invocation *call, const folder *where, const perf_runs *all, const perf_setting *s, double *seconds)
{
    words command = {0}, settings = {0};
    outcome o = {.output = folder_scratch(where), .errors = folder_scratch(where)};
    int end = EXIT_DONE;
    if (o.output == NULL || o.errors == NULL) {
        end = launcher_fail(call, "%s: no file can be made there (%s)", where->path, strerror(errno));
    }
    for (int i = 0; i < call->operand_count; i++) {
        add_word(&command, all, s, call->operands[i]);
    }
    add_settings(&settings);
    end = end == EXIT_DONE ? start(call, where, &command, &settings, &o) : end;
    end = end == EXIT_DONE ? take_seconds(call, all, s, &o, seconds) : end;
    outcome_clear(&o);
    words_clear(&settings);
    words_clear(&command);
    return end;
}

/* Round after round through all settings, so that what changes with time changes all of them alike. */
static int run_all(const invocation *call, const folder *where, const sigset_t *before, void *of)
{
    const perf_runs *all = of;
    (void)before; /* nothing is waited for but programs */
    int end = measure_try_outputs(call);
    for (int run = 0; end == EXIT_DONE && run < all->runs; run++) {
        perf_setting s = {0};
        do {
            end = perf_run(call, where, all, &s, &perf_times(all, &s)[run]);
        } while (end == EXIT_DONE && perf_next(all, &s));
    }
    return end;
}

/* NULL where there is no memory. */
static double *make_room(const perf_runs *all)
{
    size_t settings = (size_t)all->types * (size_t)all->sizes * (size_t)all->columns;
    return settings > 0 ? calloc(settings, (size_t)all->runs * sizeof *all->seconds) : NULL;
}

int measure_processes(const invocation *call)
{
    perf_runs all = {0};
    int end = read_call(call, &all);
    if (end == EXIT_DONE) {
        all.seconds = make_room(&all);
        end = all.seconds != NULL ? launcher_in_folder(call, run_all, &all) : report_no_memory();
    }
    end = end == EXIT_DONE ? perf_deliver(call, &all) : end;
    for (int i = 0; i < all.types; i++) {
        free(all.type[i]);
    }
    free(all.seconds);
    return end;
}
