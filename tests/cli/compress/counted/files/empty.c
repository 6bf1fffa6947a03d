static double t;

void run(int n)
{
    for (int i = 0; i < 0; i++)
        t = t + 1;
    for (int i = n; i < n; i++)
        for (int j = 0; j < n; j++)
            t = t + 1;
    for (int i = 0; i < n; i++)
        ;
    for (int i = 0; i < n; i++) {
    }
    for (int i = 5; i < 6; i++)
        t = t + 1;
    for (int i = 0; i < n; i++)
        for (int j = n; j < i; j++)
            t = t * 2;
    t = t - 1;
}
