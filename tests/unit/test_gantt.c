/* Gantt pictures: what stands where, against the simulation, by the scale that the picture's own axis shows. */
#include "base/plain.h"
#include "drawn.h"
#include "random_app.h"
#include "recorded.h"
#include "svg_read.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEEDS = DRAWN_GANTT, PROCESSORS = 1000 };

static const char blue[] = "#0072B2", path_colour[] = "#D55E00";

/** A picture and its scale: pixels of time 0, and of one unit. */
typedef struct picture {
    const recorded *of;
    char *svg;
    double origin, unit;
} picture;

/* ---- Reading ---- */

/** Whether an element has a colour: fill of boxes, stroke of lines. */
static bool has_colour(const char *element, const char *attribute, const char *colour)
{
    const char *value = svg_attribute_text(element, attribute);
    return value != NULL && strncmp(value, colour, strlen(colour)) == 0;
}

/** The scale from the first and the last number at the axis; they stand 18 pixels below it. */
static void read_scale(picture *p)
{
    double first = 0, last = 0, first_x = 0, last_x = 0, axis = 0;
    size_t count = 0;
    for (const char *s = p->svg; (s = svg_next(s + 1, "line"));) {
        bool level = svg_attribute_number(s, "y1") == svg_attribute_number(s, "y2");
        axis = level && has_colour(s, "stroke", "#222222") ? svg_attribute_number(s, "y1") : axis;
    }
    for (const char *s = p->svg; (s = svg_next(s + 1, "text"));) {
        if (svg_attribute_number(s, "y") == axis + 18) {
            last = plain_number(strchr(s, '>') + 1, NULL);
            last_x = svg_attribute_number(s, "x");
            first = count == 0 ? last : first;
            first_x = count++ == 0 ? last_x : first_x;
        }
    }
    ck_assert_uint_ge(count, 2);
    p->unit = (last_x - first_x) / (last - first);
    p->origin = first_x - first * p->unit;
}

