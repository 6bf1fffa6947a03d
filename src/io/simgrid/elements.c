/* The elements of platform files, versions 4 and 4.1: their attributes, and where they may stand. */
#include "io/simgrid/reader.h"
#include <string.h>

#define IN(element) (1u << (SIMGRID_##element))

/* Zones go by two names, of version 4.1 and of version 4. */
#define IN_ZONE (IN(ZONE) | IN(AS))
#define IN_TOP  (IN(PLATFORM) | IN_ZONE)
#define IN_ROUTE                                                                                                       \
    (IN(ROUTE) | IN(ZONE_ROUTE) | IN(AS_ROUTE) | IN(BYPASS_ROUTE) | IN(BYPASS_ZONE_ROUTE) | IN(BYPASS_AS_ROUTE))
#define IN_WITH_PROPS                                                                                                  \
    (IN(CONFIG) | IN_ZONE | IN(HOST) | IN(DISK) | IN(LINK) | IN(CLUSTER) | IN(STORAGE_TYPE) | IN(STORAGE) |            \
     IN(PROCESS) | IN(ACTOR))

#define ZONE_ATTRIBUTES                                                                                                \
    {                                                                                                                  \
        {"id", NULL},                                                                                                  \
        {                                                                                                              \
            "routing", NULL                                                                                            \
        }                                                                                                              \
    }
#define WITHIN_ATTRIBUTES                                                                                              \
    {                                                                                                                  \
        {"src", NULL}, {"dst", NULL},                                                                                  \
        {                                                                                                              \
            "symmetrical", "YES"                                                                                       \
        }                                                                                                              \
    }
#define BETWEEN_ATTRIBUTES                                                                                             \
    {                                                                                                                  \
        {"src", NULL}, {"dst", NULL}, {"gw_src", NULL}, {"gw_dst", NULL},                                              \
        {                                                                                                              \
            "symmetrical", "YES"                                                                                       \
        }                                                                                                              \
    }
#define BYPASS_ATTRIBUTES                                                                                              \
    {                                                                                                                  \
        {"src", NULL}, {"dst", NULL}, {"gw_src", NULL},                                                                \
        {                                                                                                              \
            "gw_dst", NULL                                                                                             \
        }                                                                                                              \
    }
#define ACTOR_ATTRIBUTES                                                                                               \
    {                                                                                                                  \
        {"host", NULL}, {"function", NULL}, {"start_time", ""}, {"kill_time", ""},                                     \
        {                                                                                                              \
            "on_failure", ""                                                                                           \
        }                                                                                                              \
    }

