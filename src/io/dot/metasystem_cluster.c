/* Reading a metasystem from DOT: one cluster's processors and its communication functions. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/dot/expression.h"
#include "io/dot/metasystem.h"
#include "machine/machine.h"
#include <inlay/select.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG_ROOM = 160 };

static const char *value_of(const metasystem_reader *r, const dot_node *node, int attribute)
{
    return dot_value(&node->is, r->attribute[attribute]);
}

static int refuse(const metasystem_reader *r, const dot_node *node, int attribute, const char *wrong,
                  const char *expected)
{
    return dot_refuse_node(&r->graph, node, r->attribute[attribute]->name, value_of(r, node, attribute), "cluster",
                           wrong, expected, r->diag);
}

/* ---- Processors ---- */

static const char blanks[] = " \t\r\n";
static const char between[] = " \t\r\n,";

/* The numbers of a list, at most `most` of them into `load`; how many there are. False: one cannot be read. */
static bool read_loads(const char *list, double *load, size_t most, size_t *count)
{
    *count = 0;
    for (const char *at = list + strspn(list, between); *at != '\0'; at += strspn(at, between)) {
        double read;
        if (expression_number(at, INLAY_UNIT_NONE, &read, &at) != EXPRESSION_GOOD ||
            strchr(between, *at) == NULL) { /* also finds the end */
            return false;
        }
        if (*count < most) {
            load[*count] = read;
        }
        ++*count;
    }
    return true;
}

static int mark_usable(const metasystem_reader *r, const double *load, double threshold,
                       inlay_metasystem_cluster *cluster)
{
    bool *usable = memory_array((size_t)cluster->total, sizeof *usable);
    if (usable == NULL) {
        return diag_no_memory(r->diag);
    }
    cluster->available = 0;
    for (int32_t i = 0; i < cluster->total; i++) {
        usable[i] = load[i] <= threshold;
        cluster->available += usable[i];
    }
    cluster->usable = usable;
    return INLAY_OK;
}

/* One load a processor, of which those up to the threshold may be used. */
static int read_loaded(const metasystem_reader *r, const dot_node *node, const char *loads,
                       inlay_metasystem_cluster *cluster)
{
    const char *given = value_of(r, node, METASYSTEM_THRESHOLD), *end;
    double threshold = 0.5;
    if (given != NULL &&
        (expression_number(given, INLAY_UNIT_NONE, &threshold, &end) != EXPRESSION_GOOD || *end != '\0')) {
        return refuse(r, node, METASYSTEM_THRESHOLD, "cannot be read", "a load, 0 or more");
    }
    size_t count;
    double *load = memory_array((size_t)cluster->total, sizeof *load);
    int status = load == NULL ? diag_no_memory(r->diag) : INLAY_OK;
    if (status == INLAY_OK && !read_loads(loads, load, (size_t)cluster->total, &count)) {
        status = refuse(r, node, METASYSTEM_LOADS, "cannot be read", "numbers, 0 or more, one a processor");
    } else if (status == INLAY_OK && count != (size_t)cluster->total) {
        char wrong[WRONG_ROOM], expected[WRONG_ROOM];
        (void)snprintf(wrong, sizeof wrong, "has %zu numbers", count);
        (void)snprintf(expected, sizeof expected, "%d, one a processor", (int)cluster->total);
        status = refuse(r, node, METASYSTEM_LOADS, wrong, expected);
    } else if (status == INLAY_OK) {
        status = mark_usable(r, load, threshold, cluster);
    }
    free(load);
    return status;
}

/* Of a cluster's statements one gives processors: a second one is another cluster of that name. */
static int check_once(const metasystem_reader *r, const dot_node *node)
{
    const dot_symbol *symbol = r->attribute[METASYSTEM_PROCESSORS];
    const dot_setting *last = NULL;
    for (const dot_setting *said = node->is.said; said != NULL && symbol != NULL; said = said->before) {
        if (said->own && (int32_t)said->symbol == symbol->number && last != NULL) {
            return diag_fail_at(
                r->diag, INLAY_BAD_INPUT, r->source.name, last->line,
                "cluster '%s' is given twice (first on line %d); expected one statement with processors", node->name,
                (int)said->line);
        }
        last = said->own && (int32_t)said->symbol == symbol->number ? said : last;
    }
    return INLAY_OK;
}

