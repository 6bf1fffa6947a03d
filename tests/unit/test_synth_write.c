/*
 * The synthetic program as text: its tables are read back by a scanner of this file's own, names that could end a comment
 * or a string are read back as a C compiler and a JSON reader would, and a compiler looks at the whole.
 */
#include "base/plain.h"
#include "map_by_houstis.h"
#include "graph/app.h"
#include "random_app.h"
#include "synth/escape.h"
#include "synth/synth.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- Tables made by hand ---- */

typedef struct subject {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
    inlay_synth synth;
} subject;

static void *rows(int64_t count, size_t size)
{
    void *data = calloc((size_t)count + 1, size);
    ck_assert_ptr_nonnull(data);
    return data;
}

/* Mostly small, sometimes as large as can be. */
static int64_t any_number(uint64_t *state)
{
    return random_once_in(state, 10) ? random_below(state, (int64_t)1 << 53) : random_below(state, 1000);
}

static void fill_rows(inlay_synth *s, uint64_t *state)
{
    for (int64_t i = 0; i < s->summary.works; i++) {
        double seconds = random_once_in(state, 5) ? 0 : (double)any_number(state) / 977 * 1e-6;
        s->work[i] =
            (synth_work){any_number(state), any_number(state), any_number(state), seconds, random_once_in(state, 2)};
    }
    for (int64_t i = 0; i < s->summary.kinds; i++) {
        inlay_synth_kind kind = (inlay_synth_kind)random_below(state, 4);
        int32_t distance = (int32_t)random_below(state, 9) - 4;
        s->kind[i] = kind == INLAY_SYNTH_DO
                         ? (synth_kind){kind, 0, 0, random_below(state, s->summary.works)}
                         : (synth_kind){kind, distance, (int32_t)random_below(state, 3), any_number(state)};
    }
    for (int64_t i = 0; i < s->loops; i++) {
        s->loop[i] = (synth_loop){any_number(state), 1 + random_below(state, 5)};
    }
    for (int64_t i = 0; i < s->summary.entries; i++) {
        s->entry[i] = random_once_in(state, 9) && s->loops > 0 ? (int32_t)~random_below(state, s->loops)
                                                               : (int32_t)random_below(state, s->summary.kinds);
    }
}

/* Tables of any numbers: the writer does not ask what they mean. The mapping's clusters are the ranks. */
static subject any_tables(uint64_t *state, int64_t size)
{
    static const char text[] = "digraph sample { graph [time_unit=tick]; a [time=4]; b [time=3]; c [time=2]; a -> b; }";
    subject s = {0};
    inlay_synth *to = &s.synth;
    inlay_options options = {0};
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "sample.dot", "dot", &s.app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse("bus:4,capacity=1msg/tick", &s.machine, NULL), INLAY_OK);
    ck_assert_int_eq(map_by_houstis(s.app, s.machine, &options, &s.mapping, NULL), INLAY_OK);
    to->mapping = s.mapping;
    to->summary = (inlay_synth_summary){.ranks = inlay_mapping_summary(s.mapping)->clusters,
                                        .modules = 3,
                                        .works = 1 + random_below(state, size),
                                        .kinds = 1 + random_below(state, size),
                                        .entries = random_below(state, size),
                                        .sequences = 1 + random_below(state, 5),
                                        .lanes = (int32_t)random_below(state, 5)};
    to->loops = random_below(state, size);
    to->work = rows(to->summary.works, sizeof *to->work);
    to->kind = rows(to->summary.kinds, sizeof *to->kind);
    to->loop = rows(to->loops, sizeof *to->loop);
    to->entry = rows(to->summary.entries, sizeof *to->entry);
    to->sequence_begin = rows(to->summary.sequences + 1, sizeof *to->sequence_begin);
    to->rank_sequence = rows(to->summary.ranks, sizeof *to->rank_sequence);
    to->rank_cluster = rows(to->summary.ranks, sizeof *to->rank_cluster);
    fill_rows(to, state);
    for (int64_t i = 1; i <= to->summary.sequences; i++) {
        to->sequence_begin[i] = to->summary.entries * i / to->summary.sequences;
    }
    for (inlay_id i = 0; i < to->summary.ranks; i++) {
        to->rank_sequence[i] = (inlay_id)random_below(state, to->summary.sequences);
        to->rank_cluster[i] = i;
    }
    return s;
}

static void clear(subject *s)
{
    free(s->synth.work);
    free(s->synth.kind);
    free(s->synth.loop);
    free(s->synth.entry);
    free(s->synth.sequence_begin);
    free(s->synth.rank_sequence);
    free(s->synth.rank_cluster);
    inlay_mapping_free(s->mapping);
    inlay_machine_free(s->machine);
    inlay_app_free(s->app);
}

