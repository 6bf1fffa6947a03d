/* The table of what files are that no reader of applications takes: told by content, in the order of the rows. */
#include "io/foreign.h"
#include "base/plain.h"
#include "io/catalogue/catalogue.h"
#include "io/json/locate.h"
#include "io/look.h"
#include <string.h>

typedef enum sign_kind {
    BEGINS,      /* with the bytes */
    LINE_BEGINS, /* one of the first lines, in whatever case */
    ELEMENT,     /* the first of an XML document */
    MEMBER       /* of a JSON object */
} sign_kind;

typedef struct sign {
    sign_kind kind;
    const char *text, *name;
} sign;

/* Where two rows would fit the first one does. */
static const sign signs[] = {
    {BEGINS,
     "\x7F"
     "ELF",
     "a compiled program"},
    {BEGINS, "%PDF", "a PDF document"},
    {BEGINS, "PK\x03\x04", "a zip archive"},
    {BEGINS, "\x1F\x8B", "packed by gzip twice"},
    {BEGINS, "BZh", "packed by bzip2"},
    {BEGINS, "\x28\xB5\x2F\xFD", "packed by zstd"},
    {BEGINS,
     "\xFD"
     "7zXZ",
     "packed by xz"},
    {BEGINS, "\x89PNG", "a PNG picture"},
    {BEGINS, "%EventDef", "a Paje trace"},
    {ELEMENT, "component", "an IP-XACT component"},
    {ELEMENT, "topology", "hwloc's description of a computer"},
    {ELEMENT, "gexf", "a GEXF graph"},
    {ELEMENT, "bpmn:definitions", "a BPMN process"},
    {ELEMENT, "svg", "an SVG picture"},
    {ELEMENT, "html", "an HTML page"},
    {MEMBER, "traceEvents", "a Chrome trace"},
    {MEMBER, "clusters", "a mapping of Inlay, or a placement"},
    {MEMBER, "inlay", "a result of Inlay"},
    {MEMBER, "pairs", "a SAGA data set of several instances"},
    {MEMBER, "nodes", "a node-link graph of networkx"},
    {LINE_BEGINS, "# Performance Model Version", "a StarPU performance model"},
    {LINE_BEGINS, "# Current configuration", "a StarPU configuration of a computer"},
    {LINE_BEGINS, "# to 0", "a StarPU matrix of bandwidths or latencies"},
    {LINE_BEGINS, "# GPU\tCPU0", "a StarPU affinity table"},
    {LINE_BEGINS, "NodeName=", "a Slurm configuration"},
    {LINE_BEGINS, "SwitchName=", "a Slurm topology"},
    {LINE_BEGINS, "rank 0=", "a rankfile of Open MPI"},
    {LINE_BEGINS, "module,processor", "a placement"},
    {LINE_BEGINS, "#include", "a C source"},
    {LINE_BEGINS, "Creator \"", "a GML graph"},
    {LINE_BEGINS, "*Vertices", "a Pajek graph"},
};

enum { FIRST_LINES = 64 };

static bool any_line_begins(const char *data, size_t size, const char *text)
{
    const char *end = data + size;
    size_t length = strlen(text);
    for (int line = 0; line < FIRST_LINES && (size_t)(end - data) >= length; line++) {
        if (plain_begins(data, text, length)) {
            return true;
        }
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        if (newline == NULL) {
            break;
        }
        data = newline + 1;
    }
    return false;
}

static bool fits(const sign *s, const char *data, size_t size)
{
    const json_step root = {0};
    const json_step member = {&root, s->text, 0};
    switch (s->kind) {
    case BEGINS: return size >= strlen(s->text) && memcmp(data, s->text, strlen(s->text)) == 0;
    case LINE_BEGINS: return any_line_begins(data, size, s->text);
    case ELEMENT: return look_xml(data, size, s->text);
    case MEMBER: return json_has(data, size, &member);
    }
    return false;
}

/* ---- Numbers alone ---- */

/*
 * A mesh of METIS (number of elements, then their nodes), a partition (one number a line, from 0), a geometry of Scotch
 * (dimensions, points, then coordinates).
 */
static const char *numbers_name(const char *data, size_t size)
{
    number_look look = {data, data + size, '%'};
    int64_t number = 0, count, lines = 0, single = 0, stated = 0;
    bool zero = false;
    while ((count = look_line(&look, false, &number, 1)) > 0) {
        stated = lines == 0 ? number : stated;
        zero = zero || number == 0;
        single += count == 1;
        lines++;
    }
    if (count == LOOK_NO_NUMBER) {
        return lines == 2 && single == 2 && stated >= 1 && stated <= 3 ? "a geometry of Scotch" : NULL;
    }
    bool mesh = single == 1 && lines > 1 && stated == lines - 1;
    return mesh                      ? "a mesh of METIS, elements and their nodes"
           : zero && single == lines ? "a partition, one part a line"
                                     : NULL;
}

const char *foreign_name(const char *data, size_t size)
{
    if (catalogue_looks_like(data, size)) {
        return "a catalogue of machine types, which advise reads";
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (fits(&signs[i], data, size)) {
            return signs[i].name;
        }
    }
    return numbers_name(data, size);
}
