/*
 * Elapsed times as bars: one a machine, cut into what each is made of, group by group. Every group has an axis of its own,
 * since applications differ by orders of magnitude.
 */
#include "base/diag.h"
#include "render/chart_parts.h"
#include <inlay/render.h>
#include <math.h>

enum {
    PARTS = 3,
    BARS_MOST = 300, /* more cannot be read in one picture */
    INTERVALS = 5,
    ROW = 24,
    BAR = 15,
    LINE = 20,
    GAP = 8,
    SWATCH = 12,
    TITLE_TEXT = 16,
    NAME_ROOM = 240,
    WORDS_ROOM = 340
};

/* Colours that differ in brightness; messages are hatched, so that they are told apart without colours too. */
static const char *const part_styles[PARTS] = {" fill=\"#44576B\"", " fill=\"#E69F00\"", " fill=\"url(#messages)\""};
static const char *const part_words[PARTS] = {"critical path of the application",
                                              "compute: what sharing processors adds", "network: what messages add"};
static const char whisker_style[] = " stroke=\"#000000\" stroke-width=\"1.5\"";
static const char row_style[] = " stroke=\"#EBEBEB\" stroke-width=\"1\"";

typedef struct picture {
    const inlay_bar *bars;
    size_t count;
    text_buffer svg;
    double left, right; /* of the bars, in pixels: names before, words behind */
    double bottom;      /* of what is drawn */
} picture;

/* ---- Texts ---- */

/* What a text of the caller's takes, cut to `room`. */
static double width_of(picture *on, const char *text, double room)
{
    text_buffer cut = {0};
    svg_label(&cut, &(chart_label){.name = text}, CHART_SMALL_TEXT, room);
    double width = svg_width(text_content(&cut), CHART_SMALL_TEXT);
    text_settle(&cut, &on->svg);
    return width;
}

/* ---- One group ---- */

static double elapsed_of(const inlay_bar *bar)
{
    return bar->critical_path + bar->compute + bar->network;
}

/* Words behind a bar that ends at `x` have room to the picture's edge. */
static void draw_words_behind(picture *on, const inlay_bar *bar, double x, double y)
{
    svg_named(&on->svg, (chart_place_xy){x + GAP, y}, CHART_SMALL_TEXT, "start", (chart_label){.name = bar->words},
              CHART_WIDTH - CHART_MARGIN - x - GAP);
}

/* From where to where nine of ten runs end. */
static void draw_interval(picture *on, const chart_scale *scale, const inlay_bar *bar, double y)
{
    const double ends[] = {chart_place(scale, bar->low), chart_place(scale, bar->high)}, half = BAR / 4.0;
    svg_line(&on->svg, (chart_place_xy){ends[0], y}, (chart_place_xy){ends[1], y}, whisker_style);
    for (int i = 0; i < 2; i++) {
        svg_line(&on->svg, (chart_place_xy){ends[i], y - half}, (chart_place_xy){ends[i], y + half}, whisker_style);
    }
}

static void draw_bar(picture *on, const chart_scale *scale, const inlay_bar *bar, double top)
{
    const double parts[PARTS] = {bar->critical_path, bar->compute, bar->network};
    double text_y = top + ROW / 2.0 + CHART_SMALL_TEXT * 0.35, from = 0;
    svg_named(&on->svg, (chart_place_xy){on->left - GAP, text_y}, CHART_SMALL_TEXT, "end",
              (chart_label){.name = bar->name}, NAME_ROOM);
    for (size_t i = 0; bar->answered && i < PARTS; i++) {
        double left = chart_place(scale, from), right = chart_place(scale, from + parts[i]);
        if (parts[i] > 0) {
            svg_box(&on->svg, left, top + (ROW - BAR) / 2.0, right - left, BAR, part_styles[i]);
        }
        from += parts[i];
    }
    if (bar->answered && bar->high > 0) {
        draw_interval(on, scale, bar, top + ROW / 2.0);
        from = fmax(from, bar->high);
    }
    draw_words_behind(on, bar, chart_place(scale, from), text_y);
}

static void draw_axis(picture *on, const chart_scale *scale, const chart_ticks *ticks)
{
    double y = on->bottom;
    svg_line(&on->svg, (chart_place_xy){on->left, y}, (chart_place_xy){on->right, y}, SVG_AXIS);
    for (size_t i = 0; i < ticks->count; i++) {
        double x = chart_place(scale, ticks->value[i]);
        svg_line(&on->svg, (chart_place_xy){x, y}, (chart_place_xy){x, y + 5}, SVG_AXIS);
        svg_number(&on->svg, (chart_place_xy){x, y + 18}, CHART_SMALL_TEXT, "middle", ticks->value[i], TICK_DIGITS);
    }
    on->bottom = y + 18 + GAP;
}