static const char *path_of(const char *ending)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.synth%s", (long)getpid(), ending);
    return path;
}

/* The text of a file, packed or not; the caller frees it. */
static char *text_of(const char *path)
{
    gzFile file = gzopen(path, "rb");
    size_t size = 0, room = 1 << 22;
    char *text = calloc(room, 1);
    ck_assert(file != NULL && text != NULL);
    for (int got = 1; got > 0; size += (size_t)got) {
        got = gzread(file, text + size, (unsigned)(room - size - 1));
        ck_assert_int_ge(got, 0);
    }
    ck_assert_uint_lt(size, room - 1);
    gzclose(file);
    return text;
}

static char *written(const subject *s, const char *ending)
{
    const char *path = path_of(ending);
    ck_assert_int_eq(inlay_synth_write(&s->synth, path, NULL), INLAY_OK);
    char *text = text_of(path);
    unlink(path);
    return text;
}

/* ---- Reading tables back ---- */

/* Behind the `= {` of an array. */
static const char *table(const char *text, const char *name)
{
    char start[64];
    snprintf(start, sizeof start, " %s[] = {", name);
    const char *found = strstr(text, start);
    ck_assert_ptr_nonnull(found);
    ck_assert_ptr_null(strstr(found + 1, start));
    return found + strlen(start);
}

/* The next word, between blanks, commas and braces; false at the end of the table. */
static bool next_word(const char **at, char word[64])
{
    *at += strspn(*at, " ,{\n");
    while (**at == '}' && (*at)[1] != ';') {
        *at += 1 + strspn(*at + 1, " ,{\n");
    }
    size_t size = strcspn(*at, " ,}\n");
    ck_assert_uint_lt(size, 64);
    memcpy(word, *at, size);
    word[size] = '\0';
    *at += size;
    return size > 0;
}

static void expect_number(const char **at, int64_t number)
{
    char word[64], *end;
    ck_assert(next_word(at, word));
    ck_assert_int_eq(strtoll(word, &end, 10), number);
    ck_assert(*end == '\0');
}

static void expect_word(const char **at, const char *expected)
{
    char word[64];
    ck_assert(next_word(at, word));
    ck_assert_str_eq(word, expected);
}

static void expect_end(const char **at)
{
    char word[64];
    ck_assert_msg(!next_word(at, word), "there is more: %s", word);
}

static void expect_works(const char *text, const inlay_synth *s)
{
    const char *at = table(text, "works");
    for (int64_t i = 0; i < s->summary.works; i++) {
        char word[64];
        expect_word(&at, s->work[i].counted ? "COUNTED" : "TIMED");
        expect_number(&at, s->work[i].arithmetic);
        expect_number(&at, s->work[i].functions);
        expect_number(&at, s->work[i].memory);
        ck_assert(next_word(&at, word));
        ck_assert_double_eq(plain_number(word, NULL), s->work[i].seconds);
    }
    expect_end(&at);
}

static void expect_steps(const char *text, const inlay_synth *s)
{
    static const char *const words[] = {"WORK", "SEND", "RECEIVE", "ACCEPT"};
    const char *at = table(text, "steps");
    for (int64_t i = 0; i < s->summary.kinds; i++) {
        expect_word(&at, words[s->kind[i].kind]);
        expect_number(&at, s->kind[i].distance);
        expect_number(&at, s->kind[i].lane);
        expect_number(&at, s->kind[i].size);
    }
    expect_end(&at);
}

/* Where a table has no rows it has one of noughts, which `width` tells. */
static void expect_loops(const char *text, const inlay_synth *s)
{
    const char *at = table(text, "loops");
    for (int64_t i = 0; i < s->loops; i++) {
        expect_number(&at, s->loop[i].times);
        expect_number(&at, s->loop[i].length);
    }
    for (int i = 0; s->loops == 0 && i < 2; i++) {
        expect_number(&at, 0);
    }
    expect_end(&at);
}

static void expect_sequences(const char *text, const inlay_synth *s)
{
    const char *at = table(text, "entries");
    for (int64_t i = 0; i < s->summary.entries; i++) {
        expect_number(&at, s->entry[i]);
    }
    if (s->summary.entries == 0) {
        expect_number(&at, 0);
    }
    expect_end(&at);
    at = table(text, "sequence_begin");
    for (int64_t i = 0; i <= s->summary.sequences; i++) {
        expect_number(&at, s->sequence_begin[i]);
    }
    expect_end(&at);
}

