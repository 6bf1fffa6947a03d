/* Reading SimGrid platform files: the document as a whole, and from the tree of zones to the machine. */
#include "io/simgrid/simgrid.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/look.h"
#include "io/simgrid/reader.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void simgrid_say(const simgrid_reader *in, long line, const char *format, ...)
{
    enum { ROOM = 1024 };
    char text[ROOM];
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    diag_fail_at(in->diag, INLAY_BAD_INPUT, in->source, line, "%s", text);
}

/* ---- Elements of the document itself ---- */

int simgrid_open_platform(simgrid_reader *in, const simgrid_tag *tag)
{
    const char *text = simgrid_value(tag, "version");
    char *end;
    double version = plain_number(text, &end);
    if (*text == '\0' || *end != '\0' || !(version >= 4 && version < 4.105)) {
        return simgrid_fail(in, tag->line, "platform version '%s'; expected 4 or 4.1%s", text,
                            version < 4 ? " (simgrid_update_xml brings older files up to date)" : "");
    }
    return INLAY_OK;
}

int simgrid_refuse_include(simgrid_reader *in, const simgrid_tag *tag)
{
    return simgrid_fail(in, tag->line, "include of another file; expected all of the platform in one file");
}

int simgrid_open_config(simgrid_reader *in, const simgrid_tag *tag)
{
    if (!in->told_config) {
        diag_warn(in->diag, "%s:%ld: the configuration of SimGrid is left out", in->source, tag->line);
        in->told_config = true;
    }
    return INLAY_OK;
}

void simgrid_leave_profile(simgrid_reader *in, const simgrid_tag *tag)
{
    if (!in->told_profiles) {
        diag_warn(in->diag,
                  "%s:%ld: profiles over time are left out: speeds, bandwidths and latencies count as constant, and "
                  "nothing fails",
                  in->source, tag->line);
        in->told_profiles = true;
    }
}

int simgrid_open_trace(simgrid_reader *in, const simgrid_tag *tag)
{
    simgrid_leave_profile(in, tag);
    return INLAY_OK;
}

/* ---- The machine ---- */

static const char *name_of(const simgrid_reader *in, int32_t point)
{
    return in->tree->point_name[point];
}

static int fail_twice(const simgrid_reader *in, const zone_fault *fault)
{
    if (fault->bypass_twice != NULL) {
        return simgrid_fail(in, fault->bypass_twice->line, "a second bypass from '%s' to '%s'; expected one",
                            name_of(in, fault->bypass_twice->from), name_of(in, fault->bypass_twice->to));
    }
    const int32_t *member = in->tree->member + in->tree->first_member[fault->twice_zone];
    return simgrid_fail(
        in, fault->twice->line,
        "a second route from '%s' to '%s'; expected one: routes hold both ways unless symmetrical is NO",
        name_of(in, member[fault->twice->from]), name_of(in, member[fault->twice->to]));
}

static int seal(simgrid_reader *in, topology **sealed)
{
    zone_fault fault;
    char *from = NULL;
    char *to = NULL;
    int status = zone_seal(in->tree, &fault, sealed);
    if (status == INLAY_NO_MEMORY) {
        return diag_no_memory(in->diag);
    }
    if (status != INLAY_OK) {
        return fail_twice(in, &fault);
    }
    if (fault.repeated > 0) {
        diag_warn(in->diag, "%s: %zu routes between zones are given again as they are known: each counts once",
                  in->source, fault.repeated);
    }
    if (fault.zone >= 0) {
        const zone_tree *tree = (*sealed)->own;
        const zone_point *a = &tree->point[fault.from];
        const zone_point *b = &tree->point[fault.to];
        from = a->kind == POINT_ZONE ? tree->point_name[fault.from] : (*sealed)->node_name[a->refers];
        to = b->kind == POINT_ZONE ? tree->point_name[fault.to] : (*sealed)->node_name[b->refers];
        diag_warn(in->diag,
                  "%s:%ld: no route from '%s' to '%s': a message between hosts without a route counts as taking 1e6 s",
                  in->source, in->zone_line[fault.zone], from, to);
    }
    return INLAY_OK;
}

static int assemble(simgrid_reader *in, const char *text, const inlay_attribute *attributes, size_t count,
                    inlay_machine **machine)
{
    if (in->hosts == 0) {
        return simgrid_fail(in, 0, "a platform without hosts; expected at least one");
    }
    char *name = memory_string(in->tree->point_name[0]);
    topology *sealed = NULL;
    int status = name == NULL ? diag_no_memory(in->diag) : seal(in, &sealed);
    if (status == INLAY_OK) {
        machine_parts parts = {.name = name,
                               .source = in->source,
                               .document = text,
                               .format = "simgrid",
                               .topology = sealed,
                               .host = in->host,
                               .reference = in->flops,
                               .attributes = attributes,
                               .count = count};
        status = machine_assemble(&parts, machine, in->diag);
    }
    free(name);
    return status;
}

static void free_reader(simgrid_reader *in)
{
    name_map_clear(&in->points);
    name_map_clear(&in->links);
    name_map_clear(&in->cables);
    for (size_t i = 0; i < in->cables_named; i++) {
        free(in->cable_name[i]);
    }
    for (size_t i = 0; i < in->hosts; i++) {
        free(in->host[i].type);
    }
    for (size_t i = 0; i < in->spokes; i++) {
        free(in->spoke[i].up);
        free(in->spoke[i].down);
    }
    free(in->cable_name);
    free(in->host);
    free(in->spoke);
    free(in->zone_line);
    free(in->way.link);
    free(in->way.back);
    zone_tree_free(in->tree);
}

int simgrid_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                         size_t count, inlay_machine **machine, inlay_diag *diag)
{
    simgrid_reader in = {.source = source, .diag = diag, .zone = -1, .backbone = -1};
    in.tree = memory_zeroed(1, sizeof *in.tree);
    char *text = memory_array(size + 1, 1);
    int status = INLAY_NO_MEMORY;
    if (in.tree == NULL || text == NULL) {
        diag_no_memory(diag);
    } else {
        memcpy(text, data, size);
        text[size] = '\0';
        status = simgrid_parse(&in, data, size);
    }
    status = status == INLAY_OK ? assemble(&in, text, attributes, count, machine) : status;
    free(text);
    free_reader(&in);
    return status;
}

/* ---- Whether it is one ---- */

bool simgrid_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "platform");
}
