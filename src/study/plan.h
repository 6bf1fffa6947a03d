/* Reading a study: what the files of the reader share. */
#ifndef STUDY_PLAN_H
#define STUDY_PLAN_H

#include "base/sha256.h"
#include "io/json/read.h"
#include "study/study.h"

/** The file, and settings that stand in place of what it says: an object each. */
typedef struct plan {
    inlay_study *study;
    json_file *document; /**< the file first; a later one has the last word */
    size_t documents;
    sha256 hash; /**< of what is said */
    inlay_diag *diag;
} plan;

/** A value, and where it stands. */
typedef struct plan_value {
    const json_file *file;       /**< whose value it is; the study's own where there is none */
    json_place root, parent, at; /**< each points to the one before it */
} plan_value;

/** Find a member, of the object `inside` (NULL: of the whole). False where it is nowhere; `value` can be refused all the same. */
bool plan_find(const plan *p, const char *inside, const char *key, plan_value *value);

/** The same in one document: `value` without a value where it is not there. */
void plan_find_in(const json_file *file, const char *inside, const char *key, plan_value *value);

/** Add to what the digest is made of. */
void plan_hash(plan *p, const char *key, const char *value);

/** Numbers: a number, a text for series_parse(), an object with from, to, and step or factor, or a list of these. */
int plan_series(const json_file *file, const json_place *at, int64_t most, series *numbers);

/** Applications that are computed: an object with `generate`, and lists of sizes. Adds them. */
int plan_generate(plan *p, const json_file *file, const json_place *at);

/** `options`: those of the mapping. */
int plan_options(plan *p);

/** Makes room for one more application; NULL when out of memory. */
study_application *plan_new_application(inlay_study *study);

#endif
