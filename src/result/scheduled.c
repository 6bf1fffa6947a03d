/* What a run under a run-time scheduler, and a speed-up, give out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>

/* clang-format off */
#define CORE(member) FIELD(inlay_scheduled_core, #member, member)
static const field cores[] = {CORE(processor), CORE(busy), CORE(overhead), CORE(fetching), CORE(idle), CORE(modules),
                              CORE(messages), FIELD_LAST};

#define SUM(member) FIELD(inlay_scheduled_summary, #member, member)
static const field sums[] = {SUM(makespan), SUM(critical_path), SUM(work), SUM(messages), FIELD_LAST};
static const field chance[] = {FIELD(inlay_scheduled_summary, "count", replications), SUM(random), SUM(half_width), SUM(p05),
                               SUM(p50), SUM(p95), SUM(least), SUM(most), FIELD_LAST};

#define POINT(member) FIELD(inlay_speedup_point, #member, member)
#define POINTS POINT(processors), POINT(elapsed), POINT(p05), POINT(p95), POINT(lower_bound), POINT(speedup), POINT(efficiency)
static const field points[] = {POINTS, FIELD_LAST};
static const field node_points[] = {POINTS, POINT(winner), POINT(moved), POINT(least_moved), POINT(evictions), POINT(write_backs),
                                    POINT(waiting), POINT(rate), FIELD_LAST};

#define NODES(member) FIELD(inlay_scheduled_summary, #member, member)
static const field nodes[] = {NODES(winner), NODES(prefetch), NODES(transfers), NODES(moved), NODES(least_moved), NODES(evictions),
                              NODES(write_backs), NODES(inputs), NODES(hits), NODES(path_bound), NODES(area_bound), NODES(operations),
                              FIELD_LAST};
#define MEMORY(member) FIELD(inlay_scheduled_memory, #member, member)
static const field memories[] = {MEMORY(capacity), MEMORY(peak), MEMORY(loaded), MEMORY(least), MEMORY(evictions),
                                 MEMORY(write_backs), FIELD_LAST};

/* A module of the first replication. */
typedef struct module_view {
    const char *module;
    inlay_scheduled_module at;
} module_view;
#define AT(member) FIELD(module_view, #member, at.member)
static const field modules[] = {FIELD(module_view, "module", module), AT(processor), AT(ready), AT(taken), AT(start), AT(end),
                                FIELD_LAST};
/* clang-format on */

/* What a main memory and its accelerators moved. */
static void put_memories(inlay_json *out, const inlay_scheduled *run)
{
    char name[INLAY_MACHINE_NAME];
    const inlay_machine *machine = inlay_scheduled_machine(run);
    fields_put_object(out, "data", nodes, inlay_scheduled_result(run));
    inlay_json_array(out, "memories");
    for (inlay_id k = 0; k < inlay_machine_hosts(machine); k++) {
        inlay_scheduled_memory memory = inlay_scheduled_memory_at(run, k);
        inlay_json_object(out, NULL);
        inlay_json_put(out, "host %s", inlay_machine_node_name(machine, k, name));
        fields_put(out, memories, &memory);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    inlay_json_array(out, "links");
    for (inlay_id k = 0; k < inlay_machine_links(machine); k++) {
        inlay_json_object(out, NULL);
        inlay_json_put(out, "link %s bytes %" PRId64, inlay_machine_link_name(machine, k, name),
                       inlay_scheduled_carried(run, k));
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static int put_scheduled(inlay_json *out, const void *of)
{
    const inlay_scheduled *run = of;
    const inlay_app *app = inlay_scheduled_app(run);
    const inlay_scheduled_summary *s = inlay_scheduled_result(run);
    inlay_json_put(out, "application %s machine %s time_unit %s scheduler %s", inlay_app_name(app),
                   inlay_machine_text(inlay_scheduled_machine(run)), inlay_unit_name(inlay_app_unit(app)),
                   s->scheduler);
    fields_put(out, sums, s);
    fields_put_object(out, "replications", chance, s);
    inlay_json_array(out, "processors");
    for (inlay_id k = 0; k < s->processors; k++) {
        inlay_scheduled_core core = inlay_scheduled_core_at(run, k);
        fields_put_object(out, NULL, cores, &core);
    }
    inlay_json_array_end(out);
    if (s->has_memories) {
        put_memories(out, run);
    }
    return INLAY_OK;
}

int inlay_scheduled_write_json(const inlay_scheduled *run, const inlay_result_context *context, const char *path,
                               inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_scheduled, run, path, diag);
}

int inlay_scheduled_write_modules(const inlay_scheduled *run, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    const inlay_app *app = inlay_scheduled_app(run);
    csv_heading(&text, modules);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        module_view view = {inlay_app_module_name(app, i), inlay_scheduled_module_at(run, i)};
        csv_line(&text, modules, &view);
    }
    return csv_write(&text, path, diag);
}

static int put_speedup(inlay_json *out, const void *of)
{
    const inlay_speedup_result *s = of;
    const inlay_app *app = inlay_speedup_app(s);
    inlay_json_put(
        out, "application %s machine %s time_unit %s scheduler %s work %g critical_path %g replications %" PRId64,
        inlay_app_name(app), inlay_speedup_machine(s), inlay_unit_name(inlay_app_unit(app)), inlay_speedup_scheduler(s),
        inlay_speedup_work(s), inlay_speedup_path(s), inlay_speedup_replications(s));
    inlay_json_array(out, "points");
    for (size_t i = 0; i < inlay_speedup_points(s); i++) {
        inlay_speedup_point point = inlay_speedup_point_at(s, i);
        fields_put_object(out, NULL, point.has_memories ? node_points : points, &point);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_speedup_write_json(const inlay_speedup_result *speedup, const inlay_result_context *context, const char *path,
                             inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_speedup, speedup, path, diag);
}

int inlay_speedup_write_csv(const inlay_speedup_result *speedup, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    const field *table = inlay_speedup_point_at(speedup, 0).has_memories ? node_points : points;
    csv_heading(&text, table);
    for (size_t i = 0; i < inlay_speedup_points(speedup); i++) {
        inlay_speedup_point point = inlay_speedup_point_at(speedup, i);
        csv_line(&text, table, &point);
    }
    return csv_write(&text, path, diag);
}
