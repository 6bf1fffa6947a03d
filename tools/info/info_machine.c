/* Facts about machines, as text. */
#include "info.h"
#include "report.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LABEL = 19, SHOWN_KINDS = 8 };

static void say_number(const char *one, const char *many, int64_t count)
{
    say(stdout, "%" PRId64 " %s", count, count == 1 ? one : many);
}

/* ---- Text ---- */

static void print_processors(const inlay_machine_facts *facts)
{
    char text[BYTES_TEXT];
    const inlay_machine *machine = facts->machine;
    say(stdout, "processors          %" PRId32, inlay_machine_processors(machine));
    if (inlay_machine_has_links(machine)) {
        say(stdout, " on ");
        say_number("host", "hosts", inlay_machine_hosts(machine));
    }
    say(stdout, "\n");
    if (inlay_machine_main(machine) >= 0) {
        char name[INLAY_MACHINE_NAME];
        say(stdout, "main memory         at host %s\n",
            inlay_machine_node_name(machine, inlay_machine_main(machine), name));
    }
    for (size_t i = 0; i < facts->processor_kind_count && i < SHOWN_KINDS; i++) {
        const inlay_processor_kind *kind = &facts->processor_kinds[i];
        say(stdout, "%-*s %" PRId32 " of ", LABEL, i == 0 ? "kinds" : "", kind->processors);
        if (kind->is.type != NULL) {
            say(stdout, "type %-s, ", kind->is.type);
        }
        say(stdout, "speed %.10g, ", kind->is.speed);
        if (kind->is.memory < 0) {
            say(stdout, "memory unlimited\n");
        } else {
            say(stdout, "memory %s%s\n", bytes_text(kind->is.memory, text),
                kind->processors > kind->hosts ? " a host" : "");
        }
    }
    if (facts->processor_kind_count > SHOWN_KINDS) {
        say(stdout, "                    and %zu kinds more\n", facts->processor_kind_count - SHOWN_KINDS);
    }
}

/* The largest of some units that leaves at least 1; the smallest where none does. */
typedef struct scaled_unit {
    const char *name;
    double size;
} scaled_unit;

static void say_scaled(double number, const scaled_unit *units, size_t count)
{
    size_t i = 0;
    while (i + 1 < count && number < units[i].size) {
        i++;
    }
    say(stdout, "%.6g %s", number / units[i].size, units[i].name);
}

static void say_rate(double rate, bool bytes)
{
    static const scaled_unit of_bytes[] = {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}, messages = {"msg", 1};
    say_scaled(rate, bytes ? of_bytes : &messages, bytes ? sizeof of_bytes / sizeof *of_bytes : 1);
}

static void say_time(double time, inlay_unit unit)
{
    static const scaled_unit of_seconds[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}, ticks = {"ticks", 1};
    bool seconds = unit == INLAY_UNIT_S;
    say_scaled(time, seconds ? of_seconds : &ticks, seconds ? sizeof of_seconds / sizeof *of_seconds : 1);
}

static void print_link_kind(const inlay_machine *machine, const inlay_link_kind *kind)
{
    say(stdout, "%" PRId32 " of ", kind->links);
    if (inlay_machine_links_known(machine)) {
        say_rate(kind->is.capacity, inlay_machine_links_in_bytes(machine));
        say(stdout, "/%s", inlay_unit_name(inlay_machine_link_unit(machine)));
    } else {
        say(stdout, "unknown capacity");
    }
    if (kind->is.latency > 0) {
        say(stdout, ", latency ");
        say_time(kind->is.latency, inlay_machine_link_unit(machine));
    }
    say(stdout, "%s%s\n", kind->is.shared ? ", shared by both ways" : "",
        kind->is.parallel ? ", where messages do not meet" : "");
}

static void print_links(const inlay_machine_facts *facts)
{
    const inlay_machine *machine = facts->machine;
    say_label(stdout, LABEL, "switches");
    say(stdout, "%" PRId32 "\n", inlay_machine_nodes(machine) - inlay_machine_hosts(machine));
    say(stdout, "links               %" PRId32 "\n", inlay_machine_links(machine));
    for (size_t i = 0; i < facts->link_kind_count && i < SHOWN_KINDS; i++) {
        say_label(stdout, LABEL, i == 0 ? "link kinds" : "");
        print_link_kind(machine, &facts->link_kinds[i]);
    }
    if (facts->link_kind_count > SHOWN_KINDS) {
        say(stdout, "                    and %zu kinds more\n", facts->link_kind_count - SHOWN_KINDS);
    }
    say_label(stdout, LABEL, "switching");
    say(stdout, "%s\n", inlay_machine_cut_through(machine) ? "cut-through" : "store-and-forward");
}

static void print_distances(const inlay_machine_facts *facts)
{
    say_label(stdout, LABEL, "distance");
    if (isnan(facts->mean_distance)) {
        say(stdout, "0\n");
        return;
    }
    say(stdout, "at most %d, %.4g in the mean", facts->diameter, facts->mean_distance);
    if (facts->sources < inlay_machine_hosts(facts->machine)) {
        say(stdout, ", from %" PRId32 " of the hosts", facts->sources);
    }
    say(stdout, "\n");
    if (facts->bisection >= 0) {
        say_label(stdout, LABEL, "bisection");
        say_number("link", "links", facts->bisection);
        say(stdout, " between two halves\n");
    }
}

static void print_operation(const char *word, bool given, const inlay_duration *each)
{
    if (given) {
        bool ticks = each->unit == INLAY_UNIT_TICK;
        double time = inlay_decimal_double(each->value);
        say_label(stdout, LABEL, word);
        say_time(ticks ? time : time * inlay_unit_seconds(each->unit), ticks ? INLAY_UNIT_TICK : INLAY_UNIT_S);
        say(stdout, ", at speed 1\n");
    }
}

/* What one of the operations takes that modules count. */
static void print_operations(const inlay_machine *machine)
{
    inlay_duration each = {0};
    print_operation("an operation", inlay_machine_arithmetic_time(machine, &each), &each);
    print_operation("a function", inlay_machine_function_time(machine, &each), &each);
}

void facts_print(const inlay_machine_facts *facts)
{
    say(stdout, "%-s\n\n", inlay_machine_name(facts->machine));
    say_label(stdout, LABEL, "network");
    if (inlay_machine_family(facts->machine) != INLAY_GRAPH) { /* whose words begin with its name */
        say(stdout, "%s: ", inlay_family_name(inlay_machine_family(facts->machine)));
    }
    say(stdout, "%s\n", inlay_machine_model_words(facts->machine));
    const char *contention = inlay_machine_contention_word(facts->machine);
    if (strcmp(contention, inlay_contention_name(INLAY_CONTENTION_QUEUES)) != 0) {
        say_label(stdout, LABEL, "contention");
        say(stdout, "%s\n", contention);
    }
    print_processors(facts);
    print_operations(facts->machine);
    if (inlay_machine_has_links(facts->machine)) {
        print_links(facts);
    }
    print_distances(facts);
}
