/* Small applications to explain the mappings of. */
#include "explain_subject.h"
#include "map_by_houstis.h"
#include "golden.h"
#include "sound_run.h"

#include <check.h>
#include <stdio.h>

static const difference none = {-1, 10, false};

inlay_app *sketch_build(const sketch *s, difference d)
{
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("sketch", s->unit);
    for (int i = 0; i < s->modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        inlay_decimal time = {s->time[i] * (i == d.module ? d.tenths : 10), 1};
        inlay_module module = {.name = name, .time = {time, s->unit}};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (int l = 0; l < s->links; l++) {
        int messages = d.one_message ? 1 : s->link[l].messages;
        ck_assert_int_eq(
            inlay_app_add_link(builder, s->link[l].from, s->link[l].to, messages, s->link[l].bytes, 0, NULL), INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

void sketch_add_link(sketch *s, int from, int to, int messages, int bytes)
{
    s->link[s->links].from = from;
    s->link[s->links].to = to;
    s->link[s->links].messages = messages;
    s->link[s->links++].bytes = bytes;
}

static void note_processors(subject *s)
{
    for (int i = 0; i < s->sketch.modules; i++)
        s->processor[i] = inlay_mapping_cluster(s->mapping, inlay_mapping_cluster_of(s->mapping, i)).processor;
}

subject mapped_subject(sketch of, const char *machine, inlay_options options)
{
    subject s = {.sketch = of};
    s.app = sketch_build(&s.sketch, none);
    s.machine = golden_machine(machine);
    ck_assert_int_eq(map_by_houstis(s.app, s.machine, &options, &s.mapping, NULL), INLAY_OK);
    note_processors(&s);
    return s;
}

subject placed_subject(sketch of, const char *machine, const inlay_id *processor)
{
    subject s = {.sketch = of};
    s.app = sketch_build(&s.sketch, none);
    s.machine = golden_machine(machine);
    s.mapping = placed(s.app, s.machine, processor, NULL);
    note_processors(&s);
    return s;
}

void subject_clear(subject *s)
{
    inlay_mapping_free(s->mapping);
    inlay_machine_free(s->machine);
    inlay_app_free(s->app);
}

inlay_explanation *explained(const subject *s)
{
    inlay_explanation *explanation = NULL;
    ck_assert_int_eq(inlay_explain(s->mapping, &s->run, &explanation, NULL), INLAY_OK);
    return explanation;
}

const inlay_change *find_change(const inlay_explanation *explanation, inlay_change_kind kind)
{
    size_t count;
    const inlay_change *change = inlay_explanation_changes(explanation, &count);
    for (size_t i = 0; i < count; i++)
        if (change[i].kind == kind) return &change[i];
    return NULL;
}
