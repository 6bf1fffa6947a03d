/*
 * The second way of `inlay maploop`: every rank runs the whole program, marked loops alone are shared out. What a loop
 * touches is found out when the program runs: an inspector, the loop reduced to what addresses hang on, tells the run time
 * (inlay/irregular_loop.h) each access. Bodies stay the text that they are.
 */
#ifndef CSOURCE_WHOLE_H
#define CSOURCE_WHOLE_H

#include "csource/maploop/maploop.h"
#include <inlay/csource.h>

/** What an access does to its element. */
typedef enum access {
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_ADD,
    ACCESS_MULTIPLY,
    ACCESS_MIN,
    ACCESS_MAX,
    ACCESS_AND,
    ACCESS_OR,
    ACCESS_XOR,
    ACCESS_LOGICAL_AND,
    ACCESS_LOGICAL_OR
} access_kind;

const char *access_name(access_kind kind); /**< as in INLAY_ACCESS_ADD */

/** An accumulation: `target` takes `value`, which does not contain it. */
typedef struct accumulation {
    access_kind kind;
    const node *target;
    const node *value[4]; /**< what is evaluated besides */
    int values;
} accumulation;

/** Whether a statement or expression accumulates. */
bool accumulation_find(const node *n, accumulation *a);

/** The same, to memory: `m = m || v` makes 1 of 2, and so is one of true and false alone. */
bool accumulation_in_memory(const node *n, accumulation *a);
bool is_logical(access_kind kind);

/** A reading, writing or accumulation that the user states: `#pragma inlay access add(y[n1])`. */
typedef struct stated {
    access_kind kind;
    word lvalue, count;
} stated;

typedef struct contract {
    unsigned line, first, end; /**< bytes of the pragma */
    const node *statement;     /**< behind it */
    stated access[MOST_NAMES];
    int accesses;
} contract;

/* ---- Scalars of a loop ---- */

typedef enum scalar_kind {
    SCALAR_NONE,    /**< no scalar that lives outside, or not in the loop */
    SCALAR_INPUT,   /**< only read */
    SCALAR_PRIVATE, /**< assigned before it is used, in each iteration */
    SCALAR_LAST,    /**< the same, and used behind the loop */
    SCALAR_REDUCED,
    SCALAR_CHOSEN, /**< set by some iterations and never read: the last one tells */
    SCALAR_BEST    /**< the least or largest, or what is noted with it */
} scalar_kind;

/** `if (v < best) { best = v; where = i; }`: one choice of the loop; or the last of scalars that some iterations set. */
typedef struct choice {
    int best; /**< its variable; -1: none */
    access_kind kind;
    bool later;
    int variable[MOST_NAMES]; /**< that are set */
    int variables;
} choice;

/** An access that stands in a body. */
typedef struct site {
    unsigned line;
    const char *text;
    access_kind kind;
    int key;
} site;

/** The memory that an lvalue lies in, by its name: what it hangs on and the last member. */
typedef struct root {
    int variable;       /**< the one that stands for all pointers to it; -1: unknown */
    const char *member; /**< "": none */
    value_type type;    /**< as which it is accessed: other types do not meet, but for structures and bytes */
} root;

/** What a value may hang on so that an inspector can tell it. */
typedef enum hanging {
    HANGS_ON_OTHERS, /**< nothing that the loop writes */
    HANGS_ON_ITSELF, /**< also what it writes: the run time makes sure that no other iteration does so */
    HANGINGS
} hanging;

