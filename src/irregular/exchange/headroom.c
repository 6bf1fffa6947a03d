/* What is left below the limits of a process: found out by asking for it. */
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): for MAP_ANONYMOUS
#include "irregular/exchange/headroom.h"
#include <sys/mman.h>
#include <sys/resource.h>

static bool has_limit(void)
{
    struct rlimit space, data;
    return getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur != RLIM_INFINITY || getrlimit(RLIMIT_DATA, &data) != 0 ||
           data.rlim_cur != RLIM_INFINITY;
}

bool headroom_left(size_t bytes)
{
    if (!has_limit()) {
        return true;
    }
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room != MAP_FAILED && munmap(room, bytes) == 0;
}
