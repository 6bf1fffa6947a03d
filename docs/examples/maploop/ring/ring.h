#ifndef RING_H
#define RING_H

int next_of(int i, int n);
void spread(double *to, const double *from, int n);

#endif
