/* inlay-compress: the counts of functions of C, as a table, as JSON, and as a program of short loops. */
#ifndef COMPRESS_COMPRESS_H
#define COMPRESS_COMPRESS_H

#include "compress_values.h"
#include "count.h"
#include <stdio.h>

/** The functions that were asked for, counted. */
typedef struct compression {
    const char *path;
    const program *program;
    counted *at; /**< ours */
    int count;
    const remark_list *limits, *problems;
} compression;

int compression_print_table(const compression *c);
int compression_print_json(const invocation *call, const compression *c);

/** A C program that does as many operations as a compression says. */
void compression_put(FILE *to, const void *of);

#endif
