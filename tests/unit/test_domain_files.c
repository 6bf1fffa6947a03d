/* Program files: the examples against their formulas, and everything that callbacks give. */
#include "starve.h"
#include "unit.h"

#include "io/dot/program.h"
#include <inlay/domain.h>
#include <inlay/inlay.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inlay_domain_file *read_text(const char *text, const inlay_domain_parameter *given, size_t count)
{
    inlay_domain_file *file = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_program_from(text, strlen(text), "in.dot", given, count, &file, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return file;
}

static inlay_domain_file *read_example(const char *name, const inlay_domain_parameter *given, size_t count)
{
    char path[64];
    (void)snprintf(path, sizeof path, "graphs/%s.dot", name);
    inlay_domain_file *file = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_domain_read(path, given, count, &file, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    inlay_diag_free(diag);
    return file;
}

/* ---- What the callbacks of a domain must give ---- */

static void expect_units(const inlay_domain *d, int32_t computation, int64_t wanted)
{
    int64_t units = -1;
    ck_assert_int_eq(d->units(d->context, computation, &units, NULL), INLAY_OK);
    ck_assert_int_eq(units, wanted);
}

static void expect_work(const inlay_domain *d, int32_t processors, int32_t computation, double per_unit, double fixed)
{
    inlay_complexity work = {-1, -1};
    ck_assert_int_eq(d->work(d->context, processors, computation, &work, NULL), INLAY_OK);
    ck_assert_double_eq_tol(work.per_unit, per_unit, 1e-12 * per_unit);
    ck_assert_double_eq(work.fixed, fixed);
}

static void expect_cost(const inlay_domain *d, int32_t computation, const char *name, const char *type, double wanted)
{
    const inlay_metasystem_cluster cluster = {.name = name, .type = type};
    double time = -1;
    ck_assert_int_eq(d->arch_cost(d->context, computation, &cluster, &time, NULL), INLAY_OK);
    ck_assert_double_eq(time, wanted);
}

static void expect_bytes(const inlay_domain *d, int32_t processors, int32_t communication, double fixed,
                         double per_unit, double wanted_messages)
{
    inlay_complexity bytes = {-1, -1};
    double messages = -1;
    ck_assert_int_eq(d->bytes(d->context, processors, communication, &bytes, NULL), INLAY_OK);
    ck_assert_int_eq(d->messages(d->context, processors, communication, &messages, NULL), INLAY_OK);
    ck_assert_double_eq(bytes.fixed, fixed);
    ck_assert_double_eq(bytes.per_unit, per_unit);
    ck_assert_double_eq(messages, wanted_messages);
}

static void expect_pattern(const inlay_domain *d, int32_t communication, inlay_pattern wanted, int32_t overlap)
{
    inlay_pattern pattern = INLAY_PATTERN_RING;
    ck_assert_int_eq(d->pattern(d->context, communication, &pattern, NULL), INLAY_OK);
    ck_assert_int_eq((int)pattern, (int)wanted);
    ck_assert_int_eq(d->overlap(d->context, communication), overlap);
}

static void expect_cycles(const inlay_domain *d, int32_t processors, double wanted, double wanted_startup)
{
    double cycles = -1, startup = -1;
    ck_assert_int_eq(d->cycles(d->context, processors, &cycles, &startup, NULL), INLAY_OK);
    ck_assert_double_eq(cycles, wanted);
    ck_assert_double_eq_tol(startup, wanted_startup, 1e-9);
}

static void expect_dominant(const inlay_domain *d, int32_t processors, int32_t computation, int32_t communication)
{
    int32_t first = -7, second = -7;
    ck_assert_ptr_nonnull(d->dominant);
    ck_assert_int_eq(d->dominant(d->context, processors, &first, &second, NULL), INLAY_OK);
    ck_assert_int_eq(first, computation);
    ck_assert_int_eq(second, communication);
}

static void expect_parameter(const inlay_domain_file *file, size_t i, const char *name, double value)
{
    const inlay_domain_parameter *p = inlay_domain_file_parameter(file, i);
    ck_assert_ptr_nonnull(p);
    ck_assert_str_eq(p->name, name);
    ck_assert_double_eq(p->value, value);
}

/* ---- The examples ---- */

START_TEST(stencils_are_those_of_the_paper)
{
    static const double sizes[] = {60, 300, 600, 1200};
    for (int overlaps = 0; overlaps < 2; overlaps++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const inlay_domain_parameter n = {"N", sizes[i]};
            inlay_domain_file *file = read_example(overlaps ? "sten2" : "sten1", &n, 1);
            const inlay_domain *d = inlay_domain_of(file);
            ck_assert_str_eq(d->name, overlaps ? "sten2" : "sten1");
            ck_assert(d->time_unit == INLAY_UNIT_US && d->computations == 1 && d->communications == 1);
            ck_assert(!d->by_processors && d->dominant == NULL);
            ck_assert_str_eq(d->computation_name(d->context, 0), "sweep");
            ck_assert_str_eq(d->communication_name(d->context, 0), "exchange");
            expect_units(d, 0, (int64_t)sizes[i]);
            expect_work(d, 12, 0, 5 * sizes[i], 0);
            expect_cost(d, 0, "sparc2", NULL, 0.3);
            expect_cost(d, 0, "other", "ipc", 0.6);
            expect_cost(d, 0, "sparc2", "sparc10", 0); /* the type counts, and this one has no cost */
            expect_pattern(d, 0, INLAY_PATTERN_LINE, overlaps ? 0 : -1);
            expect_bytes(d, 12, 0, 4 * sizes[i], 0, 1);
            expect_cycles(d, 12, 100, 0);
            inlay_domain_file_free(file);
        }
    }
}
END_TEST

/* Figure 11: N rows and N - 1 cycles times the work of a row are all operations but one for every row and cycle. */
START_TEST(elimination_is_that_of_the_paper)
{
    static const double sizes[] = {128, 256, 512, 1024};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double n = sizes[i], all = 2.0 / 3 * n * n * n + n * (n - 1);
        const inlay_domain_parameter given = {"N", n};
        inlay_domain_file *file = read_example("elimination", &given, 1);
        const inlay_domain *d = inlay_domain_of(file);
        expect_units(d, 0, (int64_t)n);
        expect_work(d, 32, 0, all / (n * (n - 1)) - 1, 0);
        expect_cost(d, 0, "gamma", "i860", 0.18);
        expect_pattern(d, 0, INLAY_PATTERN_TREE, -1);
        expect_bytes(d, 32, 0, 4 * (n / 2), 0, 1);
        expect_cycles(d, 32, n - 1, 0);
        inlay_domain_file_free(file);
    }
}
END_TEST

