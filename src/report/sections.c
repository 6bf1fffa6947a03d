/* The sections of the page: each a heading, a picture, and the table behind it as CSV. */
#include "report/report.h"
#include "base/diag.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- What writers of files write, into the page ---- */

typedef struct piece {
    text_buffer text;
    inlay_diag *diag; /* NULL when out of memory */
} piece;

static piece *begin(piece *p)
{
    *p = (piece){.diag = inlay_diag_new()};
    p->text.failed = p->diag == NULL;
    return p;
}

/* Where a picture goes. */
static inlay_diag *into(piece *p)
{
    if (p->diag != NULL) {
        diag_capture(p->diag, &p->text);
    }
    return p->diag;
}

static void end(piece *p, text_buffer *to)
{
    text_settle(&p->text, to);
    inlay_diag_free(p->diag);
}

/* A picture without what stands before its element, or the reason why there is none. */
static void put_picture(text_buffer *to, piece *p, int status, const char *words)
{
    const char *svg = status == INLAY_OK ? strstr(text_content(&p->text), "<svg") : NULL;
    if (svg != NULL) {
        text_addf(to, "<figure role=\"img\" aria-label=\"%s\">", words);
        text_add(to, svg);
        text_add(to, "</figure>\n");
    } else {
        text_add(to, "<p class=\"none\">No picture: ");
        report_escaped(to, inlay_diag_message(p->diag));
        text_add(to, ".</p>\n");
    }
    end(p, to);
}

/* The command that gives a part by itself, and its table. */
static void put_table(text_buffer *to, const inlay_report *of, report_command command, const char *name, piece *p)
{
    text_buffer words = {0};
    report_add_command(&words, of, command);
    text_addf(to, "<details data-csv=\"%s\"><summary>The numbers as CSV</summary>\n<p><code>", name);
    report_escaped(to, text_content(&words));
    text_add(to, "</code></p>\n<pre tabindex=\"0\">");
    report_escaped(to, text_content(&p->text));
    text_add(to, "</pre></details>\n");
    text_settle(&words, to);
    end(p, to);
}

