/* What inlay-partition prints for people: the partition, what it costs, what a gather moves, the time of every step. */
#include "partition.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

enum { LABEL = 12 };

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* "12.3 %", with more digits where it is small. */
static void say_percent(FILE *to, double share)
{
    say(to, "%.*f %%", share != 0 && share < 0.01 && share > -0.01 ? 2 : 1, 100 * share);
}

static double share_of(int64_t part, int64_t all)
{
    return all > 0 ? (double)part / (double)all : 0;
}

/* ---- The question ---- */

static void print_question(const partitioned *of, FILE *to)
{
    say(to, "mesh         %-s, %s: %" PRId64 " vert%s, %" PRId64 " edge%s\n", of->result.mesh, of->format,
        of->result.vertices, of->result.vertices == 1 ? "ex" : "ices", of->result.edges, plural(of->result.edges));
    say(to, "partition    %s, %" PRId32 " part%s, on %d rank%s, seed %" PRIu64 "\n", of->result.method,
        of->result.parts, plural(of->result.parts), of->result.ranks, plural(of->result.ranks), of->call->common->seed);
}

/* ---- What it costs ---- */

static void print_loads(const partitioned *of, int32_t weight, FILE *to)
{
    inlay_part_loads found = inlay_quotient_loads(of->result.quotient, of->result.target, weight);
    char label[32] = "load";
    if (weight > 0) {
        (void)snprintf(label, sizeof label, "load %" PRId32, weight + 1);
    }
    say_label(to, LABEL, label);
    say(to, "%" PRId64 " to %" PRId64 " of a part, imbalance ", found.smallest, found.largest);
    say_percent(to, found.imbalance);
    say(to, " (allowed: ");
    say_percent(to, partition_imbalance(of->call->values));
    say(to, ")\n");
}

static void print_costs(const partitioned *of, FILE *to)
{
    const inlay_partition_figures *f = &of->result.figures;
    say(to, "edge cut     %" PRId64 "\n", f->edge_cut);
    say_label(to, LABEL, "volume");
    say(to, "%" PRId64 " %s of all parts, at most %" PRId64 " of one\n", f->volume,
        of->sized ? "sizes of ghosts" : "ghosts", f->largest_volume);
    say_label(to, LABEL, "neighbours");
    say(to, "%.2f of a part on average, at most %" PRId32 "\n", f->mean_neighbours, f->most_neighbours);
    for (int32_t w = 0; w < f->weights; w++) {
        print_loads(of, w, to);
    }
    if (f->empty > 0) {
        say(to, "empty        %" PRId32 " part%s without vertices\n", f->empty, plural(f->empty));
    }
}

/* The shares that parts should have, and where they lie. */
static void print_targets(const partitioned *of, FILE *to)
{
    double least = of->result.target[0], most = least, sum = 0;
    for (int32_t p = 0; p < of->result.parts; p++) {
        least = fmin(least, of->result.target[p]);
        most = fmax(most, of->result.target[p]);
        sum += of->result.target[p];
    }
    say(to, "targets      ");
    say_percent(to, least / sum);
    say(to, " to ");
    say_percent(to, most / sum);
    say(to, " of the load for a part\n");
    if (of->machine != NULL) {
        const partition_values *values = of->call->values;
        double item = (double)partition_item(of->call->values);
        say(to, "machine      %s: %" PRId32 " of %" PRId32 " processor%s\n", inlay_machine_name(of->machine),
            of->result.parts, inlay_machine_processors(of->machine), plural(inlay_machine_processors(of->machine)));
        if (values->from != NULL) { /* parts stay where they are */
            return;
        }
        say(to, "places       %.0f byte-hops of a gather, %.0f with parts in order\n",
            (double)of->result.places.after * item, (double)of->result.places.before * item);
    }
}

