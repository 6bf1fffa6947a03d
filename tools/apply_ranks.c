/* The ranks of an MPI program on the processors of a mapping. */
#include "apply_ranks.h"
#include "output.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether mpirun is told of computers by the command or the environment: a host's number counts these then. */
static bool names_hosts(const invocation *call)
{
    static const char *const options[] = {"host", "H", "hostfile", "machinefile", "default-hostfile", "app"};
    for (int i = 2; i < call->operand_count; i++) {
        const char *name = call->operands[i];
        name += strspn(name, "-") <= 2 ? strspn(name, "-") : 0;
        for (size_t k = 0; name != call->operands[i] && k < sizeof options / sizeof *options; k++) {
            if (strcmp(name, options[k]) == 0) {
                return true;
            }
        }
    }
    return getenv("OMPI_MCA_orte_default_hostfile") != NULL || getenv("SLURM_JOB_ID") != NULL;
}

/* A machine without names of hosts, and no word of other computers: its processors are this computer's. */
static int write_here(const invocation *call, const inlay_mapping *mapping, const char *path)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_id processor = inlay_mapping_cluster(mapping, c).processor;
        if (processor >= cores) {
            return report_usage(
                call->command,
                "the mapping uses processor %d, and this computer has %ld; expected hosts with names in "
                "the machine, or those of mpirun in COMMAND (--host, --hostfile)",
                (int)processor, cores);
        }
    }
    FILE *to = fopen(path, "we");
    for (inlay_id r = 0; to != NULL && r < inlay_app_modules(inlay_mapping_app(mapping)); r++) {
        inlay_cluster_info own = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, r));
        say(to, "rank %d=localhost slot=%d\n", (int)r, (int)own.processor);
    }
    if (to != NULL && fclose(to) == 0) {
        return INLAY_OK;
    }
    say(stderr, "inlay apply: %s: cannot be written\n", path);
    return INLAY_SYSTEM;
}

/* What is written with the call's own diagnostic waits until all is done: mpirun reads it before. */
static int write_for_hosts(const inlay_mapping *mapping, const char *path)
{
    inlay_diag *own = inlay_diag_new();
    int status =
        own == NULL ? report_no_memory() : output_told(inlay_placement_write(mapping, path, "rankfile", own), own);
    inlay_diag_free(own);
    return status;
}

/* Hosts of a family are called p0, p1, ... */
static bool has_named_hosts(const inlay_machine *machine)
{
    char name[INLAY_MACHINE_NAME] = "";
    return inlay_machine_has_links(machine) && strcmp(inlay_machine_node_name(machine, 0, name), "p0") != 0;
}

void ranked_clear(ranked *r)
{
    free(r->word);
    *r = (ranked){.word = NULL};
}

int ranked_make(const invocation *call, const inlay_mapping *mapping, const char *rankfile, ranked *result)
{
    const char *launcher = call->operands[1], *slash = strrchr(launcher, '/');
    const char *name = slash != NULL ? slash + 1 : launcher;
    if (strcmp(name, "mpirun") != 0 && strcmp(name, "mpiexec") != 0 && strcmp(name, "orterun") != 0) {
        return report_usage(
            call->command,
            "the mapping is of the ranks of an MPI program, and %s is none of Open MPI's mpirun, mpiexec "
            "and orterun; expected such a COMMAND",
            launcher);
    }
    bool here = !has_named_hosts(inlay_mapping_machine(mapping)) && !names_hosts(call);
    (void)snprintf(result->rankfile, sizeof result->rankfile, "%s", rankfile);
    int status = here ? write_here(call, mapping, rankfile) : write_for_hosts(mapping, rankfile);
    if (status != EXIT_DONE) {
        return status;
    }
    enum { MORE = 2 };
    size_t words = (size_t)call->operand_count;
    result->word = calloc(words + MORE, sizeof *result->word);
    if (result->word == NULL) {
        return report_no_memory();
    }
    memcpy(result->word, call->operands, 2 * sizeof *result->word);
    static char option[] = "--rankfile";
    result->word[2] = option;
    result->word[3] = result->rankfile;
    memcpy(result->word + 4, call->operands + 2, (words - 2) * sizeof *result->word);
    result->call = *call;
    result->call.operands = result->word;
    result->call.operand_count = (int)words + MORE;
    return EXIT_DONE;
}

int ranked_simulate(const inlay_loaded *loaded, const char *segments, inlay_applied *result, inlay_diag *diag)
{
    inlay_id ranks = inlay_app_modules(loaded->app), processors = inlay_machine_processors(loaded->machine);
    inlay_id *in_order = calloc((size_t)ranks, sizeof *in_order), *mapped = calloc((size_t)ranks, sizeof *mapped);
    inlay_app *app = NULL;
    int status = in_order != NULL && mapped != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (inlay_id r = 0; status == INLAY_OK && r < ranks; r++) {
        in_order[r] = r % processors;
        mapped[r] = inlay_mapping_cluster(loaded->mapping, inlay_mapping_cluster_of(loaded->mapping, r)).processor;
    }
    status = status == INLAY_OK ? inlay_app_read(segments, NULL, &app, diag) : status;
    if (status == INLAY_OK) {
        status = inlay_ranks_time(app, loaded->machine, in_order, ranks, &result->simulated_plain, diag);
    }
    if (status == INLAY_OK) {
        status = inlay_ranks_time(app, loaded->machine, mapped, ranks, &result->simulated_applied, diag);
    }
    inlay_app_free(app);
    free(in_order);
    free(mapped);
    return status;
}
