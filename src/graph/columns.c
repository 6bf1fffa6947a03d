/* Modules and links as columns. */

/* madvise, which asks for large pages, is no part of POSIX. */
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the C library's own name

#include "graph/columns.h"
#include "base/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Memory ---- */

/*
 * Large columns are filled from end to end, soon after they are made: with pages of 2 MiB in place of 4 KiB, the system
 * hands them out in less than half the time. Where it would rather not, nothing changes.
 */
static void ask_for_large_pages(void *column, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    static const size_t large = (size_t)4 << 20;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (column != NULL && bytes >= large) {
        size_t skipped = (page - (uintptr_t)column % page) % page;
        (void)madvise((char *)column + skipped, (bytes - skipped) / page * page, MADV_HUGEPAGE);
    }
#else
    (void)column;
    (void)bytes;
#endif
}

void *column_new(size_t count, size_t size)
{
    void *column = memory_array(count, size);
    ask_for_large_pages(column, count * size);
    return column;
}

void *column_zeroed(size_t count, size_t size)
{
    void *column = memory_zeroed(count, size);
    ask_for_large_pages(column, count * size);
    return column;
}

/* Make room in a column that is there; one that is NULL stays so, unless it is `always` there. */
static bool grow_column(void **column, bool always, size_t capacity, size_t size)
{
    if (*column == NULL && !always) {
        return true;
    }
    bool grown = memory_grow(column, &(size_t){0}, capacity, size);
    if (grown) {
        ask_for_large_pages(*column, capacity * size);
    }
    return grown;
}

static size_t grown_capacity(size_t capacity, size_t wanted)
{
    size_t larger = capacity < 8 ? 8 : capacity + capacity / 2;
    return larger < wanted ? wanted : larger;
}

/* ---- Modules ---- */

void built_modules_clear(built_modules *m)
{
    void *columns[] = {(void *)m->name, m->time,           m->time_scale, m->blocking,      m->blocking_scale,
                       m->memory,       m->traffic_memory, m->cores,      m->pin,           m->arithmetic,
                       m->functions,    m->kind,           m->deadline,   m->deadline_scale};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        free(columns[i]);
    }
    *m = (built_modules){0};
}

bool built_modules_reserve(built_modules *m, size_t wanted)
{
    if (wanted <= m->capacity) {
        return true;
    }
    wanted = grown_capacity(m->capacity, wanted);
    bool grown = grow_column((void **)&m->name, true, wanted, sizeof *m->name) &&
                 grow_column((void **)&m->time, true, wanted, sizeof *m->time) &&
                 grow_column((void **)&m->time_scale, true, wanted, sizeof *m->time_scale) &&
                 grow_column((void **)&m->blocking, false, wanted, sizeof *m->blocking) &&
                 grow_column((void **)&m->blocking_scale, false, wanted, sizeof *m->blocking_scale) &&
                 grow_column((void **)&m->memory, false, wanted, sizeof *m->memory) &&
                 grow_column((void **)&m->traffic_memory, false, wanted, sizeof *m->traffic_memory) &&
                 grow_column((void **)&m->cores, false, wanted, sizeof *m->cores) &&
                 grow_column((void **)&m->pin, false, wanted, sizeof *m->pin) &&
                 grow_column((void **)&m->arithmetic, false, wanted, sizeof *m->arithmetic) &&
                 grow_column((void **)&m->functions, false, wanted, sizeof *m->functions) &&
                 grow_column((void **)&m->kind, false, wanted, sizeof *m->kind) &&
                 grow_column((void **)&m->deadline_scale, false, wanted, sizeof *m->deadline_scale) &&
                 grow_column((void **)&m->deadline, false, wanted, sizeof *m->deadline);
    m->capacity = grown ? wanted : m->capacity;
    return grown;
}

/* Begin a column that is wanted for the first time, with the default for the modules before. */
static bool open_column(const built_modules *m, bool wanted, void **column, size_t size, const void *fallback)
{
    if (!wanted || *column != NULL) {
        return true;
    }
    char *entries = column_new(m->capacity, size);
    for (size_t i = 0; entries != NULL && i < m->count; i++) {
        memcpy(entries + i * size, fallback, size);
    }
    *column = entries;
    return entries != NULL;
}

/* Whether it has a kind. */
static bool has_kind(const inlay_module *given)
{
    return given->kind != NULL && *given->kind != '\0';
}

static bool has_deadline(const inlay_module *given)
{
    return given->deadline.value.digits > 0;
}

/* Whether it has nothing but a name and a time, as the modules of most large graphs. */
static bool is_plain(const inlay_module *given)
{
    return !given->has_blocking && given->memory <= 0 && given->traffic_memory <= 0 && given->cores <= 1 &&
           !given->pinned && !(given->arithmetic > 0) && !(given->functions > 0) && !has_kind(given) &&
           !has_deadline(given);
}

