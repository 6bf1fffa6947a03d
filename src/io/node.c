/* Machine strings of nodes with accelerators, and what all readers of such nodes write down. */
#include "io/node.h"
#include "base/diag.h"
#include "base/plain.h"
#include "io/dot/dot.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORES = 1 << 20, MOST_DEVICES = 256 };

const char node_word[] = "node";

void node_add_main(text_buffer *to, const owned *own, int64_t cores, const char *memory)
{
    text_addf(to, "  main [main=true, type=cpu, cores=%" PRId64, cores);
    if (memory != NULL) {
        text_add(to, ", memory=");
        to->failed |= !dot_add_id(to, memory);
    }
    owned_add_speed(own, "cpu", 1, to);
    text_add(to, "];\n");
}

void node_add_device(text_buffer *to, const owned *own, const char *type, int number, const char *memory)
{
    text_addf(to, "  %s%d [type=%s", type, number, type);
    if (memory != NULL) {
        text_add(to, ", memory=");
        to->failed |= !dot_add_id(to, memory);
    }
    owned_add_speed(own, type, 1, to);
    text_add(to, "];\n");
}

int node_count(const owned *own, const char *name, int least, int initial, int most, int *count, inlay_diag *diag)
{
    const char *value = owned_value(own, name);
    char *end = NULL;
    long number = value == NULL ? initial : strtol(value, &end, 10);
    if (value != NULL && (!plain_digit(*value) || *end != '\0' || number < least || number > most)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, own->source, 0, "bad %s '%s'; expected a number from %d to %d", name,
                            value, least, most);
    }
    *count = (int)number;
    return INLAY_OK;
}

/* ---- Machine strings ---- */

typedef struct node {
    owned own;
    int cores, devices;
    const char *type;
    bool shared;
} node;

static int refuse(const node *n, const char *name, const char *value, const char *expected, inlay_diag *diag)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, n->own.source, 0, "bad %s '%s'; expected %s", name, value, expected);
}

/* The reader of DOT would tell a line that nobody wrote. */
static int check_values(const node *n, inlay_diag *diag)
{
    static const char *const sizes[] = {"memory", "gpu_memory"};
    inlay_rate rate;
    inlay_duration time;
    int64_t bytes;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *value = owned_value(&n->own, sizes[i]);
        if (value != NULL && (inlay_bytes_parse(value, &bytes) != INLAY_OK || bytes <= 0)) {
            return refuse(n, sizes[i], value, "a size such as 2.5GB or 6GiB", diag);
        }
    }
    const char *peer = owned_value(&n->own, "peer"), *latency = owned_value(&n->own, "peer_latency");
    if (peer != NULL && (inlay_rate_parse(peer, &rate) != INLAY_OK || owned_value(&n->own, "capacity") == NULL)) {
        return refuse(n, "peer", peer,
                      "what a link between two accelerators carries, such as 25GB/s, and capacity=RATE", diag);
    }
    if (latency != NULL &&
        (peer == NULL || inlay_duration_parse(latency, &time) != INLAY_OK || time.value.digits < 0)) {
        return refuse(n, "peer_latency", latency, "a time of at least 0 such as 2us, and peer=RATE", diag);
    }
    return INLAY_OK;
}

static int read_values(node *n, inlay_diag *diag)
{
    const char *type = owned_value(&n->own, "gpu_type"), *shared = owned_value(&n->own, "shared");
    int status = node_count(&n->own, "cores", 1, 1, MOST_CORES, &n->cores, diag);
    status = status == INLAY_OK ? node_count(&n->own, "gpus", 0, 1, MOST_DEVICES, &n->devices, diag) : status;
    status = status == INLAY_OK ? check_values(n, diag) : status;
    n->type = type == NULL ? "cuda" : type;
    n->shared = shared != NULL && strcmp(shared, "yes") == 0;
    for (const char *c = n->type; status == INLAY_OK && (c == n->type || *c != '\0'); c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        if (!letter && (c == n->type || !plain_digit(*c))) {
            status = refuse(n, "gpu_type", n->type, "a word such as cuda or hip", diag);
        }
    }
    if (status == INLAY_OK && (strcmp(n->type, "cpu") == 0 || strcmp(n->type, "main") == 0)) {
        status = refuse(n, "gpu_type", n->type, "another type than that of the cores", diag);
    }
    return status != INLAY_OK || shared == NULL || n->shared || strcmp(shared, "no") == 0
               ? status
               : refuse(n, "shared", shared, "yes where all accelerators share one way to main memory, or no", diag);
}

/* A link between two accelerators is shorter than the way through the bridge, and no detour to main memory. */
static void add_peers(const node *n, text_buffer *to)
{
    const char *peer = owned_value(&n->own, "peer"), *latency = owned_value(&n->own, "peer_latency");
    for (int a = 0; peer != NULL && a < n->devices; a++) {
        for (int b = a + 1; b < n->devices; b++) {
            text_addf(to, "  %s%d -- %s%d [weight=0.75, capacity=\"%s\", latency=\"%s\"];\n", n->type, a, n->type, b,
                      peer, latency == NULL ? "0" : latency);
        }
    }
}

static int write_node(const void *of, text_buffer *to, inlay_diag *diag)
{
    const node *n = of;
    text_add(to, "  graph [switching=\"cut-through\"];\n");
    node_add_main(to, &n->own, n->cores, owned_value(&n->own, "memory"));
    for (int d = 0; d < n->devices; d++) {
        node_add_device(to, &n->own, n->type, d, owned_value(&n->own, "gpu_memory"));
    }
    if (n->shared) {
        text_add(to, "  bridge [kind=switch];\n  main -- bridge [weight=0.5, latency=0];\n");
    }
    for (int d = 0; d < n->devices; d++) {
        text_addf(to, n->shared ? "  bridge -- %s%d [weight=0.5];\n" : "  main -- %s%d;\n", n->type, d);
    }
    add_peers(n, to);
    return owned_check_types(&n->own, diag);
}

int node_machine(const char *source, const inlay_attribute *attributes, size_t count, inlay_machine **machine,
                 inlay_diag *diag)
{
    static const char *const names[] = {"cores",  "gpus", "memory",       "gpu_memory", "gpu_type",
                                        "shared", "peer", "peer_latency", NULL};
    node n = {.cores = 1};
    int status = owned_open(&n.own, source, attributes, count, names, diag);
    status = status == INLAY_OK ? read_values(&n, diag) : status;
    if (status == INLAY_OK) {
        const explicit_parts parts = {
            .name = node_word, .source = source, .attributes = n.own.rest, .count = n.own.rests};
        status = explicit_machine(&parts, write_node, &n, machine, diag);
    }
    owned_close(&n.own);
    return status;
}
