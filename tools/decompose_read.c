/* What `inlay decompose` reads of grids: their size, and the phases of the program, in words or in a file. */
#include "decompose.h"
#include "report.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* More rows than any grid has are no number of rows. */
static const int64_t extent_most = INT64_C(1) << 53;

int decompose_refuse(const char *source, long line, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say_safely(stderr, strcmp(source, "-") == 0 ? "standard input" : source);
    if (line > 0) {
        say(stderr, ":%ld", line);
    }
    say(stderr, ": ");
    say_safely(stderr, text);
    say(stderr, "\n");
    return EXIT_USAGE;
}

/* ---- Numbers ---- */

bool decompose_read_number(const char *text, double *number)
{
    inlay_decimal decimal;
    if (inlay_decimal_parse(text, &decimal) != INLAY_OK || decimal.digits < 0) {
        return false;
    }
    *number = inlay_decimal_double(decimal);
    return true;
}

bool decompose_read_bytes(const char *text, int64_t *bytes)
{
    int64_t value;
    if (inlay_bytes_parse(text, &value) != INLAY_OK || value < 1) {
        return false;
    }
    *bytes = value;
    return true;
}

/* Whole numbers in digits, with a minus where one may stand; what stands behind them, or NULL. */
static const char *read_whole(const char *text, bool is_signed, int64_t *number)
{
    const char *digits = text + (is_signed && (*text == '-' || *text == '+'));
    char *end;
    if (*digits < '0' || *digits > '9') {
        return NULL;
    }
    errno = 0;
    long long value = strtoll(text, &end, 10);
    *number = value;
    return errno == 0 ? end : NULL;
}

bool decompose_read_extent(const char *text, int64_t *rows, int64_t *columns)
{
    int64_t m = 0, n = 0;
    const char *behind = read_whole(text, false, &m);
    behind = behind != NULL && *behind == 'x' ? read_whole(behind + 1, false, &n) : NULL;
    if (behind == NULL || *behind != '\0' || m < 1 || n < 1 || m > extent_most || n > extent_most) {
        return false;
    }
    *rows = m;
    *columns = n;
    return true;
}

/* ---- Patterns ---- */

static int refuse_pattern(const char *text, char why[DECOMPOSE_WHY])
{
    (void)snprintf(why, DECOMPOSE_WHY,
                   "bad pattern '%.40s'; expected none, stencil3, stencil3-across, stencil5, stencil9, systolic, "
                   "wavefront, broadcast, multicast:RECEIVERS, reduction, random or offsets:DOWN,ACROSS;...",
                   text);
    return EXIT_USAGE;
}

/* "1,0;0,-1" */
static int read_offsets(const char *text, const char *whole, inlay_grid_pattern *pattern, inlay_grid_offset **offsets,
                        char why[DECOMPOSE_WHY])
{
    inlay_grid_offset *room = malloc(INLAY_GRID_DIRECTIONS * sizeof *room);
    size_t count = 0;
    if (room == NULL) {
        return report_no_memory();
    }
    for (const char *at = text; at != NULL;) {
        inlay_grid_offset one = {0};
        at = count < INLAY_GRID_DIRECTIONS ? read_whole(at, true, &one.down) : NULL;
        at = at != NULL && *at == ',' ? read_whole(at + 1, true, &one.across) : NULL;
        if (at == NULL || (*at != ';' && *at != '\0')) {
            free(room);
            return refuse_pattern(whole, why);
        }
        room[count++] = one;
        at = *at == ';' ? at + 1 : NULL;
    }
    *offsets = room;
    pattern->offset = room;
    pattern->offsets = count;
    return EXIT_DONE;
}

/* The number of a processor behind the colon of broadcast and reduction, or of receivers behind that of multicast. */
static bool read_suffix(const char *text, inlay_grid_pattern *pattern)
{
    int64_t number = 0;
    const char *end = read_whole(text, false, &number);
    if (end == NULL || *end != '\0' || number > INLAY_GRID_PROCESSORS) {
        return false;
    }
    if (pattern->communication == INLAY_GRID_MULTICAST) {
        pattern->receivers = (int32_t)number;
        return true;
    }
    pattern->root = (int32_t)number;
    return pattern->communication == INLAY_GRID_BROADCAST || pattern->communication == INLAY_GRID_REDUCTION;
}

