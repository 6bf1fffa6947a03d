// SPDX-License-Identifier: GPL-3.0-or-later
/* Every platform through every writer of machines, read back and compared host by host and link by link. */
#include "random_app.h"
#include "map_by_houstis.h"
#include "svg_read.h"
#include "unit.h"

#include <dirent.h>
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1024, LONGEST = 256, LARGE = 4096 };

static const double tick = 1e-6;

/* ---- Comparing ---- */

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(a) || (isinf(a) && isinf(b));
}

static bool same_processor(const inlay_machine *a, const inlay_machine *b, inlay_id p)
{
    char left[INLAY_MACHINE_NAME], right[INLAY_MACHINE_NAME];
    inlay_processor x = inlay_machine_processor(a, p), y = inlay_machine_processor(b, p);
    inlay_id host = inlay_machine_host(a, p);
    bool types = x.type == NULL || y.type == NULL ? x.type == y.type : strcmp(x.type, y.type) == 0;
    bool names = !inlay_machine_has_links(a) ||
                 strcmp(inlay_machine_node_name(a, host, left), inlay_machine_node_name(b, host, right)) == 0;
    return host == inlay_machine_host(b, p) && types && names && near(x.speed, y.speed) && x.memory == y.memory;
}

static double seconds_of(const inlay_machine *machine)
{
    double seconds = inlay_unit_seconds(inlay_machine_link_unit(machine));
    return seconds > 0 ? seconds : tick;
}

/* The same links one after the other; capacities and latencies in seconds. */
static bool same_route(const inlay_machine *a, const inlay_machine *b, inlay_id from, inlay_id to)
{
    inlay_id left[LONGEST], right[LONGEST];
    inlay_id length = inlay_machine_route(a, from, to, left, LONGEST);
    bool same = inlay_machine_route(b, from, to, right, LONGEST) == length;
    if (length < 0 || length > LONGEST) {
        ck_abort_msg("a route of %d links", (int)length);
    }
    for (inlay_id i = 0; i < length && same; i++) {
        inlay_machine_link x = inlay_machine_link_at(a, left[i]), y = inlay_machine_link_at(b, right[i]);
        bool known = inlay_machine_links_known(a);
        same = known == (inlay_machine_links_known(b) && isfinite(y.capacity)) || isinf(x.capacity);
        same = same && near(x.latency * seconds_of(a), y.latency * seconds_of(b)) &&
               (!known || near(x.capacity / seconds_of(a), y.capacity / seconds_of(b)));
    }
    return same;
}

/* Between the processors whose routes are looked at: of a large machine few, for each may take a search of its own. */
static inlay_id stride(inlay_id processors)
{
    return processors / (processors > LARGE ? 4 : 48) + 1;
}

/* The same processors of the same hosts. Gives how many of the pairs looked at have other routes. */
static int64_t compare(const inlay_machine *a, const inlay_machine *b, const char *what)
{
    inlay_id processors = inlay_machine_processors(a);
    int64_t others = 0;
    ck_assert_msg(inlay_machine_processors(b) == processors && inlay_machine_hosts(a) == inlay_machine_hosts(b) &&
                      inlay_machine_nodes(a) == inlay_machine_nodes(b),
                  "%s: other sizes", what);
    inlay_id p = 0;
    while (p < processors && same_processor(a, b, p)) {
        p++;
    }
    ck_assert_msg(p == processors, "%s: another processor %d", what, (int)p);
    for (inlay_id from = 0; from < processors; from += stride(processors)) {
        for (inlay_id to = 0; to < processors; to += stride(processors)) {
            others += !same_route(a, b, from, to);
        }
    }
    return others;
}

static int mean_distance(const inlay_machine *machine, inlay_id p, inlay_id q)
{
    return (inlay_machine_distance(machine, p, q) + inlay_machine_distance(machine, q, p) + 1) / 2;
}

