/* What callbacks of a domain use. */
#include "base/diag.h"
#include "base/plain.h"
#include <inlay/domain.h>
#include <stdarg.h>
#include <stdio.h>

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
