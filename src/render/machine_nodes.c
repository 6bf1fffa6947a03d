/* Hosts, switches and joints of a machine in its picture. */
#include "base/memory.h"
#include "graph/app.h"
#include "render/machine.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Colours ---- */

enum { STOPS = 4, CHANNELS = 3 };

/* Between the stops of a scale from pale to dark; all of them differ in lightness, so that no eye needs the hue. */
static char *between(const int stops[STOPS][CHANNELS], double share, char colour[MACHINE_COLOUR])
{
    double at = fmin(1, fmax(0, share)) * (STOPS - 1);
    int below = at >= STOPS - 1 ? STOPS - 2 : (int)at;
    unsigned channel[CHANNELS];
    for (int c = 0; c < CHANNELS; c++) {
        channel[c] = (unsigned)lround(stops[below][c] + (at - below) * (stops[below + 1][c] - stops[below][c])) & 0xFF;
    }
    snprintf(colour, MACHINE_COLOUR, "#%02X%02X%02X", channel[0], channel[1], channel[2]);
    return colour;
}

char *machine_link_colour(double share, char colour[MACHINE_COLOUR])
{
    static const int stops[STOPS][CHANNELS] = {
        {0xFE, 0xD9, 0x76}, {0xFD, 0x8D, 0x3C}, {0xD9, 0x3A, 0x1C}, {0x67, 0x00, 0x1F}};
    return between(stops, share, colour);
}

char *machine_host_colour(double share, char colour[MACHINE_COLOUR])
{
    static const int stops[STOPS][CHANNELS] = {
        {0xE3, 0xEE, 0xF9}, {0xA6, 0xCE, 0xE8}, {0x4A, 0x98, 0xC9}, {0x08, 0x45, 0x94}};
    return between(stops, share, colour);
}

/* ---- Hosts ---- */

/* What a host has to do: its clusters together. */
typedef struct host_load {
    inlay_id clusters;
    double work;        /**< sum */
    double utilisation; /**< the largest of a processor */
} host_load;

static host_load load_of(const machine_picture *on, inlay_id host)
{
    host_load load = {0};
    for (inlay_id c = on->first_cluster[host]; c >= 0; c = on->next_cluster[c]) {
        inlay_cluster_info info = inlay_mapping_cluster(on->mapping, c);
        load.clusters++;
        load.work += info.work;
        load.utilisation = fmax(load.utilisation, info.utilisation);
    }
    return load;
}

/* Work and utilisation, short enough for a box. */
static void add_figures(text_buffer *to, const host_load *load)
{
    enum { WIDEST = 6 }; /* digits of a number that stands as it is */
    int exponent = load->work >= 1 ? (int)floor(log10(load->work)) : 0;
    if (exponent < WIDEST - 1) {
        chart_number(to, load->work, 4);
    } else {
        chart_number(to, load->work / pow(10, exponent), 3);
        text_addf(to, "e%d", exponent);
    }
    text_addf(to, ", %.0f %%", 100 * load->utilisation);
}

static void add_modules(const machine_picture *on, text_buffer *to, const inlay_cluster_info *info)
{
    enum { NAMED_MODULES = 12 };
    for (inlay_id i = 0; i < info->modules && i < NAMED_MODULES; i++) {
        text_add(to, " ");
        svg_escaped(to, inlay_app_module_name(on->app, info->module[i]), LABEL_NAME);
    }
    if (info->modules > NAMED_MODULES) {
        text_addf(to, " and %" PRId32 " more", info->modules - NAMED_MODULES);
    }
}

