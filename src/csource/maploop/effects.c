/*
 * What all ranks execute alike outside of distributed loops, and what its calls do: each must do the same on all ranks, or
 * is done by rank 0 alone. A value that may differ from rank to rank is a rank's own: it may be printed, and decide nothing.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows.
 */
#include "base/plain.h"
#include "csource/count/count.h"
#include "csource/maploop/loops.h"
#include <stdio.h>
#include <string.h>

/* ---- What functions of the C library do ---- */

typedef enum effect {
    EFFECT_UNKNOWN,
    EFFECT_NONE,   /* what depends on the arguments alone; results may go to where they point */
    EFFECT_SAME,   /* the same on all ranks, where the arguments are */
    EFFECT_STREAM, /* on a stream, to which rank 0 may write: the result is that of rank 0 */
    EFFECT_OPEN,
    EFFECT_INPUT, /* reads standard input */
    EFFECT_OWN    /* every rank has its own: clocks, and who it is */
} effect;

static effect effect_of(const node *call)
{
    static const struct {
        effect effect;
        const char *names;
    } known[] = {
        {EFFECT_NONE,
         " memcpy memmove memset memcmp memchr mempcpy strlen strnlen strcpy strncpy strcat strncat strcmp strncmp "
         "strcasecmp "
         "strncasecmp strchr strrchr strstr strspn strcspn strpbrk strtok strtok_r strdup strndup strerror strcoll "
         "stpcpy "
         "atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof strtold strtoimax strtoumax sscanf "
         "vsscanf "
         "snprintf sprintf vsnprintf vsprintf isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct "
         "isspace "
         "isupper isxdigit tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location div "
         "ldiv "
         "lldiv difftime localtime localtime_r gmtime gmtime_r ctime ctime_r asctime asctime_r strftime mktime timegm "
         "nan "
         "frexp scalbn scalbln ilogb logb nextafter nexttoward rand_r basename dirname index rindex bcopy bzero "},
        {EFFECT_SAME,
         " malloc calloc realloc reallocarray aligned_alloc posix_memalign free exit abort __assert_fail __assert "
         "atexit srand rand srandom random srand48 drand48 lrand48 mrand48 erand48 nrand48 initstate setstate "
         "fgets fgetc getc fread fscanf vfscanf getline getdelim ungetc qsort bsearch setlocale localeconv "
         "getenv setvbuf setbuf setlinebuf sleep usleep nanosleep thrd_sleep getopt getopt_long fgetc_unlocked "
         "getc_unlocked "},
        {EFFECT_STREAM,
         " printf puts putchar fprintf fputs fputc putc perror vprintf vfprintf fwrite write dprintf vdprintf "
         "putchar_unlocked putc_unlocked fputc_unlocked fputs_unlocked fwrite_unlocked fflush fclose ferror "
         "feof clearerr rewind fseek fseeko ftell ftello fileno "},
        {EFFECT_OPEN, " fopen "},
        {EFFECT_INPUT, " scanf vscanf getchar getchar_unlocked gets read readline "},
        {EFFECT_OWN,
         " clock time gettimeofday clock_gettime clock_getres timespec_get times getrusage ftime getpid getppid "
         "gettid gethostname sched_getcpu isatty omp_get_wtime "},
    };
    char name[64];
    math_counts counts;
    if (call->function >= 0 || call->name == NULL || !call->system) {
        return EFFECT_UNKNOWN;
    }
    int length = snprintf(name, sizeof name, " %s ", call->name);
    for (size_t i = 0; length < (int)sizeof name && i < sizeof known / sizeof *known; i++) {
        if (strstr(known[i].names, name) != NULL) return known[i].effect;
    }
    bool plain = strncmp(call->name, "__builtin_", strlen("__builtin_")) == 0 && strstr(call->name, "_ia32_") == NULL &&
                 strstr(call->name, "cycle") == NULL;
    return math_find(call->name, &counts) || plain ? EFFECT_NONE : EFFECT_UNKNOWN;
}

bool call_is_output(const node *n)
{
    return n->kind == NODE_CALL && effect_of(n) == EFFECT_STREAM;
}

/* ---- What is a rank's own ---- */

