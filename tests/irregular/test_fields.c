/*
 * Fields of all kinds under all operations, begun and ended, against a serial program that every rank runs over whole arrays;
 * by each transport. What may change while messages are under way is changed.
 */
#include "reading.h"
#include <complex.h>
#include <inlay/irregular_halo.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = DISTRIBUTION_MOST, WIDEST = 5, FIELDS = 4, LARGEST = 16, ROOM = 2 * MOST * WIDEST * LARGEST };

/* ---- Kinds of values: each holds a small whole number ---- */

typedef enum kind { DOUBLE, FLOAT, INT, INT64, COMPLEX, BYTE, LOGICAL, PAIR, MEMBER, KINDS } kind;

/* PAIR is all of it, a type with a hole behind `second`; MEMBER is `second` alone. */
typedef struct pair {
    double first;
    int32_t second;
} pair;

typedef struct types {
    MPI_Datatype of[KINDS];
    MPI_Op mix, mix_pairs; /* neither commutes nor associates */
} types;

static const size_t size_of[KINDS] = {sizeof(double),  sizeof(float),          sizeof(int),
                                      sizeof(int64_t), sizeof(double complex), sizeof(char),
                                      sizeof(int32_t), sizeof(pair),           sizeof(pair)};

static void put(kind of, void *at, int64_t v)
{
    switch (of) {
    case DOUBLE: *(double *)at = (double)v; return;
    case FLOAT: *(float *)at = (float)v; return;
    case INT: *(int *)at = (int)v; return;
    case INT64: *(int64_t *)at = v; return;
    case COMPLEX: *(double complex *)at = (double)v + 2 * (double)v * I; return;
    case BYTE: *(signed char *)at = (signed char)v; return;
    case LOGICAL: *(int32_t *)at = (int32_t)v; return;
    case PAIR: *(pair *)at = (pair){(double)v, (int32_t)v}; return;
    case MEMBER: ((pair *)at)->second = (int32_t)v; return;
    default: return;
    }
}

/* INT64_MIN where the parts of the value do not agree. */
static int64_t get(kind of, const void *at)
{
    switch (of) {
    case DOUBLE: return (int64_t) * (const double *)at;
    case FLOAT: return (int64_t) * (const float *)at;
    case INT: return *(const int *)at;
    case INT64: return *(const int64_t *)at;
    case COMPLEX: {
        double complex z = *(const double complex *)at;
        return cimag(z) == 2 * creal(z) ? (int64_t)creal(z) : INT64_MIN;
    }
    case BYTE: return *(const signed char *)at;
    case LOGICAL: return *(const int32_t *)at;
    case PAIR: {
        const pair *p = at;
        return p->first == (double)p->second ? p->second : INT64_MIN;
    }
    case MEMBER: return ((const pair *)at)->second;
    default: return INT64_MIN;
    }
}

/* A number below 100, whatever it is made of. */
static int64_t mixed(int64_t in, int64_t there)
{
    return (3 * in + 5 * there + 7) % 97;
}

static void mix(void *in, void *there, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((int64_t *)there)[i] = mixed(((int64_t *)in)[i], ((int64_t *)there)[i]);
    }
}

static void mix_pairs(void *in, void *there, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        put(PAIR, (pair *)there + i, mixed(get(PAIR, (pair *)in + i), get(PAIR, (pair *)there + i)));
    }
}

static MPI_Datatype struct_type(int members, const MPI_Aint *at, const MPI_Datatype *of)
{
    const int ones[2] = {1, 1};
    MPI_Datatype bare, made;
    MPI_Type_create_struct(members, ones, at, of, &bare);
    MPI_Type_create_resized(bare, 0, (MPI_Aint)sizeof(pair), &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&bare);
    return made;
}

static types types_make(void)
{
    types t = {.of = {MPI_DOUBLE, MPI_FLOAT, MPI_INT, MPI_INT64_T, MPI_C_DOUBLE_COMPLEX, MPI_SIGNED_CHAR, MPI_INT32_T}};
    const MPI_Aint at[2] = {offsetof(pair, first), offsetof(pair, second)};
    const MPI_Datatype of[2] = {MPI_DOUBLE, MPI_INT32_T};
    t.of[PAIR] = struct_type(2, at, of);
    t.of[MEMBER] = struct_type(1, at + 1, of + 1);
    MPI_Op_create(mix, 0, &t.mix);
    MPI_Op_create(mix_pairs, 0, &t.mix_pairs);
    return t;
}