static picture draw(const recorded *of)
{
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_simulation_draw_svg(of->simulation, svg_path(), diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    picture p = {.of = of, .svg = svg_take()};
    read_scale(&p);
    return p;
}

/** Middle of the row of a processor, by its label. */
static double row_of(const picture *p, inlay_id processor)
{
    char label[24];
    snprintf(label, sizeof label, ">%d</text>", (int)processor);
    for (const char *s = p->svg; (s = svg_next(s + 1, "text"));) {
        if (has_colour(s, "text-anchor", "end") && strncmp(strchr(s, '>'), label, strlen(label)) == 0) {
            return svg_attribute_number(s, "y") - 12 * 0.35;
        }
    }
    ck_abort_msg("no row of processor %d", (int)processor);
    return 0;
}

static double middle_of(const char *box)
{
    return svg_attribute_number(box, "y") + svg_attribute_number(box, "height") / 2;
}

/** Behind the legend, which has boxes of the same colours. */
static const char *below_legend(const picture *p)
{
    const char *s = strstr(p->svg, ">processor</text>");
    ck_assert_ptr_nonnull(s);
    return s;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 0.06; /* rounding of two numbers and of the scale */
}

/* ---- Small pictures ---- */

/** The box of a module, in its row, from its start to its end. */
static void expect_box(const picture *p, inlay_id module)
{
    double left = p->origin + p->unit * inlay_simulation_start(p->of->simulation, module);
    double right = p->origin + p->unit * inlay_simulation_end(p->of->simulation, module);
    double row = row_of(p, recorded_processor(p->of, module));
    bool found = right - left < 1.05; /* narrower ones are counted in cells */
    for (const char *s = below_legend(p); !found && (s = svg_next(s + 1, "rect"));) {
        found = has_colour(s, "fill", blue) && svg_attribute_text(s, "fill-opacity") == NULL &&
                is_near(middle_of(s), row) && is_near(svg_attribute_number(s, "x"), left) &&
                is_near(svg_attribute_number(s, "width"), right - left);
    }
    ck_assert_msg(found, "no box of %s", inlay_app_module_name(p->of->app, module));
}

/** A strip under a row that reaches from one place to another, or further. */
static bool is_marked(const picture *p, inlay_id processor, double left, double right)
{
    double row = row_of(p, processor);
    bool found = false;
    for (const char *s = below_legend(p); !found && (s = svg_next(s + 1, "rect"));) {
        double x = svg_attribute_number(s, "x"), y = middle_of(s);
        found = has_colour(s, "fill", path_colour) && y > row && y < row + 13 && x <= left + 1.06 &&
                x + svg_attribute_number(s, "width") >= right - 0.06;
    }
    return found;
}

/** A line of a colour from the row of one cluster to that of another, between two times. */
static bool has_line(const picture *p, const char *colour, const inlay_simulated_message *m, double from, double to)
{
    double y1 = row_of(p, inlay_mapping_cluster(p->of->mapping, m->sender).processor);
    double y2 = row_of(p, inlay_mapping_cluster(p->of->mapping, m->receiver).processor);
    bool found = false;
    for (const char *s = p->svg; !found && (s = svg_next(s + 1, "line"));) {
        found = has_colour(s, "stroke", colour) && is_near(svg_attribute_number(s, "y1"), y1) &&
                is_near(svg_attribute_number(s, "y2"), y2) &&
                is_near(svg_attribute_number(s, "x1"), p->origin + p->unit * from) &&
                is_near(svg_attribute_number(s, "x2"), p->origin + p->unit * to);
    }
    return found;
}

/** Every piece of the critical path is a part of a strip, or of the line of its message. */
static void expect_path(const picture *p)
{
    size_t count, message_count;
    const inlay_step *steps = inlay_simulation_path(p->of->simulation, &count);
    const inlay_simulated_message *messages = inlay_simulation_messages(p->of->simulation, &message_count);
    for (size_t i = 0; i < count; i++) {
        size_t last = i;
        if (steps[i].module >= 0) {
            ck_assert(is_marked(p, recorded_processor(p->of, steps[i].module), p->origin + p->unit * steps[i].from,
                                p->origin + p->unit * steps[i].to));
            continue;
        }
        while (last + 1 < count && steps[last + 1].message == steps[i].message) {
            last++;
        }
        ck_assert(has_line(p, path_colour, &messages[steps[i].message], steps[i].from, steps[last].to));
        i = last;
    }
}

START_TEST(pictures_show_the_simulation)
{
    size_t lines = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        recorded of = record_random(seed);
        if (inlay_simulation_recorded_makespan(of.simulation) > 0) {
            picture p = draw(&of);
            size_t count;
            const inlay_simulated_message *messages = inlay_simulation_messages(of.simulation, &count);
            for (inlay_id i = 0; i < inlay_app_modules(of.app); i++) {
                expect_box(&p, i);
            }
            for (size_t i = 0; i < count; i++) {
                ck_assert(count > 400 ||
                          has_line(&p, "#444444", &messages[i], messages[i].request, messages[i].arrival));
            }
            expect_path(&p);
            lines += count;
            free(p.svg);
        }
        recorded_clear(&of);
    }
    ck_assert_uint_gt(lines, 500);
}
END_TEST

START_TEST(names_stand_in_boxes_that_hold_them)
{
    recorded of =
        record("digraph { graph [time_unit=ms]; \"<first>\" [time=20]; second [time=0.3]; a -> b; a [time=60];"
               " b [time=19.7, pin=1]; }",
               "bus:4,capacity=1msg/ms", NULL);
    picture p = draw(&of);
    char title[100];
    ck_assert_ptr_nonnull(strstr(p.svg, "\">&lt;first&gt;</text>"));
    ck_assert_ptr_null(strstr(p.svg, "\">second</text>"));
    inlay_id second = inlay_app_find_module(of.app, "second");
    plain_print(title, sizeof title, "<title>second: %g to %g</title>", inlay_simulation_start(of.simulation, second),
                inlay_simulation_end(of.simulation, second));
    ck_assert_ptr_nonnull(strstr(p.svg, title));
    ck_assert_ptr_nonnull(strstr(p.svg, ">time, in ms</text>"));
    free(p.svg);
    recorded_clear(&of);
}
END_TEST

/* ---- Pictures of very many modules ---- */

