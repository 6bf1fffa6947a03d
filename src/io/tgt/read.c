/*
 * Reading Scotch's target architectures: a keyword and whole numbers, as the Scotch and libScotch 7.0 User's Guide has
 * them in its section on target files, and the keyword `leaf` of the versions before 4.
 *
 *   cmplt n                       crossbar:n
 *   cmpltw n w0 w1 ...            n hosts of speeds w at one switch
 *   hcub d                        hypercube of 2^d
 *   mesh2D, mesh3D, torus2D, torus3D, meshXD and torusXD (number of dimensions first)
 *   tleaf levels n0 w0 n1 w1 ...  tree, from the root down; ltleaf: hosts in another order behind it
 *   leaf d                        tree of d levels with two children each
 *   deco 0                        distances of every pair: a graph of hosts where it has these
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/formats.h"
#include "io/machine_formats.h"
#include "io/tgt/tgt.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words and numbers ---- */

static bool is_blank(char c)
{
    return plain_space(c);
}

static void skip_blanks(tgt_reader *r)
{
    while (r->at < r->end && is_blank(*r->at)) {
        r->line += *r->at++ == '\n';
    }
}

static size_t word_length(const tgt_reader *r)
{
    size_t length = 0;
    while (r->at + length < r->end && !is_blank(r->at[length])) {
        length++;
    }
    return length;
}

int tgt_number(tgt_reader *r, const char *what, int64_t least, int64_t most, int64_t *number)
{
    skip_blanks(r);
    size_t length = word_length(r);
    int64_t value = 0;
    bool good = length > 0 && length < 11;
    for (size_t i = 0; i < length && good; i++) {
        good = r->at[i] >= '0' && r->at[i] <= '9';
        value = value * 10 + (r->at[i] - '0');
    }
    if (!good || value < least || value > most) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source, r->line,
                            "%s%.*s%s where %s stands; expected a whole number from %" PRId64 " to %" PRId64,
                            length == 0 ? "the end" : "'", (int)(length < 40 ? length : 40), r->at,
                            length == 0 ? "" : "'", what, least, most);
    }
    r->at += length;
    *number = value;
    return INLAY_OK;
}

int tgt_end(tgt_reader *r)
{
    skip_blanks(r);
    size_t length = word_length(r);
    return length == 0 ? INLAY_OK
                       : diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source, r->line,
                                      "'%.*s' behind the last number of %s; expected the end",
                                      (int)(length < 40 ? length : 40), r->at, r->keyword);
}

/* ---- Families ---- */

/* The family of `shape`, with the caller's attributes. */
static int make(const tgt_reader *r, inlay_family family, const char *shape, inlay_machine **machine)
{
    char *name = format_graph_name(r->source);
    inlay_attribute *all = memory_array(r->count + 2, sizeof *all);
    int status = INLAY_NO_MEMORY;
    if (name == NULL || all == NULL) {
        diag_no_memory(r->diag);
    } else {
        all[0] = (inlay_attribute){"network", inlay_family_name(family), r->keyword_line};
        all[1] = (inlay_attribute){"processors", shape, r->keyword_line};
        for (size_t i = 0; i < r->count; i++) {
            all[i + 2] = r->attributes[i];
        }
        status = inlay_machine_make(name, r->source, all, r->count + 2, machine, r->diag);
    }
    free(all);
    free(name);
    return status;
}

static int read_complete(tgt_reader *r, inlay_machine **machine)
{
    int64_t count = 0;
    char shape[24];
    int status = tgt_number(r, "the number of processors", 1, INT32_MAX, &count);
    if (status == INLAY_OK) {
        status = tgt_end(r);
    }
    (void)snprintf(shape, sizeof shape, "%" PRId64, count);
    return status == INLAY_OK ? make(r, INLAY_CROSSBAR, shape, machine) : status;
}

static int read_hypercube(tgt_reader *r, inlay_machine **machine)
{
    int64_t dimensions = 0;
    char shape[24];
    int status = tgt_number(r, "the number of dimensions", 1, 30, &dimensions);
    if (status == INLAY_OK) {
        status = tgt_end(r);
    }
    (void)snprintf(shape, sizeof shape, "%" PRId64, (int64_t)1 << dimensions);
    return status == INLAY_OK ? make(r, INLAY_HYPERCUBE, shape, machine) : status;
}

