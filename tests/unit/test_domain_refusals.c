/* Program files that are none, and numbers that cannot be: every complaint. */
#include "unit.h"

#include "io/dot/program.h"
#include <inlay/domain.h>
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define P "digraph p { kind=program\n"

static inlay_domain_file *read_text(const char *text, const inlay_domain_parameter *given, size_t count)
{
    inlay_domain_file *file = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_program_from(text, strlen(text), "in.dot", given, count, &file, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return file;
}

/* ---- Files that are none ---- */

#define S "s [kind=computation, numPDUs=1, comp_complexity=1]"
#define NODE_EXPECTED                                                                                                  \
    "expected one of kind, dominant, numPDUs, comp_complexity, comp_fixed, arch_cost, topology, "                      \
    "comm_complexity, comm_per_PDU, messages, overlap, algorithm, sizes, arch_cost.TYPE"
#define NAME_EXPECTED "expected letters, digits and _, no digit first, as in \"N=600, cells=5\""

static const struct {
    const char *dot, *message;
} hostile[] = {
    {"digraph p {\n kind=program; a [", "in.dot:2: syntax error near the end of the file; expected an attribute's name "
                                        "or ']'"},
    {"\ndigraph p { a [time=1] }",
     "in.dot:2: the graph has no attribute kind; expected a program, graph [kind=program], such as graphs/sten2.dot"},
    {"digraph p {\n kind=programme }", "in.dot:2: kind 'programme' is unknown; expected program"},
    {"graph p {\n kind=metasystem }",
     "in.dot:2: this is a metasystem (kind=metasystem); expected a program, as in 'inlay select PROGRAM MACHINE'"},
    {"graph p {\n network=bus }",
     "in.dot:2: this is a machine (network=bus); expected a program, graph [kind=program]"},
    {"digraph p {\n kind=program; cycle=3; " S " }", "in.dot:2: unknown attribute 'cycle', perhaps 'cycles'; expected "
                                                     "one of kind, name, time_unit, parameters, cycles, "
                                                     "startup"},
    {P "time_unit=h }", "in.dot:2: unknown time_unit 'h'; expected s, ms, us, ns or tick"},
    {"\n" P "}", "in.dot:2: no computations; expected at least one node with kind=computation"},
    {P "x [kind=communication, topology=tree] }",
     "in.dot:1: no computations; expected at least one node with kind=computation"},
    /* parameters */
    {P "parameters=\"N=\"; " S " }",
     "in.dot:2: parameter 'N': syntax error at the end of ''; expected a number, a name, a function or '('"},
    {P "parameters=\"=3\"; " S " }", "in.dot:2: parameter '' has a name that expressions cannot use; " NAME_EXPECTED},
    {P "parameters=\"N=1,\"; " S " }", "in.dot:2: parameter '' has a name that expressions cannot use; " NAME_EXPECTED},
    {P "parameters=\"2N=1\"; " S " }",
     "in.dot:2: parameter '2N' has a name that expressions cannot use; " NAME_EXPECTED},
    {P "parameters=\"a b=1\"; " S " }",
     "in.dot:2: parameter 'a b' has a name that expressions cannot use; " NAME_EXPECTED},
    {P "parameters=\"P=1\"; " S " }",
     "in.dot:2: parameter 'P' has the name of the number of processors; expected another name"},
    {P "parameters=\"N=1, M=2, N=3\"; " S " }", "in.dot:2: parameter 'N' is given twice; expected each once"},
    {P "\n parameters=\"N\"; " S " }",
     "in.dot:3: parameter 'N' has no value; expected one in the file or the caller's, as in -D NAME=NUMBER"},
    {P "parameters=\"N=M, M=2\"; " S " }", "in.dot:2: parameter 'N': unknown name 'M' in 'M'; expected numbers alone"},
    {P "parameters=\"N=2, M=N+P\"; " S " }", "in.dot:2: parameter 'M': unknown name 'P' in 'N+P'; expected one of N"},
    {P "parameters=\"N=2, M=1/(N-2)\"; " S " }",
     "in.dot:2: parameter 'M': division by zero in '1/(N-2)' with N = 2; expected a divisor other than 0"},
    {P "cycles=\"N\"; " S " }", "in.dot:2: cycles: unknown name 'N' in 'N'; expected one of P"},
    {P "startup=\"3 ticks\"; " S " }",
     "in.dot:2: startup: '3 ticks' in '3 ticks' is in ticks; expected seconds, or graph [time_unit=tick]"},
    /* phases */
    {P "a [knd=computation] }", "in.dot:2: unknown attribute 'knd', perhaps 'kind'; " NODE_EXPECTED},
    {P "a [\"arch_cost.\"=1] }",
     "in.dot:2: unknown attribute 'arch_cost.', perhaps 'arch_cost' or 'arch_cost.TYPE'; " NODE_EXPECTED},
    {P S "\n s -> b }", "in.dot:3: phase 'b' has no kind; expected kind=computation or kind=communication"},
    {P "a [kind=compute] }",
     "in.dot:2: kind 'compute' of phase 'a' is unknown; expected kind=computation or kind=communication"},
    {P S "\n s -> s [bytes=3] }", "in.dot:3: unknown attribute 'bytes'; expected Graphviz's alone"},
    {P "a [kind=computation, comp_complexity=1] }",
     "in.dot:2: computation 'a' has no numPDUs; expected how many units of data it has"},
    {P "a [kind=computation, numPDUs=1] }",
     "in.dot:2: computation 'a' does nothing; expected comp_complexity, the instructions on a unit of data"},
    {P "a [kind=computation, numPDUs=P, comp_complexity=1] }",
     "in.dot:2: numPDUs of computation 'a': unknown name 'P' in 'P'; expected numbers alone"},
    {P "a [kind=computation, numPDUs=1,\n comp_complexity=\"5*(N\"] }",
     "in.dot:3: comp_complexity of computation 'a': unknown name 'N' in '5*(N'; expected one of P"},
    {P "parameters=\"N=1\"; a [kind=computation, numPDUs=1, comp_fixed=\"5*(N\"] }",
     "in.dot:2: comp_fixed of computation 'a': syntax error at the end of '5*(N'; expected an operator or ')'"},
    {P "a [kind=computation, numPDUs=1, comp_complexity=1,\n\"arch_cost.x\"=\"3 h\"] }",
     "in.dot:3: arch_cost.x of computation 'a': '3 h' in '3 h' ends with letters that are no unit; expected a number, "
     "alone or with one of s, ms, us, ns, tick where it is a time"},
    {P "a [kind=computation, numPDUs=1, comp_complexity=\"3us\"] }",
     "in.dot:2: comp_complexity of computation 'a': '3us' in '3us' is a number and letters; expected an operator "
     "between them, as in 5*N"},
    {P "a [kind=computation, numPDUs=1, comp_complexity=1, dominant=maybe] }",
     "in.dot:2: dominant 'maybe' of computation 'a' is unknown; expected yes or no"},
    {P "node [kind=computation, numPDUs=1, comp_complexity=1]; a [dominant=yes];\n b [dominant=yes] }",
     "in.dot:3: dominant 'yes' of computation 'b' is said of another phase of its kind too; expected one dominant "
     "phase "
     "of each kind"},
    {P "a [kind=computation, numPDUs=1, comp_complexity=1, topology=tree] }",
     "in.dot:2: topology 'tree' of computation 'a' belongs to the other kind of phase; expected it in a communication"},
    {P S "x [kind=communication, topology=tree, \"arch_cost.x\"=1] }",
     "in.dot:2: arch_cost.x '1' of communication 'x' belongs to the other kind of phase; expected it in a computation"},
    {P S "x [kind=communication, topology=tree, numPDUs=1] }",
     "in.dot:2: numPDUs '1' of communication 'x' belongs to the other kind of phase; expected it in a computation"},
    {P S "x [kind=communication] }", "in.dot:2: communication 'x' has no topology; expected 1-D, ring, tree, "
                                     "all-to-all, allreduce, broadcast, 2-D or 3-D"},
    {P S "x [kind=communication, topology=\"4-D\"] }",
     "in.dot:2: topology '4-D' of communication 'x' is unknown; expected 1-D, ring, tree, all-to-all, allreduce, "
     "broadcast, 2-D or 3-D"},
    {P S "x [kind=communication, topology=tree, overlap=t] }",
     "in.dot:2: overlap 't' of communication 'x' is no computation; expected the name of one of this file"},
    {P S "x [kind=communication, topology=tree, overlap=x] }",
     "in.dot:2: overlap 'x' of communication 'x' is no computation; expected the name of one of this file"},
    {P S "x [kind=communication, topology=tree, comm_complexity=\"4N\"] }",
     "in.dot:2: comm_complexity of communication 'x': '4N' in '4N' is a number and letters; expected an operator "
     "between "
     "them, as in 5*N"},
    {P S "x [kind=communication, topology=tree, messages=\"sum(1)\"] }",
     "in.dot:2: messages of communication 'x': unknown function 'sum' in 'sum(1)'; expected one of sqrt, log2, ln, "
     "exp, "
     "abs, floor, ceil, round, min, max"},
};

static void expect_refused(const char *dot, const inlay_domain_parameter *given, size_t count, int status,
                           const char *message)
{
    inlay_domain_file *file = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(dot_program_from(dot, strlen(dot), "in.dot", given, count, &file, diag), status);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_ptr_null(file);
    inlay_diag_free(diag);
}

START_TEST(bad_input_has_its_message)
{
    expect_refused(hostile[_i].dot, NULL, 0, INLAY_BAD_INPUT, hostile[_i].message);
}
END_TEST

START_TEST(wrong_parameters_are_refused)
{
    static const char text[] = P "parameters=\"N=1, cells=2\"; " S " }";
    expect_refused(text, (const inlay_domain_parameter[]){{"M", 1}}, 1, INLAY_BAD_ARGUMENT,
                   "in.dot has no parameter 'M'; expected one of N, cells");
    expect_refused(text, (const inlay_domain_parameter[]){{"P", 1}}, 1, INLAY_BAD_ARGUMENT,
                   "in.dot has no parameter 'P'; expected one of N, cells");
    expect_refused(P S " }", (const inlay_domain_parameter[]){{"M", 1}}, 1, INLAY_BAD_ARGUMENT,
                   "in.dot has no parameter 'M'; expected none");
    expect_refused(text, (const inlay_domain_parameter[]){{"N", 1}, {"cells", 1}, {"N", 1}}, 3, INLAY_BAD_ARGUMENT,
                   "parameter 'N' is given twice; expected each once");
    expect_refused(text, (const inlay_domain_parameter[]){{"N", INFINITY}}, 1, INLAY_BAD_ARGUMENT,
                   "parameter 'N' is inf; expected a finite number");
}
END_TEST

/* One more of each than there may be. */
START_TEST(too_many_are_refused)
{
    static const char *const heads[] = {"node [kind=computation, numPDUs=1, comp_complexity=1];\n",
                                        S "; node [kind=communication, topology=tree];\n"};
    static const char *const messages[] = {
        "in.dot:3: computation 'n64' is one too many; expected at most 64 computations",
        "in.dot:3: communication 'n64' is one too many; expected at most 64 "
        "communications"};
    for (int kind = 0; kind < 2; kind++) {
        char text[2000];
        size_t size = (size_t)snprintf(text, sizeof text, P "%s", heads[kind]);
        for (int i = 0; i < 64; i++) {
            size += (size_t)snprintf(text + size, sizeof text - size, "n%d;", i);
        }
        (void)snprintf(text + size, sizeof text - size, "}");
        inlay_domain_file_free(read_text(text, NULL, 0));
        (void)snprintf(text + size, sizeof text - size, "n64 }");
        expect_refused(text, NULL, 0, INLAY_BAD_INPUT, messages[kind]);
    }
    char text[2000];
    size_t size = (size_t)snprintf(text, sizeof text, P S " parameters=\"a0=0");
    for (int i = 1; i <= 64; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, ",a%d=%d", i, i);
    }
    (void)snprintf(text + size, sizeof text - size, "\" }");
    expect_refused(text, NULL, 0, INLAY_BAD_INPUT,
                   "in.dot:2: parameter 'a64' is one too many; expected at most 64 "
                   "parameters");
}
END_TEST

