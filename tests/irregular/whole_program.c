/* Random serial programs. */
#include "whole_program.h"
#include "harness.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int draw(program *p, int bound)
{
    return (int)harness_draw(&p->state, (uint64_t)bound);
}

/* ---- Numbers ---- */

static const size_t sizes[] = {[INLAY_NUMBER_DOUBLE] = sizeof(double),
                               [INLAY_NUMBER_FLOAT] = sizeof(float),
                               [INLAY_NUMBER_LONG_DOUBLE] = sizeof(long double),
                               [INLAY_NUMBER_COMPLEX_DOUBLE] = sizeof(double _Complex),
                               [INLAY_NUMBER_COMPLEX_FLOAT] = sizeof(float _Complex),
                               [INLAY_NUMBER_BOOL] = 1,
                               [INLAY_NUMBER_INT8] = 1,
                               [INLAY_NUMBER_INT16] = 2,
                               [INLAY_NUMBER_INT32] = 4,
                               [INLAY_NUMBER_INT64] = 8,
                               [INLAY_NUMBER_UINT8] = 1,
                               [INLAY_NUMBER_UINT16] = 2,
                               [INLAY_NUMBER_UINT32] = 4,
                               [INLAY_NUMBER_UINT64] = 8};

static bool is_real(inlay_number n)
{
    return n == INLAY_NUMBER_DOUBLE || n == INLAY_NUMBER_LONG_DOUBLE || n == INLAY_NUMBER_COMPLEX_DOUBLE;
}

static bool is_complex(inlay_number n)
{
    return n == INLAY_NUMBER_COMPLEX_DOUBLE || n == INLAY_NUMBER_COMPLEX_FLOAT;
}

/* Reals as they are; integers, floats and truths as integers. Of complex numbers both parts, together. */
static void load(inlay_number n, const char *at, int64_t *whole, double *real)
{
#define LOAD(type, to, value)                                                                                          \
    {                                                                                                                  \
        type v;                                                                                                        \
        memcpy(&v, at, sizeof v);                                                                                      \
        to = (value);                                                                                                  \
        break;                                                                                                         \
    }
    switch (n) {
    case INLAY_NUMBER_DOUBLE: LOAD(double, *real, v)
    case INLAY_NUMBER_LONG_DOUBLE: LOAD(long double, *real, (double)v)
    case INLAY_NUMBER_COMPLEX_DOUBLE: LOAD(double _Complex, *real, creal(v) + cimag(v))
    case INLAY_NUMBER_COMPLEX_FLOAT: LOAD(float _Complex, *whole, (int64_t)crealf(v) + (int64_t)cimagf(v))
    case INLAY_NUMBER_FLOAT: LOAD(float, *whole, (int64_t)v)
    case INLAY_NUMBER_BOOL: LOAD(_Bool, *whole, v)
    case INLAY_NUMBER_INT8: LOAD(int8_t, *whole, v)
    case INLAY_NUMBER_INT16: LOAD(int16_t, *whole, v)
    case INLAY_NUMBER_INT32: LOAD(int32_t, *whole, v)
    case INLAY_NUMBER_INT64: LOAD(int64_t, *whole, v)
    case INLAY_NUMBER_UINT8: LOAD(uint8_t, *whole, v)
    case INLAY_NUMBER_UINT16: LOAD(uint16_t, *whole, v)
    case INLAY_NUMBER_UINT32: LOAD(uint32_t, *whole, v)
    default: LOAD(uint64_t, *whole, (int64_t)(v % 1000003))
    }
}

/* One access of a type: `a` is what is there, `b` what comes. Integers wrap around, as the program's own would not. */
#define STORE(type, add, multiply)                                                                                     \
    {                                                                                                                  \
        type a, b = (type)value;                                                                                       \
        memcpy(&a, at, sizeof a);                                                                                      \
        if (access == INLAY_ACCESS_WRITE)                                                                              \
            a = b;                                                                                                     \
        else if (access == INLAY_ACCESS_ADD)                                                                           \
            a = (type)(add);                                                                                           \
        else                                                                                                           \
            a = (type)(multiply);                                                                                      \
        memcpy(at, &a, sizeof a);                                                                                      \
        return;                                                                                                        \
    }
