int main(void) { volatile double x = 1; for (;;) x = x * 2; }
