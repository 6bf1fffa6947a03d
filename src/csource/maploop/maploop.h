/*
 * A serial program of marked loops becomes a program for MPI (R. Ponnusamy, J. Saltz, R. Das, C. Koelbel, A. Choudhary,
 * "Embedding data mappers with distributed memory machine compilers", 1992, sections 2 to 4).
 *
 * The program is read as trees (compress/tree.h). What is found in them becomes edits of the program's text.
 */
#ifndef MAPLOOP_H
#define MAPLOOP_H

#include "base/text.h"
#include "csource/tree.h"
#include <inlay/status.h>

/* ---- What the pragmas say ---- */

enum { MOST_NAMES = 32 };

/** A word of a pragma: bytes of the file. */
typedef struct word {
    unsigned from, to;
} word;

typedef enum rule { RULE_NONE, RULE_OWNER, RULE_MAX_OWNER, RULE_BALANCED } rule;

/** The pragmas before the marked loop. */
typedef struct marks {
    unsigned line;  /**< of `maploop`; 0: there is none */
    unsigned first; /**< byte where the first of them begins */
    unsigned end;   /**< byte behind the last of them */
    word array[MOST_NAMES];
    int arrays;
    word method; /**< empty: the default */
    rule rule;
    unsigned rule_line;
    word touched[MOST_NAMES]; /**< references of `compute on` */
    int touched_count;
    unsigned remap_line; /**< 0: no remap */
    word remap;          /**< its condition */
} marks;

/* ---- Arrays ---- */

/** Which numbers an array or a loop goes through. */
typedef enum space_kind {
    SPACE_NONE,
    SPACE_DATA,       /**< the elements of the listed arrays */
    SPACE_ITERATIONS, /**< of the marked loop, where they are not the elements */
    SPACE_ENTRIES,    /**< of the rows of a CSR structure */
    SPACES
} space_kind;

typedef struct array {
    int variable;
    const char *name, *element;
    int64_t width; /**< elements of a row; 0: no rows */
    int size;      /**< the variable that tells its number of elements */
    bool one_more; /**< has one element more than that */
    space_kind space;
    node *allocation;        /**< the call */
    node *statement;         /**< in which it stands */
    bool indexes;            /**< other arrays are referred to through its values */
    bool gathered;           /**< read in others' elements somewhere */
    unsigned written_behind; /**< a line behind the mapping that writes it; 0: none */
} array;

/* ---- Edits ---- */

typedef struct edit {
    unsigned from, to;
    int order;  /**< of those at the same place */
    char *text; /**< ours */
} edit;

/* ---- Subscripts of distributed arrays in loops ---- */

typedef enum subscript_kind {
    SUBSCRIPT_OWN,     /**< the loop's variable */
    SUBSCRIPT_NEXT,    /**< the loop's variable + 1: of row starts */
    SUBSCRIPT_ENTRY,   /**< the inner loop's variable */
    SUBSCRIPT_INDIRECT /**< a value of another array */
} subscript_kind;

/** A reference to an element of a distributed array. */
typedef struct reference {
    const node *whole;
    int array;
    subscript_kind kind;
    const node *subscript;
    const node *component; /**< of a row; NULL: none */
    const node *through;   /**< SUBSCRIPT_INDIRECT: the reference whose value it is */
    bool in_row;           /**< `through` lies in an entry of a CSR structure */
} reference;

/** Two references of which an iteration writes one and reads the other. */
typedef struct link {
    const node *one, *other; /**< NULL: the iteration's own element */
    bool in_row;
} link;

enum { MOST_LINKS = 64, MOST_TOUCHED = 32 };

/** The files of a program that is several, and what is found in them. */
typedef struct program_files {
    const char *const *path;
    size_t count;
    char **text; /**< of each */
    bool marked, has_main;
    char method[16]; /**< that distributes; "": the usual one */
} program_files;

