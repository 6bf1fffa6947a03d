#include "sort.h"
#include "driver.h"
static TYPE a[SIZE + 1];
int main(void)
{
    for (int i = 0; i < SIZE; i++) a[i] = (TYPE)(next() % 10000);
    a[SIZE] = TYPE_MAX;
    ms_mergesort(a);
    return 0;
}
