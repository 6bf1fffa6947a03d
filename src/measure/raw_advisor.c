/* What --hosts measured, out of the JSON. */
#include "measure/raw_reader.h"

static void read_computing(raw_reader *reader, const json_t *root)
{
    inlay_raw *r = reader->r;
    inlay_raw_advisor *advisor = &r->advisor;
    raw_value all = raw_member(reader, root, "compute");
    advisor->seconds = raw_room(reader, (size_t)r->ranks, sizeof *advisor->seconds);
    if (!json_is_array(all.json) || json_array_size(all.json) != (size_t)r->ranks) {
        raw_refuse(reader, all.json, "an array with an element for each rank");
    }
    for (int i = 0; i < r->ranks && reader->status == INLAY_OK; i++) {
        raw_value element = raw_element(reader, all.json, (size_t)i);
        (void)raw_whole(reader, element.json, "rank", i, i, "the ranks in their order, from 0 on");
        advisor->seconds[i] = raw_series(reader, element.json, "seconds");
        raw_leave(reader, element);
    }
    raw_leave(reader, all);
}

static void read_pair(raw_reader *reader, const json_t *object, inlay_raw_pair *pair)
{
    const inlay_raw *r = reader->r;
    pair->from = (int)raw_whole(reader, object, "from", 0, r->ranks - 1, "a rank's number");
    pair->to = (int)raw_whole(reader, object, "to", 0, r->ranks - 1, "a rank's number");
    if (pair->from == pair->to) {
        raw_refuse(reader, object, "two ranks");
    }
    pair->pair_class = r->host_of[pair->from] == r->host_of[pair->to] ? INLAY_PAIR_CORE : INLAY_PAIR_NETWORK;
    pair->seconds = raw_by_size(reader, object, "seconds");
}

static void read_pairs(raw_reader *reader, const json_t *root)
{
    inlay_raw_advisor *advisor = &reader->r->advisor;
    raw_value pairs = raw_member(reader, root, "pairs");
    advisor->pairs = (int)raw_count(reader, pairs.json, 1, "an array of one pair at least");
    advisor->pair = raw_room(reader, (size_t)advisor->pairs, sizeof *advisor->pair);
    for (int i = 0; i < advisor->pairs && reader->status == INLAY_OK; i++) {
        raw_value pair = raw_element(reader, pairs.json, (size_t)i);
        read_pair(reader, pair.json, &advisor->pair[i]);
        raw_leave(reader, pair);
    }
    raw_leave(reader, pairs);
}

static void read_ring(raw_reader *reader, const json_t *root)
{
    const inlay_raw *r = reader->r;
    inlay_raw_ring *ring = &reader->r->advisor.ring;
    raw_value object = raw_member(reader, root, "ring");
    ring->rank = raw_ranks(reader, object.json, 2, &ring->ranks);
    bool all = ring->ranks == r->ranks; /* each once, so that all are there where none is beyond them */
    for (int i = 0; i < ring->ranks && reader->status == INLAY_OK; i++) {
        all = all && ring->rank[i] < r->ranks;
    }
    if (!all) {
        raw_refuse(reader, object.json, "a ring of all ranks");
    }
    ring->seconds = raw_by_size(reader, object.json, "seconds");
    raw_leave(reader, object);
}

void raw_read_advisor(raw_reader *reader, const json_t *root)
{
    inlay_raw_advisor *advisor = &reader->r->advisor;
    const int64_t most = INT64_C(1) << 53;
    advisor->given = true;
    advisor->operations = (double)raw_whole(reader, root, "operations", 1, most, "a whole number above 0");
    void (*const parts[])(raw_reader *, const json_t *) = {read_computing, read_pairs, read_ring};
    size_t count = reader->r->ranks > 1 ? sizeof parts / sizeof *parts : 1;
    for (size_t i = 0; i < count && reader->status == INLAY_OK; i++) {
        parts[i](reader, root);
    }
}
