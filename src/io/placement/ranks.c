/*
 * Placements for launchers of MPI programs. Open MPI's rankfile, `rank N=host slot=S`, read and written: rank N is module N.
 * Slurm's list of hosts for `srun --distribution=arbitrary`, where line N is the host of rank N. Both are also written for
 * the synthetic program, whose ranks are the processors that are used, by number.
 */
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/placement/placement.h"
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

/* The hosts of the machine by name, and the (host, slot) pairs met so far: where hosts are others, a pair's number is its
 * processor. */
typedef struct slots {
    name_map hosts, numbers;
    char (*name)[INLAY_MACHINE_NAME];
    host_seats seats;
    char **keys;
    size_t count, capacity;
    bool any, ours; /* whether there was a rank, and whether the machine has its host */
} slots;

static void slots_clear(slots *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->keys[i]);
    }
    free(s->keys);
    free(s->name);
    host_seats_clear(&s->seats);
    name_map_clear(&s->numbers);
    name_map_clear(&s->hosts);
}

static int slots_make(slots *s, const inlay_machine *machine, inlay_diag *diag)
{
    if (machine == NULL) {
        return INLAY_OK;
    }
    int status = host_seats_make(machine, &s->seats, diag);
    s->name = status == INLAY_OK ? memory_array((size_t)s->seats.hosts, sizeof *s->name) : NULL;
    for (inlay_id h = 0; s->name != NULL && h < s->seats.hosts; h++) {
        (void)host_name(machine, h, s->name[h]);
        if (!name_map_put(&s->hosts, s->name[h], h)) {
            return diag_no_memory(diag);
        }
    }
    return status == INLAY_OK && s->name == NULL ? diag_no_memory(diag) : status;
}

/* Both as one text of their own; NULL when out of memory. */
static char *pair_key(span host, span slot)
{
    size_t host_size = (size_t)(host.end - host.at), slot_size = (size_t)(slot.end - slot.at);
    char *key = memory_array(host_size + slot_size + 2, 1);
    if (key != NULL) {
        memcpy(key, host.at, host_size);
        key[host_size] = ' '; /* no host has one */
        memcpy(key + host_size + 1, slot.at, slot_size);
        key[host_size + 1 + slot_size] = '\0';
    }
    return key;
}

/* The number of a pair, given where it is new; -1 when out of memory. */
static inlay_id slot_number(slots *s, span host, span slot)
{
    char *key = pair_key(host, slot);
    inlay_id number = key != NULL ? name_map_get(&s->numbers, key) : -1;
    if (key == NULL || number >= 0) {
        free(key);
        return number;
    }
    if (!memory_grow((void **)&s->keys, &s->capacity, s->count + 1, sizeof *s->keys) ||
        !name_map_put(&s->numbers, key, (int32_t)s->count)) {
        free(key);
        return -1;
    }
    s->keys[s->count] = key;
    return (inlay_id)s->count++;
}

/* Step over `word`, with blanks allowed before it; false where something else stands there. */
static bool skip_word(span *s, const char *word)
{
    size_t size = strlen(word);
    *s = span_trimmed(*s);
    if ((size_t)(s->end - s->at) < size || !plain_begins(s->at, word, size)) {
        return false;
    }
    s->at += size;
    return true;
}

static bool split_rank(span line, span *rank, span *host, span *slot)
{
    bool valid = skip_word(&line, "rank");
    *rank = span_word(&line, '=');
    valid = valid && skip_word(&line, "=");
    *host = span_word(&line, '=');
    valid = valid && skip_word(&line, "slot") && skip_word(&line, "=");
    *slot = span_word(&line, '=');
    line = span_trimmed(line);
    return valid && host->at < host->end && slot->at < slot->end && line.at == line.end;
}

bool placement_ranks_look(span first, span second)
{
    span part[3];
    (void)second;
    return split_rank(first, &part[0], &part[1], &part[2]);
}

/* A rank on the cores FIRST-LAST of one of the machine's hosts. */
static int assign_cores(placement_file *p, long line, const slots *known, inlay_id module, inlay_id host, span range)
{
    const inlay_id *seat = known->seats.processor + known->seats.begin[host];
    inlay_id cores = known->seats.begin[host + 1] - known->seats.begin[host], first, last;
    span word = range, begin = span_word(&word, '-');
    span end = word.at < word.end ? (span){word.at + 1, word.end} : begin;
    if (!span_id(begin, &first) || !span_id(end, &last) || first > last || last >= cores) {
        if (cores != 1) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                                "slot '%.*s'; expected a core of %s, 0 to %d, or several", span_shown(range), range.at,
                                known->name[host], cores - 1);
        }
        first = last = 0;
    }
    int status = INLAY_OK;
    for (inlay_id core = first; status == INLAY_OK && core <= last; core++) {
        status = placement_assign(p, line, module, seat[core]);
    }
    return status;
}

static int assign_slots(placement_file *p, long line, const slots *known, inlay_id module, inlay_id host, span slot)
{
    int status = INLAY_OK;
    while (status == INLAY_OK && slot.at < slot.end) {
        span range = span_word(&slot, ',');
        slot.at += slot.at < slot.end;
        status = assign_cores(p, line, known, module, host, range);
    }
    return status;
}

