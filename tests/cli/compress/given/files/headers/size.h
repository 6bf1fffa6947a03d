#define SIZE (N * FACTOR)
