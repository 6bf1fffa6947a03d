/* slurm.conf: records of nodes, partitions and sets of nodes. All others say how Slurm works, nothing of the machine. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/slurm/slurm.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Records ---- */

static int set_default(slurm *s, slurm_defaults *of, const slurm_pair *pair)
{
    const char *key = slurm_keep(s, pair->key), *value = slurm_keep(s, pair->value);
    size_t i = 0;
    while (i < of->count && !plain_same(of->pair[i].key, pair->key)) {
        i++;
    }
    if (key == NULL || value == NULL || !memory_grow((void **)&of->pair, &of->capacity, i + 1, sizeof *of->pair)) {
        return diag_no_memory(s->diag);
    }
    of->pair[i] = (slurm_pair){key, value};
    of->count += i == of->count;
    return INLAY_OK;
}

static int set_defaults(slurm *s, slurm_defaults *of, const slurm_record *record)
{
    int status = INLAY_OK;
    for (size_t i = 1; i < record->count && status == INLAY_OK; i++) {
        status = set_default(s, of, &record->pair[i]);
    }
    return status;
}

/* A record, and what holds where it says nothing. */
typedef struct settings {
    slurm *s;
    const slurm_record *record;
    const slurm_defaults *otherwise;
} settings;

static const char *value_of(const settings *of, const char *key)
{
    const char *value = slurm_value(of->record, key);
    const slurm_record before = {.pair = of->otherwise->pair, .count = of->otherwise->count};
    return value != NULL ? value : slurm_value(&before, key);
}

/* A count; `missing` where it is not told. */
static int number_of(const settings *of, const char *key, int64_t least, int64_t most, int64_t missing, int64_t *number)
{
    const char *value = value_of(of, key);
    *number = missing;
    return value == NULL || slurm_number(value, least, most, number)
               ? INLAY_OK
               : slurm_fail(of->s, of->record->place,
                            "%s=%.60s of '%.60s'; expected a whole number from %" PRId64 " to %" PRId64, key, value,
                            of->record->pair[0].value, least, most);
}

static void count_strangers(slurm *s, const slurm_record *record, const char *const *known)
{
    for (size_t i = 1; i < record->count; i++) {
        size_t k = 0;
        while (known[k] != NULL && !plain_same(known[k], record->pair[i].key)) {
            k++;
        }
        if (known[k] == NULL && s->ignored.keys++ == 0) {
            s->ignored.key = slurm_keep(s, record->pair[i].key);
            s->ignored.key_place = record->place;
        }
    }
}

/* ---- Nodes ---- */

/* Cores: sockets times what each has, at most the CPUs; where one of the two is not told, CPUs over threads. */
static int find_cores(const settings *of, slurm_node *node)
{
    enum { MOST = SLURM_MOST_CORES };
    int64_t cpus, boards, sockets, cores, threads, on_board;
    int status = number_of(of, "CPUs", 1, MOST, 0, &cpus);
    status = status == INLAY_OK && cpus == 0 ? number_of(of, "Procs", 1, MOST, 0, &cpus) : status;
    status = status == INLAY_OK ? number_of(of, "Boards", 1, 1000, 1, &boards) : status;
    status = status == INLAY_OK ? number_of(of, "SocketsPerBoard", 1, 1000, 0, &on_board) : status;
    status = status == INLAY_OK ? number_of(of, "Sockets", 1, 10000, boards * on_board, &sockets) : status;
    status = status == INLAY_OK ? number_of(of, "CoresPerSocket", 1, 10000, 0, &cores) : status;
    status = status == INLAY_OK ? number_of(of, "ThreadsPerCore", 1, 1000, 1, &threads) : status;
    if (status != INLAY_OK) {
        return status;
    }
    int64_t laid_out = (sockets > 0 ? sockets : 1) * (cores > 0 ? cores : 1);
    bool told = sockets > 0 && cores > 0;
    int64_t by_cpus = cpus / threads > 0 ? cpus / threads : 1;
    node->cores = told && cpus > 0 ? (laid_out < cpus ? laid_out : cpus) : told || cpus == 0 ? laid_out : by_cpus;
    node->threads = node->cores * (threads - 1);
    return node->cores <= MOST
               ? INLAY_OK
               : slurm_fail(of->s, of->record->place, "'%.60s' has %" PRId64 " cores; expected at most %d",
                            of->record->pair[0].value, node->cores, MOST);
}

static int add_named_node(slurm *s, const char *name, void *what)
{
    return slurm_add_node(s, name, what);
}

