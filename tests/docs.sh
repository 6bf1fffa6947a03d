#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/docs.sh [--accept] [FILE...]
#
# Runs the commands that README.md, docs/*.md and docs/studies/*.md show, and ends with the line `N passed, N failed, N
# skipped`. --accept puts what the commands print now into the documents. Read the difference before you commit it.
#
#   ```console            each line `$ command` is run by bash; what follows, up to the next one, is exactly what it
#                         prints on standard output and error. A line that ends in \ goes on in the next
#   ```console status=1   the same, where the last command of the block ends with that status; the others end with 0
#   ```console needs=P,Q  the same, where these programs are there, beside inlay or as commands; else it is skipped
#   ```c PATH             the block is the file PATH of the checkout, byte for byte; the same of ```python
#
# Other blocks are not looked at. The commands of one document run in one folder, a copy of graphs/, architectures/,
# docs/examples/ and docs/studies/, one after the other, with `inlay` as a command and the library installed where
# pkg-config and Python find it; as many documents at once as there are processors.
#
# From the environment: INLAY (default build/inlay).
set -u
shopt -s nullglob

root=$(cd "$(dirname "$0")/.." && pwd)
INLAY=$(realpath "${INLAY:-$root/build/inlay}")
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0 skipped=0 accept=no

# Open MPI wants to be asked before root may start programs, and before more ranks than processors run.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
# each mpirun takes away the folder for all of a user's when it seems empty, which another may be about to use
export OMPI_MCA_orte_tmpdir_base=$tmp

if [[ ${1:-} = --accept ]]; then
    accept=yes
    shift
fi

fail() { # PLACE TEXT...
    printf 'FAILED %s: %s\n' "$1" "${*:2}"
    failed=$((failed + 1))
}

# ---- The installed library ---------------------------------------------------------------------------------------------

install_library() {
    make -s -C "$root" install PREFIX="$tmp/prefix" DESTDIR= >"$tmp/install.log" 2>&1 || {
        cat "$tmp/install.log"
        return 1
    }
    export PKG_CONFIG_PATH=$tmp/prefix/lib/pkgconfig LD_LIBRARY_PATH=$tmp/prefix/lib
    export PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1
}

# A program that is linked with the library needs the sanitizers too, when that has them.
sanitized() { grep -q __asan_init "$INLAY"; }

# ---- One document ------------------------------------------------------------------------------------------------------

# Runs one command in the document's folder; standard output and error go to $tmp/now, the status to $status.
run() { # COMMAND
    (cd "$folder" && PATH=$(dirname "$INLAY"):$PATH bash -c "$1") >"$tmp/now" 2>&1 </dev/null
    status=$?
}

# Compares the command that was read with what it does; $wanted is its output, $end the status that it should have.
settle() {
    [[ -n $command ]] || return 0
    if [[ $there = no ]]; then
        skipped=$((skipped + 1))
        printf '%s\n%s' "$shown" "$wanted" >>"$tmp/new"
        command=''
        return 0
    fi
    run "$command"
    if [[ $status -ne $end ]]; then
        fail "$place" "status $status, not $end: $command"
        cat "$tmp/now"
    elif [[ $accept = yes ]] || printf '%s' "$wanted" | cmp -s - "$tmp/now"; then
        passed=$((passed + 1))
    else
        fail "$place" "$command"
        printf '%s' "$wanted" | diff -u --label document - --label now "$tmp/now" | head -n 60
    fi
    printf '%s\n' "$shown" >>"$tmp/new"
    cat "$tmp/now" >>"$tmp/new"
    command=''
}

