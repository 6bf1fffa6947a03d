/* How far estimates were from simulated times, where that is far. */
#ifndef MAPPING_STUDIED_ERROR_H
#define MAPPING_STUDIED_ERROR_H

#include <inlay/machine.h>

/** Errors of estimates over the simulated time, on machines of one delay model in a band of loads. */
typedef struct studied_error {
    int model;    /**< as inlay_machine_model() */
    double from;  /**< u / u_limit at which the band begins; it ends where the next one does, or never */
    double mean;  /**< of the absolute errors */
    double worst; /**< the largest of them; above 0 the estimate was too long */
} studied_error;

/** NULL where the mean error in the load's band is at most 10 %. */
const studied_error *studied_error_at(const inlay_machine *machine, double load);

/** A warning where there is one. */
void studied_error_warn(const inlay_machine *machine, double load, inlay_diag *diag);

#endif
