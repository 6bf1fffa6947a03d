# Read by the cases beside it. `try NAME ARGUMENT...` runs an example of loops as the serial program that it is, and as what
# `inlay maploop` makes of it, on 1, 2 and 4 ranks; `same` says where the second prints other numbers, but for rounding.
. "$ROOT/tests/cli/irregular/build.sh"
marked=$ROOT/docs/examples/maploop
transform() { # NAME
    cc -std=c17 -O2 -Wall -Wextra -Wno-unknown-pragmas -Werror "$marked/$1.c" -lm -o "$1" || exit
    inlay maploop "$marked/$1.c" -o "$1-mpi.c" || exit
    compile "$1-mpi" -Wconversion -I"$marked" "$1-mpi.c"
}
# Words are equal, or numbers that differ by 1e-9 of their size at most.
same() { # FILE FILE
    awk 'NR == FNR { line[NR] = $0; lines = NR; next }
         { words = split(line[FNR], word, /[ ,:]+/); if (split($0, mine, /[ ,:]+/) != words) print FILENAME ": other words"
           for (i = 1; i <= words; i++) {
               number = word[i] ~ /^[-+0-9.e]+$/ && mine[i] ~ /^[-+0-9.e]+$/; apart = number ? word[i] - mine[i] : 0
               size = number ? word[i] : 0; size = size < 0 ? -size : size; apart = apart < 0 ? -apart : apart
               if (number ? apart > 1e-9 * size + 1e-12 : word[i] != mine[i]) print FILENAME ": " mine[i] " in place of " word[i] } }
         END { if (FNR != lines) print FILENAME ": " FNR " lines in place of " lines }' "$1" "$2"
}
try() { # NAME ARGUMENT...
    name=$1
    shift
    "./$name" "$@" >serial || exit
    for ranks in 1 2 4; do
        mpirun -n $ranks "./$name-mpi" "$@" >parallel 2>said || cat said
        same serial parallel
    done
    cut -d : -f 1 serial
}
# An edge list from a METIS graph without weights.
edges() { # FILE
    awk '/^%/ { next } !n { n = $1; print $1, $2; next } { v++; for (i = 1; i <= NF; i++) if ($i > v) print v - 1, $i - 1 }' "$1"
}
# Statements, one a line (\\n in it begins another line): each takes the place of HERE in a program, which is then refused.
tried() { # FILE
    while IFS= read -r line; do
        awk -v "line=$line" '/HERE/ { print line; next } { print }' "$1" >tried.c
        inlay maploop --arrays distributed tried.c -o out.c && echo "taken: $line"
    done
}
