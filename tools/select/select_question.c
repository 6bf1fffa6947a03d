/* `inlay select`: the question, from operands and options. */
#include "select.h"
#include "commands.h"
#include "curves.h"
#include "report.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

/* "N=600" */
static bool read_setting(const char *text, inlay_domain_parameter *parameter, char *name)
{
    size_t length = strcspn(text, "=");
    const char *number = text + length + (text[length] == '=');
    char *end;
    double value = strtod(number, &end);
    if (length == 0 || number[0] == '\0' || number[strspn(number, "0123456789+-.eE")] != '\0' || *end != '\0' ||
        !isfinite(value)) {
        return false;
    }
    memcpy(name, text, length);
    name[length] = '\0';
    *parameter = (inlay_domain_parameter){name, value};
    return true;
}

/* The names are copied into one text that is as long as all settings. */
static int read_settings(const invocation *call, inlay_domain_parameter *parameter, char **names)
{
    const select_values *values = call->values;
    size_t size = 1;
    for (size_t i = 0; i < values->set.count; i++) {
        size += strlen(values->set.text[i]) + 1;
    }
    char *name = *names = malloc(size);
    if (name == NULL) {
        return report_no_memory();
    }
    for (size_t i = 0; i < values->set.count; i++) {
        if (!read_setting(values->set.text[i], &parameter[i], name)) {
            return report_usage(call->command, "-D %s: expected NAME=NUMBER, such as N=600", values->set.text[i]);
        }
        name += strlen(name) + 1;
    }
    return EXIT_DONE;
}

static int64_t available(const inlay_metasystem *metasystem)
{
    int64_t sum = 0;
    for (size_t i = 0; i < metasystem->clusters; i++) {
        sum += metasystem->cluster[i].available;
    }
    return sum;
}

static int read_operands(const invocation *call, inlay_select_question *to, inlay_diag *diag)
{
    const select_values *values = call->values;
    inlay_domain_parameter parameter[MAX_TEXTS];
    inlay_domain_file *program = NULL;
    inlay_metasystem *metasystem = NULL;
    char *names = NULL;
    to->program_name = call->operands[0];
    to->metasystem_name = call->operands[1];
    int status = read_settings(call, parameter, &names);
    if (status == INLAY_OK) {
        status = inlay_domain_read(call->operands[0], parameter, values->set.count, &program, diag);
    }
    status = status == INLAY_OK ? inlay_metasystem_read(call->operands[1], &metasystem, diag) : status;
    free(names);
    to->program = program;
    to->metasystem = metasystem;
    if (status == INLAY_OK && available(metasystem) == 0) {
        say(stderr,
            "inlay: %s: none of its processors may be used; expected an 'available' above 0, or a load that is "
            "not above its 'threshold'\n",
            call->operands[1]);
        status = EXIT_NO;
    }
    return status;
}

/* ---- The user's own configuration ---- */

/* A whole number up to a comma or the end; what follows it is at *text. */
static bool read_count(const char **text, int32_t *number)
{
    if (**text < '0' || **text > '9') {
        return false;
    }
    char *end;
    unsigned long long value = strtoull(*text, &end, 10);
    *number = (int32_t)(value < INT32_MAX ? value : INT32_MAX);
    *text = end + (*end == ',' && end[1] != '\0');
    return *end == '\0' || (*end == ',' && end[1] != '\0');
}

/* The cluster whose name and an equals sign begin the text, or -1. */
static int32_t named_cluster(const inlay_metasystem *metasystem, const char *text)
{
    for (size_t i = 0; i < metasystem->clusters; i++) {
        const char *name = metasystem->cluster[i].name;
        size_t length = strlen(name);
        if (strncmp(text, name, length) == 0 && text[length] == '=') {
            return (int32_t)i;
        }
    }
    return -1;
}