# Whether programs, separated by commas, are beside inlay or commands.
are_there() { # PROGRAM,...
    local program
    for program in ${1//,/ }; do
        [[ -x $(dirname "$INLAY")/$program && -f $(dirname "$INLAY")/$program ]] || command -v "$program" >/dev/null || return 1
    done
}

# Reads a console block up to its end.
console() { # WORD=VALUE...
    local more=no last=0 word
    command='' end=0 there=yes
    for word in "$@"; do
        case $word in
        status=*) last=${word#status=} ;;
        needs=*) are_there "${word#needs=}" || there=no ;;
        esac
    done
    while IFS= read -r line && number=$((number + 1)) && [[ $line != '```' ]]; do
        if [[ $more = yes ]]; then
            command+=$'\n'$line shown+=$'\n'$line
        elif [[ $line = '$ '* ]]; then
            settle
            command=${line#'$ '} shown=$line wanted='' place=$name:$number
        else
            wanted+=$line$'\n'
            continue
        fi
        more=no
        [[ $line = *\\ ]] && more=yes
    done
    end=$last
    settle
    printf '%s\n' "$line" >>"$tmp/new"
}

# Reads a block that shows a file.
listing() { # PATH
    place=$name:$number
    : >"$tmp/now"
    while IFS= read -r line && number=$((number + 1)) && [[ $line != '```' ]]; do
        printf '%s\n' "$line" >>"$tmp/now"
    done
    if [[ $accept = yes ]] || diff -u --label "$1" "$root/$1" --label "$place" "$tmp/now"; then
        passed=$((passed + 1))
    else
        fail "$place" "is not the file $1"
    fi
    cat "$root/$1" >>"$tmp/new"
    printf '%s\n' "$line" >>"$tmp/new"
}

document() { # FILE
    name=$1 number=0 folder=$(mktemp -d "$tmp/doc.XXXXXX")
    mkdir -p "$folder/docs"
    cp -R "$root/graphs" "$root/architectures" "$folder"
    cp -R "$root/docs/examples" "$root/docs/studies" "$folder/docs"
    : >"$tmp/new"
    if (($(grep -c '^```' "$root/$name") % 2)); then # else --accept would take text for output
        fail "$name" "a block is not closed"
        return
    fi
    while IFS= read -r line; do
        number=$((number + 1))
        printf '%s\n' "$line" >>"$tmp/new"
        case $line in
        '```console' | '```console '*)
            read -r -a words <<<"${line#'```console'}"
            console "${words[@]}"
            ;;
        '```c docs/'* | '```python docs/'*) listing "${line#* }" ;;
        esac
    done <"$root/$name"
    if [[ $accept = yes ]]; then
        cat "$tmp/new" >"$root/$name"
    fi
}

# ---- The picture in README.md ------------------------------------------------------------------------------------------

# Its words, sorted: sizes and places depend on the fonts of the computer that drew it.
words() { sed -n 's:.*<text[^>]*>\(.*\)</text>.*:\1:p' "$1" | LC_ALL=C sort; }

picture() { # FILE
    if diff -u --label "$1" <(words "$root/$1") --label now <(words "$folder/${1##*/}"); then
        passed=$((passed + 1))
    else
        fail "$1" "is not what the command in README.md draws"
    fi
}

# ---- All documents -----------------------------------------------------------------------------------------------------

# In a shell and a folder of its own.
check() { # FILE FOLDER
    local tmp=$2 passed=0 failed=0 skipped=0
    if sanitized && grep -q -E '^\$ (cc|python3) ' "$1"; then
        echo "skipped: $1: the library has sanitizers, which a program that uses it would need too"
        skipped=1
    else
        document "$1"
        [[ $1 != README.md ]] || picture docs/cholesky4.svg
    fi
    echo "$passed passed, $failed failed, $skipped skipped"
}

cd "$root" || exit 2
install_library || fail "make install" "ended with an error"
documents=("$@")
[[ $# -gt 0 ]] || documents=(README.md docs/*.md docs/studies/*.md)
for n in "${!documents[@]}"; do
    mkdir "$tmp/$n"
    check "${documents[n]}" "$tmp/$n" >"$tmp/$n.said" 2>&1 &
    (($(jobs -r -p | wc -l) < $(nproc))) || wait -n
done
wait
for n in "${!documents[@]}"; do
    sed '$d' "$tmp/$n.said"
    read -r p _ f _ s _ < <(tail -n 1 "$tmp/$n.said")
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
