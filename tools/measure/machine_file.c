/*
 * The machine file. Every core that a rank ran on is a host of the graph, since messages between cores of one host of a
 * graph are free. A message passes two links below the switch of a host, and two more between the switches of two
 * hosts; each has its share of the latency, so that one transfer takes what was fitted.
 */
#include "report.h"
#include "write.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DIGITS = 9 /* of figures that commands read */, SHORT = 4 /* and people */ };

#define TOP_SWITCH "switch"

/* ---- What is to be said ---- */

/* A name that DOT takes as it is, and that no switch and no core has. */
static bool is_usable(const char *name)
{
    bool good = strcmp(name, TOP_SWITCH) != 0;
    for (const char *c = name; *c != '\0'; c++) {
        good = good && (unsigned char)*c >= ' ' && *c != 127 && strchr("\"\\/", *c) == NULL;
    }
    return good;
}

/* Where no size takes longer, the bandwidth is more than any that was seen. */
static double least_bandwidth(const inlay_raw *r, inlay_pair_class class)
{
    double best = 0;
    for (int i = 0; i < r->pairs; i++) {
        for (int s = 0; s < r->sizes && r->pair[i].class == class; s++) {
            best = fmax(best, (double)r->size[s] / inlay_figure_of(&r->pair[i].seconds[s]).median);
        }
    }
    return best;
}

/* A message between hosts passes the links of two cores as well, and can be no faster than these. */
static void warn_of_tree(inlay_machine_fit *a, const machine_plan *plan)
{
    char text[2][INLAY_VALUE_TEXT];
    if (plan->latency[INLAY_PAIR_NETWORK] < plan->latency[INLAY_PAIR_CORE]) {
        analysis_warn(a,
                      "messages between hosts have a latency of %s, less than the %s between cores of one host; the "
                      "machine file gives them that of the cores",
                      inlay_seconds_text(plan->latency[INLAY_PAIR_NETWORK], SHORT, " ", text[0]),
                      inlay_seconds_text(plan->latency[INLAY_PAIR_CORE], SHORT, " ", text[1]));
    }
    if (plan->capacity[INLAY_PAIR_NETWORK] > plan->capacity[INLAY_PAIR_CORE]) {
        analysis_warn(a,
                      "messages between hosts have a bandwidth of %s, more than the %s between cores of one host; the "
                      "machine file gives them that of the cores",
                      inlay_rate_text(plan->capacity[INLAY_PAIR_NETWORK], SHORT, " ", text[0]),
                      inlay_rate_text(plan->capacity[INLAY_PAIR_CORE], SHORT, " ", text[1]));
    }
}

static void warn_of_file(inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_ring_fit *core = &a->ring[INLAY_PAIR_CORE], *top = &a->ring[analysis_class(a)];
    if (plan->cores && top->ranks > 0 && top->kind == INLAY_MEDIUM_BUS) {
        analysis_warn(a,
                      "the hosts share a bus, but a file of hosts with several cores cannot have one: it is written as "
                      "a switch");
    }
    if (plan->cores && core->ranks > 0 && core->kind == INLAY_MEDIUM_BUS) {
        analysis_warn(a,
                      "messages between cores of one host go one after the other, but a file of several hosts cannot "
                      "say so: it is written as a switch in each");
    }
    if (plan->cores && a->ring[INLAY_PAIR_CORE].ranks > 0) {
        warn_of_tree(a, plan);
    }
    if (plan->bus && a->unlike) {
        analysis_warn(a, "processors of a bus are alike: the speeds that were measured are not in the machine file");
    }
}

machine_plan machine_names(const inlay_raw *r)
{
    machine_plan plan = {.cores = r->hosts > 1 && r->ranks > r->hosts};
    for (int h = 0; h < r->hosts; h++) {
        plan.numbered = plan.numbered || !is_usable(r->host[h].name);
    }
    return plan;
}

const inlay_step_fit *machine_step(const inlay_machine_fit *a, const machine_plan *plan, inlay_pair_class class)
{
    bool whole = !plan->cores && class == analysis_class(a); /* the file says it of all messages alike */
    return whole && a->rest[class].step.seconds > 0 ? &a->rest[class].step : NULL;
}