static int read_pattern(const char *text, inlay_grid_pattern *pattern, inlay_grid_offset **offsets,
                        char why[DECOMPOSE_WHY])
{
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    inlay_grid_pattern found = {0};
    const char *name;
    int i = 0;
    while ((name = inlay_grid_communication_name((inlay_grid_communication)i)) != NULL &&
           (strlen(name) != length || strncmp(name, text, length) != 0)) {
        i++;
    }
    found.communication = (inlay_grid_communication)i;
    bool needs_suffix = name != NULL && (i == INLAY_GRID_OFFSETS || i == INLAY_GRID_MULTICAST);
    if (name == NULL || (needs_suffix && colon == NULL)) {
        return refuse_pattern(text, why);
    }
    if (i == INLAY_GRID_OFFSETS) {
        int end = read_offsets(colon + 1, text, &found, offsets, why);
        if (end != EXIT_DONE) {
            return end;
        }
    } else if (colon != NULL && !read_suffix(colon + 1, &found)) {
        return refuse_pattern(text, why);
    }
    *pattern = found;
    return EXIT_DONE;
}

/* ---- Phases ---- */

/* Ends the text at the next comma before a letter, which begins a field; NULL: there is none. */
static char *cut_field(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        if (*c == ',' && ((c[1] >= 'a' && c[1] <= 'z') || c[1] == '\0')) {
            *c = '\0';
            return c + 1;
        }
    }
    return NULL;
}

static int take_name(decompose_question *to, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL) {
        return report_no_memory();
    }
    free(to->texts[to->phases]);
    to->texts[to->phases] = copy;
    to->phase[to->phases].name = copy;
    return EXIT_DONE;
}

/* "flops=10" */
static int take_field(decompose_question *to, const char *field, char why[DECOMPOSE_WHY])
{
    inlay_grid_phase *phase = &to->phase[to->phases];
    if (strncmp(field, "flops=", 6) == 0 && decompose_read_number(field + 6, &phase->work)) {
        return EXIT_DONE;
    }
    if (strncmp(field, "weight=", 7) == 0 && decompose_read_number(field + 7, &phase->weight) && phase->weight > 0) {
        return EXIT_DONE;
    }
    if (strncmp(field, "item=", 5) == 0 && decompose_read_bytes(field + 5, &phase->item)) {
        return EXIT_DONE;
    }
    if (strncmp(field, "name=", 5) == 0 && field[5] != '\0') {
        return take_name(to, field + 5);
    }
    (void)snprintf(
        why, DECOMPOSE_WHY,
        "bad field '%.40s' of a phase; expected flops=NUMBER, weight=NUMBER above 0, item=BYTES or name=NAME", field);
    return EXIT_USAGE;
}

int decompose_add_phase(decompose_question *to, const char *text, double flops, char why[DECOMPOSE_WHY])
{
    if (to->phases == INLAY_GRID_PHASES) {
        (void)snprintf(why, DECOMPOSE_WHY, "there are more than %d phases; expected no more", INLAY_GRID_PHASES);
        return EXIT_USAGE;
    }
    char *copy = strdup(text);
    if (copy == NULL) {
        return report_no_memory();
    }
    inlay_grid_phase *phase = &to->phase[to->phases];
    *phase = (inlay_grid_phase){.work = flops, .weight = 1};
    char *next = cut_field(copy);
    int end = read_pattern(copy, &phase->pattern, &to->offsets[to->phases], why);
    while (end == EXIT_DONE && next != NULL) {
        char *field = next;
        next = cut_field(field);
        end = take_field(to, field, why);
    }
    to->phases += end == EXIT_DONE;
    free(copy);
    return end;
}

/* ---- Grid files ---- */

/* Which keys stood in the file. */
typedef struct grid_file {
    const char *path;
    long line;
    double flops;
    bool rows, columns, item, edges;
} grid_file;

static int take_length(const grid_file *in, const char *key, const char *value, bool *given, int64_t *length)
{
    const char *end = read_whole(value, false, length);
    if (*given) {
        return decompose_refuse(in->path, in->line, "%s stands twice; expected it once", key);
    }
    if (end == NULL || *end != '\0' || *length < 1 || *length > extent_most) {
        return decompose_refuse(in->path, in->line, "bad %s '%.40s'; expected a whole number from 1 to 2^53", key,
                                value);
    }
    *given = true;
    return EXIT_DONE;
}

