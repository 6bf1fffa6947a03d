/* The slow reference: tables and constraints, greedy merging, reduction of parallelism. */
#include "slow.h"

#include <check.h>
#include <math.h>
#include <string.h>

enum { MODULES = SLOW_MODULES };

/* ---- Reading the nouns into tables ---- */

static inlay_time time_here(const inlay_app *app, const inlay_machine *machine, inlay_id module)
{
    const char *type = inlay_machine_processor_type(machine);
    for (int t = 0; type && t < inlay_app_types(app); t++)
        if (strcmp(inlay_app_type_name(app, t), type) == 0 && inlay_app_type_time(app, t, module) >= 0)
            return inlay_app_type_time(app, t, module);
    return inlay_app_time(app, module);
}

static bool counts_bytes(const inlay_machine *machine)
{
    inlay_rate rate;
    return inlay_machine_capacity(machine, &rate) && rate.kind == INLAY_RATE_BYTES;
}

/** Messages of one link: where the capacity counts messages of a given size, as many as the bytes need. */
static int64_t messages_of(const inlay_machine *machine, int64_t messages, int64_t bytes)
{
    int64_t size = inlay_machine_message_size(machine);
    if (!counts_bytes(machine) && size > 0 && bytes > 0) return bytes / size + (bytes % size != 0);
    return messages;
}

/** Traffic of one link, in what the capacity counts. */
static int64_t traffic_of(const inlay_machine *machine, int64_t messages, int64_t bytes)
{
    return counts_bytes(machine) ? bytes : messages_of(machine, messages, bytes);
}

static void read_links(const inlay_app *app, const inlay_machine *machine, bool once, slow_problem *problem)
{
    for (inlay_id i = 0; i < problem->modules; i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            inlay_id j = out.module[l];
            int64_t c = traffic_of(machine, out.messages[l], out.bytes[l]);
            problem->traffic[i][j] += c;
            if (out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) continue;
            problem->link[i][j] = true;
            problem->link_traffic[i][j] += c;
            problem->link_messages[i][j] += messages_of(machine, out.messages[l], out.bytes[l]);
            if (!once || out.own_messages == NULL) continue;
            int64_t own = out.own_messages[l] < 0 ? 0 : out.own_messages[l];
            problem->shared_traffic[i][j] = c - traffic_of(machine, own, out.own_bytes[l]);
            problem->shared_messages[i][j] = problem->link_messages[i][j] - messages_of(machine, own, out.own_bytes[l]);
        }
    }
    problem->data = once ? inlay_app_data(app) : 0;
    problem->trees = inlay_machine_broadcasts_in_trees(machine);
    ck_assert_int_le(problem->data, SLOW_DATA);
    for (int n = 0; n < problem->data; n++) {
        inlay_datum d = inlay_app_datum(app, n);
        problem->datum[n] = (slow_datum){.producer = d.producer,
                                         .traffic = traffic_of(machine, d.messages, d.bytes),
                                         .messages = messages_of(machine, d.messages, d.bytes)};
        for (int64_t k = 0; k < d.consumers; k++)
            problem->datum[n].consumer[d.consumer[k]] = true;
    }
}

inlay_id slow_home(const inlay_app *app, inlay_id block)
{
    inlay_links uses = inlay_app_uses(app, block);
    int64_t heaviest = 0;
    ck_assert_int_gt(uses.count, 0);
    for (int64_t l = 1; l < uses.count; l++)
        if (uses.messages[l] > uses.messages[heaviest] ||
            (uses.messages[l] == uses.messages[heaviest] && uses.bytes[l] > uses.bytes[heaviest]))
            heaviest = l;
    return uses.module[heaviest];
}

