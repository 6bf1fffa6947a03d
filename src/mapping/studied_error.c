/* How far estimates and screens were from simulated times. */
#include "mapping/studied_error.h"
#include "base/diag.h"
#include "base/plain.h"
#include <math.h>
#include <stdio.h>

enum { MODELS = 6, BANDS = 3 };

static const double band_width = 0.3; /* of loads. Above 0.9 the study does not go, and the last band stands */
static const double tolerable = 0.1;  /* a mean error above it is warned of */

/* The tables of docs/studies/estimate.md, by model: mean of the absolute errors; least and largest, outwards to whole percents. */
static const struct {
    inlay_error_band estimate[BANDS], screen[BANDS];
} errors[MODELS] = {
    {{{0.007, -0.11, 0.04}, {0.037, -0.21, 0.35}, {0.093, -0.26, 1.06}},
     {{0.001, -0.04, 0.01}, {0.003, -0.09, 0.02}, {0.004, -0.07, 0.03}}},
    {{{0.007, -0.11, 0.04}, {0.036, -0.20, 0.35}, {0.091, -0.28, 1.06}},
     {{0.001, -0.04, 0.01}, {0.002, -0.08, 0.02}, {0.002, -0.06, 0.02}}},
    {{{0.015, -0.17, 0.12}, {0.063, -0.36, 0.43}, {0.141, -0.50, 0.96}},
     {{0.001, -0.04, 0.02}, {0.003, -0.07, 0.08}, {0.004, -0.07, 0.07}}},
    {{{0.094, -0.71, 0.16}, {0.252, -0.82, 0.64}, {0.454, -0.81, 3.04}},
     {{0.004, -0.04, 0.13}, {0.012, -0.07, 0.19}, {0.012, -0.09, 0.20}}},
    {{{0.090, -0.52, 0.77}, {0.293, -0.68, 1.81}, {0.891, -0.66, 6.18}},
     {{0.002, -0.04, 0.05}, {0.005, -0.05, 0.12}, {0.008, -0.07, 0.13}}},
    {{{0.022, -0.18, 0.68}, {0.076, -0.25, 1.00}, {0.229, -0.34, 3.36}},
     {{0.005, -0.15, 0.11}, {0.017, -0.28, 0.16}, {0.028, -0.38, 0.14}}},
};

/* Of links whose messages are taken to differ in length (model 7), all is simulated as of others but the estimate. */
static int studied_model(const inlay_machine *machine)
{
    int model = inlay_machine_model(machine);
    return model > MODELS ? MODELS : model;
}

static int band_of(double load)
{
    return load < band_width ? 0 : load < 2 * band_width ? 1 : 2;
}

bool inlay_estimate_band(const inlay_machine *machine, double load, inlay_error_band *band)
{
    bool known = load >= 0 && inlay_machine_model(machine) <= MODELS &&
                 inlay_machine_contention(machine) == INLAY_CONTENTION_QUEUES && inlay_machine_sharing(machine) == NULL;
    if (known) {
        *band = errors[studied_model(machine) - 1].estimate[band_of(load)];
    }
    return known;
}

bool inlay_screen_band(const inlay_machine *machine, double load, inlay_error_band *band)
{
    bool queues = inlay_machine_contention(machine) == INLAY_CONTENTION_QUEUES;
    if (load >= 0) {
        *band = queues ? errors[studied_model(machine) - 1].screen[band_of(load)] : (inlay_error_band){0};
    }
    return load >= 0 && inlay_machine_sharing(machine) == NULL;
}

char *inlay_error_band_text(const inlay_error_band *band, char text[INLAY_BAND_TEXT])
{
    if (band != NULL && (band->low < 0 || band->high > 0)) {
        (void)plain_print(text, INLAY_BAND_TEXT, "studied %+.0f %% to %+.0f %%", 100 * band->low, 100 * band->high);
    } else {
        (void)plain_print(text, INLAY_BAND_TEXT, "%s", band != NULL ? "exact" : "unstudied");
    }
    return text;
}

char *inlay_estimate_band_text(const inlay_machine *machine, double load, char text[INLAY_BAND_TEXT])
{
    inlay_error_band band = {0};
    return inlay_error_band_text(inlay_estimate_band(machine, load, &band) ? &band : NULL, text);
}

char *inlay_screen_band_text(const inlay_machine *machine, double load, char text[INLAY_BAND_TEXT])
{
    inlay_error_band band = {0};
    return inlay_error_band_text(inlay_screen_band(machine, load, &band) ? &band : NULL, text);
}

bool studied_error_tells(const inlay_machine *machine, double load)
{
    inlay_error_band band = {0};
    return inlay_estimate_band(machine, load, &band) && band.mean > tolerable;
}

void studied_error_warn(const inlay_machine *machine, double load, inlay_diag *diag)
{
    inlay_error_band band = {0};
    if (inlay_estimate_band(machine, load, &band) && band.mean > tolerable) {
        diag_warn(diag,
                  "at load %.2f the estimate is uncertain: from load %.1f on estimates for model %d (%s) were off by "
                  "%.0f %% on average and %+.0f %% at worst; look at the simulated time",
                  load, band_of(load) * band_width, inlay_machine_model(machine),
                  inlay_family_name(inlay_machine_family(machine)), 100 * band.mean,
                  100 * (band.high > -band.low ? band.high : band.low));
    }
}
