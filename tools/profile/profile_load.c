/* The program of `inlay profile`: compiled, loaded, and watched for crashes. */
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): asks for sigaltstack()

#include "external.h"
#include "launcher.h"
#include "profile.h"
#include "report.h"
#include <dlfcn.h>
#include <errno.h>
#include <inlay/inlay.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define SHARED_OBJECT "program.so"
#define COPIED_C      "program.c"

/* `PROGRAM: text` */
static int refuse(const invocation *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int refuse(const invocation *call, const char *format, ...)
{
    char message[2 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    say(stderr, "%-s: %-s\n", call->operands[0], message);
    return EXIT_USAGE;
}

/* ---- What it is ---- */

typedef enum program_form { FORM_C, FORM_SHARED, FORM_OTHER } program_form;

enum { HEAD = 4 };

static bool is_shared(const char *begin, size_t size)
{
    static const char elf[HEAD] = {0x7f, 'E', 'L', 'F'};
    return size == HEAD && memcmp(begin, elf, HEAD) == 0;
}

static int refuse_reading(const invocation *call, int error)
{
    return refuse(call, "cannot be read (%s); expected a program in C, or a shared object", strerror(error));
}

static int find_form(const invocation *call, program_form *form)
{
    const char *path = call->operands[0], *extension = strrchr(path, '.');
    char begin[HEAD] = {0};
    errno = 0;
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(begin, 1, sizeof begin, file) : 0;
    int error = file == NULL || ferror(file) != 0 ? errno : 0;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (error != 0) {
        return refuse_reading(call, error);
    }
    bool is_c = extension != NULL && strcmp(extension, ".c") == 0;
    *form = is_shared(begin, size) ? FORM_SHARED : is_c ? FORM_C : FORM_OTHER;
    return *form != FORM_OTHER ? EXIT_DONE
                               : refuse(call, "is no program; expected C in a file whose name ends in .c, or a shared "
                                              "object");
}

/* The line by which the compiler calls the copy what the program is called. */
static size_t put_name(const char *path, char line[PATH_MAX])
{
    size_t length = (size_t)sprintf(line, "#line 1 \"");
    for (const char *c = path; *c != '\0' && length + 5 < PATH_MAX; c++) {
        if (*c == '"' || *c == '\\') {
            line[length++] = '\\';
        }
        line[length++] = (char)((unsigned char)*c < ' ' ? '?' : *c);
    }
    line[length++] = '"';
    line[length++] = '\n';
    return length;
}

/* What comes through a pipe is told by its content, and stands in the private folder. */
static int copy_program(const invocation *call, const folder *where, program_form *form, char path[PATH_MAX])
{
    const char *operand = call->operands[0];
    char begin[PATH_MAX + HEAD], head[HEAD];
    FILE *from = open_once(operand);
    size_t size = from != NULL ? fread(head, 1, HEAD, from) : 0, named = 0;
    if (from == NULL) {
        return refuse_reading(call, errno);
    }
    *form = is_shared(head, size) ? FORM_SHARED : FORM_C;
    if (*form == FORM_C) {
        named = put_name(strcmp(operand, "-") == 0 ? "standard input" : operand, begin);
    }
    memcpy(begin + named, head, size);
    folder_file(where, *form == FORM_C ? COPIED_C : SHARED_OBJECT, path);
    return copy_rest(from, begin, named + size, path) == INLAY_OK ? EXIT_DONE : refuse_reading(call, errno);
}

/* ---- Compiling ---- */

/* The option that tells where Inlay's headers are: beside the folder of this program, built or installed. */
static void add_headers(words *command)
{
    static const char *const places[] = {"%s/../include", "%s/../../include"};
    char own[PATH_MAX], headers[PATH_MAX + 32], option[PATH_MAX + 64];
    for (size_t i = 0; external_folder("", own) && i < sizeof places / sizeof *places; i++) {
        (void)snprintf(headers, sizeof headers, places[i], own);
        (void)snprintf(option, sizeof option, "%s/inlay/dataflow.h", headers);
        if (access(option, R_OK) == 0) {
            (void)snprintf(option, sizeof option, "-I%s", headers);
            words_add(command, option);
            return;
        }
    }
}

static void compiler_words(const invocation *call, const char *source, const char *object, words *command)
{
    static const char *const options[] = {"-std=c17", "-O2", "-fPIC", "-shared"};
    const profile_values *values = call->values;
    char path[PATH_MAX + 2];
    words_split(command, values->compiler != NULL ? values->compiler : "cc");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        words_add(command, options[i]);
    }
    add_headers(command);
    if (source != call->operands[0]) { /* a copy: the program's own headers are not beside it */
        words_add(command, "-iquote");
        words_add(command, ".");
    }
    (void)snprintf(path, sizeof path, "%s%s", source[0] == '-' ? "./" : "", source);
    words_add(command, path);
    words_add(command, "-o");
    words_add(command, object);
    words_add(command, "-lm");
}

/* The compiler's first error, which names file and line. */
static int check_compiler(const invocation *call, const program_kind *kind, const char *compiler, const outcome *o)
{
    char line[LAUNCHER_LINE];
    outcome_show(call, o);
    if (o->end.stopped || o->end.status == 0 || !outcome_line(o->errors, "error: ", line)) {
        return launcher_check_end(call, kind, compiler, o);
    }
    say_safely(stderr, line);
    say(stderr, "; expected C that the compiler takes%s\n", call->common->verbose ? "" : " (--verbose: all it says)");
    return EXIT_USAGE;
}

static int compile(const invocation *call, const folder *where, const char *source, const char *object)
{
    static const program_kind kind = {"a C compiler", "--compiler", "gcc"};
    const profile_values *values = call->values;
    const char *compiler = values->compiler != NULL ? values->compiler : "cc";
    words command = {0}, settings = {0};
    outcome o = {0};
    compiler_words(call, source, object, &command);
    int end = launcher_start(call, &kind, where, &command, &settings, &o);
    end = end == EXIT_DONE ? check_compiler(call, &kind, compiler, &o) : end;
    if (end == EXIT_DONE && access(object, R_OK) != 0) {
        end = launcher_fail(call, "%s ended well, but wrote no program; expected %s", compiler, kind.what);
    }
    outcome_clear(&o);
    words_clear(&command);
    return end;
}

/* ---- Loading ---- */

/* What the loader says, without the path that it begins with. */
static const char *loader_said(const char *path)
{
    const char *said = dlerror();
    size_t length = strlen(path);
    if (said != NULL && strncmp(said, path, length) == 0 && said[length] == ':') {
        said += length + 1 + strspn(said + length + 1, " ");
    }
    return said != NULL ? said : "no reason given";
}

/* It stays loaded: its functions are used up to the end. */
static int load(const invocation *call, const char *path, inlay_program_function **function)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) {
        return refuse(call,
                      "cannot be loaded (%s); expected a shared object that needs nothing but Inlay, C and what it is "
                      "linked with",
                      loader_said(path));
    }
    void *found = dlsym(object, "inlay_program_main");
    if (found == NULL) {
        (void)dlclose(object);
        return refuse(call, "has no function inlay_program_main; expected one that adds modules and wires them");
    }
    memcpy(function, &found, sizeof found); /* as POSIX has it; C knows no conversion */
    return EXIT_DONE;
}

