/* A dataflow graph's arrays, and the links between its firings, for the files that make and ask it. */
#ifndef GRAPH_SDF_H
#define GRAPH_SDF_H

#include <inlay/sdf.h>

enum {
    SDF_FIRINGS = 1 << 22, /* at most: of an iteration, and modules of an application */
    SDF_LINKS = 1 << 24    /* between firings of one iteration and those that they wait for */
};

typedef struct sdf_actor {
    const char *name;
    int32_t phases;
    inlay_id pin; /**< -1 none */
    size_t time;  /**< of its first phase, in the graph's times */
    int64_t repetitions;
    int32_t first_firing; /**< firings are numbered by actor */
} sdf_actor;

typedef struct sdf_type_times {
    inlay_id actor;
    const char *type;
    size_t time;
    bool never;
} sdf_type_times;

typedef struct sdf_channel {
    inlay_sdf_channel given;   /**< whose rates are: */
    size_t produced, consumed; /**< of the first phase, in the graph's rates */
    int64_t put, taken;        /**< by all phases together */
} sdf_channel;

struct inlay_sdf {
    int users;
    const char *name;
    inlay_unit unit;
    double required;
    struct name_store *names;
    sdf_actor *actor;
    size_t actors, actor_capacity;
    inlay_decimal *time;
    size_t times, time_capacity;
    sdf_type_times *type_times;
    size_t type_time_count, type_time_capacity;
    sdf_channel *channel;
    size_t channels, channel_capacity;
    int64_t *rate;
    size_t rates, rate_capacity;
    int32_t firings;
    inlay_sdf_period period; /**< whose actors are the graph's */
};

/** The repetition vector alone, as inlay_sdf_seal() finds it. */
int sdf_balance(inlay_sdf *sdf, const char *source, inlay_diag *diag);

/** Firing `to` takes tokens that firing `from` puts into a channel, `iterations` before. */
typedef struct sdf_link {
    int32_t from, to, channel;
    int64_t iterations, tokens;
} sdf_link;

/** All links of one iteration, by channel; *links is the caller's. The repetition vector is known. */
int sdf_links_make(const inlay_sdf *sdf, const char *source, sdf_link **links, size_t *count, inlay_diag *diag);

/** Actors that have times by type may run on no other of the graph's types. */
int sdf_forbid_others(inlay_sdf *sdf, inlay_diag *diag);

/** The actor of a firing. */
inlay_id sdf_actor_of(const inlay_sdf *sdf, int32_t firing);

/** The least period, and the actors on its cycle. */
int sdf_find_period(inlay_sdf *sdf, const char *source, const sdf_link *links, size_t count, inlay_diag *diag);

/** One more that keeps the graph; inlay_sdf_free() is for each. */
inlay_sdf *sdf_keep(inlay_sdf *sdf);

#endif