START_TEST(the_sparse_program_has_four_phases)
{
    inlay_domain_file *file = read_example("sparse", NULL, 0);
    const inlay_domain *d = inlay_domain_of(file);
    ck_assert(d->computations == 2 && d->communications == 2);
    ck_assert_str_eq(d->computation_name(d->context, 0), "product");
    ck_assert_str_eq(d->computation_name(d->context, 1), "update");
    ck_assert_str_eq(d->communication_name(d->context, 1), "reduction");
    expect_units(d, 0, 20000);
    expect_units(d, 1, 20000);
    expect_work(d, 4, 0, 54, 0);
    expect_work(d, 4, 1, 12, 0);
    expect_cost(d, 0, "sparc2", NULL, 0);
    expect_pattern(d, 0, INLAY_PATTERN_LINE, 0);
    expect_pattern(d, 1, INLAY_PATTERN_TREE, -1);
    expect_bytes(d, 4, 0, 12000, 0, 1);
    expect_bytes(d, 4, 1, 16, 0, 1);
    expect_cycles(d, 4, 300, 0);
    expect_parameter(file, 0, "band", 1500);
    expect_parameter(file, 1, "iterations", 300);
    expect_parameter(file, 2, "nonzeros", 27);
    expect_parameter(file, 3, "rows", 20000);
    ck_assert_ptr_null(inlay_domain_file_parameter(file, 4));
    inlay_domain_file_free(file);
}
END_TEST

