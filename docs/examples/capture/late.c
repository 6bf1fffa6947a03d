/*
 * Many short tasks, and then a chain of long ones: a run-time library that takes tasks in the order of their creation begins the chain too late.
 *
 *     gcc -O2 -g -fopenmp late.c -o late
 *     inlay capture --tasks-only -o late.tg -- ./late 400 20
 *     inlay map late.tg bus:2,contention=free -o mapping.json
 *     inlay apply mapping.json -- ./late 400 20
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static void work(int thousands)
{
    double x = 1;
    for (int i = 0; i < thousands * 1000; i++) {
        x = x * 1.0000001 + 1e-9;
    }
    sink = x;
}

int main(int argc, char **argv)
{
    int tasks = argc > 1 ? atoi(argv[1]) : 400, links = argc > 2 ? atoi(argv[2]) : 20, chain = 0;
    double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < tasks; i++) {
#pragma omp task
            work(50);
        }
        for (int i = 0; i < links; i++) {
#pragma omp task depend(inout : chain)
            work(1000);
        }
    }
    printf("%.6f\n", omp_get_wtime() - begin);
    return EXIT_SUCCESS;
}
