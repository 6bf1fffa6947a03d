/* Diagnostics, and the small things that every printing command needs. */
#include "report.h"
#include "allowed.h"
#include "output.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- Formats ---- */

char *figure_text(double number, int digits, char text[FIGURE])
{
    const double whole = 1e15;
    (void)snprintf(text, FIGURE, "%.*g", digits, number);
    if (strchr(text, 'e') != NULL && number >= 1 && number < whole) {
        (void)snprintf(text, FIGURE, "%.0f", number);
    }
    return text;
}

/* NOLINTBEGIN(clang-analyzer-valist.Uninitialized,bugprone-branch-clone): say_all() has begun the list; types differ */

/* Prints one value. `form` is its conversion, whose stars are numbers already, and `last` its last letter. */
static void say_value(FILE *to, const char *form, char last, va_list *values)
{
    char text[FIGURE];
    const char *precision = strchr(form, '.');
    if (last == '%') {
        (void)fputc('%', to);
    } else if (strcmp(form, "%-s") == 0) {
        say_safely(to, va_arg(*values, const char *));
    } else if (last == 's') {
        (void)fprintf(to, form, va_arg(*values, const char *));
    } else if (strchr("gfe", last) != NULL && form[1] == '#' && precision != NULL) {
        (void)fputs(figure_text(va_arg(*values, double), (int)strtol(precision + 1, NULL, 10), text), to);
    } else if (strchr("gfe", last) != NULL) {
        (void)fprintf(to, form, va_arg(*values, double));
    } else if (strchr(form, 'z') != NULL || strchr(form, 'l') != NULL) {
        (void)fprintf(to, form, va_arg(*values, long)); /* size_t and long long are as long */
    } else {
        (void)fprintf(to, form, va_arg(*values, int));
    }
}

/* NOLINTEND(clang-analyzer-valist.Uninitialized,bugprone-branch-clone) */

void say_all(FILE *to, const char *format, va_list values)
{
    enum { LONGEST = 64 };
    if (strstr(format, "%-s") == NULL && strstr(format, "%#") == NULL) {
        (void)vfprintf(to, format, values); /* at once: a line of standard error stays whole */
        return;
    }
    va_list rest;
    va_copy(rest, values);
    for (size_t plain; *format != '\0';) {
        char form[LONGEST] = "%";
        plain = strcspn(format, "%");
        (void)fwrite(format, 1, plain, to);
        format += plain;
        size_t length = *format != '\0';
        while (length > 0 && length + 16 < LONGEST && *++format != '\0') {
            length += (size_t)(*format == '*' ? snprintf(form + length, LONGEST - length, "%d", va_arg(rest, int))
                                              : snprintf(form + length, LONGEST - length, "%c", *format));
            if (strchr("diuxgfecs%", *format) != NULL) {
                say_value(to, form, *format++, &rest);
                break;
            }
        }
    }
    va_end(rest);
}

void say(FILE *to, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say_all(to, format, values);
    va_end(values);
}

char *percent_figure(double fraction, bool sign, char text[FIGURE])
{
    (void)snprintf(text, FIGURE, sign ? "%+.*f %%" : "%.*f %%", fabs(fraction) < 0.001 ? 3 : 1, 100 * fraction);
    return text;
}

void say_label(FILE *to, int width, const char *text)
{
    say(to, "%-*s ", width, text);
}

void say_safely(FILE *to, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        bool control = (unsigned char)*c < ' ' || *c == 127;
        (void)fputc(control ? '?' : *c, to);
    }
}

/* ---- Diagnostics ---- */

int report_usage(const cli_command *command, const char *format, ...)
{
    const char *name = command != NULL ? command->name : "";
    const char *blank = command != NULL ? " " : "";
    char message[512]; /* a longer word of the user's is cut */
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    say(stderr, "inlay%s%s: ", blank, name);
    say_safely(stderr, message);
    say(stderr, "; see 'inlay%s%s --help'\n", blank, name);
    return EXIT_USAGE;
}

int report_missing(const cli_command *command, size_t i)
{
    const cli_operand *operand = &command->operands[i];
    bool machine = strcmp(operand->name, "MACHINE") == 0 && strstr(operand->help, "bus:") != NULL;
    return report_usage(command, "%s is missing; expected %s", operand->name,
                        machine ? "one such as bus:4 or mesh:4x4,capacity=1GB/s, a file, or host" : operand->help);
}

int report_no_memory(void)
{
    say(stderr, "inlay: out of memory%s\n", said_of_memory());
    return EXIT_SYSTEM;
}

/* Whether a message begins with something that the user named, as a file or a machine. */
static bool begins_with_place(const invocation *call, const char *message)
{
    for (int i = 0; i < call->operand_count + MAX_OPTIONS; i++) {
        const char *name = i < MAX_OPTIONS ? call->given[i] : call->operands[i - MAX_OPTIONS];
        size_t length = name != NULL ? strlen(name) : 0;
        if (length > 0 && strncmp(message, name, length) == 0 && message[length] == ':') {
            return true;
        }
    }
    return false;
}

