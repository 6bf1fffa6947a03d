/*
 * Multibus and the omega networks as machines: what is taken where nothing is given, strings, attributes and DOT files
 * that make one machine, distances, and every attribute that is refused with its exact message.
 */
#include "unit.h"

#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

static inlay_machine *parsed(const char *string)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    int status = inlay_machine_parse(string, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    inlay_diag_free(diag);
    return machine;
}

static bool same_time(inlay_duration a, inlay_duration b)
{
    return a.value.digits == b.value.digits && a.value.scale == b.value.scale && a.unit == b.unit;
}

/* ---- What a machine is ---- */

/* The facts of a family; times as text, NULL where none is given. */
typedef struct facts {
    const char *string, *text;
    inlay_family family;
    int model;
    inlay_id processors;
    inlay_memory_kind memory;
    inlay_id memories, buses;
    bool occupancy;
    inlay_id switch_size, packets;
    const char *cycle, *transit;
} facts;

#define COMMON      INLAY_MEMORY_COMMON
#define DISTRIBUTED INLAY_MEMORY_DISTRIBUTED

static const facts machines[] = {
    {"bus:17,memory=common", "bus:17,memory=common", INLAY_BUS, 1, 17, COMMON, 1, 1, false, 0, 1, NULL, NULL},
    {"bus:17", "bus:17,memory=distributed", INLAY_BUS, 2, 17, DISTRIBUTED, 0, 1, false, 0, 1, NULL, NULL},
    {"multibus:16,memories=8,buses=4", "multibus:16,memories=8,buses=4,model=paper", INLAY_MULTIBUS, 3, 16, COMMON, 8,
     4, false, 0, 1, NULL, NULL},
    {"multibus:1,buses=1,memories=1,model=occupancy", "multibus:1,memories=1,buses=1,model=occupancy", INLAY_MULTIBUS,
     3, 1, COMMON, 1, 1, true, 0, 1, NULL, NULL},
    {"multibus:3,model = paper , memories=2147483647,buses=2147483647",
     "multibus:3,memories=2147483647,buses=2147483647,model=paper", INLAY_MULTIBUS, 3, 3, COMMON, 2147483647,
     2147483647, false, 0, 1, NULL, NULL},
    {"omega:64", "omega:64,switch=2,packets=1", INLAY_OMEGA, 4, 64, COMMON, 64, 0, false, 2, 1, NULL, NULL},
    {"omega:2", "omega:2,switch=2,packets=1", INLAY_OMEGA, 4, 2, COMMON, 2, 0, false, 2, 1, NULL, NULL},
    {"omega:1073741824,cycle=1us", "omega:1073741824,switch=2,packets=1,cycle=1us", INLAY_OMEGA, 4, 1073741824, COMMON,
     1073741824, 0, false, 2, 1, "1us", NULL},
    {"omega:64,cycle=2 \t ticks,packets=4,transit=0,switch=8", "omega:64,switch=8,packets=4,transit=0,cycle=2 ticks",
     INLAY_OMEGA, 4, 64, COMMON, 64, 0, false, 8, 4, "2ticks", "0"},
    {"omega:46341,switch=46341,packets=2147483647,cycle=1e-9s",
     "omega:46341,switch=46341,packets=2147483647,cycle=1e-9s", INLAY_OMEGA, 4, 46341, COMMON, 46341, 0, false, 46341,
     2147483647, "1e-9s", NULL},
    {"omega-pe:64", "omega-pe:64,switch=2,packets=1", INLAY_OMEGA_PE, 5, 64, DISTRIBUTED, 0, 0, false, 2, 1, NULL,
     NULL},
    {"omega-pe:81,cycle=50ns,switch=3", "omega-pe:81,switch=3,packets=1,cycle=50ns", INLAY_OMEGA_PE, 5, 81, DISTRIBUTED,
     0, 0, false, 3, 1, "50ns", NULL},
};

static void check_time(const char *expected, bool given, inlay_duration time)
{
    inlay_duration wanted;
    ck_assert_int_eq(given, expected != NULL);
    if (given) {
        ck_assert_int_eq(inlay_duration_parse(expected, &wanted), INLAY_OK);
        ck_assert(same_time(time, wanted));
    } else {
        ck_assert_int_eq(time.value.digits, 7); /* as the caller left it */
    }
}

