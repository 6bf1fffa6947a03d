/*
 * WfFormat's files: what a consumer reads and a producer writes goes along the edge between them. Files of one producer that
 * go to the same consumers are one datum.
 *
 * Up to 1.4 every task lists its files with sizes; from 1.5 tasks name files that the specification lists once. A file
 * may have several producers, and other sizes in other places: then the producer's counts.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/wfformat/wfformat.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_UNKNOWN = -1 };

/* One task reads or writes one file. */
typedef struct use {
    inlay_id task;
    int32_t file;
    int64_t size; /* SIZE_UNKNOWN where the task states none */
} use;

typedef struct use_list {
    use *use;
    size_t count, capacity;
    size_t *begin;     /* rows: of tasks for inputs, of files for outputs */
    int32_t *last_use; /* by file: the last task added, so that a file counts once a task */
    size_t known;      /* files that last_use has room for */
} use_list;

typedef struct listed_file {
    const char *name; /* jansson's */
    int64_t size;     /* from the specification's list of files */
} listed_file;

typedef struct file_table {
    name_map numbers;
    int32_t count;
    listed_file *file; /* by number */
    size_t capacity;
    use_list inputs, outputs;
} file_table;

static void file_table_clear(file_table *table)
{
    use_list *lists[] = {&table->inputs, &table->outputs};
    for (int i = 0; i < 2; i++) {
        free(lists[i]->use);
        free(lists[i]->begin);
        free(lists[i]->last_use);
    }
    name_map_clear(&table->numbers);
    free(table->file);
}

int wf_read_size(const json_file *file, const json_place *place, int64_t factor, int64_t *bytes)
{
    double size;
    int status = json_read_real(file, place, &size);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t whole = 0;
    bool fits = size < 0x1p62;
    if (fits) {
        whole = json_is_integer(place->value) ? json_integer_value(place->value) : (int64_t)ceil(size);
        fits = !__builtin_mul_overflow(whole, factor, &whole);
    }
    if (!fits) {
        return json_refuse(file, place, "a number of bytes below 2^62");
    }
    *bytes = whole;
    return INLAY_OK;
}

/* The number of a file, given where it is new; -1 when out of memory. */
static int32_t file_number(file_table *table, const char *name)
{
    int32_t number = name_map_get(&table->numbers, name);
    if (number >= 0) {
        return number;
    }
    if (table->count == INT32_MAX ||
        !memory_grow((void **)&table->file, &table->capacity, (size_t)table->count + 1, sizeof *table->file) ||
        !name_map_put(&table->numbers, name, table->count)) {
        return -1;
    }
    table->file[table->count] = (listed_file){name, SIZE_UNKNOWN};
    return table->count++;
}

/* Tasks come in order, so that a file that one task names twice is found by the last task that named it. */
static bool add_use(use_list *list, use added)
{
    size_t known = list->known;
    if (!memory_grow((void **)&list->last_use, &list->known, (size_t)added.file + 1, sizeof *list->last_use)) {
        return false;
    }
    for (size_t i = known; i < list->known; i++) {
        list->last_use[i] = -1;
    }
    if (list->last_use[added.file] == added.task) {
        return true;
    }
    list->last_use[added.file] = added.task;
    if (!memory_grow((void **)&list->use, &list->capacity, list->count + 1, sizeof *list->use)) {
        return false;
    }
    list->use[list->count++] = added;
    return true;
}

/* ---- Reading ---- */

static int read_listed_files(const wf_reading *reading, file_table *table)
{
    json_place files = json_at_member(&reading->specification, "files");
    int status = files.value == NULL ? INLAY_OK : json_need_array(&reading->file, &files);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&files); i++) {
        json_place entry = json_at_element(&files, i);
        json_place id = json_at_member(&entry, "id"), size = json_at_member(&entry, "sizeInBytes");
        const char *name = NULL;
        int64_t bytes = SIZE_UNKNOWN;
        status = json_read_text(&reading->file, &id, &name);
        if (status == INLAY_OK && size.value != NULL) {
            status = wf_read_size(&reading->file, &size, 1, &bytes);
        }
        if (status == INLAY_OK) {
            int32_t number = file_number(table, name);
            if (number < 0) {
                return diag_no_memory(reading->file.diag);
            }
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a file with a number is in the table */
            table->file[number].size = bytes;
        }
    }
    return status;
}

