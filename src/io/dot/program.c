/* Reading an SPMD program from DOT: the graph and its parameters. */
#include "io/dot/program.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const graph_attributes[] = {"kind", "name", "time_unit", "parameters", "cycles", "startup", NULL};

/* ---- Amounts ---- */

int program_parse(const program_reader *r, const char *text, size_t names, inlay_unit unit, const char *what,
                  program_amount *amount)
{
    expression_error error;
    const expression_names known = {r->made->name, names};
    int status = expression_parse(text, known, unit, &amount->is, &error);
    if (status == INLAY_BAD_INPUT) {
        return diag_fail_at(r->diag, status, r->graph.source, amount->line, "%s%s%s: %s", amount->attribute,
                            *what == '\0' ? "" : " of ", what, error.text);
    }
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(r->diag);
}

/* ---- Parameters ---- */

static int refuse_parameters(const program_reader *r, const char *wrong, const char *name, const char *expected)
{
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source,
                        dot_line_of_attribute(&r->graph, DOT_GRAPHS, "parameters"), "parameter '%s' %s; expected %s",
                        name, wrong, expected);
}

/* The caller's value of a parameter; NULL: none. */
static const double *given_value(const char *name, const inlay_domain_parameter *given, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(given[i].name, name) == 0) {
            return &given[i].value;
        }
    }
    return NULL;
}

static bool is_name(const char *text)
{
    size_t size = 0;
    while (plain_alnum(text[size]) || text[size] == '_') {
        size++;
    }
    return size > 0 && text[size] == '\0' && !plain_digit(*text);
}

static int check_name(const program_reader *r, const char *name)
{
    const inlay_domain_file *made = r->made;
    if (!is_name(name)) {
        return refuse_parameters(r, "has a name that expressions cannot use", name,
                                 "letters, digits and _, no digit first, as in \"N=600, cells=5\"");
    }
    if (strcmp(name, "P") == 0) {
        return refuse_parameters(r, "has the name of the number of processors", name, "another name");
    }
    for (size_t i = 0; i < made->parameters; i++) {
        if (strcmp(made->name[i], name) == 0) {
            return refuse_parameters(r, "is given twice", name, "each once");
        }
    }
    return made->parameters < PROGRAM_PARAMETERS
               ? INLAY_OK
               : refuse_parameters(r, "is one too many", name, "at most 64 parameters");
}

/* The value that the file gives, from the parameters before it. */
static int evaluate_parameter(const program_reader *r, const char *name, const char *text, double *value)
{
    const expression_names known = {r->made->name, r->made->parameters};
    expression *is = NULL;
    expression_error error;
    int status = expression_parse(text, known, r->unit, &is, &error);
    if (status == INLAY_OK) {
        status = expression_evaluate(is, r->made->value, value, &error);
    }
    expression_free(is);
    if (status == INLAY_BAD_INPUT) {
        return diag_fail_at(r->diag, status, r->graph.source,
                            dot_line_of_attribute(&r->graph, DOT_GRAPHS, "parameters"), "parameter '%s': %s", name,
                            error.text);
    }
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(r->diag);
}

static const char blanks[] = " \t\r\n";

/* @param item  "N=600" or "N" */
static int add_parameter(program_reader *r, char *item, const inlay_domain_parameter *given, size_t count)
{
    inlay_domain_file *made = r->made;
    char *text = strchr(item, '=');
    if (text != NULL) {
        *text++ = '\0';
    }
    const char *name = plain_trim(item, blanks);
    int status = check_name(r, name);
    if (status != INLAY_OK) {
        return status;
    }
    const double *value = given_value(name, given, count);
    double read = value == NULL ? 0 : *value;
    if (text == NULL && value == NULL) {
        return refuse_parameters(r, "has no value", name, "one in the file or the caller's, as in -D NAME=NUMBER");
    }
    if (value == NULL) {
        status = evaluate_parameter(r, name, plain_trim(text, blanks), &read);
    }
    if (status == INLAY_OK && !(made->name[made->parameters] = name_store_keep(&made->names, name))) {
        status = diag_no_memory(r->diag);
    }
    if (status == INLAY_OK) {
        made->value[made->parameters++] = read;
    }
    return status;
}

/* Behind the item that begins here: at a comma outside all parentheses, or at the end. */
static char *item_end(char *item)
{
    int open = 0;
    for (; *item != '\0' && (*item != ',' || open > 0); item++) {
        open += (*item == '(') - (*item == ')');
    }
    return item;
}

static int compare_parameters(const void *a, const void *b)
{
    const inlay_domain_parameter *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* The caller's parameters are numbers, each once. */
static int check_given(const inlay_domain_parameter *given, size_t count, inlay_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(given[i].value)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "parameter '%s' is %g; expected a finite number", given[i].name,
                             given[i].value);
        }
        if (given_value(given[i].name, given, i) != NULL) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "parameter '%s' is given twice; expected each once",
                             given[i].name);
        }
    }
    return INLAY_OK;
}

/* The caller's parameters are the file's. */
static int check_known(const program_reader *r, const inlay_domain_parameter *given, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = given[i].name;
        size_t known = 0;
        while (known < r->made->parameters && strcmp(r->made->name[known], name) != 0) {
            known++;
        }
        if (known == r->made->parameters) {
            text_buffer names = {0};
            for (size_t j = 0; j < r->made->parameters; j++) {
                text_addf(&names, "%s%s", j == 0 ? "one of " : ", ", r->made->name[j]);
            }
            int status = names.failed ? diag_no_memory(r->diag)
                                      : diag_fail(r->diag, INLAY_BAD_ARGUMENT, "%s has no parameter '%s'; expected %s",
                                                  r->graph.source, name, names.size == 0 ? "none" : names.data);
            text_clear(&names);
            return status;
        }
    }
    return INLAY_OK;
}

