/* Mappings for tests of what the paper's clustering makes. */
#ifndef UNIT_MAP_BY_HOUSTIS_H
#define UNIT_MAP_BY_HOUSTIS_H

#include <inlay/mapping.h>

/** inlay_map() by method houstis, unless the options name another. */
static inline int map_by_houstis(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                                 inlay_mapping **mapping, inlay_diag *diag)
{
    inlay_options asked = options != NULL ? *options : (inlay_options){0};
    asked.method = asked.method != NULL ? asked.method : inlay_method_named("houstis");
    return inlay_map(app, machine, &asked, mapping, diag);
}

#endif