static void types_clear(types *t)
{
    MPI_Type_free(&t->of[PAIR]);
    MPI_Type_free(&t->of[MEMBER]);
    MPI_Op_free(&t->mix);
    MPI_Op_free(&t->mix_pairs);
}

/* ---- Operations ---- */

typedef enum operation { SUM, MIN, MAX, LAND, LOR, BAND, BOR, REPLACE, MIX, OPERATIONS } operation;

static MPI_Op op_of(const types *t, operation o, kind k)
{
    const MPI_Op known[] = {MPI_SUM, MPI_MIN, MPI_MAX, MPI_LAND, MPI_LOR, MPI_BAND, MPI_BOR, MPI_REPLACE};
    return o != MIX ? known[o] : k == PAIR ? t->mix_pairs : t->mix;
}

/* What MPI and this file define. */
static bool defined(operation o, kind k)
{
    bool whole = k == INT || k == INT64 || k == LOGICAL || k == BYTE;
    switch (o) {
    case REPLACE: return true;
    case MIX: return k == INT64 || k == PAIR;
    case SUM: return whole || k == DOUBLE || k == FLOAT || k == COMPLEX;
    case MIN:
    case MAX: return whole || k == DOUBLE || k == FLOAT;
    default: return whole;
    }
}

static int64_t applied(operation o, int64_t in, int64_t there)
{
    switch (o) {
    case SUM: return in + there;
    case MIN: return in < there ? in : there;
    case MAX: return in > there ? in : there;
    case LAND: return in != 0 && there != 0;
    case LOR: return in != 0 || there != 0;
    case BAND: return in & there;
    case BOR: return in | there;
    case REPLACE: return in;
    default: return mixed(in, there);
    }
}

/* ---- Fields ---- */

typedef struct test_field {
    kind of;
    int width;
    unsigned char *value;
} test_field;

/* What element g has in value c of field f: own, and as a ghost of `rank`. */
static int64_t own_value(int64_t g, int f, int c)
{
    return (g * 7 + f * 5 + c * 3) % 13;
}

static int64_t ghost_value(int rank, int64_t g, int f, int c)
{
    return (g * 3 + rank * 5 + f + c * 2) % 11;
}

static void *value_at(const test_field *t, int32_t local, int c)
{
    return t->value + ((size_t)local * (size_t)t->width + (size_t)c) * size_of[t->of];
}

typedef struct subject {
    harness *h;
    const types *t;
    const distribution *d;
    const reading *r;
    const expected_halo *e;
    inlay_halo *halo;
    operation scattering;
    int fields;
    test_field field[FIELDS];
    inlay_field given[FIELDS];
} subject;

static void subject_fields(subject *s, uint64_t *state, operation o)
{
    s->fields = (int)harness_draw(state, o == REPLACE ? FIELDS + 1 : 3);
    kind same = (kind)harness_draw(state, KINDS);
    while (!defined(o, same)) {
        same = (kind)harness_draw(state, KINDS);
    }
    for (int f = 0; f < s->fields; f++) {
        kind of = (kind)harness_draw(state, KINDS);
        of = !defined(o, of) || o == MIX ? same : of;
        s->field[f].of = of;
        s->field[f].width = 1 + (int)harness_draw(state, WIDEST);
        s->given[f] = (inlay_field){s->field[f].value, s->t->of[of], s->field[f].width};
        memset(s->field[f].value, 2, ROOM);
        memset(s->field[f].value, 1, (size_t)s->d->count * (size_t)s->field[f].width * size_of[of]);
    }
}

/* Fills what is own or what are ghosts; `add` tells values that are to be seen from others. */
static void fill(const subject *s, bool ghosts, int64_t add)
{
    for (int f = 0; f < s->fields; f++) {
        int32_t first = ghosts ? s->d->count : 0, end = s->d->count + (ghosts ? s->e->ghosts : 0);
        for (int32_t i = first; i < end; i++) {
            for (int c = 0; c < s->field[f].width; c++) {
                int64_t v =
                    ghosts ? ghost_value(s->h->rank, s->e->ghost[i - first], f, c) : own_value(s->d->own[i], f, c);
                put(s->field[f].of, value_at(&s->field[f], i, c), v + add);
            }
        }
    }
}

