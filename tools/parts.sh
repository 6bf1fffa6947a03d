#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tools/parts.sh programs|libraries|recorders
#        tools/parts.sh make PACKAGES
#
# The optional parts that can be built here: which programs and which libraries of their own they are; or all that the
# Makefile asks, as variables of make: these two, and which recorders of running programs; how the library is compiled with PACKAGES and with parts (PKG_CFLAGS,
# library_flags) and what it is linked with (PKG_LIBS); the same of its tests (CHECK_...), and of the code of inlay-PROGRAM
# or of libinlay-NAME (cflags_NAME, libs_NAME). Nothing is installed.
set -eu

hwloc() { pkg-config --exists hwloc 2>/dev/null; }

# Scotch has no pkg-config file.
scotch() {
    printf '#include <stdint.h>\n#include <stdio.h>\n#include <scotch/scotch.h>\n' |
        ${CC:-cc} -E -x c - >/dev/null 2>&1
}

yaml() { pkg-config --exists yaml-0.1 2>/dev/null; }

simgrid() { pkg-config --exists simgrid 2>/dev/null; }

# The folder with clang-c/Index.h and lib/libclang.so; it has no pkg-config file either. The newest of several.
clang_folder() {
    for folder in "$(llvm-config --prefix 2>/dev/null)" $(find /usr/lib -maxdepth 1 -name 'llvm-*' 2>/dev/null | sort -Vr) \
        /usr /usr/local /opt/homebrew/opt/llvm /usr/local/opt/llvm; do
        [ -f "$folder/include/clang-c/Index.h" ] && echo "$folder" && return
    done
    return 1
}

# The folder with omp-tools.h, where LLVM's OpenMP is: the newest of several.
openmp_folder() {
    find /usr/lib/llvm-*/lib/clang/*/include /usr/lib/clang/*/include /usr/lib64/clang/*/include /usr/include \
        -maxdepth 1 -name omp-tools.h -printf '%h\n' 2>/dev/null | sort -Vr | sed 1q | grep .
}

starpu() { pkg-config --exists starpu-1.3 2>/dev/null; }

dw() { pkg-config --exists libdw 2>/dev/null; }

# The words that the MPI compiler adds, of some kinds: both Open MPI's and MPICH's tell them.
mpi() { command -v mpicc >/dev/null 2>&1; }
mpi_words() { mpicc -show | tr ' ' '\n' | grep -E "^-($1)" | tr '\n' ' '; }

# Open MPI with the headers of its own parts, which the recorder of MPI programs needs.
openmpi() {
    mpi && printf '#include <ompi_config.h>\n#include <mpi.h>\n#include <ompi/mca/pml/pml.h>\n#include <ompi/request/request.h>\n' |
        mpicc -E -x c - >/dev/null 2>&1
}

# The libraries of the irregular loops. METIS is an addition: on one rank, to compare with.
ptscotch() {
    mpi && printf '#include <stdint.h>\n#include <stdio.h>\n#include <mpi.h>\n#include <scotch/ptscotch.h>\n' |
        mpicc -E -x c - >/dev/null 2>&1
}
metis() { printf '#include <metis.h>\n' | ${CC:-cc} -E -x c - >/dev/null 2>&1; }

system() { sed 's/-I/-isystem /g'; }

programs() {
    if simgrid; then printf '%s ' inlay-simgrid; fi
    if clang_folder >/dev/null; then printf '%s ' inlay-compress inlay-maploop; fi
    if mpi; then printf '%s ' inlay-measure inlay-study; fi
    if ptscotch; then printf '%s ' inlay-partition; fi
}

libraries() {
    if ptscotch; then printf '%s ' libinlay-irregular; fi
    if clang_folder >/dev/null; then printf '%s ' libinlay-csource; fi
}

flags() {
    printf '%s' '-DINLAY_WITH_PARTS'
    if hwloc; then printf ' %s' -DINLAY_HWLOC; fi
    if scotch; then printf ' %s' -DINLAY_SCOTCH; fi
    if yaml; then printf ' %s' -DINLAY_YAML; fi
    if dw; then printf ' %s' -DINLAY_DW; fi
    if metis; then printf ' %s' -DINLAY_METIS; fi
}

libs() {
    printf '%s' '-lm'
    if hwloc; then printf ' %s' "$(pkg-config --libs hwloc)"; fi
    if scotch; then printf ' %s' '-lscotch -lscotcherr'; fi
    if yaml; then printf ' %s' "$(pkg-config --libs yaml-0.1)"; fi
    if metis; then printf ' %s' -lmetis; fi
    if dw; then printf ' %s' -ldw; fi
}

recorders() {
    printf 'plan '
    if openmp_folder >/dev/null; then printf '%s ' openmp skip; fi
    if openmpi; then printf 'mpi '; fi
    if starpu; then printf 'starpu '; fi
}

cflags_of() {
    printf '%s' '-DINLAY_WITH_PARTS'
    case $1 in
    simgrid) if simgrid; then printf ' %s' "$(pkg-config --cflags simgrid | system)"; fi ;;
    starpu) if starpu; then printf ' %s' "$(pkg-config --cflags starpu-1.3 | system)"; fi ;;
    openmp) if folder=$(openmp_folder); then printf ' %s' "-idirafter $folder"; fi ;;
    measure) if hwloc; then printf ' %s' -DINLAY_HWLOC; fi ;;
    csource) if folder=$(clang_folder) && [ "$folder" != /usr ]; then printf ' %s' "-isystem $folder/include"; fi ;;
    esac
    case $1 in measure | partition | study | irregular | mpi) if mpi; then printf ' %s' "$(mpi_words I | system)"; fi ;; esac
}

libs_of() {
    case $1 in
    simgrid) if simgrid; then pkg-config --libs simgrid; fi ;;
    compress | maploop | csource) if folder=$(clang_folder); then printf '%s' "-L$folder/lib -Wl,-rpath,$folder/lib -lclang"; fi ;;
    measure | partition | study | irregular) if mpi; then mpi_words 'L|l|Wl'; fi ;;
    esac
    case $1 in
    partition | irregular)
        if metis; then printf ' %s' -lmetis; fi
        printf ' %s' '-lptscotch -lscotch -lptscotcherr -lm'
        ;;
    esac
}

packages() { pkg-config "$@" 2>/dev/null || true; }

case ${1:-} in
programs) programs ;;
libraries) libraries ;;
recorders) recorders ;;
make)
    echo "PROGRAMS = $(programs)"
    echo "LIBRARIES = $(libraries)"
    echo "RECORDERS = $(recorders)"
    # shellcheck disable=SC2086 # several packages
    echo "PKG_CFLAGS = $(packages --cflags $2 | system)"
    # shellcheck disable=SC2086
    echo "PKG_LIBS = $(packages --libs $2) $(libs)"
    echo "CHECK_CFLAGS = $(packages --cflags check)"
    echo "CHECK_LIBS = $(packages --libs check)"
    echo "library_flags = $(flags)"
    for part in simgrid compress maploop measure partition study irregular csource openmp mpi starpu; do
        echo "cflags_$part = $(cflags_of $part)"
        echo "libs_$part = $(libs_of $part)"
    done
    ;;
*)
    sed -n 's/^# \(Usage:.*\|       tools.*\)/\1/p' "$0" >&2
    exit 2
    ;;
esac
echo
