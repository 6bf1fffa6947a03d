/*
 * Producers and consumers with finite buffers between them.
 *
 *     inlay profile graphs/producers.c -D producers=3 -D consumers=2 -D items=24 -D capacity=2
 *
 * Each producer makes items and puts them into a channel of its own; the dealer takes one from each producer in turn, and
 * deals them out to the consumers in turn. A channel has room for `capacity` items: who puts into a full one waits, and
 * waiting for room is blocking time as waiting for input is. Some items take longer to make than others, so small
 * buffers cost time; capacity=0 is room for any number.
 *
 * A module gets from a channel that it names, and cannot ask which one has something first. So the same items come in
 * the same order whatever takes how long, and the result does not depend on times.
 */
#include <inlay/dataflow.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 1000, MOST_ITEMS = 1000000 };

typedef struct problem {
    int producers, consumers, items; /* items: of each producer */
    int64_t *count, *sum;            /* by consumer: items, and the sum of what they are */
    int make, deal, use;             /* operations of this program's own */
} problem;

typedef struct role {
    const problem *of;
    int number; /* of producer or consumer, from 0 */
} role;

/* Item i of producer p has a number that no other has. Every other four items of a producer take long to make. */
static void produce(inlay_actor *self, void *state)
{
    const role *me = state;
    for (int i = 0; i < me->of->items; i++) {
        int64_t item = (int64_t)i * me->of->producers + me->number;
        inlay_count(self, me->of->make, i / 4 % 2 == 0 ? 2 : 14);
        inlay_put(inlay_output(self, 0), &item);
    }
}

static void deal(inlay_actor *self, void *state)
{
    const problem *of = ((const role *)state)->of;
    int to = 0;
    for (int i = 0; i < of->items; i++) {
        for (int from = 0; from < of->producers; from++) {
            int64_t item;
            inlay_get(inlay_input(self, from), &item);
            inlay_count(self, of->deal, 1);
            inlay_put(inlay_output(self, to), &item);
            to = (to + 1) % of->consumers;
        }
    }
}

/* How many items consumer c gets: every consumers-th one from number c on. */
static int64_t share(const problem *of, int c)
{
    return ((int64_t)of->items * of->producers - c + of->consumers - 1) / of->consumers;
}

static void consume(inlay_actor *self, void *state)
{
    const role *me = state;
    int64_t count = 0, sum = 0, item;
    for (; count < share(me->of, me->number); count++) {
        inlay_get(inlay_input(self, 0), &item);
        inlay_count(self, me->of->use, 4);
        sum += item;
    }
    me->of->count[me->number] = count; /* set, not added to: the program may run more than once */
    me->of->sum[me->number] = sum;
}

/* The items are 0, 1, 2, ..., each once. */
static const char *check(void *context, char *text, size_t size)
{
    const problem *of = context;
    int64_t items = (int64_t)of->items * of->producers, count = 0, sum = 0;
    for (int c = 0; c < of->consumers; c++) {
        count += of->count[c];
        sum += of->sum[c];
    }
    (void)snprintf(text, size, "%lld items made and used", (long long)count);
    return count == items && sum == items * (items - 1) / 2 ? NULL : "items are lost, or used twice";
}

static void add(inlay_program *program, const problem *of, inlay_body *body, const char *word, int number,
                inlay_diag *diag)
{
    const role me = {of, number};
    char name[32];
    (void)snprintf(name, sizeof name, "%s%d", word, number + 1);
    (void)inlay_program_module(program, name, body, &me, sizeof me, diag);
}

/* Modules: the producers, the dealer, the consumers. */
static void build(inlay_program *program, const problem *of, int64_t capacity, inlay_diag *diag)
{
    const inlay_id dealer = of->producers;
    for (int p = 0; p < of->producers; p++) {
        add(program, of, produce, "producer", p, diag);
    }
    add(program, of, deal, "dealer", 0, diag);
    for (int c = 0; c < of->consumers; c++) {
        add(program, of, consume, "consumer", c, diag);
    }
    for (int p = 0; p < of->producers; p++) {
        (void)inlay_program_wire(program, p, 0, dealer, p, sizeof(int64_t), capacity, diag);
    }
    for (int c = 0; c < of->consumers; c++) {
        (void)inlay_program_wire(program, dealer, c, dealer + 1 + c, 0, sizeof(int64_t), capacity, diag);
    }
}

/* A parameter that is a whole number; -1 where it is not, which has been said. */
static int whole(inlay_program *program, const char *name, int usual, int least, int most, inlay_diag *diag)
{
    double value = inlay_parameter(program, name, usual);
    if (!(value >= least && value <= most) || value != floor(value)) {
        (void)inlay_program_refuse(diag, "%s is %g; expected a whole number from %d to %d", name, value, least, most);
        return -1;
    }
    return (int)value;
}

int inlay_program_main(inlay_program *program, inlay_diag *diag)
{
    int producers = whole(program, "producers", 3, 1, MOST, diag);
    int consumers = whole(program, "consumers", 2, 1, MOST, diag);
    int items = whole(program, "items", 24, 0, MOST_ITEMS, diag);
    int capacity = whole(program, "capacity", 2, 0, MOST_ITEMS, diag);
    if (producers < 0 || consumers < 0 || items < 0 || capacity < 0) {
        return INLAY_BAD_ARGUMENT;
    }
    problem *of = inlay_program_memory(program, sizeof *of);
    int64_t *room = inlay_program_memory(program, 2 * (size_t)consumers * sizeof *room);
    if (of == NULL || room == NULL) {
        return INLAY_NO_MEMORY;
    }
    *of = (problem){producers, consumers, items, room, room + consumers, 0, 0, 0};
    of->make = inlay_program_operation(program, "make");
    of->deal = inlay_program_operation(program, "deal");
    of->use = inlay_program_operation(program, "use");
    build(program, of, capacity, diag);
    inlay_program_check(program, check, of);
    return INLAY_OK;
}
