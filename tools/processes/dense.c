/* `inlay processes --kernel`: which process grid and which size of blocks for a dense kernel: the question. */
#include "processes.h"
#include "answer.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

int dense_check(const invocation *call)
{
    static const char *const others[] = {"--data", "--fit", "--beyond-hoho", "--whole-units", "--within",   "--grid",
                                         "--halo", "--svg", "--dimensions",  "--hostfile",    "--rankfile", "--points"};
    static const char *const own[] = {"--block", "--shape", "--rates", "--mflops", "--latency", "--per-byte"};
    const processes_values *values = call->values;
    bool dense = values->kernel != NULL;
    const char *const *wrong = dense ? others : own;
    size_t count = dense ? sizeof others / sizeof *others : sizeof own / sizeof *own;
    for (size_t i = 0; i < count; i++) {
        const char *option = wrong[i];
        if (call->given[command_find_option(call->command, option)] != NULL) {
            return report_usage(call->command, dense ? "%s does not go with --kernel" : "%s goes with --kernel",
                                option);
        }
    }
    return EXIT_DONE;
}

/* A whole number from 1 with at most 15 digits, behind which `*text` stands afterwards; 0 where there is none. */
static int64_t read_whole(const char **text)
{
    size_t digits = strspn(*text, "0123456789");
    int64_t number = digits >= 1 && digits <= 15 ? strtoll(*text, NULL, 10) : 0;
    *text += digits;
    return number;
}

/* "lu:8000" */
static int read_kernel(const invocation *call, inlay_dense_question *to)
{
    const char *text = ((const processes_values *)call->values)->kernel, *colon = strchr(text, ':');
    const char *rest = colon != NULL ? colon + 1 : "";
    to->order = read_whole(&rest);
    for (int kernel = INLAY_DENSE_LU; kernel <= INLAY_DENSE_MATMUL && colon != NULL; kernel++) {
        const char *name = inlay_dense_kernel_name((inlay_dense_kernel)kernel);
        if (strlen(name) == (size_t)(colon - text) && strncmp(name, text, strlen(name)) == 0 && to->order > 0 &&
            *rest == '\0') {
            to->kernel = (inlay_dense_kernel)kernel;
            return EXIT_DONE;
        }
    }
    return report_usage(call->command,
                        "--kernel %s: expected lu, cholesky or matmul, and the rows of the matrix, such as lu:8000",
                        text);
}

/* "2x4" */
static int read_shape(const invocation *call, inlay_dense_question *to)
{
    const char *text = ((const processes_values *)call->values)->shape, *rest = text;
    if (text == NULL) {
        return EXIT_DONE;
    }
    int64_t p = read_whole(&rest);
    bool cross = *rest == 'x';
    rest += cross;
    int64_t q = cross ? read_whole(&rest) : 0;
    if (p < 1 || q < 1 || *rest != '\0' || p > INLAY_DENSE_PROCESSORS || q > INLAY_DENSE_PROCESSORS) {
        return report_usage(call->command, "--shape %s: expected rows and columns of processes, such as 2x4", text);
    }
    to->shape[0] = (int32_t)p;
    to->shape[1] = (int32_t)q;
    return EXIT_DONE;
}

static int read_blocks(const invocation *call, inlay_dense_block *block, inlay_dense_question *to)
{
    const char *list = ((const processes_values *)call->values)->block;
    double size;
    list = list != NULL ? list : "16,32,64,128,256";
    while (next_number(&list, &size)) {
        if (to->blocks == INLAY_DENSE_BLOCKS || !(size >= 1 && size <= 0x1p40) || size != floor(size)) {
            return report_usage(call->command, "--block: expected at most %d whole numbers from 1 to 2^40",
                                INLAY_DENSE_BLOCKS);
        }
        block[to->blocks++].size = (int64_t)size;
    }
    to->block = block;
    return EXIT_DONE;
}

