/*
 * Whether there is memory left for what is about to be called. Where limits of the process (ulimit -v, ulimit -d) are used
 * up within a library, it may end the process, or wait for ever: MPI does both when it cannot get the buffers of a message.
 */
#ifndef IRREGULAR_EXCHANGE_HEADROOM_H
#define IRREGULAR_EXCHANGE_HEADROOM_H

#include <stdbool.h>
#include <stddef.h>

/** What MPI may need in an exchange, beside what it got when it began. */
#define HEADROOM_OF_MPI ((size_t)16 << 20)

/** Whether so many bytes can still be had; true where the process has no limit. Nothing is kept. Local. */
bool headroom_left(size_t bytes);

#endif