START_TEST(figure_13_is_read)
{
    inlay_domain_file *file = read_example("figure13", NULL, 0);
    const inlay_domain *d = inlay_domain_of(file);
    expect_units(d, 0, 100);
    expect_work(d, 1, 0, 9522, 0);
    expect_bytes(d, 1, 0, 100, 0, 1);
    ck_assert_ptr_null(inlay_domain_file_parameter(file, 0));
    inlay_domain_file_free(file);
}
END_TEST

/* ---- All that a file can say ---- */

#define P "digraph p { kind=program\n"

static const char rich[] =
    "digraph rich {\n"
    "  graph [kind=program, time_unit=ms, name=\"a rich one\", cycles=\"10*n\", startup=\"2us*n + 1s\",\n"
    "         parameters=\" n = 4, half=n / 2 ,most=max(n, half), step=3us \"];\n"
    "  node [shape=box];\n"
    "  a [kind=computation, numPDUs=\"n^2*most/half + 0\", comp_complexity=\"n*P\", comp_fixed=\"P - 1\",\n"
    "     arch_cost=\"0.5us\", \"arch_cost.fast cpu\"=\"half*step\"];\n"
    "  x [kind=communication, topology=ring, comm_complexity=8, comm_per_PDU=\"4/P\", messages=\"log2(P)\",\n"
    "     overlap=b];\n"
    "  b [kind=computation, dominant=yes, numPDUs=\"0.1*30\", comp_complexity=1, arch_cost=step];\n"
    "  y [kind=communication, topology=tree];\n"
    "  z [kind=communication, topology=\"1-D\", comm_complexity=\"20 - P\", dominant=no];\n"
    "  a -> x -> b -> y -> z;\n"
    "}\n";

START_TEST(everything_is_read)
{
    inlay_domain_file *file = read_text(rich, NULL, 0);
    const inlay_domain *d = inlay_domain_of(file);
    ck_assert_str_eq(d->name, "a rich one");
    ck_assert(d->time_unit == INLAY_UNIT_MS && d->by_processors);
    ck_assert(d->computations == 2 && d->communications == 3);
    expect_parameter(file, 0, "half", 2);
    expect_parameter(file, 1, "most", 4);
    expect_parameter(file, 2, "n", 4);
    expect_parameter(file, 3, "step", 0.003);
    ck_assert_ptr_null(inlay_domain_file_parameter(file, 4));
    expect_cycles(d, 3, 40, 1000.008);
    expect_units(d, 0, 32);
    expect_units(d, 1, 3); /* 0.1*30 is rounded on the way */
    expect_work(d, 5, 0, 20, 4);
    expect_work(d, 1, 0, 4, 0);
    expect_work(d, 9, 1, 1, 0);
    expect_cost(d, 0, "slow", NULL, 0.0005);
    expect_cost(d, 0, "c", "fast cpu", 0.006);
    expect_cost(d, 1, "c", "fast cpu", 0.003);
    expect_pattern(d, 0, INLAY_PATTERN_RING, 1);
    expect_pattern(d, 1, INLAY_PATTERN_TREE, -1);
    expect_pattern(d, 2, INLAY_PATTERN_LINE, -1);
    expect_bytes(d, 8, 0, 8, 0.5, 3);
    expect_bytes(d, 8, 1, 0, 0, 1);
    expect_bytes(d, 8, 2, 12, 0, 1);
    expect_dominant(d, 1, 1, 0);  /* messages of 8 + 4*3 and of 19 bytes */
    expect_dominant(d, 2, 1, 2);  /* 8 + 2*1.5 and 18 */
    expect_dominant(d, 15, 1, 0); /* 8 + and 5 */
    inlay_domain_file_free(file);
}
END_TEST