START_TEST(facts_of_machines)
{
    const facts *want = &machines[_i];
    inlay_machine *machine = parsed(want->string);
    inlay_duration cycle = {{7, 0}, INLAY_UNIT_MS};
    inlay_duration transit = cycle;
    ck_assert_str_eq(inlay_machine_text(machine), want->text);
    ck_assert_str_eq(inlay_machine_name(machine), want->text);
    ck_assert_int_eq(inlay_machine_family(machine), want->family);
    ck_assert_int_eq(inlay_machine_model(machine), want->model);
    ck_assert_int_eq(inlay_machine_processors(machine), want->processors);
    ck_assert_int_eq(inlay_machine_memory_kind(machine), want->memory);
    ck_assert_int_eq(inlay_machine_memories(machine), want->memories);
    ck_assert_int_eq(inlay_machine_buses(machine), want->buses);
    ck_assert_int_eq(inlay_machine_occupancy(machine), want->occupancy);
    ck_assert_int_eq(inlay_machine_switch(machine), want->switch_size);
    ck_assert_int_eq(inlay_machine_packets(machine), want->packets);
    check_time(want->cycle, inlay_machine_cycle(machine, &cycle), cycle);
    check_time(want->transit, inlay_machine_transit(machine, &transit), transit);
    ck_assert_int_eq(inlay_machine_cycle(machine, NULL), want->cycle != NULL);
    ck_assert_int_eq(inlay_machine_transit(machine, NULL), want->transit != NULL);
    ck_assert_int_eq(inlay_machine_has_distance(machine), want->model == 5);
    ck_assert(!inlay_machine_capacity(machine, NULL));
    ck_assert_int_eq(inlay_machine_message_size(machine), 0);
    ck_assert_double_eq(inlay_machine_transfers(machine), 1);
    ck_assert_int_eq(inlay_machine_latency(machine).value.digits, 0);
    ck_assert_int_eq(inlay_machine_processor_memory(machine), -1);
    ck_assert_int_eq(inlay_machine_common_memory(machine), -1);
    inlay_machine_free(machine);
}
END_TEST

START_TEST(names_of_families)
{
    ck_assert_str_eq(inlay_family_name(INLAY_BUS), "bus");
    ck_assert_str_eq(inlay_family_name(INLAY_MULTIBUS), "multibus");
    ck_assert_str_eq(inlay_family_name(INLAY_OMEGA), "omega");
    ck_assert_str_eq(inlay_family_name(INLAY_OMEGA_PE), "omega-pe");
}
END_TEST

/* ---- One machine: string, attributes, DOT ---- */

/* Every attribute that a family has, in an order that is not the canonical one. */
static const char *const full[] = {
    "multibus:9,type=x86,common_memory=1GiB,processor_memory=64KiB,latency=2.5us,transfers=2,message_size=1500,"
    "capacity=1.25GB/s,model=occupancy,buses=3,memories=5",
    "omega:27,type=x86,common_memory=1GiB,processor_memory=64KiB,latency=2.5us,transfers=2,message_size=128,"
    "cycle=50ns,transit=75ns,packets=4,switch=3",
    "omega-pe:27,type=x86,processor_memory=64KiB,latency=2.5us,transfers=0.5,message_size=128,cycle=50ns,packets=4,"
    "switch=3",
    "multibus:4,memories=2,buses=2",
    "omega:16,switch=4",
    "omega-pe:16,switch=16,cycle=3ticks",
};

