# shellcheck shell=sh
# A limit and a share beyond what was measured; more sums than are kept
printf 'device,size,seconds\na,10,1\nb,100,1\nb,101,\n' >"$FOLDER/curves.csv"
inlay balance --json -W 200 "$FOLDER/curves.csv" 2>/dev/null
awk 'BEGIN {
    print "device,size,seconds"
    for (i = 1; i <= 9100; i++) print "a," i "," (i % 8 == 4 ? 1 : 5) "\nb," i "," (i % 8 == 6 ? 1 : 5) }' >"$FOLDER/falls.csv"
inlay balance --json -W 9002 "$FOLDER/falls.csv"