typedef struct maploop {
    program_files *files; /**< NULL: one */
    const char *path;
    const char *text;
    size_t size;
    program program;
    c_function *main;
    marks marks;
    array *array;
    int arrays;
    size_t array_room;
    int bound[SPACES];                 /**< the variable that tells the size of each space; -1: none */
    int starts;                        /**< the array of row starts, -1: none */
    node *loop;                        /**< the marked loop */
    int loop_variable, entry_variable; /**< of the marked loop and the loop over its rows' entries; -1: none */
    node *outermost;                   /**< statement before which the loop is mapped */
    bool mapped;                       /**< what is studied comes behind that */
    bool in_block;                     /**< what is studied stands in a block */
    link link[MOST_LINKS];             /**< of the marked loop: its runtime data graph */
    int links;
    const node *touched[MOST_TOUCHED]; /**< of the marked loop: its runtime iteration graph. NULL: its own element */
    int touches;
    bool part_decides;     /**< these are not all that an iteration touches */
    bool *own;             /**< [variables]: may differ from rank to rank */
    bool *gives_own;       /**< [functions]: what they return may */
    const char *refusing;  /**< file of what is looked at; NULL: `path` */
    unsigned starts_ready; /**< byte behind the last loop that writes row starts */
    bool sums;             /**< the program adds up over ranks */
    bool agrees, opens,
        reads;            /**< it has results of streams that rank 0 tells, files that it writes, and that all read */
    bool needs_no_ghosts; /**< ghosts are zeroed somewhere */
    edit *edit;
    int edits;
    size_t edit_room;
    inlay_diag *diag;
    bool refused; /**< the diag says why */
    bool no_memory;
} maploop;

/** What is wrong is kept where it is the first. Returns false. */
bool refuse(maploop *m, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool out_of_memory(maploop *m); /**< returns false */

/** Source text of a node, for "%.*s". */
#define TEXT(m, n) (int)((n)->to - (n)->from), (m)->text + (n)->from

/* ---- The text of pragmas ---- */

/** What is left of a line that begins with `#pragma inlay`. */
typedef struct line_reader {
    maploop *m;
    unsigned at, end, line;
} line_reader;

/** A word or a sign, behind blanks. */
bool pragma_take(line_reader *r, const char *text);

/** An expression up to one of the signs, outside of brackets. */
word pragma_until(line_reader *r, const char *ends);

/** `using NAME`, where it stands there; false where the name is none. */
bool pragma_method(line_reader *r, word *method);

/** Each such line that is no comment, and not left out by the preprocessor; false where one was refused. `from`: its first byte. */
bool pragma_lines(maploop *m, bool (*read)(line_reader *r, unsigned from, void *with), void *with);

/* ---- Steps, in their order; false where it was refused ---- */

bool pragmas_read(maploop *m);
bool arrays_find(maploop *m);
bool program_study(maploop *m);

/* ---- Arrays ---- */

int array_find(const maploop *m, int variable); /**< a distributed array; -1: none */

/** START of for (T i = START; i < BOUND; i++); NULL: another form. */
const node *loop_start(const node *n);

/** A loop `for (i = 0; i < SIZE; i++)` of numbers that are distributed; SPACE_NONE where it is no such loop. */
space_kind loop_space(const maploop *m, const node *n, int *variable);

/** Whether a tree refers to a distributed array. */
bool touches_arrays(const maploop *m, const node *n);

/** A loop `for (k = ptr[j]; k < ptr[j + 1]; k++)` over the entries of row j: the variable k; -1: no such loop. */
int row_loop_variable(const maploop *m, const node *n, int row);

/* ---- A loop over distributed numbers ---- */

bool loop_study(maploop *m, node *n, space_kind space, int variable);

/** Whether a call has no effect but its value. */
bool call_is_pure(const maploop *m, const node *call);

/** Whether an expression is a call that writes to a stream or asks how it went. */
bool call_is_output(const node *n);

/* ---- What all ranks execute ---- */

/** Everything outside of distributed loops does the same on all ranks, or on rank 0 alone. */
bool effects_check(maploop *m);

/** Whether a value may differ from rank to rank. */
bool is_own(const maploop *m, const node *n);

/* ---- Edits ---- */

void edit_insert(maploop *m, unsigned at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void edit_replace(maploop *m, unsigned from, unsigned to, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Replaces a variable's name; refused where it does not stand in the text. */
bool edit_name(maploop *m, const node *n, const char *format, ...) __attribute__((format(printf, 3, 4)));

bool edits_apply(maploop *m, text_buffer *to);

/** The byte behind a statement and its semicolon; 0 where that stands in a macro. */
unsigned statement_end(const maploop *m, const node *n);

/** The blanks with which the line of a byte begins. */
enum { LONGEST_INDENT = 64 };
void indent_of(const maploop *m, unsigned at, char indent[LONGEST_INDENT]);

/* ---- Text that is added ---- */

/** map_loop() before the outermost loop around the marked one. */
bool insert_mapping(maploop *m, bool in_block);

/** Before the first declaration: what the steps call. */
void write_helpers(const maploop *m, text_buffer *to);

/** Before main(): shares, and the steps. */
void write_steps(const maploop *m, text_buffer *to);

/** map_loop(), the steps of the paper. */
void write_mapping(const maploop *m, text_buffer *to);

/** The arguments of map_loop(), where it is called. */
void write_arguments(const maploop *m, text_buffer *to);

#endif