static void check_same(const inlay_machine *a, const inlay_machine *b)
{
    inlay_rate rate_a = {0};
    inlay_rate rate_b = {0};
    inlay_duration time_a[2] = {0};
    inlay_duration time_b[2] = {0};
    ck_assert_str_eq(inlay_machine_text(a), inlay_machine_text(b));
    ck_assert_int_eq(inlay_machine_model(a), inlay_machine_model(b));
    ck_assert_int_eq(inlay_machine_processors(a), inlay_machine_processors(b));
    ck_assert_int_eq(inlay_machine_memory_kind(a), inlay_machine_memory_kind(b));
    ck_assert_int_eq(inlay_machine_memories(a), inlay_machine_memories(b));
    ck_assert_int_eq(inlay_machine_buses(a), inlay_machine_buses(b));
    ck_assert_int_eq(inlay_machine_occupancy(a), inlay_machine_occupancy(b));
    ck_assert_int_eq(inlay_machine_switch(a), inlay_machine_switch(b));
    ck_assert_int_eq(inlay_machine_packets(a), inlay_machine_packets(b));
    ck_assert_int_eq(inlay_machine_capacity(a, &rate_a), inlay_machine_capacity(b, &rate_b));
    ck_assert(rate_a.value == rate_b.value && rate_a.kind == rate_b.kind && rate_a.per == rate_b.per);
    ck_assert_int_eq(inlay_machine_cycle(a, &time_a[0]), inlay_machine_cycle(b, &time_b[0]));
    ck_assert_int_eq(inlay_machine_transit(a, &time_a[1]), inlay_machine_transit(b, &time_b[1]));
    ck_assert(same_time(time_a[0], time_b[0]) && same_time(time_a[1], time_b[1]));
    ck_assert_int_eq(inlay_machine_message_size(a), inlay_machine_message_size(b));
    ck_assert_double_eq(inlay_machine_transfers(a), inlay_machine_transfers(b));
    ck_assert(same_time(inlay_machine_latency(a), inlay_machine_latency(b)));
    ck_assert_int_eq(inlay_machine_processor_memory(a), inlay_machine_processor_memory(b));
    ck_assert_int_eq(inlay_machine_common_memory(a), inlay_machine_common_memory(b));
    ck_assert_pstr_eq(inlay_machine_processor_type(a), inlay_machine_processor_type(b));
}

START_TEST(text_reads_back)
{
    inlay_machine *machine = parsed(full[_i]);
    inlay_machine *again = parsed(inlay_machine_text(machine));
    check_same(machine, again);
    /* the canonical text names every attribute that was given, with its value */
    char string[400];
    snprintf(string, sizeof string, "%s", full[_i]);
    char *rest = strchr(string, ',');
    for (char *item = strtok(rest, ","); item != NULL; item = strtok(NULL, ",")) {
        ck_assert_msg(strstr(inlay_machine_text(machine), item) != NULL, "no %s in %s", item,
                      inlay_machine_text(machine));
    }
    inlay_machine_free(again);
    inlay_machine_free(machine);
}
END_TEST

START_TEST(attributes_in_any_order)
{
    inlay_machine *machine = parsed(full[_i]);
    size_t count = inlay_machine_attributes(machine);
    inlay_attribute attributes[20];
    ck_assert_uint_le(count, 20);
    for (size_t turn = 0; turn < count; turn++) {
        for (size_t i = 0; i < count; i++) {
            attributes[(i + turn) % count] = inlay_machine_attribute(machine, i);
        }
        inlay_machine *made = NULL;
        ck_assert_int_eq(inlay_machine_make("mine", "m.dot", attributes, count, &made, NULL), INLAY_OK);
        check_same(machine, made);
        ck_assert_str_eq(inlay_machine_name(made), "mine");
        inlay_machine_free(made);
    }
    ck_assert_ptr_null(inlay_machine_attribute(machine, count).name);
    inlay_machine_free(machine);
}
END_TEST

