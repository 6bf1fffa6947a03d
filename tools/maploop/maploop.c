/*
 * inlay-maploop: `inlay maploop` starts it with its own words. It writes the program for MPI that does what a serial one
 * of marked loops does.
 */
#include "maploop.h"
#include "commands.h"
#include "compress/reader.h"
#include "help.h"
#include "maploop_values.h"
#include "output.h"
#include "report.h"
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>

static void clear_edits(maploop *m)
{
    for (int i = 0; i < m->edits; i++) {
        free(m->edit[i].text);
    }
    m->edits = 0;
}

/* The second time it is known which arrays are read in others' elements. */
static bool study_twice(maploop *m)
{
    bool good = program_study(m);
    clear_edits(m);
    m->links = m->touches = 0;
    m->mapped = false;
    return good && program_study(m) && !m->no_memory;
}

/* `of_SIZE` and `ARRAY_local` must be free too. */
static bool check_variable(maploop *m, const c_variable *v)
{
    bool taken = false;
    for (space_kind k = SPACE_DATA; k < SPACE_ENTRIES; k++) {
        const char *size = m->bound[k] >= 0 ? m->program.variable[m->bound[k]].name : "";
        taken = taken || (strncmp(v->name, "of_", 3) == 0 && *size != '\0' && strcmp(v->name + 3, size) == 0);
    }
    for (int i = 0; i < m->arrays; i++) {
        size_t length = strlen(m->array[i].name);
        taken = taken || (strncmp(v->name, m->array[i].name, length) == 0 && strcmp(v->name + length, "_local") == 0);
    }
    return !taken || refuse(m, v->line, "the name '%s' is needed for what is added; expected another", v->name);
}

static bool check_made_names(maploop *m)
{
    for (int v = 0; v < m->program.variables; v++) {
        if (!check_variable(m, &m->program.variable[v])) return false;
    }
    return true;
}

/* Names of what is added must be free. */
static bool check_names(maploop *m)
{
    static const char *const taken[] = {"mapping",       "share",       "must",         "room",         "moved",
                                        "map_loop",      "share_set",   "share_blocks", "sum_of_ranks", "no_ghosts",
                                        "sweep",         "sweep_begin", "sweep_end",    "sweep_report", "compare_parts",
                                        "mapping_begin", "mapping_end"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        for (int v = 0; v < m->program.variables; v++) {
            if (strcmp(m->program.variable[v].name, taken[i]) == 0) {
                return refuse(m, m->program.variable[v].line,
                              "the name '%s' is needed for what is added; expected another", taken[i]);
            }
        }
        for (int f = 0; f < m->program.functions; f++) {
            if (strcmp(m->program.function[f].name, taken[i]) == 0) {
                return refuse(m, m->program.function[f].line,
                              "the name '%s' is needed for what is added; expected another", taken[i]);
            }
        }
    }
    return true;
}

bool program_write(maploop *m, char **text, size_t *size)
{
    char *added = NULL;
    size_t added_size = 0;
    FILE *to = open_memstream(&added, &added_size);
    if (to == NULL) {
        return out_of_memory(m);
    }
    write_helpers(m, to);
    bool good = ferror(to) == 0;
    good = fclose(to) == 0 && good;
    good = good ? edits_apply(m, added, text, size) : out_of_memory(m);
    free(added);
    return good;
}

static char *read_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    FILE *to = file != NULL ? open_memstream(&text, size) : NULL;
    char piece[4096];
    for (size_t read; to != NULL && (read = fread(piece, 1, sizeof piece, file)) > 0;) {
        (void)fwrite(piece, 1, read, to);
    }
    if (to != NULL && fclose(to) != 0) {
        free(text);
        text = NULL;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

/* libclang's words: folders of headers. */
static int read_program(const maploop_values *values, maploop *m)
{
    const char *words[2 + MAX_TEXTS] = {"-std=gnu17"};
    char *made[MAX_TEXTS] = {NULL};
    int count = 1, status = INLAY_OK;
    for (size_t i = 0; i < values->include.count && status == INLAY_OK; i++) {
        size_t room = strlen(values->include.text[i]) + sizeof "-I";
        made[i] = malloc(room);
        status = made[i] != NULL ? INLAY_OK : INLAY_NO_MEMORY;
        if (made[i] != NULL) {
            (void)snprintf(made[i], room, "-I%s", values->include.text[i]);
            words[count++] = made[i];
        }
    }
    const read_options options = {words, count};
    status = status == INLAY_OK ? program_read(m->path, &options, &m->program, m->refused, sizeof m->refused) : status;
    for (size_t i = 0; i < values->include.count; i++) {
        free(made[i]);
    }
    return status;
}

static int transform(const invocation *call, maploop *m)
{
    const maploop_values *values = call->values;
    char *text = NULL, *input = NULL;
    size_t size = 0;
    int status = read_program(values, m);
    if (status == INLAY_OK) {
        input = read_text(m->path, &m->size);
        m->text = input;
        m->no_memory = input == NULL;
    }
    bool good = status == INLAY_OK && input != NULL && pragmas_read(m) && check_names(m) && arrays_find(m) &&
                check_made_names(m) && study_twice(m) && program_write(m, &text, &size);
    int end = EXIT_DONE;
    if (status == INLAY_NO_MEMORY || m->no_memory) {
        end = report_no_memory();
    } else if (!good) {
        say_safely(stderr, m->refused);
        say(stderr, "\n");
        end = EXIT_USAGE;
    } else {
        end = output_write(values->output, text, size);
    }
    free(text);
    free(input);
    return end;
}

static int maploop_run(const invocation *call)
{
    const maploop_values *values = call->values;
    if (values->output == NULL) {
        return report_usage(&maploop_command, "-o is missing; expected -o FILE, or -o - for standard output");
    }
    if (output_collision(call, &values->output, 1) != NULL) {
        return report_usage(&maploop_command, "-o %s: is the input", values->output);
    }
    maploop *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return report_no_memory();
    }
    m->path = call->operands[0];
    int end = transform(call, m);
    clear_edits(m);
    free(m->edit);
    free(m->array);
    program_clear(&m->program);
    free(m);
    return end;
}

int main(int argc, char **argv)
{
    invocation call;
    int status = invocation_read(&maploop_command, argc, argv, 0, &call);
    if (status == EXIT_DONE && call.common->help) {
        help_print(&maploop_command);
    } else if (status == EXIT_DONE) {
        status = maploop_run(&call);
    }
    invocation_clear(&call);
    return finish_output(status);
}
