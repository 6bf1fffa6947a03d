/* The library's version. */
#include <inlay/inlay.h>

const char *inlay_version(void)
{
    return INLAY_VERSION;
}
