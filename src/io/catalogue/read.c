/* Catalogues of machine types: read, and kept. */
#include "base/diag.h"
#include "base/hash.h"
#include "io/catalogue/catalogue.h"
#include "io/machine_argument.h"
#include <inlay/io.h>
#include <stdlib.h>

bool catalogue_looks_like(const char *data, size_t size)
{
    return catalogue_looks_like_json(data, size) || catalogue_looks_like_csv(data, size);
}

/* Each type is named once. */
static int check_names(const inlay_catalogue *all, const char *source, inlay_diag *diag)
{
    name_map names = {0};
    int status = INLAY_OK;
    for (size_t i = 0; i < all->count && status == INLAY_OK; i++) {
        const char *name = all->types[i].name;
        if (name_map_get(&names, name) >= 0) {
            status = diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "type '%.80s' stands twice; expected one row of it",
                                  name);
        } else if (!name_map_put(&names, name, (int32_t)i)) {
            status = diag_no_memory(diag);
        }
    }
    name_map_clear(&names);
    return status;
}

int catalogue_from(const char *data, size_t size, const char *source, const catalogue_values *values,
                   inlay_catalogue **catalogue, inlay_diag *diag)
{
    inlay_catalogue *all = memory_zeroed(1, sizeof *all);
    if (all == NULL) {
        return diag_no_memory(diag);
    }
    int status = catalogue_looks_like_json(data, size) ? catalogue_from_json(data, size, source, values, all, diag)
                 : catalogue_looks_like_csv(data, size)
                     ? catalogue_from_csv(data, size, source, values, all, diag)
                     : diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                                    "this is no catalogue; expected a first line "
                                    "with type, cores, price, ..., or JSON with them");
    if (status == INLAY_OK && all->count == 0) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "no types; expected a row at least");
    }
    status = status == INLAY_OK ? check_names(all, source, diag) : status;
    if (status != INLAY_OK) {
        inlay_catalogue_free(all);
        return status;
    }
    *catalogue = all;
    return INLAY_OK;
}

int inlay_catalogue_read(const char *path, inlay_catalogue **catalogue, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_catalogue *read = NULL;
    int status = inlay_any_read(path, NULL, &app, &machine, &read, diag);
    inlay_app_free(app);
    inlay_machine_free(machine);
    if (status == INLAY_OK && read == NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "this is no catalogue; expected one of machine types");
    }
    *catalogue = status == INLAY_OK ? read : *catalogue;
    return status;
}

void inlay_catalogue_free(inlay_catalogue *catalogue)
{
    if (catalogue != NULL) {
        free(catalogue->types);
        pool_clear(&catalogue->pool);
        free(catalogue);
    }
}

size_t inlay_catalogue_types(const inlay_catalogue *catalogue)
{
    return catalogue->count;
}

const inlay_machine_type *inlay_catalogue_type(const inlay_catalogue *catalogue, size_t i)
{
    return &catalogue->types[i];
}
