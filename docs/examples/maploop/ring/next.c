#include "ring.h"

int next_of(int i, int n)
{
    return (i + 1) % n;
}
