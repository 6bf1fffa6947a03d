/*
 * results HOW TASKS: tasks with depend clauses on cells, whose contents tell in which order those that touch a cell ran;
 * beside the same without tasks. HOW says what else the program does.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 7 };

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 27;
}

static void touch(uint64_t *cell, int to, int from, int number)
{
    uint64_t x = cell[from] + (uint64_t)number;
    for (int i = 0; i < 200; i++) {
        x = mix(x + (uint64_t)i);
    }
    cell[to] = mix(cell[to] * 3 + x);
}

static void in_order(uint64_t *cell, int from, int to)
{
    for (int i = from; i < to; i++) {
        touch(cell, (int)(mix((uint64_t)i + 77) % CELLS), (int)(mix((uint64_t)i + 99) % CELLS), i);
    }
}

static void create(uint64_t *cell, int i, int at_once)
{
    int to = (int)(mix((uint64_t)i + 77) % CELLS), from = (int)(mix((uint64_t)i + 99) % CELLS);
#pragma omp task depend(in : cell[from]) depend(inout : cell[to]) firstprivate(to, from, i) if (!at_once)
    touch(cell, to, from, i);
}

static void tasks(uint64_t *cell, int from, int to, const char *how)
{
    for (int i = from; i < to; i++) {
        create(cell, i, strcmp(how, "if") == 0 && i % 5 == 0);
        if (strcmp(how, "wait") == 0 && i % 17 == 0) {
#pragma omp taskwait
        }
        if (strcmp(how, "some") == 0 && i % 17 == 0) {
#pragma omp taskwait depend(in : cell[0])
        }
    }
}

/* Below a task: as many more, of its own. */
static void nested(uint64_t *cell, int depth)
{
    for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(i)
        {
            if (depth > 0) {
                nested(cell + 1 + i * 50, depth - 1);
            }
            cell[0] += (uint64_t)i;
        }
#pragma omp taskwait
    }
}

static void all(uint64_t *cell, int count, const char *how)
{
    if (strcmp(how, "nested") == 0) {
        nested(cell, 3);
    } else if (strcmp(how, "group") == 0) {
        tasks(cell, 0, count / 2, how);
#pragma omp taskgroup
        {
            tasks(cell, count / 2, count - 5, how);
        }
        touch(cell, 1, 2, 3);
        tasks(cell, count - 5, count, how);
    } else if (strcmp(how, "loop") == 0) {
        tasks(cell, 0, count / 2, how);
#pragma omp taskwait
#pragma omp taskloop
        for (int i = 0; i < 50; i++) {
            cell[CELLS + i] = mix((uint64_t)i);
        }
        tasks(cell, count / 2, count, how);
    } else {
        tasks(cell, 0, count, how);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "flat";
    int count = argc > 2 ? atoi(argv[2]) : 300;
    static uint64_t with[4][1000], without[4][1000];
    if (strcmp(how, "creators") == 0) {
#pragma omp parallel for
        for (int i = 0; i < 4; i++) {
            tasks(with[i], 0, count / 4, how);
        }
        for (int i = 0; i < 4; i++) {
            in_order(without[i], 0, count / 4);
        }
    } else {
        for (int twice = 0; twice < 2; twice++) {
#pragma omp parallel
#pragma omp single nowait
            all(with[0], count, how);
        }
        for (int twice = 0; twice < 2; twice++) {
            if (strcmp(how, "nested") == 0) { /* alone, a task runs where it is created */
                nested(without[0], 3);
            } else if (strcmp(how, "group") == 0) {
                in_order(without[0], 0, count - 5);
                touch(without[0], 1, 2, 3);
                in_order(without[0], count - 5, count);
            } else {
                in_order(without[0], 0, count);
            }
            for (int i = 0; strcmp(how, "loop") == 0 && i < 50; i++) {
                without[0][CELLS + i] = mix((uint64_t)i);
            }
        }
    }
    fprintf(stderr, "%s\n", memcmp(with, without, sizeof with) == 0 ? "right" : "wrong");
    return EXIT_SUCCESS;
}
