/*
 * What <inlay/irregular_loop.h> is made of: elements of memory and their numbers, what an inspection finds, owners, plans.
 *
 *   elements.c   from addresses to the numbers of elements, and back
 *   numbers.c    what accumulations start from, and how they are put together
 *   inspect.c    touches, and the rules that they must keep
 *   sources.c    memory that addresses hang on, and whether it has changed
 *   owners.c     who owns which element, who runs which iteration
 *   plan.c       what each rank sends to each
 *   run.c        a loop in its steps: begin, inspected, fetch, fetched, end
 *   settle.c     memory made whole, and blocks that are freed
 *   scalars.c    reductions, last values, choices
 *   streams.c    files and the environment
 *   report.c     what it cost
 *
 * All ranks find the same numbers for the same elements, though addresses differ: numbers are given in the order of first touch,
 * and into how many elements a word falls hangs on the accesses to it alone, for addresses are the same modulo 16.
 */
#ifndef IRREGULAR_WHOLE_WHOLE_H
#define IRREGULAR_WHOLE_WHOLE_H

#include "base/memory.h"
#include <inlay/irregular_loop.h>

/* ---- Elements ---- */

enum {
    PAGE_BITS = 12,
    PAGE_BYTES = 1 << PAGE_BITS,
    PAGE_WORDS = PAGE_BYTES / 8,
    MAP_BITS = 18, /* of each of the two levels: addresses of 48 bits */
    MAP_SIZE = 1 << MAP_BITS,
    NO_ITERATION = -1
};

/** The words of a page, and which of its bytes are sources: of the inspection `source_of`, and of any that has been. */
typedef struct page {
    uint32_t word
        [PAGE_WORDS]; /**< 0: no element; else (number of its first element + 1) << 2 | log2 of its elements' size */
    uint64_t source[PAGE_BYTES / 64], ever[PAGE_BYTES / 64];
    uint32_t source_of;
} page;

/** Bytes that are touched together: 1, 2, 4 or 8, aligned to their size. */
typedef struct element {
    char *at;        /**< NULL: forgotten, or divided */
    int32_t cluster; /**< elements that have one owner; -1: none yet */
    int32_t group;   /**< a site of the program that touched it: groups of sites share elements */
    uint32_t seen;   /**< the inspection that what follows is of */
    int32_t first, last,
        site;       /**< iterations that touched it, and a site of the loop that did so, one that stores preferred */
    uint16_t kinds; /**< bits 1 << inlay_access */
    uint8_t number; /**< that it is accumulated as; | PART_OF_NUMBER where that begins in an element before it */
    uint8_t bytes;
    bool several; /**< iterations touched it */
    bool written; /**< in some plan, since the program began */
} element;

enum { PART_OF_NUMBER = 0x80, READS = 1 << INLAY_ACCESS_READ, WRITES = 1 << INLAY_ACCESS_WRITE };

typedef struct cluster {
    int32_t owner;            /**< -1: none yet */
    int32_t mark, iterations; /**< of the inspection: the last iteration that was counted, and how many touch it */
    bool decided;             /**< by a partition */
} cluster;

/** An element that was divided since the inspection began, and what became of it. */
typedef struct division {
    int32_t old, first, count;
} division;

/* ---- Groups of sites: a version each, counted up by loops that write ---- */

typedef struct group {
    int32_t parent;         /**< of the union; itself: the group */
    int64_t version, whole; /**< equal: memory is whole on all ranks */
} group;

/* ---- Inspection ---- */

typedef struct range {
    const char *begin, *end;
} range;

/** Memory of one iteration, and which of its bytes that has filled. */
typedef struct private_range {
    const char *begin, *end;
    ptrdiff_t filled; /**< where that begins in the inspection's list; -1: it does not matter */
} private_range;

/** A site as touches need it. */
typedef struct site_state {
    uint16_t bit;
    uint8_t access;
    int32_t key, group;
    uintptr_t page_number; /**< of the last touch */
    page *page;
} site_state;

/** Which elements the key of an index means in an iteration. */
typedef struct key_state {
    int32_t iteration, site, cluster;
} key_state;

typedef struct conflict {
    bool found;
    int32_t iteration[2], site[2];
    uint16_t kinds[2];
    bool types; /**< the same accumulation, to numbers of different types */
} conflict;

typedef struct inspection {
    struct loop_state *loop; /**< NULL: none is made */
    uint32_t stamp;
    int status; /**< INLAY_OK, or what went wrong on this rank */
    uint64_t hash;
    site_state *site;
    key_state *key;
    int64_t *value, *start; /**< [iterations], [iterations + 1] */
    int32_t *touched;       /**< elements, each once an iteration */
    size_t value_room, start_room, touched_room;
    int64_t iterations, touches;
    range *source;
    private_range *private_to;
    bool *filled;  /**< bytes of private memory */
    bool unfilled; /**< some was read before it was filled */
    size_t sources, source_room, privates, fixed_privates, private_room, fills, filled_room;
    division *divided;
    size_t divisions, division_room;
    int32_t (*part)[2]; /**< of numbers of several elements: the first one, and one of the others */
    size_t parts, part_room;
    range *tried; /**< memory that this iteration was tried on, and its bytes before that */
    char *before;
    size_t trials, trial_room, befores, before_room;
    conflict conflict;
    bool source_anew; /**< an element is touched for the first time where a source of some plan is */
    /* What owners.c finds. */
    int32_t *rank_of; /**< [iterations] */
} inspection;

/* ---- Plans ---- */

/** Elements of a list that are treated alike. */
typedef struct run_of {
    int32_t count;
    int32_t group; /**< place in the plan's groups */
    uint8_t access, number, bytes;
} run_of;

