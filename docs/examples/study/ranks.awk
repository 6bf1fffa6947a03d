# a study on RANKS workers: HAND hand-outs of POINTS points each to every one of them; times in us
BEGIN {
    print "digraph study { graph [time_unit=us];"
    for (k = 0; k < HAND; k++)
        for (r = 1; r <= RANKS; r++) {
            n = k * RANKS + r
            printf "h%d [time=10, pin=0]; w%d [time=%d, pin=%d]; k%d [time=%d, pin=0];\n", n, n, POINTS * 10000, r, n, POINTS * 5
            printf "h%d -> w%d [bytes=%d]; w%d -> k%d [bytes=%d];\n", n, n, POINTS * 8, n, n, POINTS * 775
            if (n > 1 && k == 0) printf "h%d -> h%d;\n", n - 1, n
            if (k > 0) printf "k%d -> h%d;\n", n - RANKS, n
        }
    print "}"
}
