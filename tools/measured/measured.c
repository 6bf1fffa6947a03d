/* `inlay compare --measured`: what runs took beside what was predicted. */
#include "measured.h"
#include "answer.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>

/* Gives row `i` the number of its machine; a new one where no row before has it. */
static void number_machine(measured_runs *all, size_t i)
{
    for (size_t m = 0; m < all->machines; m++) {
        if (strcmp(measured_machine(all, m)->machine, all->rows[i].machine) == 0) {
            all->rows[i].number = m;
            return;
        }
        all->strings |= strcmp(measured_machine(all, m)->name, all->rows[i].name) == 0;
    }
    all->rows[i].number = all->machines;
    all->first[all->machines++] = i;
}

static int read_all(const invocation *call, measured_runs *all)
{
    all->rows = calloc((size_t)call->operand_count, sizeof *all->rows);
    all->first = calloc((size_t)call->operand_count, sizeof *all->first);
    if (all->rows == NULL || all->first == NULL) {
        return report_no_memory();
    }
    int end = EXIT_DONE;
    for (int i = 0; i < call->operand_count && end == EXIT_DONE; i++) {
        end = measured_read(call->operands[i], &all->rows[i]);
        if (end == EXIT_DONE) {
            all->count++;
            number_machine(all, (size_t)i);
        }
    }
    return end;
}

static void clear_all(measured_runs *all)
{
    for (size_t i = 0; i < all->count; i++) {
        measured_clear_row(&all->rows[i]);
    }
    free(all->rows);
    free(all->first);
    free(all->errors);
}

int measured_compare(const invocation *call, inlay_diag *diag)
{
    measured_runs all = {0};
    int end = read_all(call, &all);
    end = end == EXIT_DONE ? measured_sum_up(&all) : end;
    end = end == EXIT_DONE ? give_out(call, &all, diag) : end;
    clear_all(&all);
    return end;
}
