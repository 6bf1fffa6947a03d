/* What a measurement comes to, written: the machine file, the metasystem, and the machine file of --hosts. */
#ifndef MEASURE_MACHINE_FILE_H
#define MEASURE_MACHINE_FILE_H

#include "base/text.h"
#include "measure/analysis.h"

/* The warnings of `said` stand in the comment. */
void machine_put(text_buffer *to, const inlay_machine_fit *a, const inlay_diag *said);
void metasystem_put(text_buffer *to, const inlay_metasystem_fit *t, const inlay_diag *said);
void advisor_put(text_buffer *to, const inlay_advisor_fit *a, const inlay_diag *said);

/** Warns of what the machine file does not say as it was measured. */
void machine_warn(const inlay_machine_fit *a, inlay_diag *diag);

/* ---- What they have in common ---- */

/** What the machine file says of the network. */
typedef struct machine_plan {
    bool bus;      /**< one bus joins all processors; else links */
    bool numbered; /**< the hosts' names are of no use in the file */
    bool cores;    /**< a switch in each host */
    bool half[INLAY_PAIR_CLASSES];
    double latency[INLAY_PAIR_CLASSES],
        capacity[INLAY_PAIR_CLASSES]; /**< seconds and bytes a second; as the file has them */
} machine_plan;

/** What long messages of a class take besides, where the machine file says it: in latency_by_size. Else NULL. */
const inlay_step_fit *machine_step(const inlay_machine_fit *a, const machine_plan *plan, inlay_pair_class class);

/** How hosts and their cores are called in the file, whatever joins them. */
machine_plan machine_names(const inlay_raw *r);
void machine_put_rank(text_buffer *to, const inlay_raw *r, const machine_plan *plan, int rank);

/** What the file begins with: what was measured when, by what, and what came of it. */
void machine_comment(text_buffer *to, const inlay_machine_fit *a, const inlay_diag *said);

/** What was measured when, by what, and how that was started; the line is left open. */
void machine_comment_origin(text_buffer *to, const inlay_raw *r);
void machine_comment_warnings(text_buffer *to, const inlay_diag *said);

/** Part of a comment: characters that would end it, or command a terminal, are '?', but for a last '\n' of the format. */
void comment(text_buffer *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** "3.2 %". Returns `text`. */
char *share_text(double share, char text[INLAY_VALUE_TEXT]);

#endif
