/*
 * The synthetic program as C text: a comment that says whose it is, and the one program that all have, in which the
 * tables take the place of a line. Only tables and that comment differ from one application to another.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include <inlay/outputs.h>
#include "base/text.h"
#include "synth/escape.h"
#include "synth/synth.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The lines of template/program.c. */
static const char *const template_lines[] = {
#include "synth/template.inc"
};

/* The line that the tables replace. */
static const char TABLES_LINE[] = "#include \"tables.h\"\n";

enum { WIDTH = 120, BLOCK = 1 << 16, CELL = 160 };

typedef struct writer {
    inlay_file *to;
    text_buffer text; /* on its way to the file */
    size_t column;    /* in a table's line; 0 before it */
} writer;

/* ---- Tables: cells in lines as full as they can be ---- */

static void hand_over(writer *w)
{
    if (w->text.size >= BLOCK && !w->text.failed) {
        inlay_file_put(w->to, w->text.data, w->text.size);
        w->text.size = 0;
    }
}

static void begin_table(writer *w, const char *declaration)
{
    text_addf(&w->text, "%s = {", declaration);
    w->column = 0;
}

static void add_cell(writer *w, const char *cell)
{
    size_t size = strlen(cell) + 2; /* with the blank before it and the comma behind */
    if (w->column == 0 || w->column + size > WIDTH) {
        hand_over(w);
        text_add(&w->text, "\n   ");
        w->column = 3;
    }
    text_add(&w->text, " ");
    text_add(&w->text, cell);
    text_add(&w->text, ",");
    w->column += size;
}

/* C has no empty arrays: a table without rows has one that nothing refers to. */
static void end_table(writer *w, const char *nothing)
{
    if (w->column == 0) {
        add_cell(w, nothing);
    }
    text_add(&w->text, "\n};\n");
}

static void add_number(writer *w, int64_t number)
{
    char cell[CELL];
    snprintf(cell, sizeof cell, "%" PRId64, number);
    add_cell(w, cell);
}

/* ---- The tables ---- */

static void put_works(writer *w, const inlay_synth *synth)
{
    text_add(&w->text,
             "\n/* Pieces of work: made of, arithmetic operations, functions, bytes of memory, seconds. */\n");
    begin_table(w, "static const struct work works[]");
    for (int64_t i = 0; i < synth->summary.works; i++) {
        const synth_work *work = &synth->work[i];
        char cell[CELL], seconds[DOUBLE_TEXT];
        snprintf(cell, sizeof cell, "{%s, %" PRId64 ", %" PRId64 ", %" PRId64 ", %s}",
                 work->counted ? "COUNTED" : "TIMED", work->arithmetic, work->functions, work->memory,
                 double_text(work->seconds, seconds));
        add_cell(w, cell);
    }
    end_table(w, "{TIMED, 0, 0, 0, 0}");
}

static const char *kind_word(inlay_synth_kind kind)
{
    switch (kind) {
    case INLAY_SYNTH_DO: return "WORK";
    case INLAY_SYNTH_SEND: return "SEND";
    case INLAY_SYNTH_RECEIVE: return "RECEIVE";
    default: return "ACCEPT";
    }
}

static void put_steps(writer *w, const inlay_synth *synth)
{
    text_add(&w->text,
             "\n/* Steps: kind, distance to the rank at the other end, lane, bytes of the message or row of the "
             "work. */\n");
    begin_table(w, "static const struct step steps[]");
    for (int64_t i = 0; i < synth->summary.kinds; i++) {
        const synth_kind *kind = &synth->kind[i];
        char cell[CELL];
        snprintf(cell, sizeof cell, "{%s, %" PRId32 ", %" PRId32 ", %" PRId64 "}", kind_word(kind->kind),
                 kind->distance, kind->lane, kind->size);
        add_cell(w, cell);
    }
    end_table(w, "{WORK, 0, 0, 0}");
}

static void put_loops(writer *w, const inlay_synth *synth)
{
    text_add(&w->text, "\n/* Loops: times, entries. */\n");
    begin_table(w, "static const struct loop loops[]");
    for (int64_t i = 0; i < synth->loops; i++) {
        char cell[CELL];
        snprintf(cell, sizeof cell, "{%" PRId64 ", %" PRId64 "}", synth->loop[i].times, synth->loop[i].length);
        add_cell(w, cell);
    }
    end_table(w, "{0, 0}");
}