/* "5,0,5" or "c0=5,c3=5". An exit status. */
static int read_processors(const cli_command *command, const inlay_metasystem *metasystem, const char *list,
                           int32_t *processors)
{
    size_t m = metasystem->clusters, count = 0;
    bool named = strchr(list, '=') != NULL;
    const char *text = list;
    memset(processors, -1, m * sizeof *processors); /* not said */
    while (*text != '\0') {
        int32_t i = named ? named_cluster(metasystem, text) : (int32_t)count, number = 0;
        if (i < 0) {
            return report_usage(command,
                                "--processors %s: '%s' begins with no cluster of the metasystem; expected NAME=NUMBER",
                                list, text);
        }
        text += named ? strlen(metasystem->cluster[i].name) + 1 : 0;
        if (!read_count(&text, &number)) {
            return report_usage(
                command, "--processors %s: expected a number for each cluster, such as 5,0,5, or NAME=NUMBER,...",
                list);
        }
        if ((size_t)i < m && processors[i] >= 0) {
            return report_usage(command, "--processors %s: cluster %s stands there twice", list,
                                metasystem->cluster[i].name);
        }
        if ((size_t)i < m) {
            processors[i] = number;
        }
        count++;
    }
    for (size_t i = 0; i < m; i++) {
        processors[i] = processors[i] < 0 ? 0 : processors[i];
    }
    return named || count == m
               ? EXIT_DONE
               : report_usage(command,
                              "--processors %s: %zu number%s for %zu clusters; expected one for each, or "
                              "NAME=NUMBER,...",
                              list, count, count == 1 ? "" : "s", m);
}

static int read_given(const invocation *call, inlay_select_question *to)
{
    const char *list = ((const select_values *)call->values)->processors;
    if (list == NULL) {
        return EXIT_DONE;
    }
    int32_t *processors = calloc(to->metasystem->clusters, sizeof *processors);
    to->given = processors;
    return processors != NULL ? read_processors(call->command, to->metasystem, list, processors) : INLAY_NO_MEMORY;
}

/* ---- Curves ---- */

static const char *cluster_type(const void *of, size_t i)
{
    const inlay_metasystem_cluster *cluster = &((const inlay_metasystem *)of)->cluster[i];
    return cluster->type != NULL ? cluster->type : cluster->name;
}

static int read_curves(const invocation *call, inlay_select_question *to, inlay_diag *diag)
{
    const char *path = ((const select_values *)call->values)->curves;
    const inlay_metasystem *m = to->metasystem;
    double unit = inlay_unit_seconds(m->time_unit);
    inlay_curve *curve = NULL;
    if (path == NULL) {
        return EXIT_DONE;
    }
    if (!(unit > 0)) {
        return report_usage(call->command, "--curves are in seconds, the metasystem's times are not; expected a unit");
    }
    int end = curves_for(call, path, m->clusters, cluster_type, m, 1 / unit, &curve, diag);
    to->terms.curve = curve;
    return end;
}

/* ---- All of it ---- */

int select_read_question(const invocation *call, inlay_select_question *question, inlay_diag *diag)
{
    enum { USUAL_POINTS = 100, USUAL_NEXT = 5 };
    static const inlay_select_method methods[] = {INLAY_SELECT_EXACT, INLAY_SELECT_H1, INLAY_SELECT_H2, INLAY_SELECT_H3,
                                                  INLAY_SELECT_EXHAUSTIVE};
    const select_values *values = call->values;
    bool best = call->given[command_find_option(call->command, "--best")] != NULL;
    bool curve = values->csv != NULL || values->svg != NULL;
    int status = wish_read(call, &values->wish, &question->wish);
    question->options = (inlay_select_options){
        .method = methods[values->method], .best = best ? (int32_t)values->best : USUAL_NEXT, .limit = values->limit};
    question->terms = (inlay_select_terms){.all_phases = values->phases == 1,
                                           .map = (inlay_select_map)values->map,
                                           .router = (inlay_select_router)values->router};
    question->points = !curve || question->wish.wanted ? 0 : values->points > 0 ? values->points : USUAL_POINTS;
    question->tells_tasks = values->placement;
    status = status == EXIT_DONE ? read_operands(call, question, diag) : status;
    status = status == INLAY_OK ? read_given(call, question) : status;
    return status == INLAY_OK ? read_curves(call, question, diag) : status;
}

void select_question_clear(inlay_select_question *question)
{
    free((int32_t *)question->given); /* all of it ours */
    free((inlay_curve *)question->terms.curve);
    inlay_metasystem_free((inlay_metasystem *)question->metasystem);
    inlay_domain_file_free((inlay_domain_file *)question->program);
    *question = (inlay_select_question){0};
}
