#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tools/parts.sh flags|cflags|libs|programs
#
# The optional parts that can be built here: how their code in the library is compiled (flags) and that of their programs
# (cflags), what the library is linked with, and which programs they are. The Makefile asks; nothing is installed.
set -eu

hwloc() { pkg-config --exists hwloc 2>/dev/null; }

# Scotch has no pkg-config file.
scotch() {
    printf '#include <stdint.h>\n#include <stdio.h>\n#include <scotch/scotch.h>\n' |
        ${CC:-cc} -E -x c - >/dev/null 2>&1
}

simgrid() { pkg-config --exists simgrid 2>/dev/null; }

case ${1:-} in
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
cflags)
    printf '%s' '-DINLAY_WITH_PARTS'
    if simgrid; then printf ' %s' "$(pkg-config --cflags simgrid | sed 's/-I/-isystem /g')"; fi
    ;;
programs)
    if simgrid; then printf '%s' inlay-simgrid; fi
    ;;
*) echo "parts.sh: '${1:-}' is none of flags, cflags, libs, programs" >&2 && exit 2 ;;
esac
echo
