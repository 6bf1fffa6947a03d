int main(void) { int *volatile p = 0; double x = 1; x = x * 2; return *p; }