/* `dimensions` of them, or as many as the file says where that is 0. */
static int read_grid(tgt_reader *r, inlay_family family, int64_t dimensions, inlay_machine **machine)
{
    char shape[16 * TGT_LEVELS];
    size_t used = 0;
    int status = INLAY_OK;
    if (dimensions == 0) {
        status = tgt_number(r, "the number of dimensions", 1, TGT_LEVELS, &dimensions);
    }
    for (int64_t d = 0; d < dimensions && status == INLAY_OK; d++) {
        int64_t size = 0;
        status = tgt_number(r, "the size of a dimension", 1, INT32_MAX, &size);
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%" PRId64, d == 0 ? "" : "x", size);
    }
    if (status == INLAY_OK) {
        status = tgt_end(r);
    }
    return status == INLAY_OK ? make(r, family, shape, machine) : status;
}

/* ---- Trees ---- */

/* Distances are links, two a level; Scotch's are the sums of the levels' weights. */
static void warn_weights(const tgt_reader *r, const int64_t *weight, int64_t levels)
{
    for (int64_t l = 1; l < levels; l++) {
        if (weight[l] != weight[0]) {
            diag_warn(r->diag,
                      "%s:%ld: the weights of tleaf's levels, %" PRId64 " and %" PRId64
                      " among them, are not kept: distances count links, two for each level",
                      r->source, r->keyword_line, weight[0], weight[l]);
            return;
        }
    }
}

/* ltleaf: hosts are numbered in another order within their subtrees, which a tree cannot say. */
static int read_order(tgt_reader *r)
{
    int64_t count = 0;
    int status = tgt_number(r, "the size of the permutation", 1, INT32_MAX, &count);
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        int64_t place = 0;
        status = tgt_number(r, "a place of the permutation", 0, count - 1, &place);
        if (status == INLAY_OK && place != i) {
            status = diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source, r->line,
                                  "place %" PRId64 " where the permutation of ltleaf has number %" PRId64
                                  "; expected processors in order, as in tleaf",
                                  place, i);
        }
    }
    return status;
}

static int read_tree(tgt_reader *r, bool ordered, inlay_machine **machine)
{
    int64_t levels = 0, size[TGT_LEVELS] = {0}, weight[TGT_LEVELS] = {0};
    char shape[16 * TGT_LEVELS];
    size_t used = 0;
    int status = tgt_number(r, "the number of levels", 1, TGT_LEVELS, &levels);
    for (int64_t l = 0; l < levels && status == INLAY_OK; l++) {
        status = tgt_number(r, "the number of children on a level", 2, INT32_MAX, &size[l]);
        if (status == INLAY_OK) {
            status = tgt_number(r, "the weight of a level", 1, INT32_MAX, &weight[l]);
        }
    }
    if (status == INLAY_OK && ordered) {
        status = read_order(r);
    }
    if (status == INLAY_OK) {
        status = tgt_end(r);
    }
    if (status != INLAY_OK) {
        return status;
    }
    for (int64_t l = levels; l-- > 0;) { /* from the hosts up */
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%" PRId64 "%s", size[l], l == 0 ? "" : "x");
    }
    status = make(r, INLAY_TREE, shape, machine);
    if (status == INLAY_OK) {
        warn_weights(r, weight, levels);
    }
    return status;
}

/* Of versions before 4: d levels with two children each. */
static int read_binary_tree(tgt_reader *r, inlay_machine **machine)
{
    int64_t levels = 0;
    char shape[2 * TGT_LEVELS + 1] = "2";
    int status = tgt_number(r, "the number of levels", 1, TGT_LEVELS, &levels);
    if (status == INLAY_OK) {
        status = tgt_end(r);
    }
    for (int64_t l = 1; l < levels; l++) {
        strcat(shape, "x2");
    }
    return status == INLAY_OK ? make(r, INLAY_TREE, shape, machine) : status;
}

