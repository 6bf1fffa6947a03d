#include <unistd.h>
int main(void) { double x = 1; for (int i = 0; i < 9; i++) x = x * 2; _exit(0); }
