#include "partitioner.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- METIS: manual of version 5.1, section 4.1.1 ---- */

static void metis_head(FILE *to, inlay_id modules, int64_t links)
{
    (void)fprintf(to, "%" PRId32 " %" PRId64 " 010\n", modules, links);
}

static void metis_vertex(FILE *to, int64_t weight, int64_t neighbours)
{
    (void)neighbours;
    (void)fprintf(to, "%" PRId64, weight);
}

static void metis_command(const char *graph, const char *result, const char *argument[8])
{
    (void)result; /* it adds .part.16 to the graph's name */
    argument[0] = "gpmetis";
    argument[1] = "-ufactor=30";
    argument[2] = graph;
    argument[3] = "16";
    argument[4] = NULL;
}

/* What it prints is the processor's time. */
static double metis_partitioning(const bench_run *run)
{
    return bench_number_after(run->output, "Partitioning:");
}

/* ---- Scotch: manual of version 7.0, section 5.1 ---- */

static void scotch_head(FILE *to, inlay_id modules, int64_t links)
{
    (void)fprintf(to, "0\n%" PRId32 " %" PRId64 "\n0 001\n", modules, 2 * links);
}

static void scotch_vertex(FILE *to, int64_t weight, int64_t neighbours)
{
    (void)fprintf(to, "%" PRId64 " %" PRId64, weight, neighbours);
}

static void scotch_command(const char *graph, const char *result, const char *argument[8])
{
    (void)setenv("SCOTCH_PTHREAD_NUMBER", "1", 1);
    argument[0] = "scotch_gpart";
    argument[1] = "16";
    argument[2] = graph;
    argument[3] = result;
    argument[4] = "-vt";
    argument[5] = "-Cdf"; /* the same random numbers every time */
    argument[6] = NULL;
}

/* It prints elapsed times: their ratio tells the share of the processor's. */
static double scotch_partitioning(const bench_run *run)
{
    return run->worked * bench_number_after(run->output, "Mapping") / bench_number_after(run->output, "Total");
}

const bench_partitioner bench_partitioners[BENCH_PARTITIONERS] = {
    {"METIS", "gpmetis", "metis.graph", "metis.graph.part.16", metis_head, metis_vertex, 1, metis_command,
     metis_partitioning, false},
    {"Scotch", "scotch_gpart", "scotch.grf", "scotch.map", scotch_head, scotch_vertex, 0, scotch_command,
     scotch_partitioning, true},
};

/* ---- The graph's file ---- */

/* Weights of which all together fit into 32 bits with a sign, which is what both programs count with. */
static double weight_of_grain(const inlay_app *app)
{
    static const double most = 0x40000000;
    double total = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        total += (double)inlay_app_time(app, i);
    }
    return total > most ? most / total : 1;
}

static void write_vertices(const bench_partitioner *p, const inlay_app *app, FILE *to)
{
    double scale = weight_of_grain(app);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        int64_t before;
        const inlay_id *predecessor = inlay_app_predecessors(app, i, &before);
        inlay_links out = inlay_app_out(app, i);
        p->write_vertex(to, (int64_t)ceil(scale * (double)inlay_app_time(app, i)), before + out.count);
        for (int64_t j = 0; j < before; j++) {
            (void)fprintf(to, " %" PRId32, predecessor[j] + p->first);
        }
        for (int64_t j = 0; j < out.count; j++) {
            (void)fprintf(to, " %" PRId32, out.module[j] + p->first);
        }
        (void)fputc('\n', to);
    }
}

int bench_partitioner_write(const bench_partitioner *partitioner, const inlay_app *app, const char *folder)
{
    char path[BENCH_PATH];
    bench_folder_path(folder, partitioner->graph, path);
    FILE *to = fopen(path, "w");
    if (to == NULL) {
        return INLAY_SYSTEM;
    }
    partitioner->write_head(to, inlay_app_modules(app), inlay_app_links(app));
    write_vertices(partitioner, app, to);
    int failed = ferror(to);
    return fclose(to) != 0 || failed ? INLAY_SYSTEM : INLAY_OK;
}

/* ---- Running, and the result ---- */

int bench_partitioner_run(const bench_partitioner *partitioner, const char *folder, bench_run *run)
{
    char graph[BENCH_PATH];
    char result[BENCH_PATH];
    const char *argument[8];
    bench_folder_path(folder, partitioner->graph, graph);
    bench_folder_path(folder, partitioner->result, result);
    partitioner->command(graph, result, argument);
    return bench_program_run(argument, run);
}

/* The next number of the file, which is from 0 to `most`; -1 where it is not. */
static long next_number(FILE *from, long most)
{
    char text[24];
    if (fscanf(from, "%23s", text) != 1) {
        return -1;
    }
    char *end;
    long number = strtol(text, &end, 10);
    return *end == '\0' && number <= most ? number : -1;
}

static int read_parts(const bench_partitioner *p, FILE *from, inlay_id modules, inlay_id *part_of)
{
    if (p->numbered && next_number(from, modules) != modules) {
        return INLAY_BAD_INPUT;
    }
    for (inlay_id i = 0; i < modules; i++) {
        long module = p->numbered ? next_number(from, modules - 1) : i;
        long part = next_number(from, BENCH_PARTS - 1);
        if (module < 0 || part < 0) {
            return INLAY_BAD_INPUT;
        }
        part_of[module] = (inlay_id)part;
    }
    return INLAY_OK;
}

int bench_partitioner_read(const bench_partitioner *partitioner, const char *folder, inlay_id modules,
                           inlay_id *part_of)
{
    char path[BENCH_PATH];
    bench_folder_path(folder, partitioner->result, path);
    FILE *from = fopen(path, "r");
    if (from == NULL) {
        return INLAY_SYSTEM;
    }
    int status = read_parts(partitioner, from, modules, part_of);
    (void)fclose(from);
    return status;
}
