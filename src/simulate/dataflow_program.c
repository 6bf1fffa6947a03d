/* Wiring a dataflow program. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "simulate/dataflow.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 10000, MESSAGE = PROGRAM_SAID };

inlay_program *inlay_program_new(const char *name)
{
    inlay_program *program = memory_zeroed(1, sizeof *program);
    if (program != NULL && (program->name = memory_string(name)) == NULL) {
        free(program);
        return NULL;
    }
    return program;
}

void inlay_program_free(inlay_program *program)
{
    if (program == NULL) {
        return;
    }
    for (size_t i = 0; i < program->modules; i++) {
        program_module *m = &program->module[i];
        free(m->name);
        free(m->state);
        free(m->in.channel);
        free(m->out.channel);
    }
    for (size_t i = 0; i < program->parameters; i++) {
        free(program->parameter[i].name);
    }
    for (size_t i = 0; i < program->operations; i++) {
        free(program->operation[i]);
    }
    for (size_t i = 0; i < program->memories; i++) {
        free(program->memory[i]);
    }
    name_map_clear(&program->by_name);
    free(program->module);
    free(program->channel);
    free(program->parameter);
    free(program->operation);
    free(program->memory);
    free(program->name);
    free(program);
}

const char *inlay_program_name(const inlay_program *program)
{
    return program->name;
}

/* The first failure stays with the program: it cannot be run any more. */
static int fails(inlay_program *program, int status, const inlay_diag *diag)
{
    if (program->status == INLAY_OK) {
        program->status = status;
        snprintf(program->said, sizeof program->said, "%s", inlay_diag_message(diag));
    }
    return status;
}

static int no_memory(inlay_program *program, inlay_diag *diag)
{
    return fails(program, diag_no_memory(diag), diag);
}

int inlay_program_refuse(inlay_diag *diag, const char *format, ...)
{
    DIAG_CALL(diag);
    char text[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)plain_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s", text);
}

/* ---- Parameters ---- */

static size_t find_parameter(const inlay_program *program, const char *name)
{
    size_t i = 0;
    while (i < program->parameters && strcmp(program->parameter[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* Its place, made where there is none; NULL when out of memory. */
static program_parameter *seek_parameter(inlay_program *program, const char *name)
{
    size_t i = find_parameter(program, name);
    if (i < program->parameters) {
        return &program->parameter[i];
    }
    char *copy = memory_string(name);
    if (copy == NULL || !memory_grow((void **)&program->parameter, &program->parameters_room, program->parameters + 1,
                                     sizeof *program->parameter)) {
        free(copy);
        return NULL;
    }
    program->parameter[i] = (program_parameter){.name = copy};
    program->parameters++;
    return &program->parameter[i];
}

int inlay_program_set(inlay_program *program, const char *name, double value, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (!isfinite(value)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "parameter '%s' is %g; expected a finite number", name, value);
    }
    program_parameter *p = seek_parameter(program, name);
    if (p == NULL) {
        return diag_no_memory(diag);
    }
    p->value = value;
    p->given = true;
    return INLAY_OK;
}

double inlay_parameter(inlay_program *program, const char *name, double otherwise)
{
    program_parameter *p = seek_parameter(program, name);
    if (p == NULL) {
        (void)fails(program, INLAY_NO_MEMORY, NULL);
        return otherwise;
    }
    if (p->asked) {
        return p->value;
    }
    program_parameter asked = *p;
    asked.asked = true;
    asked.value = asked.given ? asked.value : otherwise;
    *p = program->parameter[program->asked];
    program->parameter[program->asked++] = asked;
    return asked.value;
}

inlay_program_parameter inlay_program_parameter_at(const inlay_program *program, size_t i)
{
    const program_parameter *p = &program->parameter[i];
    return (inlay_program_parameter){p->name, p->value, p->given};
}

size_t inlay_program_parameters(const inlay_program *program)
{
    return program->asked;
}

/* ---- Memory, operations, check ---- */

void *inlay_program_memory(inlay_program *program, size_t size)
{
    void *memory = memory_zeroed(size, 1);
    if (memory == NULL || !memory_grow((void **)&program->memory, &program->memories_room, program->memories + 1,
                                       sizeof *program->memory)) {
        free(memory);
        (void)fails(program, INLAY_NO_MEMORY, NULL);
        return NULL;
    }
    program->memory[program->memories++] = memory;
    return memory;
}

static const char *const built_in[INLAY_OPERATIONS] = {"add",      "multiply", "divide", "sqrt",
                                                       "function", "compare",  "get",    "put"};

int inlay_program_operations(const inlay_program *program)
{
    return INLAY_OPERATIONS + (int)program->operations;
}

const char *inlay_program_operation_name(const inlay_program *program, int operation)
{
    return operation < INLAY_OPERATIONS ? built_in[operation] : program->operation[operation - INLAY_OPERATIONS];
}

int inlay_program_operation(inlay_program *program, const char *name)
{
    int count = inlay_program_operations(program);
    for (int i = 0; i < count; i++) {
        if (strcmp(inlay_program_operation_name(program, i), name) == 0) {
            return i;
        }
    }
    char *copy = count < MOST_OPERATIONS ? memory_string(name) : NULL;
    if (copy == NULL || !memory_grow((void **)&program->operation, &program->operations_room, program->operations + 1,
                                     sizeof *program->operation)) {
        free(copy);
        return fails(program, INLAY_NO_MEMORY, NULL);
    }
    program->operation[program->operations++] = copy;
    return count;
}

void inlay_program_check(inlay_program *program, inlay_program_checker *check, void *context)
{
    program->check = check;
    program->check_context = context;
}

int program_checked(const inlay_program *program, char text[CHECK_TEXT], inlay_diag *diag)
{
    text[0] = '\0';
    const char *wrong = program->check == NULL ? NULL : program->check(program->check_context, text, CHECK_TEXT);
    text[CHECK_TEXT - 1] = '\0';
    return wrong == NULL
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_INPUT, "%s: the numbers computed are wrong: %s", program->name, wrong);
}

/* ---- Modules ---- */

static void *copy_of(const void *state, size_t size)
{
    void *copy = memory_array(size, 1);
    if (copy != NULL && size > 0) {
        memcpy(copy, state, size);
    }
    return copy;
}

static bool put_module(inlay_program *program, const char *name, inlay_body *body, const void *state, size_t size)
{
    program_module m = {.name = memory_string(name), .body = body, .state = copy_of(state, size), .size = size};
    if (m.name == NULL || m.state == NULL ||
        !memory_grow((void **)&program->module, &program->modules_room, program->modules + 1,
                     sizeof *program->module) ||
        !name_map_put(&program->by_name, m.name, (int32_t)program->modules)) {
        free(m.name);
        free(m.state);
        return false;
    }
    program->module[program->modules++] = m;
    return true;
}

inlay_id inlay_program_module(inlay_program *program, const char *name, inlay_body *body, const void *state,
                              size_t size, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_id number = (inlay_id)program->modules;
    if (*name == '\0' || name_map_get(&program->by_name, name) >= 0) {
        int status =
            diag_fail(diag, INLAY_BAD_INPUT,
                      "%s: module %d has the name '%s'; expected one that is not empty, and that no other module has",
                      program->name, number, name);
        return fails(program, status, diag);
    }
    if (number == INT32_MAX - 1 || !put_module(program, name, body, state, size)) {
        return no_memory(program, diag);
    }
    return number;
}

inlay_id inlay_program_modules(const inlay_program *program)
{
    return (inlay_id)program->modules;
}

const char *inlay_program_module_name(const inlay_program *program, inlay_id module)
{
    return program->module[module].name;
}

/* ---- Channels ---- */

size_t inlay_program_channels(const inlay_program *program)
{
    return program->channels;
}

/* What is wrong with one end of a channel: module, port number, and whether the port is free. */
static int check_end(const inlay_program *program, inlay_id module, int number, bool is_output, inlay_diag *diag)
{
    const char *what = is_output ? "output" : "input";
    if (module < 0 || (size_t)module >= program->modules) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%s: a channel is wired to an %s of module %d; expected 0 to %d",
                         program->name, what, module, (int)program->modules - 1);
    }
    const program_module *m = &program->module[module];
    const program_ports *ports = is_output ? &m->out : &m->in;
    if (number < 0 || number >= INLAY_PORTS) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%s: '%s' has no %s %d; expected 0 to %d", program->name, m->name, what,
                         number, INLAY_PORTS - 1);
    }
    if ((size_t)number < ports->count && ports->channel[number] >= 0) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%s: %s %d of '%s' is wired twice; expected one channel a port",
                         program->name, what, number, m->name);
    }
    return INLAY_OK;
}

