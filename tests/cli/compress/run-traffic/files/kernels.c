/* What each touches hangs on what is there: counted as it runs. No loop's control touches an element. */
double A[60], B[60];
float F[100];
int I[60], J[60];
struct node { double value; int next; short kind; } N[20];
unsigned char T[200];

static unsigned state = 7;
__attribute__((no_sanitize_thread)) static unsigned seed(void) /* variables are not counted */
{
    return state = (state * 1103515245u + 12345u) & 0x7fffffff;
}

void fill(void)
{
    for (int i = 0; i < 60; i++)
        A[i] = (double)(seed() >> 8 & 255), I[i] = (int)(seed() >> 9 & 63) % 60, J[i] = 0;
    for (int i = 0; i < 20; i++)
        N[i].value = i, N[i].next = i + 1, N[i].kind = (short)(i % 3);
}

void sort(void)
{
    int moved = 1;
    while (moved) {
        moved = 0;
        for (int i = 1; i < 60; i++)
            if (A[i - 1] > A[i]) {
                double t = A[i];
                A[i] = A[i - 1];
                A[i - 1] = t;
                moved = 1;
            }
    }
}

void gather(void)
{
    for (int i = 0; i < 60; i++)
        if (A[I[i]] > 100 && J[I[i]]++ < 2)
            B[i] += A[I[i]];
}

void list(void)
{
    int n = 0;
    double s = 0;
    while (n < 20) {
        const struct node *at = N + n;
        s += at->kind == 1 ? at->value : 0;
        n = at->next;
    }
    B[0] = s;
}

static int descend(int i)
{
    J[i] += 1;
    return i == 0 ? 0 : descend(i / 2) + descend(i - 1 - (i & 1) * (i > 1));
}

void recursion(void)
{
    B[1] = descend(9);
}

void states(void)
{
    unsigned char *p = T;
    int n = 0;
    do {
        switch (seed() >> 10 & 3) {
        case 0: *p++ = 1; break;
        case 1: p[1] = p[0];
        case 2: p += 1; break;
        default: if (*p) continue; F[n] -= 1;
        }
    } while (++n < 90);
}
