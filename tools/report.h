/*
 * What all commands print: diagnostics on standard error, plain text elsewhere.
 *
 * Nobody looks at the result of a single print: finish_output() asks once, at the end, whether all of it went out.
 */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include "options.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/**
 * fprintf without a result. `%-s` is a text without the characters that would command a terminal; `%#.7g` has 7 digits, and
 * no exponent where a number has as many before the point (figure_text()).
 */
void say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_all(FILE *to, const char *format, va_list values);

/** A number of 1 or more and below 1e15 without an exponent, any other one with so many digits. Returns `text`. */
enum { FIGURE = 32 };
char *figure_text(double number, int digits, char text[FIGURE]);

/** A fraction as "0.4 %", of small ones "0.012 %"; "+0.4 %" where a sign is wanted. Returns `text`. */
char *percent_figure(double fraction, bool sign, char text[FIGURE]);

/** `inlay COMMAND: text; see 'inlay COMMAND --help'`. Returns EXIT_USAGE. `command` NULL: inlay itself. */
int report_usage(const cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The i-th operand is missing, and what may stand there. Returns EXIT_USAGE. */
int report_missing(const cli_command *command, size_t i);

/** Returns EXIT_SYSTEM. */
int report_no_memory(void);

/**
 * End of a call: the warnings (unless --quiet), and where `status` (of the library) is a failure its message and, where
 * the library knows a remedy, as the last line the user's own command changed so that it works. Returns the exit status.
 */
int report_end(const invocation *call, int status, const inlay_diag *diag);

/** `try: ` and the command as typed, with an option ("-T") or operand ("MACHINE") set to `value`: replaced, or added. */
void report_remedy(const invocation *call, const char *name, const char *value);

/** The same with all remedies of a diagnostic; nothing where there are none. */
void report_remedies(const invocation *call, const inlay_diag *diag);

/** Close standard output, then put files in their places; EXIT_SYSTEM with a message where one fails, else `status`. */
int finish_output(int status);

/** For the rest of the process: tables are as wide as they are (--wide). */
void table_show_all(bool wide);

/** Columns of the terminal that `to` is, 80 where it is none; what a table may take of it. */
size_t output_width(FILE *to);
size_t table_limit(FILE *to);

/** Whether it is a terminal with colours, which nobody has forbidden by NO_COLOR or TERM=dumb. Few things have a colour. */
bool output_is_coloured(FILE *to);
#define COLOUR_GOOD "\033[1;32m"
#define COLOUR_BAD  "\033[33m"
#define COLOUR_END  "\033[0m"

/** Columns that a text takes. */
size_t text_width(const char *text);

/** What a line is about, in so many columns and a blank. */
void say_label(FILE *to, int width, const char *text);

/** A word as a shell reads it back. */
void say_quoted(FILE *to, const char *word);

/** Print text without characters that would command a terminal. */
void say_safely(FILE *to, const char *text);

/**
 * Print paragraphs (separated by '\n'), broken between words so that lines of at most `width` come out, each behind
 * `indent` blanks; on the first line `at` columns are taken already.
 */
void say_wrapped(FILE *to, const char *paragraphs, size_t at, size_t indent, size_t width);

/** The same for one paragraph behind `indent` columns, without a line break at its end; lines have `width` more. */
void say_lines(FILE *to, const char *text, size_t indent, size_t width);

/** A time as the exact decimal that it is, in the unit of the application. Returns `text`. */
enum { TIME_TEXT = 40 };
char *time_text(const inlay_app *app, inlay_time time, char text[TIME_TEXT]);

/** A size: "0", "640 B", "4 KiB", "1.5 MiB". Returns `text`. */
enum { BYTES_TEXT = 32 };
char *bytes_text(int64_t bytes, char text[BYTES_TEXT]);

/* ---- A rank of a program of ours ---- */

void rank_be_silent(void); /**< nothing that is printed from here on comes out */
bool rank_is_other(void);  /**< whether a launcher says, before MPI is asked, that this is not the first rank */

#endif