static bool reserve_port(program_ports *ports, int number)
{
    size_t needed = (size_t)number + 1;
    if (!memory_grow((void **)&ports->channel, &ports->room, needed, sizeof *ports->channel)) {
        return false;
    }
    for (; ports->count < needed; ports->count++) {
        ports->channel[ports->count] = -1;
    }
    return true;
}

int inlay_program_wire(inlay_program *program, inlay_id from, int out, inlay_id to, int in, size_t size,
                       int64_t capacity, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check_end(program, from, out, true, diag);
    if (status == INLAY_OK) {
        status = check_end(program, to, in, false, diag);
    }
    if (status == INLAY_OK && (capacity < 0 || size > INT32_MAX)) {
        status = diag_fail(diag, INLAY_BAD_INPUT,
                           "%s: the channel from '%s' to '%s' has room for %lld values of %zu bytes; expected 0 (any "
                           "number) or more, and at most %d bytes",
                           program->name, program->module[from].name, program->module[to].name, (long long)capacity,
                           size, INT32_MAX);
    }
    if (status != INLAY_OK) {
        return fails(program, status, diag);
    }
    program_ports *output = &program->module[from].out, *input = &program->module[to].in;
    if (program->channels == INT32_MAX / 2 || !reserve_port(output, out) || !reserve_port(input, in) ||
        !memory_grow((void **)&program->channel, &program->channels_room, program->channels + 1,
                     sizeof *program->channel)) {
        return no_memory(program, diag);
    }
    output->channel[out] = input->channel[in] = (int32_t)program->channels;
    program->channel[program->channels++] = (program_channel){from, to, out, in, size, capacity};
    return INLAY_OK;
}

/* ---- Ready to run ---- */

/* The parameters that it knows, for a message. */
static void list_parameters(const inlay_program *program, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < program->asked && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", program->parameter[i].name);
    }
}

int program_ready(const inlay_program *program, inlay_diag *diag)
{
    if (program->said[0] != '\0') {
        return diag_fail(diag, program->status, "%s", program->said);
    }
    if (program->status != INLAY_OK) {
        return diag_fail(diag, program->status, "%s: a part of the program could not be added", program->name);
    }
    if (program->parameters > program->asked) {
        char known[MESSAGE];
        list_parameters(program, known, sizeof known);
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: the program has no parameter '%s'; expected %s", program->name,
                         program->parameter[program->asked].name, program->asked == 0 ? "none" : known);
    }
    if (program->modules == 0) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%s: the program has no modules; expected one or more", program->name);
    }
    return INLAY_OK;
}