static const simgrid_rule rules[SIMGRID_ELEMENTS] = {
    [SIMGRID_PLATFORM] = {"platform", 0, simgrid_open_platform, NULL, {{"version", NULL}}},
    [SIMGRID_CONFIG] = {"config", IN(PLATFORM), simgrid_open_config, NULL, {{"id", ""}}},
    [SIMGRID_RANDOM] = {"random",
                        IN(PLATFORM),
                        NULL,
                        NULL,
                        {{"id", NULL},
                         {"min", ""},
                         {"max", ""},
                         {"mean", ""},
                         {"std_deviation", ""},
                         {"seed", ""},
                         {"radical", ""},
                         {"generator", ""}}},
    [SIMGRID_INCLUDE] = {"include", IN_TOP, simgrid_refuse_include, NULL, {{"file", ""}}},
    [SIMGRID_PROP] = {"prop", IN_WITH_PROPS, simgrid_open_prop, NULL, {{"id", NULL}, {"value", NULL}}},
    [SIMGRID_MODEL_PROP] = {"model_prop", IN(STORAGE_TYPE), NULL, NULL, {{"id", NULL}, {"value", NULL}}},
    [SIMGRID_ZONE] = {"zone", IN_TOP, simgrid_open_zone, simgrid_close_zone, ZONE_ATTRIBUTES},
    [SIMGRID_AS] = {"AS", IN_TOP, simgrid_open_zone, simgrid_close_zone, ZONE_ATTRIBUTES},
    [SIMGRID_HOST] = {"host",
                      IN_ZONE,
                      simgrid_open_host,
                      NULL,
                      {{"id", NULL},
                       {"speed", NULL},
                       {"core", "1"},
                       {"pstate", "0"},
                       {"coordinates", ""},
                       {"speed_file", ""},
                       {"availability_file", ""},
                       {"state_file", ""}}},
    [SIMGRID_DISK] = {"disk", IN(HOST), NULL, NULL, {{"id", ""}, {"read_bw", NULL}, {"write_bw", NULL}}},
    [SIMGRID_ROUTER] = {"router", IN_ZONE, simgrid_open_router, NULL, {{"id", NULL}, {"coordinates", ""}}},
    [SIMGRID_LINK] = {"link",
                      IN_ZONE,
                      simgrid_open_link,
                      NULL,
                      {{"id", NULL},
                       {"bandwidth", NULL},
                       {"latency", "0"},
                       {"sharing_policy", "SHARED"},
                       {"bandwidth_file", ""},
                       {"latency_file", ""},
                       {"state_file", ""}}},
    [SIMGRID_BACKBONE] =
        {"backbone", IN_ZONE, simgrid_open_backbone, NULL, {{"id", NULL}, {"bandwidth", NULL}, {"latency", NULL}}},
    [SIMGRID_CLUSTER] = {"cluster",
                         IN_TOP,
                         simgrid_open_cluster,
                         NULL,
                         {{"id", NULL},
                          {"prefix", NULL},
                          {"suffix", NULL},
                          {"radical", NULL},
                          {"speed", NULL},
                          {"core", "1"},
                          {"bw", NULL},
                          {"lat", NULL},
                          {"sharing_policy", "SPLITDUPLEX"},
                          {"topology", "FLAT"},
                          {"topo_parameters", ""},
                          {"bb_bw", ""},
                          {"bb_lat", "0"},
                          {"bb_sharing_policy", "SHARED"},
                          {"router_id", ""},
                          {"limiter_link", ""},
                          {"loopback_bw", ""},
                          {"loopback_lat", "0"}}},
    [SIMGRID_CABINET] = {"cabinet",
                         IN_ZONE,
                         simgrid_open_cabinet,
                         NULL,
                         {{"id", NULL},
                          {"prefix", NULL},
                          {"suffix", NULL},
                          {"radical", NULL},
                          {"speed", NULL},
                          {"bw", NULL},
                          {"lat", NULL}}},
    [SIMGRID_PEER] = {"peer",
                      IN_ZONE,
                      simgrid_open_peer,
                      NULL,
                      {{"id", NULL},
                       {"speed", NULL},
                       {"bw_in", NULL},
                       {"bw_out", NULL},
                       {"coordinates", ""},
                       {"lat", ""},
                       {"speed_file", ""},
                       {"availability_file", ""},
                       {"state_file", ""}}},
    [SIMGRID_HOST_LINK] =
        {"host_link", IN_ZONE, simgrid_open_host_link, NULL, {{"id", NULL}, {"up", NULL}, {"down", NULL}}},
    [SIMGRID_ROUTE] = {"route", IN_ZONE, simgrid_open_route, simgrid_close_route, WITHIN_ATTRIBUTES},
    [SIMGRID_ZONE_ROUTE] = {"zoneRoute", IN_ZONE, simgrid_open_route, simgrid_close_route, BETWEEN_ATTRIBUTES},
    [SIMGRID_AS_ROUTE] = {"ASroute", IN_ZONE, simgrid_open_route, simgrid_close_route, BETWEEN_ATTRIBUTES},
    [SIMGRID_BYPASS_ROUTE] =
        {"bypassRoute", IN_ZONE, simgrid_open_route, simgrid_close_route, {{"src", NULL}, {"dst", NULL}}},
    [SIMGRID_BYPASS_ZONE_ROUTE] = {"bypassZoneRoute", IN_ZONE, simgrid_open_route, simgrid_close_route,
                                   BYPASS_ATTRIBUTES},
    [SIMGRID_BYPASS_AS_ROUTE] = {"bypassASroute", IN_ZONE, simgrid_open_route, simgrid_close_route, BYPASS_ATTRIBUTES},
    [SIMGRID_LINK_CTN] = {"link_ctn", IN_ROUTE, simgrid_open_link_ctn, NULL, {{"id", NULL}, {"direction", "NONE"}}},
    [SIMGRID_TRACE] = {"trace", IN_TOP, simgrid_open_trace, NULL, {{"id", NULL}, {"file", ""}, {"periodicity", NULL}}},
    [SIMGRID_TRACE_CONNECT] = {"trace_connect",
                               IN_TOP,
                               simgrid_open_trace,
                               NULL,
                               {{"kind", "HOST_AVAIL"}, {"trace", NULL}, {"element", NULL}}},
    [SIMGRID_STORAGE_TYPE] =
        {"storage_type", IN_ZONE, NULL, NULL, {{"id", NULL}, {"model", ""}, {"size", NULL}, {"content", ""}}},
    [SIMGRID_STORAGE] =
        {"storage", IN_ZONE, NULL, NULL, {{"id", NULL}, {"typeId", NULL}, {"content", ""}, {"attach", NULL}}},
    [SIMGRID_MOUNT] = {"mount", IN(HOST), NULL, NULL, {{"storageId", NULL}, {"name", NULL}}},
    [SIMGRID_PROCESS] = {"process", IN(PLATFORM), NULL, NULL, ACTOR_ATTRIBUTES},
    [SIMGRID_ACTOR] = {"actor", IN(PLATFORM), NULL, NULL, ACTOR_ATTRIBUTES},
    [SIMGRID_ARGUMENT] = {"argument", IN(PROCESS) | IN(ACTOR), NULL, NULL, {{"value", NULL}}},
};

const simgrid_rule *simgrid_rule_of(simgrid_element element)
{
    return &rules[element];
}

simgrid_element simgrid_element_of(const char *name)
{
    simgrid_element element = SIMGRID_PLATFORM;
    while (element < SIMGRID_ELEMENTS && strcmp(rules[element].name, name) != 0) {
        element++;
    }
    return element;
}

const char *simgrid_value(const simgrid_tag *tag, const char *name)
{
    int i = 0;
    while (strcmp(tag->rule->attribute[i].name, name) != 0) {
        i++;
    }
    return tag->value[i];
}
