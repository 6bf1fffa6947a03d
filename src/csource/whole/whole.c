/* The second way, put together. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/whole.h"
#include "base/memory.h"
#include "base/plain.h"
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---- */

static bool prepare_unit(whole *w, unit *u)
{
    memory_pool *pool = &w->p->memory;
    size_t n = (size_t)w->p->variables;
    bool **flags[] = {&u->inside, &u->need,  &u->place,   &u->data,       &u->input,      &u->scratch,  &u->fills,
                      &u->hands,  &u->looks, &u->checked, &u->tainted[0], &u->tainted[1], &u->unfit[0], &u->unfit[1]};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        *flags[i] = pool_zeroed(pool, n, sizeof(bool));
    }
    u->scalar = pool_zeroed(pool, n, sizeof *u->scalar);
    u->reduced = pool_zeroed(pool, n, sizeof *u->reduced);
    return !pool->failed || out_of_memory(w->m);
}

bool whole_prepare(whole *w)
{
    memory_pool *pool = &w->p->memory;
    size_t variables = (size_t)w->p->variables, functions = (size_t)w->p->functions;
    w->function = pool_zeroed(pool, functions, sizeof *w->function);
    w->same = pool_zeroed(pool, variables, sizeof *w->same);
    w->own = pool_zeroed(pool, variables, sizeof(bool));
    w->leaks = pool_zeroed(pool, variables, sizeof(bool));
    w->marks_memory = pool_zeroed(pool, variables, sizeof(bool));
    w->has_marks = pool_zeroed(pool, functions, sizeof(bool));
    w->touches = pool_zeroed(pool, functions, sizeof(bool));
    w->touches_outside = pool_zeroed(pool, functions, sizeof(bool));
    w->stores_outside = pool_zeroed(pool, functions, sizeof(bool));
    if (pool->failed) {
        return out_of_memory(w->m);
    }
    for (int v = 0; v < w->p->variables; v++) {
        w->same[v] = v;
    }
    for (int f = 0; f < w->p->functions; f++) {
        w->function[f].function = f;
        w->function[f].body = w->p->function[f].body;
        w->function[f].variable = -1;
        if (!prepare_unit(w, &w->function[f])) return false;
    }
    return true;
}

/* Functions that look at memory, or call such. */
static bool touches(const whole *w, int function, const node *n)
{
    if (n == NULL) {
        return false;
    }
    if (is_lvalue(n)) {
        int variable = lvalue_variable(n);
        if (variable < 0 || w->p->variable[variable].outside) return true;
    }
    if (n->kind == NODE_CALL && n->function >= 0 && w->touches[n->function]) {
        return true;
    }
    if (n->kind == NODE_CALL && n->function < 0 && n->name != NULL &&
        (call_of(w, n) == CALL_COPY || call_of(w, n) == CALL_SET)) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (touches(w, function, n->child[i])) return true;
    }
    return false;
}

static void find_touches(whole *w)
{
    for (bool more = true; more;) {
        more = false;
        for (int f = 0; f < w->p->functions; f++) {
            if (!w->touches[f] && touches(w, f, w->p->function[f].body)) {
                w->touches[f] = more = true;
            }
        }
    }
}

/* ---- Inspectors of functions ---- */

static bool write_inspectors(whole *w, const node *n)
{
    if (n == NULL) {
        return true;
    }
    if (n->kind == NODE_CALL && n->function >= 0 && call_of(w, n) == CALL_PROGRAM && !w->function[n->function].reads) {
        unit *f = &w->function[n->function];
        const char *before = w->m->refusing;
        f->reads = true;
        bool good = write_inspectors(w, f->body);
        w->m->refusing = w->p->function[n->function].header;
        good = good && inspector_write(w, f);
        w->m->refusing = before;
        if (!good) return false;
    }
    for (int i = 0; i < n->children; i++) {
        if (!write_inspectors(w, n->child[i])) return false;
    }
    return true;
}

