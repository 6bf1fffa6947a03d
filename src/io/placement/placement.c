/* The table of forms in which placements are written down, and the public calls that read and write them. */
#include "io/placement/placement.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "graph/app.h"
#include "io/formats.h"
#include "mapping/evaluate.h"
#include <stdlib.h>
#include <string.h>

/* In the order in which they are tried on a file: the later ones take what the earlier ones are. */
static const placement_form forms[] = {
    {{.name = "json", .extensions = "json", .summary = "a mapping.json, lists of modules, or {\"module\": processor}"},
     placement_json_looks,
     placement_json_read,
     NULL},
    {{.name = "rankfile", .extensions = "rankfile", .summary = "Open MPI's rankfile: a rank a module"},
     placement_ranks_look,
     placement_ranks_read,
     placement_ranks_write},
    {{.name = "csv", .extensions = "csv", .summary = "module,processor,order"},
     placement_csv_looks,
     placement_csv_read,
     placement_csv_write},
    {{.name = "scotch", .extensions = "map", .summary = "Scotch's mapping: vertex and processor"},
     placement_map_looks,
     placement_map_read,
     placement_map_write},
    {{.name = "part", .extensions = "part", .summary = "METIS's partition: a processor a line"},
     placement_part_looks,
     placement_part_read,
     placement_part_write},
    {{.name = "slurm", .extensions = "slurm", .summary = "SLURM_HOSTFILE of srun -m arbitrary: a rank a module"},
     NULL,
     NULL,
     placement_slurm_write},
    {{.name = "synth-rankfile", .extensions = "", .summary = "the same of `inlay synth`: a rank a processor used"},
     NULL,
     NULL,
     placement_program_ranks_write},
    {{.name = "synth-slurm", .extensions = "", .summary = "the same of `inlay synth`: a rank a processor used"},
     NULL,
     NULL,
     placement_program_slurm_write},
};

enum { FORMS = sizeof forms / sizeof *forms, CSV = 2 };

size_t inlay_placement_formats(void)
{
    return FORMS;
}

inlay_format inlay_placement_format_at(size_t i)
{
    inlay_format about = forms[i].about;
    about.reads = forms[i].read != NULL;
    about.writes = forms[i].write != NULL;
    return about;
}

/* ---- Reading ---- */

int placement_assign(placement_file *p, long line, inlay_id module, inlay_id processor)
{
    if (p->held[module] == inlay_app_cores(p->app, module)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "duplicate module '%s'; expected every module once", inlay_app_module_name(p->app, module));
    }
    p->held[module]++;
    return schedule_add(&p->schedule, &p->room, module, processor) ? INLAY_OK : diag_no_memory(p->diag);
}

int placement_assign_by_name(placement_file *p, long line, const char *name, inlay_id processor)
{
    inlay_id module = inlay_app_find_module(p->app, name);
    if (module < 0) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "unknown module '%s'; expected a module of the application", name);
    }
    return placement_assign(p, line, module, processor);
}

int placement_refuse_processor(placement_file *p, long line, span found)
{
    return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line, "processor '%.*s'; expected an integer, 0 or more",
                        span_shown(found), found.at);
}

int placement_check_complete(placement_file *p, long line)
{
    for (inlay_id i = 0; i < inlay_app_modules(p->app); i++) {
        if (p->held[i] == 0) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                                "module '%s' has no processor; expected every module once",
                                inlay_app_module_name(p->app, i));
        }
    }
    return INLAY_OK;
}

static int read_content(placement_file *p, const char *data, size_t size)
{
    static const char known[] = "JSON, CSV 'module,processor', a part file, a Scotch mapping or a rankfile";
    lines look = {data, data + size, PLACEMENT_COMMENTS, 0};
    span first, second = {data, data};
    if (!next_line(&look, &first)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, 0, "no placement in the file; expected %s", known);
    }
    long line = look.line;
    (void)next_line(&look, &second);
    for (size_t i = 0; i < FORMS; i++) {
        if (forms[i].read != NULL && forms[i].looks_like(first, second)) {
            return forms[i].read(p, data, size);
        }
    }
    return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line, "'%.*s' is no placement; expected %s",
                        span_shown(first), first.at, known);
}

int inlay_task_schedule_read(const char *path, const inlay_app *app, const inlay_machine *machine,
                             inlay_task_schedule *schedule, inlay_diag *diag)
{
    DIAG_CALL(diag);
    file_content content;
    int status = file_read(path, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    placement_file p = {
        .app = app, .machine = machine, .source = strcmp(path, "-") == 0 ? "standard input" : path, .diag = diag};
    p.held = memory_zeroed((size_t)inlay_app_modules(app), sizeof *p.held);
    status = p.held == NULL ? diag_no_memory(diag) : read_content(&p, content.data, content.size);
    file_content_clear(&content);
    free(p.held);
    free(p.key);
    if (status != INLAY_OK) {
        inlay_task_schedule_clear(&p.schedule);
        return status;
    }
    *schedule = p.schedule;
    return INLAY_OK;
}

/* ---- Writing ---- */

static const placement_form *form_by_name(const char *name, inlay_diag *diag)
{
    for (size_t i = 0; i < FORMS; i++) {
        if (forms[i].write != NULL && strcmp(forms[i].about.name, name) == 0) {
            return &forms[i];
        }
    }
    diag_fail(diag, INLAY_BAD_ARGUMENT,
              "unknown format of placements '%s'; expected one that 'inlay --version' lists as written", name);
    return NULL;
}

static const placement_form *form_by_extension(const char *path)
{
    for (size_t i = 0; i < FORMS; i++) {
        if (forms[i].write != NULL && format_fits(forms[i].about.extensions, path, format_unpacked(path))) {
            return &forms[i];
        }
    }
    return &forms[CSV];
}

int inlay_placement_write(const inlay_mapping *mapping, const char *path, const char *format, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const placement_form *form = format != NULL ? form_by_name(format, diag) : form_by_extension(path);
    if (form == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    line_writer w = {0};
    int status = inlay_file_open(path, &w.to, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = form->write(mapping, &w, diag);
    if (status != INLAY_OK) {
        inlay_file_abandon(w.to);
        return status;
    }
    line_flush(&w);
    return inlay_file_close(w.to, diag);
}
