void remember(int n, int m, int *to, double *x, double *y);
void report(void);
void tick(void);