/* One processor of every host. */
static inlay_id *first_processors(const inlay_machine *machine)
{
    inlay_id *first = calloc((size_t)inlay_machine_hosts(machine), sizeof *first);
    ck_assert_ptr_nonnull(first);
    for (inlay_id p = inlay_machine_processors(machine); p-- > 0;) {
        first[inlay_machine_host(machine, p)] = p;
    }
    return first;
}

/* "deco 0 HOSTS DOMAINS", a label, a weight and a domain each, and the distances below the diagonal. */
static void compare_deco(const inlay_machine *machine, FILE *file, const char *what)
{
    inlay_id hosts = inlay_machine_hosts(machine), *first = first_processors(machine);
    int kind, count, domains, told;
    ck_assert_int_eq(fscanf(file, "%d %d %d", &kind, &count, &domains), 3);
    ck_assert_int_eq(count, hosts);
    for (int i = 0; i < 3 * hosts && fscanf(file, "%d", &told) == 1; i++) {
    }
    int64_t wrong = 0;
    for (inlay_id i = 1; i < hosts; i++) {
        for (inlay_id j = 0; j < i; j++) {
            wrong += fscanf(file, "%d", &told) != 1 || told != mean_distance(machine, first[i], first[j]);
        }
    }
    ck_assert_msg(wrong == 0, "%s: %lld wrong distances", what, (long long)wrong);
    free(first);
}

/* Every two hosts at one distance, which is not told. */
static void compare_complete(const inlay_machine *machine, FILE *file, const char *what)
{
    inlay_id hosts = inlay_machine_hosts(machine), *first = first_processors(machine);
    int count;
    ck_assert_int_eq(fscanf(file, "%d", &count), 1);
    ck_assert_int_eq(count, hosts);
    int64_t others = 0;
    for (inlay_id i = 2; i < hosts && inlay_machine_has_links(machine); i += stride(hosts)) {
        for (inlay_id j = 0; j < i; j += stride(hosts)) {
            others += mean_distance(machine, first[i], first[j]) != mean_distance(machine, first[1], first[0]);
        }
    }
    ck_assert_msg(others == 0, "%s: %lld other distances", what, (long long)others);
    free(first);
}

/* Scotch knows no more than distances, those there and back in the mean, and weights. */
static void compare_distances(const inlay_machine *machine, const char *path, const char *what)
{
    char word[16];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%15s", word), 1);
    if (strcmp(word, "deco") == 0) {
        compare_deco(machine, file, what);
    } else if (strncmp(word, "cmplt", 5) == 0) {
        compare_complete(machine, file, what);
    } else {
        inlay_machine *back = NULL;
        ck_assert_int_eq(inlay_machine_read(path, &back, NULL), INLAY_OK);
        ck_assert_int_eq(compare(machine, back, what), 0);
        inlay_machine_free(back);
    }
    fclose(file);
}

/* ---- Writing ---- */

/* What a writer may say that it cannot write. */
static const struct {
    const char *format, *words;
} limits[] = {
    {"dot", "has no two ends, so that DOT cannot say where it lies"},
    {"dot", "has no capacity and others have one"},
    {"tgt", "hosts, and its distances have to be written one by one"},
    {"tgt", "no link lies between"},
    {"simgrid", "have more than 4000000 links in all"},
    {"simgrid", "cannot be told as a platform file"},
};

static bool is_limit(const char *format, const char *message)
{
    bool found = false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        found |= strcmp(limits[i].format, format) == 0 && strstr(message, limits[i].words) != NULL;
    }
    return found;
}

