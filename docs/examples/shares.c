/* shares METASYSTEM ROWS: which processors should sweep over a grid of so many rows, and how many rows each gets. */
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>

/** What the program tells about itself: a PDU is a row of as many points, five operations on each. */
typedef struct grid {
    int64_t rows;
} grid;

static int rows(void *context, int32_t computation, int64_t *units, inlay_diag *diag)
{
    (void)computation;
    *units = ((const grid *)context)->rows;
    return *units > 0 ? INLAY_OK : inlay_domain_refuse(diag, "the grid has no rows; expected 1 or more");
}

static int work(void *context, int32_t processors, int32_t computation, inlay_complexity *work, inlay_diag *diag)
{
    (void)processors, (void)computation, (void)diag;
    work->per_unit = 5.0 * (double)((const grid *)context)->rows;
    return INLAY_OK;
}

static int pattern(void *context, int32_t communication, inlay_pattern *pattern, inlay_diag *diag)
{
    (void)context, (void)communication, (void)diag;
    *pattern = INLAY_PATTERN_LINE;
    return INLAY_OK;
}

static int border(void *context, int32_t processors, int32_t communication, inlay_complexity *bytes, inlay_diag *diag)
{
    (void)processors, (void)communication, (void)diag;
    bytes->fixed = 4.0 * (double)((const grid *)context)->rows;
    return INLAY_OK;
}

static void print(const inlay_metasystem *metasystem, const inlay_selection *selection)
{
    const inlay_configuration *best = inlay_selection_at(selection, 0);
    for (size_t i = 0; i < metasystem->clusters; i++) {
        if (best->processors[i] > 0) {
            printf("%d of %s: %.0f rows each, %d of them one more\n", (int)best->processors[i],
                   metasystem->cluster[i].name, best->share[i].share, (int)best->share[i].extra);
        }
    }
    printf("a cycle takes %.1f %s%s\n", best->t_cycle, inlay_unit_name(metasystem->time_unit),
           inlay_selection_optimal(selection) ? ", and none is shorter" : "");
}

int main(int argc, char **argv)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_metasystem *metasystem = NULL;
    inlay_selection *selection = NULL;
    if (diag == NULL || argc != 3) {
        fprintf(stderr, "usage: shares METASYSTEM ROWS\n");
        inlay_diag_free(diag);
        return 2;
    }
    grid of = {strtoll(argv[2], NULL, 10)};
    const inlay_domain stencil = {.name = "stencil",
                                  .context = &of,
                                  .computations = 1,
                                  .communications = 1,
                                  .units = rows,
                                  .work = work,
                                  .pattern = pattern,
                                  .bytes = border};

    int status = inlay_metasystem_read(argv[1], &metasystem, diag);
    if (status == INLAY_OK) {
        status = inlay_select(&stencil, metasystem, NULL, NULL, &selection, diag);
    }
    if (status == INLAY_OK) {
        print(metasystem, selection);
    } else {
        fprintf(stderr, "%s\n", inlay_diag_message(diag));
    }

    inlay_selection_free(selection);
    inlay_metasystem_free(metasystem);
    inlay_diag_free(diag);
    return inlay_exit_status(status);
}
