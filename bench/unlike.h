/* Every method on networks whose hosts differ: the instances of DAGBench. */
#ifndef BENCH_UNLIKE_H
#define BENCH_UNLIKE_H

#include "judged.h"

/** How many times as long as the best of all each method takes. A status of the library. */
int unlike(const judge *q, const char *data);

#endif
