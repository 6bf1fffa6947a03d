/* Options: the common ones, and parsing by the table with getopt_long. */
#include "options.h"
#include "allowed.h"
#include "commands.h"
#include "report.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(common_values, name)

static const cli_option json[] = {
    {"json", 0, OPTION_FLAG, NULL, "print the result as JSON", NULL, FIELD(json)},
};
const cli_group result_options = {"Result", json, sizeof json / sizeof *json};

static const cli_option common[] = {
    {"quiet", 'q', OPTION_FLAG, NULL, "no warnings, and no table where a file is written", NULL, FIELD(quiet)},
    {"verbose", 'v', OPTION_FLAG, NULL, "tables in full length", NULL, FIELD(verbose)},
    {"wide", 0, OPTION_FLAG, NULL, "tables with all columns, wider than the terminal", NULL, FIELD(wide)},
    {"seed", 0, OPTION_NUMBER, "N", "seed of everything random", "0", FIELD(seed)},
    {"threads", 0, OPTION_COUNT, "N", "threads to use; results never depend on it", "all cores", FIELD(threads)},
    {"max-memory", 0, OPTION_SIZE, "SIZE", "most memory of the program", "this computer's", FIELD(max_memory)},
    {"max-size", 0, OPTION_SIZE, "SIZE", "most bytes that a packed input may unpack to", "1GiB", FIELD(max_size)},
    {"help", 'h', OPTION_FLAG, NULL, "print this help", NULL, FIELD(help)},
};
const cli_group common_options = {"Common options", common, sizeof common / sizeof *common};

const cli_option *command_option(const cli_command *command, size_t i)
{
    for (size_t g = 0; g < MAX_GROUPS && command->groups[g] != NULL; g++) {
        if (i < command->groups[g]->count) {
            return &command->groups[g]->options[i];
        }
        i -= command->groups[g]->count;
    }
    return NULL;
}

static int find_letter(const cli_command *command, int letter)
{
    const cli_option *option;
    for (int i = 0; (option = command_option(command, (size_t)i)) != NULL; i++) {
        if (option->letter != 0 && option->letter == letter) {
            return i;
        }
    }
    return -1;
}