/* inputFiles or outputFiles of one task: names of files. */
static int read_named_uses(const wf_reading *reading, const json_place *task_place, inlay_id task, const char *member,
                           file_table *table, use_list *list)
{
    json_place names = json_at_member(task_place, member);
    int status = names.value == NULL ? INLAY_OK : json_need_array(&reading->file, &names);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&names); i++) {
        json_place element = json_at_element(&names, i);
        const char *name = NULL;
        status = json_read_text(&reading->file, &element, &name);
        if (status == INLAY_OK) {
            int32_t number = file_number(table, name);
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a file with a number is in the table */
            if (number < 0 || !add_use(list, (use){task, number, table->file[number].size})) {
                return diag_no_memory(reading->file.diag);
            }
        }
    }
    return status;
}

/* One entry of a task's `files`: {link, name, size}. */
static int read_own_file(const wf_reading *reading, const json_place *entry, inlay_id task, file_table *table)
{
    json_place link = json_at_member(entry, "link"), name_place = json_at_member(entry, "name");
    json_place size = json_at_member(entry, "sizeInBytes");
    if (name_place.value == NULL) {
        name_place = json_at_member(entry, "id");
    }
    if (size.value == NULL) {
        size = json_at_member(entry, "size");
    }
    const char *direction = NULL, *name = NULL;
    int64_t bytes = SIZE_UNKNOWN;
    int status = json_read_text(&reading->file, &link, &direction);
    if (status == INLAY_OK) {
        status = json_read_text(&reading->file, &name_place, &name);
    }
    if (status == INLAY_OK && size.value != NULL) {
        status = wf_read_size(&reading->file, &size, 1, &bytes);
    }
    if (status != INLAY_OK) {
        return status;
    }
    bool output = strcmp(direction, "output") == 0;
    if (!output && strcmp(direction, "input") != 0) {
        return json_refuse(&reading->file, &link, "'input' or 'output'");
    }
    int32_t number = file_number(table, name);
    bool added = number >= 0 && add_use(output ? &table->outputs : &table->inputs, (use){task, number, bytes});
    return added ? INLAY_OK : diag_no_memory(reading->file.diag);
}

static int read_task_files(const wf_reading *reading, inlay_id task, file_table *table)
{
    json_place place = json_at_element(&reading->tasks, (size_t)task);
    if (reading->split) {
        int status = read_named_uses(reading, &place, task, "inputFiles", table, &table->inputs);
        return status != INLAY_OK ? status
                                  : read_named_uses(reading, &place, task, "outputFiles", table, &table->outputs);
    }
    json_place files = json_at_member(&place, "files");
    int status = files.value == NULL ? INLAY_OK : json_need_array(&reading->file, &files);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&files); i++) {
        json_place entry = json_at_element(&files, i);
        status = read_own_file(reading, &entry, task, table);
    }
    return status;
}

/* ---- Bytes ---- */

/* Where the uses of each task (inputs, already in order) and of each file (outputs) begin. */
static bool make_rows(file_table *table, inlay_id tasks)
{
    use_list *inputs = &table->inputs, *outputs = &table->outputs;
    inputs->begin = memory_zeroed((size_t)tasks + 1, sizeof *inputs->begin);
    outputs->begin = memory_zeroed((size_t)table->count + 1, sizeof *outputs->begin);
    use *by_file = memory_array(outputs->count, sizeof *by_file);
    size_t *next = memory_array((size_t)table->count, sizeof *next);
    bool made = inputs->begin != NULL && outputs->begin != NULL && by_file != NULL && next != NULL;
    if (made) {
        for (size_t i = 0; i < inputs->count; i++) {
            inputs->begin[inputs->use[i].task + 1]++;
        }
        for (inlay_id t = 0; t < tasks; t++) {
            inputs->begin[t + 1] += inputs->begin[t];
        }
        for (size_t i = 0; i < outputs->count; i++) {
            outputs->begin[outputs->use[i].file + 1]++;
        }
        for (int32_t f = 0; f < table->count; f++) {
            next[f] = outputs->begin[f];
            outputs->begin[f + 1] += outputs->begin[f];
        }
        for (size_t i = 0; i < outputs->count; i++) {
            by_file[next[outputs->use[i].file]++] = outputs->use[i];
        }
        free(outputs->use);
        outputs->use = by_file;
        by_file = NULL;
    }
    free(by_file);
    free(next);
    return made;
}

