/*
 * STG out: tasks numbered from 1 between an entry and an exit of time 0. A graph that begins and ends with such dummies
 * keeps them, so that a file read from the Standard Task Graph Set is written as it was.
 */
#include "base/diag.h"
#include "io/formats.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ID_TEXT = 24 };

static int64_t out_degree(const inlay_app *app, inlay_id module)
{
    inlay_links out = inlay_app_out(app, module);
    int64_t count = 0;
    for (int64_t l = 0; l < out.count; l++) {
        count += !(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY);
    }
    return count;
}

static int64_t in_degree(const inlay_app *app, inlay_id module)
{
    int64_t count;
    inlay_app_predecessors(app, module, &count);
    return count;
}

/* Whether the first module is the only entry, the last the only exit, and both take no time. */
static bool has_dummies(const inlay_app *app)
{
    inlay_id last = inlay_app_modules(app) - 1;
    if (last < 2 || inlay_app_time(app, 0) != 0 || inlay_app_time(app, last) != 0) {
        return false;
    }
    for (inlay_id i = 0; i <= last; i++) {
        if ((in_degree(app, i) == 0) != (i == 0) || (out_degree(app, i) == 0) != (i == last)) {
            return false;
        }
    }
    return true;
}

/* @param shift  of the ids against the numbers of the modules */
static void warn_of_losses(const inlay_app *app, inlay_id shift, inlay_diag *diag)
{
    bool names = false, memory = false, traffic = false, details = inlay_app_has_blocking(app);
    details = details || inlay_app_types(app) > 0 || inlay_app_blocks(app) > 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        char id[ID_TEXT];
        snprintf(id, sizeof id, "%" PRId64, (int64_t)i + shift);
        names = names || strcmp(id, inlay_app_module_name(app, i)) != 0;
        memory = memory || inlay_app_memory(app, i) > 0 || inlay_app_traffic_memory(app, i) > 0 ||
                 inlay_app_cores(app, i) > 1;
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            traffic = traffic || out.messages[l] != 1 || out.bytes[l] != 0 || out.flags[l] != 0;
        }
        details = details || inlay_app_pin(app, i) >= 0 || inlay_app_module_kind(app, i) != NULL ||
                  inlay_app_arithmetic(app, i) > 0 || inlay_app_functions(app, i) > 0;
    }
    const struct {
        bool lost;
        const char *what;
    } losses[] = {{names, "names"},
                  {memory, "memory and cores"},
                  {traffic, "messages and bytes"},
                  {inlay_app_data(app) > 0, "data"},
                  {details, "blocking times, pins, kinds, operation counts, types and data blocks"}};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        if (losses[i].lost) {
            diag_warn(diag, "STG has no place for %s: left out", losses[i].what);
        }
    }
}

/* A column of its own where any module has one, 0 for none. */
static void write_deadline(const inlay_app *app, inlay_time deadline, text_buffer *to)
{
    if (inlay_app_has_deadlines(app)) {
        text_addf(to, " %10" PRId64, deadline);
    }
}

static void write_task(const inlay_app *app, inlay_id module, inlay_id shift, text_buffer *to)
{
    int64_t count;
    const inlay_id *from = inlay_app_predecessors(app, module, &count);
    bool after_entry = count == 0 && shift == 1;
    text_addf(to, "%6" PRId64 " %10" PRId64, (int64_t)module + shift, inlay_app_time(app, module));
    write_deadline(app, inlay_app_deadline(app, module), to);
    text_addf(to, " %6" PRId64, after_entry ? 1 : count);
    if (after_entry) {
        text_addf(to, " %6d", 0);
    }
    for (int64_t p = 0; p < count; p++) {
        text_addf(to, " %6" PRId64, (int64_t)from[p] + shift);
    }
    text_add(to, "\n");
}

static void write_exit(const inlay_app *app, text_buffer *to)
{
    inlay_id modules = inlay_app_modules(app);
    int64_t exits = 0;
    for (inlay_id i = 0; i < modules; i++) {
        exits += out_degree(app, i) == 0;
    }
    text_addf(to, "%6" PRId64 " %10d", (int64_t)modules + 1, 0);
    write_deadline(app, 0, to);
    text_addf(to, " %6" PRId64, exits);
    for (inlay_id i = 0; i < modules; i++) {
        if (out_degree(app, i) == 0) {
            text_addf(to, " %6" PRId64, (int64_t)i + 1);
        }
    }
    text_add(to, "\n");
}

int stg_to(const inlay_app *app, text_buffer *to, inlay_diag *diag)
{
    if (inlay_app_unit(app) != INLAY_UNIT_TICK || inlay_app_decimals(app) > 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "times in %s%s cannot be written as STG, which has whole ticks; expected an application in "
                         "whole ticks",
                         inlay_app_decimals(app) > 0 ? "fractions of " : "", inlay_unit_name(inlay_app_unit(app)));
    }
    bool dummies = has_dummies(app);
    inlay_id shift = dummies ? 0 : 1;
    inlay_id modules = inlay_app_modules(app);
    text_addf(to, "%6" PRId64 "\n", (int64_t)modules - (dummies ? 2 : 0));
    if (!dummies) {
        text_addf(to, "%6d %10d", 0, 0);
        write_deadline(app, 0, to);
        text_addf(to, " %6d\n", 0);
    }
    for (inlay_id i = 0; i < modules; i++) {
        write_task(app, i, shift, to);
    }
    if (!dummies) {
        write_exit(app, to);
    }
    warn_of_losses(app, shift, diag);
    return INLAY_OK;
}
