/* A header with the structure and inline helpers; globals of another file. */
#include "header_loop.h"
#include <stdio.h>

int main(void)
{
    double total = 0;
    setup();
    for (int t = 0; t < 3; t++) {
#pragma inlay maploop
        for (int l = 0; l < links; l++)
            pull(&body[link_of[l].a], &body[link_of[l].b], link_of[l].k);
#pragma inlay maploop
        for (int b = 0; b < bodies; b++)
            move(&body[b], 0.01);
    }
    for (int b = 0; b < bodies; b++) total += body[b].pos * (b + 1);
    printf("%.10e\n", total);
    return 0;
}
