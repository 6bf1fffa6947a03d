/* Random mappings for the tests of synthetic code. */
#include "base/plain.h"
#include "map_by_houstis.h"
#include "golden.h"
#include "random_app.h"
#include "sound_run.h"
#include "synth_subject.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MODULES = 18, PROCESSORS = 9, TEXT = 4096 };

static const char *const types[] = {"new", "old"};

/* ---- Machines: % stands for the application's unit; NULL is one of unlike hosts around a switch ---- */

static const char *const machines[SYNTH_MACHINES] = {
    "bus:9,capacity=1msg/%",
    "bus:9,capacity=0.125msg/%,latency=2%,message_size=300",
    "bus:9,capacity=3kB/%,memory=common",
    "multibus:9,memories=3,buses=2,capacity=0.25msg/%,message_size=64",
    "omega:9,switch=3,cycle=1%,type=old",
    "omega-pe:9,switch=3,packets=2,cycle=3%",
    "bus:9", /* free where time is in seconds */
    "mesh:3x3,capacity=0.25msg/%,link_latency=1%",
    "torus:3x3,capacity=4kB/%,latency=1%,message_size=1000",
    "ring:3,cores=3,capacity=0.5msg/%,message_size=700",
    NULL,
    NULL,
    NULL,
};

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int more = plain_vprint(text + length, TEXT - length, format, arguments);
    va_end(arguments);
    ck_assert_uint_lt(length + (size_t)more, TEXT);
}