/* The words that appear above a host: a line for each of its processors that is used. */
static void add_title(machine_picture *on, inlay_id host)
{
    char name[INLAY_MACHINE_NAME];
    inlay_unit unit = inlay_app_unit(on->app);
    text_add(&on->svg, "<title>");
    svg_escaped(&on->svg, inlay_machine_node_name(on->machine, host, name), MACHINE_NAME);
    text_add(&on->svg, on->first_cluster[host] < 0 ? ": idle" : ":");
    for (inlay_id c = on->first_cluster[host]; c >= 0; c = on->next_cluster[c]) {
        inlay_cluster_info info = inlay_mapping_cluster(on->mapping, c);
        text_addf(&on->svg, "\nprocessor %" PRId32 ": cluster %" PRId32 ", work ", info.processor, c);
        chart_number(&on->svg, info.work, 10);
        text_addf(&on->svg, " of %s %s, ", on->summary->time_frame_text, inlay_unit_word(unit));
        words_percent(&on->svg, info.utilisation);
        text_add(&on->svg, ":");
        add_modules(on, &on->svg, &info);
    }
    text_add(&on->svg, "</title>");
}

static void add_clusters(const machine_picture *on, text_buffer *to, inlay_id host, const host_load *load)
{
    bool words = on->detail == MACHINE_FULL;
    if (load->clusters > 1 && !words) {
        text_addf(to, "%" PRId32 "+", on->first_cluster[host]);
    } else if (load->clusters > 2) {
        text_addf(to, "%" PRId32 " clusters", load->clusters);
    } else if (load->clusters == 2) {
        text_addf(to, "clusters %" PRId32 ", %" PRId32, on->first_cluster[host],
                  on->next_cluster[on->first_cluster[host]]);
    } else {
        text_addf(to, "%s%" PRId32, words ? "cluster " : "", on->first_cluster[host]);
    }
}

static void put_line(machine_picture *on, chart_place_xy at, double size, const char *style, text_buffer *words)
{
    text_add(&on->svg, "<text");
    svg_attribute(&on->svg, "x", at.x);
    svg_attribute(&on->svg, "y", at.y);
    svg_attribute(&on->svg, "font-size", size);
    text_addf(&on->svg, " text-anchor=\"middle\"%s>%s</text>", style, text_content(words));
    text_settle(words, &on->svg);
}

/* Without its domain, which all hosts share as a rule. */
static char *short_name(char *name)
{
    char *domain = strchr(name + 1, '.');
    if (domain != NULL) {
        *domain = '\0';
    }
    return name;
}

/* Name, cluster, work and utilisation; of small boxes the cluster alone. */
static void add_words(machine_picture *on, inlay_id host, const host_load *load)
{
    const char *ink = load->utilisation > 0.6 ? " fill=\"#FFFFFF\"" : "";
    chart_place_xy at = machine_pixel(on, host);
    text_buffer words = {0};
    char name[INLAY_MACHINE_NAME];
    if (on->detail == MACHINE_COMPACT && load->clusters > 0) {
        add_clusters(on, &words, host, load);
        put_line(on, (chart_place_xy){at.x, at.y + 3.6}, 10, ink, &words);
    }
    if (on->detail != MACHINE_FULL) {
        return;
    }
    const chart_label label = {short_name(inlay_machine_node_name(on->machine, host, name)), NULL};
    bool idle = load->clusters == 0;
    svg_label(&words, &label, 10, on->box_x - 4);
    put_line(on, (chart_place_xy){at.x, idle ? at.y + 3.6 : at.y - 10}, 10, idle ? " fill=\"#4D4D4D\"" : ink, &words);
    if (!idle) {
        add_clusters(on, &words, host, load);
        put_line(on, (chart_place_xy){at.x, at.y + 4}, 12, ink, &words);
        add_figures(&words, load);
        put_line(on, (chart_place_xy){at.x, at.y + 17}, 10, ink, &words);
    }
}

