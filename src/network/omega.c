/*
 * Omega networks: models 4 (processors to common memories) and 5 (processor to processor) of CSD-TR-86-576, section 2.2.
 *
 * k = n^st inputs, st stages of n x n switches with unlimited queues at their outputs, destinations equally likely. A
 * link carries load = packets x rho (packets a cycle); in each stage a message waits, in cycles,
 *     packets (1 - 1/n) load / (2 (1 - load)).
 */
#include <inlay/network.h>
#include <math.h>

int inlay_omega_stages(int64_t k, int64_t n, int *stages)
{
    if (n < 2 || k < n || stages == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    int count = 0;
    for (; k % n == 0; k /= n) {
        count++;
    }
    if (k != 1) {
        return INLAY_BAD_ARGUMENT;
    }
    *stages = count;
    return INLAY_OK;
}

/* Checks the network; the times count in model 4 alone. */
static int check(const inlay_omega *omega, bool times, int *stages)
{
    if (omega == NULL || omega->packets < 1) {
        return INLAY_BAD_ARGUMENT;
    }
    if (times && !(isfinite(omega->transit) && omega->transit >= 0 && isfinite(omega->cycle) && omega->cycle >= 0)) {
        return INLAY_BAD_ARGUMENT;
    }
    return inlay_omega_stages(omega->processors, omega->switch_size, stages);
}

/* Waiting in all stages, in cycles; `idle` is 1 - load, which the caller knows without cancellation. */
static double waiting(const inlay_omega *omega, int stages, double load, double idle)
{
    double others = 1 - 1 / (double)omega->switch_size;
    return (double)omega->packets * stages * others * load / (2 * idle);
}

/* D of model 4 at load = 1 - idle. */
static int common_delay(const inlay_omega *omega, int stages, double load, double idle, double *delay)
{
    if (!(idle > 0)) {
        return INLAY_NO_ANSWER;
    }
    double empty = stages * omega->transit + (double)(omega->packets - 1) * omega->cycle;
    double result = empty + omega->cycle * waiting(omega, stages, load, idle);
    if (!isfinite(result)) {
        return INLAY_OVERFLOW;
    }
    *delay = result;
    return INLAY_OK;
}

static void give(double *out, double value)
{
    if (out != NULL) {
        *out = value;
    }
}

double inlay_omega_limit(const inlay_omega *omega)
{
    return (double)omega->processors / (double)omega->packets;
}

/* ---- Model 4 ---- */

int inlay_omega_utilisation(const inlay_omega *omega, double rho, double *u, double *delay)
{
    int stages;
    if (isnan(rho) || rho < 0 || check(omega, true, &stages) != INLAY_OK) {
        return INLAY_BAD_ARGUMENT;
    }
    double packets = (double)omega->packets;
    double result;
    int status = common_delay(omega, stages, packets * rho, fma(-packets, rho, 1), &result);
    if (status == INLAY_OK) {
        give(u, rho * (double)omega->processors);
        give(delay, result);
    }
    return status;
}

int inlay_omega_rate(const inlay_omega *omega, double u, double *rho, double *delay)
{
    int stages;
    if (isnan(u) || u < 0 || check(omega, true, &stages) != INLAY_OK) {
        return INLAY_BAD_ARGUMENT;
    }
    double k = (double)omega->processors;
    double packets = (double)omega->packets;
    double result;
    int status = common_delay(omega, stages, packets * u / k, fma(-packets, u, k) / k, &result);
    if (status == INLAY_OK) {
        give(rho, u / k);
        give(delay, result);
    }
    return status;
}

/* ---- Model 5 ---- */

int inlay_omega_pe_utilisation(const inlay_omega *omega, double rho, double *u, double *delay)
{
    int stages;
    if (isnan(rho) || rho < 0 || check(omega, false, &stages) != INLAY_OK) {
        return INLAY_BAD_ARGUMENT;
    }
    double load = (double)omega->packets * rho;
    double idle = fma(-(double)omega->packets, rho, 1);
    if (!(idle > 0)) {
        return INLAY_NO_ANSWER;
    }
    give(u, load);
    give(delay, waiting(omega, stages, load, idle));
    return INLAY_OK;
}

int inlay_omega_pe_rate(const inlay_omega *omega, double u, double *rho, double *delay)
{
    int stages;
    if (isnan(u) || u < 0 || check(omega, false, &stages) != INLAY_OK) {
        return INLAY_BAD_ARGUMENT;
    }
    if (u >= 1) {
        return INLAY_NO_ANSWER;
    }
    give(rho, u / (double)omega->packets);
    give(delay, waiting(omega, stages, u, 1 - u));
    return INLAY_OK;
}
