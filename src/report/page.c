/* The page: a template, and what takes the place of each {{name}} in it. */
#include "report/report.h"
#include "base/diag.h"
#include "base/file.h"
#include <string.h>

static const char page_html[] = {
#include "report/page/page.html.inc"
    0};
static const char page_css[] = {
#include "report/page/page.css.inc"
    0};
static const char page_js[] = {
#include "report/page/page.js.inc"
    0};
static const char uplot_css[] = {
#include "report/page/uplot.css.inc"
    0};
static const char uplot_js[] = {
#include "report/page/uplot.js.inc"
    0};

void report_escaped(text_buffer *to, const char *bytes)
{
    for (const char *s = bytes; *s != '\0'; s++) {
        switch (*s) {
        case '<': text_add(to, "&lt;"); break;
        case '>': text_add(to, "&gt;"); break;
        case '&': text_add(to, "&amp;"); break;
        case '"': text_add(to, "&quot;"); break;
        default: text_append(to, s, 1);
        }
    }
}

typedef struct page {
    const inlay_report *of;
    const inlay_result_context *context;
    text_buffer to;
    inlay_diag *diag;
} page;

static int put_style(page *p)
{
    text_add(&p->to, uplot_css);
    text_add(&p->to, page_css);
    return INLAY_OK;
}

static int put_script(page *p)
{
    text_add(&p->to, uplot_js);
    text_add(&p->to, page_js);
    return INLAY_OK;
}

static int put_title(page *p)
{
    report_escaped(&p->to, p->of->app->name);
    return INLAY_OK;
}

static int put_question(page *p)
{
    report_escaped(&p->to, text_content(&p->of->question));
    return INLAY_OK;
}

static int put_answer(page *p)
{
    report_escaped(&p->to, text_content(&p->of->answer));
    return INLAY_OK;
}

static int put_sections(page *p)
{
    return report_sections(p->of, p->context, &p->to);
}

/* JSON inside a script element: nothing in it may end the element, and < stands in strings alone. */
static int put_data(page *p)
{
    text_buffer data = {0};
    int status = report_data(p->of, p->context, &data, p->diag);
    const char *from = text_content(&data);
    for (size_t plain; status == INLAY_OK && *from != '\0'; from += plain + (from[plain] != '\0')) {
        plain = strcspn(from, "<");
        text_append(&p->to, from, plain);
        text_add(&p->to, from[plain] != '\0' ? "\\u003c" : "");
    }
    text_settle(&data, &p->to);
    return status;
}

static const struct {
    const char *name;
    int (*put)(page *p);
} places[] = {
    {"style", put_style},   {"script", put_script},     {"title", put_title}, {"question", put_question},
    {"answer", put_answer}, {"sections", put_sections}, {"data", put_data},
};

/* `name` is what stands behind {{. Gives its length with the braces behind it. */
static size_t fill(page *p, const char *name, int *status)
{
    size_t length = strcspn(name, "}");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strlen(places[i].name) == length && strncmp(places[i].name, name, length) == 0) {
            *status = places[i].put(p);
        }
    }
    return length + 2;
}

int inlay_report_write(const inlay_report *report, const inlay_result_context *context, const char *path,
                       inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    page p = {.of = report, .context = context, .diag = diag};
    int status = INLAY_OK;
    const char *from = page_html;
    for (const char *next; status == INLAY_OK && (next = strstr(from, "{{")) != NULL;) {
        text_append(&p.to, from, (size_t)(next - from));
        from = next + 2 + fill(&p, next + 2, &status);
    }
    text_add(&p.to, from);
    if (status == INLAY_OK) {
        status = p.to.failed ? diag_no_memory(diag) : file_write(path, p.to.data, p.to.size, diag);
    }
    text_clear(&p.to);
    return status;
}
