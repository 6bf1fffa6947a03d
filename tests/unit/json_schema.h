/*
 * A small JSON Schema validator for the schemas in docs/schema: draft 2020-12, the keywords that they use and no others.
 *
 * Places in a value are named as the documents name them: `clusters[].work` is the member `work` of the elements of
 * `clusters`, and `times.*` is any member of `times`. What a schema speaks of, and what a value shows of it, are sets of
 * facts: JSON objects whose keys are `clusters[].work` (the member is there), and `start=stream`, `free=true`,
 * `gap=null` (its value was that) for words that a schema lists one by one, for true and false, and for null.
 */
#ifndef UNIT_JSON_SCHEMA_H
#define UNIT_JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>

enum { SCHEMA_WHY = 512 };

/**
 * Whether a schema is well made: known keywords alone, each with a value of its kind; every object that lists its
 * members says what becomes of others; every reference leads to a schema. `why` tells what is wrong.
 */
bool schema_is_sound(const json_t *schema, char why[SCHEMA_WHY]);

/**
 * Whether a sound schema accepts a value; `why` tells the first thing that it refuses.
 * @param facts  what the value shows is added here; NULL: nobody wants to know
 */
bool schema_accepts(const json_t *schema, const json_t *value, json_t *facts, char why[SCHEMA_WHY]);

/** All that a sound schema speaks of, as a new set of facts. */
json_t *schema_facts(const json_t *schema);

/** The schema docs/schema/NAME.schema.json; the test fails where it cannot be read or is not sound. */
json_t *schema_load(const char *name);

/** The test fails where a fact of `expected` is not in `found`; `who` is named then. */
void schema_expect_facts(const json_t *expected, const json_t *found, const char *who);

/**
 * The test fails where the schema accepts the value with a member of any of its objects left out or of another kind, or
 * with one more; and where there are no more than `least` such damages.
 */
void schema_refuse_damages(const json_t *schema, json_t *value, size_t least);

/** What `inlay ARGUMENTS` prints, which has to be JSON. */
json_t *printed_json(const char *arguments);

#endif