static inlay_machine *unlike_machine(uint64_t *state, const char *unit)
{
    static const char *const speeds[] = {"1", "2", "0.5", "3", "1.25"};
    char text[TEXT] = "graph m { graph [network=links];\n s [kind=switch];\n";
    const char *counts = random_once_in(state, 2) ? "msg" : "kB";
    inlay_machine *machine = NULL;
    if (random_once_in(state, 3)) add(text, "graph [message_size=%d];\n", 200 + (int)random_below(state, 900));
    for (int h = 0; h < PROCESSORS / 2 + 1; h++) {
        add(text, " h%d [speed=%s, cores=%d", h, speeds[random_below(state, 5)], 1 + h % 2);
        if (random_once_in(state, 2)) add(text, ", type=%s", types[random_below(state, 2)]);
        add(text, "]; h%d -- s [capacity=\"%d%s/%s\", latency=\"1%s\"];\n", h, 1 + (int)random_below(state, 4), counts,
            unit, unit);
    }
    add(text, "}\n");
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static inlay_machine *machine_for(uint64_t *state, const char *format, const char *unit)
{
    char text[200];
    size_t used = 0;
    if (format == NULL) return unlike_machine(state, unit);
    for (const char *at = format; *at != '\0'; at++)
        used += (size_t)(*at == '%' ? snprintf(text + used, sizeof text - used, "%s", unit)
                                    : snprintf(text + used, sizeof text - used, "%c", *at));
    return golden_machine(text);
}

/* ---- Applications ---- */

/** What is being made. */
typedef struct maker {
    uint64_t *state;
    inlay_app_builder *builder;
    inlay_id modules, at[MODULES]; /**< in an order that every link with precedence follows */
    int decimals;
    bool streamed, large;
    int64_t counted; /**< one module in so many has no counts; 0: none has any */
    int64_t sparse;
    bool named; /**< links may carry data */
} maker;

/* Of the first module at least 1, so that there is something to do on processors of every type. */
static inlay_duration draw_time(const maker *make, inlay_id module, int64_t below)
{
    return (inlay_duration){{(module == 0) + random_below(make->state, below), make->decimals}, INLAY_UNIT_NONE};
}

static void add_module(const maker *make, inlay_id i, int64_t place)
{
    char name[16];
    snprintf(name, sizeof name, "m%d", (int)i);
    inlay_module module = {.name = name, .time = draw_time(make, i, 40), .has_blocking = make->streamed};
    module.blocking = (inlay_duration){{4 * place + random_below(make->state, 9), make->decimals}, INLAY_UNIT_NONE};
    if (random_once_in(make->state, 3)) module.memory = random_below(make->state, 5000);
    if (make->counted > 0 && !random_once_in(make->state, make->counted)) {
        module.arithmetic = (double)random_below(make->state, 2000) + 0.25;
        module.functions = (double)random_below(make->state, 100) - 0.25;
        if (module.functions < 0) module.functions = 1;
    }
    ck_assert_int_eq(inlay_app_add_module(make->builder, &module, NULL), INLAY_OK);
    for (int t = 0; t < 2; t++)
        if (random_once_in(make->state, 3))
            ck_assert_int_eq(inlay_app_add_type_time(make->builder, i, types[t], draw_time(make, i, 60), NULL),
                             INLAY_OK);
}

/* One in five has neither messages nor bytes, one bytes alone. */
static void draw_traffic(const maker *make, int64_t *messages, int64_t *bytes)
{
    int64_t form = random_below(make->state, 5);
    *messages = form < 3 ? 1 + random_below(make->state, 5) : 0;
    *bytes = form == 0 || form == 3 ? random_below(make->state, 3000) : 0;
    if (make->large && random_once_in(make->state, 8)) *bytes = random_below(make->state, 50000000);
}

static void add_links(const maker *make)
{
    int64_t messages, bytes;
    for (inlay_id i = 0; i < make->modules; i++)
        for (inlay_id j = 0; j < make->modules; j++) {
            bool before = i < j && random_once_in(make->state, make->sparse);
            draw_traffic(make, &messages, &bytes);
            if (before && make->named && random_once_in(make->state, 2))
                ck_assert_int_eq(inlay_app_add_data_link(make->builder, make->at[i], make->at[j],
                                                         random_once_in(make->state, 3) ? "y" : "x", messages, bytes,
                                                         NULL),
                                 INLAY_OK);
            if (before && !(make->named && random_once_in(make->state, 2)))
                ck_assert_int_eq(inlay_app_add_link(make->builder, make->at[i], make->at[j], messages, bytes, 0, NULL),
                                 INLAY_OK);
            draw_traffic(make, &messages, &bytes);
            if (i != j && random_once_in(make->state, 4 * make->sparse))
                ck_assert_int_eq(inlay_app_add_link(make->builder, make->at[i], make->at[j], messages, bytes,
                                                    INLAY_LINK_TRAFFIC_ONLY, NULL),
                                 INLAY_OK);
        }
}

static void add_blocks(const maker *make)
{
    int64_t messages, bytes, blocks = random_below(make->state, 4);
    for (inlay_id d = 0; d < blocks; d++) {
        char name[16];
        snprintf(name, sizeof name, "d%d", (int)d);
        ck_assert_int_eq(inlay_app_add_block(make->builder, name, 100, draw_time(make, 1, 3), NULL), INLAY_OK);
        for (inlay_id i = 0; i < make->modules; i++) {
            draw_traffic(make, &messages, &bytes);
            if (i == d % make->modules || random_once_in(make->state, 3))
                ck_assert_int_eq(inlay_app_add_use(make->builder, d, i, messages, bytes, NULL), INLAY_OK);
        }
    }
}

static inlay_app *draw_app(uint64_t *state, inlay_unit unit, bool large)
{
    maker make = {.state = state, .builder = inlay_app_builder_new("drawn", unit), .large = large};
    inlay_id place[MODULES];
    make.modules = 1 + (inlay_id)random_below(state, MODULES);
    make.decimals = (int)random_below(state, 3);
    make.streamed = random_once_in(state, 2);
    make.counted = random_below(state, 4);
    make.sparse = 1 + random_below(state, 5);
    make.named = make.sparse == 4;
    for (inlay_id i = 0; i < make.modules; i++) {
        inlay_id j = (inlay_id)random_below(state, i + 1);
        make.at[i] = make.at[j];
        make.at[j] = i;
    }
    for (inlay_id i = 0; i < make.modules; i++)
        place[make.at[i]] = i;
    for (inlay_id i = 0; i < make.modules; i++)
        add_module(&make, i, place[i]);
    add_links(&make);
    add_blocks(&make);
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(make.builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(make.builder);
    return app;
}

/* ---- Mappings ---- */

static inlay_synth_options draw_options(uint64_t *state, const inlay_app *app)
{
    inlay_synth_options options = {.work = (inlay_synth_work)random_below(state, 3)};
    options.message_size = random_once_in(state, 2) ? random_below(state, 100) : 0;
    options.model_sizes = random_once_in(state, 4);
    options.no_memory = random_once_in(state, 4);
    options.all_processors = random_once_in(state, 4);
    if (inlay_app_unit(app) == INLAY_UNIT_TICK) options.tick_seconds = random_once_in(state, 2) ? 0.25 : 1e-6;
    return options;
}

static inlay_mapping *draw_mapping(uint64_t *state, const inlay_app *app, const inlay_machine *machine)
{
    inlay_id processor[MODULES], spread = 1 + (inlay_id)random_below(state, inlay_machine_processors(machine));
    inlay_options options = {.start = random_once_in(state, 3) ? INLAY_START_FINISH : INLAY_START_AUTO};
    inlay_mapping *mapping = NULL;
    if (random_once_in(state, 4)) {
        options.processors = 1 + (inlay_id)random_below(state, PROCESSORS);
        if (map_by_houstis(app, machine, &options, &mapping, NULL) == INLAY_OK) return mapping;
    }
    options.processors = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        processor[i] = inlay_machine_processors(machine) - 1 - (inlay_id)random_below(state, spread);
    return placed(app, machine, processor, &options);
}

synth_subject synth_draw(uint64_t *state, int machine)
{
    static const inlay_unit units[] = {INLAY_UNIT_TICK, INLAY_UNIT_S, INLAY_UNIT_MS, INLAY_UNIT_US};
    const char *format = machines[machine];
    bool links = machine >= 7, sized = format == NULL || strstr(format, "message_size") != NULL;
    inlay_unit unit = units[random_below(state, links ? 2 : 4)]; /* links count in ticks or seconds */
    synth_subject subject = {.app = draw_app(state, unit, !sized && random_once_in(state, 3))};
    subject.machine = machine_for(state, format, inlay_unit_name(unit));
    bool hosts = inlay_machine_memory_kind(subject.machine) == INLAY_MEMORY_COMMON && random_once_in(state, 2);
    subject.mapping = hosts ? placed_on_cores(state, subject.app, subject.machine)
                            : draw_mapping(state, subject.app, subject.machine);
    subject.options = draw_options(state, subject.app);
    return subject;
}

synth_subject synth_place(const char *app, const char *machine, const inlay_id *processor, const inlay_options *options)
{
    synth_subject subject = {0};
    ck_assert_int_eq(inlay_app_read_memory(app, strlen(app), "app", "dot", &subject.app, NULL), INLAY_OK);
    subject.machine = golden_machine(machine);
    subject.mapping = placed(subject.app, subject.machine, processor, options);
    return subject;
}

void synth_clear(synth_subject *subject)
{
    inlay_mapping_free(subject->mapping);
    inlay_machine_free(subject->machine);
    inlay_app_free(subject->app);
}
