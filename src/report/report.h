/* What the files of the report share. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/text.h"
#include <inlay/inlay.h>

/** Blocks of a Gantt picture, names of modules, pictures of mappings: of more there are fewer. */
enum {
    REPORT_BLOCKS = 20000,
    REPORT_OTHER_BLOCKS = 2000,
    REPORT_NAMES = 20000,
    REPORT_ROWS = 1000,
    REPORT_DRAWN = 60,
    REPORT_SWEPT = 2000
};

struct inlay_report {
    inlay_report_request asked;
    const inlay_compare_input *app, *machine; /* the latter ranks first */
    inlay_comparison *compared;
    const inlay_pareto_result *front; /* the comparison has it */
    size_t *shown;                    /* points of the front that the slider has, rising; the last is the answer */
    size_t count;
    inlay_mapping *mapping; /* the answer */
    inlay_simulation *run;  /* its recorded run; NULL where that takes too many events */
    double low, high;       /* its interval */
    inlay_sweep_result
        *frames; /* clusterings over the time frame; NULL of large applications, and where there is none */
    text_buffer question, answer;
};

/** A number with at most so many significant digits, whatever the locale. */
void report_number(text_buffer *to, double value, int digits);

/** "217 ticks" */
void report_time(text_buffer *to, const inlay_report *of, double time);

/** The mapping of a point of the slider, with its recorded run, NULL where that takes too many events. */
int report_point(const inlay_report *of, size_t shown, inlay_mapping **mapping, inlay_simulation **run,
                 inlay_diag *diag);

/** The recorded run as blocks, about `most` of them at most. */
int report_put_gantt(inlay_json *out, const inlay_mapping *mapping, const inlay_simulation *run, int64_t most,
                     inlay_diag *diag);

/** Delay at loads from 0 on, and where the answer stands; NULL where the machine has no such function. */
typedef struct report_delay {
    inlay_delay *delay;
    const inlay_delay *list[1]; /* the same, for the study */
    inlay_delay_study study;
    bool marked;
    inlay_delay_point at;
} report_delay;
bool report_delay_make(const inlay_report *of, report_delay *made);
void report_delay_clear(report_delay *made);

/** Lines of CSV: bounds, resources of the network, parallelism over time. */
void report_bounds_csv(text_buffer *to, const inlay_report *of);
void report_loads_csv(text_buffer *to, const inlay_report *of);
void report_profile_csv(text_buffer *to, const inlay_report *of);

/** The command that gives a part of the page by itself. */
typedef enum report_command {
    REPORT_COMMAND_ALL,
    REPORT_COMMAND_COMPARE,
    REPORT_COMMAND_FRONT,
    REPORT_COMMAND_FRAMES,
    REPORT_COMMAND_MAP,
    REPORT_COMMAND_SIMULATE,
    REPORT_COMMAND_DELAY,
    REPORT_COMMAND_INFO,
    REPORT_COMMANDS
} report_command;
void report_add_command(text_buffer *to, const inlay_report *of, report_command which);

/** The result's JSON into a text. */
int report_data(const inlay_report *of, const inlay_result_context *context, text_buffer *to, inlay_diag *diag);

/** The sections of the page with their pictures and tables, which stand without JavaScript. */
int report_sections(const inlay_report *of, const inlay_result_context *context, text_buffer *to);

/** Any bytes as content of an element or an attribute of HTML. */
void report_escaped(text_buffer *to, const char *bytes);

#endif