machine_plan machine_plan_of(inlay_machine_fit *a)
{
    const inlay_raw *r = a->of;
    const inlay_ring_fit *top = &a->ring[analysis_class(a)];
    machine_plan plan = machine_names(r);
    plan.bus = top->ranks > 0 && top->kind == INLAY_MEDIUM_BUS && !plan.cores;
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        const inlay_message_fit *fit = &a->rest[c];
        const inlay_step_fit *step = machine_step(a, &plan, (inlay_pair_class)c);
        plan.half[c] = a->ring[c].ranks > 0 && a->ring[c].kind == INLAY_MEDIUM_HALF_DUPLEX;
        double per_byte = step != NULL ? step->per_byte : fit->per_byte;
        plan.latency[c] = step != NULL ? step->latency : fit->latency;
        plan.capacity[c] = per_byte > 0 ? 1 / per_byte : least_bandwidth(r, (inlay_pair_class)c);
    }
    warn_of_file(a, &plan);
    return plan;
}

const char *machine_kind(const inlay_machine_fit *a)
{
    const inlay_ring_fit *top = &a->ring[analysis_class(a)];
    return top->ranks > 0 ? inlay_medium_name(top->kind) : NULL;
}

/* ---- Names ---- */

static void put_host(FILE *to, const inlay_raw *r, const machine_plan *plan, int host)
{
    if (plan->numbered) {
        say(to, "h%d", host);
    } else {
        say(to, "%s", r->host[host].name);
    }
}

/* The place of a rank among those of its host. */
static int core_of(const inlay_raw *r, int rank)
{
    const inlay_raw_host *host = &r->host[r->host_of[rank]];
    int core = 0;
    while (host->rank[core] != rank) {
        core++;
    }
    return core;
}

void machine_put_rank(FILE *to, const inlay_raw *r, const machine_plan *plan, int rank)
{
    say(to, "\"");
    if (r->hosts == 1 && r->ranks > 1) {
        say(to, "p%d", rank);
    } else {
        put_host(to, r, plan, r->host_of[rank]);
    }
    if (plan->cores) {
        say(to, "/%d", core_of(r, rank));
    }
    say(to, "\"");
}

/* ---- The comment ---- */

/* A text of another program's on a line of a comment. */
static void put_words(FILE *to, const char *before, const char *text)
{
    say(to, "%s%-s", before, text);
}

static void comment_ranks(FILE *to, const inlay_machine_fit *a)
{
    char text[4][INLAY_VALUE_TEXT];
    for (int r = 0; r < a->of->ranks; r++) {
        const inlay_rank_figures *own = &a->rank[r];
        say(to, "// rank %d on %-s: %s an arithmetic operation (spread %s), %s an evaluation of sin (spread %s)\n", r,
            a->of->host[a->of->host_of[r]].name, inlay_seconds_text(own->arithmetic_alone.median, SHORT, " ", text[0]),
            share_text(own->arithmetic_alone.spread, text[1]),
            inlay_seconds_text(own->function_alone.median, SHORT, " ", text[2]),
            share_text(own->function_alone.spread, text[3]));
    }
}

/* What the cores do together is not what one does so many times: they share power, caches and maybe units. */
static void comment_arithmetic(FILE *to, const inlay_machine_fit *a, int host)
{
    const inlay_raw_host *of = &a->of->host[host];
    char text[2][INLAY_VALUE_TEXT];
    double rate = 0;
    for (int i = 0; i < of->ranks; i++) {
        rate += 1 / a->rank[of->rank[i]].arithmetic_all.median;
    }
    put_words(to, "// ", of->name);
    say(to, ": %s an arithmetic operation with one core",
        inlay_seconds_text(a->rank[of->rank[0]].arithmetic_alone.median, SHORT, " ", text[0]));
    if (of->ranks > 1) {
        say(to, ", %s with all %d together", inlay_seconds_text(1 / rate, SHORT, " ", text[1]), of->ranks);
    }
    if (of->numa > 0) {
        say(to, "; %" PRId64 " NUMA node%s", of->numa, of->numa == 1 ? "" : "s");
    }
    say(to, "\n");
}

