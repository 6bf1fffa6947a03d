/* The format table, and the public calls that read and write applications through it. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "graph/app.h"
#include "io/dot/dot.h"
#include "io/foreign.h"
#include "io/formats.h"
#include "io/json/read.h"
#include "io/machine_formats.h"
#include "machine/family.h"
#include <inlay/io.h>
#include <stdio.h>
#include <string.h>

static bool dot_looks_like(const char *data, size_t size);

static const format_row rows[] = {
    {"dot", "dot gv", "Graphviz DOT, Inlay's own attributes", .looks_like = dot_looks_like, .to = dot_app_to,
     .from_as = dot_app_from, .takes = TAKES_GRAPH | TAKES_ATTRIBUTES},
    {"wfformat", "wfformat.json", "WfFormat 1.0 to 1.6 (WfCommons); written as 1.5", .looks_like = wfformat_looks_like,
     .from_as = wfformat_from, .takes = TAKES_FILES, .to = wfformat_to},
    {"stg", "stg", "Standard Task Graph Set: task times and precedence", .looks_like = stg_looks_like, .from = stg_from,
     .to = stg_to},
    {"json", "json", "Inlay's own JSON, without loss", .looks_like = app_json_looks_like, .from = app_json_from,
     .to = app_json_to},
    {"tg", "tg", "plain text for large graphs, without loss", .looks_like = tg_looks_like, .from = tg_from,
     .from_input = tg_from_input, .to_output = tg_to_output},
    {"graphml", "graphml", "GraphML, the same attributes as DOT", .looks_like = graphml_looks_like, .to = graphml_to,
     .from_as = graphml_from, .takes = TAKES_ATTRIBUTES},
    {"csv", "csv", "tables of modules and, in x.links.csv, of links; the attributes of DOT",
     .looks_like = csv_looks_like, .to_path = csv_to_path, .from_as = csv_from, .takes = TAKES_ATTRIBUTES},
    {"dax", "dax", "Pegasus DAX 2.1: jobs, their files, parents", .looks_like = dax_looks_like, .from_as = dax_from,
     .takes = TAKES_FILES},
    {"gxl", "gxl", "GXL task graphs of Auckland: weights of nodes and edges", .looks_like = gxl_looks_like,
     .from = gxl_from},
    {"dslab", "yaml yml", "DSLab DAG, YAML: tasks and data items", .looks_like = dslab_looks_like,
     .from_as = dslab_from, .takes = TAKES_FILES},
    {"dagbench", "dagbench.json", "DAGBench and SAGA instances, JSON: tasks and dependencies",
     .looks_like = dagbench_looks_like, .from = dagbench_from},
    {"mtx", "mtx", "Matrix Market: the graph of a square matrix", .looks_like = mtx_looks_like, .from = mtx_from},
    {"metis", "graph metis", "METIS graph, edges weighted by messages", .looks_like = metis_looks_like,
     .from = metis_from, .to_output = metis_messages_to_output},
    {"metis-bytes", "", "METIS graph, edges weighted by bytes", .from = metis_bytes_from,
     .to_output = metis_bytes_to_output},
    {"scotch", "grf", "Scotch graph, edges weighted by messages", .looks_like = scotch_looks_like, .from = scotch_from,
     .to_output = scotch_messages_to_output},
    {"scotch-bytes", "", "Scotch graph, edges weighted by bytes", .from = scotch_bytes_from,
     .to_output = scotch_bytes_to_output},
    {"sdf3", "sdf3.xml", "SDF3 dataflow graphs (sdf, csdf): the firings of iterations", .looks_like = sdf3_looks_like,
     .from_as = sdf3_from_as, .takes = TAKES_ITERATIONS},
    {"tgff", "tgff", "TGFF and E3S: one of several task graphs, with tables of times", .looks_like = tgff_looks_like,
     .from_as = tgff_from_as, .takes = TAKES_GRAPH},
    {"pi", "pi", "PREESM algorithms (PiSDF): the firings of iterations", .looks_like = pi_looks_like,
     .from_as = pi_from_as, .takes = TAKES_ITERATIONS},
    {"scenario", "scenario", "PREESM scenarios: an algorithm with timings and constraints",
     .looks_like = scenario_looks_like, .from_as = scenario_from_as, .takes = TAKES_ITERATIONS},
};

enum { ROWS = sizeof rows / sizeof *rows };

static bool reads(const format_row *row)
{
    return row->from != NULL || row->from_as != NULL;
}

static bool writes(const format_row *row)
{
    return row->to != NULL || row->to_output != NULL || row->to_path != NULL;
}

size_t inlay_formats(void)
{
    return ROWS;
}

inlay_format inlay_format_at(size_t i)
{
    const format_row *row = &rows[i];
    return (inlay_format){row->name, row->extensions, row->summary, reads(row), writes(row)};
}

char *format_graph_name(const char *source)
{
    const char *slash = strrchr(source, '/');
    char *name = memory_string(slash == NULL ? source : slash + 1);
    if (name != NULL) {
        name[strcspn(name, ".")] = '\0';
    }
    return name;
}

/* ---- Telling formats apart ---- */

