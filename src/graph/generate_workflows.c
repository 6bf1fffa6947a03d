/*
 * Scientific workflows in the shape of Montage, Epigenomics and CyberShake (Bharathi, Chervenak, Deelman, Mehta, Su and
 * Vahi, WORKS 2008). Seconds and bytes are the means of that paper's synthetic instances Montage_1000, Epigenomics_24 and
 * CyberShake_1000; what a module gathers from many others grows with their number.
 */
#include "graph/generate.h"

/* Recorded seconds become work at so many operations a second. */
static const double nominal_rate = 1e9;

static inlay_id add_task(sketch *s, int type, double seconds, task_index index)
{
    return sketch_module(s, type, seconds * nominal_rate, index);
}

/* Links from `count` modules that stand `apart`, from `first` on. */
static void gather(sketch *s, inlay_id first, int64_t count, int64_t apart, int64_t bytes)
{
    for (int64_t i = 0; i < count; i++) {
        sketch_link(s, first + (inlay_id)(i * apart), bytes);
    }
}

/* The same of files that others read too. */
static void gather_data(sketch *s, inlay_id first, int64_t count, int64_t apart, int64_t bytes)
{
    for (int64_t i = 0; i < count; i++) {
        sketch_datum(s, first + (inlay_id)(i * apart), bytes);
    }
}

/* ---- Montage: size x size images of the sky, each overlapping its eight neighbours ---- */

enum { PROJECT, DIFF_FIT, CONCAT_FIT, BG_MODEL, BACKGROUND, IMGTBL, ADD, SHRINK, JPEG };
static const task_type montage_types[] = {
    {"mProject_", "mProject"}, {"mDiffFit_", "mDiffFit"},       {"mConcatFit", "mConcatFit"},
    {"mBgModel", "mBgModel"},  {"mBackground_", "mBackground"}, {"mImgtbl", "mImgtbl"},
    {"mAdd", "mAdd"},          {"mShrink", "mShrink"},          {"mJPEG", "mJPEG"}};

enum { IMAGE_BYTES = 8325000, FIT_BYTES = 288700, STATISTICS_BYTES = 210, CORRECTION_BYTES = 53, ROW_BYTES = 406 };
enum { MOSAIC_BYTES = 3670000, SHRUNKEN_BYTES = 73500 }; /* for each image */

static double overlaps(double n)
{
    return 2 * n * (n - 1) + 2 * (n - 1) * (n - 1);
}

static graph_counts count_montage(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_SIZE];
    return (graph_counts){2 * n * n + overlaps(n) + 6, 3 * overlaps(n) + 4 * n * n + 4};
}

/* The overlaps of an image with those right of it and below it. */
static void add_overlaps(sketch *s, int64_t n, int64_t y, int64_t x)
{
    static const int neighbours[4][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};
    for (int i = 0; i < 4; i++) {
        int64_t below = y + neighbours[i][0];
        int64_t right = x + neighbours[i][1];
        if (below < n && right >= 0 && right < n) {
            add_task(s, DIFF_FIT, 10.589, (task_index){2, {y * n + x, below * n + right}});
            sketch_datum(s, (inlay_id)(y * n + x), IMAGE_BYTES);
            sketch_datum(s, (inlay_id)(below * n + right), IMAGE_BYTES);
        }
    }
}

/* From all overlaps, how much lighter each image must be. */
static void add_corrections(sketch *s, int64_t images, int64_t differences)
{
    inlay_id concat = add_task(s, CONCAT_FIT, 0.08 * (double)differences, (task_index){0});
    gather(s, (inlay_id)images, differences, 1, FIT_BYTES);
    inlay_id model = add_task(s, BG_MODEL, 0.135 * (double)differences, (task_index){0});
    sketch_link(s, concat, STATISTICS_BYTES * differences);
    for (int64_t i = 0; i < images; i++) {
        add_task(s, BACKGROUND, 10.740, (task_index){1, {i}});
        sketch_datum(s, (inlay_id)i, IMAGE_BYTES);
        sketch_datum(s, model, CORRECTION_BYTES * images);
    }
}

