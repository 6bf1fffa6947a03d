/* Hypercubes: hosts whose numbers differ in one bit are cabled; a message changes bit by bit, the lowest first. */
#include "base/diag.h"
#include "machine/making.h"
#include <inttypes.h>

static int check(const machine_making *making)
{
    inlay_id hosts = making->machine->shape.size[0];
    if ((hosts & (hosts - 1)) != 0) {
        int64_t above = omega_size_from(hosts, 2);
        return diag_fail_at(making->diag, INLAY_BAD_INPUT, making->source, making->line[ATTRIBUTE_PROCESSORS],
                            "%d hosts are no power of 2; expected for example %" PRId64, hosts,
                            above > INT32_MAX ? above / 2 : above);
    }
    return INLAY_OK;
}

static int bits_of(inlay_id hosts)
{
    int bits = 0;
    while ((int64_t)1 << (bits + 1) <= hosts) {
        bits++;
    }
    return bits;
}

static family_size measure(const family_shape *shape)
{
    return (family_size){.hosts = shape->size[0], .cables = (int64_t)(shape->size[0] / 2) * bits_of(shape->size[0])};
}

static void lay_cables(topology *t, family_way *way, const cable_kind *cable)
{
    (void)way;
    for (inlay_id host = 0; host < t->hosts; host++) {
        for (inlay_id bit = 1; bit < t->hosts; bit *= 2) {
            if ((host & bit) == 0) {
                cables_lay(t, host, host | bit, cable);
            }
        }
    }
}

static inlay_id next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    (void)way;
    *nth = 0;
    inlay_id differ = at ^ to;
    return at ^ (differ & -differ);
}

static int distance(const topology *t, inlay_id from, inlay_id to)
{
    (void)t;
    return __builtin_popcount((unsigned)(from ^ to));
}

/* The place of a number in the Gray code, in which neighbours differ in one bit. */
static inlay_id gray_place(inlay_id number)
{
    inlay_id place = 0;
    for (; number > 0; number >>= 1) {
        place ^= number;
    }
    return place;
}

/* The lower half of the bits says the column, the upper half the row, both in the order of the Gray code. */
static family_place place(const family_way *way, inlay_id node)
{
    inlay_id columns = (inlay_id)1 << (bits_of(way->hosts) + 1) / 2;
    return (family_place){gray_place(node % columns), gray_place(node / columns)};
}

static int64_t enough(const inlay_machine *machine, int64_t hosts)
{
    (void)machine;
    return hosts > 1 ? omega_size_from(hosts, 2) : hosts;
}

static bool tgt(const inlay_machine *machine, text_buffer *to)
{
    int bits = bits_of(inlay_machine_hosts(machine));
    text_addf(to, bits == 0 ? "cmplt 1\n" : "hcub %d\n", bits);
    return true;
}

const machine_family hypercube_family = {
    .name = "hypercube",
    .operand = "K",
    .summary = "hosts whose numbers differ in one bit are neighbours",
    .sample = "hypercube:4,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .check = check,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .distance = distance,
    .place = place,
    .bisection = family_half,
    .bows = true,
    .enough = enough,
    .tgt = tgt,
};
