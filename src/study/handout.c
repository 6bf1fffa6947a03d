/* The order in which points are handed out. */
#include "study/handout.h"
#include "base/memory.h"
#include "study/store.h"
#include <stdlib.h>
#include <string.h>

/* Method best tries the other ones, and improves what they find. */
double handout_estimate(const inlay_study *study, size_t application, size_t method)
{
    enum { BEST = 50, LEAST = 20 /* what a row takes, in modules */ };
    const inlay_method *m = study->method[method];
    bool best = m == NULL ? !study->variant->options.has_time_frame : strcmp(m->name, "best") == 0;
    return study->idle ? 1 : (LEAST + store_size(study->store, application)) * (best ? BEST : 1);
}

static int by_estimate(const void *a, const void *b)
{
    const handout_class *x = a, *y = b;
    int order = (x->each < y->each) - (x->each > y->each);
    order = order != 0 ? order : (x->application > y->application) - (x->application < y->application);
    return order != 0 ? order : (x->method > y->method) - (x->method < y->method);
}

/* The i-th point of a class. */
static int64_t point_in(const inlay_study *study, const handout_class *of, int64_t i)
{
    study_place place = {.application = of->application, .method = of->method};
    place.seed = i % study->seeds.count;
    i /= study->seeds.count;
    place.variant = (size_t)(i % (int64_t)study->variants);
    i /= (int64_t)study->variants;
    place.processors = i % study->processors.count;
    place.machine = (size_t)(i / study->processors.count);
    return study_point_of(study, &place);
}

static int64_t points_in_class(const inlay_study *study)
{
    return (int64_t)study->machines * study->processors.count * (int64_t)study->variants * study->seeds.count;
}

bool handout_make(handout *s, const inlay_study *study, const uint8_t *done)
{
    *s = (handout){.study = study, .done = done, .classes = study->applications * study->methods};
    s->of = memory_array(s->classes, sizeof *s->of);
    if (s->of == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->classes; i++) {
        size_t application = i / study->methods, method = i % study->methods;
        s->of[i] = (handout_class){application, method, handout_estimate(study, application, method)};
        for (int64_t k = 0; k < points_in_class(study); k++) {
            s->all += bit_is_set(done, point_in(study, &s->of[i], k)) ? 0 : s->of[i].each;
        }
    }
    qsort(s->of, s->classes, sizeof *s->of, by_estimate);
    s->left = s->all;
    return true;
}

void handout_clear(handout *s)
{
    free(s->of);
    *s = (handout){0};
}

/* Each takes an eighth of its share of what is left: all come to the end at about the same time. */
static size_t batch_size(const handout *s, inlay_id workers)
{
    const double parts = 8.0 * (workers > 0 ? workers : 1);
    double points = s->left / (parts * s->of[s->at].each);
    return points < 1 ? 1 : points > INLAY_STUDY_BATCH ? INLAY_STUDY_BATCH : (size_t)points;
}

size_t handout_next(handout *s, inlay_id workers, int64_t point[INLAY_STUDY_BATCH])
{
    size_t count = 0, most = s->at < s->classes ? batch_size(s, workers) : 0;
    while (count < most && s->at < s->classes) {
        const handout_class *of = &s->of[s->at];
        for (; count < most && s->next < points_in_class(s->study); s->next++) {
            int64_t next = point_in(s->study, of, s->next);
            if (!bit_is_set(s->done, next)) {
                point[count++] = next;
                s->left -= of->each;
            }
        }
        if (s->next == points_in_class(s->study)) {
            s->at++;
            s->next = 0;
        }
    }
    return count;
}
