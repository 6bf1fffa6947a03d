/* Kinds of modules, and their colours in every picture. */
#include "render/kinds.h"
#include "base/memory.h"
#include <string.h>

static const char *const colours[KINDS + 1][2] = {
    {"#0072B2", "#A9D3F0"}, {"#00785A", "#9CDCC4"}, {"#A6487B", "#EDBFD8"}, {"#7A6A00", "#E6DC8C"},
    {"#4FA3D1", "#DDF2FD"}, {"#222222", "#C4C4C4"}, {"#8A8A8A", "#EFEFEF"},
};

const char *kind_colour(size_t kind)
{
    return colours[kind < KINDS ? kind : KINDS][0];
}

const char *kind_light_colour(size_t kind)
{
    return colours[kind < KINDS ? kind : KINDS][1];
}

static size_t number_of_kind(module_kinds *kinds, const char *kind)
{
    size_t k = 0;
    while (k < kinds->count && strcmp(kinds->name[k], kind) != 0) {
        k++;
    }
    if (k == kinds->count && k < KINDS) {
        kinds->name[kinds->count++] = kind;
    }
    return k;
}

bool module_kinds_find(module_kinds *kinds, const inlay_app *app)
{
    inlay_id modules = inlay_app_modules(app);
    bool some = false;
    for (inlay_id i = 0; i < modules && !some; i++) {
        some = inlay_app_module_kind(app, i) != NULL;
    }
    if (!some) {
        return true;
    }
    kinds->of = memory_array((size_t)modules, sizeof *kinds->of);
    for (inlay_id i = 0; i < modules && kinds->of != NULL; i++) {
        const char *kind = inlay_app_module_kind(app, i);
        size_t k = kind != NULL ? number_of_kind(kinds, kind) : KINDS;
        kinds->of[i] = (uint8_t)k;
        kinds->others = kinds->others || k == KINDS;
    }
    return kinds->of != NULL;
}
