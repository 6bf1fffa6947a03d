/*
 * SDF3 in: dataflow graphs of the SDF For Free tools (S. Stuijk, M. Geilen, T. Basten, ACSD 2006), types sdf and csdf.
 *
 * `sdf` or `csdf` has the actors with their ports and the channels between these; `sdfProperties` or `csdfProperties` what
 * actors take on types of processors, in clock cycles, which are ticks, and what a token has, in bits. Cyclo-static rates
 * and times are lists: "1,3". What else there is (sizes of states and buffers, bandwidths) is left out.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/plain.h"
#include "graph/names.h"
#include "graph/sdf.h"
#include "io/formats.h"
#include "io/look.h"
#include "io/xml.h"
#include <inlay/sdf.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most_tokens = INT64_C(1) << 40;

typedef struct port {
    int32_t actor;
    bool puts, used;
    const char *rate; /* the list, as the file has it */
} port;

typedef struct processor {
    const char *type, *time;
    long line;
    int32_t actor;
    bool is_default;
} processor;

typedef struct channel {
    const char *name, *tokens, *bits;
    int32_t from, to; /* ports */
    long line;
} channel;

typedef struct actor {
    const char *name;
    int32_t phases;
    long line;
} actor;

/* Where the reader is. */
typedef enum place {
    OUTSIDE,
    IN_DOCUMENT,
    IN_APPLICATION,
    IN_GRAPH,
    IN_ACTOR,
    IN_PROPERTIES,
    IN_ACTOR_PROPERTIES
} place;

typedef struct sdf3 {
    const char *source;
    inlay_diag *diag;
    name_store *names;
    const char *name; /* of the graph */
    double throughput;
    place place;
    bool graph_read, states_told;
    actor *actor;
    port *port;
    channel *channel;
    processor *processor;
    size_t actors, ports, channels, processors;
    size_t actor_room, port_room, channel_room, processor_room;
    name_map actor_of, port_of, channel_of;
    int32_t open_actor, open_channel;
    bool in_processor;
} sdf3;

bool sdf3_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "sdf3");
}

/* ---- Attributes ---- */

static int missing(const sdf3 *s, const xml_tag *tag, const char *name)
{
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line, "%s without %s; expected %s=\"...\"", tag->name,
                        name, name);
}

/* A copy of a value that must be there and not be empty. */
static int need(sdf3 *s, const xml_tag *tag, const char *name, const char **value)
{
    const char *given = xml_value(tag, name);
    if (given == NULL || *given == '\0') {
        return missing(s, tag, name);
    }
    *value = name_store_keep(&s->names, given);
    return *value == NULL ? diag_no_memory(s->diag) : INLAY_OK;
}

static int unknown(const sdf3 *s, const xml_tag *tag, const char *what, const char *name)
{
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line,
                        "%s has unknown %s '%s'; expected one that stands "
                        "before",
                        tag->name, what, name);
}

/* A number that exists by the name that an attribute has. */
static int find(sdf3 *s, const xml_tag *tag, const char *attribute, const char *what, const name_map *among,
                int32_t *number)
{
    const char *name = xml_value(tag, attribute);
    if (name == NULL) {
        return missing(s, tag, attribute);
    }
    *number = name_map_get(among, name);
    return *number < 0 ? unknown(s, tag, what, name) : INLAY_OK;
}

static int put_new(sdf3 *s, const xml_tag *tag, name_map *into, const char *name, size_t number)
{
    if (name_map_get(into, name) >= 0) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line,
                            "a second %s '%s'; expected every name once", tag->name, name);
    }
    return name_map_put(into, name, (int32_t)number) ? INLAY_OK : diag_no_memory(s->diag);
}

/* "ACTOR PORT", by which a port is known. */
static const char *port_name(sdf3 *s, const char *of, const char *given)
{
    size_t size = strlen(of) + strlen(given) + 2;
    char *text = memory_array(size, 1);
    if (text == NULL) {
        return NULL;
    }
    (void)plain_print(text, size, "%s %s", of, given);
    const char *kept = name_store_keep(&s->names, text);
    free(text);
    return kept;
}

/* ---- Structure ---- */

static int open_document(sdf3 *s, const xml_tag *tag)
{
    const char *type = xml_value(tag, "type");
    if (type != NULL && strcmp(type, "sdf") != 0 && strcmp(type, "csdf") != 0) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line,
                            "SDF3 graph of type '%.40s'%s; expected sdf or csdf, whose rates are fixed", type,
                            strcmp(type, "sadf") == 0 ? " (scenario-aware dataflow)" : "");
    }
    s->place = IN_DOCUMENT;
    return INLAY_OK;
}

