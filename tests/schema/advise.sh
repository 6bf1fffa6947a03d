# shellcheck shell=sh
advise() { inlay advise --json --quiet "$@" 2>/dev/null || [ $? = 1 ]; }
types() { printf 'type,cores,speed,memory,price,count_min,count_max,network_bandwidth,power,currency,time_error\n%s\n' "$@" >"$FOLDER/types.csv"; }
app() { echo "digraph { graph [time_unit=$1]; $2 }" >"$FOLDER/app.dot"; }
app s 'a [time=3600, memory="1MiB"]; b [time=3600];'
types 'good,1,1,,1,1,40,1GB/s,90W,EUR,0.05
slow,1,0.1,,0.1,1,2,1GB/s,,EUR,
dear,2,4,,90,1,1,1GB/s,,EUR,
free,2,4,,,1,1,1GB/s,,EUR,
small,1,1,1KiB,1,1,1,1GB/s,,EUR,
bulk,1,1,,1,4,8,1GB/s,,EUR,'
advise "$FOLDER/app.dot" "$FOLDER/types.csv" --deadline 7000s --budget 3 -p 3
advise "$FOLDER/app.dot" "$FOLDER/types.csv" --mixtures --objective time
advise "$FOLDER/app.dot" "$FOLDER/types.csv" --objective energy
advise "$FOLDER/app.dot" "$FOLDER/types.csv" --objective efficiency
advise "$FOLDER/app.dot" "$FOLDER/types.csv"
advise "$FOLDER/app.dot" "$FOLDER/types.csv" --deadline 1s --budget 0
types 'one,1,1,,1,1,1,1GB/s,,,
fast,1,10,,40,1,1,1GB/s,,,'
advise "$FOLDER/app.dot" "$FOLDER/types.csv" --deadline 1h --budget 2.5
advise "$FOLDER/app.dot" bus:2,price=1,capacity=1GB/s bus:2,capacity=1GB/s "$FOLDER/types.csv" --deadline 70min --budget 2.01
types 'wide,2,1,,1,1,1,1GB/s,,,0.2
near,2,0.95,,0.9,1,1,1GB/s,,,0.2'
advise "$FOLDER/app.dot" "$FOLDER/types.csv" --deadline 61min
app s 'a [time=3600]; b [time=1800];'
types 'pair,1,1,,1,1,2,1GB/s,,,
cheap,2,0.95,,1.5,1,1,1GB/s,,,
beaten,2,0.1,,9,1,1,1GB/s,,,'
advise "$FOLDER/app.dot" "$FOLDER/types.csv" --deadline 4000s --budget 1.6
app tick 'a [time=0]; b [time=0];'
advise "$FOLDER/app.dot" bus:2
advise graphs/cholesky4.dot bus:17 --effort 50
