/*
 * Advice: which machine, and how much of it, for given applications.
 *
 * Offers are machines, of which any number of processors may be used, and types of machines of a catalogue, of which any
 * number of hosts may be rented; with mixtures, so many of one type and so many of another. Every number of every offer is
 * a candidate. The applications are run one after another on what is rented once, each mapped as inlay_map() does.
 *
 * A candidate's time is that from the order to the answer: the start-up of its hosts and the elapsed times of all
 * applications. Its price and energy are those of all rented hosts for that time, in begun billing steps; of a plain
 * machine those of inlay_summary, of the processors that are used.
 *
 * The choice meets deadline and budget. Of those that do it has the least time, price, energy, or price times time, or the
 * highest efficiency; equal ones go by time, price, number (of hosts or processors), and as offers were given. Where nothing
has a price, processors stand for it.
 * Candidates that bounds show to be beaten in time and price are not mapped: choice and front are those of mapping all.
 */
#ifndef INLAY_ADVISE_H
#define INLAY_ADVISE_H

#include <inlay/catalogue.h>
#include <inlay/mapping.h>

typedef struct inlay_advice inlay_advice;

/* ---- The question ---- */

/** What is made best. */
typedef enum inlay_advise_by {
    INLAY_ADVISE_USUAL, /**< price under a deadline; time under a budget alone; else the knee */
    INLAY_ADVISE_TIME,
    INLAY_ADVISE_PRICE,
    INLAY_ADVISE_ENERGY,
    INLAY_ADVISE_EFFICIENCY, /**< of the processors that are rented, or of a plain machine used */
    INLAY_ADVISE_KNEE        /**< the least price times time: as the knee of inlay/pareto.h */
} inlay_advise_by;

/** "usual", "time", "price", "energy", "efficiency", "knee" */
INLAY_API const char *inlay_advise_by_name(inlay_advise_by by);

/** An application, a machine or a type; the others are NULL. What it points to must outlive the advice. */
typedef struct inlay_advise_input {
    const inlay_app *app;
    const inlay_machine *machine;
    const inlay_machine_type *type;
    const char *name;
    const char *source; /**< where it comes from: a path, or a machine's string */
} inlay_advise_input;

/** Zero-initialised, these are the defaults. */
typedef struct inlay_advise_options {
    inlay_options mapping; /**< as for inlay_map(); its processors are not looked at */
    bool has_deadline, has_budget;
    double deadline; /**< seconds, above 0: from the order to the answer */
    double budget;   /**< from 0, in the offers' currency */
    inlay_advise_by by;
    inlay_id from, to; /**< hosts of types, of both in a mixture, and processors of machines; 0: all there are, above 32
                               only 48, 64, 96, 128 and so on, and the most */
    bool mixtures;     /**< of two types of one catalogue as well: INLAY_ADVISE_MIXTURES of them, the smallest first */
    double
        reference; /**< operations a second of the processor on which times hold, for types; 0: inlay_machine_flops() */
} inlay_advise_options;

enum { INLAY_ADVISE_MIXTURES = 1000 };

/**
 * INLAY_BAD_ARGUMENT where there is no application or no offer; where prices are in two currencies, or something is asked
 * of prices or powers that nothing has; and where times in ticks have no length, but types or a deadline need one. That no
 * candidate meets deadline and budget is no failure.
 */
INLAY_API int inlay_advise(const inlay_advise_input *inputs, size_t count, const inlay_advise_options *options,
                           inlay_advice **advice, inlay_diag *diag);
INLAY_API void inlay_advice_free(inlay_advice *advice);

/* ---- Candidates ---- */

enum { INLAY_ADVISE_PARTS = 2 };

/** One candidate that was mapped. What is not known is NaN. */
typedef struct inlay_advise_point {
    size_t offer;                       /**< inlay_advice_offer() */
    inlay_id count[INLAY_ADVISE_PARTS]; /**< hosts of its types, or processors that are allowed and 0 */
    inlay_id processors;                /**< rented; of a plain machine the most that are used */
    double start_up, run, time;         /**< time = start_up + run; seconds, or ticks: inlay_advice_unit() */
    double low, high;                   /**< of `time`, as inlay_mapping_interval(): the sums of all applications' */
    double price, price_low, price_high;
    double energy; /**< joules */
    double efficiency;
    bool feasible; /**< it meets deadline and budget */
    bool front;    /**< no candidate is as fast and as cheap; without any prices: on as few processors */
    bool rival;    /**< within the intervals it may be better than the choice */
} inlay_advise_point;

INLAY_API size_t inlay_advice_points(const inlay_advice *advice); /**< by offer, then count */
INLAY_API const inlay_advise_point *inlay_advice_point(const inlay_advice *advice, size_t i);