/* Rank 0 tells the result to all where the call stands in the text; in a header or a macro nothing can be added. */
static bool can_be_agreed(const maploop *m, const node *call)
{
    size_t length = strlen(call->name);
    return call->to - call->from > length && strncmp(m->text + call->from, call->name, length) == 0;
}

bool is_own(const maploop *m, const node *n)
{
    if (n == NULL) {
        return false;
    }
    if (n->kind == NODE_VARIABLE) {
        return n->variable >= 0 && m->own[n->variable];
    }
    if (n->kind == NODE_CALL && n->function >= 0) {
        return m->gives_own[n->function];
    }
    effect e = n->kind == NODE_CALL ? effect_of(n) : EFFECT_NONE;
    bool found = e == EFFECT_OWN || (e == EFFECT_STREAM && !can_be_agreed(m, n));
    for (int i = 0; (e == EFFECT_NONE || e == EFFECT_OWN) && !found && i < n->children; i++) {
        found = is_own(m, n->child[i]);
    }
    return found;
}

static bool note_own(maploop *m, int variable)
{
    bool more = variable >= 0 && !m->own[variable] && array_find(m, variable) < 0;
    if (more) {
        m->own[variable] = true;
    }
    return more;
}

/* Where an expression leads to as a place or an address; whether there is something new. */
static bool note_places(maploop *m, const node *n)
{
    bool more = false;
    if (n == NULL || n->kind == NODE_CALL || n->kind == NODE_CONSTANT) {
        return false;
    }
    if (n->kind == NODE_VARIABLE) {
        return note_own(m, n->variable);
    }
    int parts = n->kind == NODE_INDEX ? 1 : n->children;
    for (int i = 0; i < parts; i++) {
        bool place = n->kind != NODE_BINARY || n->child[i]->type.kind == TYPE_POINTER;
        more = (place && note_places(m, n->child[i])) || more;
    }
    return more;
}

static bool note_value(maploop *m, const node *to, int variable, const node *from, bool pointer)
{
    bool more = is_own(m, from) && (to != NULL ? note_places(m, to) : note_own(m, variable));
    bool was = to != NULL ? is_own(m, to) : m->own[variable];
    return (was && pointer && note_places(m, from)) || more;
}

static bool note_call(maploop *m, const node *call)
{
    bool more = false;
    if (call->function >= 0) {
        const c_function *f = &m->program.function[call->function];
        for (int i = 0; i < f->parameters && i < call->children; i++) {
            bool pointer = m->program.variable[f->parameter[i]].type.kind == TYPE_POINTER;
            more = note_value(m, NULL, f->parameter[i], call->child[i], pointer) || more;
        }
        return more;
    }
    bool own = effect_of(call) != EFFECT_STREAM && is_own(m, call);
    for (int i = 0; own && i < call->children; i++) {
        more = (call->child[i]->type.kind == TYPE_POINTER && note_places(m, call->child[i])) || more;
    }
    return more;
}

static bool note_own_values(maploop *m, const node *n, int function)
{
    bool more = false;
    if (n == NULL) {
        return false;
    }
    for (int i = 0; i < n->children; i++) {
        more = note_own_values(m, n->child[i], function) || more;
    }
    if (n->kind == NODE_CALL) {
        more = note_call(m, n) || more;
    } else if (n->kind == NODE_ASSIGN) {
        more = note_value(m, n->child[0], -1, n->child[1], n->type.kind == TYPE_POINTER) || more;
    } else if (n->kind == NODE_DECLARATION && n->children > 0) {
        bool pointer = m->program.variable[n->variable].type.kind == TYPE_POINTER;
        more = note_value(m, NULL, n->variable, n->child[0], pointer) || more;
    } else if (n->kind == NODE_RETURN && n->children > 0 && is_own(m, n->child[0]) && !m->gives_own[function]) {
        m->gives_own[function] = more = true;
    }
    return more;
}

static void find_own_values(maploop *m)
{
    bool more = true;
    while (more) {
        more = false;
        for (int f = 0; f < m->program.functions; f++) {
            more = note_own_values(m, m->program.function[f].body, f) || more;
        }
    }
}

/* ---- What is allowed ---- */

