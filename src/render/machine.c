/* The picture of a machine with a mapping in it: how large it is, its title and its legend. */
#include "render/machine.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

enum {
    TITLE_TEXT = 16,
    LINE = 20,
    GAP = 8,
    BAR = 120, /* length of a colour scale */
    BAR_HIGH = 10,
    BAR_STEPS = 24,
    SWATCH = 22,
    MOST_FULL = 2100, /* width up to which boxes have words in them, and up to which they have numbers */
    MOST_COMPACT = 2600
};
enum { TITLE_Y = CHART_MARGIN + TITLE_TEXT - 4, LEGEND_Y = TITLE_Y + 3 * LINE + 4, TOP = LEGEND_Y + 2 * LINE - 4 };

/* ---- Size ---- */

typedef struct extent {
    chart_place_xy least, most;
} extent;

static extent extent_of(const machine_places *places)
{
    extent e = {places->at[0], places->at[0]};
    for (inlay_id i = 1; i < places->count; i++) {
        e.least.x = fmin(e.least.x, places->at[i].x);
        e.least.y = fmin(e.least.y, places->at[i].y);
        e.most.x = fmax(e.most.x, places->at[i].x);
        e.most.y = fmax(e.most.y, places->at[i].y);
    }
    return e;
}

/* As much in the boxes as the width allows. */
static void choose_size(machine_picture *on)
{
    static const struct {
        double pitch_x, pitch_y, box_x, box_y;
    } sizes[] = {{118, 92, 86, 48}, {48, 44, 28, 20}, {14, 14, 7, 7}};
    extent e = extent_of(&on->places);
    double columns = e.most.x - e.least.x + 1, rows = e.most.y - e.least.y + 1;
    on->detail = columns * sizes[MACHINE_FULL].pitch_x <= MOST_FULL         ? MACHINE_FULL
                 : columns * sizes[MACHINE_COMPACT].pitch_x <= MOST_COMPACT ? MACHINE_COMPACT
                                                                            : MACHINE_DOTS;
    on->pitch_x = sizes[on->detail].pitch_x;
    on->pitch_y = sizes[on->detail].pitch_y;
    on->box_x = sizes[on->detail].box_x;
    on->box_y = sizes[on->detail].box_y;
    double needed = columns * on->pitch_x + 2 * CHART_MARGIN;
    on->width = ceil(fmax(CHART_WIDTH, needed));
    on->height = ceil(TOP + rows * on->pitch_y + 2 * CHART_MARGIN);
    on->left = (on->width - columns * on->pitch_x) / 2 + on->pitch_x * (0.5 - e.least.x);
    on->top = TOP + CHART_MARGIN + on->pitch_y * (0.5 - e.least.y);
}

chart_place_xy machine_pixel(const machine_picture *on, inlay_id place)
{
    chart_place_xy at = on->places.at[place];
    return (chart_place_xy){on->left + at.x * on->pitch_x, on->top + at.y * on->pitch_y};
}

/* ---- Title and legend ---- */

/* One line of what is escaped already, which is emptied. */
static void draw_line_of(machine_picture *on, double y, double size, text_buffer *words)
{
    svg_words(&on->svg, (chart_place_xy){CHART_MARGIN, y}, size, "start", words);
}

/* Characters of usual widths that a line has room for. */
static size_t room_of(const machine_picture *on, double size)
{
    const double usual = 0.62;
    return (size_t)((on->width - 2 * CHART_MARGIN) / (usual * size));
}

static void draw_title(machine_picture *on)
{
    text_buffer words = {0};
    svg_escaped(&words, inlay_app_name(on->app), room_of(on, TITLE_TEXT) / 2);
    text_add(&words, ": ");
    words_elapsed(&words, on->summary, on->app, on->machine, 6);
    draw_line_of(on, TITLE_Y, TITLE_TEXT, &words);
    svg_escaped(&words, inlay_machine_text(on->machine), room_of(on, CHART_SMALL_TEXT));
    draw_line_of(on, TITLE_Y + LINE, CHART_SMALL_TEXT, &words);
    if (on->load_count > 0) {
        text_add(&words, "busiest link ");
        machine_link_words(on, &words, &on->loads[0]);
        text_add(&words, "; ");
        words_count(&words, (int64_t)on->load_count);
        text_add(&words, " of ");
        words_count(&words, inlay_machine_links(on->machine));
        text_add(&words, " links carry messages");
        draw_line_of(on, TITLE_Y + 2 * LINE, CHART_SMALL_TEXT, &words);
    }
}

