/*
 * Every method on networks whose hosts differ: DAGBench's instances, which bring an application and its network. A row is a
 * method: how many times as long as the best of all it takes, the geometric mean and the most, and how often it is as short.
 * Of recorded workflows docs/studies/methods.json tells the same.
 */
#include "unlike.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 300, PATH = 3 * NAME, METHODS = 40 };

typedef struct standing {
    int answers, shortest;
    double logs, most;
} standing;

static int is_instance(const struct dirent *entry)
{
    return strstr(entry->d_name, ".json") != NULL;
}

/* In q->app too, for the checker. */
static int read_app(const judge *q, const char *path, inlay_app **app)
{
    inlay_app *read = NULL;
    int status = inlay_app_read(path, NULL, &read, NULL);
    status = status == INLAY_OK ? inlay_app_write(read, q->app, "tg", NULL) : status;
    inlay_app_free(read);
    return status == INLAY_OK ? inlay_app_read(q->app, "tg", app, NULL) : status;
}

/* What refuses the problem, or is not built in, has no answer. */
static int try_all(const judge *q, const inlay_app *app, const inlay_machine *machine, standing *s)
{
    double elapsed[METHODS] = {0}, least = INFINITY;
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < inlay_methods() && i < METHODS; i++) {
        const inlay_options options = {.method = inlay_method_at(i), .ignore_cores = true};
        judged_answer found = {.elapsed = NAN};
        status = judged_map(q, app, machine, &options, &found);
        elapsed[i] = status == INLAY_OK ? found.elapsed : NAN;
        status = status == INLAY_BAD_ARGUMENT || status == INLAY_OVERFLOW ? INLAY_OK : status;
        least = elapsed[i] < least ? elapsed[i] : least;
    }
    for (size_t i = 0; status == INLAY_OK && i < inlay_methods() && i < METHODS; i++) {
        if (!isnan(elapsed[i])) {
            double ratio = least > 0 ? elapsed[i] / least : 1;
            s[i].answers++;
            s[i].shortest += ratio < 1 + 1e-9;
            s[i].logs += log(ratio);
            s[i].most = fmax(s[i].most, ratio);
        }
    }
    return status;
}

static int one(const judge *q, const char *path, standing *s)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    int status = read_app(q, path, &app);
    status = status == INLAY_OK ? inlay_machine_read(path, &machine, NULL) : status;
    status = status == INLAY_OK ? try_all(q, app, machine, s) : status;
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", path, inlay_status_text(status));
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

static int all_instances(const judge *q, const char *data, standing *s)
{
    char folder[PATH];
    struct dirent **entries = NULL;
    (void)snprintf(folder, sizeof folder, "%s/dagbench", data);
    int status = INLAY_OK, count = scandir(folder, &entries, is_instance, alphasort);
    if (count < 0) {
        (void)fprintf(stderr, "%s cannot be read: expected INLAY_DATA to name the folder of the data\n", folder);
        return INLAY_BAD_INPUT;
    }
    for (int k = 0; k < count; k++) {
        char path[2 * PATH];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
        status = status == INLAY_OK ? one(q, path, s) : status;
        free(entries[k]);
    }
    free(entries);
    return status;
}

int unlike(const judge *q, const char *data)
{
    standing s[METHODS] = {{0}};
    int status = all_instances(q, data, s);
    if (status != INLAY_OK) {
        return status;
    }
    printf(
        "\nUnlike hosts: elapsed time over the least of all methods\n\n| method | answers | mean | most | shortest |\n"
        "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < inlay_methods() && i < METHODS; i++) {
        const standing *m = &s[i];
        if (m->answers > 0) {
            printf("| `%s` | %d | %.3f | %.2f | %d |\n", inlay_method_at(i)->name, m->answers,
                   exp(m->logs / m->answers), m->most, m->shortest);
        }
    }
    return INLAY_OK;
}
