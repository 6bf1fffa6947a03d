/*
 * What StarPU measured of a computer, as a machine: NAME.config says how many devices there are, NAME.bandwidth (MB/s) and
 * NAME.latency (us) what lies between each two memories, in rows "from" and columns "to": main memory first (one for each NUMA
 * node), then the devices of CUDA, of HIP, of OpenCL. NAME.platform.v4.xml, a SimGrid platform, knows the devices' memories and
 * which of them are behind one bridge.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/formats.h"
#include "io/node.h"
#include "io/xml.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 256, MOST_CPUS = 1 << 20 };
enum { CPUS, NUMA, CUDA, HIP, OPENCL, COUNTS };
static const char head[] = "# Current configuration";
static const char *const counted[COUNTS] = {"CPUs", "NUMA nodes", "CUDA devices", "HIP devices", "OpenCL devices"};
static const char *const types[COUNTS] = {[CUDA] = "cuda", [HIP] = "hip", [OPENCL] = "opencl"};
static const char *const platform_names[COUNTS] = {[CUDA] = "CUDA", [HIP] = "HIP", [OPENCL] = "OpenCL"};

typedef struct device {
    char memory[24]; /* bytes; empty: not known */
    char *bridge;    /* that which is nearest to main memory; NULL: not known */
} device;

typedef struct computer {
    const char *source;
    inlay_diag *diag;
    owned own;
    int count[COUNTS];
    int type, cores, devices, first; /* of the devices: the first one's row */
    double *bandwidth, *latency;     /* [nodes x nodes]; nodes = 1 + devices, main memory first */
    device *device;
    int inside, from; /* of the platform: the device whose element, or whose route from main memory, is open; else -1 */
} computer;

bool starpu_config_looks_like(const char *data, size_t size)
{
    return size >= strlen(head) && memcmp(data, head, strlen(head)) == 0;
}

static double *at(const computer *c, double *matrix, int from, int to)
{
    return &matrix[(size_t)from * (size_t)(c->devices + 1) + (size_t)to];
}

/* The file beside it; with `ending` in the place of the last one. The caller frees. */
static char *beside(const computer *c, const char *ending)
{
    text_buffer path = {0};
    const char *dot = strrchr(c->source, '.'), *slash = strrchr(c->source, '/');
    size_t stem = dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - c->source) : strlen(c->source);
    text_append(&path, c->source, stem);
    text_add(&path, ending);
    if (path.failed) {
        text_clear(&path);
    }
    return path.data;
}

/* ---- NAME.config ---- */

/* Cuts the next line off; NULL at the end. */
static char *next_line(char **rest)
{
    char *line = *rest, *end = line + strcspn(line, "\n");
    if (*line == '\0') {
        return NULL;
    }
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return plain_trim(line, PLAIN_SPACES);
}

static int read_count(computer *c, const char *line, long number)
{
    static const char mark[] = "# Number of ";
    char *end;
    long count = strtol(line, &end, 10);
    const char *what = strstr(line, mark);
    if (!plain_digit(*line) || what == NULL || end[strspn(end, PLAIN_SPACES)] != '#' || count > MOST_CPUS) {
        return diag_fail_at(
            c->diag, INLAY_BAD_INPUT, c->source, number,
            "'%.60s' is no line of StarPU's configuration of a computer; expected one such as 12 # Number of "
            "CPUs",
            line);
    }
    for (int i = 0; i < COUNTS; i++) {
        if (strcmp(what + strlen(mark), counted[i]) == 0) {
            c->count[i] = (int)count;
        }
    }
    return INLAY_OK;
}

