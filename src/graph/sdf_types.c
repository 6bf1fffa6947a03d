/* Types of processors on which actors may not run, for they have no times there. */
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "graph/sdf.h"
#include <stdlib.h>
#include <string.h>

typedef struct type_rows {
    memory_pool arrays;
    name_map number_of;
    const char **name; /* by number */
    int32_t types;
    int32_t *type; /* of every entry of type_times */
    size_t *begin; /* types + 1: actors with times on it */
    inlay_id *with;
    bool *timed, *here; /* by actor: on any type; on the one at hand */
} type_rows;

static bool number_types(const inlay_sdf *sdf, size_t count, type_rows *r)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = sdf->type_times[i].type;
        r->type[i] = name_map_get(&r->number_of, name);
        if (r->type[i] < 0) {
            if (!name_map_put(&r->number_of, name, r->types)) {
                return false;
            }
            r->name[r->types] = name;
            r->type[i] = r->types++;
        }
        r->timed[sdf->type_times[i].actor] = true;
    }
    return true;
}

static void make_rows(const inlay_sdf *sdf, size_t count, type_rows *r)
{
    for (size_t i = 0; i < count; i++) {
        r->begin[r->type[i]]++;
    }
    for (int32_t t = 0; t < r->types; t++) {
        r->begin[t + 1] += r->begin[t];
    }
    for (size_t i = count; i-- > 0;) {
        r->with[--r->begin[r->type[i]]] = sdf->type_times[i].actor;
    }
}

static int forbid(inlay_sdf *sdf, type_rows *r, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (int32_t t = 0; status == INLAY_OK && t < r->types; t++) {
        memset(r->here, 0, sdf->actors * sizeof *r->here);
        for (size_t k = r->begin[t]; k < r->begin[t + 1]; k++) {
            r->here[r->with[k]] = true;
        }
        for (size_t a = 0; status == INLAY_OK && a < sdf->actors; a++) {
            if (r->timed[a] && !r->here[a]) {
                status = inlay_sdf_forbid_type(sdf, (inlay_id)a, r->name[t], diag);
            }
        }
    }
    return status;
}

int sdf_forbid_others(inlay_sdf *sdf, inlay_diag *diag)
{
    size_t count = sdf->type_time_count;
    type_rows r = {0};
    r.name = pool_array(&r.arrays, count, sizeof *r.name);
    r.type = pool_array(&r.arrays, count, sizeof *r.type);
    r.begin = pool_zeroed(&r.arrays, count + 1, sizeof *r.begin);
    r.with = pool_array(&r.arrays, count, sizeof *r.with);
    r.timed = pool_zeroed(&r.arrays, sdf->actors, sizeof *r.timed);
    r.here = pool_array(&r.arrays, sdf->actors, sizeof *r.here);
    bool fine = !r.arrays.failed && number_types(sdf, count, &r);
    if (fine) {
        make_rows(sdf, count, &r);
    }
    int status = fine ? forbid(sdf, &r, diag) : diag_no_memory(diag);
    name_map_clear(&r.number_of);
    pool_clear(&r.arrays);
    return status;
}
