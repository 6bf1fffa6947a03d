/*
 * What a run on rented hosts costs: every host is paid for from the order to the answer, in begun steps, and takes its
 * power all that time, busy or not.
 */
#include "advise/rental.h"
#include <math.h>

/* A step that is exceeded by rounding alone is not begun; a bound is less than the sums that it bounds, however rounded. */
static const double rounding = 1e-9, under = 1 - 1e-12;

double rental_start_up(const inlay_type_count *part, size_t parts)
{
    double longest = 0;
    for (size_t i = 0; i < parts; i++) {
        longest = fmax(longest, part[i].type->start_up);
    }
    return longest;
}

double rental_price(const inlay_type_count *part, size_t parts, double seconds)
{
    double price = 0;
    for (size_t i = 0; i < parts; i++) {
        const inlay_machine_type *type = part[i].type;
        double paid = type->billing > 0 ? fmax(0, ceil(seconds / type->billing - rounding)) * type->billing : seconds;
        price += part[i].count * type->price * (paid / type->per);
    }
    return price;
}

double rental_energy(const inlay_type_count *part, size_t parts, double seconds)
{
    double watts = 0;
    for (size_t i = 0; i < parts; i++) {
        watts += part[i].count * part[i].type->power;
    }
    return watts * seconds;
}

double rental_cores(const inlay_type_count *part, size_t parts)
{
    double cores = 0;
    for (size_t i = 0; i < parts; i++) {
        cores += (double)part[i].count * part[i].type->cores;
    }
    return cores;
}

double rental_least_run(const inlay_type_count *part, const double *speed, size_t parts, const rental_work *work)
{
    double fastest = 0, all = 0;
    for (size_t i = 0; i < parts; i++) {
        fastest = fmax(fastest, speed[i]);
        all += (double)part[i].count * part[i].type->cores * speed[i];
    }
    return work->known ? fmax(work->path / fastest, work->work / all) * under : 0;
}
