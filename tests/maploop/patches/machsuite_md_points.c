
int main(void)
{
    static struct bench_args_t a;
    double fx = 0, f2 = 0;
    for (int b = 0; b < nBlocks; b++) {
        const int x = b / blockSide / blockSide, y = b / blockSide % blockSide, z = b % blockSide;
        a.n_points[x][y][z] = 3 + b % 3;
        for (int k = 0; k < a.n_points[x][y][z]; k++) {
            a.position[x][y][z][k].x = (x + 0.1 + 0.17 * k) * blockEdge;
            a.position[x][y][z][k].y = (y + 0.2 + 0.11 * ((k * 2) % 5)) * blockEdge;
            a.position[x][y][z][k].z = (z + 0.15 + 0.13 * ((k * 3) % 5)) * blockEdge;
        }
    }
    md(a.n_points, a.force, a.position);
    for (int b = 0; b < nBlocks; b++)
        for (int k = 0; k < densityFactor; k++) {
            const dvector_t f = a.force[b / blockSide / blockSide][b / blockSide % blockSide][b % blockSide][k];
            fx += f.x * (1 + b % 3);
            f2 += f.x * f.x + f.y * f.y + f.z * f.z;
        }
    printf("%.10e %.10e\n", fx, f2);
    return 0;
}
