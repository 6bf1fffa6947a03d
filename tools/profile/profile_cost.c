/* --cost of `inlay profile`: what operations take. */
#include "profile.h"
#include "folder.h"
#include "report.h"
#include <ctype.h>
#include <errno.h>
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tables that are known by name. */
static const struct {
    const char *name, *list;
} presets[] = {
    /* The whole numbers nearest to the fit of the module times and blocking times of Houstis, Houstis and Rice, Figure 2,
       by those of the program of Figure 1: docs/studies/simon.md. */
    {"simon", "begin=6,step=0,compare=1,sqrt=11,divide=12,multiply=0,add=0,get=1,put=1"},
};

static const char expected[] = "OPERATION=TIME such as add=1 or add=2.5ns, or time_unit=UNIT";

/* ---- What is wrong ---- */

/* Where an entry stands: in a file, or in the option's argument. */
typedef struct place {
    const invocation *call;
    const char *file; /* NULL: in the option */
    long line;
} place;

static int refuse(const place *at, const char *entry, const char *what)
{
    if (at->file == NULL) {
        return report_usage(at->call->command, "--cost: '%s' %s", entry, what);
    }
    say(stderr, "%-s:%ld: '%-s' %s\n", at->file, at->line, entry, what);
    return EXIT_USAGE;
}

static int refuse_file(const char *path, int error)
{
    say(stderr, "%-s: cannot be read (%s); expected a file of costs, a list such as add=1,divide=4, or simon\n", path,
        strerror(error));
    return EXIT_USAGE;
}

/* ---- One entry ---- */

/* Cuts blanks off both ends, in place. */
static char *trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        text[--length] = '\0';
    }
    return text + strspn(text, " \t");
}

static bool read_unit(const char *name, inlay_unit *unit)
{
    char one[16];
    inlay_duration length;
    if (snprintf(one, sizeof one, "1%s", name) >= (int)sizeof one || inlay_duration_parse(one, &length) != INLAY_OK ||
        length.unit == INLAY_UNIT_NONE) {
        return false;
    }
    *unit = length.unit;
    return true;
}

static bool is_known(const cost_table *table, const char *operation)
{
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->cost[i].operation, operation) == 0) {
            return true;
        }
    }
    return false;
}

static int add(cost_table *table, const char *operation, inlay_duration time)
{
    inlay_cost *cost = realloc(table->cost, (table->count + 1) * sizeof *cost);
    if (cost != NULL) {
        table->cost = cost;
    }
    char **name = realloc(table->name, (table->count + 1) * sizeof *name);
    if (name != NULL) {
        table->name = name;
        name[table->count] = strdup(operation);
    }
    if (cost == NULL || name == NULL || name[table->count] == NULL) {
        return report_no_memory();
    }
    cost[table->count] = (inlay_cost){name[table->count], time};
    table->count++;
    return EXIT_DONE;
}

/* "add = 2.5ns", "time_unit = ns". The text is taken apart. */
static int read_entry(cost_table *table, char *text, const place *at)
{
    char message[sizeof expected + 64], *entry = trim(text);
    inlay_duration time;
    (void)snprintf(message, sizeof message, "is no cost; expected %s", expected);
    char *equals = strchr(entry, '=');
    if (equals == NULL || equals == entry) {
        return refuse(at, entry, message);
    }
    *equals = '\0';
    const char *name = trim(entry), *value = trim(equals + 1);
    if (strcmp(name, "time_unit") == 0) {
        return read_unit(value, &table->unit) ? EXIT_DONE
                                              : refuse(at, value, "is no unit; expected s, ms, us, ns or tick");
    }
    if (inlay_duration_parse(value, &time) != INLAY_OK || time.value.digits < 0) {
        return refuse(at, value, "is no time; expected 0 or more, such as 1 or 2.5ns");
    }
    return is_known(table, name) ? refuse(at, name, "has a cost already; expected one for each operation")
                                 : add(table, name, time);
}

/* ---- Lists and files ---- */

static int read_list(cost_table *table, const char *list, const place *at)
{
    char *copy = strdup(list), *rest = copy;
    int end = copy != NULL ? EXIT_DONE : report_no_memory();
    while (end == EXIT_DONE && rest != NULL) {
        char *entry = rest;
        rest = strchr(entry, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        end = read_entry(table, entry, at);
    }
    free(copy);
    return end;
}

static int read_lines(cost_table *table, FILE *file, place *at)
{
    char *line = NULL;
    size_t room = 0;
    int end = EXIT_DONE;
    while (end == EXIT_DONE && getline(&line, &room, file) >= 0) {
        at->line++;
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t\r\n")] != '\0') {
            end = read_entry(table, line, at);
        }
    }
    free(line);
    return end == EXIT_DONE && ferror(file) != 0 ? refuse_file(at->file, errno) : end;
}

static int read_file(cost_table *table, const invocation *call, const char *path)
{
    place at = {call, path, 0};
    FILE *file = open_once(path);
    if (file == NULL) {
        return refuse_file(path, errno);
    }
    int end = read_lines(table, file, &at);
    if (file != stdin) {
        (void)fclose(file);
    }
    if (end == EXIT_DONE && table->count == 0) {
        say(stderr, "%-s: has no costs; expected one %s a line\n", path, expected);
        end = EXIT_USAGE;
    }
    return end;
}

/* Without a time_unit it is that of the first cost that has one. */
static void choose_unit(cost_table *table)
{
    for (size_t i = 0; i < table->count && table->unit == INLAY_UNIT_NONE; i++) {
        table->unit = table->cost[i].time.unit;
    }
}

int cost_read(const invocation *call, cost_table *table)
{
    const profile_values *values = call->values;
    const place at = {call, NULL, 0};
    const char *said = values->cost;
    int end = EXIT_DONE;
    if (said == NULL) {
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof presets / sizeof *presets && !table->preset; i++) {
        if (strcmp(said, presets[i].name) == 0) {
            table->preset = true;
            said = presets[i].list;
        }
    }
    if (table->preset || (strchr(said, '=') != NULL && access(said, F_OK) != 0)) {
        end = read_list(table, said, &at);
    } else {
        end = read_file(table, call, said);
    }
    choose_unit(table);
    return end;
}

void cost_clear(cost_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->name[i]);
    }
    free(table->name);
    free(table->cost);
    *table = (cost_table){0};
}

/* ---- What a program has ---- */

static bool has_operation(const inlay_program *program, const char *name)
{
    for (int i = 0; i < inlay_program_operations(program); i++) {
        if (strcmp(inlay_program_operation_name(program, i), name) == 0) {
            return true;
        }
    }
    return false;
}

void cost_fit(cost_table *table, const inlay_program *program)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (!table->preset || has_operation(program, table->cost[i].operation)) {
            table->name[kept] = table->name[i];
            table->cost[kept++] = table->cost[i];
        } else {
            free(table->name[i]);
        }
    }
    table->count = kept;
}
