/* Every attribute of a machine, in one table. */
#include "machine/machine.h"
#include <stddef.h>
#include <string.h>

/* ---- Reading one value: false where it cannot be ---- */

static bool read_network(inlay_machine *machine, const char *value)
{
    return family_find(value, &machine->family);
}

/* A whole number from 1 on. */
static bool read_count(const char *value, inlay_id *result)
{
    int64_t count = 0;
    for (const char *c = value; *c != '\0'; c++) {
        if (*c < '0' || *c > '9') {
            return false;
        }
        count = count * 10 + (*c - '0');
        if (count > INT32_MAX) {
            return false;
        }
    }
    *result = (inlay_id)count;
    return count > 0;
}

/* Whole numbers from 1 on with an x in between: how many, 0 where that is not what stands there. */
static int read_sizes(const char *value, inlay_id sizes[FAMILY_DIMENSIONS])
{
    char one[12];
    int count = 0;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, "x");
        if (length >= sizeof one || count == FAMILY_DIMENSIONS) {
            return 0;
        }
        memcpy(one, at, length);
        one[length] = '\0';
        if (!read_count(one, &sizes[count++])) {
            return 0;
        }
        at += length;
        if (*at == '\0') {
            return count;
        }
    }
}

static bool read_processors(inlay_machine *machine, const char *value)
{
    const machine_family *family = family_row(machine->family);
    family_shape *shape = &machine->shape;
    shape->dimensions = read_sizes(value, shape->size);
    machine->processors = shape->size[0];
    return family->expected == NULL ? shape->dimensions == 1
                                    : shape->dimensions >= family->sizes[0] && shape->dimensions <= family->sizes[1];
}

static bool read_memory(inlay_machine *machine, const char *value)
{
    bool common = strcmp(value, "common") == 0;
    machine->memory = common ? INLAY_MEMORY_COMMON : INLAY_MEMORY_DISTRIBUTED;
    return common || strcmp(value, "distributed") == 0;
}

static bool read_model(inlay_machine *machine, const char *value)
{
    if (family_row(machine->family)->network == INLAY_NETWORK_LINKS) {
        machine->exponential = strcmp(value, "mm1") == 0;
        return machine->exponential || strcmp(value, "md1") == 0;
    }
    machine->occupancy = strcmp(value, "occupancy") == 0;
    return machine->occupancy || strcmp(value, "paper") == 0;
}

/* The figures of cm02 and lv08 are SimGrid's. */
static const inlay_sharing *sharing_named(const char *name)
{
    static const inlay_sharing all[] = {{"sharing", 1, 1, false, 0, 0, 0},
                                        {"cm02", 1, 1, true, 0, 0, 0},
                                        {"lv08", 13.01, 0.97, true, 20537, 4194304, 0.05}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(name, all[i].name) == 0) {
            return &all[i];
        }
    }
    return NULL;
}

static bool read_contention(inlay_machine *machine, const char *value)
{
    machine->sharing = sharing_named(value);
    if (machine->sharing != NULL) {
        machine->contention = INLAY_CONTENTION_QUEUES;
        return true;
    }
    int which = INLAY_CONTENTION_FREE;
    while (which >= 0 && strcmp(value, inlay_contention_name((inlay_contention)which)) != 0) {
        which--;
    }
    machine->contention = which < 0 ? INLAY_CONTENTION_QUEUES : (inlay_contention)which;
    return which >= 0;
}

static bool read_capacity(inlay_machine *machine, const char *value)
{
    machine->has_capacity = true;
    return inlay_rate_parse(value, &machine->capacity) == INLAY_OK;
}

/* A name must survive the machine string: no comma, no blank. Bytes above ASCII are letters in UTF-8. */
static bool is_name(const char *value)
{
    for (const char *c = value; *c != '\0'; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (unsigned char)*c >= 0x80;
        bool digit = *c >= '0' && *c <= '9';
        if (!letter && !digit && strchr("_-+.", *c) == NULL) {
            return false;
        }
    }
    return *value != '\0';
}