/* Words at a place; gives where the next may begin. */
static double legend_words(machine_picture *on, double x, double y, const char *words)
{
    svg_text(&on->svg, (chart_place_xy){x, y + CHART_SMALL_TEXT * 0.35}, CHART_SMALL_TEXT, "start", words);
    return x + svg_width(words, CHART_SMALL_TEXT) + GAP;
}

/* A scale from 0 to its end, with its colours. */
static double legend_scale(machine_picture *on, double x, double y, const char *title, const char *end,
                           char *(*colour_of)(double share, char colour[MACHINE_COLOUR]))
{
    x = legend_words(on, x, y, title);
    x = legend_words(on, x, y, "0");
    for (int i = 0; i < BAR_STEPS; i++) {
        char colour[MACHINE_COLOUR];
        text_buffer style = {0};
        text_addf(&style, " fill=\"%s\"", colour_of((i + 0.5) / BAR_STEPS, colour));
        svg_box(&on->svg, x + (double)i * BAR / BAR_STEPS, y - BAR_HIGH / 2.0, (double)BAR / BAR_STEPS + 0.3, BAR_HIGH,
                text_content(&style));
        text_settle(&style, &on->svg);
    }
    return legend_words(on, x + BAR + GAP, y, end) + GAP;
}

static double legend_box(machine_picture *on, double x, double y, const char *style, const char *words)
{
    svg_box(&on->svg, x, y - BAR_HIGH / 2.0, SWATCH, BAR_HIGH, style);
    return legend_words(on, x + SWATCH + GAP, y, words);
}

static void draw_legend(machine_picture *on)
{
    text_buffer words = {0};
    double y = LEGEND_Y;
    chart_number(&words, on->u_end, 3);
    on->svg.failed |= words.failed;
    double x = legend_scale(on, CHART_MARGIN, y, "link, u:", text_content(&words), machine_link_colour);
    svg_line(&on->svg, (chart_place_xy){x, y}, (chart_place_xy){x + SWATCH, y},
             " stroke=\"" MACHINE_IDLE "\" stroke-width=\"3\"");
    x = legend_words(on, x + SWATCH + GAP, y, "idle");
    text_clear(&words);
    text_add(&words, "each way on its right");
    text_add(&words, on->largest > on->least ? "; wider: more capacity" : "");
    text_add(&words, on->places.joint != NULL ? "; a dot: a link without known ends" : "");
    (void)legend_words(on, x, y, text_content(&words));
    text_settle(&words, &on->svg);

    y += LINE;
    x = legend_scale(on, CHART_MARGIN, y, "host, utilisation:", "100 %", machine_host_colour);
    x = legend_box(on, x, y,
                   on->detail == MACHINE_DOTS ? " rx=\"2\" fill=\"" MACHINE_OVER "\""
                                              : " rx=\"2\" fill=\"#084594\" stroke=\"" MACHINE_OVER
                                                "\" stroke-width=\"2.5\"",
                   "above");
    x = legend_box(on, x, y, " rx=\"2\" fill=\"" MACHINE_IDLE_HOST "\" stroke=\"#9E9E9E\" stroke-width=\"0.8\"",
                   "idle");
    (void)legend_words(on, x, y,
                       on->detail == MACHINE_FULL      ? "in it: name, cluster, work and utilisation"
                       : on->detail == MACHINE_COMPACT ? "in it: cluster (+: and more)"
                                                       : "");
}

/* ---- The whole ---- */