/** What becomes of a value. */
typedef enum fate { FATE_DROPPED, FATE_TESTED, FATE_KEPT } fate;

static bool decides(maploop *m, const node *n)
{
    static const char unseen[] = "what this macro tells";
    bool seen = n->to > n->from;
    return !is_own(m, n) ||
           refuse(m, n->line,
                  "'%.*s' differs from rank to rank, as clocks do, and decides here how all go on; "
                  "expected it to be printed alone",
                  seen ? (int)(n->to - n->from) : (int)strlen(unseen), seen ? m->text + n->from : unseen);
}

static bool check_arguments(maploop *m, const node *call)
{
    for (int i = 0; i < call->children; i++) {
        if (!decides(m, call->child[i])) return false;
    }
    return true;
}

/* The mode of fopen(): 'r' every rank reads; 'w' rank 0 alone writes. */
static bool check_open(maploop *m, const node *call)
{
    const node *mode = call->children == 2 ? bare(call->child[1]) : NULL;
    const char *text = mode != NULL && mode->kind == NODE_CONSTANT && mode->name != NULL ? mode->name : "";
    if (text[0] != '"' || strchr("rwa", text[1]) == NULL || strchr(text, '+') != NULL) {
        return refuse(m, call->line,
                      "whether this fopen() is for reading by all ranks or for writing by one is not known; expected "
                      "\"r\", \"w\" or \"a\"");
    }
    if (text[1] == 'r') {
        m->reads = true;
        return true;
    }
    if (!can_be_agreed(m, call)) {
        return refuse(m, call->line,
                      "every rank would open this file and write to it; expected fopen() in the text of %s", m->path);
    }
    edit_replace(m, call->from, call->from + (unsigned)strlen("fopen"), "open_once");
    m->opens = true;
    return true;
}

static void agree(maploop *m, const node *call)
{
    const char *type = call->type.bits > 32 ? (call->type.is_unsigned ? "size_t" : "long") : "int";
    edit_insert(m, call->from, "(%s)agreed((int64_t)", type);
    edit_insert(m, call->to, ")");
    m->agrees = true;
}

static bool check_call(maploop *m, const node *call, fate becomes)
{
    if (call->function >= 0) {
        return true;
    }
    switch (effect_of(call)) {
    case EFFECT_NONE:
    case EFFECT_OWN: return true;
    case EFFECT_SAME: return check_arguments(m, call);
    case EFFECT_OPEN: return check_arguments(m, call) && check_open(m, call);
    case EFFECT_STREAM:
        if (becomes != FATE_DROPPED && call->type.kind == TYPE_INTEGER && can_be_agreed(m, call)) {
            agree(m, call);
        }
        return true;
    case EFFECT_INPUT:
        return refuse(m, call->line, "%s() reads standard input, which rank 0 has alone; expected a file", call->name);
    default: break;
    }
    return refuse(m, call->line,
                  "what %s%s does when every rank calls it is not known; expected functions of this file, or of the C "
                  "library for numbers, texts, memory, and streams",
                  call->name != NULL ? call->name : "a function behind a pointer", call->name != NULL ? "()" : "");
}

static bool is_allocating(const maploop *m, const node *n)
{
    n = bare(n);
    const node *call = n->kind == NODE_ASSIGN ? bare(n->child[1]) : NULL;
    for (int i = 0; call != NULL && i < m->arrays; i++) {
        if (m->array[i].allocation == call) return true;
    }
    return false;
}

/* What becomes of the value of a part. */
static fate fate_of_part(const node *n, int i, fate whole)
{
    switch (n->kind) {
    case NODE_BLOCK:
    case NODE_CASE: return FATE_DROPPED;
    case NODE_IF:
    case NODE_SWITCH: return i == 0 ? FATE_TESTED : FATE_DROPPED;
    case NODE_FOR:
    case NODE_WHILE:
    case NODE_DO: return i == 1 ? FATE_TESTED : FATE_DROPPED;
    case NODE_CAST: return n->type.kind == TYPE_OTHER ? FATE_DROPPED : whole;
    case NODE_CHOICE: return i == 0 ? FATE_TESTED : whole;
    case NODE_UNARY: return n->operation == OP_NOT ? FATE_TESTED : FATE_KEPT;
    case NODE_BINARY:
        if (n->operation == OP_COMMA) {
            return i == 0 ? FATE_DROPPED : whole;
        }
        return n->operation >= OP_LESS && n->operation <= OP_OR ? FATE_TESTED : FATE_KEPT;
    default: return FATE_KEPT;
    }
}

