/*
 * Who owns which cells of a grid: rectangles as they are, other pieces by the owners of cells some way apart, and lines
 * between processors that send each other messages.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "render/decomposition.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. */
enum { TOP = 44, MAP_WIDTH = CHART_WIDTH - 2 * CHART_MARGIN, MAP_HEIGHT = 640, TITLE_TEXT = 16, ROW = 19, SAMPLE = 24 };
/* What is drawn at most: of processors their boxes, of places in a direction their owners. */
enum { PROCESSORS_MOST = 10000, PLACES = 160, CORNER = 48, LABEL_LINES = 3, LABEL_ROOM = 5 };

/* A grid that is longer than so many times its width is drawn as if it were not. */
static const double slender = 6;

/* ---- Places ---- */

static chart_place_xy place_of(const decomposition_drawing *on, double row, double column)
{
    return (chart_place_xy){CHART_MARGIN + column * on->width / (double)on->columns,
                            TOP + row * on->height / (double)on->rows};
}

/* Cells that are dealt out one by one look alike everywhere: a corner shows how. */
static void lay_out(decomposition_drawing *on)
{
    int64_t m = on->summary->rows, n = on->summary->columns;
    on->apart = on->summary->method == INLAY_GRID_INTERLEAVED || on->summary->method == INLAY_GRID_SCATTER;
    on->rows = on->apart && m > CORNER ? CORNER : m;
    on->columns = on->apart && n > CORNER ? CORNER : n;
    double wide = (double)on->columns / (double)on->rows;
    wide = fmax(1 / slender, fmin(slender, wide));
    on->width = fmin(MAP_WIDTH, MAP_HEIGHT * wide);
    on->height = on->width / wide;
}

/* ---- Colours ---- */

/* There are fewer colours than processors: the next round of them is paler. */
static void draw_cells(decomposition_drawing *on, int32_t owner, chart_place_xy from, chart_place_xy to, bool border)
{
    static const char *const opacity[] = {"0.55", "0.3", "0.8"};
    enum { COLOURS = 6, ROUNDS = sizeof opacity / sizeof *opacity };
    size_t rank = (size_t)on->rank[owner];
    text_buffer style = {0};
    text_addf(&style, " fill=\"%s\" fill-opacity=\"%s\"", curve_colour(rank % COLOURS),
              opacity[rank / COLOURS % ROUNDS]);
    if (border) {
        text_add(&style, " stroke=\"#222222\" stroke-width=\"1\"");
    }
    svg_box(&on->svg, from.x, from.y, to.x - from.x, to.y - from.y, text_content(&style));
    text_settle(&style, &on->svg);
}

/* ---- Rectangles ---- */

static void draw_rectangles(decomposition_drawing *on)
{
    for (int32_t i = 0; i < on->summary->processors; i++) {
        inlay_grid_block block;
        decomposition_piece *piece = &on->piece[i];
        bool is_cut = inlay_decomposition_block(on->decomposition, i, &block) &&
                      block.front <= on->summary->planes / 2 && on->summary->planes / 2 < block.back;
        piece->cells =
            on->summary->planes == 1 || is_cut ? piece->cells : 0; /* what lies before or behind is not drawn */
        if (piece->cells > 0 && (is_cut || on->summary->planes == 1)) {
            chart_place_xy from = place_of(on, (double)block.top, (double)block.left);
            chart_place_xy to = place_of(on, (double)block.bottom, (double)block.right);
            draw_cells(on, i, from, to, true);
            *piece = (decomposition_piece){.cells = piece->cells,
                                           .block = block,
                                           .middle = {(from.x + to.x) / 2, (from.y + to.y) / 2},
                                           .width = to.x - from.x,
                                           .height = to.y - from.y};
        }
    }
}

/* ---- Other pieces ---- */

/* The first of n things that the i-th of `places` places stands for. */
static int64_t start_of(int64_t i, int64_t places, int64_t n)
{
    return (int64_t)((double)i * (double)n / (double)places);
}

/* Owners of the cells in the middle of each place of a row of places. */
static void look(const decomposition_drawing *on, int64_t row, int64_t down, int64_t across, int32_t *owner)
{
    int64_t m = on->rows, n = on->columns;
    int64_t r = (start_of(row, down, m) + start_of(row + 1, down, m)) / 2;
    for (int64_t i = 0; i < across; i++) {
        int64_t c = (start_of(i, across, n) + start_of(i + 1, across, n)) / 2;
        owner[i] = inlay_decomposition_owner(on->decomposition, r, c);
    }
}

