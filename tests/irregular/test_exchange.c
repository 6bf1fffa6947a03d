/* Schedules, CSR structures and halos against the arrays that every rank has whole. */
#include "reading.h"
#include <inlay/irregular_exchange.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = DISTRIBUTION_MOST, WIDEST = 10 };

/* ---- To new owners ---- */

/* What byte b of element g is. */
static unsigned char byte_of(int64_t g, size_t b)
{
    return (unsigned char)((g * 37 + (int64_t)b * 101 + (g >> 8)) & 255);
}

static void move_bytes(harness *h, const inlay_schedule *schedule, const distribution *from, const distribution *to,
                       size_t bytes)
{
    unsigned char *old = malloc((size_t)from->count * bytes + 1), *moved = malloc((size_t)to->count * bytes + 1);
    for (int32_t i = 0; i < from->count; i++) {
        for (size_t b = 0; b < bytes; b++) {
            old[(size_t)i * bytes + b] = byte_of(from->own[i], b);
        }
    }
    check_ok(h, inlay_schedule_move(schedule, old, moved, bytes, h->diag));
    for (int32_t i = 0; i < to->count; i++) {
        for (size_t b = 0; b < bytes; b++) {
            check(h, moved[(size_t)i * bytes + b] == byte_of(to->own[i], b));
        }
    }
    free(old);
    free(moved);
}

static void test_remap(harness *h)
{
    static const size_t sizes[] = {1, 4, 8, 13, 16, 24, 32, 40, 48};
    uint64_t state = 11;
    for (int kinds = 0; kinds < DISTRIBUTION_KINDS * DISTRIBUTION_KINDS; kinds++) {
        int64_t n = kinds == 0 ? 0 : 1 + (int64_t)harness_draw(&state, MOST);
        harness_case(h, "%d elements from a distribution of kind %d to one of kind %d", (int)n,
                     kinds / DISTRIBUTION_KINDS, kinds % DISTRIBUTION_KINDS);
        distribution from, to;
        bool made = distribution_draw(h, &state, n, (distribution_kind)(kinds / DISTRIBUTION_KINDS), &from);
        made = distribution_draw(h, &state, n, (distribution_kind)(kinds % DISTRIBUTION_KINDS), &to) && made;
        inlay_schedule *schedule = NULL;
        if (made && check_ok(h, inlay_remap(from.table, to.table, &schedule, h->diag))) {
            check(h, inlay_schedule_sends(schedule) == from.count && inlay_schedule_receives(schedule) == to.count);
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                move_bytes(h, schedule, &from, &to, sizes[s]);
            }
        }
        inlay_schedule_free(schedule);
        distribution_clear(&from);
        distribution_clear(&to);
    }
}

static void test_remap_errors(harness *h)
{
    harness_case(h, "distributions of other elements cannot be remapped");
    inlay_table *ten = NULL, *eleven = NULL;
    check_ok(h, inlay_table_block(h->comm, 10, &ten, h->diag));
    check_ok(h, inlay_table_block(h->comm, 11, &eleven, h->diag));
    inlay_diag *diag = inlay_diag_new();
    inlay_schedule *schedule = NULL;
    check_fails(h, inlay_remap(ten, eleven, &schedule, diag), INLAY_BAD_ARGUMENT,
                "one distribution has 10 elements, the other 11; expected the same elements", diag);
    check(h, schedule == NULL);
    inlay_diag_free(diag);
    inlay_table_free(ten);
    inlay_table_free(eleven);
}

static void test_no_memory(harness *h)
{
    harness_case(h, "an array for which some ranks have no memory moves on none");
    uint64_t state = 17;
    distribution from, to;
    inlay_schedule *schedule = NULL;
    bool made = distribution_draw(h, &state, MOST, DISTRIBUTION_HALF, &from);
    made = distribution_draw(h, &state, MOST, DISTRIBUTION_RANDOM, &to) && made;
    if (made && check_ok(h, inlay_remap(from.table, to.table, &schedule, h->diag))) {
        char old = 1, moved = 2;
        inlay_diag *diag = inlay_diag_new();
        check_fails(h, inlay_schedule_move(schedule, &old, &moved, SIZE_MAX / 4, diag), INLAY_NO_MEMORY,
                    "out of memory", diag);
        check(h, old == 1 && moved == 2);
        inlay_diag_free(diag);
    }
    inlay_schedule_free(schedule);
    distribution_clear(&from);
    distribution_clear(&to);
}

