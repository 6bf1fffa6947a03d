/* Machines whose network is as fast as an application needs: `bus:8,load=0.4`, `mesh:4x4,busy=2,messages=20`. */
#ifndef STUDY_RELATIVE_H
#define STUDY_RELATIVE_H

#include "base/text.h"
#include <inlay/app.h>
#include <inlay/mapping.h>

/** What a study's machine says of it; 0: nothing. At most one of `busy` and `load`. */
typedef struct relative {
    double busy;      /**< time that all traffic takes on one bus of that capacity, over work / processors */
    double load;      /**< u over its limit, of what houstis makes at the default T */
    int64_t messages; /**< that a link has on the average: what message_size makes of its bytes */
} relative;

static inline bool relative_is(const relative *r)
{
    return r->busy > 0 || r->load > 0 || r->messages > 0;
}

/** Take these words out of a machine's text. NULL, or what was expected of one. */
const char *relative_take(char *text, relative *r);

/**
 * What such a machine is for an application.
 * @param text        without these words; `plain` is the machine that it says
 * @param options     P and the rules, for `load`
 * @param made        the text of that machine: text_clear() it
 */
int relative_text(const relative *r, const char *text, const inlay_machine *plain, const inlay_app *app,
                  const inlay_options *options, text_buffer *made, inlay_diag *diag);

#endif
