/* What `inlay select` prints for people: the answer, clusters, times, other configurations, placement. */
#include "report.h"
#include "select.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The call decides how much is printed. */
typedef struct selected {
    const invocation *call;
    const inlay_select_result *found;
} selected;

enum { LABEL = 14, MOST_CLUSTERS = 20, MOST_USED = 6, MOST_TASKS = 100 };

static bool is_verbose(const selected *of)
{
    return of->call->common->verbose;
}

static const inlay_metasystem_cluster *cluster_of(const selected *of, int32_t i)
{
    return &of->found->asked.metasystem->cluster[i];
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static const char *unit_of(const selected *of)
{
    return inlay_unit_word(of->found->asked.metasystem->time_unit);
}

/* ---- The answer ---- */

/* "6 of sparc2, 3 of ipc" */
static void say_processors(const selected *of, const inlay_configuration *configuration, FILE *to)
{
    int32_t said = 0;
    for (int32_t i = 0; said < configuration->clusters; i++) {
        if (configuration->processors[i] > 0) {
            if (said == MOST_USED && configuration->clusters > MOST_USED + 1 && !is_verbose(of)) {
                say(to, " and some of %" PRId32 " more clusters", configuration->clusters - said);
                return;
            }
            say(to, "%s%" PRId32 " of ", said > 0 ? ", " : "", configuration->processors[i]);
            say_safely(to, cluster_of(of, i)->name);
            said++;
        }
    }
}

static void print_parameters(const selected *of, FILE *to)
{
    const inlay_domain_parameter *parameter;
    for (size_t i = 0; (parameter = inlay_domain_file_parameter(of->found->asked.program, i)) != NULL; i++) {
        say(to, "%s%-s=%#.7g%s", i == 0 ? " (" : ", ", parameter->name, parameter->value,
            inlay_domain_file_parameter(of->found->asked.program, i + 1) == NULL ? ")" : "");
    }
}

static void print_answer(const selected *of, FILE *to)
{
    int64_t all = 0;
    for (size_t i = 0; i < of->found->asked.metasystem->clusters; i++) {
        all += of->found->asked.metasystem->cluster[i].available;
    }
    say_safely(to, of->found->asked.program_name);
    print_parameters(of, to);
    say(to, " on %-s, times in %s\n", of->found->asked.metasystem_name, unit_of(of));
    say(to, "use %" PRId32 " of %" PRId64 " processors: ", of->found->chosen->total, all);
    say_processors(of, of->found->chosen, to);
    say(to, "\n\n");
}

/* ---- Clusters ---- */

/* "3 x 12, 2 x 11" */
static void add_share(table *rows, int32_t processors, const inlay_select_share *share)
{
    char less[FIGURE];
    if (share->extra > 0) {
        char more[FIGURE];
        table_cell(rows, "%" PRId32 " x %s, %" PRId32 " x %s", share->extra, figure_text(share->share + 1, 7, more),
                   processors - share->extra, figure_text(share->share, 7, less));
    } else {
        table_cell(rows, "%s", figure_text(share->share, 7, less));
    }
}

static void add_cluster(const selected *of, table *rows, int32_t i)
{
    const inlay_metasystem_cluster *cluster = cluster_of(of, i);
    int32_t processors = of->found->chosen->processors[i];
    const inlay_select_share *share = &of->found->chosen->share[i];
    double units = share->share * processors + share->extra;
    table_cell(rows, "%s", cluster->name);
    table_cells(rows, "%" PRId32 "|%" PRId32 "|%" PRId32, cluster->total, cluster->available, processors);
    if (processors == 0) {
        table_cells(rows, "-|-|-");
        return;
    }
    add_share(rows, processors, share);
    table_cell(rows, "%.1f %%", 100 * units / (double)of->found->chosen->units);
    if (of->found->phases.communication >= 0) {
        table_cells(rows, "%#.7g", of->found->chosen->time[i]);
    } else {
        table_cell(rows, "-");
    }
}

/* Of very many clusters only those that are used. */
static int print_clusters(const selected *of, FILE *to)
{
    table rows = {.left = {true, [4] = true}};
    size_t m = of->found->asked.metasystem->clusters, left_out = 0;
    table_headings(&rows, "cluster|processors^3|available^2|used|PDUs per processor|share of computing^1|T_i");
    for (size_t i = 0; i < m; i++) {
        if (of->found->chosen->processors[i] > 0 || m <= MOST_CLUSTERS || is_verbose(of)) {
            add_cluster(of, &rows, (int32_t)i);
        } else {
            left_out++;
        }
    }
    int status = table_print(&rows, to);
    if (status == INLAY_OK && left_out > 0) {
        say(to, "... (%zu more clusters are not used; --verbose lists them)\n", left_out);
    }
    return status;
}

/* ---- Times ---- */

static void print_cycle(const selected *of, FILE *to)
{
    const inlay_configuration *c = of->found->chosen;
    say(to, "cycle T_c      %#.7g", c->t_cycle);
    if (of->found->asked.terms.all_phases) {
        say(to, " %s: T_comp %#.7g and T_comm %#.7g, phase by phase\n", unit_of(of), c->t_comp, c->t_comm);
        return;
    }
    say(to, of->found->phases.overlap ? " %s: the larger of T_comp " : " %s: T_comp ", unit_of(of));
    say(to, "%#.7g%s%#.7g%s", c->t_comp, of->found->phases.overlap ? " and T_comm " : " + T_comm ", c->t_comm,
        of->found->phases.overlap ? ", which overlap\n" : "\n");
}

static void print_elapsed(const selected *of, FILE *to)
{
    double second = inlay_unit_seconds(of->found->asked.metasystem->time_unit), cycles = of->found->cycles;
    say(to, "elapsed time   %#.7g %s", of->found->chosen->t_elapsed, unit_of(of));
    if (second > 0 && second < 1) {
        say(to, " (%.4g s)", of->found->chosen->t_elapsed * second);
    }
    say(to, ": %#.7g cycle%s, startup %#.7g\n", cycles, cycles == 1 ? "" : "s", of->found->startup);
}

static void print_speedup(const selected *of, FILE *to)
{
    const inlay_configuration *one = of->found->single;
    if (one == NULL) {
        say(to, "speedup        -, no single processor holds all units\n");
        return;
    }
    say(to, "speedup        %.4g over the best single processor, ", one->t_elapsed / of->found->chosen->t_elapsed);
    say_processors(of, one, to);
    say(to, " (%#.7g %s)\n", one->t_elapsed, unit_of(of));
}

/* What a heuristic's answer is beside the exact method's. */
static void print_distance(const selected *of, FILE *to)
{
    const inlay_configuration *exact = of->found->exact;
    double longer = of->found->chosen->t_cycle / exact->t_cycle - 1;
    if (longer > 0) {
        char text[FIGURE];
        say(to, "%s above the cycle that exact finds, %#.7g %s with ", percent_figure(longer, false, text),
            exact->t_cycle, unit_of(of));
        say_processors(of, exact, to);
    } else {
        say(to, "as short as the cycle that exact finds");
    }
    say(to, of->found->exact_is_optimal ? "\n" : "; that may not be the shortest\n");
}

static void print_optimal(const selected *of, FILE *to)
{
    say_label(to, LABEL, "optimal");
    if (of->found->optimal) {
        say(to, "yes, no configuration has a shorter cycle\n");
    } else if (of->found->exact != NULL) {
        print_distance(of, to);
    } else if (of->found->lower_bound > 0) {
        char text[FIGURE];
        say(to, "at most %s above the shortest cycle, which is not below %#.7g %s; a larger --limit comes nearer\n",
            percent_figure(of->found->chosen->t_cycle / of->found->lower_bound - 1, false, text),
            of->found->lower_bound, unit_of(of));
    } else {
        say(to, "not known: the exact method does not take this\n");
    }
    say(to, "method         %s, %" PRId64 " %s\n", inlay_select_method_name(of->found->asked.options.method),
        of->found->looked_at,
        of->found->asked.options.method == INLAY_SELECT_EXACT ? "steps" : "configurations looked at");
}

/* "0.13 EUR", of prices and energies that there are. */
static void print_price(const selected *of, FILE *to)
{
    const inlay_configuration *c = of->found->chosen;
    const char *currency = of->found->asked.metasystem->currency;
    char text[FIGURE];
    if (!isnan(c->price)) {
        say(to, "price          %s%s%-s\n", figure_text(c->price, 4, text), currency != NULL ? " " : "",
            currency != NULL ? currency : "");
    }
    if (!isnan(c->energy)) {
        say(to, "energy         %s J\n", figure_text(c->energy, 4, text));
    }
}

static void print_objective(const selected *of, FILE *to)
{
    const inlay_select_result *found = of->found;
    const inlay_wish *wish = &found->asked.wish;
    say(to, "objective      %s%s\n", inlay_advise_by_name(inlay_wish_by(wish)),
        wish->has_deadline && wish->has_budget ? " within deadline and budget"
        : wish->has_deadline                   ? " within the deadline"
        : wish->has_budget                     ? " within the budget"
                                               : "");
    say(to, found->optimal ? "optimal        yes, no configuration is better\n"
                           : "optimal        not known: a larger --limit looks at more\n");
    say(to, "method         %s, %" PRId64 " %s\n", inlay_select_method_name(found->asked.options.method),
        found->looked_at, found->asked.options.method == INLAY_SELECT_EXACT ? "steps" : "configurations looked at");
}

/* ---- What was counted ---- */

static void print_map(const selected *of, FILE *to)
{
    static const char *const words[] = {[INLAY_SELECT_INTEGER] = "integer: whole PDUs, %" PRId64 " in all\n",
                                        [INLAY_SELECT_REMAINDER] =
                                            "remainder: whole PDUs, %" PRId64
                                            " in all, what is left over to the largest fractions\n",
                                        [INLAY_SELECT_CEIL] = "ceil: %" PRId64 " PDUs, shares rounded up\n",
                                        [INLAY_SELECT_REAL] = "real: %" PRId64 " PDUs, shares in fractions\n"};
    say_label(to, LABEL, "map");
    say(to, words[of->found->asked.terms.map], of->found->chosen->units);
}

static void print_phases(const selected *of, FILE *to)
{
    const inlay_domain *domain = inlay_domain_of(of->found->asked.program);
    char room[INLAY_PHASE_NAME];
    say_label(to, LABEL, "phases");
    if (of->found->asked.terms.all_phases) {
        say(to, "all: %" PRId32 " of computation, %" PRId32 " of communication; dominant: ", domain->computations,
            domain->communications);
    } else {
        say(to, "dominant: ");
    }
    say_safely(to, inlay_domain_computation(domain, of->found->phases.computation, room));
    if (of->found->phases.communication >= 0) {
        const char *algorithm = of->found->chosen->algorithm;
        say(to, ", %-s (%s%s%s, %#.7g bytes a message%s)",
            inlay_domain_communication(domain, of->found->phases.communication, room),
            inlay_pattern_name(of->found->pattern), algorithm != NULL ? " by " : "", algorithm != NULL ? algorithm : "",
            of->found->bytes, of->found->phases.overlap ? ", overlapped" : "");
    }
    say(to, "\n");
}

static void print_terms(const selected *of, FILE *to)
{
    print_phases(of, to);
    print_map(of, to);
    bool stages = !of->found->asked.terms.all_phases && inlay_pattern_algorithm(of->found->pattern, 0) != NULL;
    say(to, "routers        %s",
        stages ? "paid in every stage, between the two used clusters where it takes longest\n"
        : of->found->asked.terms.router == INLAY_SELECT_SUM
            ? "sum: paid once for each link that joins the used clusters\n"
            : "chain: paid in each cluster for its neighbours among the used ones\n");
}

/* ---- Other configurations ---- */

/* Which they are. */
static void add_processors(const selected *of, table *rows, const inlay_configuration *c)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to != NULL) {
        say_processors(of, c, to);
        (void)fclose(to);
    }
    rows->failed |= text == NULL;
    table_cell(rows, "%s", text != NULL ? text : "");
    free(text);
}

