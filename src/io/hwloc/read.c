/*
 * hwloc's descriptions of computers (lstopo FILE.xml) through libhwloc: one host with its cores, one more for every
 * further kind of cores. libxml2 looks at the document first: what it refuses has its line, and it tells the version.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/formats.h"
#include "io/hwloc/document.h"
#include "io/look.h"
#include "io/machine_formats.h"
#include "io/node.h"
#include <stdlib.h>
#include <string.h>

bool hwloc_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "topology");
}

#ifdef INLAY_HWLOC

#include <hwloc.h>
#include <inttypes.h>
#include <libxml/xmlerror.h>
#include <math.h>

/* Cores of one kind. */
typedef struct core_kind {
    int cores;
    double megahertz; /* 0: not told */
} core_kind;

typedef struct computer {
    hwloc_topology_t topology;
    const char *source;
    inlay_diag *diag;
    owned own;
    char *text; /* the document, with a NUL behind it */
    hwloc_obj_type_t processor;
    core_kind *kind; /* [kinds] as hwloc ranks them, slow ones first; the last are of no kind that it knows */
    int kinds, used; /* used: kinds that have cores */
    bool with_cards; /* GPUs are hosts, too */
    bool ranked;     /* hwloc knows which kind is faster */
} computer;

/* ---- The document ---- */

static int refuse(const computer *c)
{
    return diag_fail_at(c->diag, INLAY_BAD_INPUT, c->source, 0,
                        "libhwloc cannot read this description of a computer; expected what lstopo FILE.xml writes");
}

/*
 * libhwloc gives libxml2 a function of a plugin for its errors, which is gone when the plugin is: the caller's comes
 * back. It says nothing on standard error about documents, unless HWLOC_XML_VERBOSE asks it to.
 */
static bool load_text(const computer *c, size_t size)
{
    xmlGenericErrorFunc said = xmlGenericError;
    void *to = xmlGenericErrorContext;
    bool done = hwloc_topology_set_xmlbuffer(c->topology, c->text, (int)size + 1) == 0 &&
                hwloc_topology_set_io_types_filter(c->topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) == 0 &&
                hwloc_topology_load(c->topology) == 0;
    xmlSetGenericErrorFunc(to, said);
    return done;
}

static int load(computer *c, const char *data, size_t size)
{
    int status = hwloc_document_check(data, size, c->source, c->diag);
    if (status != INLAY_OK) {
        return status;
    }
    c->text = memory_array(size + 1, 1);
    if (c->text == NULL || hwloc_topology_init(&c->topology) != 0) {
        return diag_no_memory(c->diag);
    }
    memcpy(c->text, data, size);
    c->text[size] = '\0';
    bool done = load_text(c, size);
    int cores = done ? hwloc_get_nbobjs_by_type(c->topology, HWLOC_OBJ_CORE) : 0;
    c->processor = cores > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    return done && hwloc_get_nbobjs_by_type(c->topology, c->processor) > 0 ? INLAY_OK : refuse(c);
}

/* ---- Kinds of cores ---- */

#if HWLOC_API_VERSION >= 0x00020400

static int count_kinds(const computer *c)
{
    int kinds = hwloc_cpukinds_get_nr(c->topology, 0);
    return kinds > 0 ? kinds : 0;
}

/* That of a core's first thread; the last one where hwloc knows none. */
static int kind_of(const computer *c, hwloc_obj_t core)
{
    hwloc_bitmap_t first = hwloc_bitmap_dup(core->cpuset);
    if (first == NULL) {
        return c->kinds - 1;
    }
    hwloc_bitmap_singlify(first);
    int kind = hwloc_cpukinds_get_by_cpuset(c->topology, first, 0);
    hwloc_bitmap_free(first);
    return kind >= 0 && kind < c->kinds ? kind : c->kinds - 1;
}

static void look_at_kind(computer *c, int kind)
{
    int rank = -1;
#if HWLOC_API_VERSION >= 0x00030000
    struct hwloc_infos_s *all = NULL;
    bool known = hwloc_cpukinds_get_info(c->topology, (unsigned)kind, NULL, &rank, &all, 0) == 0;
    unsigned count = known ? all->count : 0;
    const struct hwloc_info_s *info = known ? all->array : NULL;
#else
    unsigned count = 0;
    struct hwloc_info_s *info = NULL;
    bool known = hwloc_cpukinds_get_info(c->topology, (unsigned)kind, NULL, &rank, &count, &info, 0) == 0;
#endif
    c->ranked = c->ranked && known && rank >= 0;
    for (unsigned i = 0; known && i < count; i++) {
        double megahertz = strcmp(info[i].name, "FrequencyMaxMHz") == 0 ? plain_number(info[i].value, NULL) : 0;
        c->kind[kind].megahertz = isfinite(megahertz) && megahertz > 0 ? megahertz : c->kind[kind].megahertz;
    }
}

