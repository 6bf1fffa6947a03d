/* Files of curves: the measurements of a file of processor speeds, one process each, as time over size. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "io/perf/perf.h"
#include <inlay/curves.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_UNITS 0x1p53

/* The file's curves come first, so that they lead to what they own. */
typedef struct box {
    inlay_curves curves;
    inlay_curve *curve; /* of each device */
    inlay_curve_point **point;
    char **name;
    size_t types; /* that have points and a name */
} box;

void inlay_curves_free(inlay_curves *curves)
{
    box *b = (box *)curves;
    if (b == NULL) {
        return;
    }
    for (size_t i = 0; b->point != NULL && b->name != NULL && i < b->types; i++) {
        free(b->point[i]);
        free(b->name[i]);
    }
    free((void *)b->point);
    free((void *)b->name);
    free(b->curve);
    free(b);
}

/* ---- Points ---- */

static int by_size(const void *a, const void *b)
{
    const inlay_measurement *x = a, *y = b;
    return (x->data > y->data) - (x->data < y->data);
}

static int refuse(const perf_file *file, const perf_type *type, const char *text)
{
    return diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, type->line, "'%.80s' %s", type->name, text);
}

/* Measurements of one process; the others go. */
static size_t keep_single(perf_type *type)
{
    size_t kept = 0;
    for (size_t i = 0; i < type->measurements; i++) {
        if (type->measurement[i].processes == 1) {
            type->measurement[kept++] = type->measurement[i];
        }
    }
    size_t gone = type->measurements - kept;
    type->measurements = kept;
    return gone;
}

/* Those of one size become one, with the mean of their times. */
static int make_points(const perf_file *file, const perf_type *type, inlay_curve_point *point, size_t *points)
{
    size_t count = 0;
    int runs = 0;
    for (size_t i = 0; i < type->measurements; i++) {
        const inlay_measurement *m = &type->measurement[i];
        if (m->data != floor(m->data) || m->data > MOST_UNITS) {
            return refuse(file, type, "has a size that is no whole number up to 2^53; expected units");
        }
        bool again = count > 0 && point[count - 1].size == (int64_t)m->data;
        count += !again;
        runs = again ? runs + 1 : 1;
        inlay_curve_point *p = &point[count - 1];
        double time = m->data / m->speed;
        p->time = again ? p->time + (time - p->time) / runs : time;
        p->size = (int64_t)m->data;
    }
    *points = count;
    return INLAY_OK;
}

/* A constant speed is one point of a straight line. */
static int make_curve(const perf_file *file, perf_type *type, inlay_curve *curve, inlay_curve_point **made)
{
    size_t points = 1;
    if (type->like > 0 || type->numbers.c > 0) {
        return refuse(file, type, "is a formula or like another; expected sizes with times");
    }
    if (type->measurements == 0 && !(type->speed > 0)) {
        return refuse(file, type, "has no size with a time for one process; expected one");
    }
    inlay_curve_point *point = memory_array(type->measurements + 1, sizeof *point);
    if (point == NULL) {
        return diag_no_memory(file->diag);
    }
    *made = point;
    point[0] = (inlay_curve_point){1, type->speed > 0 ? 1 / type->speed : 0};
    if (type->measurements > 0) {
        qsort(type->measurement, type->measurements, sizeof *type->measurement, by_size);
    }
    int status = type->measurements > 0 ? make_points(file, type, point, &points) : INLAY_OK;
    double limit = type->unfit > 0 ? ceil(type->unfit) - 1 : 0;
    if (status == INLAY_OK && type->unfit > 0 && limit < (double)point[points - 1].size) {
        return refuse(file, type, "has a time for a size that does not fit; expected the limit above all times");
    }
    *curve =
        (inlay_curve){.name = type->name, .points = points, .point = point, .most = (int64_t)fmin(limit, MOST_UNITS)};
    return status;
}

/* ---- Devices ---- */

/* Errors of a curve say where it is. */
static int check_curve(const perf_file *file, const perf_type *type, const inlay_curve *curve)
{
    inlay_diag *own = inlay_diag_new();
    int status = own != NULL ? inlay_curve_check(curve, own) : diag_no_memory(file->diag);
    if (status == INLAY_BAD_ARGUMENT) {
        status = diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, type->line, "%s", inlay_diag_message(own));
    }
    inlay_diag_free(own);
    return status;
}

static int add_type(const perf_file *file, perf_type *type, box *b, size_t *room)
{
    size_t count = type->count > 0 ? (size_t)type->count : 1;
    inlay_curve curve = {0};
    if (count > INLAY_CURVE_DEVICES - b->curves.devices) {
        return diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, type->line,
                            "more than %d devices; expected at most so many", INLAY_CURVE_DEVICES);
    }
    int status = make_curve(file, type, &curve, &b->point[b->types]);
    b->name[b->types] = type->name;
    b->types++;
    type->name = NULL;
    status = status == INLAY_OK ? check_curve(file, type, &curve) : status;
    if (status == INLAY_OK && !memory_grow((void **)&b->curve, room, b->curves.devices + count, sizeof *b->curve)) {
        status = diag_no_memory(file->diag);
    }
    for (size_t i = 0; i < count && status == INLAY_OK; i++) {
        b->curve[b->curves.devices++] = curve;
    }
    return status;
}

static int make_devices(perf_file *file, inlay_curves **curves)
{
    box *b = memory_zeroed(1, sizeof *b);
    size_t room = 0, gone = 0;
    int status = INLAY_OK;
    if (b == NULL) {
        return diag_no_memory(file->diag);
    }
    if (!(b->point = memory_zeroed(file->types + 1, sizeof *b->point)) ||
        !(b->name = memory_zeroed(file->types + 1, sizeof *b->name))) {
        inlay_curves_free(&b->curves);
        return diag_no_memory(file->diag);
    }
    for (size_t i = 0; i < file->types && status == INLAY_OK; i++) {
        gone += keep_single(&file->type[i]);
        status = add_type(file, &file->type[i], b, &room);
    }
    if (status == INLAY_OK && b->curves.devices == 0) {
        status = diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, 0, "no devices; expected at least one");
    }
    if (status != INLAY_OK) {
        inlay_curves_free((inlay_curves *)b);
        return status;
    }
    if (gone > 0) {
        diag_warn(file->diag, "%s: %zu measurement%s of several processes %s left out: a curve has one process",
                  file->source, gone, gone == 1 ? "" : "s", gone == 1 ? "is" : "are");
    }
    b->curves.curve = b->curve;
    *curves = &b->curves;
    return INLAY_OK;
}

int inlay_curves_read(const char *path, inlay_curves **curves, inlay_diag *diag)
{
    DIAG_CALL(diag);
    file_content content = {0};
    int status = file_read(path, &content, diag);
    perf_file file = {.source = strcmp(path, "-") == 0 ? "standard input" : path, .diag = diag};
    status = status == INLAY_OK ? perf_read(&file, content.data, content.size) : status;
    status = status == INLAY_OK ? make_devices(&file, curves) : status;
    perf_clear(&file);
    file_content_clear(&content);
    return status;
}
