/* A root by bisection, and steps counted by a function that calls itself. */
#include <stdlib.h>

double root(double x)
{
    double low = 0, high = x < 1 ? 1 : x;
    while (high - low > 1e-9) {
        double middle = (low + high) / 2;
        if (middle * middle > x)
            high = middle;
        else
            low = middle;
    }
    return low;
}

int steps(int n)
{
    return n < 2 ? n : steps(n - 1) + steps(n - 2);
}

double area(void)
{
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum += i * 0.01;
    return sum;
}

int main(int words, char **word)
{
    int n = words > 1 ? atoi(word[1]) : 10;
    return root(n) + root(0.5) + area() + steps(n) < 0;
}