/* The first member of a MEMBER was filled with bytes of 1, and those of ghosts with 2. */
static bool hole_is_whole(const subject *s, const test_field *t, int32_t local, int c)
{
    unsigned char bytes[sizeof(pair)];
    memset(bytes, local < s->d->count ? 1 : 2, sizeof bytes);
    return t->of != MEMBER || memcmp(value_at(t, local, c), bytes, offsetof(pair, second)) == 0;
}

static void check_values(const subject *s, int32_t first, int32_t end,
                         int64_t (*expected)(const subject *, int32_t, int, int))
{
    int wrong = 0, holes = 0;
    for (int f = 0; f < s->fields; f++) {
        for (int32_t i = first; i < end; i++) {
            for (int c = 0; c < s->field[f].width; c++) {
                wrong += get(s->field[f].of, value_at(&s->field[f], i, c)) != expected(s, i, f, c);
                holes += !hole_is_whole(s, &s->field[f], i, c);
            }
        }
    }
    check(s->h, wrong == 0);
    check(s->h, holes == 0);
}

/* ---- Gather ---- */

static int64_t gathered(const subject *s, int32_t i, int f, int c)
{
    return own_value(s->e->ghost[i - s->d->count], f, c);
}

/* Own elements change while they are under way; nobody is to see it. */
static void check_gather(subject *s)
{
    fill(s, false, 0);
    fill(s, true, 1);
    if (check_ok(s->h, inlay_halo_gather_begin(s->halo, s->given, s->fields, s->h->diag))) {
        fill(s, false, 50);
        check_ok(s->h, inlay_halo_gather_end(s->halo, s->h->diag));
        check_values(s, s->d->count, s->d->count + s->e->ghosts, gathered);
    }
}

/* ---- Scatter ---- */

/* The serial program: a loop over all ranks. */
static int64_t scattered(const subject *s, int32_t i, int f, int c)
{
    int64_t g = s->d->own[i], v = own_value(g, f, c) + 1;
    for (int rank = 0; rank < s->h->ranks; rank++) {
        if (rank != s->h->rank && s->r->referenced[rank][g]) {
            v = applied(s->scattering, ghost_value(rank, g, f, c), v);
        }
    }
    return v;
}

static int64_t kept_ghost(const subject *s, int32_t i, int f, int c)
{
    return ghost_value(s->h->rank, s->e->ghost[i - s->d->count], f, c) + 20;
}

/* Own elements change until the end, which is to see it, and ghosts, which is not to be seen. */
static void check_scatter(subject *s, operation o)
{
    MPI_Op op = op_of(s->t, o, s->fields > 0 ? s->field[0].of : INT64);
    s->scattering = o;
    fill(s, false, 0);
    fill(s, true, 0);
    if (check_ok(s->h, inlay_halo_scatter_begin(s->halo, s->given, s->fields, op, s->h->diag))) {
        fill(s, true, 20);
        fill(s, false, 1);
        check_ok(s->h, inlay_halo_scatter_end(s->halo, s->h->diag));
        check_values(s, 0, s->d->count, scattered);
        check_values(s, s->d->count, s->d->count + s->e->ghosts, kept_ghost);
    }
}

static void check_all(subject *s, uint64_t *state)
{
    for (int round = 0; round < 3 * OPERATIONS; round++) {
        operation o = (operation)(round % OPERATIONS);
        inlay_transport transport = (inlay_transport)(harness_draw(state, 3));
        check_ok(s->h, inlay_halo_set_transport(s->halo, transport, s->h->diag));
        subject_fields(s, state, REPLACE);
        check_gather(s);
        subject_fields(s, state, o);
        check_scatter(s, o);
    }
}

static void test_operations(harness *h)
{
    uint64_t state = 31;
    types t = types_make();
    reading *r = malloc(sizeof *r);
    unsigned char *room = malloc((size_t)FIELDS * ROOM);
    for (int round = 0; round < 3 * DISTRIBUTION_KINDS; round++) {
        int64_t n = round < DISTRIBUTION_KINDS ? 1 + round : 1 + (int64_t)harness_draw(&state, MOST / 4);
        harness_case(h, "fields over %d elements in a distribution of kind %d", (int)n, round % DISTRIBUTION_KINDS);
        distribution d;
        int32_t local[2 * MOST];
        expected_halo e;
        reading_draw(h, &state, n, round % 4 == 3 ? n / 8 : 2 * n, r);
        subject s = {.h = h, .t = &t, .d = &d, .r = r, .e = &e};
        for (int f = 0; f < FIELDS; f++) {
            s.field[f].value = room + (size_t)f * ROOM;
        }
        if (distribution_draw(h, &state, n, (distribution_kind)(round % DISTRIBUTION_KINDS), &d)) {
            reading_expect(h, &d, r->referenced[h->rank], &e);
            if (check_ok(h, inlay_halo_make(d.table, r->g, r->count, local, &s.halo, h->diag))) {
                check_all(&s, &state);
                inlay_halo_free(s.halo);
            }
        }
        distribution_clear(&d);
    }
    free(room);
    free(r);
    types_clear(&t);
}