/* Behind blanks and comments: C's, C++'s and lines that begin with '#', as DOT has them. */
static const char *skip_comments(const char *at, const char *end)
{
    bool line_start = true;
    while (at < end) {
        bool line_comment = (*at == '#' && line_start) || (end - at > 1 && at[0] == '/' && at[1] == '/');
        if (line_comment) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline == NULL ? end : newline;
        } else if (end - at > 1 && at[0] == '/' && at[1] == '*') {
            for (at += 2; at < end && !(at[0] == '*' && end - at > 1 && at[1] == '/'); at++) {
            }
            at = end - at > 1 ? at + 2 : end;
        } else if (plain_space(*at)) {
            line_start = *at++ == '\n';
        } else {
            break;
        }
    }
    return at;
}

static bool dot_looks_like(const char *data, size_t size)
{
    static const char *const words[] = {"digraph", "graph", "strict"};
    const char *end = data + size;
    const char *at = skip_comments(data, end);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - at) > length && plain_begins(at, words[i], length) && !plain_alnum(at[length]) &&
            at[length] != '_') {
            return true;
        }
    }
    return false;
}

static const format_row *row_by_name(const char *name, bool (*can)(const format_row *row), inlay_diag *diag)
{
    size_t i = 0;
    while (i < ROWS && strcmp(rows[i].name, name) != 0) {
        i++;
    }
    if (i < ROWS && can(&rows[i])) {
        return &rows[i];
    }
    diag_fail(diag, INLAY_BAD_ARGUMENT, "%s '%s'; expected one that 'inlay --version' lists%s",
              i == ROWS      ? "unknown format"
              : can == reads ? "cannot read format"
                             : "cannot write format",
              name,
              i == ROWS      ? ""
              : can == reads ? " as read"
                             : " as written");
    return NULL;
}

/* Whether `path` (its first `size` characters) ends in a dot and the extension of `length` characters. */
static bool has_extension(const char *path, size_t size, const char *extension, size_t length)
{
    return size > length && path[size - length - 1] == '.' && plain_begins(path + size - length, extension, length);
}

size_t format_unpacked(const char *path)
{
    size_t size = strlen(path);
    return has_extension(path, size, "gz", 2) ? size - 3 : size;
}

bool format_fits(const char *extensions, const char *path, size_t size)
{
    size_t length;
    for (const char *word = extensions; *word != '\0'; word += length + (word[length] == ' ')) {
        length = strcspn(word, " ");
        if (has_extension(path, size, word, length)) {
            return true;
        }
    }
    return false;
}

bool inlay_format_fits(inlay_format format, const char *path)
{
    return format_fits(format.extensions, path, format_unpacked(path));
}

static const format_row *row_by_extension(const char *path, bool (*can)(const format_row *row))
{
    for (size_t i = 0; i < ROWS; i++) {
        if (can(&rows[i]) && format_fits(rows[i].extensions, path, format_unpacked(path))) {
            return &rows[i];
        }
    }
    return NULL;
}