/* A file on its way along an edge. */
typedef struct carriage {
    inlay_id from, to;
    int32_t file;
    int64_t size;
} carriage;

typedef struct carriages {
    carriage *at;
    size_t count, capacity;
    bool unsized; /* some have no size, and count 0 */
} carriages;

/* What `consumer` reads from tasks of which it is the child: edge_of[] has 1 + the number of that edge. */
static bool add_reads(wf_reading *reading, const file_table *table, inlay_id consumer, const size_t *edge_of,
                      carriages *all)
{
    const use_list *inputs = &table->inputs, *outputs = &table->outputs;
    for (size_t i = inputs->begin[consumer]; i < inputs->begin[consumer + 1]; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a row that is not empty has uses */
        use read = inputs->use[i];
        for (size_t o = outputs->begin[read.file]; o < outputs->begin[read.file + 1]; o++) {
            use written = outputs->use[o];
            int64_t size = written.size != SIZE_UNKNOWN ? written.size : read.size;
            if (edge_of[written.task] == 0 || reading->task[written.task].transfer) {
                continue;
            }
            if (!memory_grow((void **)&all->at, &all->capacity, all->count + 1, sizeof *all->at)) {
                return false;
            }
            reading->edges[edge_of[written.task] - 1].has_files = true;
            all->unsized = all->unsized || size == SIZE_UNKNOWN;
            all->at[all->count++] = (carriage){written.task, consumer, read.file, size == SIZE_UNKNOWN ? 0 : size};
        }
    }
    return true;
}

static bool find_carriages(wf_reading *reading, const file_table *table, carriages *all)
{
    size_t *edge_of = memory_zeroed((size_t)reading->count, sizeof *edge_of);
    bool found = edge_of != NULL;
    for (size_t e = 0, end; found && e < reading->edge_count; e = end) {
        inlay_id consumer = reading->edges[e].to;
        for (end = e; end < reading->edge_count && reading->edges[end].to == consumer; end++) {
            edge_of[reading->edges[end].from] = end + 1;
        }
        found = add_reads(reading, table, consumer, edge_of, all);
        for (size_t of = e; of < end; of++) {
            edge_of[reading->edges[of].from] = 0;
        }
    }
    free(edge_of);
    return found;
}

/* ---- Data ---- */

/* A file of a producer with all its consumers, in order. */
typedef struct shared_file {
    const carriage *first;
    size_t consumers;
} shared_file;

/* Files that go to the same consumers. */
typedef struct file_group {
    const shared_file *first;
    size_t files;
} file_group;

static int compare_carriages(const void *left, const void *right)
{
    const carriage *a = left, *b = right;
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return a->file != b->file ? (a->file > b->file) - (a->file < b->file) : (a->to > b->to) - (a->to < b->to);
}

static int compare_consumers(const shared_file *a, const shared_file *b)
{
    if (a->first->from != b->first->from) {
        return a->first->from < b->first->from ? -1 : 1;
    }
    if (a->consumers != b->consumers) {
        return a->consumers < b->consumers ? -1 : 1;
    }
    for (size_t c = 0; c < a->consumers; c++) {
        if (a->first[c].to != b->first[c].to) {
            return a->first[c].to < b->first[c].to ? -1 : 1;
        }
    }
    return 0;
}

static int compare_files(const void *left, const void *right)
{
    const shared_file *a = left, *b = right;
    int order = compare_consumers(a, b);
    return order != 0 ? order : compare_carriages(a->first, b->first);
}

static int compare_groups(const void *left, const void *right)
{
    const file_group *a = left, *b = right;
    return compare_carriages(a->first->first, b->first->first);
}

/* The first file's name, and how many there are beside it; no other file has it. */
static void name_group(const file_table *table, const file_group *group, text_buffer *name)
{
    name->size = 0;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a group has a file, which is in the table */
    text_add(name, table->file[group->first->first->file].name);
    if (group->files == 1 && name->size > 0) {
        return;
    }
    text_addf(name, " +%zu", group->files - 1);
    while (!name->failed && name_map_get(&table->numbers, name->data) >= 0) {
        text_add(name, "+");
    }
}