static int open_graph(sdf3 *s, const xml_tag *tag)
{
    if (s->graph_read) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line, "a second graph; expected one in a file");
    }
    s->graph_read = true;
    s->place = IN_GRAPH;
    return INLAY_OK;
}

static int32_t list_length(const char *list)
{
    int32_t length = 1;
    for (const char *c = list; *c != '\0'; c++) {
        length += *c == ',';
    }
    return length;
}

static int open_actor(sdf3 *s, const xml_tag *tag)
{
    actor made = {.phases = 1, .line = tag->line};
    int status = need(s, tag, "name", &made.name);
    status = status == INLAY_OK ? put_new(s, tag, &s->actor_of, made.name, s->actors) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&s->actor, &s->actor_room, s->actors + 1, sizeof *s->actor)) {
        return diag_no_memory(s->diag);
    }
    s->open_actor = (int32_t)s->actors;
    s->actor[s->actors++] = made;
    s->place = IN_ACTOR;
    return INLAY_OK;
}

/* An actor has as many phases as its longest list has numbers. */
static void count_phases(sdf3 *s, int32_t of, const char *list)
{
    int32_t length = list_length(list);
    s->actor[of].phases = length > s->actor[of].phases ? length : s->actor[of].phases;
}

static int open_port(sdf3 *s, const xml_tag *tag)
{
    port made = {.actor = s->open_actor, .rate = ""};
    const char *name = "", *type = "";
    int status = need(s, tag, "name", &name);
    status = status == INLAY_OK ? need(s, tag, "type", &type) : status;
    status = status == INLAY_OK ? need(s, tag, "rate", &made.rate) : status;
    if (status != INLAY_OK) {
        return status;
    }
    made.puts = strcmp(type, "out") == 0;
    if (!made.puts && strcmp(type, "in") != 0) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line, "port of type '%s'; expected in or out",
                            type);
    }
    name = port_name(s, s->actor[s->open_actor].name, name);
    if (name == NULL || !memory_grow((void **)&s->port, &s->port_room, s->ports + 1, sizeof *s->port)) {
        return diag_no_memory(s->diag);
    }
    count_phases(s, s->open_actor, made.rate);
    s->port[s->ports] = made;
    return put_new(s, tag, &s->port_of, name, s->ports++);
}

static int find_port(sdf3 *s, const xml_tag *tag, bool source, int32_t *number)
{
    const char *actor_attribute = source ? "srcActor" : "dstActor", *port_attribute = source ? "srcPort" : "dstPort";
    int32_t of = 0;
    int status = find(s, tag, actor_attribute, "actor", &s->actor_of, &of);
    const char *given = xml_value(tag, port_attribute);
    if (status != INLAY_OK || given == NULL) {
        return status != INLAY_OK ? status : missing(s, tag, port_attribute);
    }
    const char *name = port_name(s, s->actor[of].name, given);
    if (name == NULL) {
        return diag_no_memory(s->diag);
    }
    *number = name_map_get(&s->port_of, name);
    if (*number < 0) {
        return unknown(s, tag, "port", given);
    }
    if (s->port[*number].puts != source || s->port[*number].used) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line,
                            "%s '%s' of '%s' is %s; expected an %s port that no other channel has", port_attribute,
                            given, s->actor[of].name, s->port[*number].used ? "in use" : "the wrong way round",
                            source ? "out" : "in");
    }
    s->port[*number].used = true;
    return INLAY_OK;
}

static int open_channel(sdf3 *s, const xml_tag *tag)
{
    channel made = {.line = tag->line, .tokens = "0", .bits = "0"};
    int status = need(s, tag, "name", &made.name);
    status = status == INLAY_OK ? put_new(s, tag, &s->channel_of, made.name, s->channels) : status;
    status = status == INLAY_OK ? find_port(s, tag, true, &made.from) : status;
    status = status == INLAY_OK ? find_port(s, tag, false, &made.to) : status;
    if (status == INLAY_OK && xml_value(tag, "initialTokens") != NULL) {
        status = need(s, tag, "initialTokens", &made.tokens);
    }
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&s->channel, &s->channel_room, s->channels + 1, sizeof *s->channel)) {
        return diag_no_memory(s->diag);
    }
    s->channel[s->channels++] = made;
    return INLAY_OK;
}

/* ---- Properties ---- */

