/*
 * Performance models of StarPU, as its versions 1.2 to 1.4 keep them: lines of numbers between comments. For each combination of
 * devices: how many they are, and each one's type, number and cores; how many implementations; for each how many sizes were
 * measured, two lines of regressions, a line of coefficients, and for each size: hash, bytes, operations, mean in us, deviation,
 * sum, sum of squares, count.
 */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/starpu/starpu.h"
#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 16, MOST_COUNT = 100000 };

/* In the order of StarPU's numbers of them. */
const char *const starpu_types[STARPU_TYPES] = {"cpu",      "cuda",   "opencl",   "mic",
                                                "max_fpga", "mpi_ms", "tcpip_ms", "hip"};

static int type_of(double number)
{
    return number >= 0 && number < STARPU_TYPES && trunc(number) >= number ? (int)number : -1;
}

/* ---- The folder ---- */

void starpu_folder_clear(starpu_folder *folder)
{
    free(folder->path);
    *folder = (starpu_folder){.asked = NULL};
}

static char *join(const char *folder, const char *name)
{
    text_buffer path = {0};
    text_addf(&path, "%s/%s", folder, name);
    if (path.failed) {
        text_clear(&path);
    }
    return path.data;
}

/* The highest number among the folders of FOLDER/codelets, one for each version of the format; -1 where there is none. */
static int newest_version(const char *codelets)
{
    int newest = -1;
    DIR *all = opendir(codelets);
    for (struct dirent *at;
         all != NULL && (at = readdir(all)) != NULL;) { // NOLINT(concurrency-mt-unsafe): a stream of its own
        char *end;
        long version = strtol(at->d_name, &end, 10);
        if (end != at->d_name && *end == '\0' && version >= 0 && version < MOST_COUNT && version > newest) {
            newest = (int)version;
        }
    }
    if (all != NULL) {
        (void)closedir(all);
    }
    return newest;
}

int starpu_folder_find(const inlay_starpu_models *asked, starpu_folder *folder, inlay_diag *diag)
{
    *folder = (starpu_folder){.asked = asked};
    char *codelets = join(asked->folder, "codelets"), number[16];
    if (codelets == NULL) {
        return diag_no_memory(diag);
    }
    int version = newest_version(codelets);
    (void)plain_print(number, sizeof number, "%d", version);
    folder->path = version >= 0 ? join(codelets, number) : memory_string(asked->folder);
    free(codelets);
    if (folder->path == NULL) {
        return diag_no_memory(diag);
    }
    DIR *there = opendir(folder->path);
    if (there == NULL) {
        return diag_fail(diag, INLAY_BAD_INPUT,
                         "%s: cannot be read (%s); expected a folder of models such as ~/.starpu/sampling",
                         folder->path, plain_error(errno));
    }
    (void)closedir(there);
    return INLAY_OK;
}

/* ---- The file of a codelet ---- */

/* A name takes its place among the first two in the order of letters. False when out of memory. */
static bool offer_name(char *name[2], const char *found)
{
    int place = name[0] == NULL || strcmp(found, name[0]) < 0   ? 0
                : name[1] == NULL || strcmp(found, name[1]) < 0 ? 1
                                                                : 2;
    char *copy = place < 2 ? memory_string(found) : NULL;
    if (place < 2 && copy == NULL) {
        return false;
    }
    if (place < 2) {
        free(name[1]);
        name[1] = place == 0 ? name[0] : copy;
        name[0] = place == 0 ? copy : name[0];
    }
    return true;
}

/* The computer on which it was measured, where that is one; *computer is NULL where it is none. */
static int find_computer(const starpu_folder *folder, const char *model, char **computer, inlay_diag *diag)
{
    size_t length = strlen(model);
    char *name[2] = {NULL, NULL};
    bool fine = true;
    int status = INLAY_OK;
    DIR *all = opendir(folder->path);
    for (struct dirent *at; fine && all != NULL && (at = readdir(all)) != NULL;) { // NOLINT(concurrency-mt-unsafe)
        const char *behind = at->d_name + length;
        if (strncmp(at->d_name, model, length) == 0 && behind[0] == '.' && strchr(behind + 1, '.') == NULL) {
            fine = offer_name(name, behind + 1);
        }
    }
    if (all != NULL) {
        (void)closedir(all);
    }
    if (!fine) {
        status = diag_no_memory(diag);
    } else if (name[1] != NULL) {
        status =
            diag_fail(diag, INLAY_BAD_ARGUMENT,
                      "%s: the codelet '%s' was measured on several computers, '%s' and '%s'; expected the name of one",
                      folder->path, model, name[0], name[1]);
    }
    *computer = status == INLAY_OK ? name[0] : NULL;
    free(status == INLAY_OK ? NULL : name[0]);
    free(name[1]);
    return status;
}

