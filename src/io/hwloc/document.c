/* Descriptions of computers, looked at before libhwloc loads them. */
#include "io/hwloc/document.h"

#ifdef INLAY_HWLOC

#include "base/diag.h"
#include "base/plain.h"
#include "io/xml.h"
#include <hwloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

/* An element that is open. */
typedef struct level {
    bool is_object; /* with sets: neither a device nor a remark */
    bool is_device;
    bool has_child;
    hwloc_bitmap_t all, own;     /* threads: of the complete computer, and those that may be used */
    hwloc_bitmap_t first, taken; /* of the last child, and of all: complete ones */
} level;

typedef struct document {
    const char *source;
    inlay_diag *diag;
    int version;
    int objects, threads, nodes;                   /* of the last two those that are allowed */
    hwloc_bitmap_t allowed_threads, allowed_nodes; /* NULL: all */
    level level[MOST_DEPTH];
} document;

static int refuse(const document *d, const xml_tag *tag, const char *what)
{
    const char *type = xml_value(tag, "type");
    return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, tag->line,
                        "the %.40s '%.40s' %s; expected what lstopo FILE.xml writes", tag->name,
                        type != NULL ? type : "", what);
}

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list != NULL && strcmp(word, *list) != 0) {
        list++;
    }
    return *list != NULL;
}

/* Words of a set between commas: 0x and up to 8 digits, where 0x may be missing; some in the middle may be empty. */
static bool is_set(const char *text)
{
    static const char endless[] = "0xf...f";
    bool first = true;
    if (strncmp(text, endless, strlen(endless)) == 0) { /* all threads from there on */
        text += strlen(endless);
        first = false;
    }
    while (first || *text == ',') {
        text += !first;
        text += text[0] == '0' && text[1] == 'x' ? 2 : 0;
        size_t digits = strspn(text, "0123456789abcdefABCDEF");
        bool empty = !first && digits == 0 && text[0] == ',' && text[-1] == ',';
        if (digits > 8 || (digits == 0 && !empty)) {
            return false;
        }
        text += digits;
        first = false;
    }
    return *text == '\0';
}

static bool read_set(const xml_tag *tag, const char *name, hwloc_bitmap_t *set)
{
    const char *text = xml_value(tag, name); /* which is_set() has seen */
    *set = *set == NULL ? hwloc_bitmap_alloc() : *set;
    return *set != NULL && text != NULL && hwloc_bitmap_sscanf(*set, text) == 0;
}

/* All sets of an element: libhwloc aborts where one cannot be read. */
static int check_sets(const document *d, const xml_tag *tag)
{
    for (size_t i = 0; i < tag->count; i++) {
        const char *name = tag->attribute[2 * i], *value = tag->attribute[2 * i + 1];
        size_t size = strlen(name);
        if (size > 3 && strcmp(name + size - 3, "set") == 0 && !is_set(value)) {
            return refuse(d, tag, "has a set that cannot be read");
        }
    }
    return INLAY_OK;
}

/* Children that are no memory stand in the order of their first threads, of which no two have the same. */
static int check_order(document *d, const xml_tag *tag, level *around, const level *own)
{
    around->first = around->first == NULL ? hwloc_bitmap_alloc() : around->first;
    around->taken = around->taken == NULL ? hwloc_bitmap_alloc() : around->taken;
    if (around->first == NULL || around->taken == NULL) {
        return diag_no_memory(d->diag);
    }
    if (!around->has_child) {
        hwloc_bitmap_zero(around->taken);
    } else if (hwloc_bitmap_intersects(around->taken, own->all) ||
               hwloc_bitmap_compare_first(around->first, own->all) >= 0) {
        return refuse(d, tag, "is not behind its neighbours, or shares threads with one");
    }
    around->has_child = true;
    return hwloc_bitmap_copy(around->first, own->all) == 0 &&
                   hwloc_bitmap_or(around->taken, around->taken, own->all) == 0
               ? INLAY_OK
               : diag_no_memory(d->diag);
}

/* A thread and a NUMA node are the one of their set that has their number. */
static bool is_alone(const xml_tag *tag, hwloc_const_bitmap_t set)
{
    const char *number = xml_value(tag, "os_index");
    return number != NULL && *number != '\0' && strlen(number) < 10 && number[strspn(number, "0123456789")] == '\0' &&
           hwloc_bitmap_weight(set) == 1 && hwloc_bitmap_first(set) == (int)strtol(number, NULL, 10);
}

/* What may be used of all; without such a set, everything. */
static int read_allowed(document *d, const xml_tag *tag)
{
    if (xml_value(tag, "allowed_cpuset") != NULL && !read_set(tag, "allowed_cpuset", &d->allowed_threads)) {
        return diag_no_memory(d->diag);
    }
    return xml_value(tag, "allowed_nodeset") == NULL || read_set(tag, "allowed_nodeset", &d->allowed_nodes)
               ? INLAY_OK
               : diag_no_memory(d->diag);
}

