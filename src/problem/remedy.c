/* Remedies that work. */
#include "problem/remedy.h"
#include "base/diag.h"
#include "machine/variant.h"
#include <inlay/io.h>
#include <stdlib.h>
#include <string.h>

void remedy_machine(const inlay_machine *machine, inlay_diag *diag, const char *attribute, int64_t value)
{
    char *text = machine_text_with(machine, attribute, value);
    if (text != NULL) {
        diag_remedy(diag, "MACHINE", "%s", text);
    }
    free(text);
}

const char *remedy_value(const inlay_diag *with, const char *option)
{
    for (size_t i = 0; i < inlay_diag_remedies(with); i++) {
        if (strcmp(inlay_diag_remedy_option_at(with, i), option) == 0) {
            return inlay_diag_remedy_value_at(with, i);
        }
    }
    return NULL;
}

void remedy_pass_on(const inlay_diag *from, inlay_diag *to)
{
    for (size_t i = 0; to != NULL && i < inlay_diag_remedies(from); i++) {
        (void)diag_remedy_too(to, inlay_diag_remedy_option_at(from, i), inlay_diag_remedy_value_at(from, i));
    }
}

/* The options as the remedies have them. */
static inlay_options options_with(const inlay_options *options, const inlay_diag *with)
{
    inlay_options changed = *options;
    const char *frame = remedy_value(with, "-T"), *processors = remedy_value(with, "--processors");
    if (frame != NULL && inlay_duration_parse(frame, &changed.time_frame) == INLAY_OK) {
        changed.has_time_frame = true;
    }
    if (processors != NULL) {
        changed.processors = (inlay_id)strtol(processors, NULL, 10);
    }
    changed.ignore_cores = changed.ignore_cores || remedy_value(with, "--ignore-cores") != NULL;
    if (remedy_value(with, "--reduce") != NULL) {
        changed.reduce = INLAY_REDUCE_H2;
    }
    return changed;
}

/* The question with all remedies so far; what it is refused for goes to `diag`. */
static int ask_with(const inlay_machine *machine, const inlay_options *options, remedy_ask *ask, const void *context,
                    const inlay_diag *with, inlay_diag *diag)
{
    const char *text = remedy_value(with, "MACHINE");
    const inlay_options changed = options_with(options, with);
    inlay_machine *other = NULL;
    int status = text != NULL ? inlay_machine_read(text, &other, diag) : INLAY_OK;
    if (status == INLAY_OK) {
        status = ask(context, other != NULL ? other : machine, &changed, with, diag);
    }
    inlay_machine_free(other);
    return status;
}

int remedy_prove(int status, const inlay_machine *machine, const inlay_options *options, remedy_ask *ask,
                 const void *context, inlay_diag *diag)
{
    enum { MOST_ROUNDS = 8 };
    bool works = status != INLAY_NO_ANSWER, again = !works && inlay_diag_remedies(diag) > 0;
    for (int round = 0; round < MOST_ROUNDS && again; round++) {
        inlay_diag *own = inlay_diag_new();
        int answer = own != NULL ? ask_with(machine, options, ask, context, diag, own) : INLAY_NO_MEMORY;
        works = answer == INLAY_OK;
        again = answer == INLAY_NO_ANSWER && inlay_diag_remedies(own) > 0 &&
                diag_remedy_too(diag, inlay_diag_remedy_option(own), inlay_diag_remedy_value(own));
        inlay_diag_free(own);
    }
    if (!works) {
        diag_forget_remedies(diag);
    }
    return status;
}