/** Add a block with its home at a module, or take it away (times = -1); from there it sends to its other users. */
static void house_block(const inlay_app *app, const inlay_machine *machine, inlay_id block, inlay_id home, int times,
                        slow_problem *problem)
{
    inlay_links uses = inlay_app_uses(app, block);
    problem->work[home] += times * inlay_app_block_time(app, block);
    problem->memory[home] += times * inlay_app_block_size(app, block);
    for (int64_t l = 0; l < uses.count; l++)
        if (uses.module[l] != home)
            problem->traffic[home][uses.module[l]] += times * traffic_of(machine, uses.messages[l], uses.bytes[l]);
}

void slow_move_block(const inlay_app *app, const inlay_machine *machine, inlay_id block, inlay_id to,
                     slow_problem *problem)
{
    house_block(app, machine, block, slow_home(app, block), -1, problem);
    house_block(app, machine, block, to, 1, problem);
}

/** Longest paths, in links or in time before a start, by relaxing every link as often as there are modules. */
static void longest_paths(const slow_problem *problem, bool count_links, inlay_time *longest)
{
    for (int i = 0; i < problem->modules; i++)
        longest[i] = 0;
    for (int round = 0; round < problem->modules; round++)
        for (int i = 0; i < problem->modules; i++)
            for (int j = 0; j < problem->modules; j++) {
                inlay_time there = longest[i] + (count_links ? 1 : problem->time[i]);
                if (problem->link[i][j] && there > longest[j]) longest[j] = there;
            }
}

/** [i][j]: a path of links leads from i to j. */
static void close_paths(const slow_problem *problem, bool reaches[MODULES][MODULES])
{
    memcpy(reaches, problem->link, sizeof problem->link);
    for (int via = 0; via < problem->modules; via++)
        for (int i = 0; i < problem->modules; i++)
            for (int j = 0; j < problem->modules; j++)
                if (reaches[i][via] && reaches[via][j]) reaches[i][j] = true;
}

static void parallel_by_level(slow_problem *problem)
{
    inlay_time level[MODULES];
    longest_paths(problem, true, level);
    problem->bands = problem->modules;
    for (int i = 0; i < problem->modules; i++) {
        problem->covers[i][level[i]] = true;
        for (int j = 0; j < problem->modules; j++)
            problem->parallel[i][j] = i != j && level[i] == level[j];
    }
}

/** Band k is the instant at which module k can start at the earliest. */
static void parallel_by_overlap(slow_problem *problem)
{
    bool reaches[MODULES][MODULES];
    close_paths(problem, reaches);
    const inlay_time *b = problem->earliest, *m = problem->time;
    problem->bands = problem->modules;
    for (int i = 0; i < problem->modules; i++)
        for (int j = 0; j < problem->modules; j++) {
            bool overlap = m[i] > 0 && m[j] > 0 && b[i] < b[j] + m[j] && b[j] < b[i] + m[i];
            problem->parallel[i][j] = i != j && overlap && !reaches[i][j] && !reaches[j][i];
            problem->covers[i][j] = b[i] <= b[j] && b[j] < b[i] + m[i];
        }
}

/** A length given in `unit`, in the application's unit; a bare number and a tick keep their value. */
static long double in_unit_of(const inlay_app *app, inlay_unit unit)
{
    double theirs = inlay_unit_seconds(unit), ours = inlay_unit_seconds(inlay_app_unit(app));
    return theirs > 0 && ours > 0 ? (long double)theirs / (long double)ours : 1;
}

/** P_k(1): the sum of k!/(k-j)!. */
static long double states_at_rate_one(int k)
{
    long double sum = 1, term = 1;
    for (int j = 1; j <= k; j++) {
        term *= k - j + 1;
        sum += term;
    }
    return sum;
}