/* A list of speeds looks like many a file. */
static bool is_machine(const char *data, size_t size)
{
    const machine_format *machine = machine_format_by_content(data, size);
    return machine != NULL && machine->kind != MACHINE_SPEEDS;
}

/* What the file is instead, where that is known; JSON may be damaged, which is the more helpful thing to say. */
static int refuse_content(const char *data, size_t size, const char *source, inlay_diag *diag)
{
    const char *first = data, *name = foreign_name(data, size);
    name = name == NULL && is_machine(data, size) ? "a machine" : name;
    while (first < data + size && plain_space(*first)) {
        first++;
    }
    if (first < data + size && (*first == '{' || *first == '[')) {
        json_file file;
        int status = json_file_open(&file, data, size, source, diag);
        if (status != INLAY_OK) {
            return status;
        }
        json_file_close(&file);
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                        "%s%s; expected an application in a format that 'inlay "
                        "--version' lists",
                        name != NULL ? "this is " : "no known format", name != NULL ? name : "");
}

/* The row whose look fits, NULL: none; of several that which the extension names, else the content does not tell. */
static int row_by_content(const char *data, size_t size, const char *source, const format_row **row, inlay_diag *diag)
{
    const format_row *found[2] = {NULL}, *named = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].looks_like != NULL && rows[i].looks_like(data, size)) {
            found[found[0] != NULL] = &rows[i];
            named = format_fits(rows[i].extensions, source, format_unpacked(source)) ? &rows[i] : named;
        }
    }
    *row = named != NULL ? named : found[0];
    return found[1] == NULL || named != NULL
               ? INLAY_OK
               : diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                              "reads as %s and as %s; expected the format by its extension or by name", found[0]->name,
                              found[1]->name);
}

bool format_is_application(const char *data, size_t size)
{
    size_t i = 0;
    while (i < ROWS && (rows[i].looks_like == NULL || !rows[i].looks_like(data, size))) {
        i++;
    }
    return i < ROWS;
}

/* An extension tells nothing about JSON: each format that is JSON is known by its members. */
static const format_row *row_by_path(const char *path)
{
    const format_row *row = row_by_extension(path, reads);
    return row != NULL && strstr(row->extensions, "json") != NULL ? NULL : row;
}

/* ---- Reading ---- */

/* What is asked that the format has no use for. */
static int check_asked(const format_row *row, const inlay_reading *how, inlay_diag *diag)
{
    const struct {
        bool asked;
        unsigned takes;
        const char *what;
    } asked[] = {
        {how->graph != NULL, TAKES_GRAPH, "several graphs in a file"},
        {how->iterations > 0, TAKES_ITERATIONS, "iterations"},
        {how->attribute_count > 0, TAKES_ATTRIBUTES, "attributes of any name"},
        {how->file_links || how->file_blocks || how->file_storage, TAKES_FILES, "files that tasks read and write"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        if (asked[i].asked && (row->takes & asked[i].takes) == 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "format %s has no %s; expected a file of a format that has",
                             row->name, asked[i].what);
        }
    }
    return INLAY_OK;
}

static int find_row(const char *data, size_t size, const char *source, const char *format, const format_row **row,
                    inlay_diag *diag)
{
    if (format != NULL) {
        *row = row_by_name(format, reads, diag);
        return *row == NULL ? INLAY_BAD_ARGUMENT : INLAY_OK;
    }
    int status = row_by_content(data, size, source, row, diag);
    if (status == INLAY_OK && *row == NULL && foreign_name(data, size) == NULL) {
        *row = row_by_path(source);
    }
    return status != INLAY_OK || *row != NULL ? status : refuse_content(data, size, source, diag);
}

int inlay_app_read_memory_as(const char *data, size_t size, const char *source, const inlay_reading *how,
                             inlay_app **app, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_reading plainly;
    const format_row *row = NULL;
    how = how != NULL ? how : &plainly;
    size_t mark = plain_mark(data, size);
    data += mark;
    size -= mark;
    int status = find_row(data, size, source, how->format, &row, diag);
    status = status == INLAY_OK ? check_asked(row, how, diag) : status;
    return status != INLAY_OK     ? status
           : row->from_as != NULL ? row->from_as(data, size, source, how, app, diag)
                                  : row->from(data, size, source, app, diag);
}

