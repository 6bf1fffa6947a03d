/*
 * inlay-partition: `inlay partition` starts it with its own words on as many ranks as are wanted, or alone to list the
 * partitioners. The first rank prints and writes; all have the same words.
 */
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): for MAP_ANONYMOUS
#include "affinity.h"
#include "allowed.h"
#include "answer.h"
#include "commands.h"
#include "help.h"
#include "output.h"
#include "partition.h"
#include "report.h"
#include <inlay/inlay.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* ---- What comes of it ---- */

static int print_json(const partitioned *of, inlay_diag *diag)
{
    static const char *const rules[] = {"max-owner", "owner", "balanced"}, *const ways[] = {NULL, "rcm", "hilbert"};
    const partition_values *values = of->call->values;
    const inlay_result_context context = result_context(of->call, diag);
    inlay_partition_result result = of->result;
    result.format = of->format;
    result.rule = rules[values->rule];
    result.item = partition_item(values);
    result.imbalance_allowed = partition_imbalance(values);
    if (of->machine != NULL) {
        result.machine = inlay_machine_name(of->machine);
        result.processors = inlay_machine_processors(of->machine);
    }
    result.from = partition_name(values->from);
    result.migration_cost = partition_migration_cost(values);
    result.renumbered = ways[values->renumber];
    return inlay_partition_write_json(&result, &context, "-", diag);
}

static int print_result(const partitioned *of, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    const char *const paths[] = {values->output, values->numbers,    values->graph,     values->csv,
                                 values->svg,    values->common.png, values->common.pdf};
    bool standard = false, writes = false;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        standard = standard || output_is_standard(paths[i]);
        writes = writes || paths[i] != NULL;
    }
    if (values->common.json) {
        return print_json(of, diag);
    } else if (!standard && !(values->common.quiet && writes)) {
        return partition_print(of, stdout);
    }
    return INLAY_OK;
}

/* On rank 0. Returns an exit status, and has said what went wrong. */
static int deliver(const partitioned *of, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    int status = INLAY_OK;
    output_print(values->csv, partition_put_csv, of);
    if (values->graph != NULL) {
        status = output_told(partition_write_graph(of, values->graph, diag), diag);
    }
    status = status == INLAY_OK ? print_result(of, diag) : status;
    return report_end(of->call, status, diag);
}

/* Returns the exit status, the same on all ranks. */
static int deliver_all(const partitioned *of, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    int status = values->output != NULL ? partition_write_parts(of, values->output, diag) : INLAY_OK;
    status = output_told(status, diag);
    if (status == INLAY_OK && values->numbers != NULL) {
        status = output_told(partition_write_numbers(of, values->numbers, diag), diag);
    }
    if (status == INLAY_OK && partition_draws(values)) {
        status = output_told(partition_draw(of, diag), diag);
    }
    if (of->violation[0] != '\0' && !values->common.quiet) {
        say(stderr, "inlay: warning: %s\n", of->violation);
    }
    int end = status == INLAY_OK ? EXIT_DONE : report_end(of->call, status, diag);
    if (end == EXIT_DONE && of->rank == 0) {
        end = deliver(of, diag);
    }
    MPI_Bcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return end;
}

static const char *method_of(const partition_values *values)
{
    return values->method != NULL ? values->method : inlay_partitioner_at(0)->name;
}

static int answer(const invocation *call)
{
    const partition_values *values = call->values;
    partitioned of = {.call = call, .result.method = method_of(values)};
    inlay_diag *diag = output_diag();
    MPI_Comm_rank(MPI_COMM_WORLD, &of.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &of.result.ranks);
    of.result.mesh = values->generate != NULL ? values->generate : partition_name(call->operands[0]);
    int status = partition_take_targets(&of, diag);
    status = status == INLAY_OK ? partition_run_all(&of, diag) : status;
    int end = inlay_exit_status(status);
    if (of.refusal != NULL) {
        say(stderr, "inlay partition: %s\n", of.refusal);
    } else {
        end = status == INLAY_OK ? deliver_all(&of, diag) : report_end(call, status, diag);
    }
    partitioned_clear(&of);
    inlay_diag_free(diag);
    return end;
}

static int list_methods(void)
{
    const inlay_partitioner *method;
    for (size_t i = 0; (method = inlay_partitioner_at(i)) != NULL; i++) {
        say(stdout, "%-10s %s%s%s\n", method->name, method->summary, method->coordinates ? "; needs coordinates" : "",
            method->one_rank ? "; on one rank only" : "");
    }
    return EXIT_DONE;
}

/* ---- Ranks ---- */

