/* Files, streams and the environment of a program that runs on all ranks. */
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A text of the environment. */
typedef struct kept_text {
    struct kept_text *next;
    char text[];
} kept_text;

/* A result of rank 0, with its errno, for all. */
static int told(const whole_state *w, int result)
{
    int both[2] = {result, errno};
    MPI_Bcast(both, 2, MPI_INT, 0, w->whole.comm);
    if (both[0] != 0) {
        errno = both[1];
    }
    return both[0];
}

int inlay_whole_same(inlay_whole *whole, void *value, size_t size)
{
    DIAG_CALL(whole->diag);
    return size > INT_MAX
               ? diag_fail(whole->diag, INLAY_OVERFLOW, "a value of %zu bytes; expected fewer than 2^31", size)
               : collective_mpi(MPI_Bcast(value, (int)size, MPI_BYTE, 0, whole->comm), whole->diag);
}

/* ---- Contents of rank 0's files ---- */

/* All that is left of a stream; NULL where memory is out, or reading fails. */
static char *read_all(FILE *from, int64_t *size)
{
    char *text = NULL;
    size_t room = 0, used = 0, got = 1;
    while (got > 0) {
        if (!memory_grow((void **)&text, &room, used + 65536, 1)) {
            free(text);
            return NULL;
        }
        got = fread(text + used, 1, room - used, from);
        used += got;
    }
    *size = (int64_t)used;
    if (ferror(from) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* A file of this rank's own with what rank 0 read from `from`; NULL on all ranks where one has none. */
static FILE *copy_for_all(const whole_state *w, FILE *from)
{
    const int64_t most = INT64_C(1) << 30;
    int64_t size = -1;
    char *text = w->whole.rank == 0 ? read_all(from, &size) : NULL;
    size = text == NULL ? -1 : size;
    MPI_Bcast(&size, 1, MPI_INT64_T, 0, w->whole.comm);
    if (size < 0) {
        return NULL;
    }
    if (w->whole.rank != 0) {
        text = memory_array((size_t)size + 1, 1);
    }
    FILE *copy = tmpfile();
    int failed = text == NULL || copy == NULL, any = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, w->whole.comm);
    for (int64_t done = 0; done < size && any == 0 && text != NULL; done += most) {
        int64_t piece = size - done < most ? size - done : most;
        MPI_Bcast(text + done, (int)piece, MPI_BYTE, 0, w->whole.comm);
    }
    if (any == 0 && copy != NULL && text != NULL) {
        failed = fwrite(text, 1, (size_t)size, copy) != (size_t)size || fflush(copy) != 0;
        rewind(copy);
        MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, w->whole.comm);
    }
    free(text);
    if (any != 0 && copy != NULL) {
        fclose(copy);
        errno = EIO;
    }
    return any == 0 ? copy : NULL;
}

/* ---- Files ---- */

/* The file of rank 0, which is open, for the others: what they write is lost. */
static FILE *open_elsewhere(const char *path, const char *mode)
{
    return strchr(mode, '+') != NULL ? tmpfile() : fopen(mode[0] == 'r' ? path : "/dev/null", mode);
}

static FILE *open_to_change(whole_state *w, const char *path, const char *mode)
{
    FILE *from = w->whole.rank == 0 ? fopen(path, "r") : NULL; /* not there: nothing is in it */
    bool there = told(w, w->whole.rank == 0 && from == NULL) == 0;
    FILE *copy = there ? copy_for_all(w, from) : tmpfile();
    if (from != NULL) {
        fclose(from);
    }
    if (copy != NULL && mode[0] == 'a') {
        fseek(copy, 0, SEEK_END);
    }
    if (w->whole.rank == 0) {
        if (copy != NULL) {
            fclose(copy);
        }
        copy = fopen(path, mode);
    }
    return copy;
}

FILE *inlay_whole_fopen(inlay_whole *whole, const char *path, const char *mode)
{
    whole_state *w = state_of(whole);
    bool changes = strchr(mode, '+') != NULL && mode[0] != 'w';
    FILE *file = NULL;
    if (changes) {
        file = open_to_change(w, path, mode);
    } else if (whole->rank == 0) {
        file = fopen(path, mode);
    }
    int failed = told(w, whole->rank == 0 && file == NULL);
    if (!changes && failed == 0 && whole->rank != 0) { /* rank 0 has it open: what it wrote before is in it */
        file = open_elsewhere(path, mode);
    }
    int mine = file == NULL, any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, whole->comm);
    if (any != 0 && file != NULL) {
        fclose(file);
        file = NULL;
    }
    return file;
}

FILE *inlay_whole_stdin(inlay_whole *whole)
{
    whole_state *w = state_of(whole);
    if (w->input == NULL) {
        w->input = copy_for_all(w, stdin);
    }
    return w->input;
}

int inlay_whole_remove(inlay_whole *whole, const char *path)
{
    return told(state_of(whole), whole->rank == 0 ? remove(path) : 0);
}

int inlay_whole_rename(inlay_whole *whole, const char *from, const char *to)
{
    return told(state_of(whole), whole->rank == 0 ? rename(from, to) : 0);
}

/* ---- The environment ---- */

char *inlay_whole_getenv(inlay_whole *whole, const char *name)
{
    whole_state *w = state_of(whole);
    const char *value = whole->rank == 0 ? getenv(name) : NULL; // NOLINT(concurrency-mt-unsafe): nobody sets it
    int64_t size = value == NULL ? 0 : (int64_t)strlen(value) + 1;
    MPI_Bcast(&size, 1, MPI_INT64_T, 0, whole->comm);
    if (size == 0 || size > INT_MAX) {
        return NULL;
    }
    kept_text *kept = memory_zeroed(1, sizeof *kept + (size_t)size);
    int failed = kept == NULL, any = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, whole->comm);
    if (any != 0 || kept == NULL) {
        free(kept);
        return NULL;
    }
    if (value != NULL) {
        memcpy(kept->text, value, (size_t)size);
    }
    MPI_Bcast(kept->text, (int)size, MPI_BYTE, 0, whole->comm);
    kept->next = w->kept;
    w->kept = kept;
    return kept->text;
}

int inlay_whole_quiet(inlay_whole *whole)
{
    DIAG_CALL(whole->diag);
    int status = INLAY_OK;
    if (whole->rank != 0) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0) {
            status = diag_fail(whole->diag, INLAY_SYSTEM, "/dev/null cannot be written");
        }
        if (nowhere >= 0) {
            close(nowhere);
        }
    }
    return collective_agree(whole->comm, status, whole->diag);
}

void whole_streams_close(whole_state *w)
{
    if (w->input != NULL) {
        fclose(w->input);
    }
    while (w->kept != NULL) {
        kept_text *next = w->kept->next;
        free(w->kept);
        w->kept = next;
    }
}
