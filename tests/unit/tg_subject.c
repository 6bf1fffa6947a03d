/* What the tests of .tg share. */
#include "tg_subject.h"

#include "base/file.h"
#include "io/formats.h"
#include <check.h>
#include <inlay/io.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *tg_scratch(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "/tmp/inlay-tg-%ld-%s", (long)getpid(), name);
    return path;
}

inlay_app *tg_app(const char *text, size_t size)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(text, size, "random", "tg", &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

text_buffer tg_text(const inlay_app *app, const char *format)
{
    const char *path = tg_scratch("text");
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_write(app, path, format, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    file_content content;
    ck_assert_int_eq(file_read(path, &content, NULL), INLAY_OK);
    unlink(path);
    return (text_buffer){.data = content.data, .size = content.size};
}

static text_buffer all_of(const inlay_app *app)
{
    text_buffer all = {0};
    ck_assert_int_eq(app_json_to(app, &all, NULL), INLAY_OK);
    ck_assert(!all.failed);
    return all;
}

void tg_expect_same(const inlay_app *a, const inlay_app *b)
{
    text_buffer left = all_of(a), right = all_of(b);
    ck_assert_int_eq(inlay_app_decimals(a), inlay_app_decimals(b));
    ck_assert_str_eq(left.data, right.data);
    text_clear(&left);
    text_clear(&right);
}