/** "4 of large", "2 of small and 1 of large", "8 processors of bus:16". */
enum { INLAY_ADVISE_NAME = 256 };
INLAY_API char *inlay_advise_point_name(const inlay_advice *advice, const inlay_advise_point *point,
                                        char name[INLAY_ADVISE_NAME]);

/* ---- Offers ---- */

/** Why an offer is not the choice. */
typedef enum inlay_advise_verdict {
    INLAY_VERDICT_CHOICE,
    INLAY_VERDICT_WORSE,     /**< it meets deadline and budget, but another one is better */
    INLAY_VERDICT_DEADLINE,  /**< it is too slow */
    INLAY_VERDICT_BUDGET,    /**< it is too dear */
    INLAY_VERDICT_BOTH,      /**< what is fast enough is too dear, and the reverse */
    INLAY_VERDICT_NO_PRICE,  /**< what is asked needs a price that it does not have */
    INLAY_VERDICT_NO_ANSWER, /**< it cannot run the applications */
    INLAY_VERDICT_NO_COUNT,  /**< no number of it is within what is asked */
    INLAY_VERDICT_BEATEN     /**< nothing of it was mapped: by its bounds it is slower and dearer than the front */
} inlay_advise_verdict;

/** "choice", "worse", "deadline", "budget", "both", "no price", "no answer", "no count", "beaten" */
INLAY_API const char *inlay_advise_verdict_name(inlay_advise_verdict verdict);

typedef struct inlay_advise_offer {
    const inlay_advise_input *part[INLAY_ADVISE_PARTS]; /**< the second is NULL but in mixtures */
    inlay_advise_verdict verdict;
    size_t best;       /**< its best point, feasible or not; SIZE_MAX: none */
    size_t candidates; /**< how many there are */
    size_t mapped;     /**< of them */
    const char *why;   /**< why it is not the choice, in words; of the choice "" */
    const inlay_diag
        *said; /**< warnings of its first mapping, or why there is no answer; NULL where nothing was mapped */
} inlay_advise_offer;

INLAY_API size_t inlay_advice_offers(const inlay_advice *advice);
INLAY_API const inlay_advise_offer *inlay_advice_offer(const inlay_advice *advice, size_t i);

/* ---- The answer ---- */

typedef struct inlay_advise_summary {
    inlay_advise_by by;    /**< what was made best, never INLAY_ADVISE_USUAL */
    size_t choice;         /**< its point; SIZE_MAX where nothing meets deadline and budget */
    size_t rivals;         /**< points that may be better */
    bool may_be_missed;    /**< the end of the choice's interval is behind the deadline, or above the budget */
    bool priced;           /**< the front is of prices; else of processors */
    bool doubts;           /**< some offer says how sure its figures are */
    double least_budget;   /**< for the deadline; NaN: nothing meets it */
    double least_deadline; /**< for the budget; NaN: nothing does */
    size_t candidates, mapped;
    size_t mixtures_left_out; /**< mixtures that were not looked at, there being so many */
    size_t counts_left_out;   /**< numbers of hosts or processors, likewise */
    const char *currency;     /**< NULL where none is given */
} inlay_advise_summary;

INLAY_API const inlay_advise_summary *inlay_advice_summary(const inlay_advice *advice);
INLAY_API const inlay_advise_options *inlay_advice_options(const inlay_advice *advice);
INLAY_API inlay_unit inlay_advice_unit(const inlay_advice *advice); /**< INLAY_UNIT_S or INLAY_UNIT_TICK */

/** The answer in one sentence, or what would have to be given for one. */
INLAY_API const char *inlay_advice_sentence(const inlay_advice *advice);

/** What cannot be told, as a sentence; NULL where all can be. */
INLAY_API const char *inlay_advice_doubt(const inlay_advice *advice);

/**
 * INLAY_OK where there is a choice; else INLAY_NO_ANSWER with the sentence, and as remedies the options "--deadline" and
 * "--budget" with which there is one.
 */
INLAY_API int inlay_advice_outcome(const inlay_advice *advice, inlay_diag *diag);

/** A time in the unit in which people say it: "41 min", with its interval where it has one "41 min (38 to 44)". */
enum { INLAY_ADVISE_TIME_TEXT = 96 };
INLAY_API char *inlay_advise_time_text(const inlay_advice *advice, double time, double low, double high,
                                       char text[INLAY_ADVISE_TIME_TEXT]);

/** A price with its currency: "0.82 EUR". */
INLAY_API char *inlay_advise_price_text(const inlay_advice *advice, double price, char text[INLAY_ADVISE_TIME_TEXT]);

#endif
