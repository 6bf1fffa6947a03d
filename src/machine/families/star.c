/* A star: every host is cabled to one switch. */
#include "machine/making.h"

static family_size measure(const family_shape *shape)
{
    return (family_size){.hosts = family_hosts(shape), .switches = 1, .cables = family_hosts(shape)};
}

static void lay_cables(topology *t, family_way *way, const cable_kind *cable)
{
    (void)way;
    for (inlay_id host = 0; host < t->hosts; host++) {
        cables_lay(t, host, t->hosts, cable);
    }
}

static inlay_id next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    *nth = 0;
    return at == way->hosts ? to : way->hosts;
}

const machine_family star_family = {
    .name = "star",
    .operand = "K",
    .summary = "every host on one switch",
    .others = " switch cluster ethernet lan ",
    .sample = "star:4,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .place = family_circle,
    .bisection = family_half,
    .spokes = true,
    .tgt = family_complete_graph,
};