/* ---- Items by number ---- */

/* Items 0 .. n - 1 have these numbers, all different, in no order. */
static int64_t number_of(int64_t item)
{
    return (item * 7919 % 1009) * ((int64_t)1 << 40) + item % 3;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void test_items(harness *h)
{
    uint64_t state = 12;
    for (int round = 0; round < 12; round++) {
        int64_t n = round == 0 ? 0 : (int64_t)harness_draw(&state, MOST);
        bool in_a_row = round % 4 == 1;
        harness_case(h, "%d items go to ranks and lie there by number%s", (int)n,
                     in_a_row ? ", which is their order" : "");
        int64_t number[MOST], expected[MOST], moved[MOST];
        int32_t owner[MOST], count = 0, coming = 0, received = -1;
        for (int64_t i = 0; i < n; i++) {
            int64_t drawn = in_a_row ? i : number_of(i);
            int holder = in_a_row ? inlay_block_owner(n, h->ranks, i) : (int)harness_draw(&state, (uint64_t)h->ranks);
            int32_t goes = (int32_t)harness_draw(&state, (uint64_t)h->ranks);
            if (holder == h->rank) {
                number[count] = drawn;
                owner[count++] = goes;
            }
            if (goes == h->rank) {
                expected[coming++] = drawn;
            }
        }
        qsort(expected, (size_t)coming, sizeof *expected, compare_numbers);
        inlay_schedule *schedule = NULL;
        if (check_ok(h, inlay_remap_items(h->comm, number, owner, count, &schedule, &received, h->diag))) {
            check(h, received == coming && inlay_schedule_receives(schedule) == coming);
            check_ok(h, inlay_schedule_move(schedule, number, moved, sizeof *moved, h->diag));
            check(h, memcmp(moved, expected, (size_t)coming * sizeof *moved) == 0);
        }
        inlay_schedule_free(schedule);
    }
}

static void test_item_errors(harness *h)
{
    harness_case(h, "items of the same number, and of no rank");
    int64_t number[2] = {2 * (int64_t)h->rank, 2 * (int64_t)h->rank + 1};
    int32_t owner[2] = {0, 0}, received = -7;
    inlay_schedule *schedule = NULL;
    if (h->rank == h->ranks - 1) {
        number[0] = number[1] = 5 + 2 * (int64_t)h->ranks;
    }
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_remap_items(h->comm, number, owner, 2, &schedule, &received, diag), INLAY_BAD_ARGUMENT,
                "is there twice; expected different numbers", diag);
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    owner[1] = h->rank == h->ranks / 2 ? h->ranks : 0;
    check_fails(h, inlay_remap_items(h->comm, number, owner, 2, &schedule, &received, diag), INLAY_BAD_ARGUMENT,
                "item 1 goes to rank", diag);
    check(h, schedule == NULL && received == -7);
    inlay_diag_free(diag);
}

/* ---- CSR structures ---- */

enum { LONGEST_ROW = 6 };

/* A matrix that all ranks know. Its entries are told by row and place there. */
typedef struct matrix {
    int32_t length[MOST];
    int64_t column[MOST][LONGEST_ROW];
} matrix;

static void draw_matrix(uint64_t *state, int64_t n, matrix *m)
{
    for (int64_t i = 0; i < n; i++) {
        m->length[i] = (int32_t)harness_draw(state, LONGEST_ROW + 1);
        for (int32_t k = 0; k < m->length[i]; k++) {
            m->column[i][k] = (int64_t)harness_draw(state, (uint64_t)n);
        }
    }
}

static double entry_of(int64_t row, int32_t k)
{
    return (double)(row * 10 + k);
}

/* The rows of this rank: start, columns and values. */
static int64_t write_rows(const matrix *m, const distribution *d, int64_t *start, int64_t *column, double *value)
{
    int64_t at = start[0] = 0;
    for (int32_t i = 0; i < d->count; i++) {
        for (int32_t k = 0; k < m->length[d->own[i]]; k++) {
            column[at] = m->column[d->own[i]][k];
            value[at++] = entry_of(d->own[i], k);
        }
        start[i + 1] = at;
    }
    return at;
}

