/* Recorded simulations for tests. */
#include "recorded.h"
#include "golden.h"
#include "random_app.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static recorded run(inlay_app *app, inlay_machine *machine, const inlay_id *processor,
                    const inlay_simulation_options *options)
{
    recorded of = {.app = app, .machine = machine};
    inlay_options plain = {0};
    inlay_diag *diag = inlay_diag_new();
    inlay_simulation_options chosen = options != NULL ? *options : (inlay_simulation_options){0};
    chosen.record = true;
    int status = inlay_evaluate(app, machine, processor, &plain, &of.mapping, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    status = inlay_simulate(of.mapping, &chosen, &of.simulation, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return of;
}

static inlay_app *read_app(const char *text)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(text, strlen(text), "app", NULL, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

recorded record(const char *text, const char *machine, const inlay_simulation_options *options)
{
    inlay_app *app = read_app(text);
    inlay_id count = inlay_app_modules(app), *processor = calloc((size_t)count, sizeof *processor);
    ck_assert_ptr_nonnull(processor);
    for (inlay_id i = 0; i < count; i++) {
        processor[i] = inlay_app_pin(app, i) >= 0 ? inlay_app_pin(app, i) : 0;
    }
    recorded of = run(app, golden_machine(machine), processor, options);
    free(processor);
    return of;
}

recorded record_placed(const char *text, const char *machine, const inlay_id *processor)
{
    return run(read_app(text), golden_machine(machine), processor, NULL);
}

recorded record_random(uint64_t seed)
{
    static const char *const machines[] = {
        "bus:8,capacity=0.3msg/%s,latency=2%s",
        "bus:8,capacity=1msg/%s,memory=common",
        "multibus:8,memories=3,buses=2,capacity=0.25msg/%s",
        "omega:8,packets=2,cycle=1%s",
        "omega-pe:16,switch=4,packets=2,cycle=3%s",
    };
    enum { MACHINES = sizeof machines / sizeof *machines };
    char text[100];
    uint64_t state = seed;
    random_times times;
    inlay_id processor[RANDOM_MODULES], count = 1 + (inlay_id)random_below(&state, RANDOM_MODULES);
    unsigned features =
        (unsigned)random_below(&state, RANDOM_EVERYTHING + 1) & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS);
    inlay_app *app = random_app(&state, count, features, &times);
    inlay_id spread = 1 + (inlay_id)random_below(&state, 8);
    for (inlay_id i = 0; i < count; i++) {
        processor[i] = 7 - (inlay_id)random_below(&state, spread);
    }
    const char *unit = inlay_unit_name(inlay_app_unit(app));
    snprintf(text, sizeof text, machines[random_below(&state, MACHINES)], unit,
             unit); // NOLINT: the table's own formats
    const inlay_simulation_options options = {
        .contention = random_once_in(&state, 6) ? INLAY_CONTENTION_NONE : INLAY_CONTENTION_QUEUES,
        .no_overlap = random_once_in(&state, 4),
        .module_time = {random_once_in(&state, 2) ? INLAY_SPREAD_EXPONENTIAL : INLAY_SPREAD_CONSTANT, 0},
        .transfer_time = {random_once_in(&state, 2) ? INLAY_SPREAD_EXPONENTIAL : INLAY_SPREAD_CONSTANT, 0},
        .seed = seed,
    };
    return run(app, golden_machine(text), processor, &options);
}

void recorded_clear(recorded *of)
{
    inlay_simulation_free(of->simulation);
    inlay_mapping_free(of->mapping);
    inlay_machine_free(of->machine);
    inlay_app_free(of->app);
}

inlay_id recorded_processor(const recorded *of, inlay_id module)
{
    return inlay_mapping_cluster(of->mapping, inlay_mapping_cluster_of(of->mapping, module)).processor;
}

const char *recorded_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/inlay-recorded-%ld", (long)getpid());
    return path;
}

char *recorded_take(void)
{
    FILE *file = fopen(recorded_path(), "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    ck_assert(text != NULL && fread(text, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    unlink(recorded_path());
    ck_assert_uint_eq(strlen(text), (size_t)size);
    return text;
}

char *recorded_write(const recorded *of, int (*write)(const inlay_simulation *, const char *, inlay_diag *))
{
    inlay_diag *diag = inlay_diag_new();
    int status = write(of->simulation, recorded_path(), diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return recorded_take();
}