/* ---- Requests of this process, seen through MPI's profiling interface ---- */

static int requests_made;

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    requests_made++;
    return PMPI_Send_init(buffer, count, type, to, tag, comm, request);
}

/* Each element of a ring is read by the ranks of its neighbours. */
typedef struct ring {
    inlay_table *table;
    inlay_halo *halo;
    int32_t all, own;
    double *value;
} ring;

enum { RING = 40 };

static bool ring_make(harness *h, ring *r)
{
    int64_t g[3 * RING], count = 0, own[RING];
    int32_t local[3 * RING];
    *r = (ring){0};
    if (!check_ok(h, inlay_table_block(h->comm, RING, &r->table, h->diag))) {
        return false;
    }
    r->own = inlay_table_local(r->table);
    inlay_table_globals(r->table, own);
    for (int32_t i = 0; i < r->own; i++) {
        g[count++] = (own[i] + RING - 1) % RING;
        g[count++] = (own[i] + 1) % RING;
    }
    if (!check_ok(h, inlay_halo_make(r->table, g, count, local, &r->halo, h->diag))) {
        inlay_table_free(r->table);
        return false;
    }
    r->all = r->own + inlay_halo_figures_of(r->halo).ghosts;
    r->value = calloc((size_t)r->all * 12, sizeof *r->value);
    return true;
}

static void ring_clear(ring *r)
{
    inlay_halo_free(r->halo);
    inlay_table_free(r->table);
    free(r->value);
}

/* Doubles of width w; or one field of another type that takes as much room. */
static void test_kept_requests(harness *h)
{
    harness_case(h, "requests are made once for the same sizes, for the last eight");
    ring r;
    if (!ring_make(h, &r)) {
        return;
    }
    int neighbours = inlay_halo_figures_of(r.halo).neighbours_out;
    requests_made = 0;
    for (int round = 0; round < 2; round++) {
        for (int width = 1; width <= 8; width++) {
            check_ok(h, inlay_halo_gather(r.halo, r.value, width, h->diag));
        }
    }
    inlay_field other = {r.value, MPI_C_DOUBLE_COMPLEX, 3};
    check_ok(h, inlay_halo_gather_begin(r.halo, &other, 1, h->diag));
    check_ok(h, inlay_halo_gather_end(r.halo, h->diag));
    check(h, requests_made == 8 * neighbours);
    check_ok(h, inlay_halo_gather(r.halo, r.value, 9, h->diag)); /* width 1 goes, for the longest time unused */
    check(h, requests_made == 9 * neighbours);
    check_ok(h, inlay_halo_gather(r.halo, r.value, 6, h->diag));
    check(h, requests_made == 9 * neighbours);
    check_ok(h, inlay_halo_gather(r.halo, r.value, 1, h->diag));
    check(h, requests_made == 10 * neighbours);
    ring_clear(&r);
}

static void test_choice(harness *h)
{
    harness_case(h, "the transport is chosen in the fourth exchange, by all ranks alike");
    ring r;
    if (!ring_make(h, &r)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        check(h, inlay_halo_transport_of(r.halo) == INLAY_TRANSPORT_MEASURED);
        check_ok(h, inlay_halo_gather(r.halo, r.value, 1, h->diag));
    }
    check(h, inlay_halo_transport_of(r.halo) == INLAY_TRANSPORT_MEASURED);
    for (int32_t i = 0; i < r.all; i++) {
        r.value[i] = 1 + i;
    }
    check_ok(h, inlay_halo_scatter_add(r.halo, r.value, 1, h->diag));
    int chosen = (int)inlay_halo_transport_of(r.halo), least, most;
    MPI_Allreduce(&chosen, &least, 1, MPI_INT, MPI_MIN, h->comm);
    MPI_Allreduce(&chosen, &most, 1, MPI_INT, MPI_MAX, h->comm);
    check(h, least == most && least != INLAY_TRANSPORT_MEASURED);
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_halo_set_transport(r.halo, (inlay_transport)3, diag), INLAY_BAD_ARGUMENT, "transport 3", diag);
    if (h->ranks > 1) {
        inlay_transport wanted = h->rank == 0 ? INLAY_TRANSPORT_REQUESTS : INLAY_TRANSPORT_NEIGHBOURHOOD;
        check_fails(h, inlay_halo_set_transport(r.halo, wanted, diag), INLAY_BAD_ARGUMENT, "different transports",
                    diag);
    }
    check(h, (int)inlay_halo_transport_of(r.halo) == chosen);
    inlay_diag_free(diag);
    ring_clear(&r);
}

