/* The table of machine formats, and the public calls that read and write machines through it. */
#include "io/machine_formats.h"
#include "base/diag.h"
#include "base/file.h"
#include "io/catalogue/catalogue.h"
#include "io/dot/dot.h"
#include "io/dot/machine.h"
#include "io/formats.h"
#include "io/machine_argument.h"
#include "io/simgrid/simgrid.h"
#include "machine/host.h"
#include <inlay/io.h>
#include <string.h>

static int dot_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag)
{
    (void)tick_seconds; /* DOT has ticks */
    return dot_machine_to(machine, to, diag);
}

/* The first row whose look fits is the reader; DOT stands last, for it takes the longest look. */
static const machine_format rows[] = {
    {"simgrid", "xml", "SimGrid platform, version 4.1", MACHINE_ALONE, false, simgrid_looks_like, simgrid_machine_from,
     simgrid_machine_to},
    {"hwloc", "", "hwloc's description of a computer, XML", MACHINE_ALONE, false, hwloc_looks_like, hwloc_machine_from,
     NULL},
    {"slurm", "", "slurm.conf of a cluster, with its topology.conf", MACHINE_ALONE, false, slurm_looks_like,
     slurm_machine_from, NULL},
    {"sinfo", "", "what Slurm's sinfo prints of a cluster", MACHINE_ALONE, false, sinfo_looks_like, sinfo_machine_from,
     NULL},
    {"starpu", "config", "what StarPU measured of a computer: NAME.config of its sampling folder", MACHINE_ALONE, false,
     starpu_config_looks_like, starpu_config_from, NULL},
    {"tgt", "tgt", "Scotch target architecture", MACHINE_ALONE, false, tgt_looks_like, tgt_machine_from,
     tgt_machine_to},
    {"dslab-system", "", "a system of DSLab, YAML", MACHINE_ALONE, false, dslab_system_looks_like, dslab_system_from,
     NULL},
    {"dagbench", "", "the network of a DAGBench instance", MACHINE_ALONE, true, dagbench_machine_looks_like,
     dagbench_machine_from, NULL},
    {"slam", "slam", "S-LAM, architectures of PREESM", MACHINE_ALONE, false, slam_looks_like, slam_machine_from, NULL},
    {"metasystem", "", "clusters of like processors, DOT", MACHINE_METASYSTEM, false, metasystem_looks_like,
     metasystem_machine_from, metasystem_machine_to},
    {"performance", "", "measured speeds of types of processors, CSV or JSON", MACHINE_PERFORMANCE, false,
     perf_looks_like, perf_machine_from, NULL},
    {"speeds", "", "a list or a table of speeds", MACHINE_SPEEDS, false, speeds_look_like, speeds_machine_from, NULL},
    {"dot", "dot gv", "Graphviz DOT, Inlay's own attributes", MACHINE_ALONE, false, dot_is_machine, dot_machine_with,
     dot_to},
};

enum { ROWS = sizeof rows / sizeof *rows, DOT = ROWS - 1 };

size_t inlay_machine_formats(void)
{
    return ROWS;
}

inlay_format inlay_machine_format_at(size_t i)
{
    return (inlay_format){rows[i].name, rows[i].extensions, rows[i].summary, true, rows[i].to != NULL};
}

bool inlay_reads_host(void)
{
    return host_is_in();
}

/* ---- Telling formats apart ---- */

static const machine_format *row_by_name(const char *name, bool written, inlay_diag *diag)
{
    text_buffer known = {0};
    for (size_t i = 0; i < ROWS; i++) {
        if (written && rows[i].to == NULL) {
            continue;
        }
        if (strcmp(rows[i].name, name) == 0) {
            text_clear(&known);
            return &rows[i];
        }
        text_addf(&known, "%s%s", known.size > 0 ? ", " : "", rows[i].name);
    }
    diag_fail(diag, INLAY_BAD_ARGUMENT, "unknown machine format '%s'; expected one of %s", name, text_content(&known));
    text_clear(&known);
    return NULL;
}

const machine_format *machine_format_by_extension(const char *path, size_t size)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (format_fits(rows[i].extensions, path, size)) {
            return &rows[i];
        }
    }
    return NULL;
}

const machine_format *machine_format_by_content(const char *data, size_t size)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].looks_like(data, size)) {
            return &rows[i];
        }
    }
    return NULL;
}

const machine_format *machine_format_of(machine_kind kind)
{
    size_t i = DOT;
    while (rows[i].kind != kind) {
        i--;
    }
    return &rows[i];
}