static bool is_allowed(const xml_tag *tag, hwloc_const_bitmap_t allowed)
{
    const char *number = xml_value(tag, "os_index");
    return allowed == NULL ||
           (number != NULL && strlen(number) < 10 && hwloc_bitmap_isset(allowed, (unsigned)strtoul(number, NULL, 10)));
}

static int check_object(document *d, const xml_tag *tag)
{
    static const char *const devices[] = {"Bridge", "PCIDev", "OSDev", "Misc", NULL};
    static const char *const memories[] = {"NUMANode", "MemCache", NULL};
    level *own = &d->level[tag->depth], *around = own - 1;
    const char *type = xml_value(tag, "type");
    if (type == NULL || (tag->depth > 1 && !around->is_object && !around->is_device)) {
        return refuse(d, tag, type == NULL ? "has no type" : "stands in no other object");
    }
    own->is_device = is_one_of(type, devices);
    own->is_object = !own->is_device;
    if (tag->depth == 1 && (d->objects++ > 0 || strcmp(type, "Machine") != 0)) {
        return refuse(d, tag, "is not the one Machine");
    }
    if (own->is_device) {
        return INLAY_OK;
    }
    if (tag->depth > 1 && around->is_device) {
        return refuse(d, tag, "stands in a device");
    }
    hwloc_bitmap_t node = NULL;
    bool sets = read_set(tag, "cpuset", &own->own) && read_set(tag, "complete_cpuset", &own->all) &&
                hwloc_bitmap_weight(own->all) >= 0 && hwloc_bitmap_isincluded(own->own, own->all);
    sets = sets && (d->version < 2 || (read_set(tag, "nodeset", &node) && read_set(tag, "complete_nodeset", &node)));
    bool alone = strcmp(type, "PU") == 0
                     ? sets && is_alone(tag, own->all)
                     : d->version < 2 || strcmp(type, "NUMANode") != 0 || (sets && is_alone(tag, node));
    hwloc_bitmap_free(node);
    if (!sets) {
        return refuse(d, tag, "lacks one of its sets of threads and of NUMA nodes");
    }
    if (!alone) {
        return refuse(d, tag, "has another set than its number");
    }
    own->has_child = false;
    if (tag->depth == 1) {
        return read_allowed(d, tag);
    }
    d->threads += strcmp(type, "PU") == 0 && is_allowed(tag, d->allowed_threads);
    d->nodes += strcmp(type, "NUMANode") == 0 && is_allowed(tag, d->allowed_nodes);
    if (!hwloc_bitmap_isincluded(own->all, around->all) || !hwloc_bitmap_isincluded(own->own, around->own)) {
        return refuse(d, tag, "has threads that the object around it has not");
    }
    bool memory = d->version >= 2 && is_one_of(type, memories);
    return memory ? INLAY_OK : check_order(d, tag, around, own);
}

static int check_version(document *d, const xml_tag *tag)
{
    const char *version = xml_value(tag, "version");
    long major = version == NULL ? 1 : strtol(version, NULL, 10), most = (long)(hwloc_get_api_version() >> 16);
    d->version = (int)(major < most ? major : most);
    return major <= most
               ? INLAY_OK
               : diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, 0,
                              "hwloc's XML of version %ld; expected one up to version %ld, which this libhwloc "
                              "reads: lstopo --export-xml-flags v%ld FILE.xml",
                              major, most, most);
}

static int on_open(void *context, const xml_tag *tag)
{
    document *d = context;
    if (tag->depth >= MOST_DEPTH) {
        return refuse(d, tag, "is too deep in others");
    }
    if (tag->depth == 0) {
        return check_version(d, tag);
    }
    d->level[tag->depth].is_object = d->level[tag->depth].is_device = false;
    int status = check_sets(d, tag);
    return status == INLAY_OK && strcmp(tag->name, "object") == 0 ? check_object(d, tag) : status;
}

int hwloc_document_check(const char *data, size_t size, const char *source, inlay_diag *diag)
{
    static const xml_reader reader = {.expected = "hwloc's description of a computer", .open = on_open};
    document d = {.source = source, .diag = diag};
    int status = xml_parse(data, size, source, &reader, &d, diag);
    if (status == INLAY_OK && (d.threads == 0 || (d.nodes == 0 && d.version >= 2))) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                              "hwloc's description of a computer without %s that may be used; expected one",
                              d.threads == 0 ? "a hardware thread (PU)" : "memory (NUMANode)");
    }
    hwloc_bitmap_free(d.allowed_threads);
    hwloc_bitmap_free(d.allowed_nodes);
    for (int i = 0; i < MOST_DEPTH; i++) {
        hwloc_bitmap_free(d.level[i].all);
        hwloc_bitmap_free(d.level[i].own);
        hwloc_bitmap_free(d.level[i].first);
        hwloc_bitmap_free(d.level[i].taken);
    }
    return status;
}

#endif