/* ---- What callbacks refuse ---- */

/* The name of a phase, an attribute and its expression; asked for 3 processors with N = 600. */
static const struct {
    const char *attribute, *value, *wrong;
} undefined[] = {
    {"numPDUs", "N/7", "'N/7' is 85.71428571428571; expected a whole number from 1 to 2^53"},
    {"numPDUs", "0", "'0' is 0; expected a whole number from 1 to 2^53"},
    {"numPDUs", "-N", "'-N' is -600; expected a whole number from 1 to 2^53"},
    {"numPDUs", "2^53 + 2", "'2^53 + 2' is 9007199254740994; expected a whole number from 1 to 2^53"},
    {"numPDUs", "1/(N - 600)", "division by zero in '1/(N - 600)' with N = 600; expected a divisor other than 0"},
    {"comp_complexity", "2 - P", "'2 - P' is -1; expected a number that is not below 0"},
    {"comp_complexity", "N / (P - 3)",
     "division by zero in 'N / (P - 3)' with N = 600, P = 3; expected a divisor other than 0"},
    {"comp_complexity", "0*N", "no instructions at all; expected comp_complexity or comp_fixed above 0"},
    {"comp_fixed", "-1", "'-1' is -1; expected a number that is not below 0"},
    {"arch_cost", "0", "'0' is 0; expected a number above 0"},
    {"arch_cost", "-1us", "'-1us' is -1e-06; expected a number above 0"},
    {"arch_cost", "ln(0)", "ln of 0 in 'ln(0)'; expected a number above 0"},
    {"arch_cost.c", "0*N", "'0*N' is 0; expected a number above 0"},
    {"comm_complexity", "-4*N", "'-4*N' is -2400; expected a number that is not below 0"},
    {"comm_per_PDU", "sqrt(-P)", "sqrt of -3 in 'sqrt(-P)' with P = 3; expected a number that is not below 0"},
    {"messages", "P - 3", "'P - 3' is 0; expected a number above 0"},
    {"messages", "10^N", "a number too large in '10^N' with N = 600; expected at most 1.79e308"},
    {"cycles", "N - 600", "'N - 600' is 0; expected a number above 0"},
    {"startup", "-1ms", "'-1ms' is -0.001; expected a number that is not below 0"},
};

