/*
 * Values by group as boxes on one scale, a row each: from quartile to quartile, with the median as a line across and the mean
 * as a diamond, whiskers to the outer quantiles and dots for the least and the most. Of several columns all but the last
 * make headings, and the last one colours.
 */
#include "base/diag.h"
#include "base/plain.h"
#include "render/chart_parts.h"
#include "render/study_summary.h"
#include <math.h>
#include <string.h>

enum {
    BOXES_MOST = 200,
    INTERVALS = 8,
    ROW = 24,
    BOX = 13,
    GAP = 10,
    HEADING = 26,
    NAME_ROOM = 280,
    TOP = 78,
    TEXT = 64
};

static const char row_style[] = " stroke=\"#EBEBEB\" stroke-width=\"1\"";

typedef struct boxes {
    const inlay_study_summary *of;
    const inlay_study_summary_facts *facts;
    size_t groups, heading; /* columns of a heading */
    text_buffer svg;
    chart_scale x;
    chart_ticks ticks;
    double left, right, bottom;
} boxes;

static const inlay_study_group *group_at(const boxes *b, size_t i)
{
    return inlay_study_summary_group(b->of, i);
}

/* ---- Names ---- */

/* What tells a group from others under its heading; "" where there is but one. */
static void add_name(const boxes *b, const inlay_study_group *group, text_buffer *to)
{
    const inlay_study_summary_facts *facts = b->facts;
    if (facts->by_count == 0 && facts->against == NULL) {
        text_add(to, "all rows");
        return;
    }
    if (facts->against == NULL) {
        study_add_key(to, group->key + b->heading, facts->by_count - b->heading);
        return;
    }
    text_addf(to, "%s ", facts->against);
    chart_number(to, group->against, 9);
}

/* The first group with the same last part. */
static size_t first_alike(const boxes *b, size_t number)
{
    const inlay_study_group *group = group_at(b, number);
    size_t i = 0;
    for (; i < number; i++) {
        const inlay_study_group *other = group_at(b, i);
        if (b->facts->against != NULL ? other->against == group->against
                                      : other->key[b->heading] == group->key[b->heading]) {
            break;
        }
    }
    return i;
}

/* Groups with the same last part have the same colour; of one column all have one. */
static size_t colour_of(const boxes *b, size_t number)
{
    size_t first = b->heading > 0 ? first_alike(b, number) : 0, colour = 0;
    for (size_t i = 0; i < first; i++) {
        colour += first_alike(b, i) == i;
    }
    return colour;
}

/* ---- One group ---- */

static void draw_mean(boxes *b, double x, double y)
{
    const double reach = 4.5;
    const chart_place_xy corners[] = {{x - reach, y}, {x, y - reach}, {x + reach, y}, {x, y + reach}};
    text_add(&b->svg, "<polygon");
    svg_points(&b->svg, corners, 4);
    text_add(&b->svg, " fill=\"#FFFFFF\" stroke=\"#222222\" stroke-width=\"1.25\"/>\n");
}

static void draw_end(boxes *b, double x, double y, const char *colour)
{
    text_add(&b->svg, "<circle");
    svg_attribute(&b->svg, "cx", x);
    svg_attribute(&b->svg, "cy", y);
    text_addf(&b->svg, " r=\"2.25\" fill=\"%s\"/>\n", colour);
}

static void draw_box(boxes *b, const inlay_study_group *group, const char *colour, double y)
{
    double low = chart_place(&b->x, group->quantiles[0]);
    double high = chart_place(&b->x, group->quantiles[b->facts->quantile_count - 1]);
    double left = chart_place(&b->x, group->quartile[0]), right = chart_place(&b->x, group->quartile[1]);
    double median = chart_place(&b->x, group->median), half = BOX / 2.0;
    char stroke[TEXT], filled[2 * TEXT], bold[TEXT];
    (void)plain_print(stroke, sizeof stroke, " stroke=\"%s\" stroke-width=\"1.5\"", colour);
    (void)plain_print(bold, sizeof bold, " stroke=\"%s\" stroke-width=\"3\"", colour);
    (void)plain_print(filled, sizeof filled, " fill=\"%s\" fill-opacity=\"0.25\" stroke=\"%s\" stroke-width=\"1.5\"",
                      colour, colour);
    draw_end(b, chart_place(&b->x, group->least), y, colour);
    draw_end(b, chart_place(&b->x, group->most), y, colour);
    svg_line(&b->svg, (chart_place_xy){low, y}, (chart_place_xy){fmin(left, high), y}, stroke);
    svg_line(&b->svg, (chart_place_xy){fmax(right, low), y}, (chart_place_xy){high, y}, stroke);
    svg_line(&b->svg, (chart_place_xy){low, y - 4}, (chart_place_xy){low, y + 4}, stroke);
    svg_line(&b->svg, (chart_place_xy){high, y - 4}, (chart_place_xy){high, y + 4}, stroke);
    svg_box(&b->svg, left, y - half, right - left, BOX, filled);
    svg_line(&b->svg, (chart_place_xy){median, y - half}, (chart_place_xy){median, y + half}, bold);
    draw_mean(b, chart_place(&b->x, group->mean), y);
}