/* ---- The file ---- */

typedef enum construct {
    COMPLETE,
    WEIGHTED,
    CUBE,
    MESH,
    TORUS,
    TREE,
    ORDERED_TREE,
    BINARY_TREE,
    DECO,
    REFUSED
} construct;

static const struct keyword {
    const char *name;
    construct what;
    int dimensions;      /* 0: the file says how many */
    const char *instead; /* of what is refused */
} keywords[] = {
    {"cmplt", COMPLETE, 0, NULL},
    {"cmpltw", WEIGHTED, 0, NULL},
    {"deco", DECO, 0, NULL},
    {"dist", REFUSED, 0, "distances that are scaled"},
    {"hcub", CUBE, 0, NULL},
    {"leaf", BINARY_TREE, 0, NULL},
    {"ltleaf", ORDERED_TREE, 0, NULL},
    {"mesh2D", MESH, 2, NULL},
    {"mesh3D", MESH, 3, NULL},
    {"meshXD", MESH, 0, NULL},
    {"sub", REFUSED, 0, "a part of another machine"},
    {"term", REFUSED, 0, "a machine without processors"},
    {"tleaf", TREE, 0, NULL},
    {"torus2D", TORUS, 2, NULL},
    {"torus3D", TORUS, 3, NULL},
    {"torusXD", TORUS, 0, NULL},
    {"varcmplt", REFUSED, 0, "as many processors as anybody asks for"},
    {"varhcub", REFUSED, 0, "as many processors as anybody asks for"},
};

static const struct keyword *find_keyword(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (strlen(keywords[i].name) == length && memcmp(word, keywords[i].name, length) == 0) {
            return &keywords[i];
        }
    }
    return NULL;
}

static int refuse_keyword(const tgt_reader *r, size_t length)
{
    return diag_fail_at(
        r->diag, INLAY_BAD_INPUT, r->source, r->line,
        "'%.*s' is no target architecture; expected one of cmplt, cmpltw, hcub, mesh2D, mesh3D, meshXD, "
        "torus2D, torus3D, torusXD, tleaf, ltleaf, deco",
        (int)(length < 40 ? length : 40), r->at);
}

static int read_construct(tgt_reader *r, const struct keyword *keyword, inlay_machine **machine)
{
    switch (keyword->what) {
    case COMPLETE: return read_complete(r, machine);
    case WEIGHTED: return tgt_read_weighted(r, machine);
    case CUBE: return read_hypercube(r, machine);
    case MESH: return read_grid(r, INLAY_MESH, keyword->dimensions, machine);
    case TORUS: return read_grid(r, INLAY_TORUS, keyword->dimensions, machine);
    case TREE: return read_tree(r, false, machine);
    case ORDERED_TREE: return read_tree(r, true, machine);
    case BINARY_TREE: return read_binary_tree(r, machine);
    case DECO: return tgt_read_distances(r, machine);
    case REFUSED: break;
    }
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source, r->keyword_line,
                        "%s is %s; expected a machine of a known size, such as cmplt 16", keyword->name,
                        keyword->instead);
}

int tgt_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes, size_t count,
                     inlay_machine **machine, inlay_diag *diag)
{
    tgt_reader r = {.at = data,
                    .end = data + size,
                    .line = 1,
                    .source = source,
                    .attributes = attributes,
                    .count = count,
                    .diag = diag};
    skip_blanks(&r);
    size_t length = word_length(&r);
    const struct keyword *keyword = find_keyword(r.at, length);
    if (keyword == NULL) {
        return refuse_keyword(&r, length);
    }
    r.at += length;
    r.keyword = keyword->name;
    r.keyword_line = r.line;
    return read_construct(&r, keyword, machine);
}

/* A keyword, and behind it nothing or a number. */
bool tgt_looks_like(const char *data, size_t size)
{
    tgt_reader r = {.at = data, .end = data + size};
    skip_blanks(&r);
    size_t length = word_length(&r);
    if (find_keyword(r.at, length) == NULL) {
        return false;
    }
    r.at += length;
    skip_blanks(&r);
    return r.at == r.end || plain_alnum(*r.at);
}
