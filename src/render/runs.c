/* Runs beside their predictions as a picture: in seconds, or in ticks where all of them are. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "render/render.h"
#include <inlay/measured.h>
#include <stdlib.h>

enum { PERCENT_TEXT = 32, WORDS = 128 };

/* What the picture is made of; the arrays are ours. */
typedef struct drawing {
    inlay_measured *rows;
    double *runs; /* of all rows, one after another */
    inlay_measured_machine *machines;
    char (*words)[WORDS]; /* of each machine */
} drawing;

static void clear(drawing *of)
{
    free(of->rows);
    free(of->runs);
    free(of->machines);
    free(of->words);
}

static bool allocate(const inlay_runs *all, drawing *of)
{
    size_t runs = 0;
    for (size_t i = 0; i < all->count; i++) {
        runs += all->rows[i].run_count;
    }
    of->rows = memory_zeroed(all->count + 1, sizeof *of->rows);
    of->runs = memory_zeroed(runs + 1, sizeof *of->runs);
    of->machines = memory_zeroed(all->machines + 1, sizeof *of->machines);
    of->words = memory_zeroed(all->machines + 1, sizeof *of->words);
    return of->rows != NULL && of->runs != NULL && of->machines != NULL && of->words != NULL;
}

/* The row that has no place on the axes of the first one: ticks have no length. NULL where all have. */
static const inlay_run_row *find_misfit(const inlay_runs *all)
{
    bool ticks = all->rows[0].unit == INLAY_UNIT_TICK;
    for (size_t i = 1; i < all->count; i++) {
        if ((all->rows[i].unit == INLAY_UNIT_TICK) != ticks) {
            return &all->rows[i];
        }
    }
    return NULL;
}

static double unit_length(inlay_unit unit)
{
    return unit == INLAY_UNIT_TICK ? 1 : inlay_unit_seconds(unit);
}

static void fill_rows(const inlay_runs *all, int prediction, drawing *of)
{
    double *next = of->runs;
    for (size_t i = 0; i < all->count; i++) {
        const inlay_run_row *row = &all->rows[i];
        double length = unit_length(row->unit);
        of->rows[i] = (inlay_measured){.name = row->application,
                                       .machine = row->number,
                                       .predicted = row->predicted[prediction] * length,
                                       .runs = next,
                                       .run_count = row->run_count};
        for (size_t r = 0; r < row->run_count; r++) {
            *next++ = row->runs[r] * length;
        }
    }
}

/* A share in percent with two digits: "5.4 %", "12 %". Returns `text`. */
static const char *percent_text(double share, char text[PERCENT_TEXT])
{
    double percent = 100 * share;
    const char *format = percent < 9.95 ? "%.1f %%" : percent < 1000 ? "%.0f %%" : "%.2g %%";
    plain_print(text, PERCENT_TEXT, format, percent);
    return text;
}

static void fill_machines(const inlay_runs *all, int prediction, drawing *of)
{
    for (size_t m = 0; m < all->machines; m++) {
        char median[PERCENT_TEXT], worst[PERCENT_TEXT];
        plain_print(of->words[m], WORDS, "off: median %s, worst %s",
                    percent_text(all->errors[m].median[prediction], median),
                    percent_text(all->errors[m].worst[prediction], worst));
        of->machines[m] = (inlay_measured_machine){inlay_runs_label(all, m), of->words[m]};
    }
}

static int refuse(const inlay_run_row *misfit, const inlay_run_row *first, inlay_diag *diag)
{
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "%s: times are in %s, those of %s in %s; expected no ticks beside seconds in one picture",
                     inlay_runs_place(misfit), inlay_unit_word(misfit->unit), inlay_runs_place(first),
                     inlay_unit_word(first->unit));
}

int inlay_runs_draw_svg(const inlay_runs *all, int prediction, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const char *const words[INLAY_PREDICTIONS] = {"estimated elapsed time", "simulated elapsed time"};
    bool ticks = all->rows[0].unit == INLAY_UNIT_TICK;
    drawing of = {0};
    int status;
    if (find_misfit(all) != NULL) {
        return refuse(find_misfit(all), &all->rows[0], diag);
    }
    if (allocate(all, &of)) {
        const inlay_measured_picture picture = {.title = "Predicted against measured elapsed time",
                                                .predicted = words[prediction],
                                                .unit = inlay_unit_word(ticks ? INLAY_UNIT_TICK : INLAY_UNIT_S),
                                                .machines = of.machines,
                                                .machine_count = all->machines};
        fill_rows(all, prediction, &of);
        fill_machines(all, prediction, &of);
        status = inlay_measured_draw_svg(of.rows, all->count, &picture, path, diag);
    } else {
        status = diag_no_memory(diag);
    }
    clear(&of);
    return status;
}
