/* What the readers of catalogues share. Inside this directory only, but for the looks and the reader. */
#ifndef IO_CATALOGUE_CATALOGUE_H
#define IO_CATALOGUE_CATALOGUE_H

#include "base/memory.h"
#include <inlay/catalogue.h>

struct inlay_catalogue {
    inlay_machine_type *types;
    size_t count, room;
    memory_pool pool; /**< strings and attributes of the types */
};

enum { CATALOGUE_ATTRIBUTES = 64 };

/** A row while it is read. */
typedef struct catalogue_row {
    const char *source;
    long line;
    inlay_machine_type is;
    inlay_attribute attribute[CATALOGUE_ATTRIBUTES];
} catalogue_row;

/** Number of a column, or -1 where there is none of that name. */
int catalogue_column(const char *name);

/** All their names, with commas between them. */
void catalogue_columns(char *text, size_t room);

/** A row with nothing but its defaults. */
void catalogue_begin(catalogue_row *row, const char *source, long line);

/** Set a column of a row, of which an empty text sets nothing. */
int catalogue_set(inlay_catalogue *all, catalogue_row *row, int number, const char *text, inlay_diag *diag);

/** Another attribute of the machine, by its own name. */
int catalogue_set_attribute(inlay_catalogue *all, catalogue_row *row, const char *name, const char *text,
                            inlay_diag *diag);

/** Checks the row and adds it. */
int catalogue_add(inlay_catalogue *all, const catalogue_row *row, inlay_diag *diag);

/** What every row gets at its end: what stands behind the file's name. */
typedef struct catalogue_values {
    const inlay_attribute *value;
    size_t count;
} catalogue_values;

int catalogue_end(inlay_catalogue *all, catalogue_row *row, const catalogue_values *values, inlay_diag *diag);

int catalogue_from_csv(const char *data, size_t size, const char *source, const catalogue_values *values,
                       inlay_catalogue *all, inlay_diag *diag);
int catalogue_from_json(const char *data, size_t size, const char *source, const catalogue_values *values,
                        inlay_catalogue *all, inlay_diag *diag);

/** Quick looks at the content. */
bool catalogue_looks_like_csv(const char *data, size_t size);
bool catalogue_looks_like_json(const char *data, size_t size);
bool catalogue_looks_like(const char *data, size_t size);

/** A catalogue from its text. */
int catalogue_from(const char *data, size_t size, const char *source, const catalogue_values *values,
                   inlay_catalogue **catalogue, inlay_diag *diag);

#endif