#define STORE_ORDERED(type, add, multiply)                                                                             \
    if (access == INLAY_ACCESS_MIN || access == INLAY_ACCESS_MAX) {                                                    \
        type a, b = (type)value;                                                                                       \
        memcpy(&a, at, sizeof a);                                                                                      \
        if (access == INLAY_ACCESS_MIN ? b < a : b > a) memcpy(at, &b, sizeof b);                                      \
        return;                                                                                                        \
    }                                                                                                                  \
    STORE(type, add, multiply)
#define STORE_BITS(type)                                                                                               \
    if (access == INLAY_ACCESS_AND || access == INLAY_ACCESS_OR || access == INLAY_ACCESS_XOR) {                       \
        type a, b = (type)value;                                                                                       \
        memcpy(&a, at, sizeof a);                                                                                      \
        a = (type)(access == INLAY_ACCESS_AND ? a & b : access == INLAY_ACCESS_OR ? a | b : a ^ b);                    \
        memcpy(at, &a, sizeof a);                                                                                      \
        return;                                                                                                        \
    }                                                                                                                  \
    STORE_ORDERED(type, (uint64_t)a + (uint64_t)b, (uint64_t)a * (uint64_t)b)

static void store_bool(char *at, inlay_access access, bool b)
{
    bool a;
    memcpy(&a, at, sizeof a);
    switch (access) {
    case INLAY_ACCESS_LOGICAL_AND:
    case INLAY_ACCESS_AND: a = a && b; break;
    case INLAY_ACCESS_WRITE: a = b; break;
    case INLAY_ACCESS_XOR: a = a != b; break;
    default: a = a || b;
    }
    memcpy(at, &a, sizeof a);
}

static void store_real(inlay_number n, char *at, inlay_access access, double value)
{
    if (access == INLAY_ACCESS_MULTIPLY) {
        value = 1 + 1e-3 * fmod(value, 3);
    }
    switch (n) {
    case INLAY_NUMBER_DOUBLE: STORE_ORDERED(double, a + b, a * b)
    case INLAY_NUMBER_LONG_DOUBLE: STORE_ORDERED(long double, a + b, a * b)
    default: STORE(double _Complex, a + b * (1 + 2 * I), a * b)
    }
}

static void store_whole(inlay_number n, char *at, inlay_access access, int64_t value)
{
    switch (n) {
    case INLAY_NUMBER_COMPLEX_FLOAT: STORE(float _Complex, a + (b + 2 * I), b)
    case INLAY_NUMBER_FLOAT: STORE_ORDERED(float, a + b, b)
    case INLAY_NUMBER_INT8: STORE_BITS(int8_t)
    case INLAY_NUMBER_INT16: STORE_BITS(int16_t)
    case INLAY_NUMBER_INT32: STORE_BITS(int32_t)
    case INLAY_NUMBER_INT64: STORE_BITS(int64_t)
    case INLAY_NUMBER_UINT8: STORE_BITS(uint8_t)
    case INLAY_NUMBER_UINT16: STORE_BITS(uint16_t)
    case INLAY_NUMBER_UINT32: STORE_BITS(uint32_t)
    default: STORE_BITS(uint64_t)
    }
}

/* ---- Programs ---- */

