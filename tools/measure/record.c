/* A whole measurement. */
#include "record.h"
#include "kernels.h"
#include "messages.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, PAIRS = 64 /* unless told otherwise */ };

/* ---- Lists of numbers; NULL where memory is out, as everywhere in jansson, whose setters pass that on ---- */

/* Nine digits, more than any clock has: the file of --raw tells them all, so that --from comes to the same figures. */
static double rounded(double value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

json_t *record_numbers(const double *value, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count && list != NULL; i++) {
        if (json_array_append_new(list, json_real(rounded(value[i]))) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

json_t *record_by_size(const cluster *all, const messages *m, const double *seconds)
{
    json_t *list = json_array();
    for (int s = 0; s < m->sizes; s++) {
        (void)json_array_append_new(list, record_numbers(seconds + (size_t)s * (size_t)all->repeats, all->repeats));
    }
    return list;
}

/* The ranks of a host, or -1: the first of each host. */
static json_t *ranks_of(const cluster *all, int host)
{
    json_t *list = json_array();
    for (int r = 0; r < all->ranks; r++) {
        int own = all->host_of[r];
        if (host >= 0 ? own == host : all->first[own] == r) {
            (void)json_array_append_new(list, json_integer(r));
        }
    }
    return list;
}

/* ---- Heading ---- */

static json_t *date_now(void)
{
    char text[sizeof "2026-01-01T00:00:00Z"] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) {
        (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    return json_string(text);
}

/* "Open MPI v4.1.4": what comes before a comma or the end of the line, blanks alone between words. */
static json_t *mpi_version(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (char *c = text; *c != '\0'; c++) {
        *c = *c == '\t' ? ' ' : *c;
    }
    return json_string(text);
}

static json_t *compiler_version(void)
{
#ifdef __clang__
    return json_string(__VERSION__);
#else
    return json_string("gcc " __VERSION__);
#endif
}

static json_t *launched_as(const measure_values *values, int ranks)
{
    const char *launcher = measure_launcher(values);
    const char *hosts = values->hosts != NULL ? values->hosts : values->hostfile;
    return hosts != NULL ? json_sprintf("%s -n %d --hostfile %s", launcher, ranks, hosts)
                         : json_sprintf("%s -n %d", launcher, ranks);
}

static json_t *hosts_of(const cluster *all)
{
    json_t *list = json_array();
    for (int h = 0; h < all->hosts; h++) {
        json_t *memory = all->memory[h] > 0 ? json_integer((json_int_t)all->memory[h]) : json_null();
        json_t *cores = all->cores[h] > 0 ? json_integer(all->cores[h]) : json_null();
        json_t *numa = all->numa[h] > 0 ? json_integer(all->numa[h]) : json_null();
        (void)json_array_append_new(list,
                                    json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", cluster_name(all, h), "ranks",
                                              ranks_of(all, h), "memory", memory, "cores", cores, "numa_nodes", numa));
    }
    return list;
}

/* What a recording begins with: versions, date, how it was started, hosts. A new reference, or NULL. */
static json_t *record_heading(const cluster *all, const measure_values *values, double others)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o*}", "inlay", inlay_version(), "date", date_now(), "mpi",
                     mpi_version(), "compiler", compiler_version(), "launched", launched_as(values, all->ranks),
                     "hosts", hosts_of(all), "others", others < 0 ? NULL : json_real(others));
}

/* ---- Kernels ---- */

static json_t *two(const double *alone, const double *together, int repeats)
{
    return json_pack("{s:o, s:o}", "alone", record_numbers(alone, repeats), "all", record_numbers(together, repeats));
}

/* `values` has KERNELS * repeats of each rank. */
static void put_compute(const cluster *all, const double *values, json_t *to)
{
    json_t *list = json_array();
    int n = all->repeats;
    for (int r = 0; r < all->ranks; r++) {
        const double *own = values + (ptrdiff_t)r * KERNELS * n;
        json_t *arithmetic = two(own + (ptrdiff_t)ARITHMETIC_ALONE * n, own + (ptrdiff_t)ARITHMETIC_ALL * n, n);
        json_t *function = two(own + (ptrdiff_t)FUNCTION_ALONE * n, own + (ptrdiff_t)FUNCTION_ALL * n, n);
        (void)json_array_append_new(
            list, json_pack("{s:i, s:o, s:o}", "rank", r, "arithmetic", arithmetic, "function", function));
    }
    (void)json_object_set_new(to, "compute", list);
}

