/* An application as an undirected graph. */
#include "io/undirected.h"
#include "base/diag.h"
#include "base/memory.h"
#include <inttypes.h>
#include <stdlib.h>

/* So that their number, with both ends of every edge, is half of what 32 bits count. */
enum { MOST_VERTICES = 1 << 30, MOST_EDGES = 1 << 29 };

typedef struct undirected {
    const inlay_app *app;
    edge_weight weight;
    int64_t *in_begin; /* links into each module, modules + 1 */
    inlay_id *in_from;
    int64_t *in_traffic;
    neighbour *row; /* room for the neighbours of any module */
    int64_t edges;
    double edge_scale, vertex_scale; /* for scaled() */
} undirected;

static void clear(undirected *g)
{
    free(g->in_begin);
    free(g->in_from);
    free(g->in_traffic);
    free(g->row);
}

static int64_t traffic_of(const undirected *g, const inlay_links *out, int64_t link)
{
    return g->weight == WEIGHT_BYTES ? out->bytes[link] : out->messages[link];
}

/* The links of all modules turned round, those into one module by rising source. */
static bool turn_round(undirected *g)
{
    inlay_id n = inlay_app_modules(g->app);
    size_t links = (size_t)inlay_app_links(g->app);
    g->in_begin = memory_zeroed((size_t)n + 1, sizeof *g->in_begin);
    g->in_from = memory_array(links, sizeof *g->in_from);
    g->in_traffic = memory_array(links, sizeof *g->in_traffic);
    if (g->in_begin == NULL || g->in_from == NULL || g->in_traffic == NULL) {
        return false;
    }
    for (inlay_id i = 0; i < n; i++) {
        inlay_links out = inlay_app_out(g->app, i);
        for (int64_t l = 0; l < out.count; l++) {
            g->in_begin[out.module[l]]++;
        }
    }
    int64_t sum = 0;
    for (inlay_id i = 0; i < n; i++) {
        sum += g->in_begin[i];
        g->in_begin[i] = sum;
    }
    g->in_begin[n] = sum;
    for (inlay_id i = n; i-- > 0;) {
        inlay_links out = inlay_app_out(g->app, i);
        for (int64_t l = out.count; l-- > 0;) {
            int64_t at = --g->in_begin[out.module[l]];
            g->in_from[at] = i;
            g->in_traffic[at] = traffic_of(g, &out, l);
        }
    }
    return true;
}

/* Add traffic with a module that is at least the last one of the row; the row's new length. */
static int64_t add_neighbour(neighbour *row, int64_t count, inlay_id module, int64_t traffic)
{
    if (traffic == 0) {
        return count;
    }
    if (count > 0 && row[count - 1].module == module) {
        row[count - 1].weight += traffic;
        return count;
    }
    row[count] = (neighbour){module, traffic};
    return count + 1;
}

/* Fill the row with the neighbours of a module in rising order; how many there are. */
static int64_t fill_row(const undirected *g, inlay_id module)
{
    neighbour *row = g->row;
    inlay_links out = inlay_app_out(g->app, module);
    int64_t o = 0, i = g->in_begin[module], end = g->in_begin[module + 1], count = 0;
    while (o < out.count || i < end) {
        if (i == end || (o < out.count && out.module[o] <= g->in_from[i])) {
            count = add_neighbour(row, count, out.module[o], traffic_of(g, &out, o));
            o++;
        } else {
            count = add_neighbour(row, count, g->in_from[i], g->in_traffic[i]);
            i++;
        }
    }
    return count;
}

/* ---- Weights ---- */

static int64_t scaled(double scale, int64_t weight)
{
    if (scale >= 1 || weight == 0) {
        return weight;
    }
    int64_t down = (int64_t)((double)weight * scale);
    return down > 0 ? down : 1;
}

/*
 * The factor for `count` weights of that sum. Rounded down, scaled weights stay inside what is left when each of those
 * that become 1 instead of 0 has had its share.
 */
