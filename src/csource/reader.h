/*
 * Reading C through libclang. No program is started.
 *
 * libclang tells the shape of an expression and not its operator, which is looked up in the text. Where that stands in a
 * macro, the function is printed with its macros expanded and read a second time: a twin of the same shape.
 */
#ifndef CSOURCE_READER_H
#define CSOURCE_READER_H

#include "csource/source.h"
#include "csource/tree.h"
#include <clang-c/Index.h>

typedef struct cursor_list {
    CXCursor *at;
    int count;
    size_t room;
} cursor_list;

typedef struct span {
    unsigned from, to; /**< bytes of the file */
} span;

/** One reading of a file. */
typedef struct reader {
    program *program;
    CXTranslationUnit unit;
    CXFile file;
    const char *text; /**< of the file */
    size_t size;
    span *expansion; /**< of macros in the file, ascending */
    int expansions;
    size_t expansion_room;
    cursor_list macros;    /**< their definitions */
    cursor_list functions; /**< defined in the file */
    cursor_list variables; /**< as the program numbers them */
    CXFile *beyond;        /**< files that other files of the program bring in */
    int beyonds;
    size_t beyond_room;
    unsigned size_of_own; /**< bytes of the file's own text, behind which others are included; 0: all of it */
    bool twin;            /**< nothing is entered in the program but the nodes */
    bool headers;         /**< functions of the file's own headers are read too, and names */
    bool preprocessed;    /**< as in read_options */
    int function;         /**< being read */
    int nest;             /**< loops around what is being read */
    int depth;            /**< nodes around it */
    int status;           /**< INLAY_NO_MEMORY sticks; nodes are NULL from then on */
    bool too_deep;
    bool found_hidden; /**< some node is hidden */
} reader;

/** What the user tells on the command line for libclang. */
typedef struct read_options {
    const char *const *words; /**< -I and -D, as compilers take them */
    int count;
    bool headers; /**< functions of the file's own headers are read too, and what is declared outside of functions */
    unsigned own; /**< bytes of the file's own text; 0: all */
    bool
        preprocessed; /**< the text has its headers in it, with the marks of their lines: functions of its own headers are read */
} read_options;

/** Read a file. */
int program_read(const source *from, const read_options *options, program *p, inlay_diag *diag);

/** Whether a file has a variable or parameter of that name, also where it does not compile. */
int file_has_variable(const source *from, const read_options *options, const char *name, bool *found);

/** Children of a cursor that are expressions, statements or declarations. */
int cursor_children(CXCursor parent, cursor_list *list);

/** The tree of a statement or expression; NULL where it is none. */
node *read_cursor(reader *r, CXCursor cursor);

/** Number of a function of the file, -1 where it is none. */
int reader_find_function(const reader *r, CXCursor declaration);

/** Enter a variable; its number, -1 where there is no memory. */
int reader_enter_variable(reader *r, CXCursor declaration);

value_type read_type(CXType type);

/** The line of a place; where the text was preprocessed, in the file that it comes from. */
unsigned reader_line(const reader *r, CXSourceLocation place);

/** The type as C writes it; NULL, with the status set, where there is no memory. */
const char *reader_type_name(reader *r, CXType type);

/* ---- The text of operators ---- */

enum { GAP_TEXT = 16 };

/**
 * What stands in the file from the end of one place to the start of another, without blanks and comments.
 * false where a macro stands there, or more than there is room for.
 */
bool reader_gap(const reader *r, unsigned from, unsigned to, char text[GAP_TEXT]);

/** First byte of a cursor, and the one behind its last; false where it is not in the file. */
bool reader_extent(const reader *r, CXCursor cursor, span *extent);

/** The operator of a cursor with two operands; `assigns` where it ends in an =. False where it is hidden. */
bool reader_binary(const reader *r, CXCursor left, CXCursor right, c_operator *operation, bool *assigns);
bool reader_unary(const reader *r, CXCursor whole, CXCursor operand, c_operator *operation, bool *step);

/* ---- Twins ---- */

/** Look up in a second reading what is hidden in the first. */
int reader_unhide(const reader *r, const char *path, const read_options *options);

/* ---- Of both readings ---- */

int reader_open(reader *r, CXIndex index, const struct CXUnsavedFile *file, const read_options *options);
void reader_close(reader *r);
int reader_survey(reader *r); /**< finds macros and functions */

#endif
