/*
 * A part is split by two groups of its processors: x goes to the side of the group that it is nearer to. At first a group
 * is one processor. On a mesh the best two lie on one line, on a fat tree in two subtrees; so several are tried, on a
 * sample, for the split whose halves are closest in themselves. Its halves are then the groups for another split, as long
 * as that is better still.
 */
#include "layout/tree.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/splitmix.h"
#include <stdlib.h>

enum { SAMPLE = 64, GROUP = SAMPLE / 2 };

/* Processors of a part by which its splits are judged: all of a small one. */
typedef struct sample {
    inlay_id processor[SAMPLE];
    int count;
    int distance[SAMPLE][SAMPLE];
} sample;

/* The processors of a part. */
typedef struct part_view {
    const inlay_id *processor;
    inlay_id count;
} part_view;

/* Two groups of one size, and where their processors stand in the sample; -1: not there. */
typedef struct poles {
    inlay_id group[2][GROUP];
    int number[2][GROUP];
    int size;
} poles;

/* How much nearer a processor is to the first group than to the second: less than 0 where it is. */
typedef struct keyed {
    int64_t key;
    inlay_id processor;
    int number; /* in the sample */
} keyed;

static int compare_keys(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    int by_key = (x->key > y->key) - (x->key < y->key);
    return by_key != 0 ? by_key : (x->processor > y->processor) - (x->processor < y->processor);
}

static void draw_sample(const far_problem *f, const inlay_id *processor, inlay_id count, uint64_t *state, sample *s)
{
    s->count = count < SAMPLE ? (int)count : SAMPLE;
    for (int i = 0; i < s->count; i++) {
        s->processor[i] = processor[count <= SAMPLE ? i : splitmix_below(state, count)];
        s->distance[i][i] = 0;
        for (int j = 0; j < i; j++) {
            s->distance[i][j] = s->distance[j][i] = far_distance(f, s->processor[i], s->processor[j]);
        }
    }
}

static int64_t key_of(const far_problem *f, const poles *p, inlay_id processor)
{
    int64_t key = 0;
    for (int i = 0; i < p->size; i++) {
        key += far_distance(f, processor, p->group[0][i]) - far_distance(f, processor, p->group[1][i]);
    }
    return key;
}

/* The same for one of the sample, most of whose distances are known. */
static int64_t sample_key(const far_problem *f, const sample *s, const poles *p, int member)
{
    int64_t key = 0;
    for (int i = 0; i < p->size; i++) {
        for (int side = 0; side < 2; side++) {
            int number = p->number[side][i];
            int distance =
                number >= 0 ? s->distance[member][number] : far_distance(f, s->processor[member], p->group[side][i]);
            key += side == 0 ? distance : -distance;
        }
    }
    return key;
}

/* Splits the sample: the first half of `side` is one half of it. Gives the sum of the distances within both. */
static int64_t split_sample(const far_problem *f, const sample *s, const poles *p, keyed side[SAMPLE])
{
    for (int i = 0; i < s->count; i++) {
        side[i] = (keyed){sample_key(f, s, p, i), s->processor[i], i};
    }
    qsort(side, (size_t)s->count, sizeof *side, compare_keys);
    int64_t sum = 0;
    int half = s->count / 2;
    for (int i = 0; i < s->count; i++) {
        int end = i < half ? half : s->count;
        for (int j = i + 1; j < end; j++) {
            sum += s->distance[side[i].number][side[j].number];
        }
    }
    return sum;
}

/* By the a-th and the b-th processor of the part; a part that is a sample itself has them at those places. */
static void try_pair(const far_problem *f, const sample *s, const part_view *v, inlay_id a, inlay_id b, poles *best,
                     int64_t *least)
{
    bool known = v->count <= SAMPLE;
    const poles pair = {
        .group = {{v->processor[a]}, {v->processor[b]}}, .number = {{known ? a : -1}, {known ? b : -1}}, .size = 1};
    keyed side[SAMPLE] = {{0}};
    int64_t sum = split_sample(f, s, &pair, side);
    if (sum < *least) {
        *least = sum;
        *best = pair;
    }
}

/*
 * The first processor and itself: the order of the numbers. The first and those 1, 2, 4, ... behind it, which lie on one
 * line with it in many machines; the first and the last; some drawn at random.
 */
