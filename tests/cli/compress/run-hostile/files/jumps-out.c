#include <setjmp.h>
static jmp_buf b; double g(double x) { if (x > 5) longjmp(b, 1); return x + 1; }
int main(void) { volatile double x = 1; if (setjmp(b)) return 0; for (;;) x = g(x); }