static int take_item(grid_file *in, const char *value, decompose_question *to)
{
    if (in->item) {
        return decompose_refuse(in->path, in->line, "item stands twice; expected it once");
    }
    in->item = true;
    return decompose_read_bytes(value, &to->problem.item)
               ? EXIT_DONE
               : decompose_refuse(in->path, in->line, "bad item '%.40s'; expected bytes from 1 on, such as 8B", value);
}

static int take_edges(grid_file *in, const char *value, decompose_question *to)
{
    if (in->edges) {
        return decompose_refuse(in->path, in->line, "edges stands twice; expected it once");
    }
    in->edges = true;
    to->problem.bounded = strcmp(value, "bounded") == 0;
    return to->problem.bounded || strcmp(value, "torus") == 0
               ? EXIT_DONE
               : decompose_refuse(in->path, in->line, "bad edges '%.40s'; expected torus or bounded", value);
}

static int take_line(grid_file *in, const char *key, const char *value, decompose_question *to)
{
    if (strcmp(key, "rows") == 0) {
        return take_length(in, key, value, &in->rows, &to->problem.rows);
    }
    if (strcmp(key, "columns") == 0) {
        return take_length(in, key, value, &in->columns, &to->problem.columns);
    }
    if (strcmp(key, "item") == 0) {
        return take_item(in, value, to);
    }
    if (strcmp(key, "edges") == 0) {
        return take_edges(in, value, to);
    }
    if (strcmp(key, "phase") == 0) {
        char why[DECOMPOSE_WHY];
        int end = decompose_add_phase(to, value, in->flops, why);
        return end == EXIT_USAGE ? decompose_refuse(in->path, in->line, "%s", why) : end;
    }
    return decompose_refuse(in->path, in->line, "unknown key '%.40s'; expected rows, columns, edges, item or phase",
                            key);
}

/* A line without its comment and the blanks around it becomes a key and its value. */
static int read_line(grid_file *in, char *line, decompose_question *to)
{
    static const char blanks[] = " \t\r\n";
    line[strcspn(line, "#")] = '\0';
    char *key = line + strspn(line, blanks);
    size_t length = strlen(key);
    while (length > 0 && strchr(blanks, key[length - 1]) != NULL) {
        key[--length] = '\0';
    }
    if (length == 0) {
        return EXIT_DONE;
    }
    char *value = key + strcspn(key, blanks);
    if (*value != '\0') {
        *value++ = '\0';
        value += strspn(value, blanks);
    }
    return take_line(in, key, value, to);
}

static int read_lines(grid_file *in, FILE *file, decompose_question *to)
{
    char *line = NULL;
    size_t room = 0;
    int end = EXIT_DONE;
    for (ssize_t length; end == EXIT_DONE && (length = getline(&line, &room, file)) >= 0;) {
        in->line++;
        end = strlen(line) == (size_t)length
                  ? read_line(in, line, to)
                  : decompose_refuse(in->path, in->line, "a byte 0; expected the text of a grid");
    }
    free(line);
    if (end == EXIT_DONE && ferror(file) != 0) {
        return decompose_refuse(in->path, 0, "%s; expected a size such as 4096x4096 or a grid file", strerror(errno));
    }
    if (end == EXIT_DONE && (!in->rows || !in->columns)) {
        return decompose_refuse(in->path, 0, "%s are missing; expected a line such as '%s 4096'",
                                in->rows ? "columns" : "rows", in->rows ? "columns" : "rows");
    }
    return end;
}

int decompose_read_grid(const char *operand, double flops, decompose_question *to)
{
    if (decompose_read_extent(operand, &to->problem.rows, &to->problem.columns)) {
        return EXIT_DONE;
    }
    bool standard = strcmp(operand, "-") == 0;
    FILE *file = standard ? stdin : fopen(operand, "r");
    if (file == NULL) {
        return decompose_refuse(operand, 0, "%s; expected a size such as 4096x4096 or a grid file", strerror(errno));
    }
    grid_file in = {.path = operand, .flops = flops};
    int end = read_lines(&in, file, to);
    if (!standard) {
        (void)fclose(file);
    }
    return end;
}
