/* The program that counts itself: preprocessed, changed by the library, compiled in a private folder, and run. */
#include "run.h"
#include "compress_values.h"
#include "endings.h"
#include "folder.h"
#include "process.h"
#include "report.h"
#include <errno.h>
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Words for the compiler ---- */

typedef struct build {
    words flags; /* options of the compiler */
    words rest;  /* other files, and what is linked */
} build;

/* Options whose argument may be the next word. */
static bool takes_next(const char *word)
{
    static const char *const options[] = {"-I",       "-D",      "-U",         "-include",
                                          "-isystem", "-iquote", "-idirafter", "-imacros"};
    bool takes = false;
    for (size_t i = 0; i < sizeof options / sizeof *options && !takes; i++) {
        takes = strcmp(word, options[i]) == 0;
    }
    return takes;
}

static bool is_flag(const char *word)
{
    return word[0] == '-' && strncmp(word, "-l", 2) != 0 && strncmp(word, "-L", 2) != 0 &&
           strncmp(word, "-Wl,", 4) != 0 && strcmp(word, "-static") != 0 && strcmp(word, "-rdynamic") != 0;
}

static void sort_words(const char *text, build *b)
{
    words all = {0};
    words_split(&all, text != NULL ? text : "");
    for (size_t i = 0; i < all.count; i++) {
        words *to = is_flag(all.word[i]) ? &b->flags : &b->rest;
        words_add(to, all.word[i]);
        if (takes_next(all.word[i]) && i + 1 < all.count) {
            words_add(to, all.word[++i]);
        }
    }
    b->flags.failed = b->flags.failed || all.failed;
    words_clear(&all);
}

static void add_all(words *to, const words *from)
{
    for (size_t i = 0; i < from->count; i++) {
        words_add(to, from->word[i]);
    }
    to->failed = to->failed || from->failed;
}

/* ---- One program after the other ---- */

typedef struct run_setup {
    const invocation *call;
    const compress_values *values;
    folder where;
    build build;
    size_t files;
    char (*preprocessed)[PATH_MAX], (*written)[PATH_MAX];
    const char **preprocessed_path, **written_path;
    char counters[PATH_MAX], object[PATH_MAX], counts[PATH_MAX], program[PATH_MAX];
} run_setup;

static const char *compiler_of(const run_setup *s)
{
    return s->values->compiler != NULL ? s->values->compiler : "cc";
}

/* The first line that tells an error, else the first one; of a linker's what it misses. */
static void say_error(const run_setup *s, FILE *said)
{
    enum { LINE = 1000 };
    static const char missing[] = "undefined reference";
    char line[LINE], first[LINE] = "it says nothing";
    bool found = false;
    rewind(said);
    for (bool begin = true; !found && fgets(line, sizeof line, said) != NULL; begin = false) {
        found = strstr(line, "error:") != NULL || strstr(line, missing) != NULL;
        if (begin || found) {
            line[strcspn(line, "\n")] = '\0';
            strcpy(first, line);
        }
    }
    const char *lacks = strstr(first, missing);
    if (lacks != NULL) {
        say(stderr, "%-s: %-s; expected the file or the library that has it, or --build with it\n",
            s->call->operands[0], lacks);
    } else {
        say(stderr, "%-s; expected C that %s compiles\n", first, compiler_of(s));
    }
}

/* Run the compiler. An exit status. */
static int compile(const run_setup *s, const words *command, const char *output)
{
    const words settings = {0};
    FILE *said = folder_scratch(&s->where);
    FILE *to = output != NULL ? fopen(output, "wb") : said;
    int end = EXIT_DONE;
    if (said == NULL || to == NULL || command->failed) {
        say(stderr, "inlay compress: %s: files cannot be written there (%s)\n", s->where.path, strerror(errno));
        end = EXIT_SYSTEM;
    } else {
        (void)fflush(NULL);
        process_end ended = process_run(&s->where.guard, command, &settings, NULL, to, said, NULL);
        if (ended.error != 0) {
            end = report_usage(s->call->command, "%s cannot be started (%s); --compiler tells another one",
                               command->word[0], strerror(ended.error));
        } else if (ended.stopped) {
            end = EXIT_SYSTEM;
        } else if (ended.status != 0) {
            say_error(s, said);
            end = EXIT_USAGE;
        }
    }
    if (to != NULL && to != said) {
        (void)fclose(to);
    }
    if (said != NULL) {
        (void)fclose(said);
    }
    return end;
}

