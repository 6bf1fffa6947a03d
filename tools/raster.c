/* Pictures as PNG and PDF. */
#include "raster.h"
#include "allowed.h"
#include "output.h"
#include "report.h"
#include <errno.h>
#include <inlay/inlay.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const cli_option options[] = {
    {"png", 0, OPTION_STRING, "FILE", "the picture of --svg as PNG, by rsvg-convert, cairosvg or inkscape", NULL,
     offsetof(common_values, png)},
    {"pdf", 0, OPTION_STRING, "FILE", "the same as PDF", NULL, offsetof(common_values, pdf)},
};
const cli_group picture_options = {"Pictures", options, sizeof options / sizeof *options};

/* What makes them: each writes to standard output. "%f" is the format, "%i" the file of the SVG. */
enum { WORDS = 6, NOT_THERE = 127 };
static const char *const programs[][WORDS] = {
    {"rsvg-convert", "--format=%f", "%i"},
    {"cairosvg", "--format=%f", "--output=-", "%i"},
    {"inkscape", "--export-type=%f", "--export-filename=-", "%i"},
};

/* Runs one of them; its exit status, -1 where it is not there or cannot be started. */
static int run_program(const char *const *form, const char *format, const char *svg, FILE *to)
{
    char text[WORDS][PATH_MAX + 64], *words[WORDS + 1] = {0};
    for (size_t i = 0; i < WORDS && form[i] != NULL; i++) {
        const char *at = strchr(form[i], '%');
        (void)snprintf(text[i], sizeof text[i], "%.*s%s", at != NULL ? (int)(at - form[i]) : INT_MAX, form[i],
                       at == NULL     ? ""
                       : at[1] == 'f' ? format
                                      : svg);
        words[i] = text[i];
    }
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return -1;
    }
    int error = posix_spawn_file_actions_adddup2(&actions, fileno(to), STDOUT_FILENO);
    error = error == 0 ? posix_spawnp(&child, words[0], &actions, NULL, words, environ) : error;
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(child, &status, 0) < 0) {
        error = errno == EINTR ? 0 : errno;
    }
    return error != 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* What the program wrote becomes the file. */
static bool deliver(FILE *from, const char *path)
{
    long size = fseek(from, 0, SEEK_END) == 0 ? ftell(from) : -1;
    char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    rewind(from);
    bool whole = bytes != NULL && fread(bytes, 1, (size_t)size, from) == (size_t)size;
    if (whole) {
        output_write(path, bytes, (size_t)size);
    }
    free(bytes);
    return whole;
}

static void convert(const char *format, const char *svg, const char *path)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        FILE *made = tmpfile();
        int status = made != NULL ? run_program(programs[i], format, svg, made) : -1;
        bool good = status == 0 && deliver(made, path);
        if (made != NULL) {
            (void)fclose(made);
        }
        if (good) {
            return;
        }
        if (status >= 0 && status != NOT_THERE) {
            say(stderr, "inlay: %s: %s cannot make it of the picture\n", path, programs[i][0]);
            output_fail();
            return;
        }
    }
    say(stderr, "inlay: %s: nothing makes it of the picture; expected rsvg-convert, cairosvg or inkscape installed\n",
        path);
    output_fail();
}

int raster_write(const cli_output *svg, const cli_answer *a, const char *format, const char *path)
{
    const char *place = getenv("TMPDIR");
    char folder[PATH_MAX], file[PATH_MAX + 16];
    (void)snprintf(folder, sizeof folder, "%s/inlay.XXXXXX", place != NULL && *place != '\0' ? place : "/tmp");
    (void)setenv("SOURCE_DATE_EPOCH", "0", 0); /* a PDF says when it was made: the same bytes every time */
    inlay_diag *diag = new_diag();             /* files are there at once */
    if (diag == NULL || mkdtemp(folder) == NULL) {
        say(stderr, "inlay: %s: no folder for a moment can be made in %s\n", path, place != NULL ? place : "/tmp");
        output_fail();
        inlay_diag_free(diag);
        return INLAY_OK;
    }
    (void)snprintf(file, sizeof file, "%s/picture.svg", folder);
    const cli_answer again = {a->call, a->of, diag};
    int status = svg->write(&again, file);
    if (status == INLAY_OK) {
        convert(format, file, path);
    } else {
        status = output_told(status, diag);
    }
    (void)unlink(file);
    (void)rmdir(folder);
    inlay_diag_free(diag);
    return status;
}
