/* Machines: strings and attributes, canonical text, every error's exact message. */
#include "unit.h"

#include <inlay/machine.h>
#include <stdio.h>

static inlay_machine *parsed(const char *string)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    int status = inlay_machine_parse(string, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static void check_same_time(inlay_duration a, inlay_duration b)
{
    ck_assert_int_eq(a.value.digits, b.value.digits);
    ck_assert_int_eq(a.value.scale, b.value.scale);
    ck_assert_int_eq(a.unit, b.unit);
}

/* Every question that a machine answers, except its attributes. */
static void check_same(const inlay_machine *a, const inlay_machine *b)
{
    inlay_rate rate_a = {0};
    inlay_rate rate_b = {0};
    ck_assert_str_eq(inlay_machine_text(a), inlay_machine_text(b));
    ck_assert_int_eq(inlay_machine_family(a), inlay_machine_family(b));
    ck_assert_int_eq(inlay_machine_processors(a), inlay_machine_processors(b));
    ck_assert_int_eq(inlay_machine_memory_kind(a), inlay_machine_memory_kind(b));
    ck_assert_int_eq(inlay_machine_capacity(a, &rate_a), inlay_machine_capacity(b, &rate_b));
    ck_assert_double_eq(rate_a.value, rate_b.value);
    ck_assert_int_eq(rate_a.kind, rate_b.kind);
    ck_assert_int_eq(rate_a.per, rate_b.per);
    ck_assert_int_eq(inlay_machine_message_size(a), inlay_machine_message_size(b));
    ck_assert_double_eq(inlay_machine_transfers(a), inlay_machine_transfers(b));
    check_same_time(inlay_machine_latency(a), inlay_machine_latency(b));
    ck_assert_int_eq(inlay_machine_contention(a), inlay_machine_contention(b));
    ck_assert_int_eq(inlay_machine_processor_memory(a), inlay_machine_processor_memory(b));
    ck_assert_int_eq(inlay_machine_common_memory(a), inlay_machine_common_memory(b));
    ck_assert_pstr_eq(inlay_machine_processor_type(a), inlay_machine_processor_type(b));
    double of_a = -1;
    double of_b = -1;
    ck_assert_int_eq(inlay_machine_price(a, &of_a), inlay_machine_price(b, &of_b));
    ck_assert_double_eq(of_a, of_b);
    ck_assert_int_eq(inlay_machine_power(a, &of_a), inlay_machine_power(b, &of_b));
    ck_assert_double_eq(of_a, of_b);
    ck_assert_pstr_eq(inlay_machine_currency(a), inlay_machine_currency(b));
    inlay_duration each_a = {0}, each_b = {0};
    ck_assert_int_eq(inlay_machine_arithmetic_time(a, &each_a), inlay_machine_arithmetic_time(b, &each_b));
    check_same_time(each_a, each_b);
    ck_assert_int_eq(inlay_machine_function_time(a, &each_a), inlay_machine_function_time(b, &each_b));
    check_same_time(each_a, each_b);
}

START_TEST(defaults)
{
    inlay_machine *machine = parsed("bus:17");
    ck_assert_str_eq(inlay_machine_text(machine), "bus:17,memory=distributed");
    ck_assert_str_eq(inlay_machine_name(machine), "bus:17,memory=distributed");
    ck_assert_int_eq(inlay_machine_family(machine), INLAY_BUS);
    ck_assert_str_eq(inlay_family_name(INLAY_BUS), "bus");
    ck_assert_int_eq(inlay_machine_processors(machine), 17);
    ck_assert_int_eq(inlay_machine_memory_kind(machine), INLAY_MEMORY_DISTRIBUTED);
    inlay_rate rate = {.value = 7};
    ck_assert(!inlay_machine_capacity(machine, &rate));
    ck_assert_double_eq(rate.value, 7);
    ck_assert_int_eq(inlay_machine_message_size(machine), 0);
    ck_assert_double_eq(inlay_machine_transfers(machine), 1);
    ck_assert_int_eq(inlay_machine_latency(machine).value.digits, 0);
    ck_assert_int_eq(inlay_machine_contention(machine), INLAY_CONTENTION_QUEUES);
    ck_assert_int_eq(inlay_machine_processor_memory(machine), -1);
    ck_assert_int_eq(inlay_machine_common_memory(machine), -1);
    ck_assert_ptr_null(inlay_machine_processor_type(machine));
    double untouched = 7;
    ck_assert(!inlay_machine_price(machine, &untouched) && !inlay_machine_power(machine, &untouched));
    ck_assert_double_eq(untouched, 7);
    ck_assert_ptr_null(inlay_machine_currency(machine));
    inlay_duration each = {.unit = INLAY_UNIT_MS};
    ck_assert(!inlay_machine_arithmetic_time(machine, &each) && !inlay_machine_function_time(machine, &each));
    ck_assert_int_eq(each.unit, INLAY_UNIT_MS);
    inlay_machine_free(machine);
    inlay_machine_free(NULL);
}
END_TEST

START_TEST(everything_given)
{
    inlay_machine *machine =
        parsed("bus:2147483647,function_time=12.5 "
               "ns,power=1.5kW,arithmetic_time=8.03e-4us,currency=EUR,type=gpu,price=0.12,common_memory=8GiB,"
               "processor_memory=64KiB,contention=none,latency=2.5us,"
               "transfers=2,message_size=1500,capacity=1.25GB/s,memory=common");
    ck_assert_str_eq(
        inlay_machine_text(machine),
        "bus:2147483647,memory=common,capacity=1.25GB/s,message_size=1500,transfers=2,latency=2.5us,contention=none,"
        "processor_memory=64KiB,common_memory=8GiB,type=gpu,price=0.12,currency=EUR,power=1.5kW,"
        "arithmetic_time=8.03e-4us,function_time=12.5 ns");
    ck_assert_int_eq(inlay_machine_processors(machine), 2147483647);
    double figure;
    ck_assert(inlay_machine_price(machine, &figure) && inlay_machine_price(machine, NULL));
    ck_assert_double_eq(figure, 0.12);
    ck_assert(inlay_machine_power(machine, &figure) && inlay_machine_power(machine, NULL));
    ck_assert_double_eq(figure, 1500);
    ck_assert_str_eq(inlay_machine_currency(machine), "EUR");
    ck_assert_int_eq(inlay_machine_memory_kind(machine), INLAY_MEMORY_COMMON);
    inlay_rate rate;
    ck_assert(inlay_machine_capacity(machine, &rate));
    ck_assert(inlay_machine_capacity(machine, NULL));
    ck_assert_double_eq(rate.value, 1.25e9);
    ck_assert_int_eq(rate.kind, INLAY_RATE_BYTES);
    ck_assert_int_eq(rate.per, INLAY_UNIT_S);
    ck_assert_int_eq(inlay_machine_message_size(machine), 1500);
    ck_assert_double_eq(inlay_machine_transfers(machine), 2);
    inlay_duration latency = inlay_machine_latency(machine);
    ck_assert_int_eq(latency.value.digits, 25);
    ck_assert_int_eq(latency.value.scale, 1);
    ck_assert_int_eq(latency.unit, INLAY_UNIT_US);
    ck_assert_int_eq(inlay_machine_contention(machine), INLAY_CONTENTION_NONE);
    ck_assert_int_eq(inlay_machine_processor_memory(machine), 65536);
    ck_assert_int_eq(inlay_machine_common_memory(machine), INT64_C(8) << 30);
    ck_assert_str_eq(inlay_machine_processor_type(machine), "gpu");
    inlay_duration each;
    ck_assert(inlay_machine_arithmetic_time(machine, &each) && inlay_machine_arithmetic_time(machine, NULL));
    ck_assert(each.value.digits == 803 && each.value.scale == 6 && each.unit == INLAY_UNIT_US);
    ck_assert(inlay_machine_function_time(machine, &each) && inlay_machine_function_time(machine, NULL));
    ck_assert(each.value.digits == 125 && each.value.scale == 1 && each.unit == INLAY_UNIT_NS);
    inlay_machine_free(machine);
}
END_TEST

static const struct {
    const char *string, *text;
} canonical[] = {
    {"bus:1", "bus:1,memory=distributed"},
    {"bus:16,memory=common", "bus:16,memory=common"},
    {" bus : 16 , memory = common ", "bus:16,memory=common"},
    {"bus:17,capacity=1msg/tick", "bus:17,memory=distributed,capacity=1msg/tick"},
    {"bus:17,latency=2 \t ticks,capacity= 5 msg/tick", "bus:17,memory=distributed,capacity=5 msg/tick,latency=2 ticks"},
    {"bus:17,latency=0", "bus:17,memory=distributed,latency=0"},
    {"bus:17,transfers=0.5,capacity=10Mbit/s", "bus:17,memory=distributed,capacity=10Mbit/s,transfers=0.5"},
    {"bus:17,capacity=1000MB/s", "bus:17,memory=distributed,capacity=1000MB/s"},
    {"bus:17,type=x86-64_v3.1+", "bus:17,memory=distributed,type=x86-64_v3.1+"},
    {"bus:17,type=\xC3\xA9t\xC3\xA9", "bus:17,memory=distributed,type=\xC3\xA9t\xC3\xA9"},
    {"bus:17,message_size=2KiB,speed=2.50,memory=common", "bus:17,memory=common,speed=2.50,message_size=2KiB"},
    {"bus:17,common_memory=1MiB,memory=common", "bus:17,memory=common,common_memory=1MiB"},
};

/* The text is as expected, and the text and the attributes both make the same machine again. */
START_TEST(round_trip)
{
    inlay_machine *machine = parsed(canonical[_i].string);
    ck_assert_str_eq(inlay_machine_text(machine), canonical[_i].text);

    inlay_machine *from_text = parsed(inlay_machine_text(machine));
    check_same(machine, from_text);

    inlay_attribute attributes[16];
    size_t count = inlay_machine_attributes(machine);
    ck_assert_uint_le(count, sizeof attributes / sizeof *attributes);
    for (size_t i = 0; i < count; i++) {
        attributes[count - 1 - i] = inlay_machine_attribute(machine, i);
    }
    ck_assert_str_eq(attributes[count - 1].name, "network");
    ck_assert_str_eq(attributes[count - 1].value, "bus");
    ck_assert_str_eq(attributes[count - 2].name, "processors");
    ck_assert_ptr_null(inlay_machine_attribute(machine, count).name);
    inlay_machine *from_attributes = NULL;
    ck_assert_int_eq(inlay_machine_make("mine", "file.dot", attributes, count, &from_attributes, NULL), INLAY_OK);
    check_same(machine, from_attributes);
    ck_assert_str_eq(inlay_machine_name(from_attributes), "mine");

    inlay_machine_free(from_attributes);
    inlay_machine_free(from_text);
    inlay_machine_free(machine);
}
END_TEST

#define COUNT_EXPECTED "expected a whole number from 1 to 2147483647"
#define PRICE_EXPECTED "expected a number from 0 on such as 0.12, for one processor and hour"
#define POWER_EXPECTED "expected a positive power of one processor such as 95W"
#define EACH_EXPECTED  "expected a time above 0 with its unit such as 0.8ns"
#define RATE_EXPECTED  "expected a positive rate such as 1msg/tick, 100Mbit/s or 1.25GB/s"
#define SHAPE_EXPECTED "expected FAMILY:PROCESSORS[,attribute=value...] such as bus:16"
#define FAMILIES                                                                                                       \
    "bus, multibus, omega, omega-pe, crossbar, star, ring, mesh, torus, hypercube, tree, fattree, dragonfly or "       \
    "ringofrings"
#define KNOWN                                                                                                          \
    "network, processors, memory, capacity, speed, reference_speed, message_size, transfers, broadcast, latency, "     \
    "contention, "                                                                                                     \
    "processor_memory, "                                                                                               \
    "common_memory, "                                                                                                  \
    "type, price, currency, power, arithmetic_time, function_time, task_overhead, o_send, o_recv, latency_by_size, "   \
    "eager_limit, "                                                                                                    \
    "rendezvous, memory_bandwidth, "                                                                                   \
    "core_bandwidth, boards, time_spread, time_error, network_error"

#define PIECES_EXPECTED "expected a time such as 2us, or by size such as 2us:0.1ns/64KiB:9us:0.2ns"

static const struct {
    const char *string;
    const char *message; /* behind "STRING: " */
} bad_strings[] = {
    {"bus", "no number of processors; " SHAPE_EXPECTED},
    {"bus,memory=common", "no number of processors; " SHAPE_EXPECTED},
    {"no-such-file.dot", "no number of processors; " SHAPE_EXPECTED},
    {"butterfly:8x8", "unknown network 'butterfly'; expected " FAMILIES},
    {":17", "unknown network ''; expected " FAMILIES},
    {"BUS:17", "unknown network 'BUS'; expected " FAMILIES},
    {"omega-pu:64,switch=2", "unknown network 'omega-pu', perhaps 'omega-pe'; expected " FAMILIES},
    {"bus:", "bad processors ''; " COUNT_EXPECTED},
    {"bus:0", "bad processors '0'; " COUNT_EXPECTED},
    {"bus:-4", "bad processors '-4'; " COUNT_EXPECTED},
    {"bus:+4", "bad processors '+4'; " COUNT_EXPECTED},
    {"bus:1.5", "bad processors '1.5'; " COUNT_EXPECTED},
    {"bus:1e3", "bad processors '1e3'; " COUNT_EXPECTED},
    {"bus:nan", "bad processors 'nan'; " COUNT_EXPECTED},
    {"bus:2147483648", "bad processors '2147483648'; " COUNT_EXPECTED},
    {"bus:99999999999999999999", "bad processors '99999999999999999999'; " COUNT_EXPECTED},
    {"bus:4:4", "bad processors '4:4'; " COUNT_EXPECTED},
    {"bus:17,memry=common", "unknown attribute 'memry', perhaps 'memory'; expected one of " KNOWN},
    {"bus:17,Memory=common", "unknown attribute 'Memory', perhaps 'memory'; expected one of " KNOWN},
    {"bus:17,buses=2", "buses is no attribute of bus; expected none: the network of several buses is multibus"},
    {"bus:17,common", "'common' is no attribute; expected attribute=value"},
    {"bus:17,", "'' is no attribute; expected attribute=value"},
    {"bus:17,,memory=common", "'' is no attribute; expected attribute=value"},
    {"bus:17,=common", "'=' is no attribute; expected attribute=value"},
    {"bus:17,memory=common,memory=common", "attribute 'memory' given twice; expected once"},
    {"bus:17,processors=17", "attribute 'processors' given twice; expected once"},
    {"bus:17,network=bus", "attribute 'network' given twice; expected once"},
    {"bus:17,memory=", "unknown memory ''; expected common or distributed"},
    {"bus:17,memory=shared", "unknown memory 'shared'; expected common or distributed"},
    {"bus:17,capacity=5kg/s", "bad capacity '5kg/s'; " RATE_EXPECTED},
    {"bus:17,capacity=0", "bad capacity '0'; " RATE_EXPECTED},
    {"bus:17,capacity=-1MB/s", "bad capacity '-1MB/s'; " RATE_EXPECTED},
    {"bus:17,capacity=inf", "bad capacity 'inf'; " RATE_EXPECTED},
    {"bus:17,capacity=nan", "bad capacity 'nan'; " RATE_EXPECTED},
    {"bus:17,capacity=fast", "bad capacity 'fast'; " RATE_EXPECTED},
    {"bus:17,capacity=1MB/h", "bad capacity '1MB/h'; " RATE_EXPECTED},
    {"bus:17,speed=0", "bad speed '0'; expected a positive number such as 1 or 2.5, or 2Gf"},
    {"bus:17,speed=fast", "bad speed 'fast'; expected a positive number such as 1 or 2.5, or 2Gf"},
    {"bus:17,message_size=0", "bad message_size '0'; expected a positive size such as 1500 or 64KiB"},
    {"bus:17,message_size=0.5", "bad message_size '0.5'; expected a positive size such as 1500 or 64KiB"},
    {"bus:17,message_size=2ms", "bad message_size '2ms'; expected a positive size such as 1500 or 64KiB"},
    {"bus:17,transfers=0", "bad transfers '0'; expected a positive number such as 1 or 2"},
    {"bus:17,transfers=-1", "bad transfers '-1'; expected a positive number such as 1 or 2"},
    {"bus:17,transfers=inf", "bad transfers 'inf'; expected a positive number such as 1 or 2"},
    {"bus:17,transfers=2x", "bad transfers '2x'; expected a positive number such as 1 or 2"},
    {"bus:17,latency=-1us", "bad latency '-1us'; expected a time of at least 0 such as 50us or 2 ticks"},
    {"bus:17,latency=1MB", "bad latency '1MB'; expected a time of at least 0 such as 50us or 2 ticks"},
    {"bus:17,o_send=", "bad o_send ''; " PIECES_EXPECTED},
    {"bus:17,o_send=-1us", "bad o_send '-1us'; " PIECES_EXPECTED},
    {"bus:17,o_send=1us/2us", "bad o_send '1us/2us'; " PIECES_EXPECTED},
    {"bus:17,o_send=64KiB:1us", "bad o_send '64KiB:1us'; " PIECES_EXPECTED},
    {"bus:17,o_send=1us/64:2us/64:3us", "bad o_send '1us/64:2us/64:3us'; " PIECES_EXPECTED},
    {"bus:17,o_send=1us:1ns:1ns", "bad o_send '1us:1ns:1ns'; " PIECES_EXPECTED},
    {"bus:17,o_recv=0:1us:1ns:1ns", "bad o_recv '0:1us:1ns:1ns'; " PIECES_EXPECTED},
    {"bus:17,o_recv=1us/", "bad o_recv '1us/'; " PIECES_EXPECTED},
    {"bus:17,o_recv=1/2:1/3:1/4:1/5:1/6:1/7:1/8:1/9:1/10:1/11:1/12:1/13:1/14:1/15:1/16:1/17:1",
     "bad o_recv '1/2:1/3:1/4:1/5:1/6:1/7:1/8:1/9:1/10:1/11:1/12:1/13:1/14:1/15:1/16:1/17:1'; " PIECES_EXPECTED},
    {"bus:17,memory_bandwidth=15msg/s", "bad memory_bandwidth '15msg/s'; expected bytes a unit of time such as 15GB/s"},
    {"bus:17,core_bandwidth=0B/s", "bad core_bandwidth '0B/s'; expected bytes a unit of time such as 15GB/s"},
    {"bus:17,time_spread=-0.1", "bad time_spread '-0.1'; expected a number from 0 on such as 0.03, which is 3 %"},
    {"bus:17,network_error=10 %", "bad network_error '10 %'; expected a number from 0 on such as 0.03, which is 3 %"},
    {"bus:17,eager_limit=0", "bad eager_limit '0'; expected a positive size such as 4096 or 64KiB"},
    {"bus:17,rendezvous=never", "unknown rendezvous 'never'; expected early or late"},
    {"bus:17,contention=some", "unknown contention 'some'; expected queues, sharing, cm02, lv08, none or free"},
    {"bus:17,processor_memory=0", "bad processor_memory '0'; expected a positive size such as 64MiB"},
    {"bus:17,processor_memory=-1", "bad processor_memory '-1'; expected a positive size such as 64MiB"},
    {"bus:17,memory=common,common_memory=1s", "bad common_memory '1s'; expected a positive size such as 64MiB"},
    {"bus:17,common_memory=1MiB", "common_memory on a machine without common memory; expected memory=common with it"},
    {"bus:17,memory=distributed,common_memory=1MiB",
     "common_memory on a machine without common memory; expected memory=common with it"},
    {"bus:17,type=", "bad type ''; expected a name of letters, digits and _ - + ."},
    {"bus:17,type=a b", "bad type 'a b'; expected a name of letters, digits and _ - + ."},
    {"bus:17,type=a=b", "bad type 'a=b'; expected a name of letters, digits and _ - + ."},
    {"bus:17,price=", "bad price ''; " PRICE_EXPECTED},
    {"bus:17,price=-0.1", "bad price '-0.1'; " PRICE_EXPECTED},
    {"bus:17,price=inf", "bad price 'inf'; " PRICE_EXPECTED},
    {"bus:17,price=0.12EUR", "bad price '0.12EUR'; " PRICE_EXPECTED},
    {"bus:17,price=1,currency=", "bad currency ''; expected a name of letters, digits and _ - + ."},
    {"bus:17,price=1,currency=a b", "bad currency 'a b'; expected a name of letters, digits and _ - + ."},
    {"bus:17,currency=EUR", "currency is given without price; expected price=NUMBER with it"},
    {"bus:17,power=", "bad power ''; " POWER_EXPECTED},
    {"bus:17,power=W", "bad power 'W'; " POWER_EXPECTED},
    {"bus:17,power=0", "bad power '0'; " POWER_EXPECTED},
    {"bus:17,power=-95W", "bad power '-95W'; " POWER_EXPECTED},
    {"bus:17,power=95V", "bad power '95V'; " POWER_EXPECTED},
    {"bus:17,power=95 W W", "bad power '95 W W'; " POWER_EXPECTED},
    {"bus:17,power=95w", "bad power '95w'; " POWER_EXPECTED},
    {"bus:17,power=1MW", "bad power '1MW'; " POWER_EXPECTED},
    {"bus:17,arithmetic_time=", "bad arithmetic_time ''; " EACH_EXPECTED},
    {"bus:17,arithmetic_time=0.8", "bad arithmetic_time '0.8'; " EACH_EXPECTED},
    {"bus:17,arithmetic_time=0ns", "bad arithmetic_time '0ns'; " EACH_EXPECTED},
    {"bus:17,arithmetic_time=1e-30s", "bad arithmetic_time '1e-30s'; " EACH_EXPECTED},
    {"bus:17,function_time=-12ns", "bad function_time '-12ns'; " EACH_EXPECTED},
    {"bus:17,function_time=12GB", "bad function_time '12GB'; " EACH_EXPECTED},
    {"bus:17,function_time=12ns,arithmetic_time=1tick",
     "arithmetic_time is given in ticks, function_time in ns; expected both in ticks or none"},
    {"bus:17,power=nan", "bad power 'nan'; " POWER_EXPECTED},
    {"bus:17,power=00000000000000000000000000000000000000000000000000000000000000001",
     "bad power '00000000000000000000000000000000000000000000000000000000000000001'; " POWER_EXPECTED},
};

START_TEST(bad_string)
{
    const char *string = bad_strings[_i].string;
    char expected[512];
    snprintf(expected, sizeof expected, "%s: %s", string, bad_strings[_i].message);
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_parse(string, &machine, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), expected);
    ck_assert_ptr_null(machine);
    ck_assert_int_eq(inlay_machine_parse(string, &machine, NULL), INLAY_BAD_INPUT);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(empty_string)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_parse("", &machine, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), "'': no number of processors; " SHAPE_EXPECTED);
    inlay_diag_free(diag);
}
END_TEST

