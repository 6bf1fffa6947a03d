/* The simulated elapsed time beside the estimate. */
#include "simulated.h"
#include "report.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>

char *simulated_error_text(double estimate, double simulated, char text[ERROR_TEXT])
{
    double hundredths = round(1e4 * (estimate - simulated) / simulated);
    if (!isfinite(hundredths)) {
        (void)snprintf(text, ERROR_TEXT, "-");
    } else {
        (void)snprintf(text, ERROR_TEXT, hundredths == 0 ? "0.00 %%" : "%+.2f %%", hundredths / 100);
    }
    return text;
}

char *simulated_elapsed_text(double elapsed, inlay_elapsed_is is, const char *unit, const inlay_machine *machine,
                             double load, char text[ELAPSED_TEXT])
{
    char figure[FIGURE];
    const char *blank = unit != NULL ? " " : "";
    unit = unit != NULL ? unit : "";
    figure_text(elapsed, 6, figure);
    if (is == INLAY_ELAPSED_SCREEN) {
        char band[INLAY_BAND_TEXT];
        (void)snprintf(text, ELAPSED_TEXT, "about %s%s%s (%s)", figure, blank, unit,
                       inlay_screen_band_text(machine, load, band));
    } else {
        (void)snprintf(text, ELAPSED_TEXT, "%s%s%s", figure, blank, unit);
    }
    return text;
}

char *simulated_interval_text(double low, double high, char text[INTERVAL_TEXT])
{
    text[0] = '\0';
    if (isfinite(low)) {
        (void)snprintf(text, INTERVAL_TEXT, " (%.4g to %.4g, 90 %%)", low, high);
    }
    return text;
}

/* "12 s later" */
static void say_shift(double shift, const char *unit, FILE *to)
{
    if (shift < 0 || shift > 0) {
        say(to, "%.6g %s %s", fabs(shift), unit, shift < 0 ? "earlier" : "later");
    } else {
        say(to, "on time");
    }
}

void say_plan(const inlay_plan_distance *d, const inlay_app *app, const char *unit, const char *how, FILE *to)
{
    say(to, "%.10g %s; modules are %s to start ", d->elapsed, unit, how);
    say_shift(d->earliest, unit, to);
    if (d->latest > d->earliest) {
        say(to, " to ");
        say_shift(d->latest, unit, to);
        say(to, " (%-s)", inlay_app_module_name(app, d->module));
    }
    say(to, "\n");
}
