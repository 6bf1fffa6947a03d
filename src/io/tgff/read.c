/*
 * TGFF in: task graphs with periods and deadlines, of the generator "Task Graphs For Free" (R. P. Dick, D. L. Rhodes, W. Wolf,
 * CODES 1998), and the benchmarks E3S in its format.
 *
 * A statement a line, `#` begins a comment. `@TASK_GRAPH i { ... }` has PERIOD, TASK, ARC and deadlines; a file has several, of
 * which one is read. Tasks and arcs have types, which index the rows of tables `@NAME i { ... }`: only the comment line
 * above its rows names a table's columns. Tables with a time (`exec_time`, `task_time`) are types of processors, called
 * NAME_i; those called COMMUN... are what arcs carry.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/tgff/tgff.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its first statement; what stands in front of it is comment. */
bool tgff_looks_like(const char *data, size_t size)
{
    const char *end = data + size;
    while (data < end && *data != '@') {
        if (*data == '#') {
            const char *newline = memchr(data, '\n', (size_t)(end - data));
            data = newline == NULL ? end : newline;
        } else if (plain_space(*data)) {
            data++;
        } else {
            return false;
        }
    }
    static const char *const firsts[] = {"@HYPERPERIOD", "@TASK_GRAPH", "@COMMUN_QUANT"};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        if ((size_t)(end - data) > strlen(firsts[i]) && memcmp(data, firsts[i], strlen(firsts[i])) == 0) {
            return true;
        }
    }
    return false;
}

static int fail(const tgff *s, const char *what, const char *name, const char *expected)
{
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, s->line, "%s '%.*s'; expected %s", what, TGFF_SHOWN, name,
                        expected);
}

/* ---- Words ---- */

/* Cuts a line apart. */
static int split(tgff *s, char *text)
{
    s->words = 0;
    for (char *at = text; *at != '\0';) {
        while (plain_space(*at)) {
            at++;
        }
        if (*at == '\0') {
            break;
        }
        if (s->words == TGFF_WORDS) {
            return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, s->line,
                                "more than %d words; expected a statement", TGFF_WORDS);
        }
        s->word[s->words++] = at;
        while (*at != '\0' && !plain_space(*at)) {
            at++;
        }
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return INLAY_OK;
}

static int take_number(const tgff *s, const char *word, inlay_decimal *number)
{
    return inlay_decimal_parse(word, number) == INLAY_OK && number->digits >= 0
               ? INLAY_OK
               : fail(s, "bad number", word, "one from 0 on");
}

static int take_index(const tgff *s, const char *word, int32_t *index)
{
    inlay_decimal number;
    bool good = inlay_decimal_parse(word, &number) == INLAY_OK;
    number = good ? decimal_normal(number) : number;
    if (!good || number.scale != 0 || number.digits < 0 || number.digits > INT32_MAX) {
        return fail(s, "bad number", word, "a whole one from 0 on");
    }
    *index = (int32_t)number.digits;
    return INLAY_OK;
}

/* What stands behind a key in the statement; NULL: nothing. */
static const char *behind(const tgff *s, int first, const char *key)
{
    for (int i = first; i + 1 < s->words; i += 2) {
        if (strcmp(s->word[i], key) == 0) {
            return s->word[i + 1];
        }
    }
    return NULL;
}

/* The statement has a name, then pairs of a key and a value. */
static int check_keys(const tgff *s, const char *keys, const char *form)
{
    if (s->words < 2 || s->words % 2 != 0) {
        return fail(s, "incomplete statement", s->word[0], form);
    }
    for (int i = 2; i < s->words; i += 2) {
        const char *found = strstr(keys, s->word[i]);
        size_t size = strlen(s->word[i]);
        if (found == NULL || found[size] != ' ' || (found > keys && found[-1] != ' ')) {
            return fail(s, "unknown word", s->word[i], form);
        }
    }
    return INLAY_OK;
}

/* ---- Graphs ---- */

