double f(double x) { while (x > 1) x = x / 2; return x; }
