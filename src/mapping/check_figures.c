/* The figures of the whole mapping. */
#include "mapping/check.h"

#include <math.h>

/* Both sides of a large graph's width are not computed; up to these sizes they are. */
enum { ALWAYS_EXACT = 100, MATCHED = 400 };

/* Fields that are not recomputed, but have to be there. */
static void expect_record(check *k)
{
    check_field(k, NULL, k->root, "inlay", CHECK_STRING);
    check_field(k, NULL, k->root, "command", CHECK_STRING);
    check_field(k, NULL, k->root, "seed", CHECK_INTEGER);
    check_field(k, NULL, k->root, "warnings", CHECK_ARRAY);
}

/* rho_p of the two bus models; NaN where no finite rate gives this u. */
static double processor_rate(const check *k)
{
    if (inlay_machine_memory_kind(k->machine) == INLAY_MEMORY_COMMON) return k->rho / 2;
    return k->rho < 1 ? k->rho / (1 - k->rho) : NAN;
}

static void compare_network(check *k)
{
    const char *where = "network";
    const json_t *network = check_field(k, NULL, k->root, where, CHECK_OBJECT);
    const double limit = 1; /* of both models */
    double rate = processor_rate(k);

    if (!(k->u < limit)) check_find(k, "network: u is %.15g, the time frame has to keep it below %g", k->u, limit);
    if (!network) return;
    check_text(k, where, network, "model", inlay_family_name(inlay_machine_family(k->machine)));
    check_flag(k, where, network, "free", k->free_network);
    check_number(k, where, network, "u", k->u);
    check_number(k, where, network, "u_limit", limit);
    check_number(k, where, network, "load", k->u / limit);
    check_number(k, where, network, "rho", k->rho);
    /* rho/(1 - rho) loses digits close to 1. */
    double spread = k->rho < 1 ? 1 / (1 - k->rho) : 1;
    check_number_within(k, where, network, "rho_processor", rate, rate == 0 ? 1e-12 : 1e-9 * fabs(rate) * spread);
    check_number(k, where, network, "delay", k->delay);
    check_number(k, where, network, "tau", k->tau);
    check_number(k, where, network, "latency", k->latency);
}

static int compare_fixed_point(check *k, const json_t *makespan)
{
    double fixed_point = NAN;
    bool doubtful = false;
    int status = check_fixed_point(k, &fixed_point, &doubtful);
    if (status != INLAY_OK) return status;
    if (doubtful && json_is_null(json_object_get(makespan, "estimate_fixed_point"))) return INLAY_OK;
    check_number(k, "makespan", makespan, "estimate_fixed_point", fixed_point);
    return INLAY_OK;
}

static int compare_makespan(check *k)
{
    const char *where = "makespan";
    const json_t *makespan = check_field(k, NULL, k->root, where, CHECK_OBJECT);
    if (!makespan) return INLAY_OK;
    double path = check_units(k, k->critical_path), longest = check_units(k, k->longest);
    double work = check_units(k, k->total_time) / k->processors;
    double lower = fmax(fmax(path, work), longest);
    double gap = lower > 0 || k->estimate > 0 ? k->estimate / lower - 1 : 0;

    check_number(k, where, makespan, "estimate", k->estimate);
    check_number(k, where, makespan, "lower_bound", lower);
    check_number_within(k, where, makespan, "gap", gap, 1e-9 * (1 + gap));
    const json_t *bounds = check_field(k, where, makespan, "bounds", CHECK_OBJECT);
    if (bounds) {
        check_time(k, "bounds", bounds, "critical_path", k->critical_path);
        check_time(k, "bounds", bounds, "longest_module", k->longest);
        check_number(k, "bounds", bounds, "work", work);
    }
    return compare_fixed_point(k, makespan);
}

static void compare_efficiency(check *k)
{
    double busiest = 0, total = check_units(k, k->total_time);
    for (inlay_id c = 0; c < k->clusters; c++)
        busiest = fmax(busiest, check_utilisation(k, c));
    /* A processor that is full to the last digit may round either way. */
    if (fabs(busiest - 1) > 1e-12)
        check_flag(k, NULL, k->root, "fits_with_delay", busiest <= 1);
    else
        check_field(k, NULL, k->root, "fits_with_delay", CHECK_BOOL);
    double speedup = k->estimate > 0 ? total / k->estimate : NAN;
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

int check_figures(check *k)
{
    expect_record(k);
    check_count(k, NULL, k->root, "messages", k->messages);
    check_count(k, NULL, k->root, "traffic", k->traffic);
    check_text(k, NULL, k->root, "traffic_unit", k->in_bytes ? "bytes" : "messages");
    compare_network(k);
    compare_efficiency(k);
    int status = compare_makespan(k);
    return status == INLAY_OK ? compare_parallelism(k) : status;
}
