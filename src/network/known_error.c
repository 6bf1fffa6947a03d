/* How far the delay formulas are from the truth, where they were compared with it. */
#include "network/multibus.h"
#include <math.h>

/* ---- Multiple bus ---- */

/*
 * The occupancy model against the exact Markov chain, for all k <= 8 and rho from 0.02 to 100: u 0 to 1.6 % low, D 0 to
 * 1.65 % high; within this also at (14, 6, 5), (16, 4, 3), and in simulations at (10, 5, 3) and (32, 16, 8).
 */
static const inlay_known_error occupancy_error = {true, -0.008, 0.00825, 0.00825};
static const int64_t checked_processors = 32;
static const int64_t checked_memories = 16;

/* Whether the occupancy model has a product form, which makes it exact: no bus is ever waited for, or only the bus. */
static bool occupancy_is_exact(const inlay_multibus *mb)
{
    return mb->buses == 1 || mb->buses >= mb->processors || mb->buses >= mb->memories;
}

/* From the occupancy model's error to the error of another model, both at rho. */
static int compare(const inlay_multibus *mb, double rho, const inlay_known_error *of_better, inlay_known_error *error)
{
    inlay_multibus *better;
    int status = inlay_multibus_new(mb->processors, mb->memories, mb->buses, INLAY_MULTIBUS_OCCUPANCY, &better);
    if (status != INLAY_OK) {
        return status;
    }
    double u = 0;
    double delay = 1;
    double better_u = 0;
    double better_delay = 1;
    (void)inlay_multibus_utilisation(mb, rho, &u, &delay, NULL);
    (void)inlay_multibus_utilisation(better, rho, &better_u, &better_delay, NULL);
    inlay_multibus_free(better);
    double u_ratio = better_u > 0 ? u / better_u : 1;
    double delay_ratio = delay / better_delay;
    *error = (inlay_known_error){.known = true,
                                 .utilisation = u_ratio * (1 + of_better->utilisation) - 1,
                                 .delay = delay_ratio * (1 + of_better->delay) - 1,
                                 .within = fmax(u_ratio, delay_ratio) * of_better->within};
    return INLAY_OK;
}

int inlay_multibus_known_error(const inlay_multibus *multibus, double rho, inlay_known_error *error)
{
    if (multibus == NULL || !isfinite(rho) || rho < 0 || error == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    inlay_known_error better = {.known = false};
    if (occupancy_is_exact(multibus)) {
        better.known = true;
    } else if (multibus->processors <= checked_processors && multibus->memories <= checked_memories) {
        better = occupancy_error;
    }
    if (!better.known || multibus->buses == 1 || multibus->model == INLAY_MULTIBUS_OCCUPANCY) {
        *error = better;
        return INLAY_OK;
    }
    return compare(multibus, rho, &better, error);
}

/* ---- Omega ---- */

/* The simulated cases lie within these: (n, st, packets) = (2, 6, 1), (2, 6, 4), (4, 3, 1), (4, 3, 4). */
static const int64_t simulated_switch = 4;
static const int64_t simulated_packets = 4;
static const int simulated_stages = 6;
static const double simulated_load = 0.7;

/*
 * With messages that start at any time, or behind a queue of their own, the simulated errors differ from the estimate
 * by up to 2.7 points of the whole D at (2, 6, 4), and 3.7 of its waiting.
 */
static const double within_whole = 0.03;
static const double within_waiting = 0.04;

/*
 * True waiting over the formula's, on the average over the stages. The first waits as the formula says, far ones
 * 1 + 4 load/(5 n) times as long (C. P. Kruskal, M. Snir, A. Weiss, "The distribution of waiting times in clocked
 * multistage interconnection networks", IEEE Trans. Computers 37 (1988)); 0.4 of the difference is left at each stage.
 * This puts the errors of the waiting in all eleven simulated cases within 0.6 points.
 */
static double waiting_factor(const inlay_omega *omega, int stages, double load)
{
    double far = 4 * load / (5 * (double)omega->switch_size);
    double left = (1 - pow(0.4, stages)) / (0.6 * stages);
    return 1 + far * (1 - left);
}

/* Whether rho lies between the simulated cases; bad arguments are the caller's to find. */
static bool simulated(const inlay_omega *omega, int stages, double load)
{
    return omega->switch_size <= simulated_switch && omega->packets <= simulated_packets &&
           stages <= simulated_stages && load <= simulated_load;
}

/* `constant` is the part of D that is not waiting. */
static inlay_known_error omega_error(const inlay_omega *omega, int stages, double rho, double delay, double constant)
{
    double load = (double)omega->packets * rho;
    if (!simulated(omega, stages, load)) {
        return (inlay_known_error){.known = false};
    }
    double factor = waiting_factor(omega, stages, load);
    double truth = constant + (delay - constant) * factor;
    return (inlay_known_error){.known = true,
                               .delay = truth > 0 ? delay / truth - 1 : 0,
                               .within = constant > 0 ? within_whole : within_waiting};
}

int inlay_omega_known_error(const inlay_omega *omega, double rho, inlay_known_error *error)
{
    int stages;
    double delay;
    double empty;
    int status = error == NULL ? INLAY_BAD_ARGUMENT : inlay_omega_utilisation(omega, rho, NULL, &delay);
    if (status != INLAY_OK) {
        return status;
    }
    (void)inlay_omega_utilisation(omega, 0, NULL, &empty);
    (void)inlay_omega_stages(omega->processors, omega->switch_size, &stages);
    *error = omega_error(omega, stages, rho, delay, empty);
    return INLAY_OK;
}

int inlay_omega_pe_known_error(const inlay_omega *omega, double rho, inlay_known_error *error)
{
    int stages;
    double delay;
    int status = error == NULL ? INLAY_BAD_ARGUMENT : inlay_omega_pe_utilisation(omega, rho, NULL, &delay);
    if (status != INLAY_OK) {
        return status;
    }
    (void)inlay_omega_stages(omega->processors, omega->switch_size, &stages);
    *error = omega_error(omega, stages, rho, delay, 0);
    return INLAY_OK;
}
