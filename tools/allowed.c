/* What a call may use. */
#include "allowed.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

static int64_t most_unpacked; /* 0: the library's own limit */
static bool memory_given;

static int64_t computer_memory(void)
{
#ifdef __SANITIZE_ADDRESS__
    return 0; /* the sanitizer maps more than there is */
#else
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 && pages < INT64_MAX / page ? (int64_t)pages * page : 0;
#endif
}

void limit_calls(int64_t unpacked, int64_t memory)
{
    struct rlimit limit;
    most_unpacked = unpacked;
    rlim_t wanted = (rlim_t)(memory > 0 ? memory : computer_memory());
    if (wanted > 0 && getrlimit(RLIMIT_DATA, &limit) == 0 && wanted < limit.rlim_cur) {
        limit.rlim_cur = wanted;
        memory_given = setrlimit(RLIMIT_DATA, &limit) == 0 && memory > 0;
    }
}

inlay_diag *new_diag(void)
{
    inlay_diag *diag = inlay_diag_new();
    if (diag == NULL) {
        return NULL;
    }
    inlay_diag_keep_warnings(diag, true);
    if (most_unpacked > 0) {
        inlay_diag_set_most_unpacked(diag, most_unpacked);
    }
    return diag;
}

const char *said_of_memory(void)
{
    return memory_given ? "; expected a larger --max-memory" : "";
}

int64_t memory_allowed(void)
{
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    rlim_t least = RLIM_INFINITY;
    for (int i = 0; i < 1 + memory_given; i++) {
        struct rlimit limit;
        least = getrlimit(kinds[i], &limit) == 0 && limit.rlim_cur < least ? limit.rlim_cur : least;
    }
    return least == RLIM_INFINITY ? 0 : least < 1024 ? 1 : (int64_t)(least / 1024);
}