/** Modules of 0.25 ticks in a row on each processor, each after the one before it on the next processor. */
static recorded record_many(inlay_id processors, int modules, const char *machine)
{
    char *text = NULL;
    size_t size = 0;
    inlay_id count = processors * modules, *processor = calloc((size_t)count, sizeof *processor);
    FILE *to = open_memstream(&text, &size);
    ck_assert(to != NULL && processor != NULL);
    fprintf(to, "digraph { graph [time_unit=tick];\n");
    for (inlay_id i = 0; i < count; i++) {
        processor[i] = i / modules;
        fprintf(to, "m%d [time=0.25];\n", (int)i);
    }
    for (inlay_id i = 0; i < count; i++) {
        if (i % modules > 0) {
            fprintf(to, "m%d -> m%d;\n", (int)((i + modules) % count - 1), (int)i);
        }
    }
    fprintf(to, "}\n");
    ck_assert_int_eq(fclose(to), 0);
    recorded of = record_placed(text, machine, processor);
    free(processor);
    free(text);
    return of;
}

/** The busy time between two times of the processors from..to, all modules looked at. */
static double busy_between(const recorded *of, inlay_id from, inlay_id to, double begin, double end)
{
    double busy = 0;
    for (inlay_id i = 0; i < inlay_app_modules(of->app); i++) {
        inlay_id processor = recorded_processor(of, i);
        double start = fmax(inlay_simulation_start(of->simulation, i), begin);
        double stop = fmin(inlay_simulation_end(of->simulation, i), end);
        busy += processor >= from && processor <= to && stop > start ? stop - start : 0;
    }
    return busy;
}

/** The opacity of the bar at a place, 0 where there is none. */
static double shade_at(const picture *p, double x, double row)
{
    for (const char *s = below_legend(p); (s = svg_next(s + 1, "rect"));) {
        double left = svg_attribute_number(s, "x"), top = svg_attribute_number(s, "y");
        if (svg_attribute_text(s, "fill-opacity") != NULL && x > left && x < left + svg_attribute_number(s, "width") &&
            row > top && row < top + svg_attribute_number(s, "height")) {
            return svg_attribute_number(s, "fill-opacity");
        }
    }
    return 0;
}

/** At cells of two pixels: the shade is the share of the time busy, up to the next tenth. */
static void expect_shades(const picture *p, inlay_id from, inlay_id to, double row)
{
    double group = to - from + 1, makespan = inlay_simulation_recorded_makespan(p->of->simulation);
    for (double x = p->origin + 1; x + 1 < p->origin + p->unit * makespan; x += 2 * 13) {
        double begin = (x - 1 - p->origin) / p->unit, end = (x + 1 - p->origin) / p->unit;
        double share = busy_between(p->of, from, to, begin, end) / (end - begin) / group;
        double shade = shade_at(p, x, row);
        ck_assert_msg(shade >= share - 0.02 && shade <= share + 0.12, "%g at %g, busy %g", shade, x, share);
    }
}

START_TEST(narrow_modules_become_shades)
{
    recorded of = record_many(3, 3000, "bus:4,capacity=4msg/tick");
    picture p = draw(&of);
    ck_assert_ptr_nonnull(strstr(p.svg, ">under a pixel: share of time busy</text>"));
    ck_assert_ptr_null(strstr(p.svg, ">a message</text>"));
    for (inlay_id processor = 0; processor < 3; processor++) {
        expect_shades(&p, processor, processor, row_of(&p, processor));
    }
    free(p.svg);
    recorded_clear(&of);
}
END_TEST

START_TEST(many_processors_share_rows)
{
    recorded of = record_many(PROCESSORS, 2, "bus:1000");
    picture p = draw(&of);
    const char *first = strstr(p.svg, ">0-2</text>"); /* three a row: at most 400 rows */
    ck_assert_ptr_nonnull(first);
    while (*first != '<') {
        first--;
    }
    expect_shades(&p, 0, 2, svg_attribute_number(first, "y") - 12 * 0.35);
    ck_assert_double_le(svg_attribute_number(svg_next(p.svg, "svg"), "height"), 1800);
    free(p.svg);
    recorded_clear(&of);
}
END_TEST