static int add_group(const wf_reading *reading, const file_group *group, const char *name, inlay_app_builder *builder)
{
    int status = INLAY_OK;
    for (size_t c = 0; status == INLAY_OK && c < group->first->consumers; c++) {
        const carriage *to = &group->first->first[c];
        int64_t bytes = 0;
        for (size_t f = 0; status == INLAY_OK && f < group->files; f++) {
            if (__builtin_add_overflow(bytes, group->first[f].first[c].size, &bytes)) {
                status = diag_fail_at(reading->file.diag, INLAY_OVERFLOW, reading->file.source, 0,
                                      "the files of one task add up to more than 2^63 bytes; expected less");
            }
        }
        if (status == INLAY_OK) {
            status = inlay_app_add_data_link(builder, to->from, to->to, name, 1, bytes, reading->file.diag);
        }
    }
    return status;
}

/* Carriages become files with their consumers, those groups; both arrays have room for one a carriage. */
static size_t make_groups(const carriages *all, shared_file *file, file_group *group)
{
    size_t files = 0, groups = 0;
    qsort(all->at, all->count, sizeof *all->at, compare_carriages);
    for (size_t i = 0; i < all->count; i++) {
        bool same = i > 0 && all->at[i].from == all->at[i - 1].from && all->at[i].file == all->at[i - 1].file;
        files += !same;
        file[files - 1] =
            (shared_file){same ? file[files - 1].first : &all->at[i], same ? file[files - 1].consumers + 1 : 1};
    }
    qsort(file, files, sizeof *file, compare_files);
    for (size_t f = 0; f < files; f++) {
        bool same = f > 0 && compare_consumers(&file[f - 1], &file[f]) == 0;
        groups += !same;
        group[groups - 1] =
            (file_group){same ? group[groups - 1].first : &file[f], same ? group[groups - 1].files + 1 : 1};
    }
    qsort(group, groups, sizeof *group, compare_groups);
    return groups;
}

static int add_data(const wf_reading *reading, const file_table *table, const carriages *all,
                    inlay_app_builder *builder)
{
    shared_file *file = memory_zeroed(all->count, sizeof *file);
    file_group *group = memory_zeroed(all->count, sizeof *group);
    text_buffer name = {0};
    int status = file != NULL && group != NULL ? INLAY_OK : diag_no_memory(reading->file.diag);
    size_t groups = status == INLAY_OK && all->count > 0 ? make_groups(all, file, group) : 0;
    for (size_t g = 0; status == INLAY_OK && g < groups; g++) {
        name_group(table, &group[g], &name);
        status = name.failed ? diag_no_memory(reading->file.diag) : add_group(reading, &group[g], name.data, builder);
    }
    if (status == INLAY_OK && all->unsized) {
        diag_warn(reading->file.diag, "%s: some files between tasks have no size; they count as 0 bytes",
                  reading->file.source);
    }
    text_clear(&name);
    free(file);
    free(group);
    return status;
}

/* Edges without files: those of transfers carry what these have written. */
static int add_plain_links(const wf_reading *reading, inlay_app_builder *builder)
{
    int status = INLAY_OK;
    for (size_t e = 0; status == INLAY_OK && e < reading->edge_count; e++) {
        const wf_edge *edge = &reading->edges[e];
        if (!edge->has_files) {
            int64_t bytes = reading->task[edge->from].written;
            status = inlay_app_add_link(builder, edge->from, edge->to, 1, bytes, 0, reading->file.diag);
        }
    }
    return status;
}

int wf_add_links(wf_reading *reading, inlay_app_builder *builder)
{
    file_table table = {0};
    carriages all = {0};
    int status = reading->split ? read_listed_files(reading, &table) : INLAY_OK;
    for (inlay_id t = 0; status == INLAY_OK && t < reading->count; t++) {
        status = read_task_files(reading, t, &table);
    }
    if (status == INLAY_OK && !(make_rows(&table, reading->count) && find_carriages(reading, &table, &all))) {
        status = diag_no_memory(reading->file.diag);
    }
    if (status == INLAY_OK) {
        status = add_plain_links(reading, builder);
    }
    if (status == INLAY_OK) {
        status = add_data(reading, &table, &all, builder);
    }
    free(all.at);
    file_table_clear(&table);
    return status;
}
