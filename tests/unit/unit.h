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

/**
 * Check gives each row of a loop test a process of its own, which with sanitizers costs more than most rows do. Here
 * sixteen rows share one; a checked fixture, which is added before, is still made for each.
 */
void unit_add_loop_test(TCase *tests, const TTest *test, int begin, int end);
void unit_add_fixture(TCase *tests, SFun set_up, SFun tear_down);
#undef tcase_add_loop_test
#define tcase_add_loop_test                                 unit_add_loop_test
#define tcase_add_checked_fixture(tests, set_up, tear_down) unit_add_fixture(tests, set_up, tear_down)

/** Counts the running test as skipped; the test returns right after. */
void unit_skip(const char *why);

#endif