/* "3.214 (20)", and behind it what has no value. */
static void add_words(const inlay_study_group *group, text_buffer *to)
{
    if (group->count > 0) {
        chart_number(to, group->median, 5);
        text_addf(to, " (%zu)", group->count);
    }
    if (group->failed + group->missing > 0) {
        text_addf(to, "%s%zu without", group->count > 0 ? ", " : "", group->failed + group->missing);
    }
}

static void draw_row(boxes *b, size_t number)
{
    const inlay_study_group *group = group_at(b, number);
    text_buffer text = {0};
    double y = b->bottom + ROW / 2.0, text_y = y + CHART_SMALL_TEXT * 0.35;
    svg_line(&b->svg, (chart_place_xy){b->left, y}, (chart_place_xy){b->right, y}, row_style);
    add_name(b, group, &text);
    svg_named(&b->svg, (chart_place_xy){b->left - GAP, text_y}, CHART_SMALL_TEXT, "end",
              (chart_label){.name = text_content(&text)}, NAME_ROOM);
    text_clear(&text);
    if (group->count > 0) {
        draw_box(b, group, curve_colour(colour_of(b, number)), y);
    }
    add_words(group, &text);
    svg_words(&b->svg, (chart_place_xy){b->right + GAP, text_y}, CHART_SMALL_TEXT, "start", &text);
    b->bottom += ROW;
}

/* ---- All groups ---- */

static bool begins_section(const boxes *b, size_t i)
{
    return b->heading > 0 && (i == 0 || !study_same_key(group_at(b, i - 1)->key, group_at(b, i)->key, b->heading));
}

static double height_of(const boxes *b)
{
    double height = 0;
    for (size_t i = 0; i < b->groups; i++) {
        height += ROW + (begins_section(b, i) ? HEADING : 0);
    }
    return height;
}

static void draw_heading(boxes *b, const inlay_study_group *group)
{
    text_buffer text = {0};
    for (size_t i = 0; i < b->heading; i++) {
        text_addf(&text, "%s%s %s", i > 0 ? ", " : "", b->facts->by[i], *group->key[i] != '\0' ? group->key[i] : "-");
    }
    text_add(&b->svg, "<g font-weight=\"bold\">\n");
    svg_named(&b->svg, (chart_place_xy){CHART_MARGIN, b->bottom + HEADING - 9}, CHART_TEXT, "start",
              (chart_label){.name = text_content(&text)}, CHART_WIDTH - 2 * CHART_MARGIN);
    text_add(&b->svg, "</g>\n");
    text_settle(&text, &b->svg);
    b->bottom += HEADING;
}

static void draw_axis(boxes *b, double top)
{
    double y = b->bottom;
    for (size_t i = 0; i < b->ticks.count; i++) {
        double x = chart_place(&b->x, b->ticks.value[i]);
        svg_line(&b->svg, (chart_place_xy){x, top}, (chart_place_xy){x, y + (b->ticks.labelled[i] ? 5 : 3)}, SVG_GRID);
        if (b->ticks.labelled[i]) {
            svg_number(&b->svg, (chart_place_xy){x, y + 19}, CHART_SMALL_TEXT, "middle", b->ticks.value[i],
                       TICK_DIGITS);
        }
    }
    svg_line(&b->svg, (chart_place_xy){b->left, y}, (chart_place_xy){b->right, y}, SVG_AXIS);
}