static void add_configuration(const selected *of, table *rows, const inlay_configuration *c, const char *what)
{
    double longer = c->t_cycle / of->found->chosen->t_cycle - 1;
    char text[FIGURE];
    table_cell(rows, "%s", what);
    table_cells(rows, "%#.7g", c->t_cycle);
    table_cell(rows, "%s", c == of->found->chosen ? "" : longer == 0 ? "same" : percent_figure(longer, true, text));
    table_cells(rows, "%#.7g|%#.7g|%" PRId32, c->t_comp, c->t_comm, c->total);
    add_processors(of, rows, c);
}

/* The i-th row below the heading; NULL behind the last. */
static const inlay_configuration *row_at(const selected *of, size_t i)
{
    const inlay_select_result *found = of->found;
    return i == 0                       ? found->chosen
           : i <= found->next_count     ? found->next[i - 1]
           : i == found->next_count + 1 ? found->given
                                        : NULL;
}

static int print_configurations(const selected *of, FILE *to)
{
    table rows = {.left = {true, [6] = true}};
    const inlay_configuration *c;
    if (row_at(of, 1) == NULL) {
        return INLAY_OK;
    }
    table_headings(&rows, "configuration|T_c|longer|T_comp^2|T_comm^2|processors^1|on~");
    for (size_t i = 0; (c = row_at(of, i)) != NULL; i++) {
        add_configuration(of, &rows, c, i == 0 ? "chosen" : c == of->found->given ? "yours" : "next");
    }
    say(to, "\n");
    return table_print(&rows, to);
}

