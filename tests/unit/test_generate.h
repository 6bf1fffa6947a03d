/* What the tests of generated applications share. */
#ifndef UNIT_TEST_GENERATE_H
#define UNIT_TEST_GENERATE_H

#include "base/plain.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The application; the test fails where there is none. */
static inline inlay_app *generated(const inlay_generator_options *options)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    int status = inlay_generate(options, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

/** The number of the module of that name, which must be there. */
__attribute__((format(printf, 2, 3))) static inline inlay_id module_named(const inlay_app *app, const char *format, ...)
{
    char name[128];
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(name, sizeof name, format, arguments);
    va_end(arguments);
    inlay_id module = inlay_app_find_module(app, name);
    ck_assert_msg(module >= 0, "there is no module %s", name);
    ck_assert_str_eq(inlay_app_module_name(app, module), name);
    return module;
}

/** The place of a link among those that leave `from`, or -1. */
static inline int64_t link_place(const inlay_app *app, inlay_id from, inlay_id to)
{
    inlay_links out = inlay_app_out(app, from);
    for (int64_t l = 0; l < out.count; l++) {
        if (out.module[l] == to) {
            return l;
        }
    }
    return -1;
}

static inline int64_t inputs(const inlay_app *app, inlay_id module)
{
    int64_t count;
    inlay_app_predecessors(app, module, &count);
    return count;
}

#endif