int command_find_option(const cli_command *command, const char *text)
{
    if (text[0] == '-' && text[1] != '-') {
        return text[1] != '\0' && text[2] == '\0' ? find_letter(command, text[1]) : -1;
    }
    const cli_option *option;
    for (int i = 0; (option = command_option(command, (size_t)i)) != NULL; i++) {
        if (strncmp(text, "--", 2) == 0 && strcmp(option->name, text + 2) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- Words ---- */

bool option_has_words(const cli_option *option)
{
    return option->kind == OPTION_CHOICE || option->kind == OPTION_METHOD;
}

const char *option_argument(const cli_option *option, char words[OPTION_WORDS])
{
    if (option->kind != OPTION_METHOD) {
        return option->argument;
    }
    size_t taken = 0;
    for (size_t i = 0; i < inlay_methods() && taken < OPTION_WORDS; i++) {
        taken +=
            (size_t)snprintf(words + taken, OPTION_WORDS - taken, "%s%s", i > 0 ? "|" : "", inlay_method_at(i)->name);
    }
    return words;
}

/* ---- Values ---- */

/* A whole number in digits alone. */
static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') {
        return false;
    }
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    if (errno != 0 || value < least || value > most) {
        return false;
    }
    *number = value;
    return true;
}

static bool read_duration(const char *text, inlay_duration *duration)
{
    inlay_duration value;
    if (inlay_duration_parse(text, &value) != INLAY_OK || value.value.digits <= 0) {
        return false;
    }
    *duration = value;
    return true;
}

static bool read_seconds(const char *text, bool or_none, double *seconds)
{
    inlay_duration duration;
    if (inlay_duration_parse(text, &duration) != INLAY_OK || duration.value.digits < (or_none ? 0 : 1) ||
        inlay_unit_seconds(duration.unit) <= 0) {
        return false;
    }
    *seconds = inlay_decimal_double(duration.value) * inlay_unit_seconds(duration.unit);
    return true;
}

/* None is less than the default. */
static bool read_effort(const char *text, inlay_effort *effort)
{
    uint64_t evaluations = 0;
    *effort = (inlay_effort){0};
    if (!read_number(text, 0, INT64_MAX, &evaluations)) {
        return read_seconds(text, false, &effort->seconds);
    }
    effort->evaluations = evaluations == 0 ? -1 : (int64_t)evaluations;
    return true;
}

/* A number of 0 or more that is finite, up to a comma or the end; NULL, or what comes behind it. */
static const char *read_finite(const char *text, double *number)
{
    size_t length = strspn(text, "0123456789+-.eE"); /* strtod would also take nan, inf, blanks and 0x1p3 */
    char *end;
    double value = strtod(text, &end);
    if (length == 0 || end != text + length || !(value >= 0) || !isfinite(value)) {
        return NULL;
    }
    *number = fabs(value); /* -0 is 0 */
    return end;
}

static bool are_numbers(const char *list)
{
    double number;
    for (;;) {
        list = read_finite(list, &number);
        if (list == NULL || (*list != ',' && *list != '\0')) {
            return false;
        }
        if (*list++ == '\0') {
            return true;
        }
    }
}

bool next_number(const char **list, double *number)
{
    if (*list == NULL) {
        return false;
    }
    const char *end = read_finite(*list, number);
    *list = end != NULL && *end == ',' ? end + 1 : NULL;
    return end != NULL;
}

static bool read_choice(const char *text, const char *words, int *choice)
{
    size_t size = strlen(text);
    for (int i = 0;; i++) {
        size_t length = strcspn(words, "|");
        if (length == size && strncmp(words, text, size) == 0) {
            *choice = i;
            return true;
        }
        if (words[length] == '\0') {
            return false;
        }
        words += length + 1;
    }
}

static const char *add_text(const char *text, text_list *list)
{
    if (text[0] == '\0') {
        return "something that is not empty";
    }
    if (list->count == MAX_TEXTS) {
        return "it at most 64 times";
    }
    list->text[list->count++] = text;
    return NULL;
}

/* Fills the option's field; NULL, or what was expected. */
static const char *set_value(const cli_option *option, const char *text, void *values, char words[OPTION_WORDS])
{
    void *field = (char *)values + option->offset;
    uint64_t number = 0;
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)field = true; return NULL;
    case OPTION_STRING: *(const char **)field = text; return text[0] != '\0' ? NULL : "something that is not empty";
    case OPTION_ARGUMENTS: *(const char **)field = text; return NULL;
    case OPTION_TEXTS: return add_text(text, field);
    case OPTION_COUNT:
        if (!read_number(text, 1, INT32_MAX, &number)) return "a whole number from 1 to 2147483647";
        *(inlay_id *)field = (inlay_id)number;
        return NULL;
    case OPTION_NUMBER:
        return read_number(text, 0, INT64_MAX, field) ? NULL : "a whole number from 0 to 9223372036854775807";
    case OPTION_SIZE:
        return inlay_bytes_parse(text, field) == INLAY_OK && *(int64_t *)field > 0 ? NULL : "a size such as 64MiB";
    case OPTION_DURATION:
        ((duration_value *)field)->given = true;
        return read_duration(text, &((duration_value *)field)->value) ? NULL : "a time above 0, such as 464 or 2.5ms";
    case OPTION_SECONDS: return read_seconds(text, false, field) ? NULL : "a time above 0 with a unit, such as 1us";
    case OPTION_EFFORT: return read_effort(text, field) ? NULL : "a whole number, or a time such as 2s";
    case OPTION_FLOPS:
        return inlay_flops_parse(text, field) == INLAY_OK ? NULL : "operations a second with a unit, such as 1Gf";
    case OPTION_SECONDS_OR_NONE:
        return read_seconds(text, true, field) ? NULL : "a time with a unit, such as 1us or 0s";
    case OPTION_NUMBERS:
        *(const char **)field = text;
        return are_numbers(text) ? NULL : "numbers, 0 or more, separated by commas, such as 0.5,0.9";
    case OPTION_METHOD:
        *(const inlay_method **)field = inlay_method_named(text);
        return *(const inlay_method **)field != NULL ? NULL : option_argument(option, words);
    case OPTION_CHOICE: return read_choice(text, option->argument, field) ? NULL : option->argument;
    }
    return "nothing";
}

/* ---- Reading ---- */

/* What getopt_long takes. An option's value is its number + NUMBERS, beyond all letters. */
enum { NUMBERS = 256, LONGEST_OPTION = 128, ELSEWHERE = 128 };
typedef struct getopt_tables {
    struct option names[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 3];
} getopt_tables;

static void make_tables(const cli_command *command, getopt_tables *tables)
{
    memset(tables, 0, sizeof *tables);
    char *letter = tables->letters;
    if (command->operands[0].command) {
        *letter++ = '+'; /* options end at the first operand */
    }
    *letter++ = ':'; /* a missing argument is told apart from an unknown option */
    const cli_option *option;
    for (size_t i = 0; i < MAX_OPTIONS && (option = command_option(command, i)) != NULL; i++) {
        int argument = option->kind == OPTION_FLAG ? no_argument : required_argument;
        tables->names[i] = (struct option){option->name, argument, NULL, NUMBERS + (int)i};
        if (option->letter != 0) {
            *letter++ = option->letter;
            if (argument == required_argument) {
                *letter++ = ':';
            }
        }
    }
}