/** A body that is inspected: that of a marked loop, or a function that one calls. */
typedef struct unit {
    int function;
    node *loop; /**< NULL: a function */
    node *body;
    unsigned line;
    int number;
    unsigned first;                        /**< byte where the pragma of the loop begins */
    int variable;                          /**< the loop's, or the record in which it is a member */
    const char *member, *name, *type_name; /**< the loop's variable: NULL or which member, as it is written, its type */
    bool declared;                         /**< in its header */
    bool *inside;                          /**< [variables] declared in it */
    bool *need;                            /**< [variables] their values tell addresses */
    bool *place;                           /**< [variables] their addresses are told */
    bool *tainted[HANGINGS];               /**< [variables] their values hang on what is written, and cannot be told */
    bool *fills; /**< [variables] of a function: pointers through which its inspector stores to private memory */
    bool *hands; /**< [variables] of a function: pointers that lead to memory that is not private, somewhere */
    bool *looks; /**< [variables] of a function: pointers behind which there is what addresses hang on */
    bool *unfit[HANGINGS];  /**< [variables] the same pointers, where what is stored is tainted */
    bool *data;             /**< [variables] their values change from step to step */
    bool unclear[HANGINGS]; /**< of a function: what it returns is tainted */
    bool replays; /**< addresses hang on what an iteration has written: its inspector tries out all that it stores */
    bool *input;  /**< [variables] */
    scalar_kind *scalar;  /**< [variables] */
    access_kind *reduced; /**< [variables] */
    bool *scratch;        /**< [variables] arrays from outside that are private */
    bool *checked;        /**< [variables] of them, what is made sure of when it runs */
    choice *choices;      /**< its places are noted in the body */
    int choice_count;
    size_t choice_room;
    site *site; /**< with those of the functions that are called, once for each call */
    int sites;
    size_t site_room;
    root *written;
    int writes;
    size_t write_room;
    const struct unit *copied_from; /**< of a function: the loop whose writes are among its own */
    const char **member_input;      /**< texts such as m->x */
    int member_inputs;
    size_t member_room;
    bool wants_value; /**< of a function: what it returns tells addresses */
    bool used;        /**< of a function: a marked loop calls it */
    bool typed;       /**< of a function: the types that it writes are noted */
    bool reads;       /**< it has inspector text */
    text_buffer inspector;
    text_buffer header; /**< sources of a loop's header */
    text_buffer told;   /**< what --explain says of it */
} unit;

typedef struct whole {
    maploop *m;
    program *p;
    unit *loop;
    int loops;
    size_t loop_room;
    unit *function; /**< [functions] */
    contract *contract;
    int contracts;
    size_t contract_room;
    int *same;       /**< [variables] union-find of pointers */
    bool *own;       /**< [variables] parameters that lead to memory of one iteration, in the call that is looked at */
    bool *leaks;     /**< [variables] somebody may have a pointer to it */
    bool changing;   /**< the last round found more */
    bool *has_marks; /**< [functions] marked loops, in it or in what it calls */
    bool *touches;   /**< [functions] memory, by what a marked loop calls */
    bool *touches_outside, *stores_outside; /**< [functions] */
    value_type stale_type[MOST_NAMES];      /**< what marked loops write */
    int stale_types;
    bool has_entries;  /**< functions with marked loops are called from elsewhere */
    bool has_scopes;   /**< local memory is forgotten somewhere */
    bool writes_bytes; /**< of any type */
    const inlay_maploop_options *options;
    const char *method; /**< that distributes; NULL: the usual one */
    root *written;      /**< by any marked loop */
    int writes;
    size_t write_room;
    const char **key; /**< texts of indices */
    int keys;
    size_t key_room;
    bool *marks_memory; /**< [variables] arrays, records and leaking scalars that marked loops write */
} whole;

/* ---- Steps, in their order; false where it was refused ---- */

bool whole_prepare(whole *w);
bool marks_find(whole *w);
bool marks_spread(whole *w); /**< to functions that call such as have marked loops */
bool aliases_find(whole *w);
bool scalars_study(whole *w, unit *u);
bool body_check(whole *w, unit *u); /**< jumps, calls, and what else is refused */
bool slices_find(whole *w);
bool inspector_write(whole *w, unit *u);
bool loop_write(whole *w, unit *u);
bool outside_write(whole *w);
bool whole_write(whole *w, text_buffer *to);

/** The program, or what is seen of it where the options ask for that; false where it was refused. */
bool whole_transform(maploop *m, const inlay_maploop_options *options, text_buffer *to);
void explain(const whole *w, text_buffer *to);

/* ---- Trees ---- */

const node *whole_bare(const node *n); /**< behind casts */
bool nodes_same(const node *a, const node *b);
bool node_holds(const node *n, int variable);
bool node_contains(const node *n, const node *part);