/* The mosaic of `images` corrected images, the first of which is module `first`. */
static void add_mosaic(sketch *s, inlay_id first, int64_t images)
{
    double each = (double)images;
    inlay_id table = add_task(s, IMGTBL, 0.4 * each, (task_index){0});
    gather_data(s, first, images, 1, IMAGE_BYTES);
    inlay_id mosaic = add_task(s, ADD, 0.6 * each, (task_index){0});
    gather_data(s, first, images, 1, IMAGE_BYTES);
    sketch_link(s, table, ROW_BYTES * images);
    inlay_id shrunken = add_task(s, SHRINK, 0.134 * each, (task_index){0});
    sketch_link(s, mosaic, MOSAIC_BYTES * images);
    add_task(s, JPEG, 0.015 * each, (task_index){0});
    sketch_link(s, shrunken, SHRUNKEN_BYTES * images);
}

static void draw_montage(sketch *s, const inlay_generator_options *o)
{
    int64_t n = o->sizes[INLAY_SIZE_SIZE];
    for (int64_t i = 0; i < n * n; i++) {
        add_task(s, PROJECT, 13.575, (task_index){1, {i}});
    }
    for (int64_t y = 0; y < n; y++) {
        for (int64_t x = 0; x < n; x++) {
            add_overlaps(s, n, y, x);
        }
    }
    add_corrections(s, n * n, s->modules - n * n);
    add_mosaic(s, s->modules - (inlay_id)(n * n), n * n);
}

const generator montage_generator = {
    .offer = {.name = "montage",
              .summary = "mosaic of size x size images of the sky: every image overlaps its eight neighbours",
              .modules = "6 size^2 - 6 size + 8",
              .links = "16 size^2 - 18 size + 10",
              .sizes = {[INLAY_SIZE_SIZE] = {2, 5, INT32_MAX}},
              .density = -1,
              .rate = 1e9},
    .types = montage_types,
    .type_count = sizeof montage_types / sizeof *montage_types,
    .datum = "file",
    .count = count_montage,
    .draw = draw_montage,
};

/* ---- Epigenomics: `size` lanes of `width` chunks, each chunk a chain of four programs ---- */

enum { SPLIT, FILTER, SANGER, BFQ, MAP, MERGE, INDEX, PILEUP };
static const task_type epigenomics_types[] = {{"fastQSplit_", "fastQSplit"},
                                              {"filterContams_", "filterContams"},
                                              {"sol2sanger_", "sol2sanger"},
                                              {"fastq2bfq_", "fastq2bfq"},
                                              {"map_", "map"},
                                              {"mapMerge_", "mapMerge"},
                                              {"maqIndex", "maqIndex"},
                                              {"pileup", "pileup"}};

enum { CHAIN = 4, MAPPED_BYTES = 8970000, MERGED_BYTES = 8460000 /* for each chunk */, INDEX_BYTES = 642000 };

static graph_counts count_epigenomics(const inlay_generator_options *o)
{
    double lanes = (double)o->sizes[INLAY_SIZE_SIZE];
    double chunks = (double)o->sizes[INLAY_SIZE_WIDTH];
    double merged = lanes > 1;
    return (graph_counts){lanes * (CHAIN * chunks + 2) + merged + 2, lanes * (5 * chunks + merged) + 2};
}

/* A lane is taken apart, its chunks are mapped, the maps are merged; the number of the merging module. */
static inlay_id add_lane(sketch *s, int64_t lane, int64_t chunks)
{
    static const double seconds[CHAIN] = {8.906, 3.448, 4.814, 3227.658};
    static const int64_t bytes[CHAIN] = {89400000, 44300000, 33700000, 8450000};
    inlay_id split = add_task(s, SPLIT, 20.704 * (double)chunks, (task_index){1, {lane}});
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        inlay_id before = split;
        for (int link = 0; link < CHAIN; link++) {
            inlay_id task = add_task(s, FILTER + link, seconds[link], (task_index){2, {lane, chunk}});
            sketch_link(s, before, bytes[link]);
            before = task;
        }
    }
    inlay_id merge = add_task(s, MERGE, 3.446 * (double)chunks, (task_index){1, {lane}});
    gather(s, split + CHAIN, chunks, CHAIN, MAPPED_BYTES);
    return merge;
}

