
int main(void)
{
    static struct bench_args_t a;
    for (int n = 0; n < N_NODES; n++) {
        a.nodes[n].edge_begin = (edge_index_t)n * EDGE_FACTOR;
        a.nodes[n].edge_end = (edge_index_t)n * EDGE_FACTOR + 2;
        a.level[n] = MAX_LEVEL;
        a.edges[n * EDGE_FACTOR].dst = (n * 5 + 3) % N_NODES;
        a.edges[n * EDGE_FACTOR + 1].dst = (n + 17) % N_NODES;
    }
    bfs(a.nodes, a.edges, 7, a.level, a.level_counts);
    for (int l = 0; l < N_LEVELS; l++) printf("%d: %d\n", l, (int)a.level_counts[l]);
    return 0;
}
