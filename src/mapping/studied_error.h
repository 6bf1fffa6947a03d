/* Estimates that are not to be trusted, by the study of inlay_estimate_band(). */
#ifndef MAPPING_STUDIED_ERROR_H
#define MAPPING_STUDIED_ERROR_H

#include <inlay/mapping.h>

/** Whether estimates on that machine at that load were off by more than 10 % on the average. */
bool studied_error_tells(const inlay_machine *machine, double load);

/** A warning where they were. */
void studied_error_warn(const inlay_machine *machine, double load, inlay_diag *diag);

#endif
