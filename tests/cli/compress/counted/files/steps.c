static double t;

void run(int n)
{
    for (int i = n; i > 0; i -= 3)
        t += 1;
    for (int i = 0; i != 12; i = i + 4)
        t *= 2;
    for (int i = 1; i <= n; i *= 2)
        t -= 1;
    for (int i = n; i; i /= 3)
        t /= 2;
    for (unsigned char u = 250; u >= 245; u--)
        t = t + t + t;
    for (int i = 2; i * i <= n; i++)
        t += 5;
    for (int i = n; i >= -5; i = -2 + i)
        t += 7;
    for (long i = 10; 20 > i; ++i)
        t += 1;
    for (int length = 2; length <= n; length <<= 1)
        for (int i = 0; i < n; i += length)
            for (int j = 0; j < length / 2; j++)
                t = t * 3 + t;
}
