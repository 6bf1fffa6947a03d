/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tasks are added, and the memory of their values handed out.
 */
#include "real.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *or_end(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "real: out of memory\n");
        exit(3);
    }
    return memory;
}

int add_task(struct program *p, int kind, int i, int j, int k)
{
    if (p->count == p->room) {
        p->room = 2 * p->room + 64;
        p->task = or_end(realloc(p->task, (size_t)p->room * sizeof *p->task));
    }
    p->task[p->count] = (struct task){.kind = kind, .at = {i, j, k}, .update = -1};
    return p->count++;
}

void add_input(struct program *p, int task, int from, int output)
{
    struct task *t = &p->task[task];
    if (t->inputs == INPUTS) {
        fprintf(stderr, "real: a task of more than %d inputs\n", INPUTS);
        exit(2);
    }
    t->input[t->inputs++] = from * OUTPUTS + output;
}

void add_update(struct program *p, int task, int from, int output)
{
    p->task[task].update = p->task[task].inputs;
    add_input(p, task, from, output);
}

void add_output(struct program *p, int task, size_t bytes)
{
    struct task *t = &p->task[task];
    t->bytes[t->outputs++] = bytes;
}

double number_at(uint64_t place)
{
    uint64_t z = place * 0x9e3779b97f4a7c15u + 0x1234567; /* splitmix64's mixing */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)(int64_t)(z ^ z >> 31) * 0x1p-63;
}

uint64_t value_sum(int value, const double *at, size_t bytes)
{
    uint64_t sum = (uint64_t)value + 1;
    for (size_t i = 0; i < bytes / sizeof *at; i++) {
        uint64_t bits;
        memcpy(&bits, &at[i], sizeof bits);
        sum = (sum ^ bits) * 0x100000001b3u;
    }
    return sum;
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Blocks that were given back, a list a size: their pages are there already when they are taken again. */
static struct {
    size_t bytes;
    int count, room;
    void **block;
} lists[32];

void *block_take(size_t bytes)
{
    void *block = NULL;
#pragma omp critical(blocks)
    for (int i = 0; i < 32; i++) {
        if (lists[i].bytes == bytes && lists[i].count > 0) {
            block = lists[i].block[--lists[i].count];
            break;
        }
    }
    return block != NULL ? block : or_end(aligned_alloc(64, (bytes + 63) / 64 * 64));
}

void block_give(void *block, size_t bytes)
{
    bool kept = false;
#pragma omp critical(blocks)
    for (int i = 0; i < 32 && !kept; i++) {
        if (lists[i].bytes == bytes || lists[i].room == 0) {
            lists[i].bytes = bytes;
            if (lists[i].count == lists[i].room) {
                lists[i].room = 2 * lists[i].room + 16;
                lists[i].block = or_end(realloc(lists[i].block, (size_t)lists[i].room * sizeof(void *)));
            }
            lists[i].block[lists[i].count++] = block;
            kept = true;
        }
    }
    if (!kept) {
        free(block);
    }
}
