/* Machines whose network is as fast as an application needs. */
#include "study/relative.h"
#include "base/diag.h"
#include "base/plain.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words ---- */

static bool reads(const char *word, const char *key, double *value)
{
    size_t size = strlen(key);
    char *end = NULL;
    if (strncmp(word, key, size) != 0 || word[size] != '=') {
        return false;
    }
    *value = plain_number(word + size + 1, &end);
    *value = end > word + size + 1 && *end == '\0' && isfinite(*value) && *value > 0 ? *value : NAN;
    return true;
}

/* False: it is a word of the machine's. */
static bool take_word(const char *word, relative *r, bool *wrong)
{
    double value = 0;
    if (reads(word, "messages", &value)) {
        *wrong = *wrong || r->messages > 0 || !(value >= 1 && value <= INT32_MAX && floor(value) >= value);
        r->messages = *wrong ? 0 : (int64_t)value;
        return true;
    }
    bool busy = reads(word, "busy", &value);
    if (!busy && !reads(word, "load", &value)) {
        return false;
    }
    *wrong = *wrong || isnan(value) || r->busy > 0 || r->load > 0 || (!busy && value >= 1);
    *(busy ? &r->busy : &r->load) = value;
    return true;
}

const char *relative_take(char *text, relative *r)
{
    bool wrong = false;
    *r = (relative){0};
    for (char *at = strchr(text, ','); at != NULL;) {
        char *next = strchr(at + 1, ',');
        if (next != NULL) {
            *next = '\0';
        }
        bool taken = take_word(at + 1, r, &wrong);
        if (next != NULL) {
            *next = ',';
        }
        if (taken && next != NULL) {
            memmove(at, next, strlen(next) + 1);
            continue;
        }
        if (taken) {
            *at = '\0';
        }
        at = next;
    }
    return wrong ? "busy=NUMBER above 0, or load=NUMBER between 0 and 1; and messages=NUMBER, a whole one from 1 on"
                 : NULL;
}

/* ---- Networks ---- */

/* What there is to carry, and how it is counted. */
typedef struct cargo {
    double amount, work; /* work in the application's unit */
    int64_t message_size;
    const char *unit, *time;
    bool cycles; /* the network has a cycle, and no capacity */
} cargo;

static double work_of(const inlay_app *app)
{
    double work = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        work += inlay_app_in_units(app, inlay_app_time(app, i)) * inlay_app_cores(app, i);
    }
    return work;
}

static int find_cargo(const relative *r, const inlay_machine *plain, const inlay_app *app, cargo *c, inlay_diag *diag)
{
    inlay_app_totals sum = inlay_app_sum(app);
    inlay_family family = inlay_machine_family(plain);
    *c = (cargo){.work = work_of(app), .time = inlay_unit_name(inlay_app_unit(app))};
    c->cycles = family == INLAY_OMEGA || family == INLAY_OMEGA_PE;
    bool bytes = sum.bytes > 0 && !c->cycles;
    c->amount = (double)(bytes ? sum.bytes : sum.messages);
    c->unit = bytes ? "B" : "msg";
    if (r->messages > 0) {
        int64_t each = (int64_t)((double)r->messages * (double)inlay_app_links(app));
        if (sum.bytes == 0 || each == 0) {
            return diag_fail(diag, INLAY_NO_ANSWER, "links without bytes cannot be cut into messages=%" PRId64,
                             r->messages);
        }
        c->message_size = (sum.bytes - 1) / each + 1;
        int64_t cut = (sum.bytes - 1) / c->message_size + 1;
        c->amount = (double)cut;
        c->unit = "msg";
    }
    return c->amount > 0 && c->work > 0 ? INLAY_OK
                                        : diag_fail(diag, INLAY_NO_ANSWER, "no %s, so that no network is busy with it",
                                                    c->work > 0 ? "traffic" : "work");
}

/* The machine whose network takes `slowness` for a byte, or a message. */
static int put_machine(const cargo *c, const char *text, double slowness, text_buffer *to, inlay_diag *diag)
{
    enum { ROOM = 64 };
    char number[ROOM];
    to->size = 0;
    (void)plain_print(number, ROOM, "%.9g", c->cycles ? slowness : 1 / slowness);
    text_addf(to, "%s,%s=%s%s%s%s", text, c->cycles ? "cycle" : "capacity", number, c->cycles ? "" : c->unit,
              c->cycles ? "" : "/", c->time);
    if (c->message_size > 0) {
        text_addf(to, ",message_size=%" PRId64, c->message_size);
    }
    return to->failed ? diag_no_memory(diag) : INLAY_OK;
}

/* The load of what houstis makes on a machine at the default T: in proportion to the slowness. */
static int find_load(const char *machine_text, const inlay_app *app, const inlay_options *options, double *load,
                     inlay_diag *diag)
{
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    const inlay_options rules = {.method = inlay_method_named("houstis"),
                                 .processors = options->processors,
                                 .blocking = options->blocking,
                                 .start = options->start,
                                 .copies = options->copies,
                                 .ignore_cores = options->ignore_cores,
                                 .tick_seconds = options->tick_seconds,
                                 .max_events = 1, /* nobody asks how long it takes */
                                 .threads = 1};
    int status = inlay_machine_read(machine_text, &machine, diag);
    status = status == INLAY_OK ? inlay_map(app, machine, &rules, &mapping, diag) : status;
    if (status == INLAY_OK) {
        *load = inlay_mapping_summary(mapping)->load;
        status = *load > 0 ? INLAY_OK
                           : diag_fail(diag, INLAY_NO_ANSWER,
                                       "clusters at the default T exchange nothing, so that no network has a load");
    }
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return status;
}

int relative_text(const relative *r, const char *text, const inlay_machine *plain, const inlay_app *app,
                  const inlay_options *options, text_buffer *made, inlay_diag *diag)
{
    const double idle = 1e-4; /* far from a load at which anything is saturated */
    inlay_id all = inlay_machine_processors(plain);
    inlay_id used = options->processors > 0 && options->processors < all ? options->processors : all;
    cargo c;
    int status = find_cargo(r, plain, app, &c, diag);
    if (status == INLAY_OK && r->busy <= 0 && r->load <= 0) {
        text_addf(made, "%s,message_size=%" PRId64, text, c.message_size);
        return made->failed ? diag_no_memory(diag) : INLAY_OK;
    }
    double slowness = c.work * (r->busy > 0 ? r->busy : idle) / (c.amount * used);
    status = status == INLAY_OK ? put_machine(&c, text, slowness, made, diag) : status;
    if (status == INLAY_OK && r->load > 0) {
        double load = 0;
        status = find_load(made->data, app, options, &load, diag);
        status = status == INLAY_OK ? put_machine(&c, text, slowness * r->load / load, made, diag) : status;
    }
    return status;
}
