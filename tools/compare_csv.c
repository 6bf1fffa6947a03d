/* The rows of `inlay compare` as CSV: one line a row, quoted as RFC 4180 has it. What there is not is an empty field. */
#include "compare.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char heading[] =
    "application,application_path,machine,machine_text,model,model_number,machine_processors,rank,reason,time_unit,"
    "time_frame,processors,traffic,weighted_traffic,traffic_unit,fits_with_delay,bottleneck,u,u_limit,load,tau,latency,"
    "estimate,estimate_fixed_point,lower_bound,speedup,efficiency,critical_path,compute,network,busiest,busy,seconds,"
    "price,currency,energy,simulated\n";

/* ---- Fields ---- */

void csv_text(FILE *to, const char *text, bool first)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    say(to, "%s%s", first ? "" : ",", quoted ? "\"" : "");
    for (const char *c = text; *c != '\0'; c++) {
        say(to, *c == '"' ? "\"\"" : "%c", *c);
    }
    say(to, quoted ? "\"" : "");
}

void csv_number(FILE *to, double value)
{
    say(to, ",");
    if (isfinite(value)) {
        char text[INLAY_NUMBER_TEXT];
        say(to, "%s", inlay_number_text(value, text));
    }
}

/* ---- Rows ---- */

static void put_names(FILE *to, const compare_row *row)
{
    const inlay_machine *machine = row->machine->machine;
    csv_text(to, row->app->name, true);
    csv_text(to, row->app->operand, false);
    csv_text(to, row->machine->name, false);
    csv_text(to, inlay_machine_text(machine), false);
    csv_text(to, inlay_family_name(inlay_machine_family(machine)), false);
    say(to, ",%d,%" PRId32 ",", inlay_machine_model(machine), inlay_machine_processors(machine));
    if (row->rank > 0) {
        say(to, "%d", row->rank);
    }
    csv_text(to, row->mapping != NULL ? "" : compare_reason(row), false);
    csv_text(to, inlay_unit_name(inlay_app_unit(row->app->app)), false);
}

static void put_figures(FILE *to, const compare_row *row)
{
    const inlay_summary *sum = inlay_mapping_summary(row->mapping);
    const inlay_bottleneck *parts = &row->bottleneck;
    const double numbers[] = {
        sum->u,
        sum->u_limit,
        sum->load,
        sum->tau,
        sum->latency,
        sum->estimate,
        sum->estimate_fixed_point,
        sum->lower_bound,
        sum->speedup,
        sum->efficiency,
        parts->critical_path,
        parts->compute,
        parts->network,
    };
    say(to, ",%s,%" PRId32 ",%" PRId64 ",%" PRId64 ",%s,%s,%s", sum->time_frame_text, sum->clusters, sum->traffic,
        sum->weighted_traffic, sum->traffic_in_bytes ? "bytes" : "messages", sum->fits_with_delay ? "true" : "false",
        inlay_limit_name(parts->limit));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        csv_number(to, numbers[i]);
    }
    say(to, ",%" PRId32, parts->processor);
    csv_number(to, parts->busy);
    csv_number(to, sum->seconds);
    csv_number(to, sum->price);
    csv_text(to, isfinite(sum->price) ? compare_currency(row->machine) : "", false);
    csv_number(to, sum->energy);
    csv_number(to, row->figures.simulated);
}

/* The same number of fields, all empty. */
static void put_nothing(FILE *to)
{
    size_t columns = 1, named = 10; /* up to time_unit they are there */
    for (const char *c = heading; *c != '\0'; c++) {
        columns += *c == ',';
    }
    for (size_t i = named; i < columns; i++) {
        say(to, ",");
    }
}

void compare_put_csv(FILE *to, const cli_answer *a)
{
    const comparison *all = a->of;
    say(to, "%s", heading);
    for (size_t i = 0; i < all->row_count; i++) {
        put_names(to, &all->rows[i]);
        if (all->rows[i].mapping != NULL) {
            put_figures(to, &all->rows[i]);
        } else {
            put_nothing(to);
        }
        say(to, "\n");
    }
}
