/* Tables of figures. */
#include "rows.h"

enum { DIGITS = 4 };

int print_rows(table *rows)
{
    return table_print(rows, stdout);
}

void add_seconds(table *rows, double seconds)
{
    char text[INLAY_VALUE_TEXT];
    table_cell(rows, "%s", inlay_seconds_text(seconds, DIGITS, " ", text));
}

void add_rate(table *rows, double rate)
{
    char text[INLAY_VALUE_TEXT];
    table_cell(rows, "%s", inlay_rate_text(rate, DIGITS, " ", text));
}

void add_share(table *rows, double share)
{
    table_cell(rows, "%.1f %%", 100 * share);
}