static void add_signature(const whole *w, int function, text_buffer *to)
{
    const c_function *f = &w->p->function[function];
    const unit *u = &w->function[function];
    const char *result = u->wants_value ? f->result : "void";
    text_addf(to, "static %s%sinlay_inspect_%s(inlay_loop *inlay_here, int inlay_site", result,
              result[strlen(result) - 1] == '*' ? "" : " ", f->name);
    for (int i = 0; i < f->parameters; i++) {
        if (parameter_stays(w, function, i)) {
            text_add(to, ", ");
            print_type(w, f->parameter[i], to);
            text_add(to, w->p->variable[f->parameter[i]].name);
        }
    }
    text_add(to, ")");
}

static void add_definition(const whole *w, int function, text_buffer *to)
{
    text_add(to, "\n\n/* What it touches. */\n");
    add_signature(w, function, to);
    text_addf(to, "\n{\n    (void)inlay_here;\n    (void)inlay_site;%s\n}\n",
              text_content(&w->function[function].inspector));
}

/* Declares the inspectors that a tree calls. */
static void add_prototypes(const whole *w, const node *n, text_buffer *to)
{
    if (n == NULL) {
        return;
    }
    if (n->kind == NODE_CALL && n->function >= 0 && w->function[n->function].reads) {
        text_buffer one = {0};
        add_signature(w, n->function, &one);
        text_add(&one, ";\n");
        if (strstr(text_content(to), text_content(&one)) == NULL) {
            text_add(to, text_content(&one));
        }
        text_settle(&one, to);
        text_clear(&one);
    }
    for (int i = 0; i < n->children; i++) {
        add_prototypes(w, n->child[i], to);
    }
}

static bool has_loop(const whole *w, int function)
{
    for (int i = 0; i < w->loops; i++) {
        if (w->loop[i].function == function) return true;
    }
    return false;
}

static bool place_inspectors(whole *w)
{
    bool headers = false, good = true;
    for (int f = 0; f < w->p->functions && good; f++) {
        const c_function *c = &w->p->function[f];
        if (c->header != NULL || (!has_loop(w, f) && !w->function[f].reads)) {
            continue;
        }
        text_buffer before = {0}, behind = {0};
        add_prototypes(w, c->body, &before);
        for (int h = 0; h < w->p->functions && !headers; h++) {
            if (w->p->function[h].header != NULL && w->function[h].reads) {
                add_prototypes(w, w->p->function[h].body, &before);
                add_definition(w, h, &before);
            }
        }
        headers = true;
        if (before.size > 0) {
            edit_insert(w->m, c->from, "%s\n", text_content(&before));
        }
        if (w->function[f].reads) {
            add_definition(w, f, &behind);
            edit_insert(w->m, c->to, "%s", text_content(&behind));
        }
        good = !before.failed && !behind.failed;
        text_clear(&before);
        text_clear(&behind);
    }
    return good || out_of_memory(w->m);
}

/* ---- main() and what all ranks do in step ---- */

static bool calls_name(const whole *w, const node *n, const char *name)
{
    if (n == NULL) {
        return false;
    }
    if (n->kind == NODE_CALL && n->function < 0 && n->name != NULL && strcmp(n->name, name) == 0) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (calls_name(w, n->child[i], name)) return true;
    }
    return false;
}

static const node *find_call(const whole *w, const char *name)
{
    for (int f = 0; f < w->p->functions; f++) {
        const c_function *c = &w->p->function[f];
        if (!c->beyond && calls_name(w, c->body, name)) return c->body;
    }
    return NULL;
}

static unsigned line_of_call(const node *n, const char *name)
{
    if (n == NULL) {
        return 0;
    }
    if (n->kind == NODE_CALL && n->name != NULL && strcmp(n->name, name) == 0) {
        return n->line;
    }
    unsigned line = 0;
    for (int i = 0; i < n->children && line == 0; i++) {
        line = line_of_call(n->child[i], name);
    }
    return line;
}

