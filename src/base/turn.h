/* Libraries with variables of their own, igraph above all, are used by one thread at a time. */
#ifndef BASE_TURN_H
#define BASE_TURN_H

/** Waits until no other thread has its turn; not to be nested. */
void turn_take(void);
void turn_give(void);

#endif