/* Each device of CUDA is one of OpenCL, too: the first of the three that there are. */
static int choose_devices(computer *c)
{
    c->first = c->count[NUMA] > 0 ? c->count[NUMA] : 1;
    for (c->type = CUDA; c->type < OPENCL && c->count[c->type] == 0; c->type++) {
    }
    c->devices = c->count[c->type];
    if (c->first + c->devices > MOST_NODES || c->count[CPUS] < 1) {
        return diag_fail_at(c->diag, INLAY_BAD_INPUT, c->source, 0,
                            "%d CPUs and %d devices; expected at least one CPU and at most %d devices", c->count[CPUS],
                            c->devices, MOST_NODES - 1);
    }
    if (c->type != OPENCL && c->count[OPENCL] > 0) {
        diag_warn(c->diag, "%s: %d devices of OpenCL are left out, for those of %s are there", c->source,
                  c->count[OPENCL], platform_names[c->type]);
    }
    int status = node_count(&c->own, "gpus", 0, c->devices, c->devices, &c->devices, c->diag);
    int left = c->count[CPUS] > c->devices ? c->count[CPUS] - c->devices : 1;
    status = status == INLAY_OK ? node_count(&c->own, "cores", 1, left, c->count[CPUS], &c->cores, c->diag) : status;
    if (status == INLAY_OK && owned_value(&c->own, "cores") == NULL && c->devices > 0) {
        diag_warn(c->diag,
                  "%s: of its %d CPUs %d drive devices, as StarPU has it; cores=N behind the name tells others",
                  c->source, c->count[CPUS], c->devices);
    }
    return status;
}

static int read_config(computer *c, char *text)
{
    int status = INLAY_OK;
    long number = 1;
    for (char *line; status == INLAY_OK && (line = next_line(&text)) != NULL; number++) {
        status = *line == '\0' || *line == '#' ? INLAY_OK : read_count(c, line, number);
    }
    return status == INLAY_OK ? choose_devices(c) : status;
}

/* ---- NAME.bandwidth, NAME.latency ---- */

/* The row of main memory, or of a device, in the file; -1: of none that is wanted. */
static int node_of(const computer *c, int place)
{
    int skipped = c->type == HIP ? c->count[CUDA] : c->type == OPENCL ? c->count[CUDA] + c->count[HIP] : 0;
    int own = place - c->first - skipped;
    return place == 0 ? 0 : own >= 0 && own < c->devices ? own + 1 : -1;
}

static int take_row(const computer *c, const char *path, long number, int row, const char *line, bool zero,
                    double *matrix)
{
    int columns = 0;
    for (int column = 0; *line != '\0'; column++) {
        char *end;
        double value = plain_number(line, &end);
        int to = node_of(c, column), from = node_of(c, row);
        if (end == line || (to >= 0 && to != from && !(value >= 0 && (zero || value > 0) && value < 1e15))) {
            return diag_fail_at(c->diag, INLAY_BAD_INPUT, path, number, "column %d is '%.20s'; expected a number %s",
                                column, line, zero ? "of us" : "of MB/s above 0");
        }
        if (to >= 0) {
            *at(c, matrix, from, to) = value;
            columns++;
        }
        line = end + strspn(end, PLAIN_SPACES);
    }
    return columns == c->devices + 1
               ? INLAY_OK
               : diag_fail_at(c->diag, INLAY_BAD_INPUT, path, number,
                              "the row breaks off; expected a number for each of the memories of NAME.config");
}

static int take_rows(const computer *c, const char *path, char *text, bool zero, double *matrix)
{
    int status = INLAY_OK, row = 0, rows = 0;
    long number = 1;
    for (char *line; status == INLAY_OK && (line = next_line(&text)) != NULL; number++) {
        if (*line == '\0' || *line == '#') {
            continue;
        }
        if (node_of(c, row) >= 0) {
            status = take_row(c, path, number, row, line, zero, matrix);
            rows++;
        }
        row++;
    }
    return status != INLAY_OK || rows == c->devices + 1
               ? status
               : diag_fail_at(c->diag, INLAY_BAD_INPUT, path, number,
                              "%d rows; expected one for each of the memories of NAME.config", row);
}

static int read_matrix(const computer *c, const char *ending, bool zero, double **matrix)
{
    char *path = beside(c, ending);
    size_t nodes = (size_t)c->devices + 1;
    file_content content = {0};
    *matrix = memory_zeroed(nodes * nodes, sizeof **matrix);
    int status = path == NULL || *matrix == NULL ? diag_no_memory(c->diag) : file_read(path, &content, c->diag);
    status = status == INLAY_OK ? take_rows(c, path, content.data, zero, *matrix) : status;
    file_content_clear(&content);
    free(path);
    return status;
}

/* ---- NAME.platform.v4.xml ---- */