static inlay_access any_accumulation(program *p, inlay_number n)
{
    static const inlay_access bits[] = {INLAY_ACCESS_ADD, INLAY_ACCESS_MULTIPLY, INLAY_ACCESS_MIN, INLAY_ACCESS_MAX,
                                        INLAY_ACCESS_AND, INLAY_ACCESS_OR,       INLAY_ACCESS_XOR};
    static const inlay_access truths[] = {INLAY_ACCESS_LOGICAL_AND, INLAY_ACCESS_LOGICAL_OR, INLAY_ACCESS_AND,
                                          INLAY_ACCESS_OR, INLAY_ACCESS_XOR};
    if (n == INLAY_NUMBER_BOOL) {
        return truths[draw(p, 5)];
    }
    if (is_complex(n)) {
        return n == INLAY_NUMBER_COMPLEX_FLOAT ? INLAY_ACCESS_ADD : bits[draw(p, 2)];
    }
    if (n == INLAY_NUMBER_FLOAT) {
        return bits[2 * draw(p, 2) + (draw(p, 2) == 0 ? 0 : 0)]; /* add, min: exact */
    }
    return bits[draw(p, is_real(n) ? 4 : 7)];
}

static void make_block(program *p, int b)
{
    block *k = &p->block[b];
    size_t align = 1;
    k->stride = 0;
    k->fields = 1 + draw(p, FIELDS);
    for (int f = 0; f < k->fields; f++) {
        inlay_number n = (inlay_number)(1 + draw(p, INLAY_NUMBER_UINT64));
        size_t unit = is_complex(n) ? sizes[n] / 2 : sizes[n];
        k->stride = (k->stride + unit - 1) / unit * unit;
        k->field[f] = (field){.number = n, .offset = k->stride, .size = sizes[n]};
        k->stride += sizes[n];
        align = unit > align ? unit : align;
    }
    k->stride = (k->stride + align - 1) / align * align;
    k->size = k->stride * THINGS;
}

/* The same here and there; where it lies differs from rank to rank. */
void program_fill(program *p, int b)
{
    block *k = &p->block[b];
    memset(k->serial, 0, k->size);
    if (b < TABLES) {
        for (int i = 0; i < TRIPS; i++) {
            int32_t v = draw(p, 3) == 0 ? draw(p, 5) : draw(p, THINGS);
            memcpy(k->serial + 4 * i, &v, sizeof v);
        }
    }
    for (int i = 0; b >= TABLES && i < THINGS; i++) {
        for (int f = 0; f < k->fields; f++) {
            char *at = k->serial + (size_t)i * k->stride + k->field[f].offset;
            if (k->field[f].number == INLAY_NUMBER_BOOL) {
                *at = (char)draw(p, 2);
            } else if (is_real(k->field[f].number)) {
                store_real(k->field[f].number, at, INLAY_ACCESS_WRITE, 1 + draw(p, 100) * 0.37);
            } else {
                store_whole(k->field[f].number, at, INLAY_ACCESS_WRITE, draw(p, 120));
            }
        }
    }
    memcpy(k->here, k->serial, k->size);
}

