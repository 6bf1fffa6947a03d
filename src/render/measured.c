/*
 * Predicted against measured times: a square plot of two logarithmic axes of one scale, in which a true prediction lies
 * on the diagonal, and the machines beside it.
 */
#include "base/diag.h"
#include "render/chart_parts.h"
#include <inlay/render.h>
#include <math.h>
#include <string.h>

/* Pixels; and of a name in the legend the lines, and the characters of which one is made. */
enum {
    SIDE = 550,
    PLOT_GAP = 10, /* between the numbers of the y axis and its edge */
    NUMBER_ROOM = 44,
    LEGEND_GAP = 22,
    ENTRY_GAP = 10,
    LINE = 17,
    SAMPLE = 24,
    TITLE_TEXT = 16,
    INTERVALS = 8,
    NAME_LINES = 4,
    LINE_MOST = 100
};

/* What is told by thin lines beside the diagonal: so much above and below the measured time. */
static const double off = 0.1;

static const char band_style[] = " fill=\"#EAF1F6\"";
static const char band_edge[] = " stroke=\"#6B6B6B\" stroke-width=\"0.75\"";
static const char diagonal_style[] = " stroke=\"#222222\" stroke-width=\"1.5\"";

typedef struct picture {
    const inlay_measured *rows;
    size_t count;
    const inlay_measured_picture *of;
    plot on;       /* its scales are one scale, laid out twice */
    double bottom; /* of what is drawn */
} picture;

static chart_place_xy place(const picture *in, double measured, double predicted)
{
    return plot_place(&in->on, measured, predicted);
}

/* ---- Texts ---- */

/* "measured elapsed time, in s; logarithmic" */
static void draw_axis_title(picture *in, const char *what, chart_place_xy at, const char *anchor)
{
    text_buffer text = {0};
    text_addf(&text, "%s, in %s; logarithmic", what, in->of->unit);
    svg_named(&in->on.svg, at, CHART_TEXT, anchor, (chart_label){.words = text_content(&text)}, CHART_WIDTH);
    text_settle(&text, &in->on.svg);
}

/* ---- The plot ---- */

/* Between the lines at -10 % and +10 %, as far as it lies in the plot. */
static void draw_band(picture *in)
{
    double from = in->on.x.from, to = in->on.x.to;
    const chart_place_xy corners[] = {
        place(in, from, from), place(in, from, from * (1 + off)), place(in, to / (1 + off), to),
        place(in, to, to),     place(in, to, to * (1 - off)),     place(in, from / (1 - off), from),
    };
    text_add(&in->on.svg, "<polygon");
    svg_points(&in->on.svg, corners, sizeof corners / sizeof *corners);
    text_addf(&in->on.svg, "%s/>\n", band_style);
}

static void draw_guides(picture *in)
{
    double from = in->on.x.from, to = in->on.x.to;
    svg_line(&in->on.svg, place(in, from, from * (1 + off)), place(in, to / (1 + off), to), band_edge);
    svg_line(&in->on.svg, place(in, from / (1 - off), from), place(in, to, to * (1 - off)), band_edge);
    svg_line(&in->on.svg, place(in, from, from), place(in, to, to), diagonal_style);
}

static void draw_grid(picture *in)
{
    const plot *on = &in->on;
    for (size_t i = 0; i < on->x_ticks.count; i++) {
        if (on->x_ticks.labelled[i]) {
            double x = chart_place(&on->x, on->x_ticks.value[i]), y = chart_place(&on->y, on->x_ticks.value[i]);
            svg_line(&in->on.svg, (chart_place_xy){x, on->y.end}, (chart_place_xy){x, on->y.start}, SVG_GRID);
            svg_line(&in->on.svg, (chart_place_xy){on->x.start, y}, (chart_place_xy){on->x.end, y}, SVG_GRID);
        }
    }
}

