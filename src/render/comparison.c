/* The rows of `inlay compare` as a picture. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "render/render.h"
#include <inlay/compare.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind a bar, with the price where there is one; freed by the caller, NULL when out of memory. */
static char *words_of(const inlay_compare_row *row)
{
    const inlay_compare_figures *figures = &row->figures;
    const char *currency = inlay_machine_currency(row->machine->machine);
    char price[64] = "";
    if (row->mapping == NULL) {
        static const char none[] = "no answer: ";
        const char *reason = row->reason;
        size_t size = sizeof none + strlen(reason);
        char *text = malloc(size);
        if (text != NULL) {
            (void)snprintf(text, size, "%s%s", none, reason);
        }
        return text;
    }
    if (isfinite(figures->price)) {
        plain_print(price, sizeof price, currency != NULL ? ", %.4g %.20s" : ", price %.4g", figures->price, currency);
    }
    char text[256];
    plain_print(text, sizeof text, "%.5g %s, %d processor%s%s: %s", figures->elapsed,
                inlay_unit_word(inlay_app_unit(row->app->app)), figures->processors,
                figures->processors == 1 ? "" : "s", price, inlay_limit_name(row->bottleneck.limit));
    return strdup(text);
}

static inlay_bar bar_of(const inlay_compare_row *row, const char *words)
{
    const inlay_bottleneck *parts = &row->bottleneck;
    return (inlay_bar){.group = row->app->name,
                       .name = row->machine->name,
                       .unit = inlay_unit_word(inlay_app_unit(row->app->app)),
                       .answered = row->mapping != NULL,
                       .critical_path = parts->critical_path,
                       .compute = parts->compute,
                       .network = parts->network,
                       .low = isfinite(row->low) ? row->low : 0,
                       .high = isfinite(row->high) ? row->high : 0,
                       .words = words};
}

static int fill(const inlay_comparison *all, inlay_bar *bars, char **words)
{
    for (size_t i = 0; i < inlay_comparison_rows(all); i++) {
        words[i] = words_of(inlay_comparison_row(all, i));
        if (words[i] == NULL) {
            return INLAY_NO_MEMORY;
        }
        bars[i] = bar_of(inlay_comparison_row(all, i), words[i]);
        bars[i].begins_group = i == 0 || inlay_comparison_row(all, i)->app != inlay_comparison_row(all, i - 1)->app;
    }
    return INLAY_OK;
}

int inlay_comparison_draw_svg(const inlay_comparison *all, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    size_t rows = inlay_comparison_rows(all);
    inlay_bar *bars = memory_zeroed(rows, sizeof *bars);
    char **words = memory_zeroed(rows, sizeof *words);
    int status = bars == NULL || words == NULL ? INLAY_NO_MEMORY : fill(all, bars, words);
    status = status == INLAY_OK ? inlay_bars_draw_svg(bars, rows, path, diag) : diag_no_memory(diag);
    for (size_t i = 0; words != NULL && i < rows; i++) {
        free(words[i]);
    }
    free(words);
    free(bars);
    return status;
}