static void comment_hosts(FILE *to, const inlay_machine_fit *a)
{
    char text[4][INLAY_VALUE_TEXT];
    for (int h = 0; h < a->of->hosts; h++) {
        const inlay_host_figures *own = &a->host[h];
        comment_arithmetic(to, a, h);
        put_words(to, "// ", a->of->host[h].name);
        say(to, ": copies %s with one core (spread %s), %s with all (spread %s)\n",
            inlay_rate_text(own->alone.median, SHORT, " ", text[0]), share_text(own->alone.spread, text[1]),
            inlay_rate_text(own->all.median, SHORT, " ", text[2]), share_text(own->all.spread, text[3]));
    }
}

static void comment_networks(FILE *to, const inlay_machine_fit *a)
{
    char text[4][INLAY_VALUE_TEXT];
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        const inlay_message_fit *fit = &a->fit[c];
        const inlay_ring_fit *ring = &a->ring[c];
        if (fit->pairs > 0) {
            say(to, "// %s: latency %s, %s, over %d pair%s; residual %s, spread of the runs %s\n",
                inlay_pair_class_name((inlay_pair_class)c), inlay_seconds_text(fit->latency, SHORT, " ", text[0]),
                inlay_rate_text(inlay_fit_bandwidth(fit), SHORT, " ", text[1]), fit->pairs, fit->pairs == 1 ? "" : "s",
                share_text(fit->residual, text[2]), share_text(fit->spread, text[3]));
        }
        if (ring->ranks > 0) {
            say(to, "// %s: kind %s by a ring of %d; residual as a switch %s, half duplex %s, bus %s\n",
                inlay_pair_class_name((inlay_pair_class)c), inlay_medium_name(ring->kind), ring->ranks,
                share_text(ring->residual[INLAY_MEDIUM_SWITCH], text[0]),
                share_text(ring->residual[INLAY_MEDIUM_HALF_DUPLEX], text[1]),
                share_text(ring->residual[INLAY_MEDIUM_BUS], text[2]));
        }
    }
}

void machine_comment_origin(FILE *to, const inlay_raw *r)
{
    put_words(to, "// measured ", r->date);
    put_words(to, " by Inlay ", r->inlay);
    put_words(to, ", ", r->mpi);
    put_words(to, ", ", r->compiler);
    put_words(to, "\n// started as ", r->launched);
}

void machine_comment(FILE *to, const inlay_machine_fit *a)
{
    const inlay_raw *r = a->of;
    machine_comment_origin(to, r);
    say(to, "; messages between %s\n", r->sampled ? "a sample of the pairs of ranks" : "all pairs of ranks");
    if (r->others >= 0) {
        char text[INLAY_VALUE_TEXT];
        say(to, "// others took %s of the processors' time just before, on the host where that was most\n",
            share_text(r->others, text));
    }
    comment_ranks(to, a);
    comment_hosts(to, a);
    comment_networks(to, a);
    for (int i = 0; i < a->warnings; i++) {
        say(to, "// %s\n", a->warning[i]);
    }
}

/* ---- The graph ---- */

/* A rank's share of its host's memory; -1 where that is not known. */
static int64_t share_of_memory(const inlay_raw *r, int rank)
{
    const inlay_raw_host *host = &r->host[r->host_of[rank]];
    return host->memory > 0 ? host->memory / host->ranks : -1;
}

/* Of a processor of speed 1, which is the fastest. */
static void put_operations(FILE *to, const inlay_machine_fit *a)
{
    char text[2][INLAY_VALUE_TEXT];
    const inlay_rank_figures *one = &a->rank[a->fastest];
    say(to, ", arithmetic_time=\"%s\", function_time=\"%s\"",
        inlay_seconds_text(one->arithmetic_alone.median, DIGITS, "", text[0]),
        inlay_seconds_text(one->function_alone.median, DIGITS, "", text[1]));
}

/*
 * Whose cores share memory, and how much of it: hosts with as many ranks each, one after the other, as a file can say; of
 * hosts that are not alike the slowest counts.
 */
static bool boards_of(const inlay_machine_fit *a, double *all, double *alone)
{
    const inlay_raw *r = a->of;
    int each = r->ranks / r->hosts;
    *all = *alone = INFINITY;
    for (int h = 0; h < r->hosts; h++) {
        *all = fmin(*all, a->host[h].all.median);
        *alone = fmin(*alone, a->host[h].alone.median);
    }
    for (int i = 0; i < r->ranks; i++) {
        if (r->host_of[i] != i / each) {
            return false;
        }
    }
    return *all > 0 && *alone > 0 && isfinite(*all);
}

