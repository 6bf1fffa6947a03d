/* Graphs for METIS and Scotch: read back by a simple reader and compared with sums over all links. */
#include "random_app.h"
#include "tg_subject.h"
#include "unit.h"

#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES = RANDOM_MODULES, MOST_NUMBERS = 2 * MODULES + 4 };

/* A graph as its file says: edge[i][j] is 0 where there is none. */
typedef struct graph {
    inlay_id vertices;
    int64_t edges;
    int64_t vertex[MODULES], edge[MODULES][MODULES];
} graph;

/* The numbers of a line, one blank between two; how many. */
static size_t numbers_of(char **text, int64_t *numbers)
{
    char *newline = strchr(*text, '\n');
    ck_assert_ptr_nonnull(newline);
    *newline = '\0';
    size_t count = 0;
    char *end;
    for (char *at = *text; *at != '\0'; at = end) {
        ck_assert(count < MOST_NUMBERS && *at >= '0' && *at <= '9' && newline[-1] != ' ');
        numbers[count++] = strtoll(at, &end, 10);
        end += *end == ' ';
    }
    *text = newline + 1;
    return count;
}

static void add_edge(graph *g, inlay_id from, int64_t to, int64_t weight, int64_t *last)
{
    ck_assert(to >= 0 && to < g->vertices && to != from && to > *last && weight > 0);
    *last = to;
    g->edge[from][to] = weight;
}

static graph read_metis(text_buffer text)
{
    graph g = {0};
    int64_t numbers[MOST_NUMBERS];
    char *at = text.data;
    ck_assert(numbers_of(&at, numbers) == 3 && numbers[2] == 11); /* "011": weights of vertices and edges */
    g.vertices = (inlay_id)numbers[0];
    g.edges = numbers[1];
    for (inlay_id i = 0; i < g.vertices; i++) {
        size_t count = numbers_of(&at, numbers);
        ck_assert_uint_eq(count % 2, 1);
        g.vertex[i] = numbers[0];
        int64_t last = -1;
        for (size_t n = 1; n < count; n += 2) {
            add_edge(&g, i, numbers[n] - 1, numbers[n + 1], &last);
        }
    }
    ck_assert_str_eq(at, "");
    return g;
}

static graph read_scotch(text_buffer text)
{
    graph g = {0};
    int64_t numbers[MOST_NUMBERS];
    char *at = text.data;
    ck_assert(numbers_of(&at, numbers) == 1 && numbers[0] == 0);
    ck_assert(numbers_of(&at, numbers) == 2 && numbers[1] % 2 == 0);
    g.vertices = (inlay_id)numbers[0];
    g.edges = numbers[1] / 2;
    ck_assert(numbers_of(&at, numbers) == 2 && numbers[0] == 0 && numbers[1] == 11);
    for (inlay_id i = 0; i < g.vertices; i++) {
        size_t count = numbers_of(&at, numbers);
        g.vertex[i] = numbers[0];
        ck_assert_uint_eq(count, 2 + 2 * (size_t)numbers[1]);
        int64_t last = -1;
        for (size_t n = 2; n < count; n += 2) {
            add_edge(&g, i, numbers[n + 1], numbers[n], &last);
        }
    }
    ck_assert_str_eq(at, "");
    return g;
}

/* Both directions and all flags of each pair, one link after the other. */
static graph traffic_of(const inlay_app *app, bool bytes)
{
    graph g = {.vertices = inlay_app_modules(app)};
    for (inlay_id i = 0; i < g.vertices; i++) {
        g.vertex[i] = inlay_app_time(app, i);
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            int64_t traffic = bytes ? out.bytes[l] : out.messages[l];
            g.edges += g.edge[i][out.module[l]] == 0 && traffic > 0;
            g.edge[i][out.module[l]] += traffic;
            g.edge[out.module[l]][i] += traffic;
        }
    }
    return g;
}

static void expect_graph(const graph *expected, const graph *found)
{
    ck_assert_int_eq(found->vertices, expected->vertices);
    ck_assert_int_eq(found->edges, expected->edges);
    for (inlay_id i = 0; i < found->vertices; i++) {
        ck_assert_int_eq(found->vertex[i], expected->vertex[i]);
        for (inlay_id j = 0; j < found->vertices; j++) {
            ck_assert_int_eq(found->edge[i][j], expected->edge[i][j]);
        }
    }
}

static const char *const formats[] = {"metis", "metis-bytes", "scotch", "scotch-bytes"};

static graph written(const inlay_app *app, size_t format)
{
    text_buffer text = tg_text(app, formats[format]);
    graph g = format < 2 ? read_metis(text) : read_scotch(text);
    text_clear(&text);
    return g;
}

START_TEST(weights_are_traffic)
{
    uint64_t state = (uint64_t)_i + 1;
    random_times times;
    inlay_id modules = 1 + (inlay_id)random_below(&state, MODULES);
    unsigned features = (unsigned)random_below(&state, RANDOM_EVERYTHING + 1);
    inlay_app *app = random_app(&state, modules, features, &times);
    for (size_t format = 0; format < 4; format++) {
        graph expected = traffic_of(app, format % 2 == 1), found = written(app, format);
        expect_graph(&expected, &found);
    }
    inlay_app_free(app);
}
END_TEST

