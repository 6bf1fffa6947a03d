/* In the place of NPB's timers and of its table of results, which show times: the figures that stay. */
#include <stdio.h>

void timer_clear(int n) { (void)n; }
void timer_start(int n) { (void)n; }
void timer_stop(int n) { (void)n; }
double timer_read(int n) { return n >= 0; }

void c_print_results(char *name, char class, int n1, int n2, int n3, int niter, int nthreads, double t, double mops, char *optype,
                     int passed_verification)
{
    (void)t, (void)mops, (void)nthreads;
    printf("%s class %c: %d %d %d, %d iterations, %s: %d\n", name, class, n1, n2, n3, niter, optype, passed_verification);
}