static void begin_command(const run_setup *s, words *command)
{
    words_split(command, compiler_of(s));
}

/* -I and -D as the first file has them, or another one. */
static void add_told(words *to, const inlay_counting *counting, size_t file)
{
    const inlay_texts told = inlay_counting_words(counting, file);
    for (size_t i = 0; i < told.count; i++) {
        words_add(to, told.text[i]);
    }
}

static int preprocess(const run_setup *s, const inlay_counting *counting, size_t file)
{
    words command = {0};
    begin_command(s, &command);
    words_add(&command, "-E");
    add_told(&command, counting, file);
    add_all(&command, &s->build.flags);
    words_add(&command, s->call->operands[file]);
    int end = compile(s, &command, s->preprocessed[file]);
    words_clear(&command);
    return end;
}

static int compile_counters(const run_setup *s)
{
    words command = {0};
    const char *const rest[] = {"-w", "-O1", "-c", s->counters, "-o", s->object};
    begin_command(s, &command);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        words_add(&command, rest[i]);
    }
    int end = compile(s, &command, NULL);
    words_clear(&command);
    return end;
}

/* Other files are compiled with it. */
static int link_program(const run_setup *s, const inlay_counting *counting)
{
    words command = {0};
    begin_command(s, &command);
    words_add(&command, "-w");
    words_add(&command, "-O1");
    add_told(&command, counting, 0);
    add_all(&command, &s->build.flags);
    for (size_t i = 0; i < s->files; i++) {
        words_add(&command, s->written[i]);
    }
    words_add(&command, s->object);
    add_all(&command, &s->build.rest);
    words_add(&command, "-lm");
    words_add(&command, "-o");
    words_add(&command, s->program);
    int end = compile(s, &command, NULL);
    words_clear(&command);
    return end;
}

/* ---- The run ---- */

/* The program's output goes to standard error. */
static int start(const run_setup *s, FILE *input, inlay_diag *diag)
{
    enum { SIGNALS = 128, TEXT = 100 };
    const double usual = 60;
    const words settings = {0};
    double limit = s->values->time_limit > 0 ? s->values->time_limit : usual;
    words command = {0};
    words_add(&command, s->program);
    words_split(&command, s->values->run);
    (void)fflush(NULL);
    process_end end = process_run_within(limit, &s->where.guard, &command, &settings, input, stderr, stderr, NULL);
    words_clear(&command);
    if (end.error != 0) {
        say(stderr, "inlay compress: the program cannot be started (%s)\n", strerror(end.error));
        return EXIT_SYSTEM;
    }
    if (end.stopped) {
        return EXIT_SYSTEM;
    }
    if (end.late) {
        say(stderr,
            "inlay compress: the program did not end within %g s, and there are no counts; expected a shorter run, "
            "or a larger --time-limit\n",
            limit);
        return EXIT_NO;
    }
    if (end.status > SIGNALS && access(s->counts, F_OK) != 0) {
        say(stderr,
            "inlay compress: the program was ended by signal %d, and there are no counts; expected a run that "
            "ends\n",
            end.status - SIGNALS);
        return EXIT_NO;
    }
    if (end.status != 0) {
        char text[TEXT];
        (void)snprintf(text, sizeof text, "the program ended with status %d", end.status);
        inlay_diag_add_warning(diag, text);
    }
    return EXIT_DONE;
}

static int start_with_input(const run_setup *s, inlay_diag *diag)
{
    const char *path = s->values->input;
    FILE *input = path != NULL ? open_once(path) : NULL;
    if (path != NULL && input == NULL) {
        say(stderr, "%s: cannot be read (%s); expected the program's input\n", path, strerror(errno));
        return EXIT_USAGE;
    }
    int end = start(s, input, diag);
    if (input != NULL && input != stdin) {
        (void)fclose(input);
    }
    return end;
}

/* ---- The whole ---- */

static int write_program(const run_setup *s, inlay_counting *counting, inlay_diag *diag)
{
    const inlay_counting_files files = {s->preprocessed_path, s->written_path, s->counters, s->counts};
    int end = EXIT_DONE;
    for (size_t i = 0; i < s->files && end == EXIT_DONE; i++) {
        end = preprocess(s, counting, i);
    }
    if (end != EXIT_DONE) {
        return end;
    }
    int status = inlay_counting_write(counting, &files, diag);
    if (status != INLAY_OK) {
        return report_end(s->call, status, diag);
    }
    if (!inlay_counting_has_main(counting) && s->build.rest.count == 0) {
        say(stderr,
            "%s: there is no main(), and a function cannot be run without; expected the file that calls it too, "
            "or in --build\n",
            s->call->operands[0]);
        return EXIT_USAGE;
    }
    end = compile_counters(s);
    return end == EXIT_DONE ? link_program(s, counting) : end;
}