static void put_section(text_buffer *to, const char *id, const char *title)
{
    text_addf(to, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
}

/* A place that the script draws into; `</noscript>` ends what stands there without it. */
static void put_live(text_buffer *to, const char *id)
{
    text_addf(to, "<div class=\"live\" id=\"%s\"></div><noscript>\n", id);
}

static void put_cell(text_buffer *to, double value, int digits)
{
    text_add(to, "<td class=\"n\">");
    report_number(to, value, digits);
    text_add(to, "</td>");
}

/* ---- The answer ---- */

static void put_points(text_buffer *to, const inlay_report *of)
{
    put_section(to, "points", "On fewer processors");
    text_add(to, "<div class=\"live\" id=\"slider\"></div>\n"
                 "<div class=\"wide\"><table><thead><tr><th>processors<th>elapsed time, ");
    text_add(to, inlay_unit_word(inlay_app_unit(of->app->app)));
    text_add(to, "<th>lower bound<th>gap, %<th>speedup<th>efficiency<th>price<th>method</tr></thead><tbody>\n");
    for (size_t i = 0; i < of->count; i++) {
        const inlay_pareto_point *p = inlay_pareto_point_at(of->front, of->shown[i]);
        text_addf(to, "<tr><td class=\"n\">%" PRId32 "</td>", p->clusters);
        put_cell(to, p->elapsed, 6);
        put_cell(to, p->lower_bound, 6);
        put_cell(to, 100 * fmax(0, p->gap), 3);
        put_cell(to, p->speedup, 4);
        put_cell(to, p->efficiency, 3);
        put_cell(to, p->price, 4);
        text_addf(to, "<td>%s</td></tr>\n", p->method);
    }
    text_add(to, "</tbody></table></div></section>\n");
}

static void put_gantt(text_buffer *to, const inlay_report *of)
{
    piece p;
    put_section(to, "run", "The run");
    if (of->run == NULL) {
        text_add(
            to, "<p class=\"none\">Not simulated: it would take more events than --max-events allows.</p></section>\n");
        return;
    }
    put_live(to, "gantt");
    int status = inlay_simulation_draw_svg(of->run, "", into(begin(&p)));
    put_picture(to, &p, status, "a row a processor, a box a module, time to the right");
    text_add(to, "</noscript>\n");
    begin(&p);
    if (inlay_app_modules(of->app->app) <= REPORT_NAMES) {
        (void)inlay_simulation_write_modules(of->run, "", into(&p));
        put_table(to, of, REPORT_COMMAND_SIMULATE, "run.csv", &p);
    } else {
        end(&p, to);
    }
    text_add(to, "</section>\n");
}

/* Of small applications the picture of every point, of which the script shows that of the slider. */
static void put_clusters(text_buffer *to, const inlay_report *of)
{
    bool all = inlay_app_modules(of->app->app) <= REPORT_DRAWN;
    put_section(to, "clusters", "Who runs where");
    text_add(to, "<div class=\"live\" id=\"used\"></div>\n");
    for (size_t i = all ? 0 : of->count - 1; i < of->count; i++) {
        piece p;
        bool last = i + 1 == of->count;
        inlay_mapping *made = NULL;
        inlay_simulation *run = NULL;
        int status = last ? INLAY_OK : report_point(of, i, &made, &run, NULL);
        text_addf(to, "<div class=\"clusters\" data-point=\"%zu\"%s>", i, last ? "" : " hidden");
        (void)into(begin(&p));
        status = status == INLAY_OK ? inlay_mapping_draw_svg(last ? of->mapping : made, NULL, "", p.diag) : status;
        put_picture(to, &p, status, "a box a processor with its modules, arrows for traffic");
        text_add(to, "</div>\n");
        inlay_simulation_free(run);
        inlay_mapping_free(made);
    }
    text_add(to, "</section>\n");
}

/* ---- Machines ---- */

static void put_comparison(text_buffer *to, const inlay_report *of)
{
    piece p;
    put_section(to, "machines", "The machines");
    int status = inlay_comparison_draw_svg(of->compared, "", into(begin(&p)));
    put_picture(to, &p, status, "elapsed time on each machine, cut into critical path, computing and messages");
    (void)inlay_comparison_write_csv(of->compared, "", into(begin(&p)));
    put_table(to, of, REPORT_COMMAND_COMPARE, "compare.csv", &p);
    text_add(to, "</section>\n");
}

static void put_front(text_buffer *to, const inlay_report *of)
{
    piece p;
    put_section(to, "front", "Time against processors");
    text_add(to, "<div class=\"live\" id=\"price-chart\"></div>\n");
    put_live(to, "front-chart");
    int status = inlay_pareto_draw_svg(of->front, "", into(begin(&p)));
    put_picture(to, &p, status, "elapsed time over processors with the lower bound");
    text_add(to, "</noscript>\n");
    (void)inlay_pareto_write_csv(of->front, "", into(begin(&p)));
    put_table(to, of, REPORT_COMMAND_FRONT, "front.csv", &p);
    text_add(to, "</section>\n");
}

static void put_frames(text_buffer *to, const inlay_report *of)
{
    piece p;
    if (of->frames == NULL) {
        return;
    }
    put_section(to, "frames", "Clusterings over the time frame T");
    text_add(to, "<div class=\"live\" id=\"frame-slider\"></div>\n");
    put_live(to, "frame-chart");
    int status = inlay_sweep_draw_svg(of->frames, "", into(begin(&p)));
    put_picture(to, &p, status, "clusters, elapsed time and delay over the time frame");
    text_add(to, "</noscript>\n");
    (void)inlay_sweep_write_csv(of->frames, "", into(begin(&p)));
    put_table(to, of, REPORT_COMMAND_FRAMES, "frames.csv", &p);
    text_add(to, "</section>\n");
}

static void put_bounds(text_buffer *to, const inlay_report *of)
{
    piece p;
    const inlay_summary *s = inlay_mapping_summary(of->mapping);
    put_section(to, "bounds", "Bounds and gaps");
    text_add(to, "<div class=\"wide\"><table><thead><tr><th>no less than<th>bound<th>elapsed above it, %<th>holds for"
                 "</tr></thead><tbody>\n");
    for (size_t i = 0; i < inlay_bounds(); i++) {
        const inlay_bound b = inlay_mapping_bound(of->mapping, i);
        if (isfinite(b.value)) {
            text_add(to, "<tr>");
            put_cell(to, b.value, 6);
            text_addf(to, "<td>%s</td>", b.words);
            /* of those far below there is nothing to say */
            put_cell(to, 10 * b.value > s->elapsed ? 100 * (s->elapsed / b.value - 1) : NAN, 3);
            text_add(to, "<td>");
            report_escaped(to, b.holds);
            text_add(to, "</td></tr>\n");
        }
    }
    text_add(to, "</tbody></table></div>\n");
    report_bounds_csv(&begin(&p)->text, of);
    put_table(to, of, REPORT_COMMAND_MAP, "bounds.csv", &p);
    text_add(to, "</section>\n");
}

static void put_delay(text_buffer *to, const inlay_report *of)
{
    piece p;
    report_delay d = {0};
    if (report_delay_make(of, &d)) {
        const inlay_delay_mark mark = {0, d.at, "this mapping"};
        const inlay_delay_picture picture = {&mark, d.marked};
        put_section(to, "delay", "What messages wait");
        put_live(to, "delay-chart");
        int status = inlay_delay_draw_svg(d.list, 1, &picture, "", into(begin(&p)));
        put_picture(to, &p, status, "time of a message over the load of the network");
        text_add(to, "</noscript>\n");
        (void)inlay_delay_study_write_csv(&d.study, "", into(begin(&p)));
        put_table(to, of, REPORT_COMMAND_DELAY, "delay.csv", &p);
        text_add(to, "</section>\n");
    }
    report_delay_clear(&d);
}

static void put_profile(text_buffer *to, const inlay_report *of)
{
    piece p;
    const inlay_app *const apps[] = {of->app->app};
    put_section(to, "profile", "How many modules could run at once");
    put_live(to, "profile-chart");
    int status = inlay_parallelism_draw_svg(apps, 1, "", into(begin(&p)));
    put_picture(to, &p, status, "modules that run at once over time, on unlimited processors");
    text_add(to, "</noscript>\n");
    report_profile_csv(&begin(&p)->text, of);
    put_table(to, of, REPORT_COMMAND_INFO, "profile.csv", &p);
    text_add(to, "</section>\n");
}

static void put_network(text_buffer *to, const inlay_report *of)
{
    piece p;
    put_section(to, "network", "The machine under this load");
    if (inlay_machine_has_links(of->machine->machine)) {
        int status = inlay_mapping_draw_machine_svg(of->mapping, "", into(begin(&p)));
        put_picture(to, &p, status, "hosts with their modules, links coloured by their utilisation");
    } else {
        const inlay_summary *s = inlay_mapping_summary(of->mapping);
        text_add(to, s->free_network ? "<p>No capacity is known: messages cost nothing.</p>\n"
                                     : "<p>The network is shared by all; its utilisation is ");
        if (!s->free_network) {
            report_number(to, 100 * s->u, 4);
            text_add(to, " %, of at most ");
            report_number(to, 100 * s->u_limit, 4);
            text_add(to, " %.</p>\n");
        }
    }
    report_loads_csv(&begin(&p)->text, of);
    put_table(to, of, REPORT_COMMAND_SIMULATE, "network.csv", &p);
    text_add(to, "</section>\n");
}

static void put_runs(text_buffer *to, const inlay_report *of)
{
    piece p;
    if (of->asked.runs != NULL) {
        put_section(to, "measured", "Predicted against measured");
        int status = inlay_runs_draw_svg(of->asked.runs, INLAY_BY_SIMULATION, "", into(begin(&p)));
        put_picture(to, &p, status, "predicted over measured elapsed time, a dot a run");
        (void)inlay_runs_write_csv(of->asked.runs, "", into(begin(&p)));
        put_table(to, of, REPORT_COMMAND_ALL, "measured.csv", &p);
        text_add(to, "</section>\n");
    }
}

/* ---- What it rests on ---- */

static void put_grounds(text_buffer *to, const inlay_report *of, const inlay_result_context *context)
{
    put_section(to, "grounds", "What this rests on");
    text_add(to, "<ul>\n");
    for (size_t i = 0; i < inlay_diag_warnings(context->said); i++) {
        text_add(to, "<li class=\"warning\">");
        report_escaped(to, inlay_diag_warning(context->said, i));
        text_add(to, "</li>\n");
    }
    text_addf(to, "<li>Inlay %s, seed %" PRIu64 "</li>\n<li>Model of the network: ", inlay_version(), context->seed);
    report_escaped(to, inlay_machine_model_words(of->machine->machine));
    text_add(to, "</li>\n</ul>\n<p>The page, and each of its parts by itself:</p>\n<pre tabindex=\"0\">");
    for (int i = 0; i < REPORT_COMMANDS; i++) {
        text_buffer command = {0};
        report_add_command(&command, of, (report_command)i);
        report_escaped(to, text_content(&command));
        text_add(to, "\n");
        text_settle(&command, to);
    }
    text_add(to, "</pre></section>\n");
}

int report_sections(const inlay_report *of, const inlay_result_context *context, text_buffer *to)
{
    put_points(to, of);
    put_gantt(to, of);
    put_clusters(to, of);
    put_comparison(to, of);
    put_front(to, of);
    put_frames(to, of);
    put_bounds(to, of);
    put_delay(to, of);
    put_profile(to, of);
    put_network(to, of);
    put_runs(to, of);
    put_grounds(to, of, context);
    return to->failed ? INLAY_NO_MEMORY : INLAY_OK;
}