static void put_memory(FILE *to, const inlay_machine_fit *a)
{
    double all, alone;
    if (boards_of(a, &all, &alone)) {
        char text[2][INLAY_VALUE_TEXT];
        say(to, ", memory_bandwidth=\"%s\", core_bandwidth=\"%s\", boards=%d",
            inlay_rate_text(all, DIGITS, "", text[0]),
            inlay_rate_text(fmax(alone, all * a->of->hosts / a->of->ranks), DIGITS, "", text[1]), a->of->hosts);
    }
}

/*
 * How sure that is: the standard deviation of arithmetic from repeat to repeat while all compute, of the rank where it is
 * largest, and how far messages are from their line.
 */
static void put_doubts(FILE *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_step_fit *step = machine_step(a, plan, analysis_class(a));
    const double five = 2.326; /* the mean range of five values from a normal distribution, in standard deviations */
    double spread = 0;
    for (int r = 0; r < a->of->ranks; r++) {
        spread = fmax(spread, a->rank[r].arithmetic_all.spread);
    }
    say(to, ", time_spread=%.3f", spread / five);
    if (a->fit[analysis_class(a)].pairs > 0) {
        say(to, ", network_error=%.3f", step != NULL ? step->residual : a->rest[analysis_class(a)].residual);
    }
}

/* The last size up to which a line from this one to it is near all between. */
static int end_of_piece(const inlay_raw *r, const double *seconds, int from)
{
    const double near = 0.1;
    int end = from + 1;
    for (int to = from + 2; to < r->sizes; to++) {
        double slope = (seconds[to] - seconds[from]) / (double)(r->size[to] - r->size[from]);
        for (int s = from + 1; s < to; s++) {
            double there = seconds[from] + slope * (double)(r->size[s] - r->size[from]);
            if (fabs(there - seconds[s]) > near * seconds[s]) {
                return end;
            }
        }
        end = to;
    }
    return end;
}

/* Lines through what was measured; where one would begin below 0 it begins at 0, and is right at its end. */
static void put_pieces(FILE *to, const inlay_raw *r, const char *name, const double *seconds)
{
    char text[2][INLAY_VALUE_TEXT];
    int pieces = 0;
    say(to, ", %s=\"", name);
    for (int s = 0, end; s + 1 < r->sizes && pieces < INLAY_PIECES_MOST; s = end, pieces++) {
        end = end_of_piece(r, seconds, s);
        double slope = fmax(0, (seconds[end] - seconds[s]) / (double)(r->size[end] - r->size[s]));
        double from = slope > 0 ? seconds[s] - slope * (double)r->size[s] : (seconds[s] + seconds[end]) / 2;
        if (from < 0) {
            from = 0;
            slope = seconds[end] / (double)r->size[end];
        }
        if (pieces > 0) {
            say(to, "/%" PRId64 "B:", r->size[s]);
        }
        say(to, "%s:%s", inlay_seconds_text(from, DIGITS, "", text[0]), inlay_seconds_text(slope, DIGITS, "", text[1]));
    }
    say(to, "\"");
}

/* What messages keep processors for, and what they take besides the line from a size on. */
static void put_messages(FILE *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_step_fit *step = machine_step(a, plan, analysis_class(a));
    if (step != NULL) {
        char text[INLAY_VALUE_TEXT];
        say(to, ", latency_by_size=\"0s/%.0fB:%s\"", step->size, inlay_seconds_text(step->seconds, DIGITS, "", text));
    }
    if (a->overheads.send != NULL) {
        put_pieces(to, a->of, "o_send", a->overheads.send);
        put_pieces(to, a->of, "o_recv", a->overheads.receive);
    }
}