/* The parameters of the file, with those of the caller in their place. */
static int program_read_parameters(program_reader *r, const inlay_domain_parameter *given, size_t count)
{
    inlay_domain_file *made = r->made;
    const char *list = dot_graph_value(&r->graph, "parameters");
    char *copy = list == NULL ? NULL : memory_string(list);
    int status = list != NULL && copy == NULL ? diag_no_memory(r->diag) : check_given(given, count, r->diag);
    for (char *item = copy; item != NULL && status == INLAY_OK;) {
        char *end = item_end(item);
        bool last = *end == '\0';
        *end = '\0';
        status = add_parameter(r, item, given, count);
        item = last ? NULL : end + 1;
    }
    free(copy);
    made->name[made->parameters] = "P";
    for (size_t i = 0; i < made->parameters; i++) {
        made->by_name[i] = (inlay_domain_parameter){made->name[i], made->value[i]};
    }
    qsort(made->by_name, made->parameters, sizeof *made->by_name, compare_parameters);
    return status == INLAY_OK ? check_known(r, given, count) : status;
}

const inlay_domain_parameter *inlay_domain_file_parameter(const inlay_domain_file *file, size_t i)
{
    return i < file->parameters ? &file->by_name[i] : NULL;
}

/* ---- The graph ---- */

/* An amount of the graph's own, which may depend on P. */
static int read_amount(const program_reader *r, const char *attribute, inlay_unit unit, program_amount *amount)
{
    const char *text = dot_graph_value(&r->graph, attribute);
    amount->attribute = attribute;
    amount->line = dot_line_of_attribute(&r->graph, DOT_GRAPHS, attribute);
    return text == NULL ? INLAY_OK : program_parse(r, text, r->made->parameters + 1, unit, "", amount);
}

static int read_graph(program_reader *r)
{
    inlay_domain_file *made = r->made;
    int status = dot_check_is_spmd(&r->graph, "program", "metasystem", r->diag);
    if (status == INLAY_OK) {
        status = dot_check_attributes(&r->graph, DOT_GRAPHS, graph_attributes, r->diag);
    }
    if (status == INLAY_OK) {
        status = dot_read_unit(&r->graph, &r->unit, r->diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    char *name = dot_given_name(&r->graph);
    made->domain.name = name == NULL ? NULL : name_store_keep(&made->names, name);
    made->domain.time_unit = r->unit;
    made->source = memory_string(r->graph.source);
    free(name);
    return made->domain.name != NULL && made->source != NULL ? INLAY_OK : diag_no_memory(r->diag);
}

static int read_all(program_reader *r, const inlay_domain_parameter *parameter, size_t parameters)
{
    int status = read_graph(r);
    if (status == INLAY_OK) {
        status = program_read_parameters(r, parameter, parameters);
    }
    if (status == INLAY_OK) {
        status = read_amount(r, "cycles", INLAY_UNIT_NONE, &r->made->cycles);
    }
    if (status == INLAY_OK) {
        status = read_amount(r, "startup", r->unit, &r->made->startup);
    }
    if (status == INLAY_OK) {
        status = program_read_phases(r);
    }
    if (status == INLAY_OK) {
        program_set_callbacks(r->made);
    }
    return status;
}

int dot_program_from(const char *data, size_t size, const char *source, const inlay_domain_parameter *parameter,
                     size_t parameters, inlay_domain_file **file, inlay_diag *diag)
{
    program_reader r = {.diag = diag, .made = memory_zeroed(1, sizeof *r.made)};
    if (r.made == NULL) {
        return diag_no_memory(diag);
    }
    int status = dot_graph_read(&(dot_source){.data = data, .size = size, .name = source}, &r.graph, diag);
    if (status == INLAY_OK) {
        status = read_all(&r, parameter, parameters);
    }
    if (status == INLAY_OK) {
        *file = r.made;
        r.made = NULL;
    }
    inlay_domain_file_free(r.made);
    dot_graph_close(&r.graph);
    return status;
}

int inlay_domain_read(const char *path, const inlay_domain_parameter *parameter, size_t parameters,
                      inlay_domain_file **file, inlay_diag *diag)
{
    DIAG_CALL(diag);
    file_content content;
    int status = file_read(path, &content, diag);
    if (status == INLAY_OK) {
        const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
        status = dot_program_from(content.data, content.size, source, parameter, parameters, file, diag);
        file_content_clear(&content);
    }
    return status;
}

void inlay_domain_file_free(inlay_domain_file *file)
{
    if (file == NULL) {
        return;
    }
    for (int i = 0; i < INLAY_DOMAIN_PHASES; i++) {
        program_computation *w = &file->computation[i];
        program_communication *m = &file->communication[i];
        program_amount *const amounts[] = {&w->units,    &w->per_unit, &w->fixed, &m->fixed,
                                           &m->per_unit, &m->messages, &m->sizes};
        for (size_t j = 0; j < sizeof amounts / sizeof *amounts; j++) {
            expression_free(amounts[j]->is);
        }
        for (size_t j = 0; j < w->costs; j++) {
            expression_free(w->cost[j].time.is);
        }
        free(w->cost);
    }
    expression_free(file->cycles.is);
    expression_free(file->startup.is);
    free(file->source);
    name_store_free(file->names);
    free(file);
}
