/* Files of C become a program that counts while it runs. */
#include "csource/count/measure.h"
#include "base/diag.h"
#include "base/file.h"
#include <stdlib.h>
#include <string.h>

/* ---- The files ---- */

static void file_clear(measured_file *f)
{
    counter_close(&f->planned);
    plan_forget(&f->plan);
    program_clear(&f->program);
    source_clear(&f->from);
    free(f->words.word);
    free(f->blank);
}

void inlay_counting_free(inlay_counting *counting)
{
    if (counting == NULL) {
        return;
    }
    for (size_t i = 0; i < counting->files; i++) {
        file_clear(&counting->file[i]);
    }
    free(counting->file);
    free(counting->root);
    given_forget(&counting->given);
    pool_clear(&counting->memory);
    free(counting);
}

static int find_words(inlay_counting *m, measured_file *f, inlay_diag *diag)
{
    const reading how = {.include = m->options->include, .lists = true, .definitions = &m->given.definitions};
    source from = {0};
    int status = source_read(f->path, &from, diag);
    status = status == INLAY_OK ? source_words(&from, &how, &m->memory, &f->words) : status;
    source_clear(&from);
    return status;
}

int inlay_counting_new(const char *const *path, size_t files, const inlay_compress_options *options,
                       inlay_counting **counting, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_counting *m = calloc(1, sizeof *m);
    measured_file *file = calloc(files + 1, sizeof *file);
    if (m == NULL || file == NULL) {
        free(m);
        free(file);
        return diag_no_memory(diag);
    }
    m->options = options;
    m->file = file;
    m->files = files;
    int status = given_options(options, &m->given, diag);
    for (size_t i = 0; i < files && status == INLAY_OK; i++) {
        file[i].path = path[i];
        status = find_words(m, &file[i], diag);
    }
    if (status != INLAY_OK) {
        inlay_counting_free(m);
        return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
    }
    *counting = m;
    return INLAY_OK;
}

inlay_texts inlay_counting_words(const inlay_counting *counting, size_t file)
{
    const word_list *words = &counting->file[file].words;
    return (inlay_texts){words->word, (size_t)words->count};
}

/* ---- Their text ---- */

/* Pragmas that want to stand right in front of a statement; without the option that heeds them they do nothing. */
static bool is_left_out(const char *line)
{
    static const char *const pragmas[] = {"omp",      "acc",   "GCC ivdep", "GCC unroll", "GCC novector", "unroll",
                                          "nounroll", "ivdep", "simd",      "vector",     "clang loop",   "inlay"};
    size_t at = 1 + strspn(line + 1, " \t");
    bool left_out = false;
    if (strncmp(line + at, "pragma", strlen("pragma")) != 0) {
        return false;
    }
    at += strlen("pragma");
    at += strspn(line + at, " \t");
    for (size_t i = 0; !left_out && i < sizeof pragmas / sizeof *pragmas; i++) {
        left_out = strncmp(line + at, pragmas[i], strlen(pragmas[i])) == 0;
    }
    return left_out;
}

/* Lines of the preprocessor become blanks: all that mark lines, or pragmas that are left out. */
static void blank_lines(char *text, bool marks)
{
    for (char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        const char *word = line + 1 + (line[0] == '#' ? strspn(line + 1, " \t") : 0);
        bool mark = line[0] == '#' && strncmp(word, "pragma", strlen("pragma")) != 0;
        if (line[0] == '#' && (marks ? mark : is_left_out(line))) {
            memset(line, ' ', length);
        }
        line += length + (line[length] == '\n');
    }
}

/* ---- Reading and planning ---- */

/* gcc's headers use types that clang does not have. */
static const char *const parse_words[] = {"-std=gnu17",
                                          "-w",
                                          "-ferror-limit=0",
                                          "-D_Float32=float",
                                          "-D_Float32x=double",
                                          "-D_Float64=double",
                                          "-D_Float64x=long double",
                                          "-D_Float128=__float128"};

static int plan_file(inlay_counting *m, measured_file *f, const char *preprocessed, inlay_diag *diag)
{
    const read_options how = {
        .words = parse_words, .count = (int)(sizeof parse_words / sizeof *parse_words), .preprocessed = true};
    int status = source_read(preprocessed, &f->from, diag);
    if (status != INLAY_OK) {
        return status;
    }
    f->from.file.Filename = f->path;
    blank_lines(f->from.text, false);
    status = program_read(&f->from, &how, &f->program, diag);
    f->blank = status == INLAY_OK ? memory_string(f->from.text) : NULL;
    f->planned = (counter){.program = &f->program, .given = &m->given, .bounded = true};
    f->planned.state = calloc((size_t)f->program.variables + 1, sizeof *f->planned.state);
    if (status != INLAY_OK || f->blank == NULL || f->planned.state == NULL) {
        return status != INLAY_OK ? status : INLAY_NO_MEMORY;
    }
    blank_lines(f->blank, true);
    f->plan = (plan){.program = &f->program, .text = f->blank, .size = strlen(f->blank), .first = m->places};
    status = plan_functions(&f->planned, &f->plan);
    m->places += f->plan.places;
    return status;
}

