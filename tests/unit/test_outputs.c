// SPDX-License-Identifier: GPL-3.0-or-later
/* Files that appear whole or not at all: their names, links and modes, threads, and sets of files. */
#include "base/file.h"
#include <inlay/outputs.h>
#include "unit.h"
#include <dirent.h>
#include <inlay/outputs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every test stands in an empty folder of its own. */
static char folder[64];

static void enter(void)
{
    snprintf(folder, sizeof folder, "/tmp/inlay-outputs-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static int entries(void)
{
    DIR *list = opendir(".");
    int count = 0;
    ck_assert_ptr_nonnull(list);
    while (readdir(list) != NULL) {
        count++;
    }
    closedir(list);
    return count - 2; /* . and .. */
}

static void leave(void)
{
    DIR *list = opendir(".");
    const struct dirent *entry;
    ck_assert_ptr_nonnull(list);
    while ((entry = readdir(list)) != NULL) {
        (void)unlink(entry->d_name);
    }
    closedir(list);
    (void)rmdir("deep");
    ck_assert_int_eq(chdir("/tmp"), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void put(const char *path, const char *text)
{
    inlay_diag *diag = inlay_diag_new();
    int status = file_write(path, text, strlen(text), diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
}

/* With plain calls of the system. */
static void check_text(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is not there", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(text, expected);
}

static void check_refused(const char *path, const char *why)
{
    char expected[400];
    inlay_diag *diag = inlay_diag_new();
    snprintf(expected, sizeof expected, "%s: cannot be written (%s)", path, why);
    ck_assert_int_eq(file_write(path, "new", 3, diag), INLAY_SYSTEM);
    ck_assert_str_eq(inlay_diag_message(diag), expected);
    inlay_diag_free(diag);
}

/* ---- Names ---- */

START_TEST(names_as_long_as_the_system_takes)
{
    char name[257] = "";
    static const size_t lengths[] = {250, 255};
    for (size_t i = 0; i < 2; i++) {
        memset(name, 'a', lengths[i]);
        name[lengths[i]] = '\0';
        put(name, "one");
        put(name, "two");
        check_text(name, "two");
    }
    memset(name, 'a', 256);
    check_refused(name, "File name too long");
    ck_assert_int_eq(entries(), 2);
}
END_TEST

/* What a killed run left behind, perhaps of the same process number, is in nobody's way. */
START_TEST(left_over_parts_are_in_nobodys_way)
{
    char name[64];
    snprintf(name, sizeof name, "result.%ld.part", (long)getpid());
    put(name, "old");
    snprintf(name, sizeof name, "result.json.%ld.part", (long)getpid());
    put(name, "old");
    put("result", "new");
    put("result.json", "new");
    check_text("result", "new");
    check_text("result.json", "new");
    ck_assert_int_eq(entries(), 4);
}
END_TEST

START_TEST(no_name_and_folders_are_refused)
{
    ck_assert_int_eq(mkdir("deep", 0700), 0);
    check_refused("", "No such file or directory");
    check_refused("deep", "Is a directory");
    check_refused("deep/", "Is a directory");
    check_refused("missing/file", "No such file or directory");
    ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(abandoned_output_leaves_the_old)
{
    inlay_file *out = NULL;
    put("file", "old");
    ck_assert_int_eq(inlay_file_open("file", &out, NULL), INLAY_OK);
    inlay_file_put(out, "new", 3);
    ck_assert_int_eq(entries(), 2);
    inlay_file_abandon(out);
    ck_assert_int_eq(entries(), 1);
    check_text("file", "old");
}
END_TEST

START_TEST(modes_are_the_umasks_or_the_old_files)
{
    struct stat of;
    mode_t before = umask(027);
    put("new", "one");
    put("secret", "one");
    ck_assert_int_eq(chmod("secret", 0600), 0);
    umask(0);
    put("secret", "two");
    put("open", "one");
    umask(before);
    ck_assert(stat("new", &of) == 0 && (of.st_mode & 07777) == 0640);
    ck_assert(stat("secret", &of) == 0 && (of.st_mode & 07777) == 0600);
    ck_assert(stat("open", &of) == 0 && (of.st_mode & 07777) == 0666);
}
END_TEST

/* ---- Links ---- */

static void check_link(const char *path, const char *expected)
{
    char to[128] = "";
    ck_assert_int_gt(readlink(path, to, sizeof to - 1), 0);
    ck_assert_str_eq(to, expected);
}

START_TEST(dangling_links_stay_and_get_their_target)
{
    char absolute[128];
    ck_assert_int_eq(mkdir("deep", 0700), 0);
    snprintf(absolute, sizeof absolute, "%s/deep/third", folder);
    ck_assert_int_eq(symlink("second", "deep/first"), 0); /* seen from where the link stands */
    ck_assert_int_eq(symlink("deep/first", "chain"), 0);
    ck_assert_int_eq(symlink(absolute, "absolute"), 0);
    put("chain", "one");
    check_link("chain", "deep/first");
    check_link("deep/first", "second");
    check_text("deep/second", "one");
    put("chain", "two");
    check_text("deep/second", "two");
    put("absolute", "three");
    check_link("absolute", absolute);
    check_text("deep/third", "three");
    unlink("deep/first");
    unlink("deep/second");
    unlink("deep/third");
}
END_TEST

START_TEST(links_that_lead_nowhere_stay)
{
    ck_assert_int_eq(symlink("ring2", "ring1"), 0);
    ck_assert_int_eq(symlink("ring1", "ring2"), 0);
    ck_assert_int_eq(symlink("missing/file", "nowhere"), 0);
    ck_assert_int_eq(symlink("/proc/inlay-makes-no-file-here", "forbidden"), 0); /* not even for root */
    check_refused("ring1", "Too many levels of symbolic links");
    check_refused("nowhere", "No such file or directory");
    ck_assert_int_eq(file_write("forbidden", "new", 3, NULL), INLAY_SYSTEM);
    check_link("ring1", "ring2");
    check_link("nowhere", "missing/file");
    check_link("forbidden", "/proc/inlay-makes-no-file-here");
    ck_assert_int_eq(entries(), 4);
}
END_TEST

/* ---- Threads ---- */

enum { TURNS = 200 };

static void *write_often(void *argument)
{
    const char *text = argument;
    intptr_t failed = 0;
    for (int i = 0; i < TURNS; i++) {
        failed += file_write(text, text, strlen(text), NULL) != INLAY_OK;
        failed += file_write("both", text, strlen(text), NULL) != INLAY_OK;
    }
    return (void *)failed;
}

START_TEST(threads_write_two_files_and_the_same)
{
    static char names[2][8] = {"left", "right"};
    pthread_t thread[2];
    void *failed;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_create(&thread[i], NULL, write_often, names[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_join(thread[i], &failed), 0);
        ck_assert_ptr_null(failed);
        check_text(names[i], names[i]);
    }
    char text[8] = "";
    FILE *both = fopen("both", "r");
    ck_assert_ptr_nonnull(both);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, both));
    fclose(both);
    ck_assert(strcmp(text, names[0]) == 0 || strcmp(text, names[1]) == 0);
    ck_assert_int_eq(entries(), 3);
}
END_TEST

/* ---- Sets ---- */

static inlay_diag *gathering(inlay_outputs *outputs)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_diag_gather(diag, outputs);
    return diag;
}

START_TEST(sets_appear_at_once)
{
    inlay_outputs *outputs = inlay_outputs_new();
    inlay_diag *diag = gathering(outputs), *other = gathering(outputs);
    put("first", "old");
    ck_assert_int_eq(file_write("first", "new", 3, diag), INLAY_OK);
    ck_assert_int_eq(file_write("second", "new", 3, other), INLAY_OK);
    ck_assert_int_eq(file_write("second", "newest", 6, diag), INLAY_OK); /* the last one counts */
    check_text("first", "old");
    ck_assert(!file_exists("second"));
    ck_assert_int_eq(inlay_outputs_commit(outputs, diag), INLAY_OK);
    check_text("first", "new");
    check_text("second", "newest");
    ck_assert_int_eq(entries(), 2);
    put("first", "by itself"); /* another diag */
    check_text("first", "by itself");
    inlay_diag_free(diag);
    inlay_diag_free(other);
    inlay_outputs_free(outputs);
    check_text("second", "newest");
}
END_TEST

START_TEST(sets_with_a_failure_change_nothing)
{
    inlay_outputs *outputs = inlay_outputs_new();
    inlay_diag *diag = gathering(outputs);
    inlay_file *begun = NULL;
    put("first", "old");
    ck_assert_int_eq(file_write("first", "new", 3, diag), INLAY_OK);
    ck_assert_int_eq(file_write("missing/second", "new", 3, diag), INLAY_SYSTEM);
    ck_assert_int_eq(inlay_file_open("third", &begun, diag), INLAY_OK);
    inlay_file_put(begun, "new", 3);
    ck_assert_int_eq(entries(), 3);
    inlay_outputs_discard(outputs); /* as a signal handler does it, in mid-write */
    ck_assert_int_eq(entries(), 1);
    inlay_file_abandon(begun);
    inlay_outputs_free(outputs);
    inlay_diag_free(diag);
    check_text("first", "old");
    ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(sets_stop_at_a_place_that_is_taken)
{
    inlay_outputs *outputs = inlay_outputs_new();
    inlay_diag *diag = gathering(outputs);
    ck_assert_int_eq(file_write("deep", "new", 3, diag), INLAY_OK);
    ck_assert_int_eq(file_write("second", "new", 3, diag), INLAY_OK);
    ck_assert_int_eq(mkdir("deep", 0700), 0);
    ck_assert_int_eq(inlay_outputs_commit(outputs, diag), INLAY_SYSTEM);
    ck_assert_str_eq(inlay_diag_message(diag), "deep: cannot be written (Is a directory)");
    ck_assert_int_eq(entries(), 1);
    inlay_outputs_free(outputs);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(sets_forget_what_is_dropped)
{
    inlay_outputs *outputs = inlay_outputs_new();
    inlay_diag *diag = gathering(outputs);
    ck_assert_int_eq(file_write("first", "new", 3, diag), INLAY_OK);
    inlay_outputs_discard(outputs);
    ck_assert_int_eq(file_write("second", "new", 3, diag), INLAY_OK);
    ck_assert_int_eq(inlay_outputs_commit(outputs, diag), INLAY_OK);
    ck_assert_int_eq(entries(), 1);
    check_text("second", "new");
    inlay_outputs_free(outputs);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_outputs(void)
{
    Suite *suite = suite_create("outputs");
    TCase *tests = tcase_create("outputs");
    tcase_add_checked_fixture(tests, enter, leave);
    tcase_add_test(tests, names_as_long_as_the_system_takes);
    tcase_add_test(tests, left_over_parts_are_in_nobodys_way);
    tcase_add_test(tests, no_name_and_folders_are_refused);
    tcase_add_test(tests, abandoned_output_leaves_the_old);
    tcase_add_test(tests, modes_are_the_umasks_or_the_old_files);
    tcase_add_test(tests, dangling_links_stay_and_get_their_target);
    tcase_add_test(tests, links_that_lead_nowhere_stay);
    tcase_add_test(tests, threads_write_two_files_and_the_same);
    tcase_add_test(tests, sets_appear_at_once);
    tcase_add_test(tests, sets_with_a_failure_change_nothing);
    tcase_add_test(tests, sets_stop_at_a_place_that_is_taken);
    tcase_add_test(tests, sets_forget_what_is_dropped);
    suite_add_tcase(suite, tests);
    return suite;
}
