/*
 * Counting: a function is gone through once, statement by statement, with the values of whole-number variables as far as
 * they are known. A loop's body is gone through once for all its trips where what it does does not depend on the loop's
 * variable, and else once for each.
 */
#ifndef CSOURCE_COUNT_H
#define CSOURCE_COUNT_H

#include "csource/count/given.h"
#include "csource/tree.h"

/* ---- Values ---- */

typedef enum value_kind {
    VALUE_UNKNOWN,
    VALUE_KNOWN,
    VALUE_SYMBOL /**< known in each trip of a loop, which is being counted for all trips at once */
} value_kind;

typedef struct value {
    value_kind kind;
    int level; /**< of a symbol: the outermost loop that it depends on, from 1 */
    int64_t number;
    int base; /**< of an address: the variable, and one, of whose elements it is one; 0: a number */
} value;

/* ---- Tallies ---- */

/** What was counted in a loop's body outside of its inner loops. */
typedef struct tally {
    int64_t times; /**< that it is gone through */
    int64_t arithmetic, functions;
    int64_t bytes; /**< of elements that are loaded or stored */
    bool reached;
    bool unbounded; /**< times and counts are of one trip of a loop that has no bound */
} tally;

/** What there is to say about a place of the file. */
typedef struct remark {
    unsigned line;
    const char *text; /**< the program's */
} remark;

typedef struct remark_list {
    remark *at;
    int count;
    size_t room;
} remark_list;

/** The counts of one function and of what it calls. */
typedef struct counted {
    int function;
    tally *row; /**< for each row of the program, whose it is */
    int64_t arithmetic, functions, bytes;
    bool bounded; /**< the sums are all of it */
} counted;

/** What leaves a body before its end. */
typedef enum jump { JUMP_NONE, JUMP_BREAK, JUMP_CONTINUE, JUMP_RETURN, JUMPS } jump;

/** The most bodies that are gone through, in all, because they differ from trip to trip. */
enum { MOST_EVALUATIONS = 10000000 };

typedef struct counter {
    program *program;
    const given *given;
    value *state; /**< of each variable */
    tally *tally; /**< of each row */
    int row;      /**< in force */
    int64_t weight;
    int level;            /**< symbols in force */
    int control;          /**< above 0: in the control of a loop, which does not count */
    int index;            /**< above 0: computing an index, which does not count */
    int too_many;         /**< above 0: in loops whose variable has no value, for they are too long */
    bool unbounded;       /**< in a loop without a bound */
    jump jump;            /**< taken: up to where it leads nothing counts */
    int doubt[JUMPS];     /**< above 0: whether such a jump is come to is not known, and it is not taken */
    bool left_open;       /**< a jump was not taken that may leave the loop */
    bool bounded;         /**< everything so far is */
    int64_t budget;       /**< evaluations left */
    int depth;            /**< of values of constants in each other */
    bool limited;         /**< something so far is an upper bound */
    struct plan *plan;    /**< not NULL: places for counters are planned (measure.h), and `row` is one of them */
    remark_list limits;   /**< where counts are upper bounds */
    remark_list problems; /**< where they have none */
    unsigned overflow;    /**< line where 64 bits do not do */
} counter;

/* Functions that go through trees return INLAY_OK, a negative status, or the level of a loop that must go through its
   body for each trip. */

int counter_open(counter *c, program *p, const given *g);
void counter_close(counter *c);

/** Count a function. */
int count_function(counter *c, int number, counted *out);

/* ---- Inside ---- */

int count_node(counter *c, node *n);
int count_loop(counter *c, node *loop);
int count_switch(counter *c, node *n);
int count_call(counter *c, node *call);
int count_arguments(counter *c, node *call);

/** All of a node, one after the other. */
int count_children(counter *c, node *n);

/** A jump that leads up to here is over. */
void jump_ends(counter *c, jump j);

/** Count both of two ways (NULL: nothing), of which the larger stays; which is taken may hang on `which`. */
int count_larger(counter *c, node *at, node *one, node *other, value which, const char *text);

value evaluate(counter *c, const node *n);

/** The same, of an address too: how many elements behind its base. */
value evaluate_address(counter *c, const node *n);
value operate(c_operator operation, value_type type, value left, value right);
value convert(value v, value_type type);
value known_value(int64_t number);

/** The variables that are assigned in a tree are not known any more. */
void forget_assigned(counter *c, const node *n);

/** Nor those outside of functions. */
void forget_outside(counter *c);

/** Whether a call may assign such: of the system's functions those that get a function may. */
bool call_may_assign(const node *call);

/** How a loop goes. */
typedef struct trip_plan {
    bool bounded;
    int64_t count;
    int variable;     /**< that has a known value in each trip; -1: none */
    value start, end; /**< its values, at the beginning of the first trip and behind the last */
    value tested;     /**< its value that the condition compares first */
    bool at_end;      /**< it compares behind its body */
    bool behind;      /**< it changes once more behind the comparison that ends the loop */
    int partner;      /**< a variable that changes too, with which it is compared; -1: none */
    value partner_start, partner_amount;
    c_operator partner_step;
    c_operator step;
    value amount;
    const char *missing; /**< where it is not bounded: what is not known */
    const char *unknown; /**< a variable that would settle it; NULL: none */
    bool may_end_before; /**< there is a second condition */
} trip_plan;

/** @param before  the variable's value in front of the loop is in c->state, and those that the loop assigns too */
int plan_trips(counter *c, node *loop, trip_plan *plan);

/** The variable's value one trip later. */
value plan_next(const counter *c, const trip_plan *plan, value v);

int add_operations(counter *c, const node *at, int64_t arithmetic, int64_t functions);

/** So many bytes are loaded or stored. */
int add_bytes(counter *c, const node *at, int64_t bytes);
int add_times(counter *c, const node *at, int row, int64_t times);
int note_limit(counter *c, node *at, const char *text);
int note_problem(counter *c, node *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