static void draw_host(machine_picture *on, inlay_id host)
{
    const double as_much_as_there_is = 1.0005; /* what is told as 100.0 % is not above it */
    char colour[MACHINE_COLOUR];
    chart_place_xy at = machine_pixel(on, host);
    host_load load = load_of(on, host);
    bool dot = on->detail == MACHINE_DOTS, idle = load.clusters == 0, over = load.utilisation > as_much_as_there_is;
    const char *fill = idle ? MACHINE_IDLE_HOST : machine_host_colour(load.utilisation, colour);
    const char *border = idle ? "#9E9E9E" : over ? MACHINE_OVER : "#08306B";
    const char *width = dot ? "0.4" : over ? "2.5" : "0.8";
    text_buffer style = {0};
    text_addf(&style, " rx=\"%d\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"", on->detail == MACHINE_FULL ? 4 : 2,
              over && dot ? MACHINE_OVER : fill, border, width);
    text_add(&on->svg, "<g>");
    add_title(on, host);
    svg_box(&on->svg, at.x - on->box_x / 2, at.y - on->box_y / 2, on->box_x, on->box_y, text_content(&style));
    text_settle(&style, &on->svg);
    add_words(on, host, &load);
    text_add(&on->svg, "</g>\n");
}

/* ---- What lies between hosts ---- */

static void add_circle(machine_picture *on, inlay_id place, double radius, const char *style)
{
    chart_place_xy at = machine_pixel(on, place);
    text_add(&on->svg, "<circle");
    svg_attribute(&on->svg, "cx", at.x);
    svg_attribute(&on->svg, "cy", at.y);
    svg_attribute(&on->svg, "r", radius);
    text_addf(&on->svg, "%s>", style);
}

static const double radii[] = {7, 5, 3}; /* by detail */

static void draw_switch(machine_picture *on, inlay_id node)
{
    add_circle(on, node, radii[on->detail], " fill=\"#FFFFFF\" stroke=\"#444444\" stroke-width=\"1.2\"");
    text_add(&on->svg, "<title>");
    if (node < inlay_machine_nodes(on->machine)) {
        char name[INLAY_MACHINE_NAME];
        svg_escaped(&on->svg, inlay_machine_node_name(on->machine, node, name), MACHINE_NAME);
    } else {
        text_add(&on->svg, "crossbar");
    }
    text_add(&on->svg, "</title></circle>\n");
}

/* A link of which only routes tell where it lies. */
static void draw_joint(machine_picture *on, inlay_id link, const inlay_link_load *load)
{
    char colour[MACHINE_COLOUR];
    text_buffer style = {0};
    double radius = 1 + radii[on->detail] * machine_link_width(on, link) / 4;
    text_addf(&style, " fill=\"%s\" stroke=\"#444444\" stroke-width=\"0.5\"",
              load == NULL ? MACHINE_IDLE_HOST : machine_link_colour(load->utilisation / on->u_end, colour));
    add_circle(on, on->places.joint[link], radius, text_content(&style));
    text_settle(&style, &on->svg);
    text_add(&on->svg, "<title>");
    if (load != NULL) {
        machine_link_words(on, &on->svg, load);
    } else {
        char name[INLAY_MACHINE_NAME];
        svg_escaped(&on->svg, inlay_machine_link_name(on->machine, link, name), MACHINE_NAME);
        text_add(&on->svg, ": idle");
    }
    text_add(&on->svg, "</title></circle>\n");
}

static void draw_joints(machine_picture *on)
{
    for (inlay_id link = 0; link < inlay_machine_links(on->machine); link++) {
        if (on->places.joint[link] >= 0) {
            draw_joint(on, link, on->load_at[link] < 0 ? NULL : &on->loads[on->load_at[link]]);
        }
    }
}

void machine_draw_nodes(machine_picture *on)
{
    inlay_id hosts = inlay_machine_hosts(on->machine), nodes = inlay_machine_nodes(on->machine);
    for (inlay_id node = hosts; node < nodes; node++) {
        draw_switch(on, node);
    }
    if (on->places.hub >= 0) {
        draw_switch(on, on->places.hub);
    }
    if (on->places.joint != NULL) {
        draw_joints(on);
    }
    for (inlay_id host = 0; host < hosts; host++) {
        draw_host(on, host);
    }
}
