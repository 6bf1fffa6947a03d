#include <math.h>
static unsigned seed = 1;
static unsigned next(void)
{
    seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
    return seed >> 4;
}
