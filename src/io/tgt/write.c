/*
 * Writing Scotch's target architectures: families by their keywords, other machines by their distances (deco 0). A target
 * is a host; where hosts differ in cores times speed, this is their weight. Distances are numbers of links; all alike
 * they are 1.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "io/machine_formats.h"
#include "machine/machine.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hosts of which distances are written: Scotch keeps those of all pairs of parts, four times as many numbers. */
enum { MOST_HOSTS = 2048 };

/* ---- Distances ---- */

typedef struct targets {
    memory_pool arrays; /**< owns them */
    inlay_id hosts;
    int *apart;      /* hosts x hosts */
    int64_t *weight; /* of every host */
    int64_t *domain; /* number in the bisection, from 1 */
    inlay_id *set;   /* hosts, those of one domain side by side */
    bool uneven;     /* there and back differ */
    bool uniform;    /* all pairs equally far */
} targets;

static int targets_prepare(const inlay_machine *machine, targets *all, inlay_diag *diag)
{
    size_t hosts = (size_t)(all->hosts = inlay_machine_hosts(machine));
    if (all->hosts > MOST_HOSTS) {
        return diag_fail(diag, INLAY_BAD_INPUT,
                         "%s has %" PRId32 " hosts, and its distances have to be written one by one; expected at most "
                         "%d, or a family that Scotch knows",
                         inlay_machine_name(machine), all->hosts, MOST_HOSTS);
    }
    all->apart = pool_zeroed(&all->arrays, hosts * hosts, sizeof *all->apart);
    all->weight = pool_array(&all->arrays, hosts, sizeof *all->weight);
    all->domain = pool_array(&all->arrays, hosts, sizeof *all->domain);
    all->set = pool_array(&all->arrays, hosts, sizeof *all->set);
    return all->arrays.failed ? diag_no_memory(diag) : INLAY_OK;
}

static int *apart(const targets *all, inlay_id a, inlay_id b)
{
    return &all->apart[(size_t)a * (size_t)all->hosts + (size_t)b];
}

/* Where the ways there and back differ, their mean, rounded up. */
static int measure(const inlay_machine *machine, targets *all, inlay_diag *diag)
{
    for (inlay_id a = 0; a < all->hosts; a++) {
        for (inlay_id b = 0; b < a; b++) {
            int there = topology_distance(machine->topology, a, b), back = topology_distance(machine->topology, b, a);
            if (there < 0 || back < 0) {
                return diag_no_memory(diag);
            }
            if (there == 0 || back == 0) {
                char from[INLAY_MACHINE_NAME], to[INLAY_MACHINE_NAME];
                return diag_fail(diag, INLAY_BAD_INPUT,
                                 "no link lies between '%s' and '%s' of %s; expected distances of 1 or more, which "
                                 "Scotch asks for",
                                 inlay_machine_node_name(machine, a, from), inlay_machine_node_name(machine, b, to),
                                 inlay_machine_name(machine));
            }
            all->uneven |= there != back;
            *apart(all, a, b) = *apart(all, b, a) = (there + back + 1) / 2;
        }
    }
    all->uniform = true;
    for (inlay_id a = 1; a < all->hosts; a++) {
        for (inlay_id b = 0; b < a; b++) {
            all->uniform &= *apart(all, a, b) == *apart(all, 1, 0);
        }
    }
    return INLAY_OK;
}

/* ---- Weights: whole numbers in the ratio of cores times speed ---- */

static double power_of(const inlay_machine *machine, inlay_id host)
{
    if (machine->unlike.host == NULL) {
        return 1;
    }
    return machine->unlike.host[host].cores * machine->unlike.host[host].speed;
}

/* Whether powers times the scale are whole numbers, nearly. */
static bool scales(const inlay_machine *machine, inlay_id hosts, double scale)
{
    for (inlay_id h = 0; h < hosts; h++) {
        double scaled = power_of(machine, h) * scale;
        if (fabs(scaled - round(scaled)) > 1e-3 * scaled) {
            return false;
        }
    }
    return true;
}

static void weigh(const inlay_machine *machine, targets *all)
{
    double least = power_of(machine, 0), most = least;
    for (inlay_id h = 1; h < all->hosts; h++) {
        least = fmin(least, power_of(machine, h));
        most = fmax(most, power_of(machine, h));
    }
    double scale = 1 / least;
    for (int tries = 1; tries < 100 && !scales(machine, all->hosts, scale); tries++) {
        scale = (tries + 1) / least;
    }
    scale = fmin(scale, 1e6 / most); /* Scotch's sums are of 32 bits */
    for (inlay_id h = 0; h < all->hosts; h++) {
        all->weight[h] = (int64_t)fmax(1, round(power_of(machine, h) * scale));
    }
}

/* ---- Numbers of domains: halves of halves, each with its near hosts together ---- */

typedef struct leaning {
    int lean;
    inlay_id host;
} leaning;

static int compare_leaning(const void *a, const void *b)
{
    const leaning *x = a, *y = b;
    return x->lean != y->lean ? (x->lean > y->lean) - (x->lean < y->lean) : (x->host > y->host) - (x->host < y->host);
}