static void check_csr(harness *h, const matrix *m, const distribution *from, const distribution *to)
{
    int64_t start[MOST + 1], expected_start[MOST + 1];
    int64_t column[MOST * LONGEST_ROW], expected_column[MOST * LONGEST_ROW];
    double value[MOST * LONGEST_ROW], expected[MOST * LONGEST_ROW], moved[MOST * LONGEST_ROW];
    write_rows(m, from, start, column, value);
    int64_t entries = write_rows(m, to, expected_start, expected_column, expected);
    inlay_csr *csr = NULL;
    if (!check_ok(h, inlay_csr_remap(from->table, to->table, start, column, &csr, h->diag))) {
        return;
    }
    if (check(h, csr->rows == to->count)) {
        check(h, memcmp(csr->start, expected_start, (size_t)(csr->rows + 1) * sizeof *start) == 0);
        check(h, inlay_schedule_receives(csr->entries) == entries);
        check(h, memcmp(csr->column, expected_column, (size_t)entries * sizeof *column) == 0);
        check_ok(h, inlay_schedule_move(csr->entries, value, moved, sizeof *value, h->diag));
        check(h, memcmp(moved, expected, (size_t)entries * sizeof *value) == 0);
        move_bytes(h, csr->conformal, from, to, 8);
    }
    inlay_csr_free(csr);
}

static void test_csr(harness *h)
{
    uint64_t state = 13;
    matrix *m = malloc(sizeof *m);
    for (int kinds = 0; kinds < DISTRIBUTION_KINDS * DISTRIBUTION_KINDS; kinds++) {
        int64_t n = 1 + (int64_t)harness_draw(&state, MOST);
        harness_case(h, "a matrix of %d rows from a distribution of kind %d to one of kind %d", (int)n,
                     kinds / DISTRIBUTION_KINDS, kinds % DISTRIBUTION_KINDS);
        distribution from, to;
        draw_matrix(&state, n, m);
        bool made = distribution_draw(h, &state, n, (distribution_kind)(kinds / DISTRIBUTION_KINDS), &from);
        made = distribution_draw(h, &state, n, (distribution_kind)(kinds % DISTRIBUTION_KINDS), &to) && made;
        if (made) {
            check_csr(h, m, &from, &to);
        }
        distribution_clear(&from);
        distribution_clear(&to);
    }
    free(m);
}

static void test_csr_errors(harness *h)
{
    harness_case(h, "rows that start behind their end");
    uint64_t state = 14;
    distribution d;
    int64_t start[MOST + 1], column[1] = {0};
    if (distribution_draw(h, &state, 40, DISTRIBUTION_BLOCK, &d)) {
        for (int32_t i = 0; i <= d.count; i++) {
            start[i] = 0;
        }
        start[1] = h->rank == h->ranks - 1 ? 1 : 0;
        inlay_csr *csr = NULL;
        inlay_diag *diag = inlay_diag_new();
        check_fails(h, inlay_csr_remap(d.table, d.table, start, column, &csr, diag), INLAY_BAD_ARGUMENT,
                    "row 1 starts at entry 1 and ends at 0", diag);
        inlay_diag_free(diag);
        diag = inlay_diag_new();
        start[0] = 1;
        check_fails(h, inlay_csr_remap(d.table, d.table, start, column, &csr, diag), INLAY_BAD_ARGUMENT,
                    "row 0 starts at entry 1; expected 0", diag);
        check(h, csr == NULL);
        inlay_diag_free(diag);
    }
    distribution_clear(&d);
}

/* ---- Messages of this process, seen through MPI's profiling interface ---- */

static struct {
    int collectives, starts, messages, empty;
    int64_t bytes;
} sent;

