/*
 * The machine file. Every core that a rank ran on is a host of the graph, since messages between cores of one host of a
 * graph are free. A message passes two links below the switch of a host, and two more between the switches of two
 * hosts; each has its share of the latency, so that one transfer takes what was fitted.
 */
#include "measure/machine_file.h"
#include "base/diag.h"
#include <inlay/machine.h>
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
        for (int s = 0; s < r->sizes && r->pair[i].pair_class == class; s++) {
            best = fmax(best, (double)r->size[s] / inlay_figure_of(&r->pair[i].seconds[s]).median);
        }
    }
    return best;
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
    bool whole = !plan->cores && class == a->pair_class; /* the file says it of all messages alike */
    return whole && a->rest[class].step.seconds > 0 ? &a->rest[class].step : NULL;
}

static machine_plan plan_of(const inlay_machine_fit *a)
{
    const inlay_raw *r = a->of;
    const inlay_ring_fit *top = &a->ring[a->pair_class];
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
    return plan;
}

/* A message between hosts passes the links of two cores as well, and can be no faster than these. */
static void warn_of_tree(const machine_plan *plan, inlay_diag *diag)
{
    char text[2][INLAY_VALUE_TEXT];
    if (plan->latency[INLAY_PAIR_NETWORK] < plan->latency[INLAY_PAIR_CORE]) {
        diag_warn(diag,
                  "messages between hosts have a latency of %s, less than the %s between cores of one host; the "
                  "machine file gives them that of the cores",
                  inlay_seconds_text(plan->latency[INLAY_PAIR_NETWORK], SHORT, " ", text[0]),
                  inlay_seconds_text(plan->latency[INLAY_PAIR_CORE], SHORT, " ", text[1]));
    }
    if (plan->capacity[INLAY_PAIR_NETWORK] > plan->capacity[INLAY_PAIR_CORE]) {
        diag_warn(diag,
                  "messages between hosts have a bandwidth of %s, more than the %s between cores of one host; the "
                  "machine file gives them that of the cores",
                  inlay_rate_text(plan->capacity[INLAY_PAIR_NETWORK], SHORT, " ", text[0]),
                  inlay_rate_text(plan->capacity[INLAY_PAIR_CORE], SHORT, " ", text[1]));
    }
}

void machine_warn(const inlay_machine_fit *a, inlay_diag *diag)
{
    const machine_plan plan = plan_of(a);
    const inlay_ring_fit *core = &a->ring[INLAY_PAIR_CORE], *top = &a->ring[a->pair_class];
    if (plan.cores && top->ranks > 0 && top->kind == INLAY_MEDIUM_BUS) {
        diag_warn(diag,
                  "the hosts share a bus, but a file of hosts with several cores cannot have one: it is written as "
                  "a switch");
    }
    if (plan.cores && core->ranks > 0 && core->kind == INLAY_MEDIUM_BUS) {
        diag_warn(diag, "messages between cores of one host go one after the other, but a file of several hosts cannot "
                        "say so: it is written as a switch in each");
    }
    if (plan.cores && a->ring[INLAY_PAIR_CORE].ranks > 0) {
        warn_of_tree(&plan, diag);
    }
    if (plan.bus && a->unlike) {
        diag_warn(diag, "processors of a bus are alike: the speeds that were measured are not in the machine file");
    }
}

/* ---- Names ---- */

