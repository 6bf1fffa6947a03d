/* What the readers of Scotch's target architectures share. */
#ifndef IO_TGT_TGT_H
#define IO_TGT_TGT_H

#include <inlay/machine.h>

/* Levels of a tree and dimensions of a grid; a machine of more than 8 is refused where it is made. */
enum { TGT_LEVELS = 30 };

typedef struct tgt_reader {
    const char *at, *end;
    long line;
    const char *source;
    const char *keyword;
    long keyword_line;
    const inlay_attribute *attributes; /**< that stand behind the file's name */
    size_t count;
    inlay_diag *diag;
} tgt_reader;

/** The next number; `what` says in a message what stands there. */
int tgt_number(tgt_reader *r, const char *what, int64_t least, int64_t most, int64_t *number);

/** Refuses whatever stands behind the last number. */
int tgt_end(tgt_reader *r);

/* Constructs that become explicit machines. */
int tgt_read_weighted(tgt_reader *r, inlay_machine **machine);  /**< behind cmpltw */
int tgt_read_distances(tgt_reader *r, inlay_machine **machine); /**< behind deco */

#endif
