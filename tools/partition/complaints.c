/*
 * What libraries would print themselves. PT-Scotch tells each error, of which the most are that memory is out, where it finds
 * it: on one rank, while the others may wait for that one within PT-Scotch for ever. So the first one ends all ranks.
 */
#include "partition.h"
#include "report.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int heard = -1; /* a copy of standard error, also on ranks that are silent and while it is away */

void complaints_begin(void)
{
    heard = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int complaints_hold(void)
{
    int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), away = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && away >= 0) {
        (void)dup2(away, STDERR_FILENO);
    }
    if (away >= 0) {
        (void)close(away);
    }
    return kept;
}

void complaints_release(int kept)
{
    if (kept >= 0) {
        (void)dup2(kept, STDERR_FILENO);
        (void)close(kept);
    }
}

int complain(const char *what)
{
    char line[300];
    int length = snprintf(line, sizeof line, "inlay: %s\n", what);
    if (heard >= 0 && write(heard, line, (size_t)length) != length) {
        heard = -1; /* nobody hears it */
    }
    return EXIT_SYSTEM;
}

/* PT-Scotch's own is in a library beside it that programs replace (its user's guide, section 6.13). */
__attribute__((visibility("default"), format(printf, 1, 2))) void SCOTCH_errorPrint(const char *format, ...);
void SCOTCH_errorPrint(const char *const format, ...)
{
    char text[200], line[250];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)snprintf(line, sizeof line, "PT-Scotch failed (%s)", text);
    /* for MPI_Abort() there may be no memory; the launcher ends the others */
    _exit(complain(strstr(text, "out of memory") != NULL ? "out of memory in PT-Scotch" : line));
}
