void edge_flux(const double *a, const double *b, double *to, double *from)
{
    const double f = 0.25 * (*a - *b);
    *to += f;
    *from -= f;
}

void limits(double v, double *least, double *most)
{
    if (v < *least) *least = v;
    if (v > *most) *most = v;
}

double row_sum(const double *row, int count)
{
    double s = 0;
    for (int k = 0; k < count; k++) s += row[k];
    return s;
}
