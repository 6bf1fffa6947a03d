# Read by the cases beside it. Each function is counted by reading it, and by running it with operators that count; so is the
# program that is written.
counting=$ROOT/tests/cli/compress/counted/files
arithmetic_and_functions() { awk '/"modules"/ { m = 1 } m && /"(arithmetic|functions)"/ { gsub(/[^0-9]/, ""); print; if (++n == 2) exit }' "$1" | xargs; }
run() { # FILE, its ENTRY, more OPTIONS
    g++ -w -I. -I"$counting" -include counted.hpp "-DTESTED=\"$1\"" "-DENTRY=$2" ${3-} -x c++ /dev/null -o program && ./program
}
compare() { # NAME, ARGUMENTS of the call, OPTIONS
    # shellcheck disable=SC2086 # options: words of their own
    inlay compress --json --function run "$1.c" ${3-} -o "$1-loops.c" >counts.json || return
    read=$(arithmetic_and_functions counts.json)
    run=$(run "$1.c" "run($2)")
    loops=$(run "$1-loops.c" 'loops(1, 0)' -Dmain=loops)
    [ "$read" = "$run" ] && [ "$read" = "$loops" ] && echo "$1: $read" || echo "$1: read $read, run $run, written $loops"
}