static void print_iterations(const partitioned *of, FILE *to)
{
    static const char *const rules[] = {"max-owner", "owner", "balanced"};
    const partition_values *values = of->call->values;
    say(to, "iterations   %" PRId64 " to %" PRId64 " edges of a rank (%s); ", of->result.iterations.least,
        of->result.iterations.most, rules[values->rule]);
    say_percent(to, share_of(of->result.local, of->result.elements));
    say(to, " of their ends are on it\n");
    if (!partition_is_by_rank(of)) {
        say(to, "             %s\n",
            of->result.parts > of->result.ranks ? "parts that follow each other share a rank"
                                                : "ranks without a part stay empty");
    }
}

static void print_numbers(const partitioned *of, FILE *to)
{
    static const char *const names[] = {"", "reverse Cuthill-McKee", "along Hilbert's curve"};
    const partition_values *values = of->call->values;
    const inlay_numbering_figures *f = of->result.numbering;
    say(to,
        "numbers      %s: neighbours are %.1f apart on average, %" PRId64 " at most; %.1f and %" PRId64
        " in the order of the mesh\n",
        names[values->renumber], f[1].mean_distance, f[1].bandwidth, f[0].mean_distance, f[0].bandwidth);
}

static void print_change(const partitioned *of, FILE *to)
{
    const inlay_repartition_figures *f = &of->result.change;
    say(to, "moved        %" PRId64 " of %" PRId64 " vertices, ", f->moved, of->result.vertices);
    say_percent(to, share_of(f->moved, of->result.vertices));
    say(to, "; edge cut before: %" PRId64 "; %s\n", f->edge_cut_before,
        f->fresh ? "a fresh partition under the old numbers" : "the old partition improved");
}

/* ---- Schedules ---- */

static void add_spread(table *rows, const char *name, const inlay_extent *s, int64_t factor)
{
    table_cell(rows, "%s", name);
    table_cells(rows, "%" PRId64 "|%.1f|%" PRId64, s->least * factor, s->mean * (double)factor, s->most * factor);
}

static int print_gathering(const partitioned *of, const inlay_gathering *g, const char *title, FILE *to)
{
    table rows = {.columns = 4, .left = {true}};
    table_cell(&rows, "%s", title);
    table_cells(&rows, "least|mean|most");
    add_spread(&rows, "  ghosts", &g->ghosts, 1);
    add_spread(&rows, "  messages", &g->messages, 1);
    add_spread(&rows, "  bytes", &g->ghosts, partition_item(of->call->values));
    say(to, "\n");
    return table_print(&rows, to);
}

/* The loop's schedules are those of the parts only where each part is a rank. */
static int print_schedules(const partitioned *of, FILE *to)
{
    int status = print_gathering(of, &of->result.vertices_of, "neighbours of all its vertices, a part", to);
    if (status == INLAY_OK && partition_is_by_rank(of)) {
        status = print_gathering(of, &of->result.loop, "ends of the edges it computes, a rank", to);
    }
    return status;
}

static int print_times(const partitioned *of, FILE *to)
{
    table rows = {.columns = 2, .left = {true}};
    table_cells(&rows, "step|seconds");
    for (int i = 0; i < INLAY_PHASES; i++) {
        table_cell(&rows, "  %s", partition_phase_words[i]);
        table_cell(&rows, "%.4f", of->result.seconds[i]);
    }
    say(to, "\n");
    return table_print(&rows, to);
}

int partition_print(const partitioned *of, FILE *to)
{
    print_question(of, to);
    print_costs(of, to);
    if (of->result.target != NULL) {
        print_targets(of, to);
    }
    if (((const partition_values *)of->call->values)->from != NULL) {
        print_change(of, to);
    }
    if (((const partition_values *)of->call->values)->renumber != RENUMBER_NO) {
        print_numbers(of, to);
    }
    print_iterations(of, to);
    int status = print_schedules(of, to);
    return status == INLAY_OK ? print_times(of, to) : status;
}