static int find_task(const tgff *s, const char *key, int32_t *number)
{
    const char *name = behind(s, 2, key);
    if (name == NULL) {
        return fail(s, s->word[0], s->word[1], key);
    }
    *number = name_map_get(&s->task_of, name);
    return *number >= 0 ? INLAY_OK : fail(s, "unknown task", name, "one that stands before");
}

static int need_type(const tgff *s, int32_t *type)
{
    const char *word = behind(s, 2, "TYPE");
    return word == NULL ? fail(s, s->word[0], s->word[1], "TYPE and a number behind it") : take_index(s, word, type);
}

static int add_task(tgff *s)
{
    tgff_task made = {.host = -1, .line = s->line};
    int status = check_keys(s, "TYPE HOST ", "TASK name TYPE number [HOST number]");
    status = status == INLAY_OK ? need_type(s, &made.type) : status;
    if (status == INLAY_OK && behind(s, 2, "HOST") != NULL) {
        status = take_index(s, behind(s, 2, "HOST"), &made.host);
    }
    if (status == INLAY_OK && name_map_get(&s->task_of, s->word[1]) >= 0) {
        status = fail(s, "a second task", s->word[1], "every name once in a graph");
    }
    if (status != INLAY_OK) {
        return status;
    }
    made.name = name_store_keep(&s->names, s->word[1]);
    if (made.name == NULL || !memory_grow((void **)&s->task, &s->task_room, s->tasks + 1, sizeof *s->task) ||
        !name_map_put(&s->task_of, made.name, (int32_t)s->tasks)) {
        return diag_no_memory(s->diag);
    }
    s->task[s->tasks++] = made;
    return INLAY_OK;
}

static int add_arc(tgff *s)
{
    tgff_arc made = {.line = s->line};
    int status = check_keys(s, "FROM TO TYPE ", "ARC name FROM task TO task TYPE number");
    status = status == INLAY_OK ? find_task(s, "FROM", &made.from) : status;
    status = status == INLAY_OK ? find_task(s, "TO", &made.to) : status;
    status = status == INLAY_OK ? need_type(s, &made.type) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&s->arc, &s->arc_room, s->arcs + 1, sizeof *s->arc)) {
        return diag_no_memory(s->diag);
    }
    s->arc[s->arcs++] = made;
    return INLAY_OK;
}

/* A task's deadline is its first hard one, else its first soft one. */
static int add_deadline(const tgff *s)
{
    int32_t number = 0;
    inlay_decimal at = {0};
    bool hard = strcmp(s->word[0], "HARD_DEADLINE") == 0;
    int status = check_keys(s, "ON AT ", "HARD_DEADLINE or SOFT_DEADLINE name ON task AT time");
    status = status == INLAY_OK ? find_task(s, "ON", &number) : status;
    if (status == INLAY_OK) {
        const char *word = behind(s, 2, "AT");
        status = word == NULL ? fail(s, s->word[0], s->word[1], "AT and a time behind it") : take_number(s, word, &at);
    }
    if (status == INLAY_OK && (!s->task[number].has_deadline || (hard && !s->task[number].hard))) {
        s->task[number].deadline = at;
        s->task[number].has_deadline = true;
        s->task[number].hard = hard;
    }
    return status;
}

static int take_period(tgff *s)
{
    if (s->words != 2) {
        return fail(s, "bad statement", s->word[0], "PERIOD and a time");
    }
    s->has_period = true;
    return take_number(s, s->word[1], &s->period);
}

static int take_in_graph(tgff *s)
{
    static const struct {
        const char *word;
        int (*take)(tgff *s);
    } statements[] = {{"TASK", add_task}, {"ARC", add_arc}, {"PERIOD", take_period}};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        if (strcmp(s->word[0], statements[i].word) == 0) {
            return statements[i].take(s);
        }
    }
    bool deadline = strcmp(s->word[0], "HARD_DEADLINE") == 0 || strcmp(s->word[0], "SOFT_DEADLINE") == 0;
    return deadline ? add_deadline(s)
                    : fail(s, "unknown statement", s->word[0], "TASK, ARC, PERIOD, HARD_DEADLINE or SOFT_DEADLINE");
}

