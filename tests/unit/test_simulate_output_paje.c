/*
 * Recorded simulations in Paje's format, read by a small reader that knows nothing but what the file's own header
 * defines.
 */
#include "drawn.h"
#include "recorded.h"
#include "base/plain.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_SIMULATE_PAJE, MOST = 4096 };

enum { FIELDS = 12, WORD = 80, EVENTS = 32, CONTAINERS = 32 };

typedef struct definition {
    char name[WORD];
    char field[FIELDS][WORD], type[FIELDS][WORD];
    size_t count;
} definition;

typedef struct container {
    char alias[WORD], name[WORD];
    bool there;
    int modules; /* that started */
    bool computing;
} container;

typedef struct paje {
    definition definitions[EVENTS];
    container containers[CONTAINERS];
    size_t container_count;
    double time; /* of the last event */
    const recorded *of;
    double starts[MOST], ends[MOST]; /* of links, by their key; -1 none */
    int waiting;
} paje;

typedef struct line {
    const definition *is;
    char word[FIELDS][WORD];
} line;

/** Words between blanks; in quotes they may have blanks. */
static size_t split(const char *text, char word[FIELDS + 1][WORD])
{
    size_t count = 0;
    while (*text != '\0' && *text != '\n') {
        bool quoted = *text == '"';
        text += quoted;
        size_t length = strcspn(text, quoted ? "\"\n" : " \n");
        ck_assert(length < WORD && count <= FIELDS && (!quoted || text[length] == '"'));
        memcpy(word[count], text, length);
        word[count++][length] = '\0';
        text += length + quoted;
        ck_assert(*text == ' ' || *text == '\n');
        text += *text == ' ';
    }
    return count;
}

/** Reads the definitions; gives where they end. */
static const char *read_header(const char *text, paje *p)
{
    char word[FIELDS + 1][WORD];
    while (*text == '%') {
        size_t count = split(text, word);
        ck_assert_uint_eq(count, 3);
        ck_assert_str_eq(word[0], "%EventDef");
        definition *d = &p->definitions[strtoul(word[2], NULL, 10)];
        ck_assert(d->name[0] == '\0');
        strcpy(d->name, word[1]);
        for (text = strchr(text, '\n') + 1; strncmp(text, "%EndEventDef\n", 13) != 0; text = strchr(text, '\n') + 1) {
            ck_assert_uint_eq(split(text, word), 3);
            ck_assert_str_eq(word[0], "%");
            strcpy(d->field[d->count], word[1]);
            strcpy(d->type[d->count++], word[2]);
        }
        text += 13;
    }
    return text;
}

static const char *field(const line *l, const char *name)
{
    for (size_t i = 0; i < l->is->count; i++) {
        if (strcmp(l->is->field[i], name) == 0) {
            return l->word[i];
        }
    }
    ck_abort_msg("no %s in %s", name, l->is->name);
    return NULL;
}

static double number(const char *text)
{
    char *end;
    double x = plain_number(text, &end);
    ck_assert_msg(end != text && *end == '\0', "no number: %s", text);
    return x;
}

static line read_line(const char *text, const paje *p)
{
    char word[FIELDS + 1][WORD];
    line l = {0};
    size_t count = split(text, word);
    l.is = &p->definitions[(size_t)number(word[0])];
    ck_assert_msg(l.is->name[0] != '\0' && count == l.is->count + 1, "%zu fields: %.60s", count, text);
    for (size_t i = 0; i < l.is->count; i++) {
        strcpy(l.word[i], word[i + 1]);
        if (strcmp(l.is->type[i], "date") == 0 || strcmp(l.is->type[i], "double") == 0) {
            number(l.word[i]);
        }
    }
    return l;
}

static container *find_container(paje *p, const char *alias)
{
    for (size_t i = 0; i < p->container_count; i++) {
        if (strcmp(p->containers[i].alias, alias) == 0 && p->containers[i].there) {
            return &p->containers[i];
        }
    }
    ck_abort_msg("no container %s", alias);
    return NULL;
}

/** The cluster that a container is, told by its name. */
static inlay_id cluster_of(const paje *p, const container *c)
{
    for (inlay_id k = 0; k < inlay_mapping_summary(p->of->mapping)->clusters; k++) {
        char name[WORD];
        snprintf(name, sizeof name, "processor %d", (int)inlay_mapping_cluster(p->of->mapping, k).processor);
        if (strcmp(name, c->name) == 0) {
            return k;
        }
    }
    ck_abort_msg("no processor is called %s", c->name);
    return -1;
}

/** The messages that a module waits for have arrived, also in the order of the lines. */
static void expect_arrived(const paje *p, inlay_id module)
{
    size_t count;
    const inlay_simulated_message *messages = inlay_simulation_messages(p->of->simulation, &count);
    for (size_t i = 0; i < count; i++) {
        ck_assert(messages[i].to != module || !messages[i].awaited || p->ends[i] >= 0);
    }
}

