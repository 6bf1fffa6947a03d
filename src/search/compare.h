/* What a comparison holds. */
#ifndef SEARCH_COMPARE_H
#define SEARCH_COMPARE_H

#include <inlay/compare.h>
#include <stdbool.h>

/** Where something stands: less comes first, from the first key on. */
enum { SORT_KEYS = 4 };
typedef struct compare_place {
    double key[SORT_KEYS];
    const inlay_compare_input *machine; /**< the last key: its place among the inputs */
} compare_place;

/** A row or a total with its place, which is first, so that an order of places is one of these. */
typedef struct compare_row {
    compare_place place;
    inlay_compare_row of;
    inlay_mapping *mapping; /**< ours, as `front` and `diag` */
    inlay_pareto_result *front;
    inlay_diag *diag;
} compare_row;

typedef struct compare_total {
    compare_place place;
    inlay_compare_total of;
} compare_total;

enum { COMPARE_NOTE = 512 };

struct inlay_comparison {
    inlay_compare_input *inputs; /**< ours, as the arrays that follow */
    size_t input_count, apps;
    inlay_compare_sort sort;
    bool prices_compare; /**< no two machines have prices in different currencies */
    compare_row *rows;
    size_t row_count;
    compare_total *totals;
    size_t total_count;
    inlay_unit total_unit;
    char note[COMPARE_NOTE];
};

/** Whether the rows can be ordered as is asked; fills in `prices_compare`. A status of the library. */
int compare_check_sort(inlay_comparison *all, inlay_diag *diag);

/** The place of something without an answer where `figures` is NULL. */
compare_place compare_place_of(const inlay_comparison *all, const inlay_compare_figures *figures,
                               const inlay_compare_input *machine);

/** For qsort() of anything that begins with a compare_place. */
int compare_places(const void *left, const void *right);

/** Warns of speeds that differ, and fills in the note. */
void compare_look_at_machines(inlay_comparison *all, inlay_diag *diag);

/** Why there is no answer, without the machine's text (NULL: it has none) in front of it: whoever shows it names the machine. */
const char *compare_reason(const inlay_diag *diag, const inlay_machine *machine, int status);

#endif
