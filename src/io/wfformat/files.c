/*
 * WfFormat's files: what a consumer reads and a producer writes makes the bytes of the edge between them.
 *
 * Up to 1.4 every task lists its files with sizes; from 1.5 tasks name files that the specification lists once. A file
 * may have several producers, and other sizes in other places: then the producer's counts.
 */
#include "base/diag.h"
#include "base/memory.h"
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

typedef struct file_table {
    name_map numbers;
    int32_t count;
    int64_t *size; /* from the specification's list of files, by number */
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
    free(table->size);
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
        !memory_grow((void **)&table->size, &table->capacity, (size_t)table->count + 1, sizeof *table->size) ||
        !name_map_put(&table->numbers, name, table->count)) {
        return -1;
    }
    table->size[table->count] = SIZE_UNKNOWN;
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
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a file with a number has a size */
            table->size[number] = bytes;
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
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a file with a number has a size */
            if (number < 0 || !add_use(list, (use){task, number, table->size[number]})) {
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

/*
 * What `consumer` reads from each producer, added to from_producer[] by their numbers (clear: set back to 0). A file
 * without any size counts 0, and is told by *unsized. False where a sum leaves 64 bits.
 */
static bool add_reads(const file_table *table, inlay_id consumer, int64_t *from_producer, bool clear, bool *unsized)
{
    const use_list *inputs = &table->inputs, *outputs = &table->outputs;
    for (size_t i = inputs->begin[consumer]; i < inputs->begin[consumer + 1]; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a row that is not empty has uses */
        use read = inputs->use[i];
        for (size_t o = outputs->begin[read.file]; o < outputs->begin[read.file + 1]; o++) {
            use written = outputs->use[o];
            int64_t size = written.size != SIZE_UNKNOWN ? written.size : read.size;
            if (clear) {
                from_producer[written.task] = 0;
            } else if (size == SIZE_UNKNOWN) {
                *unsized = true;
            } else if (__builtin_add_overflow(from_producer[written.task], size, &from_producer[written.task])) {
                return false;
            }
        }
    }
    return true;
}

static int sum_edges(wf_reading *reading, const file_table *table)
{
    int64_t *from_producer = memory_zeroed((size_t)reading->count, sizeof *from_producer);
    if (from_producer == NULL) {
        return diag_no_memory(reading->file.diag);
    }
    bool unsized = false;
    int status = INLAY_OK;
    for (size_t e = 0; status == INLAY_OK && e < reading->edge_count;) {
        inlay_id consumer = reading->edges[e].to;
        if (!add_reads(table, consumer, from_producer, false, &unsized)) {
            status = diag_fail_at(reading->file.diag, INLAY_OVERFLOW, reading->file.source, 0,
                                  "the files of one task add up to more than 2^63 bytes; expected less");
        }
        for (; e < reading->edge_count && reading->edges[e].to == consumer; e++) {
            const wf_task *producer = &reading->task[reading->edges[e].from];
            reading->edges[e].bytes = producer->transfer ? producer->written : from_producer[reading->edges[e].from];
        }
        add_reads(table, consumer, from_producer, true, &unsized);
    }
    if (status == INLAY_OK && unsized) {
        diag_warn(reading->file.diag, "%s: some files between tasks have no size; they count as 0 bytes",
                  reading->file.source);
    }
    free(from_producer);
    return status;
}

int wf_measure_edges(wf_reading *reading)
{
    file_table table = {0};
    int status = reading->split ? read_listed_files(reading, &table) : INLAY_OK;
    for (inlay_id t = 0; status == INLAY_OK && t < reading->count; t++) {
        status = read_task_files(reading, t, &table);
    }
    if (status == INLAY_OK && !make_rows(&table, reading->count)) {
        status = diag_no_memory(reading->file.diag);
    }
    if (status == INLAY_OK) {
        status = sum_edges(reading, &table);
    }
    file_table_clear(&table);
    return status;
}