/* *path is NULL where the codelet has no model. */
static int find_file(const starpu_folder *folder, const char *model, char **path, inlay_diag *diag)
{
    char *found = NULL;
    const char *computer = folder->asked->computer;
    *path = NULL;
    if (model[0] == '\0' || strchr(model, '/') != NULL) {
        return INLAY_OK;
    }
    int status = computer == NULL ? find_computer(folder, model, &found, diag) : INLAY_OK;
    computer = computer == NULL ? found : computer;
    if (status == INLAY_OK && computer != NULL) {
        text_buffer to = {0};
        text_addf(&to, "%s/%s.%s", folder->path, model, computer);
        if (to.failed) {
            status = diag_no_memory(diag);
        } else if (file_exists(to.data)) {
            *path = to.data;
            to.data = NULL;
        }
        text_clear(&to);
    }
    free(found);
    return status;
}

/* ---- Its lines ---- */

typedef struct measurement {
    uint64_t hash;
    double size;
    double sum[STARPU_TYPES], count[STARPU_TYPES]; /* over the devices of a type: us, and how often */
    double squares[STARPU_TYPES];
} measurement;

typedef struct reader {
    const char *source;
    char *at;
    long line;
    double field[MOST_FIELDS];
    int fields;
    const char *first; /* the first field as it stands */
    starpu_codelet *codelet;
    measurement *of;
    size_t measurements, capacity;
    double law[STARPU_TYPES]; /* at the size wanted: sum over the devices of a type of what regressions say, in us */
    int laws[STARPU_TYPES], samples;
    inlay_diag *diag;
} reader;

static int fail(const reader *r, const char *expected)
{
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source, r->line, "this is no model of StarPU's; expected %s",
                        expected);
}

/* Whether two numbers that were read are the same. */
static bool same(double a, double b)
{
    return a >= b && a <= b;
}

/* The next line that is neither empty nor a comment, its numbers; the first may be a hash. False at the end. */
static bool next_line(reader *r)
{
    while (*r->at != '\0') {
        char *line = r->at, *end = line + strcspn(line, "\n");
        r->at = *end == '\0' ? end : end + 1;
        *end = '\0';
        r->line++;
        line = plain_trim(line, PLAIN_SPACES);
        if (*line == '\0' || *line == '#') {
            continue;
        }
        r->first = line;
        for (r->fields = 0; *line != '\0' && r->fields < MOST_FIELDS; r->fields++) {
            char *behind;
            r->field[r->fields] = plain_number(line, &behind);
            line += strcspn(line, PLAIN_SPACES);
            r->field[r->fields] = behind == line ? r->field[r->fields] : NAN;
            line += strspn(line, PLAIN_SPACES);
        }
        return true;
    }
    r->line++;
    return false;
}

/* A line of at least so many numbers. */
static int read_fields(reader *r, int fields, const char *expected)
{
    return next_line(r) && r->fields >= fields ? INLAY_OK : fail(r, expected);
}

static int read_count(reader *r, const char *what, int *count)
{
    int status = read_fields(r, 1, what);
    if (status == INLAY_OK && !(r->field[0] >= 0 && r->field[0] <= MOST_COUNT && trunc(r->field[0]) >= r->field[0])) {
        status = fail(r, what);
    }
    *count = status == INLAY_OK ? (int)r->field[0] : 0;
    return status;
}

static measurement *find_measurement(reader *r, uint64_t hash, double size)
{
    for (size_t i = 0; i < r->measurements; i++) {
        if (r->of[i].hash == hash && same(r->of[i].size, size)) {
            return &r->of[i];
        }
    }
    if (r->measurements == r->capacity &&
        !memory_grow((void **)&r->of, &r->capacity, r->measurements + 1, sizeof *r->of)) {
        return NULL;
    }
    r->of[r->measurements] = (measurement){.hash = hash, .size = size};
    return &r->of[r->measurements++];
}

/* The quickest implementation on one device, at a size. */
typedef struct quickest {
    uint64_t hash;
    double size, mean, deviation, count;
} quickest;

