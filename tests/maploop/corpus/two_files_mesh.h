#ifndef TWO_FILES_MESH_H
#define TWO_FILES_MESH_H
struct grid {
    int points, edges;
    int (*end)[2];
    double *weight;
};
#define EDGE_WEIGHT(g, e) ((g).weight[e])
struct grid grid_make(int nx, int ny);
void grid_start(const struct grid *g, double *u);
double grid_norm(const struct grid *g, const double *u);
void grid_free(struct grid *g);
#endif
