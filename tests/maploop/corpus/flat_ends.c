/* The ends of edge i are nde[2*i] and nde[2*i+1], as in Fortran times. */
#include <stdio.h>

#define MAXN 1000
#define MAXE 4000

static long nde[2*MAXE];
static double x[MAXN], y[MAXN];

static int build(int side)
{
  int i, j, k = 0;
  for (i = 0; i < side; i++)
    for (j = 0; j < side; j++) {
      if (j+1 < side) { nde[2*k] = i*side+j; nde[2*k+1] = i*side+j+1; k++; }
      if (i+1 < side) { nde[2*k] = i*side+j; nde[2*k+1] = (i+1)*side+j; k++; }
      if (i+1 < side && j+1 < side) { nde[2*k] = i*side+j; nde[2*k+1] = (i+1)*side+j+1; k++; }
    }
  return k;
}

int main(void)
{
  int side = 30, n = side*side, ne = build(side), i, it;
  double s = 0.;
  for (i = 0; i < n; i++) { x[i] = (i % 13) - 3.; y[i] = 0.; }
  for (it = 0; it < 5; it++) {
#pragma inlay maploop
    for (i = 0; i < ne; i++) {
      y[nde[2*i]]   = y[nde[2*i]]   + x[nde[2*i+1]] - x[nde[2*i]];
      y[nde[2*i+1]] = y[nde[2*i+1]] + x[nde[2*i]]   - x[nde[2*i+1]];
    }
    for (i = 0; i < n; i++) { x[i] = x[i] + 0.1*y[i]; y[i] = 0.; }
  }
  for (i = 0; i < n; i++) s = s + x[i]*x[i];
  printf(" %d edges %.10e\n", ne, s);
  return 0;
}
