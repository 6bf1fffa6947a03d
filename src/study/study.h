/* A study as it was read. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "study/names.h"
#include "study/relative.h"
#include "study/series.h"
#include <inlay/generate.h>
#include <inlay/mapping.h>
#include <inlay/study.h>

typedef struct study_application {
    char *name;                       /**< in rows */
    char *path;                       /**< NULL: it is computed */
    char *group;                      /**< NULL: none */
    inlay_generator_options generate; /**< `kind` is the library's */
} study_application;

typedef struct study_machine {
    char *name; /**< in rows */
    char *text; /**< for inlay_machine_read() */
    relative relative;
} study_machine;

/** A T that is found for each point. */
typedef enum study_frame {
    STUDY_FRAME_SAID,   /**< as the options have it */
    STUDY_FRAME_TIMES,  /**< `times` the default one */
    STUDY_FRAME_FIT,    /**< T_FIT of a sweep; */
    STUDY_FRAME_PAR,    /**< T_PAR; */
    STUDY_FRAME_FEWEST, /**< the least with the fewest clusters that fit on the processors, of several the shortest; */
    STUDY_FRAME_BEST    /**< that of the shortest elapsed time */
} study_frame;

/** One of the options that are crossed. */
typedef struct study_variant {
    char *name; /**< in rows; NULL: there is one alone */
    inlay_options options;
    study_frame frame;
    double times;
} study_variant;

struct store;

struct inlay_study {
    char *folder; /**< of the file: "", or with a slash at its end */
    char digest[65];
    study_application *application;
    study_machine *machine;
    size_t applications, machines, application_room, machine_room;
    series processors, seeds;
    const inlay_method **method; /**< an entry NULL: as inlay_map() chooses */
    size_t methods, method_room;
    study_variant *variant;
    size_t variants, variant_room;
    double reference; /**< flop/s; 0: as the applications say */
    char *format;     /**< of the applications; NULL: told by content */
    bool idle;        /**< points are rows without results */
    char *output, *csv;
    struct store *store; /**< what was read; made with the study, for its workers */
};

/** A point's place in each list. */
typedef struct study_place {
    size_t application, machine, method, variant;
    int64_t processors, seed; /**< places in the series */
} study_place;

study_place study_place_of(const inlay_study *study, int64_t point);
int64_t study_point_of(const inlay_study *study, const study_place *place);

/** "heft"; of NULL "default". */
const char *study_method_name(const inlay_method *method);

#endif