static bool refuse_calls(whole *w)
{
    static const char *const refused[] = {"fork",    "system",   "popen", "open",   "socket",
                                          "freopen", "MPI_Init", "execv", "execvp", "pthread_create",
                                          "tmpfile", "mkstemp",  "creat", "mmap"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const node *body = find_call(w, refused[i]);
        if (body != NULL) {
            return refuse(w->m, line_of_call(body, refused[i]),
                          "what '%s' does when every rank does it is not known; "
                          "expected a program without it",
                          refused[i]);
        }
    }
    return true;
}

typedef struct stand_in {
    const char *name, *text;
} stand_in;

/* Functions whose results would differ from rank to rank, or that do something to the world. */
static const stand_in stand_ins[] = {
    {"free", "#define free(block) inlay_free(inlay_program, (block))\n"},
    {"realloc", "#define realloc(block, size) inlay_realloc(inlay_program, (block), (size))\n"},
    {"exit", "#define exit(status) inlay_exit(inlay_program, (status))\n"},
    {"fopen", "#define fopen(path, mode) inlay_whole_fopen(inlay_program, (path), (mode))\n"},
    {"remove", "#define remove(path) inlay_whole_remove(inlay_program, (path))\n"},
    {"rename", "#define rename(from, to) inlay_whole_rename(inlay_program, (from), (to))\n"},
    {"getenv", "#define getenv(name) inlay_whole_getenv(inlay_program, (name))\n"},
    {"clock", "#define clock() inlay_clock(inlay_program)\n"},
    {"time", "#define time(at) inlay_time(inlay_program, (at))\n"},
    {"scanf", "#define scanf(...) fscanf(inlay_whole_stdin(inlay_program), __VA_ARGS__)\n"},
    {"getchar", "#define getchar() getc(inlay_whole_stdin(inlay_program))\n"},
    {"gettimeofday", "#include <sys/time.h>\n"
                     "static inline int inlay_gettimeofday(struct timeval *at, void *zone)\n{\n"
                     "    int status = gettimeofday(at, zone);\n    inlay_same(inlay_program, at, sizeof *at);\n"
                     "    return status;\n}\n#define gettimeofday(at, zone) inlay_gettimeofday((at), (zone))\n"},
    {"clock_gettime", "static inline int inlay_clock_gettime(clockid_t which, struct timespec *at)\n{\n"
                      "    int status = clock_gettime(which, at);\n    inlay_same(inlay_program, at, sizeof *at);\n"
                      "    return status;\n}\n#define clock_gettime(which, at) inlay_clock_gettime((which), (at))\n"},
    {"getpid", "#include <unistd.h>\nstatic inline pid_t inlay_getpid(void)\n{\n    pid_t number = getpid();\n"
               "    inlay_same(inlay_program, &number, sizeof number);\n    return number;\n}\n"
               "#define getpid() inlay_getpid()\n"},
    {"omp_get_wtime", "static inline double inlay_wtime(void)\n{\n    double at = omp_get_wtime();\n"
                      "    inlay_same(inlay_program, &at, sizeof at);\n    return at;\n}\n"
                      "#define omp_get_wtime() inlay_wtime()\n"},
};

static bool names_standard_input(const maploop *m)
{
    for (const char *at = m->text; (at = strstr(at, "stdin")) != NULL; at += 5) {
        bool cut = at > m->text && (strchr("_/<\".", at[-1]) != NULL || (at[-1] >= 'a' && at[-1] <= 'z'));
        if (!cut && strchr("_.", at[5]) == NULL) return true;
    }
    return false;
}

static const c_function *find_main(const whole *w)
{
    for (int f = 0; f < w->p->functions; f++) {
        if (strcmp(w->p->function[f].name, "main") == 0 && w->p->function[f].header == NULL) return &w->p->function[f];
    }
    return NULL;
}