/* Whose name it is in the platform; -1: that of no device that is wanted. */
static int device_named(const computer *c, const char *name)
{
    size_t length = strlen(platform_names[c->type]);
    if (name == NULL || strncmp(name, platform_names[c->type], length) != 0 || !plain_digit(name[length])) {
        return -1;
    }
    long number = strtol(name + length, NULL, 10);
    return number < c->devices ? (int)number : -1;
}

static int on_open(void *context, const xml_tag *tag)
{
    computer *c = context;
    const char *id = xml_value(tag, "id"), *value = xml_value(tag, "value");
    int64_t bytes;
    if (strcmp(tag->name, "host") == 0) {
        c->inside = device_named(c, id);
    } else if (strcmp(tag->name, "prop") == 0 && c->inside >= 0 && id != NULL && strcmp(id, "memsize") == 0 &&
               value != NULL && inlay_bytes_parse(value, &bytes) == INLAY_OK && bytes > 0) {
        (void)plain_print(c->device[c->inside].memory, sizeof c->device->memory, "%" PRId64, bytes);
    } else if (strcmp(tag->name, "route") == 0) {
        const char *src = xml_value(tag, "src");
        c->from = src != NULL && strcmp(src, "RAM") == 0 ? device_named(c, xml_value(tag, "dst")) : -1;
    } else if (strcmp(tag->name, "link_ctn") == 0 && c->from >= 0 && id != NULL && strncmp(id, "PCI:", 4) == 0) {
        char *kept = memory_string(id); /* the route is told from its end on */
        free(c->device[c->from].bridge);
        c->device[c->from].bridge = kept;
        return kept == NULL ? diag_no_memory(c->diag) : INLAY_OK;
    }
    return INLAY_OK;
}

static int on_close(void *context, const char *name, const char *text)
{
    (void)text;
    computer *c = context;
    c->inside = strcmp(name, "host") == 0 ? -1 : c->inside;
    return INLAY_OK;
}

static int read_platform(computer *c)
{
    static const xml_reader reader = {.expected = "a SimGrid platform", .open = on_open, .close = on_close};
    static const char *const endings[] = {".platform.v4.xml", ".platform.xml"};
    file_content content = {0};
    char *path = NULL;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        free(path);
        path = beside(c, endings[i]);
        if (path == NULL) {
            return diag_no_memory(c->diag);
        }
        if (file_exists(path)) {
            break;
        }
    }
    int status = INLAY_OK;
    if (file_exists(path)) {
        status = file_read(path, &content, c->diag);
        status = status == INLAY_OK ? xml_parse(content.data, content.size, path, &reader, c, c->diag) : status;
    } else if (c->devices > 0) {
        diag_warn(c->diag, "there is no %s: memories of devices count as unlimited, and none share a bridge", path);
    }
    file_content_clear(&content);
    free(path);
    return status;
}

/* ---- The machine ---- */

static void add_link(text_buffer *to, const char *from, const char *until, double megabytes, double us, double weight)
{
    char rate[DOUBLE_TEXT], time[DOUBLE_TEXT], length[DOUBLE_TEXT];
    text_addf(to, "  %s -> %s [capacity=\"%sMB/s\", latency=\"%sus\", weight=%s];\n", from, until,
              double_text(megabytes, rate), double_text(us, time), double_text(weight, length));
}

/* How many devices are behind the bridge of this one, and whether it is the first of them. */
static int behind(const computer *c, int d, bool *first)
{
    int count = 0;
    *first = true;
    for (int e = 0; e < c->devices && c->device[d].bridge != NULL; e++) {
        bool same = c->device[e].bridge != NULL && strcmp(c->device[e].bridge, c->device[d].bridge) == 0;
        *first = *first && !(same && e < d);
        count += same;
    }
    return count;
}

/* The first device's number names a bridge. */
static int bridge_of(const computer *c, int d)
{
    int e = 0;
    while (c->device[e].bridge == NULL || strcmp(c->device[e].bridge, c->device[d].bridge) != 0) {
        e++;
    }
    return e;
}

