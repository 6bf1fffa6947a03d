/* What the functions of <math.h> and <complex.h> count. */
#include "csource/tree.h"
#include <string.h>

typedef struct math_name {
    const char *name;
    int arithmetic, functions;
} math_name;

/* Without f or l at the end. An instruction or a few are arithmetic; what takes a series is a function. */
static const math_name names[] = {
    {"acos", 0, 1},     {"acosh", 0, 1},    {"asin", 0, 1},      {"asinh", 0, 1},      {"atan", 0, 1},
    {"atan2", 0, 1},    {"atanh", 0, 1},    {"cbrt", 0, 1},      {"cos", 0, 1},        {"cosh", 0, 1},
    {"erf", 0, 1},      {"erfc", 0, 1},     {"exp", 0, 1},       {"exp10", 0, 1},      {"exp2", 0, 1},
    {"expm1", 0, 1},    {"fmod", 0, 1},     {"hypot", 0, 1},     {"j0", 0, 1},         {"j1", 0, 1},
    {"jn", 0, 1},       {"lgamma", 0, 1},   {"log", 0, 1},       {"log10", 0, 1},      {"log1p", 0, 1},
    {"log2", 0, 1},     {"pow", 0, 1},      {"remainder", 0, 1}, {"remquo", 0, 1},     {"sin", 0, 1},
    {"sincos", 0, 2},   {"sinh", 0, 1},     {"sqrt", 0, 1},      {"tan", 0, 1},        {"tanh", 0, 1},
    {"tgamma", 0, 1},   {"y0", 0, 1},       {"y1", 0, 1},        {"yn", 0, 1},         {"cabs", 0, 1},
    {"cacos", 0, 1},    {"cacosh", 0, 1},   {"carg", 0, 1},      {"casin", 0, 1},      {"casinh", 0, 1},
    {"catan", 0, 1},    {"catanh", 0, 1},   {"ccos", 0, 1},      {"ccosh", 0, 1},      {"cexp", 0, 1},
    {"clog", 0, 1},     {"cpow", 0, 1},     {"csin", 0, 1},      {"csinh", 0, 1},      {"csqrt", 0, 1},
    {"ctan", 0, 1},     {"ctanh", 0, 1},    {"abs", 1, 0},       {"labs", 1, 0},       {"llabs", 1, 0},
    {"ceil", 1, 0},     {"copysign", 1, 0}, {"fabs", 1, 0},      {"fdim", 1, 0},       {"floor", 1, 0},
    {"fma", 2, 0},      {"fmax", 1, 0},     {"fmin", 1, 0},      {"ldexp", 1, 0},      {"llrint", 1, 0},
    {"llround", 1, 0},  {"lrint", 1, 0},    {"lround", 1, 0},    {"modf", 1, 0},       {"nearbyint", 1, 0},
    {"rint", 1, 0},     {"round", 1, 0},    {"trunc", 1, 0},     {"conj", 1, 0},       {"creal", 0, 0},
    {"cimag", 0, 0},    {"isnan", 0, 0},    {"isinf", 0, 0},     {"isinf_sign", 0, 0}, {"isfinite", 0, 0},
    {"isnormal", 0, 0}, {"signbit", 0, 0},  {"nan", 0, 0},       {"huge_val", 0, 0},   {"inf", 0, 0},
    {"expect", 0, 0},
};

static const math_name *look_up(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) == length && strncmp(names[i].name, name, length) == 0) return &names[i];
    }
    return NULL;
}

bool math_find(const char *name, math_counts *counts)
{
    static const char built_in[] = "__builtin_";
    if (strncmp(name, built_in, strlen(built_in)) == 0) {
        name += strlen(built_in);
    }
    size_t length = strlen(name);
    const math_name *found = look_up(name, length);
    if (found == NULL && length > 1 && (name[length - 1] == 'f' || name[length - 1] == 'l')) {
        found = look_up(name, length - 1);
    }
    if (found != NULL) {
        *counts = (math_counts){found->arithmetic, found->functions, strcmp(found->name, "pow") == 0};
    }
    return found != NULL;
}