/* The bars from `first` on that stand in one group, and the scale that holds them. */
static size_t gather(const picture *on, size_t first, chart_scale *scale)
{
    static const chart_axis from_zero = {.from = 0, .to = NAN};
    chart_extent data = {0, 0};
    size_t count = 0;
    do {
        const inlay_bar *bar = &on->bars[first + count++];
        data.largest = bar->answered ? fmax(data.largest, fmax(elapsed_of(bar), bar->high)) : data.largest;
    } while (first + count < on->count && !on->bars[first + count].begins_group);
    *scale = chart_fit(&from_zero, data, INTERVALS);
    scale->start = on->left;
    scale->end = on->right;
    return count;
}

static void draw_title(picture *on, const inlay_bar *bar)
{
    text_buffer unit = {0};
    text_addf(&unit, ": elapsed time, in %s", bar->unit);
    on->svg.failed |= unit.failed;
    svg_named(&on->svg, (chart_place_xy){CHART_MARGIN, on->bottom + LINE / 2.0 + CHART_TEXT * 0.35}, CHART_TEXT,
              "start", (chart_label){bar->group, text_content(&unit)}, CHART_WIDTH - 2 * CHART_MARGIN);
    on->bottom += LINE;
    text_clear(&unit);
}

/* The group that begins with bar `first`, below what is drawn; gives how many bars it has. */
static size_t draw_group(picture *on, size_t first)
{
    chart_scale scale;
    chart_ticks ticks;
    size_t count = gather(on, first, &scale);
    chart_find_ticks(&scale, INTERVALS, &ticks);
    draw_title(on, &on->bars[first]);
    for (size_t i = 0; i < ticks.count; i++) {
        double x = chart_place(&scale, ticks.value[i]);
        svg_line(&on->svg, (chart_place_xy){x, on->bottom}, (chart_place_xy){x, on->bottom + (double)(count * ROW)},
                 SVG_GRID);
    }
    for (size_t i = 0; i < count; i++) {
        svg_line(&on->svg, (chart_place_xy){CHART_MARGIN, on->bottom}, (chart_place_xy){on->left, on->bottom},
                 row_style);
        draw_bar(on, &scale, &on->bars[first + i], on->bottom);
        on->bottom += ROW;
    }
    draw_axis(on, &scale, &ticks);
    return count;
}

/* ---- The whole ---- */

static void draw_head(picture *on)
{
    double x = CHART_MARGIN, y = CHART_MARGIN + TITLE_TEXT + 2 * GAP;
    svg_text(&on->svg, (chart_place_xy){x, CHART_MARGIN + TITLE_TEXT - 4}, TITLE_TEXT, "start",
             "Elapsed time, and what it is made of");
    for (size_t i = 0; i < PARTS; i++) {
        svg_box(&on->svg, x, y - SWATCH / 2.0, SWATCH, SWATCH, part_styles[i]);
        x += SWATCH + GAP;
        svg_text(&on->svg, (chart_place_xy){x, y + CHART_SMALL_TEXT * 0.35}, CHART_SMALL_TEXT, "start", part_words[i]);
        x += svg_width(part_words[i], CHART_SMALL_TEXT) + GAP;
    }
    on->bottom = y + LINE;
}

/* Names and words get the room that they need, up to a limit; the bars have the rest. */
static void lay_out(picture *on)
{
    double names = 0, words = 0;
    for (size_t i = 0; i < on->count; i++) {
        names = fmax(names, width_of(on, on->bars[i].name, NAME_ROOM));
        words = on->bars[i].answered ? fmax(words, width_of(on, on->bars[i].words, WORDS_ROOM)) : words;
    }
    on->left = CHART_MARGIN + names + GAP;
    on->right = CHART_WIDTH - CHART_MARGIN - words - GAP;
}

static int check_bars(const inlay_bar *bars, size_t count, const char *path, inlay_diag *diag)
{
    if (bars == NULL || path == NULL || count == 0 || count > BARS_MOST) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture of %zu bars; expected 1 to %d", bars != NULL ? count : 0,
                         BARS_MOST);
    }
    for (size_t i = 0; i < count; i++) {
        const inlay_bar *bar = &bars[i];
        bool good = bar->critical_path >= 0 && bar->compute >= 0 && bar->network >= 0 && bar->low >= 0 &&
                    bar->high >= bar->low && bar->high <= CHART_LARGEST;
        if (bar->answered && (!good || !(elapsed_of(bar) <= CHART_LARGEST))) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "bar %zu is made of %g, %g and %g; expected numbers from 0 to %g", i, bar->critical_path,
                             bar->compute, bar->network, CHART_LARGEST);
        }
    }
    return INLAY_OK;
}

int inlay_bars_draw_svg(const inlay_bar *bars, size_t count, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check_bars(bars, count, path, diag);
    if (status != INLAY_OK) {
        return status;
    }
    picture on = {.bars = bars, .count = count};
    draw_head(&on);
    lay_out(&on);
    for (size_t drawn = 0; drawn < count;) {
        drawn += draw_group(&on, drawn);
    }
    return svg_write(&(svg_page){CHART_WIDTH, ceil(on.bottom + CHART_MARGIN), "Elapsed time", SVG_MESSAGES}, &on.svg,
                     path, diag);
}
