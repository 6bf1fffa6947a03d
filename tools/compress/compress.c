/*
 * inlay-compress: `inlay compress` starts it with its own words. It counts the arithmetic and the mathematical functions
 * of C functions and writes short loops that do as many.
 */
#include "compress.h"
#include "answer.h"
#include "commands.h"
#include "output.h"
#include "reader.h"
#include "report.h"
#include <stdlib.h>
#include <string.h>

/* ---- What the user tells ---- */

static int read_given(const invocation *call, given *g)
{
    const compress_values *values = call->values;
    const struct {
        const char *option;
        const text_list *texts;
        const char *expected;
        given_kind kind;
        given_list *list;
    } lists[] = {
        {"define", &values->definitions, "NAME=VALUE, such as n=100", GIVEN_DEFINITION, &g->definitions},
        {"trip", &values->trips, "LINE=N, such as 12=100", GIVEN_TRIPS, &g->trips},
        {"call", &values->calls, "NAME=ARITHMETIC:FUNCTIONS, such as norm=20:1", GIVEN_CALLS, &g->calls},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const char *wrong = "";
        int length = 0, status = INLAY_OK;
        for (size_t k = 0; k < lists[i].texts->count && status == INLAY_OK; k++) {
            status = given_read(lists[i].texts->text[k], lists[i].kind, lists[i].list, &wrong, &length);
        }
        if (status == INLAY_BAD_ARGUMENT) {
            return report_usage(&compress_command, "--%s %.*s: expected %s", lists[i].option, length, wrong,
                                lists[i].expected);
        }
        if (status != INLAY_OK) {
            return report_no_memory();
        }
    }
    return EXIT_DONE;
}

/* ---- Words for libclang ---- */

typedef struct word_list {
    char **word; /**< each ours */
    int count, room;
} word_list;

static void words_clear(word_list *words)
{
    for (int i = 0; i < words->count; i++) {
        free(words->word[i]);
    }
    free(words->word);
    *words = (word_list){0};
}

/* Two texts as one word. */
static int add_word(word_list *words, const char *begin, const char *text, size_t length)
{
    size_t size = strlen(begin) + length + 1;
    char *word = malloc(size);
    if (word == NULL || !grow(&words->word, words->count, &words->room, sizeof *words->word)) {
        free(word);
        return INLAY_NO_MEMORY;
    }
    (void)snprintf(word, size, "%s%.*s", begin, (int)length, text);
    words->word[words->count++] = word;
    return INLAY_OK;
}