/* Whether something is to be replaced in a file without marked loops. */
static bool stands_in(const whole *w)
{
    bool found = names_standard_input(w->m);
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins && !found; i++) {
        found = find_call(w, stand_ins[i].name) != NULL;
    }
    return found;
}

static void add_prologue(const whole *w, text_buffer *to)
{
    text_add(to, "/* Every rank runs this program; marked loops are shared out (inlay maploop). */\n"
                 "#include <inlay/irregular_loop.h>\n");
    static const char *const standard[] = {"bool", "true", "false"};
    bool included = strstr(w->m->text, "stdbool.h") != NULL;
    for (size_t i = 0; i < sizeof standard / sizeof *standard && !included; i++) {
        for (int k = 0; k < w->p->names; k++) {
            if (strcmp(w->p->name[k].name, standard[i]) == 0) {
                text_addf(to, "#undef %s\n", standard[i]);
                break;
            }
        }
    }
    bool several = w->m->files != NULL, starts = find_main(w) != NULL;
    text_addf(to, "%sinlay_whole *inlay_program;\n", !several ? "static " : starts ? "" : "extern ");
    if (w->has_entries) {
        text_add(to, "/* Who calls from elsewhere may look at memory, and has stored to it. */\n"
                     "static inline void inlay_left(int *entered)\n{\n    (void)entered;\n"
                     "    inlay_settle(inlay_program);\n}\n"
                     "#define INLAY_ENTERED                                                    \\\n"
                     "    __attribute__((unused, cleanup(inlay_left))) int inlay_entered = 0; \\\n"
                     "    inlay_program->epoch++\n");
    }
    if (w->has_scopes) {
        text_add(to, "/* Local memory that marked loops use: what they know of it ends with its scope. */\n"
                     "typedef struct inlay_scope {\n    const void *at;\n    size_t size;\n} inlay_scope;\n"
                     "static inline void inlay_leave(inlay_scope *scope)\n{\n"
                     "    inlay_must(inlay_program, inlay_whole_forget(inlay_program, scope->at, scope->size));\n}\n"
                     "#define INLAY_SCOPE(variable)                                          \\\n"
                     "    __attribute__((unused, cleanup(inlay_leave))) inlay_scope inlay_scope_##variable = \\\n"
                     "        {(const void *)&(variable), sizeof(variable)}\n");
    }
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++) {
        if (find_call(w, stand_ins[i].name) != NULL) {
            text_addf(to, "%s", stand_ins[i].text);
        }
    }
    if (names_standard_input(w->m)) {
        text_add(to, "#undef stdin\n#define stdin inlay_whole_stdin(inlay_program)\n");
    }
    text_add(to, "\n");
}

/* main() becomes a function that a main() of ours calls, so that all its returns end the ranks. */
static bool move_main(whole *w)
{
    maploop *m = w->m;
    const c_function *f = find_main(w);
    if (f == NULL && m->files != NULL) {
        return true;
    }
    if (f == NULL) {
        return refuse(m, 0, "there is no main(); expected a whole program: all its files, with -o FOLDER");
    }
    if (m->files != NULL) {
        m->files->has_main = true;
    }
    const char *at = m->text + f->from, *end = m->text + f->body->from;
    for (const char *next = at; (next = strstr(next, "main")) != NULL && next < end; next++) {
        at = next;
    }
    if (strncmp(at, "main", 4) != 0 || f->parameters > 2 || f->parameters == 1) {
        return refuse(m, f->line,
                      "main() has another form; expected int main(void) or int main(int argc, char **argv)");
    }
    edit_replace(m, (unsigned)(at - m->text), (unsigned)(at - m->text) + 4, "inlay_serial_main");
    const node *last = f->body->children > 0 ? f->body->child[f->body->children - 1] : NULL;
    if (last == NULL || last->kind != NODE_RETURN) {
        edit_insert(m, f->body->to - 1, "    return 0;\n");
    }
    char options[128] = "NULL";
    const char *method = m->files != NULL && m->files->method[0] != '\0' ? m->files->method : w->method;
    if (w->options->no_guard || method != NULL) {
        plain_print(options, sizeof options, "&(const inlay_whole_options){%s%s%s%s}",
                    method != NULL ? ".method = \"" : "", method != NULL ? method : "", method != NULL ? "\", " : "",
                    w->options->no_guard ? ".no_guard = 1" : "");
    }
    edit_insert(m, (unsigned)m->size,
                "\nint main(int argc, char **argv)\n{\n    inlay_program = inlay_start(&argc, &argv, %s);\n"
                "    return inlay_finish(inlay_program, inlay_serial_main(%s));\n}\n",
                options, f->parameters == 2 ? "argc, argv" : "");
    return true;
}

