/* The text of a file of C, from wherever it comes. */
#include "csource/source.h"
#include "base/diag.h"
#include "base/plain.h"
#include <errno.h>
#include <inlay/status.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A pipe's name does not tell that it is C, and headers are not beside it. */
static const char *const piped_words[] = {"-xc", "-iquote."};

/* Everything up to the end; NULL where there is no memory. */
static char *read_all(FILE *from, size_t *size)
{
    char *text = NULL, piece[BUFSIZ];
    FILE *to = open_memstream(&text, size);
    for (size_t read; to != NULL && (read = fread(piece, 1, sizeof piece, from)) > 0;) {
        (void)fwrite(piece, 1, read, to);
    }
    bool good = to != NULL && ferror(to) == 0;
    if (to != NULL && fclose(to) == 0 && good) {
        return text;
    }
    free(text);
    return NULL;
}

static int take(FILE *file, source *s, inlay_diag *diag)
{
    struct stat of;
    size_t size = 0;
    s->text = file != NULL ? read_all(file, &size) : NULL;
    int error = errno;
    if (file != NULL && s->text == NULL) {
        return diag_no_memory(diag);
    }
    bool failed = file == NULL || ferror(file) != 0;
    if (failed || size == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, s->file.Filename, 0, "cannot be read (%s); expected a file of C",
                            failed ? plain_error(error) : "it is empty");
    }
    bool piped = file == stdin || fstat(fileno(file), &of) != 0 || !S_ISREG(of.st_mode);
    s->words = piped ? sizeof piped_words / sizeof *piped_words : 0;
    s->word = piped_words;
    s->file.Contents = s->text;
    s->file.Length = size;
    return INLAY_OK;
}

int source_read(const char *path, source *s, inlay_diag *diag)
{
    bool standard = strcmp(path, "-") == 0;
    *s = (source){.file.Filename = standard ? "standard input" : path};
    errno = 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    int status = take(file, s, diag);
    if (file != NULL && !standard) {
        (void)fclose(file);
    }
    if (status != INLAY_OK) {
        source_clear(s);
    }
    return status;
}

void source_clear(source *s)
{
    free(s->text);
    *s = (source){0};
}
