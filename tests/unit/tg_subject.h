/* What the tests of .tg share: texts of applications, and paths of their own. */
#ifndef UNIT_TG_SUBJECT_H
#define UNIT_TG_SUBJECT_H

#include "base/text.h"
#include <inlay/app.h>

/** The application in `text`; the test fails with the message where there is none. Freed by the caller. */
inlay_app *tg_app(const char *text, size_t size);

/** The bytes of a file in a format. Cleared by the caller. */
text_buffer tg_text(const inlay_app *app, const char *format);

/** Both hold the same and have the same name, as JSON says, which is written by code of its own. */
void tg_expect_same(const inlay_app *a, const inlay_app *b);

/** A path in the temporary folder that no other process uses; valid until the next call. */
const char *tg_scratch(const char *name);

#endif
