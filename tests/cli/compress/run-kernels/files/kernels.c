/*
 * Functions as people write them. Behind // stands what a line calculates each time it is come to: arithmetic operations,
 * and function evaluations, as docs/compress.md counts them. No line has a choice in it.
 */
#include "kernels.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls, limit = 12;
static double tolerance = 1e-10, total;
static unsigned long state = 12345;

static double next(void)
{
    state = state * 1103515245UL + 12345UL; // 2
    return (double)(state >> 16 & 32767) / 32768.; // 1
}

int fibonacci(int n)
{
    calls++;
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2); // 3
}

int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1; // 1
    if (n == 0)
        return ackermann(m - 1, 1); // 1
    return ackermann(m - 1, ackermann(m, n - 1)); // 2
}

static int is_even(int n);
static int is_odd(int n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1); // 1
}

static int is_even(int n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1); // 1
}

int hanoi(int n, int from, int to)
{
    if (n == 0) return 0;
    int by = 6 - from - to; // 2
    int moves = hanoi(n - 1, from, by); // 1
    moves += hanoi(n - 1, by, to) + 1; // 3
    return moves;
}

int gcd(int a, int b)
{
    while (b != 0) {
        int rest = a % b; // 1
        a = b;
        b = rest;
    }
    return a;
}

int collatz(long n)
{
    int steps = 0;
    do {
        if (n % 2 == 0) // 1
            n /= 2; // 1
        else
            n = 3 * n + 1; // 2
        ++steps;
    } while (n != 1);
    return steps;
}

double newton_root(double x)
{
    double r = x, d;
    do {
        d = (r * r - x) / (2 * r); // 4
        r -= d; // 1
    } while (d > tolerance || d < -tolerance);
    return r;
}

double bisect(double low, double high)
{
    while (high - low > 1e-6) {
        double middle = 0.5 * (low + high); // 2
        double f = middle * middle * middle - 2; // 3
        if (f > 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

double sum_pointers(const double *p, const double *end)
{
    double s = 0;
    while (p < end)
        s += *p++; // 1
    return s;
}

void reverse(double *a, int n)
{
    int i, j;
    for (i = 0, j = n - 1; i < j; i++, j--)
        SWAP(double, a[i], a[j]);
    total += a[0]; // 1
}

double list_sum(const item *l)
{
    double s = 0;
    for (; l; l = l->next) {
        if (l->value < 0) continue;
        s += sqrt(l->value); // 1 1
    }
    return s;
}

int list_length(const item *l)
{
    if (!l)
        return 0;
    return 1 + list_length(l->next); // 1
}

tree *tree_insert(tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key * 2 / 2; // 2
        return t;
    }
    if (key < t->key)
        t->left = tree_insert(t->left, key);
    else if (key > t->key)
        t->right = tree_insert(t->right, key);
    return t;
}

int tree_depth(const tree *t)
{
    if (t == NULL)
        return 0;
    int l = tree_depth(t->left), r = tree_depth(t->right);
    return MAX(l, r) + 1; // 1
}

void bubble_sort(double *a, int n)
{
    int swapped = 1;
    while (swapped) {
        swapped = 0;
        for (int i = 1; i < n; i++)
            if (a[i - 1] > a[i]) {
                SWAP(double, a[i - 1], a[i]);
                total += 1; // 1
                swapped = 1;
            }
    }
}

void insertion_sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j -= 1; // 1
        }
        a[j] = v;
    }
}

void quick_sort(int *a, int low, int high)
{
    int i = low, j = high;
    int pivot = a[(low + high) / 2];
    do {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            SWAP(int, a[i], a[j]);
            i += 1; // 1
            j -= 1; // 1
        }
    } while (i <= j);
    if (low < j) quick_sort(a, low, j);
    if (i < high) quick_sort(a, i, high);
}

int binary_search(const int *a, int n, int key)
{
    int low = 0, high = n - 1; // 1
    while (low <= high) {
        int middle = (low + high) / 2; // 2
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1; // 1
        else
            high = middle - 1; // 1
    }
    return -1;
}

