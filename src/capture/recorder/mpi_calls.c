/* Where in the program a call of MPI stands. */
#include "capture/recorder/mpi_parts.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <string.h>

typedef struct code_range {
    uintptr_t begin, end;
} code_range;

enum { MOST_RANGES = 256, MOST_FRAMES = 24 };

static code_range library[MOST_RANGES]; /* code of the library and of us */
static size_t ranges;

static int note_library(struct dl_phdr_info *object, size_t size, void *ours)
{
    (void)size;
    const char *name = object->dlpi_name;
    bool mine = object->dlpi_addr == *(const uintptr_t *)ours;
    if (mine || strstr(name, "libmpi") != NULL || strstr(name, "openmpi") != NULL || strstr(name, "libopen-") != NULL) {
        for (int i = 0; i < object->dlpi_phnum && ranges < MOST_RANGES; i++) {
            const ElfW(Phdr) *part = &object->dlpi_phdr[i];
            if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
                uintptr_t begin = object->dlpi_addr + part->p_vaddr;
                library[ranges++] = (code_range){begin, begin + part->p_memsz};
            }
        }
    }
    return 0;
}

uint64_t calls_code(void)
{
    void *frame[MOST_FRAMES];
    int count = backtrace(frame, MOST_FRAMES);
    for (int i = 0; i < count; i++) {
        uintptr_t code = (uintptr_t)frame[i];
        bool within = false;
        for (size_t k = 0; k < ranges && !within; k++) {
            within = code >= library[k].begin && code < library[k].end;
        }
        if (!within) {
            return code;
        }
    }
    return 0;
}

void calls_begin(void)
{
    Dl_info ours;
    void *frame[1];
    uintptr_t base = dladdr(library, &ours) != 0 ? (uintptr_t)ours.dli_fbase : 0;
    (void)dl_iterate_phdr(note_library, &base);
    (void)backtrace(frame, 1); /* which loads what it needs */
}
