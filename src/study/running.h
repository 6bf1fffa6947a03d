/* A study being run: what the files of its runs share. */
#ifndef STUDY_RUNNING_H
#define STUDY_RUNNING_H

#include "study/journal.h"
#include "study/handout.h"
#include <pthread.h>

struct inlay_study_running {
    const inlay_study *study;
    char *output;    /**< where all rows go */
    char *csv;       /**< NULL: nowhere */
    int part, parts; /**< 0: all */
    char digest[65]; /**< of the study with all that it names */
    journal_subject subject;
    journal journal;
    char **merged; /**< journals of parts, whose rows are in ours */
    size_t merged_count, merged_room;
    pthread_mutex_t lock; /**< of all below, and of the journal */
    uint8_t *done;        /**< a bit a point: it has a row, or is another part's */
    handout handout;
    double kept; /**< of handout.all: rows that this run kept */
    inlay_study_progress progress;
    bool complete; /**< all rows were in the output when it began */
};

/** Takes up rows that are in the journals of parts. */
int running_merge(inlay_study_running *r, bool restart, inlay_diag *diag);

/** Marks points that have rows; a journal_visitor, of a running. */
int running_mark(void *of, int64_t point, off_t at, size_t size, const char *row);

#endif
