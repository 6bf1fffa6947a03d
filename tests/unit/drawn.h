/*
 * How many random cases a test draws. Sanitizers make everything several times as slow, so with them it draws one in
 * four; `make check` without them draws all.
 */
#ifndef TESTS_DRAWN_H
#define TESTS_DRAWN_H

#ifdef __SANITIZE_ADDRESS__
enum { DRAWN_PART = 4 };
#else
enum { DRAWN_PART = 1 };
#endif

#endif
