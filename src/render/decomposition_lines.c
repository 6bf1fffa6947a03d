/* Lines between the pieces of a grid decomposition: who sends whom how many bytes. */
#include "base/diag.h"
#include "base/memory.h"
#include "render/decomposition.h"
#include <math.h>
#include <stdlib.h>

/* Of more messages or pairs the lines would hide what they stand on. */
enum { MESSAGES_MOST = 100000, LINES_MOST = 400 };

/* Pixels of the line with the fewest bytes, and of that with the most. */
static const double thin = 0.75, thick = 7;

const char *decomposition_line_style(bool around)
{
    return around ? " stroke=\"#222222\" stroke-opacity=\"0.5\" stroke-width=\"1.5\" stroke-dasharray=\"5 5\""
                  : " stroke=\"#222222\" stroke-opacity=\"0.65\" stroke-width=\"4\"";
}

/* ---- Pairs ---- */

static void add_message(void *context, const inlay_grid_message *message)
{
    decomposition_drawing *on = context;
    on->too_many = on->too_many || on->pairs == MESSAGES_MOST;
    if (on->too_many || on->failed) {
        return;
    }
    on->failed = !memory_grow((void **)&on->line, &on->capacity, on->pairs + 1, sizeof *on->line);
    if (!on->failed) {
        int32_t low = message->from < message->to ? message->from : message->to;
        on->line[on->pairs++] = (decomposition_line){low, message->from + message->to - low, message->bytes};
    }
}

static int by_ends(const void *a, const void *b)
{
    const decomposition_line *x = a, *y = b;
    int order = (x->from > y->from) - (x->from < y->from);
    return order != 0 ? order : (x->to > y->to) - (x->to < y->to);
}

/* Messages between the same two become one line. */
static void merge(decomposition_drawing *on)
{
    size_t kept = 0;
    qsort(on->line, on->pairs, sizeof *on->line, by_ends);
    for (size_t i = 0; i < on->pairs; i++) {
        if (kept > 0 && by_ends(&on->line[kept - 1], &on->line[i]) == 0) {
            on->line[kept - 1].bytes += on->line[i].bytes;
        } else {
            on->line[kept++] = on->line[i];
        }
    }
    on->pairs = kept;
    for (size_t i = 0; i < kept; i++) {
        on->most = on->line[i].bytes > on->most ? on->line[i].bytes : on->most;
    }
}

int decomposition_find_lines(decomposition_drawing *on, inlay_diag *diag)
{
    const inlay_decomposition_summary *all = on->summary;
    int32_t used = all->processors - all->empty;
    on->too_many = on->of->pattern != NULL && used > LINES_MOST; /* they would have as many pairs at least */
    if (on->of->pattern == NULL || on->too_many || on->apart) {
        return INLAY_OK;
    }
    int status = inlay_decomposition_messages(on->decomposition, on->of->pattern, add_message, on, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (on->failed) {
        return diag_no_memory(diag);
    }
    if (on->pairs > 0) {
        merge(on);
    }
    on->too_many = on->too_many || on->pairs > LINES_MOST;
    return INLAY_OK;
}

/* ---- Drawing ---- */

static bool overlap(int64_t a, int64_t a_end, int64_t b, int64_t b_end)
{
    return a <= b_end && b <= a_end;
}

/* Blocks that touch, at a corner at least; pieces that are no rectangles may. */
static bool touch(const decomposition_drawing *on, const decomposition_line *line)
{
    const inlay_grid_block *a = &on->piece[line->from].block, *b = &on->piece[line->to].block;
    return !on->summary->rectangles ||
           (overlap(a->top, a->bottom, b->top, b->bottom) && overlap(a->left, a->right, b->left, b->right));
}

/* Only what goes from cell to cell can go around. */
static bool is_local(const inlay_grid_pattern *pattern)
{
    return pattern->communication >= INLAY_GRID_SYSTOLIC && pattern->communication < INLAY_GRID_OFFSETS;
}

/* Bent, for the straight way is often that of other lines. */
static void draw_around(decomposition_drawing *on, chart_place_xy from, chart_place_xy to)
{
    const double bend = 0.2;
    chart_place_xy over = {(from.x + to.x) / 2 + bend * (to.y - from.y), (from.y + to.y) / 2 - bend * (to.x - from.x)};
    const double places[] = {from.x, from.y, over.x, over.y, to.x, to.y};
    static const char *const leads[] = {"<path fill=\"none\" d=\"M", " ", "Q", " ", " ", " "};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        text_add(&on->svg, leads[i]);
        svg_pixels(&on->svg, places[i]);
    }
    text_addf(&on->svg, "\"%s/>\n", decomposition_line_style(true));
    on->around = true;
}

static void draw_line(decomposition_drawing *on, const decomposition_line *line)
{
    text_buffer style = {0};
    double width = thin + (thick - thin) * sqrt((double)line->bytes / (double)on->most);
    text_add(&style, " stroke=\"#222222\" stroke-opacity=\"0.65\"");
    svg_attribute(&style, "stroke-width", width);
    svg_line(&on->svg, on->piece[line->from].middle, on->piece[line->to].middle, text_content(&style));
    text_settle(&style, &on->svg);
    on->drawn++;
}

void decomposition_draw_lines(decomposition_drawing *on)
{
    for (size_t i = 0; i < on->pairs && !on->too_many; i++) {
        const decomposition_line *line = &on->line[i];
        if (on->piece[line->from].cells == 0 || on->piece[line->to].cells == 0) {
            continue; /* an end that is not drawn */
        }
        if (is_local(on->of->pattern) && !touch(on, line)) {
            draw_around(on, on->piece[line->from].middle, on->piece[line->to].middle);
        } else {
            draw_line(on, line);
        }
    }
}
