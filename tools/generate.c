/* `inlay generate`: applications that are computed. */
#include "answer.h"
#include "commands.h"
#include "report.h"
#include <inlay/inlay.h>

typedef struct generate_values {
    common_values common;
    bool kinds;
    bool inputs;
    inlay_id sizes[INLAY_SIZES];
    const char *density, *rate, *heterogeneity, *ccr, *bandwidth;
    const char *format, *output;
} generate_values;

#define FIELD(name) offsetof(generate_values, name)
#define SIZE(place) (FIELD(sizes) + (place) * sizeof(inlay_id))

static const cli_option sizes[] = {
    {"size", 0, OPTION_COUNT, "N", "side of a matrix or grid, points, images, lanes, sites", NULL,
     SIZE(INLAY_SIZE_SIZE)},
    {"tiles", 0, OPTION_COUNT, "N", "tiles along a side of a matrix", NULL, SIZE(INLAY_SIZE_TILES)},
    {"tile", 0, OPTION_COUNT, "B", "elements along a side of a tile or block", NULL, SIZE(INLAY_SIZE_TILE)},
    {"dimensions", 0, OPTION_COUNT, "D", "of a grid: 1 to 3", NULL, SIZE(INLAY_SIZE_DIMENSIONS)},
    {"steps", 0, OPTION_COUNT, "N", "steps one after the other", NULL, SIZE(INLAY_SIZE_STEPS)},
    {"levels", 0, OPTION_COUNT, "N", "levels of a tree, or layers", NULL, SIZE(INLAY_SIZE_LEVELS)},
    {"degree", 0, OPTION_COUNT, "N", "children of a node, or inputs of a module on average", NULL,
     SIZE(INLAY_SIZE_DEGREE)},
    {"width", 0, OPTION_COUNT, "N", "modules side by side", NULL, SIZE(INLAY_SIZE_WIDTH)},
    {"modules", 0, OPTION_COUNT, "N", "modules in all", NULL, SIZE(INLAY_SIZE_MODULES)},
    {"density", 0, OPTION_NUMBERS, "P", "probability of a link, or of a second way beside one", NULL, FIELD(density)},
    {"work", 0, OPTION_COUNT, "N", "operations of a module, for kinds that have no kernel", NULL,
     SIZE(INLAY_SIZE_WORK)},
    {"bytes", 0, OPTION_COUNT, "N", "bytes of a link, for kinds that have no kernel", NULL, SIZE(INLAY_SIZE_BYTES)},
    {"element", 0, OPTION_COUNT, "BYTES", "bytes of an element of a tile: 4, 8 or 16", "8", SIZE(INLAY_SIZE_ELEMENT)},
    {"inputs", 0, OPTION_FLAG, NULL, "the tiles of the matrix are data blocks, which lie in memory at the start", NULL,
     FIELD(inputs)},
};
static const cli_group size_group = {"Sizes (each kind has its own; see --kinds)", sizes, sizeof sizes / sizeof *sizes};

static const cli_option weights[] = {
    {"rate", 0, OPTION_NUMBERS, "R", "operations a second: times become seconds",
     "a tick for each operation; workflows 1e9", FIELD(rate)},
    {"heterogeneity", 0, OPTION_NUMBERS, "H",
     "multiply the time of each module by a random factor from 1 - H/2 to 1 + H/2, H up to 2", "0",
     FIELD(heterogeneity)},
    {"ccr", 0, OPTION_NUMBERS, "C",
     "scale the traffic so that traffic / bandwidth is C times the sum of all module times", "as the kind has it",
     FIELD(ccr)},
    {"bandwidth", 0, OPTION_NUMBERS, "B", "reference for --ccr: bytes a second, or messages a tick",
     "1e9 bytes a second, 1 message a tick", FIELD(bandwidth)},
};
static const cli_group weight_group = {"Times and traffic", weights, sizeof weights / sizeof *weights};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write to FILE (.gz packs it)", "standard output", FIELD(output)},
    {"format", 0, OPTION_STRING, "FORMAT", "format to write; `inlay --version` lists them",
     "told by the extension of FILE, else dot", FIELD(format)},
    {"kinds", 0, OPTION_FLAG, NULL, "print the kinds, their sizes with defaults, and how large they get", NULL,
     FIELD(kinds)},
};
static const cli_group output_group = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- --kinds ---- */

enum { WIDTH = 80, INDENT = 4 };

