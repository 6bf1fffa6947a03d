/* The words of mapping.json for the options of a mapping. */
#ifndef IO_MAPPING_WORDS_H
#define IO_MAPPING_WORDS_H

#include <inlay/mapping.h>

/* Indexed by the enums of inlay/mapping.h; NULL ends each list. */
extern const char *const reduce_words[];      /* inlay_reduce */
extern const char *const reduce_when_words[]; /* inlay_reduce_when */
extern const char *const parallel_words[];    /* inlay_parallel */
extern const char *const blocking_words[];    /* inlay_blocking */
extern const char *const start_words[];       /* inlay_start */
extern const char *const layout_words[];      /* inlay_layout */
extern const char *const order_words[];       /* inlay_order */

#endif
