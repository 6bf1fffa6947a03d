static double t;

/* 3037000500^2 is above 2^63, 3037000499^2 below it. */
void wide(void)
{
    for (long i = 0; i < 3037000500; i++)
        for (long j = 0; j < 3037000500; j++)
            ;
}

void just(void)
{
    for (long i = 0; i < 3037000499; i++)
        for (long j = 0; j < 3037000499; j++)
            t = t + 1;
}

void often(void)
{
    for (long i = 0; i < 9223372036854775807; i++)
        t = t * t + t;
}
