/*
 * The five programs of kernels.c for MPI as they are written by hand, over the library of irregular loops: vertices are divided by
 * the same partitioner, with the same loads, and each rank has its own part alone, in numbers of its own.
 *
 *     mpirun -n 2 by_hand edges|gradients|web|elements|atoms SIZE STEPS
 */
#include "kernels.h"
#include <inlay/irregular.h>

typedef struct program {
    int rank, ranks;
    inlay_diag *diag;
    inlay_table *table; /* of the vertices */
    int own, *owner;    /* [all vertices], for what each rank takes of the mesh */
    int64_t *mine;      /* [own] ascending */
} program;

static void must(const program *p, int status)
{
    if (status != INLAY_OK) {
        fprintf(stderr, "%s\n", inlay_diag_message(p->diag));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Divides the vertices: those that are linked shall lie on one rank, loads are links. */
static void divide(program *p, int n, const int *a, const int *b, int count)
{
    inlay_rdg *rdg;
    inlay_table *rows;
    inlay_graph *graph;
    must(p, inlay_rdg_new(n, count / p->ranks, &rdg, p->diag));
    int *load = room(n, sizeof *load);
    for (int e = 0; e < count; e++) {
        const int64_t from = a[e], to = b[e];
        load[from]++;
        load[to]++;
        if (e % p->ranks == p->rank) must(p, inlay_rdg_add_pairs(rdg, &from, &to, 1, p->diag));
    }
    must(p, inlay_table_block(MPI_COMM_WORLD, n, &rows, p->diag));
    must(p, inlay_rdg_generate(rdg, rows, &graph, p->diag));
    inlay_rdg_free(rdg);
    graph->load = room(graph->rows, sizeof *graph->load);
    for (int i = 0; i < graph->rows; i++)
        graph->load[i] = load[graph->first + i];
    const inlay_partition_options options = {.method = "ptscotch", .parts = p->ranks, .seed = 1};
    int32_t *part = room(graph->rows, sizeof *part);
    must(p, inlay_partition(graph, &options, part, p->diag));
    must(p, inlay_table_of_parts(rows, part, &p->table, p->diag));
    p->own = inlay_table_local(p->table);
    p->mine = room(p->own, sizeof *p->mine);
    inlay_table_globals(p->table, p->mine);
    p->owner = room(n, sizeof *p->owner);
    for (int i = 0; i < p->own; i++)
        p->owner[p->mine[i]] = p->rank;
    MPI_Allreduce(MPI_IN_PLACE, p->owner, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Localised references, and room for values of own vertices and ghosts. */
typedef struct halo {
    inlay_halo *halo;
    int32_t *local;
    int all;
} halo;

static halo localise(const program *p, const int64_t *g, int64_t count)
{
    halo h = {.local = room(count, sizeof(int32_t))};
    must(p, inlay_halo_make(p->table, g, count, h.local, &h.halo, p->diag));
    const inlay_halo_figures f = inlay_halo_figures_of(h.halo);
    h.all = f.own + f.ghosts;
    return h;
}

static double summed(double mine)
{
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* The value of vertex v, on all ranks. */
static double value_at(const program *p, const double *x, int v)
{
    double value = 0;
    for (int i = 0; i < p->own; i++)
        value += p->mine[i] == v ? x[i] : 0;
    return summed(value);
}

/* ---- Edges ---- */

static double edges(program *p, int size, int steps)
{
    const pairs m = mesh_edges(size);
    divide(p, m.n, m.a, m.b, m.count);
    int64_t *g = room(2L * m.count, sizeof *g);
    int count = 0, inner = 0;
    for (int outer = 0; outer < 2; outer++) { /* inner ones first */
        for (int e = 0; e < m.count; e++) {
            const int cut = p->owner[m.a[e]] != p->owner[m.b[e]];
            if (cut == outer && p->owner[e % 2 == 0 ? m.a[e] : m.b[e]] == p->rank) {
                g[2 * count] = m.a[e];
                g[2 * count++ + 1] = m.b[e];
            }
        }
        inner = outer == 0 ? count : inner;
    }
    const halo h = localise(p, g, 2L * count);
    double *x = room(h.all, sizeof *x), *y = room(h.all, sizeof *y), sum = 0;
    for (int v = 0; v < p->own; v++)
        x[v] = sin((double)p->mine[v]);
    const inlay_field field[] = {{x, MPI_DOUBLE, 1}};
    for (int step = -2; step < steps; step++) {
        lap(step);
        must(p, inlay_halo_gather_begin(h.halo, field, 1, p->diag));
        for (int e = 0; e < count; e++) {
            if (e == inner) must(p, inlay_halo_gather_end(h.halo, p->diag));
            const int a = h.local[2 * e], b = h.local[2 * e + 1];
            const double flux = x[a] - x[b];
            y[a] -= flux;
            y[b] += flux;
        }
        if (inner == count) must(p, inlay_halo_gather_end(h.halo, p->diag));
        must(p, inlay_halo_scatter_add(h.halo, y, 1, p->diag));
        for (int v = 0; v < p->own; v++) {
            x[v] += 0.1 * y[v];
            y[v] = 0;
        }
    }
    lap(steps);
    for (int v = 0; v < p->own; v++)
        sum += x[v] * (double)(1 + p->mine[v] % 3);
    return summed(sum);
}

/* ---- Conjugate gradients ---- */

static double gradients(program *p, int size, int steps)
{
    const matrix all = poisson(size);
    const int entries = all.start[all.n];
    int *row = room(entries, sizeof *row);
    for (int i = 0; i < all.n; i++) {
        for (int k = all.start[i]; k < all.start[i + 1]; k++)
            row[k] = i;
    }
    divide(p, all.n, row, all.col, entries);
    int *start = room(p->own + 1, sizeof *start), count = 0;
    int64_t *g = room(entries, sizeof *g);
    double *val = room(entries, sizeof *val);
    for (int i = 0; i < p->own; i++) {
        for (int k = all.start[p->mine[i]]; k < all.start[p->mine[i] + 1]; k++) {
            g[count] = all.col[k];
            val[count++] = all.val[k];
        }
        start[i + 1] = count;
    }
    const halo h = localise(p, g, count);
    double *x = room(p->own, sizeof *x), *r = room(p->own, sizeof *r), *d = room(h.all, sizeof *d),
           *q = room(p->own, sizeof *q);
    double old = 0;
    for (int i = 0; i < p->own; i++) {
        r[i] = d[i] = 1 + 0.1 * (double)(p->mine[i] % 7);
        old += r[i] * r[i];
    }
    old = summed(old);
    for (int step = -2; step < steps; step++) {
        lap(step);
        double dq = 0, now = 0;
        must(p, inlay_halo_gather(h.halo, d, 1, p->diag));
        for (int i = 0; i < p->own; i++) {
            double s = 0;
            for (int k = start[i]; k < start[i + 1]; k++)
                s += val[k] * d[h.local[k]];
            q[i] = s;
        }
        for (int i = 0; i < p->own; i++)
            dq += d[i] * q[i];
        const double alpha = old / summed(dq);
        for (int i = 0; i < p->own; i++) {
            x[i] += alpha * d[i];
            r[i] -= alpha * q[i];
        }
        for (int i = 0; i < p->own; i++)
            now += r[i] * r[i];
        now = summed(now);
        const double beta = now / old;
        old = now;
        for (int i = 0; i < p->own; i++)
            d[i] = r[i] + beta * d[i];
    }
    lap(steps);
    return value_at(p, x, all.n / 2);
}

/* ---- PageRank ---- */

static double web(program *p, int size, int steps)
{
    const pairs m = web_links(size);
    divide(p, m.n, m.a, m.b, m.count);
    int64_t *g = room(m.count, sizeof *g);
    int *to = room(m.count, sizeof *to), *place_of = room(m.n, sizeof *place_of), count = 0;
    for (int i = 0; i < p->own; i++)
        place_of[p->mine[i]] = i;
    for (int e = 0; e < m.count; e++) { /* at the owner of what is added to: nothing is sent back */
        if (p->owner[m.b[e]] == p->rank) {
            to[count] = place_of[m.b[e]];
            g[count++] = m.a[e];
        }
    }
    const halo h = localise(p, g, count);
    double *rank = room(h.all, sizeof *rank), *next = room(p->own, sizeof *next), change = 0;
    int *out = room(h.all, sizeof *out);
    for (int e = 0; e < m.count; e++) {
        if (p->owner[m.a[e]] == p->rank) out[place_of[m.a[e]]]++;
    }
    const inlay_field once = {out, MPI_INT, 1};
    must(p, inlay_halo_gather_begin(h.halo, &once, 1, p->diag));
    must(p, inlay_halo_gather_end(h.halo, p->diag));
    for (int v = 0; v < p->own; v++)
        rank[v] = 1.0 / m.n * (double)(1 + p->mine[v] % 3);
    for (int step = -2; step < steps; step++) {
        lap(step);
        must(p, inlay_halo_gather(h.halo, rank, 1, p->diag));
        for (int e = 0; e < count; e++)
            next[to[e]] += rank[h.local[e]] / out[h.local[e]];
        change = 0;
        for (int v = 0; v < p->own; v++) {
            const double now = (1 - DAMPING) / m.n + DAMPING * next[v];
            change += fabs(now - rank[v]);
            rank[v] = now;
            next[v] = 0;
        }
        change = summed(change);
    }
    lap(steps);
    return value_at(p, rank, m.n / 2) + change;
}

/* ---- A stiffness matrix: elements on both sides of the boundary are computed by both, nothing is sent ---- */

static double triangle_matrices(program *p, int size, int steps)
{
    const elements all = triangles(size);
    int *a = room(3L * all.count, sizeof *a), *b = room(3L * all.count, sizeof *b);
    for (int k = 0; k < 3 * all.count; k++) {
        a[k] = all.node[k];
        b[k] = all.node[k % 3 == 2 ? k - 2 : k + 1];
    }
    divide(p, all.stiff.n, a, b, 3 * all.count);
    int64_t *g = room(3L * all.count, sizeof *g);
    elements t = all;
    t.count = 0;
    for (int e = 0; e < all.count; e++) {
        const int *v = &all.node[3 * e];
        if (p->owner[v[0]] == p->rank || p->owner[v[1]] == p->rank || p->owner[v[2]] == p->rank) {
            for (int k = 0; k < 3; k++)
                g[3 * t.count + k] = v[k];
            t.count++;
        }
    }
    const halo h = localise(p, g, 3L * t.count);
    int64_t *global = room(h.all, sizeof *global); /* of the vertices that are here */
    t.at = room(2L * h.all, sizeof *t.at);
    t.node = h.local;
    for (int k = 0; k < 3 * t.count; k++)
        global[h.local[k]] = g[k];
    for (int v = 0; v < h.all; v++) {
        t.at[2 * v] = all.at[2 * global[v]];
        t.at[2 * v + 1] = all.at[2 * global[v] + 1];
    }
    t.stiff = (matrix){p->own, room(p->own + 1, sizeof(int)), room(7L * p->own, sizeof(int)),
                       room(7L * p->own, sizeof(double))};
    int *place_of = room(all.stiff.n, sizeof *place_of), count = 0;
    for (int v = 0; v < h.all; v++)
        place_of[global[v]] = v;
    for (int i = 0; i < p->own; i++) {
        for (int k = all.stiff.start[p->mine[i]]; k < all.stiff.start[p->mine[i] + 1]; k++) {
            int at = count++; /* in the order of the local numbers */
            for (; at > t.stiff.start[i] && t.stiff.col[at - 1] > place_of[all.stiff.col[k]]; at--)
                t.stiff.col[at] = t.stiff.col[at - 1];
            t.stiff.col[at] = place_of[all.stiff.col[k]];
        }
        t.stiff.start[i + 1] = count;
    }
    double sum = 0;
    for (int step = -2; step < steps; step++) {
        lap(step);
        for (int k = 0; k < t.stiff.start[t.stiff.n]; k++)
            t.stiff.val[k] = 0;
        for (int e = 0; e < t.count; e++) {
            const int *v = &t.node[3 * e];
            double gx[3], gy[3];
            const double ax = t.at[2 * v[0]], ay = t.at[2 * v[0] + 1], bx = t.at[2 * v[1]], by = t.at[2 * v[1] + 1];
            const double cx = t.at[2 * v[2]], cy = t.at[2 * v[2] + 1];
            const double area = 0.5 * ((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
            gx[0] = (by - cy) / (2 * area), gx[1] = (cy - ay) / (2 * area), gx[2] = (ay - by) / (2 * area);
            gy[0] = (cx - bx) / (2 * area), gy[1] = (ax - cx) / (2 * area), gy[2] = (bx - ax) / (2 * area);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3 && v[i] < p->own; j++) {
                    t.stiff.val[place(&t.stiff, v[i], v[j])] += area * (gx[i] * gx[j] + gy[i] * gy[j]);
                }
            }
        }
    }
    lap(steps);
    for (int k = 0; k < t.stiff.start[t.stiff.n]; k++)
        sum += fabs(t.stiff.val[k]);
    return summed(sum);
}

/* ---- Atoms ---- */

static double atom_steps(program *p, int size, int steps)
{
    const atoms all = crystal(size);
    const int pairs_of_all = all.start[all.n];
    int *of = room(pairs_of_all, sizeof *of);
    for (int i = 0; i < all.n; i++) {
        for (int k = all.start[i]; k < all.start[i + 1]; k++)
            of[k] = i;
    }
    divide(p, all.n, of, all.near, pairs_of_all);
    int *start = room(p->own + 1, sizeof *start), count = 0;
    int64_t *g = room(pairs_of_all, sizeof *g);
    for (int i = 0; i < p->own; i++) {
        for (int k = all.start[p->mine[i]]; k < all.start[p->mine[i] + 1]; k++)
            g[count++] = all.near[k];
        start[i + 1] = count;
    }
    const halo h = localise(p, g, count);
    const int32_t *near = h.local;
    double(*x)[3] = room(h.all, sizeof *x), (*v)[3] = room(p->own, sizeof *v), (*f)[3] = room(h.all, sizeof *f),
    energy = 0;
    for (int i = 0; i < p->own; i++)
        memcpy(x[i], all.x[p->mine[i]], sizeof x[i]);
    for (int step = -2; step < steps; step++) {
        lap(step);
        energy = 0;
        must(p, inlay_halo_gather(h.halo, x[0], 3, p->diag));
        for (int i = 0; i < p->own; i++) {
            for (int k = start[i]; k < start[i + 1]; k++) {
                const int j = near[k];
                const double dx = x[i][0] - x[j][0], dy = x[i][1] - x[j][1], dz = x[i][2] - x[j][2];
                const double square = dx * dx + dy * dy + dz * dz;
                if (square < CUTOFF * CUTOFF) {
                    const double s2 = 1.0 / square, s6 = s2 * s2 * s2, force = 48.0 * s6 * (s6 - 0.5) * s2;
                    f[i][0] += dx * force;
                    f[i][1] += dy * force;
                    f[i][2] += dz * force;
                    f[j][0] -= dx * force;
                    f[j][1] -= dy * force;
                    f[j][2] -= dz * force;
                    energy += 4.0 * s6 * (s6 - 1.0);
                }
            }
        }
        energy = summed(energy);
        must(p, inlay_halo_scatter_add(h.halo, f[0], 3, p->diag));
        for (int i = 0; i < p->own; i++) {
            for (int d = 0; d < 3; d++) {
                v[i][d] += 1e-4 * f[i][d];
                x[i][d] += 1e-4 * v[i][d];
                f[i][d] = 0;
            }
        }
    }
    lap(steps);
    return energy;
}

int main(int count, char **argument)
{
    static const struct {
        const char *name;
        double (*run)(program *, int, int);
    } kernel[] = {{"edges", edges},
                  {"gradients", gradients},
                  {"web", web},
                  {"elements", triangle_matrices},
                  {"atoms", atom_steps}};
    MPI_Init(&count, &argument);
    program p = {.diag = inlay_diag_new()};
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
    for (size_t k = 0; count > 3 && k < sizeof kernel / sizeof *kernel; k++) {
        if (strcmp(kernel[k].name, argument[1]) == 0) {
            const double result = kernel[k].run(&p, atoi(argument[2]), atoi(argument[3]));
            if (p.rank == 0) tell(result);
        }
    }
    MPI_Finalize();
    return 0;
}
