/*
 * A file on its way: it is made under another name beside its target, and takes the target's place when it is whole.
 * A part of inlay_outputs waits there until all are whole.
 */
#ifndef BASE_PART_H
#define BASE_PART_H

#include <inlay/outputs.h>

typedef struct part part;

/**
 * Make one to write to, and open it. A link stays a link: the file that it leads to is the target, there or not. The
 * mode is that of the target where there is one, else what the umask leaves.
 * @param together  where it waits for the others; NULL: it is the caller's alone
 * @return  0, or what is wrong as an errno
 */
int part_open(const char *path, inlay_outputs *together, part **made, int *descriptor);

/** All of it is written: flush it to the disk, close it, and put it in its place unless it waits. Returns as above. */
int part_finish(part *of, int descriptor);

/** Close it, and leave what was there before. */
void part_abandon(part *of, int descriptor);

/** Says that `named` cannot be written, and why: an errno. Returns the status for it. */
int part_refuse(const char *named, int why, inlay_diag *diag);

#endif