/* A pipe may keep this process waiting: signals end it meanwhile, and the guard removes the folder. */
static int copy_if_piped(const invocation *call, const folder *where, const sigset_t *before, program_form *form,
                         char path[PATH_MAX])
{
    sigset_t held;
    if (!comes_once(call->operands[0])) {
        return EXIT_DONE;
    }
    endings_release(before);
    int end = copy_program(call, where, form, path);
    endings_hold(&held);
    return end;
}

/* The private folder is gone before the program begins. */
static int compile_and_load(const invocation *call, const folder *where, const sigset_t *before, void *function)
{
    program_form form = FORM_C;
    char object[PATH_MAX], copy[PATH_MAX] = "";
    int end = copy_if_piped(call, where, before, &form, copy);
    folder_file(where, SHARED_OBJECT, object);
    if (end == EXIT_DONE && form == FORM_C) {
        end = compile(call, where, copy[0] != '\0' ? copy : call->operands[0], object);
    }
    return end == EXIT_DONE ? load(call, object, function) : end;
}

int program_load(const invocation *call, inlay_program_function **function)
{
    const char *path = call->operands[0];
    char here[PATH_MAX];
    program_form form = FORM_C;
    int end = comes_once(path) ? EXIT_DONE : find_form(call, &form);
    if (end != EXIT_DONE || form == FORM_C) {
        return end == EXIT_DONE ? launcher_in_folder(call, compile_and_load, function) : end;
    }
    /* the loader looks for a name without a slash elsewhere */
    if (snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path) >= (int)sizeof here) {
        return refuse(call, "cannot be loaded (%s); expected a shorter path", strerror(ENAMETOOLONG));
    }
    return load(call, here, function);
}

/* ---- Crashes ---- */

/* What the handler says, made before: it may call next to nothing. */
static char crash_message[2 * PATH_MAX];

static void tell_crash(int number)
{
    (void)number;
    (void)!write(STDERR_FILENO, crash_message, strlen(crash_message));
    _exit(EXIT_USAGE);
}

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static int watch(void (*handler)(int))
{
    const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        if (sigaction(crashes[i], &action, NULL) != 0) {
            return -1;
        }
    }
    return 0;
}

/* A module that runs out of stack cannot run the handler on it. */
int program_watch(const invocation *call, size_t stack)
{
    enum { HANDLER_STACK = 65536 };
    static char room[HANDLER_STACK];
    const stack_t apart = {.ss_sp = room, .ss_size = sizeof room};
    char safe[PATH_MAX];
    size_t length = 0;
    for (const char *c = call->operands[0]; *c != '\0' && length + 1 < sizeof safe; c++) {
        safe[length++] = (unsigned char)*c < ' ' ? '?' : *c;
    }
    safe[length] = '\0';
    (void)snprintf(crash_message, sizeof crash_message,
                   "%s: crashed while it ran (a mistake in it, or a module that needs more stack than %zu bytes); "
                   "expected a program that runs, or a larger --stack\n",
                   safe, stack);
    if (sigaltstack(&apart, NULL) != 0 || watch(tell_crash) != 0) {
        return launcher_fail(call, "signals cannot be handled (%s)", strerror(errno));
    }
    return EXIT_DONE;
}

void program_unwatch(void)
{
    (void)watch(SIG_DFL);
}
