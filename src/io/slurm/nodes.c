/* Nodes and groups of them, whichever file tells of them, and the words for what they have. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/slurm/slurm.h"
#include <stdlib.h>
#include <string.h>

int slurm_add_node(slurm *s, const char *name, const slurm_node *like)
{
    int32_t known = name_map_get(&s->node_numbers, name);
    if (known >= 0) {
        return slurm_fail(s, like->place, "node '%s' is there already, at line %ld; expected each once", name,
                          s->node[known].place.line);
    }
    if (s->nodes == SLURM_MOST_NODES) {
        return slurm_fail(s, like->place, "more than %d nodes; expected fewer", SLURM_MOST_NODES);
    }
    const char *kept = slurm_keep(s, name);
    if (kept == NULL || !memory_grow((void **)&s->node, &s->node_capacity, s->nodes + 1, sizeof *s->node) ||
        !name_map_put(&s->node_numbers, kept, (int32_t)s->nodes)) {
        return diag_no_memory(s->diag);
    }
    s->node[s->nodes] = *like;
    s->node[s->nodes].above = -1;
    s->node[s->nodes++].name = kept;
    return INLAY_OK;
}

int slurm_add_group(slurm *s, slurm_groups *groups, const char *name, const char *what, slurm_place place,
                    slurm_group **group)
{
    int32_t known = name_map_get(&groups->numbers, name);
    if (known >= 0) {
        return slurm_fail(s, place, "%s '%s' is there already, at line %ld; expected each once", what, name,
                          groups->group[known].place.line);
    }
    const char *kept = slurm_keep(s, name);
    if (kept == NULL ||
        !memory_grow((void **)&groups->group, &groups->capacity, groups->count + 1, sizeof *groups->group) ||
        !name_map_put(&groups->numbers, kept, (int32_t)groups->count)) {
        return diag_no_memory(s->diag);
    }
    *group = &groups->group[groups->count++];
    **group = (slurm_group){.name = kept, .place = place};
    return INLAY_OK;
}

bool slurm_number(const char *text, int64_t least, int64_t most, int64_t *number)
{
    enum { MOST_DIGITS = 15 };
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > MOST_DIGITS || text[digits] != '\0') {
        return false;
    }
    *number = strtoll(text, NULL, 10);
    return *number >= least && *number <= most;
}

/* One item of `size` characters: gpu, gpu:4, gpu:a100:4, with what stands in parentheses left out. */
static int64_t gpus_of(const char *item, size_t size)
{
    enum { MOST_DIGITS = 6 };
    const char *open = memchr(item, '(', size);
    size = open == NULL ? size : (size_t)(open - item);
    if (size < 3 || !plain_begins(item, "gpu", 3) || (size > 3 && item[3] != ':')) {
        return 0;
    }
    size_t begin = size;
    while (begin > 0 && item[begin - 1] != ':') {
        begin--;
    }
    int64_t number = 0;
    bool whole = begin > 0 && begin < size && size - begin <= MOST_DIGITS;
    for (size_t i = begin; i < size; i++) {
        whole = whole && plain_digit(item[i]);
        number = whole ? number * 10 + (item[i] - '0') : 1;
    }
    return whole ? number : 1;
}

int64_t slurm_gpus(const char *gres)
{
    int64_t sum = 0;
    const char *begin = gres;
    int inside = 0;
    for (const char *at = gres;; at++) {
        inside += (*at == '(') - (*at == ')');
        if (*at == '\0' || (*at == ',' && inside == 0)) {
            sum += gpus_of(begin, (size_t)(at - begin));
            begin = at + 1;
        }
        if (*at == '\0') {
            return sum;
        }
    }
}

bool slurm_is_out(const char *states)
{
    static const char *const out[] = {"down", "drain", "drng", "fail", "futur", "futr", "inval", "no_resp", "not_resp"};
    for (const char *at = states; at != NULL;) {
        for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
            if (plain_begins(at, out[i], strlen(out[i])) && !plain_begins(at, "failin", strlen("failin")) &&
                !plain_begins(at, "failg", strlen("failg"))) {
                return true;
            }
        }
        at = strpbrk(at, "+,");
        at = at == NULL ? NULL : at + 1;
    }
    return false;
}
