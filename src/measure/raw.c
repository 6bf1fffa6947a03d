/* What was measured: its file, and its parts. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/json/read.h"
#include "measure/raw_reader.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPECTED "expected a file of inlay measure --raw"

const char *inlay_pair_class_name(inlay_pair_class class)
{
    return class == INLAY_PAIR_CORE ? "core" : "network";
}

/* ---- Hosts ---- */

/* A whole number above 0; -1 where it is null. */
static int64_t read_amount(raw_reader *reader, const json_t *object, const char *key, const char *expected)
{
    raw_value value = raw_member(reader, object, key);
    int64_t amount = json_is_integer(value.json) ? json_integer_value(value.json) : -1;
    if (amount < 1 && !json_is_null(value.json)) {
        raw_refuse(reader, value.json, expected);
    }
    raw_leave(reader, value);
    return amount;
}

/* The same; -1 too where an older file has no such member. */
static int64_t read_later(raw_reader *reader, const json_t *object, const char *key)
{
    return json_object_get(object, key) != NULL ? read_amount(reader, object, key, "a number above 0, or null") : -1;
}

static void read_host(raw_reader *reader, const json_t *object, int number)
{
    inlay_raw *r = reader->r;
    inlay_raw_host *host = &r->host[number];
    host->name = raw_text(reader, object, "name");
    bool taken = host->name[0] == '\0';
    for (int i = 0; i < number; i++) {
        taken = taken || strcmp(r->host[i].name, host->name) == 0;
    }
    if (taken) {
        raw_value name = raw_member(reader, object, "name");
        raw_refuse(reader, name.json, "a name that no other host has");
        raw_leave(reader, name);
    }
    host->rank = raw_ranks(reader, object, 1, &host->ranks);
    r->ranks += host->ranks;
    host->memory = read_amount(reader, object, "memory", "bytes above 0, or null");
    host->cores = read_later(reader, object, "cores");
    host->numa = read_later(reader, object, "numa_nodes");
}

/* Every rank from 0 on has one host. */
static void place_ranks(raw_reader *reader)
{
    inlay_raw *r = reader->r;
    r->host_of = raw_room(reader, (size_t)r->ranks, sizeof *r->host_of);
    if (r->host_of == NULL) {
        return;
    }
    for (int i = 0; i < r->ranks; i++) {
        r->host_of[i] = -1;
    }
    for (int h = 0; h < r->hosts && reader->status == INLAY_OK; h++) {
        for (int i = 0; i < r->host[h].ranks && reader->status == INLAY_OK; i++) {
            int rank = r->host[h].rank[i];
            if (rank >= r->ranks || r->host_of[rank] >= 0) {
                reader->status = diag_fail_at(reader->diag, INLAY_BAD_INPUT, r->source, 0,
                                              "hosts[%d] has rank %d; expected every rank from 0 to %d on one host", h,
                                              rank, r->ranks - 1);
            } else {
                r->host_of[rank] = h;
            }
        }
    }
}

static void read_hosts(raw_reader *reader, const json_t *root)
{
    inlay_raw *r = reader->r;
    raw_value hosts = raw_member(reader, root, "hosts");
    r->hosts = (int)raw_count(reader, hosts.json, 1, "an array of one host at least");
    r->host = raw_room(reader, (size_t)r->hosts, sizeof *r->host);
    for (int h = 0; h < r->hosts && reader->status == INLAY_OK; h++) {
        raw_value host = raw_element(reader, hosts.json, (size_t)h);
        read_host(reader, host.json, h);
        raw_leave(reader, host);
    }
    raw_leave(reader, hosts);
    if (reader->status == INLAY_OK) {
        place_ranks(reader);
    }
}

/* ---- Computing and memory ---- */

static void read_compute(raw_reader *reader, const json_t *object, inlay_raw_compute *compute)
{
    raw_value kind = raw_member(reader, object, "arithmetic");
    compute->arithmetic_alone = raw_series(reader, kind.json, "alone");
    compute->arithmetic_all = raw_series(reader, kind.json, "all");
    raw_leave(reader, kind);
    kind = raw_member(reader, object, "function");
    compute->function_alone = raw_series(reader, kind.json, "alone");
    compute->function_all = raw_series(reader, kind.json, "all");
    raw_leave(reader, kind);
}