/* The least of 1, 2, 5, 10, 20, ... times a power of ten that the links' u do not pass; at most 1. */
static double find_u_end(const machine_picture *on)
{
    double most = 0;
    for (size_t i = 0; i < on->load_count; i++) {
        most = on->loads[i].parallel ? most : fmax(most, on->loads[i].utilisation);
    }
    if (!(most > 0)) {
        return 1;
    }
    double power = pow(10, floor(log10(most)));
    double round_end = most <= power       ? power
                       : most <= 2 * power ? 2 * power
                       : most <= 5 * power ? 5 * power
                                           : 10 * power;
    return fmin(1, round_end);
}

static void find_capacities(machine_picture *on)
{
    on->least = INFINITY;
    on->largest = 0;
    for (inlay_id link = 0; link < inlay_machine_links(on->machine); link++) {
        double capacity = inlay_machine_link_at(on->machine, link).capacity;
        if (isfinite(capacity)) {
            on->least = fmin(on->least, capacity);
            on->largest = fmax(on->largest, capacity);
        }
    }
}

static bool index_loads(machine_picture *on)
{
    on->load_at = memory_array((size_t)inlay_machine_links(on->machine), sizeof *on->load_at);
    for (inlay_id link = 0; on->load_at != NULL && link < inlay_machine_links(on->machine); link++) {
        on->load_at[link] = -1;
    }
    for (size_t i = 0; on->load_at != NULL && i < on->load_count; i++) {
        on->load_at[on->loads[i].link] = (int64_t)i;
    }
    return on->load_at != NULL;
}

/* Clusters by host, in rising order. */
static bool list_clusters(machine_picture *on)
{
    inlay_id hosts = inlay_machine_hosts(on->machine), clusters = on->summary->clusters;
    on->first_cluster = memory_array((size_t)hosts, sizeof *on->first_cluster);
    on->next_cluster = memory_array((size_t)clusters, sizeof *on->next_cluster);
    if (on->first_cluster == NULL || on->next_cluster == NULL) {
        return false;
    }
    for (inlay_id host = 0; host < hosts; host++) {
        on->first_cluster[host] = -1;
    }
    for (inlay_id c = clusters; c-- > 0;) {
        inlay_id host = inlay_machine_host(on->machine, inlay_mapping_cluster(on->mapping, c).processor);
        on->next_cluster[c] = on->first_cluster[host];
        on->first_cluster[host] = c;
    }
    return true;
}

static int draw(machine_picture *on, const char *path, inlay_diag *diag)
{
    choose_size(on);
    on->u_end = find_u_end(on);
    find_capacities(on);
    if (!index_loads(on) || !list_clusters(on)) {
        return diag_no_memory(diag);
    }
    draw_title(on);
    draw_legend(on);
    if (!machine_draw_links(on)) {
        return diag_no_memory(diag);
    }
    machine_draw_nodes(on);
    return svg_write(&(svg_page){on->width, on->height, "Machine", NULL}, &on->svg, path, diag);
}

static int refuse(const inlay_machine *machine, inlay_diag *diag)
{
    if (!inlay_machine_has_links(machine)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s has no links to draw; expected a machine with links, for example mesh:4x4",
                         inlay_machine_text(machine));
    }
    return inlay_machine_hosts(machine) <= MACHINE_HOSTS
               ? INLAY_OK
               : diag_fail(diag, INLAY_NO_ANSWER, "%d hosts are too many to draw; expected at most %d",
                           inlay_machine_hosts(machine), MACHINE_HOSTS);
}

int inlay_mapping_draw_machine_svg(const inlay_mapping *mapping, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (mapping == NULL || path == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture of a machine needs a mapping and a path");
    }
    machine_picture on = {.mapping = mapping,
                          .app = inlay_mapping_app(mapping),
                          .machine = inlay_mapping_machine(mapping),
                          .summary = inlay_mapping_summary(mapping)};
    int status = refuse(on.machine, diag);
    status = status == INLAY_OK ? inlay_mapping_links(mapping, &on.loads, &on.load_count, diag) : status;
    status = status == INLAY_OK ? machine_places_find(mapping, &on.places, diag) : status;
    status = status == INLAY_OK ? draw(&on, path, diag) : status;
    machine_places_clear(&on.places);
    free(on.loads);
    free(on.load_at);
    free(on.first_cluster);
    free(on.next_cluster);
    text_clear(&on.svg);
    return status;
}