/* Whether it is the one that is asked for, by its number from 1 or by its name; the first where none is. */
static int open_graph(tgff *s)
{
    char name[96], number[24];
    const char *wanted = s->how->graph;
    snprintf(name, sizeof name, "TASK_GRAPH_%.*s", TGFF_SHOWN, s->words > 2 ? s->word[1] : "");
    snprintf(number, sizeof number, "%" PRId64, ++s->graphs);
    bool chosen = wanted == NULL ? s->graphs == 1 : strcmp(wanted, number) == 0 || strcmp(wanted, name) == 0;
    s->place = chosen && s->graph == NULL ? TGFF_IN_GRAPH : TGFF_IN_OTHER_GRAPH;
    if (s->place == TGFF_IN_GRAPH) {
        s->graph = name_store_keep(&s->names, name);
        return s->graph == NULL ? diag_no_memory(s->diag) : INLAY_OK;
    }
    return INLAY_OK;
}

/* ---- Tables ---- */

static const tgff_columns no_columns = {0, -1, -1, -1, -1};

static int open_table(tgff *s)
{
    char name[96];
    snprintf(name, sizeof name, s->words > 2 ? "%.*s_%.*s" : "%.*s", TGFF_SHOWN, s->word[0] + 1, TGFF_SHOWN,
             s->word[1]);
    tgff_table made = {.name = name_store_keep(&s->names, name), .columns = no_columns, .line = s->line};
    made.carries = strncmp(name, "COMMUN", strlen("COMMUN")) == 0;
    if (made.name == NULL || !memory_grow((void **)&s->table, &s->table_room, s->tables + 1, sizeof *s->table)) {
        return diag_no_memory(s->diag);
    }
    s->table[s->tables++] = made;
    s->place = TGFF_IN_TABLE;
    memset(s->known, 0, sizeof s->known);
    s->quanta = s->quanta || strncmp(name, "COMMUN_QUANT", strlen("COMMUN_QUANT")) == 0;
    return INLAY_OK;
}

/* A comment within a table: the names of the columns of what follows, where one is `type`. */
static int take_columns(tgff *s, char *comment)
{
    tgff_columns read = no_columns;
    int status = *comment != '-' ? split(s, comment) : INLAY_OK; /* dashes are a line across */
    for (int i = 0; status == INLAY_OK && *comment != '-' && i < s->words; i++) {
        const char *word = s->word[i];
        read.type = strcmp(word, "type") == 0 ? i : read.type;
        read.valid = strcmp(word, "valid") == 0 ? i : read.valid;
        read.bits = strcmp(word, "bits") == 0 ? i : read.bits;
        read.time = strcmp(word, "exec_time") == 0 || strcmp(word, "task_time") == 0 ? i : read.time;
    }
    read.count = s->words;
    if (read.type >= 0) {
        s->table[s->tables - 1].columns = read;
    }
    return status;
}

static int take_row(tgff *s)
{
    tgff_table *of = &s->table[s->tables - 1];
    const tgff_columns *c = &of->columns;
    int value = c->time >= 0 ? c->time : c->bits;
    if (c->type < 0 || value < 0) {
        return INLAY_OK; /* of the processor, or nothing that is known */
    }
    if (s->words < c->count) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, s->line,
                            "%d numbers; expected %d, as the comment names", s->words, c->count);
    }
    tgff_entry made = {.table = (int32_t)s->tables - 1, .valid = true, .is_time = c->time >= 0};
    inlay_decimal valid = {1, 0};
    int status = take_index(s, s->word[c->type], &made.type);
    status = status == INLAY_OK ? take_number(s, s->word[value], &made.value) : status;
    status = status == INLAY_OK && c->valid >= 0 ? take_number(s, s->word[c->valid], &valid) : status;
    if (status != INLAY_OK || (made.type < TGFF_KNOWN && s->known[made.type])) {
        return status; /* the first row counts that holds: others, which short lines could make many, are not kept */
    }
    made.valid = valid.digits > 0;
    if (made.type < TGFF_KNOWN) {
        s->known[made.type] = made.valid;
    }
    if (!memory_grow((void **)&s->entry, &s->entry_room, s->entries + 1, sizeof *s->entry)) {
        return diag_no_memory(s->diag);
    }
    of->times = of->times || made.is_time;
    of->bits = of->bits || !made.is_time;
    s->entry[s->entries++] = made;
    return INLAY_OK;
}

