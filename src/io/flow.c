/* Files that tasks write and read: from their uses to the links that carry them. */
#include "io/flow.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_INFERRED = 1 << 26 };

/* One task reads or writes one file. */
typedef struct file_use {
    inlay_id task;
    int32_t file;
    int64_t size; /* FLOW_SIZE_UNKNOWN where the task states none */
} use;

void file_flow_clear(file_flow *flow)
{
    use_list *lists[] = {&flow->inputs, &flow->outputs};
    for (int i = 0; i < 2; i++) {
        free(lists[i]->use);
        free(lists[i]->begin);
        free(lists[i]->last_use);
    }
    name_map_clear(&flow->numbers);
    free(flow->file);
    *flow = (file_flow){0};
}

int32_t file_flow_file(file_flow *flow, const char *name)
{
    int32_t number = name_map_get(&flow->numbers, name);
    if (number >= 0) {
        return number;
    }
    if (flow->count == INT32_MAX ||
        !memory_grow((void **)&flow->file, &flow->capacity, (size_t)flow->count + 1, sizeof *flow->file) ||
        !name_map_put(&flow->numbers, name, flow->count)) {
        return -1;
    }
    flow->file[flow->count] = (flow_file){name, FLOW_SIZE_UNKNOWN};
    return flow->count++;
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

bool file_flow_use(file_flow *flow, bool writes, inlay_id task, int32_t file, int64_t size)
{
    return file >= 0 && add_use(writes ? &flow->outputs : &flow->inputs, (use){task, file, size});
}

/* ---- Edges ---- */

bool flow_edges_add(flow_edges *edges, inlay_id from, inlay_id to)
{
    if (!memory_grow((void **)&edges->edge, &edges->capacity, edges->count + 1, sizeof *edges->edge)) {
        return false;
    }
    edges->edge[edges->count++] = (flow_edge){.from = from, .to = to};
    return true;
}

/* By consumer, then by producer. */
static int compare_edges(const void *left, const void *right)
{
    const flow_edge *a = left, *b = right;
    return a->to != b->to ? (a->to > b->to) - (a->to < b->to) : (a->from > b->from) - (a->from < b->from);
}

static void sort_edges(flow_edges *edges)
{
    size_t kept = 0;
    if (edges->count == 0) {
        return;
    }
    qsort(edges->edge, edges->count, sizeof *edges->edge, compare_edges);
    for (size_t i = 1; i < edges->count; i++) {
        kept += compare_edges(&edges->edge[kept], &edges->edge[i]) != 0;
        edges->edge[kept] = edges->edge[i];
    }
    edges->count = kept + 1;
}

/* An edge from every producer of a file to every other task that reads it. */
static int infer_edges(const flow_question *q)
{
    const use_list *inputs = &q->flow->inputs, *outputs = &q->flow->outputs;
    for (size_t i = 0; i < inputs->count; i++) {
        use read = inputs->use[i];
        for (size_t o = outputs->begin[read.file]; o < outputs->begin[read.file + 1]; o++) {
            inlay_id from = outputs->use[o].task;
            if (q->edges->count >= MOST_INFERRED) {
                return diag_fail_at(q->diag, INLAY_BAD_INPUT, q->source, 0,
                                    "files make more than %d links; expected fewer", MOST_INFERRED);
            }
            if (from != read.task && !flow_edges_add(q->edges, from, read.task)) {
                return diag_no_memory(q->diag);
            }
        }
    }
    return INLAY_OK;
}

/* ---- Bytes ---- */

/* Where the uses of each task (inputs, already in order) and of each file (outputs) begin. */
static bool make_rows(file_flow *flow, inlay_id tasks)
{
    use_list *inputs = &flow->inputs, *outputs = &flow->outputs;
    inputs->begin = memory_zeroed((size_t)tasks + 1, sizeof *inputs->begin);
    outputs->begin = memory_zeroed((size_t)flow->count + 1, sizeof *outputs->begin);
    use *by_file = memory_array(outputs->count, sizeof *by_file);
    size_t *next = memory_array((size_t)flow->count, sizeof *next);
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
        for (int32_t f = 0; f < flow->count; f++) {
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
static bool add_reads(const flow_question *q, inlay_id consumer, const size_t *edge_of, carriages *all)
{
    const use_list *inputs = &q->flow->inputs, *outputs = &q->flow->outputs;
    for (size_t i = inputs->begin[consumer]; i < inputs->begin[consumer + 1]; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a row that is not empty has uses */
        use read = inputs->use[i];
        for (size_t o = outputs->begin[read.file]; o < outputs->begin[read.file + 1]; o++) {
            use written = outputs->use[o];
            int64_t size = written.size != FLOW_SIZE_UNKNOWN ? written.size : read.size;
            if (edge_of[written.task] == 0 || (q->sent != NULL && q->sent[written.task] >= 0)) {
                continue;
            }
            if (!memory_grow((void **)&all->at, &all->capacity, all->count + 1, sizeof *all->at)) {
                return false;
            }
            q->edges->edge[edge_of[written.task] - 1].has_files = true;
            all->unsized = all->unsized || size == FLOW_SIZE_UNKNOWN;
            all->at[all->count++] = (carriage){written.task, consumer, read.file, size == FLOW_SIZE_UNKNOWN ? 0 : size};
        }
    }
    return true;
}

static bool find_carriages(const flow_question *q, carriages *all)
{
    const flow_edges *edges = q->edges;
    size_t *edge_of = memory_zeroed((size_t)q->tasks, sizeof *edge_of);
    bool found = edge_of != NULL;
    for (size_t e = 0, end; found && e < edges->count; e = end) {
        inlay_id consumer = edges->edge[e].to;
        for (end = e; end < edges->count && edges->edge[end].to == consumer; end++) {
            edge_of[edges->edge[end].from] = end + 1;
        }
        found = add_reads(q, consumer, edge_of, all);
        for (size_t of = e; of < end; of++) {
            edge_of[edges->edge[of].from] = 0;
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
static void name_group(const file_flow *flow, const file_group *group, text_buffer *name)
{
    name->size = 0;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a group has a file, which is in the table */
    text_add(name, flow->file[group->first->first->file].name);
    if (group->files == 1 && name->size > 0) {
        return;
    }
    text_addf(name, " +%zu", group->files - 1);
    while (!name->failed && name_map_get(&flow->numbers, name->data) >= 0) {
        text_add(name, "+");
    }
}

static int add_group(const flow_question *q, const file_group *group, const char *name, inlay_app_builder *builder)
{
    int status = INLAY_OK;
    for (size_t c = 0; status == INLAY_OK && c < group->first->consumers; c++) {
        const carriage *to = &group->first->first[c];
        int64_t bytes = 0;
        for (size_t f = 0; status == INLAY_OK && f < group->files; f++) {
            if (__builtin_add_overflow(bytes, group->first[f].first[c].size, &bytes)) {
                status = diag_fail_at(q->diag, INLAY_OVERFLOW, q->source, 0,
                                      "the files of one task add up to more than 2^63 bytes; expected less");
            }
        }
        if (status == INLAY_OK) {
            status = inlay_app_add_data_link(builder, to->from, to->to, name, 1, bytes, q->diag);
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

static int add_data(const flow_question *q, const carriages *all, inlay_app_builder *builder)
{
    shared_file *file = memory_zeroed(all->count, sizeof *file);
    file_group *group = memory_zeroed(all->count, sizeof *group);
    text_buffer name = {0};
    int status = file != NULL && group != NULL ? INLAY_OK : diag_no_memory(q->diag);
    size_t groups = status == INLAY_OK && all->count > 0 ? make_groups(all, file, group) : 0;
    for (size_t g = 0; status == INLAY_OK && g < groups; g++) {
        name_group(q->flow, &group[g], &name);
        status = name.failed ? diag_no_memory(q->diag) : add_group(q, &group[g], name.data, builder);
    }
    if (status == INLAY_OK && all->unsized) {
        diag_warn(q->diag, "%s: some files between tasks have no size; they count as 0 bytes", q->source);
    }
    text_clear(&name);
    free(file);
    free(group);
    return status;
}

/* Edges without files; those of a task that sends something in their place carry that. */
static int add_plain_links(const flow_question *q, inlay_app_builder *builder)
{
    int status = INLAY_OK;
    for (size_t e = 0; status == INLAY_OK && e < q->edges->count; e++) {
        const flow_edge *edge = &q->edges->edge[e];
        int64_t bytes = q->sent != NULL && q->sent[edge->from] > 0 ? q->sent[edge->from] : 0;
        status = edge->has_files ? INLAY_OK : inlay_app_add_link(builder, edge->from, edge->to, 1, bytes, 0, q->diag);
    }
    return status;
}

/* ---- Files of the world outside ---- */

static int compare_uses(const void *left, const void *right)
{
    const use *a = left, *b = right;
    return a->file != b->file ? (a->file > b->file) - (a->file < b->file) : (a->task > b->task) - (a->task < b->task);
}

/* The largest that is said of a file's size. */
static int64_t largest_size(const flow_question *q, const use *first, size_t count)
{
    int64_t size = q->flow->file[first->file].size;
    size = size > 0 ? size : 0;
    for (size_t i = 0; i < count; i++) {
        size = first[i].size > size ? first[i].size : size;
    }
    return size;
}

/* A block, which the tasks use that read or write the file. */
static int add_block(const flow_question *q, const use *first, size_t count, inlay_id block, inlay_app_builder *builder)
{
    const flow_file *file = &q->flow->file[first->file];
    int64_t size = largest_size(q, first, count);
    text_buffer name = {0};
    text_addf(&name, "%s%s", inlay_app_builder_find(builder, file->name) >= 0 ? "file " : "", file->name);
    int status = name.failed ? diag_no_memory(q->diag)
                             : inlay_app_add_block(builder, name.data, size, (inlay_duration){0}, q->diag);
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        status = inlay_app_add_use(builder, block, first[i].task, 1, size, q->diag);
    }
    text_clear(&name);
    return status;
}

/* A module of time 0 on the processor that is the storage. Its number is the count of modules before. */
static int add_store(const flow_question *q, const char *name, inlay_app_builder *builder)
{
    const inlay_module store = {.name = name, .kind = "storage", .pinned = true, .pin = q->how->storage};
    return inlay_app_add_module(builder, &store, q->diag);
}

/* A file that is only read goes from the storage to its readers, one that is only written the other way. */
static int add_stored(const flow_question *q, const use *first, size_t count, inlay_id block,
                      inlay_app_builder *builder)
{
    const file_flow *flow = q->flow;
    const char *name = flow->file[first->file].name;
    bool written = flow->outputs.begin[first->file] < flow->outputs.begin[first->file + 1];
    inlay_id storage = q->tasks, stored = q->tasks + 1;
    int64_t size = largest_size(q, first, count);
    int status = block > 0 ? INLAY_OK : add_store(q, "storage", builder);
    status = block > 0 || status != INLAY_OK ? status : add_store(q, "stored", builder);
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        status = written ? inlay_app_add_data_link(builder, first[i].task, stored, name, 1, size, q->diag)
                         : inlay_app_add_data_link(builder, storage, first[i].task, name, 1, size, q->diag);
    }
    return status;
}

/* The uses of files that are only read, or only written, by file. NULL: out of memory. */
static use *outside_uses(const file_flow *flow, size_t *count)
{
    const use_list *inputs = &flow->inputs, *outputs = &flow->outputs;
    use *outside = memory_array(inputs->count + outputs->count, sizeof *outside);
    bool *read = memory_zeroed((size_t)flow->count, sizeof *read);
    *count = 0;
    for (size_t i = 0; outside != NULL && read != NULL && i < inputs->count; i++) {
        int32_t file = inputs->use[i].file;
        read[file] = true;
        if (outputs->begin[file] == outputs->begin[file + 1]) {
            outside[(*count)++] = inputs->use[i];
        }
    }
    for (size_t i = 0; outside != NULL && read != NULL && i < outputs->count; i++) {
        if (!read[outputs->use[i].file]) {
            outside[(*count)++] = outputs->use[i];
        }
    }
    if (read == NULL) {
        free(outside);
        outside = NULL;
    }
    free(read);
    return outside;
}

static int add_outside(const flow_question *q, inlay_app_builder *builder)
{
    size_t count;
    int status = INLAY_OK;
    use *outside = outside_uses(q->flow, &count);
    if (outside == NULL) {
        return diag_no_memory(q->diag);
    }
    qsort(outside, count, sizeof *outside, compare_uses);
    inlay_id block = 0;
    for (size_t i = 0, end; status == INLAY_OK && i < count; i = end) {
        for (end = i; end < count && outside[end].file == outside[i].file; end++) {
        }
        status = q->how->file_storage ? add_stored(q, &outside[i], end - i, block++, builder)
                                      : add_block(q, &outside[i], end - i, block++, builder);
    }
    free(outside);
    return status;
}

int flow_add_links(const flow_question *q, inlay_app_builder *builder)
{
    carriages all = {0};
    int status = make_rows(q->flow, q->tasks) ? INLAY_OK : diag_no_memory(q->diag);
    if (status == INLAY_OK && q->how->file_links) {
        status = infer_edges(q);
    }
    if (status == INLAY_OK) {
        sort_edges(q->edges);
        status = find_carriages(q, &all) ? INLAY_OK : diag_no_memory(q->diag);
    }
    if (status == INLAY_OK) {
        status = add_plain_links(q, builder);
    }
    if (status == INLAY_OK) {
        status = add_data(q, &all, builder);
    }
    if (status == INLAY_OK && (q->how->file_blocks || q->how->file_storage)) {
        status = add_outside(q, builder);
    }
    free(all.at);
    return status;
}
