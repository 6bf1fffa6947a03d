static double t;

/* What is given for n and m is what run() gets: others are called with numbers of their own. */
static void part(int n)
{
    for (int i = 0; i < n; i++)
        t += 1;
}

static void less(int n, int m)
{
    n >>= 1;
    for (int i = 0; i < n; i++)
        t *= m;
}

void run(int n, int m)
{
    part(3);
    part(m);
    for (int i = 0; i < 4; i++)
        part(i);
    less(8, 1);
    part(n);
}