static double scale_of(double sum, int64_t count)
{
    double room = (double)INT32_MAX - 1 - (double)count;
    return sum <= INT32_MAX ? 1 : room / sum;
}

/* Room for the longest row. */
static bool make_row(undirected *g)
{
    int64_t longest = 0;
    for (inlay_id i = 0; i < inlay_app_modules(g->app); i++) {
        int64_t length = inlay_app_out(g->app, i).count + g->in_begin[i + 1] - g->in_begin[i];
        longest = length > longest ? length : longest;
    }
    g->row = memory_array((size_t)longest, sizeof *g->row);
    return g->row != NULL;
}

/* The number of edges and the sums of weights; every edge stands in two rows. */
static void measure(undirected *g)
{
    int64_t ends = 0;
    double traffic = 0, work = 0;
    for (inlay_id i = 0; i < inlay_app_modules(g->app); i++) {
        int64_t count = fill_row(g, i);
        for (int64_t e = 0; e < count; e++) {
            traffic += (double)g->row[e].weight;
        }
        ends += count;
        work += (double)inlay_app_time(g->app, i);
    }
    g->edges = ends / 2;
    g->edge_scale = scale_of(traffic, ends);
    g->vertex_scale = scale_of(work, inlay_app_modules(g->app));
}

static bool has_shared_data(const inlay_app *app)
{
    for (inlay_id d = 0; d < inlay_app_data(app); d++) {
        if (inlay_app_datum(app, d).consumers > 1) {
            return true;
        }
    }
    return false;
}

static void warn(const undirected *g, const char *format, inlay_diag *diag)
{
    if (inlay_app_blocks(g->app) > 0) {
        diag_warn(diag, "%s has no place for data blocks: left out", format);
    }
    if (has_shared_data(g->app)) {
        diag_warn(diag, "%s has no place for data that several modules need: each edge has all of them", format);
    }
    if (g->vertex_scale < 1) {
        diag_warn(diag, "%s: times are scaled by %.3g, so that their sum fits into 32 bits", format, g->vertex_scale);
    }
    if (g->edge_scale < 1) {
        diag_warn(diag, "%s: traffic is scaled by %.3g, so that its sum fits into 32 bits", format, g->edge_scale);
    }
    if (g->edges == 0 && inlay_app_links(g->app) > 0) {
        diag_warn(diag, "%s: no link has %s, so the graph has no edges", format,
                  g->weight == WEIGHT_BYTES ? "bytes" : "messages");
    }
}

static int check_size(const undirected *g, const char *format, inlay_diag *diag)
{
    inlay_id vertices = inlay_app_modules(g->app);
    if (vertices <= MOST_VERTICES && g->edges <= MOST_EDGES) {
        return INLAY_OK;
    }
    return diag_fail(diag, INLAY_OVERFLOW,
                     "%d modules and %" PRId64 " edges cannot be written as %s; expected at most %d and %d",
                     (int)vertices, g->edges, format, MOST_VERTICES, MOST_EDGES);
}

static void write_graph(const undirected *g, const partitioner_form *form, inlay_file *to)
{
    line_writer w = {.to = to};
    form->head(&w, inlay_app_modules(g->app), g->edges);
    for (inlay_id i = 0; i < inlay_app_modules(g->app); i++) {
        int64_t count = fill_row(g, i);
        for (int64_t e = 0; e < count; e++) {
            g->row[e].weight = scaled(g->edge_scale, g->row[e].weight);
        }
        form->vertex(&w, scaled(g->vertex_scale, inlay_app_time(g->app, i)), g->row, count);
    }
    line_flush(&w);
}

int undirected_write(const inlay_app *app, edge_weight weight, const partitioner_form *form, inlay_file *to,
                     inlay_diag *diag)
{
    undirected g = {.app = app, .weight = weight};
    int status = turn_round(&g) && make_row(&g) ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        measure(&g);
        status = check_size(&g, form->name, diag);
    }
    if (status == INLAY_OK) {
        warn(&g, form->name, diag);
        write_graph(&g, form, to);
    }
    clear(&g);
    return status;
}
