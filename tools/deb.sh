#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tools/deb.sh FOLDER (make deb)
#
# Debian packages of what `make install` brings, into FOLDER: inlay (program, library, pages, documents), inlay-dev (headers,
# what programs are linked with), inlay-mpi, inlay-simgrid and inlay-clang (what needs these, where it was built), and
# python3-inlay. dpkg-shlibdeps tells what each depends on.
set -eu
cd "$(dirname "$0")/.."
out=$1
command -v dpkg-shlibdeps >/dev/null || { echo 'make deb: dpkg-shlibdeps is missing; expected the package dpkg-dev' >&2 && exit 1; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
version=$(sed -n 's/^.define INLAY_VERSION "\(.*\)"/\1/p' include/inlay/inlay.h)
arch=$(dpkg --print-architecture)
${MAKE:-make} -s install PREFIX=/usr DESTDIR="$tmp/stage"
mkdir "$tmp/debian" && printf 'Source: inlay\n\nPackage: inlay\nArchitecture: any\n' >"$tmp/debian/control"

# Moves files from the stage to a package; those that were not built are not there.
take() { # PACKAGE PATTERNS
    local file
    (cd "$tmp/stage" && shopt -s nullglob && for file in $2; do printf '%s\n' "$file"; done) | while IFS= read -r file; do
        if [[ -e $tmp/stage/$file ]]; then
            mkdir -p "$tmp/$1/$(dirname "$file")"
            mv "$tmp/stage/$file" "$tmp/$1/$file"
        fi
    done
}

package() { # PACKAGE ARCHITECTURE SECTION DEPENDS DESCRIPTION
    local needs=$4 found=() file more
    [[ -d $tmp/$1 ]] || return 0
    while IFS= read -r file; do
        strip --strip-unneeded "$file"
        found+=("-e$file")
    done < <(find "$tmp/$1/usr" -type f \( -perm -u+x -o -name '*.so.*' -o -name '*.so' \) -exec sh -c \
        'head -c 4 "$1" | grep -q ELF' sh {} \; -print)
    if [[ ${#found[@]} -gt 0 ]]; then
        more=$(cd "$tmp" && dpkg-shlibdeps -O --ignore-missing-info "-l$tmp/stage/usr/lib" "-l$tmp/inlay/usr/lib" "-l$tmp/$1/usr/lib" \
            "-x$1" "${found[@]}" 2>"$tmp/said") || { cat "$tmp/said" >&2 && exit 1; }
        more=${more#shlibs:Depends=}
        needs=${needs:+$needs${more:+, }}$more
    fi
    mkdir -p "$tmp/$1/DEBIAN"
    cat >"$tmp/$1/DEBIAN/control" <<END
Package: $1
Version: $version
Architecture: $2
Maintainer: Inlay <inlay@localhost>
Section: $3
Priority: optional
${needs:+Depends: $needs
}Installed-Size: $(du -sk "$tmp/$1/usr" | cut -f 1)
Description: $5
 Inlay tells how many processors, which machine and which placement a parallel
 program needs, how long it will take, and how sure that is.
END
    [[ $1 != inlay ]] || printf 'activate-noawait ldconfig\n' >"$tmp/$1/DEBIAN/triggers"
    dpkg-deb --root-owner-group --build "$tmp/$1" "$out/$1_${version}_$2.deb" >/dev/null
    echo "$out/$1_${version}_$2.deb: $(stat -c %s "$out/$1_${version}_$2.deb") bytes"
}

take inlay-mpi 'usr/bin/inlay-measure usr/bin/inlay-study usr/bin/inlay-partition usr/bin/inlay-capture-mpi.so usr/lib/libinlay-irregular.so.*'
take inlay-simgrid 'usr/bin/inlay-simgrid'
take inlay-clang 'usr/bin/inlay-compress usr/bin/inlay-maploop usr/lib/libinlay-csource.so.*'
take inlay-dev 'usr/include/inlay usr/lib/*.a usr/lib/*.so usr/lib/pkgconfig'
take inlay 'usr/bin usr/lib/libinlay.so.* usr/share'
mkdir -p "$tmp/python3-inlay/usr/lib/python3/dist-packages/inlay"
cp python/inlay/*.py python/inlay/py.typed "$tmp/python3-inlay/usr/lib/python3/dist-packages/inlay"

package inlay "$arch" science '' 'lays application graphs into machine graphs'
for part in 'mpi:what needs MPI: measure, study, partition' 'simgrid:mappings on SimGrid' \
    'clang:what reads C: compress and maploop'; do
    package "inlay-${part%%:*}" "$arch" science "inlay (= $version)" "Inlay, ${part#*:}"
done
package inlay-dev "$arch" libdevel "inlay (= $version)" 'Inlay, headers and libraries for programs'
package python3-inlay all python "inlay (= $version), python3" 'Inlay from Python'
