/* Machines as platforms of processes, and back. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/formats.h"
#include "io/json/locate.h"
#include "io/machine_argument.h"
#include "io/perf/perf.h"
#include "io/views/view.h"
#include <inlay/views.h>
#include <stdlib.h>
#include <string.h>

/* ---- The machine of a platform ---- */

static int64_t processors_of(const inlay_process_problem *problem)
{
    int64_t processors = 0;
    for (size_t q = 0; q < problem->rows; q++) {
        processors += problem->row[q].count;
    }
    return processors;
}

/* Data of one process: its even share, else the least that was measured. */
static double data_of(const inlay_process_problem *problem, const inlay_processors *row)
{
    inlay_performance_range range = inlay_performance_range_of(row->performance);
    return problem->data > 0 ? (double)problem->data / (double)processors_of(problem) : range.known ? range.data[0] : 1;
}

static double speed_of(const inlay_process_problem *problem, const inlay_processors *row)
{
    double factor = row->speed > 0 ? row->speed : 1;
    return factor * inlay_performance_speed(row->performance, 1, data_of(problem, row));
}

/* What counts as the speed, and on which processors it is 1. */
static void tell(const inlay_process_problem *problem, size_t fastest, const char *source, inlay_diag *diag)
{
    bool constant = true;
    for (size_t q = 0; q < problem->rows; q++) {
        constant = constant && inlay_performance_form_of(problem->row[q].performance) == INLAY_PERFORMANCE_CONSTANT;
    }
    const char *name = problem->row[fastest].name;
    if (!constant || problem->rows > 1) {
        diag_warn(diag, "%s: the times of modules hold on the fastest type, '%s'%s", source, name != NULL ? name : "",
                  constant ? "" : "; the speed of a processor is that of one process");
    }
}

/* The hosts of a row, of which neighbours with one name are the cores of one host; their number goes to *hosts. */
static bool add_hosts(const inlay_process_problem *problem, size_t q, double speed, int64_t first, star_host *host,
                      size_t *hosts)
{
    const inlay_processors *row = &problem->row[q];
    for (int64_t i = 0; i < row->count; i++) {
        char room[INLAY_PROCESSOR_NAME];
        const char *name = inlay_processor_name(problem, first + i, room);
        if (i > 0 && row->host != NULL && strcmp(row->host[i - 1], name) == 0) {
            host[*hosts - 1].cores++;
            continue;
        }
        host[*hosts] = (star_host){.name = memory_string(name), .type = row->name, .speed = speed, .cores = 1};
        if (host[(*hosts)++].name == NULL) {
            return false;
        }
    }
    return true;
}

static int make(const inlay_process_platform *platform, const explicit_parts *parts, inlay_machine **machine,
                inlay_diag *diag)
{
    enum { MOST = 1 << 20 };
    const inlay_process_problem *problem = &platform->problem;
    int64_t processors = processors_of(problem), first = 0;
    size_t hosts = 0, fastest = 0;
    if (processors > MOST) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, parts->source, 0,
                            "%lld processors; expected at most %d in a machine", (long long)processors, MOST);
    }
    for (size_t q = 1; q < problem->rows; q++) {
        fastest = speed_of(problem, &problem->row[q]) > speed_of(problem, &problem->row[fastest]) ? q : fastest;
    }
    star_host *host = memory_zeroed((size_t)processors, sizeof *host);
    bool good = host != NULL;
    for (size_t q = 0; q < problem->rows && good; first += problem->row[q++].count) {
        double speed = speed_of(problem, &problem->row[q]) / speed_of(problem, &problem->row[fastest]);
        good = add_hosts(problem, q, speed, first, host, &hosts);
    }
    int status = good ? explicit_machine(parts, star_write, &(star){.host = host, .hosts = hosts}, machine, diag)
                      : diag_no_memory(diag);
    if (status == INLAY_OK) {
        tell(problem, fastest, parts->source, diag);
    }
    for (size_t i = 0; i < hosts; i++) {
        free((char *)host[i].name);
    }
    free(host);
    return status;
}

int inlay_process_platform_machine(const inlay_process_platform *platform, const char *source, inlay_machine **machine,
                                   inlay_diag *diag)
{
    DIAG_CALL(diag);
    return make(platform, &(explicit_parts){.name = "speeds", .source = source}, machine, diag);
}

int perf_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                      size_t count, inlay_machine **machine, inlay_diag *diag)
{
    inlay_process_platform *platform = NULL;
    char *name = format_graph_name(source);
    int status = name == NULL ? diag_no_memory(diag)
                              : perf_platform_from(data, size, source, INLAY_PERFORMANCE_AS_GIVEN, &platform, diag);
    if (status == INLAY_OK) {
        status = make(platform, &(explicit_parts){name, source, attributes, count, false}, machine, diag);
    }
    inlay_process_platform_free(platform);
    free(name);
    return status;
}

/* ---- The platform of a machine ---- */

/* A kind of processors for each type of the file. */
typedef struct kind {
    inlay_processor is;
    size_t room; /* of the type's hosts */
} kind;

typedef struct kinds {
    const inlay_machine *machine;
    perf_file file;
    kind *kind;
    size_t room;
} kinds;

