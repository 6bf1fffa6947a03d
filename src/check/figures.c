/* The figures of the whole mapping. */
#include "check/check.h"

#include <math.h>
#include <string.h>

/* Both sides of a large graph's width are not computed; up to these sizes they are. */
enum { ALWAYS_EXACT = 100, MATCHED = 400 };

static bool made_by(const check *k, const char *command)
{
    if (k->method == NULL) return strcmp(command, "evaluate") == 0;
    return strcmp(command, "map") == 0 || strcmp(command, "pareto") == 0;
}

/* Fields that are not recomputed, but have to be there. */
static void expect_record(check *k)
{
    check_field(k, NULL, k->root, "inlay", CHECK_STRING);
    const json_t *command = check_field(k, NULL, k->root, "command", CHECK_STRING);
    if (command && !made_by(k, json_string_value(command)))
        check_find(k, "command is '%.100s', which does not make a mapping of that method", json_string_value(command));
    check_field(k, NULL, k->root, "seed", CHECK_INTEGER);
    check_field(k, NULL, k->root, "warnings", CHECK_ARRAY);
}

/* rho_p; NaN where no finite rate of a processor of model 2 gives this u. */
static double processor_rate(const check *k)
{
    switch (inlay_machine_model(k->machine)) {
    case 1: return k->rho / 2;
    case 2: return k->rho < 1 ? k->rho / (1 - k->rho) : NAN;
    default: return k->rho;
    }
}

/* As check_number() has it, and what the last digits of u can move besides. */
static void compare_sensitive(check *k, const json_t *network, const char *name, double expected, double spread)
{
    double slack = expected == 0 ? 1e-12 : (1e-9 + k->doubt) * fabs(expected);
    check_number_within(k, "network", network, name, expected, slack + spread);
}

static int compare_network(check *k)
{
    const char *where = "network";
    const json_t *network = check_field(k, NULL, k->root, where, CHECK_OBJECT);
    double limit = (double)k->network.limit, rate = processor_rate(k);

    if (k->saturated) check_find(k, "network: u is %.15g, the time frame has to keep it below %.15g", k->u, limit);
    if (!network) return INLAY_OK;
    check_text(k, where, network, "model", inlay_family_name(inlay_machine_family(k->machine)));
    check_count(k, where, network, "model_number", inlay_machine_model(k->machine));
    check_flag(k, where, network, "free", k->network.free);
    check_number(k, where, network, "u", k->u);
    check_number(k, where, network, "u_limit", limit);
    check_number(k, where, network, "load", k->u / limit);
    compare_sensitive(k, network, "rho", k->rho, k->rho_spread);
    /* rho/(1 - rho) loses digits close to 1. */
    double lost = k->rho < 1 ? 1e-9 * fabs(rate) / (1 - k->rho) : 0;
    compare_sensitive(k, network, "rho_processor", rate, inlay_machine_model(k->machine) == 2 ? lost : k->rho_spread);
    compare_sensitive(k, network, "delay", k->delay, k->delay_spread);
    check_number(k, where, network, "tau", k->tau);
    check_number(k, where, network, "latency", k->network.latency);
    return check_busiest(k, network);
}

static int compare_fixed_point(check *k, const json_t *makespan)
{
    const json_t *value = json_object_get(makespan, "estimate_fixed_point");
    double fixed_point = NAN;
    bool doubtful = false;
    int status = check_fixed_point(k, &fixed_point, &doubtful);
    if (status != INLAY_OK || (doubtful && json_is_null(value))) return status;
    check_number(k, "makespan", makespan, "estimate_fixed_point", fixed_point);
    return INLAY_OK;
}

/* The bands are the study's, and no claim of the mapping: they stand as the library has them. */
static void compare_band(check *k, const json_t *makespan, const char *name, bool known, const inlay_error_band *band)
{
    bool null;
    const json_t *said = check_field_or_null(k, "makespan", makespan, name, CHECK_OBJECT, &null);
    check_counted(k, 1);
    if (null == known) check_find(k, "makespan: %s is %s", name, known ? "known" : "not known");
    if (!said || !known) return;
    check_number(k, name, said, "mean", band->mean);
    check_number(k, name, said, "low", band->low);
    check_number(k, name, said, "high", band->high);
}

static void compare_bands(check *k, const json_t *makespan)
{
    double load = k->u / (double)k->network.limit;
    inlay_error_band band;
    compare_band(k, makespan, "estimate_band", inlay_estimate_band(k->machine, load, &band), &band);
    compare_band(k, makespan, "screen_band", inlay_screen_band(k->machine, load, &band), &band);
}

