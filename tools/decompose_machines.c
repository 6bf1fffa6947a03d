/* The processors and the network of `inlay decompose`: a list of speeds, a table of them, a machine or a metasystem. */
#include "decompose.h"
#include "report.h"
#include <errno.h>
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double mega = 1e6;

/* The processors so far. */
typedef struct fleet {
    decompose_question *to;
    const char *source; /* as messages name it */
    size_t capacity;
    bool named; /* some have names */
} fleet;

void decompose_question_clear(decompose_question *question)
{
    for (int32_t i = 0; question->name != NULL && i < question->problem.processors; i++) {
        free(question->name[i]);
    }
    free(question->name);
    free(question->speed);
    for (size_t i = 0; i < INLAY_GRID_PHASES; i++) {
        free(question->texts[i]);
        free(question->offsets[i]);
    }
    *question = (decompose_question){0};
}

/* ---- Processors one by one ---- */

static bool make_room(fleet *of)
{
    decompose_question *to = of->to;
    size_t count = (size_t)to->problem.processors, capacity = of->capacity == 0 ? 64 : 2 * of->capacity;
    if (count < of->capacity) {
        return true;
    }
    double *speed = realloc(to->speed, capacity * sizeof *speed);
    if (speed == NULL) {
        return false;
    }
    to->speed = speed;
    char **name = realloc(to->name, capacity * sizeof *name);
    if (name == NULL) {
        return false;
    }
    to->name = name;
    of->capacity = capacity;
    return true;
}

/* `speed` in operations per second; `name` NULL: none. */
static int add_processor(fleet *of, long line, double speed, const char *name)
{
    inlay_grid_problem *problem = &of->to->problem;
    if (problem->processors == INLAY_GRID_PROCESSORS) {
        return decompose_refuse(of->source, line, "there are more than %d processors; expected no more",
                                INLAY_GRID_PROCESSORS);
    }
    char *copy = name != NULL ? strdup(name) : NULL;
    if ((name != NULL && copy == NULL) || !make_room(of)) {
        free(copy);
        return report_no_memory();
    }
    of->to->name[problem->processors] = copy;
    of->to->speed[problem->processors++] = speed;
    of->named = of->named || name != NULL;
    return EXIT_DONE;
}

/* Where no processor has a name there are none at all. */
static int end_fleet(fleet *of)
{
    decompose_question *to = of->to;
    if (to->problem.processors == 0) {
        return decompose_refuse(of->source, 0, "there are no processors; expected at least one");
    }
    if (!of->named) {
        free(to->name);
        to->name = NULL;
    }
    to->problem.speed = to->speed;
    return EXIT_DONE;
}

/* ---- Lists ---- */

/* "6" or "8x3.5": a speed above 0, and how many processors have it. */
static bool read_speed(const char *text, double *speed, int64_t *count)
{
    const char *times = strchr(text, 'x');
    int64_t number = 1;
    if (times != NULL) {
        char *end;
        errno = 0;
        number = *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : 0;
        if (number < 1 || end != times || errno != 0) {
            return false;
        }
    }
    *count = number;
    return decompose_read_number(times != NULL ? times + 1 : text, speed) && *speed > 0;
}

/* One speed in Mflop/s, or several alike. */
static int add_speeds(fleet *of, long line, const char *text, const char *name, double mflops)
{
    double speed;
    int64_t count;
    if (!read_speed(text, &speed, &count)) {
        return decompose_refuse(of->source, line,
                                "bad speed '%.40s'; expected a number above 0, or 8x3 for 8 of speed 3", text);
    }
    int end = EXIT_DONE;
    for (int64_t i = 0; i < count && end == EXIT_DONE; i++) {
        end = add_processor(of, line, speed * mflops * mega, name);
    }
    return end;
}

/* Speeds, separated by commas. */
static int add_list(fleet *of, long line, char *list, double mflops)
{
    int end = EXIT_DONE;
    for (char *at = list; at != NULL && end == EXIT_DONE;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        end = add_speeds(of, line, at, NULL, mflops);
        at = comma != NULL ? comma + 1 : NULL;
    }
    return end;
}

static bool looks_like_list(const char *operand)
{
    static const char symbols[] = "0123456789.,x+-eE";
    return operand[strspn(operand, symbols)] == '\0' && strpbrk(operand, "0123456789") != NULL;
}

static int read_list(fleet *of, double mflops)
{
    char *copy = strdup(of->source);
    if (copy == NULL) {
        return report_no_memory();
    }
    int end = add_list(of, 0, copy, mflops);
    free(copy);
    return end;
}

/* ---- Tables ---- */

