/* Shares of processors: plain numbers, or what `inlay select` and `inlay processes` said with --json. */
#include <inlay/shares.h>
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/json/read.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OF_A_TYPE = 1 << 24 /* processors that a result may tell of in one number */ };

typedef struct shares {
    double *share;
    size_t count, room;
} shares;

static int add(shares *s, double share, inlay_diag *diag)
{
    if (s->count == INT32_MAX) {
        return diag_fail(diag, INLAY_OVERFLOW, "there are 2^31 shares or more");
    }
    if (!memory_grow((void **)&s->share, &s->room, s->count + 1, sizeof *s->share)) {
        return diag_no_memory(diag);
    }
    s->share[s->count++] = share;
    return INLAY_OK;
}

/* ---- Numbers ---- */

static const char separators[] = PLAIN_SPACES ",;";

/* A word is cut off at its end; `*at` goes behind it. */
static int read_number(char **at, const char *name, long line, shares *s, inlay_diag *diag)
{
    enum { SHOWN = 40 };
    char *end = NULL, *word = *at;
    size_t size = strcspn(word, PLAIN_SPACES ",;#");
    bool digits = plain_digit(word[0]) || word[0] == '.' || word[0] == '+';
    double share = digits ? plain_number(word, &end) : 0;
    if (end != word + size || !isfinite(share) || share <= 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, name, line, "a share is '%.*s'; expected a number above 0",
                            (int)(size < SHOWN ? size : SHOWN), word);
    }
    *at = word + size;
    return add(s, share, diag);
}

static int read_numbers(const file_content *content, const char *name, shares *s, inlay_diag *diag)
{
    char *at = content->data + plain_mark(content->data, content->size);
    long line = 1;
    int status = INLAY_OK;
    if (memchr(content->data, '\0', content->size) != NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, name, 0, "has bytes that are no text; expected numbers above 0");
    }
    while (*at != '\0' && status == INLAY_OK) {
        if (*at == '#') {
            at += strcspn(at, "\n");
        } else if (strchr(separators, *at) != NULL) {
            line += *at++ == '\n';
        } else {
            status = read_number(&at, name, line, s, diag);
        }
    }
    return status;
}

/* ---- Results of other commands ---- */

/* So many processors with `each`, and the first `extra` of them with one more. */
static int add_processors(const json_file *file, const json_place *count_at, const json_place *each_at,
                          const json_place *extra_at, shares *s)
{
    int64_t count = 0, extra = 0;
    double each = 0;
    int status = json_read_integer(file, count_at, MOST_OF_A_TYPE, &count);
    status = status == INLAY_OK ? json_read_real(file, each_at, &each) : status;
    status = status == INLAY_OK ? json_read_integer(file, extra_at, INT32_MAX, &extra) : status;
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        status = add(s, each + (i < extra), file->diag);
    }
    return status;
}

static int read_select(const json_file *file, const json_place *root, shares *s)
{
    const json_place counts = json_at_member(root, "configuration"), units = json_at_member(root, "partition"),
                     extras = json_at_member(root, "extra");
    int status = json_need_array(file, &counts);
    for (size_t i = 0; i < json_elements(&counts) && status == INLAY_OK; i++) {
        const json_place count = json_at_element(&counts, i), each = json_at_element(&units, i),
                         extra = json_at_element(&extras, i);
        status = add_processors(file, &count, &each, &extra, s);
    }
    return status;
}

static int read_processes(const json_file *file, const json_place *root, shares *s)
{
    const json_place types = json_at_member(root, "types");
    int status = json_need_array(file, &types);
    for (size_t i = 0; i < json_elements(&types) && status == INLAY_OK; i++) {
        const json_place type = json_at_element(&types, i), count = json_at_member(&type, "count"),
                         data = json_at_member(&type, "hohe_data"), each = json_at_member(&data, "each"),
                         extra = json_at_member(&data, "extra");
        status = add_processors(file, &count, &each, &extra, s);
    }
    return status;
}

static int read_json(const file_content *content, const char *name, shares *s, inlay_diag *diag)
{
    json_file file;
    int status = json_file_open(&file, content->data, content->size, name, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const char *command = NULL;
    const json_place root = json_at_root(&file), command_at = json_at_member(&root, "command");
    status = json_need_object(&file, &root);
    status = status == INLAY_OK ? json_read_text(&file, &command_at, &command) : status;
    if (status == INLAY_OK && strcmp(command, "select") == 0) {
        status = read_select(&file, &root, s);
    } else if (status == INLAY_OK && strcmp(command, "processes") == 0) {
        status = read_processes(&file, &root, s);
    } else if (status == INLAY_OK) {
        status = json_refuse(&file, &command_at, "select or processes, whose --json tells shares");
    }
    json_file_close(&file);
    return status;
}

static int check_shares(const shares *s, const char *name, inlay_diag *diag)
{
    for (size_t i = 0; i < s->count; i++) {
        if (!isfinite(s->share[i]) || s->share[i] <= 0) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, name, 0, "processor %lld gets no data; expected some for each",
                                (long long)i);
        }
    }
    return s->count > 0 ? INLAY_OK : diag_fail_at(diag, INLAY_BAD_INPUT, name, 0, "has no shares; expected numbers");
}

int inlay_shares_read(const char *path, const char *name, double **share, int32_t *count, inlay_diag *diag)
{
    DIAG_CALL(diag);
    file_content content;
    shares s = {0};
    int status = file_read(path, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    name = name != NULL ? name : path;
    const char *text = content.data + plain_mark(content.data, content.size);
    bool object = text[strspn(text, PLAIN_SPACES)] == '{';
    status = (object ? read_json : read_numbers)(&content, name, &s, diag);
    file_content_clear(&content);
    status = status == INLAY_OK ? check_shares(&s, name, diag) : status;
    if (status != INLAY_OK) {
        free(s.share);
        return status;
    }
    *share = s.share;
    *count = (int32_t)s.count;
    return INLAY_OK;
}
