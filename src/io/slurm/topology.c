/* topology.conf: switches with nodes and switches below them, or blocks of nodes. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/slurm/slurm.h"

/* ---- Records ---- */

static int keep_list(slurm *s, const slurm_record *record, const char *key, const char **list)
{
    const char *value = slurm_value(record, key);
    *list = value == NULL || *value == '\0' ? NULL : slurm_keep(s, value);
    return value == NULL || *value == '\0' || *list != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

/* A block is a switch with nodes alone. */
static int take_record(slurm *s, const slurm_record *record)
{
    const char *key = record->pair[0].key, *name = record->pair[0].value;
    if (!plain_same(key, "SwitchName") && !plain_same(key, "BlockName")) {
        return plain_same(key, "BlockSizes") ? INLAY_OK
                                             : slurm_fail(s, record->place,
                                                          "'%.60s' in a topology of Slurm; expected SwitchName, "
                                                          "BlockName or BlockSizes",
                                                          key);
    }
    int32_t known = name_map_get(&s->switch_numbers, name);
    if (known >= 0) {
        return slurm_fail(s, record->place, "switch '%.60s' is there already, at line %ld; expected each once", name,
                          s->switches[known].place.line);
    }
    slurm_switch is = {.above = -1, .place = record->place};
    is.name = slurm_keep(s, name);
    int status = is.name == NULL ? INLAY_NO_MEMORY : keep_list(s, record, "Nodes", &is.nodes);
    status = status == INLAY_OK ? keep_list(s, record, "Switches", &is.switches) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&s->switches, &s->switch_capacity, s->switch_count + 1, sizeof *s->switches) ||
        !name_map_put(&s->switch_numbers, is.name, (int32_t)s->switch_count)) {
        return diag_no_memory(s->diag);
    }
    s->switches[s->switch_count++] = is;
    s->ignored.speeds += slurm_value(record, "LinkSpeed") != NULL;
    return INLAY_OK;
}

/* ---- The tree ---- */

static int join_switch(slurm *s, const char *name, void *what)
{
    const slurm_switch *above = what;
    int32_t number = name_map_get(&s->switch_numbers, name);
    slurm_switch *below = number < 0 ? NULL : &s->switches[number];
    if (below == NULL || below == above) {
        return slurm_fail(s, above->place, "switch '%.60s' has the switch '%.60s', %s", above->name, name,
                          below == NULL ? "which is not there; expected a SwitchName of the file"
                                        : "which is itself; expected others");
    }
    if (below->above >= 0) {
        return slurm_fail(s, above->place, "switch '%.60s' is below '%.60s' and '%.60s'; expected a tree", name,
                          s->switches[below->above].name, above->name);
    }
    below->above = (int32_t)(above - s->switches);
    return INLAY_OK;
}

static int join_node(slurm *s, const char *name, void *what)
{
    const slurm_switch *above = what;
    int32_t number = name_map_get(&s->node_numbers, name);
    if (number < 0) {
        if (s->ignored.strangers++ == 0) {
            s->ignored.stranger = slurm_keep(s, name);
        }
        return INLAY_OK;
    }
    slurm_node *node = &s->node[number];
    if (node->above >= 0) {
        return slurm_fail(s, above->place, "node '%.60s' is below '%.60s' and '%.60s'; expected one switch for each",
                          name, s->switches[node->above].name, above->name);
    }
    node->above = (int32_t)(above - s->switches);
    return INLAY_OK;
}

static int check_tree(const slurm *s)
{
    enum { MOST_DEPTH = 64 };
    for (size_t i = 0; i < s->switch_count; i++) {
        int32_t at = (int32_t)i;
        for (int depth = 0; at >= 0 && depth <= MOST_DEPTH; depth++) {
            at = s->switches[at].above;
        }
        if (at >= 0) {
            return slurm_fail(s, s->switches[i].place,
                              "switch '%.60s' is below itself, or below more than %d others; expected a tree",
                              s->switches[i].name, MOST_DEPTH);
        }
    }
    return INLAY_OK;
}

int slurm_topology(slurm *s, const char *path)
{
    file_content content = {0};
    const char *kept = slurm_keep(s, path);
    int status = kept == NULL ? INLAY_NO_MEMORY : file_read(kept, &content, s->diag);
    status = status == INLAY_OK ? slurm_records(s, content.data, content.size, kept, take_record) : status;
    file_content_clear(&content);
    for (size_t i = 0; i < s->switch_count && status == INLAY_OK; i++) {
        slurm_switch *is = &s->switches[i];
        status = is->switches != NULL ? slurm_hosts(s, is->place, is->switches, join_switch, is) : INLAY_OK;
        status = status == INLAY_OK && is->nodes != NULL ? slurm_hosts(s, is->place, is->nodes, join_node, is) : status;
    }
    if (status == INLAY_OK && s->switch_count == 0) {
        status = slurm_fail(s, (slurm_place){kept, 0}, "no switches; expected SwitchName or BlockName");
    }
    return status == INLAY_OK ? check_tree(s) : status;
}
