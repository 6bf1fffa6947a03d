/* A mapping as a plan for the program that was captured, and what became of it. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "capture/plan_log.h"
#include <inlay/capture.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of what threads do themselves begin so, and those of a task's later parts have a '>' (capture/openmp_tasks.c). */
static bool begins_task(const char *kind)
{
    return kind != NULL && strncmp(kind, "parallel@", strlen("parallel@")) != 0 &&
           strncmp(kind, "wait@", strlen("wait@")) != 0 && strcmp(kind, "barrier") != 0 && strcmp(kind, "main") != 0 &&
           strchr(kind, '>') == NULL;
}

/* Of each module its processor and how many stand before it there. */
static planned_task *place_all(const inlay_mapping *mapping)
{
    planned_task *places = memory_zeroed((size_t)inlay_app_modules(inlay_mapping_app(mapping)), sizeof *places);
    for (inlay_id c = 0; places != NULL && c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, c);
        for (inlay_id i = 0; i < cluster.modules; i++) {
            places[cluster.module[i]] = (planned_task){cluster.processor, i};
        }
    }
    return places;
}

int inlay_plan_write(const inlay_mapping *mapping, const char *path, int64_t *tasks, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_app *app = inlay_mapping_app(mapping);
    planned_task *places = place_all(mapping);
    size_t count = 0;
    if (places == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        if (begins_task(inlay_app_module_kind(app, i))) {
            places[count++] = places[i];
        }
    }
    int status = INLAY_OK;
    if (count == 0) {
        status = diag_fail(diag, INLAY_NO_ANSWER,
                           "no module is a task of a program; expected an application that inlay capture wrote");
    } else {
        FILE *to = fopen(path, "wbe"); /* for a program that runs before ours ends: at once */
        bool written = to != NULL && fwrite(places, sizeof *places, count, to) == count;
        written = to != NULL && fclose(to) == 0 && written;
        status = written ? INLAY_OK : diag_fail_at(diag, INLAY_SYSTEM, path, 0, "cannot be written");
    }
    free(places);
    *tasks = (int64_t)count;
    return status;
}

int inlay_plan_report(const char *path, inlay_applied *applied, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const char *const reasons[] = {NULL, "a second thread created tasks", "a taskgroup began",
                                          "a taskloop began", "a task was to end when an event says"};
    plan_report report;
    file_content content;
    if (!file_exists(path)) {
        return diag_fail(diag, INLAY_BAD_INPUT,
                         "the program created no task by libgomp or StarPU; expected one of StarPU's, or that gcc "
                         "compiled, with tasks");
    }
    int status = file_read_raw(path, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    bool whole = content.size == sizeof report;
    if (whole) {
        memcpy(&report, content.data, sizeof report);
        whole = report.why >= 0 && report.why < (int64_t)(sizeof reasons / sizeof *reasons);
    }
    file_content_clear(&content);
    if (!whole) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "this is no report of a plan");
    }
    applied->planned = report.planned;
    applied->scheduler = report.steals != 0 ? "stealing" : "fifo";
    applied->as_placed = report.as_placed;
    applied->beyond = report.beyond;
    applied->given_up = report.given_up;
    applied->why = reasons[report.why];
    return INLAY_OK;
}
