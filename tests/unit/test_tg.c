/* .tg: what is read is what the text says, what is written reads back, in pieces as in one. */
#include "random_app.h"
#include "tg_subject.h"
#include "unit.h"

#include <inlay/io.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ---- Values ---- */

START_TEST(plain_form)
{
    static const char text[] = "tg 1 3 4 ms\n"
                               "24 0 4096 m 1\n"
                               "30.5 4 0 b\n"
                               "1us 2.25 4KiB a\\\"\\u20ac\n"
                               "0 1 2 80000 -\n"
                               "0 1 1 0 t\n"
                               "1 2 0 1MB\n"
                               "0 1 3 5 -\n";
    inlay_app *app = tg_app(text, strlen(text));
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_MS);
    ck_assert_int_eq(inlay_app_decimals(app), 3);
    static const char *const names[] = {"m 1", "b", "a\"\xE2\x82\xAC"};
    static const int64_t times[] = {24000, 30500, 1}, waits[] = {0, 4000, 2250}, memory[] = {4096, 0, 4096};
    for (inlay_id i = 0; i < 3; i++) {
        ck_assert_str_eq(inlay_app_module_name(app, i), names[i]);
        ck_assert_int_eq(inlay_app_find_module(app, names[i]), i);
        ck_assert_int_eq(inlay_app_time(app, i), times[i]);
        ck_assert_int_eq(inlay_app_blocking(app, i), waits[i]);
        ck_assert_int_eq(inlay_app_memory(app, i), memory[i]);
    }
    inlay_links first = inlay_app_out(app, 0), second = inlay_app_out(app, 1);
    ck_assert_int_eq(first.count, 2); /* links of one pair and flag add */
    ck_assert(first.messages[0] == 5 && first.bytes[0] == 80005 && first.flags[0] == 0);
    ck_assert(first.messages[1] == 1 && first.bytes[1] == 0 && first.flags[1] == INLAY_LINK_TRAFFIC_ONLY);
    ck_assert(second.count == 1 && second.messages[0] == 0 && second.bytes[0] == 1000000);
    inlay_app_free(app);
}
END_TEST

START_TEST(no_blocking_times)
{
    static const char text[] = "tg 1 2 0 tick\n1 - 0 a\n2 - 0 b"; /* nor a last newline */
    inlay_app *app = tg_app(text, strlen(text));
    ck_assert(!inlay_app_has_blocking(app));
    ck_assert_str_eq(inlay_app_module_name(app, 1), "b");
    inlay_app_free(app);
}
END_TEST

START_TEST(all_sections)
{
    static const char text[] = "tg 1 3 1 us\n"
                               "1 - 0 a\n"
                               "2 - 0 b\n"
                               "3 - 0 c\n"
                               "0 2 1 0 -\n"
                               "cores 1\n1 8\n"
                               "pins 2\n0 0\n2 3\n"
                               "kinds 2\n0 k\\u0020\n1 gemm one\n"
                               "arithmetic 1\n2 1e+300\n"
                               "functions 1\n0 0.1\n"
                               "times 2 gpu\n0 0.5\n2 0\n"
                               "times 1 vector unit\n1 7\n"
                               "blocks 2\n1024 0.25 d\n0 0 e f\n"
                               "uses 3\n0 1 1 1024\n1 0 2 0\n1 2 0 7\n";
    inlay_app *app = tg_app(text, strlen(text));
    ck_assert(inlay_app_cores(app, 1) == 8 && inlay_app_cores(app, 0) == 1);
    ck_assert(inlay_app_pin(app, 0) == 0 && inlay_app_pin(app, 1) == -1 && inlay_app_pin(app, 2) == 3);
    ck_assert_str_eq(inlay_app_module_kind(app, 0), "k ");
    ck_assert_str_eq(inlay_app_module_kind(app, 1), "gemm one");
    ck_assert_ptr_null(inlay_app_module_kind(app, 2));
    ck_assert(inlay_app_arithmetic(app, 2) == 1e300 && inlay_app_functions(app, 0) == 0.1);
    ck_assert_int_eq(inlay_app_types(app), 2);
    ck_assert_str_eq(inlay_app_type_name(app, 1), "vector unit");
    ck_assert(inlay_app_type_time(app, 0, 0) == 50 && inlay_app_type_time(app, 0, 1) == -1);
    ck_assert(inlay_app_type_time(app, 0, 2) == 0 && inlay_app_type_time(app, 1, 1) == 700);
    ck_assert_int_eq(inlay_app_blocks(app), 2);
    ck_assert_str_eq(inlay_app_block_name(app, 1), "e f");
    ck_assert(inlay_app_block_size(app, 0) == 1024 && inlay_app_block_time(app, 0) == 25);
    inlay_links uses = inlay_app_uses(app, 1);
    ck_assert(uses.count == 2 && uses.module[0] == 0 && uses.messages[0] == 2 && uses.bytes[1] == 7);
    text_buffer written = tg_text(app, "tg");
    ck_assert_str_eq(written.data, text);
    text_clear(&written);
    inlay_app_free(app);
}
END_TEST