bool built_modules_open(built_modules *m, const inlay_module *given)
{
    if (is_plain(given)) {
        return true;
    }
    bool kind = has_kind(given), deadline = has_deadline(given);
    /* the scales first: where `blocking` is there, its scale is too */
    return open_column(m, given->has_blocking, (void **)&m->blocking_scale, sizeof *m->blocking_scale, &(uint8_t){0}) &&
           open_column(m, given->has_blocking, (void **)&m->blocking, sizeof *m->blocking, &(int64_t){-1}) &&
           open_column(m, given->memory > 0, (void **)&m->memory, sizeof *m->memory, &(int64_t){0}) &&
           open_column(m, given->traffic_memory > 0, (void **)&m->traffic_memory, sizeof *m->traffic_memory,
                       &(int64_t){0}) &&
           open_column(m, given->cores > 1, (void **)&m->cores, sizeof *m->cores, &(int32_t){1}) &&
           open_column(m, given->pinned, (void **)&m->pin, sizeof *m->pin, &(inlay_id){-1}) &&
           open_column(m, given->arithmetic > 0, (void **)&m->arithmetic, sizeof *m->arithmetic, &(double){0}) &&
           open_column(m, given->functions > 0, (void **)&m->functions, sizeof *m->functions, &(double){0}) &&
           open_column(m, kind, (void **)&m->kind, sizeof *m->kind, &(int32_t){-1}) &&
           open_column(m, deadline, (void **)&m->deadline_scale, sizeof *m->deadline_scale, &(uint8_t){0}) &&
           open_column(m, deadline, (void **)&m->deadline, sizeof *m->deadline, &(int64_t){0});
}

void built_modules_begin(const built_modules *m, inlay_id id)
{
    if (m->blocking != NULL) {
        m->blocking[id] = -1;
        m->blocking_scale[id] = 0;
    }
    if (m->memory != NULL) {
        m->memory[id] = 0;
    }
    if (m->traffic_memory != NULL) {
        m->traffic_memory[id] = 0;
    }
    if (m->cores != NULL) {
        m->cores[id] = 1;
    }
    if (m->pin != NULL) {
        m->pin[id] = -1;
    }
    if (m->arithmetic != NULL) {
        m->arithmetic[id] = 0;
    }
    if (m->functions != NULL) {
        m->functions[id] = 0;
    }
    if (m->kind != NULL) {
        m->kind[id] = -1;
    }
    if (m->deadline != NULL) {
        m->deadline[id] = 0;
        m->deadline_scale[id] = 0;
    }
}

void built_modules_set(const built_modules *m, inlay_id id, const inlay_module *given, int32_t kind,
                       inlay_decimal deadline)
{
    if (given->memory > 0) {
        m->memory[id] = given->memory;
    }
    if (given->traffic_memory > 0) {
        m->traffic_memory[id] = given->traffic_memory;
    }
    if (given->cores > 1) {
        m->cores[id] = given->cores;
    }
    if (given->pinned) {
        m->pin[id] = given->pin;
    }
    if (given->arithmetic > 0) {
        m->arithmetic[id] = given->arithmetic;
    }
    if (given->functions > 0) {
        m->functions[id] = given->functions;
    }
    if (kind >= 0) {
        m->kind[id] = kind;
    }
    if (deadline.digits > 0) {
        m->deadline[id] = deadline.digits;
        m->deadline_scale[id] = (uint8_t)deadline.scale;
    }
}

/* ---- Links ---- */

void built_links_clear(built_links *links)
{
    free(links->from);
    free(links->to);
    free(links->messages);
    free(links->bytes);
    free(links->flags);
    free(links->data);
    *links = (built_links){0};
}

bool built_links_reserve(built_links *links, size_t wanted)
{
    if (wanted <= links->capacity) {
        return true;
    }
    wanted = grown_capacity(links->capacity, wanted);
    bool grown = grow_column((void **)&links->from, true, wanted, sizeof *links->from) &&
                 grow_column((void **)&links->to, true, wanted, sizeof *links->to) &&
                 grow_column((void **)&links->messages, true, wanted, sizeof *links->messages) &&
                 grow_column((void **)&links->bytes, true, wanted, sizeof *links->bytes) &&
                 grow_column((void **)&links->flags, true, wanted, sizeof *links->flags) &&
                 grow_column((void **)&links->data, false, wanted, sizeof *links->data);
    links->capacity = grown ? wanted : links->capacity;
    return grown;
}

/* A running sum that stays where it has passed what sums may be. */
static void add_to_sum(int64_t *sum, int64_t value, bool *too_many)
{
    if (*too_many || value > largest_sum - *sum) {
        *too_many = true;
    } else {
        *sum += value;
    }
}

bool built_links_add(built_links *links, inlay_id from, inlay_id to, int64_t messages, int64_t bytes, uint8_t flags)
{
    if (!built_links_reserve(links, links->count + 1)) {
        return false;
    }
    int64_t order = link_order(from, to, flags);
    links->unsorted = links->unsorted || (links->count > 0 && order <= links->last);
    links->last = order;
    add_to_sum(&links->messages_sum, messages, &links->too_many);
    add_to_sum(&links->bytes_sum, bytes, &links->too_many);
    links->from[links->count] = from;
    links->to[links->count] = to;
    links->messages[links->count] = messages;
    links->bytes[links->count] = bytes;
    links->flags[links->count] = flags;
    if (links->data != NULL) {
        links->data[links->count] = -1;
    }
    links->count++;
    return true;
}

bool built_links_open_data(built_links *links)
{
    if (links->data != NULL) {
        return true;
    }
    links->data = column_new(links->capacity, sizeof *links->data);
    for (size_t i = 0; links->data != NULL && i < links->count; i++) {
        links->data[i] = -1;
    }
    return links->data != NULL;
}