bool measured_find(inlay_counting *m, size_t but, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < m->files && !found; i++) {
        int number = i != but ? program_find(&m->file[i].program, name, strlen(name)) : -1;
        found = number >= 0;
        if (found) {
            m->file[i].program.function[number].called = true;
        }
    }
    return found;
}

/* ---- What is asked for ---- */

static int add_root(inlay_counting *m, size_t file, int function)
{
    for (size_t i = 0; i < m->roots; i++) {
        if (m->root[i].file == file && m->root[i].function == function) return INLAY_OK;
    }
    if (!GROW(m->root, m->roots, m->root_room)) {
        return INLAY_NO_MEMORY;
    }
    m->root[m->roots++] = (measured_root){file, function};
    return INLAY_OK;
}

static int add_named(inlay_counting *m, const char *names, inlay_diag *diag)
{
    int status = INLAY_OK;
    while (names != NULL && status == INLAY_OK) {
        size_t length = strcspn(names, ","), before = m->roots;
        bool found = false;
        for (size_t i = 0; i < m->files && status == INLAY_OK; i++) {
            int number = program_find(&m->file[i].program, names, length);
            found = found || number >= 0;
            status = number >= 0 ? add_root(m, i, number) : INLAY_OK;
        }
        if (!found && m->roots == before && status == INLAY_OK) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, m->file[0].path, 0,
                                "there is no function '%.*s'; expected one that the %s", (int)length, names,
                                m->files > 1 ? "files define" : "file defines");
        }
        names = names[length] == ',' ? names + length + 1 : NULL;
    }
    return status;
}

/* Those of the files themselves that no other function calls; all where each is called. */
static int add_uncalled(inlay_counting *m, bool all)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < m->files; i++) {
        const program *p = &m->file[i].program;
        for (int k = 0; k < p->functions && status == INLAY_OK; k++) {
            bool chosen = p->function[k].header == NULL && (all || !p->function[k].called);
            status = chosen ? add_root(m, i, k) : INLAY_OK;
        }
    }
    return status;
}

static int choose(inlay_counting *m, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < m->files; i++) {
        const plan *p = &m->file[i].plan;
        for (int k = 0; k < p->happenings; k++) {
            const happening *h = &p->happening[k];
            (void)(h->kind == HAPPENS_CALL && !h->system && measured_find(m, i, h->name));
        }
    }
    for (size_t i = 0; i < m->options->functions.count && status == INLAY_OK; i++) {
        status = add_named(m, m->options->functions.text[i], diag);
    }
    if (m->options->functions.count == 0) {
        status = add_uncalled(m, false);
        status = status == INLAY_OK && m->roots == 0 ? add_uncalled(m, true) : status;
    }
    if (status == INLAY_OK && m->roots == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, m->file[0].path, 0,
                            "the file defines no function; expected one at least");
    }
    return status;
}

/* ---- The program that counts ---- */

static const char declarations[] =
    "extern unsigned long long inlay_count_[]; extern int inlay_enter_(int); "
    "extern void inlay_leave_(const int *); extern void inlay_pointer_(void (*)(void), int); "
    "extern void inlay_know_(void (*)(void));\n";

/* Addresses of functions are looked up where one is called through a pointer. */
static void write_known(const program *p, text_buffer *to)
{
    text_add(to, "\n__attribute__((constructor)) static void inlay_know_all_(void)\n{\n");
    for (int i = 0; i < p->functions; i++) {
        text_addf(to, "    inlay_know_((void (*)(void))%s);\n", p->function[i].name);
    }
    text_add(to, "}\n");
}

static bool has_pointers(const inlay_counting *m)
{
    bool has = false;
    for (size_t i = 0; i < m->files; i++) {
        for (int k = 0; k < m->file[i].plan.happenings && !has; k++) {
            has = m->file[i].plan.happening[k].kind == HAPPENS_POINTER;
        }
    }
    return has;
}

/* The outputs of a diag wait; these are needed at once. */
static int write_now(const text_buffer *text, const char *path, inlay_diag *diag)
{
    if (text->failed) {
        return INLAY_NO_MEMORY;
    }
    int status = file_write(path, text_content(text), text->size, NULL);
    return status == INLAY_OK ? status : diag_fail_at(diag, INLAY_SYSTEM, path, 0, "cannot be written");
}

static int write_file(const inlay_counting *m, measured_file *f, const char *path, inlay_diag *diag)
{
    text_buffer text = {0};
    text_add(&text, declarations);
    int status = plan_write(&f->plan, &text);
    if (has_pointers(m)) {
        write_known(&f->program, &text);
    }
    status = status == INLAY_OK ? write_now(&text, path, diag) : status;
    text_clear(&text);
    return status;
}