/* ---- The same graph, written by hand in every way that the format allows ---- */

enum { MODULES = 40, LINKS = 120 };

typedef struct truth {
    inlay_id modules;
    int links;
    int64_t time[MODULES], memory[MODULES]; /* time in 1/100 */
    struct {
        inlay_id from, to;
        int64_t messages, bytes;
        bool traffic;
    } link[LINKS];
} truth;

static truth random_truth(uint64_t *state)
{
    truth t = {.modules = 2 + (inlay_id)random_below(state, MODULES - 2)};
    for (inlay_id i = 0; i < t.modules; i++) {
        t.time[i] = random_below(state, 2) * random_below(state, 100000);
        t.memory[i] = random_below(state, 5) * 1024;
    }
    t.links = (int)random_below(state, LINKS);
    for (int l = 0; l < t.links; l++) {
        inlay_id a = (inlay_id)random_below(state, t.modules - 1);
        inlay_id b = a + 1 + (inlay_id)random_below(state, t.modules - a - 1);
        t.link[l].traffic = random_once_in(state, 5);
        bool turned = t.link[l].traffic && random_once_in(state, 2);
        t.link[l].from = turned ? b : a;
        t.link[l].to = turned ? a : b;
        t.link[l].messages = random_below(state, 4);
        t.link[l].bytes = random_below(state, 3) * 1000;
    }
    return t;
}

static const char *blank(uint64_t *state)
{
    static const char *const blanks[] = {" ", " ", " ", "  ", "\t", " \t "};
    return blanks[random_below(state, 6)];
}

static void put_time(uint64_t *state, int64_t hundredths, text_buffer *to)
{
    switch (random_below(state, 5)) {
    case 0: text_addf(to, "%" PRId64 ".%02d", hundredths / 100, (int)(hundredths % 100)); break;
    case 1: text_addf(to, "%" PRId64 "e-2", hundredths); break;
    case 2: text_addf(to, "%" PRId64 "0us", hundredths); break;
    case 3: text_addf(to, "00%" PRId64 ".%02d000", hundredths / 100, (int)(hundredths % 100)); break;
    default: text_addf(to, "%" PRId64 ".%02dms", hundredths / 100, (int)(hundredths % 100)); break;
    }
}

static void put_size(uint64_t *state, int64_t bytes, text_buffer *to)
{
    if (bytes % 1024 == 0 && random_once_in(state, 2)) {
        text_addf(to, "%" PRId64 "KiB", bytes / 1024);
    } else if (bytes % 1000 == 0 && random_once_in(state, 3)) {
        text_addf(to, "%" PRId64 "kB", bytes / 1000);
    } else {
        text_addf(to, "%" PRId64, bytes);
    }
}