/* Whether MPI will find the memory to begin, without which it ends ranks by signals, or lets them wait for each other. */
static bool is_room_for_mpi(void)
{
    enum { OWN = 32, BESIDE = 8, EACH = 5 /* MiB: Open MPI 4.1.4 took 20, and 12 + 4 a rank that is shared */ };
    const char *told = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    long ranks = told != NULL ? strtol(told, NULL, 10) : 1;
    size_t own = (size_t)OWN << 20, shared = (size_t)(BESIDE + EACH * (ranks > 0 ? ranks : 1)) << 20;
    void *first = mmap(NULL, own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *second = mmap(NULL, shared, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool room = first != MAP_FAILED && second != MAP_FAILED;
    if (first != MAP_FAILED) {
        (void)munmap(first, own);
    }
    if (second != MAP_FAILED) {
        (void)munmap(second, shared);
    }
    return room;
}

/* Heaps of threads, each of which reserves 64 MiB, would take most of a limited address space. */
static void share_heap(void)
{
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
#ifdef M_ARENA_MAX
        (void)mallopt(M_ARENA_MAX, 1);
#endif
    }
}

/* A rank that had no memory for MPI's own buffers cannot be reached, and all would wait for it for ever. */
static void meet(int rank)
{
    const double longest = 20;                                /* seconds; a barrier takes less than one */
    const double until = MPI_Wtime() + longest + (rank != 0); /* rank 0 speaks */
    MPI_Request all;
    int met = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (!met && MPI_Wtime() < until) {
        MPI_Test(&all, &met, MPI_STATUS_IGNORE);
    }
    if (!met) {
        say(stderr, "inlay: the ranks do not reach each other; expected enough memory for MPI on each\n");
        MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    }
}

/* The exit status is the same on all ranks. */
static int partition(const invocation *call)
{
    int rank = 0;
    share_heap();
    if (!is_room_for_mpi()) {
        char text[100];
        (void)snprintf(text, sizeof text, "out of memory before MPI could begin%s", said_of_memory());
        return complain(text);
    }
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        rank_be_silent();
    }
    meet(rank);
    int end = answer(call);
    end = rank == 0 ? finish_output(end) : end;
    MPI_Bcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return end;
}

#ifdef __SANITIZE_ADDRESS__
/* What Open MPI's plugins keep until the process ends has no name by then that could be told as known. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

/* Files that stand for pipes: the words that `inlay partition` sets before the user's. */
static bool take_word(const char *word, const char *name, const char **path)
{
    size_t begin = strlen(PARTITION_COPY), length = strlen(name);
    if (word == NULL || strncmp(word, PARTITION_COPY, begin) != 0 || strncmp(word + begin, name, length) != 0 ||
        word[begin + length] != '=') {
        return false;
    }
    *path = word + begin + length + 1;
    return true;
}

/* How many there are. */
static int take_copies(char *const *argv, const char *copy[COPIES])
{
    int taken = 0;
    for (int i = 0; i < COPIES; i++) {
        taken += take_word(argv[1 + taken], partition_copy_names[i], &copy[i]);
    }
    return taken;
}

/* The words as `inlay partition` has them, so that messages name the command that works. */
static char **words_of(int argc, char **argv)
{
    static char program[] = "inlay", command[] = "partition";
    char **words = malloc(((size_t)argc + 2) * sizeof *words);
    if (words != NULL) {
        words[0] = program;
        words[1] = command;
        memcpy(words + 2, argv + 1, (size_t)argc * sizeof *words); /* with the NULL behind the last */
    }
    return words;
}

int main(int argc, char **argv)
{
    invocation call;
    affinity_restore();
    complaints_begin();
    if (rank_is_other()) {
        rank_be_silent();
    }
    const char *copy[COPIES] = {NULL};
    int taken = argc > 0 ? take_copies(argv, copy) : 0;
    argc -= taken;
    char **words = words_of(argc, argv + taken);
    if (words == NULL) {
        return report_no_memory();
    }
    int end = invocation_read(&partition_command, argc + 1, words, 1, &call);
    partition_values *values = call.values;
    if (end == EXIT_DONE) {
        memcpy(values->copy, copy, sizeof copy);
    }
    bool help = end == EXIT_DONE && call.common->help;
    end = end == EXIT_DONE && !help ? partition_check_usage(&call) : end;
    if (help) {
        help_print(&partition_command);
    } else if (end == EXIT_DONE && !values->list_methods) {
        end = partition(&call);
        invocation_clear(&call);
        free(words);
        return end;
    } else if (end == EXIT_DONE) {
        end = list_methods();
    }
    end = finish_output(end);
    invocation_clear(&call);
    free(words);
    return end;
}