/* What nothing is both faster and cheaper than, from the fastest on; of very many those around the chosen one. */
static int print_front(const selected *of, FILE *to)
{
    enum { MOST_ROWS = 20 };
    const inlay_select_result *found = of->found;
    size_t count = inlay_selection_count(found->front), first = 0, end = count;
    table rows = {.left = {true, [6] = true}};
    for (size_t i = 0; !is_verbose(of) && count > MOST_ROWS && i < count; i++) {
        if (inlay_selection_at(found->front, i) == found->chosen) {
            first = i > MOST_ROWS / 2 ? i - MOST_ROWS / 2 : 0;
            first = first + MOST_ROWS < count ? first : count - MOST_ROWS;
            end = first + MOST_ROWS;
        }
    }
    table_headings(&rows, "front|elapsed time|price|energy|efficiency^1|processors^2|on~");
    for (size_t i = first; i < end; i++) {
        const inlay_configuration *c = inlay_selection_at(found->front, i);
        char text[FIGURE];
        table_cell(&rows, "%s",
                   c == found->chosen                        ? "chosen"
                   : c->t_elapsed < found->chosen->t_elapsed ? "faster"
                                                             : "cheaper");
        table_cells(&rows, "%#.7g", c->t_elapsed);
        table_cell(&rows, "%s", isnan(c->price) ? "-" : figure_text(c->price, 4, text));
        table_cell(&rows, "%s", isnan(c->energy) ? "-" : figure_text(c->energy, 4, text));
        table_cell(&rows, "%s",
                   found->single == NULL ? "-"
                                         : figure_text(found->single->t_elapsed / (c->t_elapsed * c->total), 4, text));
        table_cells(&rows, "%" PRId32, c->total);
        add_processors(of, &rows, c);
    }
    say(to, "\n");
    int status = table_print(&rows, to);
    if (status == INLAY_OK && end - first < count) {
        say(to, "... (%zu more; --verbose lists all)\n", count - (end - first));
    }
    return status;
}

