/* The golden instances of processor selection. */
#ifndef UNIT_SELECT_GOLDEN_H
#define UNIT_SELECT_GOLDEN_H

#include "select_subject.h"

#include <jansson.h>

/** Members that must be there. */
double select_golden_number(const json_t *object, const char *name);
const char *select_golden_text(const json_t *object, const char *name);

/** One of its instances, with the integer map. */
void select_golden_instance(const json_t *instance, select_subject *s);

/** "real", "lr", "ceil". */
inlay_select_map select_golden_map(const char *name);

#endif
