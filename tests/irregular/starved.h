/*
 * Memory that is refused. Calls of malloc() and its kin in the objects of unit-irregular are those here (ld --wrap), and
 * those of the shared libraries, MPI's among them, are not.
 */
#ifndef INLAY_TESTS_STARVED_H
#define INLAY_TESTS_STARVED_H

#include <stdbool.h>

/** From now on allocation number `first`, from 0, is refused; with `rest` all behind it are too. -1: none is. */
void starved_begin(long first, bool rest);

/** Refuses nothing any more. How many allocations there were since starved_begin(). */
long starved_end(void);

/** Blocks that were had and are not freed. */
long starved_live(void);

#endif
