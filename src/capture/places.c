/* Code locations: lines by the debugging information, where libdw is there, else offsets in files. */
#include "capture/places.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "capture/log.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef INLAY_DW
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#endif

struct code_places {
    file_content maps;
#ifdef INLAY_DW
    Dwfl *dwfl;
#endif
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

#ifdef INLAY_DW
/* What stands in the files themselves: nothing is asked of servers. */
static int no_other_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                         const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
    return -1;
}

static Dwfl *open_lines(const char *path)
{
    static const Dwfl_Callbacks calls = {.find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = no_other_file};
    FILE *maps = fopen(path, "re");
    Dwfl *dwfl = maps != NULL ? dwfl_begin(&calls) : NULL;
    if (dwfl != NULL) {
        (void)dwfl_linux_proc_maps_report(dwfl, maps);
        (void)dwfl_report_end(dwfl, NULL, NULL);
    }
    if (maps != NULL) {
        (void)fclose(maps);
    }
    return dwfl;
}

/* Unit by unit: a table of addresses, by which libdw would look, is not in what clang compiles. */
static Dwarf_Line *find_line(Dwfl_Module *module, Dwarf_Addr address)
{
    Dwarf_Addr bias = 0;
    Dwarf_Line *line = NULL;
    for (Dwarf_Die *unit = NULL; line == NULL && (unit = dwfl_module_nextcu(module, unit, &bias)) != NULL;) {
        line = dwarf_haspc(unit, address - bias) == 1 ? dwarf_getsrc_die(unit, address - bias) : NULL;
    }
    return line;
}

static bool line_name(const code_places *places, uint64_t address, char name[PLACE_NAME])
{
    int number = 0;
    Dwfl_Module *module = places->dwfl != NULL ? dwfl_addrmodule(places->dwfl, address) : NULL;
    Dwarf_Line *line = module != NULL ? find_line(module, address) : NULL;
    const char *file = line != NULL ? dwarf_linesrc(line, NULL, NULL) : NULL;
    bool found = file != NULL && dwarf_lineno(line, &number) == 0;
    if (found) {
        (void)snprintf(name, PLACE_NAME, "%s:%d", base_name(file), number);
    }
    return found;
}
#endif

code_places *places_read(const char *folder, const char *recorder, long process, inlay_diag *diag)
{
    char path[PATH_MAX];
    code_places *places = memory_zeroed(1, sizeof *places);
    if (places == NULL) {
        (void)diag_no_memory(diag);
        return NULL;
    }
    int length = snprintf(path, sizeof path, "%s/" LOG_MAPS, folder, recorder, process);
    if (length > 0 && (size_t)length < sizeof path && file_exists(path)) {
        if (file_read_raw(path, &places->maps, diag) != INLAY_OK) {
            places_free(places);
            return NULL;
        }
#ifdef INLAY_DW
        places->dwfl = open_lines(path);
#endif
    }
    return places;
}

/* Whose code is mapped first. */
char *places_program(const code_places *places, char name[PLACE_NAME])
{
    const char *line = places->maps.data, *end = line != NULL ? memchr(line, '\n', places->maps.size) : NULL;
    const char *path = end != NULL ? memchr(line, '/', (size_t)(end - line)) : NULL;
    name[0] = '\0';
    for (const char *at = path; at != NULL && at < end; at++) {
        path = *at == '/' ? at + 1 : path;
    }
    if (path != NULL) {
        (void)snprintf(name, PLACE_NAME, "%.*s", (int)(end - path), path);
    }
    return name;
}

void places_free(code_places *places)
{
    if (places != NULL) {
#ifdef INLAY_DW
        if (places->dwfl != NULL) {
            dwfl_end(places->dwfl);
        }
#endif
        file_content_clear(&places->maps);
        free(places);
    }
}

/* A hexadecimal number, and what ends it. */
static uint64_t take_hex(const char **at)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t number = 0;
    for (const char *digit; **at != '\0' && (digit = strchr(digits, **at)) != NULL; ++*at) {
        number = number * 16 + (uint64_t)(digit - digits);
    }
    *at += **at != '\0' && **at != '\n';
    return number;
}

static void skip_word(const char **at)
{
    *at += strcspn(*at, " \n");
    *at += strspn(*at, " ");
}

/* By a line of the map: "55d0-55e0 r-xp 00001000 08:01 1234   /home/me/solver". */
static bool offset_name(const char *line, uint64_t address, char name[PLACE_NAME])
{
    uint64_t from = take_hex(&line), to = take_hex(&line);
    skip_word(&line);
    uint64_t offset = take_hex(&line);
    skip_word(&line);
    skip_word(&line);
    if (address < from || address >= to || *line != '/') {
        return false;
    }
    char file[PATH_MAX];
    (void)snprintf(file, sizeof file, "%.*s", (int)strcspn(line, "\n"), line);
    (void)snprintf(name, PLACE_NAME, "%.200s+0x%" PRIx64, base_name(file), address - from + offset);
    return true;
}

char *places_name(code_places *places, uint64_t address, char name[PLACE_NAME])
{
    uint64_t call = address > 0 ? address - 1 : 0; /* the call ends where the next statement may begin */
#ifdef INLAY_DW
    if (line_name(places, call, name)) {
        return name;
    }
#endif
    for (const char *line = places->maps.data; line != NULL && *line != '\0';) {
        if (offset_name(line, call, name)) {
            return name;
        }
        const char *end = strchr(line, '\n');
        line = end != NULL ? end + 1 : NULL;
    }
    (void)snprintf(name, PLACE_NAME, "0x%" PRIx64, address);
    return name;
}