static int add_folders(word_list *words, const char *list)
{
    int status = INLAY_OK;
    while (list != NULL && status == INLAY_OK) {
        size_t length = strcspn(list, ",");
        status = add_word(words, "-I", list, length);
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return status;
}

/* ---- Reading ---- */

/* -D of what is no variable of the file is a macro. */
static int add_macros(word_list *words, const source *from, const given_list *definitions)
{
    const read_options first = {.words = (const char *const *)words->word, .count = words->count};
    int status = INLAY_OK;
    for (int i = 0; i < definitions->count && status == INLAY_OK; i++) {
        const given_entry *d = &definitions->entry[i];
        bool found = false;
        status = file_has_variable(from, &first, d->name, &found);
        if (status != INLAY_OK || found) {
            continue;
        }
        size_t length = strlen(d->name) + strcspn(d->text, ",") + 2;
        char *text = malloc(length);
        if (text == NULL) {
            return INLAY_NO_MEMORY;
        }
        (void)snprintf(text, length, "%s=%.*s", d->name, (int)strcspn(d->text, ","), d->text);
        status = add_word(words, "-D", text, length - 1);
        free(text);
    }
    return status;
}

static int read_file(const invocation *call, const given *g, program *p)
{
    const compress_values *values = call->values;
    char message[1024] = "";
    word_list words = {0};
    source from = {0};
    int status = source_read(call->operands[0], &from, message, sizeof message);
    status = status == INLAY_OK ? add_word(&words, "-std=gnu17", "", 0) : status;
    for (size_t i = 0; i < from.words && status == INLAY_OK; i++) {
        status = add_word(&words, from.word[i], "", 0);
    }
    for (size_t i = 0; i < values->include.count && status == INLAY_OK; i++) {
        status = add_folders(&words, values->include.text[i]);
    }
    status = status == INLAY_OK ? add_macros(&words, &from, &g->definitions) : status;
    if (status == INLAY_OK) {
        const read_options read = {.words = (const char *const *)words.word, .count = words.count};
        status = program_read(&from, &read, p, message, sizeof message);
    }
    words_clear(&words);
    source_clear(&from);
    if (status == INLAY_NO_MEMORY) {
        return report_no_memory();
    }
    if (status != INLAY_OK) {
        say(stderr, "%-s\n", message);
    }
    return inlay_exit_status(status);
}

/* --trip of a line without a loop would change nothing. */
static int check_trips(const program *p, const given *g)
{
    for (int i = 0; i < g->trips.count; i++) {
        unsigned long line = strtoul(g->trips.entry[i].name, NULL, 10);
        bool found = false;
        for (int r = 0; r < p->rows && !found; r++) {
            found = p->row[r].nest > 0 && p->row[r].line == line;
        }
        if (!found) {
            return report_usage(&compress_command,
                                "--trip %s: there is no loop on this line of %s; expected the line "
                                "on which a loop begins",
                                g->trips.entry[i].name, p->path);
        }
    }
    return EXIT_DONE;
}

/* ---- Counting ---- */

static int count_one(counter *c, int number, compression *out)
{
    int status = count_function(c, number, &out->at[out->count]);
    out->count += status == INLAY_OK;
    if (status == INLAY_OVERFLOW) {
        say(stderr, "%s:%u: the operations of %s() do not fit 64 bits; expected fewer than 2^63\n", out->path,
            c->overflow, out->program->function[number].name);
        return inlay_exit_status(INLAY_BAD_INPUT);
    }
    return status == INLAY_OK ? EXIT_DONE : report_no_memory();
}

static int find_function(const program *p, const char *name, size_t length)
{
    for (int i = 0; i < p->functions; i++) {
        if (strlen(p->function[i].name) == length && strncmp(p->function[i].name, name, length) == 0) return i;
    }
    return -1;
}

static int count_named(counter *c, const char *names, compression *out)
{
    int end = EXIT_DONE;
    while (names != NULL && end == EXIT_DONE) {
        size_t length = strcspn(names, ",");
        int number = find_function(c->program, names, length);
        if (number < 0) {
            say(stderr, "%s: there is no function '%.*s'; expected one that the file defines\n", out->path, (int)length,
                names);
            return EXIT_USAGE;
        }
        end = out->count < c->program->functions ? count_one(c, number, out) : EXIT_DONE;
        names = names[length] == ',' ? names + length + 1 : NULL;
    }
    return end;
}

/* Those that no other one calls; all of them where each is called. */
static int count_uncalled(counter *c, compression *out)
{
    const program *p = c->program;
    bool all = true;
    for (int i = 0; i < p->functions; i++) {
        all = all && p->function[i].called;
    }
    int end = p->functions > 0 ? EXIT_DONE : EXIT_USAGE;
    if (end != EXIT_DONE) {
        say(stderr, "%s: the file defines no function; expected one at least\n", out->path);
    }
    for (int i = 0; i < p->functions && end == EXIT_DONE; i++) {
        end = all || !p->function[i].called ? count_one(c, i, out) : EXIT_DONE;
    }
    return end;
}

/* ---- The program ---- */

/* Whether everything is bounded. */
static bool compression_bounded(const compression *c)
{
    bool bounded = true;
    for (int i = 0; i < c->count; i++) {
        bounded = bounded && c->at[i].bounded;
    }
    return bounded;
}

static void say_remarks(const compression *c, const remark_list *remarks, const char *word)
{
    for (int i = 0; i < remarks->count; i++) {
        say(stderr, "%s%-s:%u: %-s\n", word, c->path, remarks->at[i].line, remarks->at[i].text);
    }
}

/* Without all bounds there is no table: its sums would be wrong. */
static int deliver(const invocation *call, const compression *c)
{
    const compress_values *values = call->values;
    bool bounded = compression_bounded(c);
    if (!call->common->quiet) {
        say_remarks(c, c->limits, "inlay: warning: ");
    }
    say_remarks(c, c->problems, "");
    if (values->common.json) {
        (void)compression_print_json(call, c);
    } else if (bounded && !(values->common.quiet && values->output != NULL) && !output_is_standard(values->output) &&
               compression_print_table(c) != INLAY_OK) {
        return report_no_memory();
    }
    if (!bounded) {
        return EXIT_NO;
    }
    output_print(values->output, compression_put, c);
    return EXIT_DONE;
}

static int count_program(const invocation *call, program *p, const given *g)
{
    const compress_values *values = call->values;
    counter c;
    compression out = {.path = p->path, .program = p};
    out.at = calloc((size_t)p->functions + 1, sizeof *out.at);
    int status = counter_open(&c, p, g);
    int end = out.at == NULL || status != INLAY_OK ? report_no_memory() : EXIT_DONE;
    if (end == EXIT_DONE) {
        out.limits = &c.limits;
        out.problems = &c.problems;
        end = values->function.count == 0 ? count_uncalled(&c, &out) : EXIT_DONE;
        for (size_t i = 0; i < values->function.count && end == EXIT_DONE; i++) {
            end = count_named(&c, values->function.text[i], &out);
        }
    }
    end = end == EXIT_DONE ? deliver(call, &out) : end;
    for (int i = 0; i < out.count; i++) {
        free(out.at[i].row);
    }
    free(out.at);
    counter_close(&c);
    return end;
}

static int compress_run(const invocation *call)
{
    const compress_values *values = call->values;
    if (output_collision(call, &values->output, 1) != NULL) {
        return report_usage(&compress_command, "-o %s: is the input", values->output);
    }
    if (values->common.json && output_is_standard(values->output)) {
        return report_usage(&compress_command, "--json and -o - both go to standard output");
    }
    given g = {0};
    program p = {0};
    int end = read_given(call, &g);
    end = end == EXIT_DONE ? read_file(call, &g, &p) : end;
    end = end == EXIT_DONE ? check_trips(&p, &g) : end;
    end = end == EXIT_DONE ? count_program(call, &p, &g) : end;
    program_clear(&p);
    given_clear(&g.definitions);
    given_clear(&g.trips);
    given_clear(&g.calls);
    return end;
}

int main(int argc, char **argv)
{
    return finish_output(command_start(&compress_command, compress_run, argc, argv, 0));
}
