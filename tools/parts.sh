#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tools/parts.sh flags|libs|programs|libraries
#        tools/parts.sh cflags|libs PROGRAM|irregular
#
# The optional parts that can be built here: how their code in the library is compiled (flags), what it is linked with
# (libs), which programs and which libraries of their own they are; how the code of inlay-PROGRAM or of
# libinlay-irregular is compiled (cflags) and what it is linked with. The Makefile asks; nothing is installed.
set -eu

hwloc() { pkg-config --exists hwloc 2>/dev/null; }

# Scotch has no pkg-config file.
scotch() {
    printf '#include <stdint.h>\n#include <stdio.h>\n#include <scotch/scotch.h>\n' |
        ${CC:-cc} -E -x c - >/dev/null 2>&1
}

simgrid() { pkg-config --exists simgrid 2>/dev/null; }

# The folder with clang-c/Index.h and lib/libclang.so; it has no pkg-config file either. The newest of several.
clang_folder() {
    for folder in "$(llvm-config --prefix 2>/dev/null)" $(find /usr/lib -maxdepth 1 -name 'llvm-*' 2>/dev/null | sort -Vr) \
        /usr /usr/local /opt/homebrew/opt/llvm /usr/local/opt/llvm; do
        [ -f "$folder/include/clang-c/Index.h" ] && echo "$folder" && return
    done
    return 1
}

# The words that the MPI compiler adds, of some kinds: both Open MPI's and MPICH's tell them.
mpi() { command -v mpicc >/dev/null 2>&1; }
mpi_words() { mpicc -show | tr ' ' '\n' | grep -E "^-($1)" | tr '\n' ' '; }

# The libraries of the irregular loops. METIS is an addition: on one rank, to compare with.
ptscotch() {
    mpi && printf '#include <stdint.h>\n#include <stdio.h>\n#include <mpi.h>\n#include <scotch/ptscotch.h>\n' |
        mpicc -E -x c - >/dev/null 2>&1
}
metis() { printf '#include <metis.h>\n' | ${CC:-cc} -E -x c - >/dev/null 2>&1; }

system() { sed 's/-I/-isystem /g'; }

case "${1:-}${2:+ $2}" in
flags)
    printf '%s' '-DINLAY_WITH_PARTS'
    if hwloc; then printf ' %s' -DINLAY_HWLOC; fi
    if scotch; then printf ' %s' -DINLAY_SCOTCH; fi
    ;;
libs)
    printf '%s' '-lm'
    if hwloc; then printf ' %s' "$(pkg-config --libs hwloc)"; fi
    if scotch; then printf ' %s' '-lscotch -lscotcherr'; fi
    ;;
programs)
    if simgrid; then printf '%s ' inlay-simgrid; fi
    if clang_folder >/dev/null; then printf '%s ' inlay-compress inlay-maploop; fi
    if mpi; then printf '%s ' inlay-measure; fi
    if ptscotch; then printf '%s ' inlay-partition; fi
    ;;
libraries)
    if ptscotch; then printf '%s' libinlay-irregular; fi
    ;;
'cflags simgrid' | 'cflags compress' | 'cflags maploop' | 'cflags measure' | 'cflags partition' | \
'cflags irregular')
    printf '%s' '-DINLAY_WITH_PARTS'
    case $2 in
    simgrid) if simgrid; then printf ' %s' "$(pkg-config --cflags simgrid | system)"; fi ;;
    irregular) if metis; then printf ' %s' -DINLAY_METIS; fi ;;
    esac
    case $2 in
    measure | partition | irregular) if mpi; then printf ' %s' "$(mpi_words I | system)"; fi ;;
    compress | maploop) if folder=$(clang_folder) && [ "$folder" != /usr ]; then printf ' %s' "-isystem $folder/include"; fi ;;
    esac
    ;;
'libs simgrid') pkg-config --libs simgrid ;;
'libs partition' | 'libs irregular')
    if mpi; then mpi_words 'L|l|Wl'; fi
    if metis; then printf ' %s' -lmetis; fi
    printf ' %s' '-lptscotch -lscotch -lptscotcherr -lm'
    ;;
'libs measure') ! mpi || mpi_words 'L|l|Wl' ;;
'libs compress' | 'libs maploop') ! folder=$(clang_folder) || printf '%s' "-L$folder/lib -Wl,-rpath,$folder/lib -lclang" ;;
*)
    sed -n 's/^# \(Usage:.*\|       tools.*\)/\1/p' "$0" >&2
    exit 2
    ;;
esac
echo