static void end_line(uint64_t *state, bool last, text_buffer *to)
{
    static const char *const ends[] = {"\n", "\n", "\r\n", " \n", "\t\r\n"};
    text_add(to, last && random_once_in(state, 2) ? "" : ends[random_below(state, 5)]);
}

static text_buffer write_truth(uint64_t *state, const truth *t)
{
    text_buffer text = {0};
    text_addf(&text, "tg%s1%s%d%s%d%sms", blank(state), blank(state), (int)t->modules, blank(state), t->links,
              blank(state));
    end_line(state, false, &text);
    for (inlay_id i = 0; i < t->modules; i++) {
        put_time(state, t->time[i], &text);
        text_addf(&text, "%s-%s", blank(state), blank(state));
        put_size(state, t->memory[i], &text);
        text_addf(&text, random_once_in(state, 3) ? "%s\"m\\u005f%d\"" : "%sm_%d", blank(state), (int)i);
        end_line(state, i + 1 == t->modules && t->links == 0, &text);
    }
    for (int l = 0; l < t->links; l++) {
        static const char *const none[] = {" -", "", "\t-"};
        text_addf(&text, "%d%s%d%s%" PRId64 "%s", (int)t->link[l].from, blank(state), (int)t->link[l].to, blank(state),
                  t->link[l].messages, blank(state));
        put_size(state, t->link[l].bytes, &text);
        text_add(&text, t->link[l].traffic ? " t" : none[random_below(state, 3)]);
        end_line(state, l + 1 == t->links, &text);
    }
    return text;
}

/* Sums over the links of one pair and flag, by trying them all. */
static void expect_links(const truth *t, const inlay_app *app)
{
    int64_t found = 0;
    for (inlay_id i = 0; i < t->modules; i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t o = 0; o < out.count; o++) {
            int64_t messages = 0, bytes = 0, same = 0;
            for (int l = 0; l < t->links; l++) {
                if (t->link[l].from == i && t->link[l].to == out.module[o] && t->link[l].traffic == out.flags[o]) {
                    messages += t->link[l].messages;
                    bytes += t->link[l].bytes;
                    same++;
                }
            }
            ck_assert_int_gt(same, 0);
            ck_assert(messages == out.messages[o] && bytes == out.bytes[o]);
            found += same;
        }
    }
    ck_assert_int_eq(found, t->links);
}

START_TEST(every_way_of_writing)
{
    uint64_t state = (uint64_t)_i + 1;
    truth t = random_truth(&state);
    text_buffer text = write_truth(&state, &t);
    inlay_app *app = tg_app(text.data, text.size);
    ck_assert_int_eq(inlay_app_modules(app), t.modules);
    int64_t scale = 100;
    for (int d = inlay_app_decimals(app); d > 0; d--) {
        scale /= 10;
    }
    for (inlay_id i = 0; i < t.modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m_%d", (int)i);
        ck_assert_str_eq(inlay_app_module_name(app, i), name);
        ck_assert_int_eq(inlay_app_time(app, i) * scale, t.time[i]);
        ck_assert_int_eq(inlay_app_memory(app, i), t.memory[i]);
    }
    expect_links(&t, app);
    inlay_app_free(app);
    text_clear(&text);
}
END_TEST

/* ---- Round trips ---- */

static void expect_round_trip(const inlay_app *app)
{
    text_buffer text = tg_text(app, "tg");
    inlay_app *back = tg_app(text.data, text.size);
    tg_expect_same(app, back);
    text_buffer again = tg_text(back, "tg");
    ck_assert_uint_eq(again.size, text.size);
    ck_assert_mem_eq(again.data, text.data, text.size);
    text_clear(&text);
    text_clear(&again);
    inlay_app_free(back);
}