enum { MOST_GIVEN = 4 };

static const struct {
    inlay_attribute attributes[MOST_GIVEN];
    const char *message;
} bad_attributes[] = {
    {{{NULL, NULL, 0}}, "m.dot: no network; expected network=" FAMILIES},
    {{{"processors", "4", 3}}, "m.dot:3: no network; expected network=" FAMILIES},
    {{{"processors", "4", 3}, {"network", "rings", 5}},
     "m.dot:5: unknown network 'rings', perhaps 'ring'; expected " FAMILIES},
    {{{"processors", "4", 3}, {"network", "links", 5}},
     "m.dot:5: links without nodes; expected a file that has them, or a family of machines"},
    {{{"memory", "common", 3}, {"network", "bus", 2}}, "m.dot:2: no processors; expected processors=NUMBER"},
    {{{"network", "bus", 2}, {"processors", "four", 4}}, "m.dot:4: bad processors 'four'; " COUNT_EXPECTED},
    {{{"network", "bus", 2}, {"procesors", "4", 4}},
     "m.dot:4: unknown attribute 'procesors', perhaps 'processors'; expected one of " KNOWN},
    {{{"network", "bus", 2}, {"processors", "4", 3}, {"network", "bus", 4}},
     "m.dot:4: attribute 'network' given twice; expected once"},
    {{{"network", "omega", 2}, {"processors", "4", 3}, {"currency", "EUR", 6}},
     "m.dot:6: currency is given without price; expected price=NUMBER with it"},
    {{{"network", "bus", 2}, {"processors", "4", 3}, {"function_time", "2ticks", 4}, {"arithmetic_time", "1us", 5}},
     "m.dot:4: arithmetic_time is given in us, function_time in ticks; expected both in ticks or none"},
    {{{"common_memory", "1MiB", 2}, {"network", "bus", 3}, {"processors", "4", 4}},
     "m.dot:2: common_memory on a machine without common memory; expected memory=common with it"},
};

START_TEST(bad_attribute)
{
    size_t count = 0;
    while (count < MOST_GIVEN && bad_attributes[_i].attributes[count].name != NULL) {
        count++;
    }
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_make("m", "m.dot", bad_attributes[_i].attributes, count, &machine, diag),
                     INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), bad_attributes[_i].message);
    ck_assert_ptr_null(machine);
    inlay_diag_free(diag);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *suite_machine(void)
{
    Suite *suite = suite_create("machine");
    TCase *good = tcase_create("good");
    tcase_add_test(good, defaults);
    tcase_add_test(good, everything_given);
    tcase_add_loop_test(good, round_trip, 0, ROWS(canonical));
    suite_add_tcase(suite, good);
    TCase *bad = tcase_create("bad");
    tcase_add_loop_test(bad, bad_string, 0, ROWS(bad_strings));
    tcase_add_test(bad, empty_string);
    tcase_add_loop_test(bad, bad_attribute, 0, ROWS(bad_attributes));
    suite_add_tcase(suite, bad);
    return suite;
}
