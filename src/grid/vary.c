/* Small changes of a plan, drawn at random. */
#include "grid/plan.h"

static int32_t draw(uint64_t *state, int32_t below)
{
    return (int32_t)grid_random_below(state, (uint64_t)below);
}

/* Where a child stands. */
static int32_t *place_of(grid_plan *plan, int32_t child)
{
    for (int32_t i = 0; i < plan->cuts; i++) {
        for (int side = 0; side < 2; side++) {
            if (plan->cut[i].child[side] == child) {
                return &plan->cut[i].child[side];
            }
        }
    }
    return &plan->root;
}

/* Two processors of unlike speeds, or with ways of unlike hosts, change places. */
static bool exchange_processors(grid_plan *plan, const int64_t *whole, const int32_t *host, uint64_t *state)
{
    int32_t a = draw(state, plan->processors);
    int32_t b = draw(state, plan->processors);
    if (whole[a] == whole[b] && (host == NULL || host[a] == host[b])) {
        return false;
    }
    int32_t *place_a = place_of(plan, ~a);
    int32_t *place_b = place_of(plan, ~b);
    *place_a = ~b;
    *place_b = ~a;
    return true;
}

static bool turn_cut(grid_plan *plan, uint64_t *state)
{
    grid_plan_cut *cut = &plan->cut[draw(state, plan->cuts)];
    int others = plan->dimensions - 1;
    cut->axis = (cut->axis + 1 + (others > 1 ? draw(state, others) : 0)) % plan->dimensions;
    cut->offset = 0;
    return true;
}

static bool exchange_sides(grid_plan *plan, uint64_t *state)
{
    grid_plan_cut *cut = &plan->cut[draw(state, plan->cuts)];
    int32_t first = cut->child[0];
    cut->child[0] = cut->child[1];
    cut->child[1] = first;
    cut->offset = -cut->offset;
    return true;
}

/* A line moves by a power of two of cells, up to half of the longest way. */
static bool move_line(grid_plan *plan, int64_t longest, uint64_t *state)
{
    int32_t powers = 1;
    while (powers < 40 && ((int64_t)1 << powers) <= longest / 2) {
        powers++;
    }
    grid_plan_cut *cut = &plan->cut[draw(state, plan->cuts)];
    int64_t way = (int64_t)1 << draw(state, powers);
    cut->offset += draw(state, 2) == 0 ? way : -way;
    return true;
}

/* A processor leaves its cut and joins another place, beside it or across from it. */
static bool graft_processor(grid_plan *plan, uint64_t *state)
{
    static const int axes[] = {GRID_ACROSS, GRID_DOWN, GRID_THROUGH};
    if (plan->cuts < 2) {
        return false;
    }
    int32_t rank = draw(state, plan->processors);
    int32_t freed = 0;
    while (plan->cut[freed].child[0] != ~rank && plan->cut[freed].child[1] != ~rank) {
        freed++;
    }
    grid_plan_cut *cut = &plan->cut[freed];
    *place_of(plan, freed) = cut->child[cut->child[0] == ~rank];

    int32_t to = draw(state, plan->cuts); /* the cut that was freed stands for the root */
    int32_t *place = to == freed ? &plan->root : &plan->cut[to].child[draw(state, 2)];
    int side = draw(state, 2);
    cut->child[side] = ~rank;
    cut->child[1 - side] = *place;
    cut->axis = axes[draw(state, plan->dimensions)];
    cut->offset = 0;
    *place = freed;
    return true;
}

bool grid_plan_vary(grid_plan *plan, const int64_t *whole, const int32_t *host, int64_t longest, uint64_t *state)
{
    switch (draw(state, 6)) {
    case 0: return exchange_processors(plan, whole, host, state);
    case 1: return turn_cut(plan, state);
    case 2: return exchange_sides(plan, state);
    case 3: return graft_processor(plan, state);
    default: return move_line(plan, longest, state);
    }
}
