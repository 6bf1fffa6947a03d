/* The file of hosts of `inlay measure --hosts`. */
#include "measure_hosts.h"
#include "options.h"
#include "report.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 100000 };

static const char blanks[] = " \t\r\n";

/* Of one line; the name is ours. */
typedef struct host_line {
    char *name;
    int32_t slots;
    long line;
} host_line;

typedef struct host_list {
    const char *path;
    host_line *at;
    size_t count, capacity;
    int32_t ranks;
} host_list;

static void list_clear(host_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->at[i].name);
    }
    free(list->at);
}

/* `FILE:LINE: text`; line 0: `FILE: text`. */
static int refuse(const char *path, long line, const char *format, ...)
{
    char text[320];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say_safely(stderr, path);
    if (line > 0) {
        say(stderr, ":%ld", line);
    }
    say(stderr, ": %-s\n", text);
    return EXIT_USAGE;
}

/* ---- Lines ---- */

static const host_line *find_host(const host_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->at[i].name, name) == 0) {
            return &list->at[i];
        }
    }
    return NULL;
}

static int add_host(host_list *list, long line, const char *name, int32_t slots)
{
    const host_line *before = find_host(list, name);
    if (before != NULL) {
        return refuse(list->path, line,
                      "host '%.40s' is there for the second time, after line %ld; expected each once, with slots=N for "
                      "several processes",
                      name, before->line);
    }
    if (list->ranks > MOST_RANKS - slots) {
        return refuse(list->path, line, "there are more than %d slots in all; expected no more", MOST_RANKS);
    }
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        host_line *room = realloc(list->at, capacity * sizeof *room);
        if (room == NULL) {
            return report_no_memory();
        }
        list->at = room;
        list->capacity = capacity;
    }
    host_line *added = &list->at[list->count];
    *added = (host_line){.name = strdup(name), .slots = slots, .line = line};
    if (added->name == NULL) {
        return report_no_memory();
    }
    list->count++;
    list->ranks += slots;
    return EXIT_DONE;
}

/* "slots=4"; 0 where it is no such thing. */
static int32_t read_slots(const char *word)
{
    static const char key[] = "slots=";
    const char *digits = word + sizeof key - 1;
    if (strncmp(word, key, sizeof key - 1) != 0 || digits[strspn(digits, "0123456789")] != '\0' || strlen(digits) > 6) {
        return 0;
    }
    long slots = strtol(digits, NULL, 10);
    return slots <= MOST_RANKS ? (int32_t)slots : 0;
}

static int read_line(host_list *list, long line, char *text)
{
    char *rest = NULL;
    int32_t slots = 1;
    text[strcspn(text, "#")] = '\0';
    const char *name = strtok_r(text, blanks, &rest);
    const char *word = name != NULL ? strtok_r(NULL, blanks, &rest) : NULL;
    if (name == NULL) {
        return EXIT_DONE;
    }
    if (strchr(name, '=') != NULL || name[0] == '-') {
        return refuse(list->path, line, "there is '%.40s'; expected the name of a host", name);
    }
    if (word != NULL) {
        slots = read_slots(word);
        if (slots < 1) {
            return refuse(list->path, line,
                          "there is '%.40s' behind host '%.40s'; expected slots=N, N processes from 1 to %d", word,
                          name, MOST_RANKS);
        }
        word = strtok_r(NULL, blanks, &rest);
    }
    if (word != NULL) {
        return refuse(list->path, line, "there is '%.40s' behind the slots of host '%.40s'; expected nothing more",
                      word, name);
    }
    return add_host(list, line, name, slots);
}

static int read_file(host_list *list, FILE *file)
{
    char *text = NULL;
    size_t room = 0;
    long line = 0;
    int end = EXIT_DONE;
    for (ssize_t length; end == EXIT_DONE && (length = getline(&text, &room, file)) >= 0;) {
        line++;
        end = strlen(text) == (size_t)length
                  ? read_line(list, line, text)
                  : refuse(list->path, line, "there is a byte 0; expected the name of a host");
    }
    free(text);
    if (end == EXIT_DONE && ferror(file) != 0) {
        return refuse(list->path, 0, "cannot be read (%s); expected a file of hosts", strerror(errno));
    }
    return end == EXIT_DONE && list->count == 0
               ? refuse(list->path, 0, "there is no host; expected a name a line, as in 'node1' or 'node1 slots=4'")
               : end;
}

/* ---- The launcher's file ---- */

char *hosts_launcher_file(const folder *where, char path[PATH_MAX])
{
    return folder_file(where, "hosts", path);
}

static int write_file(const host_list *list, const folder *where)
{
    char path[PATH_MAX];
    FILE *to = fopen(hosts_launcher_file(where, path), "w");
    if (to == NULL) {
        say(stderr, "inlay: %s cannot be written (%s)\n", path, strerror(errno));
        return EXIT_SYSTEM;
    }
    for (size_t i = 0; i < list->count; i++) {
        say(to, "%s slots=%d\n", list->at[i].name, (int)list->at[i].slots);
    }
    bool failed = ferror(to) != 0;
    failed = fclose(to) != 0 || failed;
    if (failed) {
        say(stderr, "inlay: %s cannot be written\n", path);
    }
    return failed ? EXIT_SYSTEM : EXIT_DONE;
}

int hosts_prepare(const char *path, const folder *where, int32_t *ranks)
{
    host_list list = {.path = path};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return refuse(path, 0, "cannot be read (%s); expected a file of hosts", strerror(errno));
    }
    int end = read_file(&list, file);
    (void)fclose(file);
    end = end == EXIT_DONE ? write_file(&list, where) : end;
    if (end == EXIT_DONE) {
        *ranks = list.ranks;
    }
    list_clear(&list);
    return end;
}