/* @param best  of the device, `*count` of them */
static int read_size(reader *r, quickest **best, size_t *count, size_t *capacity)
{
    static const double near = 0.01;
    enum { HASH, SIZE, FLOPS, MEAN, DEVIATION, SUM, SQUARES, TIMES, FIELDS };
    int status =
        read_fields(r, FIELDS, "a line of eight numbers: hash, size, flops, mean, deviation, sum, squares, count");
    if (status != INLAY_OK) {
        return status;
    }
    char *end;
    quickest q = {strtoull(r->first, &end, 16), r->field[SIZE], r->field[MEAN], r->field[DEVIATION], r->field[TIMES]};
    if (end == r->first || !plain_space(*end) || q.mean < 0 || q.mean > DBL_MAX || !(q.count >= 0 && q.count < 1e15)) {
        return fail(r, "a hash, a mean of 0 or more us and how often it was measured");
    }
    if (isnan(q.mean) || q.count < 1) {
        return INLAY_OK; /* StarPU has forgotten what it measured, since it was far off */
    }
    double squares = q.count * (q.mean * q.mean + q.deviation * q.deviation);
    r->codelet->rows++;
    r->codelet->odd += !(fabs(q.count * q.mean - r->field[SUM]) <= near * r->field[SUM]) ||
                       !(fabs(squares - r->field[SQUARES]) <= near * squares);
    for (size_t i = 0; i < *count; i++) {
        if ((*best)[i].hash == q.hash && same((*best)[i].size, q.size)) {
            (*best)[i] = q.mean < (*best)[i].mean ? q : (*best)[i];
            return INLAY_OK;
        }
    }
    if (*count == *capacity && !memory_grow((void **)best, capacity, *count + 1, sizeof **best)) {
        return diag_no_memory(r->diag);
    }
    (*best)[(*count)++] = q;
    return INLAY_OK;
}

/*
 * What the regressions of an implementation say at the size wanted: a size^b + c where StarPU has fitted that, else alpha
 * size^beta. NAN where there are none, or the size lies farther than a tenth outside of what was measured, as StarPU has it.
 */
static int read_regressions(reader *r, double *us)
{
    enum { ALPHA = 4, BETA, SAMPLES, LEAST, MOST, FIELDS };
    static const double least_samples = 10; /* StarPU's own limits: of samples, and of how far they lie apart */
    double size = r->codelet->wanted;
    int status = read_fields(r, 1, "the numbers of a regression");
    bool in = status == INLAY_OK && r->fields >= FIELDS && size > 0 && r->field[SAMPLES] >= least_samples &&
              r->field[LEAST] < 0.9 * r->field[MOST] && size >= 0.9 * r->field[LEAST] && size <= 1.1 * r->field[MOST];
    double linear = in ? r->field[ALPHA] * pow(size, r->field[BETA]) : NAN;
    int samples = in ? (int)fmin(r->field[SAMPLES], MOST_COUNT) : 0;
    status = status == INLAY_OK ? read_fields(r, 1, "the numbers of a regression that is not linear") : status;
    double other =
        in && status == INLAY_OK && r->fields >= 3 ? r->field[0] * pow(size, r->field[1]) + r->field[2] : NAN;
    *us = isfinite(other) && other >= 0 ? other : isfinite(linear) && linear >= 0 ? linear : NAN;
    r->samples = !isnan(*us) && samples > r->samples ? samples : r->samples;
    return status;
}

static int read_implementation(reader *r, quickest **best, size_t *count, size_t *capacity, double *law)
{
    int sizes;
    double us = NAN;
    int status = read_count(r, "how many sizes were measured", &sizes);
    status = status == INLAY_OK ? read_regressions(r, &us) : status;
    *law = fmin(*law, us); /* the other one where one is NAN */
    status = status == INLAY_OK ? read_fields(r, 1, "the coefficients of a regression of several parameters") : status;
    for (int i = 0; status == INLAY_OK && i < sizes; i++) {
        status = read_size(r, best, count, capacity);
    }
    return status;
}

/* The type of a combination of one device with one core; -1 of others. */
static int read_devices(reader *r, int *type)
{
    int devices;
    int status = read_count(r, "how many devices a combination has", &devices);
    *type = -1;
    for (int d = 0; status == INLAY_OK && d < devices; d++) {
        int cores;
        status = read_fields(r, 1, "the type of a device");
        int own = status == INLAY_OK ? type_of(r->field[0]) : -1;
        status = status == INLAY_OK ? read_fields(r, 1, "the number of a device") : status;
        status = status == INLAY_OK ? read_count(r, "the cores of a device", &cores) : status;
        *type = status == INLAY_OK && devices == 1 && cores == 1 ? own : -1;
    }
    return status;
}

