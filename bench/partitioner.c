#include "partitioner.h"
#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- METIS ---- */

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

/* ---- Scotch ---- */

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
    {"METIS", "gpmetis", "metis", "metis.graph", "metis.graph.part.16", metis_command, metis_partitioning, false},
    {"Scotch", "scotch_gpart", "scotch", "scotch.grf", "scotch.map", scotch_command, scotch_partitioning, true},
};

/* ---- The graph's file ---- */

int bench_partitioner_write(const bench_partitioner *partitioner, const inlay_app *app, const char *folder)
{
    char path[BENCH_PATH];
    bench_folder_path(folder, partitioner->graph, path);
    return inlay_app_write(app, path, partitioner->format, NULL);
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
