/* Constraints that no clustering can mend. */
#include "mapping/feasible.h"
#include "base/diag.h"
#include "base/text.h"
#include "cluster/method.h"
#include "layout/memories.h"
#include "machine/variant.h"
#include "mapping/mapping.h"
#include "problem/remedy.h"
#include <inttypes.h>
#include <stdlib.h>

/* Above so many modules a remedy is not tried out. */
enum { SMALL = 20000 };

static bool answers(const problem *p, const inlay_machine *machine, const inlay_options *options)
{
    inlay_mapping *mapping = NULL;
    bool found = mapping_find(p->app, machine, options, &mapping, NULL) == INLAY_OK;
    inlay_mapping_free(mapping);
    return found;
}

/* Whether the whole question has an answer on the machine with that attribute. */
static bool machine_suffices(const problem *p, const char *attribute, int64_t value)
{
    inlay_machine *changed = NULL;
    char *text = machine_text_with(p->machine, attribute, value);
    bool suffices =
        text != NULL && inlay_machine_parse(text, &changed, NULL) == INLAY_OK && answers(p, changed, &p->options);
    inlay_machine_free(changed);
    free(text);
    return suffices;
}

inlay_id sufficient_processors(const problem *p, inlay_id from)
{
    inlay_options options = p->options;
    inlay_id most = inlay_machine_processors(p->machine);
    for (inlay_id n = from; n <= p->modules && p->modules <= SMALL; n++) {
        options.processors = n;
        if (n <= most ? answers(p, p->machine, &options) : machine_suffices(p, "processors", n)) {
            return n;
        }
    }
    return from;
}

/* A method that places gives modules the first P processors, by number: no other can be a module's pin then, unless it
   chooses among what others do. */
static int check_pins(const problem *p, inlay_diag *diag)
{
    const cluster_method *method = method_of(&p->options);
    inlay_id all = inlay_machine_processors(p->machine), allowed = method->place != NULL ? p->processors : all;
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id pin = inlay_app_pin(p->app, i);
        if (pin >= all) {
            remedy_machine(p->machine, diag, "processors", (int64_t)pin + 1);
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module '%s' is pinned to processor %d but %s has processors 0 to %d",
                             inlay_app_module_name(p->app, i), pin, inlay_machine_text(p->machine), all - 1);
        }
        if (pin >= allowed) {
            diag_remedy(diag, "--processors", "%d", pin + 1);
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module '%s' is pinned to processor %d but method %s takes the first processors, 0 to %d",
                             inlay_app_module_name(p->app, i), pin, method->is.name, allowed - 1);
        }
    }
    return INLAY_OK;
}

/* A module needs a processor of a type on which it may run: its pin, or one of those that the method takes. */
static int check_types(const problem *p, inlay_diag *diag)
{
    inlay_id all = inlay_machine_processors(p->machine);
    inlay_id allowed = method_of(&p->options)->place != NULL ? p->processors : all;
    for (inlay_id i = 0; p->forbids && i < p->modules; i++) {
        inlay_id pin = inlay_app_pin(p->app, i), at = pin < 0 ? 0 : pin, end = pin < 0 ? all : pin + 1;
        while (at < end && !problem_runs_on(p, i, at)) {
            at++;
        }
        const char *name = inlay_app_module_name(p->app, i);
        if (at == end && pin >= 0) {
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module '%s' is pinned to processor %d, which is of a type on which it may not run", name,
                             pin);
        }
        if (at == end) {
            return diag_fail(diag, INLAY_NO_ANSWER, "module '%s' may not run on any type of processor that %s has",
                             name, inlay_machine_text(p->machine));
        }
        if (at >= allowed) {
            diag_remedy(diag, "--processors", "%d", at + 1);
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module '%s' may not run on the types of the first processors, 0 to %d", name,
                             allowed - 1);
        }
    }
    return INLAY_OK;
}

/* The lowest seat of a module among the first so many processors, or its pin; -1 none. */
static inlay_id first_seat(const problem *p, inlay_id module, inlay_id processors)
{
    problem of = *p;
    inlay_id pin = inlay_app_pin(p->app, module), at = pin < 0 ? 0 : pin, last = pin < 0 ? processors - 1 : pin;
    of.processors = processors;
    while (at <= last && !problem_has_seat(&of, module, at)) {
        at++;
    }
    return at <= last ? at : -1;
}

