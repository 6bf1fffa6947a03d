/* A recorded simulation as a Gantt picture: its rows, axis and legend. */
#include "render/gantt.h"
#include "base/diag.h"
#include "base/memory.h"
#include <inlay/render.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INTERVALS = 8, TITLE_TEXT = 16, GAP = 8, LINE = 20, SWATCH = 12, LABELS = 60, ROW_HEIGHTS = 4 };
enum { TITLE_Y = CHART_MARGIN + TITLE_TEXT - 4, LEGEND_Y = TITLE_Y + 2 * LINE };

/* ---- Rows ---- */

/* The more rows, the lower they are. */
static void choose_heights(gantt *on)
{
    static const struct {
        inlay_id most; /* rows */
        double row, bar;
    } heights[ROW_HEIGHTS] = {{30, 26, 20}, {60, 16, 12}, {100, 12, 9}, {GANTT_ROWS, 4, 3}};
    on->group = (on->processors + GANTT_ROWS - 1) / GANTT_ROWS;
    on->rows = (on->processors + on->group - 1) / on->group;
    size_t i = 0;
    while (i + 1 < ROW_HEIGHTS && on->rows > heights[i].most) {
        i++;
    }
    on->row = heights[i].row;
    on->bar = heights[i].bar;
}

double gantt_middle(const gantt *on, inlay_id cluster)
{
    inlay_id row = on->place_of[cluster] / on->group;
    return on->top + ((double)row + 0.5) * on->row;
}

typedef struct seat {
    inlay_id processor, cluster;
} seat;

