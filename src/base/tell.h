/* Telling how far a long call is. */
#ifndef BASE_TELL_H
#define BASE_TELL_H

#include <inlay/mapping.h>

/** @param progress  NULL: nobody is told */
static inline void tell_share(const inlay_progress *progress, double share)
{
    if (progress != NULL) {
        progress->tell(progress->context, share);
    }
}

#endif