/* All callbacks, one after the other, until one fails. */
static int ask(const inlay_domain *d, inlay_diag *diag)
{
    const inlay_metasystem_cluster cluster = {.name = "c"};
    int64_t units = -1;
    inlay_complexity work = {-1, -1}, bytes = {-1, -1};
    double cost = -1, messages = -1, cycles = -1, startup = -1;
    int status = d->units(d->context, 0, &units, diag);
    ck_assert_int_eq(units < 0, status != INLAY_OK);
    status = status != INLAY_OK ? status : d->work(d->context, 3, 0, &work, diag);
    ck_assert_int_eq(work.per_unit < 0 || work.fixed < 0, status != INLAY_OK);
    status = status != INLAY_OK ? status : d->arch_cost(d->context, 0, &cluster, &cost, diag);
    ck_assert_int_eq(cost < 0, status != INLAY_OK);
    status = status != INLAY_OK ? status : d->bytes(d->context, 3, 0, &bytes, diag);
    ck_assert_int_eq(bytes.per_unit < 0 || bytes.fixed < 0, status != INLAY_OK);
    status = status != INLAY_OK ? status : d->messages(d->context, 3, 0, &messages, diag);
    ck_assert_int_eq(messages < 0, status != INLAY_OK);
    status = status != INLAY_OK ? status : d->cycles(d->context, 3, &cycles, &startup, diag);
    ck_assert_int_eq(cycles < 0 || startup < 0, status != INLAY_OK);
    return status;
}