static int open_processor(sdf3 *s, const xml_tag *tag)
{
    const char *is_default = xml_value(tag, "default");
    processor made = {.actor = s->open_actor, .line = tag->line};
    made.is_default = is_default != NULL && (strcmp(is_default, "true") == 0 || strcmp(is_default, "1") == 0);
    int status = need(s, tag, "type", &made.type);
    if (status == INLAY_OK &&
        !memory_grow((void **)&s->processor, &s->processor_room, s->processors + 1, sizeof *s->processor)) {
        status = diag_no_memory(s->diag);
    }
    if (status == INLAY_OK) {
        s->processor[s->processors++] = made;
        s->in_processor = true;
    }
    return status;
}

static int open_time(sdf3 *s, const xml_tag *tag)
{
    int status = need(s, tag, "time", &s->processor[s->processors - 1].time);
    if (status == INLAY_OK) {
        count_phases(s, s->open_actor, s->processor[s->processors - 1].time);
    }
    return status;
}

static void tell_states(sdf3 *s, const xml_tag *tag)
{
    if (!s->states_told) {
        diag_warn(s->diag, "%s:%ld: sizes of actors' states are left out: all firings of an actor share one", s->source,
                  tag->line);
        s->states_told = true;
    }
}

static int open_property(sdf3 *s, const xml_tag *tag)
{
    if (strcmp(tag->name, "actorProperties") == 0) {
        s->place = IN_ACTOR_PROPERTIES;
        return find(s, tag, "actor", "actor", &s->actor_of, &s->open_actor);
    }
    if (strcmp(tag->name, "channelProperties") == 0) {
        return find(s, tag, "channel", "channel", &s->channel_of, &s->open_channel);
    }
    if (strcmp(tag->name, "tokenSize") == 0 && s->open_channel >= 0) {
        return need(s, tag, "sz", &s->channel[s->open_channel].bits);
    }
    return INLAY_OK;
}

static int open_actor_property(sdf3 *s, const xml_tag *tag)
{
    if (strcmp(tag->name, "processor") == 0) {
        return open_processor(s, tag);
    }
    if (strcmp(tag->name, "executionTime") == 0 && s->in_processor) {
        return open_time(s, tag);
    }
    if (strcmp(tag->name, "stateSize") == 0) {
        tell_states(s, tag);
    }
    return INLAY_OK;
}

static bool is_either(const char *name, const char *a, const char *b)
{
    return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

static int open_in_application(sdf3 *s, const xml_tag *tag)
{
    if (is_either(tag->name, "sdf", "csdf")) {
        return open_graph(s, tag);
    }
    if (is_either(tag->name, "sdfProperties", "csdfProperties")) {
        s->place = IN_PROPERTIES;
        s->open_channel = -1;
    }
    return INLAY_OK;
}

static int open_element(void *context, const xml_tag *tag)
{
    sdf3 *s = context;
    switch (s->place) {
    case OUTSIDE: return open_document(s, tag);
    case IN_DOCUMENT:
        if (strcmp(tag->name, "applicationGraph") == 0) {
            const char *name = xml_value(tag, "name");
            s->place = IN_APPLICATION;
            return name != NULL && *name != '\0' ? need(s, tag, "name", &s->name) : INLAY_OK;
        }
        return INLAY_OK;
    case IN_APPLICATION: return open_in_application(s, tag);
    case IN_GRAPH:
        return strcmp(tag->name, "actor") == 0     ? open_actor(s, tag)
               : strcmp(tag->name, "channel") == 0 ? open_channel(s, tag)
                                                   : INLAY_OK;
    case IN_ACTOR: return strcmp(tag->name, "port") == 0 ? open_port(s, tag) : INLAY_OK;
    case IN_PROPERTIES: return open_property(s, tag);
    case IN_ACTOR_PROPERTIES: return open_actor_property(s, tag);
    }
    return INLAY_OK;
}

static int close_element(void *context, const char *name, const char *text)
{
    sdf3 *s = context;
    if (s->place == IN_PROPERTIES && strcmp(name, "throughput") == 0) {
        s->throughput = plain_number(text, NULL);
    }
    s->in_processor = s->in_processor && strcmp(name, "processor") != 0;
    s->open_channel = strcmp(name, "channelProperties") == 0 ? -1 : s->open_channel;
    bool leaves = (s->place == IN_ACTOR && strcmp(name, "actor") == 0) ||
                  (s->place == IN_ACTOR_PROPERTIES && strcmp(name, "actorProperties") == 0) ||
                  (s->place == IN_GRAPH && is_either(name, "sdf", "csdf")) ||
                  (s->place == IN_PROPERTIES && is_either(name, "sdfProperties", "csdfProperties")) ||
                  (s->place == IN_APPLICATION && strcmp(name, "applicationGraph") == 0);
    if (leaves) {
        s->place = s->place == IN_ACTOR              ? IN_GRAPH
                   : s->place == IN_ACTOR_PROPERTIES ? IN_PROPERTIES
                   : s->place == IN_APPLICATION      ? IN_DOCUMENT
                                                     : IN_APPLICATION;
    }
    return INLAY_OK;
}

/* ---- Lists of numbers ---- */

/* What stands between two commas; false where that is no number that a decimal can hold. */
static bool take_number(const char **at, inlay_decimal *number)
{
    char text[64];
    size_t size = strcspn(*at, ",");
    if (size >= sizeof text) {
        return false;
    }
    memcpy(text, *at, size);
    text[size] = '\0';
    *at += size + ((*at)[size] == ',');
    return inlay_decimal_parse(plain_trim(text, PLAIN_SPACES), number) == INLAY_OK && number->digits >= 0;
}

/* A list for all phases; one number counts for each of them. */
static int read_list(const sdf3 *s, const actor *of, const char *what, const char *list, inlay_decimal *numbers)
{
    int32_t length = list_length(list);
    if (length != of->phases && length != 1) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, of->line,
                            "actor '%s': %d %ss in \"%.60s\"; expected one, or %d as its longest list has", of->name,
                            length, what, list, of->phases);
    }
    const char *at = list;
    for (int32_t i = 0; i < length; i++) {
        if (!take_number(&at, &numbers[i])) {
            return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, of->line,
                                "actor '%s': bad %s \"%.60s\"; expected numbers from 0 on, with commas between them",
                                of->name, what, list);
        }
    }
    for (int32_t i = length; i < of->phases; i++) {
        numbers[i] = numbers[0];
    }
    return INLAY_OK;
}