START_TEST(size_does_not_grow_with_modules)
{
    recorded of = record_many(2, 20000, "bus:2,capacity=4msg/tick");
    picture p = draw(&of);
    ck_assert_uint_lt(strlen(p.svg), 200000);
    free(p.svg);
    recorded_clear(&of);
}
END_TEST

START_TEST(what_was_not_recorded_is_not_drawn)
{
    recorded of = record_random(1);
    inlay_simulation *bare = NULL;
    inlay_diag *diag = inlay_diag_new();
    const inlay_simulation_options options = {0};
    ck_assert_int_eq(inlay_simulate(of.mapping, &options, &bare, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_simulation_draw_svg(bare, svg_path(), diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag),
                     "a picture of a run of nan; expected one that was recorded, up to 1e+100");
    ck_assert_int_ne(access(svg_path(), F_OK), 0);
    ck_assert_int_eq(inlay_simulation_draw_svg(of.simulation, "/nowhere/x.svg", NULL), INLAY_SYSTEM);
    inlay_diag_free(diag);
    inlay_simulation_free(bare);
    recorded_clear(&of);
}
END_TEST

/* ---- Runs under a scheduler ---- */

/** A box of a colour in a row from one time to another; of less than a pixel there need not be one. */
static bool has_box(const picture *p, const char *colour, double row, double from, double to)
{
    double left = p->origin + p->unit * from, width = p->unit * (to - from);
    bool found = width < 1.05;
    for (const char *s = below_legend(p); !found && (s = svg_next(s + 1, "rect"));) {
        found = has_colour(s, "fill", colour) && is_near(middle_of(s), row) &&
                is_near(svg_attribute_number(s, "x"), left) && is_near(svg_attribute_number(s, "width"), width);
    }
    return found;
}

START_TEST(runs_under_a_scheduler)
{
    int waits = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = seed;
        random_times times;
        inlay_app *app = random_app(&state, 2 + (inlay_id)random_below(&state, 20), 0, &times);
        inlay_machine *machine = NULL;
        inlay_scheduled *run = NULL;
        char text[80];
        snprintf(text, sizeof text, "bus:4,capacity=1msg/%s,task_overhead=%d%s", inlay_unit_name(inlay_app_unit(app)),
                 (int)(seed % 3), inlay_unit_name(inlay_app_unit(app)));
        ck_assert_int_eq(inlay_machine_parse(text, &machine, NULL), INLAY_OK);
        const inlay_scheduled_options options = {.scheduler = "fifo", .tick_seconds = 1};
        ck_assert_int_eq(inlay_simulate_scheduled(app, machine, &options, &run, NULL), INLAY_OK);
        if (inlay_scheduled_result(run)->makespan > 0) {
            ck_assert_int_eq(inlay_scheduled_draw_svg(run, svg_path(), NULL), INLAY_OK);
            picture p = {.svg = svg_take()};
            read_scale(&p);
            for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
                inlay_scheduled_module at = inlay_scheduled_module_at(run, i);
                double row = row_of(&p, at.processor);
                ck_assert_msg(has_box(&p, blue, row, at.start, at.end), "seed %d, module %d", (int)seed, (int)i);
                ck_assert_msg(has_box(&p, "#BBBBBB", row, at.taken, at.start), "seed %d: %d", (int)seed, (int)i);
                waits += at.start > at.taken;
            }
            ck_assert_ptr_nonnull(strstr(p.svg, "scheduler fifo"));
            free(p.svg);
        }
        inlay_scheduled_free(run);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(waits, 20);
}
END_TEST

Suite *suite_gantt(void)
{
    Suite *suite = suite_create("gantt");
    TCase *pictures = tcase_create("pictures");
    tcase_add_test(pictures, pictures_show_the_simulation);
    tcase_add_test(pictures, names_stand_in_boxes_that_hold_them);
    tcase_add_test(pictures, narrow_modules_become_shades);
    tcase_add_test(pictures, many_processors_share_rows);
    tcase_add_test(pictures, size_does_not_grow_with_modules);
    tcase_add_test(pictures, what_was_not_recorded_is_not_drawn);
    tcase_add_test(pictures, runs_under_a_scheduler);
    suite_add_tcase(suite, pictures);
    return suite;
}