static void read_machine(const inlay_app *app, const inlay_machine *machine, slow_problem *problem)
{
    problem->processors = inlay_machine_processors(machine);
    problem->memory_limit = inlay_machine_processor_memory(machine);
    problem->transfers = (long double)inlay_machine_transfers(machine);
    inlay_duration latency = inlay_machine_latency(machine);
    problem->latency = (long double)inlay_decimal_double(latency.value) * in_unit_of(app, latency.unit);
    inlay_rate rate;
    if (inlay_machine_capacity(machine, &rate))
        problem->capacity = (long double)rate.value / in_unit_of(app, rate.per);
    else
        problem->capacity = inlay_app_unit(app) == INLAY_UNIT_TICK ? 1 : (long double)INFINITY;
    bool distributed = inlay_machine_memory_kind(machine) == INLAY_MEMORY_DISTRIBUTED;
    problem->utilisation_limit = distributed ? 1 - 1 / states_at_rate_one(problem->processors) : 1;
}

void slow_read(const inlay_app *app, const inlay_machine *machine, const inlay_options *options, slow_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    ck_assert_int_le(inlay_app_modules(app), MODULES);
    problem->modules = inlay_app_modules(app);
    problem->grain = 1;
    for (int d = 0; d < inlay_app_decimals(app); d++)
        problem->grain /= 10;
    bool given = inlay_app_has_blocking(app);
    problem->streamed = options->start == INLAY_START_STREAM || (options->start == INLAY_START_AUTO && given);
    problem->keep_unrelated = options->keep_unrelated;
    for (inlay_id i = 0; i < problem->modules; i++) {
        problem->time[i] = time_here(app, machine, i);
        problem->memory[i] = inlay_app_memory(app, i);
        problem->pin[i] = inlay_app_pin(app, i);
    }
    read_links(app, machine, options->copies == INLAY_COPIES_ONCE, problem);

    bool waits = options->blocking == INLAY_BLOCKING_YES || (options->blocking == INLAY_BLOCKING_AUTO && given);
    inlay_time derived[MODULES];
    longest_paths(problem, false, derived);
    for (inlay_id i = 0; i < problem->modules; i++) {
        inlay_time file = inlay_app_blocking(app, i);
        problem->earliest[i] = problem->streamed ? file : derived[i];
        problem->work[i] = problem->time[i] + (waits ? (given ? file : derived[i]) : 0);
    }
    for (inlay_id d = 0; d < inlay_app_blocks(app); d++)
        house_block(app, machine, d, slow_home(app, d), 1, problem);
    read_machine(app, machine, problem);
    if (options->parallel == INLAY_PARALLEL_LEVEL)
        parallel_by_level(problem);
    else
        parallel_by_overlap(problem);
}

/* ---- Clusters and pairs of them ---- */

/** Two clusters, `a` the smaller number, and what the merged one would be. */
typedef struct pair {
    int a, b; /**< a = -1: no pair */
    inlay_time work;
    int64_t traffic; /**< between the two, both ways */
} pair;

/** Sum of work or of memory over a cluster. */
static int64_t sum_over(const slow_problem *problem, const slow_clusters *clusters, int cluster, const int64_t *amount)
{
    int64_t sum = 0;
    for (int i = 0; i < problem->modules; i++)
        sum += clusters->of[i] == cluster ? amount[i] : 0;
    return sum;
}

static int64_t work_of(const slow_problem *problem, const slow_clusters *clusters, int cluster)
{
    return sum_over(problem, clusters, cluster, problem->work);
}

static int64_t memory_of(const slow_problem *problem, const slow_clusters *clusters, int cluster)
{
    return sum_over(problem, clusters, cluster, problem->memory);
}

static int pin_of(const slow_problem *problem, const slow_clusters *clusters, int cluster)
{
    for (int i = 0; i < problem->modules; i++)
        if (clusters->of[i] == cluster && problem->pin[i] >= 0) return problem->pin[i];
    return -1;
}

static bool covers(const slow_problem *problem, const slow_clusters *clusters, int cluster, int band)
{
    for (int i = 0; i < problem->modules; i++)
        if (clusters->of[i] == cluster && problem->covers[i][band]) return true;
    return false;
}