/** Whether it is an element of memory: an index, a member, what a pointer points to. */
bool is_lvalue(const node *n);

/** The variable in whose own bytes an lvalue lies, -1 where it lies behind a pointer. */
int lvalue_variable(const node *n);

/** The pointer that leads to an lvalue, NULL where it lies in a variable. */
const node *lvalue_pointer(const node *n);

root lvalue_root(const whole *w, const node *n);
int pointer_variable(const node *n); /**< that an address or pointer hangs on; -1: unknown */
bool roots_meet(root a, root b);
bool is_written(const root *list, int count, root r);

/** Whether accesses to a variable by its name are accesses to memory that others may own. */
bool variable_is_memory(const whole *w, const unit *u, int variable);

/** Whether an lvalue lies in memory of the iteration alone, by its name. */
bool lvalue_is_private(const whole *w, const unit *u, const node *n);

/** The contract of a statement; NULL: none. */
const contract *contract_of(const whole *w, const node *statement);

/* ---- Calls ---- */

typedef enum call_kind {
    CALL_PURE,    /**< its value hangs on its arguments alone */
    CALL_PROGRAM, /**< of the program, and touches memory: an inspector of its own */
    CALL_PLAIN,   /**< of the program, and touches none */
    CALL_COPY,    /**< memcpy(), memmove() */
    CALL_SET,     /**< memset() */
    CALL_RESULTS, /**< pure but for results through pointers: modf(), sincos() */
    CALL_REFUSED
} call_kind;

call_kind call_of(const whole *w, const node *n);

/* ---- Flow ---- */

typedef struct flow {
    const whole *w;
    int variable;
    bool entire;        /**< elements and members alone do not count as assigned */
    const char *member; /**< of a record: the one that is looked at; NULL: none */
    bool behind;        /**< what the pointer `variable` points to, not itself */
    const node *skip;
    bool assigned; /**< at the place that was reached */
    bool used;     /**< its value from before */
    bool open_end; /**< a `continue` left it as it was */
    int nest;
} flow;

void flow_through(flow *f, const node *n);

/** The first and last value of a loop's variable (-1: any) between constants, counted up by one; it runs at least once. */
bool loop_range(const node *n, int variable, int64_t range[2]);

/** Whether a variable is used behind a loop, before it gets another value. */
bool is_live_behind(const whole *w, const unit *u, int variable);

/* ---- Slices ---- */

/** Whether an inspector can tell an expression's value. */
bool can_evaluate(const whole *w, const unit *u, const node *n);

/** Whether it hangs on nothing that the loop writes. */
bool is_known_before(const whole *w, const unit *u, const node *n);

/** Whether the condition of an `if`, a choice or a loop stays in the inspector. */
bool condition_stays(const whole *w, const unit *u, const node *n);
const node *condition_of(const node *n);

/** Whether an index in a branch may be none where the condition does not hold. */
bool guards_index(const unit *u, const node *n);

/** Whether an inner loop stays, or is gone through once; and whether it must stay. */
bool loop_stays(const whole *w, const unit *u, const node *n);
bool loop_binds(const whole *w, const unit *u, const node *n);

/** Whether an assignment or a call of a body that replays() stores to memory. */
bool stores_in_trial(const whole *w, const unit *u, const node *n);

/** Whether something in it touches memory, or assigns what addresses hang on. */
bool node_matters(const whole *w, const unit *u, const node *n);

/** The pointer of a function through which it stores, where its inspector does so, too; -1: none. */
int filled_pointer(const unit *u, const node *assignment);

/** Whether the function's parameter is handed on to its inspector. */
bool parameter_stays(const whole *w, int function, int parameter);

/* ---- Text ---- */

/** The text of an expression, for an inspector; false where it cannot be repeated. `stores`: it may assign. */
bool print_node(whole *w, unit *u, const node *n, bool stores, text_buffer *to);
void print_type(const whole *w, int variable, text_buffer *to); /**< before its name */
bool type_is_variable(const char *type_name);                   /**< an array of a length that is not constant */
bool type_is_stream(const char *type_name);

#endif
