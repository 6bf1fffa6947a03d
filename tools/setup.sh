#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tools/setup.sh [build|mpi|parts|check|bench|lint]
#
# Looks for what building Inlay needs (parts: its optional parts too, and MPI; check: those and its tests too; bench: the
# programs that its benchmarks compare it with too; lint: its style checks and a second compiler too), or mpi: for what compiles and starts the
# programs of `inlay run`. Says nothing when all of it is there. Where apt-get exists, the command that installs the rest
# is shown and run, as root or through sudo. Elsewhere, or with SETUP=no, it is shown only and the exit status is 1.
set -eu

case ${1:-build} in
build) stages=build ;;
mpi) stages=mpi ;;
parts) stages='build mpi parts' ;;
check) stages='build mpi parts check' ;;
bench) stages='build mpi parts bench' ;;
lint) stages='build mpi parts check lint' ;;
*) echo "setup.sh: '$1' is none of build, mpi, parts, check, bench, lint" >&2 && exit 2 ;;
esac

# A list with one more word, unless it has that word already.
add() { case " $1 " in *" $2 "*) echo "$1" ;; *) echo "$1${1:+ }$2" ;; esac; }

# Sets debian, fedora, arch and brew to the packages that bring what is missing, each named once.
look() {
    debian='' fedora='' arch='' brew=''
    while read -r stage kind name apt dnf pacman homebrew; do
        case " $stages " in *" $stage "*) ;; *) continue ;; esac
        case $kind in
        program) command -v "$name" >/dev/null 2>&1 && continue ;;
        library) pkg-config --exists "$name" 2>/dev/null && continue ;;
        header) printf '#include <stdint.h>\n#include <stdio.h>\n#include <%s>\n' "$name" |
            cc -E -x c - >/dev/null 2>&1 && continue ;;
        sanitizer) echo 'int main(void) { return 0; }' |
            "$name" -fsanitize=address -x c - -o /dev/null >/dev/null 2>&1 && continue ;;
        file) [ -e "$name" ] && continue ;;
        browser) [ $browser = no ] || command -v "$name" >/dev/null 2>&1 || command -v chromium >/dev/null 2>&1 && continue ;;
        recorder) case " $(sh "$(dirname "$0")/parts.sh" recorders) " in *" $name "*) continue ;; esac ;;
        part) case " $(sh "$(dirname "$0")/parts.sh" programs) $(sh "$(dirname "$0")/parts.sh" libraries) " in *" $name "*) continue ;; esac ;;
        esac
        debian=$(add "$debian" "$apt") fedora=$(add "$fedora" "$dnf")
        arch=$(add "$arch" "$pacman") brew=$(add "$brew" "$homebrew")
    done <<'TABLE'
build  program  cc            gcc             gcc                 gcc         gcc
build  program  pkg-config    pkg-config      pkgconf-pkg-config  pkgconf     pkgconf
build  library  igraph        libigraph-dev   igraph-devel        igraph      igraph
build  library  gsl           libgsl-dev      gsl-devel           gsl         gsl
build  library  libcgraph     libgraphviz-dev graphviz-devel      graphviz    graphviz
build  library  libgvc        libgraphviz-dev graphviz-devel      graphviz    graphviz
build  program  dot           graphviz        graphviz            graphviz    graphviz
build  library  jansson       libjansson-dev  jansson-devel       jansson     jansson
build  library  zlib          zlib1g-dev      zlib-devel          zlib        zlib
build  library  libxml-2.0    libxml2-dev     libxml2-devel       libxml2     libxml2
parts  library  hwloc         libhwloc-dev    hwloc-devel         hwloc       hwloc
parts  library  yaml-0.1      libyaml-dev     libyaml-devel       libyaml     libyaml
parts  library  simgrid       libsimgrid-dev  simgrid-devel       simgrid     simgrid
parts  library  libdw         libdw-dev       elfutils-devel      libelf      elfutils
parts  recorder openmp        libomp-dev      libomp-devel        openmp      libomp
parts  program  scotch_gmap   scotch          scotch              scotch      scotch
parts  header   scotch/scotch.h libscotch-dev scotch-devel        scotch      scotch
mpi    program  mpicc         libopenmpi-dev  openmpi-devel       openmpi     open-mpi
mpi    program  mpirun        openmpi-bin     openmpi             openmpi     open-mpi
parts  part     libinlay-irregular libptscotch-dev ptscotch-openmpi-devel scotch  scotch
parts  header   metis.h       libmetis-dev    metis-devel         metis       metis
parts  part     inlay-compress libclang-dev   clang-devel         clang       llvm
check  library  check         check           check-devel         check       check
check  browser  chromium-headless-shell chromium-headless-shell chromium chromium chromium
check  file     /usr/share/i18n/locales/de_DE locales glibc-locale-source glibc glibc
bench  program  gpmetis       metis           metis               metis       metis
bench  program  scotch_gpart  scotch          scotch              scotch      scotch
bench  program  dgpart        ptscotch        ptscotch-openmpi    scotch      scotch
lint   program  clang         clang           clang               clang       llvm
lint   sanitizer clang        libclang-rt-dev compiler-rt         compiler-rt llvm
lint   program  clang-format  clang-format    clang-tools-extra   clang       clang-format
lint   program  clang-tidy    clang-tidy      clang-tools-extra   clang       llvm
lint   program  cppcheck      cppcheck        cppcheck            cppcheck    cppcheck
lint   program  shellcheck    shellcheck      ShellCheck          shellcheck  shellcheck
TABLE
}

# Nothing but the pages of reports wants a browser: their tests are skipped where one would have to be installed by hand, or
# where the archive has none.
browser=no
lists() { apt-cache show "$1" >/dev/null 2>&1; }
[ "${SETUP:-yes}" = no ] || ! command -v apt-get >/dev/null 2>&1 || { lists gcc && ! lists chromium-headless-shell; } || browser=wanted
look
[ -n "$debian" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "Inlay needs packages that are not here. One of these lines should install them (untested):"
    echo "    Fedora:    dnf install $fedora"
    echo "    Arch:      pacman -S --needed $arch"
    echo "    Homebrew:  brew install $brew"
    exit 1
fi >&2

install="apt-get install -y --no-install-recommends $debian"
echo "Inlay needs packages that are not here. This installs them:"
echo "    $install"

if [ "${SETUP:-yes}" = no ]; then
    echo "Nothing was installed. Run that line as root, or let 'make setup SETUP_FOR=${1:-build}' do it." >&2
    exit 1
elif [ "$(id -u)" -eq 0 ]; then
    as_root='env'
elif command -v sudo >/dev/null 2>&1; then
    as_root='sudo env'
else
    echo "Nothing was installed: this needs root, and there is no sudo. Run that line as root." >&2
    exit 1
fi
as_root() { $as_root DEBIAN_FRONTEND=noninteractive sh -c "$1"; }

# The package lists are fetched where they do not know a package, or are so old that the archive has moved on.
known() { for package in $debian; do apt-cache show "$package" >/dev/null 2>&1 || return 1; done; }
update() { echo "    apt-get update" && as_root "apt-get update"; }
known || update
lists chromium-headless-shell || browser=no
look
[ -n "$debian" ] || exit 0
install="apt-get install -y --no-install-recommends $debian"
as_root "$install" || { update && as_root "$install"; }

look
[ -z "$debian" ] && exit 0
echo "Still missing after that: $debian. Is a program or library of the same name in the way?" >&2
exit 1
