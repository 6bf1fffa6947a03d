/* `inlay select`: the operands are read, and the library is asked. */
#include "select.h"
#include "commands.h"
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

static int read_operands(selected *of, inlay_diag *diag)
{
    const select_values *values = of->call->values;
    char *const *operand = of->call->operands;
    inlay_domain_parameter parameter[MAX_TEXTS];
    char *names = NULL;
    int status = read_settings(of->call, parameter, &names);
    if (status == INLAY_OK) {
        status = inlay_domain_read(operand[0], parameter, values->set.count, &of->program, diag);
    }
    status = status == INLAY_OK ? inlay_metasystem_read(operand[1], &of->metasystem, diag) : status;
    free(names);
    if (status == INLAY_OK && available(of->metasystem) == 0) {
        say(stderr,
            "inlay: %s: none of its processors may be used; expected an 'available' above 0, or a load that is "
            "not above its 'threshold'\n",
            operand[1]);
        status = EXIT_NO;
    }
    return status;
}

/* ---- What is told of it ---- */

const char *select_program_name(const selected *of)
{
    const char *name = inlay_domain_of(of->program)->name;
    return name != NULL ? name : of->call->operands[0];
}

const char *select_metasystem_name(const selected *of)
{
    return of->metasystem->name != NULL ? of->metasystem->name : of->call->operands[1];
}

const inlay_metasystem_cluster *select_cluster(const selected *of, int32_t i)
{
    return &of->metasystem->cluster[i];
}

void select_cycles(const selected *of, int32_t processors, double *cycles, double *startup)
{
    const inlay_domain *domain = inlay_domain_of(of->program);
    double from = inlay_unit_seconds(domain->time_unit), to = inlay_unit_seconds(of->metasystem->time_unit);
    *cycles = 1;
    *startup = 0;
    if (domain->cycles != NULL) {
        (void)domain->cycles(domain->context, processors, cycles, startup, NULL);
    }
    *startup *= from > 0 && to > 0 ? from / to : 1;
}

double select_longer(const selected *of, const inlay_configuration *configuration)
{
    return configuration->t_cycle / of->chosen->t_cycle - 1;
}

static bool is_same(const selected *of, const inlay_configuration *a, const inlay_configuration *b)
{
    return memcmp(a->processors, b->processors, of->metasystem->clusters * sizeof *a->processors) == 0;
}

/* Asked for several at once, all methods but the exact one give them with the best. */
static const inlay_selection *all_found(const selected *of)
{
    return of->next != NULL ? of->next : of->best;
}

const inlay_configuration *select_next(const selected *of, size_t i)
{
    const select_values *values = of->call->values;
    if (i >= values->best) {
        return NULL;
    }
    const inlay_configuration *next;
    for (size_t n = 0; (next = inlay_selection_at(all_found(of), n)) != NULL; n++) {
        if (!is_same(of, next, of->chosen) && i-- == 0) {
            break;
        }
    }
    return next;
}

/* ---- Asking ---- */

static int ask(const selected *of, inlay_select_method method, int32_t best, inlay_selection **selection,
               inlay_diag *diag)
{
    inlay_select_options options = of->options;
    options.method = method;
    options.best = best;
    return inlay_select(inlay_domain_of(of->program), of->metasystem, &of->terms, &options, selection, diag);
}

static int evaluate(const selected *of, const int32_t *processors, inlay_selection **selection, inlay_diag *diag)
{
    return inlay_select_evaluate(inlay_domain_of(of->program), of->metasystem, &of->terms, processors, selection, diag);
}

static bool is_heuristic(inlay_select_method method)
{
    return method != INLAY_SELECT_EXACT && method != INLAY_SELECT_EXHAUSTIVE;
}

/*
 * The exact method is fastest where it is asked for one; what it then says of several may prove less. Of several it gives
 * the one with the fewest processors where cycles are equally long: so many are asked for, however many are to be shown.
 */
