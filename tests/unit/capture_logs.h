/* A folder of logs, as recorders write them. */
#ifndef UNIT_CAPTURE_LOGS_H
#define UNIT_CAPTURE_LOGS_H

#include "capture/log.h"

extern char logs_folder[256]; /**< between the two */

void logs_set_up(void);
void logs_tear_down(void);

/** The first records of a log; what stood in the file is gone. */
void logs_write(const char *recorder, int process, int thread, const log_record *records, int count);

#endif
