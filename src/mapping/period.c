/* How closely runs of a mapped application can follow each other: what each of them keeps at work, and for how long. */
#include "base/diag.h"
#include "graph/app.h"
#include "mapping/mapping.h"
#include <inlay/sdf.h>
#include <math.h>
#include <stdlib.h>

static void take(inlay_least_period *least, double period, inlay_period_limit limit, inlay_id number)
{
    if (period > least->period) {
        *least = (inlay_least_period){period, limit, number};
    }
}

static int take_links(const inlay_mapping *m, double iterations, inlay_least_period *least, inlay_diag *diag)
{
    inlay_link_load *loads = NULL;
    size_t count = 0;
    int status = inlay_mapping_links(m, &loads, &count, diag);
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        if (!loads[i].parallel) {
            take(least, loads[i].utilisation * m->summary.time_frame / iterations, INLAY_PERIOD_LINK, loads[i].link);
        }
    }
    free(loads);
    return status;
}

int inlay_mapping_least_period(const inlay_mapping *mapping, inlay_least_period *result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_sdf *sdf = mapping->app->sdf;
    double iterations = fmax(1, mapping->app->iterations);
    inlay_least_period least = {.period = -1};
    int status = INLAY_OK;
    for (inlay_id c = 0; c < mapping->summary.clusters; c++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, c);
        take(&least, cluster.busy / iterations, INLAY_PERIOD_PROCESSOR, cluster.processor);
    }
    if (inlay_machine_has_links(mapping->machine)) {
        status = take_links(mapping, iterations, &least, diag);
    } else {
        take(&least, mapping->summary.u * mapping->summary.time_frame / iterations, INLAY_PERIOD_NETWORK, 0);
    }
    inlay_sdf_period cycle = sdf != NULL ? inlay_sdf_least_period(sdf) : (inlay_sdf_period){0};
    if (cycle.bounded) {
        take(&least, (double)cycle.numerator / (double)cycle.denominator, INLAY_PERIOD_CYCLE, 0);
    }
    if (status == INLAY_OK) {
        *result = least;
    }
    return status;
}
