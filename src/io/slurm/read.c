/* Slurm's files as machines: what they look like, and from the text to the machine. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/formats.h"
#include "io/machine_formats.h"
#include "io/slurm/slurm.h"
#include <stdlib.h>
#include <string.h>

/* ---- Whether it is one ---- */

/* Keys that no other file has. */
static bool is_slurms(const char *key, size_t size)
{
    static const char *const words[] = {
        "NodeName",  "PartitionName", "NodeSet",        "ClusterName",      "SlurmctldHost",
        "SlurmUser", "SlurmctldPort", "ControlMachine", "SlurmctldPidFile", "SelectType",
        NULL};
    size_t i = 0;
    while (words[i] != NULL && (strlen(words[i]) != size || !plain_begins(key, words[i], size))) {
        i++;
    }
    return words[i] != NULL;
}

/* Lines of Key=Value, of which one has a key of Slurm's own. */
bool slurm_looks_like(const char *data, size_t size)
{
    const char *end = data + size;
    data += plain_mark(data, size);
    bool goes_on = false;
    while (data < end) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        const char *stop = newline == NULL ? end : newline, *at = data;
        for (; at < stop && plain_space(*at); at++) {
        }
        const char *key = at;
        for (; at < stop && (plain_alnum(*at) || *at == '_' || *at == '.'); at++) {
        }
        size_t length = (size_t)(at - key);
        for (; at < stop && plain_space(*at); at++) {
        }
        bool blank = key == stop || *key == '#' || goes_on;
        bool include = length == 7 && plain_begins(key, "include", 7) && at < stop && *at != '=';
        if (!blank && !include && (length == 0 || at == stop || *at != '=')) {
            return false;
        }
        if (!blank && is_slurms(key, length)) {
            return true;
        }
        for (at = stop; at > data && plain_space(at[-1]); at--) {
        }
        goes_on = at > data && at[-1] == '\\';
        data = newline == NULL ? end : newline + 1;
    }
    return false;
}

/* ---- The machine ---- */

static void clear_groups(slurm_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        text_clear(&groups->group[i].nodes);
    }
    free(groups->group);
    name_map_clear(&groups->numbers);
}

static void clear(slurm *s)
{
    owned_close(&s->own);
    clear_groups(&s->partitions);
    clear_groups(&s->sets);
    text_clear(&s->down);
    name_map_clear(&s->node_numbers);
    name_map_clear(&s->switch_numbers);
    free(s->node_defaults.pair);
    free(s->partition_defaults.pair);
    free(s->node);
    free(s->switches);
    name_store_free(s->names);
}

/* The topology that is named, else the one beside the file. */
static int add_topology(slurm *s, bool beside)
{
    const char *named = owned_value(&s->own, "topology");
    if (named != NULL) {
        return strcmp(named, "none") == 0 ? INLAY_OK : slurm_topology(s, named);
    }
    char *path = slurm_beside(s->source, "topology.conf"), *newer = slurm_beside(s->source, "topology.yaml");
    int status = path == NULL || newer == NULL ? diag_no_memory(s->diag) : INLAY_OK;
    if (status == INLAY_OK && beside && file_exists(path)) {
        status = slurm_topology(s, path);
    } else if (status == INLAY_OK && beside && file_exists(newer)) {
        diag_warn(s->diag, "%s is left out: all nodes are at one switch; expected a topology.conf", newer);
    }
    free(path);
    free(newer);
    return status;
}

static int make(slurm *s, inlay_machine **machine)
{
    char *name = s->cluster != NULL ? memory_string(s->cluster) : format_graph_name(s->source);
    const explicit_parts parts = {name, s->source, s->own.rest, s->own.rests, false};
    int status = name == NULL ? diag_no_memory(s->diag) : explicit_machine(&parts, slurm_write, s, machine, s->diag);
    free(name);
    return status;
}

static int read_as(int (*take)(slurm *s, const char *data, size_t size), bool beside, const char *data, size_t size,
                   const char *source, const inlay_attribute *attributes, size_t count, inlay_machine **machine,
                   inlay_diag *diag)
{
    static const char *const names[] = {"partition", "topology", "uplink_capacity", NULL};
    slurm s = {.source = source, .diag = diag};
    int status = owned_open(&s.own, source, attributes, count, names, diag);
    status = status == INLAY_OK ? take(&s, data, size) : status;
    if (status == INLAY_OK && s.nodes == 0) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "no nodes; expected some");
    }
    status = status == INLAY_OK ? add_topology(&s, beside) : status;
    status = status == INLAY_OK ? slurm_choose(&s) : status;
    status = status == INLAY_OK ? make(&s, machine) : status;
    clear(&s);
    return status;
}

int slurm_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag)
{
    return read_as(slurm_config, true, data, size, source, attributes, count, machine, diag);
}

int sinfo_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag)
{
    return read_as(slurm_sinfo, false, data, size, source, attributes, count, machine, diag);
}