/* Places of one owner beside each other are one box; the middle of all of them is summed up. */
static void draw_band(decomposition_drawing *on, const int32_t *owner, int64_t across, double top, double bottom)
{
    double cell = (double)on->columns / (double)across;
    for (int64_t from = 0, to; from < across; from = to) {
        for (to = from + 1; to < across && owner[to] == owner[from];) {
            to++;
        }
        chart_place_xy start = place_of(on, top, (double)from * cell), end = place_of(on, bottom, (double)to * cell);
        decomposition_piece *piece = &on->piece[owner[from]];
        double area = (end.x - start.x) * (end.y - start.y);
        draw_cells(on, owner[from], start, end, false);
        piece->middle.x += area * (start.x + end.x) / 2;
        piece->middle.y += area * (start.y + end.y) / 2;
        piece->area += area;
    }
}

static void find_middles(decomposition_drawing *on)
{
    for (int32_t i = 0; i < on->summary->processors; i++) {
        decomposition_piece *piece = &on->piece[i];
        if (piece->area > 0) {
            piece->middle = (chart_place_xy){piece->middle.x / piece->area, piece->middle.y / piece->area};
            piece->width = sqrt(piece->area);
            piece->height = on->summary->method == INLAY_GRID_POINT ? piece->area / on->width : piece->width;
        }
    }
}

/* Rows of places with the same owners are drawn as one. */
static void draw_places(decomposition_drawing *on)
{
    int32_t owners[2][PLACES];
    int64_t down = on->rows < PLACES ? on->rows : PLACES;
    int64_t across = on->columns < PLACES ? on->columns : PLACES;
    double step = (double)on->rows / (double)down;
    int64_t since = 0;
    look(on, 0, down, across, owners[0]);
    for (int64_t row = 1; row <= down; row++) {
        if (row < down) {
            look(on, row, down, across, owners[1]);
        }
        if (row == down || memcmp(owners[0], owners[1], (size_t)across * sizeof **owners) != 0) {
            draw_band(on, owners[0], across, (double)since * step, (double)row * step);
            memcpy(owners[0], owners[1], row < down ? (size_t)across * sizeof **owners : 0);
            since = row;
        }
    }
    find_middles(on);
    on->looked = down < on->rows || across < on->columns;
}

/* ---- Labels ---- */

static void add_label(const decomposition_drawing *on, int32_t processor, int line, text_buffer *to)
{
    const inlay_decomposition_picture *of = on->of;
    const inlay_decomposition_summary *all = on->summary;
    if (line == 0 && of->name != NULL && of->name[processor] != NULL) {
        svg_label(to, &(chart_label){.name = of->name[processor]}, CHART_SMALL_TEXT, MAP_WIDTH);
    } else if (line == 0) {
        text_addf(to, "%d", (int)processor);
    } else if (line == 1 && of->speed != NULL) {
        chart_number(to, of->speed[processor], 4);
        text_addf(to, " %s", of->speed_unit);
    } else {
        chart_number(to,
                     100 * (double)on->piece[processor].cells /
                         ((double)all->rows * (double)all->columns * (double)all->planes),
                     3);
        text_add(to, " %");
    }
}

/* As many of the lines as there is room for. */
static void draw_label(decomposition_drawing *on, int32_t processor)
{
    const decomposition_piece *piece = &on->piece[processor];
    text_buffer line[LABEL_LINES] = {0};
    int lines = on->of->speed != NULL ? LABEL_LINES : LABEL_LINES - 1, count = 0;
    double widest = 0, height = CHART_SMALL_TEXT + 3;
    for (int i = 0; i < lines && piece->height >= (i + 1) * height + LABEL_ROOM; i++) {
        add_label(on, processor, on->of->speed == NULL && i == 1 ? 2 : i, &line[i]);
        double width = svg_width(text_content(&line[i]), CHART_SMALL_TEXT);
        if (width + 2 * LABEL_ROOM > piece->width) {
            break;
        }
        widest = fmax(widest, width);
        count++;
    }
    double top = piece->middle.y - count * height / 2;
    if (count > 0) {
        svg_box(&on->svg, piece->middle.x - widest / 2 - 3, top - 1, widest + 6, count * height + 2,
                " rx=\"3\" fill=\"#FFFFFF\" fill-opacity=\"0.8\"");
    }
    for (int i = 0; i < LABEL_LINES; i++) {
        chart_place_xy at = {piece->middle.x, top + (i + 1) * height - 4};
        if (i < count) {
            svg_text(&on->svg, at, CHART_SMALL_TEXT, "middle", text_content(&line[i]));
        }
        text_settle(&line[i], &on->svg);
    }
}

/* ---- Legend ---- */

static void add_legend(decomposition_drawing *on, const char *words)
{
    svg_text(&on->svg, (chart_place_xy){CHART_MARGIN + (on->key ? SAMPLE + 8 : 0), on->bottom}, CHART_TEXT, "start",
             words);
    on->bottom += ROW;
    on->key = false;
}

