/* The logs of a folder. */
#include "capture/logs.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void logs_clear(logs *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->log[i].memory);
    }
    free(all->log);
    *all = (logs){0};
}

/* Up to the first record without a kind: behind it nothing was written. */
static int read_log(const char *path, one_log *log, inlay_diag *diag)
{
    file_content content;
    log_header header;
    int status = file_read_raw(path, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (content.size >= sizeof header) {
        memcpy(&header, content.data, sizeof header);
    }
    if (content.size == 0 || (content.size >= sizeof header && header.magic == 0)) {
        log->memory = content.data; /* the program ended as the log began */
        return INLAY_OK;
    }
    if (strncmp(content.data, LOG_TEXT, strlen(LOG_TEXT)) == 0) {
        log->memory = content.data;
        log->text = content.data + strlen(LOG_TEXT);
        return INLAY_OK;
    }
    if (content.size < sizeof header || header.magic != LOG_MAGIC) {
        file_content_clear(&content);
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "this is no log; expected what a recorder wrote");
    }
    log->memory = content.data;
    log->records = (const log_record *)(const void *)(content.data + sizeof header);
    size_t most = (content.size - sizeof header) / sizeof(log_record);
    while (log->count < most && log->records[log->count].kind != 0) {
        log->count++;
    }
    return INLAY_OK;
}

/* "omp.123.0.log" */
static bool is_log(const char *name, const char *recorder, one_log *log)
{
    char expected[sizeof "9223372036854775807" * 2 + sizeof LOG_NAME + 16];
    const char *at = name + strlen(recorder);
    char *end;
    if (strncmp(name, recorder, strlen(recorder)) != 0 || *at != '.') {
        return false;
    }
    log->process = strtol(at + 1, &end, 10);
    log->thread = *end == '.' ? strtol(end + 1, &end, 10) : -1;
    (void)snprintf(expected, sizeof expected, LOG_NAME, recorder, log->process, log->thread);
    return strcmp(name, expected) == 0;
}

static int by_process(const void *a, const void *b)
{
    const one_log *x = a, *y = b;
    int order = (x->process > y->process) - (x->process < y->process);
    return order != 0 ? order : (x->thread > y->thread) - (x->thread < y->thread);
}

static int add(const char *folder, const char *name, one_log log, logs *all, size_t *capacity, inlay_diag *diag)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = memory_array(size, 1);
    if (path == NULL || !memory_grow((void **)&all->log, capacity, all->count + 1, sizeof *all->log)) {
        free(path);
        return diag_no_memory(diag);
    }
    (void)snprintf(path, size, "%s/%s", folder, name);
    int status = read_log(path, &log, diag);
    if (status == INLAY_OK) {
        all->log[all->count++] = log;
    }
    free(path);
    return status;
}

int logs_read(const char *folder, const char *recorder, logs *all, inlay_diag *diag)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, folder, 0, "this is no folder that can be read");
    }
    size_t capacity = 0;
    int status = INLAY_OK;
    for (const struct dirent *entry; status == INLAY_OK && (entry = readdir(directory)) != NULL;) {
        one_log log = {0};
        if (is_log(entry->d_name, recorder, &log)) {
            status = add(folder, entry->d_name, log, all, &capacity, diag);
        }
    }
    (void)closedir(directory);
    if (status != INLAY_OK) {
        logs_clear(all);
    } else if (all->count > 0) {
        qsort(all->log, all->count, sizeof *all->log, by_process);
    }
    return status;
}
