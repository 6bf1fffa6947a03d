// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What every unit test includes: Check, and where the test data and the expected numbers are.
 *
 * A file tests/unit/test_NAME.c defines `Suite *suite_NAME(void)`. That is all: the Makefile lists the suites.
 */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <jansson.h>

#define SUITE(name) Suite *suite_##name(void);
#include "suites.inc"
#undef SUITE

/**
 * The folder of real input files: INLAY_DATA, else ../shared/data beside the checkout. NULL where there is none, which a
 * test takes as a reason to skip itself:
 *
 *     if (unit_data() == NULL) {
 *         unit_skip("no test data");
 *         return;
 *     }
 */
const char *unit_data(void);

/** Expected numbers: tests/golden/NAME.json. The caller drops it. */
json_t *unit_golden(const char *name);

/** Counts the running test as skipped; the test returns right after. */
void unit_skip(const char *why);

#endif