static int compare_makespan(check *k)
{
    const char *where = "makespan";
    const json_t *makespan = check_field(k, NULL, k->root, where, CHECK_OBJECT);
    double lower = 0;
    if (!makespan) return INLAY_OK;
    int status = check_bounds(k, makespan, &lower);
    if (status != INLAY_OK) return status;
    double gap = lower > 0 || k->elapsed > 0 ? k->elapsed / lower - 1 : 0;

    check_number(k, where, makespan, "estimate", k->estimate);
    check_number(k, where, makespan, "lower_bound", lower);
    check_number_within(k, where, makespan, "gap", gap, (1e-9 + k->doubt) * (1 + fabs(gap)));
    compare_bands(k, makespan);
    return compare_fixed_point(k, makespan);
}

static double busiest_said(const check *k)
{
    double busiest = 0;
    for (inlay_id c = 0; c < k->clusters; c++)
        busiest = fmax(busiest, json_number_value(json_object_get(k->cluster[c].said, "utilisation")));
    return busiest;
}

static void compare_efficiency(check *k)
{
    double busiest = 0, total = check_units(k, k->total_time) / k->speed;
    for (inlay_id c = 0; c < k->clusters; c++)
        busiest = fmax(busiest, check_utilisation(k, c));
    /* A processor that is full to the last digit may round either way: the file's own, which was compared, decides. */
    if (!(fabs(busiest - 1) > 1e-12 + k->doubt)) busiest = busiest_said(k);
    check_flag(k, NULL, k->root, "fits_with_delay", busiest <= 1);
    double speedup = k->elapsed > 0 ? total / k->elapsed : NAN;
    check_number(k, NULL, k->root, "speedup", speedup);
    check_number(k, NULL, k->root, "efficiency", speedup / k->clusters);
}

/* The largest antichain: recomputed where the graph is small, else only held against what bounds it. */
static int compare_exact_width(check *k, const json_t *parallelism, inlay_id level_width)
{
    bool null;
    const json_t *value = check_field_or_null(k, "parallelism", parallelism, "exact_width", CHECK_INTEGER, &null);
    if (null && k->modules <= ALWAYS_EXACT)
        check_find(k, "parallelism: exact_width is null for only %ld modules", (long)k->modules);
    if (!value) return INLAY_OK;
    if (k->modules <= MATCHED) {
        inlay_id width = 0;
        int status = check_antichain(k, &width);
        if (status == INLAY_OK) check_count(k, "parallelism", parallelism, "exact_width", width);
        return status;
    }
    json_int_t width = json_integer_value(value);
    check_counted(k, 1);
    if (width < level_width || width > k->modules)
        check_find(k, "parallelism: exact_width is from %ld to %ld, the file says %lld", (long)level_width,
                   (long)k->modules, (long long)width);
    return INLAY_OK;
}

static int compare_parallelism(check *k)
{
    const char *where = "parallelism";
    const json_t *parallelism = check_field(k, NULL, k->root, where, CHECK_OBJECT);
    inlay_id most = 0, level_width = 0;

    if (!parallelism) return INLAY_OK;
    int status = check_parallelism(k, &most);
    if (status == INLAY_OK) status = check_level_width(k, &level_width);
    if (status != INLAY_OK) return status;
    check_count(k, where, parallelism, "clusters", most);
    check_text(k, where, parallelism, "counted", k->parallel == CHECK_LEVEL ? "level" : "overlap");
    check_count(k, where, parallelism, "level_width", level_width);
    return compare_exact_width(k, parallelism, level_width);
}

/* What follows from the elapsed time is held against that of the file. */
static void read_elapsed(check *k)
{
    const json_t *elapsed = check_field(k, NULL, k->root, "elapsed", CHECK_NUMBER);
    k->elapsed = elapsed ? json_number_value(elapsed) : NAN;
}

int check_figures(check *k)
{
    expect_record(k);
    read_elapsed(k);
    check_count(k, NULL, k->root, "messages", k->messages);
    check_count(k, NULL, k->root, "traffic", k->traffic);
    check_count(k, NULL, k->root, "weighted_traffic", k->weighted);
    check_text(k, NULL, k->root, "traffic_unit", k->network.in_bytes ? "bytes" : "messages");
    int status = compare_network(k);
    compare_efficiency(k);
    check_run(k);
    if (status == INLAY_OK) status = compare_makespan(k);
    return status == INLAY_OK ? compare_parallelism(k) : status;
}
