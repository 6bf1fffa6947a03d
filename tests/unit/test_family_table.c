// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The table of machine families: every row is whole, and whatever is done with machines is done with every family, by its
 * row's sample: routes, pictures, bisection, all writers, mapping, simulation and the checker. Documents and schemas list
 * the same families.
 */
#include "check_subject.h"
#include "map_by_houstis.h"
#include "machine/machine.h"
#include "machine/variant.h"
#include "random_app.h"
#include "svg_read.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 160, LONGEST = 64, MOST_HALVED = 16 };

static inlay_machine *machine_of(const char *text)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(inlay_machine_parse(text, &machine, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static const machine_family *row_at(int i)
{
    return family_row((inlay_family)i);
}

/* ---- Rows ---- */

static bool sample_gives(const machine_family *row, int id)
{
    char given[NAME];
    snprintf(given, sizeof given, ",%s=", attribute_rule_of((attribute_id)id)->name);
    return strstr(row->sample, given) != NULL;
}

/** Attributes that most families have need not be in a sample; those of few do. */
START_TEST(rows_are_whole)
{
    const machine_family *row = row_at(_i);
    inlay_family found;
    ck_assert_ptr_nonnull(row);
    ck_assert(row->name != NULL && row->operand != NULL && row->summary != NULL && row->sample != NULL);
    ck_assert(family_find(row->name, &found) && (int)found == _i);
    ck_assert_uint_eq(row->takes & TAKEN_BY_FAMILIES, TAKEN_BY_FAMILIES);
    ck_assert(row->expected == NULL || (row->sizes[0] > 0 && row->sizes[0] <= row->sizes[1]));
    ck_assert_int_le(row->sizes[1], FAMILY_DIMENSIONS);
    ck_assert_ptr_nonnull(row->tgt);
    bool links = row->network == INLAY_NETWORK_LINKS;
    ck_assert(links == (row->complete == NULL) && !(links && row->apart != NULL));
    bool all = row->measure != NULL && row->cable != NULL && row->next != NULL && row->place != NULL;
    ck_assert_msg(links == (all && row->bisection != NULL), "%s lacks a member", row->name);
    for (int id = 0; id < ATTRIBUTES; id++)
        if (row->takes >> id & ~(TAKEN_WITH_LINKS >> id) & 1)
            ck_assert_msg(sample_gives(row, id), "%s: the sample lacks an attribute", row->sample);
}
END_TEST

START_TEST(samples_are_machines)
{
    const machine_family *row = row_at(_i);
    inlay_machine *machine = machine_of(row->sample);
    ck_assert_int_eq(inlay_machine_family(machine), _i);
    ck_assert_int_eq(inlay_machine_network(machine), row->network);
    ck_assert_int_eq(inlay_machine_has_links(machine), row->network == INLAY_NETWORK_LINKS);
    inlay_machine *again = machine_of(inlay_machine_text(machine));
    ck_assert_str_eq(inlay_machine_text(again), inlay_machine_text(machine));
    inlay_machine_free(again);
    inlay_machine_free(machine);
}
END_TEST

/* ---- Links ---- */

/** Whether a message can pass a link from one node to another. */
static bool leads(const inlay_machine *machine, inlay_id link, inlay_id from, inlay_id to)
{
    inlay_machine_link l = inlay_machine_link_at(machine, link);
    return (l.to == to && (l.from == from || l.from < 0)) || (l.shared && l.from == to && l.to == from);
}

/** The least number of links from a node to every other: distance[node], by passes over all links until nothing changes. */
static void search(const inlay_machine *machine, inlay_id start, int *distance)
{
    inlay_id nodes = inlay_machine_nodes(machine), links = inlay_machine_links(machine);
    for (inlay_id n = 0; n < nodes; n++)
        distance[n] = n == start ? 0 : nodes;
    for (bool changed = true; changed;) {
        changed = false;
        for (inlay_id l = 0; l < links; l++)
            for (inlay_id a = 0; a < nodes; a++)
                for (inlay_id b = 0; b < nodes; b++)
                    if (leads(machine, l, a, b) && distance[a] + 1 < distance[b]) {
                        distance[b] = distance[a] + 1;
                        changed = true;
                    }
    }
}

/** Link by link from a host to another, never twice to one node; its length. */
static int follow(const inlay_machine *machine, inlay_id from, inlay_id to)
{
    inlay_id route[LONGEST], at = from, nodes = inlay_machine_nodes(machine);
    inlay_id length = inlay_machine_route(machine, from, to, route, LONGEST);
    bool seen[NAME] = {false};
    ck_assert_int_le(length, LONGEST);
    for (inlay_id i = 0; i < length; i++) {
        inlay_machine_link l = inlay_machine_link_at(machine, route[i]);
        inlay_id next = l.to == at ? l.from : l.to;
        ck_assert(leads(machine, route[i], at, next) && next < nodes && !seen[next]);
        seen[at] = true;
        at = next;
    }
    ck_assert_int_eq(at, to);
    return length;
}

/** Routes are those of the machine's links, and shortest ones; dragonflies take the one cable between two groups. */
START_TEST(routes_follow_links)
{
    static const char *const wires[] = {"", ",duplex=half"};
    for (unsigned w = 0; w <= (row_at(_i)->takes >> ATTRIBUTE_DUPLEX & 1); w++) {
        char text[NAME];
        snprintf(text, sizeof text, "%s%s", row_at(_i)->sample, wires[w]);
        inlay_machine *machine = machine_of(text);
        int distance[NAME];
        ck_assert_int_le(inlay_machine_nodes(machine), NAME);
        for (inlay_id from = 0; inlay_machine_has_links(machine) && from < inlay_machine_hosts(machine); from++) {
            search(machine, from, distance);
            for (inlay_id to = 0; to < inlay_machine_hosts(machine); to++) {
                int length = follow(machine, from, to);
                ck_assert_int_eq(inlay_machine_distance(machine, from, to), length);
                ck_assert(_i == INLAY_DRAGONFLY ? length >= distance[to] : length == distance[to]);
            }
        }
        inlay_machine_free(machine);
    }
}
END_TEST

/* ---- Bisection ---- */

/** Links that lead out of a set of nodes or into it. */
static int crossing(const inlay_machine *machine, unsigned set)
{
    int cut = 0;
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        inlay_machine_link link = inlay_machine_link_at(machine, l);
        cut += (set >> link.from & 1) != (set >> link.to & 1);
    }
    return cut;
}

/** The fewest links over all sets of nodes with half of the hosts. */
static int least_cut(const inlay_machine *machine)
{
    unsigned hosts = (1U << inlay_machine_hosts(machine)) - 1, nodes = 1U << inlay_machine_nodes(machine);
    int least = inlay_machine_links(machine);
    for (unsigned set = 0; set < nodes; set++)
        if (2 * __builtin_popcount(set & hosts) == inlay_machine_hosts(machine)) {
            int cut = crossing(machine, set);
            least = cut < least ? cut : least;
        }
    return least;
}

static const char *const sizes_of_one[] = {"1", "2", "3", "4", "5", "6", "8", "12", "16"};
static const char *const sizes_of_two[] = {"2x2", "2x3", "3x2", "4x2", "2x4", "1x6", "6x1", "3x4",
                                           "4x3", "2x5", "5x2", "7x2", "2x7", "4x4", "1x1", "3x3"};

static void check_bisection(const char *name, const char *size, const char *wire, int *known)
{
    char text[NAME];
    snprintf(text, sizeof text, "%s:%s%s", name, size, wire);
    inlay_machine *machine = NULL;
    if (inlay_machine_parse(text, &machine, NULL) != INLAY_OK) return;
    int64_t width = inlay_machine_bisection(machine);
    if (inlay_machine_nodes(machine) <= MOST_HALVED && width >= 0) {
        ck_assert_msg(width == least_cut(machine), "%s: %d, not %d", text, (int)width, least_cut(machine));
        ++*known;
    }
    inlay_machine_free(machine);
}

/** Where a bisection width is told, no way to halve the hosts cuts fewer links. */
START_TEST(bisections_are_least)
{
    const machine_family *row = row_at(_i);
    static const char *const wires[] = {"", ",duplex=half"};
    int known = 0;
    for (size_t w = 0; w < 2; w++) {
        for (size_t i = 0; i < sizeof sizes_of_one / sizeof *sizes_of_one; i++)
            check_bisection(row->name, sizes_of_one[i], wires[w], &known);
        for (size_t i = 0; row->expected != NULL && i < sizeof sizes_of_two / sizeof *sizes_of_two; i++)
            check_bisection(row->name, sizes_of_two[i], wires[w], &known);
    }
    ck_assert_int_eq(known > 0, row->bisection != NULL && row->bisection != family_unknown);
}
END_TEST

/* ---- Writers ---- */

static void expect_same_lengths(const inlay_machine *a, const inlay_machine *b)
{
    ck_assert_int_eq(inlay_machine_processors(b), inlay_machine_processors(a));
    for (inlay_id from = 0; from < inlay_machine_processors(a); from++)
        for (inlay_id to = 0; to < inlay_machine_processors(a); to++)
            ck_assert_int_eq(inlay_machine_distance(b, from, to), inlay_machine_distance(a, from, to));
}

/** NULL where the format has no word for it, or distances over switches cannot be read back: it is said in one line. */
static inlay_machine *written_and_read(const inlay_machine *machine, const char *format)
{
    char path[NAME];
    inlay_machine *back = NULL;
    inlay_diag *diag = inlay_diag_new();
    snprintf(path, sizeof path, "/tmp/inlay-family-%ld.%s", (long)getpid(), format);
    int status = inlay_machine_write_as(machine, path, format, 1e-3, diag);
    if (status == INLAY_OK) {
        status = inlay_machine_read(path, &back, diag);
        bool far = strcmp(format, "tgt") == 0 && inlay_machine_nodes(machine) > inlay_machine_hosts(machine);
        ck_assert_msg(status == INLAY_OK || far, "%s", inlay_diag_message(diag));
        unlink(path);
    }
    if (status != INLAY_OK) {
        ck_assert(status == INLAY_BAD_ARGUMENT || status == INLAY_BAD_INPUT);
        ck_assert_ptr_null(strchr(inlay_diag_message(diag), '\n'));
    }
    inlay_diag_free(diag);
    return back;
}

/**
 * What is written in DOT is the same string; a platform has the same ways, and as an explicit graph in DOT again,
 * where that can be drawn; a target as many processors. Only SimGrid lacks some networks.
 */
START_TEST(all_formats_write_all_families)
{
    inlay_machine *machine = machine_of(row_at(_i)->sample);
    for (size_t f = 0; f < inlay_machine_formats(); f++) {
        const char *format = inlay_machine_format_at(f).name;
        if (!inlay_machine_format_at(f).writes) continue;
        inlay_machine *back = written_and_read(machine, format);
        bool told = strcmp(format, "simgrid") != 0 || inlay_machine_has_links(machine) || _i == INLAY_BUS;
        ck_assert(back != NULL || !told || row_at(_i)->tgt == family_no_word);
        if (back == NULL) continue;
        ck_assert_int_eq(inlay_machine_hosts(back), inlay_machine_hosts(machine));
        if (strcmp(format, "dot") == 0) ck_assert_str_eq(inlay_machine_text(back), inlay_machine_text(machine));
        if (strcmp(format, "simgrid") == 0) {
            inlay_machine *explicit = written_and_read(back, "dot");
            expect_same_lengths(machine, back);
            if (explicit != NULL && _i != INLAY_DRAGONFLY) expect_same_lengths(machine, explicit);
            inlay_machine_free(explicit);
        }
        inlay_machine_free(back);
    }
    inlay_machine_free(machine);
}
END_TEST

/* ---- Use ---- */

static inlay_app *some_app(void)
{
    uint64_t state = 3;
    random_times times;
    inlay_app *drawn = random_app(&state, 20, 0, &times), *app = NULL;
    ck_assert_int_eq(inlay_app_write(drawn, subject_app(), "dot", NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_read(subject_app(), NULL, &app, NULL), INLAY_OK);
    inlay_app_free(drawn);
    return app;
}

/** Hosts have room for their boxes; all have a place. */
static void expect_places(const machine_family *row, const inlay_machine *machine)
{
    const family_way *way = machine->topology->own;
    for (inlay_id a = 0; a < inlay_machine_nodes(machine) + row->inputs; a++) {
        family_place at = row->place(way, a);
        ck_assert(isfinite(at.x) && isfinite(at.y));
        for (inlay_id b = 0; b < a; b++) {
            family_place other = row->place(way, b);
            bool both = a < inlay_machine_hosts(machine);
            ck_assert_double_gt(hypot(at.x - other.x, at.y - other.y), both ? 0.99 : 0.2);
        }
    }
}

START_TEST(all_families_are_mapped_simulated_and_drawn)
{
    const machine_family *row = row_at(_i);
    inlay_app *app = some_app();
    inlay_machine *machine = machine_of(row->sample);
    inlay_mapping *mapping = NULL;
    inlay_simulation *simulation = NULL;
    const inlay_options options = {.tick_seconds = 1e-3};
    ck_assert_int_eq(map_by_houstis(app, machine, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_simulate(mapping, NULL, &simulation, NULL), INLAY_OK);
    int drawn = inlay_mapping_draw_machine_svg(mapping, svg_path(), NULL);
    ck_assert_int_eq(drawn == INLAY_OK, inlay_machine_has_links(machine));
    if (drawn == INLAY_OK) {
        free(svg_take());
        expect_places(row, machine);
    }
    inlay_simulation_free(simulation);
    inlay_mapping_free(mapping);
    ck_assert(subject_map(app, subject_app(), row->sample, &options, NULL));
    subject_findings(NULL, true, row->sample);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/** More processors than it has are a machine of the same family. */
START_TEST(all_families_grow)
{
    inlay_machine *machine = machine_of(row_at(_i)->sample);
    for (int wanted = 1; wanted < 40; wanted++) {
        char *text = machine_text_with(machine, "processors", wanted);
        ck_assert_ptr_nonnull(text);
        inlay_machine *larger = machine_of(text);
        ck_assert_int_eq(inlay_machine_family(larger), _i);
        ck_assert_int_ge(inlay_machine_processors(larger), wanted);
        inlay_machine_free(larger);
        free(text);
    }
    inlay_machine_free(machine);
}
END_TEST

/* ---- Documents and schemas ---- */

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    char *text = calloc(1 << 18, 1);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_lt(fread(text, 1, (1 << 18) - 1, file), (1 << 18) - 1);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

/** Every family stands in the lists of the pages; in the table of ways those with links, each as it is written. */
START_TEST(pages_list_all_families)
{
    static const char *const pages[] = {"docs/machines.md", "docs/links.md"};
    char words[2][NAME];
    snprintf(words[0], NAME, "`%s`", row_at(_i)->name);
    snprintf(words[1], NAME, "| `%s:%s", row_at(_i)->name, row_at(_i)->operand);
    for (size_t p = 0; p < (row_at(_i)->network == INLAY_NETWORK_LINKS ? 2 : 1); p++) {
        char *page = text_of(pages[p]);
        ck_assert_msg(strstr(page, words[p]) != NULL, "%s lacks %s", pages[p], words[p]);
        free(page);
    }
}
END_TEST

/** Looks for the lists of words of which one is "multibus": each has all families, in the table's order, and "links". */
static int check_lists(const json_t *value) /* NOLINT(misc-no-recursion): as deep as the schema */
{
    const char *key;
    json_t *member;
    size_t at;
    int lists = 0;
    json_object_foreach((json_t *)value, key, member)
    {
        lists += check_lists(member);
    }
    json_array_foreach(value, at, member)
    {
        lists += check_lists(member);
        if (!json_is_string(member) || strcmp(json_string_value(member), "multibus") != 0) continue;
        ck_assert_uint_eq(json_array_size(value), inlay_families() + 1);
        for (size_t i = 0; i <= inlay_families(); i++)
            ck_assert_str_eq(json_string_value(json_array_get(value, i)), inlay_family_name((inlay_family)i));
        lists++;
    }
    return lists;
}

START_TEST(schemas_list_all_families)
{
    static const char *const schemas[] = {"docs/schema/mapping.schema.json", "docs/schema/info-machine.schema.json"};
    static const int lists[] = {2, 1};
    for (size_t i = 0; i < 2; i++) {
        json_t *schema = json_load_file(schemas[i], 0, NULL);
        ck_assert_ptr_nonnull(schema);
        ck_assert_int_eq(check_lists(schema), lists[i]);
        json_decref(schema);
    }
}
END_TEST

Suite *suite_family_table(void)
{
    Suite *suite = suite_create("family_table");
    TCase *tests = tcase_create("family_table");
    int families = (int)inlay_families();
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, rows_are_whole, 0, families);
    tcase_add_loop_test(tests, samples_are_machines, 0, families);
    tcase_add_loop_test(tests, routes_follow_links, 0, families);
    tcase_add_loop_test(tests, bisections_are_least, 0, families);
    tcase_add_loop_test(tests, all_formats_write_all_families, 0, families);
    tcase_add_loop_test(tests, all_families_are_mapped_simulated_and_drawn, 0, families);
    tcase_add_loop_test(tests, all_families_grow, 0, families);
    tcase_add_loop_test(tests, pages_list_all_families, 0, families);
    tcase_add_test(tests, schemas_list_all_families);
    suite_add_tcase(suite, tests);
    return suite;
}
