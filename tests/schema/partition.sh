# shellcheck shell=sh
partition() { inlay partition --json -q "$@" 2>"$FOLDER/said"; }
partition -n 2 --generate triangles:7,5
partition -n 2 -k 3 --generate tetrahedra:3,3,3 --rule balanced
file() { # ENDING TEXT OPTION...
    mesh=$FOLDER/mesh$1
    printf '%b' "$2" >"$mesh"
    shift 2
    partition "$@" "$mesh"
}
file .graph '3 2 011 2\n1 1 2 1\n1 1 1 1 3 1\n2 1 2 1\n' -n 1 -k 2 --rule owner
file .grf '0\n2 2\n0 000\n1 1\n1 0\n' -n 1 -k 2 --imbalance 0.2
file .mesh '1\n1 2 3\n' -n 1 -k 1
file .mtx '%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n' -n 1 -k 1
file .txt '0 1\n' -n 1 -k 1
# parts for a machine, in a new order; and divided again
partition --generate triangles:12,9 -n 2 --machine mesh:2x2 --renumber rcm -o "$FOLDER/old.ptn"
partition --generate triangles:12,9 -n 2 --targets 2,1,1,1 --from "$FOLDER/old.ptn" --migration-cost 0.5 --renumber hilbert
partition --generate triangles:12,9 -n 2 --machine mesh:2x2 --from "$FOLDER/old.ptn"
awk 'BEGIN { for (i = 0; i < 108; i++) print i * 7 % 4 }' >"$FOLDER/mixed.ptn"
partition --generate triangles:12,9 -n 2 -k 4 --method rcb --from "$FOLDER/mixed.ptn" --migration-cost 0
