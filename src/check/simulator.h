/*
 * The checker's own simulator, and the one that the tests hold the event engine against: written from docs/simulation.md
 * alone, in the plainest way. It includes nothing of src/simulate.
 *
 * Times inside are doubles in grains of the application, worked out in the order of operations that the page states: which
 * of two events is first may hang on their last bit.
 */
#ifndef CHECK_SIMULATOR_H
#define CHECK_SIMULATOR_H

#include <inlay/simulate.h>

/** What one link, copy or read did that went to another processor; times in grains. */
typedef struct check_sent {
    int64_t number; /**< in the order of the first requests */
    int64_t link;   /**< as in inlay_simulated_message */
    inlay_id datum; /**< of a copy, else -1 */
    double due, request, begin, sent, arrival;
} check_sent;

/** Whoever looks on, or says what is drawn. Members may be NULL: nobody looks, factors are 1, all is in memory 0. */
typedef struct check_watch {
    void *own;
    double (*factor)(void *own);                      /**< of the time of a transfer; over links of a message */
    inlay_id (*memory)(void *own, inlay_id memories); /**< where a message goes that is no read */
    void (*ran)(void *own, inlay_id module, double start, double end);
    void (*sent)(void *own, const check_sent *item);
    void (*passed)(void *own, inlay_id link, double asked, double begin, double end);
} check_watch;

/** What runs, by the words of docs/simulation.md. All arrays are the caller's. */
typedef struct check_program {
    const inlay_app *app;
    const inlay_machine *machine;
    double tick_seconds;       /**< 0 where ticks have no length */
    inlay_id processors;       /**< that are used: the numbers below are their ranks */
    const inlay_id *processor; /**< of every rank its number in the machine */
    const inlay_id *begin;     /**< processors + 1: rank c runs module[begin[c]], ... in this order */
    const inlay_id *module;
    const inlay_id *rank_of; /**< of every module; of several cores that on the lowest processor */
    const inlay_id *home;    /**< of every data block: rank */
    const inlay_id *memory;  /**< and where memories are common the one that it stands in; else NULL */
    bool streamed, copies_each, no_overlap;
    bool screen;                 /**< no simulation, but a screen: with overlap alone */
    inlay_contention contention; /**< or the machine's own, where that leaves more out */
} check_program;

/**
 * Runs it.
 * @param watch    or NULL
 * @param elapsed  in the application's unit
 * @return INLAY_NO_ANSWER where modules wait for each other, INLAY_OVERFLOW where times pass the range of numbers,
 *         INLAY_NO_MEMORY
 */
int check_simulate(const check_program *program, const check_watch *watch, double *elapsed);

#endif
