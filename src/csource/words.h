/* Reading a file with what the user tells: folders of headers, and macros. */
#ifndef CSOURCE_WORDS_H
#define CSOURCE_WORDS_H

#include "csource/count/given.h"
#include "csource/reader.h"
#include <inlay/csource.h>

/** How a file is read. */
typedef struct reading {
    inlay_texts include;
    bool lists;                    /**< they are lists of folders, separated by commas */
    const given_list *definitions; /**< of which those of no variable of the file are macros; NULL: none */
    bool headers;                  /**< as in read_options */
    unsigned own;
    inlay_texts macros; /**< NAME or NAME=TEXT, as compilers take them */
} reading;

/** Zero-initialise; the words are the pool's memory, which has failed where one is missing. */
typedef struct word_list {
    const char **word;
    int count;
    size_t room;
} word_list;

/** Add the folders, and -D for macros. The list is to be freed, also after a failure. */
int source_words(const source *from, const reading *how, memory_pool *memory, word_list *words);

/** Of a text that was read. */
int source_parse(const source *from, const reading *how, program *p, inlay_diag *diag);

/** `from` is read, and to be cleared with source_clear(), also after a failure. */
int source_read_program(const char *path, const reading *how, source *from, program *p, inlay_diag *diag);

#endif