static void compare_file(const inlay_machine *machine, const char *path, const char *what, const inlay_diag *written)
{
    inlay_machine *back = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_read(path, &back, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", what, inlay_diag_message(diag));
    bool told = inlay_diag_warnings(written) > 0 && strstr(inlay_diag_warning(written, 0), "routes") != NULL;
    int64_t others = compare(machine, back, what);
    ck_assert_msg(others == 0 || told, "%s: %lld other routes in %s", what, (long long)others, path);
    inlay_machine_free(back);
    inlay_diag_free(diag);
}

static void through_writer(const inlay_machine *machine, const char *format, const char *what)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/inlay-platform-%ld.%s", (long)getpid(),
             strcmp(format, "simgrid") == 0 ? "xml" : format);
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_write_as(machine, path, format, tick, diag);
    ck_assert_msg(status == INLAY_OK || is_limit(format, inlay_diag_message(diag)), "%s as %s: %s", what, format,
                  inlay_diag_message(diag));
    if (status == INLAY_OK && strcmp(format, "tgt") == 0) {
        compare_distances(machine, path, what);
    } else if (status == INLAY_OK && (*format != 'd' || inlay_machine_hosts(machine) <= LARGE)) {
        /* of more hosts DOT's reader holds no routes */
        compare_file(machine, path, what, diag);
    }
    unlink(path);
    inlay_diag_free(diag);
}

/* Pictures of the machine with a mapping on it, and of the mapping. */
static void draw(const inlay_machine *machine, const char *what)
{
    enum { MODULES = 12 };
    uint64_t state = 3;
    random_times times;
    inlay_app *app = random_app(&state, MODULES, 0, &times);
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = map_by_houstis(app, machine, &(inlay_options){.tick_seconds = tick}, &mapping, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", what, inlay_diag_message(diag));
    if (inlay_machine_has_links(machine)) {
        status = inlay_mapping_draw_machine_svg(mapping, svg_path(), diag);
        ck_assert_msg(status == INLAY_OK, "%s: %s", what, inlay_diag_message(diag));
        ck_assert_int_eq(unlink(svg_path()), 0);
    }
    status = inlay_mapping_draw_svg(mapping, NULL, svg_path(), diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", what, inlay_diag_message(diag));
    ck_assert_int_eq(unlink(svg_path()), 0);
    inlay_mapping_free(mapping);
    inlay_app_free(app);
    inlay_diag_free(diag);
}

static void through_all(const inlay_machine *machine, const char *what)
{
    for (size_t i = 0; i < inlay_machine_formats(); i++) {
        inlay_format format = inlay_machine_format_at(i);
        if (format.writes && strcmp(format.name, "metasystem") != 0) { /* whose groups are test_views.c's */
            through_writer(machine, format.name, what);
        }
    }
    if (inlay_machine_hosts(machine) <= LARGE) {
        draw(machine, what);
    }
}

/* A platform file is written as it is, unless an attribute is replaced, here by its default: then it is told anew. */
static void read_and_write(const char *data, size_t size, const char *source)
{
    static const inlay_attribute anew = {"transfers", "1", 0};
    for (size_t count = 0; count < 2; count++) {
        inlay_machine *machine = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_machine_read_with(data, size, source, NULL, &anew, count, &machine, diag);
        ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
        through_all(machine, source);
        inlay_machine_free(machine);
        inlay_diag_free(diag);
    }
}

/* ---- Files of other projects ---- */

static const char *const folders[] = {"simgrid", "scotch-tgt"};

/* What the readers refuse, which other tests show. */
static bool is_refused(const char *name)
{
    static const char *const names[] = {"tesh-bogus", "wifi", "vcmplt", "void"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        found |= strncmp(name, names[i], strlen(names[i])) == 0;
    }
    return found;
}

static void read_file(const char *path)
{
    enum { LARGEST = 1 << 20 };
    char *data = malloc(LARGEST);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(data);
    ck_assert_ptr_nonnull(file);
    size_t size = fread(data, 1, LARGEST, file);
    fclose(file);
    read_and_write(data, size, path);
    free(data);
}

START_TEST(platforms_of_others_pass_every_writer)
{
    char path[ROOM];
    snprintf(path, sizeof path, "%s/platform/%s", unit_data() == NULL ? "" : unit_data(), folders[_i]);
    DIR *folder = unit_data() == NULL ? NULL : opendir(path);
    if (folder == NULL) {
        unit_skip("no test data");
        return;
    }
    int seen = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] != '.' && !is_refused(entry->d_name)) {
            snprintf(path, sizeof path, "%s/platform/%s/%s", unit_data(), folders[_i], entry->d_name);
            read_file(path);
            seen++;
        }
    }
    closedir(folder);
    ck_assert_int_ge(seen, 16);
}
END_TEST

