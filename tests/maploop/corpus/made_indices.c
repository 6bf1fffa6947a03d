/* Indices that an iteration makes, moves and uses: in memory, in several places of one statement, and by a helper. */
#include <stdio.h>

#define N 70
static double y[N], z[N];
static int at[N], seen[N], count[N], list[3 * N];

static void push(int *top, int *to, int v)
{
    to[(*top)++] = v;
}

int main(void)
{
    for (int i = 0; i < N; i++) at[i] = i * 3 % N;
    for (int step = 0; step < 4; step++) {
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            at[i] = (at[i] + 9) % N;
            y[at[i]] += i;
            seen[i] = count[i] = at[i];
        }
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            int top = 3 * i;
            push(&top, list, at[i]);
            push(&top, list, (at[i] + 1) % N);
            list[top++] = i;
            for (int k = 3 * i; k < top; k++) z[list[k]] += 1 + step;
        }
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            const int k = at[i];
            at[i] = (k + 1) % N;
            if (seen[i] > 5) seen[i] -= 5;
            while (count[i] > 3) count[i] /= 2;
            y[k] += seen[i];
        }
    }
    double s = 0;
    for (int i = 0; i < N; i++) s += y[i] * (i + 1) + z[i] * i + count[i];
    printf("%.10e\n", s);
    return 0;
}
