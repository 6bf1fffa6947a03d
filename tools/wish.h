/* --deadline, --budget and --objective of commands that wish for more than the least time. */
#ifndef TOOLS_WISH_H
#define TOOLS_WISH_H

#include "options.h"
#include <inlay/wish.h>

/** Not given: NULL. The objective is its place in the words. */
typedef struct wish_values {
    const char *deadline, *budget;
    int objective;
} wish_values;

#define WISH_OBJECTIVES "usual|time|price|energy|efficiency|knee"
#define WISH_OBJECTIVE_HELP                                                                                            \
    "what is made best within deadline and budget; usual: price with a deadline, time with a budget alone, else the "  \
    "knee, the least price times time"

/** The options' rows for wish_values at a place in a command's values. */
#define WISH_OPTIONS(at)                                                                                               \
    {"deadline",                                                                                                       \
     0,                                                                                                                \
     OPTION_STRING,                                                                                                    \
     "TIME",                                                                                                           \
     "when the run is to be over: with s, min, h or d, such as 90min",                                                 \
     "none",                                                                                                           \
     (at) + offsetof(wish_values, deadline)},                                                                          \
        {"budget",                                                                                                     \
         0,                                                                                                            \
         OPTION_STRING,                                                                                                \
         "PRICE",                                                                                                      \
         "what the run may cost, a number in the currency of the prices",                                              \
         "none",                                                                                                       \
         (at) + offsetof(wish_values, budget)},                                                                        \
    {                                                                                                                  \
        "objective", 0, OPTION_CHOICE, WISH_OBJECTIVES, WISH_OBJECTIVE_HELP, "the least time",                         \
            (at) + offsetof(wish_values, objective)                                                                    \
    }

/** An exit status, and has said what is wrong. */
int wish_read(const invocation *call, const wish_values *values, inlay_wish *wish);

/** A number from 0, such as 2.50. */
bool wish_read_price(const char *text, double *price);

#endif
