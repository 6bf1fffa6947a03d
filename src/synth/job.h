/* A mapping as the synthetic program takes it: ranks, the sizes of messages, the work of modules, what stands where. */
#ifndef SYNTH_JOB_H
#define SYNTH_JOB_H

#include "graph/app.h"
#include "mapping/mapping.h"
#include "synth/synth.h"

enum { SYNTH_DIGITS = 53 /**< counts and sums stay below 2^53, which a double holds exactly */ };

/** A processor that is used. */
typedef struct job_cluster {
    inlay_id rank, processor, modules;
    const inlay_id *module;      /**< in execution order */
    const inlay_time *type_time; /**< of all modules on its type of processor, -1 where one has none; or NULL */
    double speed;
    int64_t place; /**< of its first module; of its end place + modules */
} job_cluster;

/** Items by place: those of k are item[begin[k]] .. item[begin[k + 1] - 1]. Without any, begin is NULL. */
typedef struct job_rows {
    int64_t *begin, *item;
    inlay_id *peer; /**< of every item: the cluster at the other end */
} job_rows;

/**
 * Places are the modules in the order of clusters and of execution, with one more at the end of each cluster. Items are
 * what is sent: entries of `sent`, then the uses of data blocks. Ranks share no memory: there is a copy of a datum for
 * each, also on one host.
 *
 * Of a module of several cores the rank of its own cluster receives, computes and sends; those of its guests, further
 * clusters, compute with it. Two items for each guest stand behind the uses: the guest is free, which the module's own rank
 * waits for; and the module begins, which the guest waits for.
 */
typedef struct synth_job {
    const inlay_mapping *mapping;
    const inlay_app *app;
    inlay_synth_options options; /**< with defaults filled in */
    sendings sent;
    bool streamed;
    bool traffic_only; /**< there are links without precedence */
    bool in_bytes;     /**< traffic counts bytes */
    int64_t cut;       /**< bytes of a message where it counts messages of one size; else 0 */
    double seconds;    /**< in a unit of the application; 0 unknown */
    inlay_id ranks, clusters;
    int64_t places;
    int64_t crew;   /**< the first item of guests: 2 k and 2 k + 1 behind it are those of mapping->guest[k] */
    int64_t guests; /**< of all modules */
    job_cluster *cluster;
    inlay_id *rank_cluster; /**< of every rank; -1 where its processor is not used */
    /* What crosses from one processor to another, laid out as ranks come by it: in the application modules of one
       processor lie far apart. */
    job_rows receives;   /**< links with precedence to a module, by the number of the other */
    job_rows links;      /**< links with precedence from a module, likewise */
    job_rows late;       /**< traffic-only links from a module, likewise */
    job_rows accepts;    /**< traffic-only links, by the place before which they are accepted */
    job_rows sends;      /**< uses of data blocks, by the place before which the block's home sends them */
    job_rows reads;      /**< uses by a module */
    struct job_due *due; /**< scratch: the links of one module */
} synth_job;

/** INLAY_BAD_ARGUMENT where an option is out of range. `mapping` must outlive the job. */
int synth_job_make(const inlay_mapping *mapping, const inlay_synth_options *options, synth_job *job, inlay_diag *diag);
void synth_job_clear(synth_job *job);

/** Items in all. */
static inline int64_t synth_job_items(const synth_job *job)
{
    return job->crew + 2 * job->guests;
}

/** The messages of an item: `larger` of size + 1 bytes, then the others of `size`. */
typedef struct job_messages {
    int64_t messages, larger, size;
} job_messages;

job_messages synth_job_messages(const synth_job *job, int64_t item);

/** A module's m in grains, before its processor's speed. */
static inline inlay_time synth_job_time(const job_cluster *cluster, const inlay_app *app, inlay_id module)
{
    inlay_time own = cluster->type_time == NULL ? -1 : cluster->type_time[module];
    return own < 0 ? app->time[module] : own;
}

/** INLAY_NO_ANSWER, naming a module, where the orders of processors wait for each other. */
int synth_job_check_order(const synth_job *job, inlay_diag *diag);

#endif
