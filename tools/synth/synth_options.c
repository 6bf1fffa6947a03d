/* Options of the synthetic program. */
#include "report.h"
#include "synth.h"
#include <inlay/inlay.h>
#include <math.h>

#define FIELD(name) offsetof(synth_values, name)

static const cli_option program[] = {
    {"app", 0, OPTION_STRING, "FILE", "take the application from FILE, not from where the mapping says", NULL,
     FIELD(app)},
    {"tick", 0, OPTION_SECONDS, "TIME", "length of a tick, for an application in ticks", "the mapping's", FIELD(tick)},
    {"work", 0, OPTION_CHOICE, "auto|counts|time",
     "what a module does: its arithmetic operations and function evaluations where it has any, else its time; these "
     "alone; or its time alone",
     NULL, FIELD(work)},
    {"memory", 0, OPTION_CHOICE, "yes|no", "whether modules go through their memory", NULL, FIELD(memory)},
    {"message-size", 0, OPTION_STRING, "SIZE", "size of a message whose link tells none, such as 8 or 4KiB",
     "the machine's message_size, or else 8", FIELD(message_size)},
    {"ranks", 0, OPTION_CHOICE, "used|all",
     "a rank for each processor that the mapping uses, or for each that the machine has", NULL, FIELD(ranks)},
};
const cli_group synth_program = {"Program", program, sizeof program / sizeof *program};

static bool read_size(const char *text, int64_t *size)
{
    int64_t bytes = 0;
    if (text != NULL && (inlay_bytes_parse(text, &bytes) != INLAY_OK || bytes <= 0)) {
        return false;
    }
    *size = bytes;
    return true;
}

int synth_check_usage(const invocation *call)
{
    const synth_values *values = call->values;
    int64_t size;
    if (!read_size(values->message_size, &size)) {
        return report_usage(call->command, "--message-size %s: expected a size above 0, such as 8 or 4KiB",
                            values->message_size);
    }
    return EXIT_DONE;
}

/* The mapping may have been made with a length of a tick: its network figures are right for no other. */
static int check_tick(const invocation *call, const inlay_mapping *mapping)
{
    const synth_values *values = call->values;
    double own = inlay_mapping_summary(mapping)->options.tick_seconds;
    const double rounding = 1e-12; /* 1ms and 1000us */
    if (values->tick > 0 && own > 0 && fabs(values->tick - own) > rounding * own) {
        return report_usage(call->command,
                            "--tick: %.10g s is not the %.10g s that the mapping was made with; expected these, or no "
                            "--tick",
                            values->tick, own);
    }
    return EXIT_DONE;
}

int synth_options(const invocation *call, const inlay_mapping *mapping, inlay_synth_options *options)
{
    static const inlay_synth_work work[] = {INLAY_SYNTH_AUTO, INLAY_SYNTH_COUNTS, INLAY_SYNTH_TIMES};
    const synth_values *values = call->values;
    *options = (inlay_synth_options){
        .tick_seconds = values->tick,
        .work = work[values->work],
        .no_memory = values->memory == 1,
        .all_processors = values->ranks == 1,
    };
    (void)read_size(values->message_size, &options->message_size);
    return check_tick(call, mapping);
}
