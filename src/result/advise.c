/* What `inlay advise` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* A candidate with what its line tells besides. */
typedef struct point_view {
    inlay_advise_point point;
    const char *type, *second_type, *currency, *time_unit;
    int32_t count, second_count;
    char name[INLAY_ADVISE_NAME];
    bool choice;
    const char *in_limits, *on_front, *is_choice, *is_rival; /* as CSV has them */
} point_view;

/* clang-format off */
#define ROW(member) FIELD(point_view, #member, member)
#define ROW_AS(name, member) FIELD(point_view, name, member)
#define OF_POINT(member) FIELD(point_view, #member, point.member)
#define NAMES ROW_AS("candidate", name), ROW_AS("machine", type), ROW(count), ROW(second_type), \
    FIELD_ABOVE(point_view, "second_count", second_count), OF_POINT(processors)
#define FIGURES \
    OF_POINT(start_up), OF_POINT(run), OF_POINT(time), OF_POINT(low), OF_POINT(high), OF_POINT(price), OF_POINT(price_low), \
    OF_POINT(price_high)
#define MORE OF_POINT(energy), OF_POINT(efficiency)

static const field json[] = {NAMES, FIGURES, MORE, OF_POINT(feasible), OF_POINT(front), ROW(choice), OF_POINT(rival), FIELD_LAST};
static const field csv[] = {NAMES, ROW(time_unit), FIGURES, ROW(currency), MORE, ROW_AS("feasible", in_limits),
                            ROW_AS("front", on_front), ROW_AS("choice", is_choice), ROW_AS("rival", is_rival), FIELD_LAST};
/* clang-format on */

static const char *yes_or_no(bool flag)
{
    return flag ? "yes" : "no";
}

static point_view view_of(const inlay_advice *all, size_t i)
{
    const inlay_advise_summary *s = inlay_advice_summary(all);
    const inlay_advise_point *p = inlay_advice_point(all, i);
    const inlay_advise_offer *offer = inlay_advice_offer(all, p->offer);
    point_view view = {.point = *p,
                       .type = offer->part[0]->name,
                       .second_type = offer->part[1] != NULL ? offer->part[1]->name : NULL,
                       .currency = isnan(p->price) ? NULL : s->currency,
                       .time_unit = inlay_unit_name(inlay_advice_unit(all)),
                       .count = p->count[0],
                       .second_count = offer->part[1] != NULL ? p->count[1] : -1,
                       .choice = i == s->choice,
                       .in_limits = yes_or_no(p->feasible),
                       .on_front = yes_or_no(p->front),
                       .is_choice = yes_or_no(i == s->choice),
                       .is_rival = yes_or_no(p->rival)};
    (void)inlay_advise_point_name(all, p, view.name);
    return view;
}

static void put_offer(inlay_json *out, const inlay_advise_offer *offer)
{
    inlay_json_put(out, "{ machine %s second %s source %s verdict %s why %s", offer->part[0]->name,
                   offer->part[1] != NULL ? offer->part[1]->name : NULL, offer->part[0]->source,
                   inlay_advise_verdict_name(offer->verdict), offer->why);
    inlay_json_count(out, "best", offer->best != SIZE_MAX ? (int64_t)offer->best : -1);
    inlay_json_put(out, "candidates %" PRId64 " mapped %" PRId64 " warnings [", (int64_t)offer->candidates,
                   (int64_t)offer->mapped);
    for (size_t w = 0; offer->said != NULL && w < inlay_diag_warnings(offer->said); w++) {
        inlay_json_string(out, NULL, inlay_diag_warning(offer->said, w));
    }
    inlay_json_put(out, "] }");
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_advice *all = of;
    const inlay_advise_summary *s = inlay_advice_summary(all);
    const inlay_advise_options *asked = inlay_advice_options(all);
    inlay_json_put(out, "answer %s doubt %s objective %s deadline %g budget %g currency %s time_unit %s",
                   inlay_advice_sentence(all), inlay_advice_doubt(all), inlay_advise_by_name(s->by),
                   asked->has_deadline ? asked->deadline : NAN, asked->has_budget ? asked->budget : NAN, s->currency,
                   inlay_unit_name(inlay_advice_unit(all)));
    inlay_json_count(out, "choice", s->choice != SIZE_MAX ? (int64_t)s->choice : -1);
    inlay_json_put(out, "may_be_missed %hhd priced %hhd least_budget %g least_deadline %g", s->may_be_missed, s->priced,
                   s->least_budget, s->least_deadline);
    inlay_json_put(
        out,
        "candidates %" PRId64 " mapped %" PRId64 " counts_left_out %" PRId64 " mixtures_left_out %" PRId64 " points [",
        (int64_t)s->candidates, (int64_t)s->mapped, (int64_t)s->counts_left_out, (int64_t)s->mixtures_left_out);
    for (size_t i = 0; i < inlay_advice_points(all); i++) {
        point_view view = view_of(all, i);
        fields_put_object(out, NULL, json, &view);
    }
    inlay_json_put(out, "] offers [");
    for (size_t i = 0; i < inlay_advice_offers(all); i++) {
        put_offer(out, inlay_advice_offer(all, i));
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_advice_write_json(const inlay_advice *advice, const inlay_result_context *context, const char *path,
                            inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, advice, path, diag);
}

int inlay_advice_write_csv(const inlay_advice *advice, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_heading(&text, csv);
    for (size_t i = 0; i < inlay_advice_points(advice); i++) {
        point_view view = view_of(advice, i);
        csv_line(&text, csv, &view);
    }
    return csv_write(&text, path, diag);
}