/* ---- Several under way ---- */

static void test_interleaved(harness *h)
{
    ring a, b;
    for (int round = 0; round < 4; round++) {
        harness_case(h, "a gather and a scatter of two halos under way together, %d", round);
        if (!ring_make(h, &a) || !ring_make(h, &b)) {
            return;
        }
        check_ok(h, inlay_halo_set_transport(a.halo, (inlay_transport)(1 + round % 2), h->diag));
        check_ok(h, inlay_halo_set_transport(b.halo, (inlay_transport)(1 + round / 2), h->diag));
        double *added = calloc((size_t)a.all, sizeof *added);
        for (int32_t i = 0; i < a.all; i++) {
            a.value[i] = b.value[i] = i < a.own ? i + 1 : -1;
            added[i] = 1;
        }
        inlay_field gathered_a = {a.value, MPI_DOUBLE, 1}, gathered_b = {b.value, MPI_DOUBLE, 1};
        inlay_field scattered_a = {added, MPI_DOUBLE, 1};
        check_ok(h, inlay_halo_gather_begin(a.halo, &gathered_a, 1, h->diag));
        check_ok(h, inlay_halo_scatter_begin(a.halo, &scattered_a, 1, MPI_SUM, h->diag));
        check_ok(h, inlay_halo_gather_begin(b.halo, &gathered_b, 1, h->diag));
        check_ok(h, inlay_halo_scatter_end(a.halo, h->diag));
        check_ok(h, inlay_halo_gather_end(b.halo, h->diag));
        check_ok(h, inlay_halo_gather_end(a.halo, h->diag));
        double sum = 0, all = 0, ghosts = a.all - a.own;
        for (int32_t i = 0; i < a.all; i++) {
            check(h, a.value[i] == b.value[i] && a.value[i] > 0);
            sum += i < a.own ? added[i] - 1 - (i == 0) * ghosts : 0;
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, h->comm);
        check(h, all == 0); /* as many are added as there are ghosts */
        check_ok(h, inlay_halo_gather_begin(a.halo, &gathered_a, 1, h->diag)); /* freeing ends it */
        free(added);
        ring_clear(&a);
        ring_clear(&b);
    }
}

/* ---- Errors ---- */

static void refuse(harness *h, inlay_halo *halo, const inlay_field *field, int fields, MPI_Op op, int status,
                   const char *text)
{
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_halo_scatter_begin(halo, field, fields, op, diag), status, text, diag);
    if (op == MPI_SUM) {
        check_fails(h, inlay_halo_gather_begin(halo, field, fields, diag), status, text, diag);
    }
    check_fails(h, inlay_halo_gather_end(halo, diag), INLAY_BAD_ARGUMENT, "no gather of this halo is under way", diag);
    check_fails(h, inlay_halo_scatter_end(halo, diag), INLAY_BAD_ARGUMENT, "no scatter of this halo is under way",
                diag);
    inlay_diag_free(diag);
}

