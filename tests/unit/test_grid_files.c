/* Grids, machines and owner maps as people write them, read by a program. */
#include "starve.h"
#include "unit.h"

#include <inlay/decompose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/inlay-grid-%ld", (long)getpid());
}

static void written(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void remove_file(void)
{
    unlink(path);
}

static void expect_message(const inlay_diag *diag, const char *says)
{
    const char *message = inlay_diag_message(diag);
    size_t length = strlen(path);
    if (strncmp(message, path, length) == 0) message += length; /* ":LINE: what is wrong; what was expected" */
    ck_assert_str_eq(message, says);
}

/* ---- Sizes and programs ---- */

START_TEST(extents)
{
    static const char *const bad[] = {"",
                                      "4",
                                      "4x",
                                      "x4",
                                      "0x4",
                                      "4x0",
                                      "4x4x4",
                                      "-4x4",
                                      "4x4 ",
                                      " 4x4",
                                      "9007199254740993x1",
                                      "99999999999999999999x1",
                                      "4X4"};
    int64_t rows = 7, columns = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(inlay_grid_extent_parse(bad[i], &rows, &columns), INLAY_BAD_INPUT);
    ck_assert(rows == 7 && columns == 7);
    ck_assert_int_eq(inlay_grid_extent_parse("9007199254740992x12", &rows, &columns), INLAY_OK);
    ck_assert(rows == INT64_C(9007199254740992) && columns == 12);
}
END_TEST

START_TEST(programs)
{
    inlay_grid_program *program = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_grid_program_read("30x40", 5, &program, diag), INLAY_OK);
    ck_assert(program->rows == 30 && program->columns == 40 && !program->bounded && program->item == 0);
    ck_assert_uint_eq(program->phases, 0);
    ck_assert_int_eq(inlay_grid_program_add(program, "offsets:1,-2;0,3,item=2KiB,name=far away,weight=0.5", 5, diag),
                     INLAY_OK);
    const inlay_grid_phase *phase = &program->phase[0];
    ck_assert_int_eq(phase->pattern.communication, INLAY_GRID_OFFSETS);
    ck_assert_uint_eq(phase->pattern.offsets, 2);
    ck_assert(phase->pattern.offset[0].down == 1 && phase->pattern.offset[0].across == -2);
    ck_assert(phase->pattern.offset[1].down == 0 && phase->pattern.offset[1].across == 3);
    ck_assert(phase->work == 5 && phase->weight == 0.5 && phase->item == 2048);
    ck_assert_str_eq(phase->name, "far away");
    ck_assert_int_eq(inlay_grid_program_add(program, "reduction:3,flops=2", 5, diag), INLAY_OK);
    ck_assert(program->phase[1].pattern.root == 3 && program->phase[1].work == 2 && program->phase[1].name == NULL);
    ck_assert_int_eq(inlay_grid_program_add(program, "stencil5,weight=0", 5, diag), INLAY_BAD_ARGUMENT);
    expect_message(diag, "bad field 'weight=0' of a phase; expected flops=NUMBER, weight=NUMBER above 0, item=BYTES or "
                         "name=NAME");
    ck_assert_uint_eq(program->phases, 2);
    inlay_grid_program_free(program);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(grid_files)
{
    inlay_grid_program *program = NULL;
    written("# plate\nrows 3\r\n\tcolumns\t4 # wide\nedges bounded\nitem 4B\nphase stencil9\nphase none,flops=1");
    ck_assert_int_eq(inlay_grid_program_read(path, 6, &program, NULL), INLAY_OK);
    ck_assert(program->rows == 3 && program->columns == 4 && program->bounded && program->item == 4);
    ck_assert_uint_eq(program->phases, 2);
    ck_assert(program->phase[0].work == 6 && program->phase[1].work == 1);
    inlay_grid_program_free(program);
    inlay_diag *diag = inlay_diag_new();
    program = NULL;
    written("rows 3\n\nphase stencil5,x=1\n");
    ck_assert_int_eq(inlay_grid_program_read(path, 6, &program, diag), INLAY_BAD_INPUT);
    expect_message(diag, ":3: bad field 'x=1' of a phase; expected flops=NUMBER, weight=NUMBER above 0, item=BYTES or "
                         "name=NAME");
    ck_assert_ptr_null(program);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Machines ---- */

START_TEST(lists)
{
    static const double speed[] = {6e6, 3.5e6, 3.5e6, 1e5};
    inlay_grid_machines *machines = NULL;
    for (int mflops = 0; mflops <= 2; mflops += 2) {
        ck_assert_int_eq(inlay_grid_machines_read("6,2x3.5,0.1", mflops, &machines, NULL), INLAY_OK);
        ck_assert_int_eq(machines->processors, 4);
        ck_assert_ptr_null(machines->name);
        ck_assert(!machines->networked);
        for (int i = 0; i < 4; i++)
            ck_assert_double_eq_tol(machines->speed[i], (mflops == 0 ? 1 : mflops) * speed[i], 1e-6);
        inlay_grid_machines_free(machines);
    }
}
END_TEST

START_TEST(tables_and_machines)
{
    inlay_grid_machines *machines = NULL;
    written("name,speed\n# slow ones\nold sun , 2\n4,4\n");
    ck_assert_int_eq(inlay_grid_machines_read(path, 0, &machines, NULL), INLAY_OK);
    ck_assert_int_eq(machines->processors, 3);
    ck_assert_str_eq(machines->name[0], "old sun");
    ck_assert_ptr_null(machines->name[1]);
    ck_assert_double_eq(machines->speed[2], 4e6);
    inlay_grid_machines_free(machines);
    ck_assert_int_eq(
        inlay_grid_machines_read("bus:2,capacity=10MB/s,latency=20us,arithmetic_time=1us", 0, &machines, NULL),
        INLAY_OK);
    ck_assert(machines->networked && machines->processors == 2);
    ck_assert_double_eq_tol(machines->network.latency, 20e-6, 1e-15);
    ck_assert_double_eq_tol(machines->network.per_byte, 1e-7, 1e-17);
    ck_assert_int_eq(machines->network.payload, 0);
    ck_assert_double_eq_tol(machines->speed[1], 1e6, 1e-6);
    inlay_grid_machines_free(machines);
}
END_TEST

/* ---- Owners ---- */

static const double speeds[] = {1, 1, 1};
static const inlay_grid_problem plate = {.rows = 2, .columns = 4, .item = 8, .processors = 3, .speed = speeds};
static const char *const names[] = {"big", "twin", "twin"};

static void expect_owners(const char *text)
{
    static const int32_t expected[] = {0, 0, 2, 2, 1, 1, 2, 2};
    int32_t *owner = NULL;
    written(text);
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_grid_owners_read(path, &plate, names, &owner, diag);
    ck_assert_msg(status == INLAY_OK, "'%s': %s", text, inlay_diag_message(diag));
    ck_assert_mem_eq(owner, expected, sizeof expected);
    free(owner);
    inlay_diag_free(diag);
}

START_TEST(owner_maps)
{
    expect_owners("0 0 2 2\n1 1 2 2\n");
    expect_owners("# an L\n\n0,0, 2,2 # north\r\n 1\t1 2 2");
    expect_owners("big big 2 2\n1 1 2 2\n");
    expect_owners("2 0-1 2-3\nbig 0-0 0-1\n1 1-1 0-1\n");
    expect_owners("0 0-0,0-0\n0 0-0 1-1\n1 1-1 0-1\n2,0-1,2-3"); /* several rectangles of one */
}
END_TEST

START_TEST(bad_owner_maps)
{
    static const char *const bad[][2] = {
        {"", ": 0 rows of processors; expected one for each of 2 rows of the grid"},
        {"0 0 2 2\n", ": 1 rows of processors; expected one for each of 2 rows of the grid"},
        {"0 0 2 2\n0 0 2 2\n\n1 1 1 1\n", ":4: a row too many; expected 2 rows"},
        {"0 0 2\n", ":1: 3 processors in a row; expected one for each of 4 columns"},
        {"0 0 2 2 2\n", ":1: more than 4 processors in a row; expected one for each column"},
        {"0 0 2 3\n", ":1: there is no processor '3'; expected 0 to 2, or a name"},
        {"0 0 2 -1\n", ":1: there is no processor '-1'; expected 0 to 2, or a name"},
        {"0 0 small 1\n", ":1: there is no processor 'small'; expected 0 to 2, or a name"},
        {"0 0 twin 1\n", ":1: several processors have the name 'twin'; expected their numbers"},
        {"0 0-1 0-1\n0 0 2 2\n", ":2: bad line '0 0 2 2'; expected PROCESSOR TOP-BOTTOM LEFT-RIGHT"},
        {"0 0-1 0-1\n1 0-1 1-3\n", ":2: cell (0, 1) is processor 0's already; expected every cell once"},
        {"0 0-1 0-1\n1 0-0 2-3\n", ": cell (1, 2) is in no rectangle; expected every cell once"},
        {"0 0-2 0-1\n", ":1: bad rows '0-2'; expected the first and the last, from 0-0 to 0-1"},
        {"0 0-1 3-2\n", ":1: bad columns '3-2'; expected the first and the last, from 0-0 to 0-3"},
        {"7 0-1 0-3\n", ":1: there is no processor '7'; expected 0 to 2, or a name"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        inlay_diag *diag = inlay_diag_new();
        int32_t *owner = NULL;
        written(bad[i][0]);
        ck_assert_int_eq(inlay_grid_owners_read(path, &plate, names, &owner, diag), INLAY_BAD_INPUT);
        expect_message(diag, bad[i][1]);
        ck_assert_ptr_null(owner);
        inlay_diag_free(diag);
    }
    inlay_grid_problem large = plate;
    large.rows = INT64_C(1) << 27;
    int32_t *owner = NULL;
    ck_assert_int_eq(inlay_grid_owners_read(path, &large, names, &owner, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(owner);
}
END_TEST

/* ---- Memory ---- */

static int try_program(const void *subject)
{
    inlay_grid_program *program = NULL;
    int status = inlay_grid_program_read(subject, 1, &program, NULL);
    if (status == INLAY_OK) status = inlay_grid_program_add(program, "offsets:1,1,name=last", 1, NULL);
    inlay_grid_program_free(program);
    return status;
}

static int try_machines(const void *subject)
{
    inlay_grid_machines *machines = NULL;
    int status = inlay_grid_machines_read(subject, 1, &machines, NULL);
    inlay_grid_machines_free(machines);
    return status;
}

static int try_owners(const void *subject)
{
    int32_t *owner = NULL;
    int status = inlay_grid_owners_read(subject, &plate, names, &owner, NULL);
    free(owner);
    return status;
}

START_TEST(memory)
{
    written("rows 4\ncolumns 4\nphase offsets:1,0,name=a,name=b\n");
    starve(try_program, path, 10);
    written("a,3\nb,2\n4,2x3\n");
    starve(try_machines, path, 8);
    starve(try_machines, "3,2", 4);
    written("0 0-1 0-3\n");
    starve(try_owners, path, 6);
}
END_TEST

Suite *suite_grid_files(void)
{
    Suite *suite = suite_create("grid_files");
    TCase *test = tcase_create("grid_files");
    tcase_add_checked_fixture(test, name_file, remove_file);
    tcase_add_test(test, extents);
    tcase_add_test(test, programs);
    tcase_add_test(test, grid_files);
    tcase_add_test(test, lists);
    tcase_add_test(test, tables_and_machines);
    tcase_add_test(test, owner_maps);
    tcase_add_test(test, bad_owner_maps);
    tcase_add_test(test, memory);
    suite_add_tcase(suite, test);
    return suite;
}