int sieve(int n)
{
    char *out = calloc((size_t)n + 1, 1); // 1
    int primes = 0;
    for (int i = 2; i <= n; i++) {
        if (out[i]) continue;
        primes++;
        for (long j = (long)i * i; j <= n; j += i)
            out[j] = 1;
    }
    free(out);
    return primes;
}

long power_mod(long base, unsigned exponent, long m)
{
    long result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % m; // 2
        base = base * base % m; // 2
    }
    return result;
}

double horner(const double *c, int n, double x)
{
    double y = c[--n];
    while (n-- > 0)
        y = y * x + c[n]; // 2
    return y;
}

double simpson(double (*f)(double), double a, double b, int n)
{
    double h = (b - a) / n, s = f(a) + f(b); // 3
    for (int i = 1; i < n; i++) {
        if (i % 2) // 1
            s += 4 * f(a + i * h); // 4
        else
            s += 2 * f(a + i * h); // 4
    }
    return s * h / 3; // 2
}

double gauss(double x)
{
    return exp(-x * x); // 2 1
}

int mandelbrot(double cr, double ci)
{
    double x = 0, y = 0;
    int n = 0;
    for (;;) {
        double xx = x * x, yy = y * y; // 2
        if (xx + yy > 4 || n == 60) // 1
            break;
        y = 2 * x * y + ci; // 3
        x = xx - yy + cr; // 2
        n++;
    }
    return n;
}

int monte_carlo(int n)
{
    int in = 0;
    while (n-- > 0) {
        double x = next(), y = next();
        if (SQUARE(x) + SQUARE(y) < 1) // 3
            in++;
    }
    return in;
}

void jacobi(double *u, double *v, int n)
{
    double change;
    int turn = 0;
    do {
        change = 0;
        EACH (k, n - 2) {
            v[k + 1] = 0.5 * (u[k] + u[k + 2]); // 2
            double d = fabs(v[k + 1] - u[k + 1]); // 2
            if (d > change)
                change = d;
        }
        EACH (k, n - 2)
            u[k + 1] = v[k + 1];
    } while (change > 1e-3 && ++turn < 100);
}

int count_words(const char *s)
{
    int words = 0, inside = 0;
    for (; *s != '\0'; ++s) {
        if (isspace((unsigned char)*s))
            inside = 0;
        else if (!inside) {
            inside = 1;
            words = words + 1; // 1
        }
    }
    return words;
}

double state_machine(const char *program)
{
    double x = 1;
    const char *at = program;
again:
    switch (*at++) {
    case '+':
        x = x + 1; // 1
        goto again;
    case '*':
        x = x * 1.5; // 1
        /* fall through */
    case '-':
        x -= 0.25; // 1
        goto again;
    case 's':
        x = sin(x); // 0 1
        goto again;
    case ' ':
        goto again;
    default:
        break;
    }
    return x;
}

double clipped(const double *a, int n)
{
    double s = 0;
    for (const double *p = a; p != a + n; p++)
        s += between(-0.5, *p, 0.5); // 1
    return s;
}

int knapsack(const int *weight, const int *value, int n, int room)
{
    if (n == 0)
        return 0;
    int without = knapsack(weight, value, n - 1, room); // 1
    if (weight[n - 1] > room)
        return without;
    int with = knapsack(weight, value, n - 1, room - weight[n - 1]) + value[n - 1]; // 3
    return MAX(with, without);
}

int queens(int n, int row, int columns, int left, int right)
{
    int found = 0;
    if (row == n)
        return 1;
    for (int free_columns = ((1 << n) - 1) & ~(columns | left | right); free_columns;) {
        int bit = free_columns & -free_columns; // 1
        free_columns ^= bit;
        found += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1); // 2
    }
    return found;
}

void floyd(int d[6][6])
{
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                int by = d[i][k] + d[k][j]; // 1
                if (by < d[i][j])
                    d[i][j] = by;
            }
}

double spmv(const int *row, const int *column, const double *value, const double *x, double *y, int n)
{
    double norm = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += value[k] * x[column[k]]; // 2
        y[i] = s;
        norm += s * s; // 2
    }
    return sqrt(norm); // 0 1
}

int histogram(const double *a, int n, int *bins)
{
    int most = 0;
    memset(bins, 0, 8 * sizeof *bins);
    while (n --> 0) {
        int b = (int)(a[n] * 8) & 7; // 1
        bins[b]++;
        if (bins[b] > most) most = bins[b];
    }
    return most;
}