/* Which commands have an option that this one has not, where they are few: "; inlay simulate has it". */
static void find_others(const char *word, char text[ELSEWHERE])
{
    const cli_command *command;
    int count = 0, length = snprintf(text, ELSEWHERE, "; inlay");
    for (size_t i = 0; (command = command_at(i)) != NULL && count <= 2; i++) {
        if (command_find_option(command, word) >= 0 && count++ < 2) {
            length +=
                snprintf(text + length, ELSEWHERE - (size_t)length, "%s %s", count > 1 ? " and" : "", command->name);
        }
    }
    (void)snprintf(text + length, ELSEWHERE - (size_t)length, "%s it", count > 1 ? " have" : " has");
    text[count > 0 && count <= 2 ? ELSEWHERE - 1 : 0] = '\0';
}

/* "--word" is no long option, or begins several: those that may have been meant are offered. */
static int complain_of_name(const cli_command *command, const char *given)
{
    char word[LONGEST_OPTION], nearest[2 * LONGEST_OPTION], elsewhere[ELSEWHERE] = "";
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    const char *known[MAX_OPTIONS], *name = word + 2;
    bool begun = false;
    size_t count = 0;
    for (const cli_option *option; count < MAX_OPTIONS && (option = command_option(command, count)) != NULL; count++) {
        known[count] = option->name;
        begun = begun || (*name != '\0' && strncmp(option->name, name, strlen(name)) == 0);
    }
    inlay_nearest(name, known, count, "--", nearest, sizeof nearest);
    if (nearest[0] == '\0') {
        find_others(word, elsewhere);
    }
    return report_usage(command, "%s option '%s'%s%s", begun ? "ambiguous" : "unknown", word, nearest, elsewhere);
}

/* getopt_long met something wrong at `word`: `code` is what it returned. */
static int complain(const cli_command *command, int code, const char *word)
{
    int known = optopt >= NUMBERS ? optopt - NUMBERS : find_letter(command, optopt);
    if (code == ':') {
        const cli_option *option = command_option(command, (size_t)known);
        return report_usage(command, "option '%s' needs its argument %s", word, option->argument);
    }
    int length = (int)strcspn(word, "=");
    if (optopt == 0) {
        return complain_of_name(command, word);
    }
    if (known >= 0) {
        return report_usage(command, "option '%.*s' takes no argument", length, word);
    }
    return report_usage(command, "unknown option '-%c'", optopt);
}

static int read_options(invocation *call, int count)
{
    const cli_command *command = call->command;
    getopt_tables tables;
    make_tables(command, &tables);
    opterr = 0;
    optind = 1;
    int code;
    while ((code = getopt_long(count, call->words, tables.letters, tables.names, NULL)) != -1) {
        int number = code >= NUMBERS ? code - NUMBERS : find_letter(command, code);
        if (code == '?' || code == ':') {
            return complain(command, code, call->words[optind - 1]);
        }
        const cli_option *option = command_option(command, (size_t)number);
        char words[OPTION_WORDS];
        const char *expected = set_value(option, optarg, call->values, words);
        if (expected != NULL) {
            return report_usage(command, "--%s %s: expected %s", option->name, optarg, expected);
        }
        call->given[number] = optarg;
        if (call->common->help) {
            break;
        }
    }
    call->operands = call->words + optind;
    call->operand_count = count - optind;
    return EXIT_DONE;
}

static int check_operands(const invocation *call)
{
    const cli_operand *operand = call->command->operands;
    bool repeats = false;
    int most = 0;
    for (; most < MAX_OPERANDS && operand[most].name != NULL; most++) {
        if (most >= call->operand_count && !operand[most].optional) {
            return report_missing(call->command, (size_t)most);
        }
        repeats = operand[most].repeats;
    }
    if (call->operand_count > most && !repeats) {
        return report_usage(call->command, "'%s' is one operand too many", call->operands[most]);
    }
    return EXIT_DONE;
}

int invocation_read(const cli_command *command, int argc, char *const *argv, int at, invocation *call)
{
    *call = (invocation){.command = command, .argv = argv, .argc = argc};
    call->values = calloc(1, command->values_size);
    call->words = calloc((size_t)(argc - at) + 1, sizeof *call->words);
    call->common = call->values;
    if (call->values == NULL || call->words == NULL) {
        return report_no_memory();
    }
    for (int i = at; i < argc; i++) {
        call->words[i - at] = argv[i];
    }
    int status = read_options(call, argc - at);
    if (status == EXIT_DONE) {
        limit_calls(call->common->max_size, call->common->max_memory);
        table_show_all(call->common->wide);
    }
    if (status == EXIT_DONE && !call->common->help) {
        status = check_operands(call);
    }
    return status;
}

void invocation_clear(invocation *call)
{
    free(call->values);
    free(call->words);
    *call = (invocation){0};
}