static void put_sequences(writer *w, const inlay_synth *synth)
{
    text_add(&w->text, "\n/* What ranks do, sequence by sequence: number of a step, or ~number of a loop over the "
                       "entries behind. */\n");
    begin_table(w, "static const int32_t entries[]");
    for (int64_t i = 0; i < synth->summary.entries; i++) {
        add_number(w, synth->entry[i]);
    }
    end_table(w, "0");
    text_add(&w->text, "\n/* Where each sequence begins, and where the last one ends. */\n");
    begin_table(w, "static const int64_t sequence_begin[]");
    for (int64_t i = 0; i <= synth->summary.sequences; i++) {
        add_number(w, synth->sequence_begin[i]);
    }
    end_table(w, "0");
}

static void put_ranks(writer *w, const inlay_synth *synth)
{
    text_add(&w->text, "\n/* Of each rank the sequence that it does, and the processor that it stands for. */\n");
    begin_table(w, "static const int32_t rank_sequence[]");
    for (inlay_id i = 0; i < synth->summary.ranks; i++) {
        add_number(w, synth->rank_sequence[i]);
    }
    end_table(w, "0");
    begin_table(w, "static const int32_t rank_processor[]");
    for (inlay_id i = 0; i < synth->summary.ranks; i++) {
        add_number(w, inlay_synth_processor(synth, i));
    }
    end_table(w, "0");
}

static void put_tables(writer *w, const inlay_synth *synth)
{
    text_addf(&w->text, "enum { RANKS = %" PRId32 ", LANES = %" PRId32 " };\n", synth->summary.ranks,
              synth->summary.lanes);
    text_add(&w->text, "static const char application[] = ");
    escape_as_json_literal(&w->text, inlay_app_name(inlay_mapping_app(synth->mapping)));
    text_addf(&w->text, ";\nstatic const char inlay[] = \"%s\";\n", inlay_version());
    put_works(w, synth);
    put_steps(w, synth);
    put_loops(w, synth);
    put_sequences(w, synth);
    put_ranks(w, synth);
}

/* ---- The program ---- */

static void put_heading(writer *w, const inlay_synth *synth)
{
    const inlay_synth_summary *sum = &synth->summary;
    text_add(&w->text, "/*\n * The synthetic program of the application ");
    escape_for_comment(&w->text, inlay_app_name(inlay_mapping_app(synth->mapping)));
    text_add(&w->text, "\n * on the machine ");
    escape_for_comment(&w->text, inlay_machine_text(inlay_mapping_machine(synth->mapping)));
    text_addf(&w->text,
              ",\n * written by Inlay %s: %" PRId32 " ranks, %" PRId32 " modules, %" PRId64 " steps, %" PRId64
              " messages of %" PRId64 " bytes.\n",
              inlay_version(), sum->ranks, sum->modules, sum->steps, sum->messages, sum->bytes);
    if (sum->tick_seconds > 0) {
        char seconds[DOUBLE_TEXT];
        text_addf(&w->text, " * A tick takes %s s.\n", double_text(sum->tick_seconds, seconds));
    }
    text_add(&w->text, " */\n");
}

static void put_program(writer *w, const inlay_synth *synth)
{
    put_heading(w, synth);
    for (size_t i = 0; i < sizeof template_lines / sizeof *template_lines; i++) {
        if (strcmp(template_lines[i], TABLES_LINE) == 0) {
            put_tables(w, synth);
        } else {
            text_add(&w->text, template_lines[i]);
        }
    }
}

int inlay_synth_write(const inlay_synth *synth, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    writer w = {0};
    int status = inlay_file_open(path, &w.to, diag);
    if (status != INLAY_OK) {
        return status;
    }
    put_program(&w, synth);
    if (w.text.failed) {
        inlay_file_abandon(w.to);
        text_clear(&w.text);
        return diag_no_memory(diag);
    }
    inlay_file_put(w.to, w.text.data, w.text.size);
    text_clear(&w.text);
    return inlay_file_close(w.to, diag);
}
