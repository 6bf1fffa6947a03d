/* Commands that are programs of their own. */
#include "external.h"
#include "report.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool external_folder(const char *program, char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length > 0) {
        folder[length] = '\0';
    } else if (snprintf(folder, PATH_MAX, "%s", program) >= PATH_MAX) {
        return false;
    }
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    return true;
}

static const char *const places[] = {"%s/inlay-%s", "%s/../libexec/inlay/inlay-%s"};

bool external_find(const char *name, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    bool found = false;
    bool known = external_folder("", folder);
    for (size_t i = 0; known && !found && i < sizeof places / sizeof *places; i++) {
        int length = snprintf(path, PATH_MAX, places[i], folder, name);
        found = length > 0 && length < PATH_MAX && access(path, X_OK) == 0;
    }
    return found;
}

bool external_exists(const char *name)
{
    char path[PATH_MAX];
    return external_find(name, path);
}

void external_start(const char *program, char *const *argv)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    char folder[PATH_MAX];
    char path[PATH_MAX];
    /* A name with a slash must not lead elsewhere. */
    if (argv[0][0] == '\0' || argv[0][strspn(argv[0], letters)] != '\0' || !external_folder(program, folder)) {
        return;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int length = snprintf(path, sizeof path, places[i], folder, argv[0]);
        if (length > 0 && (size_t)length < sizeof path) {
            (void)execv(path, argv);
        }
    }
}

int external_become(const invocation *call, const char *name, const char *asked, const char *package)
{
    call->words[0] = (char *)name; /* which nobody writes to */
    external_start(call->argv[0], call->words);
    return report_usage(call->command,
                        "%sthere is no inlay-%s beside this program; expected Inlay to be built where the package %s "
                        "is installed",
                        asked, name, package);
}