START_TEST(numbers_that_cannot_be_name_their_line)
{
    static const char *const attributes[] = {"numPDUs",   "comp_complexity", "comp_fixed",
                                             "arch_cost", "comm_complexity", "comm_per_PDU",
                                             "messages",  "cycles",          "startup"};
    const char *attribute = undefined[_i].attribute, *value = undefined[_i].value;
    char text[1000], wanted[300];
    bool graph = strcmp(attribute, "cycles") == 0 || strcmp(attribute, "startup") == 0;
    bool communication = strncmp(attribute, "comm_", 5) == 0 || strcmp(attribute, "messages") == 0;
    size_t size = (size_t)snprintf(text, sizeof text, P "parameters=\"N=600\"");
    for (int line = 0; line < 3; line++) { /* the graph's, the computation's, the communication's */
        bool here = graph ? line == 0 : communication ? line == 2 : line == 1;
        size += (size_t)snprintf(text + size, sizeof text - size, "%s",
                                 line == 0   ? "\ngraph [comment=c"
                                 : line == 1 ? "sweep [kind=computation, comp_fixed=0"
                                             : "exchange [kind=communication, topology=tree");
        if (here) {
            size += (size_t)snprintf(text + size, sizeof text - size, ",\n\"%s\"=\"%s\"", attribute, value);
        }
        for (int i = line == 1 ? 0 : 9; i < 2; i++) {
            if (strcmp(attributes[i], attribute) != 0) {
                size += (size_t)snprintf(text + size, sizeof text - size, ", %s=1", attributes[i]);
            }
        }
        size += (size_t)snprintf(text + size, sizeof text - size, "]\n");
    }
    (void)snprintf(text + size, sizeof text - size, "}\n");
    inlay_domain_file *file = read_text(text, NULL, 0);
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(ask(inlay_domain_of(file), diag), INLAY_BAD_INPUT);
    (void)snprintf(wanted, sizeof wanted, "in.dot:%d: %s%s: %s",
                   graph           ? 4
                   : communication ? 6
                                   : 5,
                   attribute,
                   graph           ? ""
                   : communication ? " of communication 'exchange'"
                                   : " of computation 'sweep'",
                   undefined[_i].wrong);
    ck_assert_str_eq(inlay_diag_message(diag), wanted);
    inlay_diag_free(diag);
    inlay_domain_file_free(file);
}
END_TEST

#define TABLE(test, rows) tcase_add_loop_test(all, test, 0, sizeof(rows) / sizeof *(rows))

Suite *suite_domain_refusals(void)
{
    Suite *suite = suite_create("domain_refusals");
    TCase *all = tcase_create("domain_refusals");
    TABLE(bad_input_has_its_message, hostile);
    tcase_add_test(all, wrong_parameters_are_refused);
    tcase_add_test(all, too_many_are_refused);
    TABLE(numbers_that_cannot_be_name_their_line, undefined);
    suite_add_tcase(suite, all);
    return suite;
}