/* What decides about the way that a node goes. */
static const node *decision_of(const node *n)
{
    bool first = n->kind == NODE_IF || n->kind == NODE_SWITCH || n->kind == NODE_CHOICE ||
                 (n->kind == NODE_BINARY && (n->operation == OP_AND || n->operation == OP_OR));
    return first ? n->child[0] : node_is_loop(n) ? n->child[1] : NULL;
}

static bool check(maploop *m, const node *n, fate becomes, int function)
{
    if (n == NULL) {
        return true;
    }
    const node *decision = decision_of(n);
    if (n->kind == NODE_RETURN && n->children > 0 && &m->program.function[function] == m->main) {
        decision = n->child[0];
    }
    if (decision != NULL && !decides(m, decision)) {
        return false;
    }
    if (n->kind == NODE_VARIABLE && n->variable >= 0 && strcmp(variable_name(m, n->variable), "stdin") == 0) {
        return refuse(m, n->line, "rank 0 alone has standard input; expected a file");
    }
    if (becomes == FATE_KEPT && is_allocating(m, n)) {
        return refuse(m, n->line, "an array that is allocated here gets a second pointer; expected one");
    }
    if (n->kind == NODE_CALL && !check_call(m, n, becomes)) {
        return false;
    }
    for (int i = 0; i < n->children; i++) {
        if (!check(m, n->child[i], fate_of_part(n, i, becomes), function)) return false;
    }
    return true;
}

static bool is_word(const char *at, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(name, at, length) == 0;
}

/* The condition of `remap when` is no part of the trees. */
static bool check_remap(maploop *m)
{
    const char *end = m->text + m->marks.remap.to;
    for (const char *at = m->text + m->marks.remap.from; m->marks.remap_line > 0 && at < end;) {
        size_t length = 0;
        while (at + length < end && (plain_alnum((unsigned char)at[length]) || at[length] == '_')) {
            length++;
        }
        bool own = false, call = length > 0 && at[length] == '(';
        for (int v = 0; v < m->program.variables && !own; v++) {
            own = m->own[v] && is_word(at, length, variable_name(m, v));
        }
        for (int f = 0; f < m->program.functions && call; f++) {
            call = m->gives_own[f] || !is_word(at, length, m->program.function[f].name);
        }
        if (own || call) {
            return refuse(
                m, m->marks.remap_line,
                "the condition depends on '%.*s', which may differ from rank to rank; expected variables that "
                "all ranks have",
                (int)length, at);
        }
        at += length > 0 ? length : 1;
    }
    return true;
}

/* Functions of headers count where one of the file calls them. */
static void mark_called(maploop *m, const node *n)
{
    for (int i = 0; n != NULL && i < n->children; i++) {
        mark_called(m, n->child[i]);
    }
    if (n != NULL && n->kind == NODE_CALL && n->function >= 0 && !m->program.function[n->function].active) {
        m->program.function[n->function].active = true;
        mark_called(m, m->program.function[n->function].body);
    }
}

bool effects_check(maploop *m)
{
    bool good = true;
    const char *path = m->path;
    find_own_values(m);
    for (int f = 0; f < m->program.functions; f++) {
        c_function *function = &m->program.function[f];
        if (function->header == NULL && !function->active) {
            function->active = true;
            mark_called(m, function->body);
        }
    }
    for (int f = 0; f < m->program.functions && good; f++) {
        const c_function *function = &m->program.function[f];
        m->refusing = function->header != NULL ? function->header : path;
        good = !function->active || check(m, function->body, FATE_DROPPED, f);
    }
    m->refusing = path;
    for (int f = 0; f < m->program.functions; f++) {
        m->program.function[f].active = false; /* call_is_pure() asks each once */
    }
    return good && check_remap(m);
}

/* NOLINTEND(misc-no-recursion) */