/* In a loop a field is read, or stored to by one op's element alone, or accumulated to; now and then a rule is broken. */
void program_make_loop(program *p, int l)
{
    loop *m = &p->loop[l];
    inlay_loop *handle = m->handle;
    enum { UNKNOWN = -1, OWN = 100 /* touched by one iteration alone, in any ways */ };
    int role[BLOCKS][FIELDS + 1];
    memset(role, 0xff, sizeof role);
    memset(m, 0, sizeof *m);
    m->handle = handle;
    m->trips = draw(p, 6) == 0 ? draw(p, 3) : 1 + draw(p, THINGS);
    m->ops = 1 + draw(p, OPS);
    m->rows = draw(p, 3) == 0;
    for (int o = 0; o < m->ops; o++) {
        op *a = &m->op[o];
        a->block = TABLES + draw(p, BLOCKS - TABLES);
        a->field = draw(p, 8) == 0 ? -1 : draw(p, p->block[a->block].fields);
        a->table = draw(p, 3) == 0 ? -1 : draw(p, TABLES);
        a->shift = draw(p, 2);
        int *r = &role[a->block][a->field + 1];
        if (*r == UNKNOWN || draw(p, 60) == 0) {
            bool whole = a->field < 0;
            *r = draw(p, 3) == 0            ? INLAY_ACCESS_READ
                 : draw(p, 3) == 0 || whole ? INLAY_ACCESS_WRITE
                                            : (int)any_accumulation(p, p->block[a->block].field[a->field].number);
        }
        a->access = (inlay_access)*r;
        if (*r == OWN) {
            a->table = -1;
            a->shift = 0;
            a->access = draw(p, 3) == 0 ? INLAY_ACCESS_READ
                        : draw(p, 3) == 0 || a->field < 0
                            ? INLAY_ACCESS_WRITE
                            : any_accumulation(p, p->block[a->block].field[a->field].number);
        }
        if (a->access == INLAY_ACCESS_WRITE && draw(p, 40) != 0) { /* its own element, which it may read as well */
            a->table = -1;
            a->shift = 0;
            a->access = draw(p, 3) == 0 ? INLAY_ACCESS_READ : a->access;
        }
        if (draw(p, 12) == 0 && l > 0) { /* a table that is computed, or looked at */
            *a = (op){.block = draw(p, TABLES),
                      .table = -1,
                      .access = draw(p, 2) == 0 ? INLAY_ACCESS_WRITE : INLAY_ACCESS_READ};
        }
        m->site[o] = (inlay_site){"random.c:1", "a[i]", a->access, a->table < 0 ? 0 : 1 + 2 * a->table + a->shift};
    }
    m->about = (inlay_loop_about){.where = "random.c:1",
                                  .site = m->site,
                                  .sites = m->ops,
                                  .keys = 2 * TABLES + 1,
                                  .step = l % 3 != 0,
                                  .ordered = l % 2 == 0};
}

void program_make(program *p, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    p->state = seed;
    for (int b = 0; b < BLOCKS; b++) {
        block *k = &p->block[b];
        if (b < TABLES) {
            *k = (block){.stride = 4, .size = (size_t)4 * TRIPS, .fields = 1, .field = {{INLAY_NUMBER_INT32, 0, 4}}};
        } else if (b > TABLES && draw(p, 3) == 0) {
            *k = p->block[b - 1]; /* of one shape: pointers to them may be swapped */
        } else {
            make_block(p, b);
        }
        k->here = malloc(k->size);
        k->serial = malloc(k->size);
        program_fill(p, b);
    }
    for (int l = 0; l < LOOPS; l++) {
        program_make_loop(p, l);
    }
}

void program_clear(program *p)
{
    for (int b = 0; b < BLOCKS; b++) {
        free(p->block[b].here);
        free(p->block[b].serial);
    }
}

/* ---- Bodies ---- */

int program_rows(const loop *l, int o)
{
    return l->rows && o == l->ops - 1 && l->op[o].table >= 0 ? 3 : 1;
}

char *program_place(const program *p, const loop *l, int o, int64_t i, int row, bool here, size_t *size)
{
    const op *a = &l->op[o];
    const block *k = &p->block[a->block];
    int32_t index = (int32_t)i;
    if (a->table >= 0) {
        const block *t = &p->block[a->table];
        memcpy(&index, (here ? t->here : t->serial) + 4 * ((i + 7 * row) % TRIPS), sizeof index);
    }
    index = (index + a->shift) % THINGS;
    *size = a->field < 0 ? k->stride : k->field[a->field].size;
    return (here ? k->here : k->serial) + (size_t)index * k->stride + (a->field < 0 ? 0 : k->field[a->field].offset);
}

