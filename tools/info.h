/* What `inlay info` tells of machines. */
#ifndef TOOLS_INFO_H
#define TOOLS_INFO_H

#include "options.h"
#include <inlay/inlay.h>

/** Processors of one type, speed and memory. */
typedef struct processor_kind {
    inlay_processor is;
    inlay_id processors, hosts;
} processor_kind;

/** Links of one capacity, latency and kind; the ends of `is` are those of one of them. */
typedef struct link_kind {
    inlay_machine_link is;
    inlay_id links;
} link_kind;

/** Facts about one machine. */
typedef struct machine_facts {
    const inlay_machine *machine;
    processor_kind *processor_kinds; /**< in the order of their first processors */
    size_t processor_kind_count;
    link_kind *link_kinds; /**< from the fastest on */
    size_t link_kind_count;
    int diameter;         /**< most links between two hosts; of what was measured */
    double mean_distance; /**< links between two different hosts; NaN where there is one */
    inlay_id sources;     /**< hosts from which distances were measured: all of them, or a sample */
    int64_t bisection;    /**< least links between two halves of the hosts, both ways counted; -1 not known */
} machine_facts;

/** An operand: an application with what is known about it, or a machine. */
typedef struct described {
    inlay_app *app;
    inlay_app_info info;
    inlay_machine *machine;
} described;

/** What is given out. */
typedef struct info_answer {
    described *all;
    machine_facts *facts; /**< of each operand, where they are machines; else NULL */
} info_answer;

/** Finds out all about a machine, which must outlive the facts. A status of the library; clear them in every case. */
int facts_find(machine_facts *facts, const inlay_machine *machine);
void facts_clear(machine_facts *facts);

void facts_print(const machine_facts *facts);
int facts_put_members(inlay_json *out, const invocation *call, const machine_facts *all);

#endif