static void print_sizes(const inlay_generator *kind)
{
    const char *separator = "    takes";
    for (int i = 0; i < INLAY_SIZES; i++) {
        if (kind->sizes[i].most != 0) {
            say(stdout, "%s --%s (%lld)", separator, inlay_size_name((inlay_size)i), (long long)kind->sizes[i].initial);
            separator = ",";
        }
    }
    if (kind->density >= 0) {
        say(stdout, "%s --density (%g)", separator, kind->density);
    }
    say(stdout, "%s", kind->inputs ? ", --inputs" : "");
    say(stdout, "\n");
}

static void print_kinds(void)
{
    for (size_t i = 0; i < inlay_generators(); i++) {
        inlay_generator kind = inlay_generator_at(i);
        say(stdout, "%s%s\n", i > 0 ? "\n" : "", kind.name);
        say_wrapped(stdout, kind.summary, 0, INDENT, WIDTH);
        print_sizes(&kind);
        say(stdout, "    modules: %s\n    links%s: %s\n", kind.modules, kind.drawn ? " on average" : "", kind.links);
    }
}

/* ---- Options ---- */

/* One number from an option that may hold a list; false with a message for anything else. Absent: as it was. */
static bool take_number(const invocation *call, const char *name, const char *text, double *number)
{
    const char *rest = text;
    double value;
    if (next_number(&rest, &value)) {
        *number = value;
    }
    if (rest != NULL) {
        (void)report_usage(call->command, "--%s %s: expected one number", name, text);
    }
    return rest == NULL;
}

static bool take_positive(const invocation *call, const char *name, const char *text, double *number)
{
    if (!take_number(call, name, text, number)) {
        return false;
    }
    bool zero = text != NULL && !(*number > 0);
    if (zero) {
        (void)report_usage(call->command, "--%s %s: expected a number above 0", name, text);
    }
    return !zero;
}

static bool take_options(const invocation *call, inlay_generator_options *options)
{
    const generate_values *values = call->values;
    *options = (inlay_generator_options){.kind = call->operands[0],
                                         .has_density = values->density != NULL,
                                         .inputs = values->inputs,
                                         .has_ccr = values->ccr != NULL,
                                         .seed = values->common.seed};
    for (int i = 0; i < INLAY_SIZES; i++) {
        options->sizes[i] = values->sizes[i];
    }
    return take_number(call, "density", values->density, &options->density) &&
           take_positive(call, "rate", values->rate, &options->rate) &&
           take_number(call, "heterogeneity", values->heterogeneity, &options->heterogeneity) &&
           take_number(call, "ccr", values->ccr, &options->ccr) &&
           take_positive(call, "bandwidth", values->bandwidth, &options->bandwidth);
}

/* ---- The command ---- */

static int write_app(const cli_answer *a, const char *path)
{
    const generate_values *values = a->call->values;
    return inlay_app_write(a->of, path, values->format, a->diag);
}

static const cli_output generate_files[] = {
    {"-o", FIELD(output), .always = true, .write = write_app},
    {0},
};

static int generate(const invocation *call, inlay_diag *diag)
{
    const generate_values *values = call->values;
    inlay_generator_options options;
    inlay_app *app = NULL;
    if (values->kinds) {
        print_kinds();
        return INLAY_OK;
    }
    if (call->operand_count == 0) {
        return report_usage(call->command, "KIND is missing");
    }
    if (!take_options(call, &options)) {
        return EXIT_USAGE;
    }
    int status = inlay_generate(&options, &app, diag);
    status = status == INLAY_OK ? give_out(call, app, diag) : status;
    inlay_app_free(app);
    return status;
}

const cli_command generate_command = {
    .name = "generate",
    .summary = "compute an application: factorisation, grid, tree, random, workflow",
    .description =
        "Writes an application graph of a kind and size: cholesky, lu, qr, fft, gauss, stencil, wavefront, in-tree, "
        "out-tree, fork-join, series-parallel, layered, erdos-renyi, montage, epigenomics or cybershake. The same "
        "options give the same bytes on every computer.\n"
        "Work is counted in operations. A tick is the time of one operation; with --rate, times are in seconds.\n"
        "cholesky with --size is the fine-grained graph of Houstis, Houstis and Rice, which has blocking times; with "
        "--tiles it is the tiled factorisation of dense linear algebra libraries.",
    .example = "inlay generate cholesky --size 4 -o cholesky4.dot\n"
               "inlay generate cholesky --tiles 10 --tile 128 --rate 2e9 -o tiles10.json.gz\n"
               "inlay generate layered --levels 8 --width 6 --ccr 0.5 --heterogeneity 1 --seed 7",
    .operands = {{.name = "KIND", .help = "the kind of graph; --kinds lists them", .optional = true, .word = true}},
    .groups = {&size_group, &weight_group, &output_group, &common_options},
    .values_size = sizeof(generate_values),
    .outputs = generate_files,
    .answer = generate,
};
