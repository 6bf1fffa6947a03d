/* Method best beside what others answer on the same application and machine, each in its own order, all of them simulated. */
#ifndef BENCH_RIVALS_H
#define BENCH_RIVALS_H

#include "judged.h"

/** Eleven kinds of graphs, messages of 0.1 to 10 times the computation, three machines; and rising numbers of processors. */
int rivals_generated(const judge *q);

/** Workflows of WfFormat in a folder of the data, on buses and stars. */
int rivals_workflows(const judge *q, const char *data);

/** Tiled Cholesky, LU, and transforms on machines of 16 and 64 processors. */
int rivals_tiles(const judge *q);

#endif