/* ---- Weights that 32 bits cannot add ---- */

/* Four in a row, of times t, t/2, 1 and 0, with m, m/3 and 1 messages between them, and a link without messages. */
static inlay_app *row_of_four(int64_t time, int64_t messages)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    const int64_t times[] = {time, time / 2, 1, 0}, traffic[] = {messages, messages / 3, 1};
    inlay_app_builder *builder = inlay_app_builder_new("row", INLAY_UNIT_NS);
    for (int i = 0; i < 4; i++) {
        inlay_module module = {.name = names[i], .time = {{times[i], 0}, 0}};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(inlay_app_add_link(builder, i, i + 1, traffic[i], 0, 0, NULL), INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_add_link(builder, 0, 3, 0, 0, 0, NULL), INLAY_OK);
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

START_TEST(heavy_weights_are_scaled)
{
    static const int64_t heavy[] = {INT32_MAX, 10000000000, INT64_C(1) << 60};
    for (size_t h = 0; h < 3; h++) {
        inlay_app *app = row_of_four(heavy[h], heavy[h]);
        for (size_t format = 0; format < 4; format += 2) {
            graph g = written(app, format);
            int64_t work = 0, ends = 0;
            for (inlay_id i = 0; i < 4; i++) {
                work += g.vertex[i];
                for (inlay_id j = 0; j < 4; j++) {
                    ends += g.edge[i][j];
                }
            }
            ck_assert(work <= INT32_MAX && work > INT32_MAX - 100);
            ck_assert(ends <= INT32_MAX && ends > INT32_MAX - 100);
            ck_assert(g.vertex[2] == 1 && g.vertex[3] == 0 && g.edge[2][3] == 1 && g.edge[0][3] == 0);
            ck_assert_double_eq_tol((double)g.vertex[0] / (double)g.vertex[1], 2, 1e-8);
            ck_assert_double_eq_tol((double)g.edge[0][1] / (double)g.edge[1][2], 3, 1e-8);
            ck_assert_int_eq(g.edges, 3);
        }
        inlay_app_free(app);
    }
    inlay_app *app = row_of_four(1000000000, 500000000); /* just light enough */
    graph g = written(app, 0);
    ck_assert(g.vertex[0] == 1000000000 && g.edge[1][0] == 500000000);
    inlay_app_free(app);
}
END_TEST

static void expect_warning(const inlay_app *app, const char *format, const char *warning)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_write(app, "/dev/null", format, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), warning);
    inlay_diag_free(diag);
}

START_TEST(losses_are_told)
{
    inlay_app *app = row_of_four(10000000000, 1);
    expect_warning(app, "metis", "METIS: times are scaled by 0.143, so that their sum fits into 32 bits");
    inlay_app_free(app);
    app = row_of_four(1, 10000000000);
    expect_warning(app, "scotch", "Scotch: traffic is scaled by 0.0805, so that its sum fits into 32 bits");
    expect_warning(app, "scotch-bytes", "Scotch: no link has bytes, so the graph has no edges");
    inlay_app_free(app);
    static const char blocks[] = "tg 1 1 0 s\n1 - 0 a\nblocks 1\n1 0 d\n";
    app = tg_app(blocks, strlen(blocks));
    expect_warning(app, "metis-bytes", "METIS has no place for data blocks: left out");
    inlay_app_free(app);
}
END_TEST

/* ---- The partitioners themselves, where they are installed ---- */

/* Runs a command of a shell, in which `g` is the path of a graph. @param program  without which the test is skipped */
static void expect_accepted(const char *program, const char *format, const char *command)
{
    char line[512];
    snprintf(line, sizeof line, "command -v %s >/dev/null 2>&1", program);
    if (system(line) != 0) {
        unit_skip("the program is not installed");
        return;
    }
    for (uint64_t seed = 1; seed < 30; seed++) {
        uint64_t state = seed;
        random_times times;
        const char *path = tg_scratch("graph");
        inlay_app *app = random_app(&state, 4 + (inlay_id)seed, RANDOM_EVERYTHING, &times);
        ck_assert_int_eq(inlay_app_write(app, path, format, NULL), INLAY_OK);
        snprintf(line, sizeof line,
                 "g=%s; %s >\"$g.said\" 2>&1 && ! grep -qi error \"$g.said\"; s=$?; rm -f \"$g\"*; exit $s", path,
                 command);
        ck_assert_msg(system(line) == 0, "%s", line);
        inlay_app_free(app);
    }
}

START_TEST(gpmetis_accepts)
{
    expect_accepted("gpmetis", "metis", "gpmetis \"$g\" 3");
}
END_TEST

START_TEST(scotch_accepts)
{
    expect_accepted("scotch_gpart", "scotch", "scotch_gpart 3 \"$g\" /dev/null");
}
END_TEST

Suite *suite_tg_partitioners(void)
{
    Suite *suite = suite_create("tg partitioners");
    TCase *tests = tcase_create("tg partitioners");
    tcase_add_loop_test(tests, weights_are_traffic, 0, 60);
    tcase_add_test(tests, heavy_weights_are_scaled);
    tcase_add_test(tests, losses_are_told);
    tcase_add_test(tests, gpmetis_accepts);
    tcase_add_test(tests, scotch_accepts);
    suite_add_tcase(suite, tests);
    return suite;
}
