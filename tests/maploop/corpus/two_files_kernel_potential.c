#include "two_files_kernel.h"

double potential(double distance)
{
    const double r2 = distance * distance + 0.5;
    return 1 / (r2 * r2) - 1 / r2;
}
