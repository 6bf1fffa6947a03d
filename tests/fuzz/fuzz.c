/*
 * A fuzz target for every reader: libFuzzer gives bytes, which are read as the format that INLAY_FUZZ names, an application's,
 * or a machine's as machine:NAME. What was read as an application is written without loss and read back, and must be
 * written the same again.
 */
#include <inlay/inlay.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *content_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = 0;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        abort();
    }
    rewind(file);
    text = calloc(1, (size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) {
        abort();
    }
    (void)fclose(file);
    return text;
}

static void go_there_and_back(const inlay_app *app)
{
    char path[64];
    inlay_app *back = NULL;
    snprintf(path, sizeof path, "/tmp/inlay-fuzz-%ld.tg", (long)getpid());
    if (inlay_app_write(app, path, "tg", NULL) != INLAY_OK || inlay_app_read(path, "tg", &back, NULL) != INLAY_OK) {
        abort();
    }
    char *first = content_of(path);
    if (inlay_app_write(back, path, "tg", NULL) != INLAY_OK) {
        abort();
    }
    char *second = content_of(path);
    if (strcmp(first, second) != 0) {
        abort();
    }
    free(first);
    free(second);
    remove(path);
    inlay_app_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char machines[] = "machine:";
    const char *format = getenv("INLAY_FUZZ"), *text = (const char *)data;
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    if (format != NULL && strncmp(format, machines, strlen(machines)) == 0) {
        (void)inlay_machine_read_memory(text, size, "in", format + strlen(machines), &machine, diag);
    } else if (inlay_app_read_memory(text, size, "in", format, &app, diag) == INLAY_OK) {
        go_there_and_back(app);
    }
    inlay_app_free(app);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    return 0;
}