bool power_parse(const char *value, double *watts)
{
    static const struct {
        const char *name;
        double watts;
    } units[] = {{"kW", 1e3}, {"mW", 1e-3}, {"W", 1}, {"", 1}};
    char number[64];
    size_t length = strlen(value), unit = 0, behind = 0;
    while ((behind = strlen(units[unit].name)) > length || strcmp(value + length - behind, units[unit].name) != 0) {
        unit++;
    }
    inlay_decimal power;
    length -= behind;
    length -= behind > 0 && length > 0 && value[length - 1] == ' ';
    if (length >= sizeof number) {
        return false;
    }
    memcpy(number, value, length);
    number[length] = '\0';
    if (inlay_decimal_parse(number, &power) != INLAY_OK) {
        return false;
    }
    *watts = inlay_decimal_double(power) * units[unit].watts;
    return power.digits > 0;
}

static bool read_power(inlay_machine *machine, const char *value)
{
    return power_parse(value, &machine->power);
}

static bool read_speed(inlay_machine *machine, const char *value)
{
    return speed_read(value, &machine->alike.speed, &machine->alike.flops);
}

static bool read_reference(inlay_machine *machine, const char *value)
{
    return inlay_flops_parse(value, &machine->reference) == INLAY_OK;
}

static bool read_number(const char *value, int least, double *number)
{
    inlay_decimal decimal;
    if (inlay_decimal_parse(value, &decimal) != INLAY_OK) {
        return false;
    }
    *number = inlay_decimal_double(decimal);
    return decimal.digits >= least;
}

static bool read_time(const char *value, int least, inlay_duration *time)
{
    return inlay_duration_parse(value, time) == INLAY_OK && time->value.digits >= least;
}

/* [SIZE:]TIME[:TIME], with or without a size: a size is followed by a time, and never looks like one but for 0. */
static bool read_piece(char *text, inlay_piece *piece)
{
    char *first = text, *colon = strchr(text, ':');
    inlay_duration leading;
    *piece = (inlay_piece){.per_byte = {{0, 0}, INLAY_UNIT_NONE}};
    if (colon != NULL) {
        *colon = '\0';
        bool time = inlay_duration_parse(text, &leading) == INLAY_OK && leading.unit != INLAY_UNIT_NONE;
        if (time) {
            piece->time = leading;
            return read_time(colon + 1, 0, &piece->per_byte);
        }
        if (inlay_bytes_parse(text, &piece->size) != INLAY_OK) {
            return false;
        }
        first = colon + 1;
        colon = strchr(first, ':');
    }
    if (colon != NULL) {
        *colon = '\0';
    }
    return read_time(first, 0, &piece->time) && (colon == NULL || read_time(colon + 1, 0, &piece->per_byte));
}

/* Pieces with `/` in between, the first from 0, each from more bytes on than the one before. */
static bool read_pieces(const char *value, inlay_pieces *pieces)
{
    char one[80];
    pieces->count = 0;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, "/");
        if (length >= sizeof one || pieces->count == INLAY_PIECES_MOST) {
            return false;
        }
        memcpy(one, at, length);
        one[length] = '\0';
        inlay_piece *piece = &pieces->piece[pieces->count];
        if (!read_piece(one, piece) ||
            (pieces->count == 0 ? piece->size != 0 : piece->size <= pieces->piece[pieces->count - 1].size)) {
            return false;
        }
        pieces->count++;
        at += length;
        if (*at == '\0') {
            return true;
        }
    }
}

/* `words`: "full or half". */
static bool read_flag(const char *value, const char *words, bool *second)
{
    const char *other = strstr(words, " or ");
    *second = strcmp(value, other + strlen(" or ")) == 0;
    return *second || (strlen(value) == (size_t)(other - words) && strncmp(value, words, strlen(value)) == 0);
}