/* Both axes have the same ticks. */
static void draw_axes(picture *in)
{
    const plot *on = &in->on;
    double left = on->x.start, low = on->y.start;
    for (size_t i = 0; i < on->x_ticks.count; i++) {
        double value = on->x_ticks.value[i], x = chart_place(&on->x, value), y = chart_place(&on->y, value);
        double reach = on->x_ticks.labelled[i] ? 5 : 3;
        svg_line(&in->on.svg, (chart_place_xy){x, low}, (chart_place_xy){x, low + reach}, SVG_AXIS);
        svg_line(&in->on.svg, (chart_place_xy){left - reach, y}, (chart_place_xy){left, y}, SVG_AXIS);
        if (on->x_ticks.labelled[i]) {
            svg_number(&in->on.svg, (chart_place_xy){x, low + 20}, CHART_TEXT, "middle", value, TICK_DIGITS);
            svg_number(&in->on.svg, (chart_place_xy){left - 9, y + CHART_TEXT * 0.35}, CHART_TEXT, "end", value,
                       TICK_DIGITS);
        }
    }
    svg_box(&in->on.svg, left, PLOT_TOP, SIDE, SIDE, SVG_FRAME);
    draw_axis_title(in, in->of->predicted, (chart_place_xy){CHART_MARGIN, PLOT_TOP - 14}, "start");
    draw_axis_title(in, "measured elapsed time", (chart_place_xy){left + SIDE / 2.0, low + 42}, "middle");
}

/* The runs of one row; its name is what viewers show when they are asked. */
static void draw_runs(picture *in, const inlay_measured *row)
{
    text_buffer *svg = &in->on.svg;
    text_add(svg, "<g><title>");
    svg_label(svg, &(chart_label){.name = row->name}, CHART_SMALL_TEXT, CHART_WIDTH);
    text_add(svg, "</title>\n");
    for (size_t i = 0; i < row->run_count; i++) {
        curve_marker(svg, row->machine, place(in, row->runs[i], row->predicted));
    }
    text_add(svg, "</g>\n");
}

/* ---- The legend ---- */

/* How much of a name goes into one line: up to the last comma that fits, or else the first, if there is one. */
static size_t line_length(const char *name, double room)
{
    char begin[LINE_MOST + 1];
    size_t fits = 0, size = strnlen(name, LINE_MOST);
    memcpy(begin, name, size);
    for (size_t length = size; length > 0 && fits == 0; length--) {
        begin[length] = '\0';
        bool ends = name[length] == '\0' || name[length - 1] == ',';
        fits = ends && svg_width(begin, CHART_SMALL_TEXT) <= room ? length : 0;
    }
    if (fits == 0) {
        fits = strcspn(name, ",");
        fits += name[fits] == ',';
    }
    return fits;
}

/* A line of the legend at `left`, below what stands there. */
static void add_line(picture *in, double left, const char *text, size_t length)
{
    text_buffer line = {0};
    text_append(&line, text, length);
    svg_named(&in->on.svg, (chart_place_xy){left, in->bottom + LINE / 2.0 + CHART_SMALL_TEXT * 0.35}, CHART_SMALL_TEXT,
              "start", (chart_label){.name = text_content(&line)}, CHART_WIDTH - CHART_MARGIN - left);
    text_settle(&line, &in->on.svg);
    in->bottom += LINE;
}

static void add_machine(picture *in, size_t number, double left)
{
    const inlay_measured_machine *machine = &in->of->machines[number];
    double text_left = left + SAMPLE, room = CHART_WIDTH - CHART_MARGIN - text_left;
    const char *rest = machine->name;
    curve_marker(&in->on.svg, number, (chart_place_xy){left + SAMPLE / 2.0 - 4, in->bottom + LINE / 2.0});
    for (int line = 1; *rest != '\0' || line == 1; line++) {
        size_t length = line < NAME_LINES ? line_length(rest, room) : strlen(rest);
        add_line(in, text_left, rest, length);
        rest += length;
    }
    if (machine->words != NULL) {
        text_add(&in->on.svg, "<g fill=\"#555555\">\n");
        add_line(in, text_left, machine->words, strlen(machine->words));
        text_add(&in->on.svg, "</g>\n");
    }
    in->bottom += ENTRY_GAP;
}

/* What the lines under the dots mean: drawn as they are, but level. */
static void add_guides(picture *in, double left)
{
    static const char *const words[] = {"predicted as measured", "10 % above and below it"};
    double end = left + SAMPLE - 8;
    double middle = in->bottom + LINE / 2.0;
    svg_line(&in->on.svg, (chart_place_xy){left, middle}, (chart_place_xy){end, middle}, diagonal_style);
    add_line(in, left + SAMPLE, words[0], strlen(words[0]));
    middle = in->bottom + LINE / 2.0;
    svg_box(&in->on.svg, left, middle - 5, end - left, 10, band_style);
    svg_line(&in->on.svg, (chart_place_xy){left, middle - 5}, (chart_place_xy){end, middle - 5}, band_edge);
    svg_line(&in->on.svg, (chart_place_xy){left, middle + 5}, (chart_place_xy){end, middle + 5}, band_edge);
    add_line(in, left + SAMPLE, words[1], strlen(words[1]));
}

