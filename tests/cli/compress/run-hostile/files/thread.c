#include <pthread.h>
static void *w(void *p) { double *x = p; for (int i = 0; i < 10; i++) *x = *x * 2; return 0; }
int main(void) { double x = 1; pthread_t t; pthread_create(&t, 0, w, &x); pthread_join(t, 0); return 0; }
