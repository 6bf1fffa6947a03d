/* What each touches is counted as it runs: element by element. */
double A[40][30], B[30][20], C[40][20];
float F[500];
int I[500];
unsigned char T[500];

void product(void)
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 20; j++) {
            C[i][j] = 0;
            for (int k = 0; k < 30; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
}

void register_product(void)
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 20; j++) {
            double sum = 0;
            for (int k = 0; k < 30; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
}

static void relax(float *to, const float *from, int n)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

void smooth(void)
{
    for (int step = 0; step < 10; step++)
        relax(F, F + 250, 200);
}

void histogram(void)
{
    for (int i = 0; i < 500; i++)
        I[T[i]]++;
}

void pointers(void)
{
    int *p = I;
    for (int i = 0; i < 100; i++) {
        *p = *(p + 1) + 1;
        p++;
    }
    float *q = &F[7];
    *q -= 2;
}

void triangle(void)
{
    for (int i = 0; i < 30; i++)
        for (int j = i; j < 20; j++)
            A[i][j] = i % 2 ? B[j][i % 20] : (double)F[i];
}

struct body {
    double x, v;
    struct {
        float mass;
        int count[2];
    } in;
} P[60];

static void push(struct body *b, int n)
{
    for (int i = 0; i < n; i++) {
        b->x += 0.1 * b->v;
        b->in.count[1]++;
        b++;
    }
}

void bodies(void)
{
    for (int i = 0; i < 60; i++) {
        P[i].in.mass = 1;
        (*(P + i)).v = P[i].x + P[i].in.mass;
    }
    for (int i = 0; i < 12; i++)
        push(&P[5 * i], 5);
}