/* The file of a path, as a text in C. */
static void add_quoted(text_buffer *to, const char *text)
{
    text_add(to, "\"");
    for (; *text != '\0'; text++) {
        text_addf(to, "\\%03o", (unsigned)(unsigned char)*text);
    }
    text_add(to, "\"");
}

static const char counters[] =
    "static struct { unsigned long long entered, sum[PLACES], begin[PLACES]; int depth; } root[ROOTS];\n"
    "static void (*known[KNOWN + 1])(void);\n"
    "static int know;\n"
    "static pid_t process;\n"
    "\n"
    "void inlay_know_(void (*f)(void)) { if (know < KNOWN) known[know++] = f; }\n"
    "\n"
    "/* a function that is called through a pointer, and is none of those that count */\n"
    "void inlay_pointer_(void (*f)(void), int place)\n"
    "{\n"
    "    for (int i = 0; i < know; i++)\n"
    "        if (known[i] == f) return;\n"
    "    inlay_count_[place]++;\n"
    "}\n"
    "\n"
    "int inlay_enter_(int r)\n"
    "{\n"
    "    if (root[r].depth++ == 0) {\n"
    "        root[r].entered++;\n"
    "        memcpy(root[r].begin, inlay_count_, sizeof inlay_count_);\n"
    "    }\n"
    "    return r;\n"
    "}\n"
    "\n"
    "static void end_root(int r)\n"
    "{\n"
    "    for (int i = 0; i < PLACES; i++)\n"
    "        root[r].sum[i] += inlay_count_[i] - root[r].begin[i];\n"
    "}\n"
    "\n"
    "void inlay_leave_(const int *r) { if (--root[*r].depth == 0) end_root(*r); }\n"
    "\n"
    "/* exit() may be called anywhere; a process that the program forked is another one */\n"
    "static void end(void)\n"
    "{\n"
    "    FILE *to = getpid() == process ? fopen(counts, \"wb\") : NULL;\n"
    "    if (!to) return;\n"
    "    fwrite(inlay_count_, sizeof inlay_count_, 1, to);\n"
    "    for (int r = 0; r < ROOTS; r++) {\n"
    "        if (root[r].depth > 0) end_root(r);\n"
    "        fwrite(&root[r].entered, sizeof root[r].entered, 1, to);\n"
    "        fwrite(root[r].sum, sizeof root[r].sum, 1, to);\n"
    "    }\n"
    "    fclose(to);\n"
    "}\n"
    "\n"
    "__attribute__((constructor)) static void begin(void)\n"
    "{\n"
    "    process = getpid();\n"
    "    atexit(end);\n"
    "}\n";

static int write_counters(const inlay_counting *m, const inlay_counting_files *files, inlay_diag *diag)
{
    text_buffer text = {0};
    int functions = 0;
    for (size_t i = 0; i < m->files; i++) {
        functions += m->file[i].program.functions;
    }
    text_addf(&text,
              "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\n"
              "enum { PLACES = %d, ROOTS = %zu, KNOWN = %d };\nunsigned long long inlay_count_[PLACES];\n"
              "static const char counts[] = ",
              m->places, m->roots, functions);
    add_quoted(&text, files->counts);
    text_addf(&text, ";\n%s", counters);
    int status = write_now(&text, files->counters, diag);
    text_clear(&text);
    return status;
}

int inlay_counting_write(inlay_counting *counting, const inlay_counting_files *files, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_counting *m = counting;
    int status = INLAY_OK;
    for (size_t i = 0; i < m->files && status == INLAY_OK; i++) {
        status = plan_file(m, &m->file[i], files->preprocessed[i], diag);
    }
    status = status == INLAY_OK ? choose(m, diag) : status;
    for (size_t i = 0; i < m->roots && status == INLAY_OK; i++) {
        measured_file *f = &m->file[m->root[i].file];
        const node *body = f->program.function[m->root[i].function].body;
        if (body != NULL && body->from < body->to) {
            plan_insert_into(&f->plan, body,
                             " int inlay_root_ __attribute__((cleanup(inlay_leave_), unused)) = inlay_enter_(%zu);", i);
        }
        status = f->plan.no_memory ? INLAY_NO_MEMORY : INLAY_OK;
    }
    for (size_t i = 0; i < m->files && status == INLAY_OK; i++) {
        status = write_file(m, &m->file[i], files->written[i], diag);
    }
    status = status == INLAY_OK ? write_counters(m, files, diag) : status;
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

bool inlay_counting_has_main(const inlay_counting *counting)
{
    bool has = false;
    for (size_t i = 0; i < counting->files && !has; i++) {
        has = program_find(&counting->file[i].program, "main", strlen("main")) >= 0;
    }
    return has;
}
