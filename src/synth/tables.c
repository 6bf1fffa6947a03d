/* Loops are written out wherever they stand: their head, then their body. */
#include "synth/tables.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/* ---- Kinds and work ---- */

static int lay_out_kinds(const numberer *n, inlay_synth *synth)
{
    synth->work = memory_array((size_t)n->work.count, sizeof *synth->work);
    synth->kind = memory_array((size_t)n->kind.count, sizeof *synth->kind);
    if (synth->work == NULL || synth->kind == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (int32_t k = 0; k < n->work.count; k++) {
        synth->work[k] = numberer_work(n, k);
    }
    for (int32_t k = 0; k < n->kind.count; k++) {
        synth->kind[k] = numberer_kind(n, k);
    }
    synth->summary.works = n->work.count;
    synth->summary.kinds = n->kind.count;
    return INLAY_OK;
}

/* ---- Entries ---- */

/* Room for the sequences, and where each begins. */
static int lay_out_sequences(const folder *f, const intern *sequences, inlay_synth *synth)
{
    int64_t entries = 0;
    synth->sequence_begin = memory_array((size_t)sequences->count + 1, sizeof *synth->sequence_begin);
    if (synth->sequence_begin == NULL) {
        return INLAY_NO_MEMORY;
    }
    synth->sequence_begin[0] = 0;
    for (int32_t s = 0; s < sequences->count; s++) {
        size_t symbols;
        const int32_t *symbol = intern_at(sequences, s, &symbols);
        for (size_t k = 0; k < symbols; k++) {
            int32_t depth = folder_depth(f, symbol[k]);
            synth->summary.depth = depth > synth->summary.depth ? depth : synth->summary.depth;
            entries += folder_size(f, symbol[k]);
        }
        synth->sequence_begin[s + 1] = entries;
    }
    synth->summary.sequences = sequences->count;
    synth->summary.entries = entries;
    synth->entry = memory_array((size_t)entries, sizeof *synth->entry);
    return synth->entry == NULL ? INLAY_NO_MEMORY : INLAY_OK;
}

/* Heads of loops: those of equal times and length are one. */
static int32_t number_head(intern *heads, int64_t times, int64_t length)
{
    int32_t word[4];
    memcpy(word, &times, sizeof times);
    memcpy(word + 2, &length, sizeof length);
    return intern_put(heads, word, 4);
}

/* Symbols that are still to be written. */
typedef struct rest {
    const int32_t *symbol;
    size_t symbols;
} rest;

/* One sequence, its loops as deep as they are. */
static int write_sequence(const folder *f, rest whole, intern *heads, int32_t *entry)
{
    rest level[SYNTH_DEPTH + 1] = {whole};
    size_t levels = 1;
    while (levels > 0) {
        rest *now = &level[levels - 1];
        if (now->symbols == 0) {
            levels--;
            continue;
        }
        int32_t symbol = *now->symbol++;
        now->symbols--;
        if (symbol >= 0) {
            *entry++ = symbol;
            continue;
        }
        int64_t times;
        rest *body = &level[levels++];
        body->symbol = folder_body(f, ~symbol, &body->symbols, &times);
        int32_t head = number_head(heads, times, folder_size(f, symbol) - 1);
        if (head < 0) {
            return INLAY_NO_MEMORY;
        }
        *entry++ = ~head;
    }
    return INLAY_OK;
}

static int write_heads(const intern *heads, inlay_synth *synth)
{
    synth->loop = memory_array((size_t)heads->count, sizeof *synth->loop);
    if (synth->loop == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (int32_t k = 0; k < heads->count; k++) {
        size_t words;
        const int32_t *word = intern_at(heads, k, &words);
        memcpy(&synth->loop[k].times, word, sizeof synth->loop[k].times);
        memcpy(&synth->loop[k].length, word + 2, sizeof synth->loop[k].length);
    }
    synth->loops = heads->count;
    return INLAY_OK;
}

int synth_lay_out(const numberer *n, const intern *sequences, inlay_synth *synth)
{
    intern heads = {0};
    int status = lay_out_kinds(n, synth);
    if (status == INLAY_OK) {
        status = lay_out_sequences(n->folder, sequences, synth);
    }
    for (int32_t s = 0; s < sequences->count && status == INLAY_OK; s++) {
        rest whole;
        whole.symbol = intern_at(sequences, s, &whole.symbols);
        status = write_sequence(n->folder, whole, &heads, synth->entry + synth->sequence_begin[s]);
    }
    if (status == INLAY_OK) {
        status = write_heads(&heads, synth);
    }
    intern_clear(&heads);
    return status;
}
