/* What callbacks of a domain use. */
#include "base/diag.h"
#include "base/plain.h"
#include <inlay/domain.h>
#include <inttypes.h>
#include <stdarg.h>

int inlay_domain_refuse(inlay_diag *diag, const char *format, ...)
{
    DIAG_CALL(diag);
    enum { MESSAGE = 1024 };
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)plain_vprint(message, sizeof message, format, arguments);
    va_end(arguments);
    return diag_fail(diag, INLAY_BAD_INPUT, "%s", message);
}

const char *inlay_domain_computation(const inlay_domain *domain, int32_t phase, char room[INLAY_PHASE_NAME])
{
    if (domain->computation_name != NULL) {
        return domain->computation_name(domain->context, phase);
    }
    (void)plain_print(room, INLAY_PHASE_NAME, "computation %" PRId32, phase);
    return room;
}

const char *inlay_domain_communication(const inlay_domain *domain, int32_t phase, char room[INLAY_PHASE_NAME])
{
    if (domain->communication_name != NULL) {
        return domain->communication_name(domain->context, phase);
    }
    (void)plain_print(room, INLAY_PHASE_NAME, "communication %" PRId32, phase);
    return room;
}