static inlay_id farthest(const targets *all, const inlay_id *set, inlay_id count, inlay_id from)
{
    inlay_id best = set[0];
    for (inlay_id i = 1; i < count; i++) {
        best = *apart(all, from, set[i]) > *apart(all, from, best) ? set[i] : best;
    }
    return best;
}

/* Orders a domain's hosts so that those near one of its ends come first. */
static void order(const targets *all, inlay_id *set, inlay_id count, leaning *room)
{
    inlay_id one = farthest(all, set, count, set[0]), other = farthest(all, set, count, one);
    for (inlay_id i = 0; i < count; i++) {
        room[i] = (leaning){*apart(all, set[i], one) - *apart(all, set[i], other), set[i]};
    }
    qsort(room, (size_t)count, sizeof *room, compare_leaning);
    for (inlay_id i = 0; i < count; i++) {
        set[i] = room[i].host;
    }
}

typedef struct part {
    inlay_id first, count;
    int64_t domain;
} part;

static int bisect(targets *all, inlay_diag *diag)
{
    enum { DEEPEST = 64 }; /* parts that wait: one a level, and there are 11 levels */
    part waiting[DEEPEST];
    leaning *room = memory_array((size_t)all->hosts, sizeof *room);
    if (room == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id h = 0; h < all->hosts; h++) {
        all->set[h] = h;
    }
    int count = 0;
    waiting[count++] = (part){0, all->hosts, 1};
    while (count > 0) {
        part p = waiting[--count];
        if (p.count == 1) {
            all->domain[all->set[p.first]] = p.domain;
            continue;
        }
        inlay_id half = (p.count + 1) / 2;
        order(all, all->set + p.first, p.count, room);
        waiting[count++] = (part){p.first, half, 2 * p.domain};
        waiting[count++] = (part){p.first + half, p.count - half, 2 * p.domain + 1};
    }
    free(room);
    return INLAY_OK;
}

/* ---- Writing ---- */

static bool weights_differ(const targets *all)
{
    for (inlay_id h = 1; h < all->hosts; h++) {
        if (all->weight[h] != all->weight[0]) {
            return true;
        }
    }
    return false;
}

static void write_complete(const targets *all, text_buffer *to)
{
    bool differ = weights_differ(all);
    text_addf(to, "%s %" PRId32, differ ? "cmpltw" : "cmplt", all->hosts);
    for (inlay_id h = 0; h < all->hosts && differ; h++) {
        text_addf(to, " %" PRId64, all->weight[h]);
    }
    text_add(to, "\n");
}

static void write_distances(const targets *all, text_buffer *to)
{
    int64_t most = 0;
    for (inlay_id h = 0; h < all->hosts; h++) {
        most = all->domain[h] > most ? all->domain[h] : most;
    }
    text_addf(to, "deco\n0\n%" PRId32 " %" PRId64 "\n", all->hosts, most);
    for (inlay_id h = 0; h < all->hosts; h++) {
        text_addf(to, "%" PRId32 " %" PRId64 " %" PRId64 "\n", h, all->weight[h], all->domain[h]);
    }
    for (inlay_id a = 1; a < all->hosts; a++) {
        for (inlay_id b = 0; b < a; b++) {
            text_addf(to, "%s%d", b == 0 ? "" : " ", *apart(all, a, b));
        }
        text_add(to, "\n");
    }
}

static int write_pairs(const inlay_machine *machine, text_buffer *to, inlay_diag *diag)
{
    targets all = {0};
    int status = targets_prepare(machine, &all, diag);
    if (status == INLAY_OK) {
        status = measure(machine, &all, diag);
    }
    if (status == INLAY_OK) {
        weigh(machine, &all);
        status = bisect(&all, diag);
    }
    if (status == INLAY_OK) {
        if (all.uniform) {
            write_complete(&all, to);
        } else {
            write_distances(&all, to);
        }
        if (all.uneven) {
            diag_warn(diag, "ways there and back of %s differ in length: the target has their mean",
                      inlay_machine_name(machine));
        }
    }
    pool_clear(&all.arrays);
    return status;
}

int tgt_machine_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag)
{
    (void)tick_seconds; /* a target has no times */
    text_buffer written = {0};
    bool named = family_row(machine->family)->tgt(machine, &written);
    int status = named ? INLAY_OK : write_pairs(machine, &written, diag);
    if (status == INLAY_OK && inlay_machine_hosts(machine) < inlay_machine_processors(machine)) {
        diag_warn(diag, "a target is a host, not a core: the %" PRId32 " processors of %s are %" PRId32 " targets",
                  inlay_machine_processors(machine), inlay_machine_name(machine), inlay_machine_hosts(machine));
    }
    if (status == INLAY_OK) {
        status = written.failed ? diag_no_memory(diag) : INLAY_OK;
    }
    if (status == INLAY_OK) {
        text_append(to, written.data, written.size);
    }
    text_clear(&written);
    return status;
}
