/* The nearest point, as everyone writes it: two scalars, the first of equal ones wins. */
#include <stdio.h>

int main(void)
{
    static double px[400], py[400];
    for (int i = 0; i < 400; i++) {
        px[i] = (i * 7) % 20;
        py[i] = (i * 3) % 20;
    }
    double nearest = 1e30;
    int who = -1;
#pragma inlay maploop
    for (int i = 0; i < 400; i++) {
        double dx = px[i] - 8.5, dy = py[i] - 11.5, d = dx * dx + dy * dy;
        if (d < nearest) {
            nearest = d;
            who = i;
        }
    }
    printf("%d at %.10e\n", who, nearest);
    return 0;
}