/* The way to main memory: a cable, or through a bridge as fast as the fastest behind it. */
static void add_way(const computer *c, int d, text_buffer *to)
{
    char name[32], hub[32] = "main";
    bool first;
    double weight = behind(c, d, &first) > 1 ? 0.5 : 1;
    (void)plain_print(name, sizeof name, "%s%d", types[c->type], d);
    if (weight < 1) {
        (void)plain_print(hub, sizeof hub, "bridge%d", bridge_of(c, d));
    }
    if (weight < 1 && first) {
        double down = 0, up = 0;
        for (int e = d; e < c->devices; e++) {
            bool one = c->device[e].bridge != NULL && bridge_of(c, e) == d;
            down = one ? fmax(down, *at(c, c->bandwidth, 0, e + 1)) : down;
            up = one ? fmax(up, *at(c, c->bandwidth, e + 1, 0)) : up;
        }
        text_addf(to, "  %s [kind=switch];\n", hub);
        add_link(to, "main", hub, down, 0, weight);
        add_link(to, hub, "main", up, 0, weight);
    }
    add_link(to, hub, name, *at(c, c->bandwidth, 0, d + 1), *at(c, c->latency, 0, d + 1), weight);
    add_link(to, name, hub, *at(c, c->bandwidth, d + 1, 0), *at(c, c->latency, d + 1, 0), weight);
}

static int write_computer(const void *of, text_buffer *to, inlay_diag *diag)
{
    const computer *c = of;
    text_add(to, "  graph [switching=\"cut-through\"];\n");
    node_add_main(to, &c->own, c->cores, NULL);
    for (int d = 0; d < c->devices; d++) {
        node_add_device(to, &c->own, types[c->type], d, c->device[d].memory[0] == '\0' ? NULL : c->device[d].memory);
    }
    for (int d = 0; d < c->devices; d++) {
        add_way(c, d, to);
    }
    for (int a = 0; a < c->devices; a++) {
        for (int b = 0; b < c->devices; b++) {
            char from[32], until[32];
            (void)plain_print(from, sizeof from, "%s%d", types[c->type], a);
            (void)plain_print(until, sizeof until, "%s%d", types[c->type], b);
            if (a != b) { /* shorter than through a bridge, and no detour to main memory */
                add_link(to, from, until, *at(c, c->bandwidth, a + 1, b + 1), *at(c, c->latency, a + 1, b + 1), 0.75);
            }
        }
    }
    return owned_check_types(&c->own, diag);
}

static int check_rest(const computer *c)
{
    for (size_t i = 0; i < c->own.rests; i++) {
        const char *name = c->own.rest[i].name;
        if (strcmp(name, "capacity") == 0 || strcmp(name, "link_latency") == 0 || strcmp(name, "duplex") == 0) {
            return diag_fail_at(c->diag, INLAY_BAD_INPUT, c->source, 0,
                                "%s=%s stands behind its name; expected what is in NAME.bandwidth and NAME.latency",
                                name, c->own.rest[i].value);
        }
    }
    return INLAY_OK;
}

int starpu_config_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag)
{
    static const char *const names[] = {"cores", "gpus", NULL};
    computer c = {.source = source, .diag = diag, .inside = -1, .from = -1};
    text_buffer text = {0};
    char *name = format_graph_name(source);
    text_append(&text, data, size);
    int status =
        name == NULL || text.failed ? diag_no_memory(diag) : owned_open(&c.own, source, attributes, count, names, diag);
    status = status == INLAY_OK ? check_rest(&c) : status;
    status = status == INLAY_OK ? read_config(&c, text.data) : status;
    c.device = memory_zeroed((size_t)c.devices + 1, sizeof *c.device);
    status = status == INLAY_OK && c.device == NULL ? diag_no_memory(diag) : status;
    status = status == INLAY_OK ? read_matrix(&c, ".bandwidth", false, &c.bandwidth) : status;
    status = status == INLAY_OK ? read_matrix(&c, ".latency", true, &c.latency) : status;
    status = status == INLAY_OK ? read_platform(&c) : status;
    if (status == INLAY_OK) {
        const explicit_parts parts = {name, source, c.own.rest, c.own.rests, true};
        status = explicit_machine(&parts, write_computer, &c, machine, diag);
    }
    for (int d = 0; c.device != NULL && d < c.devices; d++) {
        free(c.device[d].bridge);
    }
    free(c.device);
    free(c.bandwidth);
    free(c.latency);
    owned_close(&c.own);
    text_clear(&text);
    free(name);
    return status;
}