/* ---- Placement ---- */

/* "0-5", or "7" */
static void add_tasks(table *rows, const inlay_task_piece *piece)
{
    if (piece->tasks == 1) {
        table_cell(rows, "%" PRId32, piece->first);
    } else {
        table_cell(rows, "%" PRId32 "-%" PRId32, piece->first, piece->first + piece->tasks - 1);
    }
}

/* Only trees have a depth: the last column. */
static int print_pieces(const selected *of, FILE *to)
{
    bool tree = of->found->pattern == INLAY_PATTERN_TREE;
    table rows = {.left = {true, true, true}};
    table_headings(&rows, tree ? "tasks|cluster|interconnect^1|dilation^2|mean dilation^3|depth^4"
                               : "tasks|cluster|interconnect|dilation|mean dilation");
    for (int32_t i = 0; i < inlay_task_placement_pieces(of->found->placement); i++) {
        const inlay_task_piece *piece = inlay_task_placement_piece(of->found->placement, i);
        const inlay_metasystem_cluster *cluster = cluster_of(of, piece->cluster);
        add_tasks(&rows, piece);
        table_cell(&rows, "%s", cluster->name);
        table_cell(&rows, "%s", inlay_interconnect_name(cluster->interconnect));
        table_cell(&rows, piece->dilation > 0 ? "%" PRId32 : "-", piece->dilation);
        table_cell(&rows, piece->dilation > 0 ? "%.3g" : "-", piece->mean_dilation);
        if (tree) {
            table_cell(&rows, "%" PRId32, piece->depth);
        }
    }
    return table_print(&rows, to);
}