static void read_copying(raw_reader *reader, const json_t *object, inlay_raw_memory *memory)
{
    memory->alone = raw_series(reader, object, "alone");
    memory->all = raw_series(reader, object, "all");
}

/* `array` has an element for each of `count`, in whatever order; the element's number, which `key` gives, is free. */
static int read_number(raw_reader *reader, const json_t *object, const char *key, const bool *taken, int count)
{
    const char *expected = strcmp(key, "rank") == 0 ? "a rank's number, once" : "a host's number, once";
    int number = (int)raw_whole(reader, object, key, 0, count - 1, expected);
    if (reader->status == INLAY_OK && taken[number]) {
        raw_value value = raw_member(reader, object, key);
        raw_refuse(reader, value.json, expected);
        raw_leave(reader, value);
    }
    return number;
}

static void read_figures(raw_reader *reader, const json_t *root, bool memory)
{
    inlay_raw *r = reader->r;
    int count = memory ? r->hosts : r->ranks;
    raw_value all = raw_member(reader, root, memory ? "memory" : "compute");
    bool *taken = raw_room(reader, (size_t)count, sizeof *taken);
    if (!json_is_array(all.json) || json_array_size(all.json) != (size_t)count) {
        raw_refuse(reader, all.json,
                   memory ? "an array with an element for each host" : "an array with an element for each rank");
    }
    for (int i = 0; i < count && reader->status == INLAY_OK; i++) {
        raw_value element = raw_element(reader, all.json, (size_t)i);
        int number = read_number(reader, element.json, memory ? "host" : "rank", taken, count);
        taken[number] = true;
        if (memory) {
            read_copying(reader, element.json, &r->memory[number]);
        } else {
            read_compute(reader, element.json, &r->compute[number]);
        }
        raw_leave(reader, element);
    }
    raw_leave(reader, all);
}

/* ---- Messages ---- */

static void read_sizes(raw_reader *reader, const json_t *root)
{
    inlay_raw *r = reader->r;
    raw_value sizes = raw_member(reader, root, "sizes");
    r->sizes = (int)raw_count(reader, sizes.json, 2, "an array of two sizes at least");
    r->size = raw_room(reader, (size_t)r->sizes, sizeof *r->size);
    for (int i = 0; i < r->sizes && reader->status == INLAY_OK; i++) {
        raw_value size = raw_element(reader, sizes.json, (size_t)i);
        json_int_t bytes = json_integer_value(size.json);
        if (!json_is_integer(size.json) || bytes < 0 || (i > 0 && bytes <= r->size[i - 1])) {
            raw_refuse(reader, size.json, "a whole number of bytes above the one before");
        }
        r->size[i] = bytes;
        raw_leave(reader, size);
    }
    raw_leave(reader, sizes);
}

static bool has_pair(const inlay_raw *r, int count, int from, int to)
{
    bool found = false;
    for (int i = 0; i < count; i++) {
        const inlay_raw_pair *p = &r->pair[i];
        found = found || (p->from == from && p->to == to) || (p->from == to && p->to == from);
    }
    return found;
}

static void read_pair(raw_reader *reader, const json_t *object, int number)
{
    inlay_raw *r = reader->r;
    inlay_raw_pair *pair = &r->pair[number];
    pair->from = (int)raw_whole(reader, object, "from", 0, r->ranks - 1, "a rank's number");
    pair->to = (int)raw_whole(reader, object, "to", 0, r->ranks - 1, "a rank's number");
    if (pair->from == pair->to || has_pair(r, number, pair->from, pair->to)) {
        raw_refuse(reader, object, "two ranks that no pair before it has");
    }
    pair->pair_class = r->host_of[pair->from] == r->host_of[pair->to] ? INLAY_PAIR_CORE : INLAY_PAIR_NETWORK;
    pair->seconds = raw_by_size(reader, object, "seconds");
    if (json_object_get(object, "send") != NULL || json_object_get(object, "receive") != NULL) {
        pair->send = raw_by_size(reader, object, "send");
        pair->receive = raw_by_size(reader, object, "receive");
    }
}