static void put_bus(FILE *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    char text[2][INLAY_VALUE_TEXT];
    inlay_pair_class class = analysis_class(a);
    int64_t memory = INT64_MAX;
    for (int r = 0; r < a->of->ranks; r++) {
        int64_t share = share_of_memory(a->of, r);
        memory = share < memory ? share : memory;
    }
    say(to, "  graph [network=bus, processors=%d, capacity=\"%s\", latency=\"%s\"", a->of->ranks,
        inlay_rate_text(plan->capacity[class], DIGITS, "", text[0]),
        inlay_seconds_text(plan->latency[class], DIGITS, "", text[1]));
    if (memory > 0) {
        say(to, ", processor_memory=%" PRId64, memory);
    }
    put_operations(to, a);
    put_memory(to, a);
    put_messages(to, a, plan);
    put_doubts(to, a, plan);
    say(to, "];\n");
}

static void put_nodes(FILE *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_raw *r = a->of;
    for (int i = 0; i < r->ranks; i++) {
        int64_t memory = share_of_memory(r, i);
        const char *before = " [";
        say(to, "  ");
        machine_put_rank(to, r, plan, i);
        if (a->unlike) {
            say(to, "%sspeed=%.*g", before, DIGITS, a->rank[i].speed);
            before = ", ";
        }
        if (memory > 0) {
            say(to, "%smemory=%" PRId64, before, memory);
            before = ", ";
        }
        say(to, "%s;\n", before[0] == ',' ? "]" : "");
    }
}

static void put_edges(FILE *to, const machine_plan *plan, inlay_pair_class class, double latency)
{
    char text[2][INLAY_VALUE_TEXT];
    say(to, "  edge [capacity=\"%s\", latency=\"%s\"%s];\n",
        inlay_rate_text(plan->capacity[class], DIGITS, "", text[0]), inlay_seconds_text(latency, DIGITS, "", text[1]),
        plan->half[class] ? ", duplex=half" : "");
}

/* A switch for all ranks. */
static void put_star(FILE *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    inlay_pair_class class = analysis_class(a);
    say(to, "  \"" TOP_SWITCH "\" [kind=switch];\n");
    put_edges(to, plan, class, plan->latency[class] / 2);
    for (int r = 0; r < a->of->ranks; r++) {
        say(to, "  ");
        machine_put_rank(to, a->of, plan, r);
        say(to, " -- \"" TOP_SWITCH "\";\n");
    }
}

static void put_host_switch(FILE *to, const inlay_raw *r, const machine_plan *plan, int host)
{
    say(to, "\"");
    put_host(to, r, plan, host);
    say(to, "/" TOP_SWITCH "\"");
}

/* A switch in each host, and one for all hosts, whose links have what of the latency those in the hosts have not. */
static void put_tree(FILE *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_raw *r = a->of;
    double rest = fmax(0, plan->latency[INLAY_PAIR_NETWORK] - plan->latency[INLAY_PAIR_CORE]);
    say(to, "  \"" TOP_SWITCH "\" [kind=switch];\n");
    for (int h = 0; h < r->hosts; h++) {
        say(to, "  ");
        put_host_switch(to, r, plan, h);
        say(to, " [kind=switch];\n");
    }
    put_edges(to, plan, INLAY_PAIR_CORE, plan->latency[INLAY_PAIR_CORE] / 2);
    for (int i = 0; i < r->ranks; i++) {
        say(to, "  ");
        machine_put_rank(to, r, plan, i);
        say(to, " -- ");
        put_host_switch(to, r, plan, r->host_of[i]);
        say(to, ";\n");
    }
    put_edges(to, plan, INLAY_PAIR_NETWORK, rest / 2);
    for (int h = 0; h < r->hosts; h++) {
        say(to, "  ");
        put_host_switch(to, r, plan, h);
        say(to, " -- \"" TOP_SWITCH "\";\n");
    }
}

static void put_graph(FILE *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    say(to, "graph measured {\n");
    if (plan->bus) {
        put_bus(to, a, plan);
    } else {
        say(to, "  graph [network=links, switching=\"cut-through\"");
        put_operations(to, a);
        put_memory(to, a);
        put_messages(to, a, plan);
        put_doubts(to, a, plan);
        say(to, "];\n");
        put_nodes(to, a, plan);
    }
    if (plan->cores) {
        put_tree(to, a, plan);
    } else if (a->of->ranks > 1 && !plan->bus) {
        put_star(to, a, plan);
    }
    say(to, "}\n");
}

void machine_put(FILE *to, const void *of)
{
    const machine_of *file = of;
    machine_comment(to, file->a);
    put_graph(to, file->a, &file->plan);
}
