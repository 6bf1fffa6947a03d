#include "md.h"
#include "driver.h"
static int n_points[blockSide][blockSide][blockSide];
static dvector_t force[blockSide][blockSide][blockSide][densityFactor], position[blockSide][blockSide][blockSide][densityFactor];
int main(void)
{
    for (int i = 0; i < nBlocks; i++) {
        (&n_points[0][0][0])[i] = (int)(next() % densityFactor);
        for (int k = 0; k < densityFactor; k++) {
            dvector_t *p = &(&position[0][0][0][0])[i * densityFactor + k];
            p->x = next() % 1000 * 0.01, p->y = next() % 1000 * 0.01, p->z = next() % 1000 * 0.01;
        }
    }
    md(n_points, force, position);
    return 0;
}
