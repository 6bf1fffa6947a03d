/* What several of the kernels share. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SQUARE(x) ((x) * (x))
#define SWAP(type, a, b) \
    do { \
        type swapped = (a); \
        (a) = (b); \
        (b) = swapped; \
    } while (0)
#define EACH(i, n) for (int i = 0; i < (n); i++)

typedef struct item { double value; struct item *next; } item;
typedef struct tree { int key; struct tree *left, *right; } tree;

static inline double between(double low, double x, double high)
{
    return x < low ? low : x > high ? high : x;
}

double other_file(const double *x, int n);