/* A type of a name that is none's yet: "gpu", or "gpu.2" where that has another speed. NULL: no memory. */
static perf_type *add_type(perf_file *file, const char *wanted)
{
    text_buffer name = {0};
    perf_type *type = NULL;
    text_add(&name, wanted);
    for (int number = 2; !name.failed && name_map_get(&file->numbers, name.data) >= 0; number++) {
        name.size = 0;
        text_addf(&name, "%s.%d", wanted, number);
    }
    if (!name.failed && perf_add_type(file, name.data, name.size, 0, &type) != INLAY_OK) {
        type = NULL;
    }
    text_clear(&name);
    return type;
}

/* The type of a processor, a new one where none so far is like it; its number goes to *at. NULL: no memory. */
static perf_type *type_of(kinds *of, const inlay_processor *processor, size_t *at)
{
    for (*at = of->file.types; (*at)-- > 0;) { /* neighbours are often alike */
        if (processors_alike(&of->kind[*at].is, processor)) {
            return &of->file.type[*at];
        }
    }
    *at = of->file.types;
    if (!memory_grow((void **)&of->kind, &of->room, *at + 1, sizeof *of->kind)) {
        return NULL;
    }
    of->kind[*at] = (kind){.is = *processor};
    perf_type *type =
        add_type(&of->file, processor->type != NULL && *processor->type != '\0' ? processor->type : "processor");
    if (type != NULL) {
        type->speed = processor->speed;
    }
    return type;
}

static int add_processor(kinds *of, inlay_id p)
{
    char name[INLAY_MACHINE_NAME];
    inlay_processor processor = inlay_machine_processor(of->machine, p);
    size_t at;
    perf_type *type = type_of(of, &processor, &at);
    if (type == NULL ||
        !memory_grow((void **)&type->host, &of->kind[at].room, (size_t)type->count + 1, sizeof *type->host)) {
        return diag_no_memory(of->file.diag);
    }
    type->host[type->count] =
        memory_string(inlay_machine_node_name(of->machine, inlay_machine_host(of->machine, p), name));
    return type->host[type->count++] != NULL ? INLAY_OK : diag_no_memory(of->file.diag);
}

/* Processors of a family are all alike, and have no names of their own. */
static int add_family(kinds *of)
{
    inlay_processor first = inlay_machine_processor(of->machine, 0);
    size_t at;
    perf_type *type = type_of(of, &first, &at);
    if (type == NULL) {
        return diag_no_memory(of->file.diag);
    }
    type->count = inlay_machine_processors(of->machine);
    return INLAY_OK;
}

int inlay_machine_process_platform(const inlay_machine *machine, inlay_process_platform **platform, inlay_diag *diag)
{
    DIAG_CALL(diag);
    kinds of = {.machine = machine,
                .file = {.source = inlay_machine_text(machine), .diag = diag, .time_unit = INLAY_UNIT_TICK}};
    int status = INLAY_OK;
    if (inlay_machine_family(machine) != INLAY_GRAPH) {
        status = add_family(&of);
    }
    for (inlay_id p = 0;
         inlay_machine_family(machine) == INLAY_GRAPH && status == INLAY_OK && p < inlay_machine_processors(machine);
         p++) {
        status = add_processor(&of, p);
    }
    status = status == INLAY_OK ? perf_finish(&of.file, INLAY_PERFORMANCE_AS_GIVEN, platform) : status;
    if (status == INLAY_OK) {
        diag_warn(
            diag,
            "%s: it has no measured speeds of several processes: a core counts as equally fast with any number of "
            "them",
            of.file.source);
    }
    perf_clear(&of.file);
    free(of.kind);
    return status;
}

/* ---- Reading ---- */

/* Of CSV: a type, and how fast it is. */
static bool is_heading(char *row)
{
    bool type = false, fast = false;
    char *rest = NULL;
    for (char *word = strtok_r(row, ", \t", &rest); word != NULL; word = strtok_r(NULL, ", \t", &rest)) {
        type = type || strcmp(word, "type") == 0 || strcmp(word, "device") == 0;
        fast = fast || strcmp(word, "speed") == 0 || strcmp(word, "time") == 0 || strcmp(word, "seconds") == 0;
    }
    return type && fast;
}

bool perf_looks_like(const char *data, size_t size)
{
    json_step root = {0};
    json_step types = {&root, "types", 0};
    return first_rows_fit(data, size, 1, is_heading) || json_has(data, size, &types);
}

int inlay_process_platform_read(const char *text_or_path, inlay_performance_form form,
                                inlay_process_platform **platform, inlay_diag *diag)
{
    DIAG_CALL(diag);
    machine_argument a;
    inlay_machine *machine = NULL;
    file_content content = {0};
    if (inlay_performance_form_name(form) == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "no such form of performance functions; expected one of the enum");
    }
    int status = machine_argument_open(text_or_path, MACHINE_PERFORMANCE, &a, diag);
    bool own = status == INLAY_OK && a.format != NULL && a.format->kind == MACHINE_PERFORMANCE && a.count == 0;
    if (own) {
        status = input_rest(a.in, &content, diag);
        status = status == INLAY_OK ? perf_platform_from(content.data, content.size, a.source, form, platform, diag)
                                    : status;
    } else if (status == INLAY_OK) {
        status = machine_argument_read(&a, &machine, diag);
        status = status == INLAY_OK ? inlay_machine_process_platform(machine, platform, diag) : status;
    }
    file_content_clear(&content);
    inlay_machine_free(machine);
    machine_argument_close(&a);
    return status;
}