START_TEST(values_of_the_caller_take_the_place_of_the_files)
{
    const inlay_domain_parameter given[] = {{"n", 10}, {"step", 7}};
    inlay_domain_file *file = read_text(rich, given, 2);
    expect_parameter(file, 0, "half", 5);
    expect_parameter(file, 1, "most", 10);
    expect_parameter(file, 2, "n", 10);
    expect_parameter(file, 3, "step", 7);
    inlay_domain_file_free(file);
    const inlay_domain_parameter half = {"half", 0.5};
    file = read_text(rich, &half, 1);
    expect_parameter(file, 1, "most", 4);
    inlay_domain_file_free(file);
    const inlay_domain_parameter open[] = {{"b", 2}, {"a", 1}};
    file = read_text(P "parameters=\"a, b, c=a+b, d=1/(a - 1)\"; s [kind=computation, numPDUs=c, comp_complexity=1] }",
                     (const inlay_domain_parameter[]){{"b", 2}, {"a", 3}}, 2);
    expect_parameter(file, 2, "c", 5);
    inlay_domain_file_free(file);
    file = read_text(P "parameters=\"a, b, c=1/0\"; s [kind=computation, numPDUs=b, comp_complexity=1] }",
                     (const inlay_domain_parameter[]){open[0], open[1], {"c", 3}}, 3);
    expect_units(inlay_domain_of(file), 0, 2);
    inlay_domain_file_free(file);
}
END_TEST

/* The largest phase of the kind that is not marked, the first of equals. */
START_TEST(the_other_dominant_phase_is_the_largest)
{
    inlay_domain_file *file =
        read_text(P "m [kind=communication, topology=tree, dominant=yes];\n"
                    "a [kind=computation, numPDUs=10, comp_complexity=5]; b [kind=computation, numPDUs=5, "
                    "comp_complexity=10, comp_fixed=1]; c [kind=computation, numPDUs=51, comp_complexity=1] }",
                  NULL, 0);
    expect_dominant(inlay_domain_of(file), 2, 1, 0);
    inlay_domain_file_free(file);
    file = read_text(P "a [kind=computation, numPDUs=10, comp_complexity=5, dominant=yes] }", NULL, 0);
    expect_dominant(inlay_domain_of(file), 2, 0, -1);
    inlay_domain_file_free(file);
}
END_TEST

/* A default that is meant for the phases of one kind is none of the others'. */
START_TEST(defaults_serve_one_kind)
{
    inlay_domain_file *file =
        read_text(P "node [numPDUs=7, comp_complexity=2, topology=tree, comm_complexity=3]; a [kind=computation];\n"
                    "x [kind=communication]; y [kind=communication, topology=ring] }",
                  NULL, 0);
    const inlay_domain *d = inlay_domain_of(file);
    expect_units(d, 0, 7);
    expect_bytes(d, 1, 1, 3, 0, 1);
    expect_pattern(d, 1, INLAY_PATTERN_RING, -1);
    inlay_domain_file_free(file);
}
END_TEST

/* ---- Files ---- */

static const char *const examples[] = {"sten1", "sten2", "elimination", "sparse", "figure13"};

START_TEST(programs_are_no_applications)
{
    char path[64], wanted[200];
    (void)snprintf(path, sizeof path, "graphs/%s.dot", examples[_i]);
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read(path, NULL, &app, diag), INLAY_BAD_INPUT);
    (void)snprintf(wanted, sizeof wanted,
                   " this is a program that describes its phases (kind=program), which 'inlay select %s MACHINE' "
                   "takes; expected an application",
                   path);
    ck_assert_str_eq(strchr(strchr(inlay_diag_message(diag), ':') + 1, ':') + 1, wanted);
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    ck_assert_int_eq(inlay_machine_read(path, &machine, diag), INLAY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "takes; expected a machine"));
    inlay_diag_free(diag);
}
END_TEST