int inlay_app_read_memory(const char *data, size_t size, const char *source, const char *format, inlay_app **app,
                          inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_reading how = {.format = format};
    return inlay_app_read_memory_as(data, size, source, &how, app, diag);
}

/* The format that is named or, without looking at more than its first bytes, meant, where it is read piece by piece. */
static int find_streamed(input *in, const char *format, const format_row **row, inlay_diag *diag)
{
    const char *head;
    size_t size;
    int status = input_peek(in, UTF8_MARK + FORMAT_HEAD, &head, &size, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t mark = plain_mark(head, size);
    for (size_t i = 0; i < ROWS && *row == NULL; i++) {
        if (rows[i].from_input != NULL &&
            (format == NULL ? rows[i].looks_like(head + mark, size - mark) : strcmp(rows[i].name, format) == 0)) {
            *row = &rows[i];
            input_skip(in, mark);
        }
    }
    return INLAY_OK;
}

static int read_input(input *in, const char *source, const inlay_reading *how, inlay_app **app, inlay_diag *diag)
{
    const format_row *streamed = NULL;
    int status = find_streamed(in, how->format, &streamed, diag);
    if (status == INLAY_OK && streamed != NULL) {
        status = check_asked(streamed, how, diag);
        return status == INLAY_OK ? streamed->from_input(in, source, app, diag) : status;
    }
    file_content content;
    status = status == INLAY_OK ? input_rest(in, &content, diag) : status;
    if (status == INLAY_OK) {
        status = inlay_app_read_memory_as(content.data, content.size, source, how, app, diag);
        file_content_clear(&content);
    }
    return status;
}

int app_from_input(input *in, const char *path, const inlay_reading *how, inlay_app **app, inlay_diag *diag)
{
    const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
    int status = read_input(in, source, how, app, diag);
    if (status == INLAY_OK) {
        input_hash(in, (*app)->sha256);
    }
    return status;
}

/* Whether it is the string of a machine, such as bus:16, and no file. */
static bool names_family(const char *path)
{
    char name[16];
    inlay_family family;
    int length = (int)strcspn(path, ":");
    (void)snprintf(name, sizeof name, "%.*s", length, path);
    return path[length] == ':' && !file_exists(path) && family_find(name, &family);
}

int inlay_app_read_as(const char *path, const inlay_reading *how, inlay_app **app, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_reading plainly;
    if (names_family(path)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "this is a machine; expected the file of an application");
    }
    input *in = NULL;
    int status = input_open(path, &in, diag);
    if (status == INLAY_OK) {
        status = app_from_input(in, path, how != NULL ? how : &plainly, app, diag);
    }
    input_close(in);
    return status;
}

int inlay_app_read(const char *path, const char *format, inlay_app **app, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_reading how = {.format = format};
    return inlay_app_read_as(path, &how, app, diag);
}

/* ---- Writing ---- */

static int write_text(const format_row *row, const inlay_app *app, const char *path, inlay_diag *diag)
{
    text_buffer out = {0};
    int status = row->to(app, &out, diag);
    if (status == INLAY_OK) {
        status = out.failed ? diag_no_memory(diag) : file_write(path, out.data, out.size, diag);
    }
    text_clear(&out);
    return status;
}

static int write_output(const format_row *row, const inlay_app *app, const char *path, inlay_diag *diag)
{
    inlay_file *out = NULL;
    int status = inlay_file_open(path, &out, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = row->to_output(app, out, diag);
    if (status != INLAY_OK) {
        inlay_file_abandon(out);
        return status;
    }
    return inlay_file_close(out, diag);
}

int inlay_app_write(const inlay_app *app, const char *path, const char *format, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const format_row *row = format != NULL ? row_by_name(format, writes, diag) : row_by_extension(path, writes);
    if (format != NULL && row == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    row = row == NULL ? &rows[0] : row;
    return row->to_path != NULL     ? row->to_path(app, path, diag)
           : row->to_output != NULL ? write_output(row, app, path, diag)
                                    : write_text(row, app, path, diag);
}