static int read_rank(placement_file *p, long line, span text, slots *known)
{
    span rank, host, slot;
    inlay_id module;
    if (!split_rank(text, &rank, &host, &slot)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "'%.*s' is no rank; expected 'rank N=host slot=S'", span_shown(text), text.at);
    }
    if (!span_id(rank, &module) || module >= inlay_app_modules(p->app)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "unknown module: rank '%.*s'; expected 0 to %d, one rank a module", span_shown(rank),
                            rank.at, inlay_app_modules(p->app) - 1);
    }
    inlay_id processor = slot_number(known, host, slot);
    char *name = pair_key(host, (span){slot.at, slot.at});
    if (processor < 0 || name == NULL) {
        free(name);
        return diag_no_memory(p->diag);
    }
    name[host.end - host.at] = '\0';
    inlay_id number = name_map_get(&known->hosts, name);
    free(name);
    if (known->any && known->ours != (number >= 0)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "%.*s is %s the hosts of %s; expected all hosts to be of these, or none", span_shown(host),
                            host.at, number >= 0 ? "one of" : "none of", inlay_machine_name(p->machine));
    }
    known->any = true;
    known->ours = number >= 0;
    return known->ours ? assign_slots(p, line, known, module, number, slot)
                       : placement_assign(p, line, module, processor);
}

int placement_ranks_read(placement_file *p, const char *data, size_t size)
{
    lines l = {data, data + size, PLACEMENT_COMMENTS, 0};
    slots known = {0};
    span line;
    int status = slots_make(&known, p->machine, p->diag);
    while (status == INLAY_OK && next_line(&l, &line)) {
        status = read_rank(p, l.line, line, &known);
    }
    slots_clear(&known);
    return status == INLAY_OK ? placement_check_complete(p, l.line) : status;
}

/* ---- Writing ---- */

/* One process, and the processors that it holds, all of one host: its own, and those of further clusters. */
typedef struct rank_line {
    const inlay_mapping *mapping;
    const host_seats *seats;
    inlay_id rank, processor;
    const inlay_id *guest; /* clusters */
    int64_t guests;
    char host[INLAY_MACHINE_NAME];
} rank_line;

typedef void put_rank(const rank_line *of, line_writer *w);

static void put_rankfile(const rank_line *of, line_writer *w)
{
    line_text(w, "rank ");
    line_number(w, of->rank, '=');
    line_text(w, of->host);
    line_text(w, " slot=");
    line_number(w, of->seats->core[of->processor], of->guests > 0 ? ',' : '\n');
    for (int64_t i = 0; i < of->guests; i++) {
        inlay_id processor = inlay_mapping_cluster(of->mapping, of->guest[i]).processor;
        line_number(w, of->seats->core[processor], i + 1 < of->guests ? ',' : '\n');
    }
}

static void put_slurm(const rank_line *of, line_writer *w)
{
    line_text(w, of->host);
    line_text(w, "\n");
}

/* Names with blanks or with signs of these files cannot stand in them; Slurm wants names, Open MPI counts hosts too. */
static int name_host(rank_line *r, bool names, inlay_diag *diag)
{
    const inlay_machine *machine = inlay_mapping_machine(r->mapping);
    bool named = host_name(machine, host_of(machine, r->processor), r->host);
    if (!named && names) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s: its hosts have no names, which Slurm knows them by; expected a machine from a file that "
                         "names them",
                         inlay_machine_name(machine));
    }
    if (r->host[0] == '\0' || r->host[strcspn(r->host, " \t#=,;\"'")] != '\0') {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s: the host '%s' cannot stand in a file for a launcher; expected a name without blanks and "
                         "without # = , ; or quotes",
                         inlay_machine_name(machine), r->host);
    }
    return INLAY_OK;
}

/* Rank r is module r. */
static int put_modules(rank_line *r, put_rank *put, line_writer *w, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (; status == INLAY_OK && r->rank < inlay_app_modules(inlay_mapping_app(r->mapping)); r->rank++) {
        r->processor = inlay_mapping_cluster(r->mapping, inlay_mapping_cluster_of(r->mapping, r->rank)).processor;
        r->guest = inlay_mapping_guest_of(r->mapping, r->rank, &r->guests);
        status = name_host(r, put == put_slurm, diag);
        if (status == INLAY_OK) {
            put(r, w);
        }
    }
    return status;
}

/* Rank r is the r-th processor that is used. */
static int put_processors(rank_line *r, put_rank *put, line_writer *w, inlay_diag *diag)
{
    inlay_id processors = inlay_machine_processors(inlay_mapping_machine(r->mapping));
    bool *used = memory_zeroed((size_t)processors, sizeof *used);
    int status = used == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (inlay_id c = 0; used != NULL && c < inlay_mapping_summary(r->mapping)->clusters; c++) {
        used[inlay_mapping_cluster(r->mapping, c).processor] = true;
    }
    for (r->processor = 0; status == INLAY_OK && r->processor < processors; r->processor++) {
        status = used[r->processor] ? name_host(r, put == put_slurm, diag) : INLAY_OK;
        if (status == INLAY_OK && used[r->processor]) {
            put(r, w);
            r->rank++;
        }
    }
    free(used);
    return status;
}

static int put_ranks(const inlay_mapping *mapping, put_rank *put, bool of_program, line_writer *w, inlay_diag *diag)
{
    host_seats seats;
    int status = host_seats_make(inlay_mapping_machine(mapping), &seats, diag);
    if (status != INLAY_OK) {
        return status;
    }
    rank_line r = {.mapping = mapping, .seats = &seats};
    status = of_program ? put_processors(&r, put, w, diag) : put_modules(&r, put, w, diag);
    host_seats_clear(&seats);
    return status;
}

int placement_ranks_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag)
{
    return put_ranks(mapping, put_rankfile, false, w, diag);
}

int placement_slurm_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag)
{
    return put_ranks(mapping, put_slurm, false, w, diag);
}

int placement_program_ranks_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag)
{
    return put_ranks(mapping, put_rankfile, true, w, diag);
}

int placement_program_slurm_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag)
{
    return put_ranks(mapping, put_slurm, true, w, diag);
}
