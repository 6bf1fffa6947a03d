/* The independent checker: reads everything, recomputes everything, compares. */
#include "check/check.h"
#include "base/diag.h"

#include <stdlib.h>

static void clear(check *k)
{
    json_decref(k->root);
    inlay_app_free(k->app);
    inlay_machine_free(k->machine);
    inlay_findings_free(k->findings);
    free(k->cluster);
    free(k->cluster_of);
    free(k->seats);
    free(k->datum_from);
    free(k->kept);
    free(k->holder);
    free(k->home);
    free(k->memory_of);
    free(k->block_name);
    free(k->listed);
    free(k->time);
    free(k->ready);
    free(k->work_ready);
    free(k->earliest);
    free(k->bottom);
    free(k->level);
    free(k->sequence);
    free(k->rank);
    free(k->stretch);
    free(k->network.beta);
    free(k->class);
    free(k->class_of);
    check_links_clear(&k->links);
}

static int compare_all(check *k)
{
    check_cluster_figures(k);
    int status = check_figures(k);
    if (status == INLAY_OK) status = check_period(k);
    check_winner(k);
    if (status == INLAY_OK) status = check_memories(k);
    if (status == INLAY_OK) status = check_layout(k);
    if (status == INLAY_OK) status = check_constraints(k);
    /* only a mapping that holds so far is worth its time */
    if (status == INLAY_OK && inlay_findings_count(k->findings) == 0)
        status = check_simulated(k, NULL, k->root, "elapsed");
    if (status == INLAY_OK && inlay_findings_count(k->findings) == 0) status = check_screen(k);
    if (status == INLAY_OK && inlay_findings_count(k->findings) == 0) status = check_interval(k);
    return status == INLAY_OK && inlay_findings_count(k->findings) == 0 ? check_again(k) : status;
}

/* Each step builds on the one before: where that one found the file unusable, its findings are all there is to say. */
static int check_all(check *k)
{
    int status = INLAY_OK;
    bool options = check_read_options(k);
    bool clusters = check_read_clusters(k, &status);
    if (status != INLAY_OK || !options || !clusters || !check_machine(k)) return status;
    if (!check_beta(k, &status)) return status;
    status = check_graph(k);
    if (status != INLAY_OK || !k->runs) return status;
    check_sums(k);
    check_own_times(k);
    if (inlay_machine_has_links(k->machine)) status = check_links_load(k);
    if (status != INLAY_OK) return status;
    check_settle(k);
    check_path longest = {0, 0};
    status = check_estimate(k, k->tau, &longest);
    k->estimate = longest.length;
    return status == INLAY_OK ? compare_all(k) : status;
}

int inlay_check_file(const char *path, const inlay_check_options *options, inlay_findings **findings, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (!path || !findings) return diag_fail(diag, INLAY_BAD_ARGUMENT, "a check needs a file and a place for findings");
    check k = {.path = path,
               .app_path = options ? options->app : NULL,
               .diag = diag,
               .strict = options && options->strict,
               .findings = check_findings_new()};
    int status = k.findings ? check_read(&k, k.app_path, diag) : INLAY_NO_MEMORY;
    if (status == INLAY_OK) status = check_all(&k);
    if (status == INLAY_OK && check_findings_failed(k.findings)) status = INLAY_NO_MEMORY;
    if (status == INLAY_NO_MEMORY) diag_no_memory(diag);
    if (status == INLAY_OK) {
        *findings = k.findings;
        k.findings = NULL;
    }
    clear(&k);
    return status;
}
