/* The program for MPI that does what a serial one of marked loops does. */
#include "base/diag.h"
#include "base/file.h"
#include "csource/maploop/maploop.h"
#include "csource/whole/whole.h"
#include "csource/words.h"
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
    m->part_decides = false;
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
static bool add_text(maploop *m, unsigned at, void (*write)(const maploop *m, text_buffer *to))
{
    text_buffer added = {0};
    write(m, &added);
    bool good = added.failed ? out_of_memory(m) : check_macros(m, text_content(&added));
    if (good) {
        edit_insert(m, at, "%s", text_content(&added));
    }
    text_clear(&added);
    return good;
}

static bool program_write(maploop *m, text_buffer *to)
{
    return check_inner_names(m) && add_text(m, m->program.first, write_helpers) &&
           add_text(m, m->main->from, write_steps) && edits_apply(m, to);
}

/* The program of m->program. */
static int transform(maploop *m, text_buffer *to)
{
    m->own = memory_zeroed((size_t)m->program.variables, sizeof *m->own);
    m->gives_own = memory_zeroed((size_t)m->program.functions, sizeof *m->gives_own);
    m->no_memory = m->own == NULL || m->gives_own == NULL;
    bool good = !m->no_memory && pragmas_read(m) && check_names(m) && arrays_find(m) && check_made_names(m) &&
                study_twice(m) && program_write(m, to);
    return m->no_memory ? diag_no_memory(m->diag) : good ? INLAY_OK : INLAY_BAD_INPUT;
}

static void clear(maploop *m)
{
    clear_edits(m);
    free(m->edit);
    free(m->array);
    free(m->own);
    free(m->gives_own);
    program_clear(&m->program);
    free(m);
}

/* Behind the text of a file stand other files of its program, all but `left_out` of the first `count`. */
static int parse_behind(const source *from, const reading *how, const program_files *files, size_t count,
                        const bool *left_out, program *p, inlay_diag *diag)
{
    text_buffer text = {0};
    text_append(&text, from->text, from->file.Length);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(files->path[i], from->file.Filename) != 0 && !left_out[i]) {
            text_addf(&text, "\n#include \"%s\"", files->path[i]);
        }
    }
    text_add(&text, "\n");
    source all = *from;
    all.file.Contents = text_content(&text);
    all.file.Length = text.size;
    int status = text.failed ? diag_no_memory(diag) : source_parse(&all, how, p, diag);
    text_clear(&text);
    return status;
}

/* Those that do not compile there stay unknown. */
static int parse_among(const source *from, reading *how, const program_files *files, program *p, inlay_diag *diag)
{
    bool *left_out = memory_zeroed(files->count + 1, sizeof *left_out);
    if (left_out == NULL) {
        return diag_no_memory(diag);
    }
    how->own = (unsigned)from->file.Length;
    int status = parse_behind(from, how, files, files->count, left_out, p, diag);
    for (size_t i = 0; i <= files->count && status == INLAY_BAD_INPUT; i++) { /* 0: none of them */
        program tried = {0};
        diag_clear_error(diag);
        status = parse_behind(from, how, files, i, left_out, &tried, diag);
        program_clear(&tried);
        if (status == INLAY_BAD_INPUT && i == 0) {
            break;
        }
        if (status == INLAY_BAD_INPUT) {
            left_out[i - 1] = true;
        }
        status = status == INLAY_OK ? INLAY_BAD_INPUT : status;
        if (i == files->count && status == INLAY_BAD_INPUT) {
            diag_clear_error(diag);
            status = parse_behind(from, how, files, i, left_out, p, diag);
        }
    }
    free(left_out);
    return status;
}

/* Reads the program and goes one way. */
static int go(const source *from, reading *how, bool second, const inlay_maploop_options *options, program_files *files,
              text_buffer *to, inlay_diag *diag)
{
    maploop *m = memory_zeroed(1, sizeof *m);
    if (m == NULL) {
        return diag_no_memory(diag);
    }
    m->diag = diag;
    m->path = from->file.Filename;
    m->text = from->text;
    m->size = from->file.Length;
    m->files = files;
    int status =
        files != NULL ? parse_among(from, how, files, &m->program, diag) : source_parse(from, how, &m->program, diag);
    if (status == INLAY_OK && !second) {
        status = transform(m, to);
    } else if (status == INLAY_OK) {
        bool good = whole_transform(m, options, to);
        status = m->no_memory || to->failed ? diag_no_memory(diag) : good ? INLAY_OK : INLAY_BAD_INPUT;
    }
    clear(m);
    return status;
}

