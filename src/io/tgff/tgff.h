/* A TGFF file on its way in: what its reader gathers, and its builder makes an application of. */
#ifndef IO_TGFF_TGFF_H
#define IO_TGFF_TGFF_H

#include "base/hash.h"
#include "graph/names.h"
#include "io/formats.h"

enum { TGFF_WORDS = 64, TGFF_SHOWN = 40, TGFF_KNOWN = 4096 };

typedef struct tgff_task {
    const char *name;
    int32_t type, host; /* host: -1 none */
    inlay_decimal deadline;
    bool has_deadline, hard;
    long line;
} tgff_task;

typedef struct tgff_arc {
    int32_t from, to, type;
    long line;
} tgff_arc;

/* What the columns of a table are, by the comment above its rows. */
typedef struct tgff_columns {
    int count, type, valid, time, bits; /* -1: none */
} tgff_columns;

typedef struct tgff_table {
    const char *name; /* NAME_i */
    bool carries;     /* called COMMUN... */
    bool times, bits; /* whether any row has one */
    tgff_columns columns;
    long line;
} tgff_table;

typedef struct tgff_entry {
    int32_t table, type;
    bool valid, is_time;
    inlay_decimal value;
} tgff_entry;

typedef enum tgff_place { TGFF_OUTSIDE, TGFF_IN_GRAPH, TGFF_IN_OTHER_GRAPH, TGFF_IN_TABLE } tgff_place;

typedef struct tgff {
    const char *source;
    const inlay_reading *how;
    inlay_diag *diag;
    name_store *names;
    long line;
    tgff_place place;
    char *word[TGFF_WORDS];
    int words;
    int64_t graphs;    /* so far */
    const char *graph; /* name of the one that is read */
    inlay_decimal period;
    bool has_period, quanta;
    bool known[TGFF_KNOWN]; /* types of which the table that is read has a row that holds */
    tgff_task *task;
    tgff_arc *arc;
    tgff_table *table;
    tgff_entry *entry;
    size_t tasks, arcs, tables, entries;
    size_t task_room, arc_room, table_room, entry_room;
    name_map task_of;
} tgff;

/** The application of the graph that was chosen. */
int tgff_build(tgff *s, inlay_app **app);

#endif
