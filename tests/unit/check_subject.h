/*
 * What the tests of the independent checker share: a mapping in a file of a temporary folder, as it is for a user, made,
 * altered and checked.
 */
#ifndef UNIT_CHECK_SUBJECT_H
#define UNIT_CHECK_SUBJECT_H

#include "unit.h"

#include <inlay/check.h>
#include <jansson.h>

/** The folder for one test, and its end: a fixture. */
void subject_set_up(void);
void subject_tear_down(void);

/** Where a test may write an application, and where the mapping is written. */
const char *subject_app(void);
const char *subject_mapping(void);

/** The application of that text, written to subject_app() as DOT and read; freed by the caller. */
inlay_app *subject_read(const char *text);

/** Map (or cost a placement, where that is not NULL) and write; false where the question has no answer. */
bool subject_map(const inlay_app *app, const char *source, const char *machine, const inlay_options *options,
                 const inlay_id *placement);

/**
 * How many findings the file has, checked strictly. Where none is expected, the first fails the test, which names `what`.
 * @param other_app  the application to check against; NULL: the one that the file names
 */
size_t subject_findings(const char *other_app, bool expect_none, const char *what);

/** The mapping as JSON, and the way back: subject_save() drops the reference. */
json_t *subject_load(void);
void subject_save(json_t *root);

/** A change of one value. */
typedef struct alteration {
    const char *path;  /**< like "clusters.0.work" */
    const char *value; /**< JSON; NULL: it is removed; "*": it grows by a millionth; "+": by 1; "!": it flips */
} alteration;

void subject_alter(json_t *root, const alteration *change);

enum { SUBJECT_ODDITIES = 8 };

/** Put the oddity of that number in place of every value of the mapping in turn: the checker always has an answer. */
void subject_survives(int oddity);

#endif
