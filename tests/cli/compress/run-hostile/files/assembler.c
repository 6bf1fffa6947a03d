int main(void) { double x = 1; int k = 0; __asm__ volatile("nop"); for (int i = 0; i < 3; i++) x = x + k; return x < 0; }
