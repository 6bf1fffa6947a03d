/* The log of a command's processes, line by line. */
#include "capture/processes_events.h"
#include "base/diag.h"
#include "base/plain.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind CPU: c a new child, p a process, f a file, n a number, t a text up to the end of the line. */
static const struct {
    const char *word, *arguments;
} words[] = {
    [PROCESS_START] = {"start", ""},        [PROCESS_FORK] = {"fork", "c"},     [PROCESS_EXEC] = {"exec", "fnt"},
    [PROCESS_READ] = {"read", "fnt"},       [PROCESS_WRITE] = {"write", "fnt"}, [PROCESS_UPDATE] = {"update", "fnt"},
    [PROCESS_GIVEN] = {"given", "fnt"},     [PROCESS_WAIT] = {"wait", "pn"},    [PROCESS_PIPE_IN] = {"pipe-in", "f"},
    [PROCESS_PIPE_OUT] = {"pipe-out", "f"}, [PROCESS_SOCKET] = {"socket", ""},  [PROCESS_MEMORY] = {"memory", ""},
    [PROCESS_EXIT] = {"exit", "n"},         [PROCESS_LEFT] = {"left", ""},      [PROCESS_END] = {"end", ""},
};
enum { WORDS = sizeof words / sizeof *words };

/* What is known while lines are read. */
typedef struct reading {
    process_events *all;
    int64_t time; /* of the last line */
    int64_t *cpu; /* of each process, at its last line; -1: it has ended */
    size_t capacity;
    id_map processes; /* of those that the system has, and of those that ended and no other has taken the number of */
    name_map files;
    bool failed; /* out of memory */
} reading;

static bool take_number(char **at, int64_t *number)
{
    char *end;
    if (!plain_digit((unsigned char)**at)) {
        return false;
    }
    errno = 0;
    *number = strtoll(*at, &end, 10);
    *at = end + (*end == ' ');
    return errno == 0 && (*end == ' ' || *end == '\0');
}

static char *take_word(char **at)
{
    char *word = *at;
    *at += strcspn(word, " ");
    if (**at == ' ') {
        *(*at)++ = '\0';
    }
    return word;
}

/* Up to the end of the line, with what stands in it as numbers. */
static char *take_text(char **at)
{
    char *text = *at, *to = text;
    for (const char *from = text; *from != '\0'; to++) {
        bool coded = from[0] == '\\' && strspn(from + 1, "01234567") >= 3;
        *to = coded ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0')) : *from;
        from += coded ? 4 : 1;
    }
    *at += strlen(*at);
    *to = '\0';
    return text;
}

/* A program may be named by any bytes: those of no plain character are '?'. */
static char *take_name(char **at)
{
    char *name = take_text(at);
    for (char *c = name; *c != '\0'; c++) {
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    }
    return name;
}

static bool is_process(int64_t number)
{
    return number > 0 && number <= INT32_MAX;
}

/* A process begins; its number may have been another's, which has ended. */
static bool begin_process(reading *r, int64_t number, int32_t *process)
{
    int64_t before = is_process(number) ? id_map_get(&r->processes, (int32_t)number, -1) : 0;
    if (!is_process(number) || (before >= 0 && r->cpu[before] >= 0) || r->all->processes == INT32_MAX) {
        return false;
    }
    *process = r->all->processes;
    (void)id_map_remove(&r->processes, (int32_t)number, -1);
    r->failed = id_map_add(&r->processes, (int32_t)number, *process) < 0 ||
                !memory_grow((void **)&r->cpu, &r->capacity, (size_t)*process + 1, sizeof *r->cpu);
    if (!r->failed) {
        r->cpu[*process] = 0;
        r->all->processes++;
    }
    return !r->failed;
}

static bool take_file(reading *r, char **at, int32_t *file)
{
    const char *word = take_word(at);
    *file = name_map_get(&r->files, word);
    if (*file < 0 && word[0] != '\0') {
        *file = r->all->files++;
        r->failed = !name_map_put(&r->files, word, *file);
    }
    return *file >= 0 && !r->failed;
}

static bool take_arguments(reading *r, process_event *e, char **at)
{
    bool good = true;
    for (const char *is = words[e->is].arguments; good && *is != '\0'; is++) {
        int64_t number = 0;
        switch (*is) {
        case 'c': good = take_number(at, &number) && begin_process(r, number, &e->other); break;
        case 'p':
            good = take_number(at, &number) && is_process(number);
            e->other = good ? (int32_t)id_map_get(&r->processes, (int32_t)number, -1) : -1;
            break;
        case 'f': good = take_file(r, at, &e->file); break;
        case 'n': good = take_number(at, &e->number); break;
        default: e->text = e->is == PROCESS_EXEC ? take_name(at) : take_text(at); break;
        }
    }
    return good && **at == '\0';
}

static bool take_line(reading *r, process_event *e, char *at)
{
    int64_t number;
    int is = 0;
    bool good = take_number(&at, &e->time);
    const char *word = take_word(&at);
    while (is < WORDS && strcmp(word, words[is].word) != 0) {
        is++;
    }
    if (!good || is == WORDS || !take_number(&at, &number) || !is_process(number) || !take_number(&at, &e->cpu) ||
        e->time < r->time || r->all->whole || (is == PROCESS_START) != (r->all->count == 0)) {
        return false;
    }
    e->is = (process_event_is)is;
    r->time = e->time;
    if (is == PROCESS_START) {
        return begin_process(r, number, &e->process) && *at == '\0';
    }
    r->all->whole = is == PROCESS_END;
    e->process = (int32_t)id_map_get(&r->processes, (int32_t)number, -1);
    if (is == PROCESS_END) {
        return e->process == 0 && *at == '\0';
    }
    if (e->process < 0 || r->cpu[e->process] < 0 || e->cpu < r->cpu[e->process] || !take_arguments(r, e, &at)) {
        return false;
    }
    r->cpu[e->process] = is == PROCESS_EXIT || is == PROCESS_LEFT ? -1 : e->cpu;
    return true;
}

int process_events_read(const one_log *log, const char *folder, process_events *all, inlay_diag *diag)
{
    reading r = {.all = all};
    long line = 1;
    int status = memory_grow((void **)&r.cpu, &r.capacity, 1, sizeof *r.cpu) ? INLAY_OK : diag_no_memory(diag);
    char *end;
    for (char *at = log->text; status == INLAY_OK && (end = strchr(at, '\n')) != NULL; at = end + 1) {
        process_event e = {.process = -1, .other = -1, .file = -1};
        *end = '\0';
        line++;
        if (!take_line(&r, &e, at)) {
            char path[PATH_MAX];
            (void)snprintf(path, sizeof path, "%s/" LOG_NAME, folder, PROCESSES_LOG, log->process, log->thread);
            status = r.failed ? diag_no_memory(diag)
                              : diag_fail_at(diag, INLAY_BAD_INPUT, path, line,
                                             "this does not follow from the lines before; expected TIME EVENT PROCESS "
                                             "CPU ... of a process that runs");
        } else if (!memory_grow((void **)&all->event, &all->capacity, all->count + 1, sizeof *all->event)) {
            status = diag_no_memory(diag);
        } else {
            all->event[all->count++] = e;
        }
    }
    id_map_clear(&r.processes);
    name_map_clear(&r.files);
    free(r.cpu);
    return status;
}

void process_events_clear(process_events *all)
{
    free(all->event);
    *all = (process_events){0};
}
