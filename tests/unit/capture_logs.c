/* A folder of logs, as recorders write them. */
#include "capture_logs.h"
#include "unit.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char logs_folder[256];

void logs_set_up(void)
{
    const char *top = getenv("TMPDIR");
    snprintf(logs_folder, sizeof logs_folder, "%s/inlay-capture-XXXXXX", top != NULL ? top : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(logs_folder));
}

void logs_tear_down(void)
{
    char path[512];
    DIR *all = opendir(logs_folder);
    for (const struct dirent *one; (one = readdir(all)) != NULL;) {
        snprintf(path, sizeof path, "%s/%.200s", logs_folder, one->d_name);
        unlink(path);
    }
    closedir(all);
    rmdir(logs_folder);
}

void logs_write(const char *recorder, int process, int thread, const log_record *records, int count)
{
    char path[512];
    const log_header header = {.magic = LOG_MAGIC, .process = process, .thread = thread};
    snprintf(path, sizeof path, "%s/%s.%d.%d.log", logs_folder, recorder, process, thread);
    FILE *to = fopen(path, "wb");
    ck_assert_ptr_nonnull(to);
    ck_assert_uint_eq(fwrite(&header, sizeof header, 1, to), 1);
    ck_assert_uint_eq(fwrite(records, sizeof *records, (size_t)count, to), (size_t)count);
    fclose(to);
}
