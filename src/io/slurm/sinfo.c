/* What `sinfo -N -o '%N %c %m %G %P'` prints: a line of column names, then one for each node, in each of its partitions. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/machine_formats.h"
#include "io/slurm/slurm.h"
#include <stdlib.h>
#include <string.h>

typedef enum column {
    NODES,
    CPUS,
    MEMORY,
    GRES,
    PARTITION,
    STATE,
    LAYOUT, /* sockets:cores:threads */
    SOCKETS,
    CORES,
    THREADS,
    FEATURES,
    COLUMNS
} column;

static const struct {
    const char *name;
    column column;
} names[] = {
    {"NODELIST", NODES},    {"HOSTNAMES", NODES},
    {"CPUS", CPUS},         {"MEMORY", MEMORY},
    {"GRES", GRES},         {"PARTITION", PARTITION},
    {"STATE", STATE},       {"S:C:T", LAYOUT},
    {"SOCKETS", SOCKETS},   {"CORES", CORES},
    {"THREADS", THREADS},   {"AVAIL_FEATURES", FEATURES},
    {"FEATURES", FEATURES}, {"ACTIVE_FEATURES", FEATURES},
};

enum { WORDS = 64 };

/* Where the columns stand that are used; -1: nowhere. */
typedef struct heading {
    int at[COLUMNS];
    int words;
    bool open; /* the last one, REASON, may have blanks */
} heading;

/* Cuts a line into words; how many there are, of which WORDS at most are given. */
static int cut(char *line, char *word[WORDS])
{
    int words = 0;
    for (char *at = line; *(at += strspn(at, PLAIN_SPACES)) != '\0';) {
        if (words < WORDS) {
            word[words] = at;
        }
        words++;
        at += strcspn(at, PLAIN_SPACES);
        at += *at != '\0' ? (*at = '\0', 1) : 0;
    }
    return words;
}

static bool read_heading(char *line, heading *h)
{
    char *word[WORDS];
    h->words = cut(line, word);
    if (h->words > WORDS) {
        return false;
    }
    for (int c = 0; c < COLUMNS; c++) {
        h->at[c] = -1;
    }
    for (int w = 0; w < h->words; w++) {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            bool free = h->at[names[n].column] < 0;
            h->at[names[n].column] = free && strcmp(names[n].name, word[w]) == 0 ? w : h->at[names[n].column];
        }
        h->open = strcmp(word[w], "REASON") == 0;
    }
    bool sized = h->at[CPUS] >= 0 || h->at[LAYOUT] >= 0 || (h->at[SOCKETS] >= 0 && h->at[CORES] >= 0);
    return h->at[NODES] >= 0 && sized;
}

/* The line at *at, without its end; NULL: none is left, or no memory. The caller frees. */
static char *next_line(const char **at, const char *end)
{
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    const char *stop = newline == NULL ? end : newline;
    char *line = *at == end ? NULL : memory_array((size_t)(stop - *at) + 1, 1);
    if (line != NULL) {
        memcpy(line, *at, (size_t)(stop - *at));
        line[stop - *at] = '\0';
        *at = newline == NULL ? end : newline + 1;
    }
    return line;
}

bool sinfo_looks_like(const char *data, size_t size)
{
    enum { LONGEST = 1024 };
    heading h;
    const char *end = data + size;
    while (data < end && plain_space(*data)) {
        data++;
    }
    const char *newline = memchr(data, '\n', (size_t)(end - data));
    const char *stop = newline == NULL ? end : newline;
    char line[LONGEST];
    if ((size_t)(stop - data) >= sizeof line) {
        return false;
    }
    memcpy(line, data, (size_t)(stop - data));
    line[stop - data] = '\0';
    return read_heading(line, &h);
}

/* ---- Rows ---- */

typedef struct row {
    slurm *s;
    const heading *h;
    char **word;
    slurm_place place;
} row;

static char *value_of(const row *r, column c)
{
    return r->h->at[c] >= 0 ? r->word[r->h->at[c]] : NULL;
}

/* A count; a '+' behind it, of nodes that are not all alike, is left out. `missing` where there is no column. */
static int number_of(const row *r, column c, const char *name, int64_t most, int64_t missing, int64_t *number)
{
    char *value = value_of(r, c);
    *number = missing;
    if (value == NULL) {
        return INLAY_OK;
    }
    size_t size = strlen(value);
    size -= size > 1 && value[size - 1] == '+';
    value[size] = '\0';
    return slurm_number(value, 1, most, number)
               ? INLAY_OK
               : slurm_fail(r->s, r->place, "'%.60s' under %s; expected a whole number from 1 on", value, name);
}

