# shellcheck shell=sh
synth() { inlay synth --json --quiet "$FOLDER/mapping.json" -o "$FOLDER/prog.c" "$@"; }
map() { # APP OPTION...
    echo "$1" >"$FOLDER/app.dot"
    shift
    inlay map "$FOLDER/app.dot" --quiet -o "$FOLDER/mapping.json" "$@"
}
map 'digraph app { graph [time_unit=tick]; a [time=3, pin=0]; b [time=4, pin=2]; a -> b; }' bus:4 --tick 1ms
synth
map 'digraph app { a [time=0.5, arithmetic=5, memory=100]; b [time=1]; a -> b [bytes=9]; }' bus:4,capacity=1MB/s
synth
synth --work counts
