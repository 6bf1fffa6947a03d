/* The operands APP... MACHINE... of a command. */
#include "operands.h"
#include "allowed.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A machine's string has a colon behind its family; but what is there as a file is that file. */
static bool is_string(const char *operand)
{
    return strchr(operand, ':') != NULL && access(operand, F_OK) != 0;
}

/* Told apart by content. */
static int read_operand(operands *all, const char *operand, const char *format)
{
    size_t i = all->count++;
    all->diag[i] = new_diag();
    if (all->diag[i] == NULL) {
        return INLAY_NO_MEMORY;
    }
    int status = inlay_app_or_machine_read(operand, format, &all->app[i], &all->machine[i], all->diag[i]);
    const char *own = all->app[i] != NULL       ? inlay_app_name(all->app[i])
                      : all->machine[i] != NULL ? inlay_machine_name(all->machine[i])
                                                : operand;
    all->apps += all->app[i] != NULL;
    all->input[i] = (inlay_compare_input){all->app[i], all->machine[i], is_string(operand) ? operand : own, operand};
    return status;
}

/* Those of one name are called by their files. */
static void tell_apart(operands *all, size_t i)
{
    const char *name = all->input[i].name;
    for (size_t j = i + 1; j < all->count; j++) {
        if ((all->app[i] == NULL) == (all->app[j] == NULL) && strcmp(name, all->input[j].name) == 0) {
            all->input[i].name = all->input[i].source;
            all->input[j].name = all->input[j].source;
        }
    }
}

/* Reads all operands; where one cannot be read, it is the last. */
static int read_all(const invocation *call, const char *format, operands *all)
{
    size_t count = (size_t)call->operand_count;
    all->app = calloc(count, sizeof *all->app);
    all->machine = calloc(count, sizeof *all->machine);
    all->input = calloc(count, sizeof *all->input);
    all->diag = calloc(count + 1, sizeof *all->diag);
    bool room = all->app != NULL && all->machine != NULL && all->input != NULL && all->diag != NULL;
    int status = room ? INLAY_OK : INLAY_NO_MEMORY;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        status = read_operand(all, call->operands[i], format);
    }
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        tell_apart(all, i);
    }
    return status;
}

void operands_clear(operands *all)
{
    inlay_diag_free(all->diag != NULL ? all->diag[all->count] : NULL);
    for (size_t i = 0; all->diag != NULL && i < all->count; i++) {
        inlay_app_free(all->app[i]);
        inlay_machine_free(all->machine[i]);
        inlay_diag_free(all->diag[i]);
    }
    free(all->app);
    free(all->machine);
    free(all->input);
    free(all->diag);
}

int operands_read(const invocation *call, const char *format, double reference, operands *all)
{
    int status = read_all(call, format, all);
    if (status != INLAY_OK) {
        return all->count == 0 ? status : report_end(call, status, all->diag[all->count - 1]);
    }
    if (all->apps == 0 || all->apps == all->count) {
        return report_usage(call->command, "there is no %s among the operands", all->apps == 0 ? "APP" : "MACHINE");
    }
    inlay_diag *speeds = all->diag[all->count] = new_diag();
    if (speeds == NULL) {
        return INLAY_NO_MEMORY;
    }
    status = inlay_compare_speeds(all->app, all->machine, all->count, reference, speeds);
    return status == INLAY_OK ? INLAY_OK : report_end(call, status, speeds);
}

void operands_warn(const operands *all, inlay_diag *diag)
{
    for (size_t i = 0; i <= all->count; i++) {
        for (size_t w = 0; w < inlay_diag_warnings(all->diag[i]); w++) {
            inlay_diag_add_warning(diag, inlay_diag_warning(all->diag[i], w));
        }
    }
}
