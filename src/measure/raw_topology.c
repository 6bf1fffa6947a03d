/* What --topology measures, out of the JSON. */
#include "measure/raw_reader.h"
#include <string.h>

/* ---- Which patterns ---- */

static inlay_pattern pattern_of(const char *name)
{
    int pattern = 0;
    while (pattern < INLAY_PATTERNS && strcmp(name, inlay_pattern_name((inlay_pattern)pattern)) != 0) {
        pattern++;
    }
    return (inlay_pattern)pattern; /* INLAY_PATTERNS where there is none of the name */
}

static void read_wanted(raw_reader *reader, const json_t *array)
{
    bool *wanted = reader->r->topology.wanted;
    size_t count = raw_count(reader, array, 1, "an array of one pattern at least");
    for (size_t i = 0; i < count && reader->status == INLAY_OK; i++) {
        raw_value element = raw_element(reader, array, i);
        const char *name = json_string_value(element.json);
        inlay_pattern pattern = pattern_of(name != NULL ? name : "");
        if ((int)pattern == INLAY_PATTERNS || wanted[pattern]) {
            raw_refuse(reader, element.json, "1-D, ring or tree, each once");
        } else {
            wanted[pattern] = true;
        }
        raw_leave(reader, element);
    }
}

/* ---- Clusters ---- */

/* `taken` has a place for each host. */
static void read_cluster(raw_reader *reader, const json_t *array, bool *taken, inlay_raw_cluster *cluster)
{
    const inlay_raw *r = reader->r;
    size_t count = raw_count(reader, array, 1, "an array of one host at least");
    cluster->host = raw_room(reader, count, sizeof *cluster->host);
    for (size_t i = 0; i < count && reader->status == INLAY_OK; i++) {
        raw_value element = raw_element(reader, array, i);
        json_int_t host = json_integer_value(element.json);
        bool good = json_is_integer(element.json) && host >= 0 && host < r->hosts;
        if (!good || taken[host] || (i > 0 && (int)host <= cluster->host[i - 1])) {
            raw_refuse(reader, element.json, "a host's number, each once, ascending");
        } else {
            taken[host] = true;
            cluster->host[cluster->hosts++] = (int)host;
            cluster->ranks += r->host[host].ranks;
        }
        raw_leave(reader, element);
    }
}

static void read_clusters(raw_reader *reader, const json_t *array)
{
    inlay_raw *r = reader->r;
    inlay_raw_topology *topology = &r->topology;
    bool *taken = raw_room(reader, (size_t)r->hosts, sizeof *taken);
    int hosts = 0;
    topology->clusters = (int)raw_count(reader, array, 1, "an array of one cluster at least");
    topology->cluster = raw_room(reader, (size_t)topology->clusters, sizeof *topology->cluster);
    for (int c = 0; c < topology->clusters && reader->status == INLAY_OK; c++) {
        raw_value element = raw_element(reader, array, (size_t)c);
        read_cluster(reader, element.json, taken, &topology->cluster[c]);
        hosts += topology->cluster[c].hosts;
        raw_leave(reader, element);
    }
    if (reader->status == INLAY_OK && hosts < r->hosts) {
        raw_refuse(reader, array, "every host in one of them");
    }
}

/* ---- Cycles ---- */

static bool is_behind(const inlay_raw_cycle *before, const inlay_raw_cycle *cycle)
{
    return before->pattern != cycle->pattern   ? before->pattern < cycle->pattern
           : before->cluster != cycle->cluster ? before->cluster < cycle->cluster
                                               : before->processors < cycle->processors;
}

static void read_cycle(raw_reader *reader, const json_t *object, int number)
{
    inlay_raw_topology *topology = &reader->r->topology;
    inlay_raw_cycle *cycle = &topology->cycle[number];
    cycle->pattern = pattern_of(raw_text(reader, object, "pattern"));
    if ((int)cycle->pattern == INLAY_PATTERNS || !topology->wanted[cycle->pattern]) {
        raw_value value = raw_member(reader, object, "pattern");
        raw_refuse(reader, value.json, "a pattern of topology");
        raw_leave(reader, value);
    }
    cycle->cluster = (int)raw_whole(reader, object, "cluster", 0, topology->clusters - 1, "a cluster's number");
    cycle->processors = (int)raw_whole(reader, object, "processors", 2, topology->cluster[cycle->cluster].ranks,
                                       "from 2 to the ranks of the cluster");
    if (reader->status == INLAY_OK && number > 0 && !is_behind(cycle - 1, cycle)) {
        raw_refuse(reader, object, "cycles by pattern, cluster and processors, each behind the one before");
    }
    cycle->seconds = raw_by_size(reader, object, "seconds");
}

/* The cluster of two ranks and more that has no cycle of a pattern; -1 where there is none. */
static int without_cycle(const inlay_raw_topology *topology, inlay_pattern pattern)
{
    for (int c = 0; c < topology->clusters; c++) {
        bool found = topology->cluster[c].ranks < 2;
        for (int i = 0; i < topology->cycles; i++) {
            found = found || (topology->cycle[i].pattern == pattern && topology->cycle[i].cluster == c);
        }
        if (!found) {
            return c;
        }
    }
    return -1;
}

static void read_cycles(raw_reader *reader, const json_t *array)
{
    inlay_raw_topology *topology = &reader->r->topology;
    topology->cycles = (int)raw_count(reader, array, 0, "an array");
    topology->cycle = raw_room(reader, (size_t)topology->cycles, sizeof *topology->cycle);
    for (int i = 0; i < topology->cycles && reader->status == INLAY_OK; i++) {
        raw_value cycle = raw_element(reader, array, (size_t)i);
        read_cycle(reader, cycle.json, i);
        raw_leave(reader, cycle);
    }
    for (int p = 0; p < INLAY_PATTERNS && reader->status == INLAY_OK; p++) {
        if (topology->wanted[p] && without_cycle(topology, (inlay_pattern)p) >= 0) {
            raw_refuse(reader, array, "some of each pattern in each cluster of two ranks or more");
        }
    }
}

void raw_read_topology(raw_reader *reader, const json_t *root)
{
    static const struct {
        const char *key;
        void (*read)(raw_reader *, const json_t *);
    } parts[] = {{"topology", read_wanted}, {"clusters", read_clusters}, {"cycles", read_cycles}};
    inlay_raw_topology *topology = &reader->r->topology;
    topology->given = json_object_get(root, parts[0].key) != NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && topology->given && reader->status == INLAY_OK; i++) {
        raw_value value = raw_member(reader, root, parts[i].key);
        parts[i].read(reader, value.json);
        raw_leave(reader, value);
    }
}
