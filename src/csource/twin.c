/*
 * Operators that stand in macros: every function is printed by libclang, which expands macros, behind a copy of the file,
 * under another name and where no macro is defined any more. Read again, its tree has the same shape and hides nothing.
 */
#include "csource/reader.h"
#include "base/text.h"
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>

static const char twin_suffix[] = "_inlay_twin";

static void append_undefined(text_buffer *to, CXCursor macro)
{
    CXString name = clang_getCursorSpelling(macro);
    text_addf(to, "\n#undef %s", clang_getCString(name));
    clang_disposeString(name);
}

/* Where the name of a printed function stands: the first time before a bracket. */
static const char *find_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        if (at[length] == '(' && (at == text || strchr(" *(", at[-1]) != NULL)) return at;
    }
    return NULL;
}

static void append_twin(text_buffer *to, CXCursor cursor)
{
    CXString name = clang_getCursorSpelling(cursor);
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(cursor);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_Bool, 0); /* `bool` is a macro */
    CXString printed = clang_getCursorPrettyPrinted(cursor, policy);
    const char *text = clang_getCString(printed);
    const char *at = find_name(text, clang_getCString(name));
    text_add(to, "\n");
    if (at != NULL) {
        size_t head = (size_t)(at - text) + strlen(clang_getCString(name));
        text_append(to, text, head);
        text_add(to, twin_suffix);
        text_add(to, text + head);
    }
    clang_disposeString(printed);
    clang_PrintingPolicy_dispose(policy);
    clang_disposeString(name);
}

static int write_twins(const reader *r, text_buffer *to)
{
    text_append(to, r->text, r->size);
    for (int i = 0; i < r->macros.count; i++) {
        append_undefined(to, r->macros.at[i]);
    }
    for (int i = 0; i < r->functions.count; i++) {
        append_twin(to, r->functions.at[i]);
    }
    text_add(to, "\n");
    return to->failed ? INLAY_NO_MEMORY : INLAY_OK;
}

/* Start, condition and step of a loop stand in their order in `n`, and in their places in the twin. */
static void place_parts(node *n, const node *twin)
{
    node *part[4] = {n->child[0], n->child[1], n->child[2], NULL};
    for (int i = 0, next = 0; i < 3; i++) {
        n->child[i] = twin->child[i] != NULL && next < 3 ? part[next++] : NULL;
    }
}

/* Takes over what is hidden in `n`; false where the shapes differ. */
static bool take_over(node *n, const node *twin) /* NOLINT(misc-no-recursion): as deep as the reader allows */
{
    if (n == NULL || twin == NULL) {
        return n == NULL && twin == NULL;
    }
    if (n->hidden && twin->hidden) {
        return false;
    }
    if (n->hidden && n->kind == NODE_FOR && twin->kind == NODE_FOR) {
        place_parts(n, twin);
    }
    if (n->hidden) {
        n->kind = twin->kind;
        n->operation = twin->operation;
        n->prefix = twin->prefix;
        n->hidden = false;
    }
    bool same = n->kind == twin->kind && n->children == twin->children;
    for (int i = 0; same && i < n->children; i++) {
        same = take_over(n->child[i], twin->child[i]);
    }
    return same;
}

static bool is_hidden(const node *n, const void *with)
{
    (void)with;
    return n->hidden;
}

/* What stays hidden becomes something that cannot be counted. */
static void give_up(node *body)
{
    node *n;
    while ((n = node_find(body, is_hidden, NULL)) != NULL) {
        n->hidden = false;
        n->kind = NODE_STRANGE;
        n->children = 0;
        n->name = "what this macro does";
    }
}

/* The second reading of a function, NULL where it was not found. */
static node *read_twin(reader *twins, const char *name)
{
    node *body = NULL;
    for (int i = 0; body == NULL && i < twins->functions.count; i++) {
        CXString other = clang_getCursorSpelling(twins->functions.at[i]);
        size_t length = strlen(name);
        const char *text = clang_getCString(other);
        if (strncmp(text, name, length) == 0 && strcmp(text + length, twin_suffix) == 0) {
            cursor_list parts = {0};
            twins->status = cursor_children(twins->functions.at[i], &parts);
            body = parts.count > 0 ? read_cursor(twins, parts.at[parts.count - 1]) : NULL;
            free(parts.at);
        }
        clang_disposeString(other);
    }
    return body;
}

static int unhide_all(reader *twins, program *p)
{
    for (int i = 0; i < p->functions && twins->status == INLAY_OK; i++) {
        node *body = p->function[i].body;
        if (node_find(body, is_hidden, NULL) != NULL && !take_over(body, read_twin(twins, p->function[i].name))) {
            give_up(body);
        }
    }
    return twins->status;
}

int reader_unhide(const reader *r, const char *path, const read_options *options)
{
    text_buffer text = {0};
    reader twins = {.program = r->program, .twin = true};
    CXIndex index = clang_createIndex(0, 0);
    int status = index == NULL ? INLAY_NO_MEMORY : write_twins(r, &text);
    if (status == INLAY_OK) {
        struct CXUnsavedFile file = {.Filename = path, .Contents = text.data, .Length = text.size};
        if (reader_open(&twins, index, &file, options) == INLAY_OK) {
            status = reader_survey(&twins);
        }
        status = status == INLAY_OK ? unhide_all(&twins, r->program) : status;
    }
    reader_close(&twins);
    clang_disposeIndex(index);
    text_clear(&text);
    return status;
}