/* ---- Files of our own: links whose ends a platform file does not say ---- */

#define PLATFORM "<platform version='4.1'><zone id='z' routing='Full'>"
#define END      "</zone></platform>"
#define SHAPED   "speed='1Gf' bw='1GBps' lat='1us' "

static const char *const own[] = {
    /* cables between switches lie nowhere */
    PLATFORM "<cluster id='f' prefix='n' suffix='' radical='0-2,7,9-11,20-28' " SHAPED
             "topology='FAT_TREE' topo_parameters='2;4,4;1,2;1,2' sharing_policy='SPLITDUPLEX'/>" END,
    PLATFORM "<cluster id='d' prefix='n' suffix='' radical='0-23' " SHAPED
             "topology='DRAGONFLY' topo_parameters='3,4;2,3;4,1;1' sharing_policy='SPLITDUPLEX'/>" END,
    PLATFORM "<cluster id='d' prefix='n' suffix='' radical='0-23' limiter_link='1GBps' loopback_bw='9GBps' "
             "loopback_lat='0' " SHAPED "topology='DRAGONFLY' topo_parameters='3,4;2,3;4,1;1' "
             "sharing_policy='SHARED'/>" END,
    /* the links of a cluster, and of what joins two of them, have one end or none */
    PLATFORM "<cluster id='a' prefix='a' suffix='' radical='0-2' speed='1Gf' bw='1GBps' lat='1us' router_id='ra'/>"
             "<cluster id='b' prefix='b' suffix='' radical='1,3' speed='2Gf' bw='1GBps' lat='1us' router_id='rb' "
             "bb_bw='2GBps' bb_lat='3us'/><link id='u' bandwidth='3GBps' sharing_policy='SPLITDUPLEX'/>"
             "<link id='v' bandwidth='3GBps' sharing_policy='SPLITDUPLEX'/>"
             "<zoneRoute src='a' dst='b' gw_src='ra' gw_dst='rb'><link_ctn id='u' direction='UP'/>"
             "<link_ctn id='v' direction='DOWN'/></zoneRoute>" END,
    /* no links, no routes, one host, an empty zone beside it */
    PLATFORM "<host id='h' speed='1Gf' core='3'/>" END,
    "<platform version='4.1'><zone id='z' routing='None'><host id='g' speed='1Gf'/><host id='h' speed='3Gf'/></zone>"
    "</platform>",
    PLATFORM "<zone id='y' routing='Full'><host id='h' speed='1Gf'/><host id='g' speed='1Gf'/>"
             "<link id='l' bandwidth='1GBps' latency='0'/><route src='g' dst='h'><link_ctn id='l'/></route></zone>"
             "<zone id='x' routing='Full'></zone>" END,
    "deco 0 3 5 0 1 2 1 1 4 2 3 5 1 2 1",
};

START_TEST(small_platforms_pass_every_writer)
{
    read_and_write(own[_i], strlen(own[_i]), *own[_i] == '<' ? "own.xml" : "own.tgt");
}
END_TEST

Suite *suite_platforms(void)
{
    Suite *suite = suite_create("platforms");
    TCase *tests = tcase_create("writers");
    tcase_add_loop_test(tests, small_platforms_pass_every_writer, 0, (int)(sizeof own / sizeof *own));
    tcase_add_loop_test(tests, platforms_of_others_pass_every_writer, 0, (int)(sizeof folders / sizeof *folders));
    suite_add_tcase(suite, tests);
    return suite;
}
