/* Room for cells on the hosts: speeds that leave nobody with more than fits, and whether that came true. */
#include "base/diag.h"
#include "base/memory.h"
#include "grid/grid.h"
#include <math.h>
#include <stdlib.h>

/* Hosts by the number of their first processor. */
typedef struct hosts {
    double *speed; /* of their processors that are used */
    double *cells; /* they get */
    bool *full;
} hosts;

static int32_t host_of(const inlay_grid_problem *problem, int32_t processor)
{
    return problem->host != NULL ? problem->host[processor] : processor;
}

static void clear_hosts(hosts *h)
{
    free(h->speed);
    free(h->cells);
    free(h->full);
}

/* Cells in proportion to the speeds; whose room is less gets that, and the others share out what is left. `room` of a host
   is that of any of its processors. */
static bool fill(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used, double part, hosts *h)
{
    double left = (double)grid_problem_cells(problem), speeds = 0;
    for (int32_t i = 0; i < used; i++) {
        h->speed[host_of(problem, machines->order[i])] += (double)machines->whole[i];
        speeds += (double)machines->whole[i];
    }
    for (bool changed = true; changed;) {
        double each = speeds > 0 ? left / speeds : 0;
        changed = false;
        for (int32_t i = 0; i < used; i++) {
            int32_t host = host_of(problem, machines->order[i]);
            double room = part * (double)problem->room[machines->order[i]];
            if (!h->full[host] && each * h->speed[host] > room) {
                h->full[host] = changed = true;
                h->cells[host] = room;
                left -= room;
                speeds -= h->speed[host];
            }
        }
    }
    for (int32_t i = 0; i < used; i++) {
        int32_t host = host_of(problem, machines->order[i]);
        h->cells[host] = h->full[host] ? h->cells[host] : left / speeds * h->speed[host];
    }
    return speeds > 0.5 || left <= 0.5;
}

static int make_hosts(const inlay_grid_problem *problem, hosts *h, inlay_diag *diag)
{
    size_t p = (size_t)problem->processors;
    *h = (hosts){memory_zeroed(p, sizeof *h->speed), memory_zeroed(p, sizeof *h->cells),
                 memory_zeroed(p, sizeof *h->full)};
    return h->speed != NULL && h->cells != NULL && h->full != NULL ? INLAY_OK : diag_no_memory(diag);
}

static int refuse(const inlay_grid_problem *problem, int32_t used, inlay_diag *diag)
{
    return diag_fail(
        diag, INLAY_NO_ANSWER,
        "the hosts of the %d fastest processors cannot hold the %lld cells of the grid; expected more memory, "
        "or fewer bytes a cell",
        (int)used, (long long)grid_problem_cells(problem));
}

int grid_room_speeds(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used, double part,
                     int64_t *whole, inlay_diag *diag)
{
    hosts h = {0};
    int status = make_hosts(problem, &h, diag);
    if (status == INLAY_OK && !fill(problem, machines, used, part, &h)) {
        status = refuse(problem, used, diag);
    }
    bool any = false; /* full: then all speeds become cells, on one scale */
    double most = 0;
    for (int32_t i = 0; i < used && status == INLAY_OK; i++) {
        int32_t host = host_of(problem, machines->order[i]);
        any = any || h.full[host];
        most = fmax(most, h.cells[host] / h.speed[host] * (double)machines->whole[i]);
    }
    for (int32_t i = 0; i < used && status == INLAY_OK; i++) {
        int32_t host = host_of(problem, machines->order[i]);
        double cells = h.cells[host] / h.speed[host] * (double)machines->whole[i];
        whole[i] = any ? llround(fmax(1, cells / most * 0x1p40)) : machines->whole[i];
    }
    clear_hosts(&h);
    return status;
}

int grid_room_check(const inlay_grid_problem *problem, const inlay_decomposition *d, inlay_diag *diag)
{
    int64_t *held = problem->room != NULL ? memory_zeroed((size_t)problem->processors, sizeof *held) : NULL;
    int status = INLAY_OK;
    if (problem->room == NULL || held == NULL) {
        return problem->room == NULL ? INLAY_OK : diag_no_memory(diag);
    }
    for (int32_t i = 0; i < d->processors; i++) {
        held[host_of(problem, d->order[i])] += d->cells[i];
    }
    for (int32_t i = 0; i < d->processors && status == INLAY_OK; i++) {
        int64_t cells = held[host_of(problem, d->order[i])], room = problem->room[d->order[i]];
        if (cells > room) {
            status = diag_fail(diag, INLAY_NO_ANSWER,
                               "the host of processor %d would hold %lld cells; expected at most %lld",
                               (int)d->order[i], (long long)cells, (long long)room);
        }
    }
    free(held);
    return status;
}

int grid_room_warn(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used, inlay_diag *diag)
{
    hosts h = {0};
    int32_t clipped = 0, first = -1;
    if (problem->room == NULL) {
        return INLAY_OK;
    }
    int status = make_hosts(problem, &h, diag);
    if (status == INLAY_OK && !fill(problem, machines, used, 1, &h)) {
        status = refuse(problem, used, diag);
    }
    for (int32_t i = used - 1; status == INLAY_OK && i >= 0; i--) {
        bool full = h.full[host_of(problem, machines->order[i])];
        first = full ? machines->order[i] : first;
        clipped += full;
    }
    if (clipped > 0) {
        diag_warn(
            diag,
            "%d of %d processors get fewer cells than their speeds ask for, for memory: the first is processor %d, "
            "whose host holds %lld",
            (int)clipped, (int)used, (int)first, (long long)problem->room[first]);
    }
    clear_hosts(&h);
    return status;
}
