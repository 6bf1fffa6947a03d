/* Subcubes of a hypercube whose processors may all be used. */
#include "select/task_layout.h"

/* Bit i of `number` goes to the i-th bit that is set in `axes`. */
int32_t task_cube_at(const task_cube *cube, uint32_t number)
{
    uint32_t processor = cube->base;
    for (uint32_t axes = cube->axes; number != 0; number >>= 1) {
        uint32_t lowest = axes & (~axes + 1);
        processor |= (number & 1) != 0 ? lowest : 0;
        axes ^= lowest;
    }
    return (int32_t)processor;
}

/* Takes a step off `steps` for each processor that is looked at. */
static bool is_usable(const inlay_metasystem_cluster *cluster, const task_cube *cube, int64_t *steps)
{
    uint32_t offset = 0;
    do {
        (*steps)--;
        if (!task_usable(cluster, (int32_t)(cube->base | offset))) {
            return false;
        }
        offset = (offset - cube->axes) & cube->axes;
    } while (offset != 0);
    return true;
}

/* The next number with as many bits set (R. W. Gosper). */
static uint32_t next_axes(uint32_t axes)
{
    uint32_t lowest = axes & (~axes + 1);
    uint32_t ripple = axes + lowest;
    return ripple | (((axes ^ ripple) >> 2) / lowest);
}

bool task_cube_find(const inlay_metasystem_cluster *cluster, int32_t tasks, task_cube *cube)
{
    const uint32_t all = (uint32_t)cluster->total - 1;
    int64_t steps = INT64_C(1) << 24; /* some tenth of a second: of large cubes not all subcubes are looked at */
    uint32_t size = 1;
    while (size < (uint32_t)tasks) {
        size *= 2;
    }
    for (uint32_t axes = size - 1; axes <= all; axes = next_axes(axes)) {
        task_cube c = {0, axes};
        do {
            if (is_usable(cluster, &c, &steps)) {
                *cube = c;
                return true;
            }
            c.base = (c.base - (all & ~axes)) & (all & ~axes);
        } while (c.base != 0 && steps > 0);
        if (axes == 0 || steps <= 0) {
            return false;
        }
    }
    return false;
}