void program_body(const program *p, int l, int64_t i, bool here, scalars *s)
{
    const loop *m = &p->loop[l];
    int64_t whole = (i * 7 + l) % SCALE, got = 0;
    double real = 0.1 * (double)(i + 1);
    for (int o = 0; o < m->ops; o++) {
        for (int row = 0; row < program_rows(m, o); row++) {
            const op *a = &m->op[o];
            size_t size;
            char *at = program_place(p, m, o, i, row, here, &size);
            if (a->field < 0) {
                if (a->access == INLAY_ACCESS_WRITE) {
                    memset(at, 0, size);
                }
                continue;
            }
            inlay_number n = p->block[a->block].field[a->field].number;
            if (a->access == INLAY_ACCESS_READ) {
                double value = 0;
                got = 0;
                load(n, at, &got, &value);
                whole = ((whole + got) % SCALE + SCALE) % SCALE;
                real = 0.5 * real + 0.25 * value;
            } else if (a->block < TABLES) {
                store_whole(n, at, INLAY_ACCESS_WRITE, whole % THINGS);
            } else if (n == INLAY_NUMBER_BOOL) {
                store_bool(at, a->access, whole % 2 != 0);
            } else if (is_real(n)) {
                store_real(n, at, a->access, real);
            } else {
                store_whole(n, at, a->access, n == INLAY_NUMBER_FLOAT || is_complex(n) ? whole % 8 : whole);
            }
        }
    }
    s->sum += whole;
    s->most = whole > s->most ? (int32_t)whole : s->most;
    s->last = (int32_t)(whole + i);
    s->total += real;
    if (whole % 10 < s->best) {
        s->best = (int32_t)(whole % 10);
        s->where = (int32_t)i;
    }
}

/* ---- Rules ---- */

/* What is known of a byte. */
typedef struct touched {
    int64_t first;
    bool any, several, source;
    unsigned kinds;
    int signature; /* which byte of which number accumulations are to; -1: of different ones */
} touched;

static void touch(touched *t, int64_t i, unsigned kind, int signature)
{
    t->several |= t->any && t->first != i;
    t->first = t->any ? t->first : i;
    if (kind > INLAY_ACCESS_WRITE) {
        bool accumulated = (t->kinds & ~3U) != 0;
        t->signature = accumulated && t->signature != signature ? -1 : signature;
    }
    t->any = true;
    t->kinds |= 1U << kind;
}

static bool is_good(const touched *t)
{
    if (t->source && (t->kinds & ~1U) != 0) {
        return false;
    }
    bool one = (t->kinds & (t->kinds - 1)) == 0;
    return !t->several || (one && (t->kinds & 1U << INLAY_ACCESS_WRITE) == 0 && (t->kinds <= 1 || t->signature >= 0));
}

bool program_is_legal(const program *p, int l)
{
    const loop *m = &p->loop[l];
    touched *known[BLOCKS];
    bool good = true;
    for (int b = 0; b < BLOCKS; b++) {
        known[b] = calloc(p->block[b].size, sizeof **known);
    }
    for (int64_t i = 0; i < m->trips; i++) {
        for (int o = 0; o < m->ops; o++) {
            for (int row = 0; row < program_rows(m, o); row++) {
                const op *a = &m->op[o];
                size_t size;
                size_t from = (size_t)(program_place(p, m, o, i, row, false, &size) - p->block[a->block].serial);
                for (size_t k = 0; k < size; k++) {
                    touch(&known[a->block][from + k], i, a->access,
                          a->field < 0 ? 0 : 32 * (int)p->block[a->block].field[a->field].number + (int)k);
                }
                for (size_t k = 0; a->table >= 0 && k < 4; k++) {
                    known[a->table][4 * (size_t)((i + 7 * row) % TRIPS) + k].source = true;
                }
            }
        }
    }
    for (int b = 0; b < BLOCKS; b++) {
        for (size_t k = 0; k < p->block[b].size; k++) {
            good = good && is_good(&known[b][k]);
        }
        free(known[b]);
    }
    return good;
}

bool program_same(const program *p, int b)
{
    const block *k = &p->block[b];
    bool same = true;
    for (size_t i = 0; i < k->size / k->stride; i++) {
        for (int f = 0; f < k->fields; f++) {
            size_t at = i * k->stride + k->field[f].offset;
            int64_t whole[2] = {0, 0};
            double real[2] = {0, 0};
            load(k->field[f].number, k->here + at, &whole[0], &real[0]);
            load(k->field[f].number, k->serial + at, &whole[1], &real[1]);
            same = same && whole[0] == whole[1] && fabs(real[0] - real[1]) <= 1e-9 * fabs(real[1]);
        }
    }
    return same;
}
