/* Data blocks in common memories. */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { WHERE = 40 };

/* What is known of the memories while they are read. */
typedef struct memories {
    inlay_id *of;        /* memory of every block, -1 where none has it */
    json_int_t last;     /* number of the memory before */
    inlay_id last_block; /* of this memory so far */
} memories;

static void place_block(check *k, memories *m, json_int_t memory, const json_t *value)
{
    const char *name = json_string_value(value);
    inlay_id block = check_find_block(k, name);
    if (block < 0) {
        check_find(k, "memory %lld: data block '%.100s' is not in the application", (long long)memory,
                   name ? name : "?");
        return;
    }
    if (m->of[block] >= 0)
        check_find(k, "memory %lld: data block '%.100s' stands in memory %ld already", (long long)memory, name,
                   (long)m->of[block]);
    if (k->home[block] < 0)
        check_find(k, "memory %lld: data block '%.100s' lives in no cluster", (long long)memory, name);
    if (block < m->last_block)
        check_find(k, "memory %lld: data block '%.100s' stands behind '%.100s', but its number is smaller",
                   (long long)memory, name, inlay_app_block_name(k->app, m->last_block));
    m->of[block] = (inlay_id)memory;
    m->last_block = block;
}

/* The blocks of one memory; their bytes. */
static int64_t read_blocks(check *k, memories *m, json_int_t memory, const json_t *names)
{
    int64_t used = 0;
    m->last_block = -1;
    for (size_t i = 0; i < json_array_size(names); i++) {
        place_block(k, m, memory, json_array_get(names, i));
        inlay_id block = check_find_block(k, json_string_value(json_array_get(names, i)));
        if (block >= 0) used = check_add(used, inlay_app_block_size(k->app, block));
    }
    if (json_array_size(names) == 0) check_find(k, "memory %lld: no data block stands in it", (long long)memory);
    return used;
}

/* Every memory is as large as the next; a placement of the user's own may break that, with a warning. */
static void blocks_fit(check *k, json_int_t memory, int64_t used)
{
    int64_t size = inlay_machine_common_memory(k->machine);
    if (k->method == NULL || !k->method->memory || size < 0 || used <= size) return;
    check_find(k, "memory %lld: its data blocks of %lld bytes are more than the %lld of a common memory",
               (long long)memory, (long long)used, (long long)size);
}

static void read_memory(check *k, memories *m, size_t at)
{
    const json_t *said = json_array_get(json_object_get(k->root, "memories"), at);
    inlay_id count = inlay_machine_memories(k->machine);
    char where[WHERE];

    snprintf(where, sizeof where, "memories[%zu]", at);
    if (!json_is_object(said)) {
        check_find(k, "%s is not an object", where);
        return;
    }
    const json_t *number = check_field(k, where, said, "memory", CHECK_INTEGER);
    json_int_t memory = json_integer_value(number);
    if (number && (memory < 0 || memory >= count))
        check_find(k, "%s: memory is %lld, the machine has %ld", where, (long long)memory, (long)count);
    const json_t *names = check_field(k, where, said, "blocks", CHECK_ARRAY);
    if (!number || !names || memory < 0 || memory >= count) return;
    if (memory <= m->last)
        check_find(k, "%s: memory %lld does not come after %lld", where, (long long)memory, (long long)m->last);
    m->last = memory;
    int64_t used = read_blocks(k, m, memory, names);
    check_count(k, where, said, "used", used);
    blocks_fit(k, memory, used);
}

/*
 * Every block that lives in a cluster stands in a memory: that of its home's processor, modulo the number of memories,
 * unless there is no room.
 */
static void every_block_stands(check *k, const memories *m)
{
    inlay_id count = inlay_machine_memories(k->machine);
    for (inlay_id d = 0; d < k->blocks; d++) {
        const char *name = inlay_app_block_name(k->app, d);
        check_counted(k, 1);
        if (k->home[d] < 0) continue;
        inlay_id wanted = k->cluster[k->home[d]].processor % count;
        if (m->of[d] < 0)
            check_find(k, "data block '%.100s' stands in no memory", name);
        else if (inlay_machine_common_memory(k->machine) < 0 && m->of[d] != wanted)
            check_find(k, "data block '%.100s' stands in memory %ld, but %ld has room and is that of its home", name,
                       (long)m->of[d], (long)wanted);
    }
}

int check_memories(check *k)
{
    const json_t *said = check_field(k, NULL, k->root, "memories", CHECK_ARRAY);
    if (!said) return INLAY_OK;
    if (inlay_machine_memories(k->machine) == 0 || k->blocks == 0) {
        check_counted(k, 1);
        if (json_array_size(said) > 0)
            check_find(k, "memories: %zu are listed, but no data block is in a common memory", json_array_size(said));
        return INLAY_OK;
    }
    memories m = {.of = calloc((size_t)k->blocks, sizeof *m.of), .last = -1};
    k->memory_of = m.of;
    if (!m.of) return INLAY_NO_MEMORY;
    for (inlay_id d = 0; d < k->blocks; d++)
        m.of[d] = -1;
    for (size_t at = 0; at < json_array_size(said); at++)
        read_memory(k, &m, at);
    every_block_stands(k, &m);
    return INLAY_OK;
}