/* Takes the blanks and the line's end off both ends. */
static char *trimmed(char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]) != NULL) {
        text[--length] = '\0';
    }
    return text;
}

/* A heading, "name,speed", a name and its speed, or speeds alone. */
static int add_row(fleet *of, long line, char *text, double mflops)
{
    text[strcspn(text, "#")] = '\0';
    char *row = trimmed(text);
    char *comma = strrchr(row, ',');
    if (*row == '\0' || (of->to->problem.processors == 0 && strcmp(row, "name,speed") == 0)) {
        return EXIT_DONE;
    }
    if (looks_like_list(row)) {
        return add_list(of, line, row, mflops);
    }
    if (comma == NULL || comma == row) {
        return decompose_refuse(of->source, line, "bad line '%.40s'; expected a speed above 0, or NAME,SPEED", row);
    }
    *comma = '\0';
    return add_speeds(of, line, trimmed(comma + 1), trimmed(row), mflops);
}

static int read_table(fleet *of, FILE *file, double mflops)
{
    char *text = NULL;
    size_t room = 0;
    long line = 0;
    int end = EXIT_DONE;
    for (ssize_t length; end == EXIT_DONE && (length = getline(&text, &room, file)) >= 0;) {
        line++;
        end = strlen(text) == (size_t)length
                  ? add_row(of, line, text, mflops)
                  : decompose_refuse(of->source, line, "a byte 0; expected speeds, or NAME,SPEED");
    }
    free(text);
    return end == EXIT_DONE && ferror(file) != 0
               ? decompose_refuse(of->source, 0, "%s; expected a table of speeds", strerror(errno))
               : end;
}

/* ---- Machines ---- */

/* Operations per second of a processor of speed 1: what the machine's file says, or else Mflop/s. */
static double machine_rate(const inlay_machine *machine, double mflops, bool given)
{
    inlay_duration each;
    if (!given && inlay_machine_arithmetic_time(machine, &each) && inlay_unit_seconds(each.unit) > 0) {
        return 1 / (inlay_decimal_double(each.value) * inlay_unit_seconds(each.unit));
    }
    return mflops * mega;
}

static int add_machine(fleet *of, const inlay_machine *machine, double mflops, bool given)
{
    double rate = machine_rate(machine, mflops, given);
    bool named = inlay_machine_family(machine) == INLAY_GRAPH;
    int end = EXIT_DONE;
    for (inlay_id i = 0; i < inlay_machine_processors(machine) && end == EXIT_DONE; i++) {
        char room[INLAY_MACHINE_NAME];
        const char *name = named ? inlay_machine_node_name(machine, inlay_machine_host(machine, i), room) : NULL;
        end = add_processor(of, 0, inlay_machine_processor(machine, i).speed * rate, name);
    }
    return end;
}

/* A bus of bytes; false where the machine does not say. */
static bool bus_network(const inlay_machine *machine, inlay_grid_network *network)
{
    inlay_rate rate;
    if (inlay_machine_buses(machine) < 1 || !inlay_machine_capacity(machine, &rate) || rate.kind != INLAY_RATE_BYTES ||
        inlay_unit_seconds(rate.per) <= 0) {
        return false;
    }
    network->per_byte = inlay_machine_transfers(machine) * inlay_unit_seconds(rate.per) / rate.value;
    network->networks = inlay_machine_buses(machine);
    network->wiring = network->networks > 1 ? INLAY_GRID_SEVERAL : INLAY_GRID_SINGLE;
    return true;
}

/* The way from the first processor to the last one, of a machine whose links carry bytes. */
static bool link_network(const inlay_machine *machine, inlay_grid_network *network)
{
    enum { ROUTE = 256 };
    inlay_id links[ROUTE], last = inlay_machine_processors(machine) - 1;
    if (!inlay_machine_has_links(machine) || !inlay_machine_links_in_bytes(machine) ||
        !inlay_machine_links_known(machine) || inlay_machine_link_unit(machine) != INLAY_UNIT_S) {
        return false;
    }
    inlay_id length = inlay_machine_route(machine, 0, last, links, ROUTE);
    if (length < 1 || length > ROUTE) {
        return false;
    }
    network->latency = network->per_byte = 0;
    for (inlay_id i = 0; i < length; i++) {
        inlay_machine_link link = inlay_machine_link_at(machine, links[i]);
        double each = 1 / link.capacity;
        network->latency += link.latency;
        network->per_byte =
            inlay_machine_cut_through(machine) ? fmax(network->per_byte, each) : network->per_byte + each;
    }
    network->wiring = INLAY_GRID_SWITCH;
    return true;
}

