/* Words of a picture: names that Graphviz cannot misread, and numbers for the eye. */
#include "base/decimal.h"
#include "render/render.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/**
 * Bytes of the printable UTF-8 character at `s`; 0 for a control character, and for anything that is no UTF-8 (RFC 3629)
 * or that XML 1.0 does not allow.
 */
static size_t character_size(const unsigned char *s)
{
    static const struct {
        unsigned char first, last, low, high; /* range of the first byte, range of the second */
        size_t size;
    } row[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
               {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
               {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    if (s[0] < 0x80) return s[0] >= 0x20 && s[0] != 0x7F;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        if (s[0] < row[r].first || s[0] > row[r].last) continue;
        if (s[1] < row[r].low || s[1] > row[r].high) return 0;
        for (size_t i = 2; i < row[r].size; i++)
            if ((s[i] & 0xC0) != 0x80) return 0;
        /* U+FFFE and U+FFFF are no characters. */
        return s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE ? 0 : row[r].size;
    }
    return 0;
}

/** Bytes to the next character; a byte that is none stands alone. */
static size_t step(const char *s)
{
    size_t size = character_size((const unsigned char *)s);
    return size > 0 ? size : 1;
}

/** Append the character at `s`. `odd` is what stands before the xHH of a byte that is none. */
static void add_character(text_buffer *to, const char *s, const char *odd)
{
    size_t size = character_size((const unsigned char *)s);
    if (size == 0) {
        text_addf(to, "%sx%02X", odd, (unsigned)(unsigned char)*s);
    } else if (*s == '\\') {
        text_add(to, "\\\\");
    } else if (*s == '&') {
        text_add(to, "&amp;");
    } else {
        text_append(to, s, size);
    }
}

void words_id(text_buffer *to, const char *name)
{
    /* cgraph takes a name with a leading % for one of its own. */
    if (*name == '%') {
        text_add(to, "\\x25");
        name++;
    }
    for (; *name; name += step(name)) {
        add_character(to, name, "\\");
    }
}

void words_label(text_buffer *to, const char *name, size_t most)
{
    size_t points = 0;
    for (const char *s = name; *s; s += step(s)) {
        points++;
    }
    /* A cut name keeps its ends: names of one family often differ in a number at the end. */
    size_t kept = most * 2 / 5;
    size_t head = points <= most ? points : most - kept - 1;
    size_t tail = points <= most ? points : points - kept;
    size_t point = 0;
    for (const char *s = name; *s; s += step(s), point++) {
        if (point < head || point >= tail) {
            add_character(to, s, "\\\\");
        } else if (point == head) {
            text_add(to, "\xE2\x80\xA6");
        }
    }
}

void words_percent(text_buffer *to, double fraction)
{
    double tenths = round(fraction * 1000);
    if (isfinite(tenths) && fabs(tenths) < 1e15) {
        text_addf(to, "%" PRId64 ".%d %%", (int64_t)tenths / 10, abs((int)((int64_t)tenths % 10)));
    } else {
        words_number(to, fraction * 100, 4);
        text_add(to, " %");
    }
}

void words_number(text_buffer *to, double x, int digits)
{
    char number[DOUBLE_TEXT];
    if (!isfinite(x)) {
        text_add(to, "-");
        return;
    }
    if (x != 0) {
        /* A power of ten is exact up to 10^22, so one rounding leaves the double nearest to the short decimal. */
        int shift = digits - 1 - (int)floor(log10(fabs(x)));
        if (shift >= 0 && shift <= 22)
            x = round(x * pow(10, shift)) / pow(10, shift);
        else if (shift < 0 && shift >= -22)
            x = round(x / pow(10, -shift)) * pow(10, -shift);
    }
    text_add(to, double_text(x, number));
}

void words_count(text_buffer *to, int64_t count)
{
    char digits[24];
    size_t size = (size_t)snprintf(digits, sizeof digits, "%" PRId64, count);
    for (size_t i = 0; i < size; i++) {
        bool group = i > 0 && (size - i) % 3 == 0;
        text_append(to, ",", group ? 1 : 0);
        text_append(to, digits + i, 1);
    }
}

void words_bytes(text_buffer *to, int64_t bytes)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double x = (double)bytes;
    size_t u = 0;
    while (x >= 999.5 && u + 1 < sizeof unit / sizeof *unit) {
        x /= 1000;
        u++;
    }
    words_number(to, x, 3);
    text_addf(to, " %s", unit[u]);
}

void words_traffic(text_buffer *to, const inlay_summary *summary, int64_t traffic)
{
    if (summary->traffic_in_bytes)
        words_bytes(to, traffic);
    else
        words_count(to, traffic);
}

void words_plural(text_buffer *to, int64_t count, const char *noun)
{
    words_count(to, count);
    text_addf(to, " %s%s", noun, count == 1 ? "" : "s");
}

void words_elapsed(text_buffer *to, const inlay_summary *summary, const inlay_app *app, const inlay_machine *machine,
                   int digits)
{
    bool known = isfinite(summary->elapsed), simulated = known && summary->elapsed_is == INLAY_ELAPSED_SIMULATED;
    inlay_unit unit = inlay_app_unit(app);
    text_add(to, simulated ? "elapsed " : known ? "elapsed about " : "estimate ");
    words_number(to, known ? summary->elapsed : summary->estimate, digits);
    text_addf(to, " %s", inlay_unit_word(unit));
    if (!simulated) {
        char band[INLAY_BAND_TEXT];
        (known ? inlay_screen_band_text : inlay_estimate_band_text)(machine, summary->load, band);
        text_addf(to, " (%s)", band);
    }
}