static int64_t try_pairs(const far_problem *f, const sample *s, const part_view *v, uint64_t *state, poles *best)
{
    enum { DRAWN = 8 };
    int64_t least = INT64_MAX;
    try_pair(f, s, v, 0, 0, best, &least);
    for (inlay_id i = 1; i < v->count; i *= 2) {
        try_pair(f, s, v, 0, i, best, &least);
    }
    try_pair(f, s, v, 0, v->count - 1, best, &least);
    for (int i = 0; i < DRAWN && v->count > 4; i++) {
        inlay_id a = splitmix_below(state, v->count);
        try_pair(f, s, v, a, splitmix_below(state, v->count), best, &least);
    }
    return least;
}

static poles choose_poles(const far_problem *f, const sample *s, const part_view *v, uint64_t *state)
{
    poles best = {.size = 0}, next = {.size = s->count / 2};
    keyed side[SAMPLE] = {{0}};
    int64_t least = try_pairs(f, s, v, state, &best);
    for (bool better = true; better;) {
        (void)split_sample(f, s, &best, side);
        for (int i = 0; i < next.size; i++) {
            next.group[0][i] = side[i].processor;
            next.number[0][i] = side[i].number;
            next.group[1][i] = side[s->count - 1 - i].processor;
            next.number[1][i] = side[s->count - 1 - i].number;
        }
        int64_t sum = split_sample(f, s, &next, side);
        better = sum < least;
        if (better) {
            least = sum;
            best = next;
        }
    }
    return best;
}

static inlay_id middle_of(const sample *s)
{
    int64_t least = INT64_MAX;
    inlay_id middle = 0;
    for (int i = 0; i < s->count; i++) {
        int64_t sum = 0;
        for (int j = 0; j < s->count; j++) {
            sum += s->distance[i][j];
        }
        if (sum < least) {
            least = sum;
            middle = s->processor[i];
        }
    }
    return middle;
}

/* Where a run of processors is cut: in the middle, or near it if that keeps cores of one host together. */
static inlay_id cut_of(const far_problem *f, const keyed *side, inlay_id count)
{
    inlay_id half = count / 2;
    for (inlay_id off = 0; off <= count / 8; off++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            inlay_id at = half + sign * off;
            if (at > 0 && at < count && far_distance(f, side[at - 1].processor, side[at].processor) > 0) {
                return at;
            }
        }
    }
    return half;
}

static inlay_id split(const far_problem *f, const poles *p, inlay_id *processor, inlay_id count, keyed *side)
{
    for (inlay_id i = 0; i < count; i++) {
        side[i] = (keyed){key_of(f, p, processor[i]), processor[i], 0};
    }
    qsort(side, (size_t)count, sizeof *side, compare_keys);
    for (inlay_id i = 0; i < count; i++) {
        processor[i] = side[i].processor;
    }
    return cut_of(f, side, count);
}

/* Parts are split in the order in which they stand; their halves go to the end. */
static void split_all(const far_problem *f, layout_tree *tree, keyed *side)
{
    sample s = {.count = 0};
    uint64_t state = f->seed;
    tree->part[0] = (layout_part){0, f->processors, -1, 0};
    tree->parts = 1;
    for (inlay_id p = 0; p < tree->parts; p++) {
        layout_part *part = &tree->part[p];
        inlay_id count = part->to - part->from;
        draw_sample(f, tree->ordered + part->from, count, &state, &s);
        part->middle = middle_of(&s);
        if (count == 1) {
            continue;
        }
        inlay_id *processor = tree->ordered + part->from;
        poles two = choose_poles(f, &s, &(part_view){processor, count}, &state);
        inlay_id cut = part->from + split(f, &two, processor, count, side);
        part->half = tree->parts;
        tree->part[tree->parts++] = (layout_part){part->from, cut, -1, 0};
        tree->part[tree->parts++] = (layout_part){cut, part->to, -1, 0};
    }
}

int layout_tree_make(const far_problem *f, layout_tree *tree, inlay_diag *diag)
{
    size_t p = (size_t)f->processors;
    keyed *side = memory_array(p, sizeof *side);
    *tree = (layout_tree){.part = memory_array(2 * p, sizeof *tree->part),
                          .ordered = memory_array(p, sizeof *tree->ordered)};
    if (side == NULL || tree->part == NULL || tree->ordered == NULL) {
        free(side);
        layout_tree_clear(tree);
        return diag_no_memory(diag);
    }
    for (inlay_id q = 0; q < f->processors; q++) {
        tree->ordered[q] = q;
    }
    split_all(f, tree, side);
    free(side);
    return INLAY_OK;
}

void layout_tree_clear(layout_tree *tree)
{
    free(tree->part);
    free(tree->ordered);
    *tree = (layout_tree){0};
}
