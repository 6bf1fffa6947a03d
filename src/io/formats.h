/*
 * The table of application formats: one row each. A new format is a file of its own and a row in format.c.
 *
 * Readers and writers work on text in memory; those of large graphs take and give it piece by piece instead. Files, gzip
 * and standard input are format.c's business. A reader names `source` in its messages. All of them leave their output
 * untouched when they fail.
 */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include "base/input.h"
#include <inlay/outputs.h>
#include "base/text.h"
#include <inlay/io.h>

/** What of an inlay_reading a format has a use for. */
enum format_takes { TAKES_GRAPH = 1, TAKES_ATTRIBUTES = 2, TAKES_FILES = 4, TAKES_ITERATIONS = 8 };

typedef struct format_row {
    const char *name;
    const char *extensions; /**< separated by single blanks, the usual one first; the first row that fits counts */
    const char *summary;
    bool (*looks_like)(const char *data, size_t size); /**< what the content of no other format fulfils */

    /* NULL where the format is only written, or has from_as(). */
    int (*from)(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
    /* NULL where the format is only read, or written piece by piece. */
    int (*to)(const inlay_app *app, text_buffer *to, inlay_diag *diag);

    /* Piece by piece; NULL where the format is not for large graphs. looks_like() then needs the first bytes alone. */
    int (*from_input)(input *in, const char *source, inlay_app **app, inlay_diag *diag);
    int (*to_output)(const inlay_app *app, inlay_file *to, inlay_diag *diag);
    /* In place of both, of a format that is several files. */
    int (*to_path)(const inlay_app *app, const char *path, inlay_diag *diag);

    /* In place of from() where the format can be read in more than one way: `takes` says in what they differ. */
    int (*from_as)(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                   inlay_diag *diag);
    unsigned takes; /**< format_takes */
} format_row;

enum { FORMAT_HEAD = 4 /* how many bytes looks_like() needs of a format that is read piece by piece */ };

/** Whether the content is an application's: that of one of the formats that are told by it. */
bool format_is_application(const char *data, size_t size);

/** Length of a path without `.gz`. */
size_t format_unpacked(const char *path);

/** Whether the first `size` characters of a path end in one of some extensions that blanks separate. */
bool format_fits(const char *extensions, const char *path, size_t size);

/** The name of an application in a format that has none: the file's, without folders and extensions. NULL: no memory. */
char *format_graph_name(const char *source);

/* WfFormat, the workflow instances of the WfCommons project: versions 1.0 to 1.6 in, 1.5 out. */
bool wfformat_looks_like(const char *data, size_t size);
int wfformat_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                  inlay_diag *diag);
int wfformat_to(const inlay_app *app, text_buffer *to, inlay_diag *diag);

/* GraphML: what DOT has as attributes. */
bool graphml_looks_like(const char *data, size_t size);
int graphml_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                 inlay_diag *diag);
int graphml_to(const inlay_app *app, text_buffer *to, inlay_diag *diag);

/* CSV: a table of modules, and one of links in a file beside it. */
bool csv_looks_like(const char *data, size_t size);
int csv_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
             inlay_diag *diag);
int csv_to_path(const inlay_app *app, const char *path, inlay_diag *diag);

/* STG, the Standard Task Graph Set of Waseda University. */
bool stg_looks_like(const char *data, size_t size);
int stg_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
int stg_to(const inlay_app *app, text_buffer *to, inlay_diag *diag);

/* PREESM: an algorithm, or a scenario that names one. */
bool pi_looks_like(const char *data, size_t size);
int pi_from_as(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
               inlay_diag *diag);
bool scenario_looks_like(const char *data, size_t size);
int scenario_from_as(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                     inlay_diag *diag);

/* TGFF, task graphs with periods and deadlines. */
bool tgff_looks_like(const char *data, size_t size);
int tgff_from_as(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                 inlay_diag *diag);

/* SDF3, dataflow graphs: the firings of iterations. */
bool sdf3_looks_like(const char *data, size_t size);
int sdf3_from_as(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                 inlay_diag *diag);

/* Inlay's own JSON: all that an application holds. */
bool app_json_looks_like(const char *data, size_t size);
int app_json_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
int app_json_to(const inlay_app *app, text_buffer *to, inlay_diag *diag);

/* Pegasus DAX, version 2.1, and GXL as the task graphs of Auckland have it. Read only. */
bool dax_looks_like(const char *data, size_t size);
int dax_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
             inlay_diag *diag);
bool gxl_looks_like(const char *data, size_t size);
int gxl_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);

/* Instances of DAGBench and SAGA, JSON: the application. Read only. */
bool dagbench_looks_like(const char *data, size_t size);
int dagbench_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);

/* DSLab's DAGs, YAML. Read only. */
bool dslab_looks_like(const char *data, size_t size);
int dslab_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
               inlay_diag *diag);

/* .tg, plain text for large graphs. */
bool tg_looks_like(const char *data, size_t size);
int tg_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
int tg_from_input(input *in, const char *source, inlay_app **app, inlay_diag *diag);
int tg_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag);

/** inlay_app_read_as() of what was opened already, and perhaps looked at. */
int app_from_input(input *in, const char *path, const inlay_reading *how, inlay_app **app, inlay_diag *diag);

/* Graphs for partitioners, undirected: edges weighted by messages, or by bytes. */
bool metis_looks_like(const char *data, size_t size);
int metis_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
int metis_bytes_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
bool mtx_looks_like(const char *data, size_t size);
int mtx_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
bool scotch_looks_like(const char *data, size_t size);
int scotch_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
int scotch_bytes_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag);
int metis_messages_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag);
int metis_bytes_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag);
int scotch_messages_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag);
int scotch_bytes_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag);

#endif
