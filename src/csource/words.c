/* What libclang is told of a file, as compilers take it. */
#include "csource/words.h"
#include "base/diag.h"
#include "base/plain.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

static void add_word(memory_pool *memory, word_list *words, const char *begin, const char *text, size_t length)
{
    size_t size = strlen(begin) + length + 1;
    char *word = pool_array(memory, size, 1);
    if (word != NULL && GROW(words->word, words->count, words->room)) {
        (void)plain_print(word, size, "%s%.*s", begin, (int)length, text);
        words->word[words->count++] = word;
    } else {
        memory->failed = true;
    }
}

static void add_folders(memory_pool *memory, word_list *words, const char *text, bool list)
{
    while (text != NULL) {
        size_t length = list ? strcspn(text, ",") : strlen(text);
        add_word(memory, words, "-I", text, length);
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
}

/* -D of what is no variable of the file is a macro. */
static void add_macros(memory_pool *memory, word_list *words, const source *from, const given_list *definitions)
{
    const read_options first = {.words = words->word, .count = words->count};
    text_buffer text = {0};
    for (int i = 0; definitions != NULL && i < definitions->count && !memory->failed; i++) {
        const given_entry *d = &definitions->entry[i];
        bool found = false;
        memory->failed = file_has_variable(from, &first, d->name, &found) != INLAY_OK;
        if (!memory->failed && !found) {
            text.size = 0;
            text_addf(&text, "%s=%.*s", d->name, (int)strcspn(d->text, ","), d->text);
            add_word(memory, words, "-D", text_content(&text), text.size);
        }
    }
    memory->failed = memory->failed || text.failed;
    text_clear(&text);
}

int source_words(const source *from, const reading *how, memory_pool *memory, word_list *words)
{
    for (size_t i = 0; i < how->include.count; i++) {
        add_folders(memory, words, how->include.text[i], how->lists);
    }
    for (size_t i = 0; i < how->macros.count; i++) {
        add_word(memory, words, "-D", how->macros.text[i], strlen(how->macros.text[i]));
    }
    add_macros(memory, words, from, how->definitions);
    return memory->failed ? INLAY_NO_MEMORY : INLAY_OK;
}

int source_parse(const source *from, const reading *how, program *p, inlay_diag *diag)
{
    memory_pool memory = {0};
    word_list words = {0};
    add_word(&memory, &words, "-std=gnu17", "", 0);
    for (size_t i = 0; i < from->words; i++) {
        add_word(&memory, &words, from->word[i], "", 0);
    }
    if (how->own > 0) { /* other files are named as from here */
        add_word(&memory, &words, "-iquote.", "", 0);
    }
    int status = source_words(from, how, &memory, &words);
    const read_options options = {.words = words.word, .count = words.count, .headers = how->headers, .own = how->own};
    status = status != INLAY_OK ? INLAY_NO_MEMORY : program_read(from, &options, p, diag);
    pool_clear(&memory);
    free(words.word);
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

int source_read_program(const char *path, const reading *how, source *from, program *p, inlay_diag *diag)
{
    int status = source_read(path, from, diag);
    return status == INLAY_OK ? source_parse(from, how, p, diag) : status;
}
