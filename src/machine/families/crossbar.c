/* A crossbar: a message goes straight to its receiver, whose input takes one at a time. Its only links are these inputs. */
#include "machine/making.h"

static family_size measure(const family_shape *shape)
{
    return (family_size){.hosts = family_hosts(shape), .cables = family_hosts(shape)};
}

static void lay_inputs(topology *t, family_way *way, const cable_kind *cable)
{
    (void)way;
    for (inlay_id host = 0; host < t->hosts; host++) {
        t->link[t->links] = cable->like;
        t->link[t->links].from = -1;
        t->link[t->links++].to = host;
    }
}

static inlay_id next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    (void)way;
    (void)at;
    *nth = 0;
    return to;
}

const machine_family crossbar_family = {
    .name = "crossbar",
    .operand = "K",
    .summary = "straight from host to host; every host has one input",
    .sample = "crossbar:4,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS & ~(ATTRIBUTE_BIT(DUPLEX)),
    .measure = measure,
    .cable = lay_inputs,
    .next = next,
    .place = family_circle,
    .bisection = family_unknown,
    .inputs = true,
    .tgt = family_complete_graph,
};
