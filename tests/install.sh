#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/install.sh
#
# What `make install` brings: the programs run, a program of five lines is linked with the library, headers are C++17 too,
# the shared libraries export names of ours alone and all that the headers promise, manual pages and completion are there,
# and `make uninstall` leaves nothing. Ends with the line `N passed, N failed, N skipped`.
#
# From the environment: INLAY (default build/inlay), beside which the library is; CC, CXX.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
INLAY=$(realpath "${INLAY:-$root/build/inlay}")
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$root" || exit 2
passed=0 failed=0 skipped=0 prefix=$tmp/prefix

verdict() { # WHAT STATUS [FILE]
    if [[ $2 = 0 ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        head -n 20 "${3:-/dev/null}"
    fi
}
skip() { # WHAT
    skipped=$((skipped + 1))
    echo "skipped: $1"
}
closing() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [[ $failed -eq 0 ]]
    exit
}

if grep -q __asan_init "$INLAY"; then
    skip 'installing: a program of others would need the sanitizers too'
    closing
fi
make -s install PREFIX="$prefix" DESTDIR= >"$tmp/log" 2>&1
verdict 'make install' $? "$tmp/log"

# ---- Programs, pages, completion ---------------------------------------------------------------------------------------

share=$prefix/share
(cd "$share/doc/inlay" && "$prefix/bin/inlay" map graphs/toy.dot bus:4 >"$tmp/log" 2>&1)
verdict 'the installed program, with the installed examples' $? "$tmp/log"
# shellcheck disable=SC2016 # for the shell that runs it
(mkdir "$tmp/empty" && cd "$tmp/empty" && "$prefix/bin/inlay" | sed -n 's:^ *example\: inlay:"$prefix"/bin/inlay:p' >"$tmp/examples" &&
    prefix=$prefix bash -e "$tmp/examples" >"$tmp/log" 2>&1 && [[ $(wc -l <"$tmp/examples") -ge 5 ]])
verdict 'what inlay alone names as examples runs in an empty folder' $? "$tmp/log"
"$INLAY" help --commands | sed 's:.*:inlay-&.1:' | cat - <(echo inlay.1) | LC_ALL=C sort >"$tmp/wanted"
(cd "$share/man/man1" && printf '%s\n' *) | LC_ALL=C sort | diff "$tmp/wanted" - >"$tmp/log"
verdict 'manual pages: one a command, and one of all' $? "$tmp/log"
for shell in bash:bash-completion/completions/inlay zsh:zsh/site-functions/_inlay fish:fish/vendor_completions.d/inlay.fish; do
    if command -v "${shell%%:*}" >/dev/null; then
        "${shell%%:*}" -n "$share/${shell#*:}" >"$tmp/log" 2>&1
        verdict "completion for ${shell%%:*}" $? "$tmp/log"
    else
        skip "completion for ${shell%%:*}, which is not here"
    fi
done

# ---- Libraries and headers ---------------------------------------------------------------------------------------------

# A name that is exported and begins otherwise would meet those of other people's programs.
for library in "$prefix"/lib/libinlay*.so; do
    nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ && $3 !~ /^(inlay_|_init$|_fini$)/ { print $3 }' >"$tmp/log"
    [[ ! -s $tmp/log ]]
    verdict "${library##*/} exports inlay_ names alone" $? "$tmp/log"
done
headers=()
for header in "$prefix"/include/inlay/*.h; do
    case ${header##*/} in
    irregular*.h) ;; # a library of its own, on MPI
    csource.h) ;;
    *) headers+=("$header") ;;
    esac
done
# Every function that a header declares is in the library.
cat "${headers[@]}" | sed -n '/^INLAY_API/,/;/p' | tr '\n' ' ' | sed 's/;/;\n/g' |
    sed -n 's/^ *INLAY_API[^(]*[ *]\(inlay_[a-z0-9_]*\)(.*/\1/p' | LC_ALL=C sort -u >"$tmp/promised"
nm -D --defined-only "$prefix/lib/libinlay.so" | awk '{ print $3 }' | LC_ALL=C sort -u >"$tmp/exported"
LC_ALL=C comm -23 "$tmp/promised" "$tmp/exported" >"$tmp/log"
[[ ! -s $tmp/log && $(wc -l <"$tmp/promised") -gt 100 ]]
verdict 'libinlay.so has every function of the headers' $? "$tmp/log"

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
cat >"$tmp/five.c" <<'END'
#include <inlay/inlay.h>
#include <stdio.h>
int main(void) {
    return puts(inlay_version()) < 0;
}
END
# shellcheck disable=SC2046,SC2086 # words
{ ${CC:-cc} -std=c17 -Wall -Werror "$tmp/five.c" $(pkg-config --cflags --libs inlay) -o "$tmp/five" && "$tmp/five"; } >"$tmp/log" 2>&1
verdict 'a program of five lines' $? "$tmp/log"
cp "$tmp/five.c" "$tmp/five.cc"
if command -v "${CXX:-c++}" >/dev/null; then
    # shellcheck disable=SC2046
    { "${CXX:-c++}" -std=c++17 -Wall -Werror "$tmp/five.cc" $(pkg-config --cflags --libs inlay) -o "$tmp/five++" && "$tmp/five++"; } \
        >"$tmp/log" 2>&1
    verdict 'the same in C++17' $? "$tmp/log"
    read -r -a mpi < <(mpicc -show 2>/dev/null | tr ' ' '\n' | sed -n 's/^-I/-isystem /p' | tr '\n' ' ')
    if [[ ${#mpi[@]} -gt 0 ]]; then # without MPI's own names for C++
        "${CXX:-c++}" -std=c++17 -Wall -Werror -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -fsyntax-only "${mpi[@]}" -I"$prefix/include" \
            -x c++ "$prefix/include/inlay/irregular.h" >"$tmp/log" 2>&1
        verdict 'inlay/irregular.h in C++17' $? "$tmp/log"
    else
        skip 'inlay/irregular.h in C++17: there is no MPI'
    fi
else
    skip 'the same in C++17: there is no c++'
fi

make -s uninstall PREFIX="$prefix" DESTDIR= >/dev/null 2>&1 # which may warn of the jobs of a make around it
find "$prefix" -type f -o -type l >"$tmp/log"
[[ ! -s $tmp/log ]]
verdict 'make uninstall leaves nothing' $? "$tmp/log"
closing
