static double t = 100;

void run(void)
{
    while (t > 50) {
        t = t - 10;
    }
    do {
        t = t * 2;
        for (int i = 0; i < 3; i++)
            t += 1;
    } while (t < 1000);
    do
        t = t + 1;
    while (0);
    while (0)
        t = t * 2;
}