/* The ranks of a host together; `sum` has room for `repeats`. */
static void add_up(const cluster *all, const double *values, int host, double *sum)
{
    for (int i = 0; i < all->repeats; i++) {
        sum[i] = 0;
        for (int r = 0; r < all->ranks; r++) {
            ptrdiff_t at = ((ptrdiff_t)r * KERNELS + MEMORY_ALL) * all->repeats + i;
            sum[i] += all->host_of[r] == host ? values[at] : 0;
        }
    }
}

static void put_memory(const cluster *all, const double *values, double *sum, json_t *to)
{
    json_t *list = json_array();
    for (int h = 0; h < all->hosts; h++) {
        const double *alone = values + ((ptrdiff_t)all->first[h] * KERNELS + MEMORY_ALONE) * all->repeats;
        add_up(all, values, h, sum);
        (void)json_array_append_new(list, json_pack("{s:i, s:o, s:o}", "host", h, "alone",
                                                    record_numbers(alone, all->repeats), "all",
                                                    record_numbers(sum, all->repeats)));
    }
    (void)json_object_set_new(to, "memory", list);
}

static int record_kernels(const cluster *all, json_t *to)
{
    int each = KERNELS * all->repeats;
    size_t room = all->rank == 0 ? (size_t)all->ranks * (size_t)each : 1;
    double *own = calloc((size_t)each, sizeof *own), *values = calloc(room, sizeof *values);
    int status = cluster_agree(own == NULL || values == NULL ? INLAY_NO_MEMORY : INLAY_OK);
    status = status == INLAY_OK ? kernels_measure(all, own) : status;
    if (status == INLAY_OK) {
        MPI_Gather(own, each, MPI_DOUBLE, values, each, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (status == INLAY_OK && all->rank == 0) {
        put_compute(all, values, to);
        put_memory(all, values, own, to); /* whose own values are among all by now */
    }
    free(own);
    free(values);
    return status;
}

/* ---- Messages ---- */

static int record_pairs(const cluster *all, const measure_values *values, const messages *m, json_t *to)
{
    rank_pair *list = NULL;
    int count = 0;
    bool sampled = false;
    int most = values->pairs > 0 ? values->pairs : PAIRS;
    int status = cluster_agree(pairs_choose(all, most, values->common.seed, &list, &count, &sampled));
    json_t *pairs = json_array();
    for (int i = 0; i < count && status == INLAY_OK; i++) {
        pair_measure(all, m, list[i]);
        if (all->rank == 0) {
            (void)json_array_append_new(pairs, json_pack("{s:i, s:i, s:o, s:o, s:o}", "from", list[i].from, "to",
                                                         list[i].to, "seconds", record_by_size(all, m, m->seconds),
                                                         "send", record_by_size(all, m, m->send), "receive",
                                                         record_by_size(all, m, m->receive)));
        }
    }
    (void)json_object_set_new(to, "pairs", pairs);
    (void)json_object_set_new(to, "sampled", json_boolean(sampled));
    free(list);
    return status;
}

/* The first host with more than one rank; -1 where there is none. */
static int crowded_host(const cluster *all)
{
    int host = 0;
    while (host < all->hosts && all->count[host] < 2) {
        host++;
    }
    return host < all->hosts ? host : -1;
}

/* How many ranks before this one are of a host, or first of theirs. */
static int place_of(const cluster *all, int host)
{
    int place = 0;
    for (int r = 0; r < all->rank; r++) {
        int own = all->host_of[r];
        place += host >= 0 ? own == host : all->first[own] == r;
    }
    return place;
}

static void record_ring(const cluster *all, const messages *m, inlay_pair_class class, json_t *rings)
{
    int own = all->host_of[all->rank], host = class == INLAY_PAIR_CORE ? crowded_host(all) : -1;
    bool member = host >= 0 ? own == host : all->first[own] == all->rank;
    ring_measure(all, m, member ? place_of(all, host) : -1);
    if (all->rank == 0) {
        (void)json_array_append_new(rings,
                                    json_pack("{s:s, s:o, s:o}", "class", inlay_pair_class_name(class), "ranks",
                                              ranks_of(all, host), "seconds", record_by_size(all, m, m->seconds)));
    }
}

static void record_rings(const cluster *all, const messages *m, json_t *to)
{
    json_t *rings = json_array();
    if (all->hosts > 1) {
        record_ring(all, m, INLAY_PAIR_NETWORK, rings);
    }
    if (crowded_host(all) >= 0) {
        record_ring(all, m, INLAY_PAIR_CORE, rings);
    }
    (void)json_object_set_new(to, "rings", rings);
}

void record_sizes(const messages *m, json_t *to)
{
    json_t *list = json_array();
    for (int s = 0; s < m->sizes; s++) {
        (void)json_array_append_new(list, json_integer(m->size[s]));
    }
    (void)json_object_set_new(to, "sizes", list);
}

static int record_messages(const cluster *all, const measure_values *values, json_t *to)
{
    int64_t size[MEASURE_SIZES];
    int sizes = measure_sizes(values, size);
    messages m = {0};
    int status = messages_make(all, size, sizes, &m);
    if (status != INLAY_OK) {
        return status;
    }
    record_sizes(&m, to);
    m.overheads = true;
    status = record_pairs(all, values, &m, to);
    if (status == INLAY_OK) {
        record_rings(all, &m, to);
        status = record_topology(all, values, &m, to);
    }
    messages_clear(&m);
    return status;
}

/* ---- The whole ---- */

int record(const measure_values *values, json_t **json)
{
    cluster all = {.repeats = values->repeat > 0 ? values->repeat : REPEATS};
    int status = cluster_find(&all);
    double others = status == INLAY_OK ? cluster_others() : -1;
    json_t *made = status == INLAY_OK ? record_heading(&all, values, others) : NULL;
    status = status == INLAY_OK ? cluster_agree(made == NULL ? INLAY_NO_MEMORY : INLAY_OK) : status;
    if (values->hosts != NULL) {
        status = status == INLAY_OK ? record_advisor(&all, values, made) : status;
    } else {
        status = status == INLAY_OK ? record_kernels(&all, made) : status;
        status = status == INLAY_OK ? record_messages(&all, values, made) : status;
    }
    if (status == INLAY_OK && all.rank == 0) {
        *json = made;
    } else {
        json_decref(made);
    }
    cluster_clear(&all);
    return status;
}

/* ---- Its text ---- */

enum { DUMPED = JSON_ENCODE_ANY | JSON_REAL_PRECISION(12) };

/* An array of objects or arrays has a line for each. */
static bool write_member(FILE *to, const json_t *value)
{
    size_t count = json_array_size(value);
    if (count == 0 || json_is_number(json_array_get(value, 0))) {
        return json_dumpf(value, to, DUMPED) == 0;
    }
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        say(to, "%s\n    ", i > 0 ? "," : "[");
        good = json_dumpf(json_array_get(value, i), to, DUMPED) == 0;
    }
    say(to, "\n  ]");
    return good;
}

char *record_text(const json_t *json, size_t *size)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, size);
    bool good = to != NULL;
    const char *before = "{";
    for (void *at = json_object_iter((json_t *)json); at != NULL && good;
         at = json_object_iter_next((json_t *)json, at)) {
        say(to, "%s\n  \"%s\": ", before, json_object_iter_key(at));
        good = write_member(to, json_object_iter_value(at));
        before = ",";
    }
    if (to != NULL) {
        say(to, "\n}\n");
        good = ferror(to) == 0 && good;
        good = fclose(to) == 0 && good;
    }
    if (!good) {
        free(text);
        text = NULL;
    }
    return text;
}