static void add_key(decomposition_drawing *on, const char *style)
{
    double y = on->bottom - CHART_TEXT * 0.35;
    svg_line(&on->svg, (chart_place_xy){CHART_MARGIN, y}, (chart_place_xy){CHART_MARGIN + SAMPLE, y}, style);
    on->key = true;
}

static void add_size(decomposition_drawing *on)
{
    text_buffer words = {0};
    text_addf(&words, "%lld rows x %lld columns, row 0 on top", (long long)on->summary->rows,
              (long long)on->summary->columns);
    if (on->summary->planes > 1) {
        text_addf(&words, "; drawn is plane %lld of %lld, the first one is 0", (long long)on->summary->planes / 2,
                  (long long)on->summary->planes);
    }
    if (on->rows < on->summary->rows || on->columns < on->summary->columns) {
        text_addf(&words, "; drawn are the first %lld x %lld", (long long)on->rows, (long long)on->columns);
    }
    if (on->looked) {
        text_addf(&words, "; drawn by the owners of at most %d x %d cells", PLACES, PLACES);
    }
    add_legend(on, text_content(&words));
    text_settle(&words, &on->svg);
}

static void draw_legend(decomposition_drawing *on)
{
    on->bottom = TOP + on->height + 12 + CHART_TEXT;
    add_size(on);
    if (on->pairs > 0 && on->drawn > 0) {
        text_buffer words = {0};
        text_addf(&words, "messages of a step both ways, the wider the more bytes: at most ");
        chart_number(&words, (double)on->most, 6);
        text_add(&words, " bytes");
        add_key(on, decomposition_line_style(false));
        add_legend(on, text_content(&words));
        text_settle(&words, &on->svg);
    }
    if (on->around) {
        add_key(on, decomposition_line_style(true));
        add_legend(on, "around the edges of the torus alone");
    }
    if (on->too_many) {
        add_legend(on, "lines are left out: too many processors send each other messages");
    }
}

/* ---- The whole ---- */

static void draw(decomposition_drawing *on)
{
    svg_title(&on->svg, on->of->title);
    if (on->summary->rectangles) {
        draw_rectangles(on);
    } else {
        draw_places(on);
    }
    svg_box(&on->svg, CHART_MARGIN, TOP, on->width, on->height, SVG_FRAME);
    decomposition_draw_lines(on);
    for (int32_t i = 0; i < on->summary->processors && !on->apart; i++) {
        if (on->piece[i].cells > 0) {
            draw_label(on, i);
        }
    }
    draw_legend(on);
}

static int check(const inlay_decomposition *decomposition, const inlay_decomposition_picture *of, const char *path,
                 inlay_diag *diag)
{
    if (decomposition == NULL || of == NULL || of->title == NULL || path == NULL ||
        (of->speed != NULL && of->speed_unit == NULL)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a picture needs a decomposition, a title, a unit of speed and a path");
    }
    const inlay_decomposition_summary *summary = inlay_decomposition_summary_of(decomposition);
    if (summary->processors - summary->empty > PROCESSORS_MOST) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture of the cells of %d processors; expected at most %d",
                         (int)(summary->processors - summary->empty), PROCESSORS_MOST);
    }
    return INLAY_OK;
}

static int prepare(decomposition_drawing *on, inlay_diag *diag)
{
    size_t p = (size_t)on->summary->processors;
    const int32_t *order = inlay_decomposition_order(on->decomposition);
    on->piece = memory_zeroed(p, sizeof *on->piece);
    on->rank = memory_array(p, sizeof *on->rank);
    if (on->piece == NULL || on->rank == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < on->summary->processors; i++) {
        on->rank[order[i]] = i;
        on->piece[i].cells = inlay_decomposition_cells(on->decomposition, i);
    }
    lay_out(on);
    return decomposition_find_lines(on, diag);
}

int inlay_decomposition_draw_svg(const inlay_decomposition *decomposition, const inlay_decomposition_picture *picture,
                                 const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check(decomposition, picture, path, diag);
    if (status != INLAY_OK) {
        return status;
    }
    decomposition_drawing on = {
        .decomposition = decomposition, .of = picture, .summary = inlay_decomposition_summary_of(decomposition)};
    status = prepare(&on, diag);
    if (status == INLAY_OK) {
        draw(&on);
        svg_page page = {CHART_WIDTH, ceil(on.bottom + CHART_MARGIN - ROW + 4), picture->title, NULL};
        status = svg_write(&page, &on.svg, path, diag);
    }
    text_clear(&on.svg);
    free(on.piece);
    free(on.rank);
    free(on.line);
    return status;
}
