/* What a synthetic program printed, beside what was predicted. */
#include "base/memory.h"
#include <inlay/measured.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void inlay_measured_program_clear(inlay_measured_program *m)
{
    for (inlay_id r = 0; m->rank != NULL && r < m->ranks; r++) {
        free(m->rank[r].host);
    }
    free(m->rank);
    free(m->run);
    *m = (inlay_measured_program){0};
}

/* ---- The object ---- */

/* The object that begins with a line of its own; NULL where there is none. */
static json_t *find_object(FILE *said)
{
    char *line = NULL;
    size_t room = 0;
    json_t *found = NULL;
    long begin = 0;
    rewind(said);
    while (found == NULL && getline(&line, &room, said) > 0) {
        long next = ftell(said);
        if (line[0] == '{' && fseek(said, begin, SEEK_SET) == 0) {
            found = json_loadf(said, JSON_DISABLE_EOF_CHECK, NULL);
            (void)fseek(said, next, SEEK_SET);
        }
        begin = next;
    }
    free(line);
    return found;
}

/* A time: a finite number that is not negative. */
static bool read_time(const json_t *value, double *time)
{
    double read = json_is_number(value) ? json_number_value(value) : -1;
    if (!(read >= 0) || !isfinite(read)) {
        return false;
    }
    *time = read;
    return true;
}

static int read_runs(const json_t *runs, inlay_measured_program *m)
{
    size_t i;
    json_t *run;
    bool good = json_array_size(runs) > 0;
    m->run = memory_zeroed(json_array_size(runs), sizeof *m->run);
    if (m->run == NULL) {
        return INLAY_NO_MEMORY;
    }
    m->least = INFINITY;
    json_array_foreach(runs, i, run)
    {
        good = good && read_time(run, &m->run[i]);
        m->least = fmin(m->least, m->run[i]);
        m->most = fmax(m->most, m->run[i]);
    }
    m->runs = (int64_t)json_array_size(runs);
    return good ? INLAY_OK : INLAY_BAD_INPUT;
}

/* ---- Ranks ---- */

/* The rows may come in any order. Those of ranks that the program does not need are left out. */
static int read_rank(const json_t *row, inlay_measured_program *m)
{
    const json_t *number = json_object_get(row, "rank");
    const char *host = json_string_value(json_object_get(row, "host"));
    json_int_t rank = json_is_integer(number) ? json_integer_value(number) : -1;
    inlay_measured_rank of = {0};
    if (rank < 0 || host == NULL || !read_time(json_object_get(row, "busy"), &of.busy) ||
        !read_time(json_object_get(row, "wait"), &of.wait) || !read_time(json_object_get(row, "other"), &of.other) ||
        !read_time(json_object_get(row, "idle"), &of.idle)) {
        return INLAY_BAD_INPUT;
    }
    if (rank >= m->ranks || m->rank[rank].host != NULL) {
        return INLAY_OK;
    }
    of.host = memory_string(host);
    m->rank[rank] = of;
    return of.host != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

static int read_ranks(const json_t *rows, inlay_id ranks, inlay_measured_program *m)
{
    size_t i;
    json_t *row;
    m->rank = memory_zeroed((size_t)ranks, sizeof *m->rank);
    if (m->rank == NULL) {
        return INLAY_NO_MEMORY;
    }
    m->ranks = ranks;
    int status = INLAY_OK;
    json_array_foreach(rows, i, row)
    {
        status = status == INLAY_OK ? read_rank(row, m) : status;
    }
    for (inlay_id r = 0; r < ranks && status == INLAY_OK; r++) {
        status = m->rank[r].host != NULL ? INLAY_OK : INLAY_BAD_INPUT;
    }
    return status;
}

int inlay_measured_program_read(FILE *said, inlay_id ranks, inlay_measured_program *read)
{
    json_t *object = find_object(said);
    inlay_measured_program m = {0};
    int status = INLAY_BAD_INPUT;
    if (read_time(json_object_get(object, "elapsed"), &m.elapsed)) {
        status = read_runs(json_object_get(object, "runs"), &m);
    }
    status = status == INLAY_OK ? read_ranks(json_object_get(object, "ranks"), ranks, &m) : status;
    json_decref(object);
    if (status != INLAY_OK) {
        inlay_measured_program_clear(&m);
        return status;
    }
    *read = m;
    return INLAY_OK;
}

/* ---- Beside the predictions ---- */

double inlay_measured_estimate(const inlay_measured_run *run)
{
    return inlay_mapping_summary(run->mapping)->estimate * run->from_app;
}

double inlay_measured_simulated(const inlay_measured_run *run)
{
    return inlay_simulation_result(run->simulation)->makespan * run->from_app;
}

bool inlay_measured_shares_cores(const inlay_measured_run *run)
{
    return run->cores > 0 && run->processes > run->cores;
}

inlay_run_work inlay_measured_work(const inlay_measured_run *run)
{
    const inlay_synth_summary *s = inlay_synth_result(run->synth);
    bool in_simgrid = strcmp(run->engine, "smpi") == 0; /* where all work takes its time without being done */
    return in_simgrid || !s->counted ? INLAY_RUN_TIMES : s->timed ? INLAY_RUN_MIXED : INLAY_RUN_COUNTS;
}

double inlay_measured_error(double predicted, double measured)
{
    return measured > 0 ? (predicted - measured) / measured : NAN;
}

inlay_measured_shares inlay_measured_simulated_shares(const inlay_measured_run *run, inlay_id rank)
{
    inlay_id cluster = inlay_synth_cluster(run->synth, rank);
    if (cluster < 0) {
        return (inlay_measured_shares){.idle = inlay_measured_simulated(run)};
    }
    inlay_simulated_processor of = inlay_simulation_processor(run->simulation, cluster);
    return (inlay_measured_shares){of.busy * run->from_app, (of.communicating + of.blocked) * run->from_app,
                                   of.idle * run->from_app};
}
