/* A program that counts while it runs: its files with their plans, and what is asked for. */
#ifndef CSOURCE_MEASURE_H
#define CSOURCE_MEASURE_H

#include "csource/count/compress.h"
#include "csource/count/plan.h"
#include "csource/source.h"
#include "csource/words.h"

typedef struct measured_file {
    const char *path;
    word_list words;
    source from;
    program program;
    plan plan;
    counter planned; /**< its tally: what is done at each place */
    char *blank;     /**< the text without lines of the preprocessor */
} measured_file;

/** A function that is asked for. */
typedef struct measured_root {
    size_t file;
    int function;
} measured_root;

struct inlay_counting {
    memory_pool memory; /**< of words */
    const inlay_compress_options *options;
    given given;
    measured_file *file;
    size_t files;
    measured_root *root;
    size_t roots, root_room;
    int places; /**< of all files */
};

/** Whether another file of the program defines a function of that name, and marks it as called. */
bool measured_find(inlay_counting *m, size_t but, const char *name);

/** What a run counted while one function was active, or in all. */
typedef struct run_counts {
    uint64_t entered; /**< that the function was called from outside */
    uint64_t *place;  /**< of all files */
} run_counts;

#endif
