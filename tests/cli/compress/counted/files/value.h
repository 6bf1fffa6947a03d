/*
 * Whole numbers that are values, not indices: V(i). COMPUTES(n): n operations on whole numbers that are bounds, which the
 * operators of the counting compiler do not see. That compiler has its own.
 */
#ifndef COUNTED
typedef int number;
#define V(x) (x)
#define COMPUTES(n) (void)0
#endif