/* Whether it is a whole number from 0 to the most that tokens may be. */
static bool take_whole(inlay_decimal number, int64_t *whole)
{
    number = decimal_normal(number);
    *whole = number.digits;
    return number.scale == 0 && number.digits >= 0 && number.digits <= most_tokens;
}

static int read_rates(const sdf3 *s, const port *of, int64_t *rate, inlay_decimal *numbers)
{
    const actor *owner = &s->actor[of->actor];
    int status = read_list(s, owner, "rate", of->rate, numbers);
    for (int32_t i = 0; status == INLAY_OK && i < owner->phases; i++) {
        if (!take_whole(numbers[i], &rate[i])) {
            return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, owner->line,
                                "actor '%s': bad rate \"%.60s\"; expected whole numbers up to 2^40", owner->name,
                                of->rate);
        }
    }
    return status;
}

/* ---- The graph ---- */

static int add_channel(const sdf3 *s, const channel *c, inlay_sdf *sdf, int64_t *rate, inlay_decimal *numbers)
{
    const port *from = &s->port[c->from], *to = &s->port[c->to];
    inlay_decimal tokens, bits;
    inlay_sdf_channel made = {.name = c->name, .from = from->actor, .to = to->actor, .line = c->line};
    made.produced = rate;
    made.consumed = rate + s->actor[from->actor].phases;
    int status = read_rates(s, from, rate, numbers);
    status = status == INLAY_OK ? read_rates(s, to, rate + s->actor[from->actor].phases, numbers) : status;
    bool good = inlay_decimal_parse(c->tokens, &tokens) == INLAY_OK && take_whole(tokens, &made.tokens) &&
                inlay_decimal_parse(c->bits, &bits) == INLAY_OK && take_whole(bits, &made.token_bits);
    if (status == INLAY_OK && !good) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, c->line,
                            "channel '%s' has %.40s tokens of %.40s bits; expected whole numbers up to 2^40", c->name,
                            c->tokens, c->bits);
    }
    return status == INLAY_OK ? inlay_sdf_add_channel(sdf, &made, s->diag) : status;
}

/* The processor whose times are an actor's general ones: its first default, else its first. */
static void find_general(const sdf3 *s, int32_t *general)
{
    for (size_t i = 0; i < s->actors; i++) {
        general[i] = -1;
    }
    for (size_t i = 0; i < s->processors; i++) {
        int32_t *of = &general[s->processor[i].actor];
        bool better = *of < 0 || (s->processor[i].is_default && !s->processor[*of].is_default);
        *of = better ? (int32_t)i : *of;
    }
}

static bool several_types(const sdf3 *s)
{
    size_t i = 1;
    while (i < s->processors && strcmp(s->processor[i].type, s->processor[0].type) == 0) {
        i++;
    }
    return i < s->processors;
}