static int lower_processor(const void *a, const void *b)
{
    const seat *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

static bool make_places(gantt *on)
{
    size_t count = (size_t)on->processors;
    on->processor_at = memory_array(count, sizeof *on->processor_at);
    on->begin = memory_zeroed(count + 1, sizeof *on->begin);
    on->module = memory_array((size_t)inlay_app_modules(on->app), sizeof *on->module);
    on->place_of = memory_array(count, sizeof *on->place_of);
    return on->processor_at != NULL && on->begin != NULL && on->module != NULL && on->place_of != NULL;
}

/* Of a simulation: the mapping's clusters by rising processor. */
static bool place_clusters(gantt *on)
{
    size_t count = (size_t)on->processors;
    seat *seats = memory_array(count, sizeof *seats);
    bool fine = make_places(on) && seats != NULL;
    for (inlay_id c = 0; c < on->processors && fine; c++) {
        seats[c] = (seat){inlay_mapping_cluster(on->mapping, c).processor, c};
    }
    if (fine) {
        qsort(seats, count, sizeof *seats, lower_processor);
    }
    for (inlay_id place = 0; place < on->processors && fine; place++) {
        inlay_cluster_info own = inlay_mapping_cluster(on->mapping, seats[place].cluster);
        on->processor_at[place] = seats[place].processor;
        on->place_of[seats[place].cluster] = place;
        on->begin[place + 1] = on->begin[place] + own.modules;
        memcpy(on->module + on->begin[place], own.module, (size_t)own.modules * sizeof *own.module);
    }
    free(seats);
    return fine;
}

/* Of a run under a scheduler: its processors, each with what it ran. */
static bool place_processors(gantt *on)
{
    if (!make_places(on)) {
        return false;
    }
    inlay_id modules = inlay_app_modules(on->app);
    for (inlay_id i = 0; i < modules; i++) {
        on->begin[gantt_module(on, i).processor + 1]++;
    }
    for (inlay_id place = 0; place < on->processors; place++) {
        on->processor_at[place] = place;
        on->place_of[place] = on->begin[place]; /* where the next one goes */
        on->begin[place + 1] += on->begin[place];
    }
    for (inlay_id i = 0; i < modules; i++) {
        on->module[on->place_of[gantt_module(on, i).processor]++] = i;
    }
    return true;
}

inlay_scheduled_module gantt_module(const gantt *on, inlay_id module)
{
    if (on->scheduled != NULL) {
        return inlay_scheduled_module_at(on->scheduled, module);
    }
    double start = inlay_simulation_start(on->simulation, module);
    return (inlay_scheduled_module){-1, start, start, start, inlay_simulation_end(on->simulation, module)};
}

/* "7", or "4-7" of a row that several share. */
static void add_label(text_buffer *to, const gantt *on, inlay_id row)
{
    inlay_id first = row * on->group;
    inlay_id last = on->processors - first < on->group ? on->processors - 1 : first + on->group - 1;
    text_addf(to, "%" PRId32, on->processor_at[first]);
    if (last > first) {
        text_addf(to, "-%" PRId32, on->processor_at[last]);
    }
}

/* Every row has its label, or every so many where they would touch. */
static void draw_labels(gantt *on)
{
    inlay_id stride = (inlay_id)ceil((CHART_SMALL_TEXT + 1) / on->row);
    for (inlay_id row = 0; row < on->rows; row += stride) {
        text_buffer label = {0};
        double y = on->top + ((double)row + 0.5) * on->row + CHART_SMALL_TEXT * 0.35;
        add_label(&label, on, row);
        svg_words(&on->svg, (chart_place_xy){on->x.start - GAP, y}, CHART_SMALL_TEXT, "end", &label);
    }
}

/* ---- Axis ---- */

static double bottom_of(const gantt *on)
{
    return on->top + (double)on->rows * on->row;
}

static void draw_axis(gantt *on)
{
    chart_ticks ticks;
    double y = bottom_of(on);
    inlay_unit unit = inlay_app_unit(on->app);
    text_buffer title = {0};
    chart_find_ticks(&on->x, INTERVALS, &ticks);
    for (size_t i = 0; i < ticks.count; i++) {
        double x = chart_place(&on->x, ticks.value[i]);
        svg_line(&on->svg, (chart_place_xy){x, on->top}, (chart_place_xy){x, y}, SVG_GRID);
        svg_line(&on->svg, (chart_place_xy){x, y}, (chart_place_xy){x, y + 5}, SVG_AXIS);
        svg_number(&on->svg, (chart_place_xy){x, y + 18}, CHART_SMALL_TEXT, "middle", ticks.value[i], TICK_DIGITS);
    }
    svg_line(&on->svg, (chart_place_xy){on->x.start, y}, (chart_place_xy){on->x.end, y}, SVG_AXIS);
    text_addf(&title, "time, in %s", inlay_unit_word(unit));
    svg_words(&on->svg, (chart_place_xy){on->x.start, y + 18 + LINE}, CHART_SMALL_TEXT, "start", &title);
    svg_text(&on->svg, (chart_place_xy){CHART_MARGIN, on->top - GAP}, CHART_SMALL_TEXT, "start", "processor");
}

/* ---- Title and legend ---- */

/* A line of a name, cut to the picture's width, and words. */
static void draw_line_of(gantt *on, double y, double size, chart_label label)
{
    svg_named(&on->svg, (chart_place_xy){CHART_MARGIN, y}, size, "start", label, CHART_WIDTH - 2 * CHART_MARGIN);
}

static void draw_title(gantt *on)
{
    inlay_unit unit = inlay_app_unit(on->app);
    text_buffer words = {0};
    text_add(&words, ": ");
    chart_number(&words, on->makespan, 10);
    text_addf(&words, " %s simulated", inlay_unit_word(unit));
    if (on->scheduled != NULL) {
        text_addf(&words, ", scheduler %s", inlay_scheduled_result(on->scheduled)->scheduler);
    }
    draw_line_of(on, TITLE_Y, TITLE_TEXT, (chart_label){inlay_app_name(on->app), text_content(&words)});
    draw_line_of(on, TITLE_Y + LINE, CHART_SMALL_TEXT, (chart_label){inlay_machine_text(on->machine), NULL});
    text_settle(&words, &on->svg);
}

/* Words behind a sample that is drawn already; gives where the next one begins. */
static double legend_words(gantt *on, double x, double y, const char *words)
{
    x += 2 * SWATCH + GAP;
    svg_text(&on->svg, (chart_place_xy){x, y + CHART_SMALL_TEXT * 0.35}, CHART_SMALL_TEXT, "start", words);
    return x + svg_width(words, CHART_SMALL_TEXT) + GAP;
}

static double legend_of_messages(gantt *on, double x, double y)
{
    if (!gantt_shows_messages(on)) {
        return x;
    }
    svg_line(&on->svg, (chart_place_xy){x, y + SWATCH / 2.0}, (chart_place_xy){x + 2 * SWATCH, y - SWATCH / 2.0},
             GANTT_MESSAGE_STYLE);
    return legend_words(on, x, y, "a message");
}

static double legend_of_path(gantt *on, double x, double y)
{
    text_buffer words = {0};
    svg_box(&on->svg, x, y, SWATCH, 3, " fill=\"" GANTT_PATH_COLOUR "\"");
    svg_line(&on->svg, (chart_place_xy){x + SWATCH, y}, (chart_place_xy){x + 2 * SWATCH, y - SWATCH / 2.0},
             GANTT_PATH_STYLE);
    text_add(&words, "critical path");
    if (on->left_out > 0) {
        text_addf(&words, " (without %" PRId64 " short messages)", on->left_out);
    }
    x = legend_words(on, x, y, text_content(&words));
    text_settle(&words, &on->svg);
    return x;
}

static void draw_kinds(gantt *on)
{
    double x = CHART_MARGIN, y = LEGEND_Y + LINE;
    for (size_t k = 0; k <= on->kinds.count; k++) {
        text_buffer words = {0}, style = {0};
        bool other = k == on->kinds.count;
        if (other && !on->kinds.others) {
            break;
        }
        text_addf(&style, " fill=\"%s\"", kind_colour(other ? KINDS : k));
        svg_escaped(&words, other ? "other" : on->kinds.name[k], KIND_MOST);
        svg_box(&on->svg, x, y - SWATCH / 2.0, 2 * SWATCH, SWATCH, text_content(&style));
        x = legend_words(on, x, y, text_content(&words));
        text_settle(&style, &on->svg);
        text_settle(&words, &on->svg);
    }
}

static void draw_legend(gantt *on)
{
    double x = CHART_MARGIN, y = LEGEND_Y;
    if (on->kinds.of == NULL) {
        svg_box(&on->svg, x, y - SWATCH / 2.0, 2 * SWATCH, SWATCH, " fill=\"#0072B2\"");
        x = legend_words(on, x, y, "computing");
    }
    draw_kinds(on);
    if (on->shaded) {
        svg_box(&on->svg, x, y - SWATCH / 2.0, SWATCH, SWATCH, " fill=\"#0072B2\" fill-opacity=\"0.2\"");
        svg_box(&on->svg, x + SWATCH, y - SWATCH / 2.0, SWATCH, SWATCH, " fill=\"#0072B2\" fill-opacity=\"0.8\"");
        x = legend_words(on, x, y, "under a pixel: share of time busy");
    }
    if (on->waits) {
        svg_box(&on->svg, x, y - SWATCH / 2.0, 2 * SWATCH, SWATCH, GANTT_WAIT_STYLE);
        x = legend_words(on, x, y, "scheduling and fetching inputs");
    }
    if (on->simulation != NULL) {
        x = legend_of_path(on, x, y);
        (void)legend_of_messages(on, x, y);
    }
}

/* ---- The whole ---- */

static void lay_out(gantt *on)
{
    double end = on->makespan;
    on->x = chart_fit(&(chart_axis){.from = 0, .to = end}, (chart_extent){0, end}, INTERVALS);
    on->x.start = CHART_MARGIN + LABELS;
    on->x.end = CHART_WIDTH - 2 * CHART_MARGIN;
    on->top = LEGEND_Y + (on->kinds.of != NULL ? 3 : 2) * LINE + GAP;
}

static int draw(gantt *on, const char *path, inlay_diag *diag)
{
    choose_heights(on);
    if (!module_kinds_find(&on->kinds, on->app)) {
        return diag_no_memory(diag);
    }
    lay_out(on);
    if (!(on->scheduled != NULL ? place_processors(on) : place_clusters(on))) {
        return diag_no_memory(diag);
    }
    draw_title(on);
    draw_axis(on);
    draw_labels(on);
    if (!gantt_draw_modules(on)) {
        return diag_no_memory(diag);
    }
    if (on->simulation != NULL) {
        gantt_draw_messages(on);
        if (!gantt_draw_path(on)) {
            return diag_no_memory(diag);
        }
    }
    draw_legend(on);
    double height = ceil(bottom_of(on) + 18 + LINE + CHART_MARGIN);
    return svg_write(&(svg_page){CHART_WIDTH, height, "Simulation", NULL}, &on->svg, path, diag);
}

static int draw_and_clear(gantt *on, const char *path, inlay_diag *diag)
{
    int status =
        on->makespan <= CHART_LARGEST
            ? draw(on, path, diag)
            : diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture of a run of %g; expected one that was recorded, up to %g",
                        on->makespan, CHART_LARGEST);
    free(on->processor_at);
    free(on->begin);
    free(on->module);
    free(on->place_of);
    free(on->kinds.of);
    text_clear(&on->svg);
    return status;
}

int inlay_simulation_draw_svg(const inlay_simulation *simulation, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    gantt on = {.simulation = simulation, .mapping = mapping, .app = inlay_mapping_app(mapping)};
    on.machine = inlay_mapping_machine(mapping);
    on.makespan = inlay_simulation_recorded_makespan(simulation);
    on.processors = inlay_mapping_summary(mapping)->clusters;
    return draw_and_clear(&on, path, diag);
}

int inlay_scheduled_draw_svg(const inlay_scheduled *run, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    gantt on = {.scheduled = run, .app = inlay_scheduled_app(run), .machine = inlay_scheduled_machine(run)};
    on.processors = inlay_scheduled_result(run)->processors;
    for (inlay_id i = 0; i < inlay_app_modules(on.app); i++) {
        on.makespan = fmax(on.makespan, inlay_scheduled_module_at(run, i).end);
    }
    return draw_and_clear(&on, path, diag);
}