/* By content, then by extension; what is left is read as DOT, whose reader says what is wrong with it. */
static const machine_format *row_of(const char *data, size_t size, const char *source)
{
    const machine_format *row = machine_format_by_content(data, size);
    row = row != NULL ? row : machine_format_by_extension(source, format_unpacked(source));
    return row != NULL ? row : &rows[DOT];
}

/* ---- Reading ---- */

int inlay_machine_read_with(const char *data, size_t size, const char *source, const char *format,
                            const inlay_attribute *attributes, size_t count, inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const machine_format *row = format == NULL ? row_of(data, size, source) : row_by_name(format, false, diag);
    return row == NULL ? INLAY_BAD_ARGUMENT : row->from(data, size, source, attributes, count, machine, diag);
}

int inlay_machine_read_memory(const char *data, size_t size, const char *source, const char *format,
                              inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return inlay_machine_read_with(data, size, source, format, NULL, 0, machine, diag);
}

int inlay_machine_read(const char *text_or_path, inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    machine_argument a;
    int status = machine_argument_open(text_or_path, MACHINE_ALONE, &a, diag);
    status = status == INLAY_OK ? machine_argument_read(&a, machine, diag) : status;
    machine_argument_close(&a);
    return status;
}

/* Whether a file of types of machines is what stands there. */
static bool is_catalogue(const machine_argument *a)
{
    enum { LOOK = 1 << 16 };
    const char *data;
    size_t size;
    return a->in != NULL && a->place != NULL && input_peek(a->in, LOOK, &data, &size, NULL) == INLAY_OK &&
           catalogue_looks_like(data, size);
}

static int read_catalogue(machine_argument *a, inlay_catalogue **catalogue, inlay_diag *diag)
{
    const catalogue_values values = {a->attributes, a->count};
    file_content content = {0};
    int status = input_rest(a->in, &content, diag);
    if (status == INLAY_OK) {
        status = catalogue_from(content.data, content.size, a->source, &values, catalogue, diag);
    }
    file_content_clear(&content);
    return status;
}

int inlay_any_read(const char *text_or_path, const char *format, inlay_app **app, inlay_machine **machine,
                   inlay_catalogue **catalogue, inlay_diag *diag)
{
    DIAG_CALL(diag);
    machine_argument a;
    int status = machine_argument_look(text_or_path, &a, diag);
    if (status == INLAY_OK && catalogue != NULL && is_catalogue(&a)) {
        status = read_catalogue(&a, catalogue, diag);
    } else if (status == INLAY_OK && machine_argument_is(&a)) {
        status = machine_argument_read(&a, machine, diag);
    } else if (status == INLAY_OK) {
        const inlay_reading how = {.format = format};
        status = a.in != NULL ? app_from_input(a.in, a.place, &how, app, diag)
                              : inlay_app_read(text_or_path, format, app, diag);
    }
    machine_argument_close(&a);
    return status;
}

int inlay_app_or_machine_read(const char *text_or_path, const char *format, inlay_app **app, inlay_machine **machine,
                              inlay_diag *diag)
{
    DIAG_CALL(diag);
    return inlay_any_read(text_or_path, format, app, machine, NULL, diag);
}

/* ---- Writing ---- */

/* By the extension, else DOT, in which a metasystem stays one. */
static const machine_format *row_for(const inlay_machine *machine, const char *path)
{
    const machine_format *row = machine_format_by_extension(path, format_unpacked(path));
    const machine_format *metasystem = machine_format_of(MACHINE_METASYSTEM);
    const char *format = inlay_machine_format(machine);
    bool is_dot = row == NULL || row == &rows[DOT];
    return !is_dot ? row : format != NULL && strcmp(format, metasystem->name) == 0 ? metasystem : &rows[DOT];
}

int inlay_machine_write_as(const inlay_machine *machine, const char *path, const char *format, double tick_seconds,
                           inlay_diag *diag)
{
    DIAG_CALL(diag);
    const machine_format *row = format != NULL ? row_by_name(format, true, diag) : row_for(machine, path);
    if (row == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    text_buffer written = {0};
    int status = row->to(machine, tick_seconds, &written, diag);
    if (status == INLAY_OK && written.failed) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK && inlay_machine_main(machine) >= 0 && strcmp(row->name, "dot") != 0) {
        char room[INLAY_MACHINE_NAME];
        diag_warn(diag, "%s says of no host that it has the main memory: that '%s' has it is left out", row->name,
                  inlay_machine_node_name(machine, inlay_machine_main(machine), room));
    }
    status = status == INLAY_OK ? file_write(path, written.data, written.size, diag) : status;
    text_clear(&written);
    return status;
}

int inlay_machine_write(const inlay_machine *machine, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return inlay_machine_write_as(machine, path, NULL, 0, diag);
}