bool attribute_read(attribute_id id, inlay_machine *machine, const char *value)
{
    const attribute_rule *rule = attribute_rule_of(id);
    void *field = (char *)machine + rule->field;
    switch (rule->kind) {
    case VALUE_OWN:
    case VALUE_WORD: return rule->own(machine, value);
    case VALUE_COUNT: return read_count(value, field) && *(inlay_id *)field >= rule->least;
    case VALUE_SIZES: return read_sizes(value, field) > 0;
    case VALUE_NUMBER: return read_number(value, rule->least, field);
    case VALUE_TIME: return read_time(value, rule->least, field);
    case VALUE_OPERATION: return read_time(value, 1, field) && ((inlay_duration *)field)->unit != INLAY_UNIT_NONE;
    case VALUE_BYTES: return inlay_bytes_parse(value, field) == INLAY_OK && *(int64_t *)field > 0;
    case VALUE_BYTE_RATE:
        return inlay_rate_parse(value, field) == INLAY_OK && ((inlay_rate *)field)->kind == INLAY_RATE_BYTES;
    case VALUE_PIECES: return read_pieces(value, field);
    case VALUE_FLAG: return read_flag(value, rule->expected, field);
    case VALUE_NAME: return is_name(value);
    }
    return false;
}

/* ---- The table ---- */

#define FIELD(name) offsetof(inlay_machine, name)
#define WHOLE       "a whole number from 1 to 2147483647"
#define SIZE        "a positive size such as 64MiB"
#define NO_LINKS    "there are no links that are alike"
#define NAME        "a name of letters, digits and _ - + ."
#define SHARE       "a number from 0 on such as 0.03, which is 3 %"
#define BYTE_RATE   "bytes a unit of time such as 15GB/s"
#define PIECES      "a time such as 2us, or by size such as 2us:0.1ns/64KiB:9us:0.2ns"
#define EACH        "a time above 0 with its unit such as 0.8ns"

