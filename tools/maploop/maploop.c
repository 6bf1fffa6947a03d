/*
 * inlay-maploop: `inlay maploop` starts it with its own words. It writes the program for MPI that does what a serial one
 * of marked loops does.
 */
#include "maploop.h"
#include "answer.h"
#include "commands.h"
#include "compress/reader.h"
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
    m->mapped = m->agrees = m->opens = m->reads = false;
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
    static const char *const taken[] = {
        "mapping",       "share",         "must",        "room",         "moved",       "map_loop",  "share_set",
        "share_blocks",  "sum_of_ranks",  "no_ghosts",   "sweep",        "sweep_begin", "sweep_end", "sweep_report",
        "compare_parts", "mapping_begin", "mapping_end", "mapping_fail", "agreed",      "open_once", "checked",
        "mapping_meet",  "open_all",      "dup",         "write"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        unsigned line = 0;
        for (int v = 0; v < m->program.variables && line == 0; v++) {
            line = strcmp(m->program.variable[v].name, taken[i]) == 0 ? m->program.variable[v].line : 0;
        }
        for (int k = 0; k < m->program.names && line == 0; k++) {
            line = strcmp(m->program.name[k].name, taken[i]) == 0 ? m->program.name[k].line : 0;
        }
        if (line > 0) {
            return refuse(m, line, "the name '%s' is needed for what is added; expected another", taken[i]);
        }
    }
    return true;
}

/* No macro of the program may change a text that is added. */
static bool check_macros(maploop *m, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
        length = strspn(text, letters);
        for (int k = 0; k < m->program.names && length > 0; k++) {
            const outer_name *n = &m->program.name[k];
            if (n->macro && strlen(n->name) == length && strncmp(n->name, text, length) == 0) {
                return refuse(m, n->line, "the macro '%s' would change what is added; expected another name", n->name);
            }
        }
    }
    return true;
}

/* Names that map_loop() has for itself. */
static bool check_inner_name(maploop *m, int variable)
{
    static const char *const taken[] = {"rdg",  "graph", "wanted",     "part",     "elements", "touched", "rig",
                                        "ripa", "mine",  "iterations", "schedule", "figures",  "csr",     "began"};
    for (size_t i = 0; variable >= 0 && i < sizeof taken / sizeof *taken; i++) {
        const c_variable *v = &m->program.variable[variable];
        if (strcmp(v->name, taken[i]) == 0) {
            return refuse(m, v->line, "the name '%s' is needed for what is added; expected another", taken[i]);
        }
    }
    return true;
}

static bool check_inner_names(maploop *m)
{
    bool good = check_inner_name(m, m->loop_variable) && check_inner_name(m, m->entry_variable);
    for (int i = 0; i < m->arrays && good; i++) {
        good = (!m->array[i].indexes && i != m->starts) || check_inner_name(m, m->array[i].variable);
    }
    return good;
}

/* A text that is added, as an edit. */
static bool add_text(maploop *m, unsigned at, void (*write)(const maploop *m, FILE *to))
{
    char *added = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&added, &size);
    if (to == NULL) {
        return out_of_memory(m);
    }
    write(m, to);
    bool good = ferror(to) == 0;
    good = fclose(to) == 0 && good;
    good = good ? check_macros(m, added) : out_of_memory(m);
    if (good) {
        edit_insert(m, at, "%s", added);
    }
    free(added);
    return good;
}

static bool program_write(maploop *m, char **text, size_t *size)
{
    return check_inner_names(m) && add_text(m, m->program.first, write_helpers) &&
           add_text(m, m->main->from, write_steps) && edits_apply(m, text, size);
}

/* libclang's words: folders of headers. */
static int read_program(const maploop_values *values, const source *from, maploop *m)
{
    enum { ROOM = 4 /* for words of its own */ };
    const char *words[ROOM + MAX_TEXTS] = {"-std=gnu17"};
    char *made[MAX_TEXTS] = {NULL};
    int count = 1, status = INLAY_OK;
    for (size_t i = 0; i < from->words && i + 1 < ROOM; i++) {
        words[count++] = from->word[i];
    }
    for (size_t i = 0; i < values->include.count && status == INLAY_OK; i++) {
        size_t room = strlen(values->include.text[i]) + sizeof "-I";
        made[i] = malloc(room);
        status = made[i] != NULL ? INLAY_OK : INLAY_NO_MEMORY;
        if (made[i] != NULL) {
            (void)snprintf(made[i], room, "-I%s", values->include.text[i]);
            words[count++] = made[i];
        }
    }
    const read_options options = {words, count, true};
    status = status == INLAY_OK ? program_read(from, &options, &m->program, m->refused, sizeof m->refused) : status;
    for (size_t i = 0; i < values->include.count; i++) {
        free(made[i]);
    }
    return status;
}

static int transform(const invocation *call, maploop *m)
{
    const maploop_values *values = call->values;
    char *text = NULL;
    size_t size = 0;
    source from = {0};
    int status = source_read(call->operands[0], &from, m->refused, sizeof m->refused);
    if (status == INLAY_OK) {
        m->path = from.file.Filename;
        m->text = from.text;
        m->size = from.file.Length;
        status = read_program(values, &from, m);
    }
    m->own = calloc((size_t)m->program.variables + 1, sizeof *m->own);
    m->gives_own = calloc((size_t)m->program.functions + 1, sizeof *m->gives_own);
    m->no_memory = m->no_memory || m->own == NULL || m->gives_own == NULL;
    bool good = status == INLAY_OK && !m->no_memory && pragmas_read(m) && check_names(m) && arrays_find(m) &&
                check_made_names(m) && study_twice(m) && program_write(m, &text, &size);
    int end = EXIT_DONE;
    if (status == INLAY_NO_MEMORY || m->no_memory) {
        end = report_no_memory();
    } else if (!good) {
        say(stderr, "%-s\n", m->refused);
        end = EXIT_USAGE;
    } else {
        output_write(values->output, text, size);
    }
    free(text);
    source_clear(&from);
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
    int end = transform(call, m);
    clear_edits(m);
    free(m->edit);
    free(m->array);
    free(m->own);
    free(m->gives_own);
    program_clear(&m->program);
    free(m);
    return end;
}

int main(int argc, char **argv)
{
    return finish_output(command_start(&maploop_command, maploop_run, argc, argv, 0));
}