static int read_combination(reader *r, starpu_folder *folder)
{
    quickest *best = NULL;
    size_t count = 0, capacity = 0;
    int type, implementations = 0;
    double law = NAN;
    int status = read_devices(r, &type);
    status = status == INLAY_OK ? read_count(r, "how many implementations there are", &implementations) : status;
    for (int i = 0; status == INLAY_OK && i < implementations; i++) {
        status = read_implementation(r, &best, &count, &capacity, &law);
    }
    if (status == INLAY_OK && type >= 0 && !isnan(law)) {
        r->law[type] += law;
        r->laws[type]++;
    }
    folder->combinations += status == INLAY_OK && type < 0;
    for (size_t i = 0; status == INLAY_OK && type >= 0 && i < count; i++) {
        measurement *m = find_measurement(r, best[i].hash, best[i].size);
        if (m == NULL) {
            status = diag_no_memory(r->diag);
            break;
        }
        m->sum[type] += best[i].mean * best[i].count;
        m->count[type] += best[i].count;
        m->squares[type] += best[i].count * (best[i].mean * best[i].mean + best[i].deviation * best[i].deviation);
    }
    free(best);
    return status;
}

/* ---- Which size ---- */

static double times_measured(const measurement *m)
{
    double count = 0;
    for (int t = 0; t < STARPU_TYPES; t++) {
        count += m->count[t];
    }
    return count;
}

/* That which is wanted, where it was measured. Of equal ones the first. */
static const measurement *choose(const reader *r, inlay_starpu_size by)
{
    const measurement *chosen = NULL;
    for (size_t i = 0; r->of != NULL && i < r->measurements; i++) {
        const measurement *m = &r->of[i];
        if (r->codelet->wanted > 0 && same(m->size, r->codelet->wanted)) {
            return m;
        }
        bool better = chosen == NULL || (by == INLAY_STARPU_LARGEST    ? m->size > chosen->size
                                         : by == INLAY_STARPU_SMALLEST ? m->size < chosen->size
                                                                       : times_measured(m) > times_measured(chosen));
        chosen = better ? m : chosen;
    }
    return chosen;
}

static const double micro = 1e-6;

/* A size that was not measured: what regressions say, where they say something for each type that has times. */
static void take_laws(const reader *r, starpu_codelet *codelet)
{
    bool any = false;
    for (int t = 0; t < STARPU_TYPES; t++) {
        if (r->laws[t] == 0 && codelet->measured > 0 && !isnan(codelet->seconds[t])) {
            return;
        }
        any = any || r->laws[t] > 0;
    }
    for (int t = 0; any && t < STARPU_TYPES; t++) {
        codelet->seconds[t] = r->laws[t] > 0 ? micro * r->law[t] / r->laws[t] : NAN;
        codelet->deviation[t] = 0;
    }
    if (any) {
        codelet->measured = r->samples;
        codelet->size = codelet->wanted;
    }
}

static int read_file(reader *r, starpu_folder *folder, starpu_codelet *codelet)
{
    int version, combinations;
    if (r->at[strspn(r->at, PLAIN_SPACES)] == '\0') {
        return INLAY_OK; /* as StarPU leaves a model that it did not calibrate */
    }
    int status = read_count(r, "the version of the format", &version);
    status = status == INLAY_OK ? read_count(r, "how many combinations of devices there are", &combinations) : status;
    for (int i = 0; status == INLAY_OK && i < combinations; i++) {
        status = read_combination(r, folder);
    }
    const measurement *m = status == INLAY_OK ? choose(r, folder->asked->size) : NULL;
    for (int t = 0; m != NULL && t < STARPU_TYPES; t++) {
        double mean = m->sum[t] / m->count[t], square = m->squares[t] / m->count[t] - mean * mean;
        codelet->seconds[t] = m->count[t] > 0 ? micro * mean : NAN;
        codelet->deviation[t] = square > 0 ? micro * sqrt(square) : 0; /* also where it is not known */
    }
    codelet->measured = m != NULL ? (int64_t)times_measured(m) : 0;
    codelet->sizes = (int)r->measurements;
    codelet->size = m != NULL ? m->size : 0;
    if (m == NULL || !same(m->size, codelet->wanted)) {
        take_laws(r, codelet);
    }
    return status;
}

int starpu_model_read(starpu_folder *folder, starpu_codelet *codelet, inlay_diag *diag)
{
    char *path;
    file_content content;
    codelet->measured = codelet->rows = codelet->odd = 0;
    int status = find_file(folder, codelet->name, &path, diag);
    if (status != INLAY_OK || path == NULL) {
        return status;
    }
    status = file_read(path, &content, diag);
    if (status == INLAY_OK) {
        reader r = {.source = path, .at = content.data, .codelet = codelet, .diag = diag};
        status = read_file(&r, folder, codelet);
        free(r.of);
        file_content_clear(&content);
    }
    free(path);
    return status;
}

bool starpu_is_measured(const starpu_codelet *codelet, int type)
{
    return codelet->measured > 0 && !isnan(codelet->seconds[type]);
}