static void expect_ranks(const char *text, const inlay_synth *s)
{
    const char *sequence = table(text, "rank_sequence"), *processor = table(text, "rank_processor");
    for (inlay_id i = 0; i < s->summary.ranks; i++) {
        expect_number(&sequence, s->rank_sequence[i]);
        expect_number(&processor, inlay_mapping_cluster(s->mapping, i).processor);
    }
    expect_end(&sequence);
    expect_end(&processor);
    char numbers[80];
    snprintf(numbers, sizeof numbers, "enum { RANKS = %" PRId32 ", LANES = %" PRId32 " };\n", s->summary.ranks,
             s->summary.lanes);
    ck_assert_ptr_nonnull(strstr(text, numbers));
}

START_TEST(tables_are_exact)
{
    uint64_t state = 11;
    for (int round = 0; round < 60; round++) {
        subject s = any_tables(&state, round < 30 ? 3 : 1500);
        char *text = written(&s, round % 2 ? ".c" : ".c.gz");
        expect_works(text, &s.synth);
        expect_steps(text, &s.synth);
        expect_loops(text, &s.synth);
        expect_sequences(text, &s.synth);
        expect_ranks(text, &s.synth);
        free(text);
        clear(&s);
    }
}
END_TEST

START_TEST(lines_are_short)
{
    uint64_t state = 5;
    subject s = any_tables(&state, 2000);
    char *text = written(&s, ".c");
    for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        ck_assert_int_le(end - line, 120);
    }
    free(text);
    clear(&s);
}
END_TEST

/* ---- The code ---- */

/* Cuts the heading and the tables out. */
static void leave_code(char *text)
{
    char *code = strstr(text, "*/\n/*"), *tables = strstr(text, "enum { RANKS = "),
         *last = strstr(text, " rank_processor[] = {");
    ck_assert(code != NULL && tables != NULL && last != NULL);
    char *rest = strstr(last, "};\n") + 3;
    memmove(tables, rest, strlen(rest) + 1);
    memmove(text, code, strlen(code) + 1);
}

START_TEST(code_is_the_same)
{
    uint64_t state = 7;
    char *codes[4];
    for (int i = 0; i < 4; i++) {
        subject s = any_tables(&state, i < 2 ? 3 : 2000);
        codes[i] = written(&s, ".c");
        leave_code(codes[i]);
        ck_assert_str_eq(codes[i], codes[0]);
        clear(&s);
    }
    ck_assert_ptr_nonnull(strstr(codes[0], "int main("));
    ck_assert_ptr_nonnull(strstr(codes[0], "deadlock"));
    for (int i = 0; i < 4; i++) {
        free(codes[i]);
    }
}
END_TEST

/* Names go into the text under every guard that the compiler has. */
START_TEST(compilers_take_it)
{
    if (system("command -v mpicc >/dev/null 2>&1") != 0) { // NOLINT(cert-env33-c): the test asks the shell
        unit_skip("no mpicc");
        return;
    }
    uint64_t state = 3;
    char command[256], hostile[] = "*/ ?\?/\n\"%s\\\" /* \x1b[2J ?\?) \xff\xc3\xa9";
    for (int round = 0; round < 2; round++) {
        subject s = any_tables(&state, round == 0 ? 2 : 500);
        char *label = s.app->label;
        s.app->label = hostile;
        ck_assert_int_eq(inlay_synth_write(&s.synth, path_of(".c"), NULL), INLAY_OK);
        s.app->label = label;
        snprintf(command, sizeof command,
                 "mpicc -std=c17 -fsyntax-only -Wall -Wextra -Werror=comment %s >/dev/null 2>&1", path_of(".c"));
        ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c): as above
        unlink(path_of(".c"));
        clear(&s);
    }
}
END_TEST

/* ---- Names ---- */

/* What a C compiler makes of a literal with its quotes; trigraphs must not be in it. */
static char *compiled(const char *literal)
{
    size_t size = strlen(literal), used = 0;
    char *text = calloc(size, 1);
    ck_assert(text != NULL && size >= 2 && literal[0] == '"' && literal[size - 1] == '"');
    ck_assert_ptr_null(strstr(literal, "?\?"));
    for (const char *c = literal + 1; c < literal + size - 1; c++) {
        ck_assert(*c >= ' ' && *c <= '~' && *c != '"');
        if (*c != '\\') {
            text[used++] = *c;
        } else if (strchr("\"\\?", c[1]) != NULL) {
            text[used++] = *++c;
        } else { /* three octal digits */
            ck_assert_uint_eq(strspn(c + 1, "01234567") >= 3, 1);
            text[used++] = (char)((c[1] - '0') * 64 + (c[2] - '0') * 8 + c[3] - '0');
            c += 3;
        }
    }
    return text;
}