START_TEST(standard_input_is_read)
{
    FILE *input = tmpfile();
    static const char text[] = P "s [kind=computation, numPDUs=1, comp_complexity=\"1 - P\"] }";
    ck_assert_uint_eq(fwrite(text, 1, strlen(text), input), strlen(text));
    rewind(input);
    ck_assert_int_eq(dup2(fileno(input), STDIN_FILENO), STDIN_FILENO);
    inlay_domain_file *file = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_domain_read("-", NULL, 0, &file, diag), INLAY_OK);
    const inlay_domain *d = inlay_domain_of(file);
    inlay_complexity work;
    ck_assert_int_eq(d->work(d->context, 2, 0, &work, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), "standard input:2: comp_complexity of computation 's': '1 - P' is -1; "
                                               "expected a number that is not below 0");
    inlay_domain_file_free(file);
    inlay_domain_file_free(NULL);
    inlay_diag_free(diag);
    (void)fclose(input);
}
END_TEST

/* A file with bytes changed or cut off: it is read or refused in one line, its callbacks answer, and nothing leaks. */
START_TEST(damaged_files_do_no_harm)
{
    static char text[sizeof rich];
    uint64_t state = 9;
    for (int i = 0; i < 4000; i++) {
        size_t size = strlen(rich), cut = 0;
        memcpy(text, rich, size);
        for (int change = 0; change < 4; change++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            size_t at = (size_t)(state >> 33) % size;
            text[at] = change < (int)(state >> 61) ? " \"{}[]=;,-0x\\/*1a^()P"[(state >> 20) % 21] : text[at];
            cut = at;
        }
        size = i % 4 == 0 ? cut : size;
        inlay_domain_file *file = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = dot_program_from(text, size, "in.dot", NULL, 0, &file, diag);
        ck_assert(status == INLAY_OK ? file != NULL : status == INLAY_BAD_INPUT);
        ck_assert(status == INLAY_OK || strncmp(inlay_diag_message(diag), "in.dot:", 7) == 0);
        for (int32_t c = 0; file != NULL && c < inlay_domain_of(file)->computations; c++) {
            inlay_complexity work;
            const inlay_domain *d = inlay_domain_of(file);
            status = d->work(d->context, 3, c, &work, diag);
            ck_assert(status == INLAY_OK ? work.per_unit >= 0 && isfinite(work.per_unit) : status == INLAY_BAD_INPUT);
        }
        inlay_domain_file_free(file);
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- Memory ---- */

static int try_read(const void *subject)
{
    const inlay_domain_parameter given = {"n", 8};
    inlay_domain_file *file = NULL;
    int status = dot_program_from(subject, strlen(subject), "in.dot", &given, 1, &file, NULL);
    bool sound = (status == INLAY_OK) == (file != NULL);
    inlay_domain_file_free(file);
    return sound ? status : INLAY_SYSTEM;
}

START_TEST(reading_survives)
{
    starve(try_read, rich, 30);
}
END_TEST

#define TABLE(test, rows) tcase_add_loop_test(all, test, 0, sizeof(rows) / sizeof *(rows))

Suite *suite_domain_files(void)
{
    Suite *suite = suite_create("domain_files");
    TCase *all = tcase_create("domain_files");
    tcase_add_test(all, stencils_are_those_of_the_paper);
    tcase_add_test(all, elimination_is_that_of_the_paper);
    tcase_add_test(all, the_sparse_program_has_four_phases);
    tcase_add_test(all, figure_13_is_read);
    tcase_add_test(all, everything_is_read);
    tcase_add_test(all, values_of_the_caller_take_the_place_of_the_files);
    tcase_add_test(all, the_other_dominant_phase_is_the_largest);
    tcase_add_test(all, defaults_serve_one_kind);
    TABLE(programs_are_no_applications, examples);
    tcase_add_test(all, standard_input_is_read);
    tcase_add_test(all, damaged_files_do_no_harm);
    tcase_add_test(all, reading_survives);
    suite_add_tcase(suite, all);
    return suite;
}
