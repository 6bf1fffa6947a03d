/* Pictures as a test reads them: SVG files, checked and taken apart. */
#ifndef SVG_READ_H
#define SVG_READ_H

#include <stddef.h>

/** Where pictures of the running test go. */
const char *svg_path(void);

/**
 * Take the picture away from svg_path(): the text is the caller's to free. Checked is what holds of every chart: XML is
 * well formed, everything lies within the view box of 900 pixels' width, boxes around labels do not touch.
 */
char *svg_take(void);

/** The next element of that name behind `s`, or NULL. */
const char *svg_next(const char *s, const char *name);

/** The value of an attribute of the element at `tag`; NULL where there is none. */
const char *svg_attribute_text(const char *tag, const char *name);

/** The same as a number with two decimals; the test fails where there is none. */
double svg_attribute_number(const char *tag, const char *name);

typedef struct svg_place {
    double x, y;
} svg_place;

/** The corners of the polyline or polygon at `tag`; gives how many. */
size_t svg_corners(const char *tag, svg_place *places, size_t most);

#endif