static int refuse_cores(const problem *p, inlay_id module, inlay_diag *diag)
{
    inlay_id pin = inlay_app_pin(p->app, module), seat = first_seat(p, module, inlay_machine_processors(p->machine));
    if (seat >= 0) {
        diag_remedy(diag, "--processors", "%d", seat + p->cores[module]);
    } else {
        diag_remedy(diag, "--ignore-cores", "%s", "");
    }
    const char *name = inlay_app_module_name(p->app, module);
    return pin < 0 ? diag_fail(diag, INLAY_NO_ANSWER,
                               "module '%s' holds %d cores of one host at once, and of no host as many are among the "
                               "first %d processors",
                               name, p->cores[module], p->processors)
                   : diag_fail(diag, INLAY_NO_ANSWER,
                               "module '%s' holds %d cores of one host at once, and from processor %d on, to which it "
                               "is pinned, not as many of its host are among the first %d",
                               name, p->cores[module], pin, p->processors);
}

/* A method that places gives modules of several cores neighbours among the first P processors, what is pinned from its pin on. */
static int check_seats(const problem *p, inlay_diag *diag)
{
    bool places = p->cores != NULL && method_of(&p->options)->place != NULL;
    for (inlay_id i = 0; places && i < p->modules; i++) {
        if (first_seat(p, i, p->processors) < 0) {
            return refuse_cores(p, i, diag);
        }
    }
    return INLAY_OK;
}

/* The largest data block that lives with a module of the cluster that has `root`, or -1. */
static inlay_id largest_block(const problem *p, partition *part, inlay_id root)
{
    inlay_id largest = -1;
    for (inlay_id d = 0; d < inlay_app_blocks(p->app); d++) {
        bool here = partition_root(part, p->home[d]) == root;
        if (here && (largest < 0 || inlay_app_block_size(p->app, d) > inlay_app_block_size(p->app, largest))) {
            largest = d;
        }
    }
    return inlay_machine_memories(p->machine) == 0 ? largest : -1;
}

/*
 * What `needed` bytes are enough for may not be all: other clusters must find room, too. From there on in steps of a
 * quarter, up to all memory in one processor; for large graphs that at once. `needed` where memory is not all that fails.
 */
static int64_t sufficient_memory(const problem *p, int64_t needed)
{
    int64_t all = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        all += p->memory[i];
    }
    int64_t size = p->modules <= SMALL ? needed : all;
    while (!machine_suffices(p, "processor_memory", size)) {
        if (size >= all) {
            return needed;
        }
        size = size < all - size / 4 - 1 ? size + size / 4 + 1 : all;
    }
    return size;
}

static int refuse_processor_memory(const problem *p, inlay_id module, inlay_id block, int64_t needed, inlay_diag *diag)
{
    text_buffer with = {0};
    if (block >= 0) {
        text_addf(&with, "data block '%s' (%" PRId64 " bytes) and ", inlay_app_block_name(p->app, block),
                  inlay_app_block_size(p->app, block));
    }
    text_addf(&with, "module '%s'", inlay_app_module_name(p->app, module));
    if (with.failed) {
        text_clear(&with);
        return diag_no_memory(diag);
    }
    if (diag != NULL) { /* without a diagnostic nobody asks for a remedy */
        remedy_machine(p->machine, diag, "processor_memory", sufficient_memory(p, needed));
    }
    int status = diag_fail(diag, INLAY_NO_ANSWER,
                           "%s, with what must be with %s, need%s %" PRId64
                           " bytes of memory but a processor of %s has %" PRId64,
                           with.data, block >= 0 ? "them" : "it", block >= 0 ? "" : "s", needed,
                           inlay_machine_text(p->machine), p->memory_limit);
    text_clear(&with);
    return status;
}

static int check_processor_memory(const problem *p, inlay_diag *diag)
{
    if (p->memory == NULL || p->memory_limit < 0) {
        return INLAY_OK;
    }
    partition part;
    int status = partition_make(p, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id largest = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        largest = part.clusters[partition_root(&part, i)].memory > part.clusters[partition_root(&part, largest)].memory
                      ? i
                      : largest;
    }
    inlay_id root = partition_root(&part, largest);
    inlay_id block = largest_block(p, &part, root);
    int64_t needed = part.clusters[root].memory;
    partition_clear(&part);
    return needed <= p->memory_limit ? INLAY_OK : refuse_processor_memory(p, largest, block, needed, diag);
}

int check_feasible(const problem *p, inlay_diag *diag)
{
    int status = check_pins(p, diag);
    status = status == INLAY_OK ? check_types(p, diag) : status;
    status = status == INLAY_OK ? check_seats(p, diag) : status;
    if (status == INLAY_OK) {
        status = memories_check(p, diag);
    }
    return status == INLAY_OK ? check_processor_memory(p, diag) : status;
}