static int find_best(selected *of, inlay_diag *diag)
{
    enum { ASKED = 16 };
    const select_values *values = of->call->values;
    inlay_select_method method = of->options.method;
    int32_t several = values->best < ASKED ? ASKED : (int32_t)values->best + 1;
    int status = ask(of, method, method == INLAY_SELECT_EXACT ? 1 : several, &of->best, diag);
    if (status == INLAY_OK && method == INLAY_SELECT_EXACT) {
        status = ask(of, method, several, &of->next, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    const inlay_configuration *first = inlay_selection_at(all_found(of), 0);
    of->chosen = inlay_selection_at(of->best, 0);
    if (first->t_cycle <= of->chosen->t_cycle) {
        of->chosen = first;
    }
    of->lower_bound = inlay_selection_lower_bound(of->best);
    of->optimal = inlay_selection_optimal(of->best);
    if (is_heuristic(method) && ask(of, INLAY_SELECT_EXACT, 1, &of->reference, NULL) == INLAY_OK) {
        of->lower_bound = inlay_selection_lower_bound(of->reference);
        of->optimal = inlay_selection_optimal(of->reference) &&
                      of->chosen->t_cycle <= inlay_selection_at(of->reference, 0)->t_cycle * (1 + 1e-12);
    }
    return INLAY_OK;
}

/* One processor is the first point of every curve, and the only one for which it need not search. */
static int find_single(selected *of, inlay_diag *diag)
{
    const inlay_select_options shortest_search = {.limit = 1};
    return inlay_select_curve(inlay_domain_of(of->program), of->metasystem, &of->terms, &shortest_search, 2,
                              &of->single, diag);
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
static int32_t named_cluster(const selected *of, const char *text)
{
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        const char *name = of->metasystem->cluster[i].name;
        size_t length = strlen(name);
        if (strncmp(text, name, length) == 0 && text[length] == '=') {
            return (int32_t)i;
        }
    }
    return -1;
}

/* "5,0,5" or "c0=5,c3=5". An exit status. */
static int read_processors(const selected *of, const char *list, int32_t *processors)
{
    const cli_command *command = of->call->command;
    size_t m = of->metasystem->clusters, count = 0;
    bool named = strchr(list, '=') != NULL;
    const char *text = list;
    memset(processors, -1, m * sizeof *processors); /* not said */
    while (*text != '\0') {
        int32_t i = named ? named_cluster(of, text) : (int32_t)count, number = 0;
        if (i < 0) {
            return report_usage(command,
                                "--processors %s: '%s' begins with no cluster of the metasystem; expected NAME=NUMBER",
                                list, text);
        }
        text += named ? strlen(select_cluster(of, i)->name) + 1 : 0;
        if (!read_count(&text, &number)) {
            return report_usage(
                command, "--processors %s: expected a number for each cluster, such as 5,0,5, or NAME=NUMBER,...",
                list);
        }
        if ((size_t)i < m && processors[i] >= 0) {
            return report_usage(command, "--processors %s: cluster %s stands there twice", list,
                                select_cluster(of, i)->name);
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

static int find_given(selected *of, inlay_diag *diag)
{
    const select_values *values = of->call->values;
    if (values->processors == NULL) {
        return EXIT_DONE;
    }
    int32_t *processors = calloc(of->metasystem->clusters, sizeof *processors);
    int status = processors != NULL ? read_processors(of, values->processors, processors) : INLAY_NO_MEMORY;
    status = status == INLAY_OK ? evaluate(of, processors, &of->given, diag) : status;
    free(processors);
    return status;
}

/* ---- Communication and placement ---- */

/* The pattern of the dominant communication, and its largest message. */
static int find_message(selected *of, inlay_diag *diag)
{
    const inlay_domain *domain = inlay_domain_of(of->program);
    int32_t phase = of->phases.communication;
    inlay_complexity message = {0};
    int status = domain->pattern(domain->context, phase, &of->pattern, diag);
    status = status == INLAY_OK ? domain->bytes(domain->context, of->chosen->total, phase, &message, diag) : status;
    for (size_t i = 0; status == INLAY_OK && i < of->metasystem->clusters; i++) {
        const inlay_select_share *share = &of->chosen->share[i];
        if (of->chosen->processors[i] > 0) {
            of->bytes = fmax(of->bytes, message.fixed + message.per_unit * (share->share + (share->extra > 0)));
        }
    }
    return status;
}

static int find_placement(selected *of, inlay_diag *diag)
{
    if (of->phases.communication < 0) {
        return INLAY_OK;
    }
    int status = find_message(of, diag);
    return status != INLAY_OK ? status
                              : inlay_task_placement_make(of->metasystem, of->pattern, of->chosen->processors,
                                                          of->bytes, of->chosen->time, &of->placement, diag);
}

static int find_curve(selected *of, inlay_diag *diag)
{
    enum { USUAL = 100 };
    const select_values *values = of->call->values;
    if (values->csv == NULL && values->svg == NULL) {
        return INLAY_OK;
    }
    return inlay_select_curve(inlay_domain_of(of->program), of->metasystem, &of->terms, NULL,
                              values->points > 0 ? values->points : USUAL, &of->curve, diag);
}

/* ---- All of it ---- */

/* Where another method takes the question, the last line is a command that works. */
static int refuse(const selected *of, int status, const inlay_diag *diag)
{
    bool falls = status == INLAY_BAD_ARGUMENT && of->options.method == INLAY_SELECT_EXACT;
    bool many = status == INLAY_NO_ANSWER && of->options.method == INLAY_SELECT_EXHAUSTIVE;
    inlay_select_method other = falls ? INLAY_SELECT_H3 : INLAY_SELECT_EXACT;
    inlay_selection *answer = NULL;
    int end = report_end(of->call, status, diag);
    if ((falls || many) && ask(of, other, 1, &answer, NULL) == INLAY_OK) {
        report_remedy(of->call, "--method", inlay_select_method_name(other));
    }
    inlay_selection_free(answer);
    return end;
}

static int find_all(selected *of, inlay_diag *diag)
{
    const inlay_domain *domain = inlay_domain_of(of->program);
    int status = inlay_select_dominant(domain, of->metasystem, &of->phases, diag);
    status = status == INLAY_OK ? find_best(of, diag) : status;
    if (status != INLAY_OK) {
        return refuse(of, status, diag);
    }
    status = find_single(of, diag);
    status = status == INLAY_OK ? find_placement(of, diag) : status;
    status = status == INLAY_OK ? find_curve(of, diag) : status;
    return status == INLAY_OK ? find_given(of, diag) : status;
}

int select_find(const invocation *call, selected *found, inlay_diag *diag)
{
    static const inlay_select_method methods[] = {INLAY_SELECT_EXACT, INLAY_SELECT_H1, INLAY_SELECT_H2, INLAY_SELECT_H3,
                                                  INLAY_SELECT_EXHAUSTIVE};
    const select_values *values = call->values;
    found->call = call;
    found->options = (inlay_select_options){.method = methods[values->method], .limit = values->limit};
    found->terms = (inlay_select_terms){.all_phases = values->phases == 1,
                                        .map = (inlay_select_map)values->map,
                                        .router = (inlay_select_router)values->router};
    int status = read_operands(found, diag);
    return status == INLAY_OK ? find_all(found, diag) : status;
}

void select_clear(selected *found)
{
    inlay_task_placement_free(found->placement);
    inlay_selection_free(found->curve);
    inlay_selection_free(found->given);
    inlay_selection_free(found->single);
    inlay_selection_free(found->reference);
    inlay_selection_free(found->next);
    inlay_selection_free(found->best);
    inlay_metasystem_free(found->metasystem);
    inlay_domain_file_free(found->program);
    *found = (selected){0};
}
