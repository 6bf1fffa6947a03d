/* What something costs that goes over the network, at the least. */
#include "mapping/bounds_wire.h"
#include "layout/sent.h"

wire wire_of(const interconnect *network, int64_t messages, int64_t bytes)
{
    if (messages < 0) {
        return (wire){0};
    }
    int64_t pieces = interconnect_messages(network, messages, bytes);
    wire w = {.messages = pieces > 0 ? pieces : network->in_bytes && bytes > 0,
              .traffic = (double)interconnect_traffic(network, messages, bytes)};
    w.latency = interconnect_latency(network, messages, bytes);
    return w;
}

double wire_unit(const interconnect *network)
{
    const inlay_omega *omega = &network->omega;
    int stages = 0;
    if (network->free) {
        return 0;
    }
    switch (inlay_machine_network(network->machine)) {
    case INLAY_NETWORK_BUS:
    case INLAY_NETWORK_MULTIBUS: return network->transfers / network->capacity;
    case INLAY_NETWORK_OMEGA:
        inlay_omega_stages(omega->processors, omega->switch_size, &stages);
        return network->transfers * (stages * omega->transit + (double)(omega->packets - 1) * omega->cycle);
    case INLAY_NETWORK_OMEGA_PE: /* one stage is enough for neighbours */
        return network->transfers * (double)omega->packets * omega->cycle;
    case INLAY_NETWORK_LINKS: break;
    }
    return 0;
}

double wire_further(const interconnect *network)
{
    return sent_written_once(network) ? (network->transfers - 1) / network->transfers : 1;
}