int MPI_Ineighbor_alltoallv(const void *send, const int counts[], const int starts[], MPI_Datatype type, void *receive,
                            const int receive_counts[], const int receive_starts[], MPI_Datatype receive_type,
                            MPI_Comm comm, MPI_Request *request)
{
    int in = 0, out = 0, weighted = 0, bytes = 0;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    MPI_Type_size(type, &bytes);
    sent.collectives++;
    sent.messages += out;
    for (int i = 0; i < out; i++) {
        sent.bytes += (int64_t)counts[i] * bytes;
        sent.empty += counts[i] == 0;
    }
    return PMPI_Ineighbor_alltoallv(send, counts, starts, type, receive, receive_counts, receive_starts, receive_type,
                                    comm, request);
}

int MPI_Startall(int count, MPI_Request requests[])
{
    sent.starts++;
    sent.messages += count;
    return PMPI_Startall(count, requests);
}

/* One exchange of so many messages each way. Those of a collective have their lengths, which are rounded up. */
static void check_messages(harness *h, const inlay_halo *halo, int to, int from, int64_t numbers)
{
    if (inlay_halo_transport_of(halo) == INLAY_TRANSPORT_NEIGHBOURHOOD) {
        int64_t bytes = numbers * (int64_t)sizeof(double);
        check(h, sent.collectives == 1 && sent.starts == 0 && sent.messages == to && sent.empty == 0);
        check(h, sent.bytes >= bytes && sent.bytes < bytes + 16 * (int64_t)to + 1);
    } else {
        check(h, sent.collectives == 0 && sent.starts == 1 && sent.messages == to + from);
    }
}

/* ---- Halos ---- */

static void check_figures(harness *h, const distribution *d, const reading *r, const expected_halo *e,
                          inlay_halo_figures f)
{
    int32_t sends = 0, takers = 0;
    for (int rank = 0; rank < h->ranks; rank++) {
        int32_t before = sends;
        for (int32_t i = 0; i < d->count && rank != h->rank; i++) {
            sends += r->referenced[rank][d->own[i]];
        }
        takers += sends > before;
    }
    check(h, f.own == d->count && f.ghosts == e->ghosts && f.neighbours_in == e->owners);
    check(h, f.sends == sends && f.neighbours_out == takers);
}

static void check_local(harness *h, const distribution *d, const reading *r, const expected_halo *e,
                        const int32_t *local)
{
    for (int64_t i = 0; i < r->count; i++) {
        int64_t g = r->g[i];
        if (d->owner[g] == h->rank) {
            check(h, local[i] == d->offset[g]);
        } else {
            int32_t k = local[i] - d->count;
            check(h, k >= 0 && k < e->ghosts && e->ghost[k] == g);
        }
    }
}

static double value_of(int64_t g, int c)
{
    return (double)(g * 16 + c + 1);
}

static void check_gather(harness *h, const distribution *d, const expected_halo *e, inlay_halo *halo, int width)
{
    static double value[MOST * WIDEST];
    inlay_halo_figures f = inlay_halo_figures_of(halo);
    for (int32_t i = 0; i < (d->count + e->ghosts) * width; i++) {
        value[i] = i < d->count * width ? value_of(d->own[i / width], i % width) : -1;
    }
    memset(&sent, 0, sizeof sent);
    check_ok(h, inlay_halo_gather(halo, value, width, h->diag));
    check_messages(h, halo, f.neighbours_out, f.neighbours_in, (int64_t)f.sends * width);
    for (int32_t i = 0; i < (d->count + e->ghosts) * width; i++) {
        int32_t at = i / width;
        int64_t g = at < d->count ? d->own[at] : e->ghost[at - d->count];
        check(h, value[i] == value_of(g, i % width));
    }
}

/* What rank adds to an element that it refers to. Powers of two, so that sums tell their terms. */
static double share_of(int rank, int64_t g, int c)
{
    return (double)((int64_t)1 << (4 * rank)) * (double)(1 + (g + c) % 7);
}