static int count_run(const run_setup *s, inlay_counting *counting, inlay_compression **compression, inlay_diag *diag)
{
    int end = write_program(s, counting, diag);
    end = end == EXIT_DONE ? start_with_input(s, diag) : end;
    if (end != EXIT_DONE) {
        return end;
    }
    int status = inlay_counting_read(counting, s->counts, compression, diag);
    return status == INLAY_OK ? EXIT_DONE : report_end(s->call, status, diag);
}

static int name_files(run_setup *s)
{
    char name[FOLDER_NAME];
    s->preprocessed = calloc(s->files, sizeof *s->preprocessed);
    s->written = calloc(s->files, sizeof *s->written);
    s->preprocessed_path = calloc(s->files, sizeof *s->preprocessed_path);
    s->written_path = calloc(s->files, sizeof *s->written_path);
    if (s->preprocessed == NULL || s->written == NULL || s->preprocessed_path == NULL || s->written_path == NULL) {
        return report_no_memory();
    }
    for (size_t i = 0; i < s->files; i++) {
        (void)snprintf(name, sizeof name, "read-%zu.i", i);
        s->preprocessed_path[i] = folder_file(&s->where, name, s->preprocessed[i]);
        (void)snprintf(name, sizeof name, "counts-%zu.i", i);
        s->written_path[i] = folder_file(&s->where, name, s->written[i]);
    }
    (void)folder_file(&s->where, "counters.c", s->counters);
    (void)folder_file(&s->where, "counters.o", s->object);
    (void)folder_file(&s->where, "counts", s->counts);
    (void)folder_file(&s->where, "program", s->program);
    return EXIT_DONE;
}

static int check_words(const run_setup *s)
{
    for (size_t i = 0; i < s->build.flags.count; i++) {
        const char *word = s->build.flags.word[i];
        if (strncmp(word, "-fopenmp", strlen("-fopenmp")) == 0 || strcmp(word, "-fopenacc") == 0) {
            return report_usage(s->call->command,
                                "--build %s: counts of several threads are not exact; expected it without, so that one "
                                "thread runs",
                                word);
        }
    }
    for (size_t i = 0; i < s->files; i++) {
        if (comes_once(s->call->operands[i])) {
            return report_usage(s->call->command, "--run: %s comes but once; expected a file", s->call->operands[i]);
        }
    }
    return EXIT_DONE;
}

static int set_up(run_setup *s, const inlay_compress_options *options, inlay_compression **compression,
                  inlay_diag *diag)
{
    inlay_counting *counting = NULL;
    int end = check_words(s);
    if (end != EXIT_DONE) {
        return end;
    }
    int status = inlay_counting_new((const char *const *)s->call->operands, s->files, options, &counting, diag);
    if (status != INLAY_OK) {
        return status == INLAY_BAD_ARGUMENT ? report_usage(s->call->command, "--%s", inlay_diag_message(diag))
                                            : report_end(s->call, status, diag);
    }
    if (folder_make(&s->where) != INLAY_OK) {
        say(stderr, "inlay compress: there can be no private folder (%s)\n", strerror(errno));
        end = EXIT_SYSTEM;
    }
    end = end == EXIT_DONE ? name_files(s) : end;
    end = end == EXIT_DONE ? count_run(s, counting, compression, diag) : end;
    inlay_counting_free(counting);
    return end;
}

int compress_by_run(const invocation *call, const inlay_compress_options *options, inlay_compression **compression,
                    inlay_diag *diag)
{
    run_setup s = {.call = call, .values = call->values, .files = (size_t)call->operand_count};
    sigset_t before;
    *compression = NULL;
    sort_words(s.values->build, &s.build);
    endings_hold(&before);
    int end = set_up(&s, options, compression, diag);
    folder_remove(&s.where);
    endings_release(&before);
    words_clear(&s.build.flags);
    words_clear(&s.build.rest);
    free(s.preprocessed);
    free(s.written);
    free(s.preprocessed_path);
    free(s.written_path);
    return end;
}