static int take_node(slurm *s, const slurm_record *record)
{
    static const char *const known[] = {"CPUs",           "Procs",
                                        "Boards",         "SocketsPerBoard",
                                        "Sockets",        "CoresPerSocket",
                                        "ThreadsPerCore", "RealMemory",
                                        "Gres",           "Features",
                                        "Feature",        "State",
                                        "NodeAddr",       "NodeHostname",
                                        "Port",           "Weight",
                                        "TmpDisk",        "MemSpecLimit",
                                        "CoreSpecCount",  "CpuSpecList",
                                        "CpuBind",        "Reason",
                                        "BcastAddr",      "TRESWeights",
                                        "Parameters",     "RestrictedCoresPerGPU",
                                        "Topology",       "Extra",
                                        "InstanceId",     "InstanceType",
                                        "Comment",        NULL};
    enum { MOST_MEBIBYTES = 1 << 30 };
    count_strangers(s, record, known);
    if (plain_same(record->pair[0].value, "DEFAULT")) {
        return set_defaults(s, &s->node_defaults, record);
    }
    const settings of = {s, record, &s->node_defaults};
    slurm_node node = {.place = record->place};
    int status = find_cores(&of, &node);
    status = status == INLAY_OK ? number_of(&of, "RealMemory", 1, MOST_MEBIBYTES, -1, &node.memory) : status;
    const char *gres = value_of(&of, "Gres"), *state = value_of(&of, "State");
    const char *features = value_of(&of, "Features");
    features = features != NULL ? features : value_of(&of, "Feature");
    if (status == INLAY_OK && features != NULL && *features != '\0') {
        node.features = slurm_keep(s, features);
        status = node.features == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    }
    node.gpus = gres != NULL ? slurm_gpus(gres) : 0;
    node.out = state != NULL && slurm_is_out(state);
    return status == INLAY_OK ? slurm_hosts(s, record->place, record->pair[0].value, add_named_node, &node) : status;
}

/* ---- Groups ---- */

static int take_partition(slurm *s, const slurm_record *record)
{
    if (plain_same(record->pair[0].value, "DEFAULT")) {
        return set_defaults(s, &s->partition_defaults, record);
    }
    const settings of = {s, record, &s->partition_defaults};
    slurm_group *group = NULL;
    int status = slurm_add_group(s, &s->partitions, record->pair[0].value, "partition", record->place, &group);
    if (status != INLAY_OK) {
        return status;
    }
    const char *nodes = value_of(&of, "Nodes"), *chosen = value_of(&of, "Default"), *most = value_of(&of, "MaxNodes");
    text_add(&group->nodes, nodes != NULL ? nodes : "");
    group->is_default = chosen != NULL && plain_same(chosen, "YES");
    group->most = most != NULL ? slurm_keep(s, most) : NULL;
    return group->nodes.failed || (most != NULL && group->most == NULL) ? diag_no_memory(s->diag) : INLAY_OK;
}

static int take_set(slurm *s, const slurm_record *record)
{
    slurm_group *group = NULL;
    int status = slurm_add_group(s, &s->sets, record->pair[0].value, "set of nodes", record->place, &group);
    if (status != INLAY_OK) {
        return status;
    }
    const char *nodes = slurm_value(record, "Nodes"), *feature = slurm_value(record, "Feature");
    text_add(&group->nodes, nodes != NULL ? nodes : "");
    group->feature = feature != NULL ? slurm_keep(s, feature) : NULL;
    return group->nodes.failed || (feature != NULL && group->feature == NULL) ? diag_no_memory(s->diag) : INLAY_OK;
}

/* ---- Nodes that are down ---- */

static int put_out(slurm *s, const char *name, void *what)
{
    int32_t node = name_map_get(&s->node_numbers, name);
    (void)what;
    bool all = plain_same(name, "ALL") && !s->all_down;
    s->all_down = s->all_down || all;
    for (size_t i = 0; i < s->nodes && all; i++) {
        s->node[i].out = true;
    }
    if (node >= 0) {
        s->node[node].out = true;
    }
    return INLAY_OK;
}

/* The nodes may stand behind it. */
static int keep_down(slurm *s, const slurm_record *record)
{
    const char *state = slurm_value(record, "State");
    if (state == NULL || slurm_is_out(state)) {
        s->down_place = s->down.size == 0 ? record->place : s->down_place;
        text_addf(&s->down, "%s%s", s->down.size == 0 ? "" : ",", record->pair[0].value);
    }
    return s->down.failed ? diag_no_memory(s->diag) : INLAY_OK;
}

/* ---- The file ---- */

static int take_record(slurm *s, const slurm_record *record)
{
    const char *key = record->pair[0].key, *name = slurm_value(record, "ClusterName");
    if (name != NULL && *name != '\0' && s->cluster == NULL) {
        s->cluster = slurm_keep(s, name);
        return s->cluster == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    }
    return plain_same(key, "NodeName")        ? take_node(s, record)
           : plain_same(key, "PartitionName") ? take_partition(s, record)
           : plain_same(key, "NodeSet")       ? take_set(s, record)
           : plain_same(key, "DownNodes")     ? keep_down(s, record)
                                              : INLAY_OK;
}

int slurm_config(slurm *s, const char *data, size_t size)
{
    int status = slurm_records(s, data, size, s->source, take_record);
    return status == INLAY_OK && s->down.size > 0 ? slurm_hosts(s, s->down_place, s->down.data, put_out, NULL) : status;
}
