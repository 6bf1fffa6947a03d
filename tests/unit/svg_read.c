/* Reading pictures back: an XML checker of its own, and numbers as they stand in the file. */
#include "svg_read.h"
#include "base/plain.h"
#include "unit.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *svg_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/inlay-chart-%ld.svg", (long)getpid());
    return path;
}

static bool is_entity(const char *s)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(s, known[i], strlen(known[i])) == 0) return true;
    }
    return false;
}

/** The attributes of a tag: name="value" each, no name twice. Gives where they end. */
static const char *check_attributes(const char *s)
{
    char names[32][32];
    size_t count = 0;
    while (*s == ' ') {
        size_t length = strspn(++s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");
        ck_assert_msg(length > 0 && length < 32 && count < 32, "no attribute: %.30s", s);
        snprintf(names[count], sizeof names[count], "%.*s", (int)length, s);
        for (size_t i = 0; i < count; i++) {
            ck_assert_str_ne(names[i], names[count]);
        }
        count++;
        s += length;
        ck_assert_msg(s[0] == '=' && s[1] == '"', "no value: %.30s", s);
        size_t value = strcspn(s + 2, "\"<");
        ck_assert_msg(s[2 + value] == '"', "open value: %.30s", s);
        s += value + 3;
    }
    return s;
}

/** Every tag is closed in its order, every & begins an entity, and no control characters stand in the text. */
static void assert_well_formed(const char *xml)
{
    char open[16][16];
    int depth = 0;
    int roots = 0;
    ck_assert_int_eq(strncmp(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39), 0);
    for (const char *s = xml + 39; *s; s++) {
        ck_assert_msg((unsigned char)*s >= ' ' || *s == '\n', "control character");
        ck_assert_msg(*s != '&' || is_entity(s), "no entity: %.20s", s);
        ck_assert_msg(*s != '>', "stray >: %.20s", s);
        ck_assert_msg(depth > 0 || *s == '<' || *s == '\n', "text outside: %.20s", s);
        if (*s != '<') continue;
        bool closing = s[1] == '/';
        char name[16];
        s += closing ? 2 : 1;
        size_t length = strspn(s, "abcdefghijklmnopqrstuvwxyz");
        ck_assert_msg(length > 0 && length < sizeof name, "no tag: %.20s", s);
        snprintf(name, sizeof name, "%.*s", (int)length, s);
        s = closing ? s + length : check_attributes(s + length);
        if (closing) {
            ck_assert_int_gt(depth, 0);
            ck_assert_str_eq(open[--depth], name);
        } else if (*s == '/') {
            s++;
        } else {
            ck_assert_int_lt(depth, 16);
            roots += depth == 0;
            strcpy(open[depth++], name);
        }
        ck_assert_msg(*s == '>', "open tag: %.20s", s);
    }
    ck_assert_int_eq(depth, 0);
    ck_assert_int_eq(roots, 1);
}

const char *svg_next(const char *s, const char *name)
{
    size_t length = strlen(name);
    for (s = strchr(s, '<'); s; s = strchr(s + 1, '<')) {
        if (strncmp(s + 1, name, length) == 0 && s[1 + length] == ' ') return s;
    }
    return NULL;
}

const char *svg_attribute_text(const char *tag, const char *name)
{
    char begin[40];
    int length = snprintf(begin, sizeof begin, " %s=\"", name);
    const char *found = strstr(tag, begin);
    return found && found < strchr(tag, '>') ? found + length : NULL;
}

/** A number with exactly two decimals. */
static double number(const char *text)
{
    size_t digits = strspn(text + (*text == '-'), "0123456789");
    const char *point = text + (*text == '-') + digits;
    ck_assert_msg(digits > 0 && *point == '.' && strspn(point + 1, "0123456789") == 2, "no number: %.20s", text);
    return plain_number(text, NULL);
}

double svg_attribute_number(const char *tag, const char *name)
{
    const char *value = svg_attribute_text(tag, name);
    ck_assert_msg(value != NULL, "no %s: %.60s", name, tag);
    return number(value);
}

size_t svg_corners(const char *tag, svg_place *places, size_t most)
{
    const char *s = svg_attribute_text(tag, "points");
    size_t count = 0;
    ck_assert_ptr_nonnull(s);
    while (*s != '"') {
        ck_assert_uint_lt(count, most);
        places[count].x = number(s);
        s = strchr(s, ',') + 1;
        places[count++].y = number(s);
        s += strcspn(s, " \"");
        s += *s == ' ';
    }
    return count;
}

static void assert_inside(double x, double y, double width, double height, const char *tag)
{
    ck_assert_msg(x >= 0 && x <= width && y >= 0 && y <= height, "outside: %.80s", tag);
}

static void assert_box_inside(const char *s, double width, double height)
{
    double x = svg_attribute_number(s, "x");
    double y = svg_attribute_number(s, "y");
    assert_inside(x, y, width, height, s);
    assert_inside(x + svg_attribute_number(s, "width"), y + svg_attribute_number(s, "height"), width, height, s);
}

/** A text with characters of ordinary width (0.55 of the size on the average) begins and ends inside. */
static void assert_text_inside(const char *s, double width, double height)
{
    const char *content = strchr(s, '>') + 1;
    double characters = 0;
    for (; *content != '<'; content++) {
        characters += ((unsigned char)*content & 0xC0) != 0x80;
        if (*content == '&') content = strchr(content, ';');
    }
    double taken = 0.55 * characters * svg_attribute_number(s, "font-size");
    const char *anchor = svg_attribute_text(s, "text-anchor");
    double x = svg_attribute_number(s, "x");
    double left = *anchor == 's' ? x : *anchor == 'm' ? x - taken / 2 : x - taken;
    assert_inside(left, svg_attribute_number(s, "y"), width, height, s);
    assert_inside(left + taken, svg_attribute_number(s, "y"), width, height, s);
}

/** All that is drawn lies in the view box. */
static void assert_all_inside(const char *svg)
{
    svg_place places[4096];
    const char *root = svg_next(svg, "svg");
    double width = svg_attribute_number(root, "width");
    double height = svg_attribute_number(root, "height");
    char box[80];
    plain_print(box, sizeof box, "viewBox=\"0 0 %.2f %.2f\"", width, height);
    ck_assert_ptr_nonnull(strstr(root, box));
    ck_assert_double_eq(width, 900);
    for (const char *s = svg; (s = svg_next(s + 1, "rect"));) {
        assert_box_inside(s, width, height);
    }
    for (const char *s = svg; (s = svg_next(s + 1, "line"));) {
        assert_inside(svg_attribute_number(s, "x1"), svg_attribute_number(s, "y1"), width, height, s);
        assert_inside(svg_attribute_number(s, "x2"), svg_attribute_number(s, "y2"), width, height, s);
    }
    for (const char *s = svg; (s = svg_next(s + 1, "circle"));) {
        double r = svg_attribute_number(s, "r");
        assert_inside(svg_attribute_number(s, "cx") - r, svg_attribute_number(s, "cy") - r, width, height, s);
        assert_inside(svg_attribute_number(s, "cx") + r, svg_attribute_number(s, "cy") + r, width, height, s);
    }
    for (int kind = 0; kind < 2; kind++) {
        for (const char *s = svg; (s = svg_next(s + 1, kind ? "polygon" : "polyline"));) {
            size_t count = svg_corners(s, places, 4096);
            for (size_t i = 0; i < count; i++) {
                assert_inside(places[i].x, places[i].y, width, height, s);
            }
        }
    }
    for (const char *s = svg; (s = svg_next(s + 1, "text"));) {
        assert_text_inside(s, width, height);
    }
}

/** Boxes around labels and numbers of marks do not touch. */
static void assert_tags_apart(const char *svg)
{
    for (const char *a = svg; (a = svg_next(a + 1, "rect"));) {
        for (const char *b = a; svg_attribute_text(a, "rx") && (b = svg_next(b + 1, "rect"));) {
            if (svg_attribute_text(b, "rx") == NULL) continue;
            double gap_x = fabs(svg_attribute_number(a, "x") + svg_attribute_number(a, "width") / 2 -
                                svg_attribute_number(b, "x") - svg_attribute_number(b, "width") / 2);
            double gap_y = fabs(svg_attribute_number(a, "y") - svg_attribute_number(b, "y"));
            ck_assert(gap_x >= (svg_attribute_number(a, "width") + svg_attribute_number(b, "width")) / 2 - 0.02 ||
                      gap_y >= svg_attribute_number(a, "height") - 0.02);
        }
    }
}

char *svg_take(void)
{
    char *svg = calloc(1, 1 << 21);
    FILE *file = fopen(svg_path(), "rb");
    ck_assert(file != NULL && svg != NULL);
    size_t size = fread(svg, 1, (1 << 21) - 1, file);
    fclose(file);
    unlink(svg_path());
    ck_assert_uint_eq(strlen(svg), size);
    assert_well_formed(svg);
    assert_all_inside(svg);
    assert_tags_apart(svg);
    return svg;
}
