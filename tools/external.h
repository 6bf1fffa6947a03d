/* Commands that are programs of their own: `inlay NAME` starts inlay-NAME, as git does. */
#ifndef TOOLS_EXTERNAL_H
#define TOOLS_EXTERNAL_H

#include "options.h"
#include <limits.h>
#include <stdbool.h>

/** The folder of this program, where the system tells it, or else its name `program` has one; false where not. */
bool external_folder(const char *program, char folder[PATH_MAX]);

/**
 * Become inlay-NAME from the folder of this program or from ../libexec/inlay beside it; argv[0] is NAME.
 * Returns only where there is none or it cannot be started.
 */
void external_start(const char *program, char *const *argv);

/** The same with the words of a call; returns only when it has said which package is missing. `asked`: by what, or "". */
int external_become(const invocation *call, const char *name, const char *asked, const char *package);

/** The inlay-NAME that could be started, into `path`; false where there is none. */
bool external_find(const char *name, char path[PATH_MAX]);

bool external_exists(const char *name);

#endif
