#include "header_loop.h"

body_t body[MOST];
link_t link_of[MOST];
int bodies, links;

void setup(void)
{
    bodies = 170;
    for (int b = 0; b < bodies; b++) {
        body[b].pos = b + 0.1 * (b % 5);
        body[b].vel = 0.02 * (b % 3);
    }
    for (links = 0; links < 340; links++) {
        link_of[links].a = links / 2;
        link_of[links].b = (links / 2 + 1 + links % 2 * 3) % bodies;
        link_of[links].k = 0.5 + links % 2;
    }
}
