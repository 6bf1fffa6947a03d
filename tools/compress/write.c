/*
 * A C program that does as many operations: for each body that was counted one short loop.
 *
 * Each result goes into the next operation, and the last one decides about the program's exit status, so that no compiler
 * can leave something out. The numbers stay near 1/2: no operation meets what a processor is slow with.
 */
#include "compress.h"
#include "report.h"
#include <inttypes.h>
#include <stdio.h>

enum { UNROLLED = 24 /* operations of a body that are written out; more go in an inner loop */ };

static const char head[] = "/*\n"
                           " * As many arithmetic operations and function evaluations as %s does, in short loops.\n"
                           " * Written by `inlay compress`. Needs the mathematical library: cc -O2 FILE -lm\n"
                           " */\n"
                           "#include <math.h>\n";

static void write_arithmetic(FILE *to, int64_t count, const char *indent)
{
    for (int64_t i = 0; i < count; i++) {
        say(to, i % 2 == 0 ? "%sx = x * a;\n" : "%sx = x + b;\n", indent);
    }
}

static void write_functions(FILE *to, int64_t count, const char *indent)
{
    for (int64_t i = 0; i < count; i++) {
        say(to, "%sx = sin(x);\n", indent);
    }
}

/* So many operations, once: in an inner loop where they are many. */
static void write_many(FILE *to, int64_t count, void (*write)(FILE *to, int64_t count, const char *indent),
                       const char *indent, const char *inner)
{
    if (count > UNROLLED) {
        say(to, "%sfor (long long k = 0; k < %" PRId64 "; k++) {\n", indent, count / UNROLLED);
        write(to, UNROLLED, inner);
        say(to, "%s}\n", indent);
        count %= UNROLLED;
    }
    write(to, count, indent);
}

/* What does not come to the same number each time is done once more, behind the loop. */
static void write_body(FILE *to, const compression *c, const counted *of, int number)
{
    static const char one[] = "    ", two[] = "        ", three[] = "            ";
    const body_row *body = &c->program->row[number];
    const tally *t = &of->row[number];
    if (t->times == 0 || (t->arithmetic == 0 && t->functions == 0)) {
        return;
    }
    say(to,
        "\n    /* line %u of %s(): %" PRId64 " times %" PRId64 " arithmetic operations and %" PRId64
        " function evaluations */\n",
        body->line, c->program->function[body->function].name, t->times, t->arithmetic / t->times,
        t->functions / t->times);
    if (t->arithmetic >= t->times || t->functions >= t->times) {
        say(to, "    for (long long i = 0; i < %" PRId64 "; i++) {\n", t->times);
        write_many(to, t->arithmetic / t->times, write_arithmetic, two, three);
        write_many(to, t->functions / t->times, write_functions, two, three);
        say(to, "    }\n");
    }
    if (t->arithmetic % t->times != 0 || t->functions % t->times != 0) {
        say(to, "    /* and the rest */\n");
        write_many(to, t->arithmetic % t->times, write_arithmetic, one, two);
        write_many(to, t->functions % t->times, write_functions, one, two);
    }
}

static void write_function(FILE *to, const compression *c, const counted *of)
{
    say(to, "\n/* %" PRId64 " arithmetic operations and %" PRId64 " function evaluations */\n", of->arithmetic,
        of->functions);
    say(to, "static double %s_work(double x, double a, double b)\n{", c->program->function[of->function].name);
    say(to, "\n    (void)a, (void)b;\n");
    for (int i = 0; i < c->program->rows; i++) {
        write_body(to, c, of, i);
    }
    say(to, "    return x;\n}\n");
}

/* The compiler does not know how many words the program is called with, so that it computes nothing beforehand. */
static void write_main(FILE *to, const compression *c)
{
    say(to, "\nint main(int words, char **word)\n{\n"
            "    double a = words > 1000 ? 0.25 : 0.5, b = words > 1000 ? 0.5 : 0.25, x = 0.5;\n"
            "    (void)word;\n");
    for (int i = 0; i < c->count; i++) {
        say(to, "    x = %s_work(x, a, b);\n", c->program->function[c->at[i].function].name);
    }
    say(to, "    return x > 1000;\n}\n");
}

void compression_put(FILE *to, const void *of)
{
    const compression *c = of;
    say(to, head, c->count == 1 ? c->program->function[c->at[0].function].name : "each of the functions below");
    for (int i = 0; i < c->count; i++) {
        write_function(to, c, &c->at[i]);
    }
    write_main(to, c);
}