START_TEST(random_applications_come_back)
{
    uint64_t state = (uint64_t)_i + 100;
    random_times times;
    inlay_id modules = 1 + (inlay_id)random_below(&state, RANDOM_MODULES);
    inlay_app *app = random_app(&state, modules,
                                (unsigned)random_below(&state, RANDOM_DATA) |
                                    (unsigned)random_below(&state, 2) * (RANDOM_DEADLINES | RANDOM_TRAFFIC_MEMORY),
                                &times);
    expect_round_trip(app);
    inlay_app_free(app);
}
END_TEST

/* A module of that name with details that depend on `c`. */
static void add_extreme(inlay_app_builder *builder, const char *name, int c, int form)
{
    inlay_module module = {.name = name, .time = {{c, form * 4}, 0}, .memory = c == 7 ? INT64_MAX : 0};
    module.traffic_memory = c == 8 ? INT64_MAX : 0;
    module.cores = c == 9 ? INT32_MAX : 0;
    module.pinned = c % 50 == 0;
    module.pin = INT32_MAX;
    module.kind = c % 3 == 0 ? name : NULL;
    module.arithmetic = c % 4 == 0 ? 1e308 / c : 0;
    module.functions = c % 5 == 0 ? 5e-324 * c : 0;
    ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    if (c % 7 == 0) {
        inlay_id id = inlay_app_builder_find(builder, name);
        inlay_duration time = {{c, 0}, 0};
        ck_assert_int_eq(inlay_app_add_type_time(builder, id, form % 2 ? "\"q\\" : " p ", time, NULL), INLAY_OK);
    }
}

