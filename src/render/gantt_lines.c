/* The messages of a Gantt picture, and the critical path: strips under its modules, lines for its messages. */
#include "base/memory.h"
#include "render/gantt.h"
#include <math.h>
#include <stdlib.h>

static void draw_line(gantt *on, const inlay_simulated_message *message, double from, double to, const char *style)
{
    svg_line(&on->svg, (chart_place_xy){chart_place(&on->x, from), gantt_middle(on, message->sender)},
             (chart_place_xy){chart_place(&on->x, to), gantt_middle(on, message->receiver)}, style);
}

/* ---- Messages ---- */

bool gantt_shows_messages(const gantt *on)
{
    size_t count;
    (void)inlay_simulation_messages(on->simulation, &count);
    return count <= GANTT_MESSAGES;
}

void gantt_draw_messages(gantt *on)
{
    size_t count;
    const inlay_simulated_message *messages = inlay_simulation_messages(on->simulation, &count);
    for (size_t i = 0; i < count && gantt_shows_messages(on); i++) {
        draw_line(on, &messages[i], messages[i].request, messages[i].arrival, GANTT_MESSAGE_STYLE);
    }
}

/* ---- The critical path ---- */

/* The strip of a row that grows as long as modules follow less than a pixel apart. */
typedef struct strip {
    inlay_id cluster;   /* of the row */
    double left, right; /* pixels; right 0: none yet */
} strip;

static void draw_strip(gantt *on, const strip *s)
{
    double height = on->row >= 12 ? 3 : 1;
    double left = fmin(s->left, on->x.end - 1), width = fmax(s->right - left, 1);
    if (s->right > 0) {
        svg_box(&on->svg, left, gantt_middle(on, s->cluster) + on->bar / 2 - height, width, height,
                " fill=\"" GANTT_PATH_COLOUR "\"");
    }
}

static void add_module(gantt *on, strip *strips, const inlay_step *step)
{
    inlay_id cluster = inlay_mapping_cluster_of(on->mapping, step->module);
    strip *s = &strips[on->place_of[cluster] / on->group];
    double left = chart_place(&on->x, step->from), right = chart_place(&on->x, step->to);
    if (left - s->right < 1) {
        s->right = right;
        return;
    }
    draw_strip(on, s);
    *s = (strip){cluster, left, right};
}

/* Steps from `first` on that are one message's. */
static size_t message_steps(const inlay_step *steps, size_t count, size_t first)
{
    size_t behind = first + 1;
    while (behind < count && steps[behind].message == steps[first].message) {
        behind++;
    }
    return behind - first;
}

static size_t count_messages(const inlay_step *steps, size_t count)
{
    size_t messages = 0;
    for (size_t i = 0; i < count; i++) {
        messages += steps[i].message >= 0 && (i == 0 || steps[i - 1].message != steps[i].message);
    }
    return messages;
}

/* The line of a message, whose steps these are. */
static void draw_message(gantt *on, const inlay_step *steps, size_t count, bool all)
{
    size_t message_count;
    const inlay_simulated_message *messages = inlay_simulation_messages(on->simulation, &message_count);
    double from = steps[0].from, to = steps[count - 1].to;
    if (all || chart_place(&on->x, to) - chart_place(&on->x, from) >= 1) {
        draw_line(on, &messages[steps[0].message], from, to, GANTT_PATH_STYLE);
    } else {
        on->left_out++;
    }
}

bool gantt_draw_path(gantt *on)
{
    size_t count;
    const inlay_step *steps = inlay_simulation_path(on->simulation, &count);
    bool all = count_messages(steps, count) <= GANTT_LINES;
    strip *strips = memory_zeroed((size_t)on->rows, sizeof *strips);
    for (size_t i = 0, taken = 1; i < count && strips != NULL; i += taken) {
        taken = steps[i].module >= 0 ? 1 : message_steps(steps, count, i);
        if (steps[i].module >= 0) {
            add_module(on, strips, &steps[i]);
        } else {
            draw_message(on, &steps[i], taken, all);
        }
    }
    for (inlay_id row = 0; row < on->rows && strips != NULL; row++) {
        draw_strip(on, &strips[row]);
    }
    free(strips);
    return strips != NULL;
}
