/* Unfolding the configurations that a method has kept. */
#ifndef SELECT_RESULT_H
#define SELECT_RESULT_H

#include "select/best.h"
#include "select/general.h"

/** @param question  what gives T_elapsed; NULL: T_c is that */
int select_result(const select_model *model, const general_question *question, const select_best *best,
                  inlay_selection **selection, inlay_diag *diag);

#endif
