/* The words of SVG that charts need. */
#include "base/diag.h"
#include "base/file.h"
#include "base/plain.h"
#include "render/chart_parts.h"
#include "render/render.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

void svg_pixels(text_buffer *to, double pixels)
{
    int64_t hundredths = llround(pixels * 100);
    int64_t size = hundredths < 0 ? -hundredths : hundredths;
    text_addf(to, "%s%" PRId64 ".%02d", hundredths < 0 ? "-" : "", size / 100, (int)(size % 100));
}

void svg_attribute(text_buffer *to, const char *name, double pixels)
{
    text_addf(to, " %s=\"", name);
    svg_pixels(to, pixels);
    text_add(to, "\"");
}

/** 0.d x 10^(exponent + 1), without an exponent: digits[0] counts 10^exponent. */
static void add_plain(text_buffer *to, const char *digits, int count, int exponent)
{
    for (int place = exponent < 0 ? 0 : exponent; place >= 0 || exponent - place < count; place--) {
        int i = exponent - place;
        text_add(to, place == -1 ? "." : "");
        text_append(to, i >= 0 && i < count ? digits + i : "0", 1);
    }
}

void chart_number(text_buffer *to, double x, int digits)
{
    char written[64]; /* "-d.ddde-dd" */
    char digit[32];
    int count = 0;
    if (!isfinite(x)) {
        text_add(to, "-");
        return;
    }
    plain_print(written, sizeof written, "%.*e", digits - 1, x);
    const char *s = written;
    for (; *s != 'e'; s++) {
        if (plain_digit(*s)) digit[count++] = *s;
    }
    int exponent = (int)strtol(s + 1, NULL, 10);
    while (count > 1 && digit[count - 1] == '0') {
        count--;
    }
    text_add(to, x < 0 ? "-" : "");
    if (exponent >= -4 && exponent <= 6) {
        add_plain(to, digit, count, exponent);
    } else {
        add_plain(to, digit, count, 0);
        text_addf(to, "e%d", exponent);
    }
}

/* ---- Texts ---- */

/*
 * words_label() makes any bytes printable UTF-8, cuts them, and writes & as an entity, for Graphviz. What remains is to
 * undo the doubled backslashes, which SVG does not read, and to guard the other characters that XML reads.
 */
void svg_escaped(text_buffer *to, const char *bytes, size_t most)
{
    text_buffer label = {0};
    words_label(&label, bytes, most);
    to->failed |= label.failed;
    for (const char *s = text_content(&label); *s; s++) {
        switch (*s) {
        case '<': text_add(to, "&lt;"); break;
        case '>': text_add(to, "&gt;"); break;
        case '"': text_add(to, "&quot;"); break;
        case '\\':
            text_add(to, "\\");
            s += s[1] == '\\';
            break;
        default: text_append(to, s, 1);
        }
    }
    text_clear(&label);
}

/** Widths of DejaVu Sans, the widest of the usual fonts, over the size. */
static double character_width(unsigned char c)
{
    if (c >= 0x80) return 1;
    if (strchr("mwMW%@", c)) return 1;
    if (strchr("Iijlrtf.,:;!|'()[]/- ", c)) return 0.42;
    if (plain_upper(c) || strchr("&#+<=>^~", c)) return 0.84;
    return 0.65;
}

double svg_width(const char *content, double size)
{
    double width = 0;
    for (const char *s = content; *s; s++) {
        bool continues = ((unsigned char)*s & 0xC0) == 0x80;
        width += continues ? 0 : character_width((unsigned char)*s);
        /* An entity is one character, of which & has the width. */
        const char *end = *s == '&' ? strchr(s, ';') : NULL;
        s = end ? end : s;
    }
    return width * size;
}

enum { NAME_MOST = 60, NAME_LEAST = 8, WORDS_MOST = 200 };

void svg_label(text_buffer *to, const chart_label *label, double size, double room)
{
    text_buffer text = {0};
    for (size_t most = NAME_MOST;; most -= 4) {
        text_clear(&text);
        svg_escaped(&text, label->name ? label->name : "", most);
        svg_escaped(&text, label->words ? label->words : "", WORDS_MOST);
        if (most <= NAME_LEAST || text.failed || svg_width(text_content(&text), size) <= room) break;
    }
    to->failed |= text.failed;
    text_add(to, text_content(&text));
    text_clear(&text);
}