/* The names get the room that they need, what stands behind the boxes too. */
static void lay_out(boxes *b)
{
    chart_extent data = {INFINITY, -INFINITY};
    double names = 0, words = 0;
    for (size_t i = 0; i < b->groups; i++) {
        const inlay_study_group *group = group_at(b, i);
        text_buffer name = {0}, cut = {0}, behind = {0};
        add_name(b, group, &name);
        svg_label(&cut, &(chart_label){.name = text_content(&name)}, CHART_SMALL_TEXT, NAME_ROOM);
        add_words(group, &behind);
        names = fmax(names, svg_width(text_content(&cut), CHART_SMALL_TEXT));
        words = fmax(words, svg_width(text_content(&behind), CHART_SMALL_TEXT));
        text_settle(&name, &b->svg);
        text_settle(&cut, &b->svg);
        text_settle(&behind, &b->svg);
        data.least = group->count > 0 ? fmin(data.least, group->least) : data.least;
        data.largest = group->count > 0 ? fmax(data.largest, group->most) : data.largest;
    }
    const chart_axis axis = {.logarithmic = study_reaches_far(data.least, data.largest), .from = NAN, .to = NAN};
    b->x = chart_fit(&axis, data, INTERVALS);
    b->left = CHART_MARGIN + names + GAP;
    b->right = CHART_WIDTH - CHART_MARGIN - fmax(words, svg_width("median (rows)", CHART_SMALL_TEXT)) - GAP;
    b->x.start = b->left + 8;
    b->x.end = b->right - 8;
    chart_find_ticks(&b->x, INTERVALS, &b->ticks);
}

static void draw_key(boxes *b)
{
    const inlay_study_summary_facts *facts = b->facts;
    text_buffer text = {0};
    text_add(&text, "box: quartiles; line across: median; diamond: mean; whiskers: quantiles ");
    chart_number(&text, facts->quantiles[0], 6);
    text_add(&text, " and ");
    chart_number(&text, facts->quantiles[facts->quantile_count - 1], 6);
    text_add(&text, "; dots: least and most");
    text_add(&b->svg, "<g fill=\"#555555\">\n");
    svg_words(&b->svg, (chart_place_xy){CHART_MARGIN, CHART_MARGIN + 34}, CHART_SMALL_TEXT, "start", &text);
    svg_text(&b->svg, (chart_place_xy){b->right + GAP, TOP - 8}, CHART_SMALL_TEXT, "start", "median (rows)");
    text_add(&b->svg, "</g>\n");
}

static void draw(boxes *b, text_buffer *title)
{
    const inlay_study_summary_facts *facts = b->facts;
    text_buffer what = {0};
    svg_escaped(&what, facts->value, NAME_ROOM);
    text_add(&what, STUDY_UNIT);
    text_add(&what, b->x.logarithmic ? "; logarithmic" : "");
    svg_title(&b->svg, text_content(title));
    draw_key(b);
    b->bottom = TOP + height_of(b);
    draw_axis(b, TOP);
    svg_words(&b->svg, (chart_place_xy){(b->left + b->right) / 2, b->bottom + 40}, CHART_TEXT, "middle", &what);
    b->bottom = TOP;
    for (size_t i = 0; i < b->groups; i++) {
        if (begins_section(b, i)) {
            draw_heading(b, group_at(b, i));
        }
        draw_row(b, i);
    }
    b->bottom += 40;
}

static int check(const boxes *b, inlay_diag *diag)
{
    if (b->groups > BOXES_MOST) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture of %zu boxes; expected at most %d groups", b->groups,
                         BOXES_MOST);
    }
    for (size_t i = 0; i < b->groups; i++) {
        const inlay_study_group *group = group_at(b, i);
        if (group->count > 0 && !(group->least >= -CHART_LARGEST && group->most <= CHART_LARGEST)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "a box from %g to %g; expected numbers of at most %g",
                             group->least, group->most, CHART_LARGEST);
        }
    }
    return INLAY_OK;
}

int study_draw_boxes(const inlay_study_summary *summary, const char *path, inlay_diag *diag)
{
    boxes b = {
        .of = summary, .facts = inlay_study_summary_facts_of(summary), .groups = inlay_study_summary_groups(summary)};
    size_t parts = b.facts->by_count + (b.facts->against != NULL);
    b.heading = parts > 0 ? parts - 1 : 0;
    int status = check(&b, diag);
    if (status != INLAY_OK) {
        return status;
    }
    text_buffer title = {0};
    text_addf(&title, "%s%s", b.facts->value, parts > 0 ? " by " : "");
    for (size_t i = 0; i < parts; i++) {
        text_addf(&title, "%s%s", i > 0 ? ", " : "", i < b.facts->by_count ? b.facts->by[i] : b.facts->against);
    }
    lay_out(&b);
    draw(&b, &title);
    b.svg.failed |= title.failed;
    status = svg_write(&(svg_page){CHART_WIDTH, ceil(b.bottom + CHART_MARGIN), text_content(&title), NULL}, &b.svg,
                       path, diag);
    text_clear(&title);
    return status;
}