static void draw_epigenomics(sketch *s, const inlay_generator_options *o)
{
    int64_t lanes = o->sizes[INLAY_SIZE_SIZE];
    int64_t chunks = o->sizes[INLAY_SIZE_WIDTH];
    inlay_id merged = 0;
    for (int64_t lane = 0; lane < lanes && !s->failed; lane++) {
        merged = add_lane(s, lane, chunks);
    }
    if (lanes > 1) {
        int64_t apart = CHAIN * chunks + 2;
        merged = add_task(s, MERGE, 3.446 * (double)(lanes * chunks), (task_index){1, {lanes}});
        gather(s, (inlay_id)(apart - 1), lanes, apart, MERGED_BYTES * chunks);
    }
    inlay_id index = add_task(s, INDEX, 0.05, (task_index){0});
    sketch_link(s, merged, MERGED_BYTES * lanes * chunks);
    add_task(s, PILEUP, 1375.22, (task_index){0});
    sketch_link(s, index, INDEX_BYTES);
}

const generator epigenomics_generator = {
    .offer = {.name = "epigenomics",
              .summary = "size lanes of width chunks of DNA, each filtered, converted and mapped, then merged",
              .modules = "size (4 width + 2) + 2, and 1 more where size > 1",
              .links = "5 size width + 2, and size more where size > 1",
              .sizes = {[INLAY_SIZE_SIZE] = {1, 1, INT32_MAX}, [INLAY_SIZE_WIDTH] = {1, 5, INT32_MAX}},
              .density = -1,
              .rate = 1e9},
    .types = epigenomics_types,
    .type_count = sizeof epigenomics_types / sizeof *epigenomics_types,
    .count = count_epigenomics,
    .draw = draw_epigenomics,
};

/* ---- CyberShake: `size` strain tensors, `width` ruptures of each ---- */

enum { EXTRACT, SYNTHESIS, PEAK, ZIP_SEISMOGRAMS, ZIP_PEAKS };
static const task_type cybershake_types[] = {{"ExtractSGT_", "ExtractSGT"},
                                             {"SeismogramSynthesis_", "SeismogramSynthesis"},
                                             {"PeakValCalc_", "PeakValCalc"},
                                             {"ZipSeis", "ZipSeis"},
                                             {"ZipPSA", "ZipPSA"}};

enum { TENSOR_BYTES = 534960000, SEISMOGRAM_BYTES = 24000, PEAK_BYTES = 216 };

static graph_counts count_cybershake(const inlay_generator_options *o)
{
    double sites = (double)o->sizes[INLAY_SIZE_SIZE];
    double ruptures = sites * (double)o->sizes[INLAY_SIZE_WIDTH];
    return (graph_counts){sites + 2 * ruptures + 2, 4 * ruptures};
}

static void draw_cybershake(sketch *s, const inlay_generator_options *o)
{
    int64_t sites = o->sizes[INLAY_SIZE_SIZE];
    int64_t width = o->sizes[INLAY_SIZE_WIDTH];
    inlay_id first = (inlay_id)sites;
    for (int64_t site = 0; site < sites; site++) {
        add_task(s, EXTRACT, 126.12, (task_index){1, {site}});
    }
    for (int64_t i = 0; i < sites * width && !s->failed; i++) {
        task_index index = {2, {i / width, i % width}};
        inlay_id synthesis = add_task(s, SYNTHESIS, 43.653, index);
        sketch_datum(s, (inlay_id)(i / width), TENSOR_BYTES);
        add_task(s, PEAK, 1.084, index);
        sketch_datum(s, synthesis, SEISMOGRAM_BYTES);
    }
    add_task(s, ZIP_SEISMOGRAMS, 0.0189 * (double)(sites * width), (task_index){0});
    gather_data(s, first, sites * width, 2, SEISMOGRAM_BYTES);
    add_task(s, ZIP_PEAKS, 0.00767 * (double)(sites * width), (task_index){0});
    gather(s, first + 1, sites * width, 2, PEAK_BYTES);
}

const generator cybershake_generator = {
    .offer = {.name = "cybershake",
              .summary = "seismic hazard: size strain tensors, width ruptures of each",
              .modules = "size + 2 size width + 2",
              .links = "4 size width",
              .sizes = {[INLAY_SIZE_SIZE] = {1, 4, INT32_MAX}, [INLAY_SIZE_WIDTH] = {1, 10, INT32_MAX}},
              .density = -1,
              .rate = 1e9},
    .types = cybershake_types,
    .type_count = sizeof cybershake_types / sizeof *cybershake_types,
    .datum = "file",
    .count = count_cybershake,
    .draw = draw_cybershake,
};