/* Measured times of messages have the frames in them. */
static void take_network(const inlay_machine *machine, decompose_question *to)
{
    inlay_grid_network network = to->network;
    inlay_duration latency = inlay_machine_latency(machine);
    network.latency = 0;
    if (!bus_network(machine, &network) && !link_network(machine, &network)) {
        return;
    }
    network.latency += inlay_decimal_double(latency.value) * inlay_unit_seconds(latency.unit);
    network.payload = network.frame = 0;
    to->network = network;
    to->latency_assumed = to->per_byte_assumed = false;
}

static int read_machine(const invocation *call, fleet *of, double mflops)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    if (diag == NULL) {
        return report_no_memory();
    }
    int option = command_find_option(call->command, "--mflops");
    int status = inlay_machine_read(of->source, &machine, diag);
    int end = status == INLAY_OK ? add_machine(of, machine, mflops, call->given[option] != NULL)
                                 : report_end(call, status, diag);
    if (end == EXIT_DONE) {
        take_network(machine, of->to);
    }
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    return end;
}

/* ---- Metasystems ---- */

/* The processors that may be used; `rate` is instructions per time. */
static int add_cluster(fleet *of, const inlay_metasystem *metasystem, const inlay_metasystem_cluster *cluster)
{
    double second = inlay_unit_seconds(metasystem->time_unit);
    if (cluster->rate <= 0 || second <= 0) {
        return decompose_refuse(of->source, 0,
                                second > 0 ? "cluster %s has no rate; expected instructions per time"
                                           : "cluster %s counts ticks; expected a unit of time",
                                cluster->name);
    }
    int end = EXIT_DONE;
    for (int32_t i = 0; i < cluster->total && end == EXIT_DONE; i++) {
        bool usable = cluster->usable != NULL ? cluster->usable[i] : i < cluster->available;
        if (usable) {
            end = add_processor(of, 0, cluster->rate / second, cluster->name);
        }
    }
    return end;
}

static int read_metasystem(const invocation *call, fleet *of)
{
    inlay_metasystem *metasystem = NULL;
    inlay_diag *diag = inlay_diag_new();
    if (diag == NULL) {
        return report_no_memory();
    }
    int status = inlay_metasystem_read(of->source, &metasystem, diag);
    int end = status == INLAY_OK ? EXIT_DONE : report_end(call, status, diag);
    for (size_t i = 0; end == EXIT_DONE && i < metasystem->clusters; i++) {
        end = add_cluster(of, metasystem, &metasystem->cluster[i]);
    }
    inlay_metasystem_free(metasystem);
    inlay_diag_free(diag);
    return end;
}

/* ---- What it is ---- */

typedef enum file_kind { KIND_TABLE, KIND_MACHINE, KIND_METASYSTEM } file_kind;

/* Graphs have braces, other formats of machines begin with brackets of some kind, and packed files are no text. */
static file_kind kind_of(FILE *file)
{
    char text[BUFSIZ + 1];
    size_t size = fread(text, 1, BUFSIZ, file);
    text[size] = '\0';
    rewind(file);
    const char *first = text + strspn(text, " \t\r\n");
    bool is_text = strlen(text) == size;
    if (is_text && strstr(text, "kind=metasystem") != NULL) {
        return KIND_METASYSTEM;
    }
    return is_text && strchr(text, '{') == NULL && *first != '<' && *first != '(' ? KIND_TABLE : KIND_MACHINE;
}

static int read_operand(const invocation *call, fleet *of, double mflops)
{
    if (strcmp(of->source, "-") == 0) {
        return read_table(of, stdin, mflops);
    }
    FILE *file = fopen(of->source, "r");
    if (file == NULL && looks_like_list(of->source)) {
        return read_list(of, mflops);
    }
    if (file == NULL && !inlay_is_machine(of->source)) {
        return decompose_refuse(of->source, 0,
                                "%s; expected speeds such as 6,4,4, a table of them, a machine or a metasystem",
                                strerror(errno));
    }
    if (file == NULL) { /* a string, or a file with attributes behind its name */
        return read_machine(call, of, mflops);
    }
    file_kind kind = kind_of(file);
    int end = kind == KIND_TABLE ? read_table(of, file, mflops) : EXIT_DONE;
    (void)fclose(file);
    if (kind == KIND_TABLE) {
        return end;
    }
    return kind == KIND_METASYSTEM ? read_metasystem(call, of) : read_machine(call, of, mflops);
}

int decompose_read_machines(const invocation *call, const char *operand, double mflops, decompose_question *to)
{
    fleet of = {.to = to, .source = operand};
    int end = read_operand(call, &of, mflops);
    return end == EXIT_DONE ? end_fleet(&of) : end;
}
