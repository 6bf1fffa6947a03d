# shellcheck shell=sh
# A compiler that writes a program, and launchers that print what three ranks would, or one that takes no time.
cat >"$FOLDER/cc" <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo '#!/bin/sh' >"$2" && chmod +x "$2"
END
cat >"$FOLDER/launch" <<'END'
#!/bin/sh
echo '{"elapsed": 0.5, "runs": [0.5, 0.75], "ranks": ['
row='"host": "h", "busy": 0.25, "wait": 0.125, "other": 0, "idle": 0.125}'
echo '{"rank": 0,' "$row, {\"rank\": 1," "$row, {\"rank\": 2," "$row]}"
END
cat >"$FOLDER/instant" <<'END'
#!/bin/sh
echo '{"elapsed": 0, "runs": [0], "ranks": [{"rank": 0, "host": "h", "busy": 0, "wait": 0, "other": 0, "idle": 0}]}'
END
chmod +x "$FOLDER/cc" "$FOLDER/launch" "$FOLDER/instant"
echo h >"$FOLDER/hosts"
run() { inlay run --json --quiet "$FOLDER/mapping.json" --compiler "$FOLDER/cc" --launcher "$FOLDER/launch" "$@"; }
map() { # APP MACHINE OPTION...
    echo "$1" >"$FOLDER/app.dot"
    shift
    inlay map "$FOLDER/app.dot" --quiet -o "$FOLDER/mapping.json" "$@"
}
ticks='digraph app { graph [time_unit=tick]; a [time=3, pin=0]; b [time=4, pin=2]; a -> b; }'
map "$ticks" bus:4 --tick 1ms
run
map "$ticks" bus:4
run --engine smpi
run --tick 1ms --hostfile "$FOLDER/hosts"
run --tick 1ms --processes 1000000
counted='digraph app { graph [time_unit=ms]; a [time=3, arithmetic=7, pin=0]; b [time=4, pin=0]; }'
map "$counted" bus:1,capacity=1MB/s
run
run --work counts
for unit in ms us ns; do
    map "digraph app { graph [time_unit=$unit]; a [time=7]; }" bus:1,capacity=1MB/s
    run
done
inlay run --json --quiet "$FOLDER/mapping.json" --compiler "$FOLDER/cc" --launcher "$FOLDER/instant"
