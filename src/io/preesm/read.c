/* PREESM's algorithms and scenarios as applications. */
#include "base/diag.h"
#include "base/file.h"
#include "io/formats.h"
#include "io/look.h"
#include "io/preesm/preesm.h"
#include <stdlib.h>
#include <string.h>

static bool has(const char *data, size_t size, const char *word)
{
    size_t length = strlen(word);
    const char *end = data + size;
    while (data != NULL && (size_t)(end - data) >= length && memcmp(data, word, length) != 0) {
        data = memchr(data + 1, *word, (size_t)(end - data - 1));
    }
    return data != NULL && (size_t)(end - data) >= length;
}

/* GraphML of others has no such key. */
bool pi_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "graphml") && has(data, size, "attr.name=\"parameters\"");
}

bool scenario_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "scenario");
}

static int32_t iterations_of(const inlay_reading *how)
{
    return how->iterations > 0 ? how->iterations : 1;
}

int pi_from_as(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
               inlay_diag *diag)
{
    name_store *names = NULL;
    int status = preesm_build(data, size, source, &names, NULL, iterations_of(how), app, diag);
    name_store_free(names);
    return status;
}

int scenario_from_as(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                     inlay_diag *diag)
{
    name_store *names = NULL;
    scenario s = {.source = source, .diag = diag, .names = &names};
    file_content content = {0};
    int status = scenario_read(data, size, &s);
    char *path = NULL;
    status = status == INLAY_OK ? preesm_find(source, s.algorithm, ".pi", &path, diag) : status;
    if (status == INLAY_OK && path == NULL) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                              "no algorithm '%.80s'; expected a file of this name in the folder of the scenario or one "
                              "above",
                              s.algorithm);
    }
    status = status == INLAY_OK ? file_read(path, &content, diag) : status;
    if (status == INLAY_OK) {
        status = preesm_build(content.data, content.size, path, &names, &s, iterations_of(how), app, diag);
        file_content_clear(&content);
    }
    free(path);
    scenario_clear(&s);
    name_store_free(names);
    return status;
}