static int read_options(const invocation *call, inlay_dense_block *block, inlay_dense_question *to, double *mflops)
{
    const processes_values *values = call->values;
    int end = read_kernel(call, to);
    end = end == EXIT_DONE ? read_shape(call, to) : end;
    end = end == EXIT_DONE ? read_blocks(call, block, to) : end;
    to->from = values->min;
    to->to = values->max;
    if (end == EXIT_DONE && values->mflops != NULL) {
        const char *list = values->mflops;
        if (!next_number(&list, mflops) || list != NULL || !(*mflops > 0)) {
            return report_usage(call->command, "--mflops %s: expected a number above 0", values->mflops);
        }
    }
    return end;
}

/* ---- Rates ---- */

/* Share of the fastest speed: an update of 1000 x 1000 by the size of a block, and a panel of 1000 rows. Beyond the sizes
   that were measured it is that of the nearest one. */
static double share(const inlay_curve *curve, bool update, int64_t block, double fastest)
{
    const double rows = 1000;
    double first = (double)curve->point[0].size, last = (double)curve->point[curve->points - 1].size;
    double w = fmin(fmax((double)block, first), last), work = update ? 2 * rows * rows * w : w * w * (rows - w / 3);
    return work / inlay_curve_time(curve, (int64_t)w) / fastest;
}

static int read_rates(const invocation *call, inlay_dense_block *block, const inlay_dense_question *to,
                      inlay_diag *diag)
{
    const char *path = ((const processes_values *)call->values)->rates;
    inlay_curves *curves = NULL;
    const inlay_curve *of[2] = {NULL, NULL};
    double fastest = 0;
    int status = path != NULL ? inlay_curves_read(path, &curves, diag) : INLAY_OK;
    if (path == NULL || status != INLAY_OK) {
        return status;
    }
    for (size_t i = 0; i < curves->devices; i++) {
        const char *name = curves->curve[i].name;
        int kind = strcmp(name, "update") == 0 ? 0 : strcmp(name, "panel") == 0 ? 1 : 2;
        if (kind == 2) {
            say(stderr, "%s: a device '%-s'; expected 'update' and 'panel' alone\n", path, name);
            inlay_curves_free(curves);
            return EXIT_USAGE;
        }
        of[kind] = &curves->curve[i];
    }
    for (int32_t i = 0; i < to->processors; i++) {
        fastest = fmax(fastest, to->speed[i]);
    }
    for (size_t i = 0; i < to->blocks; i++) {
        block[i].update = of[0] != NULL ? share(of[0], true, block[i].size, fastest) : 1;
        block[i].panel = of[1] != NULL ? share(of[1], false, block[i].size, fastest) : block[i].update;
    }
    inlay_curves_free(curves);
    return INLAY_OK;
}

/* ---- The answer ---- */

static void take_machines(const invocation *call, const inlay_grid_machines *machines, inlay_dense_question *to)
{
    const processes_values *values = call->values;
    const inlay_grid_network *network = &machines->network;
    to->processors = machines->processors;
    to->speed = machines->speed;
    if (machines->networked) {
        to->latency = network->latency;
        to->per_byte = network->per_byte;
        to->single = network->wiring == INLAY_GRID_SINGLE;
    }
    to->latency = values->latency > 0 ? values->latency : to->latency;
    to->per_byte = values->per_byte > 0 ? values->per_byte : to->per_byte;
}

int dense_answer(const invocation *call, inlay_diag *diag)
{
    inlay_grid_machines *machines = NULL;
    inlay_dense_result *result = NULL;
    inlay_dense_question asked = {0};
    inlay_dense_block block[INLAY_DENSE_BLOCKS] = {{0}};
    double mflops = 0;
    int status = read_options(call, block, &asked, &mflops);
    if (status != EXIT_DONE) {
        return status;
    }
    status = inlay_grid_machines_read(call->operands[0], mflops, &machines, diag);
    if (status == INLAY_OK) {
        take_machines(call, machines, &asked);
        status = read_rates(call, block, &asked, diag);
    }
    status = status == INLAY_OK ? inlay_dense_ask(&asked, &result, diag) : status;
    status = status == INLAY_OK ? give_out(call, &(dense_found){result, machines}, diag) : status;
    inlay_dense_result_free(result);
    inlay_grid_machines_free(machines);
    return status;
}
