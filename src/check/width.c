/* The largest antichain of a small graph: Dilworth's theorem, with plain augmenting paths on the transitive closure. */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct matching {
    size_t modules;
    bool *reaches;  /**< [i * modules + j]: a path of links leads from i to j */
    bool *tried;    /**< right ends looked at in this round */
    inlay_id *left; /**< partner of each right end, or -1 */
} matching;

static void close_paths(const check *k, matching *m)
{
    size_t n = m->modules;
    for (inlay_id at = k->modules; at-- > 0;) {
        inlay_id i = k->sequence[at];
        bool *row = m->reaches + (size_t)i * n;
        inlay_links out = inlay_app_out(k->app, i);
        for (int64_t l = 0; l < out.count; l++) {
            if (out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) continue;
            const bool *further = m->reaches + (size_t)out.module[l] * n;
            row[out.module[l]] = true;
            for (size_t j = 0; j < n; j++)
                row[j] = row[j] || further[j];
        }
    }
}

/* Find a partner for i, moving others where that helps. The depth is at most the number of modules. */
static bool augment(matching *m, size_t i) /* NOLINT(misc-no-recursion): an augmenting path of a small graph */
{
    for (size_t j = 0; j < m->modules; j++) {
        if (!m->reaches[i * m->modules + j] || m->tried[j]) continue;
        m->tried[j] = true;
        if (m->left[j] < 0 || augment(m, (size_t)m->left[j])) {
            m->left[j] = (inlay_id)i;
            return true;
        }
    }
    return false;
}

int check_antichain(const check *k, inlay_id *width)
{
    size_t n = (size_t)k->modules;
    matching m = {.modules = n};
    m.reaches = calloc(n * n + 1, sizeof *m.reaches);
    m.tried = calloc(n + 1, sizeof *m.tried);
    m.left = calloc(n + 1, sizeof *m.left);
    int status = INLAY_NO_MEMORY;

    if (m.reaches && m.tried && m.left) {
        inlay_id matched = 0;
        for (size_t j = 0; j < n; j++)
            m.left[j] = -1;
        close_paths(k, &m);
        for (size_t i = 0; i < n; i++) {
            memset(m.tried, 0, n * sizeof *m.tried);
            matched += augment(&m, i);
        }
        *width = k->modules - matched;
        status = INLAY_OK;
    }
    free(m.reaches);
    free(m.tried);
    free(m.left);
    return status;
}