/* All pairs have to be there, or some of each class of a sample. */
static void check_pairs(raw_reader *reader, const json_t *array)
{
    const inlay_raw *r = reader->r;
    int64_t possible[INLAY_PAIR_CLASSES] = {0}, all = (int64_t)r->ranks * (r->ranks - 1) / 2;
    int found[INLAY_PAIR_CLASSES] = {0};
    for (int h = 0; h < r->hosts; h++) {
        possible[INLAY_PAIR_CORE] += (int64_t)r->host[h].ranks * (r->host[h].ranks - 1) / 2;
    }
    possible[INLAY_PAIR_NETWORK] = all - possible[INLAY_PAIR_CORE];
    for (int i = 0; i < r->pairs; i++) {
        found[r->pair[i].pair_class]++;
    }
    for (int i = 1; i < r->pairs; i++) {
        if ((r->pair[i].send != NULL) != (r->pair[0].send != NULL)) {
            raw_refuse(reader, array, "send and receive of every pair, or of none");
        }
    }
    if (!r->sampled && r->pairs < all) {
        raw_refuse(reader, array, "every two ranks, or \"sampled\": true");
    }
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        if (possible[c] > 0 && found[c] == 0) {
            raw_refuse(reader, array,
                       c == INLAY_PAIR_CORE ? "two ranks of one host too" : "two ranks of two hosts too");
        }
    }
}

static void read_pairs(raw_reader *reader, const json_t *root)
{
    inlay_raw *r = reader->r;
    raw_value sampled = raw_member(reader, root, "sampled");
    if (!json_is_boolean(sampled.json)) {
        raw_refuse(reader, sampled.json, "true or false");
    }
    r->sampled = json_is_true(sampled.json);
    raw_leave(reader, sampled);
    raw_value pairs = raw_member(reader, root, "pairs");
    r->pairs = (int)raw_count(reader, pairs.json, 0, "an array");
    r->pair = raw_room(reader, (size_t)r->pairs, sizeof *r->pair);
    for (int i = 0; i < r->pairs && reader->status == INLAY_OK; i++) {
        raw_value pair = raw_element(reader, pairs.json, (size_t)i);
        read_pair(reader, pair.json, i);
        raw_leave(reader, pair);
    }
    if (reader->status == INLAY_OK) {
        check_pairs(reader, pairs.json);
    }
    raw_leave(reader, pairs);
}

/* ---- Rings ---- */

/* The ranks of a ring over the network are of as many hosts, those of one over cores of one host. */
static bool is_ring(const inlay_raw *r, const inlay_raw_ring *ring, inlay_pair_class class)
{
    bool good = true;
    for (int i = 0; i < ring->ranks; i++) {
        good = good && ring->rank[i] < r->ranks;
    }
    for (int i = 1; i < ring->ranks && good; i++) {
        for (int j = 0; j < i; j++) {
            bool together = r->host_of[ring->rank[i]] == r->host_of[ring->rank[j]];
            good = good && together == (class == INLAY_PAIR_CORE);
        }
    }
    return good;
}

static void read_ring(raw_reader *reader, const json_t *object)
{
    inlay_raw *r = reader->r;
    const char *name = raw_text(reader, object, "class");
    inlay_pair_class class =
        strcmp(name, inlay_pair_class_name(INLAY_PAIR_CORE)) == 0 ? INLAY_PAIR_CORE : INLAY_PAIR_NETWORK;
    inlay_raw_ring *ring = &r->ring[class];
    if (strcmp(name, inlay_pair_class_name(class)) != 0 || ring->ranks > 0) {
        raw_value value = raw_member(reader, object, "class");
        raw_refuse(reader, value.json, "core or network, each once");
        raw_leave(reader, value);
    }
    ring->rank = raw_ranks(reader, object, 2, &ring->ranks);
    if (reader->status == INLAY_OK && !is_ring(r, ring, class)) {
        raw_value ranks = raw_member(reader, object, "ranks");
        raw_refuse(reader, ranks.json, class == INLAY_PAIR_CORE ? "ranks of one host" : "ranks of different hosts");
        raw_leave(reader, ranks);
    }
    ring->seconds = raw_by_size(reader, object, "seconds");
}

static void read_rings(raw_reader *reader, const json_t *root)
{
    const inlay_raw *r = reader->r;
    raw_value rings = raw_member(reader, root, "rings");
    size_t count = raw_count(reader, rings.json, 0, "an array");
    for (size_t i = 0; i < count && reader->status == INLAY_OK; i++) {
        raw_value ring = raw_element(reader, rings.json, i);
        read_ring(reader, ring.json);
        raw_leave(reader, ring);
    }
    inlay_pair_class needed = r->hosts > 1 ? INLAY_PAIR_NETWORK : INLAY_PAIR_CORE;
    if (r->ranks > 1 && r->ring[needed].ranks == 0) {
        raw_refuse(reader, rings.json, r->hosts > 1 ? "a ring of class network" : "a ring of class core");
    }
    raw_leave(reader, rings);
}