static void put_host(text_buffer *to, const inlay_raw *r, const machine_plan *plan, int host)
{
    if (plan->numbered) {
        text_addf(to, "h%d", host);
    } else {
        text_addf(to, "%s", r->host[host].name);
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

void machine_put_rank(text_buffer *to, const inlay_raw *r, const machine_plan *plan, int rank)
{
    text_addf(to, "\"");
    if (r->hosts == 1 && r->ranks > 1) {
        text_addf(to, "p%d", rank);
    } else {
        put_host(to, r, plan, r->host_of[rank]);
    }
    if (plan->cores) {
        text_addf(to, "/%d", core_of(r, rank));
    }
    text_addf(to, "\"");
}

/* ---- The comment ---- */

static void comment_ranks(text_buffer *to, const inlay_machine_fit *a)
{
    char text[4][INLAY_VALUE_TEXT];
    for (int r = 0; r < a->of->ranks; r++) {
        const inlay_rank_figures *own = &a->rank[r];
        comment(to, "// rank %d on %s: %s an arithmetic operation (spread %s), %s an evaluation of sin (spread %s)\n",
                r, a->of->host[a->of->host_of[r]].name,
                inlay_seconds_text(own->arithmetic_alone.median, SHORT, " ", text[0]),
                share_text(own->arithmetic_alone.spread, text[1]),
                inlay_seconds_text(own->function_alone.median, SHORT, " ", text[2]),
                share_text(own->function_alone.spread, text[3]));
    }
}

/* What the cores do together is not what one does so many times: they share power, caches and maybe units. */
static void comment_arithmetic(text_buffer *to, const inlay_machine_fit *a, int host)
{
    const inlay_raw_host *of = &a->of->host[host];
    char text[2][INLAY_VALUE_TEXT];
    double rate = 0;
    for (int i = 0; i < of->ranks; i++) {
        rate += 1 / a->rank[of->rank[i]].arithmetic_all.median;
    }
    comment(to, "// %s: %s an arithmetic operation with one core", of->name,
            inlay_seconds_text(a->rank[of->rank[0]].arithmetic_alone.median, SHORT, " ", text[0]));
    if (of->ranks > 1) {
        comment(to, ", %s with all %d together", inlay_seconds_text(1 / rate, SHORT, " ", text[1]), of->ranks);
    }
    if (of->numa > 0) {
        comment(to, "; %" PRId64 " NUMA node%s", of->numa, of->numa == 1 ? "" : "s");
    }
    comment(to, "\n");
}

static void comment_hosts(text_buffer *to, const inlay_machine_fit *a)
{
    char text[4][INLAY_VALUE_TEXT];
    for (int h = 0; h < a->of->hosts; h++) {
        const inlay_host_figures *own = &a->host[h];
        comment_arithmetic(to, a, h);
        comment(to, "// %s: copies %s with one core (spread %s), %s with all (spread %s)\n", a->of->host[h].name,
                inlay_rate_text(own->alone.median, SHORT, " ", text[0]), share_text(own->alone.spread, text[1]),
                inlay_rate_text(own->all.median, SHORT, " ", text[2]), share_text(own->all.spread, text[3]));
    }
}

static void comment_networks(text_buffer *to, const inlay_machine_fit *a)
{
    char text[4][INLAY_VALUE_TEXT];
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        const inlay_message_fit *fit = &a->fit[c];
        const inlay_ring_fit *ring = &a->ring[c];
        if (fit->pairs > 0) {
            comment(to, "// %s: latency %s, %s, over %d pair%s; residual %s, spread of the runs %s\n",
                    inlay_pair_class_name((inlay_pair_class)c), inlay_seconds_text(fit->latency, SHORT, " ", text[0]),
                    inlay_rate_text(inlay_fit_bandwidth(fit), SHORT, " ", text[1]), fit->pairs,
                    fit->pairs == 1 ? "" : "s", share_text(fit->residual, text[2]), share_text(fit->spread, text[3]));
        }
        if (ring->ranks > 0) {
            comment(to, "// %s: kind %s by a ring of %d; residual as a switch %s, half duplex %s, bus %s\n",
                    inlay_pair_class_name((inlay_pair_class)c), inlay_medium_name(ring->kind), ring->ranks,
                    share_text(ring->residual[INLAY_MEDIUM_SWITCH], text[0]),
                    share_text(ring->residual[INLAY_MEDIUM_HALF_DUPLEX], text[1]),
                    share_text(ring->residual[INLAY_MEDIUM_BUS], text[2]));
        }
    }
}

void machine_comment_origin(text_buffer *to, const inlay_raw *r)
{
    comment(to, "// measured %s by Inlay %s, %s, %s", r->date, r->inlay, r->mpi, r->compiler);
    text_add(to, "\n");
    comment(to, "// started as %s", r->launched);
}

void machine_comment_warnings(text_buffer *to, const inlay_diag *said)
{
    for (size_t i = 0; i < inlay_diag_warnings(said); i++) {
        comment(to, "// %s\n", inlay_diag_warning(said, i));
    }
}

void machine_comment(text_buffer *to, const inlay_machine_fit *a, const inlay_diag *said)
{
    const inlay_raw *r = a->of;
    machine_comment_origin(to, r);
    comment(to, "; messages between %s\n", r->sampled ? "a sample of the pairs of ranks" : "all pairs of ranks");
    if (r->others >= 0) {
        char text[INLAY_VALUE_TEXT];
        comment(to, "// others took %s of the processors' time just before, on the host where that was most\n",
                share_text(r->others, text));
    }
    comment_ranks(to, a);
    comment_hosts(to, a);
    comment_networks(to, a);
    machine_comment_warnings(to, said);
}

/* ---- The graph ---- */

/* A rank's share of its host's memory; -1 where that is not known. */
static int64_t share_of_memory(const inlay_raw *r, int rank)
{
    const inlay_raw_host *host = &r->host[r->host_of[rank]];
    return host->memory > 0 ? host->memory / host->ranks : -1;
}

/* Of a processor of speed 1, which is the fastest. */
static void put_operations(text_buffer *to, const inlay_machine_fit *a)
{
    char text[2][INLAY_VALUE_TEXT];
    const inlay_rank_figures *one = &a->rank[a->fastest];
    text_addf(to, ", arithmetic_time=\"%s\", function_time=\"%s\"",
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
    int each = r->hosts > 0 && r->ranks > r->hosts ? r->ranks / r->hosts : 1;
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

static void put_memory(text_buffer *to, const inlay_machine_fit *a)
{
    double all, alone;
    if (boards_of(a, &all, &alone)) {
        char text[2][INLAY_VALUE_TEXT];
        text_addf(to, ", memory_bandwidth=\"%s\", core_bandwidth=\"%s\", boards=%d",
                  inlay_rate_text(all, DIGITS, "", text[0]),
                  inlay_rate_text(fmax(alone, all * a->of->hosts / a->of->ranks), DIGITS, "", text[1]), a->of->hosts);
    }
}

/*
 * How sure that is: the standard deviation of arithmetic from repeat to repeat while all compute, of the rank where it is
 * largest, and how far messages are from their line.
 */
static void put_doubts(text_buffer *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_step_fit *step = machine_step(a, plan, a->pair_class);
    const double five = 2.326; /* the mean range of five values from a normal distribution, in standard deviations */
    double spread = 0;
    for (int r = 0; r < a->of->ranks; r++) {
        spread = fmax(spread, a->rank[r].arithmetic_all.spread);
    }
    text_addf(to, ", time_spread=%.3f", spread / five);
    if (a->fit[a->pair_class].pairs > 0) {
        text_addf(to, ", network_error=%.3f", step != NULL ? step->residual : a->rest[a->pair_class].residual);
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
static void put_pieces(text_buffer *to, const inlay_raw *r, const char *name, const double *seconds)
{
    char text[2][INLAY_VALUE_TEXT];
    int pieces = 0;
    text_addf(to, ", %s=\"", name);
    for (int s = 0, end; s + 1 < r->sizes && pieces < INLAY_PIECES_MOST; s = end, pieces++) {
        end = end_of_piece(r, seconds, s);
        double slope = fmax(0, (seconds[end] - seconds[s]) / (double)(r->size[end] - r->size[s]));
        double from = slope > 0 ? seconds[s] - slope * (double)r->size[s] : (seconds[s] + seconds[end]) / 2;
        if (from < 0) {
            from = 0;
            slope = seconds[end] / (double)r->size[end];
        }
        if (pieces > 0) {
            text_addf(to, "/%" PRId64 "B:", r->size[s]);
        }
        text_addf(to, "%s:%s", inlay_seconds_text(from, DIGITS, "", text[0]),
                  inlay_seconds_text(slope, DIGITS, "", text[1]));
    }
    text_addf(to, "\"");
}

/* What messages keep processors for, and what they take besides the line from a size on. */
static void put_messages(text_buffer *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_step_fit *step = machine_step(a, plan, a->pair_class);
    if (step != NULL) {
        char text[INLAY_VALUE_TEXT];
        text_addf(to, ", latency_by_size=\"0s/%.0fB:%s\"", step->size,
                  inlay_seconds_text(step->seconds, DIGITS, "", text));
    }
    if (a->overheads.send != NULL) {
        put_pieces(to, a->of, "o_send", a->overheads.send);
        put_pieces(to, a->of, "o_recv", a->overheads.receive);
    }
}

static void put_bus(text_buffer *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    char text[2][INLAY_VALUE_TEXT];
    inlay_pair_class class = a->pair_class;
    int64_t memory = INT64_MAX;
    for (int r = 0; r < a->of->ranks; r++) {
        int64_t share = share_of_memory(a->of, r);
        memory = share < memory ? share : memory;
    }
    text_addf(to, "  graph [network=bus, processors=%d, capacity=\"%s\", latency=\"%s\"", a->of->ranks,
              inlay_rate_text(plan->capacity[class], DIGITS, "", text[0]),
              inlay_seconds_text(plan->latency[class], DIGITS, "", text[1]));
    if (memory > 0) {
        text_addf(to, ", processor_memory=%" PRId64, memory);
    }
    put_operations(to, a);
    put_memory(to, a);
    put_messages(to, a, plan);
    put_doubts(to, a, plan);
    text_addf(to, "];\n");
}

static void put_nodes(text_buffer *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_raw *r = a->of;
    for (int i = 0; i < r->ranks; i++) {
        int64_t memory = share_of_memory(r, i);
        const char *before = " [";
        text_addf(to, "  ");
        machine_put_rank(to, r, plan, i);
        if (a->unlike) {
            text_addf(to, "%sspeed=%.*g", before, DIGITS, a->rank[i].speed);
            before = ", ";
        }
        if (memory > 0) {
            text_addf(to, "%smemory=%" PRId64, before, memory);
            before = ", ";
        }
        text_addf(to, "%s;\n", before[0] == ',' ? "]" : "");
    }
}

static void put_edges(text_buffer *to, const machine_plan *plan, inlay_pair_class class, double latency)
{
    char text[2][INLAY_VALUE_TEXT];
    text_addf(to, "  edge [capacity=\"%s\", latency=\"%s\"%s];\n",
              inlay_rate_text(plan->capacity[class], DIGITS, "", text[0]),
              inlay_seconds_text(latency, DIGITS, "", text[1]), plan->half[class] ? ", duplex=half" : "");
}

/* A switch for all ranks. */
static void put_star(text_buffer *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    inlay_pair_class class = a->pair_class;
    text_addf(to, "  \"" TOP_SWITCH "\" [kind=switch];\n");
    put_edges(to, plan, class, plan->latency[class] / 2);
    for (int r = 0; r < a->of->ranks; r++) {
        text_addf(to, "  ");
        machine_put_rank(to, a->of, plan, r);
        text_addf(to, " -- \"" TOP_SWITCH "\";\n");
    }
}

static void put_host_switch(text_buffer *to, const inlay_raw *r, const machine_plan *plan, int host)
{
    text_addf(to, "\"");
    put_host(to, r, plan, host);
    text_addf(to, "/" TOP_SWITCH "\"");
}

/* A switch in each host, and one for all hosts, whose links have what of the latency those in the hosts have not. */
static void put_tree(text_buffer *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    const inlay_raw *r = a->of;
    double rest = fmax(0, plan->latency[INLAY_PAIR_NETWORK] - plan->latency[INLAY_PAIR_CORE]);
    text_addf(to, "  \"" TOP_SWITCH "\" [kind=switch];\n");
    for (int h = 0; h < r->hosts; h++) {
        text_addf(to, "  ");
        put_host_switch(to, r, plan, h);
        text_addf(to, " [kind=switch];\n");
    }
    put_edges(to, plan, INLAY_PAIR_CORE, plan->latency[INLAY_PAIR_CORE] / 2);
    for (int i = 0; i < r->ranks; i++) {
        text_addf(to, "  ");
        machine_put_rank(to, r, plan, i);
        text_addf(to, " -- ");
        put_host_switch(to, r, plan, r->host_of[i]);
        text_addf(to, ";\n");
    }
    put_edges(to, plan, INLAY_PAIR_NETWORK, rest / 2);
    for (int h = 0; h < r->hosts; h++) {
        text_addf(to, "  ");
        put_host_switch(to, r, plan, h);
        text_addf(to, " -- \"" TOP_SWITCH "\";\n");
    }
}

static void put_graph(text_buffer *to, const inlay_machine_fit *a, const machine_plan *plan)
{
    text_addf(to, "graph measured {\n");
    if (plan->bus) {
        put_bus(to, a, plan);
    } else {
        text_addf(to, "  graph [network=links, switching=\"cut-through\"");
        put_operations(to, a);
        put_memory(to, a);
        put_messages(to, a, plan);
        put_doubts(to, a, plan);
        text_addf(to, "];\n");
        put_nodes(to, a, plan);
    }
    if (plan->cores) {
        put_tree(to, a, plan);
    } else if (a->of->ranks > 1 && !plan->bus) {
        put_star(to, a, plan);
    }
    text_addf(to, "}\n");
}

void machine_put(text_buffer *to, const inlay_machine_fit *a, const inlay_diag *said)
{
    const machine_plan plan = plan_of(a);
    machine_comment(to, a, said);
    put_graph(to, a, &plan);
}
