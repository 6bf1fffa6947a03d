/* Rows that parts of a study left: they go to the journal of the whole. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "study/names.h"
#include "study/running.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether what stands behind the output's name is .K-of-N. */
static bool is_part(const char *ending)
{
    size_t digits = 0;
    if (*ending++ != '.') {
        return false;
    }
    for (; plain_digit(ending[digits]); digits++) {
    }
    if (digits == 0 || strncmp(ending + digits, "-of-", 4) != 0) {
        return false;
    }
    ending += digits + 4;
    size_t rest = strspn(ending, "0123456789");
    return rest > 0 && ending[rest] == '\0';
}

/* Rows on their way into our journal. */
typedef struct taking {
    inlay_study_running *r;
    text_buffer rows;
    inlay_diag *diag;
} taking;

static int flush(taking *t, size_t least)
{
    if (t->rows.failed) {
        return diag_no_memory(t->diag);
    }
    if (t->rows.size < least || t->rows.size == 0) {
        return INLAY_OK;
    }
    int status = journal_add(&t->r->journal, t->rows.data, t->rows.size, t->diag);
    t->rows.size = 0;
    return status;
}

static int take_row(void *of, int64_t point, off_t at, size_t size, const char *row)
{
    enum { PIECE = 1 << 18 };
    taking *t = of;
    if (bit_is_set(t->r->done, point)) {
        return INLAY_OK;
    }
    (void)running_mark(t->r, point, at, size, row);
    text_append(&t->rows, row, size + 1);
    return flush(t, PIECE);
}

static int take_part(inlay_study_running *r, const char *path, inlay_diag *diag)
{
    journal part;
    taking t = {.r = r, .diag = diag};
    int status = journal_open(&part, path, &r->subject, 0, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = journal_walk(&part, &r->subject, take_row, &t, diag);
    status = status == INLAY_OK ? flush(&t, 0) : status;
    text_clear(&t.rows);
    journal_close(&part);
    return status;
}

static int take_or_forget(inlay_study_running *r, const char *path, bool restart, inlay_diag *diag)
{
    if (restart) {
        return unlink(path) == 0 ? INLAY_OK : diag_fail(diag, INLAY_SYSTEM, "%s: cannot be removed", path);
    }
    int status = take_part(r, path, diag);
    if (status != INLAY_OK) {
        return status;
    }
    char *named = memory_string(path);
    if (named == NULL || !memory_grow((void **)&r->merged, &r->merged_room, r->merged_count + 1, sizeof *r->merged)) {
        free(named);
        return diag_no_memory(diag);
    }
    r->merged[r->merged_count++] = named;
    return INLAY_OK;
}

int running_merge(inlay_study_running *r, bool restart, inlay_diag *diag)
{
    names found = {0};
    size_t length = strlen(r->output);
    text_buffer folder = {0};
    text_add(&folder, r->output);
    names_status matched = folder.failed ? NAMES_NO_MEMORY : names_match(&found, text_content(&folder), ".*-of-*");
    int status = matched == NAMES_OK ? INLAY_OK : diag_no_memory(diag);
    for (size_t i = 0; status == INLAY_OK && i < found.count; i++) {
        if (!is_part(found.name[i])) {
            continue;
        }
        folder.size = length;
        text_add(&folder, found.name[i]);
        status = folder.failed ? diag_no_memory(diag) : take_or_forget(r, folder.data, restart, diag);
    }
    names_clear(&found);
    text_clear(&folder);
    return status;
}
