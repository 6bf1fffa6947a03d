/* --curves: a file's curves for the processors of a machine, or the clusters of a metasystem. */
#include "curves.h"
#include "report.h"
#include <stdlib.h>
#include <string.h>

static const inlay_curve *find(const inlay_curves *all, const char *name)
{
    for (size_t i = 0; i < all->devices; i++) {
        if (strcmp(all->curve[i].name, name) == 0) {
            return &all->curve[i];
        }
    }
    return NULL;
}

static int refuse(const char *path, const char *name)
{
    say_safely(stderr, path);
    say(stderr, ": there is no device '%-s'; expected a curve for each that computes\n", name);
    return EXIT_USAGE;
}

/* Curves with room for their points behind them all. */
static int copy(const inlay_curve **of, size_t count, double factor, inlay_curve **made)
{
    size_t points = 0;
    for (size_t i = 0; i < count; i++) {
        points += of[i]->points;
    }
    inlay_curve *curve = malloc(count * sizeof *curve + points * sizeof(inlay_curve_point));
    if (curve == NULL) {
        return report_no_memory();
    }
    inlay_curve_point *point = (inlay_curve_point *)(void *)(curve + count);
    for (size_t i = 0; i < count; i++) {
        curve[i] = *of[i];
        curve[i].name = NULL; /* the file's, which goes */
        curve[i].point = point;
        for (size_t k = 0; k < of[i]->points; k++) {
            *point++ = (inlay_curve_point){of[i]->point[k].size, of[i]->point[k].time * factor};
        }
    }
    *made = curve;
    return EXIT_DONE;
}

int curves_for(const invocation *call, const char *path, size_t count, curves_name *name, const void *of, double factor,
               inlay_curve **made, inlay_diag *diag)
{
    inlay_curves *all = NULL;
    int end = report_end(call, inlay_curves_read(path, &all, diag), diag);
    const inlay_curve **found = end == EXIT_DONE ? calloc(count, sizeof *found) : NULL;
    bool named = name(of, 0) != NULL;
    end = end == EXIT_DONE && found == NULL ? report_no_memory() : end;
    if (end == EXIT_DONE && !named && all->devices != count) {
        say_safely(stderr, path);
        say(stderr, ": there are %zu devices; expected %zu, one for each processor, which have no names\n",
            all->devices, count);
        end = EXIT_USAGE;
    }
    for (size_t i = 0; i < count && end == EXIT_DONE && found != NULL; i++) {
        found[i] = named ? find(all, name(of, i)) : &all->curve[i];
        end = found[i] != NULL ? EXIT_DONE : refuse(path, name(of, i));
    }
    end = end == EXIT_DONE && found != NULL ? copy(found, count, factor, made) : end;
    free((void *)found);
    inlay_curves_free(all);
    return end;
}
