#include "stencil.h"
#include "driver.h"
static TYPE orig[row_size * col_size], sol[row_size * col_size], filter[f_size];
int main(void)
{
    for (int i = 0; i < row_size * col_size; i++) orig[i] = (TYPE)(next() % 100);
    stencil(orig, sol, filter);
    return 0;
}
