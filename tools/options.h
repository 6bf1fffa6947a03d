/*
 * The table of commands and options, and parsing by it.
 *
 * A command is one cli_command: its operands, its groups of options and the function that does it. Parsing, help, manual
 * pages and completion read the same table. Option values go to a structure of the command's own, whose first member is
 * a common_values.
 */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <inlay/mapping.h>
#include <inlay/result.h>
#include <stdio.h>

/** Exit statuses that the tools themselves decide on; others come from inlay_exit_status(). */
enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_USAGE = 2, EXIT_SYSTEM = 3 };

/** What an option takes, and the type of the field that it fills. */
typedef enum option_kind {
    OPTION_FLAG,            /**< nothing: bool */
    OPTION_STRING,          /**< any text: const char *, NULL where not given */
    OPTION_ARGUMENTS,       /**< any text, also an empty one: const char *, NULL where not given */
    OPTION_TEXTS,           /**< any text, as often as it is given: text_list */
    OPTION_COUNT,           /**< a whole number from 1: inlay_id, 0 where not given */
    OPTION_NUMBER,          /**< a whole number from 0: uint64_t */
    OPTION_SIZE,            /**< bytes above 0, alone or with a unit: int64_t, 0 where not given */
    OPTION_DURATION,        /**< an exact time above 0: duration_value */
    OPTION_SECONDS,         /**< a time above 0 with a unit: double in seconds, 0 where not given */
    OPTION_FLOPS,           /**< operations a second with their unit: double, 0 where not given */
    OPTION_EFFORT,          /**< a whole number from 0, or a time above 0 with a unit: inlay_effort */
    OPTION_SECONDS_OR_NONE, /**< the same from 0 on; the invocation knows whether it was given */
    OPTION_NUMBERS,         /**< finite numbers from 0, separated by commas: const char *, for next_number() */
    OPTION_METHOD,          /**< a method's name: const inlay_method *, NULL where not given */
    OPTION_CHOICE           /**< one of the words in `argument`: int, its place from 0, which is the default */
} option_kind;

typedef struct duration_value {
    bool given;
    inlay_duration value;
} duration_value;

enum { MAX_TEXTS = 64 };

typedef struct text_list {
    size_t count;
    const char *text[MAX_TEXTS];
} text_list;

typedef struct cli_option {
    const char *name; /**< without the dashes */
    char letter;      /**< 0 where there is none */
    option_kind kind;
    const char *argument; /**< its name in help; for a choice the words, separated by '|'; of a method NULL */
    const char *help;     /**< a phrase without a full stop */
    const char *initial;  /**< the default as help shows it, or NULL. A choice's default is its first word */
    size_t offset;        /**< of the field in the command's values */
} cli_option;

/** Options that stand together in help, shared by as many commands as take them. */
typedef struct cli_group {
    const char *title;
    const cli_option *options;
    size_t count;
} cli_group;

typedef struct cli_operand {
    const char *name;
    const char *help;
    bool optional;
    bool repeats; /**< any number of them; only the last operand may */
    bool word;    /**< a name, never a file */
    bool command; /**< a program: behind it no word is an option of ours */
} cli_operand;

typedef struct invocation invocation;

/** A command's result, with what was asked. */
typedef struct cli_answer {
    const invocation *call;
    const void *of;   /**< of the command's own type */
    inlay_diag *diag; /**< a writer may warn and tell what failed; JSON has its warnings */
} cli_answer;

/** A way in which a command gives its result out. */
typedef struct cli_output {
    const char *name; /**< as messages name it: "--csv", "-o", "JSON" */
    size_t path;      /**< offset of its path in the command's values; 0: it has none, and is what --json prints */
    bool is_json;     /**< --json prints it where it has no path */
    bool always;      /**< it goes to standard output where it has no path */
    int (*write)(const cli_answer *a, const char *path); /**< by the library. A status; NULL: it is read */
} cli_output;

enum { MAX_GROUPS = 8, MAX_OPERANDS = 3, MAX_OPTIONS = 48 };

typedef struct cli_command {
    const char *name;
    const char *summary;     /**< one phrase */
    const char *description; /**< paragraphs, separated by '\n' */
    const char *example;     /**< command lines that run where graphs/ and architectures/ are, separated by '\n' */
    cli_operand operands[MAX_OPERANDS];   /**< up to the first without a name */
    const cli_group *groups[MAX_GROUPS];  /**< up to the first NULL */
    size_t values_size;                   /**< of the structure that the options fill */
    const cli_output *outputs;            /**< up to the first without a name; NULL: none */
    const char *inputs;                   /**< what outputs must differ from, where it is not "the inputs" */
    int (*print)(const cli_answer *a);    /**< the table for people. A status of the library */
    int (*check)(const invocation *call); /**< all about the options that needs no file. An exit status; may be NULL */
    /**
     * The question, the call of the library, and give_out(). A status of the library, or the exit status (above 0) where
     * it has said what is wrong.
     */
    int (*answer)(const invocation *call, inlay_diag *diag);
    int (*run)(const invocation *call); /**< in place of all that: gives the exit status */
} cli_command;

/** Takes the next number off the text of an OPTION_NUMBERS; false at its end (NULL is an empty list). */
bool next_number(const char **list, double *number);

/** What every command takes. */
typedef struct common_values {
    bool json, quiet, verbose, wide, help;
    uint64_t seed;
    inlay_id threads;
    int64_t max_size, max_memory;
    const char *png, *pdf; /**< of what draws: raster.h */
} common_values;

extern const cli_group result_options; /**< --json: for commands that have a result object */
extern const cli_group common_options;

/** One call of a command. The strings are those of argv. */
struct invocation {
    const cli_command *command;
    const common_values *common; /**< the same as `values` */
    void *values;                /**< the command's own structure; ours */
    char *const *argv;           /**< the words as typed, the program first */
    int argc;
    char **words;    /**< the same from the command on, operands last; ours */
    char **operands; /**< in `words` */
    int operand_count;
    const char *given[MAX_OPTIONS]; /**< each option's last argument, as it stands in argv; NULL where there is none */
};

/** What an option takes as help shows it: its argument, or the words that there are, separated by '|'. */
enum { OPTION_WORDS = 256 };
const char *option_argument(const cli_option *option, char words[OPTION_WORDS]);

/** Whether it takes one of several words, of which the first is the default. */
bool option_has_words(const cli_option *option);

/** The i-th option of a command over all its groups, NULL behind the last. */
const cli_option *command_option(const cli_command *command, size_t i);

/** The number of an option as messages name it ("-T", "--processors"), or -1 where the command does not have it. */
int command_find_option(const cli_command *command, const char *text);

/**
 * Read the words of a command: argv[at] is its name. What is wrong is said on standard error.
 * Returns an exit status; EXIT_DONE also where --help stands, which ends the reading. Clear `call` in every case.
 */
int invocation_read(const cli_command *command, int argc, char *const *argv, int at, invocation *call);
void invocation_clear(invocation *call);

#endif
