/* What is selected for: a question with its model, plain or general. */
#ifndef SELECT_RUN_H
#define SELECT_RUN_H

#include "select/best.h"
#include "select/general.h"
#include "select/result.h"

typedef struct select_subject {
    general_question question;
    inlay_select_cluster *cluster; /**< of a plain problem */
    select_model model;            /**< points to both */
} select_subject;

/** Must not be copied; cleared with select_subject_clear(), also after a failure. */
int select_subject_make(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                        select_subject *subject, inlay_diag *diag);
void select_subject_clear(select_subject *subject);

int select_check_options(const inlay_select_options *options, inlay_diag *diag);

#endif
