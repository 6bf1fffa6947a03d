#include "bfs.h"
#include "driver.h"
static node_t nodes[N_NODES];
static edge_t edges[N_EDGES];
static level_t level[N_NODES];
static edge_index_t counts[N_LEVELS + 1];
int main(void)
{
    for (unsigned i = 0; i < N_NODES; i++) {
        nodes[i].edge_begin = i * 3, nodes[i].edge_end = i * 3 + next() % 4;
        level[i] = MAX_LEVEL;
    }
    for (unsigned i = 0; i < N_EDGES; i++) edges[i].dst = next() % N_NODES;
    bfs(nodes, edges, 0, level, counts);
    return 0;
}
