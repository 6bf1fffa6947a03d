/*
 * How many random cases a test draws: all of them in `make check`, and fewer with sanitizers, which make everything several
 * times as slow.
 */
#ifndef TESTS_DRAWN_H
#define TESTS_DRAWN_H

#ifdef __SANITIZE_ADDRESS__
#define DRAWN(all, sanitized) sanitized
#else
#define DRAWN(all, sanitized) all
#endif

enum {
    DRAWN_ADVISE = DRAWN(20, 6),
    DRAWN_BOUNDS = DRAWN(1000, 120),
    DRAWN_CHECK = DRAWN(60, 15),
    DRAWN_CHECK_LINKS = DRAWN(150, 15),
    DRAWN_DATA = DRAWN(400, 80),
    DRAWN_FLEET = DRAWN(300, 75),
    DRAWN_GANTT = DRAWN(60, 15),
    DRAWN_IDLE = DRAWN(40, 8),
    DRAWN_LINKS_ESTIMATE = DRAWN(250, 60),
    DRAWN_MAPPING_LINKS = DRAWN(150, 37),
    DRAWN_METHODS = DRAWN(150, 16),
    DRAWN_METHODS_LEVEL = DRAWN(1200, 150),
    DRAWN_MULTIBUS = DRAWN(10000, 2500),
    DRAWN_PARETO = DRAWN(60, 10),
    DRAWN_RANDOM_MAPS = DRAWN(200, 50),
    DRAWN_REDUCE = DRAWN(700, 140),
    DRAWN_SELECT_EXACT = DRAWN(1000, 160),
    DRAWN_SELECT_NEXT = DRAWN(500, 80),
    DRAWN_SELECT_STUDY = DRAWN(200, 50),
    DRAWN_SHARING = DRAWN(24, 8),
    DRAWN_SIMULATE_OUTPUT = DRAWN(120, 24),
    DRAWN_SIMULATE_PAJE = DRAWN(100, 20),
    DRAWN_SIMULATE_TRACE = DRAWN(100, 20),
    DRAWN_STOCHASTIC = DRAWN(600, 120),
    DRAWN_SWEEP = DRAWN(150, 16),
    DRAWN_SYNTH_REPEATS = DRAWN(200, 40),
    DRAWN_SYNTH_FOLD = DRAWN(300, 60),
    DRAWN_TG_BUILDER = DRAWN(200, 40),
    DRAWN_TRACE_STEP = DRAWN(1, 3), /* with sanitizers each trace on one machine */
    DRAWN_UNLIKE = DRAWN(200, 50),
};

#endif
