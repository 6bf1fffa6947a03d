/* Events in the order of their times, by a heap of the clusters; each event adds one processor. */
#include "select/events.h"
#include "base/heap.h"
#include "base/memory.h"

bool select_events_make(select_events *events, const select_model *model)
{
    size_t m = (size_t)model->clusters;
    *events = (select_events){.model = model};
    events->processors = pool_array(&events->arrays, m, sizeof *events->processors);
    events->speed = pool_array(&events->arrays, m, sizeof *events->speed);
    events->order = pool_array(&events->arrays, m, sizeof *events->order);
    events->place = pool_array(&events->arrays, m, sizeof *events->place);
    events->heap = pool_array(&events->arrays, m, sizeof *events->heap);
    return !events->arrays.failed;
}

void select_events_clear(select_events *events)
{
    pool_clear(&events->arrays);
    *events = (select_events){0};
}

static bool earlier(const void *context, const void *left, const void *right)
{
    const select_events *e = context;
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    double time_a = e->model->time[a][e->processors[a] + 1];
    double time_b = e->model->time[b][e->processors[b] + 1];
    return time_a < time_b || (time_a == time_b && a < b);
}

static heap next_of(const select_events *e)
{
    return (heap){e->heap, sizeof *e->heap, earlier, e};
}

void select_events_begin(select_events *events)
{
    const select_model *model = events->model;
    events->threshold = 0;
    events->total = 0;
    events->active = 0;
    events->waiting = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        events->processors[i] = 0;
        events->speed[i] = 0;
        events->order[i] = i;
        events->place[i] = i;
        if (model->most[i] > 0) {
            events->heap[events->waiting++] = i;
        }
    }
    heap_order(next_of(events), (size_t)events->waiting);
}

/* Cluster i has become faster. */
static void rise(select_events *e, int32_t i)
{
    int32_t at = e->place[i];
    for (; at > 0 && e->speed[e->order[at - 1]] < e->speed[i]; at--) {
        e->order[at] = e->order[at - 1];
        e->place[e->order[at]] = at;
    }
    e->order[at] = i;
    e->place[i] = at;
}

int32_t select_events_next(select_events *events)
{
    if (events->waiting == 0) {
        return -1;
    }
    const select_model *model = events->model;
    int32_t i = events->heap[0];
    events->threshold = model->time[i][events->processors[i] + 1];
    events->processors[i]++;
    events->active += events->processors[i] == 1;
    events->speed[i] = model->rate[i] * events->processors[i];
    events->total += model->rate[i];
    rise(events, i);
    if (events->processors[i] == model->most[i]) {
        heap_drop(next_of(events), (size_t)--events->waiting);
    } else {
        heap_sink(next_of(events), (size_t)events->waiting, 0);
    }
    return i;
}

void select_events_to(select_events *events, double threshold)
{
    const select_model *model = events->model;
    while (events->waiting > 0) {
        int32_t i = events->heap[0];
        if (model->time[i][events->processors[i] + 1] > threshold) {
            return;
        }
        (void)select_events_next(events);
    }
}

double select_events_speed(const select_model *model)
{
    double speed = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        speed += model->rate[i] * model->most[i];
    }
    return speed;
}
