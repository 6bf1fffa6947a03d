/* Mappings that are checked, timed and tallied. */
#include "judged.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- One mapping ---- */

void judged_begin(judge *q)
{
    const char *effort = getenv("INLAY_EFFORT"), *folder = getenv("TMPDIR");
    *q = (judge){.each = getenv("INLAY_EACH") != NULL};
    (void)snprintf(q->app, sizeof q->app, "%.300s/inlay-quality-%ld.dot", folder == NULL ? "/tmp" : folder,
                   (long)getpid());
    (void)snprintf(q->mapping, sizeof q->mapping, "%.300s/inlay-quality-%ld.json", folder == NULL ? "/tmp" : folder,
                   (long)getpid());
    if (effort != NULL && effort[0] != '\0') {
        double number = strtod(effort, NULL);
        bool timed = effort[strlen(effort) - 1] == 's';
        q->effort.seconds = timed ? number : 0;
        q->effort.evaluations = timed ? 0 : number > 0 ? (int64_t)number : -1;
    }
}

void judged_end(judge *q)
{
    (void)remove(q->app);
    (void)remove(q->mapping);
}

int judged_machine(const char *text, inlay_machine **machine)
{
    return text[0] == 'g' ? inlay_machine_read_memory(text, strlen(text), "machine.dot", "dot", machine, NULL)
                          : inlay_machine_parse(text, machine, NULL);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int fail(const char *what, const inlay_diag *diag, int status)
{
    (void)fprintf(stderr, "%s: %s\n", what, inlay_diag_message(diag));
    return status == INLAY_OK ? INLAY_BAD_INPUT : status;
}

/* No finding, or INLAY_BAD_INPUT. */
static int check(const judge *q, const inlay_mapping *mapping, const char *what, inlay_diag *diag)
{
    const inlay_origin origin = {.command = "map", .app_path = q->app};
    inlay_findings *findings = NULL;
    int status = inlay_mapping_write(mapping, &origin, q->mapping, diag);
    if (status == INLAY_OK) {
        status = inlay_check_file(q->mapping, &(inlay_check_options){0}, &findings, diag);
    }
    if (status != INLAY_OK) {
        return fail(what, diag, status);
    }
    if (inlay_findings_count(findings) > 0) {
        (void)fprintf(stderr, "%s: %s\n", what, inlay_findings_text(findings, 0));
        status = INLAY_BAD_INPUT;
    }
    inlay_findings_free(findings);
    return status;
}

int judged_map(const judge *q, const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
               judged_answer *found)
{
    inlay_options own = *options;
    inlay_diag *diag = inlay_diag_new();
    inlay_mapping *mapping = NULL;
    own.effort = q->effort;
    double begin = now();
    int status = inlay_map(app, machine, &own, &mapping, diag);
    found->seconds = now() - begin;
    if (status == INLAY_OK) {
        const inlay_summary *sum = inlay_mapping_summary(mapping);
        found->elapsed = sum->elapsed;
        found->least = fmax(sum->lower_bound, sum->winner.least);
        found->processors = sum->clusters;
        status = check(q, mapping, inlay_app_name(app), diag);
    } else if (status != INLAY_BAD_ARGUMENT) {
        status = fail(inlay_app_name(app), diag, status);
    }
    inlay_mapping_free(mapping);
    inlay_diag_free(diag);
    return status;
}

/* ---- Beside optima ---- */

void judged_count(judged_tally *t, const judged_answer *a, double optimum)
{
    double ratio = a->elapsed / optimum;
    t->cases++;
    t->optimal += ratio < 1 + 1e-9;
    t->proven += a->least >= a->elapsed * (1 - 1e-9);
    t->ratios += ratio;
    t->wrong += a->least > optimum * (1 + 1e-9);
    t->worst = fmax(t->worst, ratio);
    t->seconds += a->seconds;
    t->slowest = fmax(t->slowest, a->seconds);
}

void judged_add(judged_tally *all, const judged_tally *t)
{
    all->cases += t->cases;
    all->optimal += t->optimal;
    all->proven += t->proven;
    all->wrong += t->wrong;
    all->ratios += t->ratios;
    all->seconds += t->seconds;
    all->worst = fmax(all->worst, t->worst);
    all->slowest = fmax(all->slowest, t->slowest);
}

void judged_head(const char *title)
{
    printf("\n%s\n%-24s %6s %8s %9s %8s %11s %9s %8s %8s\n", title, "", "cases", "optimal", "%", "proven", "mean ratio",
           "worst", "mean s", "most s");
}

void judged_print(const char *name, const judged_tally *t)
{
    printf("%-24s %6d %8d %9.2f %8d %11.5f %9.4f %8.3f %8.3f\n", name, t->cases, t->optimal,
           100.0 * t->optimal / t->cases, t->proven, t->ratios / t->cases, t->worst, t->seconds / t->cases, t->slowest);
    if (t->wrong > 0) {
        printf("%d LOWER BOUNDS ARE WRONG\n", t->wrong);
    }
    (void)fflush(stdout);
}

/* ---- Random numbers ---- */

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

int judged_below(uint64_t *state, int limit)
{
    return (int)((draw(state) >> 32) * (uint64_t)limit >> 32);
}