/* A processor of a mesh by row and column. */
static void add_processor(const selected *of, table *rows, const inlay_task *task)
{
    const inlay_metasystem_cluster *cluster = cluster_of(of, task->cluster);
    if (cluster->interconnect == INLAY_INTERCONNECT_MESH) {
        table_cell(rows, "%" PRId32 " (%" PRId32 ", %" PRId32 ")", task->processor, task->processor / cluster->columns,
                   task->processor % cluster->columns);
    } else {
        table_cell(rows, "%" PRId32, task->processor);
    }
}

static int print_tasks(const selected *of, FILE *to)
{
    bool tree = of->found->pattern == INLAY_PATTERN_TREE;
    table rows = {.left = {[1] = true, [2] = true}};
    int32_t tasks = inlay_task_placement_tasks(of->found->placement);
    int32_t shown = is_verbose(of) || tasks <= MOST_TASKS ? tasks : MOST_TASKS;
    table_headings(&rows, tree ? "task|cluster|processor|parent" : "task|cluster|processor|before");
    for (int32_t i = 0; i < shown; i++) {
        const inlay_task *task = inlay_task_placement_at(of->found->placement, i);
        table_cell(&rows, "%" PRId32, i);
        table_cell(&rows, "%s", cluster_of(of, task->cluster)->name);
        add_processor(of, &rows, task);
        table_cell(&rows, task->parent >= 0 ? "%" PRId32 : "-", task->parent);
    }
    say(to, "\n");
    int status = table_print(&rows, to);
    if (status == INLAY_OK && shown < tasks) {
        say(to, "... (%" PRId32 " more tasks; --verbose lists all)\n", tasks - shown);
    }
    return status;
}

static int print_placement(const selected *of, FILE *to)
{
    if (of->found->placement == NULL) {
        return INLAY_OK;
    }
    int32_t crossings = inlay_task_placement_crossings(of->found->placement);
    say(to, "\n");
    int status = print_pieces(of, to);
    if (status != INLAY_OK) {
        return status;
    }
    say(to, "%" PRId32 " pair%s of neighbours in different clusters", crossings, plural(crossings));
    if (crossings > 0) {
        say(to, ", %" PRId32 " across routers, %#.7g %s for a message over each",
            inlay_task_placement_router_crossings(of->found->placement),
            inlay_task_placement_cost(of->found->placement), unit_of(of));
    }
    say(to, "\n");
    return of->found->asked.tells_tasks ? print_tasks(of, to) : INLAY_OK;
}

/* ---- All of it ---- */

int select_print(const cli_answer *a)
{
    const selected all = {a->call, a->of}, *of = &all;
    FILE *to = stdout;
    print_answer(of, to);
    int status = print_clusters(of, to);
    if (status != INLAY_OK) {
        return status;
    }
    say(to, "\n");
    print_cycle(of, to);
    print_elapsed(of, to);
    print_speedup(of, to);
    print_price(of, to);
    if (of->found->front != NULL) {
        print_objective(of, to);
    } else {
        print_optimal(of, to);
    }
    print_terms(of, to);
    status = of->found->front != NULL ? print_front(of, to) : print_configurations(of, to);
    return status == INLAY_OK ? print_placement(of, to) : status;
}