double euler_steps(double x, double until)
{
    double t = 0, h = 0.01;
    while (t < until) {
        double f = -x * t; // 2
        x += h * f; // 2
        t += h; // 1
        if (x < 1e-3)
            return t;
    }
    return x;
}

int string_distance(const char *a, const char *b)
{
    int row[20], n = (int)strlen(b);
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int old = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int keep = row[j];
            int cost = old + (a[i - 1] != b[j - 1]); // 1
            if (keep + 1 < cost) // 1
                cost = keep + 1; // 1
            if (row[j - 1] + 1 < cost) // 1
                cost = row[j - 1] + 1; // 1
            row[j] = cost;
            old = keep;
        }
    }
    return row[n];
}

double give_up(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0.95)
            return -s; // 1
        for (int j = 0; j < i; j++) {
            if (a[j] > a[i])
                goto out;
            s += a[j] * a[i]; // 2
        }
    }
out:
    return s;
}

int digits(unsigned n)
{
    int sum = 0;
    while (n)
        sum += n % 10, n /= 10; // 3
    return sum;
}

int both(int a, int b)
{
    static int memory;
    int n = 0;
    for (int i = 0; i < a; i++)
        for (int j = b; j > 0; j--) {
            if (i == j && memory++ > 2)
                break;
            n += i * j; // 2
        }
    return n + memory; // 1
}

void fill(double *a, int n)
{
    while (n > 0)
        a[--n] = next();
}

double flush(void)
{
    double was = total;
    total = 0;
    limit = limit > 3 ? 3 : limit;
    for (int i = 0; i < limit; i++)
        was += i * 0.5; // 2
    return was;
}

static void finish(double x)
{
    x = x * 2; // 1
    if (x > -1e300) {
        printf("%d\n", calls);
        exit(0);
    }
    x = x * 2; // 1
}

int main(void)
{
    double a[40], b[40];
    int k[30], d[6][6], bins[8];
    item list[3] = {{4, list + 1}, {-1, list + 2}, {9, NULL}};
    tree *root = NULL;
    calls = fibonacci(12) + ackermann(2, 3) + is_even(17) + hanoi(6, 1, 3); // 3
    calls += gcd(1071, 462) + collatz(27); // 2
    total = newton_root(2) + bisect(0, 2); // 1
    fill(a, 40);
    fill(b, 40);
    total += sum_pointers(a, a + 40) + list_sum(list) + list_length(list); // 3
    reverse(a, 39);
    for (int i = 0; i < 30; i++) {
        k[i] = (i * 17 + 5) % 31; // 3
        root = tree_insert(root, k[i]);
    }
    calls += tree_depth(root); // 1
    bubble_sort(b, 40);
    insertion_sort(k, 15);
    quick_sort(k, 0, 29);
    calls += binary_search(k, 30, 7) + binary_search(k, 30, 99); // 2
    calls += sieve(200) + (int)power_mod(3, 200, 1009); // 2
    total += horner(b, 40, 0.5) + simpson(gauss, 0, 1, 20); // 2
    calls += mandelbrot(-0.1, 0.1) + mandelbrot(1, 1) + monte_carlo(50); // 3
    jacobi(a, b, 40);
    calls += count_words("  a few words, and  some more "); // 1
    total += state_machine("++*- s*") + clipped(a, 40); // 2
    calls += knapsack(k + 1, k, 8, 20) + queens(5, 0, 0, 0, 0); // 2
    EACH (i, 36)
        d[i / 6][i % 6] = (i * 7) % 11; // 2
    floyd(d);
    int row[] = {0, 2, 3, 3, 6}, column[] = {0, 2, 1, 0, 1, 3};
    total += spmv(row, column, a, b, a + 20, 4) + histogram(a, 40, bins); // 2
    total += euler_steps(1, 0.5) + euler_steps(1, 9); // 2
    calls += string_distance("kitten", "sitting") + digits(987654) + both(4, 5); // 3
    fill(a, 40);
    total += give_up(a, 40) + give_up(a + 3, 5) + other_file(a, 11) + flush(); // 4
    finish(total);
}
