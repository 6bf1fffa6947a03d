/* A recorded simulation as a Gantt picture: its rows, axis and legend. */
#include "render/gantt.h"
#include "base/diag.h"
#include "base/memory.h"
#include <inlay/render.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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
    on->group = (on->clusters + GANTT_ROWS - 1) / GANTT_ROWS;
    on->rows = (on->clusters + on->group - 1) / on->group;
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

static inlay_id processor_at(const gantt *on, inlay_id place)
{
    return inlay_mapping_cluster(on->mapping, on->cluster_at[place]).processor;
}

static bool order_rows(gantt *on)
{
    size_t count = (size_t)on->clusters;
    seat *seats = memory_array(count, sizeof *seats);
    on->cluster_at = memory_array(count, sizeof *on->cluster_at);
    on->place_of = memory_array(count, sizeof *on->place_of);
    bool fine = seats != NULL && on->cluster_at != NULL && on->place_of != NULL;
    for (inlay_id c = 0; c < on->clusters && fine; c++) {
        seats[c] = (seat){inlay_mapping_cluster(on->mapping, c).processor, c};
    }
    if (fine) {
        qsort(seats, count, sizeof *seats, lower_processor);
    }
    for (inlay_id place = 0; place < on->clusters && fine; place++) {
        on->cluster_at[place] = seats[place].cluster;
        on->place_of[seats[place].cluster] = place;
    }
    free(seats);
    return fine;
}

/* "7", or "4-7" of a row that several share. */
static void add_label(text_buffer *to, const gantt *on, inlay_id row)
{
    inlay_id first = row * on->group;
    inlay_id last = on->clusters - first < on->group ? on->clusters - 1 : first + on->group - 1;
    text_addf(to, "%" PRId32, processor_at(on, first));
    if (last > first) {
        text_addf(to, "-%" PRId32, processor_at(on, last));
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
    text_addf(&title, "time, in %s", unit == INLAY_UNIT_TICK ? "ticks" : inlay_unit_name(unit));
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
    chart_number(&words, inlay_simulation_recorded_makespan(on->simulation), 10);
    text_addf(&words, " %s simulated", unit == INLAY_UNIT_TICK ? "ticks" : inlay_unit_name(unit));
    draw_line_of(on, TITLE_Y, TITLE_TEXT, (chart_label){inlay_app_name(on->app), text_content(&words)});
    draw_line_of(on, TITLE_Y + LINE, CHART_SMALL_TEXT,
                 (chart_label){inlay_machine_text(inlay_mapping_machine(on->mapping)), NULL});
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

static void draw_legend(gantt *on)
{
    double x = CHART_MARGIN, y = LEGEND_Y;
    svg_box(&on->svg, x, y - SWATCH / 2.0, 2 * SWATCH, SWATCH, " fill=\"#0072B2\"");
    x = legend_words(on, x, y, "computing");
    if (on->shaded) {
        svg_box(&on->svg, x, y - SWATCH / 2.0, SWATCH, SWATCH, " fill=\"#0072B2\" fill-opacity=\"0.2\"");
        svg_box(&on->svg, x + SWATCH, y - SWATCH / 2.0, SWATCH, SWATCH, " fill=\"#0072B2\" fill-opacity=\"0.8\"");
        x = legend_words(on, x, y, "under a pixel: share of time busy");
    }
    x = legend_of_path(on, x, y);
    (void)legend_of_messages(on, x, y);
}

/* ---- The whole ---- */

static void lay_out(gantt *on)
{
    double end = inlay_simulation_recorded_makespan(on->simulation);
    on->x = chart_fit(&(chart_axis){.from = 0, .to = end}, (chart_extent){0, end}, INTERVALS);
    on->x.start = CHART_MARGIN + LABELS;
    on->x.end = CHART_WIDTH - 2 * CHART_MARGIN;
    on->top = LEGEND_Y + 2 * LINE + GAP;
}

static int draw(gantt *on, const char *path, inlay_diag *diag)
{
    choose_heights(on);
    lay_out(on);
    if (!order_rows(on)) {
        return diag_no_memory(diag);
    }
    draw_title(on);
    draw_axis(on);
    draw_labels(on);
    if (!gantt_draw_modules(on)) {
        return diag_no_memory(diag);
    }
    gantt_draw_messages(on);
    if (!gantt_draw_path(on)) {
        return diag_no_memory(diag);
    }
    draw_legend(on);
    double height = ceil(bottom_of(on) + 18 + LINE + CHART_MARGIN);
    return svg_write(&(svg_page){CHART_WIDTH, height, "Simulation", NULL}, &on->svg, path, diag);
}

int inlay_simulation_draw_svg(const inlay_simulation *simulation, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    double end = inlay_simulation_recorded_makespan(simulation);
    if (!(end <= CHART_LARGEST)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture of a run of %g; expected one that was recorded, up to %g",
                         end, CHART_LARGEST);
    }
    gantt on = {.simulation = simulation, .mapping = inlay_simulation_mapping(simulation)};
    on.app = inlay_mapping_app(on.mapping);
    on.clusters = inlay_mapping_summary(on.mapping)->clusters;
    int status = draw(&on, path, diag);
    free(on.cluster_at);
    free(on.place_of);
    text_clear(&on.svg);
    return status;
}
