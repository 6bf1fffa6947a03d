/* Platforms for the tests of process counts: that of the paper's Table 1, and random ones. */
#ifndef UNIT_PROCESSES_SUBJECT_H
#define UNIT_PROCESSES_SUBJECT_H

#include <inlay/processes.h>

enum { PROCESSES_ROWS = 16, PAPER_DATA = 60 * 60 * 60 };

/** Its functions are freed by processes_subject_clear(); problem.row points to `row`: it must not be copied. */
typedef struct processes_subject {
    inlay_process_problem problem;
    inlay_processors row[PROCESSES_ROWS];
    inlay_performance *performance[PROCESSES_ROWS];
} processes_subject;

/** Some of the six processors of Table 1, by their numbers there, with the function of the golden numbers. */
void processes_paper(const int *processor, size_t count, double a, double b, processes_subject *s);

/** 1 .. rows rows of 1 .. count processors, all forms; half of them with few different numbers, so that times are equal. */
void processes_random(uint64_t *state, int rows, int count, int64_t most_data, processes_subject *s);

/** A table that is accepted, of up to 4 x and 4 y. */
inlay_performance *processes_random_table(uint64_t *state, bool coarse, double most_data);

void processes_subject_clear(processes_subject *s);

double processes_between(uint64_t *state, double from, double to);

/** inlay_processes() that must succeed. */
inlay_process_plan *processes_plan(const processes_subject *s, const inlay_process_options *options);

/** The time and the processes of each processor for l processes alone; infinite where there is no placement. */
double processes_at(const processes_subject *s, int64_t l, bool beyond_hoho, int64_t *processes);

/** Shares one by one. */
void processes_unfold(const processes_subject *s, const inlay_process_share *share, int64_t *processes);

#endif