static int read_processors(const metasystem_reader *r, const dot_node *node, inlay_metasystem_cluster *cluster)
{
    static const char many[] = "a whole number from 0 to 16777216";
    const char *processors = value_of(r, node, METASYSTEM_PROCESSORS);
    const char *available = value_of(r, node, METASYSTEM_AVAILABLE), *loads = value_of(r, node, METASYSTEM_LOADS);
    int64_t total, usable;
    if (processors == NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source.name, node->is.line,
                            "unknown cluster '%s': no statement gives it processors; expected processors=NUMBER",
                            cluster->name);
    }
    if (!dot_read_whole(processors, 0, INLAY_SELECT_PROCESSORS, &total)) {
        return refuse(r, node, METASYSTEM_PROCESSORS, "cannot be read", many);
    }
    cluster->total = cluster->available = (int32_t)total;
    if (loads != NULL) {
        return available != NULL ? refuse(r, node, METASYSTEM_AVAILABLE, "stands beside loads", "one of the two")
                                 : read_loaded(r, node, loads, cluster);
    }
    if (value_of(r, node, METASYSTEM_THRESHOLD) != NULL) {
        return refuse(r, node, METASYSTEM_THRESHOLD, "stands without loads", "loads, which are held against it");
    }
    if (available != NULL && !dot_read_whole(available, 0, total, &usable)) {
        char expected[WRONG_ROOM];
        (void)snprintf(expected, sizeof expected, "a whole number from 0 to %d, the cluster's processors", (int)total);
        return refuse(r, node, METASYSTEM_AVAILABLE, "cannot be", expected);
    }
    cluster->available = available == NULL ? cluster->total : (int32_t)usable;
    return INLAY_OK;
}

/* ---- Rate ---- */

/* What stands behind the number: nothing, or "/s". How long that is in the graph's unit. */
static expression_suffix read_per(const metasystem_reader *r, const char *at, double *time)
{
    char one[WRONG_ROOM];
    const char *end;
    at += strspn(at, blanks);
    if (*at == '\0') {
        *time = 1;
        return EXPRESSION_GOOD;
    }
    size_t gap = *at == '/' ? 1 + strspn(at + 1, blanks) : 0;
    if (gap == 0 || at[gap] == '\0') {
        return EXPRESSION_NO_UNIT;
    }
    (void)snprintf(one, sizeof one, "1 %s", at + gap);
    expression_suffix suffix = expression_number(one, r->unit, time, &end);
    return suffix == EXPRESSION_GOOD && *end != '\0' ? EXPRESSION_NO_UNIT : suffix;
}

/* Instructions per unit of time, "45e6/s", or in the graph's. */
static int read_rate(const metasystem_reader *r, const dot_node *node, inlay_metasystem_cluster *cluster)
{
    const char *value = value_of(r, node, METASYSTEM_RATE), *end;
    double rate, time;
    if (value == NULL) {
        return INLAY_OK;
    }
    expression_suffix suffix = expression_number(value, INLAY_UNIT_NONE, &rate, &end);
    if (suffix == EXPRESSION_GOOD) {
        suffix = read_per(r, end, &time);
    }
    if (suffix == EXPRESSION_IN_SECONDS || suffix == EXPRESSION_IN_TICKS) {
        return refuse(r, node, METASYSTEM_RATE, expression_wrong(suffix), expression_expected(suffix));
    }
    if (suffix != EXPRESSION_GOOD || !(rate / time > 0) || !isfinite(rate / time)) {
        return refuse(r, node, METASYSTEM_RATE, "cannot be read",
                      "instructions per time_unit above 0, or with a unit as in 45e6/s");
    }
    cluster->rate = rate / time;
    return INLAY_OK;
}

static int read_prices(const metasystem_reader *r, const dot_node *node, inlay_metasystem_cluster *cluster)
{
    const char *price = value_of(r, node, METASYSTEM_PRICE), *power = value_of(r, node, METASYSTEM_POWER);
    inlay_decimal number;
    if (price != NULL && (inlay_decimal_parse(price, &number) != INLAY_OK || number.digits < 0)) {
        return refuse(r, node, METASYSTEM_PRICE, "cannot be read",
                      "a number from 0, what a processor costs in an hour, such as 0.12");
    }
    cluster->price = price != NULL ? inlay_decimal_double(number) : 0;
    return power == NULL || power_parse(power, &cluster->power)
               ? INLAY_OK
               : refuse(r, node, METASYSTEM_POWER, "cannot be read", "a power above 0 of one processor, such as 95W");
}