static int width(const slow_problem *problem, const slow_clusters *clusters, int band)
{
    int count = 0;
    for (int c = 0; c < problem->modules; c++)
        count += clusters->of[c] == c && covers(problem, clusters, c, band);
    return count;
}

int slow_parallelism(const slow_problem *problem, const slow_clusters *clusters)
{
    int most = 0;
    for (int band = 0; band < problem->bands; band++) {
        int count = width(problem, clusters, band);
        most = count > most ? count : most;
    }
    return most;
}

int slow_count(const slow_problem *problem, const slow_clusters *clusters)
{
    int count = 0;
    for (int c = 0; c < problem->modules; c++)
        count += clusters->of[c] == c;
    return count;
}

static void merge(const slow_problem *problem, slow_clusters *clusters, pair chosen)
{
    for (int i = 0; i < problem->modules; i++)
        if (clusters->of[i] == chosen.b) clusters->of[i] = chosen.a;
}

/** Whether memory and pins allow the pair. */
static bool compatible(const slow_problem *problem, const slow_clusters *clusters, int a, int b)
{
    int64_t memory = memory_of(problem, clusters, a) + memory_of(problem, clusters, b);
    if (problem->memory_limit >= 0 && memory > problem->memory_limit) return false;
    int pin_a = pin_of(problem, clusters, a), pin_b = pin_of(problem, clusters, b);
    return pin_a < 0 || pin_b < 0 || pin_a == pin_b;
}

/** Whether no module of the one is parallel to a module of the other. */
static bool apart(const slow_problem *problem, const slow_clusters *clusters, int a, int b)
{
    for (int i = 0; i < problem->modules; i++)
        for (int j = 0; j < problem->modules; j++)
            if (clusters->of[i] == a && clusters->of[j] == b && problem->parallel[i][j]) return false;
    return true;
}

static pair weigh(const slow_problem *problem, const slow_clusters *clusters, int a, int b)
{
    pair both = {a, b, work_of(problem, clusters, a) + work_of(problem, clusters, b), 0};
    for (int i = 0; i < problem->modules; i++)
        for (int j = 0; j < problem->modules; j++)
            if (clusters->of[i] == a && clusters->of[j] == b)
                both.traffic += problem->traffic[i][j] + problem->traffic[j][i];
    return both;
}

/** Pairs come in order of their members, so only a strictly better one replaces. */
static bool goes_before(pair one, pair other, bool by_traffic)
{
    if (other.a < 0) return true;
    if (by_traffic) return one.traffic > other.traffic || (one.traffic == other.traffic && one.work < other.work);
    return one.work < other.work || (one.work == other.work && one.traffic > other.traffic);
}

/* ---- Greedy merging ---- */

void slow_singletons(const slow_problem *problem, slow_clusters *clusters)
{
    for (int i = 0; i < problem->modules; i++) {
        clusters->of[i] = i;
        for (int j = i - 1; j >= 0; j--)
            if (problem->pin[i] >= 0 && problem->pin[i] == problem->pin[j]) clusters->of[i] = j;
    }
}

inlay_time slow_least_frame(const slow_problem *problem)
{
    slow_clusters clusters;
    slow_singletons(problem, &clusters);
    inlay_time least = 0;
    for (int c = 0; c < problem->modules; c++) {
        inlay_time work = work_of(problem, &clusters, c);
        least = work > least ? work : least;
    }
    return least;
}

static bool greedy_pair(const slow_problem *problem, const slow_clusters *clusters, int a, int b, pair *both)
{
    if (clusters->of[a] != a || clusters->of[b] != b) return false;
    *both = weigh(problem, clusters, a, b);
    return (both->traffic > 0 || !problem->keep_unrelated) && compatible(problem, clusters, a, b) &&
           apart(problem, clusters, a, b);
}