/* ---- Lines ---- */

static int take_outside(tgff *s)
{
    bool opens = strcmp(s->word[s->words - 1], "{") == 0;
    if (s->word[0][0] != '@') {
        return fail(s, "unknown statement", s->word[0], "one that begins with @");
    }
    if (!opens) {
        return INLAY_OK; /* a number for the whole system: @HYPERPERIOD */
    }
    return strcmp(s->word[0], "@TASK_GRAPH") == 0 ? open_graph(s) : open_table(s);
}

static int take_statement(tgff *s)
{
    if (s->words == 0) {
        return INLAY_OK;
    }
    if (s->place == TGFF_OUTSIDE) {
        return take_outside(s);
    }
    if (strcmp(s->word[0], "}") == 0) {
        s->place = TGFF_OUTSIDE;
        return INLAY_OK;
    }
    return s->place == TGFF_IN_GRAPH ? take_in_graph(s) : s->place == TGFF_IN_TABLE ? take_row(s) : INLAY_OK;
}

static int take_line(tgff *s, char *text)
{
    char *comment = strchr(text, '#');
    int status = INLAY_OK;
    if (comment != NULL) {
        *comment++ = '\0';
    }
    status = split(s, text);
    bool alone = s->words == 0;
    status = status == INLAY_OK ? take_statement(s) : status;
    if (status == INLAY_OK && comment != NULL && alone && s->place == TGFF_IN_TABLE) {
        status = take_columns(s, comment);
    }
    return status;
}

static int read_lines(tgff *s, const char *data, size_t size)
{
    const char *end = data + size;
    text_buffer copy = {0};
    int status = INLAY_OK;
    for (const char *at = data; status == INLAY_OK && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline == NULL ? end : newline;
        s->line++;
        copy.size = 0;
        text_append(&copy, at, (size_t)(stop - at));
        status = copy.failed ? diag_no_memory(s->diag) : take_line(s, copy.data);
        at = newline == NULL ? end : newline + 1;
    }
    text_clear(&copy);
    return status;
}

static int check_whole(const tgff *s)
{
    if (s->place != TGFF_OUTSIDE) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, s->line, "the file ends in a block; expected '}'");
    }
    if (s->graphs == 0) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0, "no task graphs; expected @TASK_GRAPH");
    }
    if (s->how->graph == NULL && s->graphs > 1) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0,
                            "%" PRId64 " task graphs; expected one to be chosen: --graph 1 to %" PRId64, s->graphs,
                            s->graphs);
    }
    return s->graph != NULL
               ? INLAY_OK
               : diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0,
                              "no task graph '%.*s'; expected 1 to %" PRId64 ", or the name of one such as "
                              "TASK_GRAPH_0",
                              TGFF_SHOWN, s->how->graph, s->graphs);
}

int tgff_from_as(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                 inlay_diag *diag)
{
    tgff s = {.source = source, .how = how, .diag = diag};
    int status = read_lines(&s, data, size);
    status = status == INLAY_OK ? check_whole(&s) : status;
    status = status == INLAY_OK ? tgff_build(&s, app) : status;
    name_store_free(s.names);
    name_map_clear(&s.task_of);
    free(s.task);
    free(s.arc);
    free(s.table);
    free(s.entry);
    return status;
}
