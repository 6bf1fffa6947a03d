/*
 * Functions of C as trees: what libclang tells of them, reduced to what counting needs.
 *
 * A node is an expression or a statement. Brackets and implicit conversions that change no value are left out; macros are
 * expanded, for libclang sees them so.
 */
#ifndef CSOURCE_TREE_H
#define CSOURCE_TREE_H

#include "base/memory.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum node_kind {
    /* Expressions */
    NODE_CONSTANT, /**< a value that the compiler knows; `known` where it is a whole number of 64 bits */
    NODE_VARIABLE,
    NODE_BINARY,  /**< `operation` on two children */
    NODE_UNARY,   /**< `operation` on one child */
    NODE_STEP,    /**< ++ or --, `operation` OP_ADD or OP_SUBTRACT */
    NODE_ASSIGN,  /**< child 0 takes child 1; `operation` of a compound assignment, or OP_NONE */
    NODE_CAST,    /**< child 0 in another type */
    NODE_INDEX,   /**< child 0 [ child 1 ] */
    NODE_MEMBER,  /**< of child 0, a structure or a pointer to one */
    NODE_CALL,    /**< children are the arguments */
    NODE_CHOICE,  /**< condition, one value, the other */
    NODE_OTHER,   /**< children one after the other */
    NODE_STRANGE, /**< what cannot be counted; `name` says it */
    /* Statements */
    NODE_BLOCK,       /**< `known`: the statement behind a label */
    NODE_DECLARATION, /**< of `variable`, with its initial value or without a child */
    NODE_IF,          /**< condition, then, perhaps else */
    NODE_FOR,         /**< start, condition, step, body; each but the last may be NULL */
    NODE_WHILE,       /**< body, condition */
    NODE_DO,          /**< body, condition */
    NODE_SWITCH,      /**< value, body */
    NODE_CASE,  /**< the statement behind `case VALUE:`, `case VALUE ... LAST:`, `valued`; or `default:`, `known` */
    NODE_BREAK, /**< `known`: out of a switch */
    NODE_CONTINUE,
    NODE_RETURN, /**< perhaps a value; `known`: nothing of the function follows */
    NODE_GOTO    /**< `known`: to a place before it */
} node_kind;

typedef enum c_operator {
    OP_NONE,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_SHIFT_LEFT,
    OP_SHIFT_RIGHT,
    OP_BIT_AND,
    OP_BIT_OR,
    OP_BIT_XOR,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_AND,
    OP_OR,
    OP_COMMA,
    OP_PLUS,       /**< unary */
    OP_MINUS,      /**< unary */
    OP_NOT,        /**< ! */
    OP_COMPLEMENT, /**< ~ */
    OP_ADDRESS,
    OP_CONTENT /**< unary * */
} c_operator;

/** What a value is. */
typedef struct value_type {
    enum { TYPE_OTHER, TYPE_INTEGER, TYPE_REAL, TYPE_POINTER } kind;
    bool is_unsigned;
    unsigned bits; /**< of an integer */
    unsigned size; /**< bytes of a number */
} value_type;

typedef struct node node;
struct node {
    node_kind kind;
    c_operator operation;
    value_type type;
    unsigned line;
    unsigned from, to;               /**< bytes of the file; equal where it stands in a macro */
    unsigned callee_from, callee_to; /**< of a call without a name: what tells the function */
    bool known;                      /**< see the kinds */
    bool hidden;                     /**< its operator or its parts stand in a macro: another reading tells them */
    bool constant;                   /**< an expression of constants alone */
    bool each;                       /**< of a loop: what it does depends on its variable, as was seen before */
    bool told;                       /**< something about it has been said */
    bool valued;                     /**< of a case: `value` and `last` are known */
    int64_t value;                   /**< of a constant that is known, or of a case */
    int64_t last;                    /**< of a case: the end of its range */
    int variable;                    /**< its number; -1: none */
    int function;                    /**< of a call: number of the function of this file; -1: none */
    int row;                         /**< of a loop: its row in the tally */
    const char
        *name;   /**< of a call: what is called, NULL where it has no name; of a member: its name, where headers are
                           read; of a constant: a text, with its quotes, or a number that is not known as a whole one */
    bool system; /**< of a call: declared in a header of the system, or known to the compiler */
    bool pure;   /**< of a call: declared with the attribute `const` or `pure` */
    bool copied; /**< bytes `from` to `to` of the file are its text: no macro has a part in them alone */
    bool prefix; /**< of a step: the operator comes first */
    bool bits;   /**< of a member: a bit-field */
    bool united; /**< of a member: of a union, whose members lie in the same bytes */
    bool array, record;    /**< its type; a decayed array is the array */
    bool addresses;        /**< its type is a pointer or has one in it; where headers are read */
    const char *type_name; /**< its type in C, where headers are read; NULL elsewhere */
    node **child;
    int children;
};

