/* Folded sequences laid out as the tables of synth.h. */
#ifndef SYNTH_TABLES_H
#define SYNTH_TABLES_H

#include "synth/number.h"

/**
 * Fills work, kind, loop, entry, sequence_begin of the program and what its summary says of them.
 * @param sequences  of folded symbols
 * INLAY_NO_MEMORY leaves what inlay_synth_free() frees.
 */
int synth_lay_out(const numberer *n, const intern *sequences, inlay_synth *synth);

#endif