static const attribute_rule rules[ATTRIBUTES] = {
    [ATTRIBUTE_NETWORK] = {"network", VALUE_WORD, 0, 0, read_network, NULL, NULL},
    [ATTRIBUTE_PROCESSORS] = {"processors", VALUE_OWN, 0, 0, read_processors, WHOLE, "a graph counts its own"},
    [ATTRIBUTE_MEMORY] = {"memory", VALUE_WORD, 0, 0, read_memory, "common or distributed",
                          "its memory is common in multibus and omega, distributed elsewhere"},
    [ATTRIBUTE_MEMORIES] = {"memories", VALUE_COUNT, FIELD(memories), 1, NULL, WHOLE,
                            "a bus has one common memory, omega as many as processors"},
    [ATTRIBUTE_BUSES] = {"buses", VALUE_COUNT, FIELD(buses), 1, NULL, WHOLE,
                         "the network of several buses is multibus"},
    [ATTRIBUTE_MODEL] = {"model", VALUE_WORD, 0, 0, read_model, "paper or occupancy",
                         "the networks with a choice of models are multibus and those of links"},
    [ATTRIBUTE_SWITCH] = {"switch", VALUE_COUNT, FIELD(switch_size), 2, NULL,
                          "the number of inputs of one switch, from 2 on",
                          "the networks of switches are omega and omega-pe"},
    [ATTRIBUTE_PACKETS] = {"packets", VALUE_COUNT, FIELD(packets), 1, NULL, WHOLE,
                           "the networks that send packets are omega and omega-pe"},
    [ATTRIBUTE_TRANSIT] = {"transit", VALUE_TIME, FIELD(transit), 0, NULL, "a time of at least 0 such as 1tick or 50ns",
                           "in omega-pe a switch takes one cycle; a bus has latency"},
    [ATTRIBUTE_CYCLE] = {"cycle", VALUE_TIME, FIELD(cycle), 1, NULL, "a time above 0 such as 1tick or 50ns",
                         "a bus has a capacity"},
    [ATTRIBUTE_CAPACITY] = {"capacity", VALUE_OWN, 0, 0, read_capacity,
                            "a positive rate such as 1msg/tick, 100Mbit/s or 1.25GB/s",
                            "the capacity of an omega network follows from cycle: one packet a cycle on every link"},
    [ATTRIBUTE_LINK_LATENCY] = {"link_latency", VALUE_TIME, FIELD(link_latency), 0, NULL,
                                "a time of at least 0 such as 1us or 2 ticks", NO_LINKS},
    [ATTRIBUTE_SWITCHING] = {"switching", VALUE_FLAG, FIELD(cut_through), 0, NULL, "store-and-forward or cut-through",
                             NO_LINKS},
    [ATTRIBUTE_DUPLEX] = {"duplex", VALUE_FLAG, FIELD(half_duplex), 0, NULL, "full or half",
                          "a bus carries one message at a time, links of a graph say it themselves"},
    [ATTRIBUTE_UP] = {"up", VALUE_SIZES, FIELD(shape.up), 0, NULL, "parents of a node by level such as 1x2",
                      "the network with several ways up is fattree"},
    [ATTRIBUTE_CABLES] = {"cables", VALUE_SIZES, FIELD(shape.cables), 0, NULL, "parallel cables by level such as 1x2",
                          "the networks with parallel cables are fattree and dragonfly"},
    [ATTRIBUTE_CORES] = {"cores", VALUE_COUNT, FIELD(cores), 1, NULL, WHOLE, NO_LINKS},
    [ATTRIBUTE_SPEED] = {"speed", VALUE_OWN, 0, 0, read_speed, "a positive number such as 1 or 2.5, or 2Gf",
                         "nodes of a graph have their own"},
    [ATTRIBUTE_REFERENCE_SPEED] = {"reference_speed", VALUE_OWN, 0, 0, read_reference,
                                   "operations a second such as 1Gf", NULL},
    [ATTRIBUTE_MESSAGE_SIZE] = {"message_size", VALUE_BYTES, FIELD(message_size), 0, NULL,
                                "a positive size such as 1500 or 64KiB", NULL},
    [ATTRIBUTE_TRANSFERS] = {"transfers", VALUE_NUMBER, FIELD(transfers), 1, NULL, "a positive number such as 1 or 2",
                             NULL},
    [ATTRIBUTE_BROADCAST] = {"broadcast", VALUE_FLAG, FIELD(tree), 0, NULL, "each or tree", NULL},
    [ATTRIBUTE_LATENCY] = {"latency", VALUE_TIME, FIELD(latency), 0, NULL,
                           "a time of at least 0 such as 50us or 2 ticks", NULL},
    [ATTRIBUTE_CONTENTION] = {"contention", VALUE_WORD, 0, 0, read_contention,
                              "queues, sharing, cm02, lv08, none or free", NULL},
    [ATTRIBUTE_PROCESSOR_MEMORY] = {"processor_memory", VALUE_BYTES, FIELD(processor_memory), 0, NULL, SIZE,
                                    "nodes of a graph have their own"},
    [ATTRIBUTE_COMMON_MEMORY] = {"common_memory", VALUE_BYTES, FIELD(common_memory), 0, NULL, SIZE,
                                 "it has no common memory; its processors have processor_memory"},
    [ATTRIBUTE_TYPE] = {"type", VALUE_NAME, 0, 0, NULL, NAME, "nodes of a graph have their own"},
    [ATTRIBUTE_PRICE] = {"price", VALUE_NUMBER, FIELD(price), 0, NULL,
                         "a number from 0 on such as 0.12, for one processor and hour", NULL},
    [ATTRIBUTE_CURRENCY] = {"currency", VALUE_NAME, 0, 0, NULL, NAME, NULL},
    [ATTRIBUTE_POWER] = {"power", VALUE_OWN, 0, 0, read_power, "a positive power of one processor such as 95W", NULL},
    [ATTRIBUTE_ARITHMETIC_TIME] = {"arithmetic_time", VALUE_OPERATION, FIELD(arithmetic_time), 0, NULL, EACH, NULL},
    [ATTRIBUTE_FUNCTION_TIME] = {"function_time", VALUE_OPERATION, FIELD(function_time), 0, NULL, EACH, NULL},
    [ATTRIBUTE_TASK_OVERHEAD] = {"task_overhead", VALUE_TIME, FIELD(task_overhead), 0, NULL,
                                 "a time of at least 0 such as 2us or 1 tick", NULL},
    [ATTRIBUTE_O_SEND] = {"o_send", VALUE_PIECES, FIELD(o_send), 0, NULL, PIECES, NULL},
    [ATTRIBUTE_O_RECV] = {"o_recv", VALUE_PIECES, FIELD(o_recv), 0, NULL, PIECES, NULL},
    [ATTRIBUTE_LATENCY_BY_SIZE] = {"latency_by_size", VALUE_PIECES, FIELD(latency_by_size), 0, NULL, PIECES, NULL},
    [ATTRIBUTE_EAGER_LIMIT] = {"eager_limit", VALUE_BYTES, FIELD(eager_limit), 0, NULL,
                               "a positive size such as 4096 or 64KiB", NULL},
    [ATTRIBUTE_RENDEZVOUS] = {"rendezvous", VALUE_FLAG, FIELD(late), 0, NULL, "early or late", NULL},
    [ATTRIBUTE_MEMORY_BANDWIDTH] = {"memory_bandwidth", VALUE_BYTE_RATE, FIELD(memory_bandwidth), 0, NULL, BYTE_RATE,
                                    NULL},
    [ATTRIBUTE_CORE_BANDWIDTH] = {"core_bandwidth", VALUE_BYTE_RATE, FIELD(core_bandwidth), 0, NULL, BYTE_RATE, NULL},
    [ATTRIBUTE_TIME_SPREAD] = {"time_spread", VALUE_NUMBER, FIELD(doubts.time_spread), 0, NULL, SHARE, NULL},
    [ATTRIBUTE_TIME_ERROR] = {"time_error", VALUE_NUMBER, FIELD(doubts.time_error), 0, NULL, SHARE, NULL},
    [ATTRIBUTE_NETWORK_ERROR] = {"network_error", VALUE_NUMBER, FIELD(doubts.network_error), 0, NULL, SHARE, NULL},
    [ATTRIBUTE_BOARDS] = {"boards", VALUE_COUNT, FIELD(boards), 1, NULL, WHOLE, NULL},
};

const attribute_rule *attribute_rule_of(attribute_id id)
{
    return &rules[id];
}

void attribute_expected(attribute_id id, inlay_family family, text_buffer *to)
{
    const machine_family *row = family_row(family);
    if (id == ATTRIBUTE_NETWORK) {
        family_names(to);
    } else if (id == ATTRIBUTE_MODEL) {
        text_add(to, row->network == INLAY_NETWORK_LINKS ? "md1 or mm1" : "paper or occupancy");
    } else {
        text_add(to, id == ATTRIBUTE_PROCESSORS && row->expected != NULL ? row->expected : rules[id].expected);
    }
}

bool attribute_holds(attribute_id id, inlay_family family)
{
    return (family_row(family)->takes & UINT64_C(1) << id) != 0;
}

int attribute_find(const char *name)
{
    for (int id = 0; id < ATTRIBUTES; id++) {
        if (strcmp(rules[id].name, name) == 0) {
            return id;
        }
    }
    return -1;
}

const char *inlay_machine_attribute_name(size_t i)
{
    return i < ATTRIBUTES ? attribute_rule_of((attribute_id)i)->name : NULL;
}