/* Bytes a second between a NUMA node and the cores beside it; 0: not told. */
static double bandwidth_of(const computer *c, hwloc_obj_t node)
{
    struct hwloc_location beside = {.type = HWLOC_LOCATION_TYPE_CPUSET, .location = {.cpuset = node->cpuset}};
    hwloc_uint64_t mebibytes = 0;
    bool known = hwloc_memattr_get_value(c->topology, HWLOC_MEMATTR_ID_BANDWIDTH, node, &beside, 0, &mebibytes) == 0;
    return known ? (double)mebibytes * 1048576 : 0;
}

#else /* an older libhwloc knows neither */

static int count_kinds(const computer *c)
{
    (void)c;
    return 0;
}

static int kind_of(const computer *c, hwloc_obj_t core)
{
    (void)core;
    return c->kinds - 1;
}

static void look_at_kind(computer *c, int kind)
{
    (void)c, (void)kind;
}

static double bandwidth_of(const computer *c, hwloc_obj_t node)
{
    (void)c, (void)node;
    return 0;
}

#endif

static int find_kinds(computer *c)
{
    int known = count_kinds(c);
    c->kinds = known + 1;
    c->ranked = known > 0;
    c->kind = memory_zeroed((size_t)c->kinds, sizeof *c->kind);
    if (c->kind == NULL) {
        return diag_no_memory(c->diag);
    }
    for (int k = 0; k < known; k++) {
        look_at_kind(c, k);
    }
    for (hwloc_obj_t core = NULL; (core = hwloc_get_next_obj_by_type(c->topology, c->processor, core)) != NULL;) {
        c->kind[kind_of(c, core)].cores++;
    }
    for (int k = 0; k < c->kinds; k++) {
        c->used += c->kind[k].cores > 0;
    }
    return INLAY_OK;
}

/* That of the fastest kind; 0 where one is not told. */
static double most_megahertz(const computer *c)
{
    double most = 0;
    for (int k = 0; k < c->kinds; k++) {
        if (c->kind[k].cores > 0 && c->kind[k].megahertz <= 0) {
            return 0;
        }
        most = c->kind[k].cores > 0 && c->kind[k].megahertz > most ? c->kind[k].megahertz : most;
    }
    return most;
}

/* ---- Memory ---- */

/* NUMA nodes with processors beside them. */
typedef struct memories {
    int nodes, told;  /* told: of those the bandwidth is known */
    double bandwidth; /* the sum, bytes a second */
    bool alike;       /* each has processors of its own, as many and as fast as the others' */
} memories;

static int processors_beside(const computer *c, hwloc_obj_t node)
{
    return hwloc_get_nbobjs_inside_cpuset_by_type(c->topology, node->cpuset, c->processor);
}

static memories find_memories(const computer *c)
{
    memories m = {.alike = true};
    hwloc_obj_t before = NULL;
    for (hwloc_obj_t node = NULL; (node = hwloc_get_next_obj_by_type(c->topology, HWLOC_OBJ_NUMANODE, node)) != NULL;) {
        int beside = processors_beside(c, node);
        if (beside == 0) {
            continue;
        }
        double bandwidth = bandwidth_of(c, node);
        m.nodes++;
        m.told += bandwidth > 0;
        m.bandwidth += bandwidth;
        m.alike = m.alike &&
                  (before == NULL ||
                   (!hwloc_bitmap_intersects(before->cpuset, node->cpuset) && processors_beside(c, before) == beside &&
                    !(bandwidth_of(c, before) < bandwidth) && !(bandwidth_of(c, before) > bandwidth)));
        before = node;
    }
    return m;
}

/* Of all nodes together; of each, where they are alike. */
static void write_bandwidth(const computer *c, const memories *m, text_buffer *to)
{
    if (m->told == m->nodes && m->told > 0) {
        int boards = m->alike && c->used == 1 ? m->nodes : 1;
        text_addf(to, "  graph [memory_bandwidth=\"%.15gB/s\", boards=%d];\n", m->bandwidth / boards, boards);
    }
}

/* ---- What is said of it ---- */

/* The next card with a coprocessor, told by the first of its devices: one may be CUDA's and OpenCL's. NULL behind the last. */
static hwloc_obj_t next_card(const computer *c, hwloc_obj_t device)
{
    const struct hwloc_obj *last = device == NULL ? NULL : device->parent;
    while ((device = hwloc_get_next_osdev(c->topology, device)) != NULL) {
#if HWLOC_API_VERSION >= 0x00030000
        bool is_one = (device->attr->osdev.types & HWLOC_OBJ_OSDEV_COPROC) != 0;
#else
        bool is_one = device->attr->osdev.type == HWLOC_OBJ_OSDEV_COPROC;
#endif
        if (is_one && (last == NULL || device->parent != last)) {
            break;
        }
    }
    return device;
}