/* ---- Interconnect ---- */

/* "4x8". */
static bool read_extent(const char *extent, int32_t *rows, int32_t *columns)
{
    char side[WRONG_ROOM];
    int64_t high, wide;
    size_t length = strcspn(extent, "x");
    if (extent[length] == '\0' || length >= sizeof side) {
        return false;
    }
    memcpy(side, extent, length);
    side[length] = '\0';
    if (!dot_read_whole(side, 1, INLAY_SELECT_PROCESSORS, &high) ||
        !dot_read_whole(extent + length + 1, 1, INLAY_SELECT_PROCESSORS, &wide)) {
        return false;
    }
    *rows = (int32_t)high;
    *columns = (int32_t)wide;
    return true;
}

static int read_mesh(const metasystem_reader *r, const dot_node *node, inlay_metasystem_cluster *cluster)
{
    static const char expected[] = "rows x columns with as many processors as the cluster has, as in extent=\"4x8\"";
    if (value_of(r, node, METASYSTEM_EXTENT) == NULL) {
        return refuse(r, node, METASYSTEM_INTERCONNECT, "has no extent", expected);
    }
    if (!read_extent(value_of(r, node, METASYSTEM_EXTENT), &cluster->rows, &cluster->columns)) {
        return refuse(r, node, METASYSTEM_EXTENT, "cannot be read", expected);
    }
    if ((int64_t)cluster->rows * cluster->columns != cluster->total) {
        char wrong[WRONG_ROOM];
        (void)snprintf(wrong, sizeof wrong, "has %lld processors where the cluster has %d",
                       (long long)cluster->rows * cluster->columns, (int)cluster->total);
        return refuse(r, node, METASYSTEM_EXTENT, wrong, expected);
    }
    return INLAY_OK;
}

static int read_interconnect(const metasystem_reader *r, const dot_node *node, inlay_metasystem_cluster *cluster)
{
    const char *value = value_of(r, node, METASYSTEM_INTERCONNECT), *extent = value_of(r, node, METASYSTEM_EXTENT);
    int i = 0;
    while (value != NULL && inlay_interconnect_name((inlay_interconnect)i) != NULL &&
           strcmp(value, inlay_interconnect_name((inlay_interconnect)i)) != 0) {
        i++;
    }
    if (inlay_interconnect_name((inlay_interconnect)i) == NULL) {
        return refuse(r, node, METASYSTEM_INTERCONNECT, "is unknown", "bus, switch, ring, mesh or hypercube");
    }
    cluster->interconnect = (inlay_interconnect)i;
    if (cluster->interconnect == INLAY_INTERCONNECT_MESH) {
        return read_mesh(r, node, cluster);
    }
    if (cluster->interconnect == INLAY_INTERCONNECT_HYPERCUBE && (cluster->total & (cluster->total - 1)) != 0) {
        char wrong[WRONG_ROOM];
        (void)snprintf(wrong, sizeof wrong, "has %d processors", (int)cluster->total);
        return refuse(r, node, METASYSTEM_INTERCONNECT, wrong, "a power of 2");
    }
    return extent != NULL ? refuse(r, node, METASYSTEM_EXTENT, "belongs to a mesh", "interconnect=mesh, or no extent")
                          : INLAY_OK;
}

/* ---- Communication ---- */

/* What is under way of "c1=0, c2=850, f=linear". */
typedef struct list {
    const metasystem_reader *r;
    const dot_node *node;
    int attribute;
    unsigned seen; /* a bit a key */
} list;

static int refuse_item(const list *l, const char *item, const char *wrong, const char *expected)
{
    char said[WRONG_ROOM];
    (void)snprintf(said, sizeof said, "has '%.60s', which %s", item, wrong);
    return refuse(l->r, l->node, l->attribute, said, expected);
}