static void refuse_fields(harness *h, const ring *r)
{
    MPI_Datatype below, wide, none, far;
    const int ones[2] = {1, 1}, places[2] = {0, 3};
    MPI_Type_create_resized(MPI_DOUBLE, -8, 16, &below);
    MPI_Type_create_resized(MPI_DOUBLE, 0, 4, &wide);
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_indexed(2, ones, places, MPI_INT, &far);
    MPI_Type_commit(&below);
    MPI_Type_commit(&wide);
    MPI_Type_commit(&none);
    MPI_Type_commit(&far);
    bool last = h->rank == h->ranks - 1;
    const inlay_field good = {r->value, MPI_DOUBLE, 1};
    const struct {
        inlay_field field;
        int status;
        const char *text;
    } bad[] = {
        {{r->value, MPI_DOUBLE, last ? 0 : 1}, INLAY_BAD_ARGUMENT, "0 numbers for each element; expected 1 or more"},
        {{r->value, last ? MPI_DATATYPE_NULL : MPI_DOUBLE, 1}, INLAY_BAD_ARGUMENT, "field 1 has no type"},
        {{r->value, last ? below : MPI_DOUBLE, 1}, INLAY_BAD_ARGUMENT, "expected data within the extent"},
        {{r->value, last ? wide : MPI_DOUBLE, 1}, INLAY_BAD_ARGUMENT, "expected data within the extent"},
        {{r->value, last ? none : MPI_DOUBLE, 1}, INLAY_BAD_ARGUMENT, "0 bytes of data"},
        {{r->value, MPI_DOUBLE, last ? INT32_MAX : 1}, INLAY_OVERFLOW, "field 1 has entries of 2^31 bytes or more"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        refuse(h, r->halo, (inlay_field[]){good, bad[i].field}, 2, MPI_SUM, bad[i].status, bad[i].text);
    }
    refuse(h, r->halo, (inlay_field[]){{r->value, far, 1}}, 1, MPI_MAX, INLAY_BAD_ARGUMENT,
           "field 0 is of a derived type");
    MPI_Type_free(&below);
    MPI_Type_free(&wide);
    MPI_Type_free(&none);
    MPI_Type_free(&far);
}

static void test_errors(harness *h)
{
    harness_case(h, "fields that cannot be on one rank, and what is out of turn");
    ring r;
    if (!ring_make(h, &r)) {
        return;
    }
    const inlay_field good = {r.value, MPI_DOUBLE, 1};
    inlay_diag *diag = inlay_diag_new();
    refuse_fields(h, &r);
    refuse(h, r.halo, NULL, 1, MPI_SUM, INLAY_BAD_ARGUMENT, "1 fields; expected a list");
    refuse(h, r.halo, &good, -1, MPI_SUM, INLAY_BAD_ARGUMENT, "-1 fields; expected a list");
    refuse(h, r.halo, &good, 1, MPI_OP_NULL, INLAY_BAD_ARGUMENT, "a scatter without an operation");
    refuse(h, r.halo, &good, 1, MPI_NO_OP, INLAY_BAD_ARGUMENT, "a scatter without an operation");
    if (h->ranks > 1) {
        inlay_field other = {r.value, MPI_DOUBLE, h->rank == 0 ? 2 : 1};
        refuse(h, r.halo, &other, 1, MPI_SUM, INLAY_BAD_ARGUMENT, "ranks exchange different fields");
        inlay_field wide[40];
        for (int f = 0; f < 40; f++) {
            wide[f] = (inlay_field){r.value, MPI_DOUBLE, (1 << 28) - 1};
        }
        refuse(h, r.halo, wide, 40, MPI_SUM, INLAY_OVERFLOW, "2^35 bytes or more to the neighbours of a rank");
        other = (inlay_field){h->rank == 1 ? NULL : r.value, MPI_DOUBLE, 1};
        refuse(h, r.halo, &other, 1, MPI_SUM, INLAY_BAD_ARGUMENT, "field 0 has no values");
    }
    check_ok(h, inlay_halo_gather_begin(r.halo, &good, 1, h->diag));
    check_fails(h, inlay_halo_gather_begin(r.halo, &good, 1, diag), INLAY_BAD_ARGUMENT,
                "is under way; expected its end first", diag);
    check_ok(h, inlay_halo_scatter_begin(r.halo, &good, 1, MPI_REPLACE, h->diag));
    check_fails(h, inlay_halo_scatter_add(r.halo, r.value, 1, diag), INLAY_BAD_ARGUMENT,
                "a scatter of this halo is under way", diag);
    check_ok(h, inlay_halo_gather_end(r.halo, h->diag));
    check_fails(h, inlay_halo_gather_end(r.halo, diag), INLAY_BAD_ARGUMENT, "no gather of this halo is under way",
                diag);
    check_ok(h, inlay_halo_scatter_end(r.halo, h->diag));
    inlay_diag_free(diag);
    ring_clear(&r);
}

void suite_fields(harness *h);

void suite_fields(harness *h)
{
    test_operations(h);
    test_kept_requests(h);
    test_choice(h);
    test_interleaved(h);
    test_errors(h);
}