/* ---- The whole ---- */

static void read_others(raw_reader *reader, const json_t *root)
{
    const json_t *others = json_object_get(root, "others");
    double share = others == NULL ? -1 : json_number_value(others);
    reader->r->others = share;
    if (others != NULL && (!json_is_number(others) || !(share >= 0 && share <= 1))) {
        raw_value value = raw_member(reader, root, "others");
        raw_refuse(reader, value.json, "a share of time from 0 to 1");
        raw_leave(reader, value);
    }
}

static void read_all(raw_reader *reader, const json_t *root)
{
    inlay_raw *r = reader->r;
    if (!json_is_object(root)) {
        raw_refuse(reader, root, "an object, as inlay measure --raw writes it");
        return;
    }
    r->inlay = raw_text(reader, root, "inlay");
    r->date = raw_text(reader, root, "date");
    r->mpi = raw_text(reader, root, "mpi");
    r->compiler = raw_text(reader, root, "compiler");
    r->launched = raw_text(reader, root, "launched");
    void (*const parts[])(raw_reader *, const json_t *) = {read_sizes, read_pairs, read_rings, raw_read_topology};
    read_others(reader, root);
    read_hosts(reader, root);
    if (json_object_get(root, "operations") != NULL && reader->status == INLAY_OK) {
        read_sizes(reader, root);
        raw_read_advisor(reader, root);
        return;
    }
    r->compute = raw_room(reader, (size_t)r->ranks, sizeof *r->compute);
    r->memory = raw_room(reader, (size_t)r->hosts, sizeof *r->memory);
    if (reader->status == INLAY_OK) {
        read_figures(reader, root, false);
        read_figures(reader, root, true);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts && reader->status == INLAY_OK; i++) {
        parts[i](reader, root);
    }
}

/* What is read, with what it points to. */
typedef struct kept {
    inlay_raw raw; /* the first member: its place is that of the whole */
    json_t *json;
    memory_pool pool;
} kept;

static int take(kept *all, const char *source, inlay_diag *diag)
{
    raw_reader reader = {.r = &all->raw, .pool = &all->pool, .diag = diag};
    char *name = raw_room(&reader, strlen(source) + 1, 1);
    if (reader.status == INLAY_OK) {
        all->raw.source = strcpy(name, source);
        read_all(&reader, all->json);
    }
    return reader.status == INLAY_NO_MEMORY ? diag_no_memory(diag) : reader.status;
}

int inlay_raw_parse(const char *text, size_t size, const char *source, inlay_raw **raw, inlay_diag *diag)
{
    DIAG_CALL(diag);
    json_error_t error;
    kept *all = memory_zeroed(1, sizeof *all);
    if (all == NULL) {
        return diag_no_memory(diag);
    }
    all->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    int status = all->json != NULL                        ? take(all, source, diag)
                 : json_memory_is_out(&error, text, size) ? diag_no_memory(diag)
                                                          : diag_fail_at(diag, INLAY_BAD_INPUT, source, error.line,
                                                                         "not valid JSON (%s); " EXPECTED, error.text);
    if (status != INLAY_OK) {
        inlay_raw_free(&all->raw);
        return status;
    }
    *raw = &all->raw;
    return INLAY_OK;
}

int inlay_raw_read(const char *path, inlay_raw **raw, inlay_diag *diag)
{
    DIAG_CALL(diag);
    struct stat of;
    file_content content;
    int why = strcmp(path, "-") == 0 || access(path, R_OK) == 0 ? 0 : errno;
    why = why == 0 && stat(path, &of) == 0 && S_ISDIR(of.st_mode) ? EISDIR : why;
    if (why != 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "cannot be read (%s); " EXPECTED, plain_error(why));
    }
    int status = file_read(path, &content, diag);
    if (status == INLAY_OK) {
        status = inlay_raw_parse(content.data, content.size, path, raw, diag);
        file_content_clear(&content);
    }
    return status;
}

void inlay_raw_free(inlay_raw *raw)
{
    kept *all = (kept *)raw;
    if (all != NULL) {
        json_decref(all->json);
        pool_clear(&all->pool);
    }
    free(all);
}
