/* Which nodes are the machine: those of a partition that are up. */
#include "base/diag.h"
#include "base/plain.h"
#include "io/slurm/slurm.h"
#include <inttypes.h>
#include <string.h>

/* Whether a list has a word. */
static bool has_word(const char *list, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = list; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, ",");
        if (length == size && memcmp(at, word, size) == 0) {
            return true;
        }
        at += length + (at[length] == ',');
    }
    return false;
}

static int choose_node(slurm *s, const char *name, void *what)
{
    const slurm_group *group = what;
    int32_t node = name_map_get(&s->node_numbers, name);
    if (node < 0) {
        return slurm_fail(s, group->place,
                          "'%.60s' has the node '%.60s', which is not there; expected nodes of NodeName", group->name,
                          name);
    }
    s->node[node].chosen = true;
    return INLAY_OK;
}

static int choose_set(slurm *s, slurm_group *set)
{
    for (size_t i = 0; i < s->nodes && set->feature != NULL; i++) {
        s->node[i].chosen = s->node[i].chosen || has_word(s->node[i].features, set->feature);
    }
    return set->nodes.size > 0 ? slurm_hosts(s, set->place, set->nodes.data, choose_node, set) : INLAY_OK;
}

static void choose_all(slurm *s)
{
    for (size_t i = 0; i < s->nodes && !s->all_chosen; i++) {
        s->node[i].chosen = true;
    }
    s->all_chosen = true;
}

/* A word of a partition's list: ALL, a set of nodes, or a node. */
static int choose_word(slurm *s, const char *word, void *what)
{
    int32_t set = name_map_get(&s->sets.numbers, word);
    if (plain_same(word, "ALL")) {
        choose_all(s);
        return INLAY_OK;
    }
    if (set < 0) {
        return choose_node(s, word, what);
    }
    bool again = s->sets.group[set].chosen;
    s->sets.group[set].chosen = true;
    return again ? INLAY_OK : choose_set(s, &s->sets.group[set]);
}

static slurm_group *default_partition(const slurm *s)
{
    slurm_group *found = NULL;
    for (size_t i = 0; i < s->partitions.count; i++) {
        found = s->partitions.group[i].is_default ? &s->partitions.group[i] : found;
    }
    return found;
}

static int refuse_partition(const slurm *s, const char *name)
{
    text_buffer known = {0};
    for (size_t i = 0; i < s->partitions.count && i < 20; i++) {
        text_addf(&known, "%s, ", s->partitions.group[i].name);
    }
    int status = known.failed ? diag_no_memory(s->diag)
                              : diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0,
                                             "no partition '%.60s'; expected one of %s%sALL", name,
                                             text_content(&known), s->partitions.count > 20 ? "..., " : "");
    text_clear(&known);
    return status;
}

/* ---- What is said of it ---- */

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void say_which(const slurm *s, const slurm_group *chosen, int64_t nodes)
{
    if (chosen != NULL) {
        diag_warn(s->diag,
                  "%s: the machine is the default partition '%s', %" PRId64
                  " of %zu nodes: partition=NAME behind the name "
                  "takes another one, partition=ALL all nodes",
                  s->source, chosen->name, nodes, s->nodes);
    } else if (s->partitions.count > 0) {
        diag_warn(s->diag,
                  "%s: the machine is all %" PRId64 " nodes, for no partition is the default: partition=NAME "
                  "behind the name takes one",
                  s->source, nodes);
    }
}

static void say_left_out(const slurm *s, int64_t out)
{
    int64_t threads = 0, gpus = 0, with_gpus = 0;
    for (size_t i = 0; i < s->nodes; i++) {
        const slurm_node *node = &s->node[i];
        threads += node->chosen ? node->threads : 0;
        gpus += node->chosen ? node->gpus : 0;
        with_gpus += node->chosen && node->gpus > 0;
    }
    if (out > 0) {
        diag_warn(s->diag, "%s: %" PRId64 " node%s left out, down or drained", s->source, out,
                  out == 1 ? " is" : "s are");
    }
    if (threads > 0) {
        diag_warn(s->diag, "%s: a processor is a core: %" PRId64 " further hardware thread%s left out", s->source,
                  threads, threads == 1 ? " is" : "s are");
    }
    if (gpus > 0) {
        diag_warn(s->diag, "%s: %" PRId64 " GPU%s of %" PRId64 " node%s left out", s->source, gpus, plural(gpus),
                  with_gpus, with_gpus == 1 ? " are" : "s are");
    }
    if (s->counts_threads) {
        diag_warn(s->diag, "%s: CPUs count as cores; where they are hardware threads, let sinfo print %%z too",
                  s->source);
    }
    if (s->ignored.keys > 0) {
        diag_warn(s->diag, "%s:%ld: '%s', which is no setting of a node, is left out (%" PRId64 " such in all)",
                  s->ignored.key_place.file, s->ignored.key_place.line, s->ignored.key != NULL ? s->ignored.key : "",
                  s->ignored.keys);
    }
}

int slurm_choose(slurm *s)
{
    const char *wanted = owned_value(&s->own, "partition");
    slurm_group *chosen = wanted == NULL ? default_partition(s) : NULL;
    bool all = wanted != NULL ? plain_same(wanted, "ALL") : chosen == NULL;
    if (wanted != NULL && !all) {
        int32_t known = name_map_get(&s->partitions.numbers, wanted);
        if (known < 0) {
            return refuse_partition(s, wanted);
        }
        chosen = &s->partitions.group[known];
    }
    if (!all && chosen->nodes.size == 0) {
        return slurm_fail(s, chosen->place, "partition '%.60s' has no nodes; expected some", chosen->name);
    }
    int status = INLAY_OK;
    if (all) {
        choose_all(s);
    } else {
        status = slurm_hosts(s, chosen->place, chosen->nodes.data, choose_word, chosen);
    }
    int64_t nodes = 0, out = 0;
    for (size_t i = 0; i < s->nodes; i++) {
        nodes += s->node[i].chosen;
        out += s->node[i].chosen && s->node[i].out;
        s->node[i].chosen = s->node[i].chosen && !s->node[i].out;
    }
    if (status == INLAY_OK && nodes == out) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0, "%s; expected some that are up",
                            nodes == 0 ? "no nodes" : "all nodes are down or drained");
    }
    if (status == INLAY_OK) {
        if (wanted == NULL) {
            say_which(s, chosen, nodes);
        }
        int64_t most;
        if (!all && chosen->most != NULL && slurm_number(chosen->most, 1, INT32_MAX, &most) && most < nodes - out) {
            diag_warn(s->diag,
                      "%s:%ld: a job in the partition '%s' may have %" PRId64 " nodes, and the machine has more",
                      chosen->place.file, chosen->place.line, chosen->name, most);
        }
        say_left_out(s, out);
    }
    return status;
}
