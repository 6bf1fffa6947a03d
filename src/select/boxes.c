/* Branch and bound over boxes, depth first: the better half of a box comes next. */
#include "base/diag.h"
#include "base/memory.h"
#include "select/best.h"
#include "select/box.h"
#include "select/front.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Open boxes, the next one last. Box n has its numbers of processors at limits + 2 m n. */
typedef struct search {
    const select_model *model;
    select_best *best;
    select_front *front; /* that is looked for in place of the best; or NULL */
    select_bounder bounder;
    select_box *box;
    int32_t *limits;
    size_t open, room, limits_room;
} search;

static void place(const search *s, size_t n)
{
    size_t m = (size_t)s->model->clusters;
    s->box[n].least = s->limits + 2 * m * n;
    s->box[n].most = s->box[n].least + m;
}

/* Room for `count` boxes. Arrays may move. */
static bool make_room(search *s, size_t count)
{
    size_t width = 2 * (size_t)s->model->clusters;
    size_t before = s->limits_room;
    if (!memory_grow((void **)&s->box, &s->room, count, sizeof *s->box) ||
        !memory_grow((void **)&s->limits, &s->limits_room, count * width, sizeof *s->limits)) {
        return false;
    }
    for (size_t n = 0; before != s->limits_room && n < s->open; n++) {
        place(s, n);
    }
    return true;
}

static void copy_box(const search *s, size_t from, size_t to)
{
    if (from != to) {
        s->box[to] = s->box[from];
        place(s, to);
        memcpy(s->box[to].least, s->box[from].least, 2 * (size_t)s->model->clusters * sizeof(int32_t));
    }
}

static bool is_single(const select_model *model, const select_box *box)
{
    return memcmp(box->least, box->most, (size_t)model->clusters * sizeof *box->least) == 0;
}

/* Bounds the box `n`, the last one, and looks at its guess; drops it where nothing in it is worth having. */
static bool keep(search *s, size_t n)
{
    select_box *box = &s->box[n];
    if (!select_box_bound(&s->bounder, s->front != NULL ? INFINITY : select_best_limit(s->best), box)) {
        return false;
    }
    if (s->front != NULL) {
        select_front_offer(s->front, s->bounder.guess);
        return !is_single(s->model, box) && select_front_may_hold(s->front, box);
    }
    select_best_offer(s->best, s->bounder.guess, select_cycle(s->model, s->bounder.guess));
    return !is_single(s->model, box);
}

/* Puts the two halves of the last box in its place, the better one last. */
static bool split(search *s)
{
    size_t parent = s->open - 1;
    size_t lower = s->open;
    size_t upper = s->open + 1;
    if (!make_room(s, upper + 1)) {
        return false;
    }
    copy_box(s, parent, lower);
    copy_box(s, parent, upper);
    select_box_split(s->model, &s->box[lower], &s->box[upper]);
    bool keep_lower = keep(s, lower);
    bool keep_upper = keep(s, upper);
    bool lower_is_better = s->box[lower].bound < s->box[upper].bound;
    s->open = parent;
    if (keep_upper && (lower_is_better || !keep_lower)) {
        copy_box(s, upper, s->open++);
    }
    if (keep_lower) {
        copy_box(s, lower, s->open++);
    }
    if (keep_upper && keep_lower && !lower_is_better) {
        copy_box(s, upper, s->open++);
    }
    return true;
}

/* The whole space as the first box; false where there is no memory. */
static bool begin(search *s)
{
    if (!select_bounder_make(&s->bounder, s->model) || !make_room(s, 1)) {
        return false;
    }
    place(s, 0);
    select_box *all = &s->box[0];
    all->longest = 0;
    all->bound = s->best->lower_bound;
    memset(all->least, 0, (size_t)s->model->clusters * sizeof *all->least);
    memcpy(all->most, s->model->most, (size_t)s->model->clusters * sizeof *all->most);
    s->open = keep(s, 0);
    return true;
}

/* What is proven when boxes are still open, or none is. */
static void conclude(const search *s)
{
    select_best *best = s->best;
    double least = s->front != NULL ? 0 : best->cost[0];
    for (size_t n = 0; n < s->open; n++) {
        least = fmin(least, s->box[n].bound);
    }
    if (s->front == NULL) {
        best->lower_bound = fmin(fmax(least, best->lower_bound), best->cost[0]);
    }
    best->proven = best->proven || s->open == 0;
}

/* Whether the last box is still worth looking into. */
static bool promises(const search *s)
{
    const select_box *box = &s->box[s->open - 1];
    return s->front != NULL ? select_front_may_hold(s->front, box)
                            : box->bound * (1 + 1e-12) < select_best_limit(s->best);
}

int select_boxes(const select_model *model, int64_t limit, select_front *front, select_best *best, inlay_diag *diag)
{
    search s = {.model = model, .best = best, .front = front};
    bool room = begin(&s);
    for (int64_t boxes = 0; room && s.open > 0 && boxes < limit; boxes += 2) {
        if (promises(&s)) {
            room = split(&s);
            best->looked_at += 2;
        } else {
            s.open--;
        }
    }
    if (room) {
        conclude(&s);
    }
    select_bounder_clear(&s.bounder);
    free(s.box);
    free(s.limits);
    return room && (front == NULL || !front->failed) ? INLAY_OK : diag_no_memory(diag);
}
