// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What every unit test includes: Check, and where the test data are.
 *
 * A file tests/unit/test_NAME.c defines `Suite *suite_NAME(void)`. That is all: the Makefile lists the suites.
 */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>

#define SUITE(name) Suite *suite_##name(void);
#include "suites.inc"
#undef SUITE

/**
 * The folders of real input files and of expected numbers: INLAY_DATA, else ../shared/data beside the checkout, and
 * `spec` beside that. NULL where there is none, which a test takes as a reason to skip itself:
 *
 *     if (unit_data() == NULL) {
 *         unit_skip("no test data");
 *         return;
 *     }
 */
const char *unit_data(void);
const char *unit_spec(void);

/** Counts the running test as skipped; the test returns right after. */
void unit_skip(const char *why);

#endif