static void temporary_file(char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/inlay-families-XXXXXX", folder != NULL ? folder : "/tmp");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

START_TEST(dot_reads_back)
{
    char path[400];
    temporary_file(path, sizeof path);
    inlay_machine *machine = parsed(full[_i]);
    inlay_machine *again = NULL;
    ck_assert_int_eq(inlay_machine_write(machine, path, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_read(path, &again, NULL), INLAY_OK);
    check_same(machine, again);
    ck_assert_str_eq(inlay_machine_name(again), inlay_machine_text(machine));
    inlay_machine_free(again);
    inlay_machine_free(machine);
    unlink(path);
}
END_TEST

/* Cut off anywhere, the string still makes a machine or says in one line what is wrong with it. */
START_TEST(cut_strings)
{
    char string[400];
    size_t length = strlen(full[_i]);
    for (size_t cut = 0; cut <= length; cut++) {
        inlay_diag *diag = inlay_diag_new();
        inlay_machine *machine = NULL;
        snprintf(string, sizeof string, "%.*s", (int)cut, full[_i]);
        int status = inlay_machine_parse(string, &machine, diag);
        ck_assert_int_eq(status == INLAY_OK, machine != NULL);
        if (status == INLAY_OK) {
            inlay_machine *again = parsed(inlay_machine_text(machine));
            check_same(machine, again);
            inlay_machine_free(again);
        } else {
            const char *message = inlay_diag_message(diag);
            ck_assert_int_eq(status, INLAY_BAD_INPUT);
            ck_assert(strncmp(message, cut == 0 ? "''" : string, cut == 0 ? 2 : cut) == 0);
            ck_assert(strstr(message, "; expected ") != NULL && strchr(message, '\n') == NULL);
        }
        inlay_machine_free(machine);
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- Distances ---- */

/* The first-stage switch of a processor, by dealing n consecutive processors to each switch in turn. */
static void deal(inlay_id processors, inlay_id n, inlay_id *first_switch)
{
    inlay_id number = 0;
    inlay_id held = 0;
    for (inlay_id p = 0; p < processors; p++) {
        if (held == n) {
            number++;
            held = 0;
        }
        first_switch[p] = number;
        held++;
    }
}

START_TEST(distances)
{
    static const char *const strings[] = {
        "bus:8",      "bus:8,memory=common", "multibus:8,memories=3,buses=2", "omega:8",
        "omega-pe:8", "omega-pe:8,switch=8", "omega-pe:27,switch=3",          "omega-pe:64,switch=4",
        "omega-pe:2"};
    inlay_id first_switch[64];
    for (int s = 0; s < ROWS(strings); s++) {
        inlay_machine *machine = parsed(strings[s]);
        inlay_id k = inlay_machine_processors(machine);
        bool has = inlay_machine_has_distance(machine);
        deal(k, has ? inlay_machine_switch(machine) : k, first_switch);
        for (inlay_id a = 0; a < k; a++) {
            int near = 0;
            for (inlay_id b = 0; b < k; b++) {
                int expected = a == b ? 0 : first_switch[a] == first_switch[b] ? 1 : 2;
                ck_assert_int_eq(inlay_machine_distance(machine, a, b), expected);
                near += expected == 1;
            }
            ck_assert_int_eq(near, has ? inlay_machine_switch(machine) - 1 : k - 1);
        }
        ck_assert_int_eq(has, strncmp(strings[s], "omega-pe", 8) == 0);
        inlay_machine_free(machine);
    }
    inlay_machine *large = parsed("omega-pe:1073741824");
    ck_assert_int_eq(inlay_machine_distance(large, 1073741822, 1073741823), 1);
    ck_assert_int_eq(inlay_machine_distance(large, 1073741821, 1073741822), 2);
    ck_assert_int_eq(inlay_machine_distance(large, 0, 1073741823), 2);
    inlay_machine_free(large);
}
END_TEST

/* ---- What is refused ---- */

#define WHOLE    "expected a whole number from 1 to 2147483647"
#define SWITCHES "expected the number of inputs of one switch, from 2 on"
#define CYCLES   "expected a time above 0 such as 1tick or 50ns"
#define TRANSITS "expected a time of at least 0 such as 1tick or 50ns"
#define SIZES    "expected whole numbers with an x in between such as 4x4"
#define FOLLOWS  "the capacity of an omega network follows from cycle: one packet a cycle on every link"

static const struct {
    const char *string;
    const char *message; /* behind "STRING: " */
} refused[] = {
    /* multibus */
    {"multibus:16", "no memories; expected memories=NUMBER"},
    {"multibus:16,buses=4", "no memories; expected memories=NUMBER"},
    {"multibus:16,memories=8", "no buses; expected buses=NUMBER"},
    {"multibus:16,memories=0,buses=1", "bad memories '0'; " WHOLE},
    {"multibus:16,memories=8,buses=0", "bad buses '0'; " WHOLE},
    {"multibus:0,memories=8,buses=4", "bad processors '0'; " WHOLE},
    {"multibus:16,memories=-8,buses=4", "bad memories '-8'; " WHOLE},
    {"multibus:16,memories=8,buses=4.0", "bad buses '4.0'; " WHOLE},
    {"multibus:16,memories=8,buses=", "bad buses ''; " WHOLE},
    {"multibus:16,memories=2147483648,buses=4", "bad memories '2147483648'; " WHOLE},
    {"multibus:16,memories=8,buses=99999999999999999999", "bad buses '99999999999999999999'; " WHOLE},
    {"multibus:16,memories=8,buses=18446744073709551617", "bad buses '18446744073709551617'; " WHOLE},
    {"multibus:2147483648,memories=8,buses=4", "bad processors '2147483648'; " WHOLE},
    {"multibus:16,memories=8,buses=9",
     "buses=9 is more than memories=8, and a memory serves one bus at a time; expected 1 to 8"},
    {"multibus:16,buses=2147483647,memories=2147483646",
     "buses=2147483647 is more than memories=2147483646, and a memory serves one bus at a time; expected 1 to "
     "2147483646"},
    {"multibus:16,memories=8,buses=4,model=exact", "unknown model 'exact'; expected paper or occupancy"},
    {"multibus:16,memories=8,buses=4,model=Paper", "unknown model 'Paper'; expected paper or occupancy"},
    {"multibus:16,memories=8,buses=4,model=", "unknown model ''; expected paper or occupancy"},
    {"multibus:16,memories=8,memories=8,buses=4", "attribute 'memories' given twice; expected once"},
    {"multibus:16,memories=8,buses=4,buses=5", "attribute 'buses' given twice; expected once"},
    {"multibus:16,memories=8,buses=4,model=paper,model=paper", "attribute 'model' given twice; expected once"},
    {"multibus:16,memories=8,buses=4,memory=common",
     "memory is no attribute of multibus; expected none: its memory is common in multibus and omega, distributed "
     "elsewhere"},
    {"multibus:16,memories=8,buses=4,cycle=1tick",
     "cycle is no attribute of multibus; expected none: a bus has a capacity"},
    {"multibus:16,memories=8,buses=4,switch=2",
     "switch is no attribute of multibus; expected none: the networks of switches are omega and omega-pe"},
    {"multibus:16,memories=8,buses=4,packets=2",
     "packets is no attribute of multibus; expected none: the networks that send packets are omega and omega-pe"},
    {"multibus:16,memories=8,buses=4,transit=1tick",
     "transit is no attribute of multibus; expected none: in omega-pe a switch takes one cycle; a bus has latency"},
    {"multibus:16,memories=8,buses=4,capacity=0", "bad capacity '0'; expected a positive rate such as 1msg/tick, "
                                                  "100Mbit/s or 1.25GB/s"},
    /* a bus has none of theirs */
    {"bus:16,memories=1", "memories is no attribute of bus; expected none: a bus has one common memory, omega as many "
                          "as processors"},
    {"bus:16,buses=1", "buses is no attribute of bus; expected none: the network of several buses is multibus"},
    {"bus:16,model=paper",
     "model is no attribute of bus; expected none: the networks with a choice of models are multibus and those of "
     "links"},
    {"bus:16,cycle=1tick", "cycle is no attribute of bus; expected none: a bus has a capacity"},
    /* omega and omega-pe */
    {"omega:64,capacity=1msg/tick", "capacity is no attribute of omega; expected none: " FOLLOWS},
    {"omega-pe:64,capacity=1GB/s", "capacity is no attribute of omega-pe; expected none: " FOLLOWS},
    {"omega:64,switch=1", "bad switch '1'; " SWITCHES},
    {"omega-pe:64,switch=0", "bad switch '0'; " SWITCHES},
    {"omega:64,switch=-2", "bad switch '-2'; " SWITCHES},
    {"omega:64,switch=2147483648", "bad switch '2147483648'; " SWITCHES},
    {"omega:64,switch=two", "bad switch 'two'; " SWITCHES},
    {"omega:64,packets=0", "bad packets '0'; " WHOLE},
    {"omega-pe:64,packets=1.5", "bad packets '1.5'; " WHOLE},
    {"omega-pe:64,packets=2147483648", "bad packets '2147483648'; " WHOLE},
    {"omega:64,cycle=0", "bad cycle '0'; " CYCLES},
    {"omega:64,cycle=0ns", "bad cycle '0ns'; " CYCLES},
    {"omega-pe:64,cycle=-1tick", "bad cycle '-1tick'; " CYCLES},
    {"omega:64,cycle=inf", "bad cycle 'inf'; " CYCLES},
    {"omega:64,cycle=nan", "bad cycle 'nan'; " CYCLES},
    {"omega:64,cycle=1MB", "bad cycle '1MB'; " CYCLES},
    {"omega:64,cycle=1tick,transit=-1tick", "bad transit '-1tick'; " TRANSITS},
    {"omega:64,cycle=1tick,transit=soon", "bad transit 'soon'; " TRANSITS},
    {"omega:64,transit=1tick", "transit is given without cycle; expected cycle=TIME with it"},
    {"omega-pe:64,cycle=1tick,transit=1tick",
     "transit is no attribute of omega-pe; expected none: in omega-pe a switch takes one cycle; a bus has latency"},
    {"omega-pe:64,common_memory=1MiB", "common_memory is no attribute of omega-pe; expected none: it has no common "
                                       "memory; its processors have processor_memory"},
    {"omega:64,memory=common", "memory is no attribute of omega; expected none: its memory is common in multibus and "
                               "omega, distributed elsewhere"},
    {"omega-pe:64,memory=distributed",
     "memory is no attribute of omega-pe; expected none: its memory is common in multibus and omega, distributed "
     "elsewhere"},
    {"omega:64,memories=64", "memories is no attribute of omega; expected none: a bus has one common memory, omega as "
                             "many as processors"},
    {"omega:64,buses=2", "buses is no attribute of omega; expected none: the network of several buses is multibus"},
    {"omega-pe:64,model=occupancy",
     "model is no attribute of omega-pe; expected none: the networks with a choice of models are multibus and those of "
     "links"},
    {"omega:64,switch=2,switch=2", "attribute 'switch' given twice; expected once"},
    {"omega:64,packets=2,packets=4", "attribute 'packets' given twice; expected once"},
    {"omega:64,cycle=1ns,cycle=1ns", "attribute 'cycle' given twice; expected once"},
    {"omega:64,cycle=1ns,transit=1ns,transit=1ns", "attribute 'transit' given twice; expected once"},
    {"omega:2147483648", "bad processors '2147483648'; " WHOLE},
    /* the two nearest powers, as far as a machine can have so many processors */
    {"omega:6", "6 processors are no power of switch=2; expected for example 4 or 8"},
    {"omega:1", "1 processors are no power of switch=2; expected for example 2 or 4"},
    {"omega-pe:65,switch=4", "65 processors are no power of switch=4; expected for example 64 or 256"},
    {"omega-pe:63,switch=4", "63 processors are no power of switch=4; expected for example 16 or 64"},
    {"omega-pe:16,switch=8", "16 processors are no power of switch=8; expected for example 8 or 64"},
    {"omega:3,switch=5", "3 processors are no power of switch=5; expected for example 5 or 25"},
    /* families with links */
    {"ring:0", "bad processors '0'; " WHOLE},
    {"ring:4x4", "bad processors '4x4'; " WHOLE},
    {"mesh:", "bad processors ''; " SIZES},
    {"mesh:4x", "bad processors '4x'; " SIZES},
    {"mesh:4x0", "bad processors '4x0'; " SIZES},
    {"mesh:4X4", "bad processors '4X4'; " SIZES},
    {"torus:x4", "bad processors 'x4'; " SIZES},
    {"torus:-4x4", "bad processors '-4x4'; " SIZES},
    {"mesh:2x2x2x2x2x2x2x2x2", "bad processors '2x2x2x2x2x2x2x2x2'; " SIZES},
    {"mesh:4294967297x2", "bad processors '4294967297x2'; " SIZES},
    {"mesh:65536x65536", "65536x65536 has too many processors; expected at most 2147483647"},
    {"mesh:30000x30000,cores=3", "30000x30000 has too many processors; expected at most 2147483647"},
    {"mesh:30000x30000", "30000x30000 has too many links; expected at most 16777216"},
    {"hypercube:6", "6 hosts are no power of 2; expected for example 8"},
    {"hypercube:2147483647", "2147483647 hosts are no power of 2; expected for example 1073741824"},
    {"tree:4x", "bad processors '4x'; " SIZES},
    {"fattree:4x4,up=1", "up has 1 numbers; expected 2, one a level"},
    {"fattree:4x4,up=1x0", "bad up '1x0'; expected parents of a node by level such as 1x2"},
    {"fattree:4x4,cables=1x1x1", "cables has 3 numbers; expected 2, one a level"},
    {"fattree:4x4,cables=two", "bad cables 'two'; expected parallel cables by level such as 1x2"},
    {"fattree:2x2,up=60000x60000", "2x2 has too many links; expected at most 16777216"},
    {"dragonfly:3x4x2", "bad processors '3x4x2'; expected groups, chassis, routers and hosts such as 3x4x2x4"},
    {"dragonfly:60000x2x2x60000", "60000x2x2x60000 has too many processors; expected at most 2147483647"},
    {"dragonfly:3x4x2x4,cables=1x1x1x1", "cables has 4 numbers; expected 3, one a level"},
    {"mesh:4x4,up=1x1", "up is no attribute of mesh; expected none: the network with several ways up is fattree"},
    {"tree:4x4,cables=1x2",
     "cables is no attribute of tree; expected none: the networks with parallel cables are fattree and dragonfly"},
    {"mesh:4x4,switching=packet", "unknown switching 'packet'; expected store-and-forward or cut-through"},
    {"bus:4,switching=cut-through",
     "switching is no attribute of bus; expected none: there are no links that are alike"},
    {"mesh:4x4,duplex=simplex", "unknown duplex 'simplex'; expected full or half"},
    {"bus:4,duplex=half", "duplex is no attribute of bus; expected none: a bus carries one message at a time, links of "
                          "a graph say it themselves"},
    {"mesh:4x4,model=paper,capacity=1msg/tick", "unknown model 'paper'; expected md1 or mm1"},
    {"mesh:4x4,link_latency=-1us", "bad link_latency '-1us'; expected a time of at least 0 such as 1us or 2 ticks"},
    {"mesh:4x4,capacity=1msg/tick,link_latency=1us",
     "capacity is given per tick, link_latency in us; expected both in ticks or none"},
    {"mesh:4x4,cores=0", "bad cores '0'; " WHOLE},
    {"mesh:4x4,common_memory=1KiB",
     "common_memory is no attribute of mesh; expected none: it has no common memory; its processors have "
     "processor_memory"},
    {"links:4", "links without nodes; expected a file that has them, or a family of machines"},
};

static void check_refused(const char *string, const char *expected)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_parse(string, &machine, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), expected);
    ck_assert_ptr_null(machine);
    ck_assert_int_eq(inlay_machine_parse(string, &machine, NULL), INLAY_BAD_INPUT);
    inlay_diag_free(diag);
}

START_TEST(refused_with_the_reason)
{
    char expected[600];
    snprintf(expected, sizeof expected, "%s: %s", refused[_i].string, refused[_i].message);
    check_refused(refused[_i].string, expected);
}
END_TEST

/* What a message offers in place of a wrong number of processors can be had. */
START_TEST(offered_sizes_exist)
{
    static const struct {
        int64_t k, n;
    } sizes[] = {{2147483647, 2}, {1073741825, 2},     {1073741823, 2},          {2147483646, 46341}, {3, 2147483647},
                 {46342, 46341},  {2147395601, 46340}, {2147483647, 2147483646}, {1, 65536},          {2147483647, 3}};
    for (int i = 0; i < ROWS(sizes); i++) {
        char string[100];
        snprintf(string, sizeof string, "omega:%lld,switch=%lld", (long long)sizes[i].k, (long long)sizes[i].n);
        inlay_diag *diag = inlay_diag_new();
        inlay_machine *machine = NULL;
        ck_assert_int_eq(inlay_machine_parse(string, &machine, diag), INLAY_BAD_INPUT);
        const char *offer = strstr(inlay_diag_message(diag), "; expected ");
        ck_assert_ptr_nonnull(offer);
        int offered = 0;
        for (offer += strcspn(offer, "0123456789"); *offer != '\0'; offer += strcspn(offer, "0123456789")) {
            size_t digits = strspn(offer, "0123456789");
            snprintf(string, sizeof string, "omega:%.*s,switch=%lld", (int)digits, offer, (long long)sizes[i].n);
            int status = inlay_machine_parse(string, &machine, NULL);
            ck_assert_msg(status == INLAY_OK, "%s, and that is none", inlay_diag_message(diag));
            inlay_machine_free(machine);
            machine = NULL;
            offer += digits;
            offered++;
        }
        ck_assert_int_ge(offered, 1);
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- The same in a file: the line of the attribute that is wrong ---- */

static const struct {
    const char *body;
    const char *message; /* behind "FILE" */
} wrong_files[] = {
    {"graph g {\n  graph [network=multibus,\n    processors=16];\n}\n", ":2: no memories; expected memories=NUMBER"},
    {"graph g {\n  graph [network=multibus, memories=8,\n    buses=9,\n    processors=16];\n}\n",
     ":3: buses=9 is more than memories=8, and a memory serves one bus at a time; expected 1 to 8"},
    {"graph g {\n  network=omega;\n  switch=4;\n  processors=32;\n}\n",
     ":4: 32 processors are no power of switch=4; expected for example 16 or 64"},
    {"graph g {\n  network=omega;\n  processors=16;\n  transit=2;\n}\n",
     ":4: transit is given without cycle; expected cycle=TIME with it"},
    {"graph g {\n  capacity=\"1GB/s\";\n  network=omega;\n  processors=16;\n}\n",
     ":2: capacity is no attribute of omega; expected none: " FOLLOWS},
    {"graph g {\n  network=\"omega-pe\";\n  processors=16;\n\n  common_memory=4096;\n}\n",
     ":5: common_memory is no attribute of omega-pe; expected none: it has no common memory; its processors have "
     "processor_memory"},
    {"graph g {\n  processors=16;\n  network=\"omega pe\";\n}\n",
     ":3: unknown network 'omega pe', perhaps 'omega-pe'; expected bus, multibus, omega, omega-pe, crossbar, star, "
     "ring, mesh, torus, "
     "hypercube, tree, fattree, dragonfly or ringofrings"},
    {"graph g {\n  processors=16;\n  network=multibus;\n  colour=red;\n}\n",
     ":4: unknown attribute 'colour'; expected one of network, processors, memories, buses, model, capacity, speed, "
     "reference_speed, message_size, transfers, broadcast, latency, contention, processor_memory, common_memory, type, "
     "price, "
     "currency, "
     "power, "
     "arithmetic_time, function_time, task_overhead, o_send, o_recv, latency_by_size, eager_limit, rendezvous, "
     "memory_bandwidth, "
     "core_bandwidth, boards, "
     "time_spread, time_error, network_error"},
};

START_TEST(wrong_file)
{
    char path[400];
    char expected[1000];
    temporary_file(path, sizeof path);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(wrong_files[_i].body, file);
    fclose(file);
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_read(path, &machine, diag), INLAY_BAD_INPUT);
    snprintf(expected, sizeof expected, "%s%s", path, wrong_files[_i].message);
    ck_assert_str_eq(inlay_diag_message(diag), expected);
    ck_assert_ptr_null(machine);
    inlay_diag_free(diag);
    unlink(path);
}
END_TEST

Suite *suite_families(void)
{
    Suite *suite = suite_create("families");
    TCase *good = tcase_create("good");
    tcase_add_loop_test(good, facts_of_machines, 0, ROWS(machines));
    tcase_add_test(good, names_of_families);
    tcase_add_loop_test(good, text_reads_back, 0, ROWS(full));
    tcase_add_loop_test(good, attributes_in_any_order, 0, ROWS(full));
    tcase_add_loop_test(good, dot_reads_back, 0, ROWS(full));
    tcase_add_loop_test(good, cut_strings, 0, ROWS(full));
    tcase_add_test(good, distances);
    suite_add_tcase(suite, good);
    TCase *bad = tcase_create("bad");
    tcase_add_loop_test(bad, refused_with_the_reason, 0, ROWS(refused));
    tcase_add_test(bad, offered_sizes_exist);
    tcase_add_loop_test(bad, wrong_file, 0, ROWS(wrong_files));
    suite_add_tcase(suite, bad);
    return suite;
}
