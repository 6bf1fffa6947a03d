#include "value.h"

enum colour { RED = -1, GREEN = 4, BLUE };
static double t;

/* Left in the middle, by what the caller tells. */
static int part(int n)
{
    if (n == 2)
        return 0;
    for (int i = 0; i < n; i++) {
        if (i == 3)
            return 1;
        t += 1;
    }
    t = t * 2;
    return 2;
}

static void coloured(enum colour which)
{
    switch (which) {
    case RED: t += 1;
    case GREEN: t = t * 2 + 1; break;
    case BLUE: {
        t = t - 1;
        break;
    }
    }
}

void run(int n)
{
    int i;
    for (i = 0; i < n; i++) {
        if (i % 2 == 1) {
            COMPUTES(1);
            continue;
        }
        COMPUTES(1);
        t = t * 2 + 1;
    }
    for (i = 0; i < n; i++) {
        if (i == n - 5)
            break;
        t += 1;
    }
    COMPUTES(n - 4);
    for (int k = 0; k < i; k++) /* up to where the break left it */
        t += 1;
    for (int k = 0; k < n; k++)
        part(k);
    coloured(RED);
    coloured(GREEN);
    coloured(BLUE);
    coloured((enum colour)0);
    for (char c = 'a'; c <= 'f'; c++) {
        switch (c) {
        case 'a':
        case 'b': t += 1;
        case 'c' ... 'd': t += 1; continue;
        default: t = t + 1 + 1;
        }
        t *= 2;
    }
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < 4; j++) {
            if (j > k)
                break;
            if (k == 2)
                continue;
            t += 1;
        }
        if (k == 2)
            break;
    }
    do {
        t += 1;
        if (n > 3)
            break;
        t *= 5;
    } while (0);
    for (unsigned u = 0; u < 3; u++) {
        switch (u - 1) {
        case -1: t += 1; break;
        case 0: t = t + 1 + 1; break;
        case 1: t = t + 1 + 1 + 1; break;
        }
        COMPUTES(1);
    }
    for (int k = 0; k < 20000000; k++) { /* left at once, however long it is */
        t += 1;
        break;
    }
    for (int k = 0; k < 5; k++) {
        t += 1;
        return;
    }
    t = t * 2;
}