typedef struct c_variable {
    const char *name;
    unsigned line;
    value_type type;
    bool escapes;        /**< its address is taken */
    bool parameter;      /**< of a function */
    bool outside;        /**< outlives a call: global, or static in a function */
    bool constant;       /**< const, or static */
    bool assigned;       /**< anywhere but where it is declared */
    const char *element; /**< its type where it is a number, or that to which it points; NULL: something else */
    bool array;          /**< its address is that of its elements */
    int64_t pointee;     /**< bytes of what a pointer points to, or of an array's elements; 0: not known */
    int64_t width;       /**< of a pointer to rows, such as (*)[2]: elements of one; 0: it points to elements */
    node *initial;       /**< of one that outlives a call; NULL: none */
    bool record;
    const char *type_name; /**< its type in C, where headers are read */
    int function;          /**< in which it was first met */
    bool beyond;           /**< the text of the file does not see it: it is declared in another file of the program */
} c_variable;

typedef struct c_function {
    const char *name;
    unsigned line;
    unsigned from;      /**< byte of the file where it begins, or the comment in front of it */
    const char *header; /**< in which it stands; NULL: the file itself */
    int *parameter;     /**< their variables */
    int parameters;
    unsigned to;        /**< byte of the file behind it */
    const char *result; /**< type of what it returns, where headers are read */
    node *body;
    int row;     /**< of what stands in no loop */
    bool called; /**< by another function of the file */
    unsigned last_line;
    bool beyond; /**< the text of the file does not see it: it is defined in another file of the program */
    bool local;  /**< static */
    bool active; /**< being counted */
} c_function;

/** A loop, or what a function does outside of its loops. */
typedef struct body_row {
    int function;
    unsigned line;
    int nest; /**< loops in each other, 1 for the outermost; 0: no loop */
} body_row;

/** What is declared outside of functions, by the file or by its own headers, or a macro. */
typedef struct outer_name {
    const char *name;
    unsigned line;
    bool macro;
} outer_name;

/** A file, read. Zero-initialised it is empty. */
typedef struct program {
    const char *path;
    c_variable *variable;
    int variables;
    c_function *function;
    int functions;
    body_row *row;
    int rows;
    outer_name *name; /**< where headers are read */
    int names;
    size_t variable_room, row_room, name_room;
    unsigned (*skipped)[2]; /**< bytes that the preprocessor leaves out: from, to */
    int skips;
    unsigned first;     /**< byte of the file where its first declaration begins, or its first own header */
    memory_pool memory; /**< of nodes and names */
} program;

void program_clear(program *p);

/** A text that lives as long as the program; NULL: out of memory. */
const char *program_copy(program *p, const char *text);
const char *program_text(program *p, const char *text, size_t length);

/** Room for one more entry in a list; false: out of memory. */
#define GROW(list, count, room) memory_grow((void **)&(list), &(room), (size_t)(count) + 1, sizeof *(list))

/** What the trees tell about variables, calls and jumps, once nothing is hidden. */
void program_note_facts(program *p);

/** The variable that an expression is, behind casts; -1: something else. */
int node_variable(const node *n);

/** The first node, in order, for which `is` holds; NULL: none. */
node *node_find(node *n, bool (*is)(const node *n, const void *with), const void *with);

/** What a function of the mathematical library counts. */
typedef struct math_counts {
    int arithmetic, functions;
    bool is_power; /**< pow() and its like */
} math_counts;

/** False where the name is none. */
bool math_find(const char *name, math_counts *counts);

bool node_is_loop(const node *n);
bool type_is_number(value_type type);

#endif
