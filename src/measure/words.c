/* Figures in words, and words in comments. */
#include "base/plain.h"
#include "measure/machine_file.h"
#include <math.h>
#include <string.h>

typedef struct scale {
    double one;
    const char *unit;
} scale;

/* The largest unit of which there is one at least, but for what is rounded; the last where there is none. */
static char *scaled(double value, const scale *units, size_t count, int digits, const char *blank,
                    char text[INLAY_VALUE_TEXT])
{
    size_t i = 0;
    while (i + 1 < count && value < units[i].one * (1 - 1e-12)) {
        i++;
    }
    (void)plain_print(text, INLAY_VALUE_TEXT, "%.*g%s%s", digits, value / units[i].one, blank, units[i].unit);
    return text;
}

char *inlay_seconds_text(double seconds, int digits, const char *blank, char text[INLAY_VALUE_TEXT])
{
    static const scale units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    return scaled(seconds, units, sizeof units / sizeof *units, digits, blank, text);
}

char *inlay_rate_text(double bytes, int digits, const char *blank, char text[INLAY_VALUE_TEXT])
{
    static const scale units[] = {{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};
    if (isinf(bytes)) {
        (void)plain_print(text, INLAY_VALUE_TEXT, "unknown");
        return text;
    }
    return scaled(bytes, units, sizeof units / sizeof *units, digits, blank, text);
}

char *share_text(double share, char text[INLAY_VALUE_TEXT])
{
    (void)plain_print(text, INLAY_VALUE_TEXT, "%.1f %%", 100 * share);
    return text;
}

void comment(text_buffer *to, const char *format, ...)
{
    size_t from = to->size;
    va_list arguments;
    va_start(arguments, format);
    text_vaddf(to, format, arguments);
    va_end(arguments);
    size_t end = to->size - (format[strlen(format) - 1] == '\n');
    for (size_t i = from; !to->failed && i < end; i++) {
        bool control = (unsigned char)to->data[i] < ' ' || to->data[i] == 127;
        to->data[i] = control ? '?' : to->data[i];
    }
}
