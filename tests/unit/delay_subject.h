/* A machine and its delay function, made from a string, and the points of it that a test asks for. */
#ifndef UNIT_DELAY_SUBJECT_H
#define UNIT_DELAY_SUBJECT_H

#include "slow_network.h"
#include "unit.h"

#include <inlay/delay.h>

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

typedef struct subject {
    inlay_machine *machine;
    inlay_delay *delay;
} subject;

static inline subject open_subject(const char *string)
{
    subject s = {NULL, NULL};
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_parse(string, &s.machine, diag);
    if (status == INLAY_OK) status = inlay_delay_new(s.machine, &s.delay, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_ptr_eq(inlay_delay_machine(s.delay), s.machine);
    inlay_diag_free(diag);
    return s;
}

static inline void close_subject(subject s)
{
    inlay_delay_free(s.delay);
    inlay_machine_free(s.machine);
}

static inline inlay_delay_point at_u(subject s, double u)
{
    inlay_delay_point point = {0};
    int status = inlay_delay_at_utilisation(s.delay, u, &point, NULL);
    ck_assert_msg(status == INLAY_OK, "%s: no point at u = %.17g", inlay_machine_text(s.machine), u);
    AGREES(point.u, u, 1e-15);
    AGREES(point.load, u / inlay_delay_u_limit(s.delay), 1e-15);
    return point;
}

static inline inlay_delay_point at_rate(subject s, double rho)
{
    inlay_delay_point point = {0};
    int status = inlay_delay_at_rate(s.delay, rho, &point, NULL);
    ck_assert_msg(status == INLAY_OK, "%s: no point at rho = %.17g", inlay_machine_text(s.machine), rho);
    AGREES(point.rho, rho, 1e-15);
    return point;
}

#endif