static void expect_name(const char *name, const char *read)
{
    text_buffer literal = {0};
    escape_as_json_literal(&literal, name);
    char *json = compiled(literal.data);
    json_t *value = json_loads(json, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    ck_assert_msg(value != NULL, "no JSON: %s", json);
    ck_assert_str_eq(json_string_value(value), read);
    for (const char *c = json; *c != '\0'; c++) { /* what is printed moves no cursor */
        ck_assert((unsigned char)*c >= ' ' && *c != 127);
    }
    json_decref(value);
    free(json);
    text_clear(&literal);
}

#define UNKNOWN "\xef\xbf\xbd" /* U+FFFD */

START_TEST(names_are_told_as_they_are)
{
    static const char *const plain[] = {"",
                                        "cholesky4",
                                        "\"quoted\" \\ back\\",
                                        "*/ int x; /*",
                                        "?\?/ ?\?) ?\??",
                                        "%s%n%d 100 %",
                                        "tab\tline\nbell\a\x1b[2J\x7f",
                                        "\x01"
                                        "1\x1f"
                                        "9",
                                        "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 7",
                                        "\xc2\x85 next line"};
    static const char *const broken[][2] = {{"\xff"
                                             "a",
                                             UNKNOWN "a"},
                                            {"a\xc3", "a" UNKNOWN},
                                            {"\xc3(", UNKNOWN "("},
                                            {"\xe2\x82", UNKNOWN UNKNOWN},
                                            {"\xc0\xaf", UNKNOWN UNKNOWN},
                                            {"\xe0\x80\xaf", UNKNOWN UNKNOWN UNKNOWN},
                                            {"\xed\xa0\x80", UNKNOWN UNKNOWN UNKNOWN},
                                            {"\xf4\x90\x80\x80", UNKNOWN UNKNOWN UNKNOWN UNKNOWN},
                                            {"\x80\"", UNKNOWN "\""}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        expect_name(plain[i], plain[i]);
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        expect_name(broken[i][0], broken[i][1]);
    }
}
END_TEST

/* Any bytes give valid JSON. */
START_TEST(any_bytes_are_a_name)
{
    uint64_t state = 17;
    for (int round = 0; round < 3000; round++) {
        char name[24] = "";
        text_buffer literal = {0};
        for (int i = 0; i < 20; i++) {
            name[i] = (char)(1 + random_below(&state, 255));
        }
        escape_as_json_literal(&literal, name);
        char *json = compiled(literal.data);
        json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
        ck_assert_msg(value != NULL, "no JSON: %s", json);
        json_decref(value);
        free(json);
        text_clear(&literal);
    }
}
END_TEST

START_TEST(comments_are_harmless)
{
    uint64_t state = 23;
    for (int round = 0; round < 2000; round++) {
        char name[400] = "";
        text_buffer comment = {0};
        int64_t size = random_below(&state, 399);
        for (int64_t i = 0; i < size; i++) {
            name[i] =
                random_once_in(&state, 2) ? "*/?\\\n"[random_below(&state, 5)] : (char)(1 + random_below(&state, 255));
        }
        text_add(&comment, "/");
        escape_for_comment(&comment, name);
        ck_assert_uint_le(comment.size, 210);
        ck_assert_uint_eq(strcspn(comment.data, "*?\\\n\"'%"), comment.size);
        for (size_t i = 0; i < comment.size; i++) {
            ck_assert(comment.data[i] >= ' ' && comment.data[i] <= '~');
        }
        text_clear(&comment);
    }
    text_buffer comment = {0};
    escape_for_comment(&comment, "bus:16,capacity=1MB/s,memory=common");
    ck_assert_str_eq(comment.data, "bus:16,capacity=1MB/s,memory=common");
    text_clear(&comment);
}
END_TEST

/* ---- Files ---- */

START_TEST(whole_or_not_at_all)
{
    uint64_t state = 2;
    struct stat status;
    inlay_diag *diag = inlay_diag_new();
    subject s = any_tables(&state, 100000);
    ck_assert_int_eq(inlay_synth_write(&s.synth, "/tmp/no/such/folder/prog.c", diag), INLAY_SYSTEM);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "/tmp/no/such/folder/prog.c"));
    ck_assert_int_ne(stat("/tmp/no", &status), 0);
    ck_assert_int_eq(inlay_synth_write(&s.synth, "/dev/full", NULL), INLAY_SYSTEM);
    inlay_diag_free(diag);
    clear(&s);
}
END_TEST

Suite *suite_synth_write(void)
{
    Suite *suite = suite_create("synth write");
    TCase *tests = tcase_create("synth write");
    tcase_add_test(tests, tables_are_exact);
    tcase_add_test(tests, lines_are_short);
    tcase_add_test(tests, code_is_the_same);
    tcase_add_test(tests, compilers_take_it);
    tcase_add_test(tests, names_are_told_as_they_are);
    tcase_add_test(tests, any_bytes_are_a_name);
    tcase_add_test(tests, comments_are_harmless);
    tcase_add_test(tests, whole_or_not_at_all);
    suite_add_tcase(suite, tests);
    return suite;
}