/** What goes to one rank, or comes from it. */
typedef struct peer_list {
    int rank, runs;
    int32_t count;
    size_t bytes;
    char **at; /**< [count] in the order of the runs */
    run_of *run;
    char *buffer; /**< [bytes] */
} peer_list;

typedef struct traffic {
    int peers;
    peer_list *peer; /**< by rank */
    MPI_Request *request;
} traffic;

typedef struct plan_group {
    int32_t group; /**< a site */
    bool written, read, wanted;
    int64_t fetched; /**< version that this plan fetched last */
} plan_group;

typedef struct source_group {
    int32_t group;
    int64_t version; /**< when the sources were last looked at */
} source_group;

typedef struct plan {
    bool made;
    unsigned char *key; /**< the inputs, as they were */
    size_t key_size;
    int64_t used, epoch, distribution;
    int64_t count, ranges, inner, iterations;
    inlay_range *range;
    int last_rank; /**< that runs the last iteration */
    traffic fetch_out, fetch_in, result_out, result_in;
    plan_group *group;
    int32_t groups;
    uint64_t *touched; /**< a bit an element */
    int64_t elements;  /**< bits of it */
    range *source;
    size_t sources;
    source_group *source_in;
    size_t source_groups;
    uint64_t checksum;
    int64_t ghosts;
} plan;

enum { PLANS = 16, WIDEST_NUMBER = 32 };

typedef struct loop_state {
    inlay_loop loop;
    struct whole_state *whole;
    struct loop_state *next;
    inlay_loop_about about;
    int32_t first_site; /**< among those of the program */
    plan plan[PLANS], *current;
    int64_t frees; /**< when ranks last agreed which plans they have */
    bool fetching;
    int64_t inspections, runs, bytes, ghosts;
    double inspecting, partitioning, guarding, exchanging; /**< seconds */
} loop_state;

/** Elements to settle that are treated alike: of one owner, group and size. */
typedef struct settle_run {
    int32_t owner, group;
    int64_t first, count;
    uint8_t bytes;
} settle_run;

typedef struct whole_state {
    inlay_whole whole;
    inlay_whole_options options;
    char *method;
    loop_state *loops, **last_loop;
    page ***map;   /**< [MAP_SIZE] of [MAP_SIZE] */
    page *no_page; /**< what is returned where memory is out */
    element *element;
    int64_t elements, forgotten;
    size_t element_room;
    cluster *cluster;
    int64_t clusters;
    size_t cluster_room;
    group *group;
    int32_t groups;
    size_t group_room;
    int64_t version, distribution, frees, uses;
    inspection in;
    bool settle_made;
    settle_run *settle;
    size_t settles;
    char **settle_at;
    int64_t settled;
    double settling;
    char *parts; /**< [ranks x WIDEST_NUMBER] of a reduction */
    FILE *input;
    struct kept_text *kept;
} whole_state;

static inline whole_state *state_of(inlay_whole *whole)
{
    return (whole_state *)whole;
}

static inline loop_state *loop_of(inlay_loop *loop)
{
    return (loop_state *)loop;
}

/* elements.c */

/** The page with an address; NULL where there is none. */
page *whole_page(const whole_state *w, uintptr_t at);
page *whole_page_made(whole_state *w, uintptr_t at); /**< NULL where memory is out */

/** Numbers of the elements that cover size > 0 bytes within one word: *first and how many; 0 where memory is out. */
int32_t whole_elements_of(whole_state *w, page *p, uintptr_t at, size_t size, int32_t *first);

/** Elements that were divided are replaced by their parts in the lists of the inspection. */
int whole_divide_lists(whole_state *w);

/** Forgets all elements, and so all plans: memory is whole. */
void whole_elements_clear(whole_state *w);

int32_t whole_group_new(whole_state *w); /**< -1 where memory is out */
int32_t whole_group(whole_state *w, int32_t site);
void whole_group_join(whole_state *w, int32_t a, int32_t b);

/* numbers.c */
size_t whole_number_size(inlay_number number);
void whole_number_neutral(inlay_access access, inlay_number number, void *at);
void whole_number_combine(inlay_access access, inlay_number number, char *const *at, const char *value, int32_t count);
int whole_number_compare(inlay_number number, const void *a, const void *b);

/* inspect.c */
int whole_inspection_begin(whole_state *w, loop_state *l);
void whole_inspection_end(whole_state *w);
int whole_inspection_check(whole_state *w); /**< agreed upon */
bool whole_is_private(const inspection *in, const char *at, size_t size);
bool whole_reads_private(inspection *in, const char *at, size_t size); /**< the same, and it is read there */
void whole_trial_undo(inspection *in);                                 /**< memory is as it was before the iteration */
bool whole_is_accumulated(const element *e);

/** An element is a part of the number that begins in another. */
void whole_note_part(inspection *in, int32_t head, int32_t part);

/* sources.c */
int whole_sources_check(whole_state *w);
int whole_sources_keep(whole_state *w, plan *p);
bool whole_sources_were_at(const whole_state *w, const element *e); /**< of any plan, now or earlier */
bool whole_sources_suspect(whole_state *w, const plan *p);
int whole_sources_changed(whole_state *w, loop_state *l, plan *p, bool *changed);
int whole_sources_groups(whole_state *w, plan *p);
bool whole_sources_meet(const plan *p, const char *begin, const char *end);

/* owners.c */
int whole_owners(whole_state *w, loop_state *l);

/* plan.c */
int whole_plan_make(whole_state *w, plan *p);
void whole_plan_clear(plan *p);

/* settle.c */
void whole_settle_clear(whole_state *w);

/* streams.c */
void whole_streams_close(whole_state *w);

#endif
