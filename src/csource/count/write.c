/*
 * A C program that does as many operations: for each body that was counted one short loop.
 *
 * Each result goes into the next operation, and the last one decides about the program's exit status, so that no compiler
 * can leave something out. The numbers stay near 1/2: no operation meets what a processor is slow with.
 */
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include <inlay/csource.h>
#include <inttypes.h>

enum { UNROLLED = 24 /* operations of a body that are written out; more go in an inner loop */ };

static const char head[] = "/*\n"
                           " * As many arithmetic operations and function evaluations as %s does, in short loops.\n"
                           " * Written by `inlay compress`. Needs the mathematical library: cc -O2 FILE -lm\n"
                           " */\n"
                           "#include <math.h>\n";

static void write_arithmetic(text_buffer *to, int64_t count, const char *indent)
{
    for (int64_t i = 0; i < count; i++) {
        text_addf(to, i % 2 == 0 ? "%sx = x * a;\n" : "%sx = x + b;\n", indent);
    }
}

static void write_functions(text_buffer *to, int64_t count, const char *indent)
{
    for (int64_t i = 0; i < count; i++) {
        text_addf(to, "%sx = sin(x);\n", indent);
    }
}

/* So many operations, once: in an inner loop where they are many. */
static void write_many(text_buffer *to, int64_t count,
                       void (*write)(text_buffer *to, int64_t count, const char *indent), const char *indent,
                       const char *inner)
{
    if (count > UNROLLED) {
        text_addf(to, "%sfor (long long k = 0; k < %" PRId64 "; k++) {\n", indent, count / UNROLLED);
        write(to, UNROLLED, inner);
        text_addf(to, "%s}\n", indent);
        count %= UNROLLED;
    }
    write(to, count, indent);
}

/* What does not come to the same number each time is done once more, behind the loop. */
static void write_body(text_buffer *to, const inlay_counted_body *b)
{
    static const char one[] = "    ", two[] = "        ", three[] = "            ";
    if (b->times == 0 || (b->arithmetic == 0 && b->functions == 0)) {
        return;
    }
    text_addf(to,
              "\n    /* line %" PRId64 " of %s(): %" PRId64 " times %" PRId64 " arithmetic operations and %" PRId64
              " function evaluations */\n",
              b->line, b->function, b->times, b->arithmetic / b->times, b->functions / b->times);
    if (b->arithmetic >= b->times || b->functions >= b->times) {
        text_addf(to, "    for (long long i = 0; i < %" PRId64 "; i++) {\n", b->times);
        write_many(to, b->arithmetic / b->times, write_arithmetic, two, three);
        write_many(to, b->functions / b->times, write_functions, two, three);
        text_addf(to, "    }\n");
    }
    if (b->arithmetic % b->times != 0 || b->functions % b->times != 0) {
        text_addf(to, "    /* and the rest */\n");
        write_many(to, b->arithmetic % b->times, write_arithmetic, one, two);
        write_many(to, b->functions % b->times, write_functions, one, two);
    }
}

static void write_function(text_buffer *to, const inlay_counted_function *f)
{
    text_addf(to, "\n/* %" PRId64 " arithmetic operations and %" PRId64 " function evaluations */\n", f->arithmetic,
              f->functions);
    text_addf(to, "static double %s_work(double x, double a, double b)\n{", f->name);
    text_addf(to, "\n    (void)a, (void)b;\n");
    for (size_t i = 0; i < f->bodies; i++) {
        write_body(to, &f->body[i]);
    }
    text_addf(to, "    return x;\n}\n");
}

/* The compiler does not know how many words the program is called with, so that it computes nothing beforehand. */
static void write_main(text_buffer *to, const inlay_compression *c)
{
    text_addf(to, "\nint main(int words, char **word)\n{\n"
                  "    double a = words > 1000 ? 0.25 : 0.5, b = words > 1000 ? 0.5 : 0.25, x = 0.5;\n"
                  "    (void)word;\n");
    for (size_t i = 0; i < c->functions; i++) {
        text_addf(to, "    x = %s_work(x, a, b);\n", c->function[i].name);
    }
    text_addf(to, "    return x > 1000;\n}\n");
}

int inlay_compression_write_program(const inlay_compression *compression, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    text_addf(&text, head, compression->functions == 1 ? compression->function[0].name : "each of the functions below");
    for (size_t i = 0; i < compression->functions; i++) {
        write_function(&text, &compression->function[i]);
    }
    write_main(&text, compression);
    int status = text.failed ? diag_no_memory(diag) : file_write(path, text.data, text.size, diag);
    text_clear(&text);
    return status;
}