void say_quoted(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        say(to, "%s", word);
        return;
    }
    say(to, "'");
    for (const char *c = word; *c != '\0'; c++) {
        say(to, *c == '\'' ? "'\\''" : "%c", *c);
    }
    say(to, "'");
}

/* Where the argument `given` of an option stands in a word of argv ("-T", "464" or "-T464"): its offset, or -1. */
static ptrdiff_t offset_in_word(const char *word, const char *given)
{
    uintptr_t begin = (uintptr_t)word;
    uintptr_t at = (uintptr_t)given;
    return given != NULL && at >= begin && at <= begin + strlen(word) ? (ptrdiff_t)(at - begin) : -1;
}

static bool is_end_of_options(const invocation *call, const char *word)
{
    bool argument = false;
    for (size_t i = 0; i < MAX_OPTIONS; i++) {
        argument = argument || call->given[i] == word;
    }
    return strcmp(word, "--") == 0 && !argument;
}

/* What the user gave for an option ("-T"; NULL where it was not given) or an operand ("MACHINE"); false: no such name. */
static bool find_given(const invocation *call, const char *name, const char **given)
{
    for (int i = 0; name[0] != '-' && i < MAX_OPERANDS && call->command->operands[i].name != NULL; i++) {
        if (strcmp(call->command->operands[i].name, name) == 0) {
            *given = call->operands[i];
            return true;
        }
    }
    int number = name[0] == '-' ? command_find_option(call->command, name) : -1;
    *given = number < 0 ? NULL : call->given[number];
    return number >= 0;
}

/* A remedy, and what it replaces. */
typedef struct change {
    const char *name, *value, *given;
    bool set;
} change;

/* A word as typed, or with the remedy that replaces its end. */
static void say_word(const char *word, change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t offset = offset_in_word(word, changes[i].given);
        if (offset >= 0) {
            say(stderr, " %.*s", (int)offset, word);
            say_quoted(stderr, changes[i].value);
            changes[i].set = true;
            return;
        }
    }
    say(stderr, " ");
    say_quoted(stderr, word);
}

/* Those that replace nothing are added. */
static void say_additions(change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!changes[i].set) {
            say(stderr, " %s", changes[i].name);
            if (changes[i].value[0] != '\0') { /* else a flag */
                say(stderr, " ");
                say_quoted(stderr, changes[i].value);
            }
            changes[i].set = true;
        }
    }
}

static void say_command(const invocation *call, change *changes, size_t count)
{
    say(stderr, "try:");
    for (int i = 0; i < call->argc; i++) {
        if (is_end_of_options(call, call->argv[i])) {
            say_additions(changes, count);
        }
        say_word(call->argv[i], changes, count);
    }
    say_additions(changes, count);
    say(stderr, "\n");
}

/* A line break would end the line that is to be pasted. */
static bool fits_a_line(const invocation *call)
{
    bool fits = true;
    for (int i = 0; i < call->argc; i++) {
        for (const char *c = call->argv[i]; *c != '\0'; c++) {
            fits = fits && (unsigned char)*c >= ' ' && *c != 127;
        }
    }
    return fits;
}

/* Nothing is proposed where the command does not have one of the options. */
static void propose(const invocation *call, change *changes, size_t count)
{
    bool all = count > 0 && fits_a_line(call);
    for (size_t i = 0; i < count; i++) {
        all = all && find_given(call, changes[i].name, &changes[i].given);
    }
    if (all) {
        say_command(call, changes, count);
    }
}

void report_remedy(const invocation *call, const char *name, const char *value)
{
    change one = {.name = name, .value = value};
    propose(call, &one, 1);
}

void report_remedies(const invocation *call, const inlay_diag *diag)
{
    enum { MOST = 8 };
    change changes[MOST] = {0};
    size_t count = 0;
    for (; count < MOST && count < inlay_diag_remedies(diag); count++) {
        changes[count].name = inlay_diag_remedy_option_at(diag, count);
        changes[count].value = inlay_diag_remedy_value_at(diag, count);
    }
    propose(call, changes, count);
}

int report_end(const invocation *call, int status, const inlay_diag *diag)
{
    for (size_t i = 0; i < inlay_diag_warnings(diag) && !call->common->quiet; i++) {
        bool coloured = output_is_coloured(stderr);
        say(stderr, "%sinlay: warning:%s %s\n", coloured ? COLOUR_BAD : "", coloured ? COLOUR_END : "",
            inlay_diag_warning(diag, i));
    }
    if (status == INLAY_OK) {
        if (!call->common->quiet) {
            report_remedies(call, diag); /* of a warning: what would do better */
        }
        return EXIT_DONE;
    }
    const char *message = inlay_diag_message(diag);
    if (message[0] == '\0') {
        message = inlay_status_text(status);
    } else if (status == INLAY_BAD_INPUT || begins_with_place(call, message)) {
        say(stderr, "%s\n", message);
        message = NULL;
    }
    if (message != NULL) {
        say(stderr, "inlay: %s%s\n", message, status == INLAY_NO_MEMORY ? said_of_memory() : "");
    }
    if (status == INLAY_NO_ANSWER) {
        report_remedies(call, diag);
    }
    return inlay_exit_status(status);
}