static bool check_names(whole *w)
{
    const program *p = w->p;
    for (int v = 0; v < p->variables + p->names + p->functions; v++) {
        const char *name = v < p->variables              ? p->variable[v].name
                           : v < p->variables + p->names ? p->name[v - p->variables].name
                                                         : p->function[v - p->variables - p->names].name;
        unsigned line = v < p->variables              ? p->variable[v].line
                        : v < p->variables + p->names ? p->name[v - p->variables].line
                                                      : p->function[v - p->variables - p->names].line;
        if (strncmp(name, "inlay_", 6) == 0 || strncmp(name, "INLAY_", 6) == 0 || strncmp(name, "MPI_", 4) == 0) {
            return refuse(w->m, line, "the name '%s' is needed for what is added; expected another", name);
        }
    }
    return true;
}

static bool study(whole *w)
{
    if (!whole_prepare(w) || !marks_find(w)) {
        return false;
    }
    for (int i = 0; i < w->loops; i++) {
        if (!prepare_unit(w, &w->loop[i])) return false;
    }
    (void)marks_spread(w);
    find_touches(w);
    if (!check_names(w) || !refuse_calls(w) || !aliases_find(w)) {
        return false;
    }
    for (int i = 0; i < w->loops; i++) {
        if (!body_check(w, &w->loop[i]) || !scalars_study(w, &w->loop[i])) return false;
    }
    return slices_find(w);
}

bool whole_write(whole *w, text_buffer *to)
{
    if (!study(w)) {
        return false;
    }
    for (int i = 0; i < w->loops; i++) {
        if (!write_inspectors(w, w->loop[i].body) || !inspector_write(w, &w->loop[i])) return false;
    }
    if (!outside_write(w)) {
        return false;
    }
    for (int i = 0; i < w->loops; i++) {
        if (!loop_write(w, &w->loop[i])) return false;
    }
    text_buffer prologue = {0};
    if (w->loops > 0 || find_main(w) != NULL || stands_in(w)) {
        add_prologue(w, &prologue);
    }
    edit_insert(w->m, w->p->first, "%s", text_content(&prologue));
    bool good = !prologue.failed || out_of_memory(w->m);
    text_clear(&prologue);
    return good && place_inspectors(w) && move_main(w) && edits_apply(w->m, to);
}

static void clear_unit(unit *u)
{
    free(u->written);
    free(u->member_input);
    free(u->choices);
    free(u->site);
    text_clear(&u->inspector);
    text_clear(&u->header);
    text_clear(&u->told);
}

bool whole_transform(maploop *m, const inlay_maploop_options *options, text_buffer *to)
{
    whole w = {.m = m, .p = &m->program, .options = options};
    bool good = whole_write(&w, to);
    if (options->explain) {
        explain(&w, to);
    }
    for (int i = 0; i < w.loops; i++) {
        clear_unit(&w.loop[i]);
    }
    for (int f = 0; w.function != NULL && f < m->program.functions; f++) {
        clear_unit(&w.function[f]);
    }
    free(w.loop);
    free(w.contract);
    free(w.written);
    free(w.key);
    return good;
}

/* NOLINTEND(misc-no-recursion) */