static void check_scatter_add(harness *h, const distribution *d, const reading *r, const expected_halo *e,
                              inlay_halo *halo, int width)
{
    static double value[MOST * WIDEST];
    inlay_halo_figures f = inlay_halo_figures_of(halo);
    for (int32_t i = 0; i < (d->count + e->ghosts) * width; i++) {
        int32_t at = i / width;
        value[i] = at < d->count ? 0.5 : share_of(h->rank, e->ghost[at - d->count], i % width);
    }
    memset(&sent, 0, sizeof sent);
    check_ok(h, inlay_halo_scatter_add(halo, value, width, h->diag));
    check_messages(h, halo, f.neighbours_in, f.neighbours_out, (int64_t)f.ghosts * width);
    for (int32_t i = 0; i < d->count * width; i++) {
        double sum = 0.5;
        for (int rank = 0; rank < h->ranks; rank++) {
            int64_t g = d->own[i / width];
            sum += rank != h->rank && r->referenced[rank][g] ? share_of(rank, g, i % width) : 0;
        }
        check(h, value[i] == sum);
    }
    for (int32_t i = d->count * width; i < (d->count + e->ghosts) * width; i++) {
        check(h, value[i] == 0);
    }
}

static void check_halo(harness *h, const distribution *d, const reading *r)
{
    static const int widths[] = {2, 1, 5, 8, 3, 4, 10, 7, 6, 9, 1};
    expected_halo e;
    int32_t local[2 * MOST];
    inlay_halo *halo = NULL;
    reading_expect(h, d, r->referenced[h->rank], &e);
    if (!check_ok(h, inlay_halo_make(d->table, r->g, r->count, local, &halo, h->diag))) {
        return;
    }
    check_figures(h, d, r, &e, inlay_halo_figures_of(halo));
    check_local(h, d, r, &e, local);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        inlay_transport transport = w % 2 == 0 ? INLAY_TRANSPORT_REQUESTS : INLAY_TRANSPORT_NEIGHBOURHOOD;
        check_ok(h, inlay_halo_set_transport(halo, transport, h->diag));
        check_gather(h, d, &e, halo, widths[w]);
        check_scatter_add(h, d, r, &e, halo, widths[w]);
    }
    inlay_halo_free(halo);
}

static void test_halos(harness *h)
{
    uint64_t state = 15;
    reading *r = malloc(sizeof *r);
    for (int round = 0; round < 4 * DISTRIBUTION_KINDS; round++) {
        int64_t n = round < DISTRIBUTION_KINDS ? 1 + round : 1 + (int64_t)harness_draw(&state, MOST);
        int64_t most = round % 4 == 3 ? n / 8 : 2 * n;
        harness_case(h, "%d elements in a distribution of kind %d, up to %d references a rank", (int)n,
                     round % DISTRIBUTION_KINDS, (int)most);
        distribution d;
        reading_draw(h, &state, n, most, r);
        if (distribution_draw(h, &state, n, (distribution_kind)(round % DISTRIBUTION_KINDS), &d)) {
            check_halo(h, &d, r);
        }
        distribution_clear(&d);
    }
    free(r);
}

static void test_halo_errors(harness *h)
{
    harness_case(h, "a reference out of range on one rank, and widths that cannot be");
    uint64_t state = 16;
    distribution d;
    int64_t g[2] = {0, h->rank == h->ranks - 1 ? 50 : 49};
    int32_t local[2] = {-7, -7};
    inlay_halo *halo = NULL;
    if (distribution_draw(h, &state, 50, DISTRIBUTION_RANDOM, &d)) {
        inlay_diag *diag = inlay_diag_new();
        check_fails(h, inlay_halo_make(d.table, g, 2, local, &halo, diag), INLAY_BAD_ARGUMENT,
                    "element 50 is referred to; expected 0 to 49", diag);
        check(h, halo == NULL && local[0] == -7 && local[1] == -7);
        inlay_diag_free(diag);
        diag = inlay_diag_new();
        g[1] = 49;
        double value[MOST];
        if (check_ok(h, inlay_halo_make(d.table, g, 2, local, &halo, h->diag))) {
            check_fails(h, inlay_halo_gather(halo, value, 0, diag), INLAY_BAD_ARGUMENT,
                        "0 numbers for each element; expected 1 or more", diag);
        }
        inlay_halo_free(halo);
        inlay_diag_free(diag);
    }
    distribution_clear(&d);
}

void suite_exchange(harness *h);

void suite_exchange(harness *h)
{
    test_remap(h);
    test_remap_errors(h);
    test_no_memory(h);
    test_items(h);
    test_item_errors(h);
    test_csr(h);
    test_csr_errors(h);
    test_halos(h);
    test_halo_errors(h);
}