static void draw_legend(picture *in)
{
    double left = in->on.x.end + LEGEND_GAP;
    in->bottom = PLOT_TOP - 4;
    for (size_t m = 0; m < in->of->machine_count; m++) {
        add_machine(in, m, left);
    }
    add_guides(in, left);
}

/* ---- The whole ---- */

static void lay_out(picture *in)
{
    const chart_axis axis = {.logarithmic = true, .from = NAN, .to = NAN};
    chart_extent data = {INFINITY, -INFINITY};
    for (size_t i = 0; i < in->count; i++) {
        const inlay_measured *row = &in->rows[i];
        data.least = fmin(data.least, row->predicted);
        data.largest = fmax(data.largest, row->predicted);
        for (size_t r = 0; r < row->run_count; r++) {
            data.least = fmin(data.least, row->runs[r]);
            data.largest = fmax(data.largest, row->runs[r]);
        }
    }
    plot *on = &in->on;
    on->x = on->y = chart_fit(&axis, data, INTERVALS);
    on->x.start = CHART_MARGIN + NUMBER_ROOM + PLOT_GAP;
    on->x.end = on->x.start + SIDE;
    on->y.start = PLOT_TOP + SIDE;
    on->y.end = PLOT_TOP;
    chart_find_ticks(&on->x, INTERVALS, &on->x_ticks);
}

static void draw(picture *in)
{
    draw_band(in);
    draw_grid(in);
    draw_guides(in);
    text_add(&in->on.svg, "<g fill-opacity=\"0.6\">\n"); /* a run shows through the next one */
    for (size_t i = 0; i < in->count; i++) {
        draw_runs(in, &in->rows[i]);
    }
    text_add(&in->on.svg, "</g>\n");
    draw_axes(in);
    svg_title(&in->on.svg, in->of->title);
    draw_legend(in);
}

/* ---- Checking ---- */

static bool can_stand(double time)
{
    return time >= 1 / CHART_LARGEST && time <= CHART_LARGEST;
}

static int check_row(const inlay_measured *row, size_t number, size_t machines, inlay_diag *diag)
{
    if (row->machine >= machines || row->run_count == 0 || row->runs == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "row %zu has %zu runs on machine %zu; expected 1 or more, and a machine below %zu", number,
                         row->runs != NULL ? row->run_count : 0, row->machine, machines);
    }
    double wrong = can_stand(row->predicted) ? 1 : row->predicted;
    for (size_t i = 0; i < row->run_count; i++) {
        wrong = can_stand(row->runs[i]) ? wrong : row->runs[i];
    }
    if (!can_stand(wrong)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "row %zu has the time %g; expected times from %g to %g", number,
                         wrong, 1 / CHART_LARGEST, CHART_LARGEST);
    }
    return INLAY_OK;
}

static int check(const inlay_measured *rows, size_t count, const inlay_measured_picture *of, const char *path,
                 inlay_diag *diag)
{
    if (rows == NULL || count == 0 || of == NULL || of->machines == NULL || path == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture needs rows, machines and a path");
    }
    if (of->machine_count > CHART_CURVES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%zu machines in one picture; expected at most %d, which can be told apart", of->machine_count,
                         CHART_CURVES);
    }
    int status = INLAY_OK;
    for (size_t i = 0; i < count && status == INLAY_OK; i++) {
        status = check_row(&rows[i], i, of->machine_count, diag);
    }
    return status;
}

int inlay_measured_draw_svg(const inlay_measured *rows, size_t count, const inlay_measured_picture *of,
                            const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check(rows, count, of, path, diag);
    if (status != INLAY_OK) {
        return status;
    }
    picture in = {.rows = rows, .count = count, .of = of};
    lay_out(&in);
    draw(&in);
    double height = ceil(fmax(in.bottom, in.on.y.start + 42) + CHART_MARGIN);
    return svg_write(&(svg_page){CHART_WIDTH, height, of->title, NULL}, &in.on.svg, path, diag);
}