static pair best_in_time(const slow_problem *problem, const slow_clusters *clusters, inlay_time frame)
{
    pair best = {-1, -1, 0, 0}, both;
    for (int a = 0; a < problem->modules; a++)
        for (int b = a + 1; b < problem->modules; b++)
            if (greedy_pair(problem, clusters, a, b, &both) && both.work <= frame && goes_before(both, best, true))
                best = both;
    return best;
}

/** The least sum over T of a pair that would have been taken before the chosen one. */
static inlay_time least_rejected(const slow_problem *problem, const slow_clusters *clusters, inlay_time frame,
                                 pair chosen)
{
    pair both;
    inlay_time least = INT64_MAX;
    for (int a = 0; a < problem->modules; a++)
        for (int b = a + 1; b < problem->modules; b++)
            if (greedy_pair(problem, clusters, a, b, &both) && both.work > frame && both.work < least &&
                goes_before(both, chosen, true))
                least = both.work;
    return least;
}

bool slow_greedy(const slow_problem *problem, inlay_time frame, slow_clusters *clusters, inlay_time *next)
{
    *next = INT64_MAX;
    slow_singletons(problem, clusters);
    if (slow_least_frame(problem) > frame) return false;
    for (int c = 0; c < problem->modules && problem->memory_limit >= 0; c++)
        if (memory_of(problem, clusters, c) > problem->memory_limit) return false;
    for (;;) {
        pair best = best_in_time(problem, clusters, frame);
        inlay_time rejected = least_rejected(problem, clusters, frame, best);
        *next = rejected < *next ? rejected : *next;
        if (best.a < 0) return true;
        merge(problem, clusters, best);
    }
}

/* ---- Reduction ---- */

/** Which pairs a step of the reduction looks at. */
typedef enum candidates { SHARE_A_BAND, SHARE_A_WIDEST_BAND, NOT_PARALLEL, ALL_PAIRS } candidates;

static bool is_candidate(const slow_problem *problem, const slow_clusters *clusters, int a, int b, candidates which)
{
    if (which == ALL_PAIRS) return true;
    if (which == NOT_PARALLEL) return apart(problem, clusters, a, b);
    int widest = slow_parallelism(problem, clusters);
    for (int band = 0; band < problem->bands; band++)
        if (covers(problem, clusters, a, band) && covers(problem, clusters, b, band) &&
            (which == SHARE_A_BAND || width(problem, clusters, band) == widest))
            return true;
    return false;
}

static pair best_candidate(const slow_problem *problem, const slow_clusters *clusters, inlay_time frame,
                           candidates which, bool by_traffic)
{
    pair best = {-1, -1, 0, 0};
    for (int a = 0; a < problem->modules; a++)
        for (int b = a + 1; b < problem->modules; b++) {
            if (clusters->of[a] != a || clusters->of[b] != b || !compatible(problem, clusters, a, b)) continue;
            pair both = weigh(problem, clusters, a, b);
            if (both.work <= frame && goes_before(both, best, by_traffic) &&
                is_candidate(problem, clusters, a, b, which))
                best = both;
        }
    return best;
}

bool slow_reduce(const slow_problem *problem, inlay_reduce heuristic, bool by_traffic, int processors, inlay_time frame,
                 slow_clusters *clusters)
{
    candidates first = heuristic == INLAY_REDUCE_H1 ? SHARE_A_BAND : SHARE_A_WIDEST_BAND;
    while (slow_parallelism(problem, clusters) > processors) {
        pair best = best_candidate(problem, clusters, frame, first, by_traffic);
        if (best.a < 0) return false;
        merge(problem, clusters, best);
    }
    while (slow_count(problem, clusters) > processors) {
        pair best = best_candidate(problem, clusters, frame, NOT_PARALLEL, true);
        if (best.a < 0) best = best_candidate(problem, clusters, frame, ALL_PAIRS, false);
        if (best.a < 0) return false;
        merge(problem, clusters, best);
    }
    return true;
}