static int count_cards(const computer *c)
{
    int cards = 0;
    for (hwloc_obj_t card = next_card(c, NULL); card != NULL; card = next_card(c, card)) {
        cards++;
    }
    return cards;
}

/* GB/s of the card's slot; 0: not told. */
static double speed_of(const struct hwloc_obj *card)
{
    const struct hwloc_obj *slot = card->parent;
    return slot != NULL && slot->type == HWLOC_OBJ_PCI_DEVICE ? (double)slot->attr->pcidev.linkspeed : 0;
}

/* A host for each card and its cable, as fast as its slot where that is told of all and no capacity is given. */
static void write_cards(const computer *c, text_buffer *to)
{
    bool told = owned_value(&c->own, "capacity") == NULL;
    int number = 0;
    for (hwloc_obj_t card = next_card(c, NULL); card != NULL; card = next_card(c, card)) {
        told = told && speed_of(card) > 0;
    }
    for (hwloc_obj_t card = next_card(c, NULL); card != NULL; card = next_card(c, card), number++) {
        char type[16] = "gpu", memory[32] = "";
        size_t length = card->subtype == NULL ? 0 : strlen(card->subtype);
        for (size_t i = 0; length > 0 && length < sizeof type && i <= length; i++) {
            char letter = card->subtype[i];
            type[i] = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
        }
        const char *const kibibytes[] = {hwloc_obj_get_info_by_name(card, "CUDAGlobalMemorySize"),
                                         hwloc_obj_get_info_by_name(card, "OpenCLGlobalMemorySize")};
        const char *size = kibibytes[0] != NULL ? kibibytes[0] : kibibytes[1];
        if (size != NULL && strlen(size) < 16 && size[strspn(size, "0123456789")] == '\0') {
            plain_print(memory, sizeof memory, "%sKiB", size);
        }
        bool word = strspn(type, "abcdefghijklmnopqrstuvwxyz") == strlen(type);
        const char *is = word ? type : "gpu";
        node_add_device(to, &c->own, is, number, memory[0] == '\0' ? NULL : memory);
        text_addf(to, "  main -- %s%d", is, number);
        if (told) {
            text_addf(to, " [capacity=\"%.15gGB/s\"]", speed_of(card));
        }
        text_add(to, ";\n");
    }
}

static void warn_left_out(const computer *c)
{
    int threads =
        hwloc_get_nbobjs_by_type(c->topology, HWLOC_OBJ_PU) - hwloc_get_nbobjs_by_type(c->topology, c->processor);
    const struct hwloc_obj *root = hwloc_get_root_obj(c->topology);
    int hidden = hwloc_bitmap_weight(root->complete_cpuset) - hwloc_bitmap_weight(root->cpuset);
    int cards = c->with_cards ? 0 : count_cards(c);
    if (hidden > 0) {
        diag_warn(c->diag, "%s: %d hardware thread%s left out, which lstopo was not allowed to use", c->source, hidden,
                  hidden == 1 ? " is" : "s are");
    }
    if (threads > 0) {
        diag_warn(c->diag, "%s: a processor is a core: %d further hardware thread%s left out", c->source, threads,
                  threads == 1 ? " is" : "s are");
    }
    if (cards > 0) {
        diag_warn(c->diag, "%s: %d %s left out; gpus=yes behind the name takes them in", c->source, cards,
                  cards == 1 ? "GPU or other coprocessor is" : "GPUs or other coprocessors are");
    }
}

static void warn_memory(const computer *c, const memories *m)
{
    if (m->nodes > 1) {
        diag_warn(c->diag, "%s: %d NUMA nodes count as one host, whose cores share all of the memory", c->source,
                  m->nodes);
    }
    if (m->told > 0 && m->told < m->nodes) {
        diag_warn(c->diag, "%s: memory bandwidth is left out: it is told of %d of %d NUMA nodes", c->source, m->told,
                  m->nodes);
    }
    if (hwloc_get_root_obj(c->topology)->total_memory == 0) {
        diag_warn(c->diag, "%s: nothing is said of its memory: it counts as unlimited", c->source);
    }
}

static void warn_speed(const computer *c, double megahertz)
{
    if (c->used > 1) {
        diag_warn(
            c->diag, "%s: cores of %d kinds are hosts of their own, between which messages are free; their speeds %s",
            c->source, c->used,
            megahertz > 0 ? "are as their FrequencyMaxMHz" : "count as equal: speed.TYPE=SPEED behind the name tells");
    } else if (!owned_has_speed(&c->own)) {
        diag_warn(c->diag, "%s: nothing is said of speeds: all cores have speed 1; speed=2Gf behind the name tells",
                  c->source);
    }
}

