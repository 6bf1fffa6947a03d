/* What `inlay apply` gives a program and gets from it: where its tasks are to run, and where they ran. */
#ifndef CAPTURE_PLAN_LOG_H
#define CAPTURE_PLAN_LOG_H

#include <stdint.h>

/* From the environment: a file of planned_task, and where a plan_report goes. Without the first tasks run as ever. */
#define PLAN_FILE   "INLAY_PLAN"
#define PLAN_REPORT "INLAY_PLAN_REPORT"
#define PLAN_STRICT "INLAY_PLAN_STRICT" /* set: no thread takes another's tasks */

/* Of the tasks in the order of their creation. */
typedef struct planned_task {
    int32_t thread;
    int32_t position; /* among those of the thread */
} planned_task;

typedef struct plan_report {
    int64_t planned;   /* tasks that were of the plan */
    int64_t as_placed; /* of these, those that ran on the thread that the plan says */
    int64_t beyond;    /* tasks that came behind all of the plan */
    int64_t given_up;  /* from this task on, counted from 1, the plan was not followed any more; 0: to the end */
    int64_t why;       /* then: an enum plan_end */
    int64_t steals; /* whether idle threads of the program's own library take others' tasks; else all have one queue */
} plan_report;

enum plan_end { PLAN_TO_THE_END, PLAN_TWO_CREATORS, PLAN_GROUP, PLAN_LOOP, PLAN_DETACHED };

#endif