int finish_output(int status)
{
    errno = 0;
    bool failed = ferror(stdout) != 0;
    failed = fclose(stdout) != 0 || failed;
    if (failed) {
        say(stderr, "inlay: standard output: cannot be written (%s)\n",
            errno != 0 ? strerror(errno) : "earlier output failed");
    }
    return output_commit(failed ? EXIT_SYSTEM : status);
}

/* ---- Widths ---- */

static bool tables_are_wide;

void table_show_all(bool wide)
{
    tables_are_wide = wide;
}

/* What COLUMNS says counts before what the terminal does; a file or pipe has 80 whatever they say: same bytes. */
size_t output_width(FILE *to)
{
    enum { USUAL = 80, LEAST = 40, MOST = 10000 };
    struct winsize size;
    int file = fileno(to);
    if (!isatty(file)) {
        return USUAL;
    }
    const char *given = getenv("COLUMNS");
    long columns = given != NULL ? strtol(given, NULL, 10) : 0;
    if (columns < LEAST || columns > MOST) {
        columns = ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    }
    return columns >= LEAST ? (size_t)columns : USUAL;
}

size_t table_limit(FILE *to)
{
    return tables_are_wide ? SIZE_MAX : output_width(to);
}

bool output_is_coloured(FILE *to)
{
    const char *forbidden = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fileno(to)) && (forbidden == NULL || forbidden[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (const char *c = text; *c != '\0'; c++) {
        width += ((unsigned char)*c & 0xC0) != 0x80; /* bytes that go on with a UTF-8 character take no column */
    }
    return width;
}

void say_wrapped(FILE *to, const char *paragraphs, size_t at, size_t indent, size_t width)
{
    size_t column = at;
    bool begins = true; /* the next word begins a line */
    for (const char *word = paragraphs; *word != '\0';) {
        int length = (int)strcspn(word, " \n");
        if (!begins && column + 1 + (size_t)length > width) {
            say(to, "\n");
            begins = true;
            column = 0;
        }
        size_t blanks = column < indent ? indent - column : !begins;
        say(to, "%*s%.*s", (int)blanks, "", length, word);
        column += blanks + (size_t)length;
        begins = false;
        word += length;
        if (*word == '\n') {
            say(to, "\n");
            begins = true;
            column = 0;
        }
        word += *word != '\0';
    }
    say(to, "\n");
}

/* The bytes of the first characters of a text, up to `most`. */
static size_t bytes_of(const char *text, size_t bytes, size_t most)
{
    size_t at = 0;
    for (size_t taken = 0; at < bytes; at++) {
        taken += ((unsigned char)text[at] & 0xC0) != 0x80;
        if (taken > most) {
            break;
        }
    }
    return at;
}

void say_lines(FILE *to, const char *text, size_t indent, size_t width)
{
    size_t column = 0;
    for (const char *word = text; *word != '\0';) {
        size_t whole = strcspn(word, " ");
        whole += strncmp(word + whole, " %", 2) == 0 ? 2 + strcspn(word + whole + 2, " ") : 0; /* "4 %" */
        size_t length = bytes_of(word, whole, width); /* a longer word is broken, too */
        char one[1024];
        (void)snprintf(one, sizeof one, "%.*s", (int)length, word);
        size_t needed = text_width(one);
        bool breaks = column > 0 && column + 1 + needed > width;
        say(to, breaks ? "\n%*s" : "%*s", breaks ? (int)indent : column > 0, "");
        say(to, "%-s", one);
        column = breaks || column == 0 ? needed : column + 1 + needed;
        word += length;
        word += *word == ' ';
    }
}

/* ---- Numbers as text ---- */

char *time_text(const inlay_app *app, inlay_time time, char text[TIME_TEXT])
{
    int places = inlay_app_decimals(app);
    inlay_time one = 1;
    for (int i = 0; i < places; i++) {
        one *= 10;
    }
    inlay_time rest = time % one;
    int length = snprintf(text, TIME_TEXT, "%" PRId64, time / one);
    if (rest != 0) {
        while (rest % 10 == 0) {
            rest /= 10;
            places--;
        }
        (void)snprintf(text + length, TIME_TEXT - (size_t)length, ".%0*" PRId64, places, rest);
    }
    return text;
}

char *bytes_text(int64_t bytes, char text[BYTES_TEXT])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    (void)snprintf(text, BYTES_TEXT, bytes == 0 ? "0" : "%.4g %s", value, units[unit]);
    return text;
}

/* ---- Ranks ---- */

void rank_be_silent(void)
{
    if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) {
        _Exit(EXIT_SYSTEM);
    }
}

bool rank_is_other(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    const char *rank = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && rank == NULL; i++) {
        rank = getenv(names[i]);
    }
    return rank != NULL && strcmp(rank, "0") != 0;
}