static int read_growth(const list *l, const char *item, const char *value, inlay_growth *growth)
{
    for (int g = 0; inlay_growth_name((inlay_growth)g) != NULL; g++) {
        if (strcmp(value, inlay_growth_name((inlay_growth)g)) == 0) {
            *growth = (inlay_growth)g;
            return INLAY_OK;
        }
    }
    return refuse_item(l, item, "is unknown", "f=linear, f=log or f=constant");
}

/* @param item  "c2=850", of which `value` is the end */
static int read_item(list *l, const char *item, const char *value, inlay_communication *t)
{
    static const char *const keys[] = {"c1", "c2", "c3", "c4", "f"};
    enum { KEYS = sizeof keys / sizeof *keys, GROWTH = KEYS - 1 };
    double *const coefficient[] = {&t->c1, &t->c2, &t->c3, &t->c4};
    size_t length = strcspn(item, " \t\r\n="), key = 0;
    while (key < KEYS && (strlen(keys[key]) != length || memcmp(keys[key], item, length) != 0)) {
        key++;
    }
    if (key == KEYS) {
        return refuse_item(l, item, "is unknown", "c1, c2, c3, c4 and f, as in \"c1=0, c2=850, c4=0.8, f=linear\"");
    }
    if ((l->seen & 1U << key) != 0) {
        return refuse_item(l, item, "is given twice", "each once");
    }
    l->seen |= 1U << key;
    if (key == GROWTH) {
        return read_growth(l, item, value, &t->growth);
    }
    const char *wrong, *expected;
    bool negative = *value == '-';
    if (!metasystem_read_time(l->r, value + negative, key >= 2, coefficient[key], &wrong, &expected)) {
        return refuse_item(l, item, wrong, expected);
    }
    *coefficient[key] = negative ? -*coefficient[key] : *coefficient[key];
    return INLAY_OK;
}

static int read_items(list *l, char *items, inlay_communication *t)
{
    int status = INLAY_OK;
    for (char *item = items, *next; item != NULL && status == INLAY_OK; item = next) {
        next = strchr(item, ',');
        if (next != NULL) {
            *next++ = '\0';
        }
        item = plain_trim(item, blanks);
        char *equals = strchr(item, '=');
        status = equals == NULL ? refuse_item(l, item, "is no coefficient", "NAME=VALUE between commas")
                                : read_item(l, item, plain_trim(equals + 1, blanks), t);
    }
    return status;
}

static int read_communication(const metasystem_reader *r, const dot_node *node, int pattern, inlay_communication *t)
{
    list l = {.r = r, .node = node, .attribute = METASYSTEM_PATTERN + pattern};
    const char *value = value_of(r, node, l.attribute);
    if (value == NULL) {
        return INLAY_OK;
    }
    char *copy = memory_string(value);
    int status = copy == NULL ? diag_no_memory(r->diag) : read_items(&l, copy, t);
    t->given = true;
    free(copy);
    return status;
}

/* ---- All ---- */

static int read_words(metasystem_reader *r, const dot_node *node, inlay_metasystem_cluster *cluster)
{
    const char **const word[] = {&cluster->type, &cluster->format};
    const int attribute[] = {METASYSTEM_TYPE, METASYSTEM_FORMAT};
    for (int i = 0; i < 2; i++) {
        const char *value = value_of(r, node, attribute[i]);
        if (value != NULL && !(*word[i] = name_store_keep(&r->made->names, value))) {
            return diag_no_memory(r->diag);
        }
    }
    return INLAY_OK;
}

int metasystem_read_cluster(metasystem_reader *r, const dot_node *node, inlay_metasystem_cluster *cluster)
{
    int status = check_once(r, node);
    if (status == INLAY_OK) {
        status = read_processors(r, node, cluster);
    }
    if (status == INLAY_OK) {
        status = read_rate(r, node, cluster);
    }
    if (status == INLAY_OK) {
        status = read_words(r, node, cluster);
    }
    if (status == INLAY_OK) {
        status = read_prices(r, node, cluster);
    }
    if (status == INLAY_OK) {
        status = read_interconnect(r, node, cluster);
    }
    for (int p = 0; p < INLAY_PATTERNS && status == INLAY_OK; p++) {
        status = read_communication(r, node, p, &cluster->communication[p]);
    }
    return status;
}