/** Modules start and end when the simulation says, in their order. */
static void take_state(paje *p, const line *l)
{
    container *c = find_container(p, field(l, "Container"));
    inlay_cluster_info cluster = inlay_mapping_cluster(p->of->mapping, cluster_of(p, c));
    bool computes = strcmp(field(l, "Value"), "c") == 0;
    double time = number(field(l, "Time"));
    if (c->computing) {
        ck_assert_double_eq(time, inlay_simulation_end(p->of->simulation, cluster.module[c->modules - 1]));
    }
    if (computes) {
        ck_assert_int_lt(c->modules, cluster.modules);
        inlay_id module = cluster.module[c->modules++];
        expect_arrived(p, module);
        ck_assert_str_eq(field(l, "Module"), inlay_app_module_name(p->of->app, module));
        ck_assert_double_eq(time, inlay_simulation_start(p->of->simulation, module));
    } else {
        ck_assert_str_eq(field(l, "Value"), "w");
    }
    c->computing = computes;
}

static void take_link(paje *p, const line *l, bool starts)
{
    size_t key = (size_t)number(field(l, "Key")), count;
    const inlay_simulated_message *m = &inlay_simulation_messages(p->of->simulation, &count)[key];
    ck_assert(key < count && key < MOST);
    double *end = starts ? &p->starts[key] : &p->ends[key];
    container *c = find_container(p, field(l, starts ? "StartContainer" : "EndContainer"));
    ck_assert(*end < 0 && (starts || p->starts[key] >= 0));
    *end = number(field(l, "Time"));
    ck_assert_double_eq(*end, starts ? m->request : m->arrival);
    ck_assert_int_eq(cluster_of(p, c), starts ? m->sender : m->receiver);
}

static void take_container(paje *p, const line *l)
{
    container *c = &p->containers[p->container_count++];
    ck_assert_uint_lt(p->container_count, CONTAINERS);
    if (strcmp(field(l, "Container"), "0") != 0) {
        find_container(p, field(l, "Container"));
    }
    strcpy(c->alias, field(l, "Alias"));
    strcpy(c->name, field(l, "Name"));
    c->there = true;
}

static void take_line(paje *p, const line *l)
{
    const char *name = l->is->name;
    if (strstr(name, "Define") != NULL) {
        return;
    }
    double time = number(field(l, "Time"));
    ck_assert_double_ge(time, p->time);
    p->time = time;
    if (strcmp(name, "PajeCreateContainer") == 0) {
        take_container(p, l);
    } else if (strcmp(name, "PajeDestroyContainer") == 0) {
        find_container(p, field(l, "Name"))->there = false;
    } else if (strcmp(name, "PajeSetState") == 0) {
        take_state(p, l);
    } else if (strcmp(name, "PajeSetVariable") == 0) {
        int waiting = (int)number(field(l, "Value"));
        ck_assert(waiting >= 0 && abs(waiting - p->waiting) == 1);
        p->waiting = waiting;
    } else {
        bool starts = strcmp(name, "PajeStartLink") == 0;
        ck_assert(starts || strcmp(name, "PajeEndLink") == 0);
        take_link(p, l, starts);
    }
}

/** Reads a trace to its end; gives how many links there were. */
static size_t read_paje(const recorded *of, const char *text)
{
    static paje p;
    size_t count;
    (void)inlay_simulation_messages(of->simulation, &count);
    p = (paje){.of = of};
    ck_assert_uint_lt(count, MOST);
    for (size_t i = 0; i < count; i++) {
        p.starts[i] = p.ends[i] = -1;
    }
    for (const char *s = read_header(text, &p); *s != '\0'; s = strchr(s, '\n') + 1) {
        line l = read_line(s, &p);
        take_line(&p, &l);
    }
    for (size_t i = 0; i < p.container_count; i++) {
        container *c = &p.containers[i];
        bool processor = strncmp(c->name, "processor ", 10) == 0;
        ck_assert(!c->there && !c->computing);
        ck_assert(!processor || c->modules == inlay_mapping_cluster(of->mapping, cluster_of(&p, c)).modules);
    }
    for (size_t i = 0; i < count; i++) {
        ck_assert(p.starts[i] >= 0 && p.ends[i] >= 0);
    }
    ck_assert_int_eq(p.waiting, 0);
    ck_assert_double_eq(p.time, inlay_simulation_recorded_makespan(of->simulation));
    return count;
}

START_TEST(paje_traces_say_what_the_simulation_says)
{
    size_t links = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        recorded of = record_random(seed);
        char *text = recorded_write(&of, inlay_simulation_write_paje);
        links += read_paje(&of, text);
        free(text);
        recorded_clear(&of);
    }
    ck_assert_uint_gt(links, 500);
}
END_TEST

START_TEST(paje_names_have_no_quotes)
{
    recorded of = record("digraph { \"say \\\"hi\\\"\" [time=1]; }", "bus:2", NULL);
    char *text = recorded_write(&of, inlay_simulation_write_paje);
    ck_assert_ptr_nonnull(strstr(text, "\n7 0 S p0 c \"say 'hi'\"\n"));
    free(text);
    recorded_clear(&of);
}
END_TEST

Suite *suite_simulate_output_paje(void)
{
    Suite *suite = suite_create("simulate_output_paje");
    TCase *traces = tcase_create("traces");
    tcase_add_test(traces, paje_traces_say_what_the_simulation_says);
    tcase_add_test(traces, paje_names_have_no_quotes);
    suite_add_tcase(suite, traces);
    return suite;
}
