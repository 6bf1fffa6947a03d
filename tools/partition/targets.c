/*
 * Parts for unlike processors: the first rank reads shares, or a machine, and tells the others; and when the graph is divided
 * it lays the parts out onto the machine's processors.
 */
#include "partition.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>

/* ---- Shares ---- */

/* "2,1,1": a number between any two commas. */
static bool is_list(const char *text)
{
    double number;
    int32_t numbers = 0, commas = 0;
    for (const char *left = text; next_number(&left, &number); numbers++) {
    }
    for (const char *at = text; *at != '\0'; at++) {
        commas += *at == ',';
    }
    return numbers == commas + 1;
}

static int read_list(const char *text, double **share, int32_t *count)
{
    *share = malloc((strlen(text) + 1) * sizeof **share);
    const char *left = text;
    for (*count = 0; *share != NULL && next_number(&left, *share + *count); (*count)++) {
    }
    return *share != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

static int read_targets(partitioned *of, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    const char *copy = values->copy[COPY_TARGETS], *text = values->targets;
    int status = is_list(text) ? read_list(text, &of->result.target, &of->result.parts)
                               : inlay_shares_read(copy != NULL ? copy : text, partition_name(text), &of->result.target,
                                                   &of->result.parts, diag);
    if (status == INLAY_OK && values->parts > 0 && values->parts != of->result.parts) {
        of->refusal = "--targets has another number of shares than there are --parts; expected one for each";
        status = INLAY_BAD_ARGUMENT;
    }
    return status;
}

/* What came through a pipe: messages do not name its copy. */
static int read_copy(const char *copy, inlay_machine **machine, inlay_diag *diag)
{
    FILE *file = fopen(copy, "rb");
    char *text = NULL;
    long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    int status = size >= 0 ? INLAY_OK : INLAY_SYSTEM;
    if (status == INLAY_OK) {
        rewind(file);
        text = malloc((size_t)size + 1);
        status = text == NULL                                         ? INLAY_NO_MEMORY
                 : fread(text, 1, (size_t)size, file) == (size_t)size ? INLAY_OK
                                                                      : INLAY_SYSTEM;
    }
    if (status == INLAY_OK) {
        text[size] = '\0';
        status = inlay_machine_read_memory(text, (size_t)size, partition_name("-"), NULL, machine, diag);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    free(text);
    return status;
}

static int read_machine(partitioned *of, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    const char *copy = values->copy[COPY_MACHINE];
    int status =
        copy != NULL ? read_copy(copy, &of->machine, diag) : inlay_machine_read(values->machine, &of->machine, diag);
    if (status != INLAY_OK) {
        return status;
    }
    of->result.parts = values->parts > 0 ? values->parts : inlay_machine_processors(of->machine);
    of->result.target = malloc((size_t)of->result.parts * sizeof *of->result.target);
    of->result.processor = malloc((size_t)of->result.parts * sizeof *of->result.processor);
    return of->result.target != NULL && of->result.processor != NULL
               ? inlay_machine_shares(of->machine, of->result.parts, of->result.processor, of->result.target, diag)
               : INLAY_NO_MEMORY;
}

/* An array of rank 0's is everybody's: room on the others, then the content. */
static int share_array(void **array, size_t bytes, int rank)
{
    int size = (int)bytes;
    *array = rank == 0 ? *array : malloc(bytes + 1);
    int status = partition_worst(*array != NULL && bytes <= INT32_MAX ? INLAY_OK : INLAY_NO_MEMORY);
    if (status == INLAY_OK) {
        MPI_Bcast(*array, size, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    return status;
}

int partition_take_targets(partitioned *of, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    int status = INLAY_OK;
    of->result.parts = values->parts > 0 ? values->parts : of->result.ranks;
    if (values->targets == NULL && values->machine == NULL) {
        return INLAY_OK;
    }
    if (of->rank == 0) {
        status = values->machine != NULL ? read_machine(of, diag) : read_targets(of, diag);
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status != INLAY_OK) {
        return status;
    }
    MPI_Bcast(&of->result.parts, 1, MPI_INT32_T, 0, MPI_COMM_WORLD);
    status = share_array((void **)&of->result.target, (size_t)of->result.parts * sizeof *of->result.target, of->rank);
    if (status == INLAY_OK && values->machine != NULL) {
        status = share_array((void **)&of->result.processor, (size_t)of->result.parts * sizeof *of->result.processor,
                             of->rank);
    }
    return status;
}

/* ---- Places ---- */

typedef struct seat {
    int32_t processor, part;
    double target;
} seat;

static int by_processor(const void *a, const void *b)
{
    const seat *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

/* Parts are numbered as their processors stand: number[p] is the new one of part p. */
static int number_parts(partitioned *of, int32_t *number)
{
    seat *seats = malloc((size_t)of->result.parts * sizeof *seats);
    int status = partition_worst(seats != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    if (status != INLAY_OK || seats == NULL) {
        free(seats);
        return status;
    }
    for (int32_t p = 0; p < of->result.parts; p++) {
        seats[p] = (seat){of->result.processor[p], p, of->result.target[p]};
    }
    qsort(seats, (size_t)of->result.parts, sizeof *seats, by_processor);
    for (int32_t i = 0; i < of->result.parts; i++) {
        of->result.processor[i] = seats[i].processor;
        of->result.target[i] = seats[i].target;
        number[seats[i].part] = i;
    }
    free(seats);
    return status;
}

static int place(partitioned *of, inlay_diag *diag)
{
    int status = INLAY_OK;
    if (of->rank == 0) {
        const inlay_quotient *q = of->result.quotient;
        const inlay_part_traffic traffic = {q->parts, q->start, q->part, q->ghosts};
        status = inlay_parts_lay_out(of->machine, &traffic, of->result.processor, &of->result.places, diag);
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status == INLAY_OK) {
        MPI_Bcast(of->result.processor, of->result.parts, MPI_INT32_T, 0, MPI_COMM_WORLD);
    }
    return status;
}

int partition_lay_out(partitioned *of, inlay_diag *diag)
{
    if (of->result.processor == NULL) {
        return INLAY_OK;
    }
    int32_t *number = malloc((size_t)of->result.parts * sizeof *number);
    int status = partition_worst(number != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    if (status != INLAY_OK || number == NULL) {
        free(number);
        return status;
    }
    status = place(of, diag);
    status = status == INLAY_OK ? number_parts(of, number) : status;
    for (int32_t i = 0; i < of->rows && status == INLAY_OK; i++) {
        of->part[i] = number[of->part[i]];
    }
    free(number);
    return status;
}