/* The first way where it accepts the program, else the second. */
static int choose(const source *from, const inlay_maploop_options *options, program_files *files, text_buffer *to,
                  inlay_diag *diag)
{
    reading how = {.include = options->include, .headers = true, .macros = options->definitions};
    if (options->arrays == INLAY_ARRAYS_WHOLE || files != NULL) {
        return go(from, &how, true, options, files, to, diag);
    }
    int status = go(from, &how, false, options, NULL, to, diag);
    if (status == INLAY_OK && options->explain) {
        to->size = 0;
        text_add(to, "arrays are distributed (--arrays distributed)\n");
    }
    if (status != INLAY_BAD_INPUT || options->arrays == INLAY_ARRAYS_DISTRIBUTED) {
        return status;
    }
    char *why = memory_string(inlay_diag_message(diag));
    diag_clear_error(diag);
    to->size = 0;
    status = why == NULL ? diag_no_memory(diag) : go(from, &how, true, options, NULL, to, diag);
    if (status == INLAY_OK && !options->explain) {
        diag_warn(diag,
                  "every rank has all arrays, and marked loops are shared out, for arrays cannot be distributed: %s",
                  why);
    }
    free(why);
    return status;
}

/* One file of a program; `to` is to be cleared, also after a failure. */
static int transform_file(const char *path, const inlay_maploop_options *options, program_files *files, text_buffer *to,
                          inlay_diag *diag)
{
    source from = {0};
    int status = source_read(path, &from, diag);
    status = status == INLAY_OK ? choose(&from, options, files, to, diag) : status;
    source_clear(&from);
    return status;
}

static const inlay_maploop_options standard = {0};

int inlay_maploop(const char *path, const inlay_maploop_options *options, const char *output, inlay_diag *diag)
{
    DIAG_CALL(diag);
    text_buffer text = {0};
    int status = transform_file(path, options != NULL ? options : &standard, NULL, &text, diag);
    bool written = status == INLAY_OK || (options != NULL && options->explain && text.size > 0);
    if (written) {
        int wrote = file_write(output, text.data, text.size, diag);
        status = status == INLAY_OK ? wrote : status;
    }
    text_clear(&text);
    return status;
}

int inlay_maploop_files(const char *const *path, size_t count, const inlay_maploop_options *options,
                        const char *const *output, inlay_diag *diag)
{
    DIAG_CALL(diag);
    program_files files = {.path = path, .count = count, .text = memory_zeroed(count + 1, sizeof *files.text)};
    text_buffer *text = memory_zeroed(count + 1, sizeof *text);
    int status = text == NULL || files.text == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (size_t i = 0; i < count && status == INLAY_OK; i++) {
        source from = {0};
        status = source_read(path[i], &from, diag);
        files.text[i] = from.text; /* ours */
    }
    bool told = options != NULL && options->explain;
    /* The second time it is known how the file with main() is to distribute. */
    for (size_t i = 0; i < 2 * count && status == INLAY_OK; i++) {
        text_buffer *to = &text[i % count];
        if (i < count || files.method[0] != '\0') {
            to->size = 0;
            status = transform_file(path[i % count], options != NULL ? options : &standard, &files, to, diag);
        }
    }
    for (size_t i = 0; i < count && status == INLAY_OK && told; i++) {
        text_settle(&text[i], &text[count]);
        text_add(&text[count], text_content(&text[i]));
    }
    if (status == INLAY_OK && !files.marked) {
        status =
            diag_fail_at(diag, INLAY_BAD_INPUT, path[0], 0,
                         "no loop is marked here or in the other files; expected #pragma inlay maploop before one");
    } else if (status == INLAY_OK && !files.has_main) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, path[0], 0,
                              "there is no main() here or in the other files; expected all files that do something");
    }
    for (size_t i = 0; i < (told ? 1 : count) && status == INLAY_OK; i++) {
        const text_buffer *from = told ? &text[count] : &text[i];
        status = file_write(output[i], text_content(from), from->size, diag);
    }
    for (size_t i = 0; text != NULL && i <= count; i++) {
        text_clear(&text[i]);
    }
    for (size_t i = 0; files.text != NULL && i < count; i++) {
        free(files.text[i]);
    }
    free(files.text);
    free(text);
    return status;
}