/* ---- The machine ---- */

/* Types are told where there are several. */
static const char *type_of(const computer *c, int number, char room[24])
{
    if (c->used == 1) {
        return NULL;
    }
    if (c->used == 2 && c->ranked) {
        return number == 0 ? "efficient" : "fast";
    }
    plain_print(room, 24, "kind%d", number);
    return room;
}

static void write_host(const computer *c, int number, const core_kind *kind, double most, text_buffer *to)
{
    char room[24];
    const char *type = type_of(c, number, room);
    int all = hwloc_get_nbobjs_by_type(c->topology, c->processor);
    double memory = (double)hwloc_get_root_obj(c->topology)->total_memory * kind->cores / all;
    text_addf(to, "  p%d [cores=%d", number, kind->cores);
    if (memory >= 1 && memory < (double)INT64_MAX) {
        text_addf(to, ", memory=%" PRId64, (int64_t)memory);
    }
    if (type != NULL) {
        text_addf(to, ", type=%s", type);
    }
    owned_add_speed(&c->own, type, most > 0 ? kind->megahertz / most : 1, to);
    text_add(to, "];\n");
}

/* All cores, which share the main memory. */
static void write_main(const computer *c, text_buffer *to)
{
    char memory[24];
    uint64_t bytes = hwloc_get_root_obj(c->topology)->total_memory;
    plain_print(memory, sizeof memory, "%" PRIu64, bytes);
    node_add_main(to, &c->own, hwloc_get_nbobjs_by_type(c->topology, c->processor), bytes > 0 ? memory : NULL);
}

static int write_computer(const void *of, text_buffer *to, inlay_diag *diag)
{
    const computer *c = of;
    memories m = find_memories(c);
    double most = c->used > 1 ? most_megahertz(c) : 0;
    int number = 0;
    write_bandwidth(c, &m, to);
    if (c->with_cards) {
        text_add(to, "  graph [switching=\"cut-through\"];\n");
        write_main(c, to);
        write_cards(c, to);
    }
    for (int k = 0; !c->with_cards && k < c->kinds; k++) {
        if (c->kind[k].cores > 0) {
            write_host(c, number++, &c->kind[k], most, to);
        }
    }
    for (int a = 0; a < number; a++) {
        for (int b = a + 1; b < number; b++) {
            text_addf(to, "  p%d -- p%d;\n", a, b);
        }
    }
    warn_speed(c, most);
    warn_left_out(c);
    warn_memory(c, &m);
    return owned_check_types(&c->own, diag);
}

static int take_cards(computer *c)
{
    const char *value = owned_value(&c->own, "gpus");
    c->with_cards = value != NULL && strcmp(value, "yes") == 0;
    if (value != NULL && !c->with_cards && strcmp(value, "no") != 0) {
        return diag_fail_at(c->diag, INLAY_BAD_INPUT, c->source, 0, "bad gpus '%s'; expected yes or no", value);
    }
    return c->with_cards && c->used > 1
               ? diag_fail_at(
                     c->diag, INLAY_BAD_INPUT, c->source, 0,
                     "gpus=yes, and its cores are of %d kinds; expected one kind, whose host has the main memory",
                     c->used)
               : INLAY_OK;
}

int hwloc_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag)
{
    static const char *const names[] = {"gpus", NULL};
    computer c = {.source = source, .diag = diag};
    char *name = format_graph_name(source);
    int status = name == NULL ? diag_no_memory(diag) : owned_open(&c.own, source, attributes, count, names, diag);
    status = status == INLAY_OK ? load(&c, data, size) : status;
    status = status == INLAY_OK ? find_kinds(&c) : status;
    status = status == INLAY_OK ? take_cards(&c) : status;
    if (status == INLAY_OK) {
        const explicit_parts parts = {name, source, c.own.rest, c.own.rests, false};
        status = explicit_machine(&parts, write_computer, &c, machine, diag);
    }
    if (c.topology != NULL) {
        hwloc_topology_destroy(c.topology);
    }
    owned_close(&c.own);
    free(c.kind);
    free(c.text);
    free(name);
    return status;
}

#else

int hwloc_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                       size_t count, inlay_machine **machine, inlay_diag *diag)
{
    (void)data, (void)size, (void)attributes, (void)count, (void)machine;
    return diag_fail_at(diag, INLAY_BAD_ARGUMENT, source, 0,
                        "this is hwloc's description of a computer, and this inlay was built without hwloc; expected a "
                        "build where libhwloc-dev is installed");
}

#endif
