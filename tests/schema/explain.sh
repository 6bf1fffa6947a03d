# shellcheck shell=sh
explain() { # OPTIONS of explain, in one word; the others are those of map
    options=$1
    shift
    inlay map --quiet -o "$FOLDER/mapping.json" "$@"
    # shellcheck disable=SC2086 # several words
    inlay explain --json $options "$FOLDER/mapping.json"
}
explain '' graphs/cholesky4.dot bus:17 -T 464
explain '--overlap no' graphs/cholesky4.dot bus:17 -T 133
explain '' graphs/cholesky4.dot bus:7 -T 360
explain '--overlap no' graphs/cholesky4.dot omega-pe:16 --method houstis
explain '' graphs/cholesky4.dot bus:4,capacity=0.2msg/tick --method houstis
explain '--overlap no' graphs/workflow.json architectures/cluster17.dot
app() { # UNIT APP MACHINE
    echo "digraph { graph [time_unit=$1]; $2 }" >"$FOLDER/app.dot"
    explain '' "$FOLDER/app.dot" "$3"
}
app ns 'a [time=0];' bus:2
app ms 'a [time=1]; b [time=1]; a -> b;' bus:2,capacity=100MB/s,latency=1us
app us 'a [time=1]; b [time=1]; a [pin=0]; b [pin=1]; a -> b [messages=4, bytes=100];' bus:2,capacity=100MB/s,latency=1us
