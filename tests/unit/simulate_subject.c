/* Small applications in code. */
#include "simulate_subject.h"

#include "golden.h"
#include "sound_run.h"

#include <check.h>

static inlay_app *build(const small_app *graph)
{
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("small", INLAY_UNIT_TICK);
    for (int i = 0; i < graph->modules; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        inlay_module module = {.name = name,
                               .time = {{graph->time[i], 0}, INLAY_UNIT_TICK},
                               .has_blocking = graph->streamed,
                               .blocking = {{graph->blocking[i], 0}, INLAY_UNIT_TICK}};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (int l = 0; l < graph->links; l++)
        ck_assert_int_eq(
            inlay_app_add_link(builder, graph->link[l].from, graph->link[l].to, graph->link[l].messages, 0, 0, NULL),
            INLAY_OK);
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

small_case small_place(const small_app *graph, const int *processor, const char *machine)
{
    small_case placed_case = {build(graph), golden_machine(machine), NULL};
    inlay_id of[SMALL_MODULES];
    for (int i = 0; i < graph->modules; i++)
        of[i] = processor[i];
    placed_case.mapping = placed(placed_case.app, placed_case.machine, of, NULL);
    return placed_case;
}

void small_clear(small_case *placed_case)
{
    inlay_mapping_free(placed_case->mapping);
    inlay_machine_free(placed_case->machine);
    inlay_app_free(placed_case->app);
}