void svg_text(text_buffer *to, chart_place_xy at, double size, const char *anchor, const char *content)
{
    text_add(to, "<text");
    svg_attribute(to, "x", at.x);
    svg_attribute(to, "y", at.y);
    svg_attribute(to, "font-size", size);
    text_addf(to, " text-anchor=\"%s\">%s</text>\n", anchor, content);
}

void svg_words(text_buffer *to, chart_place_xy at, double size, const char *anchor, text_buffer *content)
{
    svg_text(to, at, size, anchor, text_content(content));
    text_settle(content, to);
}

void svg_named(text_buffer *to, chart_place_xy at, double size, const char *anchor, chart_label label, double room)
{
    text_buffer content = {0};
    svg_label(&content, &label, size, room);
    svg_words(to, at, size, anchor, &content);
}

void svg_number(text_buffer *to, chart_place_xy at, double size, const char *anchor, double value, int digits)
{
    text_buffer content = {0};
    chart_number(&content, value, digits);
    svg_words(to, at, size, anchor, &content);
}

void svg_title(text_buffer *to, const char *words)
{
    enum { SIZE = 16 };
    svg_named(to, (chart_place_xy){CHART_MARGIN, CHART_MARGIN + SIZE - 4}, SIZE, "start", (chart_label){.words = words},
              CHART_WIDTH - 2 * CHART_MARGIN);
}

/* ---- Shapes ---- */

void svg_line(text_buffer *to, chart_place_xy from, chart_place_xy end, const char *style)
{
    text_add(to, "<line");
    svg_attribute(to, "x1", from.x);
    svg_attribute(to, "y1", from.y);
    svg_attribute(to, "x2", end.x);
    svg_attribute(to, "y2", end.y);
    text_addf(to, "%s/>\n", style);
}

void svg_box(text_buffer *to, double left, double top, double width, double height, const char *style)
{
    text_add(to, "<rect");
    svg_attribute(to, "x", left);
    svg_attribute(to, "y", top);
    svg_attribute(to, "width", width);
    svg_attribute(to, "height", height);
    text_addf(to, "%s/>\n", style);
}

void svg_points(text_buffer *to, const chart_place_xy *places, size_t count)
{
    text_add(to, " points=\"");
    for (size_t i = 0; i < count; i++) {
        text_add(to, i > 0 ? " " : "");
        svg_pixels(to, places[i].x);
        text_add(to, ",");
        svg_pixels(to, places[i].y);
    }
    text_add(to, "\"");
}

void svg_dot(text_buffer *to, chart_place_xy at, const char *colour, const char *title)
{
    text_add(to, "<circle");
    svg_attribute(to, "cx", at.x);
    svg_attribute(to, "cy", at.y);
    svg_attribute(to, "r", MARK_RADIUS);
    text_addf(to, " fill=\"%s\" stroke=\"#FFFFFF\" stroke-width=\"1.5\"", colour);
    if (*title) {
        text_addf(to, "><title>%s</title></circle>\n", title);
    } else {
        text_add(to, "/>\n");
    }
}

/* ---- The file ---- */

int svg_write(const svg_page *page, text_buffer *body, const char *path, inlay_diag *diag)
{
    text_buffer file = {0};
    text_add(&file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    svg_attribute(&file, "width", page->width);
    svg_attribute(&file, "height", page->height);
    text_add(&file, " viewBox=\"0 0 ");
    svg_pixels(&file, page->width);
    text_add(&file, " ");
    svg_pixels(&file, page->height);
    text_add(&file, "\" font-family=\"Helvetica, Arial, sans-serif\" fill=\"#222222\">\n<title>");
    svg_escaped(&file, page->title != NULL ? page->title : "", WORDS_MOST);
    text_add(&file, "</title>\n");
    if (page->definitions != NULL) {
        text_addf(&file, "<defs>%s</defs>\n", page->definitions);
    }
    svg_box(&file, 0, 0, page->width, page->height, " fill=\"#FFFFFF\"");
    text_add(&file, text_content(body));
    text_add(&file, "</svg>\n");
    text_settle(body, &file);
    int status = file.failed ? diag_no_memory(diag) : file_write(path, file.data, file.size, diag);
    text_clear(&file);
    return status;
}