/* "2:16:2" */
static int take_layout(const row *r, int64_t layout[3])
{
    const char *value = value_of(r, LAYOUT), *at = value;
    for (int i = 0; at != NULL && i < 3; i++) {
        char *end;
        layout[i] = plain_digit(*at) ? strtoll(at, &end, 10) : 0;
        bool good = plain_digit(*at) && layout[i] >= 1 && layout[i] <= 10000 &&
                    (*end == ':' || (i == 2 && (*end == '\0' || *end == '+')));
        if (!good) {
            return slurm_fail(r->s, r->place, "'%.60s' under S:C:T; expected sockets, cores and threads such as 2:16:2",
                              value);
        }
        at = end + 1;
    }
    return INLAY_OK;
}

static int find_cores(const row *r, slurm_node *node)
{
    enum { MOST = SLURM_MOST_CORES };
    int64_t cpus, layout[3] = {0, 0, 1};
    int status = number_of(r, CPUS, "CPUS", MOST, 0, &cpus);
    status = status == INLAY_OK ? number_of(r, SOCKETS, "SOCKETS", 10000, 0, &layout[0]) : status;
    status = status == INLAY_OK ? number_of(r, CORES, "CORES", 10000, 0, &layout[1]) : status;
    status = status == INLAY_OK ? number_of(r, THREADS, "THREADS", 1000, 1, &layout[2]) : status;
    status = status == INLAY_OK ? take_layout(r, layout) : status;
    if (status != INLAY_OK) {
        return status;
    }
    int64_t laid_out = layout[0] * layout[1];
    r->s->counts_threads = laid_out == 0 && r->h->at[THREADS] < 0;
    node->cores = laid_out > 0 ? laid_out : cpus / layout[2] > 0 ? cpus / layout[2] : 1;
    node->threads = node->cores * (layout[2] - 1);
    return node->cores <= MOST ? INLAY_OK : slurm_fail(r->s, r->place, "more than %d cores; expected fewer", MOST);
}

static bool is_told(const char *value)
{
    return value != NULL && strcmp(value, "(null)") != 0 && strcmp(value, "N/A") != 0;
}

/* A node stands there once for each of its partitions. */
static int add_once(slurm *s, const char *name, void *what)
{
    return name_map_get(&s->node_numbers, name) >= 0 ? INLAY_OK : slurm_add_node(s, name, what);
}

/* The default partition has an asterisk. */
static int join_partition(const row *r)
{
    slurm *s = r->s;
    char *name = value_of(r, PARTITION);
    size_t size = name == NULL ? 0 : strlen(name);
    if (size == 0) {
        return INLAY_OK;
    }
    bool starred = name[size - 1] == '*';
    name[size - starred] = '\0';
    int32_t known = name_map_get(&s->partitions.numbers, name);
    slurm_group *group = known >= 0 ? &s->partitions.group[known] : NULL;
    int status = known >= 0 ? INLAY_OK : slurm_add_group(s, &s->partitions, name, "partition", r->place, &group);
    if (status == INLAY_OK) {
        group->is_default = group->is_default || starred;
        text_addf(&group->nodes, "%s%s", group->nodes.size > 0 ? "," : "", value_of(r, NODES));
        status = group->nodes.failed ? diag_no_memory(s->diag) : INLAY_OK;
    }
    return status;
}

static int take_row(const row *r)
{
    enum { MOST_MEBIBYTES = 1 << 30 };
    slurm_node node = {.place = r->place};
    const char *gres = value_of(r, GRES), *state = value_of(r, STATE), *features = value_of(r, FEATURES);
    int status = find_cores(r, &node);
    status = status == INLAY_OK ? number_of(r, MEMORY, "MEMORY", MOST_MEBIBYTES, -1, &node.memory) : status;
    node.gpus = is_told(gres) ? slurm_gpus(gres) : 0;
    node.out = state != NULL && slurm_is_out(state);
    if (status == INLAY_OK && is_told(features)) {
        node.features = slurm_keep(r->s, features);
        status = node.features == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    }
    status = status == INLAY_OK ? slurm_hosts(r->s, r->place, value_of(r, NODES), add_once, &node) : status;
    return status == INLAY_OK ? join_partition(r) : status;
}

static int take_line(slurm *s, char *line, slurm_place place, heading *h)
{
    char *word[WORDS];
    if (h->words == 0) {
        return line[strspn(line, PLAIN_SPACES)] == '\0' || read_heading(line, h)
                   ? INLAY_OK
                   : slurm_fail(s, place, "expected column names of sinfo, NODELIST and CPUS or S:C:T among them");
    }
    int words = cut(line, word);
    if (words == 0) {
        return INLAY_OK;
    }
    if (words != h->words && !(h->open && words > h->words)) {
        return slurm_fail(s, place, "%d words; expected %d, one under each column name", words, h->words);
    }
    const row r = {s, h, word, place};
    return take_row(&r);
}

int slurm_sinfo(slurm *s, const char *data, size_t size)
{
    heading h = {.words = 0};
    const char *end = data + size;
    int status = INLAY_OK;
    for (long line = 1; data < end && status == INLAY_OK; line++) {
        char *text = next_line(&data, end);
        status = text == NULL ? diag_no_memory(s->diag) : take_line(s, text, (slurm_place){s->source, line}, &h);
        free(text);
    }
    return status;
}