static int add_processor(const sdf3 *s, const processor *p, bool general, bool typed, inlay_sdf *sdf,
                         inlay_decimal *numbers)
{
    if (p->time == NULL) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, p->line,
                            "processor of type '%s' without executionTime; expected one", p->type);
    }
    int status = read_list(s, &s->actor[p->actor], "time", p->time, numbers);
    if (status == INLAY_OK && general) {
        status = inlay_sdf_set_times(sdf, p->actor, NULL, numbers, s->diag);
    }
    return status == INLAY_OK && typed ? inlay_sdf_set_times(sdf, p->actor, p->type, numbers, s->diag) : status;
}

/* Times by type of processor are of no use where there is one type. */
static int add_times(const sdf3 *s, inlay_sdf *sdf, inlay_decimal *numbers)
{
    int32_t *general = memory_array(s->actors, sizeof *general);
    if (general == NULL) {
        return diag_no_memory(s->diag);
    }
    find_general(s, general);
    bool typed = several_types(s);
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < s->processors; i++) {
        const processor *p = &s->processor[i];
        status = add_processor(s, p, general[p->actor] == (int32_t)i, typed, sdf, numbers);
    }
    status = status == INLAY_OK && typed ? sdf_forbid_others(sdf, s->diag) : status;
    size_t untimed = 0;
    for (size_t i = s->actors; i-- > 0;) {
        untimed += general[i] < 0;
        general[0] = general[i] < 0 ? -1 - (int32_t)i : general[0]; /* the first of them is left */
    }
    if (status == INLAY_OK && untimed > 0) {
        diag_warn(s->diag, "%s: %zu actors without executionTime take no time ('%s')", s->source, untimed,
                  s->actor[-1 - general[0]].name);
    }
    free(general);
    return status;
}

static int32_t most_phases(const sdf3 *s)
{
    int32_t most = 1;
    for (size_t i = 0; i < s->actors; i++) {
        most = s->actor[i].phases > most ? s->actor[i].phases : most;
    }
    return most;
}

static int fill(const sdf3 *s, inlay_sdf *sdf)
{
    size_t phases = (size_t)most_phases(s);
    inlay_decimal *numbers = memory_array(phases, sizeof *numbers);
    int64_t *rate = memory_array(2 * phases, sizeof *rate);
    int status = numbers == NULL || rate == NULL ? diag_no_memory(s->diag) : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < s->actors; i++) {
        status = inlay_sdf_add_actor(sdf, s->actor[i].name, s->actor[i].phases, s->diag);
    }
    status = status == INLAY_OK ? add_times(s, sdf, numbers) : status;
    for (size_t i = 0; status == INLAY_OK && i < s->channels; i++) {
        status = add_channel(s, &s->channel[i], sdf, rate, numbers);
    }
    if (s->throughput > 0) {
        inlay_sdf_require(sdf, s->throughput);
    }
    free(numbers);
    free(rate);
    return status == INLAY_OK ? inlay_sdf_seal(sdf, s->source, s->diag) : status;
}

static int make(const sdf3 *s, int32_t iterations, inlay_app **app)
{
    char *file_name = s->name == NULL ? format_graph_name(s->source) : NULL;
    const char *name = s->name != NULL ? s->name : file_name;
    inlay_sdf *sdf = name == NULL ? NULL : inlay_sdf_new(name, INLAY_UNIT_TICK);
    free(file_name);
    int status = sdf == NULL ? diag_no_memory(s->diag) : fill(s, sdf);
    status = status == INLAY_OK ? inlay_sdf_app(sdf, iterations, app, s->diag) : status;
    inlay_sdf_free(sdf);
    return status;
}

static void clear(sdf3 *s)
{
    name_store_free(s->names);
    free(s->actor);
    free(s->port);
    free(s->channel);
    free(s->processor);
    name_map_clear(&s->actor_of);
    name_map_clear(&s->port_of);
    name_map_clear(&s->channel_of);
}

int sdf3_from_as(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                 inlay_diag *diag)
{
    sdf3 s = {.source = source, .diag = diag, .open_channel = -1};
    const xml_reader reader = {"an SDF3 graph", .open = open_element, .close = close_element, .text = true};
    int status = xml_parse(data, size, source, &reader, &s, diag);
    if (status == INLAY_OK && !s.graph_read) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                              "no dataflow graph; expected sdf or csdf in applicationGraph");
    }
    status = status == INLAY_OK ? make(&s, how->iterations > 0 ? how->iterations : 1, app) : status;
    clear(&s);
    return status;
}