/* Every byte but NUL in a name, at its ends and inside; numbers at the ends of their range; everything at once. */
START_TEST(extremes_come_back)
{
    static const char *const shapes[] = {"%c", "%cx", "x%c", "x%cx"};
    inlay_app_builder *builder = inlay_app_builder_new("random", INLAY_UNIT_NS);
    for (int c = 1; c < 256; c++) {
        for (int form = 0; form < 4; form++) {
            char name[8];
            snprintf(name, sizeof name, shapes[form], (char)c);
            if (c != 'x' || form != 1) { /* "xx" comes twice */
                add_extreme(builder, name, c, form);
            }
        }
    }
    ck_assert_int_eq(inlay_app_add_link(builder, 0, 1, INT64_C(1) << 61, INT64_C(1) << 62, 0, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_add_block(builder, "block ", INT64_MAX, (inlay_duration){{1, 12}, 0}, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_add_use(builder, 0, 3, 0, INT64_C(1) << 62, NULL), INLAY_OK);
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    expect_round_trip(app);
    inlay_app_free(app);
}
END_TEST

/* ---- In pieces ---- */

enum { LARGE = 60000 };

/* More than any window holds, with a line that alone is longer than one. */
static text_buffer large_text(void)
{
    text_buffer text = {0};
    text_addf(&text, "tg 1 %d %d tick\n", LARGE, LARGE - 1);
    for (int i = 0; i < LARGE; i++) {
        text_addf(&text, "%d - 0 module%d", i % 97, i);
        for (int more = 0; i == LARGE / 2 && more < 100000; more++) {
            text_add(&text, "longer");
        }
        text_add(&text, "\n");
    }
    for (int i = 0; i < LARGE / 2; i++) {
        for (int to = i == 0 ? 1 : 2 * i; to < 2 * i + 2; to++) {
            text_addf(&text, "%d %d %d %d -\n", i, to, to % 5, to % 7);
        }
    }
    return text;
}

static void write_whole(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

/* The file holds what stands in `text`, which is as the writer would have it. */
static void expect_file(const char *path, const text_buffer *text)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read(path, "tg", &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    text_buffer written = tg_text(app, "tg");
    ck_assert_uint_eq(written.size, text->size);
    ck_assert_mem_eq(written.data, text->data, text->size);
    text_clear(&written);
    inlay_app_free(app);
}

START_TEST(large_files_in_pieces)
{
    text_buffer text = large_text();
    char path[64];
    snprintf(path, sizeof path, "%s", tg_scratch("pieces"));
    write_whole(path, text.data, text.size);
    expect_file(path, &text);
    unlink(path);
    inlay_app *app = tg_app(text.data, text.size);
    text_buffer written = tg_text(app, "tg");
    ck_assert_mem_eq(written.data, text.data, text.size);
    inlay_app_free(app);
    text_clear(&written);
    text_clear(&text);
}
END_TEST

/* gzip files may be put one behind the other. */
START_TEST(members_of_gzip_join)
{
    static const size_t cuts[] = {0, 1, 7, 100000, 300001};
    text_buffer text = large_text();
    char path[64];
    snprintf(path, sizeof path, "%s", tg_scratch("members"));
    for (size_t i = 0; i < 5; i++) {
        size_t end = i + 1 < 5 ? cuts[i + 1] : text.size;
        gzFile file = gzopen(path, i == 0 ? "wb" : "ab");
        ck_assert_int_eq(gzwrite(file, text.data + cuts[i], (unsigned)(end - cuts[i])), (int)(end - cuts[i]));
        ck_assert_int_eq(gzclose(file), Z_OK);
    }
    expect_file(path, &text);
    unlink(path);
    text_clear(&text);
}
END_TEST

/* Never returns. */
static void dribble(const text_buffer *text, int to)
{
    for (size_t at = 0; at < text->size;) {
        size_t piece = at < 200 ? 1 : at % 7919 + 1;
        piece = piece < text->size - at ? piece : text->size - at;
        ssize_t put = write(to, text->data + at, piece);
        if (put < 0) {
            _exit(1);
        }
        at += (size_t)put;
    }
    _exit(0);
}

/* A pipe gives what its writer has, byte by byte at first. */
START_TEST(pipes_give_little_at_a_time)
{
    text_buffer text = large_text();
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t writer = fork();
    ck_assert_int_ge(writer, 0);
    if (writer == 0) {
        close(ends[0]);
        dribble(&text, ends[1]);
    }
    close(ends[1]);
    ck_assert_int_ge(dup2(ends[0], STDIN_FILENO), 0);
    expect_file("-", &text);
    close(ends[0]);
    text_clear(&text);
}
END_TEST

/* ---- Telling the format ---- */

START_TEST(told_by_content)
{
    static const char *const texts[] = {"tg 1 1 0 s\n1 - 0 a\n", "tg\t1 1 0 s\n1 - 0 a",
                                        "\xEF\xBB\xBFtg 1 1 0 s\n1 - 0 a\n"};
    char path[64];
    snprintf(path, sizeof path, "%s", tg_scratch("told"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (int from_file = 0; from_file < 2; from_file++) {
            inlay_app *app = NULL;
            write_whole(path, texts[i], strlen(texts[i]));
            int status = from_file ? inlay_app_read(path, NULL, &app, NULL)
                                   : inlay_app_read_memory(texts[i], strlen(texts[i]), "x", NULL, &app, NULL);
            ck_assert_int_eq(status, INLAY_OK);
            ck_assert_int_eq(inlay_app_modules(app), 1);
            inlay_app_free(app);
        }
    }
    unlink(path);
}
END_TEST

Suite *suite_tg(void)
{
    Suite *suite = suite_create("tg");
    TCase *tests = tcase_create("tg");
    tcase_add_test(tests, plain_form);
    tcase_add_test(tests, no_blocking_times);
    tcase_add_test(tests, all_sections);
    tcase_add_loop_test(tests, every_way_of_writing, 0, 200);
    tcase_add_loop_test(tests, random_applications_come_back, 0, 100);
    tcase_add_test(tests, extremes_come_back);
    tcase_add_test(tests, large_files_in_pieces);
    tcase_add_test(tests, members_of_gzip_join);
    tcase_add_test(tests, pipes_give_little_at_a_time);
    tcase_add_test(tests, told_by_content);
    suite_add_tcase(suite, tests);
    return suite;
}
