/* What the recorder of OpenMP programs writes: the events of its tool interface (OMPT). Ids count from 1. */
#ifndef CAPTURE_OPENMP_LOG_H
#define CAPTURE_OPENMP_LOG_H

#define OPENMP_LOG "omp"

enum openmp_event {
    OMP_START = 1,
    OMP_PARALLEL_BEGIN, /**< a region, b code */
    OMP_PARALLEL_END,   /**< a region */
    OMP_IMPLICIT_BEGIN, /**< a task, b region (0: the initial task), c size of the team */
    OMP_IMPLICIT_END,   /**< a task */
    OMP_CREATE,         /**< a task, b code, c flags as OMPT has them */
    OMP_DEPENDENCE,     /**< a task, b address, c type as OMPT has it */
    OMP_SCHEDULE,       /**< a task that goes on, b that stood before, c why, as OMPT has it */
    OMP_GROUP_BEGIN,
    OMP_WAIT_BEGIN, /**< b code, c of what, as OMPT has it */
    OMP_WAIT_END,   /**< b code, c as above */
    OMP_FINISH
};

#endif
