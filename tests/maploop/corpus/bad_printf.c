/* Output in the loop: its order is that of the iterations. */
#include <stdio.h>

int main(void)
{
    int weight[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    int sum = 0;
#pragma inlay maploop
    for (int i = 0; i < 12; i++) {
        if (weight[i] > 4)
            printf("%d is heavy\n", i);
        sum += weight[i];
    }
    printf("%d\n", sum);
    return 0;
}
